/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keys.c - splits bytes into keys: the result does not depend on how they arrive, and incomplete
 * keys wait. */
#include "line/line_part.h"

#include "tests/tap.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static struct keys keys;
static double now;

/* Appends the complete keys to a text: T(a) E S(^[[A) P(text) L. */
static void
take_all(struct strbuf *to)
{
	struct key k;

	while (keys_take(&keys, &k)) {
		sb_char(to, "TESPL"[k.kind]);
		sb_char(to, '(');
		for (size_t i = 0; i < k.n; i++)
			if ((unsigned char)k.bytes[i] < ' ')
				sb_printf(to, "^%c", k.bytes[i] ^ 0x40);
			else
				sb_char(to, k.bytes[i]);
		sb_char(to, ')');
	}
}

/* Returns the keys of a text that arrives in pieces of at most `step` bytes. */
static char *
cut(const char *bytes, size_t n, size_t step)
{
	struct strbuf got = {0};

	for (size_t i = 0; i < n; i += step) {
		keys_put(&keys, bytes + i, MIN(step, n - i), now += 0.001);
		take_all(&got);
		keys_quiet(&keys, now);
	}
	now += 10;
	keys_quiet(&keys, now);
	take_all(&got);
	keys_quiet(&keys, now);
	take_all(&got);
	keys_free(&keys);
	return sb_take(&got);
}

static const struct {
	const char *bytes, *keys, *what;
} cases[] = {
	{"ab\r", "T(a)T(b)T(^M)", "text"},
	{"\303\251\342\202\254\360\237\230\200", "T(\303\251)T(\342\202\254)T(\360\237\230\200)",
	 "characters of several bytes"},
	{"a\377b\303c", "T(a)T(b)T(c)", "bytes that are no character are nothing"},
	{"\033[A\033OA\033[1;5C\033[<0;10;5M", "S(^[[A)S(^[OA)S(^[[1;5C)S(^[[<0;10;5M)",
	 "function keys"},
	{"\033f\033\177\033\303\251", "S(^[f)S(^[\177)S(^[\303\251)", "keys with Meta"},
	{"\033\033[A\033\033OB\033\033x", "S(^[^[[A)S(^[^[OB)S(^[^[)T(x)",
	 "function keys with Meta"},
	{"\033[[Ax", "S(^[[[A)T(x)", "F1 of the Linux console"},
	{"\033", "E(^[)", "Escape"},
	{"a\033", "T(a)E(^[)", "Escape behind a key"},
	{"\033[", "S(^[[)", "Meta with ["},
	{"\033O", "S(^[O)", "Meta with O"},
	{"\033\033", "S(^[^[)", "Meta with Escape"},
	{"\033[1;5", "", "a cut sequence is nothing"},
	{"\303", "", "nor is a cut character"},
	{"\033[12\033[A\033[1\x07g", "S(^[[12)S(^[[A)S(^[[1)T(^G)T(g)",
	 "what cannot stand in a sequence ends it"},
	{"\033[200~a b\033[201~c", "P(a b)T(c)", "a paste"},
	{"\033\033[200~a\033[201~", "E(^[)P(a)", "behind Escape"},
	{"\033[200~a\rb\nc\r\nd\033[201~", "P(a^Jb^Jc^Jd)", "its lines"},
	{"\033[200~a\033[20x\033[201\033[201~z", "P(a^[[20x^[[201)T(z)", "what is nearly its end"},
	{"\033[200~\033[201~\033[200~\033[201~", "P()P()", "empty ones"},
	{"\033[200~abc", "P(abc)", "a paste that is cut"},
	{"\033[200~abc\033[201", "P(abc^[[201)", "in its end"},
	{"\033[201~x", "T(x)", "an end alone is nothing"},
};

static void
test_cases(void)
{
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		for (size_t step = 1; step < 8; step += 3) {
			char *got = cut(cases[i].bytes, strlen(cases[i].bytes), step);

			is_str(got ? got : "", cases[i].keys, "%s, %zu at a time", cases[i].what,
			       step);
			free(got);
		}
}

static void
test_time(void)
{
	struct key k;

	is_u64((uint64_t)keys_patience(&keys, now), (uint64_t)-1, "nothing is waited for");
	keys.escape_acts = true;
	keys_put(&keys, "\033", 1, now);
	ok(keys_patience(&keys, now) > 0 && keys_patience(&keys, now) <= 50,
	   "behind Escape 50 ms at most");
	ok(!keys_take(&keys, &k), "it is no key yet");
	keys_quiet(&keys, now);
	ok(!keys_take(&keys, &k), "nor before that time is over");
	keys_put(&keys, "[A", 2, now + 100);
	ok(keys_take(&keys, &k) && k.kind == KEY_SEQUENCE,
	   "what could be read belongs to it, however late");
	keys_put(&keys, "\033\033", 2, now += 100);
	keys_quiet(&keys, now + 0.1);
	ok(keys_take(&keys, &k) && k.kind == KEY_ESCAPE, "Escape twice is the key Escape");
	keys_quiet(&keys, now + 0.1);
	ok(keys_take(&keys, &k) && k.kind == KEY_ESCAPE, "and once more");
	keys_put(&keys, "\033\033[A", 4, now += 1);
	ok(keys_take(&keys, &k) && k.kind == KEY_SEQUENCE, "but Meta with an arrow");
	keys_put(&keys, "\033[200~a", 7, now += 200);
	keys_quiet(&keys, now + 0.5);
	ok(!keys_take(&keys, &k), "a paste may pause");
	keys_drop(&keys);
	keys_put(&keys, "rest\033[20", 8, now);
	ok(!keys_take(&keys, &k), "one that is dropped");
	keys_put(&keys, "1~x", 3, now);
	ok(keys_take(&keys, &k) && k.kind == KEY_TEXT && *k.bytes == 'x', "is dropped to its end");
	keys_put(&keys, "\033[200~a", 7, now += 1);
	ok(!keys_take(&keys, &k), "another");
	keys_drop(&keys);
	keys_quiet(&keys, now + 2);
	ok(!keys_take(&keys, &k) && keys_patience(&keys, now + 2) == -1,
	   "is dropped until it pauses too long");
	keys_free(&keys);
}

/* Pastes of any length, each arriving in blocks of an odd size. */
static void
test_long(void)
{
	static const size_t sizes[] = {4095, 65536, PASTE_MOST, PASTE_MOST + 1, 3 * PASTE_MOST};

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		struct strbuf text = {0};
		struct key k = {0};
		bool got = false;

		sb_str(&text, "\033[200~");
		for (size_t n = 0; n < sizes[i]; n++)
			sb_char(&text, 'x');
		sb_str(&text, "\033[201~");
		for (size_t n = 0; n < text.n; n += 997) {
			keys_put(&keys, text.p + n, MIN(997u, text.n - n), now);
			got = keys_take(&keys, &k);
		}
		ok(got && (sizes[i] > PASTE_MOST ? k.kind == KEY_TOO_LONG
						 : k.kind == KEY_PASTE && k.n == sizes[i]),
		   "a paste of %zu bytes", sizes[i]);
		ok(keys.in.cap < 3 * PASTE_MOST, "in memory that is bounded");
		keys_free(&keys);
		sb_free(&text);
	}
}

int
main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	test_cases();
	test_time();
	test_long();
	return done();
}
