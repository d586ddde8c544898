/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_help.c - the commands help, apropos and explain. All texts come from the tables that the
 * program itself uses.
 */
#include "session/command.h"
#include "session/session_part.h"
#include "session/help_topic.h"
#include "session/things.h"

#include "base/ascii.h"
#include "base/strbuf.h"
#include "export/export.h"
#include "compat/compat.h"
#include "wsched/wsched.h"

#include <errno.h>
#include <locale.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
	if (strcmp(r->example, r->name) != 0)
		say(s, SAY_RESULT, "    example: %s", r->example);
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

/* Prints below the help of a command what else has its name: a term, a topic of info, and rows of
 * the screen. */
static void
say_related(struct session *s, const char *name)
{
	const char *term = thing_term(name);
	const struct info_row *topic = info_find(name, NULL);

	if (term)
		say_wrapped(s, "    term:", 10, term);
	if (topic && strcmp(topic->name, name) == 0)
		say(s, SAY_RESULT, "    see also: info %s", name);
	help_say_screen(s, name);
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
help_overview(struct session *s)
{
	struct strbuf list = {0};

	say_lines(
		s, SAY_RESULT,
		"First:  run, until CYCLE    run; to a cycle\n"
		"        step, next          one cycle further; to the end of the policy's period\n"
		"        why                 the rule and the numbers of the last decision\n"
		"        info core           the core in focus: limit, CTAs, cycles by class\n"
		"        explain WORD        what a word on the screen or in a table means\n"
		"        reverse-next        back to the end of the period before\n");
	for (unsigned g = 0; g < CMD_GROUPS; g++) {
		struct strbuf names = {0};

		for (unsigned i = 0; i < n_cmd_rows; i++)
			if (cmd_rows[i].group == g)
				sb_printf(&names, "%s%s", names.n ? " " : "", cmd_rows[i].name);
		say_wrapped(s, cmd_group_names[g], 8, text_so_far(s, &names));
		sb_free(&names);
	}
	say(s, SAY_RESULT,
	    "Unique prefixes work. 'help COMMAND' explains a command; 'help GROUP' explains those "
	    "of a group.");
	for (unsigned i = 0; help_topic_name(i); i++)
		sb_printf(&list, "%s%s", i ? " " : "", help_topic_name(i));
	say_wrapped(s, "Topics:", 8, text_so_far(s, &list));
	sb_free(&list);
}

void
complete_help(struct offer *o, const struct before *b ATTR_UNUSED)
{
	offer_commands(o);
	for (unsigned g = 0; g < CMD_GROUPS; g++)
		offer(o, cmd_group_names[g]);
	for (unsigned i = 0; help_topic_name(i); i++)
		offer(o, help_topic_name(i));
}

/* Explains the longest beginning of the text, of two words or more, that is a term or label. */
static bool
explain_longest(struct session *s, const char *text)
{
	char words[80];
	size_t n = strlen(text);
	bool found = false;

	while (n && !found) {
		while (n && text[n - 1] == ' ')
			n--;
		found = n < sizeof(words) && memchr(text, ' ', n) &&
			span_copy((struct span){text, n}, words, sizeof(words)) &&
			thing_is_label(words);
		while (!found && n && text[n - 1] != ' ')
			n--;
	}
	if (found)
		cmd_explain(s, &(struct cmd_args){.word = {words}});
	return found;
}

/* Explains a word that is no command; false: nothing is called so. The beginning of a command's
 * name may be a term. */
static bool
explain_word(struct session *s, const char *word, const struct cmd_row *r)
{
	char text[64];
	bool known = false;

	if (r ? cmd_has_name(r, word) || !thing_is_label(word)
	      : (thing_hint(s, word, &known), !known))
		return false;
	snprintf(text, sizeof(text), "%s", word);
	cmd_explain(s, &(struct cmd_args){.word = {text}});
	return true;
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
	if (explain_longest(s, skip_blanks(a->word[0])))
		return SESSION_OK;
	r = cmd_find(word, &e);
	if ((!r || !cmd_has_name(r, word)) && help_topic_say(s, word))
		return SESSION_OK;
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
	if (explain_word(s, word, r))
		return SESSION_OK;
	if (!r)
		return session_unknown_command(s, word, &e);
	if (r->fn == cmd_info && next_word(&at, word, sizeof(word)))
		return help_info(s, word);
	say_command(s, r);
	say_related(s, r->name);
	if (r->fn == cmd_info)
		return help_info(s, "");
	if (r->fn == cmd_dump)
		for (unsigned i = 0; i < EXPORT_TABLES; i++)
			say_wrapped(s, export_tables[i].name, 12, export_tables[i].help);
	return SESSION_OK;
}

/* ---------------------------------------------------------------- apropos, explain */

struct search {
	struct session *s;
	locale_t ascii; /* the locale of `re`: names and texts have ASCII letters only */
	regex_t re;
	unsigned found;
};

static bool
matches_text(struct search *t, const char *text)
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
match_thing(struct thing_visit *v, const char *kind, const char *name, const char *unit ATTR_UNUSED,
	    const char *help)
{
	struct search *t = v->ctx;
	char line[600];

	if (thing_is_instance(name) || (!matches_text(t, name) && !matches_text(t, help)))
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
tell_matches(struct search *t, const char *re)
{
	locale_t own = uselocale(t->ascii);
	int rc = regcomp(&t->re, re, REG_EXTENDED | REG_ICASE | REG_NOSUB);
	char why[160];

	uselocale(own);
	if (rc) {
		regerror(rc, &t->re, why, sizeof(why));
		return fail(t->s, "apropos: '%.80s': %s", re, why);
	}
	thing_each(&(struct thing_visit){match_thing, t->s, t});
	regfree(&t->re);
	return t->found ? SESSION_OK : fail(t->s, "apropos: nothing matches '%.80s'", re);
}

enum session_status
cmd_apropos(struct session *s, struct cmd_args *a)
{
	const char *large = re_too_large(a->word[0]);
	enum session_status status;
	struct search t = {.s = s};

	if (large)
		return fail(s, "apropos: '%.80s': %s", a->word[0], large);
	t.ascii = newlocale(LC_CTYPE_MASK, "C", (locale_t)0);
	status = t.ascii ? tell_matches(&t, a->word[0]) : fail_memory(s);
	if (t.ascii)
		freelocale(t.ascii);
	return status;
}

struct explained {
	const char *word;
	unsigned found;
	bool is_term, is_command;
	bool by_words; /* the words stand in the name, in any order */
};

/* Values of an option that have a help of their own: the warp schedulers. */
static void
say_choices(struct session *s, const char *key)
{
	const struct opt_row *r = opt_find(config_db(s->config), key, NULL);
	char head[40];

	for (unsigned i = 0; r && r->names == wsched_names && wsched_table[i]; i++) {
		snprintf(head, sizeof(head), "    %s", wsched_table[i]->name);
		say_wrapped(s, head, 10, wsched_table[i]->help);
	}
}

static void
explain_thing(struct thing_visit *t, const char *kind, const char *name, const char *unit,
	      const char *help)
{
	struct explained *x = t->ctx;
	char head[160];

	if (thing_is_instance(name) ||
	    !(x->by_words ? thing_has_words(name, x->word) : thing_is_called(name, unit, x->word)))
		return;
	x->found++;
	if (strcmp(kind, "command") == 0 && x->is_term) {
		x->is_command = true;
		return;
	}
	x->is_term |= strcmp(kind, "term") == 0;
	snprintf(head, sizeof(head), "%s %s%s%s%s", kind, name, *unit ? " (" : "", unit,
		 *unit ? ")" : "");
	say(t->s, SAY_RESULT, "%s", head);
	say_wrapped(t->s, "", 4, help);
	if (strcmp(kind, "option") == 0)
		say_choices(t->s, name);
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
	char list[200] = "", words[80], *value;
	struct explained x = {.word = words};
	bool known;
	size_t n = (size_t)snprintf(words, sizeof(words), "%s", a->word[0]);

	for (n = n < sizeof(words) ? n : sizeof(words) - 1; n > 0 && words[n - 1] == ' '; n--)
		words[n - 1] = '\0';

	thing_each(&(struct thing_visit){explain_thing, s, &x});
	if (!x.found && (value = strpbrk(words, "=")) != NULL) { /* "n=1" on the screen: n */
		while (value > words && value[-1] == ' ')
			value--;
		*value = '\0';
		thing_each(&(struct thing_visit){explain_thing, s, &x});
	}
	if (!x.found && strchr(x.word, ' ')) {
		x.by_words = true;
		thing_each(&(struct thing_visit){explain_thing, s, &x});
	}
	if (!x.found)
		return fail(s, "explain: unknown word '%.60s'%s", x.word,
			    thing_hint(s, x.word, &known).text);
	if (x.is_command)
		say(s, SAY_RESULT, "There is also a command %s: help %s", x.word, x.word);
	if (s->sim && strpbrk(x.word, ".$") && session_get(s, x.word, list, 1))
		say_value(s, x.word);
	return SESSION_OK;
}
