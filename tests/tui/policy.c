/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * policy.c - the panes policy and converge compared with the numbers of the session: which readings
 * decided, about what, how many cores have settled, how far a reference is behind.
 */
#include "tests/tui/on_screen.h"
#include "tui/fmt.h"

#include <locale.h>
#include <math.h>

static struct err e;

/* Returns the text of a new frame. */
static char *
draw_text(void)
{
	screen_draw(&s);
	return screen_text();
}

static void
on_screen(const char *wanted, const char *what)
{
	char *text = draw_text();

	if (!ok(strstr(text, wanted) != NULL, "%s: %s", what, wanted))
		diag("%s", text);
	free(text);
}

static struct gauge_view c_mem(void);

/* Checks a line of the policy's pane about C_mem: its name, and a number with the sign of its place
 * among the thresholds, or none. */
static void
shows_reading(const char *name, double value, const char *what)
{
	struct cta_reading t = c_mem().now;
	char text[40];

	if (isnan(value))
		snprintf(text, sizeof(text), "%-4s %9s ", name, "-");
	else
		snprintf(text, sizeof(text), "%-4s %9.0f%s", name, value,
			 value < t.low	  ? "<"
			 : value < t.high ? "="
					  : "\u2265");
	on_screen(text, what);
}

/* Returns the reading of C_mem on the core in focus. */
static struct gauge_view
c_mem(void)
{
	struct gauge_view v;

	sim_gauge_view(session_sim(session), 0, session_focus_core(session), &v);
	return v;
}

/* Returns the newest decision of a core that changed its limit because of C_mem. *stays counts the
 * later ones, in which the same rule left the limit unchanged. NULL: other decisions came between.
 */
static const struct event *
newest_change(unsigned core, unsigned *stays, unsigned *value)
{
	const struct event_ring *r = sim_events(session_sim(session));
	const struct event *newest = NULL;
	char text[320];

	*stays = 0;
	for (uint64_t seq = r->next; seq > r->first; seq--) {
		const struct event *ev = event_ring_get(r, seq - 1);

		if (ev->core != (int)core || !sim_event_is_decision(ev) ||
		    ev->kind == EV_CTA_ISSUE || ev->kind == EV_CTA_DONE)
			continue;
		if (!newest)
			newest = ev;
		sim_event_sentence(session_sim(session), ev, text, sizeof(text));
		if (ev->limit != ev->limit_before)
			return sscanf(text, "C_mem %u", value) == 1 ? ev : NULL;
		if (ev->rule != newest->rule || ev->limit != newest->limit)
			return NULL;
		++*stays;
	}
	return NULL;
}

/* Puts a core in focus that decided several times without a change since its last change. */
static const struct event *
focus_on_change(unsigned *stays, unsigned *value)
{
	for (unsigned core = 0; core < screen_cores(&s); core++) {
		const struct event *ev = newest_change(core, stays, value);

		if (ev && *stays > 1) {
			session_set_focus_core(session, core);
			return ev;
		}
	}
	return NULL;
}

/* The policy's pane: the readings that decided stay visible, and decisions without a change share
 * one line. */
static void
test_policy(void)
{
	const struct event *ev;
	cycle_t done, period;
	unsigned stays = 0, value = 0;
	char text[320], num[FMT_MAX];

	open_screen(80, 24, (struct stage_options){.samples = 87});
	screen_resize(&s, 120, 40);
	if (!ok((ev = focus_on_change(&stays, &value)) != NULL,
		"a core changed its limit and kept it"))
		return;
	shows_reading("last", c_mem().last.value, "the period that is complete");
	shows_reading("now", c_mem().now.value, "beside the one that runs");
	snprintf(text, sizeof(text), "%s %u -> %u", fmt_u64(num, ev->cycle), ev->limit_before,
		 ev->limit);
	on_screen(text, "a change of the limit");
	snprintf(text, sizeof(text), "limit stays %u, x %u since ", ev->limit, stays);
	on_screen(text, "decisions without one are folded");
	snprintf(text, sizeof(text), "cursor %llu", (unsigned long long)ev->cycle + STAGE_SAMPLE);
	ok(screen_command(&s, text, &e) == 1, "back in time: %s", text);
	shows_reading("last", value, "what the decision there was about");
	screen_command(&s, "follow", &e);
	period = sim_period(session_sim(session), &done);
	snprintf(text, sizeof(text), "advance %llu",
		 (unsigned long long)(sim_cycle(session_sim(session)) + period - done));
	session_exec(session, text);
	shows_reading("last", c_mem().last.value, "at its end what decided");
	shows_reading("now", NAN, "and nothing of the one that begins");
	close_screen();
	open_screen(80, 24, (struct stage_options){.samples = 1});
	screen_resize(&s, 120, 40);
	shows_reading("last", NAN, "in the first period none is complete");
	close_screen();
}

/* Whether an event changed the limit of the core in the last `cycles` cycles. */
static bool
has_changed(struct sim *sim, unsigned core, cycle_t cycles)
{
	const struct event_ring *r = sim_events(sim);

	for (uint64_t seq = r->first; seq < r->next; seq++) {
		const struct event *ev = event_ring_get(r, seq);
		if (ev->kind == EV_LIMIT && ev->core == (int)core &&
		    ev->cycle + cycles > sim_cycle(sim))
			return true;
	}
	return false;
}

#define SETTLED_SAMPLES (4 * STAGE_PERIOD / STAGE_SAMPLE)

/* Counts the cores that hold a CTA; *same: those whose limit was equal in four periods. */
static unsigned
count_cores(unsigned *same)
{
	struct sim *sim = session_sim(session);
	unsigned last = series_count(sim) - 1, n = 0;

	*same = 0;
	for (unsigned core = 0; core < screen_cores(&s); core++) {
		bool is_same = last >= SETTLED_SAMPLES &&
			       !has_changed(sim, core, SETTLED_SAMPLES * STAGE_SAMPLE);

		if (series_core(sim, SC_RUNNING, core, last) == 0 &&
		    series_core(sim, SC_RESIDENT, core, last) == 0)
			continue;
		n++;
		for (unsigned i = last - SETTLED_SAMPLES; is_same && i < last; i++)
			is_same = series_core(sim, SC_LIMIT, core, i) ==
				  series_core(sim, SC_LIMIT, core, last);
		*same += is_same;
	}
	return n;
}

static void
test_settled(void)
{
	unsigned same, most = 0;
	char text[80];

	open_screen(80, 24, (struct stage_options){.samples = SETTLED_SAMPLES - 1});
	ok(screen_command(&s, "layout watch", &e) == 1, "the layout watch %s", e.msg);
	snprintf(text, sizeof(text), "0 of %u cores settled", count_cores(&same));
	on_screen(text, "none has before four periods have passed");
	for (unsigned i = 0; i < 70; i += 7) {
		stage_more(session, 7);
		unsigned n = count_cores(&same);

		snprintf(text, sizeof(text), "%u of %u cores settled", same, n);
		most = MAX(most, same);
		on_screen(text, "those that have not moved in four periods");
	}
	ok(most > 5, "there were up to %u", most);
	close_screen();
}

/* A stack without periods has phases to show, or nothing. */
static void
test_phases(void)
{
	open_screen(80, 24, (struct stage_options){.samples = 10, .policy = "tcs"});
	screen_command(&s, "layout watch", &e);
	on_screen("tcs: phase monitor, n = ", "the phase of a policy without periods");
	screen_command(&s, "cursor 100", &e);
	on_screen("tcs decides in phases, n = ", "which is not known in the past");
	close_screen();
	open_screen(80, 24, (struct stage_options){.samples = 10, .policy = "rr"});
	screen_command(&s, "layout watch", &e);
	on_screen("no policy decides at periods", "neither periods nor phases");
	close_screen();
}

/* Checks the lead in cycles that the reference needs for the work of the samples up to the cursor.
 */
static void
shows_ahead(const struct reference_view *v, unsigned samples, const char *name, const char *what)
{
	struct sim *sim = session_sim(session);
	double work = 0;
	char text[80];

	for (unsigned i = 0; i < samples; i++)
		work += series_gpu(sim, SG_IPC, i) * (double)series_span(sim, i);
	snprintf(text, sizeof(text), "%.2fx as fast as %s",
		 reference_cycle(v, work) / (double)series_end(sim, samples - 1), name);
	on_screen(text, what);
}

static void
test_converge(void)
{
	struct reference_view v;
	char text[80], *all;
	bool known;

	open_screen(80, 24, (struct stage_options){.samples = 60});
	screen_resize(&s, 120, 40);
	screen_command(&s, "layout watch", &e);
	session_exec(session, "reference rr");
	session_reference_progress(session, text, sizeof(text));
	text[strcspn(text, "%") + 1] = '\0';
	on_screen(text, "how far it is measured");
	known = session_reference(session, REFERENCE_STACK, &v);
	all = draw_text();
	ok(known || !strstr(all, "x as fast as rr"), "and nothing that is not known yet");
	free(all);
	ok(stage_measure(session, "reference rr", REFERENCE_STACK) &&
		   session_reference(session, REFERENCE_STACK, &v),
	   "rr is measured");
	shows_ahead(&v, 60, "rr", "ahead of rr, by the cycles that it needs for this work");
	screen_command(&s, "cursor 1280", &e);
	shows_ahead(&v, 20, "rr", "back in time as it was then");
	screen_command(&s, "follow", &e);
	ok(stage_measure(session, "reference static", REFERENCE_BEST) &&
		   session_reference(session, REFERENCE_BEST, &v),
	   "so are the limits");
	snprintf(text, sizeof(text), "best: n=%.0f", v.limit);
	on_screen(text, "the best of the limits");
	shows_ahead(&v, 60, strchr(text, 'n'), "and of the best limit");
	close_screen();
}

int
main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	test_policy();
	test_settled();
	test_phases();
	test_converge();
	return done();
}
