/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_quiz.c - ctascope quiz: questions about a run, asked, printed with answers, or as a sheet.
 */
#include "base/clock.h"
#include "base/foreign.h"
#include "base/memory.h"
#include "base/report.h"
#include "cli/cli_part.h"
#include "ctascope/sim.h"
#include "teach/quiz.h"

#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum form { FORM_ASK, FORM_ANSWERS, FORM_SHEET, FORM_JSON };

struct quiz_args {
	const char *kind, *policy, *machine;
	uint64_t seed, n;
	enum quiz_level level;
	enum form form;
	struct cli_arg *option; /* -o, in the order given */
	unsigned n_options;
};

static int
add_option(void *args, const struct cmd_option *o ATTR_UNUSED, const char *text,
	   struct err *e ATTR_UNUSED)
{
	struct quiz_args *k = args;

	k->option = array_grow(k->option, k->n_options, sizeof(*k->option));
	k->option[k->n_options++] = (struct cli_arg){ARG_OPTION, text};
	return 0;
}

static const struct cmd_option options[] = {
	CMD_COUNT("seed", 's', "SEED", struct quiz_args, seed, 1, UINT64_MAX - 1,
		  "draw the questions of this seed: the same everywhere (by default another one "
		  "each time)"),
	CMD_COUNT("questions", 'n', "N", struct quiz_args, n, 1, 1000, "how many (5)"),
	CMD_TEXT("kind", 'k', "KIND", struct quiz_args, kind,
		 "about the decisions of this policy; occupancy: how many CTAs fit on a core; "
		 "class: why a core did not issue"),
	CMD_CHOICE("level", 'l', "normal|easy|hard", struct quiz_args, level, 0,
		   "state the counters 512, 128 or 1,024 cycles before the end of a period; hard "
		   "leaves out the thresholds (normal)"),
	CMD_TEXT("policy", 'p', "STACK", struct quiz_args, policy,
		 "run under this policy stack (the policy of -k)"),
	CMD_TEXT("machine", 'm', "MACHINE", struct quiz_args, machine, "on this machine"),
	CMD_TAKE("option", 'o', "KEY=VALUE", add_option, 0, "set an option of the machine"),
	CMD_SET("answers", 'c', struct quiz_args, form, FORM_ANSWERS,
		"print the questions with their answers"),
	CMD_SET("sheet", 0, struct quiz_args, form, FORM_SHEET,
		"print a sheet to hand out and, on a page of its own, a key"),
	CMD_SET("json", 0, struct quiz_args, form, FORM_JSON,
		"print questions and answers as JSON"),
	CMD_HELP,
	CMD_END,
};

const struct cmdline cli_quiz_cmdline = {
	.name = "quiz",
	.usage = "quiz [OPTION...] WORKLOAD",
	.about = "Ask about a run: the workload runs once, and questions are drawn from its "
		 "decisions,\n"
		 "evenly over their rules, or from its cycles. Type an answer after '>'.\n"
		 "About a run that you watch on the screen, the command quiz asks there.\n",
	.section = {{NULL, options}},
};

static int
set_option(struct config *c, const char *text, struct err *e)
{
	const char *equal = strchr(text, '=');
	char key[128];

	if (!equal || (size_t)(equal - text) >= sizeof(key))
		return err_set(e, "-o %.80s: expected KEY=VALUE", text);
	snprintf(key, sizeof(key), "%.*s", (int)(equal - text), text);
	return opt_set(config_db(c), key, equal + 1, e);
}

static bool
is_policy(const char *kind)
{
	return kind && strcmp(kind, QUIZ_OCCUPANCY) != 0 && strcmp(kind, QUIZ_CLASS) != 0;
}

/* The first policy that pauses CTAs, for a quiz that names none. */
static const char *
usual_policy(const struct config *c)
{
	unsigned n;
	const struct cta_sched_ops *const *ops = config_policies(c, &n);

	for (unsigned i = 0; i < n; i++)
		if (ops[i]->pauses && ops[i]->decide && ops[i]->n_gauges)
			return ops[i]->name;
	return config_policy_text(c);
}

/* Is the kind a policy of the stack? -k must name one, or the quiz would be empty. */
static int
check_kind(const struct config *c, const char *kind, struct err *e)
{
	unsigned n;
	const struct cta_sched_ops *const *ops = config_stack(c, &n);

	for (unsigned i = 0; i < n; i++)
		if (strcmp(ops[i]->name, kind) == 0)
			return 0;
	return err_set(e, "-k %.60s: the stack %s has no such policy; name one of it, %s or %s",
		       kind, config_policy_text(c), QUIZ_OCCUPANCY, QUIZ_CLASS);
}

static int
set_up_run(struct config *c, const struct quiz_args *k, struct err *e)
{
	const char *policy = k->policy;

	config_set_try(c, foreign_try);
	if (k->machine && config_machine(c, k->machine, e))
		return -1;
	for (unsigned i = 0; i < k->n_options; i++)
		if (set_option(c, k->option[i].text, e))
			return -1;
	if (!policy)
		policy = is_policy(k->kind) ? k->kind : k->kind ? NULL : usual_policy(c);
	if (policy && config_policy(c, policy, e))
		return -1;
	return is_policy(k->kind) ? check_kind(c, k->kind, e) : 0;
}

static int
hold_quiz(const struct quiz_args *k, struct config *c, struct trace *t, struct err *e)
{
	uint64_t seed = k->seed ? k->seed : 1 + (uint64_t)(clock_seconds() * 1e6) % 1000000;
	struct quiz *q = quiz_new(c, t, k->kind, k->level, e);

	if (!q)
		return -1;
	quiz_draw(q, seed, k->n ? (unsigned)k->n : 5);
	if (k->form == FORM_JSON)
		quiz_print_json(q, stdout);
	else if (k->form == FORM_SHEET)
		quiz_print_sheet(q, stdout);
	else if (k->form == FORM_ANSWERS)
		quiz_print(q, stdout, true);
	else
		quiz_ask(q, stdout);
	quiz_free(q);
	return 0;
}

int
cli_quiz(int argc, char **argv, const struct cli_front *f ATTR_UNUSED)
{
	struct quiz_args k = {0};
	struct err e = {0};
	struct config *c = NULL;
	struct trace *t = NULL;
	char path[PATH_MAX];
	int first, status = 1, rc = cmdline_read(&cli_quiz_cmdline, argc, argv, &k, &first);

	if (rc >= 0) {
		free(k.option);
		return rc;
	}
	if (argc - first != 1) {
		free(k.option);
		return cmdline_usage(&cli_quiz_cmdline, "expected one workload, found %d",
				     argc - first);
	}
	setlocale(LC_CTYPE, "");
	c = memory_kept(config_new());
	if (set_up_run(c, &k, &e))
		status = report_error(&e, 2);
	else if (cli_find_workload(argv[first], path, sizeof(path), &e) ||
		 !(t = trace_open(path, &e)) || hold_quiz(&k, c, t, &e))
		status = report_error(&e, 1);
	else
		status = 0;
	trace_close(t);
	config_free(c);
	free(k.option);
	return status;
}
