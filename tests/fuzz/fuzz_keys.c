/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_keys.c - any bytes as what a terminal sends, in one and in pieces: the first byte says how
 * long the pieces are.
 *
 * Promises: the same bytes are the same keys, however they come; a paste holds no '\\r' and no NUL;
 * when nothing more comes, nothing is waited for.
 */
#define FUZZ_CORPUS "keys"
#define FUZZ_COVERS "src/line/keys.c"
#include "tests/fuzz/replay.h"

#include "line/line_part.h"

#include <locale.h>
#include <string.h>

static void
take_all(struct keys *k, struct strbuf *to)
{
	struct key key;

	while (keys_take(k, &key)) {
		fuzz_check(key.kind <= KEY_TOO_LONG && key.bytes[key.n] == '\0');
		fuzz_check(key.kind != KEY_PASTE || !memchr(key.bytes, '\r', key.n));
		fuzz_check(key.kind != KEY_PASTE || strlen(key.bytes) == key.n);
		fuzz_check(key.kind != KEY_TEXT || key.n > 0);
		sb_char(to, (char)key.kind);
		sb_add(to, key.bytes, key.n);
		sb_add(to, "|", 2); /* with its NUL */
	}
}

static void
cut(const uint8_t *data, size_t size, size_t step, struct strbuf *to)
{
	struct keys k = {.used = 0};
	double now = 0;

	for (size_t i = 0; i < size; i += step) {
		keys_put(&k, (const char *)data + i, MIN(step, size - i), now);
		take_all(&k, to);
		keys_quiet(&k, now);
	}
	/* An Escape may precede an incomplete sequence, and a paste follow it. */
	for (int i = 0; i < 3; i++) {
		keys_quiet(&k, now += 10);
		take_all(&k, to);
	}
	fuzz_check(keys_patience(&k, now) == -1 && k.used == k.in.n && k.state == KEYS_TYPED);
	keys_free(&k);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf whole = {0}, pieces = {0};

	if (!size)
		return 0;
	setlocale(LC_CTYPE, "C.UTF-8");
	cut(data + 1, size - 1, size, &whole);
	cut(data + 1, size - 1, 1 + data[0] % 16, &pieces);
	fuzz_check(whole.n == pieces.n && (!whole.n || memcmp(whole.p, pieces.p, whole.n) == 0));
	sb_free(&whole);
	sb_free(&pieces);
	return 0;
}
