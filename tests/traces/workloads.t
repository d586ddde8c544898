#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# workloads.t - every workload computes on the emulator what its CPU check computes, at the small size; a
# wrong answer is noticed; traces are the same everywhere and run under the timing model.
. "${srcdir:-.}/tests/tap.sh"
src=$srcdir/traces/src
work=$builddir/traces/src
LD_LIBRARY_PATH=$builddir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH

is "there are the 31 applications of Kayiran et al., Table 2" "$(grep -c '^WORKLOAD(' "$src/workloads.def")" 31
names=$(sed -n 's/^WORKLOAD2\{0,1\}(\([a-z0-9]*\),.*/\1/p' "$src/workloads.def")
is "every program has a row" "$(echo "$names" | sort)" "$(cd "$src" && ls ./*.cu | sed 's,^\./,,;s,\.cu$,,' | sort)"
for name in $names; do
	out=$("$work/$name" --size small --ptx-dir "$src" 2>&1)
	status=$?
	is "$name: status" "$status" 0
	like "$name: the result is that of the CPU" "$out" "^$name: ok, max error"
done

# Who has a size that a paper prints: what the program asks for, and what the list says.
is "every size of a paper has its row" "$(sed -n 's/^PAPER_SIZE(\([a-z0-9]*\), \([a-z]*\),.*/\1 \2/p' "$src/workloads.def")" \
	"$(cd "$src" && grep -oE 'WORK_(TCS|ONAC|CLASO)\]' ./*.c | sed 's,^\./,,; s/\.c:WORK_/ /; s/\]//' |
		tr '[:upper:]' '[:lower:]' | sort -u)"

# The check can fail: another kernel under the same name.
mkdir "$tmp/ptx"
sed 's/add\.s32/sub.s32/' "$src/bfs.ptx" >"$tmp/ptx/bfs.ptx"
out=$("$work/bfs" --size small --ptx-dir "$tmp/ptx" 2>&1)
is "a wrong kernel: status" "$?" 1
like "a wrong kernel: what differs" "$out" '^bfs: '

unset LD_LIBRARY_PATH
# The trace is the same whatever the compiler and the processor: integers, floats, approximations, branches,
# textures. A change of the emulator's results or of inst.def changes these numbers on purpose.
while read -r name digest; do
	"$CTASCOPE" record -o "$tmp/$name.ctr" -- "$work/$name" --size small --ptx-dir "$src" \
		>"$tmp/out" 2>"$tmp/err"
	is "$name is recorded" "$?" 0
	ok "$name: the trace is sound" "$CTASCOPE" trace check "$tmp/$name.ctr"
	is "$name: the trace is the one it always is" \
		"$("$CTASCOPE" trace info "$tmp/$name.ctr" | sed -n 's/^digest //p')" "$digest"
done <<'END'
bfs a87a341960077f9e
cvt1 a25d1c279102deef
lib f58950f776d00f5e
ray eabc6ba2b976f4d4
scp 1569c3891579f329
END
like "bfs runs under dyncta+claso" \
	"$("$CTASCOPE" -n -b -p dyncta+claso "$tmp/bfs.ctr" -e run 2>&1)" '^done: cycle'

# The list says what the rows say, where the build has recorded them.
if [ -e "$builddir/traces/recorded" ]; then
	sed -n 's/^WORKLOAD(\([a-z0-9]*\), "\([^"]*\)", \([A-Z]\), \([0-9]*\),.*/\1 \2 \3 \4/p' \
		"$src/workloads.def" | sort >"$tmp/rows"
	"$CTASCOPE" --list-traces | awk '$1 ~ /:short$/ { sub(/:.*/, "", $1); print $1, $2, $3, $7 }' |
		sort >"$tmp/list"
	ok "every application of set 1 is recorded" test "$(wc -l <"$tmp/rows")" -ge 31
	is "--list-traces: suite, type and N of each" "$(cat "$tmp/list")" "$(cat "$tmp/rows")"
else
	skip "--list-traces" "this build records no workloads"
fi
done_testing
