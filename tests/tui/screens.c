/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * screens.c - whole screens against text files: what they show at the sizes that matter.
 *
 *     tests/tui/screens            compares with tests/tui/NAME.screen
 *     tests/tui/screens --update   writes them anew: review the difference
 *
 * Colour screens are compared by their glyphs as a terminal would show them, heat cells as shades.
 */
#include "tests/tap.h"
#include "tests/tui/fake.h"
#include "tui/screen.h"
#include <locale.h>

static const struct shot {
	const char *name;
	int w, h;
	struct fake_options o;
	bool ascii, mono;     /* mono: no colours; else 256 */
	enum depth depth;     /* not mono: another than 256 */
	const char *theme;    /* NULL: cividis, in mono mono */
	const char *commands; /* of the screen, one in each line; NULL: none */
	const char *keys;     /* after them */
} shots[] = {
	{"first", 80, 24, .o = {.samples = 0, .credits = true}},
	{"80x24", 80, 24, .o = {.samples = 86, .credits = true, .gating = true}},
	{"80x24-past", 80, 24, .o = {.samples = 86, .credits = true}, .keys = "\thhhhhjj"},
	{"80x24-running", 80, 24, .o = {.samples = 86, .gating = true, .running = true},
	 .theme = "aerial", .keys = "\t\t"},
	{"80x24-no-credits", 80, 24, .o = {.samples = 86}, .commands = "pane credits"},
	{"80x24-mono", 80, 24, .o = {.samples = 86, .credits = true, .gating = true}, .mono = true},
	{"80x24-ascii", 80, 24, .o = {.samples = 86, .credits = true, .gating = true},
	 .ascii = true, .mono = true},
	{"80x24-56cores", 80, 24, .o = {.samples = 86, .cores = 56}},
	{"80x24-56cores-off", 80, 24, .o = {.samples = 86, .cores = 56}, .commands = "fold off"},
	{"80x24-110cores", 80, 24, .o = {.samples = 86, .gating = true, .cores = 110},
	 .commands = "fold max"},
	{"80x24-110cores-ascii", 80, 24, .o = {.samples = 86, .gating = true, .cores = 110},
	 .ascii = true, .mono = true, .commands = "fold max"},
	{"120x40-110cores", 120, 40, .o = {.samples = 86, .gating = true, .cores = 110}},
	{"80x24-15cores", 80, 24, .o = {.samples = 86, .cores = 15}},
	{"120x40", 120, 40, .o = {.samples = 86, .credits = true, .gating = true}},
	{"132x43", 132, 43, .o = {.samples = 86, .credits = true, .gating = true},
	 .keys = "hhhhhhhh"},
	{"120x40-ascii", 120, 40, .o = {.samples = 86, .credits = true, .gating = true},
	 .ascii = true, .mono = true},
	{"40x12", 40, 12, .o = {.samples = 86, .credits = true, .gating = true}},
	{"source-80x24", 80, 24, .o = {.samples = 86}, .commands = "layout source\nsort cycles"},
	{"source-120x40", 120, 40, .o = {.samples = 86}, .commands = "layout source",
	 .keys = "jjj"},
	{"source-80x24-ascii", 80, 24, .o = {.samples = 86}, .ascii = true, .mono = true,
	 .commands = "pane source lanes"},
	{"warps-80x24", 80, 24, .o = {.samples = 86}, .commands = "layout core"},
	{"warps-120x40-ascii", 120, 40, .o = {.samples = 86}, .ascii = true, .mono = true,
	 .commands = "layout core"},
	{"lecture-80x24", 80, 24, .o = {.samples = 86}, .commands = "layout lecture"},
	{"lecture-200x60", 200, 60, .o = {.samples = 86}, .commands = "layout lecture"},
	/* Panes of any series, of expressions, of classes. */
	{"heat-80x24", 80, 24, .o = {.samples = 86, .credits = true, .gating = true},
	 .commands = "pane heat core.c_mem"},
	{"heat-digits", 120, 40, .o = {.samples = 9, .cores = 15},
	 .commands = "layout single\npane heat core.ract"},
	{"heat-digits-ascii", 80, 24, .o = {.samples = 40, .cores = 14}, .ascii = true,
	 .mono = true, .commands = "pane ctas\nzoom in\nzoom in\nzoom in\ncursor 18000"},
	{"heat-channels", 80, 24, .o = {.samples = 86},
	 .commands = "pane heat mem.queue\nrange 0 16"},
	{"heat-expression", 80, 24, .o = {.samples = 86},
	 .commands = "pane heat core.*.ctas_resident - core.*.n\nrange 5%"},
	{"heat-200x60", 200, 60, .o = {.samples = 86, .credits = true, .gating = true}},
	{"plot-80x24", 80, 24, .o = {.samples = 86, .credits = true},
	 .commands = "pane plot gpu.ipc, sum(core.*.n), mean(core.*.ract)\ncursor 20000"},
	{"plot-120x40", 120, 40, .o = {.samples = 86, .credits = true},
	 .commands = "layout single\npane plot min(core.*.n), mean(core.*.n), max(core.*.n)"},
	{"plot-200x60", 200, 60, .o = {.samples = 86}, .commands = "pane plot"},
	{"plot-ascii", 80, 24, .o = {.samples = 86}, .ascii = true, .mono = true,
	 .commands = "pane plot gpu.ipc, sum(core.*.n)\ncursor 20000"},
	{"plot-mono", 80, 24, .o = {.samples = 86}, .mono = true,
	 .commands = "pane plot gpu.ipc, sum(core.*.n)"},
	{"classes-80x24", 80, 24, .o = {.samples = 86, .gating = true}, .commands = "pane classes"},
	{"classes-120x40", 120, 40, .o = {.samples = 86, .gating = true},
	 .commands = "layout single\npane classes core\ncursor 20000"},
	{"classes-ascii", 80, 24, .o = {.samples = 86, .gating = true}, .ascii = true, .mono = true,
	 .commands = "pane classes"},
	{"memory-80x24", 80, 24, .o = {.samples = 86}, .commands = "layout memory"},
	{"memory-120x40", 120, 40, .o = {.samples = 86}, .commands = "layout memory"},
	{"memory-200x60", 200, 60, .o = {.samples = 86}, .commands = "layout memory"},
	{"marks", 80, 24, .o = {.samples = 86, .credits = true},
	 .commands = "marks\nbookmark a 9000\ncursor 20000\nbookmark b\ncursor 'a"},
	{"few-samples", 120, 40, .o = {.samples = 3}},
	{"map-80x24", 80, 24, .o = {.samples = 86, .gating = true}, .commands = "pane map"},
	{"map-120x40-ascii", 120, 40, .o = {.samples = 86, .gating = true, .cores = 110},
	 .ascii = true, .mono = true, .commands = "layout single\npane map core.ract\nsort value"},
	{"map-40x12", 40, 12, .o = {.samples = 86, .cores = 110}, .commands = "pane map core.n"},
	{"watch-80x24", 80, 24, .o = {.samples = 86, .references = 1, .pace = "2 periods/s"},
	 .commands = "layout watch"},
	{"watch-80x24-8", 80, 24, .o = {.samples = 86, .references = 2, .running = true,
	 .pace = "auto 4 periods/s"}, .depth = DEPTH_8, .commands = "layout watch"},
	{"watch-80x24-mono", 80, 24, .o = {.samples = 86, .references = 2}, .mono = true,
	 .commands = "layout watch"},
	{"watch-80x24-ascii", 80, 24, .o = {.samples = 86, .references = 2}, .ascii = true,
	 .mono = true, .commands = "layout watch"},
	{"watch-120x40", 120, 40, .o = {.samples = 86, .references = 2, .gating = true,
	 .pace = "auto"}, .commands = "layout watch"},
	{"watch-120x40-past", 120, 40, .o = {.samples = 86, .references = 2},
	 .commands = "layout watch\ncursor 20000"},
	{"watch-200x60", 200, 60, .o = {.samples = 86, .references = 2}, .commands = "layout watch"},
	{"help", 80, 24, .o = {.samples = 86}, .keys = "?"},
	{"help-wide", 132, 60, .o = {.samples = 86}, .keys = "?"},
};

static char *
draw(const struct shot *k)
{
	struct session *session = fake_session(&k->o);
	struct err e = {0};
	struct theme t;
	struct screen s;
	char buf[200], *text = NULL;
	size_t n;

	if (theme_load(&t, k->theme ? k->theme : k->mono ? "mono" : "cividis", &e) < 0)
		ok(false, "theme of %s: %s", k->name, e.msg);
	fake_say(session, SAY_NOTE, "loaded bfs.ctr: 20 kernels, 39,080 CTAs");
	fake_say(session, SAY_STOP,
		 "stopped: pause, core 5, cycle 22,528: C_mem 812 >= t_mem_h 384, limit 6 -> 5, "
		 "paused CTA 41, the youngest of 6 running");
	screen_init(&s, session, &t, k->mono ? DEPTH_MONO : k->depth ? k->depth : DEPTH_256, !k->ascii);
	screen_resize(&s, k->w, k->h);
	screen_draw(&s);
	for (const char *p = k->commands; p && *p; p = *(p += strcspn(p, "\n")) ? p + 1 : p) {
		snprintf(buf, sizeof(buf), "%.*s", (int)strcspn(p, "\n"), p);
		if (screen_command(&s, buf, &e) != 1)
			diag("%s: %s", buf, e.msg);
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
	fake_free(session);
	return text;
}

static char *
slurp(const char *path)
{
	char *text = calloc(1, 65536);
	FILE *f = fopen(path, "r");

	if (f) {
		text[fread(text, 1, 65535, f)] = '\0';
		fclose(f);
	}
	return text;
}

/* What the header calls a workload. */
static void
names(void)
{
	static const char *const name[][2] = {
		{"/traces/bfs.ctr", " bfs "},
		{"/cache/ctascope/km-default-a4134d5c3461f0b2.ctr", " km "},
		{"/cache/ctascope/km-onac-a4134d5c3461f0b2.ctr", " km:onac "},
		{"mine-default-a4134d5c.ctr", " mine-default-"},
		{"captured/vadd/kernelslist.g", " vadd "},
	};

	for (size_t i = 0; i < ARRAY_LEN(name); i++) {
		struct shot k = {"", 120, 24, .o = {.samples = 8}};
		char *text;

		k.o.path = name[i][0];
		text = draw(&k);
		text[strcspn(text, "\n")] = '\0';
		if (!ok(strstr(text, name[i][1]), "%s is%s", name[i][0], name[i][1]))
			diag("%s", text);
		free(text);
	}
}

int
main(int argc, char **argv)
{
	bool update = argc > 1 && strcmp(argv[1], "--update") == 0;
	const char *dir = getenv("srcdir");

	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < ARRAY_LEN(shots); i++) {
		char path[4096], *got = draw(&shots[i]), *want;
		snprintf(path, sizeof(path), "%s/tests/tui/%s.screen", dir ? dir : ".",
			 shots[i].name);
		if (update) {
			FILE *f = fopen(path, "w");
			ok(f && fputs(got, f) >= 0, "wrote %s", path);
			if (f)
				fclose(f);
		} else {
			want = slurp(path);
			is_str(got, want, "screen %s", shots[i].name);
			free(want);
		}
		free(got);
	}
	names();
	return done();
}
