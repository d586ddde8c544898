/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_time.c - connects the session with its timeline: moves, what they undo, the places
 * visited.
 *
 * The timeline moves the sim; the session updates the rest: the configuration for `show` and `set`,
 * expressions of displays, the log of events. It prints what a move changed, since nothing else
 * shows it. Until it first moves backwards, a script pays for no snapshot except that of cycle 0;
 * at the prompt and on the screen snapshots are taken from the start.
 */
#include "base/clock.h"
#include "export/export.h"
#include "session/session_part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- around runs and moves */

static void
on_progress(void *ctx, double done)
{
	struct session *s = ctx;

	s->time.seek_done = done;
	if (s->ui.tick && s->ui.tick(s->ui.ctx))
		s->control.poll = 1;
}

/* The log of events contains exactly the events of the present path. */
static void
on_parted(void *ctx, uint64_t seq)
{
	struct session *s = ctx;

	if (s->log.events && seq < event_log_next(s->log.events, s->run))
		event_log_add(s->log.events, s->sim, s->run, seq);
}

void
session_time_begin(struct session *s)
{
	timeline_set_options(s->timeline,
			     &(struct timeline_options){.memory = (size_t)s->opts.time_memory << 20,
							.every = s->opts.time_every,
							.keep = s->ui.interactive,
							.drop = !s->opts.branch_on_change,
							.fork = s->control.live.is_applying,
							.role = s->time.role,
							.made = ++s->time.made,
							.poll = &s->control.poll,
							.progress = on_progress,
							.parted = on_parted,
							.ctx = s});
}

void
session_time_end(struct session *s)
{
	const char *news = timeline_news(s->timeline);
	struct err e = {0};

	if (news)
		say(s, SAY_NOTE, "%s", news);
	if (s->time.changes == timeline_changes(s->timeline))
		return;
	s->time.changes = timeline_changes(s->timeline);
	if (config_follow(s->config, sim_config(s->sim), &e))
		say_err(s, &e);
	session_bind_displays(s);
}

void
session_seek(struct session *s, bool on)
{
	if (on)
		session_time_begin(s);
	s->control.running = s->time.seeking = on;
	s->time.seek_began = clock_seconds();
	s->time.seek_done = 0;
	if (!on)
		session_time_end(s);
}

bool
session_seeking(const struct session *s, double *done, double *left, const char **what)
{
	double past = clock_seconds() - s->time.seek_began;

	if (!s->time.seeking)
		return false;
	*done = s->time.seek_done;
	if (what)
		*what = s->time.seek_what;
	*left = past < 1 ? -1 : past * (1 - *done) / fmax(*done, 1e-3);
	return true;
}

/* ---------------------------------------------------------------- what a move undoes */

struct difference {
	struct session *s;
	struct strbuf *out;
};

static void
add_difference(struct strbuf *out, const char *name, const char *from, const char *to)
{
	sb_printf(out, "%s%s %s -> %s", out->n ? ", " : "", name, from, to);
}

static void
compare_option(void *ctx, const char *key, const struct opt_group *g ATTR_UNUSED,
	       const struct opt_row *r ATTR_UNUSED)
{
	struct difference *d = ctx;
	const struct config *is = sim_config(d->s->sim);
	char from[64], to[64];

	if (!config_is_choice(is, key) ||
	    opt_get(config_db(d->s->config), key, from, sizeof(from), NULL) < 0 ||
	    opt_get(config_db_const(is), key, to, sizeof(to), NULL) < 0)
		return;
	if (strcmp(from, to))
		add_difference(d->out, key, from, to);
}

void
session_say_undone(struct session *s, struct strbuf *out)
{
	struct difference d = {s, out};
	const char *from = config_policy_text(s->config),
		   *to = config_policy_text(sim_config(s->sim));

	opt_each(config_db(s->config), compare_option, &d);
	if (strcmp(from, to))
		add_difference(out, "policy", from, to);
}

void
session_say_changes(struct session *s, struct strbuf *undone)
{
	cycle_t next = timeline_next_choice(s->timeline);
	const char *text;
	char n[HUMAN];

	if (undone->n && next != CYCLE_NEVER)
		sb_printf(undone, "; the next change comes at cycle %s", human(n, next));
	text = text_so_far(s, undone);
	say_chatter(s, text);
	sb_free(undone);
}

void
session_say_lost(struct session *s, struct strbuf *lost)
{
	unsigned n = timeline_marks(s->timeline);
	cycle_t tip;
	char cycle[HUMAN];

	if (session_behind(s, &tip))
		sb_printf(lost, "dropped the run up to cycle %s\n", human(cycle, tip));
	if (n)
		sb_str(lost, "dropped the checkpoints of the previous machine:");
	for (unsigned i = 0; i < n; i++)
		sb_printf(lost, " %s", timeline_mark_at(s->timeline, i)->name);
	if (n)
		sb_char(lost, '\n');
	if (timeline_branches(s->timeline) > 1)
		sb_str(lost, "dropped the branches of the previous machine\n");
}

/* ---------------------------------------------------------------- a move */

static void
say_branch(struct session *s, unsigned branch)
{
	char text[80];

	snprintf(text, sizeof(text), "branch %s", timeline_branch(s->timeline, branch)->name);
	say_chatter(s, text);
}

enum session_status
session_goto(struct session *s, struct place p)
{
	struct strbuf undone = {0};
	struct place here = timeline_here(s->timeline);
	struct err e = {0};
	int rc;

	session_seek(s, true);
	rc = timeline_goto(s->timeline, p, &e);
	if (rc == 0)
		session_say_undone(s, &undone);
	session_seek(s, false);
	s->view.list_at = 0;
	if (!s->time.quiet_move)
		session_say_changes(s, &undone);
	else
		sb_free(&undone);
	if (rc == 0 && p.branch != here.branch)
		say_branch(s, p.branch);
	if (rc < 0)
		return say_err(s, &e);
	if (rc > 0) {
		enum session_status status;

		session_ended(s, DEBUG_INTERRUPTED, NULL, NULL, &status);
		return status == SESSION_OK ? SESSION_ERROR : status;
	}
	return session_log_events(s);
}

/* ---------------------------------------------------------------- from the start */

static void
keep_option(void *ctx, const char *key, const struct opt_group *g ATTR_UNUSED,
	    const struct opt_row *r ATTR_UNUSED)
{
	struct difference *d = ctx;
	char value[64];

	if (config_is_choice(d->s->config, key) &&
	    opt_get(config_db(d->s->config), key, value, sizeof(value), NULL) == 0)
		sb_printf(d->out, "%s=%s\n", key, value);
}

/* Records a change at the present, unless the value is the same. */
static int
record_choice(struct session *s, enum choice_kind kind, const char *key, const char *value,
	      struct err *e)
{
	char is[64], note[POLICY_TEXT + 600] = "";
	int rc;

	if (kind == CHOICE_POLICY
		    ? !strcmp(value, config_policy_text(sim_config(s->sim)))
		    : opt_get(config_db_const(sim_config(s->sim)), key, is, sizeof(is), NULL) < 0 ||
			      !strcmp(is, value))
		return 0;
	rc = timeline_choose(s->timeline, kind, key, value, note, sizeof(note), e);
	if (rc == 0)
		say_chatter(s, note);
	return rc;
}

/* kept: the options as lines KEY=VALUE, which are modified. */
static int
record_choices(struct session *s, const char *policy, char *kept, struct err *e)
{
	int rc = record_choice(s, CHOICE_POLICY, "policy", policy, e);

	for (char *line = kept, *end; rc == 0 && line && (end = strchr(line, '\n'));
	     line = end + 1) {
		char *value = strchr(line, '=');

		*end = '\0';
		*value++ = '\0';
		rc = record_choice(s, CHOICE_OPTION, line, value, e);
	}
	/* changes of the old run are not part of a run that starts again */
	if (rc == 0 && timeline_next_choice(s->timeline) != CYCLE_NEVER)
		rc = timeline_fork(s->timeline, "", e);
	return rc;
}

enum session_status
session_start_again(struct session *s)
{
	struct place start = {timeline_here(s->timeline).branch, 0};
	struct strbuf kept = {0};
	struct difference d = {s, &kept};
	char policy[POLICY_TEXT];
	enum session_status status;
	struct err e = {0};

	snprintf(policy, sizeof(policy), "%s", config_policy_text(s->config));
	opt_each(config_db(s->config), keep_option, &d);
	s->time.quiet_move = true;
	status = kept.failed ? fail_memory(s) : session_goto(s, start);
	s->time.quiet_move = false;
	if (status == SESSION_OK) {
		s->run++; /* the events of a new branch would otherwise have the same run number */
		if (record_choices(s, policy, kept.p, &e))
			status = say_err(s, &e);
	}
	session_time_end(s);
	sb_free(&kept);
	return status;
}

/* ---------------------------------------------------------------- visited places */

static bool
same_place(struct place a, struct place b)
{
	return a.branch == b.branch && a.cycle == b.cycle;
}

void
session_visits_forget(struct session *s)
{
	s->time.n_visits = s->time.at_visit = 0;
	s->time.has_left = false;
	session_visit(s, "");
}

void
session_visit(struct session *s, const char *how)
{
	struct place here;
	unsigned n = s->time.n_visits ? s->time.at_visit + 1 : 0;

	if (!s->sim ||
	    (!s->time.visit && !(s->time.visit = calloc(VISITS, sizeof(*s->time.visit)))))
		return;
	here = timeline_here(s->timeline);
	if (n && same_place(here, s->time.visit[s->time.at_visit].place))
		return;
	if (n == VISITS) {
		n--;
		memmove(&s->time.visit[0], &s->time.visit[1], n * sizeof(*s->time.visit));
	}
	s->time.visit[n].place = here;
	snprintf(s->time.visit[n].how, sizeof(s->time.visit[n].how), "%s", skip_blanks(how));
	s->time.at_visit = n;
	s->time.n_visits = n + 1;
}

bool
session_behind(const struct session *s, cycle_t *tip)
{
	struct place here;

	if (!s->sim || !timeline_branches(s->timeline))
		return false;
	here = timeline_here(s->timeline);
	*tip = timeline_branch(s->timeline, here.branch)->tip;
	return here.cycle < *tip;
}
