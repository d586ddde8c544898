#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# doctor.t - ctascope doctor and --version: what is found and what to mend, without a terminal (doctor_pty.c has those).
. "${srcdir:-.}/tests/tap.sh"
cd "$tmp" || exit 99
mkdir bin home
doctor() { # VARIABLE=VALUE...
	env HOME="$tmp/home" XDG_CACHE_HOME="$tmp/home/cache" PATH="$tmp/bin" "$@" "$CTASCOPE" doctor </dev/null >out 2>err
	status=$?
}
part() { grep -A 1 "^$1 " out | sed '2{/^ /!d}'; }

doctor CUDA_HOME="$tmp"
is "no error: status" "$status $(tail -n 1 out)$(cat err)" "0 no errors"
like "without a terminal it says where to run it" "$(part terminal)" '^  *-> run ctascope doctor in the terminal'
like "the data" "$(part data)" "^data       ok     .*: [1-9][0-9]* machines, [1-9][0-9]* traces, [1-9][0-9]* themes$"
like "a cache that is not there yet" "$(part cache)" "^cache      (ok|note)   *$tmp/home/cache/ctascope, [0-9]+ MiB free$"
ok "which is not made" [ ! -e home/cache ]
printf '#!/bin/sh\n' >bin/clang
chmod +x bin/clang
doctor
like "a compiler on PATH" "$(part compiler)" "^compiler   ok     (.*, )?$tmp/bin/clang$"
doctor CTASCOPE_LIBDIR="$tmp" CTASCOPE_DATADIR="$srcdir"
is "status with a program that is elsewhere" "$status" 0

if "$CTASCOPE" --version | grep -q '^built in  recorder'; then
	mkdir lib
	for name in libcuda.so.1 libctascope-divert.so libcudart.so.11.0 libcudart.so.12 libcudart.so.13; do
		ln -s "$builddir/$name" "lib/$name"
	done
	doctor CTASCOPE_LIBDIR="$tmp/lib"
	like "all libraries of the recorder" "$status $(part recorder)" "^0 recorder   (ok|note) "
	for name in libctascope-divert.so libcudart.so.12; do
		rm "lib/$name"
		doctor CTASCOPE_LIBDIR="$tmp/lib"
		like "one that is missing" "$status $(part recorder)" "^1 recorder   error  $name is missing in $tmp/lib$"
		like "and what to mend" "$(part recorder)" "-> install ctascope again"
		ln -s "$builddir/$name" "lib/$name"
	done
fi

cp "$CTASCOPE" moved 2>/dev/null
if env -u CTASCOPE_DATADIR ./moved --version 2>/dev/null | grep -q '^data *none'; then
	env -u CTASCOPE_DATADIR ./moved doctor </dev/null >out
	is "no data: status" "$?" 1
	like "and what to mend" "$(part data)" 'set CTASCOPE_DATADIR to the folder that has machines/'
fi
: >file
doctor XDG_CACHE_HOME="$tmp/file"
[ "$(id -u)" = 0 ] || is "a cache that cannot be: status" "$status" 1
doctor XDG_CACHE_HOME= HOME=
is "no folder for a cache: status" "$status $(tail -n 1 out)" "1 1 error"
like "and what to mend" "$(part cache)" '-> set HOME or XDG_CACHE_HOME'
"$CTASCOPE" doctor now >out 2>err
is "an argument: status" "$? $(sed 1q err)" "2 ctascope: doctor: unexpected argument 'now'"

"$CTASCOPE" --version >out
is "--version begins with the number" "$(sed -n '1s/^ctascope [0-9][0-9.]*$/number/p' out)" number
id=$(sed 's/.*"\(.*\)"$/\1/' "$builddir/src/sim/build_id.def")
like "the model's id" "$(cat out)" "^model     $id "
like "the platform" "$(cat out)" '^platform  [^,]*, (64|32)-bit, (little|big)-endian$'
like "the compiler" "$(cat out)" '^compiler  .*[0-9]'
like "what is built in" "$(cat out)" '^built in  (no )?recorder, (no )?cairo, (no )?policies from files$'
is "the folder of the data" "$(sed -n 's/^data      //p' out)" "$(cd "$CTASCOPE_DATADIR" && pwd -P)"
done_testing
