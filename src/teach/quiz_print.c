/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quiz_print.c - a quiz as text, as a sheet with a key, as JSON, and asked one by one.
 */
#include "teach/quiz_part.h"

#include "base/json.h"
#include "base/textfile.h"
#include "base/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME 48

/* Folders differ from machine to machine. */
static const char *
workload_name(const struct quiz *q)
{
	const char *slash = strrchr(q->trace->path, '/');

	return slash ? slash + 1 : q->trace->path;
}

static void
print_head(const struct quiz *q, FILE *to)
{
	char name[NAME];

	quiz_name(q, name, sizeof(name));
	fprintf(to, "quiz %s: %s on %s, policy %s, warp scheduler %s, %s\n", name, workload_name(q),
		config_machine_name(q->config), config_policy_text(q->config),
		config_wsched_name(q->config), quiz_level_names[q->level]);
	if (q->n < q->wanted)
		fprintf(to, "only %u question%s: this run has no more\n", q->n,
			q->n == 1 ? "" : "s");
}

static void
print_question(const struct quiz_item *it, unsigned number, FILE *to)
{
	struct strbuf choices = {0};

	quiz_choices_text(it, &choices);
	fprintf(to, "%u. %s: %s", number, it->text, it->asks);
	if (it->n_choices && !choices.failed)
		fprintf(to, ": %s", choices.p);
	fprintf(to, "?\n");
	sb_free(&choices);
}

/* The lines of a text, each indented. */
static void
print_lines(const char *text, FILE *to)
{
	struct span rest = span_of(text), line;

	while (span_part(&rest, '\n', &line))
		if (line.n)
			fprintf(to, "   %.*s\n", (int)line.n, line.p);
}

static void
print_answer(const struct quiz_item *it, FILE *to)
{
	char answer[80];

	quiz_answer_text(it, answer, sizeof(answer));
	fprintf(to, "   answer: %s\n", answer);
	print_lines(it->why, to);
}

void
quiz_print(const struct quiz *q, FILE *to, bool with_answers)
{
	print_head(q, to);
	for (unsigned i = 0; i < q->n; i++) {
		fputc('\n', to);
		print_question(q->drawn[i], i + 1, to);
		if (with_answers)
			print_answer(q->drawn[i], to);
	}
}

void
quiz_print_sheet(const struct quiz *q, FILE *to)
{
	char name[NAME];

	print_head(q, to);
	fprintf(to, "\nName: ______________________________\n");
	for (unsigned i = 0; i < q->n; i++) {
		fputc('\n', to);
		print_question(q->drawn[i], i + 1, to);
		fprintf(to, "\n   Answer: ____________________  because "
			    "______________________________\n");
	}
	quiz_name(q, name, sizeof(name));
	fprintf(to, "\f\nKey of quiz %s\n", name);
	for (unsigned i = 0; i < q->n; i++) {
		fprintf(to, "\n%u.\n", i + 1);
		print_answer(q->drawn[i], to);
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
	fprintf(to, ",\n \"questions\": [");
	for (unsigned i = 0; i < q->n; i++) {
		fprintf(to, i ? ",\n  " : "\n  ");
		put_item(q->drawn[i], to);
	}
	fprintf(to, "]}\n");
}

/* ---------------------------------------------------------------- asking */

/* An answer that is one; false: the input ended. */
static bool
read_answer(const struct quiz_item *it, FILE *from, struct strbuf *line, bool *right, FILE *to)
{
	bool understood = false;
	struct err e = {0};

	while (!understood) {
		struct strbuf choices = {0};

		fprintf(to, "> ");
		fflush(to);
		if (text_line(from, line, &e) <= 0)
			return false;
		*right = quiz_is_right(it, line->n ? line->p : "", &understood);
		if (understood || !line->n)
			continue;
		quiz_choices_text(it, &choices);
		fprintf(to, "   expected %s\n", it->n_choices ? choices.p : "a number");
		sb_free(&choices);
	}
	return true;
}

void
quiz_ask(const struct quiz *q, FILE *to)
{
	FILE *from = text_input(NULL, NULL);
	struct strbuf line = {0};
	unsigned right = 0, asked = 0;
	bool is_right = false;

	print_head(q, to);
	for (; from && asked < q->n; asked++) {
		const struct quiz_item *it = q->drawn[asked];

		fputc('\n', to);
		print_question(it, asked + 1, to);
		if (!read_answer(it, from, &line, &is_right, to)) {
			fputc('\n', to);
			break;
		}
		right += is_right;
		fprintf(to, "   %s\n", is_right ? "right" : "not so");
		print_answer(it, to);
	}
	fprintf(to, "\nscore: %u of %u\n", right, asked);
	sb_free(&line);
	if (from)
		fclose(from);
}
