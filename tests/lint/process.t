#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# process.t - who makes, signals and awaits processes: src/base/process.h for the program, tests/child.c for
# tests in C, tests/child.sh for scripts; nobody else. A number that is -1 because fork failed, or that is
# empty, makes kill end every process of its user, and it happened. A signal to oneself is raise(). Nor does
# a script ask ps and its like, which a bare system does not have and which finds more than one's own.
. "${srcdir:-.}/tests/tap.sh"
lint=$(cd "$srcdir/tests/lint" && pwd) || exit 99
cd "$srcdir" || exit 99

calls='kill|killpg|tkill|tgkill|sigqueue|pthread_kill|pidfd_[a-z_]*|v?fork|_Fork|forkpty|posix_spawnp?|clone3?|wait[34]?|waitpid|waitid'
in_c() { # files: calls of these functions
	"${AWK:-awk}" -f "$lint/code.awk" "$@" </dev/null | grep -E "(^|[^A-Za-z0-9_.>])($calls)[ ]*\(" || true
}
# Words where a command may stand; comments and the words of a test's name are none.
words='kill|killall5?|skill|pkill|pgrep|pidof|pidwait|ps|fuser'
in_sh() { # files: such commands
	"${AWK:-awk}" -v words="$words" '{
		line = $0
		sub(/^[ \t]*#.*|[ \t]#.*/, "", line)
		if (line ~ "(^|[;&|({`!]|\\$\\(|then|else|do|exec|eval|env|xargs|trap [^a-z]?)[ \t]*\\\\?(/[a-z/]*/)?(" words ")([ \t;)&|]|$)")
			print FILENAME ":" FNR ": " $0
	}' "$@" </dev/null
}

# shellcheck disable=SC2046 # lists of names without blanks
{
is "no process is made, signalled or awaited but by the helpers" \
	"$(in_c $(find src tools tests examples traces -name '*.[ch]' | sort) |
		grep -vE '^(src/base/process\.h|tests/child\.c):')" ""
is "nor by a script" "$(in_sh $(find tests -name '*.t' -o -name '*.sh'; grep -rlIE '^#! */bin/(ba)?sh' \
	tools results traces examples) bootstrap.sh .ci/run | grep -vE '^tests/(child\.sh|lint/process\.t):')" ""
}

cd "$tmp" || exit 99
printf '%s\n' 'kill(p->pid, 9);' '	if (fork ()) x = waitpid(-1, &y, 0);' 'process_signal(pid, 9); /* kill(1) */' \
	'a->kill(3); b.wait(4); raise(SIGTERM);' 'puts("kill(-1, 9)");' 'return killpg(g, 9);' >a.c
is "planted calls are found, and nothing else" "$(in_c a.c | cut -d: -f2 | tr '\n' ' ')" "1 2 6 "
cat >a.t <<'X'
kill -9 $pid
	x=$(ps -o pid= --ppid "$pid")
ok "kill -9 leaves nothing" true
[ -z "$pids" ] || kill $pids
send KILL "$pid" # kill -9
trap 'kill $pid' EXIT
if true; then pkill -f ctascope; fi
for p in tops ps1 kills; do echo $p; done
/bin/kill 1
echo $pid | xargs kill
X
is "planted commands too" "$(in_sh a.t | cut -d: -f2 | tr '\n' ' ')" "1 2 4 6 7 9 10 "

# What the scripts' helper refuses. Signal 0 reaches nobody, whatever is answered.
. "$srcdir/tests/child.sh"
for number in '' 0 1 -1 -7 01 1x '12 13' --; do
	ok "'$number' is not signalled" sh -c '. "$1/tests/tap.sh"; . "$1/tests/child.sh"; ! send 0 "$2"' - "$srcdir" "$number"
done
ok "nor is nobody" sh -c '. "$1/tests/tap.sh"; . "$1/tests/child.sh"; ! send 0' - "$srcdir"
ok "nor one of several" sh -c '. "$1/tests/tap.sh"; . "$1/tests/child.sh"; ! send 0 $$ -1' - "$srcdir"
ok "a process is" send 0 $$
if no_children_known; then
	skip "children are found, and those that have ended are gone" "no /proc here"
else
	sleep 60 &
	pid=$!
	like "a child is found" " $(children_of $$ | tr '\n' ' ')" " $pid "
	is "and runs" "$(gone $pid && echo gone)" ""
	send KILL $pid
	wait $pid 2>/dev/null
	ok "until it has ended" gone $pid
	# A parent that does not wait: its child stays a zombie. The child ends when the parent is no shell
	# any more, which would have reaped it.
	sh -c '{ until [ -e go ]; do sleep 0.05; done; } & echo $! >zombie; exec sleep 60' &
	pid=$!
	n=0
	until [ "$(cat /proc/$pid/comm)" = sleep ] || [ $n -ge 100 ]; do n=$((n + 1)); sleep 0.05; done
	: >go
	n=0
	until [ -s zombie ] && gone "$(cat zombie)" || [ $n -ge 100 ]; do n=$((n + 1)); sleep 0.05; done
	is "a zombie is there" "$(processes | grep "^$(cat zombie) " | cut -d' ' -f2)" "Z"
	ok "and is gone" gone "$(cat zombie)"
	send KILL $pid
	wait $pid 2>/dev/null
fi
done_testing
