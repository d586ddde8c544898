# SPDX-License-Identifier: GPL-3.0-or-later
# tables.awk - lays what sweeps measured beside what the papers print. make-tables runs it; README.md says what the
# lines of tables.txt mean.
#
# One rule holds everywhere: a figure that is not there stays not there. A cell is a number or one of "not run" (no
# such point in the table of the sweep, or no such table), "failed" (its run ended with an error) and "unknown" (the
# run ended, the statistic has no value). Means are taken over the applications that have a number, and say how many.
#
# Variables: tables paper workloads reasons (files), out (folder). Arguments: the CSV files of sweeps; the name of one
# without .csv is the sweep.

function die(text)
{
	print "make-tables: " text > "/dev/stderr"
	failed = 1
	exit 1
}

# ---------------------------------------------------------------- means

# mean, geomean, min, max, count>X (>=, <, <=) of the numbers of column c over the applications of a list. Also set:
# agg_n, how many they are; agg_why, what the others are, "none" if not all are the same.
function aggregate(kind, c, list,    app, n, i, v, sum, lo, hi, op, bound, x, hits)
{
	n = split(list, app, " ")
	agg_n = 0
	agg_why = ""
	hits = 0
	sum = 0
	if (match(kind, /^count[<>]=?/)) {
		op = substr(kind, 6, RLENGTH - 5)
		bound = substr(kind, RLENGTH + 1) + 0
	}
	for (i = 1; i <= n; i++) {
		v = cell[c, app[i]]
		if (v == "") {
			x = cell_why[c, app[i]]
			agg_why = agg_why == "" || agg_why == x ? x : "none"
			continue
		}
		agg_n++
		if (kind == "geomean" && v <= 0)
			return ""
		sum += kind == "geomean" ? log(v) : v
		lo = agg_n == 1 || v < lo ? v : lo
		hi = agg_n == 1 || v > hi ? v : hi
		hits += (op == ">" && v > bound) || (op == ">=" && v >= bound) || (op == "<" && v < bound) ||
			(op == "<=" && v <= bound)
	}
	if (!agg_n)
		return ""
	if (op != "")
		return hits
	if (kind == "mean")
		return sum / agg_n
	if (kind == "geomean")
		return exp(sum / agg_n)
	if (kind == "min" || kind == "max")
		return kind == "min" ? lo : hi
	die("unknown mean '" kind "' in paper.csv")
}

# ---------------------------------------------------------------- pages

function row_of(text)
{
	print text > page_file
}

function tidy(c, app, measured, state, paper)
{
	print csv_quote(table_name) "," csv_quote(col_name[c]) "," col_metric[c] "," (col_how[c] == "value" ? "value" : "ratio") "," \
		csv_quote(app) "," (measured == "" ? "" : sprintf("%.6g", measured)) "," state "," \
		(paper == "" ? "" : sprintf("%.6g", paper)) > (out "/tables.csv")
}

# A line of the table under the applications, for all columns.
function mean_line(kind, group, list,    c, line, v, p, key, n, any)
{
	key = kind (group == "" ? "" : ":" group)
	n = split(list, mean_apps, " ")
	line = "| " kind (group == "" ? "" : " of " group) " | |"
	any = kind == "mean"
	for (c = 1; c <= n_cols; c++) {
		p = printed(c, key)
		if (kind == "mean" || (kind == "geomean" && col_how[c] != "value") || p != "") {
			v = aggregate(kind, c, list)
			any = any || p != "" || v != ""
			tidy(c, key, v, v == "" ? agg_why : agg_n " of " n, p)
			if (kind ~ /^count/)
				line = line " " (v == "" ? agg_why : v " of " agg_n) " |" \
					(col_printed[c] ? " " (p == "" ? "" : p) " |" : "")
			else
				line = line " " (v == "" ? agg_why : show(c, v) (agg_n < n ? " (" agg_n " of " n ")" : "")) " |" \
					(col_printed[c] ? " " (p == "" ? "" : show(c, p)) " |" : "")
			if (p != "")
				headlines(c, kind, group, v, n)
		} else {
			line = line " |" (col_printed[c] ? " |" : "")
		}
	}
	if (any)
		row_of(line)
}

# A line of the first page for each paper that prints such a figure.
function headlines(c, kind, group, v, n,    part, m, i, key, app, span, measured, p)
{
	app = kind (group == "" ? "" : ":" group)
	span = kind (group == "" ? "" : " of " group)
	if (kind ~ /^count/)
		measured = v == "" ? agg_why : v " of " agg_n
	else
		measured = v == "" ? agg_why : show(c, v) (agg_n < n ? " (" agg_n " of " n ")" : "")
	m = split(col_paper[c], part, " ")
	for (i = 1; i <= m; i++) {
		key = part[i] SUBSEP col_key[c]
		if (!((key, app) in paper_value))
			continue
		p = figure(key, app)
		print "| " part[i] " " paper_section[key, app] " | " col_name[c] \
			(col_base_name[c] == "" ? "" : " against " col_base_name[c]) " | " col_metric[c] " | " span " | " \
			(kind ~ /^count/ ? p : show(c, p)) " | " measured " | [" table_name "](" page ".md) | " \
			paper_note[key, app] " |" > (out "/headlines.md")
	}
}

# The sweeps that the columns of the table take their points from: day and sizes.
function measured_line(    c, n, word, i, part, m, j, seen, size, line)
{
	for (c = 1; c <= n_cols; c++) {
		n = split(col_base[c] " " col_select[c] " " col_over[c] " " col_base_over[c], word, " ")
		for (i = 1; i <= n; i++) {
			if (word[i] !~ /^sweep=/)
				continue
			m = split(substr(word[i], 7), part, "|")
			for (j = 1; j <= m; j++) {
				if (part[j] in seen)
					continue
				seen[part[j]] = 1
				size = sweep_sizes[part[j], table_machine]
				gsub(/ /, " and ", size)
				line = line (line == "" ? "" : "; ") part[j] " " \
					(part[j] in sweep_date ? sweep_date[part[j]] (size == "" ? "" : ", size " size) : "not run")
			}
		}
	}
	return "Measured: " line "."
}

function in_table(app)
{
	return table_apps == "" ? !in_set_2[app] : index(" " table_apps " ", " " app " ")
}

function end_table(    c, i, app)
{
	if (!n_cols)
		return
	row_of("\n## " table_title "\n\n" measured_line() "\n")
	table_list = ""
	for (i = 1; i <= n_workloads; i++) {
		app = workload[i]
		if (!in_table(app))
			continue
		table_list = table_list " " app
		for (c = 1; c <= n_cols; c++) {
			cell[c, app] = measure(c, app)
			cell_why[c, app] = cell[c, app] == "" ? why : ""
		}
	}
	find_printed()
	if (table_by_column) {
		column_rows()
	} else {
		app_rows()
		mean_rows()
		missing_apps()
	}
	if (table_note != "")
		row_of("\n" table_note)
	if (reason[table_name] != "")
		row_of("\n### Why\n\n" reason[table_name])
	n_cols = 0
}

# Which columns the papers print something of.
function find_printed(    c, i, n, part)
{
	for (c = 1; c <= n_cols; c++) {
		col_key[c] = col_name[c] SUBSEP col_base_name[c] SUBSEP table_machine SUBSEP col_metric[c]
		col_printed[c] = 0
		n = split(col_paper[c], part, " ")
		for (i = 1; i <= n; i++)
			if ((part[i] SUBSEP col_key[c]) in paper_apps)
				col_printed[c] = 1
	}
}

# A row for each application, a column for each column.
function app_rows(    c, i, n, app, line, bar, v, p, list)
{
	line = "| application | type |"
	bar = "|---|---|"
	for (c = 1; c <= n_cols; c++) {
		line = line " " col_name[c] ": " col_metric[c] (col_how[c] != "value" ? " / " col_base_name[c] : "") " |" \
			(col_printed[c] ? " paper |" : "")
		bar = bar "--:|" (col_printed[c] ? "--:|" : "")
	}
	row_of(line "\n" bar)
	n = split(table_list, list, " ")
	for (i = 1; i <= n; i++) {
		app = list[i]
		line = "| " app " | " workload_type[app] " |"
		for (c = 1; c <= n_cols; c++) {
			v = cell[c, app]
			p = printed(c, app)
			tidy(c, app, v, v == "" ? cell_why[c, app] : "ok", p)
			line = line " " (v == "" ? cell_why[c, app] : show(c, v)) " |" \
				(col_printed[c] ? " " (p == "" ? "" : show(c, p)) " |" : "")
		}
		row_of(line)
	}
}

# Means, then what else the paper counted, for all and for each group.
function mean_rows(    c, i, k, g, n, part, kinds, seen)
{
	for (g = 0; g <= n_groups; g++) {
		if (g == 0 && n_groups && !table_all)
			continue
		n = 2
		kinds[1] = "mean"
		kinds[2] = "geomean"
		split("", seen)
		for (c = 1; c <= n_cols; c++) {
			k = extra_kinds(c, g ? group_name[g] : "")
			split(k, part, "\n")
			for (i = 1; i in part; i++)
				if (part[i] != "" && !(part[i] in seen)) {
					seen[part[i]] = 1
					kinds[++n] = part[i]
				}
		}
		for (i = 1; i <= n; i++)
			mean_line(kinds[i], g ? group_name[g] : "", g ? group_apps[g] : table_list)
	}
}

# A row for each name of a column, a column for each metric, a cell the mean over the applications: for many policies.
function column_rows(    c, k, n, name, names, n_names, metric, n_metrics, of, line, bar, seen, v)
{
	n = split(table_list, seen, " ")
	split("", seen)
	line = "| |"
	bar = "|---|"
	for (c = 1; c <= n_cols; c++) {
		k = col_metric[c] (col_how[c] != "value" ? " / " col_base_name[c] : "")
		if (!(("m", k) in seen)) {
			seen["m", k] = metric[++n_metrics] = k
			line = line " " k " |"
			bar = bar "--:|"
		}
		if (!(("n", col_name[c]) in seen))
			seen["n", col_name[c]] = names[++n_names] = col_name[c]
		of[col_name[c], k] = c
		v = aggregate("mean", c, table_list)
		tidy(c, "mean", v, v == "" ? agg_why : agg_n " of " n, "")
	}
	row_of(line "\n" bar)
	for (name = 1; name <= n_names; name++) {
		line = "| " names[name] " |"
		for (k = 1; k <= n_metrics; k++) {
			c = of[names[name], metric[k]]
			v = c ? aggregate("mean", c, table_list) : ""
			line = line " " (!c ? "" : v == "" ? agg_why : show(c, v) (agg_n < n ? " (" agg_n " of " n ")" : "")) " |"
		}
		row_of(line)
	}
}

# Of what the paper says about column c: the kinds beside mean and geomean, of one group.
function extra_kinds(c, group,    part, n, i, app, m, j, all, kind, of)
{
	n = split(col_paper[c], part, " ")
	for (i = 1; i <= n; i++) {
		m = split(paper_apps[part[i] SUBSEP col_key[c]], app, "\n")
		for (j = 1; j <= m; j++) {
			kind = app[j]
			of = ""
			if (index(kind, ":")) {
				of = substr(kind, index(kind, ":") + 1)
				kind = substr(kind, 1, index(kind, ":") - 1)
			}
			if (of == group && kind ~ /^(min|max|count.*)$/)
				all = all "\n" kind
		}
	}
	return all
}

# Rows of applications that the paper names and that are not here.
function missing_apps(    c, part, n, i, app, m, j, line, k, seen)
{
	for (c = 1; c <= n_cols; c++) {
		n = split(col_paper[c], part, " ")
		for (i = 1; i <= n; i++) {
			m = split(paper_apps[part[i] SUBSEP col_key[c]], app, "\n")
			for (j = 1; j <= m; j++) {
				if (app[j] ~ /^(mean|geomean|min|max|count)/ || index(table_list " ", " " app[j] " ") || app[j] in seen)
					continue
				seen[app[j]] = 1
				line = "| " app[j] " (not here) | |"
				for (k = 1; k <= n_cols; k++)
					line = line " |" (col_printed[k] ? " " missing_cell(k, app[j]) " |" : "")
				row_of(line)
			}
		}
	}
}

function missing_cell(c, app,    p)
{
	p = printed(c, app)
	return p == "" ? "" : show(c, p)
}

# ---------------------------------------------------------------- tables.txt

function words_after(line, n)
{
	while (n-- > 0)
		sub(/^[^ ]+ */, "", line)
	return line
}

# "NAME: REST" of a line, split at the first colon and blank.
function head_of(text)
{
	if (!match(text, /: /))
		die(tables ":" line_no ": expected 'NAME: ...', found '" text "'")
	rest_of = substr(text, RSTART + 2)
	return substr(text, 1, RSTART - 1)
}

function add_column(text,    name, n, part, word)
{
	name = head_of(text)
	n = split(rest_of, part, / *; */)
	if ((n != 2 && n != 4) || split(part[1], word, " ") != 2)
		die(tables ":" line_no ": expected 'col NAME: METRIC ratio|change|value; KEY=VALUE ...'")
	if (word[2] != "ratio" && word[2] != "change" && word[2] != "value")
		die(tables ":" line_no ": '" word[2] "': expected ratio, change or value")
	if (word[2] != "value" && base_select == "")
		die(tables ":" line_no ": " word[2] " of what? expected a line 'base' before")
	n_cols++
	col_name[n_cols] = name
	col_metric[n_cols] = word[1]
	col_how[n_cols] = word[2]
	col_select[n_cols] = "machine=" table_machine " " part[2]
	col_over[n_cols] = n == 4 ? "machine=" table_machine " " part[3] : ""
	col_base_over[n_cols] = n == 4 ? "machine=" table_machine " " part[4] : ""
	col_base[n_cols] = base_select
	col_base_name[n_cols] = word[2] == "value" ? "" : base_name
	col_paper[n_cols] = table_paper
}

function begin_table(text)
{
	end_table()
	table_name = head_of(text)
	table_title = rest_of
	if (page == "")
		die(tables ":" line_no ": a table before the first page")
	table_paper = table_machine = table_apps = table_size = table_note = base_select = base_name = ""
	n_groups = table_all = table_by_column = 0
}

function apps_of_type(type,    i, list)
{
	for (i = 1; i <= n_workloads; i++)
		if (workload_type[workload[i]] == type && !in_set_2[workload[i]])
			list = list " " workload[i]
	return list
}

function do_line(line,    word)
{
	split(line, word, " ")
	if (word[1] == "let") {
		if (line !~ /^let [a-z_0-9]+ = /)
			die(tables ":" line_no ": expected 'let NAME = EXPRESSION'")
		let[word[2]] = words_after(line, 3)
	} else if (word[1] == "page") {
		end_table()
		if (page != "")
			close(page_file)
		page = head_of(words_after(line, 1))
		page_file = out "/" page ".md"
		row_of("# " rest_of)
	} else if (word[1] == "table") {
		begin_table(words_after(line, 1))
	} else if (word[1] == "paper") {
		table_paper = words_after(line, 1)
	} else if (word[1] == "machine") {
		table_machine = word[2]
	} else if (word[1] == "apps") {
		table_apps = words_after(line, 1)
	} else if (word[1] == "type") {
		table_apps = apps_of_type(word[2])
	} else if (word[1] == "size") {
		table_size = word[2]
	} else if (word[1] == "means") {
		table_by_column = 1
	} else if (word[1] == "group") {
		group_name[++n_groups] = head_of(words_after(line, 1))
		group_apps[n_groups] = rest_of
	} else if (word[1] == "all") {
		table_all = 1
	} else if (word[1] == "note") {
		table_note = table_note (table_note == "" ? "" : "\n") words_after(line, 1)
	} else if (word[1] == "base") {
		base_name = head_of(words_after(line, 1))
		base_select = "machine=" table_machine " " rest_of
	} else if (word[1] == "col") {
		add_column(words_after(line, 1))
	} else {
		die(tables ":" line_no ": '" word[1] "': expected let, page, table, paper, machine, apps, type, size, means, group, all, note, base or col")
	}
}

function load_reasons(file,    line, name)
{
	while ((getline line < file) > 0) {
		if (line ~ /^## /)
			name = substr(line, 4)
		else if (name != "" && (line != "" || reason[name] != ""))
			reason[name] = reason[name] (reason[name] == "" ? "" : "\n") line
	}
	for (name in reason)
		sub(/\n+$/, "", reason[name])
}

# A figure of the paper that no column asks for is a mistake of one of the two files.
function check_used(    k)
{
	for (k in paper_value)
		if (!(k in paper_used)) {
			gsub(SUBSEP, " ", k)
			die(paper ": no table shows the figure '" k "'")
		}
}

BEGIN {
	load_workloads(workloads)
	load_paper(paper)
	if (reasons != "")
		load_reasons(reasons)
	for (arg = 1; arg < ARGC; arg++)
		load_sweep(ARGV[arg])
	print "table,column,metric,kind,application,measured,status,paper" > (out "/tables.csv")
	print "# The papers' figures and ours\n\n" \
		"Each row is a number that a paper prints, beside ours. `over` is how the applications are combined: a mean, a geometric\n" \
		"mean (geomean), the largest or smallest value, or a count: `count>1.1` is how many are above 1.1. An application in\n" \
		"`remark` is the one for which the paper prints the number.\n" > (out "/headlines.md")
	print "| paper | what | metric | over | paper | measured | table | remark |\n" \
		"|---|---|---|---|--:|--:|---|---|" > (out "/headlines.md")
	while ((got = (getline line < tables)) > 0) {
		line_no++
		sub(/^[ \t]+/, "", line)
		if (line != "" && line !~ /^#/)
			do_line(line)
	}
	if (got < 0)
		die(tables ": cannot be read")
	end_table()
	check_used()
}
