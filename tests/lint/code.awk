# SPDX-License-Identifier: GPL-3.0-or-later
# code.awk - prints C without comments and without the text of strings, "file:line: code", for greps that
# look for calls. With -v STRINGS=1 the strings keep their text.
FNR == 1 { comment = 0 }
{
	line = $0
	gsub(/\\./, "", line)
	out = ""
	while (line != "") {
		if (comment) {
			at = index(line, "*/")
			if (!at) break
			line = substr(line, at + 2)
			comment = 0
		} else if (match(line, /"[^"]*"|'[^']*'|\/\*|\/\//)) {
			what = substr(line, RSTART, 2)
			out = out substr(line, 1, RSTART - 1)
			text = STRINGS ? substr(line, RSTART, RLENGTH) : "\"\""
			line = substr(line, RSTART + RLENGTH)
			if (what == "//") break
			if (what == "/*") comment = 1
			else out = out text
		} else {
			out = out line
			break
		}
	}
	if (out ~ /[^ \t]/) print FILENAME ":" FNR ": " out
}
