#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bounds.t - what is named to be read is not what was meant: devices without an end, pipes that nobody writes into,
# folders, expressions made to explode. Each ends by itself with a reason, or at once on Ctrl-C and SIGTERM.
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
ends 2 "-c /dev/zero" '/dev/zero:1: the line is longer than 65536 characters' "$m" -n -b -c /dev/zero -e 'print 1'
ends 1 "info power /dev/zero" 'line 1: a field of more than 64 KiB' "$m" -n -b $small -e 'info power /dev/zero'
{ printf 'name,value,unit\na,1,b\nc,"'; head -c 100000 /dev/zero | tr '\0' x; } >field.csv
ends 1 "info power of a long field" 'line 3: a field of more than 64 KiB' "$m" -n -b $small -e 'info power field.csv'
{ printf 'a,b\n1,2\n3,"'; head -c 100000 /dev/zero | tr '\0' x; echo '"'; } >field.csv
ends 1 "compare of a long field" 'line 3|field.csv:3: a field of more than 64 KiB' "$m" -n -b -e 'compare field.csv field.csv'
ends 1 "record --ptx /dev/zero" 'more than 256 MiB' "$m" record --ptx /dev/zero -o x.ctr
ends 1 "compare /dev/zero" 'more than 256 MiB' "$m" -n -b -e 'compare /dev/zero /dev/zero'
ends 2 "sweep /dev/zero" 'longer than a sweep file may be' "$m" sweep /dev/zero
"$m" -n -b $small -e 'step 10' -e 'save s.state' 2>out || exit 99
ends 1 "load of a session that has no end" 'it is longer than its head says' \
	sh -c '{ cat s.state && exec cat /dev/zero; } | "$@"' - "$m" -n -b $small -e 'load /proc/self/fd/0'
ends 2 "a pipe as policy" 'not a regular file' "$m" -n -b -p ./pipe $small

i=0 open=
while [ $i -lt 50000 ]; do i=$((i + 1000)) open=$open$(printf '%01000d' 0 | tr 0 '('); done
printf 'apropos %s\n' "$open" >deep
ends 1 "apropos of 50,000 parentheses" 'more than 200 characters' "$m" -n -b -x deep
ends 1 "apropos of parentheses" 'more than 20 deep' "$m" -n -b -e 'apropos ((((((((((((((((((((((a'
ends 1 "apropos of repeats of repeats" 'more than 1,000 times' "$m" -n -b -e 'apropos (((a{1,200}){1,200}){1,200})'
ends 0 "apropos of other repeats" 'command break' "$m" -n -b -e 'apropos ^bre.{1,3}$'

# A pipe without a writer is waited for, as open() itself would; a signal ends that.
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
waits TERM 143 "and for a file that a command reads" "$m" -n -b $small -e 'info power pipe'
waits TERM 143 "and for a saved session" "$m" -n -b $small -e 'load pipe'
waits TERM 143 "and for one that --resume takes" "$m" -n -b --resume pipe
input=slow
mkfifo slow
sleep 200 >slow &
writer=$!
waits TERM 143 "and for the next command of standard input" "$m" -n -b $small
send TERM "$writer"
(sleep 0.5; echo 'print 42' >pipe) &
is "what comes late is read" "$(timeout 120 "$m" -n -b -x pipe 2>&1 </dev/null)" "42 = 42"
wait
done_testing
