# SPDX-License-Identifier: GPL-3.0-or-later
# read.awk - part of make-tables: CSV files, and what is kept of paper.csv, workloads.def and the tables of sweeps.

# ---------------------------------------------------------------- CSV

# The next record of a file as field[1..n]; n, or 0 at its end. Quoted fields may hold commas, quotes and line ends.
function csv_next(file,    line, more, got, n, c, quoted, i)
{
	if ((got = (getline line < file)) <= 0) {
		if (got < 0)
			die(file ": cannot be read")
		return 0
	}
	csv_line[file]++
	n = 1
	field[1] = ""
	for (;;) {
		for (i = 1; i <= length(line); i++) {
			c = substr(line, i, 1)
			if (quoted && c == "\"" && substr(line, i + 1, 1) == "\"") {
				field[n] = field[n] c
				i++
			} else if (c == "\"") {
				quoted = !quoted
			} else if (c == "," && !quoted) {
				field[++n] = ""
			} else if (c != "\r" || quoted) {
				field[n] = field[n] c
			}
		}
		if (!quoted)
			return n
		if ((getline more < file) <= 0)
			die(file ":" csv_line[file] ": a quote is not closed")
		csv_line[file]++
		field[n] = field[n] "\n"
		line = more
	}
}

function csv_quote(text)
{
	if (text !~ /[",\n]/)
		return text
	gsub(/"/, "\"\"", text)
	return "\"" text "\""
}

# ---------------------------------------------------------------- what is read

function load_workloads(file,    line, part, second_set)
{
	while ((getline line < file) > 0) {
		if (line !~ /^WORKLOAD2?\(/)
			continue
		second_set = line ~ /^WORKLOAD2/
		sub(/^WORKLOAD2?\(/, "", line)
		split(line, part, /, */)
		workload[++n_workloads] = part[1]
		in_set_2[part[1]] = second_set
		workload_type[part[1]] = part[3]
		workload_n[part[1]] = part[4]
	}
	if (!n_workloads)
		die(file ": no workloads")
}

# Keyed by paper, policy, baseline, machine and metric: which applications it says something of.
function load_paper(file,    n, i, key, name)
{
	n = csv_next(file)
	for (i = 1; i <= n; i++)
		name[i] = field[i]
	if (n != 10 || name[1] != "paper" || name[9] != "value")
		die(file ":1: expected the columns of paper.csv")
	while ((n = csv_next(file))) {
		if (n != 10)
			die(file ":" csv_line[file] ": expected 10 fields, found " n)
		key = field[1] SUBSEP field[3] SUBSEP field[4] SUBSEP field[5] SUBSEP field[7]
		if ((key, field[6]) in paper_value)
			die(file ":" csv_line[file] ": the same figure again")
		if (field[9] !~ /^-?[0-9]+(\.[0-9]+)?$/)
			die(file ":" csv_line[file] ": '" field[9] "' is not a number")
		paper_value[key, field[6]] = field[9] + 0
		paper_unit[key, field[6]] = field[8]
		paper_note[key, field[6]] = field[10]
		paper_section[key, field[6]] = field[2]
		paper_apps[key] = paper_apps[key] (paper_apps[key] == "" ? "" : "\n") field[6]
		paper_where[key] = file ":" csv_line[file]
	}
}

# Beside the table FILE.csv, FILE.date says on which day its sweep was through; without it that is still under way.
function load_sweep(file,    name, n, i, head, w, size)
{
	name = file
	sub(/^.*\//, "", name)
	sub(/\.csv$/, "", name)
	if (name in sweep_file)
		die(file ": a second table of the sweep '" name "'")
	sweep_file[name] = file
	n_head = csv_next(file)
	for (i = 1; i <= n_head; i++) {
		head[i] = field[i]
		has_column[name, field[i]] = 1
	}
	if (!((name, "workload") in has_column && (name, "status") in has_column))
		die(file ":1: expected the columns workload and status: is this the table of a sweep?")
	while ((n = csv_next(file))) {
		if (n != n_head)
			die(file ":" csv_line[file] ": expected " n_head " fields, found " n)
		n_rows++
		for (i = 1; i <= n; i++)
			value[n_rows, head[i]] = field[i]
		row_sweep[n_rows] = name
		w = value[n_rows, "workload"]
		rows[name, w] = rows[name, w] " " n_rows
		size = index(w, ":") ? substr(w, index(w, ":") + 1) : "default"
		w = value[n_rows, "machine"]
		if (!index(" " sweep_sizes[name, w] " ", " " size " "))
			sweep_sizes[name, w] = sweep_sizes[name, w] (sweep_sizes[name, w] == "" ? "" : " ") size
	}
	sub(/\.csv$/, ".date", file)
	if ((getline w < file) <= 0)
		w = "under way"
	sweep_date[name] = w
}
