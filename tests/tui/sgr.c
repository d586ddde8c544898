/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sgr.c - numbers that stand for colours, and the bytes in which they are replaced. */
#include "tests/tap.h"
#include "tui/sgr.h"
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
	becomes("\033[0;1;48;5;17;4m", "\033[0;1;48;2;254;232;56;4m", "a background among others");
	becomes("\033[38;5;16;48;5;17m", "\033[38;2;16;32;48;48;2;254;232;56m", "both");
	becomes("\033[38;5;16m\033[48;5;16m", "\033[38;2;16;32;48m\033[48;2;16;32;48m",
		"one behind the other");
	becomes("\033[38;5;3m\033[38;5;18m\033[m\033[39;49m\033[5;16H\033[?25l38;5;16m",
		"\033[38;5;3m\033[38;5;18m\033[m\033[39;49m\033[5;16H\033[?25l38;5;16m",
		"everything else stays as it is");
	becomes("\033[38;5", "\033[38;5", "a sequence without an end");
	becomes("", "", "nothing");
	for (uint32_t i = 0; i < SGR_COLORS + 20; i++)
		wrong += sgr_color(&s, i << 8 | 0x400000) > 255;
	ok(!wrong && s.n == SGR_COLORS, "never more than there is room for");
	is_u64((uint64_t)sgr_color(&s, 0x102131), 16, "then the nearest");
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
	numbers();
	wanted();
	return done();
}
