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
is "no clock but base/clock.h's (and that for how often a front end is called back, and how many threads are faster: sim/sim.c, threads.c, base/partner.c)" \
	"$(calls 'time|clock|clock_gettime|gettimeofday|timespec_get|localtime|gmtime|clock_seconds|clock_processor|clock_thread' |
		grep -v -e '^src/base/partner.c:.*clock_thread()' -e '^src/sim/\(sim\|threads\).c:.*clock_\(seconds\|processor\|thread\)()' |
		grep -v '^src/base/clock.h:')" ""
is "nothing printed (but base/report.c, base/memory.c and base/cmdline*.c, for the front)" "$(calls 'v?printf|puts|putchar|perror|v?dprintf' | grep -v '^src/base/cmdline')
$(echo "$files" | xargs "${AWK:-awk}" -f tests/lint/code.awk | grep -E '[^A-Za-z0-9_.](stdout|stderr)[^A-Za-z0-9_]' | grep -v -e '^src/base/report.c:' -e '^src/base/memory.c:' -e '^src/base/cmdline')" "
"
is "no exit (but base/foreign.c, memory.c and worker.c, for the front)" \
	"$(calls 'exit|_exit|_Exit|abort|quick_exit' | grep -v -e '^src/base/foreign.c:' -e '^src/base/memory.c:' -e '^src/base/worker.c:')" ""
is "no thread, no process, no signal (but base/process.h, signals.h, foreign.c and worker.c, for the front, the emulator's CTAs side by side, and one more thread of a run)" \
	"$(calls 'pthread_[a-z_]*|fork|signal|sigaction|raise|process_[a-z_]*' |
		grep -v -e '^src/base/process.h:' -e '^src/base/signals.h:' -e '^src/base/foreign.c:' -e '^src/base/worker.c:' -e '^src/record/ptx/exec/side.c:' -e '^src/base/partner.c:' -e '^src/sim/threads.c:.*process_processors()')" ""

# ---- all of the sources: what is read and written means the same in every locale
asks_locale() { # files: where they ask it for letters and their case
	"${AWK:-awk}" -f tests/lint/code.awk "$@" |
		grep -E '(^|[^A-Za-z0-9_.>])(is(alnum|alpha|digit|lower|print|punct|space|upper|xdigit)|to(lower|upper)|strn?casecmp|strcasestr|strn?coll)[ ]*\(' || true
}
# shellcheck disable=SC2046 # names of the tree
is "letters are those of base/ascii.h" "$(asks_locale $(find src tools -name '*.[ch]' | sort))" ""

printf 'int a = time(0); /* time(0) */ char *s = "rand()"; x.time(); // abort()\n' >"$tmp/a.c"
files=$tmp/a.c
is "a planted call is found, comments and strings are not" \
	"$(calls 'time|rand|abort' | grep -c . || true) $(calls 'rand|abort')" "1 "
printf 'int a = isalpha(c); /* tolower(c) */ b = ascii_lower(c); x.isalpha();\n' >"$tmp/a.c"
is "also one that asks the locale" "$(asks_locale "$tmp/a.c" | grep -c .)" 1
done_testing
