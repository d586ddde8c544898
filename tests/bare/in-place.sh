#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# in-place.sh - what packagers do: configure, make, make and make install in the source folder. The second make and
# the installation build, link and record nothing, and the model has the id of a build out of place.
#
#     tests/bare/in-place.sh        builds what is committed, in a folder of its own (400 MB; TMPDIR, JOBS, CC)
#
# The last line sums up; status 77 means that the tree is no git clone.
# long: tests/bare/in-place.sh Makefile.am src/sim/build-id.sh traces/module.am
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
JOBS=${JOBS:-2}
# shellcheck source=tests/bare/verdict.sh
. "$top/tests/bare/verdict.sh"
make_work place
mkdir "$work/tree"
if ! git -c safe.directory="$top" -C "$top" archive HEAD 2>/dev/null | tar -xf - -C "$work/tree" 2>/dev/null; then
	echo "in-place: skipped: no git clone in $top" >&2
	exit 77
fi
cd "$work/tree" || exit 1

run() { # name, command...: its output is shown if it fails
	name=$1
	shift
	verdict "$name" sh -c '"$@" >"$0" 2>&1 || { tail -n 30 "$0"; exit 1; }' "$work/log" "$@"
}
# What a command makes: what is linked or generated, and what is newer than the file "then".
makes_nothing() {
	! grep -E '^ +(CC|CCLD|AR|GEN)|-o ctascope ' "$work/log" &&
		[ -z "$(find ctascope traces/recorded traces/short src/sim/build_id.def -newer "$work/then" -print)" ]
}

run configure sh -c "autoreconf -fi && ./configure --disable-lto ${CC:+CC='$CC'}"
run "make in place" make -j"$JOBS"
is_of_a_fresh_tree() { git -c safe.directory="$top" -C "$top" archive HEAD src include | tar -xf - -C "$work/fresh" &&
	sh "$work/fresh/src/sim/build-id.sh" "$work/fresh" | cmp - src/sim/build_id.def; }
mkdir "$work/fresh"
verdict "the id of a fresh tree" is_of_a_fresh_tree
touch "$work/then"
run "make again" make
verdict "which makes nothing" makes_nothing
run "make install" make install DESTDIR="$work/root"
verdict "which makes nothing either" makes_nothing
verdict "the installed program runs" sh -c '"$0/root/usr/local/bin/ctascope" --version' "$work"
sum_up
