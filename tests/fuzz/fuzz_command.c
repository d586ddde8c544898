/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_command.c - any bytes as lines typed at the prompt, on the small machine.
 *
 * Requirements: no crash; a failed line prints an error, and no other line does; completion at any
 * place gives a list or nothing; and the same lines in a second session print the same text. Lines
 * that reach outside of the program (shell, files) are left out.
 */
#define FUZZ_CORPUS "command"
#define FUZZ_COVERS "src/session/session.c src/session/command.c src/session/complete.c"
#include "tests/fuzz/replay.h"

#include "tests/fuzz/lines.h"
#include "tests/small/small.h"

#include <string.h>

#define MAX_LINES 60

struct said_here {
	unsigned errors;
	uint64_t hash;
};

static void
out(void *ctx, enum say kind, const char *line)
{
	struct said_here *x = ctx;

	x->errors += kind == SAY_ERROR;
	fuzz_check(!strchr(line, '\n'));
	if (strstr(line, "cycles_per_second"))
		return;
	for (; *line; line++)
		x->hash = (x->hash ^ (unsigned char)*line) * UINT64_C(0x100000001b3);
}

/* fuzz_script tests loops and long chains of commands made by commands. */
static bool
line_repeats(const struct session *s, const char *line)
{
	const struct cmd_row *r;
	char name[64];

	line = skip_blanks(line);
	snprintf(name, sizeof(name), "%.*s", (int)MIN(strcspn(line, " \t/"), sizeof(name) - 1),
		 line);
	r = cmd_find(name, NULL);
	return r && (r->fn == cmd_eval || strcmp(r->name, "while") == 0 ||
		     (strcmp(r->name, "define") == 0 && s->script.n_user > 1));
}

/* Words that only a screen knows, after its commands. */
static void
words(void *ctx, const char *verb, void (*fn)(void *to, const char *word), void *to)
{
	(void)ctx;
	fn(to, verb);
	fn(to, "heat");
	fn(to, "hidden");
}

static int
screen(void *ctx, const char *verb, const char *args, struct err *e)
{
	(void)ctx;
	return strlen(args) % 2 ? err_set(e, "%s: not here", verb) : 0;
}

/* Completes after each of the first characters of a line, as readline does: the word to complete
 * begins after the last blank. */
static void
complete(struct session *s, const char *line)
{
	int n = (int)MIN(strlen(line), 80u);

	for (int end = 0, start = 0; end <= n; end++) {
		bool is_path;
		char **list = session_complete(s, line, start, end, &is_path);

		for (size_t i = 0; list && list[i]; i++) {
			fuzz_check(strncmp(list[i], line + start, (size_t)(end - start)) == 0);
			fuzz_check(!list[i + 1] || strcmp(list[i], list[i + 1]) < 0);
			free(list[i]);
		}
		free(list);
		if (line[end] == ' ')
			start = end + 1;
	}
	fuzz_check(!session_complete(s, line, 1, 0, &(bool){false}));
	fuzz_check(!session_complete(s, line, 0, (int)strlen(line) + 1, &(bool){false}));
}

/* Events between two lines: a key while the model runs, Ctrl-C, a signal, another front end. */
static void
between(struct session *s, const struct session_ui *ui, const char *line, unsigned n)
{
	switch (n % 8) {
	case 1:
		session_interrupt(s);
		fuzz_check(session_take_interrupt(s) && !session_take_interrupt(s));
		break;
	case 2:
		session_want_stats(s);
		fuzz_check(session_take_want_stats(s) && !session_take_want_stats(s));
		break;
	case 3:
		session_set_ui(s, ui);
		break;
	case 4:
		session_interrupt(s); /* the next run ends at once */
		break;
	case 5:
		if (strncmp(line, "reference", 9) != 0)
			session_exec_running(s, line);
		break;
	default:
		break;
	}
	fuzz_check(!session_running(s) && session_signal(s) == 0);
}

static struct said_here
play(const char *text, size_t size, bool interactive)
{
	struct said_here x = {0, 0};
	struct session_ui ui = {.ctx = &x,
				.out = out,
				.words = size % 5 ? words : NULL,
				.screen = size % 5 ? screen : NULL,
				.interactive = interactive,
				.width = size % 97};
	struct config *c = small_config(size % 3 ? "dyncta+claso" : "rr");
	struct trace *t = small_trace();
	struct session *s;
	const char *at = text;

	s = session_new(c, size % 7 ? t : NULL, &ui, NULL);
	fuzz_check(s && !session_sim(s) == !(size % 7));
	for (unsigned n = 0; n < MAX_LINES && at < text + size; n++) {
		size_t len = strcspn(at, "\n");
		char *line = strndup(at, len);
		unsigned before = x.errors, unexpected = s->script.unexpected;

		if (line_harmless(s, line) && !line_repeats(s, line)) {
			enum session_status status = session_exec(s, line);

			if (status == SESSION_OK && s->script.unexpected == unexpected)
				fuzz_check(x.errors == before);
			else
				fuzz_check(status == SESSION_QUIT || x.errors > before);
			if (interactive)
				between(s, &ui, line, n);
		}
		if (interactive)
			complete(s, line);
		free(line);
		at += len + 1;
	}
	session_end_lines(s);
	fuzz_check(session_config(s) == c && session_exit_code(s) <= 255);
	session_free(s);
	trace_close(t);
	config_free(c);
	return x;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct said_here first, second;

	if (!text || size > 4096) {
		free(text);
		return 0;
	}
	memcpy(text, data, size);
	for (size_t i = 0; i < size; i++)
		if (!text[i])
			text[i] = ' ';
	text[size] = '\0';
	first = play(text, size, false);
	second = play(text, size, false);
	fuzz_check(first.hash == second.hash && first.errors == second.errors);
	play(text, size, true);
	free(text);
	return 0;
}
