/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * build_id.c - identifies the code of the model, and the kind of machine it was compiled for.
 *
 * The id is a checksum of the model's sources, and the compiler. It leaves out the rest of the
 * program: after a change of screen or prompt, saved states stay readable, and two builds of the
 * same sources read each other's. A state is an image of memory, so it also depends on the byte
 * order, the size of a word and the architecture, which the platform names.
 */
#include "ctascope/sim.h"
#include "sim/build_id.def"

#if defined __x86_64__
#define ARCHITECTURE "x86_64"
#elif defined __aarch64__
#define ARCHITECTURE "aarch64"
#elif defined __riscv
#define ARCHITECTURE "riscv"
#elif defined __powerpc__
#define ARCHITECTURE "powerpc"
#elif defined __s390__
#define ARCHITECTURE "s390"
#elif defined __loongarch__
#define ARCHITECTURE "loongarch"
#else
#define ARCHITECTURE "another architecture"
#endif

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BYTE_ORDER_NAME "little-endian"
#else
#define BYTE_ORDER_NAME "big-endian"
#endif

#if __SIZEOF_POINTER__ == 8
#define WORD_SIZE "64-bit"
#else
#define WORD_SIZE "32-bit"
#endif

const char *
sim_build_id(void)
{
	return BUILD_SUM " " __VERSION__;
}

const char *
sim_build_platform(void)
{
	return ARCHITECTURE ", " WORD_SIZE ", " BYTE_ORDER_NAME;
}
