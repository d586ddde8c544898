#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# model.t - the model is deterministic and silent: the same trace, options and commands give the
# same bytes. So its folders ask no clock, no environment and no random source, print
# nothing, and never end the program.
. "${srcdir:-.}/tests/tap.sh"
cd "$srcdir" || exit 99

model='base decl event eval trace record/ptx cache ldst wsched noc mem cta power core sim'
files=$(for d in $model; do [ ! -d "src/$d" ] || find "src/$d" -name '*.[ch]'; done | sort)

calls() { # pattern of function names: their calls in the model
	echo "$files" | xargs "${AWK:-awk}" -f tests/lint/code.awk |
		grep -E "(^|[^A-Za-z0-9_.>])($1)[ ]*\(" || true
}
is "no environment (but where data files are: base/datadir.c)" \
	"$(calls 'getenv|secure_getenv|setlocale' | grep -v '^src/base/datadir.c:')" ""
is "no random source of the C library" "$(calls '[sr]?rand(om)?|srandom|[dlm]rand48|getrandom|rand_r')" ""
is "no clock but base/clock.h's (and that for how often a front end is called back: sim/sim.c)" \
	"$(calls 'time|clock|clock_gettime|gettimeofday|timespec_get|localtime|gmtime|clock_seconds' |
		grep -v '^src/sim/sim.c:.*clock_seconds()' |
		grep -v '^src/base/clock.h:')" ""
is "nothing printed (but base/report.c, base/memory.c and base/cmdline*.c, for the front)" "$(calls 'v?printf|puts|putchar|perror|v?dprintf' | grep -v '^src/base/cmdline')
$(echo "$files" | xargs "${AWK:-awk}" -f tests/lint/code.awk | grep -E '[^A-Za-z0-9_.](stdout|stderr)[^A-Za-z0-9_]' | grep -v -e '^src/base/report.c:' -e '^src/base/memory.c:' -e '^src/base/cmdline')" "
"
is "no exit (but base/foreign.c, memory.c and worker.c, for the front)" \
	"$(calls 'exit|_exit|_Exit|abort|quick_exit' | grep -v -e '^src/base/foreign.c:' -e '^src/base/memory.c:' -e '^src/base/worker.c:')" ""
is "no thread, no process, no signal (but base/process.h, signals.h, foreign.c and worker.c, for the front, and the emulator's CTAs side by side)" \
	"$(calls 'pthread_[a-z_]*|fork|signal|sigaction|raise|process_[a-z_]*' |
		grep -v -e '^src/base/process.h:' -e '^src/base/signals.h:' -e '^src/base/foreign.c:' -e '^src/base/worker.c:' -e '^src/record/ptx/exec/side.c:')" ""

printf 'int a = time(0); /* time(0) */ char *s = "rand()"; x.time(); // abort()\n' >"$tmp/a.c"
files=$tmp/a.c
is "a planted call is found, comments and strings are not" \
	"$(calls 'time|rand|abort' | grep -c . || true) $(calls 'rand|abort')" "1 "
done_testing
