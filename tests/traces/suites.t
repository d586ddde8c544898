#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# suites.t - tools/try-suite on a suite of three lines a program, with an nvcc that only copies and a ctascope that only
# starts: which suite it is, with which options is built, how it is run, and what the table says of each outcome.
. "${srcdir:-.}/tests/tap.sh"
make --version 2>/dev/null | grep -q GNU || skip_all "the suites' Makefiles are for GNU make"
try=$(cd "$srcdir" && pwd)/tools/try-suite

mkdir -p "$tmp/toolkit/bin" "$tmp/toolkit/include" "$tmp/hec/src"
echo cudaThreadSynchronize >"$tmp/toolkit/include/cuda_runtime_api.h"
cat >"$tmp/toolkit/bin/nvcc" <<'END'
#!/bin/sh
[ "$1" = --list-gpu-code ] && { printf 'sm_75\nsm_80\nsm_90\n'; exit; }
while [ $# -gt 0 ]; do
	case $1 in -o) shift; out=$1 ;; -arch*) arch=$1 ;; -gencode) arch="$arch left" ;; *.cu) in=$1 ;; esac
	shift
done
! grep -q planted "$in" || { echo "$PWD/$in(1): error: planted"; exit 1; }
{ echo '#!/bin/sh'; echo "arch='$arch'"; cat "$in"; } >"$out" && chmod +x "$out"
END
cat >"$tmp/ctascope" <<'END'
#!/bin/sh
shift 4 # record -o FILE --
"$@" || { rc=$?; echo "ctascope: it ended | early" >&2; exit $rc; }
echo "ctascope: recorded 3 launches, 96 warp instructions" >&2
END
chmod +x "$tmp/toolkit/bin/nvcc" "$tmp/ctascope"

program() { # NAME ARCH SOURCE: a program in HeCBench's manner
	mkdir "$tmp/hec/src/$1-cuda"
	echo "$3" >"$tmp/hec/src/$1-cuda/main.cu"
	printf '%s\n' 'program = main' '$(program): main.cu' \
		"	nvcc -arch=$2 -gencode arch=compute_20,code=sm_20 main.cu -o \$@" \
		'run: $(program)' '	$(LAUNCHER) ./$(program) 7 11' >"$tmp/hec/src/$1-cuda/Makefile"
}
program a-good sm_60 'echo "$arch, $*: PASS"; [ "$arch, $*" = "-arch=sm_75, 7 11" ]'
program b-newer sm_80 'echo "0 errors"; [ "$arch" = -arch=sm_80 ]'
program c-quiet sm_75 'echo 42'
program d-wrong sm_75 'echo "PASS"; echo "a mismatch at 3"'
program e-status sm_75 'exit 3'
program f-source sm_75 'planted'
program g-slow sm_75 'sleep 30'

rows() { CTASCOPE=$tmp/ctascope NVCC=$tmp/toolkit/bin/nvcc TMPDIR=$tmp "$try" "$@" 2>&1; }
is "a row for each" "$(rows -t 2 -o "$tmp/table" "$tmp/hec")" \
	"| HeCBench | built | launches | result |
|---|---|---|---|
| \`a-good 7 11\` | yes | 3 | checked |
| \`b-newer 7 11\` | yes | 3 | checked |
| \`c-quiet 7 11\` | yes | 3 | ran |
| \`d-wrong 7 11\` | yes | 3 | wrong: a mismatch at 3 |
| \`e-status 7 11\` | yes | - | it ended / early (status 3) |
| \`f-source 7 11\` | no | - | src/f-source-cuda/main.cu(1): error: planted |
| \`g-slow 7 11\` | yes | - | time limit (2 s) |"
is "and in the file" "$(wc -l <"$tmp/table" | tr -d ' ')" 9
is "patterns choose" "$(rows "$tmp/hec" 'c*' b-newer | sed 1,2d)" \
	"| \`b-newer 7 11\` | yes | 3 | checked |
| \`c-quiet 7 11\` | yes | 3 | ran |"
is "the checkout is as it was" "$(find "$tmp/hec" -type f | grep -vc -e 'main\.cu$' -e 'Makefile$')" 0
is "nothing is left behind" "$(find "$tmp" -maxdepth 1 -name 'try-suite.*')" ""
# In Rodinia a program may lie a folder deeper, which once was built, and removed, in the checkout itself.
mkdir -p "$tmp/rod/cuda/backprop" "$tmp/rod/cuda/srad/srad_v1" "$tmp/rod/cuda/srad/srad_v2"
echo 'echo PASS' >"$tmp/rod/cuda/srad/srad_v2/srad.cu"
printf '%s\n' 'srad: srad.cu' '	nvcc srad.cu -o $@' >"$tmp/rod/cuda/srad/srad_v2/Makefile"
cp -R "$tmp/rod" "$tmp/rod.before"
is "a program in a folder of a folder" "$(rows "$tmp/rod" srad_v2 | sed 1,2d | cut -d'|' -f3-)" " yes | 3 | checked |"
ok "leaves the checkout as it was" diff -r "$tmp/rod" "$tmp/rod.before"
for name in asyncAPI simplePrintf; do
	mkdir -p "$tmp/samples/Samples/0_Introduction/$name"
	echo 'echo 42' >"$tmp/samples/Samples/0_Introduction/$name/$name.cu"
done
is "who is known to compare without a word is checked" "$(rows "$tmp/samples" | sed 1,2d)" \
	"| \`asyncAPI\` | yes | 3 | checked |
| \`simplePrintf\` | yes | 3 | ran |"
like "a name that is not there" "$(rows "$tmp/hec" nobody)" "no program of HeCBench is called nobody"
like "a folder that is no suite" "$(rows "$tmp/toolkit")" "expected"
like "no seconds" "$(rows -t soon "$tmp/hec")" "a whole number, expected"
done_testing
