/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_lesson.c - ctascope lesson: opens a lesson, lists the lessons, or checks that none is stale.
 */
#include "base/number.h"
#include "base/report.h"
#include "cli/cli_part.h"
#include "teach/handin.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct lesson_args {
	const char *script;
	const char *seed, *student, *hand_in, *key;
	bool list, check, batch, no_init;
	enum cli_mode tui, color;
	struct cli_screen look;
};

static const struct cmd_option options[] = {
	CMD_FLAG("list", 0, struct lesson_args, list, "list the lessons and your progress"),
	CMD_FLAG_OF("check", 0, "LESSON...", struct lesson_args, check,
		    "play the reference solutions, and fail if a lesson no longer agrees with the "
		    "model"),
	CMD_FLAG("batch", 'b', struct lesson_args, batch,
		 "no prompt: read commands and answers from -x or standard input, and print a line "
		 "per task at the end"),
	CMD_TEXT("seed", 0, "N", struct lesson_args, seed,
		 "seed of the numbers that vary from student to student; with --check, play only "
		 "these (0: the author's numbers)"),
	CMD_TEXT("hand-in", 0, "FILE", struct lesson_args, hand_in,
		 "write your work into this file, to hand in; continue it if it exists"),
	CMD_TEXT("student", 0, "STUDENT", struct lesson_args, student,
		 "your ID, which determines your numbers"),
	CMD_TEXT("class", 0, "KEY", struct lesson_args, key,
		 "the key of the course, if it has one; or use --seed N with the seed that you "
		 "were given"),
	CMD_TEXT("command", 'x', "FILE", struct lesson_args, script,
		 "execute a file of commands and answers"),
	CMD_FLAG("no-init", 'n', struct lesson_args, no_init,
		 "do not read $XDG_CONFIG_HOME/ctascope/config"),
	CMD_CHOICE("tui", 0, "[=auto|always|never]", struct lesson_args, tui, TUI_ALWAYS,
		   "show the full screen (auto: on a terminal; never with --hand-in)"),
	CLI_COLOR(struct lesson_args),
	CLI_LOOK(struct lesson_args),
	CMD_HELP,
	CMD_END,
};

const struct cmdline cli_lesson_cmdline = {
	.name = "lesson",
	.usage = "lesson [OPTION...] [ID|FILE]\n"
		 "lesson --student ID --hand-in FILE LESSON\n"
		 "lesson --list\n"
		 "lesson --check [ID|FILE...]",
	.about = "Open a lesson: pages with tasks and questions that ctascope checks. Without a "
		 "name\n"
		 "it is the first one that is not complete. A name may be shortened: lesson 5.\n",
	.section = {{NULL, options}},
	.tail = "Exit status: 0 done; with --batch 3 if a task or question is not done; with "
		"--check\n"
		"1 if a lesson is stale.\n",
};

/* ---------------------------------------------------------------- checking */

struct check {
	const struct lesson_seed *seed; /* NULL: not given */
	unsigned stale;
};

static int
check_one(void *ctx, const char *id, const char *path)
{
	unsigned tasks = 0, questions = 0;
	struct check *c = ctx;
	struct err e = {0};

	if (teach_check(path, c->seed, &tasks, &questions, &e)) {
		report_error(&e, 1);
		c->stale++;
	} else {
		printf("ok %s: %u tasks, %u questions\n", id, tasks, questions);
		fflush(stdout);
	}
	return 0;
}

static int
check_lessons(const struct lesson_seed *seed, char **name, int n)
{
	struct check c = {seed, 0};
	int rc = 0;

	for (int i = 0; i < n; i++)
		check_one(&c, name[i], name[i]);
	if (n == 0)
		rc = teach_each(check_one, &c);
	return rc || c.stale ? 1 : 0;
}

/* ---------------------------------------------------------------- opening */

/* Returns the command that opens the lesson, for the screen to begin with. */
static const char *
lesson_command(const char *name, const struct lesson_seed *seed, char *buf, size_t size)
{
	char number[40] = "";

	if (seed)
		snprintf(number, sizeof(number), " --seed %" PRIu64, seed->value);
	if (name)
		snprintf(buf, size, "lesson \"%.4000s\"%s", name, number);
	else
		snprintf(buf, size, "lesson");
	return buf;
}

static int
open_lesson(const struct lesson_args *k, const struct lesson_seed *seed, const char *name,
	    const struct cli_front *f)
{
	struct cli_args a = {.batch = k->batch,
			     .keep_going = true,
			     .no_init = k->no_init || k->hand_in, /* a replay knows no config */
			     /* what is handed in is a record of typed lines, not of keys */
			     .tui = k->tui == TUI_AUTO && k->hand_in ? TUI_NEVER : k->tui,
			     .color = k->color,
			     .screen = k->look,
			     .teaches = true,
			     .lists_lessons = k->list,
			     .lesson = name,
			     .seed = seed,
			     .hand_in = k->hand_in,
			     .student = k->student};
	char first[4200];

	if (a.tui != TUI_NEVER && !k->hand_in && !k->list)
		a.screen.first = lesson_command(name, seed, first, sizeof(first));
	if (k->script)
		cli_append(&a, ARG_SCRIPT, k->script);
	return cli_start(&a, f);
}

int
cli_lesson(int argc, char **argv, const struct cli_front *f)
{
	struct lesson_args k = {0};
	struct lesson_seed number, *seed = NULL;
	int first, rc = cmdline_read(&cli_lesson_cmdline, argc, argv, &k, &first);

	if (rc >= 0)
		return rc;
	if (k.list && (k.check || first < argc))
		return cmdline_usage(&cli_lesson_cmdline, "--list takes no lesson");
	if (k.batch && k.tui == TUI_ALWAYS)
		return cmdline_usage(&cli_lesson_cmdline, "--batch and --tui exclude each other");
	if (k.seed && number_count(k.seed, &number.value))
		return cmdline_usage(&cli_lesson_cmdline, "--seed expects a number, found '%.40s'",
				     k.seed);
	if (k.seed)
		seed = &number;
	if (!k.hand_in != !k.student)
		return cmdline_usage(&cli_lesson_cmdline,
				     "--hand-in and --student need each other");
	if (k.hand_in && (first == argc || k.check || k.list))
		return cmdline_usage(&cli_lesson_cmdline, "--hand-in needs a lesson");
	if (k.hand_in && !seed) {
		number.value = handin_seed(k.student, k.key ? k.key : "");
		seed = &number;
	}
	if (k.check)
		return check_lessons(seed, argv + first, argc - first);
	if (argc - first > 1)
		return cmdline_usage(&cli_lesson_cmdline,
				     "unexpected argument '%s' after the lesson", argv[first + 1]);
	return open_lesson(&k, seed, first < argc ? argv[first] : NULL, f);
}
