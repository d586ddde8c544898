#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# divert.t - `ctascope record` on programs that have the CUDA runtime linked in: their calls come to ours, by programs
# that stand for such (static.c) and, where nvcc is, by real ones. What cannot be diverted is said, and nothing crashes.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/cuda/nvcc.sh"
here=$builddir/tests/record/divert
[ -e "$builddir/libcudart.so.13" ] || skip_all "no libcudart here"
sanitized=
grep -q __asan_init "$builddir/libcuda.so.1" && sanitized=1
cd "$tmp" || exit 99

run() { # arguments of record: output in $out, standard error in $err, status in $rc
	out=$(timeout 60 "$CTASCOPE" record "$@" 2>"$tmp/err")
	rc=$?
	err=$(cat "$tmp/err")
}
answer() { echo "runtime $1, 1 device, cudaMalloc 0, memory of the device, cudaOfMine stays"; }
own="runtime 0, 77 devices, cudaMalloc 0, memory of the host, cudaOfMine stays"

# ---- programs that stand for such ----

is "without record the runtime is the program's own" "$("$here/static13")" "$own"
for v in 11 12 13; do
	run -o x.ctr -- "$here/static$v"
	is "linked with $v: ours of $v" "$rc $out" "0 $(answer $v)"
	like "which launches nothing, and that is no failure" "$err" '^ctascope: nothing is recorded: the program launched no kernels'
done
run -o x.ctr -- "$here/static13" fork
is "a child that it forks" "$out" "$(answer 13)
$(answer 13)"
run -o x.ctr -- "$here/static12" exec "$here/static13"
is "a program in its place" "$rc $out" "0 $(answer 13)"
if [ -z "$sanitized" ]; then
	run -o x.ctr -- sh -c "'$here/static13'; '$here/static11'"
	is "by a shell" "$out" "$(answer 13)
$(answer 11)"
	LD_PRELOAD=/nowhere/theirs.so run -o x.ctr -- sh -c 'echo "$LD_PRELOAD"'
	like "the user's LD_PRELOAD stays" "$out" '/libctascope-divert.so:/nowhere/theirs.so$'
	if [ "$("$here/heap")" = 0 ]; then
		run -o x.ctr -- "$here/heap"
		is "a program finds its heap unused" "$out" 0
	else
		skip "a heap that is not used" "here it is, without us"
	fi
	cp "$here/static13" '#!'
	ln -s "$here/static13" link
	run -o x.ctr -- ./link
	is "by a link" "$out" "$(answer 13)"
fi

echo 'int main(void) { return 6; }' >asan.c
# shellcheck disable=SC2086 # a list of words
if ${CC:-cc} -fsanitize=address -o asan asan.c 2>/dev/null && ./asan; [ $? = 6 ]; then
	run -o x.ctr -- ./asan
	is "a program that wants the address sanitizer first" "$rc" 6
else
	skip "a program with the address sanitizer" "it does not link, or run, here"
fi

# ---- what cannot be ----

if command -v strip >/dev/null && strip -o stripped "$here/static13" 2>/dev/null; then
	run -o x.ctr -- ./stripped
	is "stripped: it goes on by itself" "$out" "$own"
	like "and is told what to do" "$err" \
		"^ctascope: .*/stripped is linked with the CUDA runtime, but was stripped, .* relink with -cudart shared, or keep"
else
	skip "stripped" "no strip here"
fi
run -o x.ctr -- true
like "neither API: what was looked for" "$rc $err" '^1 ctascope: no call of the CUDA driver API \(libcuda.so.1\) or runtime API '
like "and what was found" "$err" 'true: it is linked with neither libcuda.so.1 nor a CUDA runtime'
printf '#!/bin/sh\nexit 4\n' >script
chmod +x script
run -o x.ctr -- ./script
like "a script" "$rc $err" '^4 .*the program ended with status 4; .*\./script: it is a script'
is "nothing is left of all that" "$(ls | grep ctr)" ""

# ---- NVIDIA's libraries, by ones with the same names ----

cat >vendor.c <<'END'
int cuGetExportTable(const void **table, const void *id);
int USE(void)
{
	const void *table;
	return cuGetExportTable(&table, "");
}
END
cat >nvrtc.c <<'END'
#include <string.h>
int cuGetExportTable(const void **table, const void *id);
static const char ptx[] = ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n";
static const char cubin[] = "\177ELF is machine code";
int nvrtcGetPTXSize(void *p, size_t *n) { (void)p; *n = sizeof(ptx); return 0; }
int nvrtcGetPTX(void *p, char *to) { (void)p; memcpy(to, ptx, sizeof(ptx)); return 0; }
int nvrtcGetCUBINSize(void *p, size_t *n)
{
	const void *table;
	cuGetExportTable(&table, "");
	*n = p ? sizeof(cubin) : 0; /* NULL: compiled for a virtual architecture */
	return 0;
}
int nvrtcGetCUBIN(void *p, char *to) { (void)p; memcpy(to, cubin, sizeof(cubin)); return 0; }
END
cat >user.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int use_fft(void), use_rand(void), nvrtcGetCUBINSize(void *p, size_t *n), nvrtcGetCUBIN(void *p, char *to);
int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *), cuModuleLoadData(void **, const void *);
int cuModuleGetFunction(void **, void *, const char *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
int main(int argc, char **argv)
{
	void *context, *module, *f;
	size_t n = 1;
	char *text;
	if (argc > 1) { use_fft(); use_fft(); use_rand(); }
	nvrtcGetCUBINSize(NULL, &n);
	printf("%zu bytes, ", n);
	nvrtcGetCUBINSize(argv, &n);
	text = malloc(n);
	nvrtcGetCUBIN(argv, text);
	if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context)) return 3;
	if (cuModuleLoadData(&module, text) || cuModuleGetFunction(&f, module, "k")) return 4;
	printf("launch %d\n", cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
	return 0;
}
END
lib=$(cd "$builddir" && pwd)
make_fakes() {
	${CC:-cc} -shared -fPIC -DUSE=use_fft -o libcufft.so.12 vendor.c "$lib/libcuda.so.1" &&
		${CC:-cc} -shared -fPIC -DUSE=use_rand -o libcurand.so.10 vendor.c "$lib/libcuda.so.1" &&
		${CC:-cc} -shared -fPIC -o libnvrtc.so.13 nvrtc.c "$lib/libcuda.so.1" &&
		${CC:-cc} -o user user.c ./libcufft.so.12 ./libcurand.so.10 ./libnvrtc.so.13 "$lib/libcuda.so.1"
}
if [ -z "$sanitized" ] && make_fakes 2>fakes.log; then
	run -o x.ctr -- ./user
	is "NVRTC gives PTX where it is asked for machine code, and no size for a virtual architecture" \
		"$rc $out" "0 0 bytes, launch 0"
	is "a program that passes is told of no failure" "$(echo "$err" | grep -v 'launch')" ""
	run -o x.ctr -- ./user all
	is "libraries of NVIDIA's that ctascope does not have: a sentence for each" \
		"$rc $(echo "$err" | grep -c '^ctascope: ctascope has no lib\(cufft\|curand\); calls of .*, because it needs NVIDIA.s driver$')" \
		"0 2"
	is "none is told to relink" "$(echo "$err" | grep -c relink)" 0
	rm -f x.ctr
else
	skip "NVIDIA's libraries" "they do not link here: $(head -n 1 fakes.log)"
fi

# ---- symbol tables that lie ----

if command -v readelf >/dev/null; then
	n=40
	[ "${FAST:-}" = 1 ] && n=10
	readelf -SW "$here/static13" | sed -n 's/.* \.\(symtab\|strtab\) *[A-Z]* *[0-9a-f]* \([0-9a-f]*\) \([0-9a-f]*\) .*/\1 \2 \3/p' >tables
	at=$(($(sed -n 's/symtab \([0-9a-f]*\) .*/0x\1/p' tables)))
	size=$(($(sed -n 's/symtab [0-9a-f]* \([0-9a-f]*\)/0x\1/p' tables)))
	bad= i=0
	while [ $i -lt $n ]; do
		cp "$here/static13" damaged
		"$here/damage" damaged $at $size $i || bad="$bad$i: not damaged
"
		run -o x.ctr -- ./damaged
		# a name that is lost is no function of the runtime: the program may mix the two, and die of it, or
		# give memory back to the one that does not have it
		case "$rc $out $err" in
		"0 runtime "*" cudaOfMine stays"* | "1 $own"* | *"ctascope: the program ended with "*) ;;
		"1 runtime "*" cudaOfMine stays ctascope: cuMemFree of 0x"*": nothing is allocated there"*) ;;
		*) bad="$bad$i: $rc $out $err
" ;;
		esac
		i=$((i + 1))
	done
	is "$n damaged symbol tables: the program runs, by our runtime or its own, or its end is told" "$bad" ""
else
	skip "damaged symbol tables" "no readelf here"
fi

# ---- nvcc's ----

cp "$srcdir/tests/record/divert/vadd.cu" .
cat >later.cc <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int c, char **v) // PROGRAM LIBRARY N: loaded and unloaded twice
{
	int rc = 0;

	for (int i = 0; i < 2 && !rc; i++) {
		void *l = dlopen(v[1], RTLD_NOW);
		const char *why = dlerror();
		int (*f)(int, char **) = l ? (int (*)(int, char **))dlsym(l, "_Z12library_mainiPPc") : nullptr;

		if (why)
			printf("%s\n", why);
		rc = f ? f(c - 1, v + 1) : 9;
		if (l)
			dlclose(l);
	}
	return rc;
}
END

of_nvcc() { # NVCC: what it makes
	nvcc=$1
	release=$(nvcc_release "$nvcc")
	rm -f v.ctr s.ctr
	ok "$release: nvcc, its runtime static" "$nvcc" -o vstatic vadd.cu
	run -o v.ctr -- ./vstatic 1000
	is "$release: runs" "$rc $out" "0 1000 sums, 0 wrong: no error"
	like "$release: and is recorded" "$("$CTASCOPE" trace info v.ctr)" '^1 kernel'
	ok "$release: shared" "$nvcc" -cudart shared -o vshared vadd.cu
	run -o s.ctr -- ./vshared 1000
	is "$release: runs" "$rc $out" "0 1000 sums, 0 wrong: no error"
	ok "$release: as the same trace" cmp v.ctr s.ctr
	ok "$release: a library with a runtime of its own" "$nvcc" -Xcompiler -fPIC -shared -Dmain=library_main -o libv.so vadd.cu
	echo 'int library_main(int c, char **v); int main(int c, char **v) { return library_main(c, v); }' >m.cc
	ok "$release: linked" ${CXX:-g++} -o vlinked m.cc -L. -lv "-Wl,-rpath,$tmp"
	run -o s.ctr -- ./vlinked 1000
	is "$release: runs" "$rc $out" "0 1000 sums, 0 wrong: no error"
	dir=$(dirname "$(dirname "$nvcc")")/lib64
	[ -e "$dir/libcudart.so" ] || dir=$(dirname "$(readlink -f "$(dirname "$(dirname "$nvcc")")/lib/libcudart.so")")
	ok "$release: shared, by an RPATH" "$nvcc" -cudart shared -o vrpath vadd.cu -Xlinker -rpath -Xlinker "$dir" -Xlinker --disable-new-dtags
	run -o s.ctr -- ./vrpath 1000
	is "$release: runs" "$rc $out" "0 1000 sums, 0 wrong: no error"
	ok "$release: a program that loads libraries later" ${CXX:-g++} -o later later.cc -ldl
	run -o s.ctr -- ./later ./libv.so 1000
	is "$release: one with a runtime of its own" "$rc $out" "0 1000 sums, 0 wrong: no error
1000 sums, 0 wrong: no error"
	like "$release: is recorded" "$("$CTASCOPE" trace info s.ctr)" '^2 kernels'
	run -o s.ctr -- ./later ./nowhere.so 1000
	is "$release: one that is not there" "$rc $out" "9 ./nowhere.so: cannot open shared object file: No such file or directory"
	ok "$release: one linked with -rdc=true" "$nvcc" -rdc=true -Xcompiler -fPIC -shared -Dmain=library_main -o librdc.so vadd.cu
	run -o s.ctr -- ./later ./librdc.so 1000
	like "$release: is told that it cannot be" "$rc $err" '^1 ctascope: the kernels of ./librdc.so cannot be found: .*, is linked with -rdc=true and was loaded by dlopen; relink with -cudart shared'
	strip -o vstripped vstatic
	run -o s.ctr -- ./vstripped 1000
	like "$release: stripped" "$rc $err" '^1 .*relink with -cudart shared'
}

[ -n "$sanitized" ] || nvccs >list
if [ -s list ]; then
	while read -r nvcc <&3; do
		of_nvcc "$nvcc"
	done 3<list
else
	skip "nvcc's programs" "no nvcc here, or sanitizers"
fi
done_testing
