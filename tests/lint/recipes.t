#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# recipes.t - the recipes that CONTRIBUTING.md lists, each followed to the letter in a copy of the tree: how many
# files it touches, and that the program built from all of them knows what was added.
#
# long: include/ src/cta/module.am src/cta/cta.h src/wsched/module.am src/wsched/wsched.h src/core/core.def
# long: src/core/counters.def src/core/slots.c src/decl/ src/sim/module.am src/sim/parts src/sim/view
# long: src/session/cmd_look.c src/session/command src/tui/module.am src/tui/pane_ract.c src/tui/panes
. "${srcdir:-.}/tests/tap.sh"

if [ "${FAST:-}" = 1 ] || ! command -v autoreconf >/dev/null 2>&1; then
	skip "recipes" "slow, and FAST=1, or there is no autoreconf"
	done_testing
	exit 0
fi

tree=$tmp/tree
mkdir "$tree"
# A copy without build folders and objects; build-aux is no build folder.
(cd "$srcdir" && tar cf - --exclude=./build --exclude='./build-[!a]*' --exclude=./.git --exclude=./autom4te.cache \
	--exclude='*.o' --exclude='*.a' .) | (cd "$tree" && tar xf -)
chmod -R u+w "$tree"
cd "$tree" || exit 99

# Puts text in front of the first line of a file that matches, or at the end of a list.
before_line() { # file, pattern, text
	awk -v pattern="$2" -v text="$3" '!done && $0 ~ pattern { print text; done = 1 } { print }' "$1" >"$tmp/new" &&
		cat "$tmp/new" >"$1"
}
file_sums() { find . -type f -exec cksum {} + | sort; }
# How many files changed since the last call.
touched() {
	file_sums >"$tmp/now"
	comm -13 "$tmp/before" "$tmp/now" | wc -l | tr -d ' '
	mv "$tmp/now" "$tmp/before"
}
file_sums >"$tmp/before"

# ---- a CTA policy
cat >src/cta/sched_single.c <<'C'
/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sched_single.c - one CTA per core. */
#include "cta/cta.h"

static uint32_t
single_limit(const struct cta_ctx *x, unsigned core)
{
	(void)x;
	(void)core;
	return 1;
}

const struct cta_sched_ops cta_sched_single = {
	.name = "single",
	.help = "one CTA per core",
	.abi = CTA_SCHED_ABI,
	.limit = single_limit,
};
C
before_line src/cta/module.am 'src/cta/sched_static.c' '	src/cta/sched_single.c \'
is "a policy: files touched" "$(touched)" 2

# ---- a warp scheduler
cat >src/wsched/young.c <<'C'
/* SPDX-License-Identifier: GPL-3.0-or-later */
/* young.c - the youngest warp first. */
#include "wsched/wsched.h"

static unsigned
young_pick(const struct wsched_view *v, void *state)
{
	(void)state;
	return v->can ? 63 - (unsigned)__builtin_clzll(v->can) : WSCHED_NONE;
}

const struct warp_sched_ops wsched_young = {
	.name = "young", .help = "the highest-numbered warp", .pick = young_pick};
C
before_line src/wsched/module.am 'src/wsched/tl.c' '	src/wsched/young.c \'
is "a warp scheduler: files touched" "$(touched)" 2

# ---- a machine
cat >machines/two.machine <<'M'
# two - two clusters of one core
set gpu.clusters 2
set gpu.cores_per_cluster 1
M
is "a machine: files touched" "$(touched)" 1

# ---- a pane
sed 's/pane_ract/pane_again/; s/"ract"/"again"/; s/RACT of every core/RACT again, of every core/' src/tui/pane_ract.c |
	sed 's/pane_ract/pane_again/g' >src/tui/pane_again.c
before_line src/tui/module.am 'src/tui/pane_core.c' '	src/tui/pane_again.c \'
is "a pane: files touched" "$(touched)" 2

# ---- a statistic: a row, and the line that counts
before_line src/core/counters.def '^COUNTER\(warp_insts' \
	'COUNTER(launches, "CTAs", "CTAs launched on the core")'
before_line src/core/slots.c '^	c->by_age\[c->resident\+\+\]' '	c->st.launches++;'
is "a statistic: the row, and the line that counts" "$(touched)" 2

# ---- an option
before_line src/core/core.def '^OPT\(u32, *lat_int' \
	'OPT(u32, lat_extra, 3, 1, 9, "cycles", "nothing that the core uses")'
is "an option: files touched" "$(touched)" 1

# ---- a command
before_line src/session/commands.def '^CMD\("core"' \
	'CMD("greet", "", G_LOOK, "", "", complete_none, 0, cmd_greet, "says hello", "greet")'
cat >>src/session/cmd_look.c <<'C'

enum session_status
cmd_greet(struct session *s, struct cmd_args *a)
{
	(void)a;
	say(s, SAY_NOTE, "hello");
	return SESSION_OK;
}
C
is "a command: files touched" "$(touched)" 2

# ---- all of them, built and used
build=$tmp/build
mkdir "$build"
# Only the lists of files changed, so automake will do, unless the copied configure is another version's.
{
	{ automake || autoreconf -fi; } && cd "$build" && "$tree/configure" --disable-lto --disable-hardening --without-cairo \
		CC="${CC:-cc}" CFLAGS=-O0 && make -j"${JOBS:-2}" ctascope
} >"$tmp/log" 2>&1 || { sed 's/^/# /' "$tmp/log" | tail -n 40; }
is "the tree with all of them builds" "$([ -x "$build/ctascope" ] && echo yes)" yes
mine() { CTASCOPE_DATADIR=$tree "$build/ctascope" "$@" 2>&1; }
trace=$tree/traces/phase.ctr
# What is said after a run: command, arguments of the program.
after() {
	say=$1
	shift
	mine -b --no-init "$@" "$trace" -e run -e "$say"
}
like "the policy is listed" "$(mine --list-policies)" 'single .*one CTA per core'
like "and runs" "$(after 'print core.0.n' -p single)" '= 1'
like "the warp scheduler runs" "$(after 'info gpu' --warp-sched young)" 'done: cycle'
like "the machine is listed" "$(mine --list-machines)" 'two'
is "and has two cores" "$(after 'print gpu.cores' -c two | sed -n 's/.* = //p')" 2
like "the statistic counts" "$(after 'print core.0.launches')" '= [1-9]'
like "the option is there" "$(mine --list-options)" 'core.lat_extra'
like "the command is done" "$(mine -b --no-init "$trace" -e greet)" 'hello'
like "and is in help" "$(mine -b --no-init "$trace" -e 'help greet')" 'says hello'
is "the pane is in the table of panes" "$(grep -c 'again' "$build/src/tui/panes.def")" 1
done_testing
