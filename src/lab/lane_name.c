/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lane_name.c - shortens the names of the lanes of a race, so that what differs stays visible.
 *
 * If the names do not fit, the options that all lanes have are left out of all of them. A name that
 * is still too long is cut in the middle: its beginning, and the first part in which it differs
 * from the lane that is most like it.
 */
#include "lab/race_part.h"

#include <string.h>

/* A place to cut never lies inside a UTF-8 character. */
static size_t
char_start(const char *text, size_t at)
{
	while (at && (text[at] & 0xc0) == 0x80)
		at--;
	return at;
}

/* Returns the length of "@NAME=VALUE" at the front of a lane's options. */
static size_t
option_length(const char *at)
{
	return (size_t)(race_lane_options(at + 1) - at);
}

static bool
has_option(const char *lane, const char *option, size_t n)
{
	for (const char *at = race_lane_options(lane); *at; at += option_length(at))
		if (option_length(at) == n && memcmp(at, option, n) == 0)
			return true;
	return false;
}

/* Copies a name without the options that all n lanes have. */
static void
drop_shared_options(const char *const *name, unsigned n, unsigned which, char buf[POLICY_TEXT])
{
	const char *at = race_lane_options(name[which]);
	size_t used = (size_t)(at - name[which]);

	memcpy(buf, name[which], used);
	for (size_t k; *at; at += k) {
		unsigned others = 0;

		k = option_length(at);
		for (unsigned i = 0; i < n; i++)
			others += has_option(name[i], at, k);
		if (others == n)
			continue;
		memcpy(buf + used, at, k);
		used += k;
	}
	buf[used] = '\0';
}

static size_t
common_length(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	return n;
}

static size_t
columns_of(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += (*text & 0xc0) != 0x80;
	return n;
}

/* Writes the beginning of a name, and `tail` bytes of it from byte `from` on or more, with at most
 * `room` columns. */
static void
cut_middle(const char *name, size_t from, size_t tail, size_t room, const char *mark,
	   char buf[POLICY_TEXT])
{
	enum { HEAD = 8 }; /* of the beginning, if what follows the part is to be shown, too */
	size_t len = strlen(name), sign = columns_of(mark), after, head;

	if (len - from + sign + MIN(from, (size_t)HEAD) <= room)
		tail = len - from;
	if (tail + sign + (from + tail < len ? sign : 0) > room)
		tail = room - 2 * sign;
	tail = char_start(name, from + tail) - from;
	after = from + tail < len ? sign : 0;
	head = char_start(name, MIN(room - sign - tail - after, from));
	snprintf(buf, POLICY_TEXT, "%.*s%s%.*s%s", (int)head, name, head < from ? mark : "",
		 (int)tail, name + from, after ? mark : "");
}

/* Writes a name that is too long with at most `room` columns: its beginning, and the part of it
 * around byte `differs`, with the mark where something is left out. */
static void
cut_name(const char *name, size_t differs, size_t room, const char *mark, char buf[POLICY_TEXT])
{
	static const char ends[] = "@+:,=/";
	size_t sign = columns_of(mark), from = differs, tail;

	while (from && !strchr(ends, name[from - 1]))
		from--;
	if (differs - from + 2 * sign >= room)
		from = char_start(name, differs);
	tail = strcspn(name + from, "@+:,"); /* the whole value, or the whole name */
	if (room <= 2 * sign)
		snprintf(buf, POLICY_TEXT, "%.*s",
			 (int)(char_start(name, MIN(from + room, strlen(name))) - from),
			 name + from);
	else if (!from || from + tail + sign <= room)
		snprintf(buf, POLICY_TEXT, "%.*s%s", (int)char_start(name, room - sign), name,
			 mark);
	else
		cut_middle(name, from, tail, room, mark, buf);
}

void
lane_name_shorten(const char *const *name, unsigned n, unsigned which, unsigned room,
		  const char *mark, char buf[POLICY_TEXT])
{
	char text[POLICY_TEXT], other[POLICY_TEXT];
	size_t longest = 0, differs = 0;

	for (unsigned i = 0; i < n; i++)
		longest = MAX(longest, strlen(name[i]));
	snprintf(buf, POLICY_TEXT, "%s", name[which]);
	if (longest <= room)
		return;
	drop_shared_options(name, n, which, buf);
	if (strlen(buf) <= room)
		return;
	snprintf(text, sizeof(text), "%s", buf);
	for (unsigned i = 0; i < n; i++) {
		if (i == which)
			continue;
		drop_shared_options(name, n, i, other);
		differs = MAX(differs, common_length(text, other));
	}
	cut_name(text, differs, room, mark, buf);
}

const char *
race_short_name(const struct race *r, unsigned lane, unsigned room, const char *mark,
		char buf[POLICY_TEXT])
{
	const char *name[RACE_LANES];

	for (unsigned i = 0; i < r->n; i++)
		name[i] = r->lane[i].stack;
	lane_name_shorten(name, r->n, lane, room, mark, buf);
	return buf;
}
