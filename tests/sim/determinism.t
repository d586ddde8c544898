#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# determinism.t - one digest and the same tables wherever the model runs: in other locales (a comma as decimal point,
# an i that is no i, letters of 8 bits, other digits), with the program and its heap, stack and libraries at other
# addresses, in little address space. In every locale commands print the same text, and a recording is the same bytes.
# compilers.t has other compilers.
#
# tests/sim/determinism prints the results of thirteen runs. They are left as tests/sim/determinism.out in the build
# folder, where .ci/run compares those of its builds.
. "${srcdir:-.}/tests/tap.sh"
src=$(cd "$srcdir" && pwd)
here=$(cd "$builddir" && pwd)
program=$here/tests/sim/determinism
srcdir=$src
LOCPATH=
sanitized=$(sed -n 's/^MODE_FLAGS = *//p' "$here/Makefile" | grep -c fsanitize)

"$program" >"$tmp/base" || exit 99
is "thirteen runs" "$(wc -l <"$tmp/base" | tr -d ' ')" 13
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
cat >"$tmp/locale.x" <<'X'
print core.1.C_IDLE
print 0.5+1.25e1
print gpu.IPC * 1.5
print LIMIT
printf "%.3f %g %d\n", 1.5, 0.25, 1234567
set dyncta.t_idle 20
step 900
display/f CORE.1.RACT
info gpu
info cores
info policy
info events 9
explain RACT
explain IDLE
explain MISS_RATE
apropos IDLE
apropos [i]dle
break pause if core.1.C_IDLE > 0.5
info breakpoints
show dyncta
dump csv mem -
why
info digest
define größe
set $größe = 1
X
cat >"$tmp/locale.ptx" <<'X'
.version 6.4
.target sm_70
.address_size 64
.visible .entry one(.param .u64 p)
{
.reg .b32 %r<5>;
.reg .b64 %rd<3>;
ld.param.u64 %rd1, [p];
mov.u32 %r1, %tid.x;
min.u32 %r2, %r1, 17;
atom.global.min.u32 %r3, [%rd1], %r2;
atom.global.inc.u32 %r3, [%rd1], %r2;
shfl.sync.idx.b32 %r4, %r3, 0, 31, 0xffffffff;
st.global.u32 [%rd1], %r4;
ret;
}
X
commands() { # what commands say, files and recordings, of a locale; a reason that the system gives is in its language
	LC_ALL=$1 "$CTASCOPE" -b -n --keep-going -c "$src/tests/small/small.machine" -p dyncta:t_idle=20,period=128 \
		"$small" -x "$tmp/locale.x" -e "plot gpu.IPC new.svg" -e "save new.state" 2>&1
	LC_ALL=$1 "$CTASCOPE" record --ptx "$tmp/locale.ptx" --arg buf:1k:zero --grid 4 -o new.ctr 2>&1 >/dev/null
	cksum new.svg new.state new.ctr
	rm -f new.*
	LC_ALL=$1 "$CTASCOPE" --print-config -p dyncta:t_idle=20 -o dyncta.t_mem_h=1k 2>&1
	LC_ALL=$1 "$CTASCOPE" -o dyncta.t_mem_h=1,5 2>&1
	LC_ALL=$1 "$CTASCOPE" -o DYNCTA.T_IDLE=1 2>&1
}
commands C.UTF-8 >"$tmp/commands"
ok "commands find names of upper and lower case" grep -q '^core.1.C_IDLE = ' "$tmp/commands"
ok "and record" grep -q ' new.ctr$' "$tmp/commands"
for l in C POSIX de_DE.UTF-8 de_DE.ISO-8859-1 tr_TR.UTF-8 tr_TR.ISO-8859-9 ar_EG.UTF-8 fa_IR.UTF-8 ja_JP.UTF-8; do
	mkdir -p "$tmp/locales"
	case $l in *_*)
		if ! localedef -i "${l%.*}" -f "${l#*.}" "$tmp/locales/$l" >"$tmp/log" 2>&1; then
			skip "$l" "no source of this locale here (Debian: locales)"
			continue
		fi
		LOCPATH=$tmp/locales
		export LOCPATH
		is "$l: the locale is in force" "$(LC_ALL=$l locale charmap 2>&1)" "${l#*.}"
		;;
	esac
	commands "$l" >"$tmp/now"
	is "$l: commands, files and recordings" "$(diff -a "$tmp/commands" "$tmp/now" | head -n 20)" ""
	case $l in de_DE.UTF-8 | tr_TR.UTF-8)
		same "$l" env LC_ALL="$l" "$program"
		is "$l: the same tables" "$(LC_ALL=$l table | cksum)" "$(cksum <"$tmp/table")"
		;;
	esac
	unset LOCPATH
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
done_testing
