#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# lookup.t - where files are looked for (man ctascope, SECURITY): never in the current folder by a name of a workload,
# machine, policy, theme or sweep, and never along LD_LIBRARY_PATH. The current folder is full of traps; where strace
# is, what is opened is looked at as well.
. "${srcdir:-.}/tests/tap.sh"
src=$(cd "$srcdir" && pwd)
here=$(cd "$builddir" && pwd)
mkdir "$tmp/traps" "$tmp/lib" "$tmp/home"
cp "$src/tests/small/small.machine" "$tmp/ok.machine"
"$here/tests/small/write_small" "$tmp/small.ctr" || exit 99
cd "$tmp/traps" || exit 99
for name in phase phase.ctr km km:short onac32 onac32.machine dyncta dyncta.so libdyncta.so claso lrr gto light light.theme \
	claso.sweep config history .ctascope .inputrc terminfo workloads libcuda.so.1 ../lib/libcuda.so.1 ../lib/dyncta.so; do
	echo 'a trap' >"$name"
done
run() { HOME=$tmp/home LD_LIBRARY_PATH=$tmp/lib timeout 60 "$CTASCOPE" "$@" 2>&1 </dev/null; }

like "a workload by its name" "$(run -b -n phase -e 'step 10' -e 'print gpu.cycles')" '^gpu.cycles = 10$'
like "a machine" "$(run -b -n -c onac32 phase -e 'print gpu.cycles')" '^gpu.cycles = 0$'
like "a policy, a warp scheduler" "$(run -b -n -p dyncta+claso -w gto phase -e 'print gpu.cycles')" '^gpu.cycles = 0$'
like "a policy that is none" "$(run -b -n -p nosuch phase -e 'print 1')" "nosuch"
like "a sweep" "$(run sweep claso --dry-run | tail -n 1)" 'claso14'
like "the traps are traps: with a slash it is the file" "$(run -b -n ./phase -e 'print 1')" 'a trap'
like "and any other word is one" "$(cp phase other; run -b -n other -e 'print 1')" 'a trap'
is "what is written stays where it was asked for" "$(run -b -n -c ../ok.machine ../small.ctr -e run -e 'dump csv stats ../stats.csv' >/dev/null
	ls "$tmp" | sort | tr '\n' ' ')" "home lib ok.machine small.ctr stats.csv traps "
is "and nothing in the home of a run without a prompt" "$(find "$tmp/home" -type f | wc -l | tr -d ' ')" 0

# Everything that is opened by a relative name, or in one of the two folders; the loader, which is the system's, aside.
opened() {
	HOME=$tmp/home LD_LIBRARY_PATH=$tmp/lib timeout 100 strace -f -qq -e trace=open,openat -o "$tmp/trace" "$CTASCOPE" "$@" \
		>/dev/null 2>&1 </dev/null
	grep -v ENOENT "$tmp/trace" | grep -E 'open(at)?\((AT_FDCWD, )?"([^/]|'"$tmp"'/(traps|lib)/)'
}
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	is "nothing there is opened" "$(opened -b -n -c onac32 -p dyncta+claso -w gto phase -e 'step 10' -e 'info gpu')" ""
	is "nor by a sweep" "$(opened sweep claso --dry-run)" ""
	like "a trap would be seen" "$(opened -b -n ./phase -e 'print 1')" '"./phase"'
else
	skip "nothing there is opened" "no strace here"
fi
done_testing
