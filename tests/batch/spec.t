#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# spec.t - sweep files: every mistake is one error with file, line, the text and a caret, before anything runs; and
# the shipped sweeps are without one.
. "${srcdir:-.}/tests/tap.sh"
cd "$tmp" || exit 99

bad() { # name, line, column of the caret (from 1), its length, message (a pattern)
	printf 'workload phase # two words\n%s\n' "$2" >bad.sweep
	"$CTASCOPE" sweep bad.sweep -o out.csv >out 2>err
	got=$?
	if [ $got -eq 2 ] && [ ! -e out.csv ] && [ "$(wc -l <err)" -eq 3 ] &&
		sed -n 1p err | grep -qE "^ctascope: bad\.sweep:2: .*$5" &&
		[ "$(sed -n 2p err)" = "    $2" ] &&
		[ "$(sed -n 3p err)" = "$(printf "%$((3 + $3))s^" '')$(printf "%$(($4 - 1))s" '' | tr ' ' '~')" ]; then
		pass "$1"
	else
		fail "$1"
		diag "status $got, wanted column $3, length $4, message $5"
		sed 's/^/#   /' err
	fi
}
bad "an unknown line" "colum gpu.ipc" 1 5 "expected workload, machine, policy, .* or case, found 'colum'"
bad "no name" "machine" 8 1 "expected a name after 'machine'"
bad "an unknown workload" "workload phase phse" 16 4 "no workload 'phse'; did you mean phase"
bad "a file without its folder" "workload phase.traceg" 10 12 "named with its folder, \./phase.traceg"
bad "a file that is not there" "workload ./nothing.ctr" 10 13 "cannot read '.*nothing.ctr'"
bad "an unknown type" "workload type M Q" 17 1 "type 'Q'; expected M, C or X"
bad "no type" "workload type" 14 1 "expected a name after 'type'"
bad "an unknown machine" "machine kay30 kayran30" 15 8 "no machine 'kayran30'; did you mean kayiran30"
bad "an unknown policy" "policy rr statc:n=1" 11 9 "unknown policy 'statc'; did you mean static"
bad "a bad stack" "policy dyncta+:pa=1" 15 1 "expected"
bad "an unknown parameter of a range" "policy static:m={1..3}" 8 15 "unknown option 'static.m'.*in static:m=1"
bad "a parameter out of range" "policy dyncta:period=1" 8 15 "1 is out of range, expected 16"
bad "an unknown warp scheduler" "warp-sched lrr lxx" 16 3 "unknown choice 'lxx'"
bad "a brace that is not closed" "policy static:n={1..3" 17 1 "expected '}'"
bad "one that closes nothing" "policy static:n=1}" 18 1 "before it"
bad "nested braces" "policy static:n={1,{2,3}}" 20 1 "do not nest"
bad "nothing between commas" "policy static:n={1,,3}" 20 1 "expected a value or a range"
bad "a range downwards" "vary l1d.mshr 64..16" 15 6 "a range goes up"
bad "a range of what is no number" "vary l1d.mshr 1..many" 15 7 "a range of whole numbers"
bad "a range without end" "policy static:n={1..99999999}" 18 11 "more than 10000 values"
bad "an unknown option" "set l1d.mshrs 16" 5 9 "unknown option 'l1d.mshrs'; did you mean l1d.mshr"
bad "no value" "set l1d.mshr" 13 1 "expected a value after 'l1d.mshr'"
bad "two values" "set l1d.mshr 16 32" 17 2 "'vary' takes several"
bad "a value out of range" "vary l1d.mshr 16 0" 18 1 "0 is out of range"
bad "options that go together, one value" "vary l1d.mshr,l1d.assoc 16,4 32" 30 2 "expected 2 values joined by commas, found 1"
bad "an option twice" "vary l1d.mshr,l1d.mshr 16,4" 15 8 "named twice"
bad "a warp scheduler as option" "set gpu.warp_sched gto" 5 14 "the line 'warp-sched NAME...'"
bad "a limit as option" "set run.max_cycles 5" 5 14 "the line 'limit cycles N'"
bad "a limit of nothing" "limit hours 5" 7 5 "expected cycles or seconds"
bad "a limit of 0" "limit cycles 0" 14 1 "expected a number of cycles, at least 1"
bad "an unknown column" "column gpu.cycles gpu.ipcc" 19 8 "unknown name 'gpu.ipcc'; did you mean gpu.ipc"
bad "a vector" "column core.*.n" 8 8 "vector of 30 values; use sum"
bad "an unknown name in an expression" "let rate = l1.misses / l1.acceses" 24 10 "unknown name 'l1.acceses'; did you mean l1.accesses"
bad "a let without an expression" "let rate =" 10 1 "expected an expression after '='"
bad "a let without =" "let rate l1.misses" 10 9 "expected let NAME = EXPRESSION"
bad "a column twice" "column gpu.ipc gpu.ipc" 16 7 "of this name exists already"
bad "a case without a name" "case" 5 1 "expected the name of the case"

status() { # wanted status, name, spec (as printf has it), message (a pattern)
	printf "$3" >bad.sweep
	"$CTASCOPE" sweep bad.sweep >out 2>err
	is "$2" "$?" "$1"
	like "$2: message" "$(cat err)" "$4"
}
status 2 "no workload" "policy rr\n" 'bad.sweep: no workload; expected a line'
status 2 "a case without workload" "case a\nworkload phase\ncase b\n" 'bad.sweep:3: case b has no workload'
status 2 "two cases of a name" "workload phase\ncase a\ncase a\n" 'bad.sweep:3: line 2 has a case of this name already'
status 2 "an option twice in a case" "workload phase\ncase a\nset l1d.mshr 8\nvary l1d.mshr 16\n" \
	'bad.sweep:4: already given in line 3'
status 2 "and one that the common part has too" \
	"workload phase\nset l1d.mshr 4\ncase a\nset l1d.mshr 8\nvary l1d.mshr 16\n" 'bad.sweep:5: already given in line 4'
status 2 "a bad value in place of a common one" "workload phase\nset l1d.mshr 4\ncase a\nset l1d.mshr 0\n" \
	'bad.sweep:4: .*out of range'
status 2 "half of what goes together" "workload phase\nvary l1d.mshr,l1d.assoc 8,2\ncase a\nset l1d.mshr 8\n" \
	'bad.sweep:4: varies together with another option in line 2'
status 2 "a limit in a case" "workload phase\ncase a\nlimit cycles 5\n" "bad.sweep:3: 'limit' applies to the whole sweep"
status 2 "too many runs" "workload phase\nvary core.lat_sp 1..200\nvary core.lat_int 1..200\nvary core.lat_sfu 1..200\n" \
	'makes more than 100000 runs'
status 2 "a zero byte" 'workload phase\npolicy \000rr\n' 'bad.sweep:2: expected text, found a zero byte'
printf 'workload phase\r\nset l1d.mshr 8\r\n' >crlf.sweep
is "line ends of other systems" "$("$CTASCOPE" sweep crlf.sweep --dry-run 2>/dev/null)" "1 phase kayiran30 rr lrr l1d.mshr=8"
mkdir sub
printf 'workload ./w.traceg\nmachine ./m.machine\ncolumn gpu.cycles\n' >sub/paths.sweep
cp "$srcdir/traces/hand.traceg" sub/w.traceg
echo 'set gpu.warp_sched gto' >sub/m.machine
"$CTASCOPE" sweep -q sub/paths.sweep >out
like "paths are seen from the file; the machine's warp scheduler is known" "$(sed -n 2p out)" \
	'^1,\./w\.traceg,\./m\.machine,rr,gto,ok,,[0-9]+$'

# A value that only some runs know; the next let of its name steps in.
printf 'workload ./sub/w.traceg\npolicy rr dyncta\ncolumn policy.dyncta.period\nlet p = policy.dyncta.period / 2\nlet p = 0 - 1\n' >some.sweep
is "a value that some runs do not have" "$("$CTASCOPE" sweep -q some.sweep | cut -d, -f4,8-)" "policy,policy.dyncta.period,p
rr,,-1
dyncta,2048,1024"

# A trace that cannot be read is a matter of its run.
head -c 200 sub/w.traceg >broken.traceg
printf 'workload ./broken.traceg ./sub/w.traceg\ncolumn gpu.cycles\n' >broken.sweep
"$CTASCOPE" sweep broken.sweep >out 2>err
is "a broken trace fails its run" "$?" 1
like "with the trace's own error" "$(sed -n 2p out)" '^1,\./broken\.traceg,kayiran30,rr,lrr,error,.*broken\.traceg'
like "and not the other" "$(sed -n 3p out)" '^2,\./sub/w\.traceg,kayiran30,rr,lrr,ok,,[0-9]+$'

# ---- the shipped ones
is "every line of the list is a whole sentence" "$("$CTASCOPE" sweep --list | grep -E '[:,;]$')" ""
for f in "$srcdir"/sweeps/*.sweep; do
	name=$(basename "$f" .sweep)
	if "$CTASCOPE" sweep "$name" --dry-run >out 2>err; then
		like "sweep $name" "$(cat err)" '^ctascope: [0-9]+ runs?$'
	elif [ ! -e "$builddir/traces/recorded" ]; then
		skip "sweep $name" "this build recorded no workloads"
	else
		fail "sweep $name"
		sed 's/^/# /' err
	fi
	like "$name is in the list" "$("$CTASCOPE" sweep --list)" "^$name "
done
done_testing
