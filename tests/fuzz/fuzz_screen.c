/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_screen.c - any bytes as keys, mouse reports, sizes and screen commands for the screen
 * without a terminal, with a session of the small machine.
 *
 * A byte below 0xf0 is a key. A larger one says what follows: a size, a mouse report, a special
 * key, a line up to a newline, another depth of colour. The command of a key is executed unless it
 * leaves the program (files, processes, the end).
 *
 * Requirements: no crash at any size, and the canvas has the requested size.
 */
#define FUZZ_CORPUS "screen"
#define FUZZ_COVERS "src/tui/screen*.c src/tui/keys.c src/tui/mouse.c"
#include "tests/fuzz/replay.h"

#include "tests/small/small.h"

#include "ctascope/session.h"
#include "tui/panes.h"

#include <locale.h>
#include <string.h>

struct input {
	const uint8_t *p, *end;
};

static struct session *session;
static struct screen screen;

static void
said(void *ctx, enum say kind, const char *line)
{
	(void)ctx, (void)kind;
	screen.said += line != NULL;
}

static unsigned
byte(struct input *in)
{
	return in->p < in->end ? *in->p++ : 0;
}

/* Made once; every input begins at the same cycle of the same run. */
static bool
begin(void)
{
	static const struct session_ui ui = {
		.out = said, .interactive = true, .width = 80, .columns = 80, .rows = 24};

	if (!session) {
		setlocale(LC_CTYPE, "C.UTF-8");
		session = session_new(small_config("dyncta+claso"), small_trace(), &ui, NULL);
		fuzz_check(session);
		session_exec(session, "advance 2000");
		session_exec(session, "checkpoint begin");
	}
	return session_exec(session, "restore begin") == SESSION_OK;
}

/* Whether the line stays inside the program: no file, no process, not the end. */
static bool
harmless(const char *line)
{
	static const char *const words[] = {"next",    "step",	"finish",   "info",  "why",
					    "print",   "core",	"mem",	    "warp",  "cta",
					    "display", "break", "delete",   "watch", "list",
					    "explain", "help",	"undisplay"};
	char word[32];

	snprintf(word, sizeof(word), "%.*s", (int)strcspn(line, " \t"), line);
	for (unsigned i = 0; i < ARRAY_LEN(words); i++)
		if (strcmp(word, words[i]) == 0)
			return true;
	return false;
}

static void
command(const char *line)
{
	struct err e = {0};
	int r;

	line += strspn(line, " \t");
	if (strncmp(line, "picture", 7) == 0 || strncmp(line, "save-display", 12) == 0 ||
	    strncmp(line, "pi", 2) == 0 || strncmp(line, "sa", 2) == 0)
		return;
	r = screen_command(&screen, line, &e);
	fuzz_check(r >= 0 || (e.set && e.msg[0]));
	if (r == 0 && harmless(line)) {
		screen_before(&screen, line);
		session_exec(session, line);
		screen_after(&screen);
	}
}

static void
resize(unsigned w, unsigned h)
{
	screen_resize(&screen, (int)w, (int)h);
	screen_draw(&screen);
	fuzz_check(screen.canvas->w == (int)w && screen.canvas->h == (int)h);
}

static void
one(struct input *in)
{
	char buf[200];
	const char *line = NULL;
	unsigned b = byte(in), w, h;
	struct mouse m;
	size_t n;

	switch (b) {
	case 0xf0:
		w = byte(in), h = byte(in);
		resize(1 + w, 1 + h % 100);
		break;
	case 0xf1:
		m = (struct mouse){.kind = byte(in) % (MOUSE_WHEEL + 1), .button = byte(in) % 3};
		m.by = (byte(in) & 1) ? 1 : -1;
		m.sideways = (byte(in) & 1) != 0;
		m.x = (int)byte(in);
		m.y = (int)byte(in);
		screen_mouse(&screen, &m);
		break;
	case 0xf2:
		line = screen_key(&screen, K_NONE + (int)(byte(in) % 12), buf, sizeof(buf));
		break;
	case 0xf3:
	case 0xf4:
		for (n = 0; in->p < in->end && *in->p != '\n' && n + 1 < sizeof(buf); in->p++)
			if (*in->p)
				buf[n++] = (char)*in->p;
		buf[n] = '\0';
		line = buf;
		break;
	case 0xf5:
		screen.depth = byte(in) % (DEPTH_RGB + 1);
		screen.unicode = (byte(in) & 1) != 0;
		screen_painter(&screen);
		break;
	case 0xf6:
		session_exec(session, "step 64");
		break;
	default:
		line = screen_key(&screen, (int)b, buf, sizeof(buf));
	}
	if (line && *line)
		command(line);
	screen_draw(&screen);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, data + size};
	struct theme t;

	if (size > 256 || !begin())
		return 0;
	theme_default(&t);
	screen_init(&screen, session, &t, DEPTH_256, true);
	resize(80, 24);
	while (in.p < in.end)
		one(&in);
	screen_free(&screen);
	session_exec(session, "delete");
	session_exec(session, "undisplay");
	return 0;
}
