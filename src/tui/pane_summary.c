/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_summary.c - the result of a run on one card: its time beside that of the references, when
 * its limits settled, its energy, where the cycles went, and the keys for what comes next.
 *
 * The screen opens it when a run ends; any key closes it, and most do nothing else. It shows values
 * that the session has, and measures nothing itself.
 */
#include "tui/fmt.h"
#include "tui/panes.h"
#include "tui/settled.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LABEL 10 /* columns of the words at the left */
#define ROWS 9

/* A value of the machine by its path; NaN: there is none. */
static double
value_at(const struct sim *sim, const char *path)
{
	uint64_t id;

	return sim_path(sim, path, &id, NULL) == 1 ? sim_value(sim, id, 0) : (double)NAN;
}

static void
draw_row(struct canvas *c, int y, const char *label, const char *text)
{
	canvas_fit(c, 1, y, LABEL - 1, ROLE_DIM, label);
	canvas_fit(c, 1 + LABEL, y, c->w - LABEL - 2, ROLE_TEXT, text);
}

/* ---------------------------------------------------------------- time */

static void
time_text(const struct sim *sim, char *buf, size_t size)
{
	char cycles[FMT_MAX], ctas[FMT_MAX], ipc[FMT_MAX];
	unsigned kernels = sim_kernels_started(sim);

	snprintf(buf, size, "%s cycles, %u kernel%s, %s CTAs, IPC %s",
		 fmt_u64(cycles, sim_cycle(sim)), kernels, kernels == 1 ? "" : "s",
		 fmt_num(ctas, value_at(sim, "gpu.ctas_done"), 0),
		 fmt_num(ipc, value_at(sim, "gpu.ipc"), 1));
}

/* "rr 268,408 (1.11x faster)", in cycles, short enough for two in a row of 80 columns. */
static size_t
add_reference(const struct screen *s, enum reference_kind kind, char *buf, size_t size)
{
	double own = (double)sim_cycle(screen_sim(s)), times;
	struct reference_view r;
	char num[FMT_MAX];

	if (!session_reference(s->session, kind, &r))
		return 0;
	if (!r.measured || !r.cycles || own <= 0)
		return (size_t)snprintf(buf, size, "%s is being measured", r.name);
	times = (double)r.cycles / own;
	if (!sim_done(screen_sim(s)))
		return (size_t)snprintf(buf, size, "%s needs %s cycles", r.name,
					fmt_u64(num, r.cycles));
	return (size_t)snprintf(buf, size, "%s %s (%.2fx %s)", r.name, fmt_u64(num, r.cycles),
				times >= 1 ? times : 1 / times, times >= 1 ? "slower" : "faster");
}

/* A reference that is still being measured may turn out to be better: "; still measuring static:n=5
 * 34 %". */
static void
add_progress(const struct screen *s, char *buf, size_t size)
{
	size_t n = strlen(buf);
	char progress[80];

	session_reference_progress(s->session, progress, sizeof(progress));
	if (*progress && n < size)
		snprintf(buf + n, size - n, "; still measuring %s", progress);
}

static bool
reference_text(const struct screen *s, char *buf, size_t size)
{
	size_t n = add_reference(s, REFERENCE_STACK, buf, size);

	if (n && n + 2 < size && add_reference(s, REFERENCE_BEST, buf + n + 2, size - n - 2))
		memcpy(buf + n, "; ", 2);
	else if (!n)
		n = add_reference(s, REFERENCE_BEST, buf, size);
	if (!n)
		snprintf(buf, size, "nothing measured yet; E measures %s", screen_plain_policy());
	else
		add_progress(s, buf, size);
	return n > 0;
}

/* ---------------------------------------------------------------- limits */

struct settling {
	bool settled, changed;
	cycle_t since; /* the limits stayed from the end of this sample on, for SETTLED_PERIODS */
	cycle_t last;  /* the end of the last sample in which one changed */
	double lo, hi; /* limits while they stayed */
};

/* Whether a core with CTAs has another limit than in the sample before. */
static bool
limit_changed(const struct screen *s, unsigned sample)
{
	const struct sim *sim = screen_sim(s);

	for (unsigned core = 0; core < screen_cores(s); core++) {
		double now = limit_of_core(sim, core, sample),
		       before = limit_of_core(sim, core, sample - 1);
		if (!isnan(now) && !isnan(before) && now != before)
			return true;
	}
	return false;
}

static void
range_of_limits(const struct screen *s, unsigned sample, double *lo, double *hi)
{
	*lo = *hi = (double)NAN;
	for (unsigned core = 0; core < screen_cores(s); core++) {
		double n = limit_of_core(screen_sim(s), core, sample);
		*lo = fmin(*lo, n);
		*hi = fmax(*hi, n);
	}
}

static struct settling
find_settling(const struct screen *s, cycle_t period)
{
	const struct sim *sim = screen_sim(s);
	unsigned n = series_count(sim);
	struct settling r = {.lo = (double)NAN, .hi = (double)NAN};
	cycle_t since = 0;

	for (unsigned i = 1; i < n; i++) {
		if (limit_changed(s, i)) {
			since = r.last = series_end(sim, i);
			r.changed = true;
		}
		if (r.settled || series_end(sim, i) - since < SETTLED_PERIODS * period)
			continue;
		range_of_limits(s, i, &r.lo, &r.hi);
		r.settled = !isnan(r.lo); /* where no core has a CTA, no limit has an effect */
		r.since = since;
	}
	return r;
}

static void
settling_text(const struct screen *s, char *buf, size_t size)
{
	cycle_t done, period = sim_period(screen_sim(s), &done);
	struct settling r = find_settling(s, period);
	char a[FMT_MAX], b[FMT_MAX], n[48] = "";

	/* The room is 68 columns on a screen of 80. */
	if (!period) {
		snprintf(buf, size, "the policy has no period, so limits do not change");
		return;
	}
	if (r.settled)
		snprintf(n, sizeof(n), r.lo == r.hi ? "n = %.0f" : "n = %.0f to %.0f", r.lo, r.hi);
	if (!r.changed)
		snprintf(buf, size, "no limit changed%s%s", *n ? ", " : "", n);
	else if (!r.settled)
		snprintf(buf, size, "never; the last limit changed by cycle %s",
			 fmt_u64(a, r.last));
	else if (r.last > r.since)
		snprintf(buf, size, "for a while only: %s at cycle %s; changes until %s", n,
			 fmt_u64(a, r.since), fmt_u64(b, r.last));
	else
		snprintf(buf, size, "by cycle %s, %s", fmt_u64(a, r.since), n);
}

/* ---------------------------------------------------------------- energy and cycles */

/* "1.325 mJ" */
static void
small_unit(char *buf, size_t size, double v, const char *unit)
{
	static const char *const prefix[] = {"", "m", "u", "n", "p"};
	size_t i = 0;

	for (; v > 0 && v < 1 && i + 1 < ARRAY_LEN(prefix); i++)
		v *= 1000;
	snprintf(buf, size, "%.4g %s%s", v, prefix[i], unit);
}

static void
energy_text(const struct sim *sim, char *buf, size_t size)
{
	char energy[40], edp[40];
	double joule = value_at(sim, "power.energy");

	if (!(joule > 0)) {
		snprintf(buf, size, "not known");
		return;
	}
	small_unit(energy, sizeof(energy), joule, "J");
	small_unit(edp, sizeof(edp), value_at(sim, "power.edp"), "J s");
	snprintf(buf, size, "%s, average power %.3g W, EDP %s", energy, value_at(sim, "power.avg"),
		 edp);
}

/* Cycles of all cores in each class; returns their sum. */
static double
class_cycles(const struct screen *s, double cycles[CC_CLASSES])
{
	double sum = 0;

	memset(cycles, 0, CC_CLASSES * sizeof(*cycles));
	for (unsigned core = 0; core < screen_cores(s); core++) {
		struct core_view v;

		sim_core_view(screen_sim(s), core, &v);
		for (int i = 0; i < CC_CLASSES; i++)
			cycles[i] += (double)v.class_cycles[i];
	}
	for (int i = 0; i < CC_CLASSES; i++)
		sum += cycles[i];
	return sum;
}

/* The shares in words, in two rows if one is too short for them. */
static void
draw_shares(struct canvas *c, int y, const double cycles[CC_CLASSES], double all)
{
	int x = 1 + LABEL, end = y + 1;

	for (unsigned i = 0; i < CC_CLASSES && all > 0; i++) {
		char text[48];

		if (cycles[i] < 0.005 * all)
			continue;
		snprintf(text, sizeof(text), "%s %.0f %%", cycle_class_names[i],
			 100 * cycles[i] / all);
		if (x + text_width(text) >= c->w && y < end) {
			x = 1 + LABEL;
			y++;
		}
		if (x + text_width(text) < c->w)
			x += canvas_text(c, x, y, class_role(i), text) + 2;
	}
}

/* A row of letters and colours, a cell for each share; below it the shares in words. */
static void
draw_cycles(const struct screen *s, struct canvas *c, int y)
{
	double cycles[CC_CLASSES], all = class_cycles(s, cycles), sum = 0;
	int x = 1 + LABEL, end = c->w - 1, from = x;

	canvas_fit(c, 1, y, LABEL - 1, ROLE_DIM, "cycles");
	for (int i = 0; i < CC_CLASSES && all > 0; i++) {
		sum += cycles[i];
		while (from < end && from - x < (int)lround(sum / all * (end - x)))
			canvas_put(c, from++, y, class_role((unsigned)i), class_glyph((unsigned)i));
	}
	draw_shares(c, y + 1, cycles, all);
}

/* ---------------------------------------------------------------- the card */

static int
height_of_card(struct screen *s ATTR_UNUSED, struct pane_view *view ATTR_UNUSED)
{
	return ROWS;
}

static void
draw_pane(struct screen *s, struct pane_view *view ATTR_UNUSED, struct canvas *c)
{
	const struct sim *sim = screen_sim(s);
	char text[300];
	bool measured;

	if (!sim || series_count(sim) == 0) {
		canvas_text(c, 1, 0, ROLE_DIM, "nothing has run yet");
		return;
	}
	time_text(sim, text, sizeof(text));
	draw_row(c, 0, sim_done(sim) ? "done" : "so far", text);
	draw_row(c, 1, "policy", config_policy_text(sim_config(sim)));
	measured = reference_text(s, text, sizeof(text));
	draw_row(c, 2, "against", text);
	settling_text(s, text, sizeof(text));
	draw_row(c, 3, "settled", text);
	energy_text(sim, text, sizeof(text));
	draw_row(c, 4, "energy", text);
	draw_cycles(s, c, 5);
	snprintf(text, sizeof(text),
		 measured ? "R race %s  K knobs  gg gh start  w why  :report x.html"
			  : "E measure %s  R race  K knobs  gg gh start  :report x.html",
		 screen_plain_policy());
	draw_row(c, 8, "next", text);
}

/* Any key closes the card. Only those that its last line names act as well, and those that lead to
 * the help and to commands. */
static bool
acts_too(int key)
{
	static const int keys[] = {'E', 'R', 'K',  'w',		K_GG,	    K_GH,
				   ':', '?', K_F1, K_CTRL('p'), K_CTRL('r')};

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (keys[i] == key)
			return true;
	return false;
}

static const char *
key_command(struct screen *s, struct pane_view *view ATTR_UNUSED, int key, char *buf ATTR_UNUSED,
	    size_t size ATTR_UNUSED)
{
	if (key == K_CTRL('l'))
		return NULL;
	if (!acts_too(key))
		return "pane back";
	screen_close_over(s);
	return NULL;
}

const struct pane_ops pane_summary = {
	.name = "summary",
	.help = "The result of a run, which opens at its end: cycles, the times of the references, "
		"when the limits settled, energy, where the cycles went, what to press next.",
	.title = " summary: any key closes; those of line 'next' also act ",
	.read = "The cycles, kernels and CTAs of the run and its IPC; the policy; the times of "
		"what "
		"`reference` has measured; the end of the sample after which no limit of a core "
		"with "
		"CTAs changed for 4 periods, and of the sample with the last change; energy, "
		"average power and the energy "
		"delay product; the shares of the cycles of all cores by class. The last line "
		"names "
		"keys for what usually comes next.",
	.keys = "Any key closes it. The keys that its last line names, :, ?, Ctrl-P and Ctrl-R "
		"also do what they always do; no other does anything else.",
	.also = "info stats, info power, reference, race, report, pane classes, pane converge",
	.min_w = 20,
	.min_h = 2,
	.kind = PANE_OVER,
	.height = height_of_card,
	.draw = draw_pane,
	.key = key_command,
};
