# SPDX-License-Identifier: GPL-3.0-or-later
# layers.awk - says which include breaks which rule. Reads C files; ORDER is the list of folders
# from low to high, a group in braces counting as one; READLINE the files that may use readline;
# FACADES the headers that are for others though they are not X/X.h; ONLY what a wing may use, a list of
# FOLDER=FOLDER,FOLDER. The folders of the recorder are named with both words, record/ptx.
BEGIN {
	n = split(ORDER, word, " ")
	for (i = 1; i <= n; i++) {
		w = word[i]
		if (sub(/^{/, "", w)) { group = 1; level++ }
		closing = sub(/}$/, "", w)
		if (!group) level++
		rank[w] = level
		if (closing) group = 0
	}
	split(READLINE, word, " ")
	for (i in word) may_readline[word[i]] = 1
	split(FACADES, word, " ")
	for (i in word) facade[word[i]] = 1
	split(ONLY, word, " ")
	for (i in word) {
		split(word[i], rule, "=")
		only[rule[1]] = "," rule[2] ","
	}
}
# The folder a path below src (or an include) lies in, and the name of its facade.
function place(first, second) { return first == "record" ? first "/" second : first }
function bad(why) { printf "%s:%d: %s\n", FILENAME, FNR, why }
FNR == 1 {
	split(FILENAME, part, "/")
	inner = part[1] == "include" ? "include" : (part[3] == "" ? "main" : place(part[2], part[3]))
	if (inner != "include" && !(inner in rank)) bad("folder " inner " is in no layer")
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
	split($0, quoted, "\"")
	path = quoted[2]
	if (path == "config.h") { bad("config.h comes from the command line of the compiler"); next }
	if (!index(path, "/")) { bad("name the folder: \"" inner "/" path "\""); next }
	split(path, to, "/")
	if (to[1] == "record") {
		to[1] = place(to[1], to[2])
		to[2] = to[3]
	}
	if (to[1] == "ctascope" || to[1] == inner || inner == "main") next
	if (inner == "include") { bad("a contract includes contracts only, not " path); next }
	if (path ~ /^traces\/.*\.def$/) next # rows about data
	if (!(to[1] in rank)) { bad("no folder " to[1]); next }
	if (inner in only && !index(only[inner], "," to[1] ","))
		bad(inner " uses " only[inner] " only, not " path)
	else if (rank[to[1]] == rank[inner]) bad(inner " and " to[1] " are siblings: " path)
	else if (rank[to[1]] > rank[inner]) bad(inner " lies below " to[1] ": " path)
	else if (to[1] != "base" && path !~ /\.def$/ && to[2] != to[1] ".h" && !(path in facade))
		bad("only the facade " to[1] "/" to[1] ".h is for others: " path)
}
/^[ \t]*#[ \t]*include[ \t]*</ {
	split($0, angle, /[<>]/)
	if (angle[2] ~ /^(n?curses|term|panel)[a-z]*\.h$|^ncursesw?\// && angle[2] != "termios.h" &&
	    FILENAME !~ /^src\/tui\/term_(curses|look)\.c$/)
		bad("only src/tui/term_curses.c and term_look.c touch curses: <" angle[2] ">")
	if (angle[2] ~ /^readline\// && !(FILENAME in may_readline))
		bad("not in tests/lint/readline-files: <" angle[2] ">")
	if (angle[2] ~ /^cairo/ && FILENAME != "src/plot/pen_cairo.c")
		bad("only src/plot/pen_cairo.c uses cairo: <" angle[2] ">")
	if (angle[2] == "csv.h" && inner != "export")
		bad("only src/export/ uses libcsv: <csv.h>")
}
