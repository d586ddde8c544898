/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * screen_command.c - finds and runs the screen command of a line. Keys and the command line come
 * here first; the session gets what is not found.
 *
 * The rows are those of the prompt (session/commands.def), which prints their help and completes
 * them. Here they have handlers, and the words that only the screen knows: names of panes, layouts,
 * themes and keys.
 */
#include "base/datadir.h"
#include "base/words.h"
#include "tui/screen_part.h"
#include "tui/tui.h"
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------- words */

struct word_list {
	void (*fn)(void *to, const char *word);
	void *to;
};

static void
words_layouts(const struct word_list *l)
{
	for (unsigned i = 0; i < n_layout_rows; i++)
		l->fn(l->to, layout_rows[i].name);
}

static void
words_panes(const struct word_list *l)
{
	for (int i = 0; pane_table[i]; i++)
		if (pane_is_of(pane_table[i], WHEN_ALWAYS))
			l->fn(l->to, pane_table[i]->name);
}

static int
theme_word(void *ctx, const char *name, const char *path ATTR_UNUSED)
{
	const struct word_list *l = ctx;

	l->fn(l->to, name);
	return 0;
}

static void
words_themes(const struct word_list *l)
{
	datadir_each("themes", ".theme", theme_word, (void *)(uintptr_t)l);
}

static void
words_keys(const struct word_list *l)
{
	for (unsigned i = 0; i < n_key_rows; i++)
		if (key_rows[i].when & WHEN_ALWAYS)
			l->fn(l->to, key_rows[i].name);
}

/* ---------------------------------------------------------------- the table */

static const struct command {
	struct screen_row row;
	enum key_when when;
	void (*words)(const struct word_list *l); /* NULL: only those of the usage */
	int (*fn)(struct screen *s, const char *arg, struct err *e);
} commands[] = {
#define SCREEN(name, flags, usage, complete, words, fn, help, example) \
	{{name, usage, help}, WHEN_ALWAYS, words, fn},
#define PAGE(name, when, usage, words, fn, help) {{name, usage, help}, when, words, fn},
#include "session/commands.def"
};

static const struct command *
find_exact(struct span name, enum key_when now)
{
	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		if (commands[i].when & now && span_is(name, commands[i].row.name))
			return &commands[i];
	return NULL;
}

/* On a page the beginning of a name is enough if it is unambiguous. Rows without help exist for
 * keys and do not count. */
static const struct command *
find_beginning(struct span name, enum key_when now)
{
	const struct command *found = NULL;

	for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
		const struct screen_row *r = &commands[i].row;

		if (!(commands[i].when & now & WHEN_PAGE) || !r->help[0] ||
		    strncmp(r->name, name.p, name.n) != 0)
			continue;
		if (found)
			return NULL;
		found = &commands[i];
	}
	return found;
}

const struct screen_row *
screen_row(unsigned i, enum key_when when)
{
	for (size_t k = 0; k < ARRAY_LEN(commands); k++)
		if (commands[k].when & when && commands[k].row.help[0] && i-- == 0)
			return &commands[k].row;
	return NULL;
}

struct text {
	char p[300];
	size_t n;
};

static void
add_word(void *ctx, const char *word)
{
	struct text *t = ctx;

	if (t->n < sizeof(t->p))
		t->n += (size_t)snprintf(t->p + t->n, sizeof(t->p) - t->n, "%s%s", t->n ? ", " : "",
					 word);
}

/* On a page an unknown command is an error, since no session gets it. */
static int
no_such_command(const struct screen *s, struct span name, struct err *e)
{
	struct text all = {.n = 0};
	const struct screen_row *r;

	for (unsigned i = 0; (r = screen_row(i, screen_when(s))); i++)
		add_word(&all, r->name);
	return err_set(e, "'%.*s' is not a command of %s; expected %s", (int)MIN(name.n, 20u),
		       name.p, s->page->ops->name, all.p);
}

int
screen_command(struct screen *s, const char *line, struct err *e)
{
	const char *at = skip_blanks(line);
	const struct command *c;
	struct span name;
	char arg[512];

	line = *at == ':' ? at + 1 : at;
	name = word_next(&line);
	if (!name.n && s->page)
		return 1;
	c = find_exact(name, screen_when(s));
	if (!c)
		c = find_beginning(name, screen_when(s));
	if (!c)
		return s->page ? no_such_command(s, name, e) : 0;
	if (!span_copy(span_trim(span_of(line)), arg, sizeof(arg)))
		return err_set(e, "%s: the argument is too long", c->row.name);
	return c->fn(s, arg, e) < 0 ? -1 : 1;
}

void
screen_each_word(const char *command, void (*fn)(void *to, const char *word), void *to)
{
	const struct command *c = find_exact(word_next(&command), WHEN_ALWAYS);
	struct span name = word_next(&command);

	if (c && c->words && !name.n)
		c->words(&(struct word_list){fn, to});
	for (unsigned i = 0; name.n && pane_table[i];
	     i++) /* after "pane heat": the pane's argument */
		if (c && c->words == words_panes && span_is(name, pane_table[i]->name) &&
		    pane_table[i]->words)
			pane_table[i]->words(fn, to);
}

/* ---------------------------------------------------------------- mistakes */

int
screen_wrong_word(const char *command, const char *word, struct err *e)
{
	const char *usage = find_exact(span_of(command), WHEN_ALWAYS | WHEN_PAGE)->row.usage;
	struct text all = {.n = 0};
	struct span w;
	char one[32];

	screen_each_word(command, add_word, &all);
	while ((w = word_of_usage(&usage)).n)
		if (span_copy(w, one, sizeof(one)))
			add_word(&all, one);
	return err_set(e, "%s: expected one of %s; found '%s'", command, all.p, word);
}

struct wanted_word {
	struct span word;
	bool found;
};

static void
match_word(void *ctx, const char *word)
{
	struct wanted_word *w = ctx;

	w->found |= span_is(w->word, word);
}

int
tui_check_word(const char *command, const char *text, struct err *e)
{
	const char *at = text;
	struct wanted_word w = {.word = word_next(&at)};
	bool is_number =
		strcmp(command, "layout") == 0 && text[0] >= '1' && text[0] <= '9' && !text[1];

	screen_each_word(command, match_word, &w);
	return w.found || is_number ? 0 : screen_wrong_word(command, text, e);
}
