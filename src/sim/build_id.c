/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * build_id.c - identifies the code of the model: a checksum of its sources, and the compiler.
 *
 * It does not identify the whole program. A program with a changed screen or prompt can read the
 * states of the one before, and two builds of the same sources read each other's states.
 */
#include "ctascope/sim.h"
#include "sim/build_id.def"

const char *
sim_build_id(void)
{
	return BUILD_SUM " " __VERSION__;
}
