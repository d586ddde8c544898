/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * things.c - everything that has a name and a help text; see things.h.
 *
 * All texts come from the tables that the program itself uses.
 */
#include "session/things.h"
#include "session/command.h"
#include "session/help_topic.h"

#include "base/ascii.h"
#include "base/strbuf.h"
#include "export/export.h"
#include "wsched/wsched.h"

#include <stdlib.h>
#include <string.h>

static void
thing_option(void *ctx, const char *key, const struct opt_group *g ATTR_UNUSED,
	     const struct opt_row *r)
{
	struct thing_visit *t = ctx;

	t->fn(t, "option", key, r->unit, r->help);
}

/* ---------------------------------------------------------------- values of options */

/* Finds "VALUE: what it means" in the help of an option that has a choice of values. */
static struct span
find_meaning(const char *help, const char *value)
{
	size_t n = strlen(value);

	for (const char *p = help; (p = strstr(p, value)) != NULL; p += n)
		if ((p == help || p[-1] == ' ') && p[n] == ':' && p[n + 1] == ' ')
			return (struct span){p + n + 2, strcspn(p + n + 2, ";")};
	return (struct span){help, strlen(help)};
}

/* Values that are terms are defined there. */
static void
thing_choice(void *ctx, const char *key, const struct opt_group *g ATTR_UNUSED,
	     const struct opt_row *r)
{
	struct thing_visit *t = ctx;

	for (unsigned i = 0; r->type == OPT_T_enum && r->names[i]; i++) {
		struct span what = r->names == wsched_names ? span_of(wsched_table[i]->help)
							    : find_meaning(r->help, r->names[i]);
		char help[400];

		if (thing_term(r->names[i]))
			continue;
		snprintf(help, sizeof(help), "a value of %s: %.*s", key, (int)what.n, what.p);
		t->fn(t, "choice", r->names[i], "", help);
	}
}

/* ---------------------------------------------------------------- everything */

/* What each kernel has is one thing, which is called kernel.K. */
static void
thing_path(void *ctx, const char *path, const char *unit, const char *help)
{
	static const char first[] = "kernel.1";
	struct thing_visit *t = ctx;
	const char *kernel = strstr(path, first);
	char name[160];

	if (!kernel || (kernel[strlen(first)] && kernel[strlen(first)] != '.')) {
		t->fn(t, "value", path, unit, help);
		return;
	}
	snprintf(name, sizeof(name), "%.*skernel.K%s", (int)(kernel - path), path,
		 kernel + strlen(first));
	t->fn(t, "value", name, unit, help);
}

static void
thing_variable(void *ctx, const char *name, const char *help)
{
	struct thing_visit *t = ctx;

	t->fn(t, "variable", name, "", help);
}

static void
each_series(struct thing_visit *t, const char *group, const struct series_row *r, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		char name[80];

		snprintf(name, sizeof(name), "%s.%s", group, r[i].name);
		t->fn(t, "series", name, r[i].unit, r[i].help);
	}
}

static void
each_rule(struct thing_visit *t, const struct cta_sched_ops *o)
{
	for (unsigned i = 0; i < o->n_rules; i++) {
		char name[80], when[300], help[340];

		snprintf(name, sizeof(name), "%s.%s", o->name, o->rules[i].name);
		rule_without_values(&o->rules[i], when, sizeof(when));
		snprintf(help, sizeof(help), "a rule of %s: %s", o->name, when);
		t->fn(t, "rule", name, "", help);
	}
}

static const struct {
	const char *kind, *word, *help;
} labels[] = {
#define LABEL(word, help) {"label", word, help},
#define TERM(word, help) {"term", word, help},
#include "session/labels.def"
};

void
complete_metric(struct offer *o, const struct before *b)
{
	for (unsigned i = 0; i < ARRAY_LEN(labels); i++)
		offer(o, labels[i].word);
	complete_name(o, b);
}

void
thing_each(struct thing_visit *t)
{
	unsigned n;
	const struct cta_sched_ops *const *ops = config_policies(t->s->config, &n);

	for (unsigned i = 0; i < ARRAY_LEN(labels); i++)
		t->fn(t, labels[i].kind, labels[i].word, "", labels[i].help);

	for (unsigned i = 0; i < n_cmd_rows; i++) {
		char name[CMD_NAME];

		for (unsigned k = 0; cmd_next_word(&cmd_rows[i], &k, name);)
			t->fn(t, "command", name, "", cmd_rows[i].help);
	}
	for (unsigned i = 0; i < n_info_rows; i++) {
		char name[64];

		snprintf(name, sizeof(name), "info %s", info_rows[i].name);
		t->fn(t, "command", name, "", info_rows[i].help);
	}
	for (unsigned i = 0; i < EV_KINDS; i++)
		t->fn(t, "event", event_rows[i].name, "", event_rows[i].help);
	for (unsigned i = 0; i < n; i++) {
		t->fn(t, "policy", ops[i]->name, "", ops[i]->help);
		each_rule(t, ops[i]);
		for (unsigned g = 0; g < ops[i]->n_gauges; g++) {
			char name[80];

			snprintf(name, sizeof(name), "%s.%s", ops[i]->name, ops[i]->gauges[g].name);
			t->fn(t, "gauge", name, ops[i]->gauges[g].unit, ops[i]->gauges[g].help);
		}
	}
	if (t->s->sim) {
		sim_each_path(t->s->sim, thing_path, t);
	} else {
		for (unsigned i = 0; i < n_view_rows; i++) {
			char name[160];

			view_row_path(&view_rows[i], "K", name, sizeof(name));
			t->fn(t, "value", name, view_rows[i].unit, view_rows[i].help);
		}
	}
	each_series(t, "core", series_core_rows, SC_FIELDS);
	each_series(t, "mem", series_mem_rows, SM_FIELDS);
	each_series(t, "gpu", series_gpu_rows, SG_FIELDS);
	session_each_variable(t->s, thing_variable, t);
	opt_each(config_db(t->s->config), thing_option, t);
	opt_each(&t->s->own, thing_option, t);
	opt_each(config_db(t->s->config), thing_choice, t);
	opt_each(&t->s->own, thing_choice, t);
}

bool
thing_is_instance(const char *name)
{
	for (const char *p = strchr(name, '.'); p; p = strchr(p + 1, '.'))
		if (p[1] >= '0' && p[1] <= '9')
			return true;
	return false;
}

bool
thing_is_called(const char *name, const char *unit, const char *typed)
{
	const char *end = name + strlen(name), *last;
	char part[64], column[96];

	if (end - name > 2 && strcmp(end - 2, ".*") == 0) /* a field of each core */
		end -= 2;
	for (last = end; last > name && last[-1] != '.'; last--)
		;
	snprintf(part, sizeof(part), "%.*s", (int)(end - last), last);
	last = part;
	column_name(last, unit, column, sizeof(column));
	if (ascii_same(name, typed) || ascii_same(last, typed) || ascii_same(column, typed))
		return true;
	while (*name && *typed) {
		if (name[0] == '.' &&
		    (name[1] == '*' || (name[1] == 'K' && strchr(".", name[2])))) {
			size_t n = *typed == '.' ? strspn(typed + 1, "0123456789*Kk") : 0;

			name += 2;
			typed += n ? n + 1 : 0;
		} else if (ascii_lower(*name++) != ascii_lower(*typed++)) {
			return false;
		}
	}
	return *name == *typed;
}

/* Whether one of the words of a name, which '.', '_', '-' and blanks separate, begins with the n
 * characters of a word, or is itself the beginning of that word: "mem" for memory. */
static bool
name_has_word(const char *name, const char *word, size_t n)
{
	while (*name) {
		size_t part = strcspn(name, "._- "), k = part < n ? part : n;

		if (k >= 2 && ascii_same_start(name, word, k))
			return true;
		name += part;
		name += strspn(name, "._- ");
	}
	return false;
}

bool
thing_has_words(const char *name, const char *words)
{
	const char *at = words;

	while (*at) {
		size_t n = strcspn(at, " ");

		if (n && !name_has_word(name, at, n))
			return false;
		at += n;
		at += strspn(at, " ");
	}
	return true;
}

/* ---------------------------------------------------------------- an unknown word */

const char *
thing_term(const char *word)
{
	for (unsigned i = 0; i < ARRAY_LEN(labels); i++)
		if (strcmp(labels[i].kind, "term") == 0 && ascii_same(labels[i].word, word))
			return labels[i].help;
	return NULL;
}

bool
thing_is_label(const char *word)
{
	for (unsigned i = 0; i < ARRAY_LEN(labels); i++)
		if (ascii_same(labels[i].word, word))
			return true;
	return false;
}

#define NAMES_MOST 4096

/* Copies of the names of everything, each with its kind, and whether one is the word itself. */
struct name_list {
	const char *word;
	const char *name[NAMES_MOST];
	const char *kind[NAMES_MOST];
	unsigned n;
	bool known;
};

static void
add_name(struct name_list *l, const char *kind, const char *name)
{
	if (l->n == NAMES_MOST)
		return;
	l->name[l->n] = strdup(name);
	l->kind[l->n] = kind;
	l->n += l->name[l->n] != NULL;
}

static void
collect_thing(struct thing_visit *t, const char *kind, const char *name, const char *unit,
	      const char *help ATTR_UNUSED)
{
	struct name_list *l = t->ctx;

	if (thing_is_instance(name))
		return;
	l->known |= thing_is_called(name, unit, l->word);
	add_name(l, kind, name);
}

static const char *
kind_of_name(const struct name_list *l, const char *name)
{
	unsigned i = 0;

	while (l->name[i] != name)
		i++;
	return l->kind[i];
}

/* Returns the hint for the names of l: what is called so already, or what is nearest. */
static struct hint
hint_of_list(const struct name_list *l)
{
	const char *near[3];
	/* three letters are a part of too many names */
	unsigned names = strlen(l->word) > 3 ? l->n : 0;
	unsigned n = near_names(l->word, l->name, names, near, ARRAY_LEN(near));
	struct hint h = {.text = ""};
	size_t used = 0;

	for (unsigned i = 0; i < n && used < sizeof(h.text); i++)
		used += (size_t)snprintf(h.text + used, sizeof(h.text) - used, "%s%s (%s)%s",
					 i ? ", " : "; did you mean ", near[i],
					 kind_of_name(l, near[i]), i + 1 == n ? "?" : "");
	if (l->known)
		snprintf(h.text, sizeof(h.text), "; 'explain %.60s' describes it", l->word);
	return h;
}

struct hint
thing_hint(struct session *s, const char *word, bool *known)
{
	struct name_list *l = calloc(1, sizeof(*l));
	struct thing_visit t = {collect_thing, s, l};
	struct hint h = {.text = ""};

	if (!l)
		return h;
	l->word = word;
	thing_each(&t);
	for (unsigned i = 0; help_topic_name(i); i++)
		add_name(l, "topic of help", help_topic_name(i));
	h = hint_of_list(l);
	*known = l->known;
	for (unsigned i = 0; i < l->n; i++)
		free((void *)(uintptr_t)l->name[i]);
	free(l);
	return h;
}

enum session_status
session_unknown_command(struct session *s, const char *word, const struct err *e)
{
	const char *advice = command_advice(word);
	struct hint h = {.text = ""};
	bool known = false;

	if (advice)
		return fail(s, "unknown command '%.60s': %s", word, advice);
	if (e->kind == ERR_NAME || e->kind == ERR_NEAR)
		h = thing_hint(s, word, &known);
	/* a command that is near is more likely than another name that is near */
	if (known || (e->kind == ERR_NAME && h.text[0]))
		return fail(s, "unknown command '%.60s'%s", word, h.text);
	return say_err(s, e);
}
