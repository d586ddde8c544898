#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# recorder_none.t - a ctascope that was built without the recorder: traces and PTX work, and whatever needs a recording
# says what to do, with status 1.
. "${srcdir:-.}/tests/tap.sh"
m=$builddir/tests/cli/ctascope-none
cd "$tmp" || exit 99
XDG_CACHE_HOME=$tmp/cache
export XDG_CACHE_HOME
why="this ctascope was built without the recorder; record on Linux with 'ctascope record -o FILE.ctr -- PROGRAM'"
refused() { # name, word...
	name=$1
	shift
	"$m" "$@" >out 2>err </dev/null
	is "$name: status" "$?" 1
	like "$name: what to do" "$(cat err)" "^ctascope: $why and copy FILE.ctr here, or run a shipped trace"
}
refused "a program" record -o x.ctr -- true
refused "a program for the debugger" app -- true
refused "an application" -n -b lud:large
ok "nothing is left" [ ! -e x.ctr ]
like "--version" "$("$m" --version)" '^built in  no recorder, '
like "doctor" "$("$m" doctor </dev/null)" "^ *-> $why"
is "the help of record stays" "$("$m" record --help)" "$("$CTASCOPE" record --help)"
is "a mistake in a command line comes first" "$("$m" record --shared -1 --ptx x 2>&1 | sed 1q)" \
	"ctascope: record: --shared -1: expected a number from 0 to 1048576"
is "a trace gives the same digest" "$("$m" -n -b phase -e 'step 3000' -e 'info digest' | tail -n 1)" \
	"$("$CTASCOPE" -n -b phase -e 'step 3000' -e 'info digest' | tail -n 1)"
printf '.version 6.4\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n' >k.ptx
"$m" record --ptx k.ptx -o k.ctr >out 2>err
is "PTX is recorded" "$? $("$m" trace check k.ctr >/dev/null 2>&1; echo $?)" "0 0"
done_testing
