#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# heads.t - the head of a file carries the file's own name, and a path that a comment names exists.
. "${srcdir:-.}/tests/tap.sh"
skip_slow # the source is the same in every build

files() { # folder: sources and scripts
	(cd "$1" && find include src tools tests examples \( -name '*.[ch]' -o -name '*.def' -o -name '*.t' -o -name '*.sh' \
		-o -name '*.awk' \) -print 2>/dev/null | sort)
}

nameless() { # folder: files whose first eight lines do not carry their name
	(cd "$1" && files . | xargs "${AWK:-awk}" '
		FNR == 1 { n = split(FILENAME, part, "/"); name = part[n]; found[FILENAME] = 0 }
		FNR <= 8 && index($0, name) { found[FILENAME] = 1 }
		END { for (f in found) if (!found[f]) print f }' | sort)
}
is "the head of a file carries its name" "$(nameless "$srcdir")" ""

# Paths below the top of the tree, in comments. A word in capitals is any name ("traces/SIZE/NAME.ctr").
cited() { # folder: "FILE PATH"
	(cd "$1" && files . | xargs "${AWK:-awk}" '
		FNR == 1 { script = FILENAME ~ /\.(t|sh|awk)$/; inside = 0 }
		{
			text = ""
			if (script) {
				if ($0 ~ /^[ \t]*#/) text = $0
			} else if (inside || $0 ~ /(^|[ \t])\/\*/) {
				text = $0
				if (!inside) sub(/.*\/\*/, "", text)
				inside = 1
				if (text ~ /\*\//) { sub(/\*\/.*/, "", text); inside = 0 }
			}
			while (match(text, /(^|[^A-Za-z0-9_.\/$}*-])(src|tests|include|tools|machines|themes|sweeps|traces|results|examples)\/[A-Za-z0-9_.\/*-]+/)) {
				path = substr(text, RSTART, RLENGTH)
				text = substr(text, RSTART + RLENGTH)
				sub(/^[^a-z]/, "", path)
				sub(/[.\/-]+$/, "", path)
				print FILENAME, path
			}
		}' | sort -u)
}
# What the build and the tests make is not in the tree.
made='^(traces/(SIZE|short|recorded)|tests/sim/determinism\.out|tests/small/(libfault\.a|ctascope-fault)|tests/home)(/|$)'
missing() { # folder: what cited() found and does not exist
	cited "$1" | (cd "$1" && while read -r file path; do
		echo "$path" | grep -qE "$made" && continue
		# shellcheck disable=SC2086 # a pattern
		set -- $(echo "$path" | sed 's/[A-Z][A-Z_]*/*/g')*
		[ -e "$1" ] || echo "$file: $path"
	done)
}
is "a path that a comment names exists" "$(missing "$srcdir")" ""
# A recipe stands where CONTRIBUTING.md sends its reader.
recipes() { sed -n '/^## How to add/,/^## Style/s/^| .* | //p' "$1" | grep -oE '`[a-z][A-Za-z_./-]*`' | tr -d '`'; }
is "CONTRIBUTING.md names files" "$(recipes "$srcdir/CONTRIBUTING.md" | grep -cxE 'src/sim/view.def|results/README.md')" 2
is "each has a recipe" "$(cd "$srcdir" && for f in $(recipes CONTRIBUTING.md | grep -v NAME); do
	grep -q 'To add ' "$f" || echo "$f"; done)" ""

mkdir -p "$tmp/src/a"
printf '/* b.c - misnamed */\n/* src/a/gone.c, and src/a/a.c; "src/not/comment" */\nchar *x = "src/b.c";\n' >"$tmp/src/a/a.c"
is "a head with another name is found" "$(nameless "$tmp")" ""
printf '/* b.c - misnamed */\nint a; /* in src/gone/x.c */\nchar *x = "src/b.c"; /* as src/a/NAME.c */\n' >"$tmp/src/a/c.c"
is "a planted head and a planted path are found" "$(nameless "$tmp"; missing "$tmp")" "src/a/c.c
src/a/a.c: src/a/gone.c
src/a/a.c: src/not/comment
src/a/c.c: src/gone/x.c"
done_testing
