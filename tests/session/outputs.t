#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# outputs.t - where every command's file goes: pipes and devices are written into, links followed, read-only files
# refused, what could not be written is said with status 1, and the old file is there then.
# shellcheck disable=SC2086 # $small is words
. "${srcdir:-.}/tests/tap.sh"
m=$CTASCOPE
cd "$tmp" || exit 99
cp "$srcdir/tests/small/small.machine" .
"$builddir/tests/small/write_small" small.ctr || exit 99
small='-c small.machine small.ctr'
cat >one.ptx <<'X'
.version 6.4
.target sm_70
.address_size 64
.visible .entry one(.param .u64 p)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd1, %rd1, %rd2;
	st.global.u32 [%rd1], %r1;
	ret;
}
X
printf 'workload ./small.ctr\nmachine ./small.machine\nvary run.events 1024 2048\ncolumn gpu.cycles\n' >tiny.sweep
"$m" sweep tiny.sweep -q -o tiny.csv || exit 99
# Writes the file: name, file, limit of sizes.
write() {
	said=$(write_it "$@" 2>&1 >/dev/null </dev/null)
	rc=$?
	printf '%s\n' "$said" >err
	return $rc
}
write_it() (
	f=$2
	[ $# -eq 2 ] || ulimit -f "$3"
	case $1 in
	record) timeout 60 "$m" record --ptx one.ptx --arg buf:1k:zero -o "$f" ;;
	dump-of-buffer) timeout 60 "$m" record --ptx one.ptx --arg buf:8k:zero -o trace.ctr -f --dump 1="$f" ;;
	convert) timeout 60 "$m" convert small.ctr "$f" ;;
	breakpoints) timeout 60 "$m" -n -b $small -e 'break pause' -e "save breakpoints $f" ;;
	stats) timeout 60 "$m" -n -b $small -e run -e "dump csv stats $f" ;;
	export) timeout 60 "$m" -n -b $small -e run -e "export events $f" ;;
	log) timeout 60 "$m" -n -b $small -e "log on $f" -e run -e 'info stats' -e 'help' ;;
	events) timeout 60 "$m" -n -b $small -e "log events $f" -e run ;;
	session) timeout 60 "$m" -n -b $small -e "record session $f" -e run -e 'info stats' ;;
	plot) timeout 60 "$m" -n -b $small -e run -e "plot gpu.ipc $f" ;;
	chart) timeout 60 "$m" plot tiny.csv -y gpu.cycles -o "$f" ;;
	race) timeout 60 "$m" -n -b $small --versus claso --csv "$f" ;;
	bottleneck) timeout 100 "$m" bottleneck -n $small --csv "$f" ;;
	oracle) timeout 100 "$m" -n -b $small -e "oracle $f 4096" ;;
	report) timeout 60 "$m" -n -b $small -e run -e "report $f" ;;
	slurm) timeout 60 "$m" sweep tiny.sweep --slurm=2 -f -o "$f" ;;
	merge) timeout 60 "$m" sweep tiny.sweep --merge tiny.csv -f -o "$f" ;;
	sweep) timeout 60 "$m" sweep tiny.sweep -q -f -o "$f" ;;
	esac
)
for row in record:ctr dump-of-buffer:bin convert:ctr stats:csv breakpoints:txt log:txt events:csv export:json session:cast plot:svg chart:svg \
	race:csv bottleneck:csv oracle:sequence report:html slurm:sh merge:csv sweep:csv; do
	name=${row%:*} end=${row#*:}
	mkdir d
	write $name new.$end
	is "$name writes" "$? $(grep -c cannot err)" "0 0"
	ln -s ../new.$end d/link.$end
	ok "something" [ -s new.$end ]
	chmod 640 new.$end
	write $name d/link.$end
	is "$name follows a link, which stays" "$? $(readlink d/link.$end) $(ls d)" "0 ../new.$end link.$end"
	is "and keeps the mode" "$(stat -c %a new.$end)" 640
	ln -s /dev/full d/full.$end
	write $name d/full.$end
	is "$name into a full device: status 1" "$?" 1
	is "and is it said, once" "$(grep -c "cannot write 'd/full.$end': No space left on device" err)" 1
	mkfifo d/fifo.$end
	timeout 100 cat d/fifo.$end >through &
	write $name d/fifo.$end
	is "$name into a FIFO" "$?" 0
	wait $!
	ok "which stays one" [ -p d/fifo.$end ]
	ok "something comes through" [ -s through ]
	cp new.$end keep.$end # a file of its own, which may be replaced
	chmod 644 keep.$end
	echo precious >>keep.$end
	chmod 444 keep.$end
	case $name in
	slurm | merge | sweep) ;; # with -f
	*)
		write $name keep.$end
		is "$name refuses a read-only file" "$? $(tail -c 9 keep.$end)" "1 precious"
		like "with the reason" "$(cat err)" "cannot write 'keep.$end': (the file is read-only|Permission denied)"
		;;
	esac
	chmod 644 keep.$end
	case $name in
	log | events) ;; # grow as it happens
	*)
		write $name keep.$end 0
		is "$name on a full disk: status 1, the old file is there" "$? $(tail -c 9 keep.$end)" "1 precious"
		like "with the reason" "$(cat err)" "cannot write 'keep.$end': File too large"
		;;
	esac
	rm -rf d
	is "$name leaves nothing else" "$(ls | grep -vxE 'small.*|tiny.*|one.ptx|trace.ctr|out|err|through|(new|keep)\..*')" ""
	rm -f new.$end keep.$end
done

# ---- a file that something else wrote is kept, and told before the work
for row in record:'record: precious exists and is no trace' \
	dump-of-file:'record: precious exists and is no buffer of 1024 bytes' \
	race:'race: precious exists and is no table of a run or a comparison' \
	bottleneck:'bottleneck: precious exists and is no table of a run or a comparison'; do
	name=${row%%:*}
	echo precious >precious
	case $name in
	dump-of-file) said=$("$m" record --ptx one.ptx --arg buf:1k:zero -o trace.ctr --dump 1=precious 2>&1) ;;
	*) said=$(write_it $name precious 2>&1) ;;
	esac
	is "$name keeps a file of something else" "$? $(cat precious)" "1 precious"
	is "and says how to replace it, alone" "$said" "ctascope: ${row#*:}; choose another name, or add --force"
done
for end in svg html; do
	echo precious >precious.$end
	if [ $end = svg ]; then set -- plot tiny.csv -y gpu.cycles; else set -- report run.csv; fi
	"$m" -n -b $small -e run -e 'dump csv series run.csv --force' >/dev/null 2>&1
	"$m" "$@" -o precious.$end >err 2>&1
	like "$1 -o keeps it" "$? $(cat precious.$end err)" "^1 precious|exists and is no"
	is "all of it" "$(cat precious.$end)" precious
	ok "$1 --force replaces it" "$m" "$@" -o precious.$end --force
	ok "with something else" sh -c '! grep -q precious precious.'$end
done
"$m" -n -b $small --versus claso --csv precious --force >/dev/null 2>&1
is "--versus --csv --force replaces it" "$? $(head -c 11 precious)" "0 run,policy,"
said=$("$m" -n -b $small --versus claso --csv no/race.csv 2>&1)
is "a race whose table cannot be written does not start" "$? $said" "1 ctascope: cannot write 'no/race.csv': No such file or directory"
rm -f precious precious.* run.csv

# ---- standard output by its name, where it is a file
echo first >all
"$m" -n -b $small -e 'step 100' -e 'dump csv stats /dev/stdout' -e 'echo last' >>all
is "/dev/stdout is written into, not replaced" "$(sed -n '1p;$p' all | tr '\n' ' ')" "first last "
ok "with the table between" grep -q '^name,value,unit$' all
ln -s /dev/stdout stdout.ctr
"$m" convert small.ctr stdout.ctr >piped.ctr
ok "a trace to /dev/stdout" "$m" trace check piped.ctr
"$m" record --ptx one.ptx --arg buf:1k:zero -o /dev/stdout 2>err | cat >piped.ctr
ok "a recording, too" "$m" trace check piped.ctr
is "and what is said of it is not in between" "$(cat err)" "/dev/stdout: 1 kernel, 1 CTA, 4 warp instructions"
"$m" record --ptx one.ptx --arg buf:1k:zero -o /dev/null 2>/dev/null
ok "/dev/null stays what it is" [ -c /dev/null ]

# ---- a range of cycles
"$m" -n -b $small -e run -e 'dump csv cores range.csv 10..20' >out 2>err
is "a table of the present takes none" "$? $(cat err)" \
	"1 ctascope: dump: the table cores is of the present cycle and takes no range, found '10..20'"
"$m" -n -b $small -e 'step 100' -e 'dump csv series range.csv 2,000..3,000' >out 2>err
is "one that begins after the run is refused" "$? $(cat err)" \
	"1 ctascope: the range begins at cycle 2,000, the run is at cycle 100"
is "and no file is left" "$(ls | grep range)" ""

# ---- one file twice
"$m" record --ptx one.ptx --arg buf:1k:zero -o x.ctr --dump 1=x.ctr 2>err
is "a buffer into the trace itself is refused" "$? $(sed 1q err)" "2 ctascope: record: --dump 1 and -o name the same file 'x.ctr'"
ln -s x.ctr y.ctr
"$m" record --ptx one.ptx --arg buf:1k:zero -o x.ctr --dump 1=y.ctr 2>err
is "also by a link to where no file is yet" "$? $(ls x.ctr 2>&1 | grep -c 'No such')" "2 1"
"$m" record --ptx one.ptx --arg buf:1k:zero --arg buf:1k:zero -o z.ctr --dump 1=b --dump 2=./b 2>err
is "two buffers into one" "$? $(sed 1q err)" "2 ctascope: record: two --dump name the same file './b'"
"$m" -n -b $small -e 'log on same' -e 'log events same' >out 2>err
like "two logs in one file are refused" "$?-$(cat err)" "^1-ctascope: log events: same exists and is no table of a run"
rm same
"$m" -n -b $small -e 'log on same' -e 'log on same' -e 'echo hi' >out 2>err
is "the same log again goes on at its end" "$? $(sed 's/.*) //' same | tr '\n' ' ')" "0 log on same log on same log on same echo hi hi "

# ---- a limit of sizes
said=$(ulimit -f 0; "$m" convert small.ctr limited.ctr 2>&1)
is "ulimit -f does not kill" "$? $said" "1 ctascope: cannot write 'limited.ctr': File too large"
is "and nothing is left" "$(ls | grep limited)" ""
(ulimit -f 0; "$m" -n -b $small -e 'log on limited' -e 'echo one' -e 'echo two' >/dev/full 2>&1)
is "a log that cannot grow ends the script" "$? $(wc -c <limited)" "1 0"
done_testing
