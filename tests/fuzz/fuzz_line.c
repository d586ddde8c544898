/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_line.c - any bytes as what is typed on a command line. The first byte says who draws it and
 * which keys edit it; then each of a few rare bytes does what the terminal or the program does in
 * between, such as a pause, a new size or another prompt, and all others are typed.
 *
 * Promises: no crash; the text holds no NUL, and the cursor is within it.
 */
#define FUZZ_CORPUS "line"
#define FUZZ_COVERS "src/line/line.c src/line/feed.c src/line/search.c src/line/function.c"
#define FUZZ_OPTIONS "-detect_leaks=0" /* readline drops the state of a search */
#define FUZZ_LINKS "-Wl,--wrap=clock_seconds"
#include "tests/fuzz/replay.h"

#include "line/line.h"

#include <fcntl.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include <readline/readline.h>

#define HISTORY_MOST 20
#define LINE_MOST 2000

/* Bytes that no UTF-8 text contains. */
enum { PAUSE = 0xf8, SUSPEND, RESIZE, HIDE, OTHER_PROMPT, OTHER_LINE, DROP, ENTER_AGAIN };

static struct line_hooks hooks;
static unsigned n_lines;
static double now; /* PAUSE lets time pass */

double __wrap_clock_seconds(void);
double
__wrap_clock_seconds(void)
{
	return now;
}

static char **
complete_info(void *ctx, const char *text, int start, int end, bool *is_path)
{
	static const char *const words[] = {"in", "info", "inspect"};
	char **matches;

	(void)ctx, (void)end;
	*is_path = false;
	if (start || strncmp(text, words[0], strlen(text)) != 0)
		return NULL;
	matches = calloc(ARRAY_LEN(words) + 1, sizeof(*matches));
	for (size_t i = 0; matches && i < ARRAY_LEN(words); i++)
		matches[i] = strdup(words[i]);
	return matches;
}

static void
check_look(void)
{
	struct line_look look;

	line_look(&look);
	fuzz_check(look.point <= look.n && !memchr(look.text, '\0', look.n));
	if (look.n > LINE_MOST) /* a count repeats a long text */
		line_start("(line) ");
}

static void
take_lines(void)
{
	enum line_end end;
	char *text = NULL;

	while ((end = line_run(&text)) != LINE_OPEN) {
		if (end == LINE_ENTERED) {
			if (*text && n_lines++ < HISTORY_MOST)
				history_add_line(text);
			free(text);
		}
		line_start("(line) ");
	}
	check_look();
}

static void
type_byte(uint8_t byte)
{
	char c = (char)byte;

	switch (byte) {
	case PAUSE: /* an Escape stands alone, as after the patience of a terminal */
		now += 10;
		line_quiet();
		take_lines();
		break;
	case SUSPEND:
		line_suspend();
		line_resume();
		break;
	case RESIZE:
		line_resized();
		break;
	case HIDE:
		line_hide();
		line_show();
		break;
	case OTHER_PROMPT:
		line_change_prompt("(other) ");
		break;
	case OTHER_LINE:
		line_stop();
		line_start("(line) ");
		break;
	case DROP:
		line_drop();
		break;
	case ENTER_AGAIN:
		line_leave();
		line_enter(&hooks);
		line_start("(line) ");
		break;
	default:
		line_type(&c, 1);
	}
}

/* What readline draws must not mix with the output of the test. Returns the old standard output. */
static int
hide_output(void)
{
	int old = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

	fuzz_check(old >= 0 && nowhere >= 0);
	fflush(stdout);
	dup2(nowhere, STDOUT_FILENO);
	close(nowhere);
	return old;
}

static void
show_output(int old)
{
	fflush(stdout);
	dup2(old, STDOUT_FILENO);
	close(old);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int output;

	if (!size)
		return 0;
	output = hide_output();
	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("INPUTRC", "/dev/null", 1);
	setenv("TERM", "xterm", 1);
	hooks = (struct line_hooks){.complete = complete_info,
				    .is_drawn_by_caller = data[0] % 2 == 0};
	n_lines = 0;
	history_open(NULL);
	line_enter(&hooks);
	rl_variable_bind("editing-mode", data[0] / 2 % 2 ? "vi" : "emacs");
	line_start("(line) ");
	for (size_t i = 1; i < size; i++) {
		type_byte(data[i]);
		if (i % 7 == 0)
			take_lines();
	}
	line_leave();
	show_output(output);
	return 0;
}
