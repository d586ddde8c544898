# SPDX-License-Identifier: GPL-3.0-or-later
# child.sh - processes that a shell test makes, and the only way in which it signals them. After tap.sh:
#
#     . "$srcdir/tests/child.sh"
#
#   send SIGNAL NUMBER...     as kill; a number that is missing, below 2 or none at all is refused, since
#                             kill takes 0, -1 and their like for groups and for all processes of the user
#   children_of NUMBER        the numbers of its children, a line each
#   no_children_known         true where the system does not tell (/proc is not there)
#   gone NUMBER...            true when none of them runs. A zombie does not run: where the first process
#                             reaps nobody, as in some containers, an orphan stays one for ever

process_number() { # text: is it the number of one process, and not of the system's first?
	case $1 in '' | *[!0-9]* | 0* | 1) return 1 ;; esac
}

send() {
	child_signal=$1
	shift
	[ $# -gt 0 ] || { diag "signal $child_signal: no process is named"; return 1; }
	for child_n in "$@"; do
		process_number "$child_n" && continue
		diag "signal $child_signal: '$child_n' is no child's number"
		return 1
	done
	kill -"$child_signal" "$@"
}

# Number, state and parent of every process. Its name, in brackets, may hold anything.
processes() {
	cat /proc/[0-9]*/stat 2>/dev/null |
		sed -n 's/^\([0-9]*\) (.*) \([A-Za-z]\) \([0-9]*\) .*/\1 \2 \3/p'
}

no_children_known() { [ -z "$(processes)" ]; }

children_of() { processes | sed -n "s/^\([0-9]*\) . $1\$/\1/p"; }

gone() {
	for child_n in "$@"; do
		process_number "$child_n" || return 1
		case $(processes | sed -n "s/^$child_n \(.\) .*/\1/p") in '' | Z | X) ;; *) return 1 ;; esac
	done
}
