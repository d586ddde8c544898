/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * words.c - splits text into words, and finds names similar to a misspelt one.
 */
#include "base/words.h"

#include "tests/tap.h"

#include <stdio.h>
#include <string.h>

/* Returns "a|b|c" of the words that next() returns, with the text left after the last. */
static const char *
all_words(const char *text, const char *stops)
{
	static char out[200];
	struct span w;

	out[0] = '\0';
	while ((w = word_until(&text, stops)).n)
		snprintf(out + strlen(out), sizeof(out) - strlen(out), "%s%.*s", *out ? "|" : "",
			 (int)w.n, w.p);
	snprintf(out + strlen(out), sizeof(out) - strlen(out), "~%s", text);
	return out;
}

static void
test_words(void)
{
	struct span w[3];
	const char *at = "  \t";

	is_str(all_words("  one\ttwo\r\nthree ", ""), "one|two|three~", "every blank ends a word");
	is_str(all_words("a b=4,c", "=,"), "a|b~=4,c", "a stop ends it too and stays");
	is_str(all_words("", ""), "~", "nothing has no word");
	is_u64(word_next(&at).n, 0, "nor have blanks");
	ok(*at == '\0', "which are passed");
	is_u64(words_of_line("set a#b 3 # 4 5", w, 3), 3,
	       "a '#' begins a comment at a word's start");
	ok(span_is(w[1], "a#b") && !span_is(w[1], "a#") && !span_is(w[1], "a#bc"),
	   "and within a word it is a letter");
	is_u64(words_of_line("1 2 3 4 5", w, 3), 5, "words that do not fit are counted");
	ok(span_is(w[2], "3"), "and those that do are kept");
	is_u64(words_of_line("# all", w, 3), 0, "a comment alone");
}

static void
test_usage(void)
{
	const char *at = "[N] [on|off] FILE[,TO] previous-event|1..4 [/x]";
	char text[60] = "";
	struct span w;

	while ((w = word_of_usage(&at)).n)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " %.*s", (int)w.n, w.p);
	is_str(text, " on off previous-event x", "words in lower case are typed as they stand");
	is_u64(word_of_usage(&at).n, 0, "and no more come behind the last");
}

static void
test_quotes(void)
{
	char line[] = " say 'two words' un\"quo\"ted \"open one", buf[6], *at = line;
	const char *from = "'a b'c  rest";

	is_str(word_cut(&at), "say", "a word without quotes");
	is_str(word_cut(&at), "two words", "quotes keep blanks together");
	is_str(word_cut(&at), "unquoted", "within a word they are dropped");
	is_str(word_cut(&at), "open one", "one that is not closed reaches to the end");
	is_str(word_cut(&at), NULL, "then nothing is left");
	ok(word_unquote(&from, buf, sizeof(buf)) && !strcmp(buf, "a bc"), "the same by copy");
	is_str(from, " rest", "the blank behind it is passed");
	from = "longer than that";
	ok(word_unquote(&from, buf, sizeof(buf)) && !strcmp(buf, "longe"), "too long: shortened");
	is_str(from, "than that", "and passed as a whole");
	from = "  ";
	ok(!word_unquote(&from, buf, sizeof(buf)) && !*buf, "and at the end: nothing");
	is_str(find_open_quote("a 'b \"c' d\"e f"), "\"e f", "a quote that nothing closes");
	ok(!find_open_quote("'a' \"b'c\""), "a quote within others is a character");
}

static void
test_parts(void)
{
	struct span rest = span_of("a,,b c,"), p;
	char line[] = " a b\r\n", text[40] = "", buf[4];

	while (span_part(&rest, ',', &p))
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "<%.*s>", (int)p.n, p.p);
	is_str(text, "<a><><b c><>", "empty parts are parts");
	rest = span_of("");
	ok(span_part(&rest, ',', &p) && p.n == 0 && !span_part(&rest, ',', &p),
	   "an empty text is one empty part");
	ok(span_is(span_trim(span_of(" \ta b ")), "a b"), "blanks at both ends go");
	is_u64(span_trim(span_of("  ")).n, 0, "to nothing if need be");
	trim_end(line);
	is_str(line, " a b", "or at the end alone");
	ok(span_copy(span_of("abc"), buf, sizeof(buf)) && !strcmp(buf, "abc"),
	   "what fits is copied");
	ok(!span_copy(span_of("abcd"), buf, sizeof(buf)) && !strcmp(buf, "abc"),
	   "or cut, and told");
}

static void
test_near(void)
{
	static const char *const names[] = {"continue", "corer", "condition", "commands",
					    "compare",	"color", "print",     "step"};
	const char *out[3];

	is_u64(near_names("coror", names, 8, out, 3), 2, "'coror': two are near");
	ok(!strcmp(out[0], "corer") && !strcmp(out[1], "color"), "the first of equals comes first");
	is_u64(near_names("con", names, 8, out, 2), 2, "a start is near");
	ok(!strcmp(out[0], "continue") && !strcmp(out[1], "condition"), "ties keep their order");
	is_u64(near_names("PRITN", names, 8, out, 3), 1, "case is ignored");
	is_str(out[0], "print", "a swap is one mistake");
	is_u64(near_names("mand", names, 8, out, 3), 1, "a part is near");
	is_u64(near_names("zzzz", names, 8, out, 3), 0, "nothing is near");
	is_u64(near_names("", names, 8, out, 3), 0, "nothing is near nothing");
	is_u64(near_names("con", names, 8, out, 0), 0, "no room, no names");
}

static void
test_hint(void)
{
	static const char *const names[] = {"color", "corer", "colour", "collar", "step", "step"};

	is_str(near_hint("co", names, 5, "").text, "; did you mean color, corer, colour?",
	       "up to three are named");
	is_str(near_hint("stpe", names, 6, "").text, "; did you mean step?", "or one, once");
	is_str(near_hint("xyzzy", names, 5, "; no").text, "; no", "or what the caller has to say");
	is_str(near_hint("xyzzy", names, 5, "").text, "", "or nothing");
}

int
main(void)
{
	test_words();
	test_usage();
	test_quotes();
	test_parts();
	test_near();
	test_hint();
	return done();
}
