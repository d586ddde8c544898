#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# cli.t - the command line: every exit status, signals, ends of input, broken pipes; on the small machine and its
# workload (tests/small). What does not happen there by itself is asked of the program with the fault switch.
# shellcheck disable=SC2086 # $small is words
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/child.sh"
m=$CTASCOPE
fault=$builddir/tests/small/ctascope-fault
cd "$tmp" || exit 99
cp "$srcdir/tests/small/small.machine" .
"$builddir/tests/small/write_small" small.ctr || exit 99
small='-c small.machine small.ctr'
cat >"$tmp/bad" <<'X'
print 1
nonsense
print 2
X

status() { # wanted status, name, command...
	wanted=$1 name=$2
	shift 2
	"$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	is "$name" "$?" "$wanted"
}
out() { cat "$tmp/out"; }
err() { cat "$tmp/err"; }

# ---- exit status
status 0 "a run to the end" "$m" -n -b $small
like "says how it ended" "$(out)" '^done: cycle 8,763, 2 kernels, 144 CTAs'
like "and prints the statistics" "$(out)" '^gpu.cycles +8,763  cycles$'
is "nothing else" "$(err)" ""
status 0 "a table on standard output" "$m" -n -b $small -e 'tbreak pause' -e run -e run -e 'dump csv stats -'
is "has no line of a stop before it" "$(sed 1q "$tmp/out")" "name,value,unit"
like "it goes to standard error" "$(err)" '^done: cycle 8,763'
printf 'run\nexport events "/dev/stdout"\n' >"$tmp/table"
status 0 "nor with a script and another format" "$m" -n -b $small -x "$tmp/table"
is "is there any" "$(grep -c '^done' "$tmp/out")" 0
printf 'source %s\n' "$tmp/outer" "$tmp/table" >"$tmp/outer"
status 1 "nor with a script that sources it, and itself" "$m" -n -b $small -x "$tmp/outer"
is "is there any" "$(grep -c '^done' "$tmp/out")" 0
status 0 "an event that is the name of a kernel, too" "$m" -n -b phase -e 'break phase'
like "is the event, and that is said" "$(cat "$tmp/out" "$tmp/err")" '^phase is an event and a kernel of this trace: the event is meant'
status 0 "a result stays one" "$m" -n -b $small -e run -e 'print 3 - 2'
like "and so does the end of its run" "$(out)" '^done: cycle 8,763'
status 0 "without a terminal --batch is understood" "$m" -n $small
status 2 "no workload and no commands" "$m" -n -b
like "says what to give" "$(err)" 'no workload and no commands; name a trace or a shipped workload'
status 0 "no workload is needed for a command that works without one" "$m" -n -b -e 'help step'
status 1 "an unknown command" "$m" -n -b $small -e foo -e 'print 1'
is "the first error ends the script" "$(out)" ""
like "and is told on standard error" "$(err)" "^ctascope: unknown command 'foo'"
status 1 "an error in a file" "$m" -n -b $small -x "$tmp/bad"
is "with its place" "$(err)" "ctascope: $tmp/bad:2: unknown command 'nonsense'; see 'help'"
is "what stood before it was done" "$(out)" "1 = 1"
status 1 "--keep-going goes on, the status tells" "$m" -n -b --keep-going $small -x "$tmp/bad" -e 'print 3'
is "with all of it" "$(out)" "1 = 1
2 = 2
3 = 3"
cp small.ctr damaged.ctr
printf damaged | dd of=damaged.ctr bs=1 seek=800 conv=notrunc 2>/dev/null # in the CTAs of the second kernel
status 1 "a trace that is damaged in the middle" "$m" -n -b damaged.ctr -e run
like "is told" "$(err)" '^ctascope: damaged.ctr: byte [0-9]+: the block is damaged'
like "and when" "$("$m" -n -b --keep-going damaged.ctr -e run -e 'info kernel' 2>&1)" '^2 of 2 kernels started'
for command in 'compare main b csv cut.csv' 'report main b cut.html' 'try policy static --for 20k'; do
	status 1 "${command%% *} of a damaged trace" "$m" -n -b damaged.ctr -e 'step 100' -e 'fork b' -e 'set policy static' \
		-e 'switch main' -e 'step 100' -e "$command"
	like "says which run failed" "$(err)" '^ctascope: (report: )?the run of [a-z0-9 ]+ failed: the block is damaged'
	is "is no result" "$(ls cut.* 2>/dev/null)$(grep '^end of' "$tmp/out")" ""
done
cp small.ctr short.ctr
status 1 "a trace that is cut off while it is read" "$m" -n -b short.ctr -e 'step 100' -e 'shell : >short.ctr' -e run
like "is told" "$(err)" '^ctascope: short.ctr: byte [0-9]+: the file ends too early'
status 1 "no memory within a cycle" env CTASCOPE_FAULT=memory=50 "$fault" -n -b $small -o run.sample=100000 -e run
is "is told" "$(err)" "ctascope: out of memory"
status 1 "no memory for a sample" env CTASCOPE_FAULT=memory=50 "$fault" -n -b $small -e run
is "is told" "$(err)" "ctascope: out of memory for the time series"
status 1 "no memory for a checkpoint" env CTASCOPE_FAULT=memory=50 "$fault" -n -b --keep-going $small -e 'step 51' -e checkpoint
like "is told" "$(err)" '^ctascope: out of memory for a checkpoint of [0-9]+ bytes$'
status 1 "a workload that is not there" "$m" -n -b "$tmp/nothing.ctr"
cp "$m" "$tmp/program"
status 1 "a program in place of a trace" "$CTASCOPE" -n -b "$tmp/program"
like "is told what to do" "$(err)" "is a program, not a trace; record it with 'ctascope record"
echo '.version 8.0' >"$tmp/kernel.ptx"
status 1 "PTX in place of a trace" "$CTASCOPE" -n -b "$tmp/kernel.ptx"
like "is told what to do, too" "$(err)" "is PTX, not a trace; record it with 'ctascope record --ptx"
status 1 "a folder without a trace" "$m" -n -b "$tmp"
like "is told what would be one" "$(err)" "' is a folder without a kernelslist.g; name a trace file"
status 1 "a workload nobody ships" "$m" -n -b nosuchworkload
like "is told" "$(err)" "no workload 'nosuchworkload'"
status 1 "a script that is not there" "$m" -n -b $small -x "$tmp/nothing"
status 2 "a race as a subcommand" "$m" race small.ctr
like "names the option" "$(err)" "a race is .ctascope --versus STACK"
status 2 "an unknown option" "$m" --foo
like "points to the help" "$(err)" 'ctascope --help'
status 2 "an unknown pace" "$m" -n -b --pace blah $small
status 2 "a missing value" "$m" -o
status 2 "a bad value" "$m" -n -b -o run.sample=0 $small
like "names the range" "$(err)" 'expected 1..16777216 cycles'
status 2 "an option without =" "$m" -n -b -o run.sample $small
status 2 "an unknown policy" "$m" -n -b -p foo $small
like "names all" "$(err)" "^ctascope: unknown policy 'foo'; there are rr, static, .*claso"
status 2 "an unknown layout without a screen" "$m" -n -b --layout=wathc $small
like "names all" "$(err)" "layout: expected one of auto, .*watch.*; found 'wathc'"
status 2 "an unknown pane without a screen" "$m" -n -b --pane=nosuch $small
like "names all" "$(err)" "pane: expected one of ctas, ract"
status 0 "a pane with its argument" "$m" -n -b --pane='heat core.ipc' --layout=9 $small -e step
status 1 "a condition that never holds" "$m" -n -b $small -e 'until 1/0'
like "is told" "$(err)" "until: '1/0' is always unknown"
status 0 "events exported" "$m" -n -b $small -e 'step 900' -e 'export events ev.json'
is "are told" "$(err)" "wrote kernels, CTAs, pauses, decisions and counters of cycles 0 to 900 to ev.json; ui.perfetto.dev opens it"
status 2 "an unknown machine" "$m" -n -b -c foo $small
like "names those there are" "$(err)" "unknown machine 'foo', expected a file or one of .*kayiran30"
status 2 "one nearly right" "$m" -n -b -c gtx48 $small
like "names the one meant" "$(err)" "unknown machine 'gtx48'; did you mean gtx480[?]"
mkdir -p "$tmp/data/ctascope/machines"
printf '# mine - a machine of my own\nset gpu.clusters 2\n' >"$tmp/data/ctascope/machines/mine.machine"
status 0 "a machine is one file" env XDG_DATA_HOME="$tmp/data" "$m" -n -b -c mine small.ctr -e 'print gpu.cores'
like "and is the machine" "$(out)" '= 6$'
status 0 "--list-machines" env XDG_DATA_HOME="$tmp/data" "$m" --list-machines
like "has it, with its title" "$(out)" '^mine +a machine of my own$'
like "among the shipped ones" "$(out)" '^kayiran30 +Kayiran'
status 2 "an unknown warp scheduler" "$m" -n -b -w foo $small
status 2 "too many arguments" "$m" -n -b $small more
status 2 "a bad --color" "$m" --color=blue $small
status 2 "a bad --tui" "$m" --tui=maybe $small
status 2 "--batch with --tui" "$m" --tui -b $small
status 3 "a failed assert" "$m" -n -b $small -e run -e 'assert gpu.cycles == 1'
is "says the value" "$(err)" "ctascope: assert failed: gpu.cycles == 1; gpu.cycles is 8763"
status 0 "an assert that holds" "$m" -n -b $small -e run -e 'assert gpu.cycles == 8763'
status 4 "a limit of cycles" "$m" -n -b -o run.max_cycles=100 $small
is "is told" "$(err)" "ctascope: limit: run.max_cycles 100 reached, cycle 100"
is "after the statistics up to there" "$(out | tr -s ' ' | grep -v cycles_per_second)" \
	"$("$m" -n -b $small -e 'step 100' -e 'info stats' | tr -s ' ' | grep -v -e cycles_per_second -e ^stopped:)"
status 4 "a limit in a script" "$m" -n -b -o run.max_cycles=100 $small -e run -e 'print 1'
is "ends it, and the option that continues is named" "$(out)$(err)" "ctascope: limit: run.max_cycles 100 reached, cycle 100
ctascope: the limit ended the script; --keep-going continues with the commands after it"
printf 'run\nprint 1\n' >limit.script
status 4 "a limit in a file" "$m" -n -b -o run.max_cycles=100 $small -x limit.script
like "names it, too" "$(err)" '^ctascope: the limit ended the script; --keep-going'
"$m" -n -b -o run.max_cycles=100 $small <limit.script >"$tmp/out" 2>"$tmp/err"
like "and on standard input" "$(err)" '^ctascope: the limit ended the script; --keep-going'
status 4 "the option itself" "$m" -n -b --keep-going -o run.max_cycles=100 $small -x limit.script
is "does so" "$(out)$(err)" "1 = 1ctascope: limit.script:1: limit: run.max_cycles 100 reached, cycle 100"
status 4 "a limit in the last command" "$m" -n -b -o run.max_cycles=100 $small -e 'print 1' -e run
is "leaves none to continue with" "$(err)" "ctascope: limit: run.max_cycles 100 reached, cycle 100"
status 4 "a limit of thread instructions" "$m" -n -b -o run.max_thread_insts=20k $small
like "is told, too, after the statistics" "$(out)" '^gpu.thread_insts +20,'
like "is told" "$(err)" '^ctascope: limit: run.max_thread_insts 20000 reached, cycle [0-9,]+$'
is "at the first cycle that has them" "$(err | sed 's/.* //')" \
	"$("$m" -n -b $small -e 'until gpu.thread_insts >= 20000' -e 'print gpu.cycles' | sed -n 's/gpu.cycles = //p')"
is "a run that goes on is the same run" \
	"$("$m" -n -b --keep-going -o run.max_thread_insts=20k $small -e run -e 'set run.max_thread_insts 0' -e continue \
		-e 'info digest' 2>/dev/null)" "$("$m" -n -b $small -e run -e 'info digest')"
status 0 "one that is never reached" "$m" -n -b -o run.max_thread_insts=1G $small -e run
status 4 "a limit of time" env CTASCOPE_FAULT=slow=1000 "$fault" -n -b -o run.max_seconds=1 $small
like "is told" "$(err)" 'limit: run.max_seconds 1 reached'
like "has the statistics as well" "$(out)" '^gpu.cycles +[0-9,]+  cycles$'
status 5 "a deadlock" env CTASCOPE_FAULT=deadlock=600 "$fault" -n -b $small
like "names who waits" "$(err)" 'deadlock at cycle 2,048, 4 of 96 CTAs done, no progress since cycle [0-9,]+; core 0: 6 CTAs, .*; core 3: 6 CTAs, '
status 7 "quit with a status" "$m" -n -b $small -e 'quit 7' -e foo
status 0 "quit" "$m" -n -b $small -e quit

# ---- information
status 0 "help" "$m" --help
cp "$tmp/out" "$tmp/help.out"
status 0 "help as a word" "$m" help
is "is the same" "$(out)" "$(cat "$tmp/help.out")"
status 0 "help of a subcommand" "$m" help sweep
like "is its --help" "$(out)" '^Usage: ctascope sweep '
status 0 "help of another one" "$m" help record
like "is its --help, too" "$(out)" '^Usage: ctascope record '
status 0 "help of a command of the prompt" "$m" help dump csv
like "is what the prompt says" "$(out)" '^dump csv TABLE FILE '
status 2 "a workload after the word run" "$m" run nw
like "shows how it is run" "$(err)" "after the workload 'run'; 'ctascope WORKLOAD' runs a workload"
for option in $("$m" --help | grep -oE -- '--[a-z]+(-[a-z]+)*' | sort -u); do
	case $option in --help | --version | --list-* | --print-config | --batch | --no-init | --keep-going | --ascii) args='-e help' ;;
	--tui) args=-h ;;
	*) args="x -h" ;;
	esac
	case $option in --color | --colour) args="auto -h" ;; esac
	# shellcheck disable=SC2086
	"$m" -n -b $option $args >"$tmp/out" 2>"$tmp/err" </dev/null
	like "$option of the help is known" "$?" '^0$'
done
status 0 "version" "$m" -V
like "names the licence" "$(out)" 'GPLv3'
status 0 "the list of events" "$m" --list-events
is "has a line per event" "$(out | wc -l | tr -d ' ')" "$(grep -c '^EVENT(' "${srcdir:-.}/include/ctascope/events.def")"
status 0 "the list of policies" "$m" --list-policies
like "has dyncta" "$(out)" '^dyncta '
status 0 "the list of options" "$m" --list-options -p dyncta:period=128
like "shows what the command line chose" "$(out)" '^dyncta.period +128 +16\.\.16777216 +cycles: '
status 0 "the list of workloads" "$m" --list-workloads
status 0 "help keys, with no screen" "$m" -n -b -e 'help keys'
like "has the keys of the screen" "$(out)" '^Space  +run the model, or pause it$'
status 0 "the configuration" "$m" --print-config -o run.sample=16 -p dyncta
like "is made of set lines" "$(out)" '^set run.sample 16$'
cp "$tmp/out" "$tmp/config"
"$m" -n -b --print-config -c "$tmp/config" >"$tmp/second" 2>&1
is "and is the same when taken back" "$(cat "$tmp/second")" "$(cat "$tmp/config")"
"$m" -n -b -c "$tmp/config" small.ctr -e 'show run.sample' -e 'show policy' >"$tmp/out" 2>&1
is "and brings the run back" "$(cat "$tmp/out")" "run.sample = 16
dyncta"
status 2 "convert without files" "$m" convert
mkdir text
keeps() { # what is converted, what is named, the file that is in the way
	echo precious >$3
	status 1 "convert does not replace $3, which is no trace" "$m" convert $1 $2
	like "and says so" "$(err)" "convert: $3 exists and is no (trace|list of kernels); choose another name, or add --force"
	is "it is as it was" "$(cat $3)" precious
	rm $3
}
keeps small.ctr precious.ctr precious.ctr
keeps "$srcdir/traces/hand.traceg" precious.traceg.xz precious.traceg.xz
keeps small.ctr text text/kernelslist.g
keeps small.ctr text/kernelslist.g text/kernel-2.traceg
is "and nothing was written beside it" "$(ls text)" ""
status 0 "convert into a folder" "$m" convert small.ctr text
status 0 "convert replaces its own files" "$m" convert small.ctr text
echo precious >precious.ctr
status 0 "and others with --force" "$m" convert --force small.ctr precious.ctr
status 0 "once more without" "$m" convert small.ctr precious.ctr
is "the file is the trace" "$(cmp small.ctr precious.ctr)" ""
rm -r text precious.ctr
status 2 "trace without a file" "$m" trace info
status 2 "trace with an unknown verb" "$m" trace foo small.ctr
status 0 "trace check" "$m" trace check small.ctr
status 1 "trace info of nothing" "$m" trace info "$tmp/nothing.ctr"
status 2 "trace dump of what is no number" "$m" trace dump small.ctr x
status 0 "trace dump" "$m" trace dump small.ctr 1 2 1

# ---- order of what the command line says
mkdir -p "$tmp/config.d/ctascope"
printf 'set run.sample 90\nset dyncta.period 100\nnonsense\n' >"$tmp/config.d/ctascope/config"
is "the user's file is read, the command line wins, its mistakes do no harm" \
	"$(XDG_CONFIG_HOME=$tmp/config.d "$m" -b -o run.sample=100 small.ctr -e 'show run.sample' \
		-e 'show dyncta.period' 2>"$tmp/err")" "run.sample = 100
dyncta.period = 100"
like "but are told" "$(err)" 'ctascope/config:3: unknown command'
is "-n leaves it out" "$(XDG_CONFIG_HOME=$tmp/config.d "$m" -n -b small.ctr -e 'show run.sample' 2>&1)" \
	"run.sample = 512"
echo 'print 2' >"$tmp/two"
is "-x and -e are executed in order" "$("$m" -n -b $small -e 'print 1' -x "$tmp/two" -e 'print 3')" "1 = 1
2 = 2
3 = 3"
is "later options win" "$("$m" -n -b -o sample=50 -o sample=60 small.ctr -e 'show sample')" "run.sample = 60"

# ---- standard input
is "commands come from standard input" "$(printf 'step\nprint $cycle\n' | "$m" -n -b $small)" "stopped: cycle 1
\$cycle = 1"
is "end of input is no command, an empty line repeats nothing" \
	"$(printf 'step\n\n\n' | "$m" -n -b $small)" "stopped: cycle 1"
is "a last line without its newline counts" "$(printf 'step\nstep' | "$m" -n -b $small | wc -l | tr -d ' ')" 2
is "with -e nothing is read" "$(echo 'print 2' | "$m" -n -b $small -e 'print 1')" "1 = 1"
is "-x - reads it" "$(echo 'print 2' | "$m" -n -b $small -x -)" "2 = 2"
printf 'step\nfoo\nstep\n' | "$m" -n -b $small >"$tmp/out" 2>&1
is "an error on it ends with status 1" "$?" 1
printf 'print 1\000 2\n' | "$m" -n -b $small >"$tmp/out" 2>&1
is "a NUL byte is an error" "$?" 1
printf 'print 1\r\nprint 2\r\n' | "$m" -n -b $small >"$tmp/out" 2>&1
is "lines may end as on other systems" "$(out)" "1 = 1
2 = 2"

# ---- scripts in scripts
echo "source $tmp/self" >"$tmp/self"
status 1 "a script that reads itself ends" "$m" -n -b $small -x "$tmp/self"
like "with a reason" "$(err)" 'deep'
cat >"$tmp/stop" <<'X'
break pause
commands
print core.0.n
continue
end
run
echo after
X
status 0 "commands of a stop may go on" "$m" -n -b -p dyncta+claso $small -x "$tmp/stop"
is "as often as it is hit" "$(grep -c '^core.0.n' "$tmp/out") $(tail -n 1 "$tmp/out")" "10 after"

# ---- the language of scripts
cat >"$tmp/lang" <<'X'
set $i = 0
define twice
  $arg0
  $arg0
end
while $i < 3   # a comment
  if $i == 2
    twice step
  end
  set $i = $i + 1
end
expect $cycle == 2
expect $cycle == 3
expect $i == 4
printf "end at %d", $cycle
X
status 3 "expect fails at the end" "$m" -n -b $small -x "$tmp/lang"
is "what comes behind it is done, a line without its end too" "$(out | tail -n 1)" "end at 2"
is "what failed has its place, and is counted" "$(err)" "ctascope: $tmp/lang:13: expect failed: \$cycle == 3; \$cycle is 2
ctascope: $tmp/lang:14: expect failed: \$i == 4; \$i is 3
ctascope: 2 of 3 expectations failed"
status 0 "expect holds" "$m" -n -b $small -e 'expect 1'
status 3 "quit is no excuse" "$m" -n -b $small -e 'expect 0' -e quit
status 0 "but a status that it names is" "$m" -n -b $small -e 'expect 0' -e 'quit 0'
status 1 "another error comes first" "$m" -n -b $small -e 'expect 0' -e nonsense
status 3 "assert ends at once" "$m" -n -b $small -e 'assert 0' -e 'echo never'
is "and does" "$(out)" ""
status 0 "constructs in -e, a line each" "$m" -n -b $small -e 'set $i = 0' -e 'while $i < 2' -e 'echo on' -e 'set $i = $i + 1' -e end
is "or more" "$(out) $("$m" -n -b -e 'if 1
echo off
end')" "on
on off"
status 1 "-e without its end" "$m" -n -b $small -e 'while 1' -e 'echo never'
is "is an error" "$(out)$(err)" "ctascope: 'while' has no 'end'"
printf 'print 1\n\nwhile 1\nif 1\nend\n' >"$tmp/lang"
status 1 "a file without its end" "$m" -n -b $small -x "$tmp/lang"
is "says which line" "$(err)" "ctascope: $tmp/lang:5: 'while' at line 3 has no 'end'"
printf 'define f\n  print core.9.n\nend\nif 1\n  f\nend\n' >"$tmp/lang"
status 1 "an error within a command" "$m" -n -b $small -x "$tmp/lang"
like "has its place there" "$(err)" "^ctascope: $tmp/lang:2: core 9 does not exist"
printf 'end\nprint 1\n' >"$tmp/lang"
status 1 "end without a head" "$m" -n -b $small -x "$tmp/lang"
is "has its place" "$(out)$(err)" "ctascope: $tmp/lang:1: end without if, while, define, document or commands"
mkdir -p "$tmp/conf/ctascope"
printf 'define mine\nif $argc\necho mine $arg0\nend\nend\ndefine step\necho never\nend\n' >"$tmp/conf/ctascope/config"
is "the configuration of a user may define commands" "$(XDG_CONFIG_HOME=$tmp/conf "$m" -b $small -e 'mine 5' 2>&1)" \
	"ctascope: $tmp/conf/ctascope/config:6: define: 'step' is a command of ctascope; choose another name
mine 5"
rm -r "$tmp/conf"

# ---- signals
# A longer workload, made slower still: 15 seconds.
long="-c small.machine $srcdir/traces/phase.ctr"
# A signal that comes before the program is there would end it, too, but as it ends any.
under_way() {
	n=0
	until grep -qs '^begun' "$tmp/out" || [ $n -ge 1200 ]; do n=$((n + 1)); sleep 0.05; done
	sleep 0.2
}
slow() {
	rm -f "$tmp/out"
	CTASCOPE_FAULT=slow=20 "$fault" -n -b $long -e 'echo begun' -e run -e 'echo never' >"$tmp/out" 2>"$tmp/err" </dev/null &
	pid=$!
	under_way
}
# Runs two branches with a command, which gets the signal.
compare_slowly() { # signal, command
	rm -f "$tmp/out"
	CTASCOPE_FAULT=slow=20 env --default-signal=INT "$fault" -n -b -p dyncta $long -e 'until limit' -e 'fork b' -e 'set policy rr' \
		-e 'switch main' -e 'until limit' -e 'echo begun' -e 'shell true' -e "$2" -e 'echo never' >"$tmp/out" 2>"$tmp/err" </dev/null &
	pid=$!
	under_way
	send "$1" $pid
	wait $pid
}
slow
send TERM $pid
wait $pid
is "SIGTERM ends with 143" "$?" 143
slow
send HUP $pid
wait $pid
is "SIGHUP ends with 129" "$?" 129
slow
send USR1 $pid
n=0
until grep -q '^gpu.cycles' "$tmp/out" || [ $n -ge 1200 ]; do n=$((n + 1)); sleep 0.05; done
like "SIGUSR1 says the statistics at once" "$(out)" '^gpu.cycles +[0-9,]+  cycles'
gone $pid || pass "and the run goes on"
send TERM $pid
wait $pid
like "SIGUSR1 says the statistics and the run goes on" "$(out)" '^gpu.cycles +[0-9,]+  cycles'
is "and only that" "$(grep -c never "$tmp/out")" 0
env --default-signal=INT true 2>/dev/null && {
	rm -f "$tmp/out"
	CTASCOPE_FAULT=slow=20 env --default-signal=INT "$fault" -n -b $long -e 'echo begun' -e run -e 'echo never' \
		>"$tmp/out" 2>"$tmp/err" </dev/null &
	pid=$!
	under_way
	send INT $pid
	wait $pid
	is "Ctrl-C in a script ends with 130" "$?" 130
	like "at a cycle boundary" "$(out)" '^stopped: interrupted, cycle [0-9,]+$'
	is "and does not go on" "$(grep -c never "$tmp/out")" 0
	for command in "oracle $tmp/o.seq" bottleneck blame; do
		rm -f "$tmp/out"
		CTASCOPE_FAULT=slow=20 env --default-signal=INT "$fault" -n -b -p dyncta $long -e 'advance 20000' -e 'echo begun' -e "$command" \
			-e 'echo never' >"$tmp/out" 2>"$tmp/err" </dev/null &
		pid=$!
		under_way
		send INT $pid
		wait $pid
		is "${command%% *}: Ctrl-C ends with 130, too" "$? $(grep -c never "$tmp/out")" "130 0"
	done
	echo name,a,b,unit >cut.csv
	for command in 'compare main b csv cut.csv' 'report main b cut.html' flip 'try policy rr'; do
		compare_slowly INT "$command"
		is "${command%% *}: Ctrl-C ends with 130, too" "$? $(grep -c never "$tmp/out")" "130 0"
		case $command in
		report*) like "nothing is written" "$(err)" '^cut.html was not written: the runs have not ended$' ;;
		*)
			like "the numbers so far are printed" "$(err)" "^${command%% *}: interrupted; the results so far:$"
			like "they are those of two runs that were cut" "$(out)" '^cut at cycle +[0-9,]+ +[0-9,]+$'
			is "not at the end of anything" "$(grep -c '^end of' "$tmp/out")" 0
			;;
		esac
	done
	compare_slowly TERM 'compare main b csv cut.csv'
	is "SIGTERM ends compare" "$? $(grep -c never "$tmp/out")" "143 0"
	like "without a new table" "$(err)" '^cut.csv was not written: the comparison has not ended$'
	is "no file has what was cut" "$(ls cut.*) $(cat cut.csv)" "cut.csv name,a,b,unit"
}

# ---- places that cannot be written to
(
	trap '' PIPE
	"$m" -n -b $small -e 'step 50' -e 'dump csv events -' 2>"$tmp/err"
	echo $? >"$tmp/code"
) | true
like "a closed pipe is an error when its signal is ignored" "$(cat "$tmp/code")" '^[01]$'
"$m" -n -b -p dyncta $small -e run -e 'dump csv events -' 2>"$tmp/err" | head -n 1 >"$tmp/out"
is "and quiet otherwise" "$(grep -v '^done: cycle' "$tmp/err")" ""
if [ -w /dev/full ]; then
	"$m" -n -b $small >/dev/full 2>"$tmp/err" </dev/null
	is "a full disk is an error" "$?" 1
	like "that is told" "$(err)" 'standard output: No space'
	status 1 "also for CSV" "$m" -n -b $small -e run -e 'dump csv series /dev/full'
fi
status 1 "a folder that is not there" "$m" -n -b $small -e run -e "dump csv series $tmp/no/file.csv"
is "leaves nothing" "$(ls "$tmp/no" 2>/dev/null)" ""
mkdir "$tmp/here"
echo run,cycle,kernel,old >"$tmp/here/file.csv"
status 0 "a file is written as a whole" "$m" -n -b $small -e run -e "dump csv series $tmp/here/file.csv"
is "with nothing left beside it" "$(ls "$tmp/here")" "file.csv"
is "and with its header" "$(head -c 22 "$tmp/here/file.csv")" "run,cycle,kernel,span_"
done_testing
