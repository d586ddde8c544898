/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * things.h - private to src/session: everything that has a name and a help text, which explain and
 * apropos search and which an unknown word may mean.
 */
#ifndef SESSION_THINGS_H
#define SESSION_THINGS_H

#include "session/session_part.h"

#include "base/words.h"

struct thing_visit {
	void (*fn)(struct thing_visit *t, const char *kind, const char *name, const char *unit,
		   const char *help);
	struct session *s;
	void *ctx;
};

/* Calls t->fn for each: labels and terms, commands, topics, events, policies, values, options. */
void thing_each(struct thing_visit *t);
/* "core.3.n" is an instance of "core.*.n", which is listed as well, so it is left out. */
bool thing_is_instance(const char *name);
/* Whether a word means the name: core.5.n and n mean core.*.n, and so does the column of a table
 * (ract_ratio). Upper and lower case are alike. */
bool thing_is_called(const char *name, const char *unit, const char *word);
/* Whether each of several words is one in the name, or an abbreviation of one: "memory high" for
 * dyncta.mem-high. */
bool thing_has_words(const char *name, const char *words);
/* What a word that is no command may mean: "; did you mean dyncta (policy)?". *known: something is
 * called so. */
struct hint thing_hint(struct session *s, const char *word, bool *known);
/* Reports that no command is called `word`; e is the error of cmd_find(). */
enum session_status session_unknown_command(struct session *s, const char *word,
					    const struct err *e);
/* Whether it is a term or a label, in any case. */
bool thing_is_label(const char *word);
/* The definition of a term; NULL: the word is none. */
const char *thing_term(const char *word);

#endif
