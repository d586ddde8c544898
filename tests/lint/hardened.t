#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# hardened.t - what configure says it hardened is in the files that were linked: the program, and the libraries that
# are loaded into other people's programs. Read with readelf, so it holds whatever flags a compiler adds by itself.
. "${srcdir:-.}/tests/tap.sh"
command -v readelf >/dev/null || skip_all "no readelf here"
HARDENING=$(sed -n 's/^HARDENING = *//p' "$builddir/Makefile")
[ -n "$HARDENING" ] || skip_all "this build is not hardened"

has() { case " $HARDENING " in *" $1 "*) ;; *) return 1 ;; esac; }

for f in "$CTASCOPE" "$builddir/libcuda.so.1" "$builddir/libcudart.so.11.0" "$builddir/libcudart.so.12" "$builddir/libcudart.so.13" "$builddir/libcublas.so.13" "$builddir/libctascope-divert.so"; do
	name=${f##*/}
	segments=$(readelf -lW "$f")
	dynamic=$(readelf -dW "$f")
	symbols=$(readelf --dyn-syms -W "$f")
	like "$name: the stack is not executable" "$segments" 'GNU_STACK.* RW +0x'
	is "$name: nothing is both written and run" "$(printf '%s\n' "$segments" | grep -c 'LOAD.* RWE ')" 0
	is "$name: the code has no places to patch" "$(printf '%s\n' "$dynamic" | grep -c TEXTREL)" 0
	is "$name: no folder of its own to find libraries in" "$(printf '%s\n' "$dynamic" | grep -cE 'R(UN)?PATH')" 0
	if has stack-protector; then
		like "$name: the stack is guarded" "$symbols" ' __stack_chk_fail(@|$)'
	fi
	if has fortify; then
		like "$name: string functions are checked" "$symbols" ' __(memcpy|snprintf|vsnprintf)_chk(@|$)'
	fi
	if has relro; then
		like "$name: the tables of the linker are read only" "$segments" 'GNU_RELRO'
		like "$name: and filled before it starts" "$dynamic" '\(FLAGS_1\).* NOW'
	fi
done
if has pie; then
	like "the program may lie anywhere" "$(readelf -hW "$CTASCOPE")" 'Type: +DYN'
fi
if has control-flow; then
	like "jumps land where they may" "$(readelf -nW "$CTASCOPE")" 'IBT.*SHSTK'
fi
done_testing
