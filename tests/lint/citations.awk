# SPDX-License-Identifier: GPL-3.0-or-later
# citations.awk - the citations of each file that lead nowhere. See citations.t.
#
#     awk -v NUMBERS="1 1.1 ..." -v PAPERS="Kayiran ..." -v PAGES="ctascope(1) ..." -f citations.awk FILE...
#
# A comment may break a citation at the end of a line: the lines of a file are joined, without what
# begins a line of a comment, and searched as one text.
BEGIN {
	split(NUMBERS, list, " "); for (i in list) known["n" list[i]] = 1
	split(PAPERS, list, " "); for (i in list) known["p" list[i]] = 1
	split(PAGES, list, " "); for (i in list) known["m" list[i]] = 1
	split("Table Fig Figs Algorithm Section", list, " "); for (i in list) known["p" list[i]] = 1
	# Put together, so that this file and those who mention it do not name them.
	gone = "schedulers[.]m" "d|timing fact" "s|timing[.]m" "d|design[.]m" "d|interface[.]m" "d|workloads[.]m" "d|[^a-z]fact" "s/"
	number = "[0-9]+([.][0-9]+)?"
}

function broken(what) { print file ": " what }

# Calls for every match of re in text; kind says what to do with it.
function each(re, kind,    rest, hit) {
	rest = text
	while (match(rest, re)) {
		hit = substr(rest, RSTART, RLENGTH)
		rest = substr(rest, RSTART + RLENGTH)
		if (kind == "rule") rules(hit)
		else if (kind == "paper") paper(hit)
		else if (kind == "page") page(hit)
		else broken(hit)
	}
}

# "ctascope-model(7) 4 and 3.6 to 3.10", "[M 2.9]"
function rules(hit,    part, i, n) {
	sub(/^.*\(7\),? /, "", hit)
	n = split(hit, part, /[^0-9.]+/)
	for (i = 1; i <= n; i++)
		if (part[i] ~ /[0-9]/ && !(("n" part[i]) in known)) broken("no rule " part[i])
}

# "Kayiran et al.", "(Song III.C)"
function paper(hit) {
	gsub(/^[^A-Z]*/, "", hit)
	sub(/[^A-Za-z].*/, "", hit)
	if (!(("p" hit) in known)) broken("no paper of " hit)
}

function page(hit) {
	gsub(/ /, "", hit)
	if (!(("m" hit) in known)) broken("no page " hit)
}

function search() {
	gsub(/\\-/, "-", text)
	each("ctascope-model ?[(]7[)],? " number "((,| and| to| or) " number ")*", "rule")
	each("[[]M " number, "rule")
	each("[A-Z][a-z]+ et al[.]", "paper")
	each("[(][A-Z][a-z]+ (Table |Fig[.] ?)?([0-9]+([.][0-9]+)?|[IVX]+([.][A-C])?)(,? [0-9IVX.]+)*[),;:]", "paper")
	each("ctascope(-[a-z]+)? ?[(][1-8][)]", "page")
	each(gone, "gone")
}

FNR == 1 {
	if (file != "") search()
	file = FILENAME
	text = ""
}
{
	sub(/^[ \t]*(\/?\*+|#+|\/\/|[.]\\") ?/, "")
	text = text " " $0
}
END { if (file != "") search() }
