/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * docgen.c - fills the tables of the manual pages from the rows the program itself uses.
 *
 *     docgen ctascope.1.in > ctascope.1
 *
 * Copies its input; a line that is only @NAME@ becomes the table of that name (tables[] below),
 * @PANE_PAGES@ a page for each pane, @POLICY:NAME@ that of one policy, @CLI:NAME@ the options of a
 * command line (docgen_cmdline.c), and a word such as @VERSION@ inside a line its text (word()
 * below). So an option, event, command or value added as a row is in
 * the manual with the next build, and cannot be forgotten there. Machines are those that the
 * program would find.
 */
#include "ctascope/cta_sched.h"

#include "base/ascii.h"
#include "ctascope/event.h"
#include "ctascope/pane.h"
#include "ctascope/sim.h"
#include "tools/docgen.h"
#include "tui/heat.h"
#include "tui/keys.h"
#include "tui/layout.h"
#include "tui/panes.h"
#include "wsched/wsched.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
put(const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", stdout);
	for (; *text; text++) {
		if (*text == '\\')
			fputs("\\e", stdout);
		else if (*text == '-')
			fputs("\\-", stdout);
		else if (*text == '`')
			fputs("\\(ga", stdout);
		else if (*text == '^')
			fputs("\\(ha", stdout);
		else if (*text == '"')
			fputs("\\(dq", stdout);
		else
			putchar(*text);
	}
}

void
entry(const char *name, const char *rest, const char *help)
{
	fputs(".TP\n.BR \"", stdout);
	put(name);
	fputs("\" \"", stdout);
	if (*rest) {
		putchar(' ');
		put(rest);
	}
	fputs("\"\n", stdout);
	put(help);
	putchar('\n');
}

static void
one_option(void *ctx, const char *key, const struct opt_group *g, const struct opt_row *r)
{
	const struct optdb *db = ctx;
	char now[128] = "", rest[512];
	size_t n;

	opt_get(db, key, now, sizeof(now), NULL);
	n = (size_t)snprintf(rest, sizeof(rest), "= %s%s%s", now, *r->unit ? " " : "", r->unit);
	if (r->type == OPT_T_enum) {
		for (unsigned i = 0; r->names[i] && n < sizeof(rest); i++)
			n += (size_t)snprintf(rest + n, sizeof(rest) - n, "%s%s", i ? "|" : "  (",
					      r->names[i]);
		if (n < sizeof(rest))
			snprintf(rest + n, sizeof(rest) - n, ")");
	} else if (r->type != OPT_T_bool) {
		snprintf(rest + n, sizeof(rest) - n, "  (%.10g to %.10g)", r->min, r->max);
	}
	entry(key, rest, r->help);
	if (opt_is_live(g, r))
		puts("(may be changed during a run)");
}

static struct config *
defaults(void)
{
	struct config *c = config_new();

	if (!c) {
		fputs("docgen: out of memory\n", stderr);
		exit(1);
	}
	return c;
}

static void
options_table(void)
{
	struct config *c = defaults();

	opt_each(config_db_const(c), one_option, config_db(c));
	config_free(c);
}

/* The commands and the topics of `info`, straight from their rows: this needs no front end. */
struct command {
	const char *group, *name, *aliases, *usage, *help;
};

static const struct command commands[] = {
#define CMD(name, aliases, group, letters, usage, complete, flags, fn, help, example) \
	{#group, name, aliases, usage, help},
#define SCREEN(name, flags, usage, complete, words, fn, help, example) \
	{"G_SCREEN", name, "", usage, help},
#include "session/commands.def"
};

static const struct command topics[] = {
#define INFO(name, usage, complete, needs, fn, help) {"", name, "", usage, help},
#include "session/commands.def"
};

static void
commands_table(void)
{
	const char *group = "";

	for (unsigned i = 0; i < ARRAY_LEN(commands); i++) {
		const struct command *c = &commands[i];
		char rest[256];

		if (strcmp(group, c->group) != 0) {
			group = c->group;
			fputs(".SS ", stdout);
			for (const char *p = group + strlen("G_"); *p; p++)
				putchar(p == group + 2 ? *p : ascii_lower(*p));
			putchar('\n');
		}
		snprintf(rest, sizeof(rest), "%s%s%s%s", c->usage, *c->aliases ? "  (also: " : "",
			 c->aliases, *c->aliases ? ")" : "");
		entry(c->name, rest, c->help);
	}
}

static void
topics_table(void)
{
	for (unsigned i = 0; i < ARRAY_LEN(topics); i++) {
		char name[64];

		snprintf(name, sizeof(name), "info %s", topics[i].name);
		entry(name, topics[i].usage, topics[i].help);
	}
}

/* ---------------------------------------------------------------- the glossary */

/* The words that `explain` defines beyond the names of values, events and options. */
static struct definition {
	const char *word, *text;
} definitions[] = {
#define LABEL(word, text) {word, text},
#define TERM(word, text) {word, text},
#include "session/labels.def"
};

static int
by_word(const void *a, const void *b)
{
	const char *x = ((const struct definition *)a)->word,
		   *y = ((const struct definition *)b)->word;
	size_t i = 0;

	while (x[i] && ascii_lower(x[i]) == ascii_lower(y[i]))
		i++;
	return x[i] || y[i] ? ascii_lower(x[i]) - ascii_lower(y[i]) : strcmp(x, y);
}

static void
glossary_table(void)
{
	qsort(definitions, ARRAY_LEN(definitions), sizeof(definitions[0]), by_word);
	for (unsigned i = 0; i < ARRAY_LEN(definitions); i++)
		entry(definitions[i].word, "", definitions[i].text);
}

/* ---------------------------------------------------------------- the screen */

static void
panes_table(void)
{
	for (unsigned i = 0; pane_table[i]; i++)
		if (pane_is_of(pane_table[i], WHEN_ALWAYS))
			entry(pane_table[i]->name, pane_table[i]->arg ? pane_table[i]->arg : "",
			      pane_table[i]->help);
}

static void
strips_text(void)
{
	put(heat_read);
	putchar('\n');
}

static void
layouts_table(void)
{
	for (unsigned i = 0; i < n_layout_rows; i++)
		entry(layout_rows[i].name, "", layout_rows[i].help);
}

static void
keys_table(void)
{
	for (unsigned i = 0; i < n_key_rows; i++)
		if (key_rows[i].help[0] && key_rows[i].when & WHEN_ALWAYS)
			entry(key_rows[i].name, "", key_rows[i].help);
}

static void
events_table(void)
{
	for (unsigned i = 0; i < EV_KINDS; i++)
		entry(event_rows[i].name, "", event_rows[i].help);
}

static void
policies_table(void)
{
	unsigned n;
	const struct cta_sched_ops *const *list = cta_sched_list(&n);

	for (unsigned i = 0; i < n; i++)
		entry(list[i]->name, "", list[i]->help);
}

static void
warp_schedulers_table(void)
{
	for (unsigned i = 0; wsched_table[i]; i++)
		entry(wsched_table[i]->name, "", wsched_table[i]->help);
}

static void
values_table(void)
{
	for (unsigned i = 0; i < n_view_rows; i++) {
		char path[160], rest[96];
		const struct view_row *v = &view_rows[i];

		snprintf(path, sizeof(path), "%s%s.%s", strcmp(v->group, "sub") == 0 ? "core." : "",
			 strcmp(v->group, "kernels") == 0	? "kernel.K"
			 : strcmp(v->group, "core_kernel") == 0 ? "core.kernel.K"
								: v->group,
			 v->field);
		snprintf(rest, sizeof(rest), "%s%s%s%s", *v->unit ? "[" : "", v->unit,
			 *v->unit ? "]" : "", v->counter ? " counter" : "");
		entry(path, rest, v->help);
	}
}

static void
series(const char *what, const struct series_row *rows, unsigned n)
{
	printf(".SS %s\n", what);
	for (unsigned i = 0; i < n; i++) {
		char rest[96];

		snprintf(rest, sizeof(rest), "%s%s%s", *rows[i].unit ? "[" : "", rows[i].unit,
			 *rows[i].unit ? "]" : "");
		entry(rows[i].name, rest, rows[i].help);
	}
}

static void
series_table(void)
{
	series("Per core", series_core_rows, SC_FIELDS);
	series("Per memory channel", series_mem_rows, SM_FIELDS);
	series("Whole GPU", series_gpu_rows, SG_FIELDS);
}

/* ---------------------------------------------------------------- one policy */

/* All parameters of policies may be changed during a run: the page says it once. */
static void
parameters(const struct cta_sched_ops *o)
{
	struct config *c = defaults();

	for (unsigned i = 0; i < o->n_opts; i++) {
		char key[96];

		snprintf(key, sizeof(key), "%s.%s", o->name, o->opts[i].name);
		one_option(config_db(c), key, &(struct opt_group){.live = false}, &o->opts[i]);
	}
	config_free(c);
}

/* The first policy in front of list[k] that has its rules, or its fields; NULL: none. */
static const char *
same(const struct cta_sched_ops *const *list, unsigned k, bool rules)
{
	for (unsigned i = 0; i < k; i++)
		if (rules ? list[k]->rules && list[i]->rules == list[k]->rules
			  : list[k]->fields && list[i]->fields == list[k]->fields)
			return list[i]->name;
	return NULL;
}

static void
fields(const struct cta_sched_ops *o, const char *as)
{
	if (as)
		printf(".PP\nIts fields are those of\n.BR %s .\n", as);
	for (unsigned i = 0; !as && i < o->n_fields; i++) {
		const struct cta_field *f = &o->fields[i];
		char path[96], rest[96];

		snprintf(path, sizeof(path), "policy.%s.%s%s", o->name, f->name,
			 f->per_core ? ".*" : "");
		snprintf(rest, sizeof(rest), "%s%s%s", *f->unit ? "[" : "", f->unit,
			 *f->unit ? "]" : "");
		entry(path, rest, f->help);
	}
}

/* What it weighs, with the names of the thresholds. */
static void
gauges(const struct cta_sched_ops *o, const char *as)
{
	for (unsigned i = 0; !as && i < o->n_gauges; i++) {
		const struct cta_gauge *g = &o->gauges[i];
		char rest[96];

		snprintf(rest, sizeof(rest), "[%s]%s%s%s%s", g->unit, g->low ? ", low: " : "",
			 g->low ? g->low : "", g->high ? ", high: " : "", g->high ? g->high : "");
		entry(g->name, rest, g->help);
	}
}

static void
sentences(const struct cta_sched_ops *o, const char *as)
{
	if (as)
		printf(".PP\nIts sentences are those of\n.BR %s .\n", as);
	for (unsigned i = 0; !as && i < o->n_rules; i++)
		entry(o->rules[i].name, "", o->rules[i].says);
}

static void
policy_table(const char *name)
{
	unsigned n, k = 0;
	const struct cta_sched_ops *const *list = cta_sched_list(&n), *o;

	while (k < n && strcmp(list[k]->name, name) != 0)
		k++;
	if (k == n) {
		fprintf(stderr, "docgen: no policy is called '%s'\n", name);
		exit(1);
	}
	o = list[k];
	parameters(o);
	fields(o, same(list, k, false));
	gauges(o, same(list, k, false));
	sentences(o, same(list, k, true));
}

/* ---------------------------------------------------------------- machines */

#define MOST_MACHINES 64
static struct {
	char *name[MOST_MACHINES];
	struct config *config[MOST_MACHINES];
	unsigned n;
} machines;

/* "name: value" of each machine whose value is another. */
static void
differences(void *ctx, const char *key, const struct opt_group *g, const struct opt_row *r)
{
	const struct optdb *db = ctx;
	char now[128] = "", rest[192], value[128], said[64] = ":";

	(void)g;
	opt_get(db, key, now, sizeof(now), NULL);
	for (unsigned i = 0; i < machines.n; i++) {
		opt_get(config_db_const(machines.config[i]), key, value, sizeof(value), NULL);
		if (strcmp(value, now) == 0)
			continue;
		if (said[0]) {
			snprintf(rest, sizeof(rest), "= %s%s%s", now, *r->unit ? " " : "", r->unit);
			printf(".TP\n.BR \"%s\" \" %s\"\n", key, rest);
		}
		printf("%s%s %s", said[0] ? "" : ",\n", machines.name[i], value);
		said[0] = '\0';
	}
	if (!said[0])
		putchar('\n');
}

static int
one_machine(void *ctx, const char *name, const char *title)
{
	(void)ctx;
	entry(name, "", title);
	return 0;
}

static void
machines_table(void)
{
	config_each_machine(one_machine, NULL);
}

static int
load_machine(void *ctx, const char *name, const char *title)
{
	struct err e = {0};
	unsigned i = machines.n;

	(void)ctx;
	(void)title;
	if (i == MOST_MACHINES || !(machines.name[i] = strdup(name))) {
		fprintf(stderr, "docgen: no room for the machine %s\n", name);
		exit(1);
	}
	machines.config[i] = defaults();
	if (config_machine(machines.config[i], name, &e) < 0) {
		fprintf(stderr, "docgen: %s\n", e.msg);
		exit(1);
	}
	machines.n++;
	return 0;
}

static void
machine_values_table(void)
{
	struct config *c = defaults();

	config_each_machine(load_machine, NULL);
	opt_each(config_db_const(c), differences, config_db(c));
	while (machines.n--) {
		config_free(machines.config[machines.n]);
		free(machines.name[machines.n]);
	}
	config_free(c);
}

static const struct table {
	const char *name;
	void (*print)(void);
} tables[] = {
	{"@OPTIONS@", options_table},	    {"@COMMANDS@", commands_table},
	{"@PANES@", panes_table},	    {"@LAYOUTS@", layouts_table},
	{"@STRIPS@", strips_text},	    {"@KEYS@", keys_table},
	{"@TOPICS@", topics_table},	    {"@EVENTS@", events_table},
	{"@POLICIES@", policies_table},	    {"@WARP_SCHEDULERS@", warp_schedulers_table},
	{"@VALUES@", values_table},	    {"@SERIES@", series_table},
	{"@MACHINES@", machines_table},	    {"@MACHINE_VALUES@", machine_values_table},
	{"@COMPLETION@", completion_table}, {"@FISH@", fish_table},
	{"@GLOSSARY@", glossary_table},
};

/* A word inside a line, at most one per line. */
static const char *
word(const char *name, char *buf, size_t size)
{
	size_t n = 0;

	if (strcmp(name, "@VERSION@") == 0)
		return PACKAGE_VERSION;
	if (strcmp(name, "@CTA_SCHED_ABI@") == 0) {
		snprintf(buf, size, "%d", (int)CTA_SCHED_ABI);
		return buf;
	}
	if (strcmp(name, "@PKGDATADIR@") == 0)
		return PKGDATADIR;
	if (strcmp(name, "@WARP_NAMES@") != 0)
		return NULL;
	for (unsigned i = 0; wsched_table[i] && n < size; i++)
		n += (size_t)snprintf(buf + n, size - n, "%s%s", i ? " " : "",
				      wsched_table[i]->name);
	return buf;
}

static void
fill_line(const char *page, const char *line, FILE *in)
{
	const char *open = strchr(line, '@'), *close = open ? strchr(open + 1, '@') : NULL, *text;
	char name[32], buf[256];

	for (unsigned i = 0; i < ARRAY_LEN(tables); i++)
		if (strcmp(line, tables[i].name) == 0) {
			tables[i].print();
			return;
		}
	if (strcmp(line, "@PANE_PAGES@") == 0) {
		pane_pages(page);
		return;
	}
	if (strncmp(line, "@CLI:", 5) == 0 && close && !close[1]) {
		snprintf(name, sizeof(name), "%.*s", (int)(close - line - 5), line + 5);
		cmdline_table(name, in);
		return;
	}
	if (strncmp(line, "@POLICY:", 8) == 0 && close && !close[1]) {
		snprintf(name, sizeof(name), "%.*s", (int)(close - line - 8), line + 8);
		policy_table(name);
		return;
	}
	if (close && (size_t)(close + 1 - open) < sizeof(name)) {
		snprintf(name, sizeof(name), "%.*s", (int)(close + 1 - open), open);
		text = word(name, buf, sizeof(buf));
		if (text) {
			printf("%.*s%s%s\n", (int)(open - line), line, text, close + 1);
			return;
		}
	}
	puts(line);
}

int
main(int argc, char **argv)
{
	char line[1024];
	FILE *in = argc == 2 ? fopen(argv[1], "r") : NULL;

	if (!in) {
		fprintf(stderr, "docgen: %s\n",
			argc == 2 ? strerror(errno) : "usage: docgen PAGE.in");
		return 2;
	}
	while (fgets(line, sizeof(line), in)) {
		line[strcspn(line, "\n")] = '\0';
		fill_line(argv[1], line, in);
	}
	fclose(in);
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
