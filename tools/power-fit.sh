#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# power-fit.sh [-m MACHINE] [WORKLOAD...] - fits power.core_static and power.uncore_static, and prints them with the
# table they come from.
#
# Runs the applications of a paper (recorded when first needed) without a policy on its machine, all cores powered, and
# looks for the static power with which the mean over them of static / (static + dynamic) is SHARE:
#
#     kayiran30  all of traces/src/workloads.def (the default, and the coefficients of src/power/power.def)
#     tcs28      the ten of sweeps/tcs.sweep     (those of machines/tcs28.machine)
#     onac32     those of sweeps/onac.sweep      (those of machines/onac32.machine)
#
# Song et al. II.B give 40 % on average; Zhu et al. give no number, so theirs is taken. The total is what power.energy
# is, DRAM commands included; Song's leaves DRAM out, so the mean without DRAM is printed as well.
# One number is fitted. How it is divided is not: UNCORE of it belongs to what is not a core, as in the GTX 480 of
# GPUWattch (gpuwattch_gtx480.xml: idle_core_power 1.59 W times 16 cores, CONST 11 W).
#
# Run it in the build folder: [CTASCOPE=./ctascope] tools/power-fit.sh. No policy is looked at.
set -eu
SHARE=0.40 UNCORE=0.302
top=$(dirname "$0")/..
program=${CTASCOPE:-./ctascope}
machine=kayiran30
if [ "${1-}" = -m ]; then
	machine=$2
	shift 2
fi

row() { # WORKLOAD: seconds, dynamic energy, that of DRAM, cores
	"$program" -n -b -c "$machine" -p rr "$1" -e 'run' -e 'dump csv stats -' -e 'print gpu.cores' | awk -F, -v name="$1" '
	{ v[$1] = $2 }
	/^gpu.cores = / { cores = substr($0, 13) + 0 }
	END {
		if (!v["power.energy"]) { print name ": no result" > "/dev/stderr"; exit 1 }
		printf "%s %.9g %.9g %.9g %d\n", name, v["power.energy"] / v["power.avg"],
			v["power.energy"] - v["power.e_cores"] - v["power.e_uncore"], v["power.e_dram"], cores
	}'
}

if [ "${1-}" = -- ]; then # one of the parallel ones
	row "$2"
	exit
fi
if [ $# -eq 0 ]; then
	case $machine in
	kayiran30) set -- $(sed -n 's/^WORKLOAD(\([a-z0-9]*\),.*/\1/p' "$top/traces/src/workloads.def" | sort) ;;
	*) set -- $(sed -n 's/^workload *//p' "$top/sweeps/${machine%[0-9][0-9]}.sweep") ;;
	esac
fi
printf '%s\n' "$@" | xargs -P "${JOBS:-$(nproc 2>/dev/null || echo 1)}" -n 1 "$0" -m "$machine" -- | sort |
awk -v share="$SHARE" -v uncore="$UNCORE" -v n=$# '
{ name[NR] = $1; time[NR] = $2; dynamic[NR] = $3; dram[NR] = $4; cores = $5 }
function mean(watt, without,  i, sum) {
	for (i = 1; i <= NR; i++)
		sum += watt * time[i] / (watt * time[i] + dynamic[i] - (without ? dram[i] : 0))
	return sum / NR
}
END {
	if (NR != n) {
		print "power-fit: " n - NR " applications have no result" > "/dev/stderr"
		exit 1
	}
	for (high = 1e6; high - low > 1e-9 * high; )
		if (mean(watt = (low + high) / 2) < share) low = watt; else high = watt
	print "workload    microseconds  dynamic W  of it DRAM  static"
	for (i = 1; i <= NR; i++)
		printf "%-10s  %12.0f  %9.3f  %10.3f  %4.1f %%\n", name[i], time[i] * 1e6, dynamic[i] / time[i],
			dram[i] / time[i], 100 * watt * time[i] / (watt * time[i] + dynamic[i])
	printf "mean static share %.2f %%, without DRAM %.2f %%\n", 100 * mean(watt), 100 * mean(watt, 1)
	printf "static power      %.4g W\n", watt
	printf "power.core_static %.3g\npower.uncore_static %.3g\n", watt * (1 - uncore) / cores, watt * uncore
}'
