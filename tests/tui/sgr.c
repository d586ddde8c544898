/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sgr.c - numbers that stand for colours, and the bytes in which they are replaced; colours that
 * are left out on the way to the terminal. */
#include "tests/tap.h"
#include "tui/sgr.h"
#include <stdio.h>
#include <stdlib.h>

static struct sgr s;

static void
becomes(const char *from, const char *to, const char *what)
{
	struct strbuf out = {0};

	sgr_write_out(&s, from, strlen(from), &out);
	is_str(out.p ? out.p : "", to, "%s", what);
	sb_free(&out);
}

static void
numbers(void)
{
	unsigned wrong = 0;

	is_u64((uint64_t)sgr_color(&s, 0x102030), 16, "the first colour");
	is_u64((uint64_t)sgr_color(&s, 0xfee838), 17, "the second");
	is_u64((uint64_t)sgr_color(&s, 0x102030), 16, "the first again");
	becomes("a\033[38;5;16mb", "a\033[38;2;16;32;48mb", "a foreground");
	becomes("\033[0;1;48;5;17;4mx", "\033[0;1;4m\033[48;2;254;232;56mx",
		"a background among others");
	becomes("\033[38;5;16;48;5;17m", "\033[38;2;16;32;48;48;2;254;232;56m", "both");
	becomes("\033[38;5;16m\033[48;5;16m", "\033[38;2;16;32;48;48;2;16;32;48m",
		"one behind the other: in one sequence");
	becomes("\033[38;5;3m\033[38;5;18mx\033[1m\033[5;16H\033[?25l38;5;16m",
		"\033[38;5;18mx\033[1m\033[5;16H\033[?25l38;5;16m",
		"everything else stays as it is");
	becomes("\033[38;5", "\033[38;5", "a sequence without an end");
	becomes("", "", "nothing");
	for (uint32_t i = 0; i < SGR_COLORS + 20; i++)
		wrong += sgr_color(&s, i << 8 | 0x400000) > 255;
	ok(!wrong && s.n == SGR_COLORS, "never more than there is room for");
	is_u64((uint64_t)sgr_color(&s, 0x102131), 16, "then the nearest");
}

static void
fewer(void)
{
	becomes("\033[31m\033[42ma\033[39;49m\033[31m\033[43mb", "\033[31;42ma\033[43mb",
		"only what has changed");
	becomes("\033[31ma\033[39;49m\033[3;4H\033[31mb", "\033[31ma\033[3;4H\033[49mb",
		"not what comes back before anything is written");
	becomes("\033[97;104ma\033[m\033[39mb\033[;97mc", "\033[97;104ma\033[mb\033[m\033[97mc",
		"back to what was there at first, and bright ones");
	becomes("\033[31ma\033[3X\033[31mb", "\033[31ma\033[3X\033[31mb",
		"behind what is not known nothing is");
	becomes("\033[41m\033[K", "\033[41m\033[K", "an erased line has the background");
	becomes("\033[41m\033(0q", "\033[41m\033(0q", "other sequences are not cut");
	becomes("\033[31ma\033[32m", "\033[31ma\033[32m", "what is set at the end stays set");
}

/* ---------------------------------------------------------------- the same on the screen */

/* A terminal that knows colours and attributes: the look of each written character. */
struct look {
	int fg, bg, attrs;
	char c;
};

static void
set_look(struct look *l, const char *p)
{
	int v, used = 0;

	do {
		p += used ? used + 1 : 0;
		v = used = 0;
		sscanf(p, "%d%n", &v, &used);
		if (v == 38 || v == 48) {
			int n = 0, skip = 0;

			sscanf(p + used, ";5;%d%n", &n, &skip);
			used += skip;
			*(v == 38 ? &l->fg : &l->bg) = 1000 + n;
		} else if (v == 0) {
			*l = (struct look){.fg = 39, .bg = 49};
		} else if (v >= 30 && v < 40) {
			l->fg = v;
		} else if (v >= 40 && v < 50) {
			l->bg = v;
		} else {
			l->attrs |= 1 << v;
		}
	} while (p[used] == ';');
}

static unsigned
looks(const char *p, struct look *out)
{
	struct look l = {.fg = -1, .bg = -1};
	unsigned n = 0;

	while (*p) {
		size_t k = *p == '\033' ? strspn(p + 2, "0123456789;") : 0;

		if (*p != '\033') {
			l.c = *p++;
			out[n++] = l;
			continue;
		}
		if (p[2 + k] == 'm') {
			set_look(&l, p + 2);
		} else { /* erased cells get the background colour, too */
			l.c = p[2 + k];
			out[n] = l;
			out[n].fg *= l.c != 'H';
			out[n++].bg *= l.c != 'H';
		}
		p += k + 3;
	}
	l.c = 0;
	out[n++] = l; /* the end */
	return n;
}

static void
at_random(void)
{
	static const char *const word[] = {"\033[31m",
					   "\033[38;5;7m",
					   "\033[38;5;200m",
					   "\033[39m",
					   "\033[42m",
					   "\033[48;5;7m",
					   "\033[48;5;200m",
					   "\033[49m",
					   "\033[39;49m",
					   "\033[m",
					   "\033[0;1m",
					   "\033[4;31m",
					   "\033[1;44;4m",
					   "\033[2;3H",
					   "\033[K",
					   "x",
					   "yz",
					   " "};
	static struct look a[512], b[512];
	unsigned seed = 3, wrong = 0;
	size_t before = 0, after = 0;

	for (unsigned i = 0; i < 2000; i++) {
		struct strbuf from = {0}, to = {0};
		unsigned n;

		for (unsigned k = 0; k < 100; k++) {
			seed = seed * 1103515245 + 12345;
			sb_add(&from, word[(seed >> 16) % ARRAY_LEN(word)],
			       strlen(word[(seed >> 16) % ARRAY_LEN(word)]));
		}
		sgr_write_out(NULL, from.p, from.n, &to);
		memset(a, 0, sizeof(a));
		memset(b, 0, sizeof(b));
		n = looks(from.p, a);
		wrong += looks(to.p, b) != n || memcmp(a, b, n * sizeof(*a)) != 0;
		before += from.n;
		after += to.n;
		sb_free(&from);
		sb_free(&to);
	}
	is_u64(wrong, 0, "2000 random frames look the same");
	ok(after * 4 < before * 3, "in fewer bytes: %zu of %zu", after, before);
}

static void
wanted(void)
{
	unsetenv("STY");
	setenv("TERM", "xterm-256color", 1);
	unsetenv("COLORTERM");
	ok(!sgr_exact_wanted(), "nobody says so");
	setenv("COLORTERM", "truecolor", 1);
	ok(sgr_exact_wanted(), "truecolor");
	setenv("COLORTERM", "24bit", 1);
	ok(sgr_exact_wanted(), "24bit");
	setenv("COLORTERM", "yes", 1);
	ok(!sgr_exact_wanted(), "some colour is not exact colour");
	setenv("COLORTERM", "truecolor", 1);
	setenv("TERM", "screen.xterm-256color", 1);
	setenv("STY", "1234.pts-0", 1);
	ok(!sgr_exact_wanted(), "GNU screen inherits the word, but not the ability");
}

int
main(void)
{
	fewer();
	at_random();
	numbers();
	wanted();
	return done();
}
