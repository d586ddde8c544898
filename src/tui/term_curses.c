/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * term_curses.c - drives the terminal through ncurses: modes, output, and the decoding of keys.
 *
 * Colour pairs are created on demand (two cores per cell need up to 1024). Rows that did not change
 * are skipped; in the others curses finds the changed cells. If COLORTERM promises exact colours,
 * they replace the colour numbers that curses writes (sgr.h). Frames are sent at the pace of the
 * line (wire.h). Bracketed paste is handled here, so readline's is off.
 */
#include "base/memory.h"
#include "tui/term.h"
#include "line/line.h"
#include "tui/keys.h"
#include "tui/wire.h"
#include <curses.h>
#include <termcap.h>

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define PAIR_SLOTS 8192	 /* slots of the hash table, a power of two */
#define PASTE_KEY 0x3ff0 /* our own key codes in curses */
#define SGR_KEY 0x3ff1	 /* a report of the mouse */
#define X10_KEY 0x3ff2

struct pair {
	int32_t fg, bg;
	int pair; /* 0: the slot is free */
};

struct term {
	int in, out;
	struct wire wire;
	FILE *to, *from;
	SCREEN *screen;
	WINDOW *keys; /* a pad, because reading from it never refreshes a window */
	enum depth depth;
	bool unicode, away, mouse;
	int cursor; /* last argument of curs_set(), -1: none yet */
	struct termios found;
	struct pair pair[PAIR_SLOTS];
	int n_pairs, max_pairs;
	struct cell *shown; /* the cells of the last blit; NULL: none */
	int w, h;
	uint32_t painted; /* checksum of the last blit's painter */
	cchar_t row[1000];
};

/* What a signal handler needs to restore the terminal; a process has one terminal. */
static struct {
	volatile sig_atomic_t armed;
	int fd;
	struct termios found;
	char leave[160];
	size_t n;
} emergency;

void
term_emergency(void)
{
	if (!emergency.armed)
		return;
	emergency.armed = 0;
	if (write(emergency.fd, emergency.leave, emergency.n) < 0)
		return;
	tcsetattr(emergency.fd, TCSANOW, &emergency.found);
}

/* Prepares the sequences that undo the screen, since a signal handler cannot look them up. */
static void
arm_emergency(struct term *t)
{
	static const char *const caps[] = {"sgr0", "cnorm", "rmkx", "rmcup"};
	size_t n =
		(size_t)snprintf(emergency.leave, sizeof(emergency.leave), "\033[?2004l" MOUSE_OFF);

	for (size_t i = 0; i < ARRAY_LEN(caps); i++) {
		const char *s = tigetstr(caps[i]);

		if (!s || s == (const char *)-1 || strchr(s, '$'))
			continue; /* a sequence with a delay cannot be written as it is */
		n += (size_t)snprintf(emergency.leave + n, sizeof(emergency.leave) - n, "%s", s);
		n = MIN(n, sizeof(emergency.leave) - 3);
	}
	memcpy(emergency.leave + n, "\r\n", 2);
	emergency.n = n + 2;
	emergency.fd = t->out;
	emergency.found = t->found;
}

/* ---------------------------------------------------------------- the line */

static void
divert_output(struct term *t, bool on)
{
	if (!wire_divert(&t->wire, t->to, on))
		clearok(curscr, TRUE);
}

bool
term_busy(struct term *t)
{
	bool busy;

	if (!wire_push(&t->wire, &busy))
		clearok(curscr, TRUE);
	return busy;
}

void
term_listen(struct term *t, void (*fn)(void *ctx, const char *bytes, size_t n), void *ctx)
{
	t->wire.listen = fn;
	t->wire.listen_ctx = ctx;
}

int
term_line(const struct term *t)
{
	return t->wire.line;
}

uint64_t
term_bytes(const struct term *t)
{
	return t->wire.bytes;
}

/* ---------------------------------------------------------------- life */

/* Whether the terminal selects colour N with "38;5;N", which can be replaced. */
static bool
writes_numbers(void)
{
	const char *set = tigetstr("setaf"), *text;

	text = set && set != (const char *)-1 ? tiparm(set, 123) : NULL;
	return text && strcmp(text, "\033[38;5;123m") == 0;
}

static enum depth
find_depth(struct term *t, int color)
{
	const char *no = getenv("NO_COLOR");

	if (!has_colors() || color == 0 || (color < 0 && no && *no))
		return DEPTH_MONO;
	start_color();
	use_default_colors();
	if ((tigetflag("RGB") > 0 || tigetnum("RGB") > 0) && COLORS >= 1 << 24)
		return DEPTH_RGB;
	if (COLORS == 256 && t->wire.memory >= 0 && sgr_exact_wanted() && writes_numbers())
		t->wire.exact = memory_new(1, sizeof(*t->wire.exact));
	if (t->wire.exact)
		return DEPTH_RGB;
	return COLORS >= 256  ? DEPTH_256
	       : COLORS >= 16 ? DEPTH_16
	       : COLORS >= 8  ? DEPTH_8
			      : DEPTH_MONO;
}

/* Sets modes, some of which ncurses cannot set: Ctrl-S and Ctrl-V become ordinary keys. */
static void
set_modes(struct term *t)
{
	struct termios m;

	divert_output(t, false);
	cbreak();
	noecho();
	nonl();
	if (tcgetattr(t->in, &m) == 0) {
		m.c_iflag &= ~(tcflag_t)(IXON | IXOFF);
		m.c_lflag &= ~(tcflag_t)IEXTEN;
		tcsetattr(t->in, TCSADRAIN, &m);
	}
	def_prog_mode();
	divert_output(t, true);
	fputs(t->mouse ? "\033[?2004h" MOUSE_ON : "\033[?2004h", t->to);
	fflush(t->to);
	t->cursor = -1;
	t->away = false;
	emergency.armed = 1;
}

static struct term *
fail_open(struct term *t, struct err *e, const char *what)
{
	const char *name = getenv("TERM");

	if (t->to)
		fclose(t->to);
	if (t->from)
		fclose(t->from);
	wire_close(&t->wire);
	free(t);
	err_set(e, "no full screen on this terminal (TERM=%s): %s", name ? name : "", what);
	return NULL;
}

/* If exact colours are promised but TERM has 8, uses the related terminal of 256, if any. */
static SCREEN *
new_screen(struct term *t)
{
	const char *term = getenv("TERM");
	char better[64];
	SCREEN *s = NULL;

	if (sgr_exact_wanted() && term && !strchr(term, '-')) {
		snprintf(better, sizeof(better), "%.48s-256color", term);
		s = newterm(better, t->to, t->from);
	}
	return s ? s : newterm(NULL, t->to, t->from);
}

struct term *
term_open(int in, int out, int color, bool ascii, struct err *e)
{
	struct term *t = memory_new(1, sizeof(*t));
	const char *name = getenv("TERM");

	t->in = in;
	t->out = out;
	wire_open(&t->wire, out);
	t->to = wire_stream(out, "w");
	t->from = wire_stream(in, "r");
	if (!t->to || !t->from || tcgetattr(in, &t->found) < 0)
		return fail_open(t, e, strerror(errno));
	t->screen = new_screen(t);
	if (!t->screen) /* curses does not tell a missing description from a lack of memory */
		return fail_open(t, e,
				 name && tgetent(NULL, name) == 1
					 ? "its window is too large"
					 : "its description is not installed");
	divert_output(t, true);
	set_escdelay(25);
	t->depth = find_depth(t, color);
	t->unicode = !ascii && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	t->max_pairs = MIN(COLOR_PAIRS, 32767);
	t->keys = newpad(1, 1);
	if (!t->keys) {
		endwin();
		delscreen(t->screen);
		return fail_open(t, e, "out of memory");
	}
	keypad(t->keys, TRUE);
	nodelay(t->keys, TRUE);
	define_key("\033[200~", PASTE_KEY);
	define_key("\033[<", SGR_KEY);
	define_key("\033[M", X10_KEY);
	leaveok(stdscr, FALSE);
	arm_emergency(t);
	set_modes(t);
	term_resize(t); /* LINES and COLUMNS in the environment may be stale */
	return t;
}

void
term_suspend(struct term *t)
{
	if (t->away)
		return;
	t->away = true;
	curs_set(1);
	fputs(t->mouse ? MOUSE_OFF "\033[?2004l" : "\033[?2004l", t->to);
	fflush(t->to);
	endwin();
	divert_output(t, false);
	tcsetattr(t->in, tty_waits_ended() ? TCSANOW : TCSADRAIN, &t->found);
	emergency.armed = 0;
}

void
term_resume(struct term *t)
{
	set_modes(t);
	term_resize(t);
	term_redraw(t);
}

void
term_close(struct term *t)
{
	if (!t)
		return;
	term_suspend(t);
	delwin(t->keys);
	delscreen(t->screen);
	fclose(t->to);
	fclose(t->from);
	wire_close(&t->wire);
	free(t->shown);
	free(t);
}

enum depth
term_depth(const struct term *t)
{
	return t->depth;
}

bool
term_unicode(const struct term *t)
{
	return t->unicode;
}

void
term_size(const struct term *t ATTR_UNUSED, int *w, int *h)
{
	*w = COLS;
	*h = LINES;
}

void
term_resize(struct term *t)
{
	struct winsize ws;

	if (ioctl(t->out, TIOCGWINSZ, &ws) == 0 && ws.ws_row && ws.ws_col &&
	    (ws.ws_row != LINES || ws.ws_col != COLS))
		resizeterm(ws.ws_row, ws.ws_col);
	term_redraw(t);
}

void
term_redraw(struct term *t)
{
	free(t->shown);
	t->shown = NULL;
	clearok(curscr, TRUE);
}

/* ---------------------------------------------------------------- cells */

/* Returns ncurses' number of a colour. With direct colour 0..7 would mean the palette. */
static int
curses_color(struct term *t, int32_t color)
{
	if (color < 0)
		return -1;
	if (!(color & COLOR_RGB))
		return color;
	color &= 0xffffff;
	if (t->wire.exact)
		return sgr_color(t->wire.exact, (uint32_t)color);
	return color < 8 ? color << 4 : color;
}

static int
pair_for(struct term *t, int32_t fg, int32_t bg)
{
	uint32_t h = ((uint32_t)fg * 2654435761u ^ (uint32_t)bg * 40503u) >> 7;

	if (t->depth == DEPTH_MONO || (fg < 0 && bg < 0))
		return 0;
	for (uint32_t i = 0; i < PAIR_SLOTS; i++) {
		struct pair *p = &t->pair[(h + i) & (PAIR_SLOTS - 1)];
		if (p->pair && p->fg == fg && p->bg == bg)
			return p->pair;
		if (p->pair)
			continue;
		if (t->n_pairs + 1 >= t->max_pairs || t->n_pairs >= PAIR_SLOTS / 2)
			return 0;
		if (init_extended_pair(t->n_pairs + 1, curses_color(t, fg), curses_color(t, bg)) ==
		    ERR)
			return 0;
		*p = (struct pair){fg, bg, ++t->n_pairs};
		return p->pair;
	}
	return 0;
}

static void
convert_glyph(struct term *t, cchar_t *to, const struct glyph *g)
{
	wchar_t wc[3] = {(wchar_t)g->wc, (wchar_t)g->mark, 0};
	attr_t attr = 0;
	int pair = pair_for(t, g->fg < 0 && g->bg >= 0 ? g->bg : g->fg, g->bg);

	attr |= g->attr & ATTR_BOLD ? A_BOLD : 0;
	attr |= g->attr & ATTR_DIM ? A_DIM : 0;
	attr |= g->attr & ATTR_UNDERLINE ? A_UNDERLINE : 0;
	attr |= g->attr & ATTR_REVERSE ? A_REVERSE : 0;
	setcchar(to, wc, attr, (short)pair, &pair);
}

static void
blit_row(struct term *t, const struct canvas *c, const struct painter *p, int y, int w)
{
	int n = 0;

	for (int x = 0; x < w; x++) {
		const struct cell *k = canvas_at(c, x, y);
		if (k->kind == CELL_RIGHT)
			continue;
		struct glyph g = paint_cell(p, k);
		convert_glyph(t, &t->row[n++], &g);
	}
	mvwadd_wchnstr(stdscr, y, 0, t->row, n);
}

/* Removes the colours of an earlier theme. */
static void
forget_colors(struct term *t)
{
	if (t->wire.exact)
		t->wire.exact->n = 0;
	t->n_pairs = 0;
	memset(t->pair, 0, sizeof(t->pair));
	reset_color_pairs();
	clearok(curscr, TRUE);
}

void
term_blit(struct term *t, const struct canvas *c, const struct painter *p, int cx, int cy)
{
	int w = MIN(MIN(c->w, COLS), (int)ARRAY_LEN(t->row)), h = MIN(c->h, LINES);
	size_t row = (size_t)c->w * sizeof(struct cell);
	uint32_t sum = painter_sum(p);
	bool all = !t->shown || t->w != c->w || t->h != c->h || sum != t->painted;

	if (t->away)
		return;
	if (sum != t->painted)
		forget_colors(t);
	if (all) {
		free(t->shown);
		t->shown = memory_new((size_t)c->w * (size_t)c->h, sizeof(*t->shown));
		t->w = c->w;
		t->h = c->h;
		t->painted = sum;
		werase(stdscr);
	}
	for (int y = 0; y < h; y++) {
		const struct cell *from = c->cell + (size_t)y * c->stride;
		struct cell *shown = t->shown + (size_t)y * (size_t)c->w;
		if (!all && memcmp(from, shown, row) == 0)
			continue;
		memcpy(shown, from, row);
		blit_row(t, c, p, y, w);
	}
	if (t->cursor != (cx >= 0))
		curs_set(t->cursor = cx >= 0);
	wmove(stdscr, cx >= 0 ? MIN(cy, LINES - 1) : LINES - 1, cx >= 0 ? MIN(cx, COLS - 1) : 0);
	wnoutrefresh(stdscr);
	doupdate();
	term_busy(t);
}

/* ---------------------------------------------------------------- keys */

static const struct {
	int curses, code;
} key_codes[] = {
	{KEY_UP, K_UP},	       {KEY_DOWN, K_DOWN}, {KEY_LEFT, K_LEFT},	{KEY_RIGHT, K_RIGHT},
	{KEY_HOME, K_HOME},    {KEY_END, K_END},   {KEY_PPAGE, K_PGUP}, {KEY_NPAGE, K_PGDN},
	{KEY_BTAB, K_BACKTAB}, {KEY_F(1), K_F1},   {KEY_ENTER, '\r'},	{PASTE_KEY, TERM_PASTE},
};

/* Swallows an unknown sequence, whose bytes are not commands; false: it was the key Escape. As in
 * vi, a character right behind it is the next key: a program or a slow line sends both at once. */
static bool
swallow_escape(struct term *t)
{
	int c = wgetch(t->keys);

	if (c == ERR)
		return false;
	if (c != '[' && c != 'O') {
		ungetch(c);
		return false;
	}
	while ((c = wgetch(t->keys)) != ERR && !(c >= 0x40 && c <= 0x7e))
		;
	return true;
}

void
term_mouse(struct term *t, bool on)
{
	if (on == t->mouse)
		return;
	t->mouse = on;
	if (t->away)
		return;
	fputs(on ? MOUSE_ON : MOUSE_OFF, t->to);
	fflush(t->to);
	term_busy(t);
}

bool
term_has_mouse(const struct term *t ATTR_UNUSED)
{
	const char *reports = tigetstr("kmous");

	return reports && reports != (const char *)-1;
}

/* Returns the next byte of a sequence that has begun. On a slow line it may arrive late. */
static int
next_byte(struct term *t)
{
	int c = wgetch(t->keys);

	if (c == ERR && poll(&(struct pollfd){.fd = t->in, .events = POLLIN}, 1, 200) > 0)
		c = wgetch(t->keys);
	return c >= 0 && c < 256 ? c : ERR;
}

static struct mouse
read_mouse(struct term *t, bool sgr)
{
	unsigned char b[3];
	char text[32];
	size_t n = 0;
	int c;

	if (sgr) {
		while ((c = next_byte(t)) != ERR && c < '@' && n < sizeof(text) - 1)
			text[n++] = (char)c;
		text[n] = '\0';
		return mouse_sgr(text, (char)c);
	}
	for (; n < sizeof(b); n++) {
		if ((c = next_byte(t)) == ERR)
			return (struct mouse){.kind = MOUSE_NONE};
		b[n] = (unsigned char)c;
	}
	return mouse_x10(b);
}

/* Reads the rest of a UTF-8 character whose first byte was read. */
static int
read_utf8(struct term *t, struct term_key *k)
{
	unsigned need = (unsigned char)k->bytes[0] >= 0xf0   ? 4
			: (unsigned char)k->bytes[0] >= 0xe0 ? 3
							     : 2;
	const char *p = k->bytes;
	int c;

	while (k->n < need && (c = wgetch(t->keys)) != ERR && c < 256)
		k->bytes[k->n++] = (char)c;
	k->bytes[k->n] = '\0';
	return (int)utf8_next(&p);
}

bool
term_read(struct term *t, bool in_line, struct term_key *k)
{
	int c;

	memset(k, 0, sizeof(*k));
	do
		c = wgetch(t->keys);
	while (c == KEY_RESIZE || c == KEY_MOUSE);
	if (c == ERR)
		return false;
	c = c == KEY_BACKSPACE ? 127 : c;
	if (c < 256) {
		k->bytes[k->n++] = (char)c;
		k->code = c == '\n' ? '\r' : c == 127 || c == 8 ? K_BACKSPACE : c;
		if (in_line)
			return true;
		if (c == K_ESCAPE && swallow_escape(t))
			k->code = K_NONE;
		else if (c >= 0xc2)
			k->code = read_utf8(t, k);
		return true;
	}
	k->code = K_NONE;
	if (c == SGR_KEY || c == X10_KEY) {
		k->code = TERM_MOUSE;
		k->mouse = read_mouse(t, c == SGR_KEY);
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(key_codes); i++)
		if (key_codes[i].curses == c)
			k->code = key_codes[i].code;
	/* The line editor gets the original sequence, so that the user's inputrc applies. */
	char *seq = keybound(c, 0);
	if (seq) {
		k->n = (unsigned)MIN(strlen(seq), sizeof(k->bytes) - 1);
		memcpy(k->bytes, seq, k->n);
		free(seq);
	}
	return true;
}
