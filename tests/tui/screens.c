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
	bool ascii;
	enum depth depth;
	const char *theme, *keys;
	struct fake_options o;
} shots[] = {
	{"first", 80, 24, false, DEPTH_256, "cividis", "", {.samples = 0, .credits = true}},
	{"80x24",
	 80,
	 24,
	 false,
	 DEPTH_256,
	 "cividis",
	 "",
	 {.samples = 86, .credits = true, .gating = true}},
	{"80x24-past",
	 80,
	 24,
	 false,
	 DEPTH_256,
	 "cividis",
	 "\thhhhhjj",
	 {.samples = 86, .credits = true}},
	{"80x24-running",
	 80,
	 24,
	 false,
	 DEPTH_256,
	 "aerial",
	 "\t\t\t",
	 {.samples = 86, .gating = true, .running = true}},
	{"80x24-no-credits", 80, 24, false, DEPTH_256, "cividis", "\t\t", {.samples = 86}},
	{"80x24-mono",
	 80,
	 24,
	 false,
	 DEPTH_MONO,
	 "mono",
	 "",
	 {.samples = 86, .credits = true, .gating = true}},
	{"80x24-ascii",
	 80,
	 24,
	 true,
	 DEPTH_MONO,
	 "mono",
	 "",
	 {.samples = 86, .credits = true, .gating = true}},
	{"80x24-56cores", 80, 24, false, DEPTH_256, "cividis", "", {.samples = 86, .cores = 56}},
	{"80x24-15cores", 80, 24, false, DEPTH_256, "cividis", "", {.samples = 86, .cores = 15}},
	{"120x40",
	 120,
	 40,
	 false,
	 DEPTH_256,
	 "cividis",
	 "",
	 {.samples = 86, .credits = true, .gating = true}},
	{"132x43",
	 132,
	 43,
	 false,
	 DEPTH_256,
	 "cividis",
	 "hhhhhhhh",
	 {.samples = 86, .credits = true, .gating = true}},
	{"120x40-ascii",
	 120,
	 40,
	 true,
	 DEPTH_MONO,
	 "mono",
	 "",
	 {.samples = 86, .credits = true, .gating = true}},
	{"40x12",
	 40,
	 12,
	 false,
	 DEPTH_256,
	 "cividis",
	 "",
	 {.samples = 86, .credits = true, .gating = true}},
	{"help", 80, 24, false, DEPTH_256, "cividis", "?", {.samples = 86}},
	{"help-wide", 132, 60, false, DEPTH_256, "cividis", "?", {.samples = 86}},
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

	if (theme_load(&t, k->theme, &e) < 0)
		ok(false, "theme %s: %s", k->theme, e.msg);
	fake_say(session, SAY_NOTE, "loaded bfs.ctr: 20 kernels, 39,080 CTAs");
	fake_say(session, SAY_STOP,
		 "stopped: pause, core 5, cycle 22,528: C_mem 812 >= t_mem_h 384, limit 6 -> 5, "
		 "paused CTA 41, the youngest of 6 running");
	screen_init(&s, session, &t, k->depth, !k->ascii);
	screen_resize(&s, k->w, k->h);
	screen_draw(&s);
	for (const char *p = k->keys; *p; p++) {
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
		struct shot k = {"", 120, 24, false, DEPTH_256, "cividis", "", {.samples = 8}};
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
