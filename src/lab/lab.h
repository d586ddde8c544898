/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lab.h - the facade of src/lab: experiments on copies of the machine.
 *
 *     machine_copy.h  a copy of the machine at a place of the timeline
 *     jobs.h          the runs of an experiment, each in a worker
 *     replica.h       a second machine that shows other cycles of the run
 *     race.h          lanes in lockstep, each in a worker; decisions and the first difference
 *     comparison.h    two copies side by side to a horizon
 *     flip.h          a decision with another outcome, on a new branch
 *     diverge.h       the first event and state in which two branches differ
 *     blame.h         the effect of each decision about a core
 *     twin.h          a second run in step with the session's
 *     bottleneck.h    the same run with each part of the machine twice as fast
 *     oracle.h        a search for the limits of CTAs with which the workload ends earliest
 *     reference.h     the same run under other policies, measured in the background
 */
#ifndef LAB_LAB_H
#define LAB_LAB_H

#include "lab/blame.h"
#include "lab/bottleneck.h"
#include "lab/comparison.h"
#include "lab/diverge.h"
#include "lab/flip.h"
#include "lab/machine_copy.h"
#include "lab/oracle.h"
#include "lab/race.h"
#include "lab/reference.h"
#include "lab/replica.h"
#include "lab/twin.h"

#endif
