/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * complete.c - finds what Tab offers after each command.
 *
 * The command's row names a completer, which gets the words before the one being typed (dump csv
 * TABLE FILE) and offers lists of names (offer.h).
 */
#include "session/command.h"
#include "session/offer.h"
#include "session/session_part.h"

#include "base/ascii.h"
#include "export/export.h"

#include <stdlib.h>
#include <string.h>

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

/* Besides a file, this word is possible; it is offered once its beginning has been typed. */
void
complete_save(struct offer *o, const struct before *b)
{
	if (b->n == 0 && *o->prefix)
		complete_usage(o, b);
	o->is_path = o->n == 0;
}

/* Offers a word of the usage, or names of an expression. */
void
complete_when(struct offer *o, const struct before *b)
{
	if (b->n == 0)
		complete_usage(o, b);
	complete_expression(o, b);
}

/* Offers a word of the usage, then a file. */
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

/* Offers a pane, then names for its argument if that is an expression. */
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
	offer_cut_to_name(o);
	if (s->ui.words)
		s->ui.words(s->ui.ctx, verb, offer_word, o);
}

/* Offers on, off and names of events. */
void
complete_events(struct offer *o, const struct before *b)
{
	if (b->n == 0)
		offer_words(o, "on off");
	offer_events(o);
}

/* Offers a key, then a command. */
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
	else if (b->n == 0) {
		offer_events(o);
		offer_rules(o);
		offer_kernels(o);
		offer_words(o, strcmp(o->verb, "trace") == 0 ? "" : "cycle line");
	} else if (strcmp(b->last, "core") != 0 && strcmp(b->last, "cta") != 0)
		offer_words(o, "core cta kernel if");
}

void
complete_policy(struct offer *o, const struct before *b)
{
	if (b->n == 0)
		offer(o, "reload");
	o->is_path = b->n == 1;
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

/* What a run, or a search, may go to. */
static void
offer_goals(struct offer *o, const struct before *b)
{
	if (b->n == 0) {
		offer_events(o);
		offer_rules(o);
		offer_kernels(o);
		offer(o, "converged");
	}
	offer_expression(o);
}

/* Offers what `until` takes, then what restricts an event, a rule or a kernel. */
void
complete_find(struct offer *o, const struct before *b)
{
	if (b->n && (event_find(b->first) >= 0 || debug_knows_rule(o->s->debug, b->first)))
		complete_break(o, b);
	else
		offer_goals(o, b);
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

/* Offers a topic, then what its row says. */
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

/* Sorts the candidates and removes duplicates: several rules may offer the same one. */
static void
sort_candidates(struct offer *o)
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

/* Whether the word being typed is K of "kernel K"; of the commands that take an event, the first
 * word may be the event kernel. */
static bool
is_kernel_number(const struct offer *o, const struct before *b)
{
	return strcmp(b->last, "kernel") == 0 && strstr(o->usage, "kernel K") &&
	       (b->n > 1 || !strstr(o->usage, "EVENT"));
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
			if (is_kernel_number(&o, &b))
				offer_kernels(&o);
			else
				r->complete(&o, &b);
		}
	}
	*is_path = o.is_path;
	if (o.n > 1)
		sort_candidates(&o);
	return o.list;
}
