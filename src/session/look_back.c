/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * look_back.c - machines that show other cycles of the present branch (lab/replica.h), for a front
 * end. They are made when they are first asked for, and freed with the machine that they follow.
 */
#include "lab/lab.h"
#include "session/experiment.h"
#include "session/session_part.h"

int
session_look_back(struct session *s, enum session_side side, enum look_back purpose,
		  const struct look_back_want *want, double seconds, struct sim **sim, double *done,
		  struct err *e)
{
	struct replica **r = &s->workers.replica[side][purpose];
	struct twin *twin = s->workers.split.twin;
	struct machine m = side == SIDE_TWIN && twin ? twin_machine(twin) : session_machine(s);
	struct replica_want w = {.from = MIN(want->from, want->cycle),
				 .core = want->core,
				 .profile = want->profile,
				 .sample = want->sample};
	int rc;

	if (!m.sim || !timeline_branches(m.timeline) || (side == SIDE_TWIN && !twin))
		return err_set(e, "no workload is loaded");
	w.place = (struct place){timeline_here(m.timeline).branch, want->cycle};
	if (!*r && !(*r = replica_new(&m, e)))
		return -1;
	rc = replica_reach(*r, &w, seconds, e);
	*sim = rc > 0 ? replica_sim(*r) : NULL;
	*done = replica_done(*r);
	return rc;
}

void
session_take_records(struct session *s, enum session_side side, enum look_back purpose)
{
	replica_give_records(s->workers.replica[side][purpose]);
}

static void
forget_side(struct session *s, enum session_side side)
{
	for (unsigned i = 0; i < LOOKS; i++) {
		replica_free(s->workers.replica[side][i]);
		s->workers.replica[side][i] = NULL;
	}
}

void
session_forget_replicas(struct session *s)
{
	session_forget_twin(s);
	forget_side(s, SIDE_SESSION);
}

void
session_forget_twin(struct session *s)
{
	forget_side(s, SIDE_TWIN);
	twin_free(s->workers.split.twin);
	s->workers.split.twin = NULL;
}
