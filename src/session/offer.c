/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * offer.c - offers the lists of names for Tab, from the tables that the commands use.
 *
 * A word in an expression may contain operators; only the name being typed is completed.
 */
#include "session/command.h"
#include "session/offer.h"
#include "session/session_part.h"

#include "base/ascii.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void
offer(struct offer *o, const char *text)
{
	char whole[600];

	if (strncmp(text, o->prefix, strlen(o->prefix)) != 0)
		return;
	if (o->n + 2 > o->room) {
		size_t room = o->room ? 2 * o->room : 32;
		char **grown = realloc(o->list, room * sizeof(*grown));

		if (!grown)
			return;
		o->list = grown;
		o->room = room;
	}
	snprintf(whole, sizeof(whole), "%s%s", o->head, text);
	o->list[o->n] = strdup(whole);
	if (o->list[o->n])
		o->n++;
	o->list[o->n] = NULL;
}

void
offer_words(struct offer *o, const char *words)
{
	char word[64];

	while (next_word(&words, word, sizeof(word)))
		offer(o, word);
}

static void
offer_option(void *ctx, const char *key, const struct opt_group *g ATTR_UNUSED,
	     const struct opt_row *r ATTR_UNUSED)
{
	offer(ctx, key);
}

/* Offers one level at a time: "core." first, then "core.0.", then its fields. */
static void
offer_level(struct offer *o, const char *path)
{
	char part[256];
	size_t n = strlen(o->prefix), dot;

	if (strncmp(path, o->prefix, n) != 0)
		return;
	dot = n + strcspn(path + n, ".");
	if (!path[dot]) {
		offer(o, path);
		return;
	}
	snprintf(part, sizeof(part), "%.*s", (int)dot + 1, path);
	for (size_t i = o->n; i-- > 0;)
		if (strcmp(o->list[i] + strlen(o->head), part) == 0)
			return;
	offer(o, part);
}

/* A vector is offered once, with a star, and its elements as well. A name with a second star is
 * offered with each number in place of the first. */
void
offer_path(void *ctx, const char *path, const char *unit, const char *help)
{
	struct offer *o = ctx;
	const char *star = strchr(path, '*'), *second = star ? strchr(star + 1, '*') : NULL;
	int at = star ? (int)(star - path) : 0, n;
	char element[256];
	uint64_t id;

	offer_level(o, path);
	if (!star || strncmp(path, o->prefix, MIN((size_t)at, strlen(o->prefix))) != 0)
		return;
	if (second)
		snprintf(element, sizeof(element), "%.*s0%s", (int)(second - path), path,
			 second + 1);
	n = sim_path(o->s->sim, second ? element : path, &id, NULL);
	for (int i = 0; i < n; i++) {
		snprintf(element, sizeof(element), "%.*s%d%s", at, path, i, star + 1);
		if (second)
			offer_path(o, element, unit, help);
		else
			offer_level(o, element);
	}
}

/* A name that contains a word to fill in is offered up to that word. */
static void
offer_variable(void *ctx, const char *name, const char *help ATTR_UNUSED)
{
	const char *word = name + strcspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
	char known[64];

	snprintf(known, sizeof(known), "%.*s", (int)(word - name), name);
	offer(ctx, known);
}

static void
offer_option_name(void *ctx, const char *key, const struct opt_group *g ATTR_UNUSED,
		  const struct opt_row *r ATTR_UNUSED)
{
	char name[160];

	snprintf(name, sizeof(name), "option.%s", key);
	offer(ctx, name);
}

void
offer_rules(struct offer *o)
{
	unsigned n;
	const struct cta_sched_ops *const *ops = config_stack(o->s->config, &n);

	for (unsigned p = 0; p < n; p++)
		for (unsigned r = 0; r < ops[p]->n_rules; r++)
			offer(o, ops[p]->rules[r].name);
	offer(o, "kernel-start");
	offer(o, "kernel-end");
}

static void
offer_kernel(void *ctx, const char *name)
{
	offer(ctx, name);
}

void
offer_kernels(struct offer *o)
{
	debug_each_kernel_name(o->s->debug, offer_kernel, o);
}

/* Offers the words that may follow "stop.is( and the like. Returns false if the name begins with
 * none of these. */
static bool
offer_asked_word(struct offer *o)
{
	static const char is[] = "stop.is(", policy[] = "policy.is(", rule[] = "stop.rule(";
	size_t n = strlen(o->head);

	if (n >= strlen(is) && strcmp(o->head + n - strlen(is), is) == 0)
		offer_events(o);
	else if (n >= strlen(policy) && strcmp(o->head + n - strlen(policy), policy) == 0)
		offer_policies(o);
	else if (n >= strlen(rule) && strcmp(o->head + n - strlen(rule), rule) == 0)
		offer_rules(o);
	else
		return false;
	return true;
}

/* Keeps only the name that is being typed of an expression. */
void
offer_cut_to_name(struct offer *o)
{
	size_t len = strlen(o->prefix), at = len;

	while (at && (ascii_is_alnum(o->prefix[at - 1]) || strchr("._*$", o->prefix[at - 1])))
		at--;
	snprintf(o->head, sizeof(o->head), "%.*s", (int)at, o->prefix);
	memmove(o->prefix, o->prefix + at, len - at + 1);
}

void
offer_expression(struct offer *o)
{
	unsigned n;
	const struct eval_function *f = eval_functions(&n);
	char name[64];

	offer_cut_to_name(o);
	if (offer_asked_word(o))
		return;
	if (o->s->sim)
		sim_each_path(o->s->sim, offer_path, o);
	session_each_variable(o->s, offer_variable, o);
	script_offer_variables(o);
	for (unsigned i = 0; i < EV_KINDS; i++) {
		snprintf(name, sizeof(name), "events.%s", event_rows[i].name);
		for (char *p = name; (p = strchr(p, '-'));)
			*p = '_';
		offer(o, name);
	}
	opt_each(config_db(o->s->config), offer_option_name, o);
	opt_each(&o->s->own, offer_option_name, o);
	for (unsigned i = 0; i < n; i++)
		offer(o, f[i].name);
}

void
offer_events(struct offer *o)
{
	for (unsigned i = 0; i < EV_KINDS; i++)
		offer(o, event_rows[i].name);
}

void
offer_commands(struct offer *o)
{
	for (unsigned i = 0; i < n_cmd_rows; i++) {
		char name[CMD_NAME];

		for (unsigned k = 0; cmd_next_word(&cmd_rows[i], &k, name);)
			offer(o, name);
	}
	user_offer(o);
}

void
offer_stops(struct offer *o)
{
	char id[16];

	for (unsigned i = 0; i < debug_stop_count(o->s->debug); i++) {
		snprintf(id, sizeof(id), "%u", debug_stop_at(o->s->debug, i)->id);
		offer(o, id);
	}
}

void
offer_checkpoints(struct offer *o)
{
	for (unsigned i = 0; i < timeline_marks(o->s->timeline); i++)
		offer(o, timeline_mark_at(o->s->timeline, i)->name);
}

void
offer_options(struct offer *o)
{
	opt_each(config_db(o->s->config), offer_option, o);
	opt_each(&o->s->own, offer_option, o);
}

/* Offers shared objects in the folder being typed and, after a '/', its subfolders. */
static void
offer_objects(struct offer *o)
{
	const char *slash = strrchr(o->prefix, '/');
	int n = slash ? (int)(slash + 1 - o->prefix) : 0;
	char folder[256], path[PATH_MAX];
	struct dirent *entry;
	struct stat st;
	DIR *d;

	snprintf(folder, sizeof(folder), "%.*s", n, o->prefix);
	d = opendir(n ? folder : ".");
	while (d && (entry = readdir(d)) != NULL) {
		const char *dot = strrchr(entry->d_name, '.');

		snprintf(path, sizeof(path), "%s%s", folder, entry->d_name);
		if (entry->d_name[0] == '.' || stat(path, &st) != 0)
			continue;
		if (S_ISDIR(st.st_mode) && n)
			strcat(path, "/");
		else if (S_ISDIR(st.st_mode) || !dot || strcmp(dot, ".so") != 0)
			continue;
		offer(o, path);
	}
	if (d)
		closedir(d);
}

void
offer_policies(struct offer *o)
{
	unsigned n;
	const struct cta_sched_ops *const *ops = config_policies(o->s->config, &n);
	char *plus = strrchr(o->prefix, '+'), *comma = strrchr(o->prefix, ',');

	/* Complete after a '+' of a stack or a ',' of a list. */
	if (!plus || (comma && comma > plus))
		plus = comma;
	if (plus) {
		size_t head = (size_t)(plus + 1 - o->prefix);

		snprintf(o->head, sizeof(o->head), "%.*s", (int)head, o->prefix);
		memmove(o->prefix, plus + 1, strlen(plus + 1) + 1);
	}
	for (unsigned i = 0; i < n; i++)
		offer(o, ops[i]->name);
	offer_objects(o);
}

/* Offers the values of an option that has a fixed list of them. */
void
offer_values(struct offer *o, const char *key)
{
	const struct opt_row *r = opt_find(session_option_db(o->s, key), key, NULL);

	if (r && r->type == OPT_T_bool)
		offer_words(o, "on off");
	for (unsigned i = 0; r && r->type == OPT_T_enum && r->names[i]; i++)
		offer(o, r->names[i]);
}

/* ---------------------------------------------------------------- completers named in the rows */
