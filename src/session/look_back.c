/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * look_back.c - machines that show other cycles of the present branch (lab/replica.h), for a front
 * end. They are made when they are first asked for, and freed with the machine that they follow.
 */
#include "lab/lab.h"
#include "session/experiment.h"
#include "session/session_part.h"

int
session_look_back(struct session *s, enum look_back purpose, const struct look_back_want *want,
		  double seconds, struct sim **sim, double *done, struct err *e)
{
	struct replica **r = &s->workers.replica[purpose];
	struct machine m = session_machine(s);
	struct replica_want w = {.from = MIN(want->from, want->cycle),
				 .core = want->core,
				 .profile = want->profile,
				 .sample = want->sample};
	int rc;

	if (!s->sim || !timeline_branches(s->timeline))
		return err_set(e, "no workload is loaded");
	w.place = (struct place){timeline_here(s->timeline).branch, want->cycle};
	if (!*r && !(*r = replica_new(&m, e)))
		return -1;
	rc = replica_reach(*r, &w, seconds, e);
	*sim = rc > 0 ? replica_sim(*r) : NULL;
	*done = replica_done(*r);
	return rc;
}

void
session_take_records(struct session *s, enum look_back purpose)
{
	replica_give_records(s->workers.replica[purpose]);
}

void
session_forget_replicas(struct session *s)
{
	for (unsigned i = 0; i < LOOKS; i++) {
		replica_free(s->workers.replica[i]);
		s->workers.replica[i] = NULL;
	}
}
