#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# replay.t - a second, naive writing of the papers' rules (replay.awk) decides from the tables of seventeen runs alone what
# DYNCTA, DYNCORE, TCS, half TCS, CLASO, ONAC and Seq-Det had to decide, and agrees; in altered tables it finds the
# alteration.
. "${srcdir:-.}/tests/tap.sh"
awk=${AWK:-awk}
run() { # machine policy workload clusters: series.csv, events.csv
	rm -f "$tmp/series.csv" "$tmp/events.csv"
	# shellcheck disable=SC2086 # a list of arguments
	"$CTASCOPE" -n -b -c "$1" -w lrr -p "$2" ${4:+-o "gpu.clusters=$4"} $more -o run.sample=2048 \
		"$srcdir/traces/$3.ctr" -e "log events $tmp/events.csv" \
		-e run -e "dump csv series $tmp/series.csv" >"$tmp/out" 2>&1 || cat "$tmp/out"
}
replay() { # what awk is told...
	"$awk" "$@" -f "$srcdir/tests/results/replay.awk" "$tmp/series.csv" "$tmp/events.csv"
}
agrees() { # machine cores policy workload policies what awk is told...
	clusters='' more=''
	# one miss register, so that the cores are memory bound; samples are not merged
	[ "$1" != tcs28 ] || { clusters=$2 more='-o l1d.mshr=1 -o run.samples=4096'; }
	[ "$1" != onac32 ] || clusters=$2 # a few of its cores, so that the workload is long enough to detect something
	run "$1" "$3" "$4" "$clusters"
	name="$1, $3, $4" cores=$2 policies=$5
	shift 5
	said=$(replay -v cores="$cores" -v policies="$policies" "$@")
	like "$name: $said" "$said" '^0 wrong; [1-9]'
}
agrees kayiran30 30 dyncta l1reuse dyncta
agrees kayiran30 30 dyncta phase dyncta
agrees kayiran30 30 dyncta:pause=hold l1reuse dyncta
agrees kayiran30 30 dyncta:pause=mem mixed dyncta
agrees kayiran30 30 dyncta:algorithm=listing l1reuse dyncta -v listing=1
agrees kayiran30 30 dyncta:counter_bits=11 l1reuse dyncta -v bits=11
agrees kayiran30 30 dyncore l1reuse "dyncta dyncore"
tcs="-v thr=331 -v monitor=4096" # gpu.round_trip
window=mon_cycle=2048,monitor=4096
# shellcheck disable=SC2086 # a list of arguments
{
	agrees tcs28 8 "tcs:$window" mixed tcs $tcs
	agrees tcs28 7 "htcs:$window" mixed htcs $tcs
	altered_tcs=$("$awk" 'BEGIN { FS = OFS = "," } $5 == "throttle" && !n++ { $6 = 2 } { print }' "$tmp/events.csv")
	printf '%s\n' "$altered_tcs" >"$tmp/events.csv"
	like "another core is throttled" "$(replay -v cores=7 -v policies=htcs $tcs | tail -n 1)" '^[1-9][0-9]* wrong'
	agrees tcs28 8 "tcs:$window" phase tcs $tcs
}
agrees claso14 14 claso uneven claso
agrees claso14 14 claso:pa=2,pl=1 l1reuse claso -v pa=2 -v pl=1
agrees onac32 6 onac:waves=1,loss=0.15 phase onac -v loss=0.15
agrees onac32 6 onac:waves=1,loss=0.3 phase onac -v loss=0.3
agrees onac32 6 seqdet:waves=1 phase seqdet
agrees onac32 6 seqdet:waves=1,loss=0.5 phase seqdet -v loss=0.5
agrees claso14 14 dyncta+claso l1reuse "dyncta claso"

# The last run again, with one counter, one CTA and one credit changed.
altered() { # name, file, awk program
	cp "$tmp/$2" "$tmp/kept"
	"$awk" "$3" "$tmp/kept" >"$tmp/$2"
	like "$1" "$(replay -v cores=14 -v policies="dyncta claso" | tail -n 1)" '^[1-9][0-9]* wrong'
	cp "$tmp/kept" "$tmp/$2"
}
altered "a counter of one period" series.csv 'BEGIN { FS = OFS = "," } NR == 30 { $18 = $18 < 200 ? 2000 : 0; $19 = 0 } { print }'
altered "another CTA is paused" events.csv 'BEGIN { FS = OFS = "," } $5 == "pause" && !n++ { $8++ } { print }'
altered "a credit is refused" events.csv 'BEGIN { FS = OFS = "," } $5 == "credit" && !n++ { $5 = "credit-exhausted" } { print }'
like "unaltered" "$(replay -v cores=14 -v policies="dyncta claso")" '^0 wrong'
done_testing
