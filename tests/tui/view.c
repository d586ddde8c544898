/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * view.c - the places of things on the screen of a session: panes beside the strips and their
 * focus, the time axis below the panes it belongs to, decisions before and after a change of the
 * policy, and the keys that move to decisions.
 */
#include "tests/tui/on_screen.h"

#include <locale.h>
#include <math.h>

static char *text; /* the last frame */

static void
close_view(void)
{
	close_screen();
	free(text);
	text = NULL;
}

static void
redraw(void)
{
	screen_draw(&s);
	free(text);
	text = screen_text();
}

/* Executes a line as the driver does, and leaves its notice on the screen. */
static void
execute(const char *line)
{
	struct err e = {0};
	int done;

	s.notice[0] = '\0';
	done = screen_command(&s, line, &e);
	if (done < 0)
		ok(false, "%s: %s", line, e.msg);
	else if (done == 0)
		session_exec(session, line);
	redraw();
}

static void
type(int key)
{
	char buf[200];
	const char *line;

	redraw();
	line = screen_key(&s, key, buf, sizeof(buf));
	if (line && *line)
		execute(line);
	redraw();
}

static bool
shows(const char *what)
{
	return strstr(text, what) != NULL;
}

static void
expect(bool good, const char *what)
{
	if (!ok(good, "%s", what))
		diag("%s", text);
}

/* A change of the policy ends the list of the old one's decisions. */
static void
test_change(void)
{
	open_screen(80, 24, (struct stage_options){.samples = 60});
	execute("layout watch");
	for (unsigned core = 0; core < screen_cores(&s) && (!core || !shows("since")); core++) {
		session_set_focus_core(session, core);
		redraw();
	}
	expect(shows("since"), "the limit of a settled core stays since a cycle");
	execute("set policy static:n=2");
	stage_more(session, 20);
	axis_follow(&s.axis);
	redraw();
	expect(shows("3,840 changed static:n=2"), "the change stands among the decisions,");
	expect(!shows("since"), "those of the old policy no longer go on");
	execute("cursor 3000");
	expect(!shows("changed static"), "and back in time there is none yet");
	close_view();
}

/* A side pane never has the focus while it is not visible, nor hides the pane that a layout is for.
 */
static void
test_side(void)
{
	open_screen(80, 24, (struct stage_options){.samples = 40});
	execute("pane policy");
	type('6');
	expect(shows("source ") && s.pane == s.front, "layout source shows the source");
	type('9');
	execute("pane core");
	expect(shows("▸core 5"), "pane core is seen in the layout watch");
	execute("pane policy");
	expect(shows("▸policy"), "and the policy again");
	execute("layout lecture");
	expect(s.pane == s.front, "a layout without an inspector takes the focus from it");
	close_view();
}

/* Returns the byte of its row at which the text begins, -1: it is not on the screen. */
static int
column_in_text(const char *what)
{
	const char *p = strstr(text, what), *row = p;

	while (row && row > text && row[-1] != '\n')
		row--;
	return p ? (int)(p - row) : -1;
}

/* The large numbers beside the inspector: their words end at the pane's edge or in a mark. */
static void
test_large_words(void)
{
	open_screen(80, 24, (struct stage_options){.samples = 86});
	execute("pane big");
	expect(shows("N by shmem ") && !shows("N by shared memory"),
	       "what limits N is shortened, not cut");
	expect(shows("2 -> 1, C_mem") && shows("t_mem_h 60, paused CTA"),
	       "the last decision has its reason, in several rows");
	execute("layout lecture");
	expect(shows("t_mem_h 60, paused CTA 54 \u2026"),
	       "in one row it ends in a mark where parts are left out");
	int before = column_in_text("limit n");
	execute("cursor 10");
	ok(before > 0 && column_in_text("limit n") == before,
	   "a cycle of fewer digits moves no other number: %d, %d", before,
	   column_in_text("limit n"));
	close_view();
}

static bool
is_below(struct rect a, struct rect b)
{
	return a.w && a.y == b.y + b.h && a.x == b.x;
}

/* The time axis belongs to panes over time. */
static void
test_axis(void)
{
	open_screen(80, 24, (struct stage_options){.samples = 40});
	execute("layout watch");
	expect(is_below(s.layout.axis[0], s.layout.main[s.layout.n_main - 1]),
	       "the axis is below a pane over time");
	execute("pane map");
	expect(s.layout.n_main < 2 ||
		       !is_below(s.layout.axis[0], s.layout.main[s.layout.n_main - 1]),
	       "not below the map");
	close_view();
	open_screen(120, 40, (struct stage_options){.samples = 40});
	execute("pane map");
	expect(s.layout.axis[0].w && !s.layout.axis[1].w, "nor in the grid");
	execute("pane source");
	expect(s.layout.axis[0].w && !s.layout.axis[1].w, "nor below the source");
	execute("pane ctas");
	expect(s.layout.axis[0].w && s.layout.axis[1].w, "both columns of strips have theirs");
	close_view();
}

/* [ and ] move to the decisions that changed something of the core in focus, and to no others. */
static void
test_decisions(void)
{
	unsigned n = 0, other = 0;
	cycle_t at[200];

	open_screen(80, 24, (struct stage_options){.samples = 80});
	session_set_focus_core(session, 3);
	const struct event_ring *r = sim_events(session_sim(session));
	for (uint64_t i = r->first; i < r->next && n < 200; i++) {
		const struct event *ev = event_ring_get(r, i);
		if ((ev->core >= 0 && ev->core != 3) || !screen_is_decision(ev, DECISIONS_CHANGE) ||
		    (n && at[n - 1] == ev->cycle))
			continue;
		at[n++] = ev->cycle;
	}
	ok(n > 2, "core 3 has decisions that changed something: %u", n);
	while (n && at[n - 1] >= s.axis.now)
		n--;
	for (unsigned i = n; i-- > 0;) {
		type('[');
		other += axis_cursor(&s.axis) != at[i];
	}
	ok(other == 0, "[ goes through them");
	for (unsigned i = 1; i < n; i++) {
		type(']');
		other += axis_cursor(&s.axis) != at[i];
	}
	ok(other == 0, "] as well");
	close_view();
	open_screen(80, 24, (struct stage_options){.samples = 40, .policy = "rr"});
	type('[');
	ok(!screen_live(&s), "under rr, which changes nothing, to the CTAs of the core");
	close_view();
}

static void
test_words(void)
{
	open_screen(80, 24, (struct stage_options){.samples = 40});
	execute("pane core");
	redraw();
	expect(!shows("not used"), "credits that a policy does not use take no line");
	expect(shows("active ") && !shows("sta "), "classes of cycles are words");
	execute("pane classes");
	expect(shows("depend"), "in the pane classes, too");
	execute("layout single");
	execute("pane map");
	expect(shows("#5"), "a number of a core in the map is not like a value");
	close_view();
}

/* Returns the lead that the pane converge prints, in cycles; NaN: none. */
static double
lead_shown(void)
{
	const char *p = strstr(text, "lead ");
	char digits[32];
	size_t n = 0;

	p = p ? p + strcspn(p, "+-0123456789\n") : "";
	for (; *p && *p != ' ' && *p != '\n' && n + 1 < sizeof(digits); p++)
		if (*p != ',')
			digits[n++] = *p;
	digits[n] = '\0';
	return n ? strtod(digits, NULL) : (double)NAN;
}

/* The lead over itself is nothing at any time; at the end of a run it is the difference of the
 * cycles. */
static void
test_lead(void)
{
	struct reference_view r;
	double most = 0;

	open_screen(120, 40, (struct stage_options){.samples = 60, .policy = "rr"});
	ok(stage_measure(session, "reference rr", REFERENCE_STACK), "rr is measured");
	execute("layout single");
	execute("pane converge");
	for (unsigned at = 320; at <= 3840; at += 320) {
		char line[40];

		snprintf(line, sizeof(line), "cursor %u", at);
		execute(line);
		most = isnan(lead_shown()) ? INFINITY : fmax(most, fabs(lead_shown()));
	}
	ok(most <= 1, "rr leads rr by nothing: %g cycles at most", most);
	close_view();

	open_screen(120, 40, (struct stage_options){.samples = 40});
	ok(stage_measure(session, "reference rr", REFERENCE_STACK), "rr is measured");
	execute("layout single");
	execute("pane converge");
	execute("finish");
	execute("finish");
	execute("run");
	axis_follow(&s.axis);
	redraw();
	session_reference(session, REFERENCE_STACK, &r);
	ok(sim_done(session_sim(session)) &&
		   fabs(lead_shown() -
			((double)r.cycles - (double)sim_cycle(session_sim(session)))) <= 1,
	   "at the end the lead is %.0f: %.0f cycles of rr, %.0f of dyncta", lead_shown(),
	   (double)r.cycles, (double)sim_cycle(session_sim(session)));
	close_view();
}

/* A number that does not fit at the end of the axis is left out as a whole. */
static void
test_kernel_numbers(void)
{
	unsigned seen = 0, cut = 0;
	cycle_t start;

	open_screen(80, 24, (struct stage_options){.samples = 1});
	while (!sim_done(session_sim(session)))
		stage_more(session, 10);
	start = sim_kernel_start(session_sim(session), 1);
	execute("zoom in");
	for (int x = 0; x < s.axis.w; x++) {
		s.axis.cursor = start - 1;
		s.axis.follow = false;
		s.axis.t0 = start - (cycle_t)x * s.axis.per;
		redraw();
		for (const char *at = text; (at = strstr(at, "\u2502k")); at += 4) {
			seen++;
			cut += at[4] < '0' || at[4] > '9';
		}
	}
	expect(seen > 0 && cut == 0, "no number of a kernel is cut at the end of the time axis");
	close_view();
}

/* The card at the end of a run names every class that has half a percent of the cycles. */
static void
test_summary(void)
{
	double cycles[CC_CLASSES] = {0}, all = 0;

	open_screen(60, 24, (struct stage_options){.samples = 60});
	execute("pane summary");
	for (unsigned core = 0; core < screen_cores(&s); core++) {
		struct core_view v;

		sim_core_view(session_sim(session), core, &v);
		for (int i = 0; i < CC_CLASSES; i++) {
			cycles[i] += (double)v.class_cycles[i];
			all += (double)v.class_cycles[i];
		}
	}
	for (int i = 0; i < CC_CLASSES; i++) {
		char wanted[48];

		snprintf(wanted, sizeof(wanted), "%s %.0f %%", cycle_class_names[i],
			 100 * cycles[i] / all);
		if (cycles[i] >= 0.005 * all)
			expect(shows(wanted), wanted);
	}
	close_view();
}

int
main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	test_change();
	test_side();
	test_large_words();
	test_axis();
	test_decisions();
	test_words();
	test_lead();
	test_kernel_numbers();
	test_summary();
	return done();
}
