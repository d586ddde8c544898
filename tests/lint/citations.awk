# SPDX-License-Identifier: GPL-3.0-or-later
# citations.awk - prints the rule numbers and manual pages that each file names and that do not exist. See citations.t.
#
#     awk -v NUMBERS="1 1.1 ..." -v PAGES="ctascope(1) ..." -f citations.awk FILE...
#
# A comment may break a citation at the end of a line. So the lines of a file are joined, without the
# beginning of a comment line, and searched as one text.
BEGIN {
	split(NUMBERS, list, " "); for (i in list) known["n" list[i]] = 1
	split(PAGES, list, " "); for (i in list) known["m" list[i]] = 1
	number = "[0-9]+([.][0-9]+)?"
}

function broken(what) { print file ": " what }

# Checks every match of re in text.
function each(re, is_rule,    rest, hit) {
	rest = text
	while (match(rest, re)) {
		hit = substr(rest, RSTART, RLENGTH)
		rest = substr(rest, RSTART + RLENGTH)
		if (is_rule) rules(hit)
		else page(hit)
	}
}

# "ctascope-model(7) 4 and 3.6 to 3.10", "[M 2.9]"
function rules(hit,    part, i, n) {
	sub(/^.*\(7\),? /, "", hit)
	n = split(hit, part, /[^0-9.]+/)
	for (i = 1; i <= n; i++)
		if (part[i] ~ /[0-9]/ && !(("n" part[i]) in known)) broken("no rule " part[i])
}

function page(hit) {
	gsub(/ /, "", hit)
	if (!(("m" hit) in known)) broken("no page " hit)
}

function search() {
	gsub(/\\-/, "-", text)
	each("ctascope-model ?[(]7[)],? " number "((,| and| to| or) " number ")*", 1)
	each("[[]M " number, 1)
	each("ctascope(-[a-z]+)? ?[(][1-8][)]", 0)
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
