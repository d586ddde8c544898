/* SPDX-License-Identifier: GPL-3.0-or-later */
/* base.c - tests errors, growable strings and hashes, which the trace layer uses. */
#include "tests/tap.h"

#include "base/hash.h"
#include "base/strbuf.h"
#include "ctascope/err.h"

static void
test_err(void)
{
	struct err e = {0};
	char buf[1600], text[5000];
	size_t i;

	is_u64((uint64_t)(err_set(&e, "bad value '%d'", 7) == -1), 1, "err_set returns -1");
	err_format(&e, "ctascope", buf, sizeof(buf));
	is_str(buf, "ctascope: bad value '7'", "a message without a place");
	ok(e.kind == ERR_OTHER && err_nomem(&e) == -1 && e.kind == ERR_MEMORY,
	   "err_nomem has its kind");
	is_str(e.msg, "out of memory", "and says so");
	ok(err_of(&e, ERR_SPACE, "a %s", "place") == -1 && e.kind == ERR_SPACE,
	   "err_of gives a kind");
	err_at(&e, "f", 1, NULL, 0, 1, "new");
	ok(e.kind == ERR_OTHER, "which the next error does not keep");
	ok(err_as(&e, ERR_MEMORY) == -1 && e.kind == ERR_MEMORY, "err_as changes it");
	ok(err_as(NULL, ERR_MEMORY) == -1 && err_nomem(NULL) == -1, "no error wanted");
	err_at_byte(&e, "a.ctr", 4096, "damaged");
	err_format(&e, NULL, buf, sizeof(buf));
	is_str(buf, "a.ctr: byte 4096: damaged", "a byte offset");
	err_at(&e, "a.cfg", 3, "core.regs = many", 12, 4, "expected a number");
	err_format(&e, "x", buf, sizeof(buf));
	is_str(buf, "x: a.cfg:3: expected a number\n    core.regs = many\n                ^~~~",
	       "line, text and caret");
	err_at(&e, "a.cfg", 3, "a\tb\033[31mc \xff d", 4, 1, "tabs and controls");
	is_str(e.text, "a b\\x1b[31mc \\xff d", "what cannot be shown is spelled out");
	is_u64((uint64_t)e.col, 7, "and the column moves with it");
	err_at(&e, "a.cfg", 3,
	       "gr\xc3\xbc\xc3\x9f"
	       "e = 1",
	       8, 1, "umlauts");
	is_u64((uint64_t)e.col, 6, "a character is one column");
	for (i = 0; i < sizeof(text) - 1; i++)
		text[i] = (char)('a' + i % 26);
	text[sizeof(text) - 1] = '\0';
	err_at(&e, "long", 1, text, 2600, 2, "long");
	ok(strncmp(e.text, "...", 3) == 0 && strcmp(e.text + strlen(e.text) - 3, "...") == 0 &&
		   strlen(e.text) < 120,
	   "a long line is cut on both sides");
	ok(strncmp(e.text + e.col, "ab", 2) == 0 && e.len == 2, "around the place");
	err_at(&e, "long", 1, text, 4998, 50, "end");
	ok(e.text[e.col] == text[4998] && e.len == 1, "the end of a long line");
	err_at(&e, "short", 1, "abc", 99, 9, "beyond");
	ok(e.col == 3 && e.len == 1, "a column beyond the line points behind it");
	err_set(&e, "two\nlines");
	is_str(e.msg, "two\\x0alines", "a message is one line");
	err_at(&e, text, 1, NULL, 0, 1, "long name");
	ok(strncmp(e.file, "...", 3) == 0 && strlen(e.file) == sizeof(e.file) - 1,
	   "a long name keeps its end");
	err_clear(&e);
	ok(!e.set && !e.msg[0], "cleared");
	is_u64((uint64_t)(err_set(NULL, "nobody listens") == -1), 1, "no struct is fine");
}

static void
test_strbuf(void)
{
	struct strbuf s = {0};
	char *p;
	int i;

	for (i = 0; i < 1000; i++)
		sb_printf(&s, "%d,", i);
	is_u64(s.n, 10 + 90 * 2 + 900 * 3 + 1000, "a thousand pieces");
	ok(strncmp(s.p, "0,1,2,", 6) == 0 && strcmp(s.p + s.n - 4, "999,") == 0, "in order");
	sb_clear(&s);
	sb_add(&s, "a\0b", 3);
	sb_char(&s, 'c');
	sb_str(&s, "");
	ok(s.n == 4 && memcmp(s.p, "a\0bc", 5) == 0, "bytes, ended by a NUL");
	ok(!sb_reserve(&s, SIZE_MAX / 2) && s.failed, "an impossible size fails");
	sb_str(&s, "x");
	is_u64(s.n, 4, "and stays failed");
	ok(!sb_take(&s) && !s.p, "nothing to take then");
	p = sb_take(&s);
	is_str(p, "", "an empty string can be taken");
	free(p);
}

static void
test_hash(void)
{
	uint8_t data[600];
	uint64_t seen[600], whole;
	size_t i, j, bad = 0;
	struct hash h;

	for (i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i * 7 + 1);
	for (i = 0; i < 600; i++) {
		seen[i] = hash64(data, i, 1);
		for (j = 0; j < i; j++)
			bad += seen[i] == seen[j];
	}
	is_u64(bad, 0, "lengths give different values");
	ok(hash64(data, 100, 1) != hash64(data, 100, 2), "so do seeds");
	whole = hash64(data, sizeof(data), 9);
	for (i = 0; i <= sizeof(data); i++) {
		hash_init(&h, 9);
		hash_add(&h, data, i / 3);
		hash_add(&h, data + i / 3, i - i / 3);
		hash_add(&h, data + i, sizeof(data) - i);
		bad += hash_end(&h) != whole;
	}
	is_u64(bad, 0, "a stream may be cut anywhere");
	for (i = 0; i < sizeof(data) * 8; i++) {
		data[i / 8] ^= (uint8_t)(1u << i % 8);
		bad += hash64(data, sizeof(data), 9) == whole;
		data[i / 8] ^= (uint8_t)(1u << i % 8);
	}
	is_u64(bad, 0, "every bit counts");
	is_u64(hash64("ctascope", 8, 0), UINT64_C(5626365614859184987),
	       "the value is the same on every machine");
}

int
main(void)
{
	test_err();
	test_strbuf();
	test_hash();
	return done();
}
