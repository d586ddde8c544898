/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * keys.c - cuts the bytes of a terminal into whole keys: characters, escape sequences, pastes.
 *
 * A key is delivered once all of its bytes are there. How long the rest may take is decided by
 * time alone: keys_patience() tells the caller how long to wait, and keys_quiet() ends the wait,
 * but only when the caller found nothing to read. So a machine that is slow cuts no key in two.
 *
 * A cut paste counts as whole. A cut escape sequence or character is dropped, as are bytes that are
 * no character in the user's locale.
 */
#include "line/line_part.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define ESC '\033'
#define PASTE_BEGIN "\033[200~"
#define PASTE_END "\033[201~"
#define PASTE_MARK (sizeof(PASTE_END) - 1)

/* Seconds that the next byte may take. */
#define INSIDE 0.2	   /* of a sequence or a character: a slow line may cut it */
#define AFTER_ESCAPE 0.025 /* after Escape if the key alone has a function */
#define PASTE_PAUSE 1.0

#define NOT_YET SIZE_MAX

/* ---------------------------------------------------------------- lengths */

static bool
is_text(const char *p, size_t n, const char *text)
{
	return n == strlen(text) && memcmp(p, text, n) == 0;
}

/* Bytes of the character at p; 0: invalid. */
static size_t
character_length(const char *p, size_t n)
{
	mbstate_t state;
	wchar_t wc;
	size_t m;

	if ((unsigned char)*p < 0x80 || MB_CUR_MAX == 1)
		return 1;
	memset(&state, 0, sizeof(state));
	m = mbrtowc(&wc, p, n, &state);
	return m == (size_t)-2 ? NOT_YET : m == (size_t)-1 ? 0 : MAX(m, 1u);
}

/* Bytes of the control sequence at p, which begins with "ESC [". A byte that cannot be part of one
 * ends it. */
static size_t
control_length(const char *p, size_t n)
{
	size_t i = 2;

	if (n > 2 && p[2] == '[') /* F1 to F5 of the Linux console have a second '[' */
		return n > 3 ? 4 : NOT_YET;
	while (i < n && p[i] >= 0x20 && p[i] < 0x40)
		i++;
	if (i == n)
		return NOT_YET;
	return p[i] >= 0x40 && p[i] < 0x7f ? i + 1 : i;
}

/* Bytes of the sequence that Escape begins, at least 1: Escape alone. Where Escape acts, Escape
 * typed twice is two keys, not Meta with Escape. */
static size_t
escape_length(const char *p, size_t n, bool acts)
{
	size_t m;

	if (n == 1)
		return NOT_YET;
	switch (p[1]) {
	case '[':
		return control_length(p, n);
	case 'O':
		if (n == 2)
			return NOT_YET;
		return p[2] > ' ' && p[2] < 0x7f ? 3 : 2;
	case ESC: /* Meta with a function key; or Escape, and then a paste */
		if (n == 2)
			return NOT_YET;
		m = p[2] == '[' || p[2] == 'O' ? escape_length(p + 1, n - 1, false) : 1;
		if (m != NOT_YET && (is_text(p + 1, m, PASTE_BEGIN) || (m == 1 && acts)))
			return 1;
		return m == NOT_YET ? m : m + 1;
	default:
		m = character_length(p + 1, n - 1);
		return m == NOT_YET ? m : m + 1;
	}
}

/* Bytes of the next key; 0: an invalid character, NOT_YET: more bytes belong to it. */
static size_t
typed_length(const struct keys *k)
{
	const char *p = k->in.p + k->used;
	size_t n = k->in.n - k->used;

	return *p == ESC ? escape_length(p, n, k->escape_acts) : character_length(p, n);
}

/* ---------------------------------------------------------------- pastes */

/* The end of the paste; NULL: it has not come yet. */
static const char *
find_end(const struct keys *k)
{
	size_t n = k->in.n - k->used, from = MIN(k->searched, n);

	return n ? memmem(k->in.p + k->used + from, n - from, PASTE_END, PASTE_MARK) : NULL;
}

/* Notes that the end of the paste has not come. Bytes that may begin it are searched again; those
 * before them are dropped if drops. */
static void
wait_for_end(struct keys *k, bool drops)
{
	size_t n = k->in.n - k->used, done = n >= PASTE_MARK ? n - (PASTE_MARK - 1) : 0;

	k->used += drops ? done : 0;
	k->searched = drops ? 0 : done;
}

static void
skip_dropped(struct keys *k)
{
	const char *end;

	if (k->state != KEYS_DROPPED)
		return;
	end = find_end(k);
	if (!end && !k->is_cut) {
		wait_for_end(k, true);
		return;
	}
	k->used = end ? (size_t)(end - k->in.p) + PASTE_MARK : k->in.n;
	k->state = KEYS_TYPED;
	k->is_cut = false;
}

/* Copies pasted text. A terminal ends lines with '\r' or both characters; the copy has only '\n'.
 */
static void
copy_paste(struct keys *k, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (p[i] == '\r' && i + 1 < n && p[i + 1] == '\n')
			continue;
		if (p[i])
			sb_char(&k->out, p[i] == '\r' ? '\n' : p[i]);
	}
}

/* Takes a paste when its end has come, or was waited for long enough. */
static bool
take_paste(struct keys *k, struct key *to)
{
	const char *end = find_end(k);
	size_t n = k->in.n - k->used, text = end ? (size_t)(end - k->in.p) - k->used : n;

	if (!end && !k->is_cut) {
		k->too_long |= n > PASTE_MOST;
		wait_for_end(k, k->too_long);
		return false;
	}
	to->kind = k->too_long || text > PASTE_MOST ? KEY_TOO_LONG : KEY_PASTE;
	if (to->kind == KEY_PASTE && text)
		copy_paste(k, k->in.p + k->used, text);
	if (k->out.failed) /* a part of the text would be a different command */
		to->kind = KEY_TOO_LONG;
	k->used += text + (end ? PASTE_MARK : 0);
	k->state = KEYS_TYPED;
	k->is_cut = k->too_long = false;
	return true;
}

/* ---------------------------------------------------------------- bytes */

void
keys_put(struct keys *k, const char *bytes, size_t n, double now)
{
	/* move the bytes only when at least half are used, as pastes may be long */
	if (k->used && k->used >= k->in.n - k->used) {
		memmove(k->in.p, k->in.p + k->used, k->in.n - k->used);
		k->in.n -= k->used;
		k->used = 0;
	}
	sb_add(&k->in, bytes, n);
	if (n)
		k->last = now;
	skip_dropped(k);
}

void
keys_insert(struct keys *k, const char *text)
{
	struct strbuf rest = k->in;

	k->in = (struct strbuf){.failed = rest.failed};
	sb_str(&k->in, text);
	sb_add(&k->in, rest.p + k->used, rest.n - k->used);
	k->used = 0;
	sb_free(&rest);
}

void
keys_drop(struct keys *k)
{
	if (k->state == KEYS_TYPED)
		k->used = k->in.n;
	else
		k->state = KEYS_DROPPED; /* a part of its end may have come */
	k->is_cut = k->too_long = false;
	skip_dropped(k);
}

void
keys_drop_typed(struct keys *k)
{
	size_t n = k->in.n - k->used;

	if (k->state == KEYS_TYPED &&
	    !(n >= PASTE_MARK && is_text(k->in.p + k->used, PASTE_MARK, PASTE_BEGIN)))
		k->used = k->in.n;
}

void
keys_free(struct keys *k)
{
	sb_free(&k->in);
	sb_free(&k->out);
	*k = (struct keys){.used = 0};
}

/* ---------------------------------------------------------------- keys */

/* Takes a typed key. False: bytes that are not a key, or the beginning of a paste. */
static bool
take_typed(struct keys *k, struct key *to)
{
	const char *p = k->in.p + k->used;
	size_t n = k->in.n - k->used, m;

	m = typed_length(k);
	if (m == NOT_YET) {
		/* Escape, and Meta with '[', 'O' or Escape, are keys as well; the rest is cut */
		bool whole = *p == ESC && (n == 1 || (n == 2 && strchr("[O\033", p[1])));

		k->is_cut = false;
		if (n == 2 && p[1] == ESC && k->escape_acts)
			n = 1; /* the second one is the next key */
		k->used += n;
		to->kind = n == 1 ? KEY_ESCAPE : KEY_SEQUENCE;
		sb_add(&k->out, p, n);
		return whole;
	}
	k->used += MAX(m, 1u);
	if (is_text(p, m, PASTE_BEGIN)) {
		k->state = KEYS_PASTED;
		k->searched = 0;
		return false;
	}
	to->kind = *p != ESC ? KEY_TEXT : m > 1 ? KEY_SEQUENCE : KEY_ESCAPE;
	sb_add(&k->out, p, m);
	return m && !is_text(p, m, PASTE_END); /* the end of a paste that was cut is not a key */
}

/* Do the bytes contain a complete key, or one that was cut? */
static bool
is_ready(const struct keys *k)
{
	return k->used < k->in.n && (k->is_cut || typed_length(k) != NOT_YET);
}

bool
keys_take(struct keys *k, struct key *to)
{
	bool is_key = false;

	sb_clear(&k->out);
	if (k->in.failed || k->out.failed) { /* out of memory: the typed keys are lost */
		enum keys_state rest = k->state == KEYS_TYPED ? KEYS_TYPED : KEYS_DROPPED;

		keys_free(k);
		k->state = rest;
		return false;
	}
	while (!is_key && k->state == KEYS_TYPED && is_ready(k)) {
		sb_clear(&k->out);
		is_key = take_typed(k, to);
	}
	if (!is_key && k->state == KEYS_PASTED) {
		sb_clear(&k->out);
		is_key = take_paste(k, to);
	}
	if (k->used == k->in.n)
		k->is_cut = false;
	to->bytes = k->out.p ? k->out.p : "";
	to->n = k->out.n;
	return is_key;
}

static double
pause_allowed(const struct keys *k)
{
	size_t n = k->in.n - k->used;

	if (k->state != KEYS_TYPED)
		return PASTE_PAUSE;
	return n && n < 3 && k->in.p[k->used] == ESC && k->escape_acts ? AFTER_ESCAPE : INSIDE;
}

int
keys_patience(const struct keys *k, double now)
{
	double left;

	if (k->state == KEYS_TYPED && (k->used == k->in.n || is_ready(k)))
		return -1;
	left = k->last + pause_allowed(k) - now;
	return left > 0 ? (int)(1000 * left) + 1 : 0;
}

void
keys_quiet(struct keys *k, double now)
{
	if (keys_patience(k, now) == 0)
		k->is_cut = true;
	skip_dropped(k);
}
