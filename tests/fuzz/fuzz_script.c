/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_script.c - any bytes as the lines of constructs: if, while, define ... and their ends.
 *
 * Requirements: a rejected line gives a reason and changes nothing; every jump of a complete
 * construct stays within it, whatever its conditions are; a body copied out of it is complete as
 * well. Then the lines are typed on the small machine: a line that fails gives a reason. Also any
 * bytes as the arguments of printf: the result is a text or an error, never both, and no longer
 * than the format asks for.
 */
#define FUZZ_CORPUS "command"
/* fuzz_store tests script_file.c, which reads variables and commands of a saved session. */
#define FUZZ_COVERS "src/session/script_[cdrv]*.c src/session/script_format.c"
#include "tests/fuzz/replay.h"

#include "tests/fuzz/lines.h"
#include "tests/small/small.h"

#include <string.h>

#define STEPS 2000
#define MOST_LINES 150

/* Runs through a complete block; the bits of dice are its conditions. */
static void
walk(const struct block *b, uint64_t dice)
{
	unsigned at = 0;

	for (unsigned i = 0; i < STEPS && at < b->n; i++) {
		const struct block_line *l = &b->line[at];

		fuzz_check(l->to <= b->n && block_indent(b, at) <= BLOCK_DEPTH);
		dice = dice * UINT64_C(6364136223846793005) + 1442695040888963407u;
		if (l->kind == BLOCK_PLAIN) {
			at++;
		} else if (l->kind == BLOCK_IF || l->kind == BLOCK_WHILE) {
			fuzz_check(l->to > at);
			at = dice >> 63 ? at + 1 : l->to;
		} else if (l->kind == BLOCK_BODY) {
			fuzz_check(l->to > at && b->line[l->to].kind == BLOCK_END);
			at = l->to + 1;
		} else {
			at = l->to;
		}
	}
	fuzz_check(at <= b->n);
}

static void
bodies(const struct block *b)
{
	for (unsigned i = 0; i < b->n; i++) {
		const struct block_line *l = &b->line[i];
		struct block *cut;

		if (l->kind != BLOCK_BODY || strcmp(l->verb, "document") == 0)
			continue;
		cut = block_cut(b, i + 1, l->to, NULL);
		fuzz_check(cut && cut->depth == 0 && cut->n == l->to - i - 1);
		walk(cut, i);
		block_free(cut);
	}
}

static void
construct(const char *text, size_t size)
{
	struct block *b = block_new(NULL);
	unsigned line = 0;

	for (const char *at = text; b && at < text + size;) {
		size_t len = strcspn(at, "\n");
		char *copy = strndup(at, len);
		unsigned n = b->n, depth = b->depth;
		struct err e = {0};

		if (block_add(b, copy, ++line, &e))
			fuzz_check(e.set && b->n == n && b->depth == depth);
		else
			fuzz_check(!e.set && b->n == n + 1 && b->depth <= BLOCK_DEPTH);
		if (b->depth == 0) {
			walk(b, size);
			bodies(b);
		}
		free(copy);
		at += len + 1;
	}
	block_free(b);
}

static void
count_errors(void *ctx, enum say kind, const char *line ATTR_UNUSED)
{
	*(unsigned *)ctx += kind == SAY_ERROR;
}

/* Ends an endless loop as Ctrl-C does. */
static bool
enough(void *ctx ATTR_UNUSED)
{
	return true;
}

static void
play(const char *text, bool interactive)
{
	unsigned errors = 0;
	struct session_ui ui = {.ctx = &errors,
				.out = count_errors,
				.tick = enough,
				.interactive = interactive};
	struct config *c = small_config("dyncta");
	struct trace *t = small_trace();
	struct session *s = session_new(c, t, &ui, NULL);
	const char *at = text;

	for (unsigned n = 0; s && n < MOST_LINES && *at && (interactive || !s->control.interrupted);
	     n++) {
		size_t len = strcspn(at, "\n");
		char *line = strndup(at, len);
		unsigned before = errors;

		if (line_harmless(s, line) && session_exec(s, line) == SESSION_ERROR)
			fuzz_check(errors > before);
		free(line);
		at += len + (at[len] == '\n');
	}
	session_free(s);
	trace_close(t);
	config_free(c);
}

static void
format(const char *text)
{
	unsigned errors = 0;
	struct session_ui ui = {.ctx = &errors, .out = count_errors};
	struct config *c = small_config("rr");
	struct session *s = session_new(c, NULL, &ui, NULL);
	struct strbuf out = {0};
	enum session_status status = script_format(s, "printf", text, &out);

	fuzz_check((status == SESSION_OK) == (errors == 0));
	fuzz_check(out.n < 200 * (strlen(text) + 10) * 10);
	sb_free(&out);
	session_free(s);
	config_free(c);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *quoted = malloc(size + 2), *text = quoted + 1;

	if (!quoted || size > 4096) {
		free(quoted);
		return 0;
	}
	quoted[0] = '"';
	memcpy(text, data, size);
	for (size_t i = 0; i < size; i++)
		if (!text[i])
			text[i] = ' ';
	text[size] = '\0';
	construct(text, size);
	play(text, size % 2);
	format(quoted);
	free(quoted);
	return 0;
}
