/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keys.c - looks up keys in the user's bindings, then in the table. */
#include "tui/keys.h"
#include "base/words.h"
#include "tui/canvas.h"
#include <stdio.h>
#include <string.h>

const struct key_row key_rows[] = {
#define KEY(code, name, command, when, label, help) {code, name, command, when, label, help},
#include "tui/keys.def"
};
const unsigned n_key_rows = ARRAY_LEN(key_rows);

static const struct {
	int code;
	const char *text;
} hints[] = {
#define KEY(...)
#define HINT(code, text) {code, text},
#include "tui/keys.def"
};

const char *
key_hint(int code)
{
	for (size_t i = 0; i < ARRAY_LEN(hints); i++)
		if (hints[i].code == code)
			return hints[i].text;
	return NULL;
}

int
key_by_name(const char *name)
{
	const char *p = name;
	uint32_t wc;

	for (unsigned i = 0; i < n_key_rows; i++)
		if (strcmp(key_rows[i].name, name) == 0)
			return key_rows[i].code;
	if (strncmp(name, "C-", 2) == 0 && name[2] >= 'a' && name[2] <= 'z' && !name[3])
		return K_CTRL(name[2]);
	wc = utf8_next(&p);
	return wc > ' ' && !*p ? (int)wc : K_NONE;
}

bool
keymap_is_own(const struct keymap *m, int code)
{
	for (unsigned i = 0; i < m->n_own; i++)
		if (m->own[i].code == code)
			return true;
	return false;
}

const char *
keymap_find(const struct keymap *m, int code, enum key_when now, const struct key_row **row)
{
	const struct key_row *other = NULL;
	bool page = now & WHEN_PAGE;

	if (row)
		*row = NULL;
	for (unsigned i = 0; i < m->n_own && !page; i++)
		if (m->own[i].code == code)
			return m->own[i].command;
	for (unsigned i = 0; i < n_key_rows; i++) {
		if (key_rows[i].code != code || !(key_rows[i].when & WHEN_PAGE) == page)
			continue;
		other = &key_rows[i];
		if (key_rows[i].when & now) {
			if (row)
				*row = &key_rows[i];
			return key_rows[i].command;
		}
	}
	if (row)
		*row = other; /* so that the caller can say when the key is valid */
	return NULL;
}

static int
no_such_key(const char *key, struct err *e)
{
	const char *names[128];
	unsigned n = 0;

	for (unsigned i = 0; i < n_key_rows && n < ARRAY_LEN(names); i++)
		names[n++] = key_rows[i].name;
	return err_set(e, "no key '%s'%s", key,
		       near_hint(key, names, n,
				 "; expected one character, Space, Tab, Up, PgDn, F1, C-x ...")
			       .text);
}

int
keymap_bind(struct keymap *m, const char *key, const char *command, struct err *e)
{
	int code = key_by_name(key);
	unsigned i;

	if (code == K_NONE)
		return no_such_key(key, e);
	if (code == K_CTRL('c') || code == K_CTRL('z'))
		return err_set(e, "the key %s cannot be bound: the terminal makes it a signal",
			       key);
	if (strlen(command) >= sizeof(m->own[0].command))
		return err_set(e, "the command is longer than %zu characters",
			       sizeof(m->own[0].command) - 1);
	for (i = 0; i < m->n_own && m->own[i].code != code; i++)
		;
	if (i == KEYMAP_OWN)
		return err_set(e, "at most %d keys can be bound", KEYMAP_OWN);
	if (i == m->n_own)
		m->n_own++;
	m->own[i].code = code;
	snprintf(m->own[i].command, sizeof(m->own[i].command), "%s", command);
	return 0;
}

const char *
keys_scroll(int code)
{
	switch (code) {
	case 'k':
	case K_UP:
		return "scroll up";
	case 'j':
	case K_DOWN:
		return "scroll down";
	case K_PGUP:
		return "scroll page-up";
	case K_PGDN:
		return "scroll page-down";
	case K_GG:
	case K_HOME:
		return "scroll start";
	case 'G':
	case K_END:
		return "scroll end";
	default:
		return NULL;
	}
}
