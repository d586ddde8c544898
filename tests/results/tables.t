#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tables.t - results/make-tables on tables small enough to reckon by hand. The point is what is not there: a run that
# was not made, one that failed and a value that nobody knows are words, never numbers, and never count in a mean.
. "${srcdir:-.}/tests/tap.sh"
make_tables=$srcdir/results/make-tables
src=$tmp/source
mkdir "$src" "$tmp/csv"

cat >"$src/workloads.def" <<'END'
WORKLOAD(a1, "S", M, 4, "one, with a comma")
WORKLOAD(b2, "S", M, 2, "two")
WORKLOAD(c3, "S", C, 8, "three")
WORKLOAD(d4, "S", X, 3, "four")
WORKLOAD2(e5, "T", M, 7, "five")
END
cat >"$src/paper.csv" <<'END'
paper,section,policy,baseline,machine,application,metric,unit,value,note
p,1,fast,rr,m,mean,ipc,%,50,
p,1,fast,rr,m,geomean,ipc,x,1.4,
p,1,fast,rr,m,a1,ipc,x less,2,
p,2,fast,rr,m,count>1.5,ipc,applications,2,"two, he says ""two"""
p,2,fast,rr,m,zz,ipc,%,-2.5,
p,3,fast,rr,m,mean:G,ipc,%,10,
q,9,fast,rr,m,mean,ipc,%,40,
p,4,fast,,m,mean,share,share,0.25,
END
cat >"$src/tables.txt" <<'END'
let ipc = insts / cycles
let share = (part - 1) / (2 * part)
let n = point.n ?? workload.n ?? nowhere
let cores = point.cores ?? workload.n
let all_cores = insts / cycles
page one: The first page
table ipc: Speed
	paper p q
	machine m
	all
	group G: a1 d4
	base rr: sweep=s policy=rr
	col fast: ipc ratio; sweep=s policy=fast
	col fast: share value; sweep=s policy=fast
	note About it.
page two: The second page
table best: Search
	machine m
	base rr: sweep=s policy=rr
	col opt: n value; sweep=s|t policy=rr|static:n=1|static:n=2|static:n=3 pick=max:ipc:n need=workload.n
	col few: n value; sweep=s|t policy=rr|static:n=1|static:n=2|static:n=3 pick=first:ipc:n:0.9
	col slow: n value; sweep=s|t policy=rr|static:n=1|static:n=2|static:n=3 pick=min:ipc:n
	col opt: ipc change; sweep=s|t policy=rr|static:n=1|static:n=2|static:n=3 pick=max:ipc:n
	col all: cores value; sweep=s policy=rr
	col two: cores value; sweep=t policy=static:n=1+cores:n=2
	col twice: ipc change; sweep=s policy=fast; sweep=s policy=rr; sweep=s policy=fast
page three: The third page
table sized: With sizes
	machine m
	size big
	apps a1 b2 e5
	base rr: sweep=u policy=rr
	col quick: ipc ratio; sweep=u policy=fast
	col base: n value; sweep=u policy=rr
table kinds: Memory alone
	machine m
	type M
	means
	base rr: sweep=u policy=rr
	col quick: ipc ratio; sweep=u policy=fast
	col base: ipc value; sweep=u policy=rr
	col quick: ipc value; sweep=u policy=fast
END
echo '## ipc

Because.' >"$src/reasons.md"
# a1 is twice as fast, b2 four times; c3 failed; of d4 the instructions are unknown.
cat >"$tmp/csv/s.csv" <<'END'
run,workload,machine,policy,warp_sched,status,error,insts,cycles,part
1,a1,m,rr,lrr,ok,,1000,100,4
2,a1,m,fast,lrr,ok,,1000,50,5
3,b2,m,rr,lrr,ok,,1000,400,4
4,b2,m,fast,lrr,ok,,1000,100,0
5,c3,m,rr,lrr,ok,,1000,100,4
6,c3,m,fast,lrr,deadlock,"nobody, ""really
nobody""",,,
7,d4,m,rr,lrr,ok,,,100,4
8,d4,m,fast,lrr,ok,,1000,50,
END
cat >"$tmp/csv/t.csv" <<'END'
run,workload,machine,policy,warp_sched,status,error,insts,cycles
1,a1,m,static:n=1,lrr,ok,,1000,80
2,a1,m,static:n=2,lrr,ok,,1000,80
3,a1,m,static:n=3,lrr,ok,,1000,99
4,b2,m,static:n=1,lrr,error,no such thing,,
5,c3,m,static:n=1,lrr,ok,,1000,200
6,c3,m,static:n=1+cores:n=2,lrr,ok,,1000,200
END
cat >"$tmp/csv/u.csv" <<'END'
run,workload,machine,policy,warp_sched,status,error,insts,cycles
1,a1:big,m,rr,lrr,ok,,1000,100
2,a1:big,m,fast,lrr,ok,,1000,25
3,a1,m,rr,lrr,ok,,1000,100
4,a1,m,fast,lrr,ok,,1000,50
5,b2,m,rr,lrr,ok,,1000,100
6,b2,m,fast,lrr,cut,at cycle 20,1000,20
7,e5:big,m,rr,lrr,ok,,1000,100
8,e5:big,m,fast,lrr,ok,,1000,10
END
echo 2026-11-22 >"$tmp/csv/u.date"
tables() { # CSV...
	"$make_tables" -s "$src" -w "$src/workloads.def" -o "$tmp/out" "$@" 2>&1
}
cell() { # column metric application: what tables.csv says
	awk -F, -v c="$1" -v m="$2" -v a="$3" '$2 == c && $3 == m && $5 == a { print $6 "|" $7 "|" $8 }' "$tmp/out/tables.csv"
}
line() { # page, start of the line
	grep "^| $2 |" "$tmp/out/$1.md" | head -n 1
}

is "all goes well" "$(tables "$tmp/csv/s.csv" "$tmp/csv/t.csv")" ""
is "a number beside the paper's" "$(cell fast ipc a1)" "2|ok|0.5"
is "what failed is no number" "$(cell fast ipc c3)" "|failed|"
is "an unknown value is no number" "$(cell fast ipc d4)" "|unknown|"
is "a quotient by zero is unknown" "$(cell fast share b2)" "|unknown|"
is "the mean is one of those that are known" "$(cell fast ipc mean)" "3|2 of 4|1.5"
is "the geometric mean too" "$(cell fast ipc geomean)" "2.82843|2 of 4|1.4"
is "a count" "$(cell fast ipc 'count>1.5')" "2|2 of 4|2"
is "a group" "$(cell fast ipc mean:G)" "2|1 of 2|1.1"
is "the page says so in words" "$(line one c3)" "| c3 | C | failed |  | failed |  |"
like "means say of how many they are" "$(grep '^| mean |' "$tmp/out/one.md")" '3.00 \(2 of 4\) \| 1.50 \| 0.40 \(1 of 4\)'
like "an application that is not here" "$(cat "$tmp/out/one.md")" '^\| zz \(not here\) \| \| \| 0.97'
like "note and reason" "$(tr '\n' ' ' <"$tmp/out/one.md")" 'About it.  ### Why  Because.'
is "both papers head the first page" "$(grep -c 'fast against rr | ipc | mean |' "$tmp/out/headlines.md")" 2
like "a remark keeps its quotes" "$(cat "$tmp/out/headlines.md")" 'two, he says "two" \|$'

is "the best of a search, of equals the smallest" "$(cell opt n a1)" "1|ok|"
is "a search with a failed run has no best" "$(cell opt n b2)" "|failed|"
is "one that is not complete has none" "$(cell opt n c3)" "|not run|"
is "the first that is good enough" "$(cell few n a1)" "1|ok|"
is "the first leaves out what is not" "$(cell few n c3)" "8|ok|"
is "the least" "$(cell slow n a1)" "4|ok|"
is "rr has all cores" "$(cell all cores a1)" "10|ok|"
is "cores:n=K has K, in a stack too" "$(cell two cores c3)" "2|ok|"
is "a quotient of quotients" "$(cell twice ipc a1)" "4|ok|"

is "with sizes" "$(tables "$tmp/csv/s.csv" "$tmp/csv/t.csv" "$tmp/csv/u.csv")" ""
is "the size of the table" "$(awk -F, '$1 == "sized" && $5 == "a1" { print $6 }' "$tmp/out/tables.csv" | tr '\n' ' ')" "4 4 "
is "where an application has none of that size, the one without" "$(line three b2)" "| b2 | M | 5.00 | 2.00 |"
is "one of the second set, when it is named" "$(line three e5)" "| e5 | M | 10.00 | 7.00 |"
is "else it is no row" "$(grep -c e5 "$tmp/out/one.md")" 0
like "which day and which sizes" "$(cat "$tmp/out/three.md")" '^Measured: u 2026-11-22, size big and default\.$'
like "no day yet" "$(cat "$tmp/out/two.md")" '^Measured: s under way, size default; t under way, size default\.$'
is "a row for each name, means over a type" "$(sed -n '/^## Memory alone/,$p' "$tmp/out/three.md" | grep '^|')" \
	"| | ipc / rr | ipc |
|---|--:|--:|
| quick | 3.50 | 35.00 |
| base |  | 10.00 |"
is "as numbers too" "$(awk -F, '$1 == "kinds" { print $2, $5, $6, $7 }' "$tmp/out/tables.csv" | head -n 1)" "quick mean 3.5 2 of 2"

is "no table: not run" "$(tables "$tmp/csv/t.csv"; cell fast ipc a1)" "|not run|0.5"
is "the mean of nothing is no number" "$(cell fast ipc mean)" "|not run|1.5"
sed 's/,ok,/,error,/' "$tmp/csv/s.csv" >"$tmp/failed.csv"
mv "$tmp/csv/s.csv" "$tmp/s.csv"
mv "$tmp/failed.csv" "$tmp/csv/s.csv"
tables "$tmp/csv/s.csv"
is "all failed" "$(cell fast ipc mean)" "|failed|1.5"
sed '/,a1,/d' "$tmp/csv/s.csv" >"$tmp/failed.csv"
mv "$tmp/failed.csv" "$tmp/csv/s.csv"
tables "$tmp/csv/s.csv"
is "some failed, one not run" "$(cell fast ipc mean)" "|none|1.5"
mv "$tmp/s.csv" "$tmp/csv/s.csv"

# Mistakes: one message, status 1.
wrong() { # what, pattern; the folder has been changed
	out=$(tables "$tmp/csv/s.csv" "$tmp/csv/t.csv")
	is "$1: status" "$?" 1
	like "$1" "$out" "$2"
	is "$1: the tables stay what they were" "$(cat "$tmp/out/tables.csv" "$tmp/out/headlines.md" | cksum; ls -A "$tmp/out")" \
		"$before"
	is "$1: one line" "$(printf '%s\n' "$out" | wc -l | tr -d ' ')" 1
}
keep() { cp "$src/tables.txt" "$tmp/tables.txt"; cp "$src/paper.csv" "$tmp/paper.csv"; }
back() { cp "$tmp/tables.txt" "$src/tables.txt"; cp "$tmp/paper.csv" "$src/paper.csv"; }
before=$(cat "$tmp/out/tables.csv" "$tmp/out/headlines.md" | cksum; ls -A "$tmp/out")
keep
sed -i.bak 's/policy=fast/policy=*/' "$src/tables.txt"
wrong "a selection that leaves two points" "leaves 2 points of a1"
back
sed -i.bak 's/let ipc = insts/let ipc = instz/' "$src/tables.txt"
wrong "a column that is not there" "no column 'instz' in .*s.csv"
back
sed -i.bak 's/sweep=s policy=fast/sweep=s polizy=fast/' "$src/tables.txt"
wrong "a key that is not there" "no column 'polizy' in .*s.csv"
back
echo "p,5,slow,rr,m,mean,ipc,%,1," >>"$src/paper.csv"
wrong "a figure that no table shows" "no table shows the figure 'p slow rr m ipc mean'"
back
sed -i.bak 's/,50,$/,fifty,/' "$src/paper.csv"
wrong "a figure that is none" "paper.csv:2: 'fifty' is not a number"
back
printf '"open\n' >>"$tmp/csv/t.csv"
wrong "a quote that is not closed" "t.csv:8: a quote is not closed"
sed -i.bak '$d' "$tmp/csv/t.csv"
echo "let ipc = ipc" >>"$src/tables.txt"
echo "table x: X
machine m
col x: ipc value; sweep=s policy=rr" >>"$src/tables.txt"
wrong "a value made of itself" "'ipc' is made of itself"
back

# What is shipped: every figure of the papers has its place, with nothing run and no sweep made.
out=$("$make_tables" -o "$tmp/shipped" 2>&1)
is "the shipped tables" "$out" ""
is "no number comes from nowhere" "$(grep -E ',(ok|[0-9]+ of [0-9]+),' "$tmp/shipped/tables.csv")" ""
is "there are cells in them" "$(grep -c ',not run,' "$tmp/shipped/tables.csv" | grep -c '...')" 1
done_testing
