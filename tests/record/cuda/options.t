#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# options.t - `ctascope record` of some launches, of what is complete when a program is interrupted, as a list, with findings
# that do not end it; and `ctascope app`, which records into the cache.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/child.sh"
ptx=$srcdir/tests/record/cuda/vectoradd.ptx
vadd=$builddir/tests/record/cuda/vectoradd
broken=$builddir/tests/record/cuda/broken
cd "$tmp" || exit 99
ptx=$(cd "$(dirname "$ptx")" && pwd)/vectoradd.ptx

run() { # arguments of record: output in $out, standard error in $err, status in $rc
	out=$("$CTASCOPE" record "$@" 2>"$tmp/err")
	rc=$?
	err=$(cat "$tmp/err")
}
left() { ls "$tmp" | grep '\.ctr'; }
kernels() { "$CTASCOPE" trace info "$1" | sed -n 's/^\([0-9]* kernels*\),.*/\1/p'; }

# ---- which launches ----

run -o one.ctr -- "$vadd" "$ptx" 1000 1
count=$(printf '%s\n' "$err" | sed -n 's/.* \([0-9,]*\) warp instructions$/\1/p')
rm -f one.ctr
run --list -- "$vadd" "$ptx" 1000 2
is "a list of the launches, behind what the program says, with the instructions of a trace" "$rc $(echo "$out" | tr -s ' ')" "0 1000 sums, 0 wrong
 launch grid block warp insts kernel
 1 8,1,1 128,1,1 $count vectoradd
 2 8,1,1 128,1,1 $count vectoradd"
is "and no trace" "$(left)" ""
run --list --launch 2 -- "$vadd" "$ptx" 1000 3
is "of some" "$rc $(echo "$out" | sed -n '3,$p' | tr -s ' ')" "0  2 8,1,1 128,1,1 $count vectoradd"
run --list -- "$broken" "$ptx" none
like "of none" "$rc$out $err" '^0 ctascope: nothing is recorded: the program launched no kernels'
run --list -o x.ctr -- "$vadd" "$ptx"
like "a list is no trace" "$rc $err" '^2 .*-o is of no use'

version() { "$CTASCOPE" trace info x.ctr | sed -n 's/.*binary *version \([0-9]*\).*/\1/p'; }
for how in '70' '86 -m rtx3070' '75 -m rtx2060' '70 -m qv100' '80 -m rtx2060 --arch sm_80'; do
	# shellcheck disable=SC2086 # options
	run ${how#??} -o x.ctr -- "$vadd" "$ptx" 1000 1
	is "instructions of the machine, or of --arch: $how" "$rc $(version)" "0 ${how%% *}"
done
rm -f x.ctr

run -o x.ctr --stop-after 2 -- "$vadd" "$ptx" 1000 5
is "the program ends after launch 2, before it says anything" "$rc $out $(kernels x.ctr)" "0  2 kernels"
like "which is said" "$err" '^ctascope: the program ends here, after launch 2 \(--stop-after\)'
run -o x.ctr --launch 2-3 --stop-after 2 -- "$vadd" "$ptx" 1000 5
is "with what was to be recorded until then" "$rc $(kernels x.ctr)" "0 1 kernel"
run -o x.ctr --launch 3 -- "$vadd" "$ptx" 1000 5
is "launches before are executed" "$rc $out $(kernels x.ctr)" "0 1000 sums, 0 wrong 1 kernel"
rm -f x.ctr
run -o x.ctr --skip-kernel '^vec' -- "$vadd" "$ptx" 1000 3
is "a kernel that is not executed" "$rc $out $(left)" "1 1000 sums, 999 wrong "
is "is said once" "$(echo "$err" | grep -c 'vectoradd is not executed (--skip-kernel)')" 1
run -o x.ctr --skip-kernel other -- "$vadd" "$ptx" 1000 3
is "another one is" "$rc $out $(kernels x.ctr)" "0 1000 sums, 0 wrong 3 kernels"
rm -f x.ctr
# a kernel vector behind vectoradd
sed -n '/^\.visible/,$p' "$ptx" | sed 's/vectoradd/vector/' | cat "$ptx" - >two.ptx
run -o x.ctr --skip-kernel '^vec' -- "$broken" two.ptx shorter
is "two kernels that are not executed, one's name in the other's" \
	"$(echo "$err" | sed -n 's/^ctascope: \(.*\) is not executed (--skip-kernel)$/\1/p' | tr '\n' ' ')" \
	"vectoradd vector "
run -o x.ctr --kernel other -- "$broken" two.ptx shorter
like "both are named" "$err" 'the program launched vectoradd, vector$'
run -o y.ctr --cooperative '^vec' -- "$vadd" "$ptx" 1000 3
is "blocks that take turns" "$rc $out $(kernels y.ctr)" "0 1000 sums, 0 wrong 3 kernels"
rm -f y.ctr
for bad in '--cooperative (' '--max-cta 0' '--max-cta 20000' '--skip-kernel (' '--stop-after 0' '--launch 0' '--on-oob maybe' '--cc 7' '--cc 7.55' '--cc 99.0' '--report ='; do
	# shellcheck disable=SC2086 # two words
	case $bad in *=) run -o x.ctr --report= -- "$vadd" ;; *) run -o x.ctr $bad -- "$vadd" ;; esac
	like "wrong: $bad" "$rc $err" "^2 ctascope: record: ${bad%% *}"
done
rm -f x.ctr

# ---- long thread blocks ----

cat >long.ptx <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry vectoradd(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)
{
	.reg .b32 %r<3>;
	.reg .pred %p;
	ld.param.u32 %r1, [n];
	mul.lo.u32 %r1, %r1, 60000;
	mov.u32 %r2, 0;
L:	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p, %r2, %r1;
	@%p bra L;
	ret;
}
END
run -o x.ctr --max-cta 1 -- "$vadd" long.ptx 100 1
like "a thread block longer than --max-cta" "$rc $err" \
	'^3 .*long.ptx:1[1-3]: the thread block is larger than 1 MiB decoded \(--max-cta raises the limit, up to 16,384 MiB;'
if [ "${FAST:-}" != 1 ]; then
	run -o x.ctr -- "$vadd" long.ptx 100 1
	like "one of more than 1 GiB is recorded" "$rc $out $(kernels x.ctr)" '^0 100 sums, [0-9]* wrong 1 kernel$'
	like "with a message" "$err" "kernel 'vectoradd': a thread block of 1,[0-9]{3} MiB decoded: running it in the model takes as much"
fi
rm -f x.ctr

# ---- out of bounds ----

run -o x.ctr --on-oob warn -- "$broken" "$ptx" fault
is "accesses out of bounds do not end it" "$rc $(echo "$out" | tr '\n' ' ')$(kernels x.ctr)" "0 CUDA_SUCCESS CUDA_SUCCESS 2 kernels"
is "each place is said once" "$(echo "$err" | grep -c 'vectoradd.ptx:[0-9]*: [ls][dt]\.global')" 3
like "and how often in all" "$err" '^ctascope: 3 accesses out of bounds at 3 places: loads read 0, stores were dropped \(--on-oob warn\)'
ok "the trace is sound" "$CTASCOPE" trace check x.ctr
run -o x.ctr --on-oob ignore -- "$broken" "$ptx" fault
is "or are not said at all" "$rc $err" "0 ctascope: recorded 2 launches, $(echo "$err" | sed 's/.*launches, //')"
run -o x.ctr --on-oob error -- "$broken" "$ptx" fault
like "or are errors" "$rc $err" '^1 .*outside of every allocation'
rm -f x.ctr

# ---- a report ----

cat >race.ptx <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry vectoradd(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)
{
	.shared .align 4 .b8 sh[256];
	.reg .b32 %r<8>;
	.reg .b64 %rd<4>;
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, sh;
	xor.b32 %r3, %r1, 32;
	mad.lo.u32 %r4, %r1, 4, %r2;
	mad.lo.u32 %r5, %r3, 4, %r2;
	st.shared.u32 [%r4], %r1;
	ld.shared.u32 %r6, [%r5];
	ret;
}
END
run -o x.ctr --check-races --check-init --report r.csv -- "$broken" race.ptx graph
is "the checks go on with a report" "$rc $(kernels x.ctr)" "0 1 kernel"
is "its columns" "$(sed 1q r.csv)" \
	kernel,launch,cta_x,cta_y,cta_z,thread_x,thread_y,thread_z,check,ptx,ptx_line,source,times,what
is "a row for each place" "$(sed 1d r.csv | cut -d, -f1-13)" \
	"vectoradd,1,0,0,0,0,0,0,not written,race.ptx,15,,$(sed -n 's/.*not written,race.ptx,15,,\([0-9]*\),.*/\1/p' r.csv)
vectoradd,1,0,0,0,32,0,0,race,race.ptx,14,,$(sed -n 's/.*race,race.ptx,14,,\([0-9]*\),.*/\1/p' r.csv)
vectoradd,1,0,0,0,32,0,0,race,race.ptx,15,,$(sed -n 's/.*race,race.ptx,15,,\([0-9]*\),.*/\1/p' r.csv)"
like "with the words" "$(cat r.csv)" '"?ld.shared.u32: race on the byte at shared address 0x0: no barrier since st.shared.u32 of thread 0,0,0 \(line 14\)"?$'
run -o x.ctr --report r.csv -- "$vadd" "$ptx"
is "nothing to report is a report" "$rc $(wc -l <r.csv | tr -d ' ')" "0 1"
run -o x.ctr --report x.ctr -- "$vadd" "$ptx"
like "not into the trace" "$rc $err" '^2 .*--report and -o name the same file'
rm -f x.ctr r.csv

# ---- interrupted ----

for sig in TERM HUP; do
	"$CTASCOPE" record -o x.ctr -- "$broken" "$ptx" slow 2>err >out &
	pid=$!
	n=0
	until [ -s out ] || [ $n -ge 1200 ]; do n=$((n + 1)); sleep 0.05; done
	send $sig "$pid"
	wait "$pid"
	is "SIG$sig keeps the launches before" "$(($? - 128)) $(left)" "$([ $sig = TERM ] && echo 15 || echo 1) x.ctr"
	ok "the trace is sound" "$CTASCOPE" trace check x.ctr
	like "which is said" "$(cat err)" 'ended by signal 15? \(.*\): what was complete is kept'
	rm -f x.ctr out
done
run -o x.ctr -- "$broken" "$ptx" interrupt
is "SIGINT, too" "$rc $(kernels x.ctr)" "130 1 kernel"
rm -f x.ctr
"$CTASCOPE" record -o x.ctr -- sh -c 'kill -TERM $$' 2>/dev/null
is "one that uses no device just ends" "$? $(left)" "143 "

# ---- ctascope app ----

XDG_CACHE_HOME=$tmp/cache
export XDG_CACHE_HOME
app() { out=$("$CTASCOPE" app "$@" 2>"$tmp/err"); rc=$?; err=$(cat "$tmp/err"); }
app -n -b -e run -e 'print $cycle' -- "$vadd" "$ptx" 1000 1
is "it is recorded" "$rc $(echo "$out" | sed -n 1p)" "0 1000 sums, 0 wrong"
like "and run" "$out" '^\$cycle = [1-9]'
first=$(echo "$out" | sed -n 's/^\$cycle = //p')
like "into the cache" "$(ls cache/ctascope)" '^program-vectoradd-[0-9a-f]{16}\.ctr$'
app -n -b -e run -e 'print $cycle' -- "$vadd" "$ptx" 1000 1
is "the second time it is there" "$rc $(echo "$out" | grep -c sums) $(echo "$out" | sed -n 's/^\$cycle = //p')" "0 0 $first"
app -n -b -p rr -e run --launch 2 -- "$vadd" "$ptx" 1000 2
is "other arguments and options of the recording are another one" "$rc $(ls cache/ctascope | wc -l | tr -d ' ')" "0 2"
cp "$ptx" mine.ptx
app -n -b -e run -- "$vadd" mine.ptx 100 1
echo '// changed' >>mine.ptx
app -n -b -e run -- "$vadd" mine.ptx 100 1
like "so is a file that changed" "$out" '^100 sums'
like "ctascope cache has them" "$("$CTASCOPE" cache)" '^vectoradd +program '
like "and clears them" "$("$CTASCOPE" cache clear programs)" '^4 traces cleared'
app -n -b -e run -- ./nothing
like "no such program" "$rc $err" '^1 ctascope: ./nothing: No such file'
app -n -b -e run
like "no program" "$rc $err" '^2 ctascope: app: expected a program after --'
app -n -b -e run -- "$broken" "$ptx" none
like "nothing to show" "$rc $err" 'no kernels'
is "is an error here" "$rc $(ls cache/ctascope)" "1 "
done_testing
