#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# saved.t - save and load, --resume: a session goes on from a file as if it had never ended, in everything it shows;
# a file of another model, workload, machine or policy is refused with both values; damage and a full disk are one
# error, and the session and the old file stay.
# shellcheck disable=SC2086 # $small is words
. "${srcdir:-.}/tests/tap.sh"
cd "$tmp" || exit 99
cp "$srcdir/tests/small/small.machine" .
"$builddir/tests/small/write_small" small.ctr || exit 99
small='-c small.machine -p dyncta+claso small.ctr'
m() { timeout 60 "$CTASCOPE" -n -b "$@" >out 2>err; }

cat >before.x <<'END'
break pause core 1 if core.1.n < 5
tbreak 1500
watch core.2.n
ignore 3 1
trace limit
commands 1
  print core.1.n
end
display/x core.3.n
delete 2
run
set dyncta.t_mem_h 50
continue
set policy dyncta
continue
core 2
END
cat >after.x <<'END'
info digest
info breakpoints
info trace
info display
why
show dyncta.t_mem_h
show policy
info events 20
info stats
continue
continue
delete breakpoints
continue
info digest
dump csv series -
dump csv events -
END
settled() { grep -v 'cycles_per_second' out; }
m $small -x before.x -x after.x
settled >straight
m $small -x before.x -e 'save s.state'
like "a session is written" "$(cat err)" 'saved the session at cycle [0-9,]+ to s.state, [0-9]+ KiB'
m $small -e 'load s.state' -x after.x
settled >loaded
like "and read by another" "$(cat err)" 'loaded s.state: cycle [0-9,]+, policy dyncta, 3 stops'
sed 1d loaded >rest # the display that load shows
ok "which goes on as if it were the one that wrote it" sh -c "tail -n $(wc -l <rest) straight | cmp - rest"
ok "which is much" [ "$(wc -l <rest)" -gt 500 ]
m --resume s.state -x after.x
settled >resumed
ok "--resume does the same, with workload and machine of the file" cmp -s rest resumed
cd / && m() { timeout 60 "$CTASCOPE" -n -b "$@" >"$tmp/out" 2>"$tmp/err"; }
m --resume "$tmp/s.state" -e 'info digest'
is "from another folder as well" "$(cat "$tmp/out")" "$(sed 1q "$tmp/resumed")"
cd "$tmp" || exit 99
m $small -e 'step 100' -e 'save a.state' -e 'step 500' -e 'load a.state' -e 'print $cycle' -e 'step 1000' -e 'info digest'
is "into the session that wrote it" "$(sed -n 4p out)" 'stopped: cycle 1,100'
tail -n 1 out >got
m $small -e 'step 1100' -e 'info digest'
is "which is then where it was" "$(cat got)" "$(tail -n 1 out)"
m $small -e 'load s.state' -e delete -e run -e 'info digest'
tail -n 1 out >again
m $small -x before.x -e delete -e run -e 'info digest'
is "'run' begins anew, and what was changed is done again" "$(cat again)" "$(tail -n 1 out)"

# ---- branches, choices and marks

cat >tree.x <<'END'
break limit core 1
run
flip stay
delete
step 600
mark early
set dyncta.t_mem_h 50
step 600
goto 300
set policy rr
step 900
mark
goto 1000
END
cat >there.x <<'END'
info digest
info timeline
info checkpoints
goto early
info digest
goto c1
show policy
info digest
goto 100
reverse-step
info digest
step 500
info digest
switch flip1
info digest
branches
END
m $small -x tree.x -x there.x
sed '/snapshots/d' out >straight
m $small -x tree.x -e 'save t.state'
is "branches are written" "$?" 0
m $small -e 'load t.state' -x there.x
sed '/snapshots/d; s/  *[0-9,]*  *[0-9,]*$//' out >loaded
sed 's/  *[0-9,]*  *[0-9,]*$//' straight | tail -n "$(wc -l <loaded)" >want
ok "and lead to the same places" cmp loaded want
m --resume t.state -x there.x
sed '/snapshots/d; s/  *[0-9,]*  *[0-9,]*$//' out >loaded
ok "so they do with --resume" cmp loaded want

# ---- variables and commands of the user's own

cat >own.x <<'END'
set $x = 1 / 3
set $v = core.*.n
set $nothing = 0 / 0
define twice
  # said twice
  if $argc == 1
    echo $arg0 $arg0
  else
    while $x < 0.4
      set $x = $x + 0.1
    end
  end
end
document twice
Says it twice.

  And no more.
end
define again
  define inner
    echo within
  end
  inner
end
step 100
watch core.1.n if $x < $v.0
END
cat >use.x <<'END'
show convenience
show user
help twice
twice a
twice
printf "%.17g\n", $x
again
info breakpoints
continue
END
m $small -x own.x -x use.x
sed -n '/^\$x = /,$p' out >straight
m $small -x own.x -e 'save o.state'
m $small -e 'set $mine = 7' -e 'set $x = 9' -e 'load o.state' -x use.x
sed -n '/^\$x = /,$p' out >loaded
ok "variables and commands come along" cmp loaded straight
ok "those of the session stay" grep -q '^\$mine = 7$' out
m --resume o.state -x use.x
ok "--resume brings them too" sh -c 'grep -q "Says it twice" out && grep -q within out'

# ---- refused, and nothing changes

refused() { # name, pattern, arguments: load is the last command but one
	name=$1 pattern=$2
	shift 2
	m "$@" --keep-going -e 'step 10' -e "load ${file:-s.state}" -e 'print $cycle'
	like "$name" "$(grep -v 'cycle 10$' err)" "^ctascope: ${file:-s.state}: $pattern\$"
	is "and the session stays" "$(tail -n 1 out)" '$cycle = 10'
}
refused "another machine" "it has another machine: l1d.mshr is 64 there and 63 here; 'ctascope --resume FILE' uses that of the file" \
	-c small.machine -o l1d.mshr=63 small.ctr
refused "another workload" 'it has another workload: .*/small.ctr \(digest [0-9a-f]+\) there, .* \([0-9a-f]+\) here' \
	-c small.machine "$srcdir/tests/reference/app-km.ctr"
file=other.state
"$builddir/tests/session/edit_about" s.state other.state model "0-0 1.0" || exit 99
refused "another model" 'another build of ctascope wrote it: model 0-0 1.0 there, [0-9a-f]+-[0-9a-f]+ .* here' $small
"$builddir/tests/session/edit_about" other.state other.state platform "s390, 64-bit, big-endian" || exit 99
refused "another kind of machine, which is the reason given" \
	'another kind of machine wrote it: s390, 64-bit, big-endian there, .*-bit, .*-endian here' $small
cp s.state cut.state
for n in 0 10 47 1000 "$(($(wc -c <s.state) - 1))"; do
	head -c "$n" s.state >cut.state
	file=cut.state
	refused "cut off after $n bytes" '(the file is damaged: it is cut off|this is not a saved session)' $small
done
cp s.state cut.state
other=x
[ "$(dd if=s.state bs=1 skip=5000 count=1 2>/dev/null)" != x ] || other=y
printf %s $other | dd of=cut.state bs=1 seek=5000 conv=notrunc 2>/dev/null
refused "a byte that is another" 'the file is damaged: its checksum is wrong' $small
cp before.x cut.state
refused "another file" 'this is not a saved session' $small
file=
m $small -e 'load missing.state'
like "no file" "$(cat err)" "cannot read 'missing.state': No such file"
m --resume missing.state
like "--resume of none" "$(cat err)" "cannot read 'missing.state': No such file"
m -e 'load s.state'
like "no workload" "$(cat err)" "load: no workload is loaded; 'ctascope --resume s.state' loads that of the file"
m -e 'save s.state'
like "nothing to save" "$(cat err)" 'save: no workload is loaded'
m $small -e 'save breakpoints'
like "a name is missing" "$(cat err)" 'save breakpoints: a file name is missing'
m $small -e 'save a b'
like "too much" "$(cat err)" "expected one file name, or breakpoints and a file name; found 'a b'"
printf 'int main;\n' >kept.c
m $small -e 'step 5' -e 'save kept.c'
is "a file that is no session is not replaced" "$? $(cat kept.c)" "1 int main;"
like "and the message names a way out" "$(cat err)" \
	"save: kept.c exists and is not a saved session; choose another name, or replace it with 'save kept.c --force'"
m $small -e 'step 5' -e 'save kept.c --force' -e 'save kept.c'
is "--force replaces it, and a session is replaced as it was" "$? $(wc -l <err)" "0 2"
: >empty
m $small -e 'step 5' -e 'save empty' -e 'save /dev/null'
is "so is an empty file; a device is written to" "$?" 0
m $small -e 'save --force'
like "a name is missing" "$(cat err)" "expected one file name"
m --resume s.state -p rr
is "--resume takes no policy" "$?" 2
XDG_STATE_HOME=$tmp/state m --resume
like "nor is there a last one" "$(cat err)" "there is no interrupted session in $tmp/state/ctascope/"
m $small -e 'break 300' -e 'break 400' -e 'step 100' -e 'save stops.state'
m --resume stops.state
is "without commands a session runs to its end, past its stops" \
	"$? $(grep -c '^stopped' out) $(grep -c '^done' out)" "0 2 1"
{ echo 'step 100' && echo 'break 300' && echo commands && echo 'goto 50' && echo end && echo 'save back.state'; } >back.x
m $small -x back.x
m --resume back.state
is "commands that go back end it" "$(grep -c '^stopped' out)" 2

# ---- interrupted sessions

state=$tmp/state/ctascope
m $small -e 'step 100' -e 'save kept.state'
# As a session leaves it whose system was started anew since.
interrupt() { rm -rf "$state" && mkdir -p "$state" && cp kept.state "$state/autosave-$(uname -n)-00000000-77-1"; }
resume() { XDG_STATE_HOME=$tmp/state m --resume "$@"; }
kept() { ls "$state" | grep -c '^autosave-' || true; }
keeps() { # name, status, arguments
	name=$1 status=$2
	shift 2
	interrupt
	resume "$@"
	is "$name: status" "$?" "$status"
	is "and the session is kept" "$(kept)" 1
	resume -e 'print $cycle'
	is "so that it can be resumed again" "$(cat out)" '$cycle = 100'
	is "which ends it" "$(kept)" 0
}
keeps "a command that is none" 1 -e nosuch
keeps "an assertion that fails" 3 -e 'assert 0'
keeps "an expectation that fails" 3 -e 'expect 0'
keeps "a script that is missing" 1 -x /missing.x
keeps "a limit" 4 -e 'set run.max_cycles 150' -e continue
keeps "an output that fails" 1 -e 'dump csv cores /missing/cores.csv'
for damage in 'head -c 700 kept.state' 'cat s.c' 'tr "a-z" "b-za" <kept.state'; do
	echo 'int main;' >s.c
	interrupt
	touch -d '2020-01-01' "$state/autosave-$(uname -n)-00000000-77-1"
	sh -c "$damage" >"$state/autosave-$(uname -n)-00000000-78-2"
	resume -e 'print $cycle'
	is "$damage: a newer file that is damaged hides no older one" "$? $(cat out)" '0 $cycle = 100'
	like "which is said" "$(cat err)" "^--resume skipped a session: $state/autosave-.*-78-2: "
	is "and it stays" "$(kept)" 1
	resume
	is "alone it is an error" "$? $(tail -n 1 err | cut -c1-20)" "1 ctascope: --resume: "
done
interrupt
mkfifo wait.fifo
XDG_STATE_HOME=$tmp/state timeout 60 "$CTASCOPE" -n -b --resume -e 'echo resumed' -x wait.fifo >first 2>&1 &
n=0
while [ -e "$state/autosave-$(uname -n)-00000000-77-1" ] && [ $n -lt 1200 ]; do n=$((n + 1)); sleep 0.05; done
resume -e 'step 50'
is "a second program does not resume what the first has" "$?" 1
like "and is told" "$(cat err)" 'process [0-9]+ is using the session in .*/autosave-'
timeout 60 sh -c 'echo "step 50" >wait.fifo'
wait
is "the first goes on" "$(tail -n 1 first)" 'stopped: cycle 150'
is "to its end" "$(kept)" 0

# ---- files

chmod 640 s.state
m $small -e 'step 5' -e 'save s.state'
is "the mode is kept" "$(ls -l s.state | cut -c1-10)" '-rw-r-----'
ok "nothing else is left" sh -c '! ls | grep -q "s.state."'
cp s.state old.state
if [ -w /dev/full ]; then
	m $small -e 'step 50' -e 'save /dev/full'
	like "a full disk is said" "$(cat err)" "cannot write '/dev/full': No space left"
else
	skip "a full disk is said" "no /dev/full"
fi
m $small -e 'step 50' -e 'save /nowhere/s.state'
like "no folder" "$(cat err)" "cannot write '/nowhere/s.state': No such file or directory"
ok "the old file stays" cmp -s s.state old.state

# ---- a home that cannot be written, as root cannot either: each command reports it in one line, or needs none

: >no-folder
homeless() { # arguments
	env -u XDG_STATE_HOME -u XDG_CACHE_HOME -u XDG_CONFIG_HOME -u XDG_DATA_HOME "HOME=$tmp/no-folder" \
		timeout 100 "$CTASCOPE" "$@" >out 2>err </dev/null
}
homeless -b $small -e 'step 5' -e 'save here.state'
is "save elsewhere needs no home" "$? $(cut -d, -f1 err)" "0 saved the session at cycle 5 to here.state"
homeless -b $small -e 'step 5' -e 'save ~/s.state'
is "save into the home is refused" "$? $(wc -l <err)" "1 1"
homeless -b --resume
is "there is nothing to resume" "$? $(wc -l <err)" "1 1"
homeless -b scp:small -e 'print 1'
is "no trace can be kept" "$? $(wc -l <err)" "1 1"
like "and the line names the variable" "$(cat err)" 'no-folder/.cache.*Not a directory; XDG_CACHE_HOME'
done_testing
