# SPDX-License-Identifier: GPL-3.0-or-later
# coverage.awk - one line per source file from the text of "gcov -n": percent, lines, name.
/^File / { file = $2; gsub(/'/, "", file); sub(/^.*\/(src|include)\//, "src/", file) }
/^Lines executed:/ && file != "" {
	split($0, part, /[:% ]+/)
	percent = part[3]; lines = part[5]
	if (file ~ /^src\// && !(file in seen)) {
		seen[file] = 1
		printf "%6.2f %%  %5d  %s\n", percent, lines, file | "sort -n"
		covered += lines * percent / 100; total += lines
	}
	file = ""
}
END { close("sort -n"); if (total) printf "%6.2f %%  %5d  all\n", 100 * covered / total, total }
