#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sizes.t - an application at a size: names, recording on first use into a cache of this test's own, two at once, a
# full disk, a signal; ctascope cache. scp and sad are small and quick.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/child.sh"
m=$CTASCOPE
XDG_CACHE_HOME=$tmp/cache
export XDG_CACHE_HOME
cache=$XDG_CACHE_HOME/ctascope
cd "$tmp" || exit 99

status() { # wanted status, name, command...
	wanted=$1 name=$2
	shift 2
	"$@" >out 2>err </dev/null
	is "$name" "$?" "$wanted"
}
files() { ls "$cache" 2>/dev/null | sed 's/-[0-9a-f]\{16\}\.ctr/-KEY.ctr/' | tr '\n' ' '; }

# ---- names
status 1 "no such name" "$m" -n -b spp:small
like "the nearest" "$(cat err)" "no workload 'spp:small'; did you mean .*spmv|scp"
status 1 "no such size" "$m" -n -b scp:tiny
is "which there are" "$(cat err)" "ctascope: scp has no size 'tiny'; it has small, default, large, short, claso"
status 1 "a size that it has not" "$m" -n -b aes:onac
is "which it has" "$(cat err)" "ctascope: aes has no size 'onac'; it has small, default, large, short, claso"
status 1 "a trace has no size" "$m" -n -b phase:large
is "is told" "$(cat err)" "ctascope: phase is a trace, which has no sizes"
status 2 "--size of nothing" "$m" -n -b --size tiny scp
status 2 "--size and a size" "$m" -n -b --size small scp:large
status 2 "--size of a file" "$m" -n -b --size small ./scp.ctr
mkdir phase
status 0 "a folder hides no workload" "$m" -n -b phase -e 'print 1'
is "nothing was recorded for all that" "$(files)" ""

# ---- recorded when it is first needed, then taken from the cache
status 0 "scp:small" "$m" -n -b scp:small -e 'info digest'
is "says that it records" "$(cat err)" "ctascope: recording scp:small"
is "once" "$(files)" "scp-small-KEY.ctr "
cp out first
status 0 "the second time" "$m" -n -b --size small scp -e 'info digest'
is "it does not, by either spelling" "$(cat err)" ""
is "and runs the same" "$(cat out)" "$(cat first)"
"$m" record -o own.ctr -- "$builddir/traces/src/scp" --size small --ptx-dir "$srcdir/traces/src" >/dev/null 2>&1
ok "the trace is that of the size" cmp -s own.ctr "$cache"/scp-small-*.ctr
like "the list of traces has it" "$("$m" --list-traces)" '^scp:small +SDK +M '
like "and what is not recorded is told as such, or by its size short" "$("$m" --list-traces)" '^sad(:short)? '
like "the list of workloads, too" "$("$m" --list-workloads)" '^scp +SDK +.*small.* small default .*scalar products'
is "a line for each workload" "$("$m" --list-workloads | sed '1d; /^$/,$d; s/ .*//' | sort | uniq -d)" ""
like "the list of sizes names who has them" "$("$m" --list-workloads)" '^  onac .*\[.*\bkm\b.*\]$'

# ---- completion in bash, where NAME:SIZE comes as three words
if command -v bash >/dev/null; then
	offered() { # word...: what is offered for the last
		bash -c '. "$0"; COMP_WORDS=("$CTASCOPE" "$@"); COMP_CWORD=$#; _ctascope; echo "${COMPREPLY[*]}"' \
			"$builddir/tools/ctascope" "$@"
	}
	is "a name" "$(offered spm)" "spmv"
	is "its sizes" "$(offered aes :)" "small default large short claso"
	is "one of them" "$(offered km : on)" "onac"
	is "of --size" "$(offered --size cl)" "claso"
	is "of cache" "$(offered cache clear spm)" "spmv"
else
	skip "completion" "no bash here"
fi

# ---- a sweep records what it needs before it runs
printf 'workload scp:small phase\ncolumn gpu.cycles\n' >two.sweep
status 0 "a sweep of what is there" "$m" sweep two.sweep -o two.csv
is "records nothing" "$(cat err)" "ctascope: 2 runs"
printf 'workload scp sad:small\ncolumn gpu.warp_insts\nset run.max_thread_insts 100k\n' >sad.sweep
status 0 "--dry-run" "$m" sweep sad.sweep --size small --dry-run
is "has the size in its key" "$(cat out)" "1 scp:small kayiran30 rr lrr run.max_thread_insts=100k
2 sad:small kayiran30 rr lrr run.max_thread_insts=100k"
is "and records nothing" "$(files)" "scp-small-KEY.ctr "
status 0 "the sweep" "$m" sweep sad.sweep --size small -o sad.csv
like "says so" "$(cat err)" '^ctascope: recording sad:small$'
like "the row says the size" "$(sed -n 3p sad.csv)" '^2,sad:small,kayiran30,rr,lrr,100k,cut,.*,[0-9]+$'
printf 'workload all:onac\nworkload type M:tcs C:tcs\n' >group.sweep
status 0 "a group at a size" "$m" sweep group.sweep --dry-run
like "has those that have it" "$(cat out)" '^[0-9]+ km:onac '
is "no others" "$(grep -c ' aes:' out)" "0"
status 2 "a group where none has it" sh -c 'printf "workload type X:claso\n" >bad.sweep; exec "$0" sweep bad.sweep' "$m"
like "is an error with its place" "$(cat err)" "bad.sweep:1: no shipped workload of this kind has a size 'claso'"
like "a script for Slurm keeps the size" "$("$m" sweep sad.sweep --size small --slurm=2 | tail -n 2)" 'sweep"? .*--size small --shard'

# ---- cache
status 0 "ctascope cache" "$m" cache
like "a line for each" "$(cat out)" '^scp +small +[0-9]+  20[0-9]{2}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}$'
like "and a sum" "$(cat out)" "^2 traces, [0-9]+ bytes, in $cache\$"
cp "$cache"/scp-small-*.ctr "$cache/scp-small-0123456789abcdef.ctr"
echo mine >"$cache/mine.txt"
like "one of another build is old" "$("$m" cache)" '^scp +small .*  old$'
status 2 "clear what is none" "$m" cache clear nosuch
status 2 "another verb" "$m" cache clean
status 0 "clear one" "$m" cache clear scp:small
is "is told" "$(cat out)" "2 traces cleared"
is "and only that" "$(files)" "mine.txt sad-small-KEY.ctr "
"$m" -n -b scp:small -e 'print 1' >/dev/null 2>&1
status 0 "clear all" "$m" cache clear
is "but not what is not ours" "$(files)" "mine.txt "
rm -f "$cache/mine.txt"
like "an empty cache" "$("$m" cache)" '^0 traces, 0 bytes'

# ---- something else lies where the trace should
"$m" -n -b scp:small -e 'print 1' >/dev/null 2>&1
trace=$(ls "$cache"/scp-small-*.ctr)
cp "$trace" whole.ctr
damage() { # what is wrong, as the message has it: after it was done to $trace
	like "ctascope cache shows it: $1" "$("$m" cache)" '^scp +small .*  damaged$'
	status 0 "$1" "$m" -n -b scp:small -e 'print 1'
	like "is recorded again, with a word" "$(cat err)" \
		"^ctascope: the cached trace of scp:small is damaged \\(.*$1.*\\); recording it again\$"
	ok "the same trace" cmp whole.ctr "$trace"
}
head -c 3000 whole.ctr >"$trace"
damage 'truncated'
: >"$trace"
damage 'is empty'
{ head -c 1000 whole.ctr && echo "not what was here" && tail -c +1019 whole.ctr; } >"$trace"
damage 'the block is damaged: its checksum is wrong'
echo text >"$trace"
damage 'line|trace|header'
rm "$trace" && mkdir -p "$trace/sub" && echo x >"$trace/sub/file"
damage 'it is a folder'
rm "$trace" && mkfifo "$trace"
damage 'it is a special file'
rm "$trace" && ln -s nowhere "$trace"
damage 'No such file'
rm "$trace" && mkdir -p "$trace/sub" && mkdir "$cache/reference-0.ref" && ln -s nowhere "$cache/sad-small-0123456789abcdef.ctr"
mkfifo "$cache/scp-small-0123456789abcdef.ctr"
status 0 "clear removes whatever is there" "$m" cache clear
is "all of it" "$(ls "$cache")" ""

# ---- what it is recorded from has changed
"$m" -n -b scp:small -e 'print 1' >/dev/null 2>&1
mkdir -p data/ctascope/traces/src
{ cat "$srcdir/traces/src/scp.ptx" && echo '// changed'; } >data/ctascope/traces/src/scp.ptx
status 0 "other kernels" env "XDG_DATA_HOME=$tmp/data" "$m" -n -b scp:small -e 'print 1'
is "are recorded anew" "$(cat err)" "ctascope: recording scp:small"
is "beside the old ones" "$(files)" "scp-small-KEY.ctr scp-small-KEY.ctr "
status 0 "which are still good" "$m" -n -b scp:small -e 'print 1'
is "for whom they were" "$(cat err)" ""
"$m" cache clear >/dev/null

# ---- two at once
"$m" -n -b scp:small -e 'info digest' >one 2>err1 </dev/null &
first=$!
"$m" -n -b scp:small -e 'info digest' >two 2>err2 </dev/null
is "two at once: the second" "$?" 0
wait "$first"
is "and the first" "$?" 0
is "run the same" "$(cat one)" "$(cat two)"
is "there is one trace" "$(files)" "scp-small-KEY.ctr "
"$m" cache clear >/dev/null

# ---- what goes wrong leaves nothing behind
(
	trap '' XFSZ
	ulimit -f 1
	exec "$m" -n -b sad:default -e run </dev/null 2>&1 >/dev/null
) 2>&1 | cat >err
is "a full disk is one error" "$(grep -vc '^ctascope: recording' err)" 1
like "that says why" "$(cat err)" '^ctascope: sad:.* could not be recorded: .*(too large|File size|No space|written)'
is "and leaves nothing" "$(files)" ""
mkdir ro && chmod a-w ro
if [ "$(id -u)" -ne 0 ]; then
	status 1 "a cache that cannot be written" env "XDG_CACHE_HOME=$tmp/ro" "$m" -n -b scp:small
	like "is told" "$(cat err)" "cannot make the folder '$tmp/ro/ctascope' for recorded workloads: Permission denied"
else
	status 1 "a cache that cannot be made" env "XDG_CACHE_HOME=$tmp/out" "$m" -n -b scp:small
	like "is told" "$(cat err)" "cannot make the folder '$tmp/out/ctascope' for recorded workloads: Not a directory"
fi
mkdir lib && cp "$builddir/libcuda.so.1" lib
status 1 "without the programs" env "CTASCOPE_LIBDIR=$tmp/lib" "$m" -n -b scp:small
like "is told" "$(cat err)" 'the program that scp is recorded from is neither in '
if no_children_known; then
	skip "one that is ended" "/proc does not tell of processes"
else
	"$m" -n -b mum:large -e 'print 1' >out 2>err </dev/null &
	child=$!
	program=
	n=0
	while [ -z "$program" ] && [ "$n" -lt 400 ]; do
		n=$((n + 1))
		sleep 0.05
		recorder=$(children_of "$child")
		[ -z "$recorder" ] || program=$(children_of "$recorder")
	done
	ok "the program runs" process_number "$program"
	send TERM "$child"
	wait "$child"
	is "one that is ended: status" "$?" 143
	n=0
	until gone "$program" "$recorder" || [ "$n" -ge 400 ]; do
		n=$((n + 1))
		sleep 0.05
	done
	ok "its program ends with it" gone "$program" "$recorder"
	is "and leaves nothing" "$(files)" ""
fi
done_testing
