#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# output.t - who opens files for writing, names or cuts them: src/base/output.c (base/output.h) and nobody else, so
# that all outputs are whole or not there, follow links, respect rights and locks, and report a full disk. And who
# opens them as streams for reading: src/base/textfile.c, so that a pipe is not waited for in vain, nor a device read
# without an end.
. "${srcdir:-.}/tests/tap.sh"
cd "$srcdir" || exit 99

# Lines that open for writing, or change what a name stands for. A mode that is no constant is looked at as well.
writes() {
	grep -nE '(^|[^A-Za-z0-9_.>])((fopen|freopen|fdopen)[ ]*\([^;]*,[ ]*("[^"]*[wa+][^"]*"|[a-z_]+)\)|(open|openat)[ ]*\([^;]*O_(WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)|(creat|mkos?temps?|tmpfile|renameat2?|rename|linkat|link|truncate|ftruncate)[ ]*\()' \
		"$@" /dev/null | grep -vE '^[^:]*:[0-9]+:[ 	]*(/?\*|//)'
}

# What else may: the history, which readline appends to (line/history.c); the terminal and copies of its
# descriptors (tui/wire.c); the standard descriptors of a child (base/worker.c, base/foreign.c).
# shellcheck disable=SC2046 # names without blanks
is "files are written by base/output.h" "$(writes $(find src -name '*.c' -o -name '*.h' | sort) |
	grep -vE '^src/base/output\.c:|^src/line/history\.c:.*fopen\(path, "ae"\)|^src/tui/wire\.c:|^src/compat/compat_io\.c:.*mkostemp|^src/base/worker\.c:.*"/dev/null"|^src/base/foreign\.c:.*"/dev/null"')" ""

# Files of the kernel's are no pipes.
reads() { grep -nE '(^|[^A-Za-z0-9_.>])fopen[ ]*\([^"]*, *"r' "$@" /dev/null; }
# shellcheck disable=SC2046 # names without blanks
is "files are read by base/textfile.h" "$(reads $(find src -name '*.c' -o -name '*.h' | sort))" ""

# A line of progress that wraps is repeated, not redrawn. What draws a whole line to its end has the macros.
redraws() { grep -nE '"\\r[^"]*\\033\[K|\? "\\r"' "$@" /dev/null; }
# shellcheck disable=SC2046 # names without blanks
is "progress is drawn by base/progress_line.h" "$(redraws $(find src -name '*.c' -o -name '*.h' | sort) |
	grep -v '^src/base/progress_line\.h:')" ""

cd "$tmp" || exit 99
printf '%s\n' 'fprintf(stderr, "\r%d\033[K", n);' 't ? "\r" : "";' 'eol ? "\r\n" : "\n";' >a.c
is "planted ones are found" "$(redraws a.c | cut -d: -f2 | tr '\n' ' ')" "1 2 "
printf '%s\n' 'f = fopen(path, "w");' 'x = open(p, O_RDONLY);' 'fd = open(p, O_CLOEXEC | O_WRONLY);' 'f = fopen(p, "rb");' \
	'if (rename(a, b)) {' ' * rename() moves it' 'FILE *g = fopen(p, "r+e");' 'r = path_rename(a);' 'mkostemp(t, 0);' \
	'fdopen(fd, mode);' 'ftruncate(fd, 0);' 's = f->open(p, O_WRONLY);' >a.c
is "planted ones are found, and nothing else" "$(writes a.c | cut -d: -f2 | tr '\n' ' ')" "1 3 5 7 9 10 11 "
printf '%s\n' 'f = fopen(path, "re");' 'f = fopen("/proc/locks", "re");' 'f = fopen(path, "ae");' 'f = text_open(p, 0, "r");' >a.c
is "planted readers too" "$(reads a.c | cut -d: -f2 | tr '\n' ' ')" "1 "
done_testing
