/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pages.c - the example pictures of ctascope-panes(7), one of every pane, made from a run.
 *
 *     tests/tui/pages            compares with man/panes/NAME.txt
 *     tests/tui/pages --update   writes them anew: review the difference
 *
 * The run is the beginning of a shipped workload, mostly in its size for tests, on the default
 * machine under dyncta+dyncore+claso, so that every pane has something to show. A picture is the
 * pane alone in ASCII, 70 columns wide, as it is on a terminal without colours; over time with its
 * axis. What a pane watches only while it is shown, it has seen for the last of the cycles.
 */
#include "ctascope/sim.h"
#include "ctascope/trace.h"
#include "tests/stored.h"
#include "tui/panes.h"
#include "tui/screen.h"
#include <locale.h>
#include <stdlib.h>

#define WATCHED 8192
#define WIDE 70
#define HIGH 24

static void
told(void *ctx, enum say kind, const char *line)
{
	(void)ctx;
	if (kind == SAY_ERROR)
		ok(false, "%s", line);
}

static void
command(struct screen *s, const char *verb, const char *arg)
{
	struct err e = {0};
	char line[80];

	snprintf(line, sizeof(line), "%s %s", verb, arg);
	if (screen_command(s, line, &e) != 1)
		ok(false, "%s: %s", line, e.msg);
	s->notice[0] = '\0';
	screen_draw(s);
}

/* Where the active pane has been drawn; its axis stands below it. */
static struct rect
place_of(const struct screen *s)
{
	struct rect r = s->layout.main[0];

	if (s->pane->ops->kind == PANE_LOG)
		return (struct rect){0, s->canvas->h / 2 - 2, s->canvas->w, s->canvas->h / 2};
	if (s->pane->ops->kind == PANE_OVER) { /* from its frame to the keys */
		r = (struct rect){0, 0, s->canvas->w, 0};
		while (r.y < s->layout.keys.y && canvas_at(s->canvas, 1, r.y)->wc != 0x2500)
			r.y++;
		r.h = s->layout.keys.y - r.y;
	}
	if (view_timed(s->pane))
		r.h += s->layout.axis[0].h;
	return r;
}

#define STACK "set policy dyncta+dyncore+claso"

/* Which workload a pane's picture is of, and when. */
static const struct run {
	const char *pane; /* NULL: all others */
	const char *trace;
	cycle_t cycle;
	const char *machine; /* NULL: the default one */
	const char *first;   /* command at cycle 0 */
} runs[] = {{"gates", "traces/short/bfs.ctr", 120000, NULL, STACK},
	    {"warps", "traces/short/mm.ctr", 45300, NULL, STACK},
	    {"subcores", "traces/short/mm.ctr", 9000, "qv100", STACK},
	    {"kernels", "traces/pair.ctr", 60000, NULL, "set gpu.concurrent_kernels 2"},
	    {NULL, "traces/short/lkc.ctr", 120000, NULL, STACK}};

static char *
picture(struct session *session, const struct theme *t, const char *pane, cycle_t cycle)
{
	struct screen s;
	char *text = NULL, line[40];
	size_t n;
	FILE *f = open_memstream(&text, &n);

	snprintf(line, sizeof(line), "advance %u", (unsigned)(cycle - WATCHED));
	session_exec(session, line);
	screen_init(&s, session, t, DEPTH_MONO, false);
	s.replay.slice = 1e9; /* whatever the load of the host */
	screen_resize(&s, WIDE, HIGH);
	screen_draw(&s);
	command(&s, "layout", "single");
	command(&s, "pane", pane);
	snprintf(line, sizeof(line), "advance %u", (unsigned)cycle);
	session_exec(session, line);
	session_exec(session, "why");
	screen_draw(&s);
	struct rect r = place_of(&s);
	for (int y = r.y; y < r.y + r.h; y++) {
		char row[WIDE + 1];
		int end = 0;

		for (int x = 0; x < WIDE; x++) {
			row[x] = (char)paint_cell(&s.painter, canvas_at(s.canvas, x, y)).wc;
			end = row[x] == ' ' ? end : x + 1;
		}
		fprintf(f, "%.*s\n", end, row);
	}
	fclose(f);
	while (n > 1 && text[n - 2] == '\n') /* empty rows below say nothing */
		text[--n] = '\0';
	screen_free(&s);
	return text;
}

static char *
run_and_draw(const char *pane)
{
	const char *dir = getenv("srcdir"); /* has the traces that are not recorded */
	const struct run *run = runs;
	char path[4096];
	struct session_ui ui = {.out = told};
	struct config *c = config_new();
	struct err e = {0};
	struct session *session;
	struct trace *trace;
	struct theme t;
	char *text;

	while (run->pane && strcmp(run->pane, pane) != 0)
		run++;
	snprintf(path, sizeof(path), "%s", run->trace);
	if (strncmp(path, "traces/short/", 13) != 0 && dir)
		snprintf(path, sizeof(path), "%s/%s", dir, run->trace);
	trace = trace_open(path, &e);
	session = c && trace && (!run->machine || config_machine(c, run->machine, &e) == 0)
			  ? session_new(c, trace, &ui, &e)
			  : NULL;
	if (!session) {
		printf("Bail out! %s\n", e.msg);
		exit(99);
	}
	session_exec(session, run->first);
	session_exec(session, "core 5");
	theme_default(&t);
	text = picture(session, &t, pane, run->cycle);
	session_free(session);
	trace_close(trace);
	config_free(c);
	return text;
}

static void
check_picture(const char *pane, bool update)
{
	const char *dir = getenv("srcdir");
	char path[4096], *got = run_and_draw(pane);

	snprintf(path, sizeof(path), "%s/man/panes/%s.txt", dir ? dir : ".", pane);
	is_stored(path, got, update);
	free(got);
}

int
main(int argc, char **argv)
{
	bool update = argc > 1 && strcmp(argv[1], "--update") == 0;

	if (!update && tap_skip_slow())
		return done();
	setlocale(LC_CTYPE, "C.UTF-8");
	for (unsigned i = 0; pane_table[i]; i++)
		if (pane_is_of(pane_table[i], WHEN_ALWAYS))
			check_picture(pane_table[i]->name, update);
	return done();
}
