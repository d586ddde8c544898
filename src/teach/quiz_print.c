/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quiz_print.c - a quiz as text, as a sheet with a key, as JSON, and asked one by one.
 */
#include "teach/quiz_part.h"
#include "teach/teach_part.h"

#include "base/json.h"
#include "base/textfile.h"
#include "base/words.h"
#include "line/line.h"
#include "session/session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME 48
#define PAPER 80 /* columns, also on a screen */

/* Folders differ from machine to machine. */
static const char *
workload_name(const struct quiz *q)
{
	const char *slash = strrchr(q->trace->path, '/');

	return slash ? slash + 1 : q->trace->path;
}

static void
print_line(void *to, const char *line)
{
	fprintf(to, "%s\n", line);
}

static void
print_head(const struct quiz *q, bool wraps, FILE *to)
{
	char name[NAME], text[600];

	quiz_name(q, name, sizeof(name));
	snprintf(text, sizeof(text), "quiz %s: %s on %s, policy %s, warp scheduler %s, %s", name,
		 workload_name(q), config_machine_name(q->config), config_policy_text(q->config),
		 config_wsched_name(q->config), quiz_level_names[q->level]);
	if (wraps)
		page_wrap("", text, PAPER, print_line, to);
	else
		fprintf(to, "%s\n", text);
	if (q->n < q->wanted)
		fprintf(to, "this run has only %u question%s\n", q->n, q->n == 1 ? "" : "s");
	if (quiz_is_about_decisions(q))
		page_wrap("", quiz_assumption(q->level), PAPER, print_line, to);
}

static void
print_question(const struct quiz_item *it, unsigned number, bool wraps, FILE *to)
{
	struct strbuf text = {0};
	char head[16];

	snprintf(head, sizeof(head), "%u. ", number);
	sb_printf(&text, "%s: %s", it->text, it->asks);
	if (it->n_choices) {
		sb_str(&text, ": ");
		quiz_choices_text(it, &text);
	}
	sb_char(&text, '?');
	if (wraps)
		page_wrap(head, text.failed ? "" : text.p, PAPER, print_line, to);
	else
		fprintf(to, "%s%s\n", head, text.failed ? "" : text.p);
	sb_free(&text);
}

/* The lines of a text, each indented and, on paper or a terminal, wrapped. */
static void
print_lines(const char *text, bool wraps, FILE *to)
{
	struct span rest = span_of(text), line;

	while (span_part(&rest, '\n', &line)) {
		char part[1024];

		if (!line.n)
			continue;
		if (wraps && line.n + 3 > PAPER && span_copy(line, part, sizeof(part)))
			page_wrap(part[0] == ' ' ? "     " : "   ", part, PAPER, print_line, to);
		else
			fprintf(to, "   %.*s\n", (int)line.n, line.p);
	}
}

static void
print_answer(const struct quiz_item *it, bool wraps, FILE *to)
{
	char answer[80];

	quiz_answer_text(it, answer, sizeof(answer));
	fprintf(to, "   answer: %s\n", answer);
	print_lines(it->why, wraps, to);
}

static void
print_hint(const struct quiz_item *it, bool wraps, FILE *to)
{
	struct strbuf hint = {0};

	quiz_hint(it, &hint);
	print_lines(hint.failed ? "" : hint.p, wraps, to);
	sb_free(&hint);
}

void
quiz_print(const struct quiz *q, FILE *to, bool with_answers)
{
	bool wraps = isatty(fileno(to));

	print_head(q, wraps, to);
	for (unsigned i = 0; i < q->n; i++) {
		fputc('\n', to);
		print_question(q->drawn[i], i + 1, wraps, to);
		if (with_answers)
			print_answer(q->drawn[i], wraps, to);
	}
}

/* The terms that the questions use, for a reader without a screen. */
static void
print_terms(const struct quiz *q, FILE *to)
{
	static const char *const of_decisions[][2] = {
		{"CTA", "a thread block; it runs on one core."},
		{"n of N",
		 "the limit of CTAs that may run on a core, and the most that fit on it. At the "
		 "end of each period the policy raises it by one (up), lowers it by one (down), "
		 "or leaves it (stays)."},
		{"C_mem", "cycles of the period so far in which the core waited for memory."},
		{"C_idle",
		 "cycles of the period so far in which the core held no unfinished warp."},
		{"in brackets", "the thresholds that the policy compares a value with."},
	};
	static const char *const of_occupancy[][2] = {
		{"CTA", "a thread block; it runs on one core."},
		{"N", "the most CTAs of the kernel that fit on a core at the same time: the least "
		      "of what its threads, registers, shared memory and slots allow."},
	};
	static const char *const of_class[][2] = {
		{"warp", "32 threads that execute an instruction together."},
		{"class of a cycle",
		 "why the core issued nothing: memory (no warp was ready, and all waited for "
		 "memory), blocked (only a full load/store unit held ready warps back), stall (a "
		 "pipe or write-back did), dependence (no warp was ready, and one waited for a "
		 "result or was unfetched), idle (all were unfetched or at a barrier)."},
		{"unfetched", "of a warp: its next instruction is still being fetched."},
	};
	bool occupancy = q->kind && strcmp(q->kind, QUIZ_OCCUPANCY) == 0;
	const char *const(*term)[2] = quiz_is_about_decisions(q) ? of_decisions
				      : occupancy		 ? of_occupancy
								 : of_class;
	size_t n = quiz_is_about_decisions(q) ? ARRAY_LEN(of_decisions)
		   : occupancy		      ? ARRAY_LEN(of_occupancy)
					      : ARRAY_LEN(of_class);

	fputc('\n', to);
	for (size_t i = 0; i < n; i++) {
		char head[40];

		snprintf(head, sizeof(head), "%-17s", term[i][0]);
		page_wrap(head, term[i][1], PAPER, print_line, to);
	}
}

void
quiz_print_sheet(const struct quiz *q, FILE *to)
{
	char name[NAME];

	print_head(q, true, to);
	fprintf(to, "\nName: ______________________________\n");
	print_terms(q, to);
	for (unsigned i = 0; i < q->n; i++) {
		fputc('\n', to);
		print_question(q->drawn[i], i + 1, true, to);
		fprintf(to, "\n   Answer: ____________________  because "
			    "______________________________\n");
	}
	quiz_name(q, name, sizeof(name));
	fprintf(to, "\f\nKey of quiz %s\n", name);
	for (unsigned i = 0; i < q->n; i++) {
		fprintf(to, "\n%u.\n", i + 1);
		print_answer(q->drawn[i], true, to);
	}
}

/* ---------------------------------------------------------------- JSON */

static void
put_pair(FILE *to, const char *key, const char *text)
{
	fprintf(to, "\"%s\": ", key);
	json_put_string(to, text);
}

static void
put_item(const struct quiz_item *it, FILE *to)
{
	char answer[80];

	fprintf(to, "{");
	put_pair(to, "text", it->text);
	fprintf(to, ", ");
	put_pair(to, "asks", it->asks);
	fprintf(to, ", \"choices\": [");
	for (unsigned i = 0; i < it->n_choices; i++) {
		fprintf(to, i ? ", " : "");
		json_put_string(to, it->choice[i]);
	}
	quiz_answer_text(it, answer, sizeof(answer));
	fprintf(to, "], ");
	put_pair(to, "answer", answer);
	if (it->at)
		fprintf(to, ", \"cycle\": %" PRIu64, it->at);
	if (it->core >= 0)
		fprintf(to, ", \"core\": %d", it->core);
	if (it->has_event) {
		fprintf(to, ", \"seq\": %" PRIu64 ", ", it->seq);
		put_pair(to, "rule", it->rule);
	}
	if (it->has_event && it->old)
		fprintf(to, ", \"old\": %u, \"new\": %u", it->old, it->new);
	fprintf(to, ", ");
	put_pair(to, "why", it->why);
	fprintf(to, "}");
}

void
quiz_print_json(const struct quiz *q, FILE *to)
{
	char name[NAME];

	quiz_name(q, name, sizeof(name));
	fprintf(to, "{");
	put_pair(to, "quiz", name);
	fprintf(to, ", \"seed\": %" PRIu64 ", ", q->seed);
	put_pair(to, "workload", workload_name(q));
	fprintf(to, ", ");
	put_pair(to, "machine", config_machine_name(q->config));
	fprintf(to, ", ");
	put_pair(to, "policy", config_policy_text(q->config));
	fprintf(to, ", ");
	put_pair(to, "level", quiz_level_names[q->level]);
	if (quiz_is_about_decisions(q)) {
		fprintf(to, ", ");
		put_pair(to, "assumption", quiz_assumption(q->level));
	}
	fprintf(to, ",\n \"questions\": [");
	for (unsigned i = 0; i < q->n; i++) {
		fprintf(to, i ? ",\n  " : "\n  ");
		put_item(q->drawn[i], to);
	}
	fprintf(to, "]}\n");
}

/* ---------------------------------------------------------------- asking */

struct asker {
	bool is_person; /* at a terminal */
	FILE *from;	/* else; NULL: it cannot be read */
	FILE *to;
	struct strbuf line;
};

/* Reads a line after "> "; false: the input ended. */
static bool
read_line(struct asker *a)
{
	struct err e = {0};
	char *text;

	if (!a->is_person) {
		fprintf(a->to, "> ");
		fflush(a->to);
		return a->from && text_line(a->from, &a->line, &e) > 0;
	}
	text = line_ask("> ");
	sb_clear(&a->line);
	sb_str(&a->line, text ? text : "");
	free(text);
	return text != NULL;
}

static void
print_help_line(void *asker, enum say kind ATTR_UNUSED, const char *line)
{
	const struct asker *a = asker;

	fprintf(a->to, "   %s\n", line);
}

/* Executes "help TERM" and "explain TERM" as at the prompt. Returns false for other lines. */
static bool
explain_term(struct asker *a, const struct quiz *q, const char *text)
{
	struct session_ui ui = {.ctx = a, .out = print_help_line, .width = PAPER - 3};
	const char *rest = text;
	struct span word = word_next(&rest);
	struct err e = {0};
	struct session *s;

	if (!span_is(word, "help") && !span_is(word, "explain"))
		return false;
	if (!*skip_blanks(rest)) {
		fprintf(a->to, "   type an answer, 'hint', or 'help TERM', as in: help C_mem\n");
		return true;
	}
	s = session_new(q->config, NULL, &ui, &e);
	if (s)
		session_exec(s, text);
	else
		fprintf(a->to, "   %s\n", e.msg);
	session_free(s);
	return true;
}

/* Reads until the line is an answer; false: the input ended. */
static bool
read_answer(struct asker *a, const struct quiz *q, const struct quiz_item *it, bool *right)
{
	bool understood = false;

	while (!understood) {
		struct strbuf choices = {0};

		if (!read_line(a))
			return false;
		if (quiz_wants_hint(a->line.n ? a->line.p : "")) {
			print_hint(it, a->is_person, a->to);
			continue;
		}
		if (a->line.n && explain_term(a, q, a->line.p))
			continue;
		*right = quiz_is_right(it, a->line.n ? a->line.p : "", &understood);
		if (understood || !a->line.n)
			continue;
		quiz_choices_text(it, &choices);
		fprintf(a->to, "   expected %s\n", it->n_choices ? choices.p : "a number");
		sb_free(&choices);
	}
	return true;
}

void
quiz_ask(const struct quiz *q, FILE *to)
{
	struct asker a = {.is_person = line_ask_begin(), .to = to};
	bool is_right = false;
	unsigned right = 0, asked = 0;

	if (!a.is_person)
		a.from = text_input(NULL, NULL);
	print_head(q, a.is_person, to);
	fprintf(to, "Type your answer; 'hint' shows the rules that determine it, 'help TERM' a "
		    "term.\n");
	if (a.is_person)
		fprintf(to,
			"The questions are about a run that has ended. On the screen ('ctascope "
			"WORKLOAD'),\nthe command quiz asks about the run that you watch.\n");
	for (; asked < q->n; asked++) {
		const struct quiz_item *it = q->drawn[asked];

		fputc('\n', to);
		print_question(it, asked + 1, a.is_person, to);
		if (!read_answer(&a, q, it, &is_right)) {
			fputc('\n', to);
			break;
		}
		right += is_right;
		fprintf(to, "   %s\n", is_right ? "right" : "wrong");
		print_answer(it, a.is_person, to);
	}
	fprintf(to, "\nscore: %u of %u\n", right, asked);
	sb_free(&a.line);
	if (a.is_person)
		line_ask_end();
	else if (a.from)
		fclose(a.from);
}
