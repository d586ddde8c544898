#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# events.t - log events FILE: the same rows as dump csv events where that keeps all, after run, restore and stops
# too; what dump says when it is short of some; a disk that is full.
# shellcheck disable=SC2086 # $small is words
. "${srcdir:-.}/tests/tap.sh"
cd "$tmp" || exit 99
cp "$srcdir/tests/small/small.machine" .
"$builddir/tests/small/write_small" small.ctr || exit 99
small='-c small.machine -p dyncta+claso small.ctr'
m() { timeout 60 "$CTASCOPE" -n -b $small "$@" >out 2>err; }
same() { ok "$1" cmp -s log.csv dump.csv; }

m -o run.events=32768 -e 'log events log.csv' -e run -e 'dump csv events dump.csv'
is "a run that is logged" "$?" 0
same "has the rows of dump csv events"
ok "which are many" [ "$(wc -l <log.csv)" -gt 1000 ]
is "of which none was dropped: nothing is said" "$(cat err)" ""
mv dump.csv whole.csv
m -o run.events=64 -e 'log events log.csv' -e 'break pause' -e run -e continue -e delete -e continue -e 'dump csv events dump.csv'
ok "the same with few events kept and stops between" cmp -s log.csv whole.csv
ok "when the table is short" [ "$(wc -l <dump.csv)" -eq 65 ]
like "which is said, and what keeps all" "$(cat err)" \
	'^dump csv events: the first [0-9,]+ of [0-9,]+ events are no longer kept; -o run.events=[0-9]+ keeps them, .log events FILE. at the start writes all$'
option=$(sed -n 's/.*-o \(run.events=[0-9]*\) keeps.*/\1/p' err)
m -o "$option" -e run -e 'dump csv events dump.csv'
ok "with that option nothing is missing" cmp -s dump.csv whole.csv
m -o run.events=64 -e run -e 'dump csv decisions dump.csv' -e 'dump csv stats dump.csv'
is "decisions are short of them, too, statistics not" "$(sed 's/:.*//' err)" "dump csv decisions"

m -o run.events=32768 -e 'step 1000' -e 'log events log.csv' -e 'step 500' -e 'dump csv events dump.csv'
same "begun in the middle: what was kept is there"
m -o run.events=32768 -e 'log events log.csv' -e 'set gpu.warp_sched gto' -e run -e 'dump csv events dump.csv'
same "another machine before the first cycle"
m -o run.events=64 -e 'step 1000' -e 'log events log.csv'
like "or it is said how many are not" "$(cat err)" "^log events: the first [0-9,]+ events of this run are no longer kept"
m -o run.events=32768 -e 'step 600' -e 'checkpoint a' -e 'log events log.csv' -e 'step 900' -e 'restore a' -e 'step 300' \
	-e 'goto 1400' -e 'goto 1500' -e 'log events off' -e 'dump csv events dump.csv'
same "back in time and forward again: no event is written twice"
m -o run.events=32768 -e 'step 600' -e 'checkpoint a' -e 'log events log.csv' -e 'step 900' -e 'restore a' -e 'set policy rr' \
	-e 'step 300' -e 'dump csv events dump.csv'
same "and another future takes its place"
m -o run.events=32768 -e 'log events log.csv' -e 'until pause' -e 'try policy rr --for 300' -e 'flip --for 300' -e 'step 400' \
	-e 'dump csv events dump.csv'
same "what is only tried is not in it"
m -o run.events=32768 -e 'log events log.csv' -e 'step 700' -e 'dump csv events one.csv' -e run -e 'dump csv events two.csv'
sed 1d two.csv | cat one.csv - >dump.csv
same "a second run follows the first"
m -o run.events=32768 -e 'log events log.csv' -e 'step 700' -e 'set policy rr' -e 'dump csv events one.csv' -e run \
	-e 'dump csv events two.csv'
sed 1d two.csv | cat one.csv - >dump.csv
same "under another policy, too"
m -e 'set csv_crlf on' -e 'log events log.csv' -e 'step 10' -e 'log events off' -e 'step 10' -e log
ok "CR LF where it is asked for" [ "$(grep -c "$(printf '\r')" log.csv)" = "$(wc -l <log.csv)" ]
is "off" "$(tail -n 1 out)" "log: off"

m -e 'log events /dev/full' -e run -e 'print 1'
is "a full disk ends the script with status 1" "$?" 1
is "and is said once" "$(cat err)" "ctascope: cannot write '/dev/full': No space left on device"
timeout 60 "$CTASCOPE" -n -b --keep-going $small -e 'log events /dev/full' -e 'step 3000' -e 'step 3000' -e log >out 2>err
is "with --keep-going, too" "$?-$(wc -l <err)-$(tail -n 1 out)" "1-1-log: off"
(trap '' XFSZ && ulimit -f 40 && m -e 'log events log.csv' -e run -e 'print 1')
is "a disk that fills up during the run: status 1" "$?" 1
is "said once" "$(cat err)" "ctascope: cannot write 'log.csv': File too large"
is "after how the run ended, and nothing follows" "$(sed 's/:.*//' out)" "done"
m -e 'log events no/x'
is "no folder" "$(cat err)" "ctascope: cannot write 'no/x': No such file or directory"
m -e 'log events'
is "no name" "$(cat err)" "ctascope: log: a file name is missing; usage: log events FILE|off"
done_testing
