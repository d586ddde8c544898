# SPDX-License-Identifier: GPL-3.0-or-later
# figure.awk - part of make-tables: one figure: expressions over the columns of a sweep, the points of a selection, what the
# paper prints.

# ---------------------------------------------------------------- expressions
#
#     expr = sum [ "??" expr ]      sum = product { ("+"|"-") product }      product = atom { ("*"|"/") atom }
#     atom = NUMBER | NAME | "(" expr ")"
#
# "" is unknown, and so is all that is made of it; a ?? b is b where a is unknown, and does not ask for b elsewhere.

function ex_fail(what)
{
	die(tables ": in '" ex_all "': " what)
}

function ex_token()
{
	sub(/^ +/, "", ex_rest)
	if (match(ex_rest, /^([0-9]+(\.[0-9]+)?(e-?[0-9]+)?|[A-Za-z_][A-Za-z0-9_.]*|\?\?|.)/))
		ex_now = substr(ex_rest, 1, RLENGTH)
	else
		ex_now = ""
	ex_rest = substr(ex_rest, length(ex_now) + 1)
}

function ex_name(name,    v, all, rest)
{
	if (ex_skip)
		return ""
	if (name == "workload.n") {
		v = value[ex_row, "workload"]
		sub(/:.*/, "", v)
		return workload_n[v]
	}
	if (name == "point.n") {
		v = value[ex_row, "policy"]
		return match(v, /[:,]n=[0-9]+/) ? substr(v, RSTART + 3, RLENGTH - 3) + 0 : ""
	}
	if (name == "point.cores") {
		v = value[ex_row, "policy"]
		if (match(v, /cores:n=[0-9]+/))
			return substr(v, RSTART + 8, RLENGTH - 8) + 0
		if (v != "rr")
			return ""
		name = "all_cores"
	}
	if (name in let) {
		all = ex_all
		rest = ex_rest
		if (++ex_depth > 20)
			ex_fail("'" name "' is made of itself")
		v = ex_start(let[name])
		ex_depth--
		ex_all = all
		ex_rest = rest
		return v
	}
	if (!((row_sweep[ex_row], name) in has_column))
		ex_fail("no column '" name "' in " sweep_file[row_sweep[ex_row]] ", and no let of that name")
	v = value[ex_row, name]
	return v ~ /^[-+]?[0-9.]+([eE][-+]?[0-9]+)?$/ ? v + 0 : ""
}

function ex_atom(    v)
{
	if (ex_now == "(") {
		ex_token()
		v = ex_expr()
		if (ex_now != ")")
			ex_fail("expected ')'")
	} else if (ex_now ~ /^[0-9]/) {
		v = ex_now + 0
	} else if (ex_now ~ /^[A-Za-z_]/) {
		v = ex_name(ex_now)
	} else {
		ex_fail("expected a value, found '" ex_now "'")
	}
	ex_token()
	return v
}

function ex_product(    a, b, op)
{
	a = ex_atom()
	while (ex_now == "*" || ex_now == "/") {
		op = ex_now
		ex_token()
		b = ex_atom()
		if (a == "" || b == "" || (op == "/" && b == 0))
			a = ""
		else
			a = op == "*" ? a * b : a / b
	}
	return a
}

function ex_sum(    a, b, op)
{
	a = ex_product()
	while (ex_now == "+" || ex_now == "-") {
		op = ex_now
		ex_token()
		b = ex_product()
		if (a == "" || b == "")
			a = ""
		else
			a = op == "+" ? a + b : a - b
	}
	return a
}

function ex_expr(    a, b)
{
	a = ex_sum()
	if (ex_now != "??")
		return a
	ex_token()
	ex_skip += a != ""
	b = ex_expr()
	ex_skip -= a != ""
	return a == "" ? b : a
}

function ex_start(text,    v)
{
	ex_all = ex_rest = text
	ex_token()
	v = ex_expr()
	if (ex_now != "")
		ex_fail("expected the end, found '" ex_now "'")
	return v
}

function evaluate(text, row)
{
	ex_row = row
	ex_depth = 0
	return ex_start(text)
}

# ---------------------------------------------------------------- points

function one_of(text, list,    part, n, i)
{
	n = split(list, part, "|")
	for (i = 1; i <= n; i++) {
		if (part[i] == text)
			return 1
		if (part[i] ~ /\*$/ && index(text, substr(part[i], 1, length(part[i]) - 1)) == 1)
			return 1
	}
	return n == 0 && text == ""
}

function is_ok(row)
{
	return value[row, "status"] == "ok" || value[row, "status"] == "cut"
}

# The rows of an application in the table of a sweep: those with the size of the table that is being made, or where there
# are none, those with no size.
function rows_of(sweep, app)
{
	if (table_size != "" && (sweep, app ":" table_size) in rows)
		return rows[sweep, app ":" table_size]
	return rows[sweep, app]
}

# Of the points that the words KEY=VALUE of a selection leave, of one application: the only one, or the one that its
# pick= chooses. Row, or 0 with why set. base is the row of the baseline for pick=first.
function find(selection, app, base,    word, n, i, k, key, val, sweeps, n_sweeps, list, m, j, row, fits, found, pick, need, ok, bad)
{
	n = split(selection, word, " ")
	for (i = 1; i <= n; i++) {
		if (!index(word[i], "="))
			die(tables ": '" word[i] "': expected KEY=VALUE")
		key = substr(word[i], 1, index(word[i], "=") - 1)
		val = substr(word[i], index(word[i], "=") + 1)
		if (key == "sweep")
			n_sweeps = split(val, sweeps, "|")
		else if (key == "pick")
			pick = val
		else if (key == "need")
			need = val
	}
	if (!n_sweeps)
		die(tables ": '" selection "' names no sweep")
	ok = 0
	bad = 0
	for (k = 1; k <= n_sweeps; k++) {
		m = split(rows_of(sweeps[k], app), list, " ")
		for (j = 1; j <= m; j++) {
			row = list[j]
			fits = 1
			for (i = 1; i <= n && fits; i++) {
				key = substr(word[i], 1, index(word[i], "=") - 1)
				val = substr(word[i], index(word[i], "=") + 1)
				if (key == "sweep" || key == "pick" || key == "need")
					continue
				if (!((sweeps[k], key) in has_column))
					die(tables ": '" word[i] "': no column '" key "' in " sweep_file[sweeps[k]])
				fits = one_of(value[row, key], val)
			}
			if (!fits)
				continue
			if (is_ok(row))
				found[++ok] = row
			else
				bad++
		}
	}
	why = bad ? "failed" : "not run"
	if (ok + bad > 1 && pick == "")
		die(tables ": '" selection "' leaves " ok + bad " points of " app)
	if (bad || !ok || (need != "" && ok < evaluate(need, found[1])))
		return 0
	return pick == "" ? found[1] : choose(pick, found, ok, base)
}

# pick=max:WHAT:ORDER, min:WHAT:ORDER, first:WHAT:ORDER:SHARE (the first whose WHAT is at least SHARE of the
# baseline's). Of equals the one with the smallest ORDER.
function choose(pick, found, n, base,    part, i, v, o, best, best_v, best_o, limit)
{
	split(pick, part, ":")
	why = "unknown"
	if (part[1] == "first") {
		limit = base ? evaluate(part[2], base) : ""
		if (limit == "")
			return 0
		limit *= part[4]
	} else if (part[1] != "max" && part[1] != "min") {
		die(tables ": 'pick=" pick "': expected max, min or first")
	}
	best = 0
	for (i = 1; i <= n; i++) {
		v = evaluate(part[2], found[i])
		o = evaluate(part[3], found[i])
		if (v == "" || o == "")
			return 0
		if (part[1] == "first") {
			if (v < limit)
				continue
			v = 0
		} else if (part[1] == "min") {
			v = -v
		}
		if (!best || v > best_v || (v == best_v && o < best_o)) {
			best = found[i]
			best_v = v
			best_o = o
		}
	}
	return best
}

# ---------------------------------------------------------------- what a column is

# Of the column c and one application: its number, or "" with why set.
function measure(c, app,    base, row, a, b)
{
	base = 0
	if (col_base[c] != "") {
		base = find(col_base[c], app, 0)
		if (!base && col_how[c] != "value")
			return ""
	}
	row = find(col_select[c], app, base)
	if (!row)
		return ""
	why = "unknown"
	a = evaluate(col_metric[c], row)
	if (a == "" || col_how[c] == "value")
		return a
	a = over(a, col_metric[c], col_over[c], app)
	b = over(evaluate(col_metric[c], base), col_metric[c], col_base_over[c], app)
	return a == "" || b == "" || b == 0 ? "" : a / b
}

# v over the metric of the point of a selection; v where there is no selection.
function over(v, metric, selection, app,    row, d)
{
	if (selection == "" || v == "")
		return v
	row = find(selection, app, 0)
	if (!row)
		return ""
	d = evaluate(metric, row)
	why = "unknown"
	return d == "" || d == 0 ? "" : v / d
}

# What the paper prints for it, in the same terms. "" when it prints nothing.
function printed(c, app,    part, n, i, key)
{
	n = split(col_paper[c], part, " ")
	for (i = 1; i <= n; i++) {
		key = part[i] SUBSEP col_key[c]
		if ((key, app) in paper_value)
			return figure(key, app)
	}
	return ""
}

function figure(key, app,    unit, v)
{
	paper_used[key, app] = 1
	unit = paper_unit[key, app]
	v = paper_value[key, app]
	if (unit == "%")
		return 1 + v / 100
	return unit == "x less" ? 1 / v : v
}

function show(c, v)
{
	if (col_how[c] == "change")
		return sprintf("%+.1f %%", 100 * (v - 1))
	return sprintf("%.2f", v)
}
