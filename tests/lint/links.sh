# SPDX-License-Identifier: GPL-3.0-or-later
# links.sh - the links of Markdown pages that lead nowhere. Sourced by tests.

# The anchors of a page: its headings in lower case, without punctuation, hyphens for blanks.
anchors() { # file
	sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-'
}
dead_links() { # files
	for page; do
		# shellcheck disable=SC2016 # backquotes are those of Markdown
		sed '/^ *```/,/^ *```/d; s/`[^`]*`//g' "$page" | grep -oE '\]\([^) ]+|(src|href)="[^"]+' |
			sed 's/^](//; s/^[a-z]*="//' | while read -r target; do
			case $target in *://* | mailto:*) continue ;; esac
			file=$(dirname "$page")/${target%%#*}
			[ "${target%%#*}" ] || file=$page
			[ -e "$file" ] || echo "$page: $target"
			case $target in *.md#* | \#*)
				anchors "$file" | grep -qxF -e "${target#*#}" || echo "$page: no heading ${target}" ;;
			esac
		done
	done
}
