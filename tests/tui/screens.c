/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * screens.c - whole screens against text files: what they show at the sizes that matter.
 *
 *     tests/tui/screens            compares with tests/tui/NAME.screen
 *     tests/tui/screens --update   writes them again (make update-screens): read the difference
 *
 * Colour screens are compared by their glyphs as a terminal would show them, heat cells as shades.
 */
#include "tests/stored.h"
#include "tests/tui/stage.h"
#include "tui/screen.h"
#include <locale.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define RICH "dyncore+claso" /* cores that drain and are off, credits */

static const struct stage_options plain = {.samples = 86};
static const struct stage_options rich = {.samples = 86, .policy = RICH};
static const struct stage_options early = {.samples = 18, .policy = RICH};
static const struct stage_options paused = {.samples = 38};
static const struct stage_options begin = {.policy = "dyncta+claso"};
static const struct stage_options credits = {.samples = 86, .policy = "dyncta+claso"};
static const struct stage_options few = {.samples = 3};
static const struct stage_options digits = {.samples = 9, .cores = 15};
static const struct stage_options digits_ascii = {.samples = 40, .cores = 14};
static const struct stage_options cores_15 = {.samples = 86, .cores = 15};
static const struct stage_options cores_56 = {.samples = 86, .cores = 56};
static const struct stage_options cores_110 = {.samples = 86, .cores = 110, .policy = RICH};
static const struct stage_options runs = {.samples = 86, .policy = RICH, .running = true};
static const struct stage_options measuring = {.samples = 86,
					       .references = STAGE_A_THIRD,
					       .pace = "pace 2 periods/s"};
static const struct stage_options paced = {.samples = 86,
					   .references = STAGE_ALL,
					   .running = true,
					   .pace = "pace 4 periods/s"};
static const struct stage_options measured = {.samples = 86, .references = STAGE_ALL};
static const struct stage_options measured_rich = {.samples = 86,
						   .policy = RICH,
						   .references = STAGE_ALL,
						   .pace = "pace auto"};

/* Shots of one session follow each other, so that it is opened once. */
static const struct shot {
	const char *name;
	int w, h;
	const struct stage_options *o;
	bool ascii, mono;     /* mono: no colours; else 256 */
	enum depth depth;     /* if not mono, another depth than 256 */
	const char *theme;    /* NULL: cividis, or mono if mono is set */
	const char *commands; /* screen commands, one per line; NULL: none */
	const char *keys;     /* typed after the commands */
} shots[] = {
	{"80x24-no-credits", 80, 24, .o = &plain, .commands = "pane credits"},
	{"source-80x24", 80, 24, .o = &plain, .commands = "layout source\nsort cycles"},
	{"source-120x40", 120, 40, .o = &plain, .commands = "layout source", .keys = "jjj"},
	{"source-80x24-ascii", 80, 24, .o = &plain, .ascii = true, .mono = true,
	 .commands = "pane source lanes"},
	{"lecture-80x24", 80, 24, .o = &plain, .commands = "layout lecture"},
	{"lecture-200x60", 200, 60, .o = &plain, .commands = "layout lecture"},
	{"lecture-60x14", 60, 14, .o = &plain, .commands = "layout lecture"},
	{"spotlight-80x24", 80, 24, .o = &plain, .commands = "layout watch\nspotlight core 5"},
	{"spotlight-ascii", 80, 24, .o = &plain, .ascii = true, .mono = true,
	 .commands = "pane ctas\nspotlight core 5"},
	{"spotlight-map", 80, 24, .o = &plain, .mono = true,
	 .commands = "pane map\nspotlight core 5"},
	{"spotlight-decisions", 80, 24, .o = &plain,
	 .commands = "pane decisions\nspotlight core 5"},
	{"spotlight-grid", 80, 24, .o = &plain, .commands = "pane grid\nspotlight core 5"},
	{"heat-channels", 80, 24, .o = &plain, .commands = "pane heat mem.queue\nrange 0 16"},
	{"heat-expression", 80, 24, .o = &plain,
	 .commands = "pane heat core.*.ctas_resident - core.*.n\nrange 5%"},
	{"plot-200x60", 200, 60, .o = &plain, .commands = "pane plot"},
	{"plot-ascii", 80, 24, .o = &plain, .ascii = true, .mono = true,
	 .commands = "pane plot gpu.ipc, sum(core.*.n)\ncursor 2500"},
	{"plot-mono", 80, 24, .o = &plain, .mono = true,
	 .commands = "pane plot gpu.ipc, sum(core.*.n)"},
	{"memory-80x24", 80, 24, .o = &plain, .commands = "layout memory"},
	{"memory-120x40", 120, 40, .o = &plain, .commands = "layout memory"},
	{"memory-200x60", 200, 60, .o = &plain, .commands = "layout memory"},
	{"help", 80, 24, .o = &plain, .keys = "?"},
	{"help-wide", 132, 60, .o = &plain, .keys = "?"},
	{"80x24", 80, 24, .o = &rich},
	{"80x24-mono", 80, 24, .o = &rich, .mono = true},
	{"80x24-ascii", 80, 24, .o = &rich, .ascii = true, .mono = true},
	{"120x40", 120, 40, .o = &rich},
	{"132x43", 132, 43, .o = &rich, .keys = "hhhhhhhh"},
	{"120x40-ascii", 120, 40, .o = &rich, .ascii = true, .mono = true},
	{"40x12", 40, 12, .o = &rich},
	{"heat-80x24", 80, 24, .o = &rich, .commands = "pane heat core.c_mem"},
	{"heat-200x60", 200, 60, .o = &rich},
	{"classes-80x24", 80, 24, .o = &rich, .commands = "pane classes"},
	{"classes-120x40", 120, 40, .o = &rich,
	 .commands = "layout single\npane classes core\ncursor 2500"},
	{"classes-ascii", 80, 24, .o = &rich, .ascii = true, .mono = true,
	 .commands = "pane classes"},
	{"map-80x24", 80, 24, .o = &rich, .commands = "pane map"},
	{"warps-80x24", 80, 24, .o = &early, .commands = "layout core"},
	{"warps-120x40-ascii", 120, 40, .o = &paused, .ascii = true, .mono = true,
	 .commands = "layout core"},
	{"first", 80, 24, .o = &begin},
	{"lecture-first", 80, 24, .o = &begin, .commands = "layout lecture"},
	{"80x24-past", 80, 24, .o = &credits, .keys = "\thhhhhjj"},
	{"plot-80x24", 80, 24, .o = &credits,
	 .commands = "pane plot gpu.ipc, sum(core.*.n), mean(core.*.ract)\ncursor 2500"},
	{"plot-120x40", 120, 40, .o = &credits,
	 .commands = "layout single\npane plot min(core.*.n), mean(core.*.n), max(core.*.n)"},
	{"marks", 80, 24, .o = &credits,
	 .commands = "marks\nbookmark a 1125\ncursor 2500\nbookmark b\ncursor 'a"},
	{"few-samples", 120, 40, .o = &few},
	{"heat-digits", 120, 40, .o = &digits, .commands = "layout single\npane heat core.ract"},
	{"heat-digits-ascii", 80, 24, .o = &digits_ascii, .ascii = true, .mono = true,
	 .commands = "pane ctas\nzoom in\nzoom in\nzoom in\ncursor 2250"},
	{"80x24-15cores", 80, 24, .o = &cores_15},
	{"80x24-56cores", 80, 24, .o = &cores_56},
	{"80x24-56cores-off", 80, 24, .o = &cores_56, .commands = "fold off"},
	{"80x24-110cores", 80, 24, .o = &cores_110, .commands = "fold max"},
	{"80x24-110cores-ascii", 80, 24, .o = &cores_110, .ascii = true, .mono = true,
	 .commands = "fold max"},
	{"120x40-110cores", 120, 40, .o = &cores_110},
	{"map-120x40-ascii", 120, 40, .o = &cores_110, .ascii = true, .mono = true,
	 .commands = "layout single\npane map core.ract\nsort value"},
	{"map-40x12", 40, 12, .o = &cores_110, .commands = "pane map core.n"},
	{"80x24-running", 80, 24, .o = &runs, .theme = "aerial", .keys = "\t\t"},
	{"watch-80x24", 80, 24, .o = &measuring, .commands = "layout watch"},
	{"watch-80x24-8", 80, 24, .o = &paced, .depth = DEPTH_8, .commands = "layout watch"},
	{"watch-80x24-mono", 80, 24, .o = &measured, .mono = true, .commands = "layout watch"},
	{"watch-80x24-ascii", 80, 24, .o = &measured, .ascii = true, .mono = true,
	 .commands = "layout watch"},
	{"watch-120x40-past", 120, 40, .o = &measured, .commands = "layout watch\ncursor 2500"},
	{"watch-200x60", 200, 60, .o = &measured, .commands = "layout watch"},
	{"watch-120x40", 120, 40, .o = &measured_rich, .commands = "layout watch"},
};

static char *
draw(const struct shot *k)
{
	struct session *session = stage_show(k->o);
	struct err e = {0};
	struct theme t;
	struct screen s;
	char buf[200], *text = NULL;
	size_t n;

	if (theme_load(&t, k->theme ? k->theme : k->mono ? "mono" : "cividis", &e) < 0)
		ok(false, "theme of %s: %s", k->name, e.msg);
	screen_init(&s, session, &t,
		    k->mono    ? DEPTH_MONO
		    : k->depth ? k->depth
			       : DEPTH_256,
		    !k->ascii);
	s.replay.slice = 1e9; /* whatever the load of the host */
	screen_resize(&s, k->w, k->h);
	screen_draw(&s);
	for (const char *p = k->commands; p && *p; p = *(p += strcspn(p, "\n")) ? p + 1 : p) {
		snprintf(buf, sizeof(buf), "%.*s", (int)strcspn(p, "\n"), p);
		if (screen_command(&s, buf, &e) != 1)
			ok(false, "%s: %s", buf, e.msg);
		s.notice[0] = '\0';
		screen_draw(&s);
	}
	for (const char *p = k->keys; p && *p; p++) {
		const char *command = screen_key(&s, (unsigned char)*p, buf, sizeof(buf));
		if (command && *command && screen_command(&s, command, &e) < 0)
			ok(false, "%s: %s", command, e.msg);
		s.notice[0] = '\0';
		screen_draw(&s);
	}
	FILE *f = open_memstream(&text, &n);
	canvas_dump_text(s.canvas, !k->ascii, f);
	fclose(f);
	screen_free(&s);
	return text;
}

/* Checks the header's name of a workload whose file has this name in its own folder. */
static void
test_name(const char *dir, const char *file, const char *name)
{
	char path[200];
	struct stage_options o = {.samples = 1, .file = path};
	struct shot k = {"", 120, 24, .o = &o};
	char *text;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	text = draw(&k);
	text[strcspn(text, "\n")] = '\0';
	ok(strstr(text, name), "%s is%s: %s", file, name, text);
	free(text);
	stage_show(NULL);
	unlink(path);
}

static void
test_names(void)
{
	char dir[] = "/tmp/ctascope-screens-XXXXXX", sub[100];

	if (!mkdtemp(dir))
		return (void)ok(false, "no folder for traces");
	snprintf(sub, sizeof(sub), "%s/vadd", dir);
	mkdir(sub, 0700);
	test_name(dir, "bfs.ctr", " bfs ");
	test_name(dir, "km-default-a4134d5c3461f0b2.ctr", " km ");
	test_name(dir, "km-onac-a4134d5c3461f0b2.ctr", " km:onac ");
	test_name(dir, "mine-default-a4134d5c.ctr", " mine-default-");
	test_name(dir, "vadd/kernelslist.g", " vadd ");
	rmdir(sub);
	rmdir(dir);
}

int
main(int argc, char **argv)
{
	bool update = argc > 1 && strcmp(argv[1], "--update") == 0;
	const char *dir = getenv("srcdir");

	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < ARRAY_LEN(shots); i++) {
		char path[4096], *got = draw(&shots[i]);
		snprintf(path, sizeof(path), "%s/tests/tui/%s.screen", dir ? dir : ".",
			 shots[i].name);
		is_stored(path, got, update);
		free(got);
	}
	stage_show(NULL);
	test_names();
	return done();
}
