#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.t - results/run-sweeps with a program that only notes its arguments: what is kept, what is run anew, when it ends.
. "${srcdir:-.}/tests/tap.sh"
unset JOBS
mkdir -p "$tmp/b/traces/short" "$tmp/sweeps" && cd "$tmp/b" || exit 99
cat >program <<'END'
#!/bin/sh
echo "$@" >>log
exit "${STATUS:-0}"
END
chmod +x program
echo a >../sweeps/a.sweep
echo b >../sweeps/b.sweep
sweeps() { # STATUS NAME...: "status; the program's calls"
	: >log
	STATUS=$1
	export STATUS
	shift
	sh "$srcdir/results/run-sweeps" program ../sweeps out "$@" 2>err
	echo "$?; $(sed 's/.*out.//; s/\.csv.*//' log | tr '\n' ' ')"
}
is "runs all" "$(sweeps 0 a b)" "0; a b "
is "says when they were through" "$(cat out/a.date out/b.date | grep -c '^20[0-9][0-9]-[01][0-9]-[0-3][0-9]$')" 2
is "goes on with its tables" "$(sed -n 1p log)" "sweep --resume -o out/a.csv ../sweeps/a.sweep"
echo old >out/a.csv
echo old >out/b.csv
echo 2020-01-01 >out/a.date
is "runs them again" "$(sweeps 0 a b)" "0; a b "
is "and keeps what they had" "$(cat out/a.csv out/b.csv out/a.date)" "old
old
2020-01-01"
echo more >>../sweeps/a.sweep
is "another sweep" "$(sweeps 0 a b)" "0; a b "
is "begins its table anew, not the others" "$(ls out/*.csv)" "out/b.csv"
is "and its day" "$(grep -c 2020 out/a.date)" 0
echo traces >traces/short/w.ctr
is "other traces" "$(sweeps 0 a b)" "0; a b "
is "begin all anew" "$(ls out)" "a.date
a.key
b.date
b.key"
echo old >out/a.csv
echo '# another program' >>program
is "another program" "$(sweeps 0 a)" "0; a "
is "begins anew too" "$(ls out)" "a.date
a.key
b.date
b.key"
is "a failed run does not keep the others from being run" "$(sweeps 1 a b)" "1; a b "
rm out/a.date
is "one that was stopped ends it" "$(sweeps 130 a b)" "130; a "
is "and has no day" "$(ls out/a.date 2>&1 | grep -c '^out')" 0
is "no such sweep: status" "$(sweeps 0 a c b)" "1; a "
like "no such sweep: message" "$(cat err)" 'run-sweeps: no file ../sweeps/c.sweep'
JOBS=3
export JOBS
sweeps 0 a >status
is "so many at a time" "$(cat log)" "sweep --resume -j 3 -o out/a.csv ../sweeps/a.sweep"
done_testing
