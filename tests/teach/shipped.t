#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shipped.t - every shipped lesson agrees with the model: its reference solutions are played.
#
# long: examples/ include/ lessons/ machines/ man/ctascope-lesson.5.in src/teach/ traces/src/
. "${srcdir:-.}/tests/tap.sh"
top=$(cd "$srcdir" && pwd) || exit 99
cd "$tmp" || exit 99
XDG_DATA_HOME=$tmp/data XDG_STATE_HOME=$tmp/state
export XDG_DATA_HOME XDG_STATE_HOME

# Headers and examples of this tree, as an installed ctascope.pc would name them.
mkdir pc
cat >pc/ctascope.pc <<P
examplesdir=$top/examples/policy
Name: ctascope
Description: of the source tree
Version: 0
Cflags: -I$top/include
P
PKG_CONFIG_PATH=$tmp/pc
export PKG_CONFIG_PATH
can_compile() { pkg-config --exists ctascope && command -v make && command -v cc; } >/dev/null 2>&1

for l in "$top"/lessons/*.lesson "$top"/lessons/*.present; do
	name=${l##*/}
	is "$name is called so" "$(sed -n 's/^lesson: *//p' "$l")" "${name%.*}"
	if grep -q 'pkg-config' "$l" && ! can_compile; then
		skip "$name" "its student compiles: no pkg-config, make or cc here"
	else
		ok "$name" timeout 600 "$CTASCOPE" lesson --check "$l"
	fi
done
is "every page has a text" "$(awk 'function check() { if (page && !text) print page }
	/^# / { check(); page = FILENAME ": " $0; text = 0; next }
	page && NF && !/^@/ && !/^  / { text = 1 }
	FNR == 1 { check(); page = "" }
	END { check() }' "$top"/lessons/*.lesson)" ""
is "no session shows the N that is asked for" "$(awk '/^@ask/ { reveal = 0 } /reveal: set/ { reveal = 1 }
	/answer: kernel.n_max/ && !reveal { print FILENAME ":" FNR }' "$top"/lessons/0[2-9]*.lesson "$top"/lessons/*.present)" ""
timeout 600 "$CTASCOPE" present -b -n lecture >lecture 2>&1
is "every command of the lecture works, and every value is known" \
	"$(grep -E 'failed|^ctascope: [^r]|(^|[ (])\?([ .,)]|$)' lecture | grep -v '^\[>\]\|^    ')" ""
sed -n '/^lesson: pause/,/^\.EE/p' "$top/man/ctascope-lesson.5.in" | sed 's/\\-/-/g; $d' >pause.lesson
ok "the example of the manual page is a lesson" timeout 600 "$CTASCOPE" lesson --check ./pause.lesson
done_testing
