#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bounds.t - a name that stands for something else than the file that was meant: devices without an end, pipes without
# a writer, folders, expressions made to explode. Each ends by itself with a reason, or at once on Ctrl-C and SIGTERM.
# shellcheck disable=SC2086 # $small is words
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/child.sh"
m=$CTASCOPE
cd "$tmp" || exit 99
cp "$srcdir/tests/small/small.machine" .
"$builddir/tests/small/write_small" small.ctr || exit 99
small='-c small.machine small.ctr'
mkfifo pipe || exit 99

bounded=yes
! grep -q __asan_init "$m" || bounded= # sanitizers want all of the address space

ends() { # status, name, pattern of what is said, command...
	wanted=$1 name=$2 pattern=$3
	shift 3
	([ -z "$bounded" ] || ulimit -v 2000000; timeout -k 1 120 "$@" >out 2>&1 </dev/null)
	is "$name ends" "$?" "$wanted"
	like "$name: with a reason" "$(head -c 300 out)" "$pattern"
}

ends 1 "-x /dev/zero" 'the line is longer than 65536 characters' "$m" -n -b -x /dev/zero
ends 1 "source /dev/zero" 'the line is longer than 65536 characters' "$m" -n -b -e 'source /dev/zero'
ends 1 "source of a folder" 'Is a directory' "$m" -n -b -e 'source /'
ends 1 "-x of a folder" 'Is a directory' "$m" -n -b -x /
ends 2 "-c /dev/zero" "cannot read '/dev/zero': it is larger than 16 MiB" "$m" -n -b -c /dev/zero -e 'print 1'
ends 1 "info power /dev/zero" 'line 1: a field of more than 64 KiB' "$m" -n -b $small -e 'info power /dev/zero'
{ printf 'name,value,unit\na,1,b\nc,"'; head -c 100000 /dev/zero | tr '\0' x; } >field.csv
ends 1 "info power of a long field" 'line 3: a field of more than 64 KiB' "$m" -n -b $small -e 'info power field.csv'
{ printf 'a,b\n1,2\n3,"'; head -c 100000 /dev/zero | tr '\0' x; echo '"'; } >field.csv
ends 1 "compare of a long field" 'line 3|field.csv:3: a field of more than 64 KiB' "$m" -n -b -e 'compare field.csv field.csv'
ends 1 "record --ptx /dev/zero" 'larger than 256 MiB' "$m" record --ptx /dev/zero -o x.ctr
is "a machine that is written into a pipe is the same machine" \
	"$(cat small.machine | "$m" -n -b -c /dev/fd/0 small.ctr | head -n 1)" "$("$m" -n -b $small </dev/null | head -n 1)"
ends 1 "compare /dev/zero" 'larger than 256 MiB' "$m" -n -b -e 'compare /dev/zero /dev/zero'
ends 2 "sweep /dev/zero" 'longer than a sweep file may be' "$m" sweep /dev/zero
"$m" -n -b $small -e 'step 10' -e 'save s.state' 2>out || exit 99
ends 1 "load of a session that has no end" 'it is longer than its header says' \
	sh -c '{ cat s.state && exec cat /dev/zero; } | "$@"' - "$m" -n -b $small -e 'load /proc/self/fd/0'

i=0 open=
while [ $i -lt 50000 ]; do i=$((i + 1000)) open=$open$(printf '%01000d' 0 | tr 0 '('); done
printf 'apropos %s\n' "$open" >deep
ends 1 "apropos of 50,000 parentheses" 'more than 200 characters' "$m" -n -b -x deep
ends 1 "apropos of parentheses" 'more than 20 deep' "$m" -n -b -e 'apropos ((((((((((((((((((((((a'
ends 1 "apropos of repeats of repeats" 'more than 1,000 times' "$m" -n -b -e 'apropos (((a{1,200}){1,200}){1,200})'
ends 0 "apropos of other repeats" 'command break' "$m" -n -b -e 'apropos ^bre.{1,3}$'

# ---- a pipe that no process writes into
# Each command waits two seconds, so they run at the same time.
mkfifo pipe.csv
printf 'workload ./small.ctr\nmachine ./pipe\nvary run.events 1024 2048\ncolumn gpu.cycles\n' >pipe.sweep
printf 'workload ./pipe\nmachine ./small.machine\nvary run.events 1024 2048\ncolumn gpu.cycles\n' >pipe2.sweep
no_writer='no process writes into this pipe'
no_file='it is not a regular file'
n=0
begin() { # status, pattern of what is printed, command...
	n=$((n + 1))
	printf '%s\n' "$1" >wanted.$n
	printf '%s\n' "$2" >pattern.$n
	shift 2
	printf '%s ' "$@" >name.$n
	(timeout -k 1 300 "$@" >said.$n 2>&1 </dev/null; echo $? >rc.$n) &
}
begin 2 "$no_writer" "$m" -n -b -c pipe small.ctr
begin 2 "$no_writer" "$m" -n -b -c ./pipe small.ctr
begin 2 "$no_writer" "$m" sweep pipe
begin 2 "$no_file" "$m" sweep ./pipe.sweep
begin 2 "$no_file" "$m" sweep ./pipe2.sweep
begin 1 "$no_file" "$m" -n -b -c small.machine ./pipe
begin 1 "$no_file" "$m" trace info pipe
begin 1 "$no_file" "$m" convert pipe b.ctr
begin 2 "$no_file|not a regular file" "$m" -n -b -p ./pipe $small
begin 1 "$no_writer" "$m" -n -b --resume pipe
begin 1 "$no_writer" "$m" -n -b $small -e 'load pipe'
begin 1 "$no_writer" "$m" -n -b $small -e 'info power pipe.csv'
begin 1 "$no_writer" "$m" -n -b $small -e 'compare pipe.csv pipe.csv'
begin 1 "$no_writer" "$m" compare pipe.csv pipe.csv
begin 1 "$no_writer" "$m" report pipe.csv -o x.html
begin 1 "$no_writer" "$m" record --ptx pipe -o x.ctr
for kind in machines themes traces sweeps; do mkdir -p data/ctascope/$kind; done
(cd data/ctascope && mkfifo machines/p.machine machines/kayiran30.machine themes/p.theme traces/p.ctr sweeps/p.sweep)
at="env XDG_DATA_HOME=$tmp/data"
begin 0 '^kayiran30 ' $at "$m" --list-machines
begin 0 '^name ' $at "$m" --list-workloads
begin 0 '^[a-z0-9]+ ' $at "$m" sweep --list
begin 0 '^done: ' $at "$m" -n -b -c kayiran30 small.ctr
begin 2 "unknown machine 'p'" $at "$m" -n -b -c p small.ctr
begin 2 "no sweep 'p'" $at "$m" sweep p
begin 1 "'p'" $at "$m" -n -b p
wait
while [ $n -gt 0 ]; do
	is "$(cat name.$n): status" "$(cat rc.$n)" "$(cat wanted.$n)"
	like "$(cat name.$n): with a reason" "$(cat said.$n)" "$(cat pattern.$n)"
	n=$((n - 1))
done

# ---- a process that has the pipe open and writes nothing
# It may write later, so it is waited for; a signal ends that. So is the writer of a script.
waits() { # signal, wanted status, name, command...
	signal=$1 wanted=$2 name=$3
	shift 3
	("$@" >out 2>&1 <"$input" & echo $! >pid; wait $!; echo $? >rc) &
	waiter=$!
	i=0
	until [ -s pid ] || [ $i -ge 600 ]; do i=$((i + 1)); sleep 0.1; done
	sleep 1
	send "$signal" "$(cat pid)"
	i=0
	while [ ! -s rc ] && [ $i -lt 600 ]; do i=$((i + 1)); sleep 0.1; done
	[ -s rc ] || send KILL "$(cat pid)"
	wait "$waiter" # and not for who writes into the pipe
	is "$name" "$(cat rc)" "$wanted"
	rm -f rc pid
}
input=/dev/null
waits TERM 143 "SIGTERM ends the wait for a script" "$m" -n -b -x pipe
mkfifo slow
sleep 200 >slow & # opens it as soon as somebody reads
writer=$!
waits TERM 143 "and for a file that a command reads" "$m" -n -b $small -e 'info power slow'
waits TERM 143 "and for a saved session" "$m" -n -b $small -e 'load slow'
waits TERM 143 "and for one that --resume takes" "$m" -n -b --resume slow
waits TERM 143 "and for a machine" "$m" -n -b -c slow
input=slow
waits TERM 143 "and for the next command of standard input" "$m" -n -b $small
send TERM "$writer"
(sleep 0.5; echo 'print 42' >pipe) &
is "what comes late is read" "$(timeout 120 "$m" -n -b -x pipe 2>/dev/null </dev/null)" "42 = 42"
wait
done_testing
