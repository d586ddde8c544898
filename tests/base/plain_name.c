/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain_name.c - names of C++ kernels become the identifier that a person wrote. */
#include "tests/tap.h"

#include "base/plain_name.h"

#include <string.h>

static const struct {
	const char *name, *plain; /* plain NULL: it stays as it is */
} names[] = {
	{"_Z6matmulPfS_S_i", "matmul"},
	{"_Z6matmul", "matmul"},
	{"_ZL6kernelPi", "kernel"},
	{"_Z6matmulILi16EEvPfS0_S0_", "matmul"},
	{"_ZN3lib6matmulEPf", "matmul"},
	{"_ZN12_GLOBAL__N_16kernelEPf", "kernel"},
	{"_ZNK3lib3run2goEv", "go"},
	{"_ZN3lib6matmulIfLi4ELb1EEEvPT_", "matmul"},
	{"_ZN3lib3runIfLin2EE2goIN3lib4ExitEEEvPT_", "go"},
	{"_ZN3lib6matmulILNS_4kindE2EEEvPf", "matmul"},
	{"_ZN3lib6matmulIL4kind2EEEvPf", "matmul"},
	{"_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_11FillFunctorIfEEJPfEEEvT0_T1_",
	 "vectorized_elementwise_kernel"},
	{"_ZNSt6vector3runEv", "run"},
	{"_ZN7cutlass6KernelINS_4gemm6kernel4GemmIfEEEEvNT_6ParamsE", "Kernel"},
	/* signatures */
	{"matmul(float*, float const*, int)", "matmul"},
	{"void lib::matmul<float>(float*)", "matmul"},
	{"void lib::run<lib::pair<int, float>, (int)256>(lib::pair<int, float>)", "run"},
	{"(anonymous namespace)::kernel(float *)", "kernel"},
	{"void go<void (*)(int)>(void (*)(int))", "go"},
	{"lib::sum::operator()(int)", NULL},
	{"(float*)", NULL},
	{"go<int(float*)", NULL},
	{"4(float*)", NULL},
	/* anything else */
	{"matmul", NULL},
	{"", NULL},
	{"_Z", NULL},
	{"_Zplii", NULL},
	{"_Z9matmul", NULL},
	{"_Z0", NULL},
	{"_Z99999999999999999999999matmul", NULL},
	{"_ZN", NULL},
	{"_ZN3lib", NULL},
	{"_ZN3libplEii", NULL},
	{"_ZN3lib3runIXadL_Z1fvEEE2goEv", NULL},
	{"_ZN3lib6matmulIfLi4ELb1...", NULL},
	{"_ZZ4mainENKUlvE_clEv", NULL},
	{"_ZN3runC1Ev", NULL},
	{"_ZNS_E", NULL},
	{"_ZNIfEE", NULL},
	{"void lib::matmul<float>", NULL},
};

int
main(void)
{
	char buf[PLAIN_NAME], few[4];

	for (unsigned i = 0; i < ARRAY_LEN(names); i++) {
		const char *plain = names[i].plain ? names[i].plain : names[i].name;

		is_str(plain_name(names[i].name, buf, sizeof(buf)), plain, "'%s' is '%s'",
		       names[i].name, plain);
		ok(is_plain_name(plain, names[i].name) &&
			   is_plain_name(names[i].name, names[i].name),
		   "'%s': both are its name", names[i].name);
	}
	is_str(plain_name("_Z6matmulPfS_S_i", few, sizeof(few)), "mat", "too long for its room");
	ok(!is_plain_name("mat", "_Z6matmulPfS_S_i") && !is_plain_name("", "_Z6matmulPfS_S_i"),
	   "a part of the name is not the name");
	ok(is_plain_name("void lib::matmul<float>(float *)", "_ZN3lib6matmulIfEEvPT_") &&
		   is_plain_name("many(int)", "many"),
	   "a signature is a name of its function");
	ok(!is_plain_name("matmul<float>", "_ZN3lib6matmulIfEEvPT_") &&
		   !is_plain_name("reduce(float *)", "_ZN3lib6matmulIfEEvPT_"),
	   "half a signature, or that of another function, is not");
	return done();
}
