/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * build_id.c - which code this model is.
 *
 * A checksum of its sources, and the compiler. Not of the program: one whose screen or prompt was
 * changed reads the states of the one before, and two builds of the same sources read each other's.
 */
#include "ctascope/sim.h"
#include "sim/build_id.def"

const char *
sim_build_id(void)
{
	return BUILD_SUM " " __VERSION__;
}
