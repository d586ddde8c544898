#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record.sh SRCDIR PROGRAM... - run in the build folder: records each workload, at its size short, into
# traces/short/NAME.ctr. As many at once as there are processors. A trace is made again only when its program,
# its kernels or the emulator have changed: NAME.key beside it holds the checksum of the three it was made from.
set -u
src=$1
shift
out=traces/short
mkdir -p $out || exit 1

record() { # program
	name=${1##*/}
	key=$(cat "$1" libcuda.so.1 "$src/traces/src/$name.ptx" | cksum) || return 1
	rm -f "traces/$name.ctr" "traces/$name.key" # where older builds kept it, and ctascope would find it
	if [ -f "$out/$name.ctr" ] && [ "$(cat "$out/$name.key" 2>/dev/null)" = "$key" ]; then
		return 0
	fi
	log=$out/$name.log
	if ./ctascope record -j 1 -o "$out/$name.ctr" -- "./$1" --size short --ptx-dir "$src/traces/src" >"$log" 2>&1; then
		rm -f "$log"
		echo "$key" >"$out/$name.key"
	else
		echo "record.sh: $name was not recorded:" >&2
		cat "$log" >&2
		rm -f "$log" "$out/$name.ctr"
		return 1
	fi
}

if [ "${1-}" = -- ]; then # one of the parallel ones
	record "$2"
	exit
fi
printf '%s\n' "$@" | xargs -P "$(nproc 2>/dev/null || echo 1)" -n 1 "$0" "$src" --
