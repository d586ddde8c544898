/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * axis_marks.c - letters of events on the time axis, and the commands `marks` and `bookmark`.
 *
 * A column shows the letter of its most important event: a core that is switched off comes before a
 * paused CTA, which comes before an issued one. Only run.events events are kept, so columns before
 * the oldest kept event show '~'.
 */
#include "base/human.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/words.h"
#include "tui/heat.h"
#include "tui/screen_part.h"
#include "tui/time_axis.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CHOICE                                                                  \
	(EV_BIT(EV_KERNEL) | EV_BIT(EV_PAUSE) | EV_BIT(EV_RESUME) | EV_BIT(EV_GATE) | \
	 EV_BIT(EV_UNGATE))

/* The most important event comes first. An event that is not listed ranks below all and is a dot.
 */
static const struct {
	enum event_kind kind;
	char letter;
	enum role role;
} look[] = {
	{EV_KERNEL, 'K', ROLE_TITLE},
	{EV_GATE, 'G', ROLE_OFF},
	{EV_UNGATE, 'U', ROLE_ACTIVE},
	{EV_THROTTLE, 'T', ROLE_THROTTLED},
	{EV_UNTHROTTLE, 't', ROLE_ACTIVE},
	{EV_CORE_PAUSE, 'C', ROLE_PAUSED},
	{EV_CORE_RESUME, 'c', ROLE_ACTIVE},
	{EV_DETECTED, 'D', ROLE_STOP},
	{EV_PHASE, 'F', ROLE_STOP},
	{EV_PAUSE, 'P', ROLE_PAUSED},
	{EV_RESUME, 'R', ROLE_ACTIVE},
	{EV_DRAIN, 'd', ROLE_DRAINING},
	{EV_CREDIT_EXHAUSTED, 'x', ROLE_STOP},
	{EV_LIMIT, 'L', ROLE_THRESHOLD},
};

static unsigned
rank_kind(unsigned kind)
{
	unsigned i = 0;

	while (i < ARRAY_LEN(look) && (unsigned)look[i].kind != kind)
		i++;
	return kind == EV_KINDS ? i + 1 : i;
}

void
axis_marks_free(struct axis_marks *m)
{
	free(m->kind);
	*m = (struct axis_marks){.kinds = m->kinds};
}

static void
update_marks(struct screen *s, struct axis_marks *m)
{
	const struct event_ring *r = sim_events(screen_sim(s));
	struct time_columns *k = &m->columns;

	if (columns_begin(k, s, m->seen > r->next)) {
		if (k->w > m->size)
			m->kind = memory_resize(m->kind, (size_t)k->w, 1);
		m->size = MAX(m->size, k->w);
		m->seen = 0;
		memset(m->kind, EV_KINDS, (size_t)k->w);
	}
	k->count = series_count(screen_sim(s));
	for (m->seen = MAX(m->seen, r->first); m->seen < r->next; m->seen++) {
		const struct event *ev = event_ring_get(r, m->seen);
		int x = ev && m->kinds & EV_BIT(ev->kind) ? axis_column(&s->axis, ev->cycle) : -1;
		if (x >= 0 && x < k->w && rank_kind(ev->kind) < rank_kind(m->kind[x]))
			m->kind[x] = ev->kind;
	}
}

void
axis_marks_draw(struct screen *s, struct canvas *c)
{
	struct axis_marks *m = &s->marks;
	int label = heat_label_width(screen_cores(s));
	const struct event_ring *r = sim_events(screen_sim(s));
	const struct event *oldest = event_ring_get(r, r->first);

	if (!m->kinds)
		return;
	update_marks(s, m);
	for (int x = 0; x < m->columns.w; x++) {
		unsigned i = rank_kind(m->kind[x]);
		cycle_t end = s->axis.t0 + (cycle_t)(x + 1) * s->axis.per;
		if (i < ARRAY_LEN(look))
			canvas_put(c, label + x, 0, look[i].role, (unsigned char)look[i].letter);
		else if (i == ARRAY_LEN(look))
			canvas_put(c, label + x, 0, ROLE_DIM, 0xb7);
		else if (r->first > 0 && oldest && end < oldest->cycle)
			canvas_put(c, label + x, 0, ROLE_UNKNOWN, '~');
	}
}

/* ---------------------------------------------------------------- commands */

/* Lists the letters in use, for example "P pause, R resume". */
static void
notice_marks(struct screen *s)
{
	char text[160] = "";
	size_t n = 0;

	if (!s->marks.kinds) {
		screen_notice(s, "marks are off");
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(look) && n < sizeof(text); i++)
		if (s->marks.kinds & EV_BIT(look[i].kind))
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%c %s", n ? ", " : "",
					      look[i].letter, event_rows[look[i].kind].name);
	screen_notice(s, "marks: %s; ~ no longer kept", n ? text : "a dot for each");
}

int
screen_do_marks(struct screen *s, const char *arg, struct err *e)
{
	uint64_t kinds = 0;
	struct span w;
	char name[32];

	if (!*arg)
		kinds = s->marks.kinds ? 0 : FIRST_CHOICE;
	else if (strcmp(arg, "on") == 0)
		kinds = FIRST_CHOICE;
	else if (strcmp(arg, "off") != 0)
		while ((w = word_next(&arg)).n) {
			int k = span_copy(w, name, sizeof(name)) ? event_find(name) : -1;
			if (k < 0)
				return screen_wrong_word("marks", name, e);
			kinds |= EV_BIT(k);
		}
	s->marks.kinds = kinds;
	s->marks.columns.ready = false;
	notice_marks(s);
	return 0;
}

static void
list_bookmarks(struct screen *s)
{
	char text[160] = "", cycle[HUMAN];
	size_t n = 0;

	for (int i = 0; i < BOOKMARKS && n + 24 < sizeof(text); i++)
		if (s->bookmark[i])
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%c %s", n ? "; " : "",
					      'a' + i, human(cycle, s->bookmark[i]));
	screen_notice(s, n ? "bookmarks: %s" : "no bookmarks; m a sets one at the cursor%s", text);
}

/* "a" sets a bookmark at the cursor and "a 4096" at that cycle; "off" removes all. */
int
screen_do_bookmark(struct screen *s, const char *arg, struct err *e)
{
	struct span name = word_next(&arg);
	cycle_t at = axis_cursor(&s->axis);
	char cycle[HUMAN];
	uint64_t v;

	arg = skip_blanks(arg);
	if (!name.n) {
		list_bookmarks(s);
		return 0;
	}
	if (span_is(name, "off")) {
		memset(s->bookmark, 0, sizeof(s->bookmark));
		screen_notice(s, "no bookmarks");
		return 0;
	}
	if (name.n != 1 || *name.p < 'a' || *name.p > 'z')
		return err_set(e, "bookmark: expected a letter from a to z, or off; found '%.*s'",
			       (int)name.n, name.p);
	if (*arg && (number_count(arg, &v) || v > s->axis.now))
		return err_set(e, "bookmark: '%s' is not a cycle of this run: 1 to %s", arg,
			       human(cycle, s->axis.now));
	at = *arg ? v : at;
	if (at == 0)
		return err_set(e, "nothing has run yet; Space runs the model");
	s->bookmark[*name.p - 'a'] = at;
	screen_notice(s, "bookmark %c at cycle %s; ' %c goes there", *name.p, human(cycle, at),
		      *name.p);
	return 0;
}
