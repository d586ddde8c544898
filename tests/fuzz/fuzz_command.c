/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_command.c - any bytes as lines typed at the prompt, on the toy machine.
 *
 * Promises: no crash, an error is always said, a line without one says no error, completion at any
 * place gives a list or nothing, and the same lines said to a second session give the same text.
 * Lines that reach outside of the program (shell, files) are left out.
 */
#define FUZZ_CORPUS "command"
#include "tests/fuzz/replay.h"

#include "tests/mock/sim_mock.c"
#include "tests/mock/sim_mock_config.c"
#include "tests/mock/sim_mock_series.c"
#include "tests/mock/sim_mock_view.c"
#include "tests/mock/trace_mock.c"

#include "ctascope/session.h"
#include "repl/session_part.h"

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

/* Whether a line stays inside: not a shell, no files, no sleeping. */
static bool
harmless(const char *line)
{
	char name[64];
	const struct cmd_row *r;

	line = skip_blanks(line);
	snprintf(name, sizeof(name), "%.*s", (int)MIN(strcspn(line, " \t/"), sizeof(name) - 1),
		 line);
	r = cmd_find(name, NULL);
	if (!r)
		return true;
	if (r->fn == cmd_shell || r->fn == cmd_source || r->fn == cmd_save || r->fn == cmd_log)
		return false;
	if (r->fn == cmd_dump)
		return strstr(line, " - ") ||
		       (strlen(line) > 2 && strcmp(line + strlen(line) - 2, " -") == 0);
	return !strstr(line, "slow") && !strstr(line, "max_seconds");
}

static void
complete(struct session *s, const char *line, uint8_t where)
{
	int end = (int)strlen(line), start = end ? where % end : 0;
	bool is_path;
	char **list = session_complete(s, line, start, end, &is_path);

	for (size_t i = 0; list && list[i]; i++)
		free(list[i]);
	free(list);
}

static struct said_here
play(const char *text, size_t size, bool interactive)
{
	struct said_here x = {0, 0};
	struct session_ui ui = {.ctx = &x,
				.out = out,
				.interactive = interactive,
				.width = size % 97};
	struct config *c = config_new();
	struct trace *t = trace_open("/dev/null", NULL);
	struct session *s;
	const char *at = text;

	config_policy(c, size % 3 ? "dyncta+claso" : "rr", NULL);
	s = session_new(c, size % 7 ? t : NULL, &ui, NULL);
	for (unsigned n = 0; n < MAX_LINES && at < text + size; n++) {
		size_t len = strcspn(at, "\n");
		char *line = strndup(at, len);
		unsigned before = x.errors;

		if (harmless(line)) {
			enum session_status status = session_exec(s, line);

			if (status == SESSION_OK)
				fuzz_check(x.errors == before);
			else
				fuzz_check(status == SESSION_QUIT || x.errors > before);
			if (interactive)
				complete(s, line, (uint8_t)n);
		}
		free(line);
		at += len + 1;
	}
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
