#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# same.t - what the model says does not change by accident: runs of all traces, on every machine, under every
# policy and warp scheduler, have the cycles, the time series, the CTAs and the counters they always had. The
# list is same.list; after a change that is meant to change them:
#
#     tests/sim/same.t --update          # then read the difference: which rows, and why these?
#
# A row of the list says what is run (trace, machine, policy, warp scheduler, options, up to which cycle) and what
# came out: the cycle where the run was then, and checksums of "dump csv series", "dump csv ctas" and of the rows of
# "dump csv stats" named below. A new row needs its first six words, --update writes the others. CTASCOPE and TRACES
# (the folder of the recorded applications, at their size short) may name another build's: the list is to be made with a program that is
# known to be right, and checked with the one that was changed.
#
# The suite runs every sixth row (FAST=1: every twelfth); same_rest.t runs the others with the long tests.
#
# Left out: doubles that are summed differently by intent, as those of power in stats (tests/power has them), and
# whatever comes after the cut: tests/sim/reference runs to the end.
. "${srcdir:-.}/tests/tap.sh"
LC_ALL=C # sort and the order of * agree
export LC_ALL
list=$srcdir/tests/sim/same.list
traces=${TRACES:-$builddir/traces/short}
counters='^(gpu[.](thread_insts|warp_insts|ctas_(issued|done)|(active|stall|blocked|memory|dependence|idle|gated)_cycles|lat_rt)'
counters="$counters|(l1|l2|rocache|smem|fetch|noc|dram)[.][a-z_]+|l2[.][0-9]+[.](fails|pending)"
counters="$counters|core[.][0-9]+[.](active|stall|blocked|memory|dependence|idle|gated|l1_(accesses|misses)|(thread|warp)_insts)"
counters="$counters|mem[.][0-9]+[.](activates|busy|precharges|reads|writes|row_(hits|conflicts|misses))),"

series_columns=43 # those that the list was made with; newer ones follow
path() { # TRACE: its file
	case $1 in
	ref/*) echo "$srcdir/tests/reference/${1#ref/}/kernelslist.g" ;;
	app/*) echo "$traces/${1#app/}.ctr" ;;
	small/*) echo "$tmp/${1#small/}.ctr" ;; # written below
	*) echo "$srcdir/traces/$1" ;;
	esac
}

"$builddir/tests/small/write_small" "$tmp/streams.ctr" streams || exit 99

measure() { # TRACE MACHINE POLICY SCHEDULER OPTIONS UNTIL: cycle and checksums of the three tables
	set_options=
	[ "$5" = - ] || set_options="-o $(echo "$5" | sed 's/,/ -o /g')"
	# shellcheck disable=SC2086 # a list of arguments
	"$CTASCOPE" -n -b -c "$2" -p "$3" -w "$4" $set_options "$(path "$1")" -e "advance $6" \
		-e "dump csv series $tmp/series" -e "dump csv ctas $tmp/ctas" -e "dump csv stats $tmp/stats" \
		>"$tmp/out" 2>&1 || { sed 1q "$tmp/out"; return 1; }
	grep -E "$counters" "$tmp/stats" >"$tmp/counters"
	cut -d, -f1-"$series_columns" "$tmp/series" >"$tmp/cut" && mv "$tmp/cut" "$tmp/series"
	echo "$(sed -n 's/^gpu.cycles,\([0-9]*\).*/\1/p' "$tmp/stats")" \
		"$(cksum "$tmp/series" "$tmp/ctas" "$tmp/counters" | cut -d' ' -f1 | tr '\n' ' ' | sed 's/ $//')"
}

if [ "${1:-}" = --update ]; then
	while IFS= read -r line; do
		case $line in
		'' | '#'*) echo "$line" ;;
		*)
			# shellcheck disable=SC2086 # cut into words
			set -- $line
			now=$(measure "$1" "$2" "$3" "$4" "$5" "$6") || {
				echo "$line: $now" >&2
				exit 1
			}
			echo "$1 $2 $3 $4 $5 $6 $now"
			;;
		esac
	done <"$list" >"$tmp/list" || exit 1
	cat "$tmp/list" >"$list"
	exit 0
fi

# Of six rows same.t runs the last, same_rest.t the others: their cycles, the slow part, are measured once.
is_selected() { # N
	case ${0##*/} in
	same_rest.t) [ $(($1 % 6)) -ne 0 ] ;;
	*) [ $(($1 % 6)) -eq 0 ] && { [ "${FAST:-}" != 1 ] || [ $(($1 % 12)) -eq 0 ]; } ;;
	esac
}

n=0
while read -r trace machine policy sched options until was; do
	case $trace in '' | '#'*) continue ;; esac
	n=$((n + 1))
	what="$trace, $policy on $machine, $sched"
	[ "$options" = - ] || what="$what, $options"
	is_selected "$n" || continue
	if [ -e "$(path "$trace")" ]; then
		is "$what" "$(measure "$trace" "$machine" "$policy" "$sched" "$options" "$until")" "$was"
	else
		skip "$what" "this build records no workloads"
	fi
done <"$list"

# A list that names less than there is would pass unnoticed.
words() { sed -n 's/^\([a-z].*\)/\1/p' "$list" | cut -d' ' -f"$1" | sort -u; }
is "every reference trace is listed" "$(words 1 | sed -n 's,^ref/,,p')" \
	"$(cd "$srcdir/tests/reference" && for d in */kernelslist.g; do echo "${d%/*}"; done)"
is "every application" "$(words 1 | sed -n 's,^app/,,p')" \
	"$(sed -n 's/^WORKLOAD(\([a-z0-9]*\),.*/\1/p' "$srcdir/traces/src/workloads.def" | sort)"
is "every machine" "$(words 2)" "$(cd "$srcdir/machines" && for f in *.machine; do echo "${f%.machine}"; done)"
is "every policy" "$(words 3 | tr + '\n' | sed 's/:.*//' | sort -u)" \
	"$("$CTASCOPE" --list-policies | cut -d' ' -f1 | sort)"
is "every warp scheduler" "$(words 4 | tr '\n' ' ')" "gto lrr owl tl "
done_testing
