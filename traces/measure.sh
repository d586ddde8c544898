#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# measure.sh [NAME...] - runs workloads (set 1 of workloads.def when none is named) under rr on kayiran30 and
# prints the rows of the table in README.md. CTASCOPE is the program, ./ctascope when not set; as many runs at
# once as there are processors. Type by the rule of Kayiran et al. 3: C if RACT > 66 %, else X if the cores
# are idle more than 20 % of their cycles, else M.
set -eu
def=$(dirname "$0")/src/workloads.def
program=${CTASCOPE:-./ctascope}

row() { # name
	type=$(sed -n "s/^WORKLOAD2\{0,1\}($1, \"[^\"]*\", \([A-Z-]\),.*/\1/p" "$def")
	"$program" -n -b -p rr -c kayiran30 "$1" -e 'run' -e 'info stats' | awk -v name="$1" -v paper="$type" '
	{ gsub(/,/, "", $2); v[$1] = $2 }
	END {
		if (!v["gpu.cycles"]) { print name ": no result" > "/dev/stderr"; exit 1 }
		core = 30 * v["gpu.cycles"]
		ract = 100 * v["gpu.active_cycles"] / core
		idle = 100 * v["gpu.idle_cycles"] / core
		stall = 100 * (v["gpu.stall_cycles"] + v["gpu.blocked_cycles"]) / core
		memory = 100 * v["gpu.memory_cycles"] / core
		dep = 100 * v["gpu.dependence_cycles"] / core
		miss = v["l1.accesses"] ? sprintf("%.0f %%", 100 * v["l1.misses"] / v["l1.accesses"]) : "-"
		measured = ract > 66 ? "C" : idle > 20 ? "X" : "M"
		printf "| %s | %d | %.0f | %.1f %% | %.0f %% | %.0f %% | %.0f %% | %.1f %% | %s | %s | %s |\n",
			name, v["gpu.cycles"], v["gpu.ipc"], ract, stall, memory, dep, idle, miss, measured,
			paper
	}'
}

if [ "${1-}" = -- ]; then # one of the parallel ones
	row "$2"
	exit
fi
[ $# -gt 0 ] || set -- $(sed -n 's/^WORKLOAD(\([a-z0-9]*\),.*/\1/p' "$def" | sort)
printf '%s\n' "$@" | xargs -P "$(nproc 2>/dev/null || echo 1)" -n 1 "$0" -- | sort
