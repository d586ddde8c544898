/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * measure.c - search and measurement in time: marks of what `find` found, and the two lines about
 * the selected part of the run, which take the place of the lines `at` and `last`.
 *
 * The numbers come from the samples that reach into the selection, each weighted by its cycles in
 * it. The reference is compared at the same work: the cycles that it needed for the thread
 * instructions of the selection.
 */
#include "tui/fmt.h"
#include "tui/heat.h"
#include "tui/screen_part.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------- hits */

void
screen_draw_hits(const struct screen *s, struct canvas *c)
{
	int label = heat_label_width(screen_cores(s)), x;
	const char *text;
	const cycle_t *hit;
	unsigned n = session_hits(s->session, &hit, &text);

	for (unsigned i = 0; i < n; i++) {
		const struct cell *k;

		if ((x = axis_column(&s->axis, hit[i])) < 0)
			continue;
		k = canvas_at(c, label + x, 0);
		if (k && (!k->wc || k->wc == ' ' || k->role == ROLE_DIM))
			canvas_put(c, label + x, 0, ROLE_STOP, 0x25cf);
	}
}

/* Number of the hits up to a cycle. */
static unsigned
hits_until(const cycle_t *hit, unsigned n, cycle_t cycle)
{
	unsigned lo = 0, hi = n;

	while (lo < hi) {
		unsigned mid = lo + (hi - lo) / 2;

		if (hit[mid] <= cycle)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Goes round through the hits up to the present: `find` also found those ahead of it. */
void
screen_to_hit(struct screen *s, int by)
{
	const char *text;
	const cycle_t *hit;
	unsigned n = session_hits(s->session, &hit, &text), at;
	cycle_t now = axis_cursor(&s->axis);
	char num[FMT_MAX];

	n = text ? hits_until(hit, n, sim_cycle(screen_sim(s))) : 0;
	if (!n) {
		screen_notice(s,
			      text ? "%s: never up to here"
				   : "no search yet; type / and an event or a comparison%s",
			      text ? text : "");
		return;
	}
	/* From the last the next is the first, and the other way round. */
	if (by > 0)
		at = hits_until(hit, n, now) % n;
	else
		at = (hits_until(hit, n, now ? now - 1 : 0) + n - 1) % n;
	axis_goto(&s->axis, hit[at]);
	screen_notice(s, "%u of %u: %s at cycle %s; ; next, , previous", at + 1, n, text,
		      fmt_u64(num, hit[at]));
}

/* ---------------------------------------------------------------- the selected part */

struct part_sums {
	double cycles, insts, before; /* before: instructions before the part */
	double share[CC_CLASSES];     /* sum over cores and cycles */
};

static const enum series_core_field class_field[CC_CLASSES] = {
	SC_ACTIVE, SC_STALL, SC_BLOCKED, SC_MEMORY, SC_DEPEND, SC_IDLE, SC_GATED,
};

static double
share_of_class(const struct screen *s, int class, unsigned sample)
{
	double sum = 0;

	for (unsigned core = 0; core < screen_cores(s); core++) {
		double v = series_core(screen_sim(s), class_field[class], core, sample);
		sum += isnan(v) ? 0 : v;
	}
	return sum;
}

static struct part_sums
sum_part(const struct screen *s, cycle_t from, cycle_t to)
{
	const struct sim *sim = screen_sim(s);
	struct part_sums p = {.cycles = 0};
	struct time_column before = {.from = 0, .to = from}, part = {.from = from, .to = to};
	bool past;
	double w;

	for (unsigned i = 0; i < series_count(sim); i++) {
		double ipc = series_gpu(sim, SG_IPC, i);

		if (from && (w = column_part(sim, &before, i, &past)) > 0 && !past)
			p.before += ipc * w;
		if (series_end(sim, i) <= from)
			continue;
		w = column_part(sim, &part, i, &past);
		if (past)
			break;
		p.cycles += w;
		p.insts += ipc * w;
		for (int k = 0; k < CC_CLASSES; k++)
			p.share[k] += w * share_of_class(s, k, i);
	}
	return p;
}

/* Decisions in the part by what they did to the limit; false: some are no longer kept. */
struct part_decisions {
	unsigned up, down, stays, pauses;
	bool complete;
};

static struct part_decisions
count_decisions(const struct screen *s, cycle_t from, cycle_t to)
{
	const struct event_ring *r = sim_events(screen_sim(s));
	const struct event *oldest = event_ring_get(r, r->first);
	struct part_decisions d = {.complete = r->first == 0 || (oldest && oldest->cycle <= from)};

	for (uint64_t seq = r->next; seq > r->first; seq--) {
		const struct event *ev = event_ring_get(r, seq - 1);

		if (!ev || ev->cycle <= from)
			break;
		if (ev->cycle > to)
			continue;
		d.up += ev->kind == EV_LIMIT && ev->limit > ev->limit_before;
		d.down += ev->kind == EV_LIMIT && ev->limit < ev->limit_before;
		d.stays += ev->kind == EV_PERIOD && ev->limit && ev->limit == ev->limit_before;
		d.pauses += ev->kind == EV_PAUSE;
	}
	return d;
}

/* "1.22x of rr"; the number of bytes. */
static size_t
add_change(const struct screen *s, const struct part_sums *p, char *buf, size_t size)
{
	struct reference_view r;
	double cycles;

	if (!session_reference(s->session, REFERENCE_STACK, &r))
		return 0;
	cycles = reference_cycle(&r, p->before + p->insts) - reference_cycle(&r, p->before);
	if (!(cycles > 0) || p->cycles <= 0)
		return 0;
	return (size_t)snprintf(buf, size, "%.2fx of %s here, ", cycles / p->cycles, r.name);
}

/* Whether a sample ends there, or the run begins or stands there. */
static bool
is_edge(const struct sim *sim, cycle_t cycle)
{
	int i = cycle ? series_at(sim, cycle) : -1;

	return cycle == 0 || cycle == sim_cycle(sim) ||
	       (i >= 0 && series_end(sim, (unsigned)i) == cycle);
}

/* exact: the part begins and ends with samples. Within a sample only its mean is known. */
static void
draw_first_line(const struct part_sums *p, struct canvas *c, cycle_t from, cycle_t to, bool exact)
{
	double all = 0;
	char a[FMT_MAX], b[FMT_MAX], n[FMT_MAX], ipc[FMT_MAX];
	int x = 1;

	x += canvas_text(c, x, 0, ROLE_TITLE, "sel") + 2;
	x += canvas_printf(c, x, 0, ROLE_VALUE, "%s..%s", fmt_u64(a, from), fmt_u64(b, to));
	x += canvas_printf(c, x, 0, ROLE_TEXT, " %s cycles, IPC %s%s ", fmt_u64(n, to - from),
			   exact ? "" : "of the sample ",
			   fmt_num(ipc, p->cycles > 0 ? p->insts / p->cycles : (double)NAN, 1));
	for (int i = 0; i < CC_CLASSES; i++)
		all += p->share[i];
	for (int i = 0; i < CC_CLASSES && all > 0; i++) {
		char text[48];

		if (p->share[i] < 0.005 * all)
			continue;
		snprintf(text, sizeof(text), " %.3s %.0f%%", cycle_class_names[i],
			 100 * p->share[i] / all);
		if (x + text_width(text) < c->w)
			x += canvas_text(c, x, 0, class_role((unsigned)i), text);
	}
}

/* Sums the part over the shortest samples there are: those that zooming in has replayed, if they
 * cover it. *exact: it begins and ends with samples. */
static struct part_sums
sum_finest(struct screen *s, cycle_t from, cycle_t to, bool *exact)
{
	const struct look_back_want *w = &s->replay.look[LOOK_SAMPLES].want;
	struct part_sums all = sum_part(s, from, to), part = all;
	struct replay_saved saved = replay_give_look(s, LOOKS);

	if (from >= w->from && to <= w->cycle)
		replay_give_look(s, LOOK_SAMPLES);
	*exact = is_edge(screen_sim(s), from) && is_edge(screen_sim(s), to);
	part = sum_part(s, from, to);
	part.before = all.before;
	replay_return(s, &saved);
	return part;
}

/* True: a part is selected, and its two lines are drawn. */
bool
screen_draw_measured(struct screen *s, struct canvas *first, struct canvas *second)
{
	struct part_decisions d;
	struct part_sums p;
	char text[300] = "";
	cycle_t from, to;
	bool exact;
	size_t n;

	if (s->select_from != CYCLE_NEVER) {
		from = MIN(s->select_from, axis_cursor(&s->axis));
		to = MAX(s->select_from, axis_cursor(&s->axis));
	} else if (!session_selection(s->session, &from, &to)) {
		return false;
	}
	if (!screen_sim(s) || series_count(screen_sim(s)) == 0 || first->h == 0 || from == to)
		return false;
	p = sum_finest(s, from, to, &exact);
	draw_first_line(&p, first, from, to, exact);
	if (second->h == 0)
		return true;
	d = count_decisions(s, from, to);
	n = add_change(s, &p, text, sizeof(text));
	snprintf(text + n, sizeof(text) - n, "limits: %u up, %u down, %u stay; %u CTAs paused%s",
		 d.up, d.down, d.stays, d.pauses,
		 d.complete ? "" : " (earlier events are not kept)");
	canvas_fit(second, 6, 0, second->w - 7, ROLE_TEXT, text);
	return true;
}

/* ---------------------------------------------------------------- selecting by keys */

/* The first call marks where the selection begins, the second where it ends; then a new one can
 * begin. */
void
screen_select_here(struct screen *s)
{
	cycle_t here = axis_cursor(&s->axis), from;
	char num[FMT_MAX], end[FMT_MAX];

	if (s->select_from == CYCLE_NEVER) {
		s->select_from = here;
		session_select(s->session, 0, 0);
		screen_notice(s, "selecting from cycle %s: move the cursor, v ends, Escape drops",
			      fmt_u64(num, here));
		return;
	}
	from = MIN(s->select_from, here);
	here = MAX(s->select_from, here);
	s->select_from = CYCLE_NEVER;
	if (from == here) {
		screen_notice(s, "nothing is selected: the cursor did not move");
		return;
	}
	session_select(s->session, from, here);
	screen_notice(s, "selected %s..%s: dump csv series FILE selection", fmt_u64(num, from),
		      fmt_u64(end, here));
}
