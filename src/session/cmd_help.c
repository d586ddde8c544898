/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_help.c - the commands help, apropos and explain. All texts come from the tables that the
 * program itself uses.
 */
#include "session/command.h"
#include "session/session_part.h"

#include "base/ascii.h"
#include "base/strbuf.h"
#include "export/export.h"
#include "compat/compat.h"

#include <errno.h>
#include <locale.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Prints text wrapped at blanks; from the second line on it is indented below the first. */
static void
say_wrapped(struct session *s, const char *head, unsigned indent, const char *text)
{
	unsigned width = session_width(s) ? session_width(s) : 100;
	unsigned room = width > indent + 20 ? width - indent : 20;

	for (bool first = true; *text || first; first = false) {
		size_t n = strlen(text);

		if (n > room) {
			for (n = room; n > 0 && text[n] != ' '; n--)
				;
			if (n == 0)
				n = room;
		}
		say(s, SAY_RESULT, "%-*s%.*s", (int)indent, first ? head : "", (int)n, text);
		text = skip_blanks(text + n);
	}
}

static void
add_name(void *to, const char *name)
{
	struct strbuf *b = to;

	sb_printf(b, "%s%s", b->n ? ", " : "", name);
}

/* Prints the names that the screen knows for an argument: of layouts, panes, themes, keys. */
static void
say_names(struct session *s, const struct cmd_row *r)
{
	struct strbuf names = {0};

	if (s->ui.words)
		s->ui.words(s->ui.ctx, r->name, add_name, &names);
	if (names.n && !names.failed)
		say_wrapped(s, "    names:", 11, names.p);
	sb_free(&names);
}

static void
say_command(struct session *s, const struct cmd_row *r)
{
	char head[200];

	snprintf(head, sizeof(head), "%s%s%s", r->name, *r->usage ? " " : "", r->usage);
	say(s, SAY_RESULT, "%s", head);
	say_wrapped(s, "", 4, r->help);
	say_names(s, r);
	if (*r->aliases)
		say(s, SAY_RESULT, "    also: %s", r->aliases);
}

static void
say_topic(struct session *s, const struct info_row *r)
{
	char head[80];

	snprintf(head, sizeof(head), "info %s%s%s", r->name, *r->usage ? " " : "", r->usage);
	say_wrapped(s, head, 24, r->help);
}

/* Prints all topics of info, or the one that is named. */
static enum session_status
help_info(struct session *s, const char *topic)
{
	struct err e = {0};
	const struct info_row *r = *topic ? info_find(topic, &e) : NULL;

	if (*topic && !r)
		return say_err(s, &e);
	if (r)
		say_topic(s, r);
	for (unsigned i = 0; !r && i < n_info_rows; i++)
		say_topic(s, &info_rows[i]);
	return SESSION_OK;
}

static void
help_events(struct session *s)
{
	for (unsigned i = 0; i < EV_KINDS; i++)
		say_wrapped(s, event_rows[i].name, 18, event_rows[i].help);
}

static void
say_variable(void *ctx, const char *name, const char *help)
{
	if (strstr(help, "number of its rule") == NULL)
		say_wrapped(ctx, name, 16, help);
}

static void
help_expressions(struct session *s)
{
	unsigned n;
	const struct eval_function *f = eval_functions(&n);

	say_lines(s, SAY_RESULT,
		  "C-like over dotted paths: core.5.ract < 0.4 && credits.local.5 == 0\n"
		  "core.*.n is a vector; a condition holds when it does for any element\n"
		  "unknown is not zero: what is computed from it is unknown, a condition on it "
		  "fails\n"
		  "numbers: 42, 1_000, 10k, 2M, 0x2a, 0.4\n"
		  "operators: ?: || && == != < <= > >= + - * / % !");
	for (unsigned i = 0; i < n; i++)
		say_wrapped(s, f[i].name, 16, f[i].help);
	session_each_variable(s, say_variable, s);
	say_wrapped(s, "$x", 16,
		    "a variable of yours: set $x = EXPR; $x.3 is an element of a vector");
	say_wrapped(
		s, "core.$x.n", 16,
		"the element of core.*.n whose number is the value of $x; $focus goes there, too");
	say_wrapped(s, "$NAME", 16,
		    "of the event asked about or stopped at: a number of its rule, such as $c_mem");
}

static void
help_policies(struct session *s)
{
	unsigned n;
	const struct cta_sched_ops *const *ops = config_policies(s->config, &n);

	for (unsigned i = 0; i < n; i++)
		say_wrapped(s, ops[i]->name, 11, ops[i]->help);
	say(s, SAY_RESULT, "Stacks: %s. See also show option NAME.", cta_sched_example);
	say(s, SAY_RESULT, "One of your own is a file, ./mine.so: see man ctascope-policy.");
}

static void
help_options(struct session *s)
{
	say_lines(s, SAY_RESULT,
		  "set NAME VALUE changes an option, show option NAME shows those that begin so,\n"
		  "explain NAME says what one is. The last part of a name is enough when it is "
		  "unique.\n"
		  "Before the first cycle every option may change, later only live ones.");
}

static void
help_files(struct session *s)
{
	say_lines(s, SAY_RESULT,
		  "$XDG_CONFIG_HOME/ctascope/config    commands executed at the start (-n leaves "
		  "them out)\n"
		  "$XDG_STATE_HOME/ctascope/history    what was typed\n"
		  "$XDG_STATE_HOME/ctascope/autosave-*  an interrupted session: --resume\n"
		  "$XDG_STATE_HOME/ctascope/lessons    how far you are in each lesson\n"
		  "$XDG_DATA_HOME/ctascope/            your own machines, themes, "
		  "traces, lessons");
}

static void
help_user_defined(struct session *s)
{
	user_help(s, NULL);
}

static const struct {
	const char *name;
	void (*fn)(struct session *s);
} topics[] = {{"events", help_events},	 {"expressions", help_expressions},
	      {"options", help_options}, {"policies", help_policies},
	      {"files", help_files},	 {"user-defined", help_user_defined}};

static void
help_overview(struct session *s)
{
	struct strbuf list = {0};

	for (unsigned g = 0; g < CMD_GROUPS; g++) {
		struct strbuf names = {0};

		for (unsigned i = 0; i < n_cmd_rows; i++)
			if (cmd_rows[i].group == g)
				sb_printf(&names, "%s%s", names.n ? " " : "", cmd_rows[i].name);
		say_wrapped(s, cmd_group_names[g], 8, text_so_far(s, &names));
		sb_free(&names);
	}
	say(s, SAY_RESULT,
	    "Unique beginnings work. 'help COMMAND' says more; 'help GROUP' goes through a group.");
	for (unsigned i = 0; i < ARRAY_LEN(topics); i++)
		sb_printf(&list, " %s", topics[i].name);
	say(s, SAY_RESULT, "Topics:%s", text_so_far(s, &list));
	sb_free(&list);
}

void
complete_help(struct offer *o, const struct before *b ATTR_UNUSED)
{
	offer_commands(o);
	for (unsigned g = 0; g < CMD_GROUPS; g++)
		offer(o, cmd_group_names[g]);
	for (unsigned i = 0; i < ARRAY_LEN(topics); i++)
		offer(o, topics[i].name);
}

enum session_status
cmd_help(struct session *s, struct cmd_args *a)
{
	const char *at = a->word[0];
	char word[64];
	struct err e = {0};
	const struct cmd_row *r;
	const struct user_command *u;

	if (!next_word(&at, word, sizeof(word))) {
		help_overview(s);
		return SESSION_OK;
	}
	for (unsigned i = 0; i < ARRAY_LEN(topics); i++) {
		if (strcmp(word, topics[i].name) == 0) {
			topics[i].fn(s);
			return SESSION_OK;
		}
	}
	r = cmd_find(word, &e);
	u = user_find(s, word, r != NULL);
	if (u) {
		user_help(s, u);
		return SESSION_OK;
	}
	/* a group, unless the name is also a command: `help run` means the command */
	for (unsigned g = 0; g < CMD_GROUPS && (!r || strcmp(r->name, word) != 0); g++) {
		if (strcmp(word, cmd_group_names[g]) != 0)
			continue;
		for (unsigned i = 0; i < n_cmd_rows; i++)
			if (cmd_rows[i].group == g)
				say_command(s, &cmd_rows[i]);
		return SESSION_OK;
	}
	if (!r)
		return say_err(s, &e);
	if (r->fn == cmd_info && next_word(&at, word, sizeof(word)))
		return help_info(s, word);
	say_command(s, r);
	if (r->fn == cmd_info)
		return help_info(s, "");
	if (r->fn == cmd_dump)
		for (unsigned i = 0; i < EXPORT_TABLES; i++)
			say_wrapped(s, export_tables[i].name, 12, export_tables[i].help);
	return SESSION_OK;
}

/* ---------------------------------------------------------------- apropos, explain */

/* Everything that has a name and a help line, and what to do with each. */
struct each_thing {
	void (*fn)(struct each_thing *t, const char *kind, const char *name, const char *unit,
		   const char *help);
	struct session *s;
	locale_t ascii; /* the locale of `re`: names and texts have ASCII letters only */
	regex_t re;
	const char *word; /* the word to explain */
	unsigned found;
	const char *names[4096]; /* copies, freed at the end; for "did you mean" */
	unsigned n_names;
};

static void
thing_option(void *ctx, const char *key, const struct opt_group *g ATTR_UNUSED,
	     const struct opt_row *r)
{
	struct each_thing *t = ctx;

	t->fn(t, "option", key, r->unit, r->help);
}

static void
thing_path(void *ctx, const char *path, const char *unit, const char *help)
{
	struct each_thing *t = ctx;

	t->fn(t, "value", path, unit, help);
}

static void
thing_variable(void *ctx, const char *name, const char *help)
{
	struct each_thing *t = ctx;

	t->fn(t, "variable", name, "", help);
}

static void
each_series(struct each_thing *t, const char *group, const struct series_row *r, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		char name[80];

		snprintf(name, sizeof(name), "%s.%s", group, r[i].name);
		t->fn(t, "series", name, r[i].unit, r[i].help);
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

static void
each_thing(struct each_thing *t)
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
			char name[80];

			snprintf(name, sizeof(name), "%s.%s", view_rows[i].group,
				 view_rows[i].field);
			t->fn(t, "value", name, view_rows[i].unit, view_rows[i].help);
		}
	}
	each_series(t, "core", series_core_rows, SC_FIELDS);
	each_series(t, "mem", series_mem_rows, SM_FIELDS);
	each_series(t, "gpu", series_gpu_rows, SG_FIELDS);
	session_each_variable(t->s, thing_variable, t);
	opt_each(config_db(t->s->config), thing_option, t);
	opt_each(&t->s->own, thing_option, t);
}

/* "core.3.n" is an instance of "core.*.n", which is listed as well, so it is left out. */
static bool
is_instance(const char *name)
{
	for (const char *p = strchr(name, '.'); p; p = strchr(p + 1, '.'))
		if (p[1] >= '0' && p[1] <= '9')
			return true;
	return false;
}

static bool
matches_text(struct each_thing *t, const char *text)
{
	locale_t own = uselocale(t->ascii);
	bool found;

	errno = 0;
	found = regexec(&t->re, text, 0, NULL, 0) == 0;
	t->s->log.lost |= !found && errno == ENOMEM; /* glibc returns REG_NOMATCH then */
	uselocale(own);
	return found;
}

static void
match_thing(struct each_thing *t, const char *kind, const char *name, const char *unit ATTR_UNUSED,
	    const char *help)
{
	char line[600];

	if (is_instance(name) || (!matches_text(t, name) && !matches_text(t, help)))
		return;
	snprintf(line, sizeof(line), "%s %s", kind, name);
	say_wrapped(t->s, line, 34, help);
	t->found++;
}

#define RE_MOST 200	/* most characters of an expression */
#define RE_DEPTH 20	/* most parentheses within each other */
#define RE_REPEATS 1000 /* most repetitions: the product of all {N} */

/* Checks an expression against these limits, because the library copies a repeated part once for
 * each repetition: they bound its memory, its stack and its time. Returns NULL if the expression is
 * within them. */
static const char *
re_too_large(const char *re)
{
	uint64_t repeats = 1;
	unsigned depth = 0;

	if (strlen(re) > RE_MOST)
		return "it has more than 200 characters";
	for (const char *p = re; *p; p++) {
		depth += *p == '(';
		depth -= *p == ')' && depth;
		if (depth > RE_DEPTH)
			return "its parentheses are more than 20 deep";
		if (*p == '{') {
			const char *comma = p + strcspn(p, ",}");
			uint64_t least = strtoull(p + 1, NULL, 10);
			uint64_t most = *comma == ',' ? strtoull(comma + 1, NULL, 10) : 0;

			repeats *= MAX(MAX(least, most), UINT64_C(1));
			if (MAX(least, most) > RE_REPEATS || repeats > RE_REPEATS)
				return "it repeats more than 1,000 times";
		}
	}
	return NULL;
}

static enum session_status
tell_matches(struct each_thing *t, const char *re)
{
	locale_t own = uselocale(t->ascii);
	int rc = regcomp(&t->re, re, REG_EXTENDED | REG_ICASE | REG_NOSUB);
	char why[160];

	uselocale(own);
	if (rc) {
		regerror(rc, &t->re, why, sizeof(why));
		return fail(t->s, "apropos: '%.80s': %s", re, why);
	}
	each_thing(t);
	regfree(&t->re);
	return t->found ? SESSION_OK : fail(t->s, "apropos: nothing matches '%.80s'", re);
}

enum session_status
cmd_apropos(struct session *s, struct cmd_args *a)
{
	const char *large = re_too_large(a->word[0]);
	enum session_status status;
	struct each_thing *t;

	if (large)
		return fail(s, "apropos: '%.80s': %s", a->word[0], large);
	t = calloc(1, sizeof(*t));
	if (!t)
		return fail_memory(s);
	t->fn = match_thing;
	t->s = s;
	t->ascii = newlocale(LC_CTYPE_MASK, "C", (locale_t)0);
	status = t->ascii ? tell_matches(t, a->word[0]) : fail_memory(s);
	if (t->ascii)
		freelocale(t->ascii);
	free(t);
	return status;
}

/* core.5.n and core.n are explained by core.*.n; so is n, the last part of that name, also as the
 * column of a table (ract_ratio). Upper and lower case are alike. */
static bool
is_name_for(const char *name, const char *unit, const char *typed)
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
		if (name[0] == '.' && name[1] == '*') {
			size_t n = *typed == '.' ? strspn(typed + 1, "0123456789*") : 0;

			name += 2;
			typed += n ? n + 1 : 0;
		} else if (ascii_lower(*name++) != ascii_lower(*typed++)) {
			return false;
		}
	}
	return *name == *typed;
}

static void
explain_thing(struct each_thing *t, const char *kind, const char *name, const char *unit,
	      const char *help)
{
	char head[160];

	if (is_instance(name))
		return;
	if (t->n_names < ARRAY_LEN(t->names)) {
		t->names[t->n_names] = strdup(name);
		t->n_names += t->names[t->n_names] != NULL;
	}
	if (!is_name_for(name, unit, t->word))
		return;
	snprintf(head, sizeof(head), "%s %s%s%s%s", kind, name, *unit ? " (" : "", unit,
		 *unit ? ")" : "");
	say(t->s, SAY_RESULT, "%s", head);
	say_wrapped(t->s, "", 4, help);
	t->found++;
}

/* Prints the present value, if the name is one of the machine's. */
static void
say_value(struct session *s, const char *path)
{
	struct expr *x = parse_known(s, path);
	struct value v;
	char text[300];

	if (value_of_expr(s, x, &v)) {
		value_format(&v, 0, text, sizeof(text));
		say(s, SAY_RESULT, "    now %s", text);
		value_free(&v);
	}
	expr_free(x);
}

enum session_status
cmd_explain(struct session *s, struct cmd_args *a)
{
	struct each_thing *t = calloc(1, sizeof(*t));
	enum session_status status = SESSION_OK;
	char list[200] = "";

	if (!t)
		return fail_memory(s);
	t->fn = explain_thing;
	t->s = s;
	t->word = a->word[0];
	each_thing(t);
	if (t->found && s->sim && strpbrk(t->word, ".$") && session_get(s, t->word, list, 1))
		say_value(s, t->word);
	if (!t->found) {
		status = fail(s, "nothing is called '%.60s'%s", t->word,
			      near_hint(t->word, t->names, t->n_names, "").text);
	}
	for (unsigned i = 0; i < t->n_names; i++)
		free((void *)(uintptr_t)t->names[i]);
	free(t);
	return status;
}
