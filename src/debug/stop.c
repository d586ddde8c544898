/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stop.c - the table of stops: parses, finds and changes them, and writes them back as text.
 *
 *     break CYCLE [if EXPR], break cycle CYCLE ...
 *     break EVENT [core N] [cta N] [kernel K] [if EXPR]   also trace, which only counts
 *     break [POLICY.]RULE ...                             a decision of that rule: rule.c
 *     break FILE:LINE [core N] [kernel K] [if EXPR], break line N ...
 *     watch EXPR                                          stops when the value changes
 *
 * A stop also keeps its expressions as text, because they are compiled again when a run restarts:
 * another configuration may have other cores or policies.
 */
#include "base/ascii.h"
#include "base/number.h"
#include "base/words.h"
#include "debug/debug_part.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

void
debug_stop_free(struct stop *p)
{
	if (!p)
		return;
	expr_free(p->watch);
	expr_free(p->cond);
	free(p->watch_text);
	free(p->file);
	free(p->kernel_name);
	free(p->cond_text);
	value_free(&p->old);
	for (unsigned i = 0; i < p->n_commands; i++)
		free(p->command[i]);
	free(p->command);
	free(p);
}

int
debug_stop_bind(struct debug *d, struct stop *p, struct err *e)
{
	expr_free(p->watch);
	expr_free(p->cond);
	p->watch = p->cond = NULL;
	if (p->watch_text)
		p->changing = debug_changing_events(p->watch_text);
	if (p->watch_text && !(p->watch = debug_parse_per_cycle(d, p->watch_text, e)))
		return -1;
	if (p->cond_text && !(p->cond = debug_parse_condition(d, p, p->cond_text, e)))
		return -1;
	return 0;
}

/* ---------------------------------------------------------------- reading */

/* Copies the next word of *at into buf, which becomes empty at the end. */
/* The signature of a kernel may be quoted. */
static void
next_word(const char **at, char *buf, size_t size)
{
	if (!word_unquote(at, buf, size))
		*buf = '\0';
}

#define NAMES 512
#define LONGEST_NAME 1024 /* of a kernel, as a signature */

/* Fails with "'WORD' is INSTEAD" and the nearest events or, if d is given, rules and kernels;
 * otherwise: what is said when none is near, before the names of the kernels. */
static int
unknown_name(const char *instead, const char *word, const struct debug *d, const char *otherwise,
	     struct err *e)
{
	const char *names[NAMES];
	struct debug_kernel_names kernels;
	struct hint near;
	char list[300] = "";
	size_t len = strlen(word);
	unsigned n = EV_KINDS;

	for (unsigned i = 0; i < EV_KINDS; i++)
		names[i] = event_rows[i].name;
	for (unsigned i = 0, matches = 0; i < EV_KINDS; i++)
		if (len && strncmp(names[i], word, len) == 0 && ++matches == 2)
			return err_set(e, "event '%s' is ambiguous%s", word,
				       near_hint(word, names, n, otherwise).text);
	debug_kernel_names(d, &kernels);
	for (unsigned i = 0; i < kernels.n; i++)
		names[n++] = kernels.name[i];
	n += d ? debug_rule_names(d, names + n, NAMES - n) : 0;
	near = near_hint(word, names, n, "");
	if (!near.text[0])
		debug_list_kernels(&kernels, list, sizeof(list));
	return err_set(e, "'%.60s' is %s%s%s", word, instead, near.text[0] ? near.text : otherwise,
		       list);
}

int
debug_unknown_event(const char *instead, const char *word, struct err *e)
{
	return unknown_name(instead, word, NULL, "; 'help events' lists them", e);
}

/* What restricts a stop to some of its events: "core 3", "cta 7", "kernel 2". */
enum filter { FILTER_CORE, FILTER_CTA, FILTER_KERNEL, FILTERS };
static const struct {
	const char *word, *what;
} filters[FILTERS] = {{"core", "core"}, {"cta", "CTA"}, {"kernel", "kernel"}};

static enum filter
find_filter(const char *word)
{
	unsigned f = 0;

	while (f < FILTERS && !ascii_same(word, filters[f].word))
		f++;
	return (enum filter)f;
}

static int
set_core(const struct debug *d, struct stop *p, uint64_t n, struct err *e)
{
	unsigned cores = d->sim ? sim_instances(d->sim, "core") : MAX_CORES;

	if (n >= cores)
		return err_set(e, "no core %" PRIu64 ": this machine has cores 0..%u", n,
			       cores - 1);
	p->core = (int)n;
	return 0;
}

static int
set_kernel(const struct debug *d, struct stop *p, const char *word, struct err *e)
{
	if (p->kind != STOP_LINE && !*p->rule && p->event == EV_SAMPLE)
		return err_set(
			e, "a sample is of the whole GPU, so 'kernel' cannot restrict %s sample",
			p->kind == STOP_TRACE ? "trace" : "break");
	return debug_kernel_number(d, word, &p->kernel, e);
}

/* The word is no restriction; after the event `kernel` a kernel is meant. */
static int
refuse_filter(const struct debug *d, const struct stop *p, const char *word, struct err *e)
{
	bool event = p->kind == STOP_EVENT || p->kind == STOP_TRACE;
	struct err why = {0};
	unsigned kernel;

	if (event && !*p->rule && p->event == EV_KERNEL) {
		if (debug_kernel_number(d, word, &kernel, &why) == 0)
			return err_set(e,
				       "the event 'kernel' is the start or end of any kernel; "
				       "write 'kernel-start kernel %s' or 'kernel-end kernel %s'",
				       word, word);
		if (ascii_is_digit(*word))
			return err_set(e, "%s", why.msg);
	}
	return err_set(e, "expected core N, cta N, kernel K or if EXPR, found '%s'", word);
}

/* Parses "core 3", "cta 7", "kernel 2" after the event. */
static int
read_filters(struct debug *d, struct stop *p, const char **at, struct err *e)
{
	for (;;) {
		const char *before = *at;
		char word[64], number[LONGEST_NAME];
		enum filter f;
		uint64_t n;

		next_word(at, word, sizeof(word));
		if (!*word || ascii_same(word, "if")) {
			*at = before;
			return 0;
		}
		f = find_filter(word);
		if (f == FILTERS)
			return refuse_filter(d, p, word, e);
		next_word(at, number, sizeof(number));
		if (!*number)
			return err_set(e,
				       f == FILTER_KERNEL ? "'%s' needs a number or a name"
							  : "'%s' needs a number",
				       word);
		if (f == FILTER_KERNEL) {
			if (set_kernel(d, p, number, e))
				return -1;
			continue;
		}
		if (number_count(number, &n))
			return err_set(e, "'%.60s' is not the number of a %s", number,
				       filters[f].what);
		if (f == FILTER_CORE && set_core(d, p, n, e))
			return -1;
		if (f == FILTER_CTA)
			p->cta = (int64_t)MIN(n, (uint64_t)INT64_MAX);
	}
}

bool
debug_stop_admits(const struct stop *p, const struct event *ev)
{
	return (p->core < 0 || p->core == ev->core) && (p->cta < 0 || p->cta == (int64_t)ev->cta) &&
	       (!p->kernel || p->kernel == ev->kernel + 1);
}

/* An expression without names has one value for ever. */
static int
refuse_constant(const char *text, struct err *e)
{
	struct expr *x = expr_parse(text, NULL, NULL);
	uint64_t cycle;

	if (!x)
		return 0;
	expr_free(x);
	return number_count(text, &cycle) == 0
		       ? err_set(e,
				 "%s is a number, which never changes; 'break %s' stops at "
				 "that cycle",
				 text, text)
		       : err_set(e,
				 "'%.60s' never changes; name a value, as in: watch "
				 "core.0.n",
				 text);
}

/* Splits "EXPR if COND" at the last " if " of a watch; cond may be empty. */
static int
read_watch(struct stop *p, const char *text, const char **cond, struct err *e)
{
	const char *cut = strstr(text, " if ");
	struct span watch = {text, cut ? (size_t)(cut - text) : strlen(text)};

	*cond = text + watch.n;
	watch = span_trim(watch);
	if (watch.n == 0)
		return err_set(e, "watch needs an expression, as in: watch core.0.n");
	p->watch_text = strndup(watch.p, watch.n);
	return p->watch_text ? refuse_constant(p->watch_text, e) : err_nomem(e);
}

/* A core or an expression is no event. */
static int
refuse_word(const struct debug *d, const char *word, const char *rest, struct err *e)
{
	struct span number = word_next(&rest);

	if (find_filter(word) != FILTERS && number.n && ascii_is_digit(*number.p))
		return err_set(e, "name an event first, as in: break cta-issue %s %.*s", word,
			       (int)MIN(number.n, (size_t)20), number.p);
	if (debug_names_policy(d, word))
		return err_set(e, "policy %.*s has no rule '%.40s'; 'help %.*s' lists its rules",
			       (int)strcspn(word, "."), word, word + strcspn(word, ".") + 1,
			       (int)strcspn(word, "."), word);
	if (strchr(word, '.') || ascii_same(word, "if"))
		return err_set(
			e,
			"'%.60s' is no event or rule; 'until EXPR' runs until an expression holds, "
			"'watch EXPR' stops when its value changes",
			word);
	return unknown_name("neither a cycle, an event, a rule, a kernel nor FILE:LINE", word, d,
			    "; 'help events' lists the events, 'help policies' the rules", e);
}

/* Finds a rule or a kernel. What this run has comes first: a rule of its policies, a kernel of its
 * trace, then a rule of another policy. */
static bool
find_rule_or_kernel(const struct debug *d, struct stop *p, const char *word)
{
	bool rule = debug_find_rule(d, p, word);

	return (rule && debug_stack_has_rule(d, p)) || debug_find_kernel(d, p, word) || rule;
}

static int
read_event_or_cycle(struct debug *d, struct stop *p, const char **at, struct err *e)
{
	char word[LONGEST_NAME];
	int kind;

	next_word(at, word, sizeof(word));
	if (!*word)
		return err_set(e, p->kind == STOP_TRACE
					  ? "trace needs an event; 'help events' lists them"
					  : "expected a cycle or an event");
	if (p->kind != STOP_TRACE && ascii_same(word, "cycle")) {
		next_word(at, word, sizeof(word));
		if (!ascii_is_digit(*word))
			return err_set(e, "break cycle needs a number, as in: break cycle 20000");
	}
	if (ascii_same(word, "rule") || ascii_same(word, "event")) { /* one more word than needed */
		bool rule = ascii_same(word, "rule");

		next_word(at, word, sizeof(word));
		if (!*word)
			return err_set(e, "a name is missing, as in: break %s",
				       rule ? "rule mem-high" : "event pause");
	}
	if (p->kind != STOP_TRACE && ascii_is_digit(*word)) {
		p->kind = STOP_CYCLE;
		if (number_count(word, &p->cycle))
			return err_set(e, "'%s' %s", word,
				       number_count_fault(word) ? number_count_fault(word)
								: "is not a cycle");
		return 0;
	}
	/* the name of a C++ kernel may have colons, too */
	if (p->kind != STOP_TRACE &&
	    (ascii_same(word, "line") || (strchr(word, ':') && !debug_find_kernel(d, p, word))))
		return debug_read_line(d, p, word, at, e) ? -1 : read_filters(d, p, at, e);
	kind = event_find(word);
	/* the name of a rule or a kernel comes before an abbreviation */
	if ((kind < 0 || !ascii_same(event_rows[kind].name, word)) &&
	    find_rule_or_kernel(d, p, word))
		return read_filters(d, p, at, e);
	if (kind < 0)
		return refuse_word(d, word, *at, e);
	p->event = (enum event_kind)kind;
	return read_filters(d, p, at, e);
}

static int
read_condition(struct stop *p, const char *at, struct err *e)
{
	char word[64];

	next_word(&at, word, sizeof(word));
	if (!*word)
		return 0;
	if (!ascii_same(word, "if"))
		return err_set(e, "expected 'if', found '%s'", word);
	at = skip_blanks(at);
	if (!*at)
		return err_set(e, "'if' needs an expression");
	p->cond_text = strdup(at);
	return p->cond_text ? 0 : err_nomem(e);
}

static int
read_stop(struct debug *d, struct stop *p, const char *text, struct err *e)
{
	const char *at = skip_blanks(text);

	if (p->kind == STOP_WATCH ? read_watch(p, at, &at, e) : read_event_or_cycle(d, p, &at, e))
		return -1;
	if (read_condition(p, at, e) || debug_stop_bind(d, p, e))
		return -1;
	return 0;
}

const struct stop *
debug_stop_add(struct debug *d, enum stop_kind kind, bool temporary, const char *text,
	       struct err *e)
{
	struct stop *p = calloc(1, sizeof(*p));
	struct stop **grown = realloc(d->stop, (d->n_stops + 1) * sizeof(*grown));

	if (grown)
		d->stop = grown;
	if (!p || !grown) {
		free(p);
		err_nomem(e);
		return NULL;
	}
	p->kind = kind;
	p->temporary = temporary;
	p->enabled = true;
	p->core = -1;
	p->cta = -1;
	p->first_hit = p->last_hit = CYCLE_NEVER;
	p->told = d->sim ? sim_events(d->sim)->next : 0;
	if (read_stop(d, p, text, e)) {
		debug_stop_free(p);
		return NULL;
	}
	debug_watch_from_here(d, p);
	p->id = d->next_id++;
	d->stop[d->n_stops++] = p;
	debug_listen(d);
	return p;
}

/* ---------------------------------------------------------------- the table */

unsigned
debug_stop_count(const struct debug *d)
{
	return d->n_stops;
}

const struct stop *
debug_stop_at(const struct debug *d, unsigned i)
{
	return i < d->n_stops ? d->stop[i] : NULL;
}

struct stop *
debug_find(const struct debug *d, unsigned id)
{
	for (unsigned i = 0; i < d->n_stops; i++)
		if (d->stop[i]->id == id)
			return d->stop[i];
	return NULL;
}

const struct stop *
debug_stop_find(const struct debug *d, unsigned id)
{
	return debug_find(d, id);
}

void
debug_stop_delete(struct debug *d, unsigned id)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < d->n_stops; i++) {
		if (id == 0 || d->stop[i]->id == id)
			debug_stop_free(d->stop[i]);
		else
			d->stop[kept++] = d->stop[i];
	}
	d->n_stops = kept;
	debug_listen(d);
}

void
debug_stop_enable(struct debug *d, unsigned id, bool on)
{
	for (unsigned i = 0; i < d->n_stops; i++) {
		struct stop *p = d->stop[i];

		if (id && p->id != id)
			continue;
		p->enabled = on;
		if (on)
			debug_watch_from_here(d, p);
	}
	debug_listen(d);
}

bool
debug_stop_take_unhit(struct debug *d, unsigned id)
{
	struct stop *p = debug_find(d, id);
	bool is_bound = p && (p->watch || !p->watch_text) && (p->cond || !p->cond_text);

	if (!is_bound || !p->enabled || p->kind == STOP_TRACE || p->hits || p->unhit_noted)
		return false;
	p->unhit_noted = true;
	return true;
}

void
debug_stop_ignore(struct debug *d, unsigned id, uint64_t count)
{
	struct stop *p = debug_find(d, id);

	if (p)
		p->ignore = count;
}

int
debug_stop_condition(struct debug *d, unsigned id, const char *text, struct err *e)
{
	struct stop *p = debug_find(d, id);
	struct expr *x = NULL;
	char *copy = NULL;

	if (!p)
		return err_set(e, "no stop %u", id);
	text = skip_blanks(text);
	if (*text && !(x = debug_parse_condition(d, p, text, e)))
		return -1;
	if (x && !(copy = strdup(text))) {
		expr_free(x);
		return err_nomem(e);
	}
	expr_free(p->cond);
	free(p->cond_text);
	p->cond = x;
	p->cond_text = copy;
	return 0;
}

void
debug_stop_commands(struct debug *d, unsigned id, char **line, unsigned n)
{
	struct stop *p = debug_find(d, id);

	if (!p) {
		for (unsigned i = 0; i < n; i++)
			free(line[i]);
		free(line);
		return;
	}
	for (unsigned i = 0; i < p->n_commands; i++)
		free(p->command[i]);
	free(p->command);
	p->command = line;
	p->n_commands = n;
}

bool
debug_core_has_stop(const struct debug *d, unsigned core)
{
	for (unsigned i = 0; i < d->n_stops; i++)
		if ((d->stop[i]->kind == STOP_EVENT || d->stop[i]->kind == STOP_LINE) &&
		    d->stop[i]->core == (int)core)
			return true;
	return false;
}

/* ---------------------------------------------------------------- writing */

/* Such a name is quoted, so that it stays one word. */
static bool
is_blank_in(const char *name)
{
	return name && strpbrk(name, " \t");
}

void
debug_stop_text(const struct stop *p, char *buf, size_t size)
{
	const char *verb = p->kind == STOP_WATCH   ? "watch"
			   : p->kind == STOP_TRACE ? "trace"
			   : p->temporary	   ? "tbreak"
						   : "break";
	char what[PATH_MAX] = "", core[24] = "", cta[32] = "", kernel[24] = "";

	if (p->kind == STOP_CYCLE)
		snprintf(what, sizeof(what), "cycle %" PRIu64, p->cycle);
	else if (p->kind == STOP_LINE)
		snprintf(what, sizeof(what), is_blank_in(p->file) ? "\"%s%s%u\"" : "%s%s%u",
			 p->file ? p->file : "line", p->file ? ":" : " ", p->line);
	else if (p->kernel_name)
		snprintf(what, sizeof(what), is_blank_in(p->kernel_name) ? "\"%s\"" : "%s",
			 p->kernel_name);
	else if (*p->rule)
		snprintf(what, sizeof(what), "%s%s%s", p->policy, *p->policy ? "." : "", p->rule);
	else if (p->kind != STOP_WATCH)
		snprintf(what, sizeof(what), "%s", event_rows[p->event].name);
	if (p->core >= 0)
		snprintf(core, sizeof(core), " core %d", p->core);
	if (p->cta >= 0)
		snprintf(cta, sizeof(cta), " cta %" PRId64, p->cta);
	if (p->kernel)
		snprintf(kernel, sizeof(kernel), " kernel %u", p->kernel);
	snprintf(buf, size, "%s %s%s%s%s%s%s", verb, p->kind == STOP_WATCH ? p->watch_text : what,
		 core, cta, kernel, p->cond_text ? " if " : "", p->cond_text ? p->cond_text : "");
}

/* Numbers restart at 1 when the file is read into a fresh session. Commands that refer to a stop
 * therefore use the number it will have there, with "$" for the last one. */
void
debug_stops_save(const struct debug *d, struct strbuf *out)
{
	for (unsigned i = 0; i < d->n_stops; i++) {
		const struct stop *p = d->stop[i];
		char text[2 * EVAL_MAX_TEXT];

		debug_stop_text(p, text, sizeof(text));
		sb_printf(out, "%s\n", text);
		if (p->ignore)
			sb_printf(out, "ignore $ %" PRIu64 "\n", p->ignore);
		if (p->n_commands) {
			sb_str(out, "commands $\n");
			for (unsigned c = 0; c < p->n_commands; c++)
				sb_printf(out, "  %s\n", p->command[c]);
			sb_str(out, "end\n");
		}
		if (!p->enabled)
			sb_str(out, "disable $\n");
	}
}
