#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# slurm.t - the script of --slurm: run by hand with the numbers that Slurm would give its tasks, and, where
# slurmctld, slurmd and munge are installed, by a cluster of one node that this test starts and ends.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/child.sh"
m=$CTASCOPE
work="$tmp/with a blank"
mkdir "$work" && cd "$work" || exit 99
cp "$srcdir/tests/small/small.machine" .
"$builddir/tests/small/write_small" small.ctr || exit 99
printf 'workload ./small.ctr\nmachine ./small.machine\npolicy rr dyncta claso:pa={1..5}\ncolumn gpu.cycles gpu.ipc\n' >cluster.sweep
"$m" sweep -q cluster.sweep -o whole.csv
"$m" sweep cluster.sweep --slurm=3 -j 2 >job.sh
ok "the script is sh" sh -n job.sh
is "what sbatch reads" "$(grep '^#SBATCH' job.sh | tr '\n' ' ')" \
	"#SBATCH --job-name=cluster #SBATCH --array=1-3 #SBATCH --ntasks=1 #SBATCH --cpus-per-task=2 #SBATCH --output=cluster.%a.log "
is "a task for every run, if no number is given" "$("$m" sweep cluster.sweep --slurm | grep '^#SBATCH --array')" "#SBATCH --array=1-7"
"$m" sweep cluster.sweep --slurm -o file.sh
is "-o names the script" "$(sed -n 1p file.sh)" "#!/bin/sh"
unset SLURM_ARRAY_TASK_ID SLURM_CPUS_PER_TASK
sh job.sh >out 2>err
is "without a number it does nothing" "$? $(ls ./*.csv)" "2 ./whole.csv"
like "and says how it is used" "$(cat err)" 'start this with sbatch'

cd / || exit 99 # as a node might
SLURM_ARRAY_TASK_ID=3 sh "$work/job.sh" 2>/dev/null
SLURM_ARRAY_TASK_ID=1 sh "$work/job.sh" 2>/dev/null
sh "$work/job.sh" merge >"$work/out" 2>"$work/err"
is "a merge before all tasks are done" "$?" 1
is "says what is missing" "$(cat "$work/err")" "ctascope: 2 of 7 runs are missing: 2, 5"
SLURM_ARRAY_TASK_ID=2 SLURM_CPUS_PER_TASK=1 sh "$work/job.sh" 2>/dev/null
SLURM_ARRAY_TASK_ID=2 sh "$work/job.sh" 2>"$work/err"
like "a task that is run again has nothing to do" "$(cat "$work/err")" '2 runs, 2 of them were complete already'
ok "the merge" sh "$work/job.sh" merge
is "is the table of one sweep" "$(cat "$work/cluster.csv")" "$(cat "$work/whole.csv")"
cd "$work" || exit 99

# submit from a script whose name the shell could misread. This sbatch runs what it is to wrap at once, as sh.
mkdir bin
cat >bin/sbatch <<'X'
#!/bin/sh
while [ $# -gt 0 ]; do
	[ "$1" != --wrap ] || printf '#!/bin/sh\n\n%s\n' "$2" >wrapped
	shift
done
[ ! -e wrapped ] || sh wrapped >wrapped.out 2>&1
echo 7
X
chmod +x bin/sbatch
name="it's \"my\" \$(date) job \\1"
cp job.sh "$name"
rm cluster.csv
is "submit by a script of a difficult name" "$(PATH=$PWD/bin:$PATH sh "$name" submit 2>&1)" "7
7"
is "which merges under that name" "$(cat wrapped.out cluster.csv)" "$(cat whole.csv)"
rm -f cluster.csv cluster.*-of-*

# ---- a cluster of one node
PATH=$PATH:/usr/sbin:/sbin
for p in slurmctld slurmd munged sbatch squeue scontrol; do
	command -v $p >/dev/null || why="no $p here (Debian: slurmctld slurmd slurm-client munge)"
done
[ "$(id -u)" = 0 ] || why="slurmd wants root"
if [ -n "${why:-}" ]; then
	skip "a cluster runs it" "$why"
	done_testing
fi

state=$tmp/slurm
mkdir -m 755 "$state" "$state/spool" "$state/ctld"
chmod 755 "$tmp"
dd if=/dev/urandom of="$state/key" bs=1024 count=1 2>/dev/null
chmod 600 "$state/key"
host=$(hostname -s)
port=$((20000 + $$ % 10000))
cat >"$state/slurm.conf" <<X
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$state/munge.socket
CredType=cred/munge
StateSaveLocation=$state/ctld
SlurmdSpoolDir=$state/spool
SlurmctldPidFile=$state/ctld.pid
SlurmdPidFile=$state/slurmd.pid
SlurmctldLogFile=$state/ctld.log
SlurmdLogFile=$state/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SchedulerParameters=sched_interval=1
MailProg=/bin/true
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP
X
SLURM_CONF=$state/slurm.conf
export SLURM_CONF
pids=
stop() {
	# shellcheck disable=SC2086 # a list of numbers
	[ -z "$pids" ] || send TERM $pids 2>/dev/null
	wait
	rm -rf "$tmp"
}
trap stop EXIT
munged --foreground --force --key-file="$state/key" --socket="$state/munge.socket" --pid-file="$state/munge.pid" \
	--log-file="$state/munge.log" --seed-file="$state/munge.seed" >"$state/munge.out" 2>&1 &
pids="$pids $!"
wait_for() { # seconds, command
	n=0
	until eval "$2"; do
		n=$((n + 1))
		[ $n -lt $((5 * $1)) ] || return 1
		sleep 0.2
	done
}
wait_for 60 '[ -S "$state/munge.socket" ]'
slurmctld -D -f "$SLURM_CONF" >"$state/ctld.out" 2>&1 &
pids="$pids $!"
slurmd -D -f "$SLURM_CONF" -N "$host" >"$state/slurmd.out" 2>&1 &
pids="$pids $!"
if ! wait_for 120 'sinfo -h -o %T 2>/dev/null | grep -q idle'; then
	skip "a cluster runs it" "Slurm does not come up here"
	for f in munge.out ctld.log ctld.out slurmd.log slurmd.out; do
		diag "$f: $(tail -n 5 "$state/$f" 2>/dev/null)"
	done
	done_testing
fi
jobs=$(sh job.sh submit 2>err)
is "submit queues the tasks and the merge" "$(echo "$jobs" | grep -c '^[0-9][0-9]*$')" 2
wait_for 300 '[ -z "$(squeue -h 2>/dev/null)" ]'
is "the cluster's table is that of one sweep" "$(cat cluster.csv 2>&1)" "$(cat whole.csv)"
[ -e cluster.csv ] || for f in cluster.*.log; do diag "$f: $(cat "$f")"; done
done_testing
