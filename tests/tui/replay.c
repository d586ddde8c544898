/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay.c - panes show the cursor's cycle, and zooming goes on to one cycle per column, from a
 * machine that looks back: what they draw is what a session draws that was stopped there, and the
 * machine of the session does not change.
 */
#include "tests/small/small.h"
#include "tests/tap.h"
#include "tui/fmt.h"
#include "tui/panes.h"
#include "tui/screen.h"

#include <stdlib.h>
#include <string.h>

#define END 3600
#define W 130
#define H 44

struct stand {
	struct config *config;
	struct trace *trace;
	struct session *session;
	struct screen s;
};

static const struct {
	const char *name;
	struct config *(*config)(const char *policy);
	const char *policy;
} runs[] = {{"small, dyncta", small_config, "dyncta"},
	    {"small, tcs", small_config, "tcs"},
	    {"modern, dyncta", small_modern_config, "dyncta"},
	    {"modern, static", small_modern_config, "static:n=2"}};

static void
print_errors(void *ctx ATTR_UNUSED, enum say kind, const char *line)
{
	if (kind == SAY_ERROR)
		ok(false, "%s", line);
}

static void
set_option(struct stand *t, const char *key, const char *value)
{
	struct err e = {0};

	if (opt_set(config_db(t->config), key, value, &e))
		small_die(key, &e);
}

static void
draw(struct stand *t)
{
	do
		screen_draw(&t->s);
	while (t->s.replay.on_way);
}

static void
screen_do(struct stand *t, const char *line)
{
	struct err e = {0};

	if (screen_command(&t->s, line, &e) != 1)
		ok(false, "%s: %s", line, e.msg);
	t->s.notice[0] = '\0';
	draw(t);
}

static void
session_do(struct stand *t, const char *line)
{
	screen_before(&t->s, line);
	session_exec(t->session, line);
	draw(t);
	t->s.log_open = false;
}

static void
configure_stand(struct stand *t, unsigned run)
{
	*t = (struct stand){.config = runs[run].config(runs[run].policy), .trace = small_trace()};
}

static void
show_stand(struct stand *t)
{
	struct session_ui ui = {.out = print_errors};
	struct err e = {0};
	struct theme theme;

	t->session = session_new(t->config, t->trace, &ui, &e);
	if (!t->session)
		small_die("session", &e);
	theme_default(&theme);
	screen_init(&t->s, t->session, &theme, DEPTH_MONO, false);
	screen_resize(&t->s, W, H);
}

/* sample: cycles, NULL: as the machine has it. */
static void
open_stand(struct stand *t, unsigned run, const char *sample)
{
	configure_stand(t, run);
	if (sample) {
		set_option(t, "run.sample", sample);
		set_option(t, "run.samples", "65536");
	}
	show_stand(t);
}

static void
close_stand(struct stand *t)
{
	screen_free(&t->s);
	session_free(t->session);
	trace_close(t->trace);
	config_free(t->config);
}

static void
advance(struct stand *t, cycle_t cycle)
{
	char line[40];

	snprintf(line, sizeof(line), "advance %" PRIu64, cycle);
	session_do(t, line);
}

static void
look_at(struct stand *t, cycle_t cycle)
{
	char line[40];

	snprintf(line, sizeof(line), "cursor %" PRIu64, cycle);
	screen_do(t, line);
}

/* What the pane of that name shows, of the last frame; the caller frees it. */
static char *
text_of(struct stand *t, const char *pane)
{
	const struct layout *l = &t->s.layout;
	const struct rect *r = NULL;
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	for (unsigned i = 0; i < l->n_main; i++)
		if (strcmp(t->s.main[i]->ops->name, pane) == 0)
			r = &l->main[i];
	for (unsigned i = 0; i < t->s.n_side; i++)
		if (strcmp(t->s.side[i]->ops->name, pane) == 0)
			r = &l->side[i];
	if (!f || !r) {
		ok(false, "no pane %s", pane);
		exit(99);
	}
	struct canvas c = canvas_sub(t->s.canvas, r->x, r->y, r->w, r->h);
	canvas_dump_text(&c, false, f);
	fclose(f);
	return text;
}

/* The inspector says whether it shows the past. */
static void
say_now(char *text)
{
	char *then = strstr(text, " then ");

	if (then)
		memcpy(then, " now  ", 6);
}

static void
is_same_pane(struct stand *a, struct stand *b, const char *pane, const char *what)
{
	char *got = text_of(a, pane), *want = text_of(b, pane);

	say_now(got);
	is_str(got, want, "%s: %s", pane, what);
	free(got);
	free(want);
}

/* ---------------------------------------------------------------- one cycle */

/* A session at the end of the run looks back; another is stopped there. */
static void
test_cursor(unsigned run)
{
	static const cycle_t cycles[] = {3111, 700, 3, 2048, 2047, 2049, 3599};
	static const char *const layouts[] = {"layout core", "layout source"};
	struct stand now;
	uint64_t digest;

	open_stand(&now, run, NULL);
	advance(&now, END);
	cycle_t end = sim_cycle(session_sim(now.session));
	digest = sim_digest(session_sim(now.session));
	for (unsigned i = 0; i < ARRAY_LEN(cycles); i++) {
		struct stand then;
		char what[100];

		snprintf(what, sizeof(what), "%s, cycle %u", runs[run].name, (unsigned)cycles[i]);
		open_stand(&then, run, NULL);
		screen_do(&then, layouts[0]); /* it records what the warps do from the start */
		advance(&then, cycles[i]);
		screen_do(&now, layouts[0]);
		look_at(&now, cycles[i]);
		is_same_pane(&now, &then, "core", what);
		is_same_pane(&now, &then, "policy", what);
		is_same_pane(&now, &then, "warps", what);
		screen_do(&now, "pane subcores");
		screen_do(&then, "pane subcores");
		is_same_pane(&now, &then, "subcores", what);
		screen_do(&now, "pane l1");
		screen_do(&then, "pane l1");
		is_same_pane(&now, &then, "l1", what);
		screen_do(&now, "pane period");
		screen_do(&then, "pane period");
		is_same_pane(&now, &then, "period", what);
		screen_do(&now, layouts[1]);
		screen_do(&then, layouts[1]);
		is_same_pane(&now, &then, "source", what);
		close_stand(&then);
	}
	is_u64(sim_cycle(session_sim(now.session)), end, "%s: the machine is where it was",
	       runs[run].name);
	is_u64(sim_digest(session_sim(now.session)), digest, "in the same state");
	close_stand(&now);
}

/* Another branch, and a change in the past: the cursor's cycle is that of the present branch. */
static void
test_branches(void)
{
	struct stand now, then;

	open_stand(&now, 0, NULL);
	advance(&now, END);
	look_at(&now, 3000);
	screen_do(&now, "follow");
	session_do(&now, "goto 2000");
	session_do(&now, "set policy static:n=1");
	advance(&now, END);
	look_at(&now, 3000);
	open_stand(&then, 0, NULL);
	advance(&then, 2000);
	session_do(&then, "set policy static:n=1");
	advance(&then, 3000);
	is_same_pane(&now, &then, "core", "after a change in the past");
	is_same_pane(&now, &then, "policy", "after a change in the past");
	screen_do(&now, "follow");
	session_do(&now, "switch main");
	session_do(&now, "goto 3600");
	look_at(&now, 3000);
	close_stand(&then);
	open_stand(&then, 0, NULL);
	advance(&then, 3000);
	is_same_pane(&now, &then, "core", "of the branch before");
	close_stand(&then);
	close_stand(&now);
}

/* What was not recorded while it ran is there when a pane is opened at a stop. */
static void
test_opened_late(void)
{
	struct stand late, early;
	char *text;

	open_stand(&late, 0, NULL);
	advance(&late, 3000);
	screen_do(&late, "layout core");
	open_stand(&early, 0, NULL);
	screen_do(&early, "layout core");
	advance(&early, 3000);
	is_same_pane(&late, &early, "warps", "opened at a stop as if it had been open");
	advance(&late, 3100);
	advance(&early, 3100);
	is_same_pane(&late, &early, "warps", "and it goes on");
	session_do(&late, "core 2");
	text = text_of(&late, "warps");
	ok(strchr(text, '#') || strchr(text, 'm'), "another core has a past, too");
	free(text);
	screen_do(&late, "layout source");
	text = text_of(&late, "source");
	ok(strstr(text, "since cycle 0") != NULL, "source says since when it counts");
	ok(!!strpbrk(text, "123456789"), "and has numbers");
	free(text);
	close_stand(&early);
	close_stand(&late);
}

/* ---------------------------------------------------------------- zoom */

static void
test_zoom(unsigned run, const char *sample, cycle_t at)
{
	cycle_t per = strtoull(sample, NULL, 10);
	struct stand now, fine;
	char text[80], want[80], number[FMT_MAX];
	uint64_t digest;

	open_stand(&now, run, NULL);
	advance(&now, END);
	digest = sim_digest(session_sim(now.session));
	screen_do(&now, "layout grid");
	look_at(&now, at);
	for (int i = 0; i < 20 && now.s.axis.per > per; i++)
		screen_do(&now, "zoom in");
	is_u64(now.s.axis.per, per, "%s: %s cycles per column", runs[run].name, sample);
	open_stand(&fine, run, sample);
	advance(&fine, END);
	screen_do(&fine, "layout grid");
	look_at(&fine, at);
	fine.s.axis.fit = false;
	fine.s.axis.per = per;
	fine.s.axis.t0 = now.s.axis.t0;
	draw(&fine);
	is_same_pane(&now, &fine, "ctas", "as of a run with such samples");
	is_same_pane(&now, &fine, "ract", "as of a run with such samples");
	ok(replay_window(&now.s, text, sizeof(text)), "the header says that it is replayed");
	snprintf(want, sizeof(want), "replayed %s to ", fmt_u64(number, now.s.axis.t0));
	ok(strncmp(text, want, strlen(want)) == 0, "from the first column on");
	ok(!replay_window(&fine.s, text, sizeof(text)), "samples that are there are not replayed");
	screen_do(&now, "cursor right");
	is_u64(axis_cursor(&now.s.axis), (at - 1) / per * per + 2 * per,
	       "the cursor moves by a column");
	is_u64(sim_digest(session_sim(now.session)), digest, "the machine is in the same state");
	screen_do(&now, "zoom all");
	ok(!replay_window(&now.s, text, sizeof(text)), "nor is the whole run");
	close_stand(&fine);
	close_stand(&now);
}

/* ---------------------------------------------------------------- the lines below the panes */

/* The line about the core in focus; the caller frees it. */
static char *
text_of_line(struct stand *t)
{
	const struct rect *r = &t->s.layout.at;
	struct canvas c = canvas_sub(t->s.canvas, r->x, r->y, r->w, r->h);
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		exit(99);
	canvas_dump_text(&c, false, f);
	fclose(f);
	return text;
}

static unsigned
number_after(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	return at ? (unsigned)strtoul(at + strlen(word), NULL, 10) : UINT32_MAX;
}

/* The line says what the pane says: both are of the cursor's cycle. */
static void
test_line(void)
{
	struct stand t;
	char *pane, *line;
	unsigned now;

	configure_stand(&t, 0);
	set_option(&t, "l1d.sets", "1"); /* too small for the CTAs of a core */
	show_stand(&t);
	advance(&t, END);
	screen_do(&t, "pane l1");
	draw(&t);
	line = text_of_line(&t);
	now = number_after(line, ", core 0: ");
	free(line);
	look_at(&t, 1200);
	pane = text_of(&t, "l1");
	line = text_of_line(&t);
	is_u64(number_after(line, ", core 0: "), number_after(pane, "evicted by other CTAs "),
	       "the line is of the cursor's cycle: %s", line);
	ok(now != number_after(pane, "evicted by other CTAs "), "which is not the present, %u",
	   now);
	free(pane);
	free(line);
	close_stand(&t);
}

/* In the first column of a window the sample before it is known. */
static void
test_first_column(void)
{
	struct stand t;
	char *line, *pane;

	open_stand(&t, 0, NULL);
	advance(&t, END);
	screen_do(&t, "layout watch");
	look_at(&t, 2500);
	for (int i = 0; i < 20 && t.s.axis.per > 4; i++)
		screen_do(&t, "zoom in");
	look_at(&t, t.s.axis.t0);
	line = text_of_line(&t);
	pane = text_of(&t, "converge");
	ok(!strstr(line, "CTAs -") && !strstr(pane, "limits over time"),
	   "the first column of a replay has limits and CTAs: %s", line);
	free(line);
	free(pane);
	look_at(&t, 1);
	pane = text_of(&t, "converge");
	ok(strstr(pane, "unknown until the end of the sample") != NULL,
	   "before the first sample nothing is claimed");
	free(pane);
	close_stand(&t);
}

/* ---------------------------------------------------------------- slices and keys */

static const char *
press(struct stand *t, int key)
{
	static char buf[120];

	return screen_key(&t->s, key, buf, sizeof(buf));
}

static void
test_slices(void)
{
	struct stand t;
	char *text;

	open_stand(&t, 0, NULL);
	advance(&t, END);
	screen_do(&t, "layout core");
	axis_goto(&t.s.axis, 3500);
	replay_update(&t.s, 0);
	ok(t.s.replay.on_way, "a slice of no time does not get there");
	ok(!t.s.replay.look[LOOK_STATE].there, "so the pane has no machine");
	is_str(press(&t, K_ESCAPE), "", "Escape stops the replay");
	screen_draw(&t.s);
	ok(!t.s.replay.on_way && !t.s.replay.look[LOOK_STATE].there, "which stays stopped");
	text = text_of(&t, "warps");
	ok(strstr(text, "not the cursor's cycle, but 3,600") != NULL,
	   "the pane says what it shows");
	free(text);
	look_at(&t, 3490);
	ok(t.s.replay.look[LOOK_STATE].there != NULL, "another cycle is replayed");
	is_u64(sim_cycle(t.s.replay.look[LOOK_STATE].there), 3490, "up to there");
	close_stand(&t);
}

/* The defect: the cursor jumped to now, and another core was explained. */
static void
test_why(void)
{
	const char *command;
	struct stand t;

	open_stand(&t, 0, NULL);
	advance(&t, 3000);
	is_str(press(&t, 'w'), "why", "w at the newest cycle");
	is_str(press(&t, 'W'), "why not", "W at the newest cycle");
	for (int i = 0; i < 5; i++)
		screen_do(&t, press(&t, '['));
	cycle_t at = axis_cursor(&t.s.axis);
	char want[60];
	snprintf(want, sizeof(want), "why core 0 at %" PRIu64, at);
	command = press(&t, 'w');
	is_str(command, want, "w asks about the cursor's cycle and the core in focus");
	session_do(&t, command);
	is_u64(axis_cursor(&t.s.axis), at, "the cursor stays");
	ok(!screen_live(&t.s), "in the past");
	is_u64(sim_cycle(session_sim(t.session)), 3000, "and the machine in the present");
	snprintf(want, sizeof(want), "why not core 0 at %" PRIu64, at);
	is_str(press(&t, 'W'), want, "and so does W");
	close_stand(&t);
}

/* Events that are no longer kept are there again on the machine that looks back. */
static void
test_old_events(void)
{
	struct stand t;
	char *text;

	open_stand(&t, 0, NULL);
	screen_free(&t.s);
	session_free(t.session);
	set_option(&t, "run.events", "64");
	struct session_ui ui = {.out = print_errors};
	struct err e = {0};
	struct theme theme;
	t.session = session_new(t.config, t.trace, &ui, &e);
	theme_default(&theme);
	screen_init(&t.s, t.session, &theme, DEPTH_MONO, false);
	screen_resize(&t.s, W, H);
	advance(&t, END);
	screen_do(&t, "pane slots");
	look_at(&t, 1000);
	text = text_of(&t, "slots");
	ok(strchr(text, '[') || strchr(text, '='), "slots: bars where the events are not kept");
	free(text);
	char buf[80] = "";
	struct replay_saved saved = replay_give(&t.s, t.s.pane);
	t.s.pane->ops->at(&t.s, t.s.pane, buf, sizeof(buf));
	replay_return(&t.s, &saved);
	ok(strstr(buf, "running") || strstr(buf, "paused"), "and the state at the cursor: %s", buf);
	close_stand(&t);
}

int
main(void)
{
	for (unsigned i = 0; i < ARRAY_LEN(runs); i++)
		test_cursor(i);
	test_branches();
	test_opened_late();
	test_zoom(0, "1", 2500);
	test_zoom(0, "4", 1001);
	test_zoom(2, "1", 3300);
	test_line();
	test_first_column();
	test_slices();
	test_why();
	test_old_events();
	return done();
}
