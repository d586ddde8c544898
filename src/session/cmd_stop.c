/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_stop.c - the commands that set stops, what to do there, and what must hold.
 *
 * A stop is named by its number; '$' is the newest one, so that scripts need not count.
 */
#include "session/table.h"
#include "session/command.h"
#include "session/session_part.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum session_status
add_stop(struct session *s, enum stop_kind kind, bool temporary, const char *text)
{
	struct err e = {0};
	const struct stop *p = debug_stop_add(s->debug, kind, temporary, text, &e);
	char line[600];

	if (!p)
		return say_err(s, &e);
	debug_stop_text(p, line, sizeof(line));
	say(s, SAY_NOTE, "stop %u: %s", p->id, line);
	session_note_stop(s, p, text);
	return SESSION_OK;
}

enum session_status
cmd_break(struct session *s, struct cmd_args *a)
{
	return add_stop(s, STOP_EVENT, false, a->word[0]);
}

enum session_status
cmd_tbreak(struct session *s, struct cmd_args *a)
{
	return add_stop(s, STOP_EVENT, true, a->word[0]);
}

enum session_status
cmd_watch(struct session *s, struct cmd_args *a)
{
	return add_stop(s, STOP_WATCH, false, a->word[0]);
}

enum session_status
cmd_trace(struct session *s, struct cmd_args *a)
{
	return add_stop(s, STOP_TRACE, false, a->word[0]);
}

const struct stop *
stop_named(struct session *s, const char *word, struct err *e)
{
	unsigned n = debug_stop_count(s->debug);
	const struct stop *p;
	uint64_t id;

	if (n == 0) {
		err_set(e, "no stops are set");
		return NULL;
	}
	if (!word || strcmp(word, "$") == 0)
		return debug_stop_at(s->debug, n - 1);
	if (number_count(word, &id) || id > UINT32_MAX) {
		err_set(e, "expected a stop number, found '%.60s'", word);
		return NULL;
	}
	p = debug_stop_find(s->debug, (unsigned)id);
	if (!p)
		err_set(e, "no stop %" PRIu64 "; 'info breakpoints' lists them", id);
	return p;
}

enum session_status
cmd_condition(struct session *s, struct cmd_args *a)
{
	const unsigned id = (unsigned)MIN(a->number[0], (uint64_t)UINT32_MAX);
	struct err e = {0};

	if (debug_stop_condition(s->debug, id, a->word[1], &e))
		return say_err(s, &e);
	session_note_bare_number(s, debug_stop_find(s->debug, id));
	return SESSION_OK;
}

enum session_status
cmd_ignore(struct session *s, struct cmd_args *a)
{
	struct err e = {0};
	const struct stop *p = stop_named(s, a->word[0], &e);
	char n[HUMAN];

	if (!p)
		return say_err(s, &e);
	debug_stop_ignore(s->debug, p->id, a->number[1]);
	say(s, SAY_NOTE, "stop %u ignores the next %s times", p->id, human(n, a->number[1]));
	return SESSION_OK;
}

unsigned
commands_stop(struct session *s, const char *head)
{
	char verb[16], word[64], more[8];
	struct err e = {0};
	const struct stop *p;
	bool named;

	next_word(&head, verb, sizeof(verb));
	named = next_word(&head, word, sizeof(word));
	if (next_word(&head, more, sizeof(more))) {
		fail(s, "commands: expected nothing after '%s'; usage: commands [N]", word);
		return 0;
	}
	p = stop_named(s, named ? word : NULL, &e);
	if (!p)
		say_err(s, &e);
	return p ? p->id : 0;
}

enum session_status
commands_set(struct session *s, unsigned stop, const struct block *b, unsigned at,
	     const struct user_call *call)
{
	unsigned n = b->line[at].to - at - 1, done = 0;
	char **line = calloc(n + 1, sizeof(*line));
	enum session_status status = line ? SESSION_OK : fail_memory(s);

	for (; status == SESSION_OK && done < n; done++) {
		struct strbuf text = {0};

		sb_str(&text, "");
		if (call)
			status = script_substitute(s, b->line[at + 1 + done].text, call, &text);
		else
			sb_str(&text, b->line[at + 1 + done].text);
		line[done] = sb_take(&text);
		if (!line[done] && status == SESSION_OK)
			status = fail_memory(s);
	}
	if (status == SESSION_OK) {
		debug_stop_commands(s->debug, stop, line, n);
		return SESSION_OK;
	}
	while (done--)
		free(line[done]);
	free(line);
	return status;
}

/* In the commands of a stop this was handled when the stop was hit; elsewhere it has no effect. */
enum session_status
cmd_silent(struct session *s ATTR_UNUSED, struct cmd_args *a ATTR_UNUSED)
{
	return SESSION_OK;
}

/* Whether the stop's expression is invalid on this machine or with this policy. */
static bool
is_unbound(const struct stop *p)
{
	return (p->watch_text && !p->watch) || (p->cond_text && !p->cond);
}

/* Without numbers it applies to all stops. */
static enum session_status
enable_stops(struct session *s, const char *at, bool on)
{
	struct err e = {0};
	char word[64];

	if (!*skip_blanks(at))
		debug_stop_enable(s->debug, 0, on);
	while (next_word(&at, word, sizeof(word))) {
		const struct stop *p = stop_named(s, word, &e);

		if (!p)
			return say_err(s, &e);
		if (on && is_unbound(p))
			return fail(s, "stop %u does not apply to this machine", p->id);
		debug_stop_enable(s->debug, p->id, on);
	}
	return SESSION_OK;
}

enum session_status
cmd_enable(struct session *s, struct cmd_args *a)
{
	return enable_stops(s, a->word[0], true);
}

enum session_status
cmd_disable(struct session *s, struct cmd_args *a)
{
	return enable_stops(s, a->word[0], false);
}

/* ---------------------------------------------------------------- assert */

struct expr *
parse_known(struct session *s, const char *text)
{
	struct err e = {0};
	struct expr *x = expr_parse(text, debug_names(s->debug), &e);

	s->log.lost |= !x && e.kind == ERR_MEMORY;
	return x;
}

bool
value_of_expr(struct session *s, const struct expr *x, struct value *v)
{
	bool known = x && expr_eval(x, v) == 0;

	s->log.lost |= x && !known;
	return known;
}

enum session_status
session_eval(struct session *s, const char *text, struct value *v)
{
	struct err e = {0};
	struct expr *x = expr_parse(text, debug_names(s->debug), &e);
	int rc;

	if (!x)
		return say_err(s, &e);
	rc = expr_eval(x, v);
	expr_free(x);
	return rc ? fail_memory(s) : SESSION_OK;
}

bool
session_holds(const struct value *v)
{
	if (v->n == 0)
		return !isnan(v->x) && v->x != 0;
	for (unsigned i = 0; i < v->n; i++)
		if (!isnan(v->v[i]) && v->v[i] != 0)
			return true;
	return false;
}

/* Finds the only comparison at the top level of an expression, and the length of its operator.
 * Returns 0 if there is none, or if && || ?: combine several. */
static size_t
top_comparison(const char *text, size_t *len)
{
	size_t found = 0;
	int depth = 0;

	for (size_t i = 0; text[i]; i++) {
		depth += (text[i] == '(') - (text[i] == ')');
		if (depth)
			continue;
		if (strchr("&|?", text[i]))
			return 0;
		if (!strchr("<>=!", text[i]) || i == 0 || (text[i] == '!' && text[i + 1] != '='))
			continue;
		if (found)
			return 0;
		found = i;
		*len = text[i + 1] == '=' ? 2 : 1;
		i += *len - 1;
	}
	return found;
}

/* Writes ": core.0.n is 4, 3 is 3" for the two sides of a failed comparison; constants are left
 * out. */
static void
write_sides(struct session *s, const char *text, char *out, size_t size)
{
	size_t len = 0, at = top_comparison(text, &len);
	char side[2][256];

	out[0] = '\0';
	if (!at || at >= sizeof(side[0]) || strlen(text + at + len) >= sizeof(side[1]))
		return;
	snprintf(side[0], sizeof(side[0]), "%.*s", (int)at, text);
	snprintf(side[1], sizeof(side[1]), "%s", skip_blanks(text + at + len));
	for (unsigned i = 0; i < 2; i++) {
		struct expr *x = parse_known(s, side[i]);
		struct value v;
		char value[160];
		size_t n = strlen(side[i]);

		while (n && side[i][n - 1] == ' ')
			side[i][--n] = '\0';
		if (x && strpbrk(side[i], "abcdefghijklmnopqrstuvwxyz$") &&
		    value_of_expr(s, x, &v)) {
			value_format(&v, 0, value, sizeof(value));
			snprintf(out + strlen(out), size - strlen(out), "%s%s is %s",
				 *out ? ", " : "; ", side[i], value);
			value_free(&v);
		}
		expr_free(x);
	}
}

/* Checks whether text is true; prints a message if it is not. */
static enum session_status
check_condition(struct session *s, const char *verb, const char *text, bool *good)
{
	struct value v;
	enum session_status status = session_eval(s, text, &v);
	char why[700];

	*good = false;
	if (status != SESSION_OK)
		return status;
	*good = session_holds(&v);
	value_free(&v);
	if (*good)
		return SESSION_OK;
	write_sides(s, text, why, sizeof(why));
	fail(s, "%s failed: %.200s%.220s", verb, text, why);
	return SESSION_OK;
}

enum session_status
cmd_assert(struct session *s, struct cmd_args *a)
{
	bool good;
	enum session_status status = check_condition(s, a->name, a->word[0], &good);

	return status == SESSION_OK && !good ? SESSION_ASSERT : status;
}

/* Continues in any case; the exit status counts the failures. An invalid expression is an ordinary
 * error. */
enum session_status
cmd_expect(struct session *s, struct cmd_args *a)
{
	bool good;
	enum session_status status = check_condition(s, a->name, a->word[0], &good);

	if (status == SESSION_OK) {
		s->script.expected++;
		s->script.unexpected += !good;
	}
	return status;
}

/* ---------------------------------------------------------------- info about them */

static void
say_commands(struct session *s, const struct stop *p)
{
	struct block *b = block_new(NULL);

	say(s, SAY_RESULT, "commands of stop %u:", p->id);
	for (unsigned i = 0; b && i < p->n_commands; i++) {
		if (block_add(b, p->command[i], 0, NULL))
			break;
		say(s, SAY_RESULT, "    %*s%s", (int)(2 * block_indent(b, i)), "", p->command[i]);
	}
	block_free(b);
}

enum session_status
info_breakpoints(struct session *s, const char *args ATTR_UNUSED)
{
	struct table t;
	unsigned n = debug_stop_count(s->debug);

	if (n == 0) {
		say(s, SAY_RESULT, "no stops");
		return SESSION_OK;
	}
	table_begin(&t, ">num <on >hits >ignore <what");
	for (unsigned i = 0; i < n; i++) {
		const struct stop *p = debug_stop_at(s->debug, i);
		char text[300];

		debug_stop_text(p, text, sizeof(text));
		table_u64(&t, p->id);
		table_text(&t, "%s", !p->enabled ? "no" : is_unbound(p) ? "silent" : "yes");
		table_u64(&t, p->hits);
		table_u64(&t, p->ignore);
		table_text(&t, "%s%s", text, p->n_commands ? " (with commands)" : "");
	}
	table_end(s, &t);
	for (unsigned i = 0; i < n; i++) {
		const struct stop *p = debug_stop_at(s->debug, i);

		if (p->n_commands)
			say_commands(s, p);
	}
	return SESSION_OK;
}

static void
say_histogram(struct session *s, const struct stop *p)
{
	uint64_t most = 0;
	struct table t;

	for (unsigned b = 0; b < TRACE_BUCKETS; b++)
		most = MAX(most, p->bucket[b]);
	if (!most)
		return;
	table_begin(&t, ">cycles~apart >count 1<share");
	for (unsigned b = 0; b < TRACE_BUCKETS; b++) {
		char from[HUMAN], to[HUMAN], bar[41] = "";

		if (!p->bucket[b])
			continue;
		memset(bar, '#', (size_t)((p->bucket[b] * 40 + most - 1) / most));
		human(from, b ? UINT64_C(1) << (b - 1) : 0);
		human(to, b ? (UINT64_C(1) << b) - 1 : 0);
		table_text(&t, b > 1 ? "%s..%s" : "%s", from, to);
		table_u64(&t, p->bucket[b]);
		table_text(&t, "%s", bar);
	}
	table_end(s, &t);
}

enum session_status
info_trace(struct session *s, const char *args)
{
	char word[32] = "";
	struct err e = {0};
	unsigned shown = 0;

	if (next_word(&args, word, sizeof(word)) && !stop_named(s, word, &e))
		return say_err(s, &e);
	for (unsigned i = 0; i < debug_stop_count(s->debug); i++) {
		const struct stop *p = debug_stop_at(s->debug, i);
		char text[300], n[HUMAN], first[HUMAN], last[HUMAN];

		if (p->kind != STOP_TRACE || (*word && p != stop_named(s, word, NULL)))
			continue;
		debug_stop_text(p, text, sizeof(text));
		say(s, SAY_RESULT, "%u: %s: %s times, first at cycle %s, last at %s", p->id, text,
		    human(n, p->hits), human_cycle(first, p->first_hit),
		    human_cycle(last, p->last_hit));
		say_histogram(s, p);
		shown++;
	}
	if (!shown && *word)
		return fail(s, "stop %s is not a tracepoint", word);
	if (!shown)
		say(s, SAY_RESULT, "no tracepoints; 'trace EVENT' makes one");
	return SESSION_OK;
}
