/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * store_mutate.h - a saved session whose contents are changed, with every checksum made right.
 *
 * A change is five bytes: which part, what is done to it, where (two bytes) and a value. Text is
 * changed by bytes, by numbers and by lines. A state carries a checksum of its own and a digest of
 * the machine, see sim/snapshot.c: the checksum is made right, the digest is not, so that the
 * machine's memory is refused and all around it is read.
 */
#ifndef TESTS_FUZZ_STORE_MUTATE_H
#define TESTS_FUZZ_STORE_MUTATE_H

#include "base/hash.h"
#include "session/session_file.h"
#include "session/session_part.h"
#include "session/store.h"
#include "tests/small/small.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CHANGE_BYTES 5
#define CHANGES 8	   /* in one input, at most */
#define STATE_NEAR 1024	   /* bytes of a state in which most changes lie: its head and options */
#define LONGEST (4u << 20) /* of a part that grows */

/* What the session has been through: there is something in each of its parts. */
static const char *const saved_lines[] = {
	"break 90",
	"break pause core 1 if core.1.n < 5",
	"commands",
	"print core.1.n",
	"end",
	"watch core.2.n",
	"trace limit",
	"disable",
	"display/x core.3.n",
	"set $x = core.*.n",
	"set $y = 7",
	"define f",
	"echo $arg0",
	"end",
	"document f",
	"says it",
	"end",
	"delete 1",
	"until limit",
	"flip --for 200",
	"advance 700",
	"mark a",
	"set dyncta.period 256",
	"step 300",
	"fork other",
	"set policy rr",
	"step 200",
	"checkpoint",
	"fork gone",
	"switch other",
	"delete branch gone",
	"goto 900",
	"core 2",
};

/* The path of an empty file in memory, good until the next call. */
static const char *
memory_path(int *fd)
{
	static char path[64];

	if (*fd < 0)
		*fd = memfd_create("session", 0);
	fuzz_check(*fd >= 0 && ftruncate(*fd, 0) == 0 && lseek(*fd, 0, SEEK_SET) == 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", *fd);
	return path;
}

/* Made once. */
static const struct store *
saved_session(struct config *c, struct trace *t)
{
	static struct store saved;
	struct session *s;
	struct err e = {0};
	char path[64];
	int fd = -1;

	if (saved.n_parts)
		return &saved;
	s = session_new(c, t, NULL, NULL);
	fuzz_check(s);
	for (unsigned i = 0; i < ARRAY_LEN(saved_lines); i++)
		if (session_exec(s, saved_lines[i]) != SESSION_OK)
			fprintf(stderr, "%s is refused\n", saved_lines[i]), abort();
	snprintf(path, sizeof(path), "%s", memory_path(&fd));
	fuzz_check(session_write(s, path, &e) == 0);
	fuzz_check(store_read(&saved, path, NULL, NULL, &e) == 0);
	session_free(s);
	close(fd);
	return &saved;
}

/* ---------------------------------------------------------------- changes */

static bool
part_is_state(const struct store_part *p)
{
	return strcmp(p->name, "state") == 0 || strncmp(p->name, "mark:", 5) == 0;
}

/* n bytes at a place give way to others. */
static void
splice(struct strbuf *text, size_t at, size_t n, const char *with, size_t n_with)
{
	struct strbuf now = {0};

	at = MIN(at, text->n);
	n = MIN(n, text->n - at);
	if (text->n + n_with > LONGEST)
		return;
	sb_add(&now, text->p, at);
	sb_add(&now, with, n_with);
	sb_add(&now, text->p + at + n, text->n - at - n);
	sb_free(text);
	*text = now;
}

/* The number that begins at a place or behind it becomes one that is hard to bear. */
static void
change_number(struct strbuf *text, size_t at, uint8_t value)
{
	static const char *const numbers[] = {
		"0",
		"1",
		"-1",
		"4294967295",
		"4294967296",
		"2147483648",
		"18446744073709551615",
		"18446744073709551616",
		"9223372036854775807",
		"-9223372036854775808",
		"1e308",
		"nan",
		"65",
		"1000000000",
		"",
		"0x10",
	};
	const char *with = numbers[value % ARRAY_LEN(numbers)];
	size_t n;

	while (at < text->n && !strchr("0123456789", text->p[at] ? text->p[at] : 'x'))
		at++;
	for (n = at; n < text->n && strchr("0123456789.-e", text->p[n] ? text->p[n] : 'x');)
		n++;
	splice(text, at, n - at, with, strlen(with));
}

/* The line around a place is dropped, said twice, or comes first. */
static void
change_line(struct strbuf *text, size_t at, uint8_t value)
{
	size_t from = MIN(at, text->n), to;
	char *line;

	while (from > 0 && text->p[from - 1] != '\n')
		from--;
	for (to = from; to < text->n && text->p[to] != '\n';)
		to++;
	to += to < text->n;
	line = strndup(text->p + from, to - from);
	fuzz_check(line);
	if (value % 3 == 0)
		splice(text, from, to - from, "", 0);
	for (unsigned i = 0; value % 3 == 1 && i < 1u + value / 4; i++)
		splice(text, from, 0, line, strlen(line));
	if (value % 3 == 2)
		splice(text, 0, 0, line, strlen(line));
	free(line);
}

static void
change_bytes(struct strbuf *text, size_t at, uint8_t op, uint8_t value)
{
	char many[256];

	memset(many, value, sizeof(many));
	if (op == 0)
		splice(text, at, 1, many, 1);
	else if (op == 1)
		splice(text, at, value, "", 0);
	else if (op == 2)
		splice(text, at, 0, many, value);
	else
		splice(text, at, text->n, "", 0);
}

static void
change_part(struct strbuf *text, bool is_state, const uint8_t *b)
{
	size_t at = (size_t)(b[2] | b[3] << 8), room = text->n ? text->n : 1;

	if (is_state && b[1] & 0x80)
		room = MIN(room, STATE_NEAR);
	at = room <= 65536 ? at % room : at * room / 65536;
	switch (b[1] % 8) {
	case 4:
	case 5:
		change_number(text, at, b[4]);
		break;
	case 6:
		change_line(text, at, b[4]);
		break;
	default:
		change_bytes(text, at, b[1] % 8 % 4, b[4]);
	}
	if (is_state && text->n > 8) {
		uint64_t hash = hash64(text->p + 8, text->n - 8, 0);

		memcpy(text->p, &hash, sizeof(hash));
	}
}

/* The saved session as bytes, with the changes that an input asks for. */
static void
change_session(const struct store *saved, const uint8_t *data, size_t size, struct strbuf *out)
{
	struct strbuf text[STORE_PARTS] = {0};
	struct store now = {0};
	struct err e = {0};

	for (unsigned i = 0; i < saved->n_parts; i++)
		sb_add(&text[i], saved->part[i].bytes, saved->part[i].n);
	for (unsigned n = 0; n < CHANGES && size >= CHANGE_BYTES; n++) {
		unsigned i = data[0] % saved->n_parts;

		change_part(&text[i], part_is_state(&saved->part[i]), data);
		data += CHANGE_BYTES;
		size -= CHANGE_BYTES;
	}
	for (unsigned i = 0; i < saved->n_parts; i++) /* one byte more: that part is not there */
		if (size != 1 || data[0] % saved->n_parts != i)
			fuzz_check(store_add(&now, saved->part[i].name, text[i].p ? text[i].p : "",
					     text[i].n, &e) == 0);
	fuzz_check(store_pack(&now, out, &e) == 0);
	for (unsigned i = 0; i < saved->n_parts; i++)
		sb_free(&text[i]);
}

#endif
