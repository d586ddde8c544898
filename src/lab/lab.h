/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lab.h - the facade of src/lab: experiments on copies of the machine.
 *
 *     race.h   lanes in lockstep, each in a worker; decisions and the first difference
 */
#ifndef LAB_LAB_H
#define LAB_LAB_H

#include "lab/race.h"

#endif
