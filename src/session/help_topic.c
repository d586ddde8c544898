/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * help_topic.c - the pages of help that are of no command: topics, and a page for each policy.
 *
 * To add a topic, write its function and add a row to `topics`.
 */
#include "session/help_topic.h"

#include "base/ascii.h"
#include "compat/compat.h"

#include <stdio.h>
#include <string.h>

void
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
help_events(struct session *s)
{
	for (unsigned i = 0; i < EV_KINDS; i++)
		say_wrapped(s, event_rows[i].name, 18, event_rows[i].help);
}

static void
say_variable(void *ctx, const char *name, const char *help)
{
	if (strstr(help, "a number of the rule") == NULL)
		say_wrapped(ctx, name, 16, help);
}

static void
help_expressions(struct session *s)
{
	unsigned n;
	const struct eval_function *f = eval_functions(&n);

	say_lines(
		s, SAY_RESULT,
		"C-like expressions over dotted paths: core.5.ract < 0.4 && credits.local.5 == 0\n"
		"core.*.n is a vector; a condition holds if it holds for any element\n"
		"core.5.kernel.2.n is of kernel 2, where several kernels run at once; core.5.n is "
		"of "
		"the oldest one with CTAs on the core\n"
		"unknown is not zero: results computed from it are unknown, conditions on it fail\n"
		"numbers: 42, 1_000, 10k, 2M, 0x2a, 0.4\n"
		"operators: ?: || && == != < <= > >= + - * / % !");
	for (unsigned i = 0; i < n; i++)
		say_wrapped(s, f[i].name, 16, f[i].help);
	session_each_variable(s, say_variable, s);
	say_wrapped(s, "$x", 16,
		    "your own variable: set $x = EXPR; $x.3 is an element of a vector");
	say_wrapped(s, "core.$x.n", 16,
		    "element $x of core.*.n; core.$focus.n is that of the core in focus");
	say_wrapped(s, "$NAME", 16,
		    "a number of the rule of the event stopped at or asked about, such as $c_mem");
}

static void
help_policies(struct session *s)
{
	unsigned n;
	const struct cta_sched_ops *const *ops = config_policies(s->config, &n);

	for (unsigned i = 0; i < n; i++)
		say_wrapped(s, ops[i]->name, 11, ops[i]->help);
	say(s, SAY_RESULT, "Stacks: %s. See also show option NAME.", cta_sched_example);
	say(s, SAY_RESULT, "Your own policy is a file, ./mine.so: see man ctascope-policy.");
}

static void
help_options(struct session *s)
{
	say_lines(s, SAY_RESULT,
		  "set NAME VALUE changes an option, show option NAME lists those that begin with "
		  "NAME,\n"
		  "explain NAME describes one. The last part of a name is enough where it is "
		  "unique.\n"
		  "At cycle 0 every option may change, later only those marked as live.");
}

static void
help_files(struct session *s)
{
	say_lines(s, SAY_RESULT,
		  "$XDG_CONFIG_HOME/ctascope/config    commands executed at the start (-n leaves "
		  "them out)\n"
		  "$XDG_STATE_HOME/ctascope/history    the commands you typed\n"
		  "$XDG_STATE_HOME/ctascope/autosave-*  an interrupted session: --resume\n"
		  "$XDG_STATE_HOME/ctascope/lessons    your progress in the lessons\n"
		  "$XDG_DATA_HOME/ctascope/            your own machines, themes, traces, lessons");
}

static void
help_user_defined(struct session *s)
{
	user_help(s, NULL);
}

static void
say_row(void *to, const char *name, const char *help)
{
	say_wrapped(to, name, 12, help);
}

void
session_set_screen_help(struct session *s, session_help_fn *fn)
{
	s->screen_help = fn;
}

void
help_say_screen(struct session *s, const char *of)
{
	if (s->screen_help)
		s->screen_help(of, say_row, s);
}

static void
help_keys(struct session *s)
{
	say(s, SAY_RESULT, "Keys of the screen, which `bind` changes; ? shows them there:");
	help_say_screen(s, "keys");
}

static void
help_layouts(struct session *s)
{
	say(s, SAY_RESULT, "Arrangements of panes on the screen, for `layout NAME`:");
	help_say_screen(s, "layout");
}

static void
help_panes(struct session *s)
{
	say(s, SAY_RESULT, "Panes of the screen, for `pane NAME`:");
	help_say_screen(s, "pane");
}

static int
say_machine(void *ctx, const char *name, const char *title)
{
	say_row(ctx, name, title);
	return 0;
}

static void
help_machines(struct session *s)
{
	say(s, SAY_RESULT,
	    "Machines, for `workload NAME STACK MACHINE` or -m MACHINE; this run is on %s:",
	    config_machine_name(s->config));
	config_each_machine(say_machine, s);
	say(s, SAY_RESULT, "Your own machine is a file, my.machine: see man ctascope-model.");
}

static void
help_workloads(struct session *s)
{
	say_lines(s, SAY_RESULT,
		  "`ctascope --list-workloads` lists the workloads, `workload NAME` loads one,\n"
		  "`ctascope record` records your own program: see man ctascope-record.");
}

static const struct {
	const char *name;
	void (*fn)(struct session *s);
} topics[] = {{"events", help_events},
	      {"expressions", help_expressions},
	      {"options", help_options},
	      {"policies", help_policies},
	      {"machines", help_machines},
	      {"workloads", help_workloads},
	      {"keys", help_keys},
	      {"layouts", help_layouts},
	      {"panes", help_panes},
	      {"files", help_files},
	      {"user-defined", help_user_defined}};

const char *
help_topic_name(unsigned i)
{
	return i < ARRAY_LEN(topics) ? topics[i].name : NULL;
}

/* Whether the n characters of text end in the word w, as "C_mem " ends in c_mem. */
static bool
ends_in_word(const char *text, size_t n, const char *w, size_t length)
{
	while (n && text[n - 1] == ' ')
		n--;
	return n >= length && ascii_same_start(text + n - length, w, length) &&
	       (n == length || text[n - length - 1] == ' ');
}

void
rule_without_values(const struct rule *r, char *text, size_t size)
{
	size_t n = 0;

	for (const char *p = r->says; *p && n + 1 < size; p++) {
		size_t length, named;

		if (*p != '{') {
			text[n++] = *p;
			continue;
		}
		length = named = strcspn(++p, "}");
		if (length > 6 && strncmp(p + length - 6, "_milli", 6) == 0)
			named -= 6;
		if (ends_in_word(text, n, p, named) || strncmp(p, "outcome", 7) == 0)
			while (n && (text[n - 1] == ' ' || text[n - 1] == ','))
				n--;
		else
			for (size_t i = 0; i < named && n + 1 < size; i++)
				text[n++] = ascii_upper(p[i]);
		p += length;
		if (!*p)
			break;
	}
	text[n] = '\0';
}

/* The page of a policy: what it does, its rules and its parameters. */
static void
say_policy(struct session *s, const struct cta_sched_ops *o)
{
	char use[200];

	snprintf(use, sizeof(use),
		 "set policy %s, or %s:PARAMETER=VALUE,...; -p on the command line. Parameters:",
		 o->name, o->name);
	say_wrapped(s, o->name, 11, o->help);
	say_wrapped(s, "use", 11, use);
	for (unsigned i = 0; i < o->n_opts; i++) {
		char key[128], value[64] = "", text[400];

		snprintf(key, sizeof(key), "%s.%s", o->name, o->opts[i].name);
		opt_get(config_db(s->config), key, value, sizeof(value), NULL);
		snprintf(text, sizeof(text), "%s%s%s: %s", value, *o->opts[i].unit ? " " : "",
			 o->opts[i].unit, o->opts[i].help);
		say_wrapped(s, o->opts[i].name, 14, text);
	}
	for (unsigned i = 0; i < o->n_rules; i++) {
		char head[80], text[300];

		snprintf(head, sizeof(head), "rule %s ", o->rules[i].name);
		rule_without_values(&o->rules[i], text, sizeof(text));
		say_wrapped(s, head, 24, text);
	}
}

bool
help_topic_say(struct session *s, const char *word)
{
	unsigned n;
	const struct cta_sched_ops *const *ops = config_policies(s->config, &n);

	for (unsigned i = 0; i < ARRAY_LEN(topics); i++) {
		if (strcmp(word, topics[i].name) == 0) {
			topics[i].fn(s);
			return true;
		}
	}
	for (unsigned i = 0; i < n; i++) {
		if (strcmp(word, ops[i]->name) == 0) {
			say_policy(s, ops[i]);
			return true;
		}
	}
	return false;
}
