#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# prose.t - what people read is spelled right, and links in Markdown lead to files and headings that exist.
. "${srcdir:-.}/tests/tap.sh"
lint=$(cd "$srcdir/tests/lint" && pwd) || exit 99
cd "$srcdir" || exit 99
markdown=$(find README.md CONTRIBUTING.md docs results traces examples -name '*.md' | sort)

# `spelling` holds the words that codespell takes for others: names, and parts of roff such as \(bu.
misspelled() { # files
	codespell --ignore-words="$lint/spelling" "$@" 2>&1
}
if command -v codespell >/dev/null; then
	# shellcheck disable=SC2086,SC2046 # names without blanks
	is "documents, manual pages, lessons and the rows of help are spelled right" \
		"$(misspelled $markdown ChangeLog man lessons machines sweeps $(find src include -name '*.def' | sort))" ""
	echo "Every sentance counts." >"$tmp/wrong"
	is "a wrong word is found" "$(misspelled "$tmp/wrong" | grep -c sentance)" 1
else
	skip "documents, manual pages, lessons and the rows of help are spelled right" "no codespell here"
fi

# shellcheck source=tests/lint/links.sh
. "$lint/links.sh"
# shellcheck disable=SC2086 # names without blanks
is "every link in Markdown leads to something" "$(dead_links $markdown)" ""
cat >"$tmp/a.md" <<'END'
# A head, of two words
[good](a.md) [also](#a-head-of-two-words) [web](https://example.org/x) `[code](none)`
[no file](b.md) [no heading](#other) <img src="none.svg">
END
is "dead ones are found, and nothing else" "$(cd "$tmp" && dead_links a.md)" "a.md: b.md
a.md: no heading #other
a.md: none.svg"
done_testing
