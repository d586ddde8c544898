#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# determinism.t - one digest and the same tables, whatever compiled the model and wherever it runs: other compilers
# and levels of optimization, German and Turkish locales (a comma as decimal point, an i that is no i), the program
# and its heap, stack and libraries at other addresses, little address space.
#
# tests/sim/determinism says what came of ten runs. Its text is left as tests/sim/determinism.out in the build
# folder, where .ci/run compares that of its builds (optimized, gcc's and clang's sanitizers).
. "${srcdir:-.}/tests/tap.sh"
src=$(cd "$srcdir" && pwd)
here=$(cd "$builddir" && pwd)
program=$here/tests/sim/determinism
srcdir=$src
LOCPATH=
sanitized=$(sed -n 's/^MODE_FLAGS = *//p' "$here/Makefile" | grep -c fsanitize)

"$program" >"$tmp/base" || exit 99
is "ten runs" "$(wc -l <"$tmp/base" | tr -d ' ')" 10
cp "$tmp/base" "$here/tests/sim/determinism.out"
cd "$tmp" || exit 99
small=$tmp/small.ctr
"$here/tests/small/write_small" "$small" || exit 99
table() { # the tables of a run, without what the clock on the wall says
	for t in stats series decisions cores; do
		"$CTASCOPE" -b -n -c "$src/tests/small/small.machine" -p dyncta+claso "$small" -o run.max_cycles=3000 -e run \
			-e "dump csv $t -" --keep-going 2>&1
	done | grep -v '^sim\.'
}
same() { # name, command...
	name=$1
	shift
	"$@" >"$tmp/now" 2>&1
	is "$name: the same digests and values" "$(cat "$tmp/now")" "$(cat "$tmp/base")"
}
table >"$tmp/table"
ok "and tables" grep -q '^run,' "$tmp/table"

# ---- locales, made here: no root, and nothing of the system's is changed
for l in de_DE tr_TR; do
	mkdir -p "$tmp/locales"
	if localedef -i "$l" -f UTF-8 "$tmp/locales/$l.UTF-8" >"$tmp/log" 2>&1; then
		LOCPATH=$tmp/locales
		export LOCPATH
		is "$l: the locale is in force" "$(LC_ALL=$l.UTF-8 locale decimal_point 2>&1)" ","
		same "$l" env LC_ALL=$l.UTF-8 "$program"
		is "$l: the same tables" "$(LC_ALL=$l.UTF-8 table | cksum)" "$(cksum <"$tmp/table")"
		is "$l: options are found and printed the same" \
			"$(LC_ALL=$l.UTF-8 "$CTASCOPE" --print-config -p dyncta:t_idle=20 -o DYNCTA.PERIOD=1 2>&1 | cksum)" \
			"$(LC_ALL=C.UTF-8 "$CTASCOPE" --print-config -p dyncta:t_idle=20 -o DYNCTA.PERIOD=1 2>&1 | cksum)"
		unset LOCPATH
	else
		skip "$l" "no source of this locale here (Debian: locales)"
	fi
done

# ---- addresses
if setarch "$(uname -m)" -R true 2>/dev/null; then
	same "no address is random" setarch "$(uname -m)" -R "$program"
else
	skip "no address is random" "setarch may not here"
fi
same "a large environment, so the stack lies elsewhere" env "X=$(printf '%100000s' x)" "$program"
if [ "$sanitized" -eq 0 ]; then
	same "little address space" sh -c 'ulimit -v 400000; exec "$1"' - "$program"
	same "a heap of maps" env GLIBC_TUNABLES=glibc.malloc.mmap_threshold=4096 "$program"
	same "memory that is not zero" env MALLOC_PERTURB_=165 "$program"
else
	skip "little address space" "sanitizers need much"
fi

# ---- compilers: the model alone, with the configuration of this build
build() { # name, compiler and flags
	name=$1
	shift
	command -v "$1" >/dev/null || { skip "$name" "no $1 here"; return; }
	mkdir -p "$tmp/$name"
	(cd "$src" && for f in base decl event eval trace cache ldst wsched noc mem cta power core sim; do
		find "src/$f" -name '*.c'
	done; echo tests/sim/determinism.c) >"$tmp/files"
	# shellcheck disable=SC2016 # of the inner shell
	if ! xargs -P 2 -n 8 sh -c 'to=$1 src=$2 here=$3 flags=$4; shift 4; for f; do
		# shellcheck disable=SC2086
		$flags -std=gnu17 -ffp-contract=off -w -D_GNU_SOURCE -include "$here/config.h" -I"$src/include" \
			-I"$here/src" -I"$src/src" -I"$src" -DPKGDATADIR=\"/nowhere\" -DSRCDATADIR=\""$src"\" -c \
			-o "$to/$(echo "$f" | tr / _).o" "$src/$f" || exit 255; done' - \
		"$tmp/$name" "$src" "$here" "$*" <"$tmp/files" >"$tmp/log" 2>&1 ||
		! "$1" -o "$tmp/$name/run" "$tmp/$name"/*.o -lzstd -llzma -lz -lm -ldl >>"$tmp/log" 2>&1; then
		fail "$name: it compiles"
		tail -n 20 "$tmp/log" | sed 's/^/#   /'
		return
	fi
	same "$name" "$tmp/$name/run"
	rm -rf "${tmp:?}/$name"
}
if [ "${FAST:-}" = 1 ] || [ "$sanitized" -ne 0 ]; then
	skip "other compilers" "slow, or a build with sanitizers: .ci/run compares its builds"
else
	build gcc-O0 gcc -O0
	build gcc-O3-native gcc -O3 -march=native
	build clang-O2 clang -O2
fi
done_testing
