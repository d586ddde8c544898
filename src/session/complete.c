/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * complete.c - what Tab offers: names from the same tables the commands read.
 *
 * The command's row names a completer; those at the end of this file, each of which sees the words
 * before the one being typed (dump csv TABLE FILE). Within an expression the word may hold
 * operators: only the name being typed is completed.
 */
#include "session/command.h"
#include "session/session_part.h"

#include "base/ascii.h"
#include "export/export.h"

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

static void
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

/* One level at a time: "core." first, then "core.0.", then its fields. */
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

/* A vector is named once, with a star; its elements are offered as well. A name with a star that is
 * behind another one is offered for each number that may stand for the first. */
static void
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

static void
offer_variable(void *ctx, const char *name, const char *help ATTR_UNUSED)
{
	offer(ctx, name);
}

/* Leaves of an expression the name that is being typed. */
static void
cut_to_name(struct offer *o)
{
	size_t len = strlen(o->prefix), at = len;

	while (at && (ascii_is_alnum(o->prefix[at - 1]) || strchr("._*$", o->prefix[at - 1])))
		at--;
	snprintf(o->head, sizeof(o->head), "%.*s", (int)at, o->prefix);
	memmove(o->prefix, o->prefix + at, len - at + 1);
}

static void
offer_expression(struct offer *o)
{
	unsigned n;
	const struct eval_function *f = eval_functions(&n);

	cut_to_name(o);
	if (o->s->sim)
		sim_each_path(o->s->sim, offer_path, o);
	debug_each_variable(o->s->debug, offer_variable, o);
	script_offer_variables(o);
	for (unsigned i = 0; i < n; i++)
		offer(o, f[i].name);
}

static void
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

static void
offer_stops(struct offer *o)
{
	char id[16];

	for (unsigned i = 0; i < debug_stop_count(o->s->debug); i++) {
		snprintf(id, sizeof(id), "%u", debug_stop_at(o->s->debug, i)->id);
		offer(o, id);
	}
}

static void
offer_checkpoints(struct offer *o)
{
	for (unsigned i = 0; i < timeline_marks(o->s->timeline); i++)
		offer(o, timeline_mark_at(o->s->timeline, i)->name);
}

static void
offer_options(struct offer *o)
{
	opt_each(config_db(o->s->config), offer_option, o);
	opt_each(&o->s->own, offer_option, o);
}

/* Shared objects in the folder being typed, and below it, once there is a '/', its folders. */
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

static void
offer_policies(struct offer *o)
{
	unsigned n;
	const struct cta_sched_ops *const *ops = config_policies(o->s->config, &n);
	char *plus = strrchr(o->prefix, '+'), *comma = strrchr(o->prefix, ',');

	if (!plus || (comma && comma > plus)) /* behind a part of a stack, or a stack of a list */
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

/* The values of an option with choices. */
static void
offer_values(struct offer *o, const char *key)
{
	const struct opt_row *r = opt_find(session_option_db(o->s, key), key, NULL);

	if (r && r->type == OPT_T_bool)
		offer_words(o, "on off");
	for (unsigned i = 0; r && r->type == OPT_T_enum && r->names[i]; i++)
		offer(o, r->names[i]);
}

/* ---------------------------------------------------------------- completers, as the rows name
 * them */

void
complete_none(struct offer *o ATTR_UNUSED, const struct before *b ATTR_UNUSED)
{
}

void
complete_usage(struct offer *o, const struct before *b ATTR_UNUSED)
{
	const char *at = o->usage;
	struct span w;
	char word[64];

	while ((w = word_of_usage(&at)).n)
		if (span_copy(w, word, sizeof(word)))
			offer(o, word);
}

void
complete_file(struct offer *o, const struct before *b)
{
	o->is_path = b->n == 0;
}

void
complete_files(struct offer *o, const struct before *b ATTR_UNUSED)
{
	o->is_path = true;
}

/* The one word that may stand there in place of a file, when it was begun. */
void
complete_save(struct offer *o, const struct before *b)
{
	if (b->n == 0 && *o->prefix)
		complete_usage(o, b);
	o->is_path = o->n == 0;
}

/* A word of the usage, or an expression at once. */
void
complete_when(struct offer *o, const struct before *b)
{
	if (b->n == 0)
		complete_usage(o, b);
	complete_expression(o, b);
}

/* A word of the usage first, then a file. */
void
complete_word_file(struct offer *o, const struct before *b)
{
	if (b->n == 0)
		complete_usage(o, b);
	else
		o->is_path = true;
}

static void
offer_word(void *o, const char *word)
{
	offer(o, word);
}

void
complete_screen(struct offer *o, const struct before *b)
{
	struct session *s = o->s;

	if (b->n)
		return;
	complete_usage(o, b);
	if (s->ui.words)
		s->ui.words(s->ui.ctx, o->verb, offer_word, o);
}

/* A pane, then what it is to be shown of: the name being typed, where that is an expression. */
void
complete_pane(struct offer *o, const struct before *b)
{
	struct session *s = o->s;
	char verb[sizeof(b->first) + 32];

	if (b->n == 0) {
		complete_screen(o, b);
		return;
	}
	snprintf(verb, sizeof(verb), "%s %s", o->verb, b->first);
	cut_to_name(o);
	if (s->ui.words)
		s->ui.words(s->ui.ctx, verb, offer_word, o);
}

/* on, off or names of events. */
void
complete_events(struct offer *o, const struct before *b)
{
	if (b->n == 0)
		offer_words(o, "on off");
	offer_events(o);
}

/* A key, then a command. */
void
complete_bind(struct offer *o, const struct before *b)
{
	complete_screen(o, b);
	if (b->n == 1)
		offer_commands(o);
}

void
complete_event(struct offer *o, const struct before *b ATTR_UNUSED)
{
	offer_events(o);
}

void
complete_expression(struct offer *o, const struct before *b ATTR_UNUSED)
{
	offer_expression(o);
}

void
complete_user(struct offer *o, const struct before *b)
{
	if (b->n == 0)
		user_offer(o);
}

void
complete_checkpoint(struct offer *o, const struct before *b ATTR_UNUSED)
{
	offer_checkpoints(o);
}

void
complete_break(struct offer *o, const struct before *b)
{
	if (b->has_if)
		offer_expression(o);
	else if (b->n == 0)
		offer_events(o);
	else if (strcmp(b->last, "core") != 0 && strcmp(b->last, "cta") != 0)
		offer_words(o, "core cta if");
}

void
complete_stop(struct offer *o, const struct before *b)
{
	if (b->n == 0)
		offer_stops(o);
}

void
complete_condition(struct offer *o, const struct before *b)
{
	complete_stop(o, b);
	if (b->n)
		offer_expression(o);
}

void
complete_pace(struct offer *o, const struct before *b)
{
	if (b->n == 0)
		offer_words(o, "auto max slower faster");
	else if (b->n == 1 && ascii_is_digit(b->first[0]))
		offer_words(o, "periods/s cycles/s");
}

void
complete_reference(struct offer *o, const struct before *b)
{
	if (b->n)
		return;
	offer_policies(o);
	offer(o, "off");
}

void
complete_delete(struct offer *o, const struct before *b)
{
	if (b->n && strcmp(b->first, "checkpoint") == 0) {
		offer_checkpoints(o);
		return;
	}
	if (b->n && strcmp(b->first, "branch") == 0) {
		complete_branch(o, b);
		return;
	}
	offer_stops(o);
	offer(o, "checkpoint");
	offer(o, "branch");
}

void
complete_until(struct offer *o, const struct before *b)
{
	if (b->n == 0) {
		offer_events(o);
		offer(o, "converged");
	}
	offer_expression(o);
}

void
complete_set(struct offer *o, const struct before *b)
{
	unsigned n = b->n - (b->n && strcmp(b->first, "option") == 0);
	const char *name = n < b->n ? b->second : b->first;

	if (n == 0) {
		if (b->n == 0)
			offer_words(o, "option policy machine warp-sched");
		if (b->n == 0)
			script_offer_variables(o);
		offer_options(o);
	} else if (b->first[0] == '$') {
		offer_expression(o);
	} else if (n == 1 && strcmp(name, "policy") == 0) {
		offer_policies(o);
	} else if (n == 1) {
		offer_values(o, strcmp(name, "warp-sched") == 0 ? "gpu.warp_sched" : name);
	}
}

void
complete_compare(struct offer *o, const struct before *b)
{
	o->is_path = b->n < 2;
	if (b->n < 2)
		complete_branch(o, b);
	for (unsigned i = 0; b->n == 2 && i < SC_FIELDS; i++)
		offer(o, series_core_rows[i].name);
}

void
complete_race(struct offer *o, const struct before *b)
{
	o->is_path = b->n && strcmp(b->last, "csv") == 0;
	if (o->is_path)
		return;
	complete_branch(o, b);
	if (b->n)
		offer(o, "csv");
	else
		offer_policies(o);
}

void
complete_show(struct offer *o, const struct before *b)
{
	if (b->n == 0)
		offer_words(o, "option policy machine warp-sched convenience user");
	if (b->n && strcmp(b->first, "user") == 0)
		user_offer(o);
	offer_options(o);
}

void
complete_dump(struct offer *o, const struct before *b)
{
	if (b->n == 0)
		offer(o, "csv");
	else if (b->n == 1)
		for (unsigned i = 0; i < EXPORT_TABLES; i++)
			offer(o, export_tables[i].name);
	else
		o->is_path = b->n == 2;
}

/* A topic, then what its row says. */
void
complete_info(struct offer *o, const struct before *b)
{
	for (unsigned i = 0; i < n_info_rows; i++) {
		const struct info_row *r = &info_rows[i];

		if (b->n == 0) {
			offer(o, r->name);
		} else if (strcmp(b->first, r->name) == 0) {
			o->usage = r->usage;
			r->complete(o, &(struct before){.n = b->n - 1});
		}
	}
}

void
complete_name(struct offer *o, const struct before *b ATTR_UNUSED)
{
	if (o->s->sim)
		sim_each_path(o->s->sim, offer_path, o);
	offer_options(o);
	offer_events(o);
}

/* ---------------------------------------------------------------- the line */

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* In order, and each once: several rules may name the same number. */
static void
sort(struct offer *o)
{
	size_t kept = 1;

	qsort(o->list, o->n, sizeof(o->list[0]), by_text);
	for (size_t i = 1; i < o->n; i++) {
		if (strcmp(o->list[i], o->list[kept - 1]) == 0)
			free(o->list[i]);
		else
			o->list[kept++] = o->list[i];
	}
	o->list[o->n = kept] = NULL;
}

char **
session_complete(struct session *s, const char *line, int start, int end, bool *is_path)
{
	struct offer o = {.s = s};
	struct before b = {0};
	char text[4096], word[256], name[64];
	const char *at = text;
	const struct cmd_row *r;

	*is_path = false;
	if (start < 0 || end < start || (size_t)end >= sizeof(text) || (size_t)end > strlen(line))
		return NULL;
	snprintf(o.prefix, sizeof(o.prefix), "%.*s", end - start, line + start);
	snprintf(text, sizeof(text), "%.*s", start, line);
	if (!next_word(&at, name, sizeof(name))) {
		offer_commands(&o);
	} else {
		name[strcspn(name, "/")] = '\0';
		r = cmd_find(name, NULL);
		while (next_word(&at, word, sizeof(word))) {
			snprintf(b.last, sizeof(b.last), "%.63s", word);
			if (b.n < 2)
				snprintf(b.n ? b.second : b.first, sizeof(b.first), "%.63s", word);
			b.n++;
			b.has_if |= strcmp(word, "if") == 0;
		}
		if (r) {
			o.verb = r->name;
			o.usage = r->usage;
			r->complete(&o, &b);
		}
	}
	*is_path = o.is_path;
	if (o.n > 1)
		sort(&o);
	return o.list;
}
