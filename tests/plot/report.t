#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# report.t - pages of a run: from the run itself and from its tables; nothing from elsewhere, tags closed, the same
# numbers and pictures both ways; what is refused.
# shellcheck disable=SC2086 # $small is words
. "${srcdir:-.}/tests/tap.sh"
cd "$tmp" || exit 99
cp "$srcdir/tests/small/small.machine" .
"$builddir/tests/small/write_small" small.ctr || exit 99
small='-c small.machine -p dyncta+claso -o run.sample=128 -o run.events=65536 small.ctr'
m() { timeout 60 "$CTASCOPE" "$@" >out 2>err; }
m -n -b $small -e run -e 'report run.html' -e 'dump csv series s.csv' -e 'dump csv mem m.csv' -e 'dump csv stats n.csv' \
	-e 'dump csv events e.csv' -e 'dump csv decisions d.csv'
is "a page of a run" "$?-$(cat err)" "0-wrote the report to run.html"
m report s.csv m.csv n.csv e.csv -o tables.html
is "and of its tables" "$?-$(cat err)" "0-"
m report e.csv n.csv s.csv -t 'a <b> & "c"' -o less.html
is "in another order, without memory" "$?" 0
m report s.csv d.csv -o one.html
is "or series and decisions alone" "$?" 0

# Tags of a page that are opened and closed unequally often.
open_tags() {
	sed '/<style>/,/<\/style>/d' "$1" | tr '<' '\n' | sed -n 's/^\(\/\{0,1\}[a-z0-9]*\).*/\1/p' | "${AWK:-awk}" '
	{ n[$1]++ }
	END { for (t in n) if (t !~ /^\// && n[t] != n["/" t]) print t }' |
		grep -vxE 'meta|path|polyline|polygon' || :
}
for page in run tables less one; do
	is "$page.html: every tag is closed" "$(open_tags $page.html)" ""
	ok "$page.html: nothing comes from elsewhere" [ "$(grep -c '<script\|<link\|@import\|url(\|src=\|href=' $page.html)" = 0 ]
	is "$page.html: no address but the name of SVG" "$(grep -o 'http[^"]*' $page.html | sort -u)" "http://www.w3.org/2000/svg"
	is "$page.html: no number is none" "$(grep -cwi 'nan\|inf' $page.html)" 0
done
like "a window may be dark" "$(cat run.html)" "prefers-color-scheme:dark"
like "paper has its own rules" "$(cat run.html)" "@media print"

numbers() { sed -n 's|^<div><dt>\([^<]*\)</dt><dd>\([^ <]*\).*|\1 \2|p' "$1"; }
is "the same headline numbers both ways" "$(numbers tables.html)" "$(numbers run.html)"
stat() { sed -n "s/^$1,\([^,]*\),.*/\1/p" n.csv; }
is "the cycles are those of the run" "$(numbers run.html | sed -n 's/^cycles //p' | tr -d ,)" "$(stat gpu.cycles)"
is "so is IPC" "$(numbers one.html | sed -n 's/^IPC //p')" "$(printf '%.3g' "$(stat gpu.ipc)")"
is "RACT, too" "$(numbers one.html | sed -n 's/^RACT //p')" "$(printf '%.3g' "$(stat gpu.ract)")"
is "a mean over samples that are not all counted is not passed for mean n" "$(numbers one.html | grep -c 'mean n')" 0
is "a mean of rates is not passed for a rate" "$(numbers one.html | grep -c 'miss rate\|round trip')" 0
is "six pictures" "$(grep -c '^<figure>' run.html)" 6
strips() { grep -o '<path fill="#[0-9a-f]*" d="M[0-9 ]*h[^"]*"' "$1"; }
ok "strips are the same to the cell" [ "$(strips run.html | cksum)" = "$(strips tables.html | cksum)" ]
ok "of which there are some" [ "$(strips run.html | wc -l)" -gt 100 ]
rules() { sed -n '/<h2>Decisions/,/<\/table>/p' "$1" | grep '^<tr><td>\(pause\|limit\)<'; }
is "decisions are counted alike" "$(rules tables.html)" "$(rules run.html)"
is "as often as there are events" "$(rules run.html | sed -n 's|^<tr><td>pause</td><td>dyncta mem-high</td><td class="n">\([0-9,]*\)<.*|\1|p' | tr -d ,)" \
	"$(grep -c ',pause,.*,dyncta,mem-high,' e.csv)"
like "and told" "$(cat run.html)" '<td>[a-z-]*, core [0-9], cycle [0-9,]*: C_[a-z]* [0-9,]* &gt;= t_[a-z_]* '
like "a title is text" "$(cat less.html)" '<h1>a &lt;b&gt; &amp; &quot;c&quot;</h1>'

# ---- two runs on a page
m -n -b $small -p rr -e run -e 'dump csv series rr.csv' -e 'dump csv stats rrn.csv'
m report s.csv n.csv rr.csv rrn.csv -o two.html
is "two runs of tables" "$?-$(cat err)" "0-"
like "have both names" "$(cat two.html)" '<h1>s.csv and rr.csv</h1>'
is "every tag is closed" "$(open_tags two.html)" ""
is "each picture is there twice, but rr has no credits" "$(grep -c "<figcaption><b>s.csv" two.html)-$(grep -c "<figcaption><b>rr.csv" two.html)" "5-4"
pair() { sed -n "s|^<tr><td>$1</td>||p" two.html | sed 's|<[^>]*>| |g;s|,||g' | tr -s ' '; }
is "the cycles of both" "$(pair cycles | cut -d' ' -f2,3)" "$(stat gpu.cycles) $(sed -n 's/^gpu.cycles,\([^,]*\),.*/\1/p' rrn.csv)"
ticks() { grep -o 'cycles 0 to [0-9,]*' two.html | sort -u; }
is "all pictures have one time axis" "$(ticks | wc -l)" 1
m -n -b $small -e 'report s.csv rr.csv inside.html'
is "the same from inside, without a run" "$?-$(cat err)" "0-wrote the report to inside.html"
m -n -b $small -e 'step 900' -e 'fork a' -e 'set policy static:n=1' -e 'report main a branches.html'
is "two branches" "$?-$(cat err | tail -n 1)" "0-wrote the report to branches.html"
like "with their names" "$(cat branches.html)" '<h1>main and a of small</h1>'
like "and stacks" "$(cat branches.html)" '<p><b>a</b>: policy <code>static:n=1</code>'
like "from the first cycle on" "$(cat branches.html)" 'cycles 0 to'
m -n -b $small -e 'step 900' -e 'fork a' -e 'set policy static:n=1' -e continue -e 'dump csv stats a.csv'
like "to the end of the workload, not of the kernel" "$(sed 's/,//g' branches.html)" \
	"<tr><td>cycles</td>.*<td[^>]*>$(sed -n 's/^gpu.cycles,\([^,]*\),.*/\1/p' a.csv)<"
page=$(tr '\n' ' ' <branches.html)
like "pictures are named after their runs" "$page" '<title>main: .*<title>a: '
is "and the lists of decisions" "$(grep -cE '<h2>The last [0-9]+ of (main|a)<' branches.html)" \
	"$(grep -c '<h2>The last' branches.html)"
like "the first decision in which they differ" "$page" \
	'<h2>First decision that differs</h2>.*<p>Cycle [0-9,]*:.*<td>main</td><td>.*<td>a</td><td>'
m -n -b $small -e 'step 900' -e 'fork a' -e 'report main a same.html'
like "or that there is none" "$(cat same.html)" 'None: every decision is the same'
m -n -b $small -e 'step 900' -e 'fork a' -e 'report a nope x.html'
like "of a branch and a name that is none, the name is wrong" "$?-$(cat err)" "^1-.*no branch 'nope'"
m -n -b $small -e 'report a b c d.html'
like "more words are refused" "$?-$(cat err)" "^1-.*at most two branches"

refused() { # name, status, wanted text, arguments
	name=$1 wanted=$2 text=$3
	shift 3
	m report "$@"
	is "$name: status" "$?" "$wanted"
	like "$name: $(cat err)" "$(cat err)" "$text"
	ok "$name: no page" [ ! -e x.html ]
}
refused "a third run" 1 "'s.csv' would be a third run; two fit on a page" s.csv rr.csv s.csv -o x.html
refused "no table" 2 "report: expected tables and a page to write" -o x.html
refused "no page" 2 "report: expected tables and a page to write" s.csv
refused "an option without its argument" 2 "report: -o needs an argument" s.csv -o
refused "an unknown option" 2 "report: unknown option '--pdf'" s.csv --pdf -o x.html
refused "a file that is not there" 1 "cannot open 'none.csv'" none.csv -o x.html
refused "tables without series" 1 "expected at least one table of 'dump csv series'" n.csv m.csv -o x.html
printf 'a,b\n1,2\n' >other.csv
refused "another table" 1 "'other.csv' is not a table for a report: expected one of series" other.csv -o x.html
sed '5s/,[^,]*,/,x,/' s.csv >bad.csv
refused "a damaged one" 1 "bad.csv:5: expected a number, found 'x'" bad.csv -o x.html
refused "no folder" 1 "cannot write 'no/x.html'" s.csv -o no/x.html
m -n -b $small -e 'report x.html'
is "before the first sample" "$?-$(cat err)" "1-ctascope: report: no sample yet; run the model first"
echo '<!doctype html>old' >old.html # a page, which may be replaced
(trap '' XFSZ && ulimit -f 40 && m report s.csv -o old.html)
is "a full disk" "$?-$(sed "s|'.*/|'|" err)" "1-ctascope: cannot write 'old.html': File too large"
is "leaves the old page" "$(cat old.html)" "<!doctype html>old"
done_testing
