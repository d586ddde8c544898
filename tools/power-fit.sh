#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# power-fit.sh - fits power.core_static and power.uncore_static, and prints them with the table they come from.
#
# Runs the papers' applications (traces/src/workloads.def, recorded by "make" into traces/ of the build folder)
# without a policy on kayiran30, all cores powered, and looks for the static power with which the mean over them of
# static / (static + dynamic) is SHARE. Song et al. II.B give 40 % on average. The total is what power.energy is, DRAM
# commands included; theirs leaves DRAM out, so the mean without DRAM is printed as well.
# One number is fitted. How it is divided is not: UNCORE of it belongs to what is not a core, as in the GTX 480 of
# GPUWattch (gpuwattch_gtx480.xml: idle_core_power 1.59 W times 16 cores, CONST 11 W).
#
# Run it in the build folder: [CTASCOPE=./ctascope] tools/power-fit.sh [NAME...]. No policy is looked at.
set -eu
SHARE=0.40 UNCORE=0.302 CORES=30
def=$(dirname "$0")/../traces/src/workloads.def
program=${CTASCOPE:-./ctascope}

row() { # name: seconds, dynamic energy, that of DRAM
	"$program" -n -b -c kayiran30 "$1" -e 'run' -e 'dump csv stats -' | awk -F, -v name="$1" '
	{ v[$1] = $2 }
	END {
		if (!v["power.energy"]) { print name ": no result" > "/dev/stderr"; exit 1 }
		printf "%s %.9g %.9g %.9g\n", name, v["power.energy"] / v["power.avg"],
			v["power.energy"] - v["power.e_cores"] - v["power.e_uncore"], v["power.e_dram"]
	}'
}

if [ "${1-}" = -- ]; then # one of the parallel ones
	row "$2"
	exit
fi
[ $# -gt 0 ] || set -- $(sed -n 's/^WORKLOAD(\([a-z0-9]*\),.*/\1/p' "$def" | sort)
printf '%s\n' "$@" | xargs -P "$(nproc 2>/dev/null || echo 1)" -n 1 "$0" -- | sort |
awk -v share="$SHARE" -v uncore="$UNCORE" -v cores="$CORES" '
{ name[NR] = $1; time[NR] = $2; dynamic[NR] = $3; dram[NR] = $4 }
function mean(watt, without,  i, sum) {
	for (i = 1; i <= NR; i++)
		sum += watt * time[i] / (watt * time[i] + dynamic[i] - (without ? dram[i] : 0))
	return sum / NR
}
END {
	for (high = 1e6; high - low > 1e-9 * high; )
		if (mean(watt = (low + high) / 2) < share) low = watt; else high = watt
	print "workload  cycles/1000  dynamic W  of it DRAM  static"
	for (i = 1; i <= NR; i++)
		printf "%-8s  %11.0f  %9.3f  %10.3f  %4.1f %%\n", name[i], time[i] * 1.3e6, dynamic[i] / time[i],
			dram[i] / time[i], 100 * watt * time[i] / (watt * time[i] + dynamic[i])
	printf "mean static share %.2f %%, without DRAM %.2f %%\n", 100 * mean(watt), 100 * mean(watt, 1)
	printf "static power      %.4g W\n", watt
	printf "power.core_static %.3g\npower.uncore_static %.3g\n", watt * (1 - uncore) / cores, watt * uncore
}'
