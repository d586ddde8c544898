#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# policies.t - every workload ends under stacks of policies that switch cores off, throttle and pause them, on
# the papers' machines: all CTAs end, and the same run gives the same bytes. Small sizes, policies in a hurry.
#
# long: machines/ src/cta/ traces/src/
. "${srcdir:-.}/tests/tap.sh"
skip_slow
src=$srcdir/traces/src
work=$builddir/traces/src
tcs=mon_cycle=512,monitor=1000
stacks="dyncta:period=256+claso dyncore:period=256+claso tcs:$tcs+dyncta:period=256+claso htcs:$tcs,throttle=off+claso:pa=2
	onac:waves=1+claso onac:waves=1+dyncta:period=256 seqdet:waves=1+static:n=2 cores:n=5+dyncta+claso:pl=1
	tcs:$tcs,stall=run htcs:$tcs+dyncta:cmem=blocked seqdet:waves=1,loss=0.2+claso"
machines="kayiran30 tcs28 onac32 claso14 mesh56 gtx480 kay30"
schedulers="lrr gto tl owl"

nth() { # N WORD...: the word with that number, counted round
	k=$1
	shift
	shift $((k % $#))
	echo "$1"
}
run() { # TRACE N: the end of the run, its digest, its CTAs
	# shellcheck disable=SC2086 # lists of words
	"$CTASCOPE" -n -b -c "$(nth "$2" $machines)" -w "$(nth "$2" $schedulers)" -p "$(nth "$2" $stacks)" "$1" -e run \
		-e 'info digest' -e 'print gpu.ctas_issued - gpu.ctas_done' -e 'print gpu.gated_cycles > 0' 2>&1
}
i=0
gated=0
for name in $(sed -n 's/^WORKLOAD2\{0,1\}(\([a-z0-9]*\),.*/\1/p' "$src/workloads.def"); do
	"$CTASCOPE" record -o "$tmp/$name.ctr" -- "$work/$name" --size small --ptx-dir "$src" >/dev/null 2>"$tmp/err"
	# shellcheck disable=SC2086
	what="$name, $(nth "$i" $stacks) on $(nth "$i" $machines)"
	out=$(run "$tmp/$name.ctr" "$i")
	like "$what: ends" "$out" '^done: cycle'
	like "$what: every CTA ended" "$out" 'gpu.ctas_issued - gpu.ctas_done = 0$'
	[ $((i % 3)) -ne 0 ] || is "$what: the same again" "$(run "$tmp/$name.ctr" "$i")" "$out"
	case $out in *'gpu.gated_cycles > 0 = 1') gated=$((gated + 1)) ;; esac
	rm -f "$tmp/$name.ctr"
	i=$((i + 1))
done
# Kernel after kernel with cores off from the launch: the credits they would have had are not lost.
"$CTASCOPE" record -o "$tmp/km.ctr" -- "$work/km" --size small --ptx-dir "$src" >/dev/null 2>"$tmp/err"
like "km, htcs+dyncta+claso on tcs28: ends" \
	"$("$CTASCOPE" -n -b -c tcs28 -p htcs+dyncta+claso "$tmp/km.ctr" -e run 2>&1)" '^done: cycle'
ok "cores were off in many of them ($gated)" test "$gated" -ge 8
done_testing
