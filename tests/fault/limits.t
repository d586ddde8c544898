#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# limits.t - little address space, few descriptors, no more processes, short files: the program says so or does its
# work, is ended by no signal, leaves no file but the one asked for, and that one is whole; files that are seen while
# they grow have whole lines, and a sweep is resumed. points.c does the same for every single allocation and writing.
. "${srcdir:-.}/tests/tap.sh"
m=$CTASCOPE
cd "$tmp" || exit 99
cp "$srcdir/tests/small/small.machine" .
"$builddir/tests/small/write_small" small.ctr || exit 99
printf 'workload ./small.ctr\nmachine ./small.machine\nvary run.events 1024 2048\ncolumn gpu.cycles\n' >tiny.sweep
small='-n -b -c small.machine small.ctr'
if grep -q __asan_init "$m"; then
	skip_all "sanitizers want all of the address space"
fi

# $1 name, $2 file: what is wrong with status $rc, the file and what was said; nothing is well
judge() {
	[ "$rc" -lt 124 ] || echo "status $rc"
	[ "$rc" = 0 ] || [ -s err ] || echo "status $rc without a word"
	case $1 in
	run) ;;
	cast) # the seconds in it differ
		if [ "$rc" = 0 ]; then
			tail -n 1 "$2" | grep -q '^\[.*"\]$' || echo "status 0, but the file is not whole"
		else
			[ "$(cat "$2")" = old ] || echo "a part of a recording is left"
		fi
		;;
	*)
		if [ "$rc" = 0 ]; then
			cmp -s "$2" "good.$1" || echo "status 0, but the file is not whole"
		elif [ -e "$2" ]; then
			case $1 in
			sweep) [ -z "$(tail -c 1 "$2" | tr -d '\n')" ] || echo "a row breaks off" ;;
			log | events)
				[ -z "$(tail -c 1 "$2" | tr -d '\n')" ] || echo "a row breaks off"
				head -c "$(wc -c <"$2")" "good.$1" | cmp -s - "$2" || echo "rows are missing within"
				;;
			*) [ "$(cat "$2")" = old ] || cmp -s "$2" "good.$1" || echo "the file is neither old nor new" ;;
			esac
		fi
		;;
	esac
	ls | grep -vE '^(small\..*|(tiny|more)\.sweep|out|err|new\..*|good\..*)$'
}
# shellcheck disable=SC2086 # $small is words
go() { # name, file
	case $1 in
	run) "$m" $small -e run -e 'info stats' ;;
	dump) "$m" $small -e 'step 3000' -e "dump csv series $2 --force" ;;
	convert) "$m" convert --force small.ctr "$2" ;;
	sweep) "$m" sweep tiny.sweep -q -f -j 2 -o "$2" ;;
	log) "$m" $small -e "log on $2 --force" -e 'step 900' -e 'info cores' -e 'info events 60' -e 'log off' ;;
	events) "$m" $small -e "log events $2 --force" -e run -e 'log events off' ;;
	cast) "$m" $small -e "record session $2 --force" -e 'info events 9' -e 'info stats' -e 'record session off' ;;
	save) "$m" $small -e 'step 900' -e "save $2" ;;
	plot) "$m" $small -e 'step 900' -e "plot gpu.ipc $2 --force" ;;
	report) "$m" $small -e 'step 900' -e "report $2 --force" ;;
	esac
}
rows='run:none dump:new.csv convert:new.ctr sweep:new.csv'
out=out
# limit of ulimit, values...
try() {
	limit=$1
	shift
	bad=
	failed=0
	for value in "$@"; do
		for row in $rows; do
			name=${row%:*} file=${row#*:}
			rm -f new.*
			[ "$name" = run ] || echo old >"$file"
			(ulimit "$limit" "$value" && go "$name" "$file") >"$out" 2>err </dev/null
			rc=$?
			grep -q 'loading shared libraries' err && continue # it has not begun
			why=$(judge "$name" "$file")
			[ "$rc" = 0 ] || failed=$((failed + 1))
			[ -z "$why" ] || bad="$bad$name with $value: $why ($(sed 1q err)). "
		done
	done
}
for name in dump sweep events save; do go $name good.$name >/dev/null 2>&1 || exit 99; done
go log new.log >/dev/null && mv new.log good.log || exit 99 # the name is in it
for row in plot:svg report:html; do # the ending says what kind of file it is
	go "${row%:*}" "good.${row#*:}" >/dev/null 2>&1 && mv "good.${row#*:}" "good.${row%:*}" || exit 99
done
go convert good.ctr >/dev/null && mv good.ctr good.convert || exit 99

try -v 8000 12000 16000 20000 30000 40000 60000 80000 120000 160000 200000 300000 400000
is "little address space" "$bad" ""
ok "which is too little for some" [ "$failed" -gt 0 ]
try -n 3 4 5 6 7 8 9 10 12 16
is "few descriptors" "$bad" ""
ok "which are too few for some" [ "$failed" -gt 0 ]
if [ "$(id -u)" = 0 ]; then
	skip "no more processes" "root may have as many as it wants"
else
	try -u 0 1
	is "no more processes" "$bad" ""
fi

rows='dump:new.csv convert:new.ctr sweep:new.csv log:new.log events:new.csv cast:new.cast save:new.state plot:new.svg
	report:new.html'
out=/dev/null # else it is one of the short files
try -f 1 3 8 60 1000
is "short files" "$bad" ""
ok "which are too short for some" [ "$failed" -gt 10 ]
sed 's/^vary.*/vary dyncta.t_mem_l 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20/' tiny.sweep >more.sweep
"$m" sweep more.sweep -q -j 1 -o good.more
(ulimit -f 1 && "$m" sweep more.sweep -q -j 2 -f -o new.csv) >/dev/null 2>&1
is "a sweep that a full disk ended" "$?" 1
ok "has some of its rows" [ "$(wc -l <new.csv)" -gt 1 ]
ok "and not all" [ "$(wc -l <new.csv)" -lt "$(wc -l <good.more)" ]
"$m" sweep more.sweep -q -j 2 --resume -o new.csv >/dev/null
is "goes on where it was" "$(cat new.csv)" "$(cat good.more)"
done_testing
