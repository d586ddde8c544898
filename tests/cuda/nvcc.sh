# SPDX-License-Identifier: GPL-3.0-or-later
# nvcc.sh - sourced by tests that compile CUDA programs: which nvcc there are. CTASCOPE_NVCC names them, separated by
# spaces; otherwise the one on PATH, in CUDA_HOME, and those in /usr/local/cuda*/bin. Each toolkit is tried once, whatever links
# and scripts lead to it, and if it compiles anything: an nvcc does not take every host compiler. One that finds its host
# compiler too new takes another one with NVCC_APPEND_FLAGS="-ccbin g++-11".
#
#   nvccs              a line for each: its path
#   nvcc_release NVCC  11.8, 12.4, 13.0, ...

nvcc_works() { # NVCC
	echo 'int main() { return 0; }' >"$tmp/empty.cu"
	"$1" -o "$tmp/empty" "$tmp/empty.cu" >"$tmp/nvcc.log" 2>&1
}

nvccs() {
	for nvcc in ${CTASCOPE_NVCC-$(command -v nvcc) ${CUDA_HOME:+"$CUDA_HOME/bin/nvcc"} /usr/local/cuda*/bin/nvcc}; do
		[ -x "$nvcc" ] || continue
		if nvcc_works "$nvcc"; then
			"$nvcc" -dryrun -o "$tmp/empty" "$tmp/empty.cu" 2>&1 | sed -n 's/^#\$ _HERE_=//p' | head -n 1
		else
			diag "$nvcc compiles nothing here: $(head -n 1 "$tmp/nvcc.log")" >&2
		fi
	done | while read -r here; do readlink -f "$here/nvcc"; done | awk '!seen[$0]++'
}

nvcc_release() { "$1" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p'; }
