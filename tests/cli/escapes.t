#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# escapes.t - names in inputs that hold escape sequences, line ends and broken characters: no terminal gets them.
. "${srcdir:-.}/tests/tap.sh"
m=$CTASCOPE
cd "$tmp" || exit 99
esc=$(printf '\033')
evil="red${esc}[31mName$(printf '\302\233\377\007')"
mkdir t
printf 'kernel-1.traceg\n' >t/kernelslist.g
cat >t/kernel-1.traceg <<X
-kernel name = $evil
-kernel id = 1
-grid dim = (1,1,1)
-block dim = (40,1,1)
-shmem = 0
-nregs = 16
-binary version = 70
-accelsim tracer version = 4
-enable lineinfo = 0

#BEGIN_TB

thread block = 0,0,0

warp = 0
insts = 2
0010 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 4 0
0020 ffffffff 0 EXIT 0 0 0

warp = 1
insts = 1
0020 000000ff 0 EXIT 0 0 0

#END_TB
X
"$m" convert t/kernelslist.g evil.ctr >out 2>&1
"$m" convert t/kernelslist.g "e${esc}[1m.ctr" >>out 2>&1

bad() { # how many bytes of what a terminal takes for orders are in out
	LC_ALL=C tr -cd '\000-\010\013-\037\177\200-\237\377' <out | wc -c | tr -d ' '
}
clean() { # name, command...
	name=$1
	shift
	"$@" >out 2>&1 </dev/null
	is "$name: no orders for a terminal" "$(bad)" 0
	like "$name: but what stood there" "$(cat out)" '\\x1b\['
}

clean "trace info" "$m" trace info evil.ctr
clean "trace check" "$m" trace check evil.ctr
clean "info kernel" "$m" -n -b evil.ctr -e run -e 'info kernel'
clean "info gpu" "$m" -n -b evil.ctr -e 'step 5' -e 'info kernel' -e 'info gpu'
clean "a file" "$m" trace info "e${esc}[1m.ctr"
clean "an error about a file" "$m" -n -b "none${esc}[1m.ctr"
clean "an error in a script" "$m" -n -b -e "print ${esc}[1m"
clean "an unknown command" "$m" -n -b -e "${esc}[1mfoo"
clean "echo" "$m" -n -b -e "echo ${esc}[1m"
printf 'print 1 %s[2J\n' "$esc" >"s${esc}[5m"
clean "the place of an error" "$m" -n -b -x "s${esc}[5m"
clean "the log file" sh -c "'$m' -n -b evil.ctr -e 'log on log' -e run -e 'info kernel'; cat log"
mkdir -p data/ctascope/traces
cp evil.ctr "data/ctascope/traces/x${esc}[1m.ctr"
clean "the list of workloads" env XDG_DATA_HOME="$tmp/data" "$m" --list-workloads
clean "the list of traces" env XDG_DATA_HOME="$tmp/data" "$m" --list-traces

# A line end in a name begins no line of its own.
is "one message, one line" "$("$m" -n -b "no
such.ctr" 2>&1 | grep -c .)" 1
done_testing
