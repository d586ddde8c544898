/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * line_edit.c - readline inside curses.
 *
 * readline must not touch the terminal: it gets its bytes from a queue, its output goes to a
 * stream that drops it, its redisplay does nothing (the frame asks line_show()), it neither sets
 * terminal modes nor catches signals nor exports LINES and COLUMNS. Its library keeps global
 * state and takes callbacks without a context, which is why this file, and only it, has a static
 * variable of its own.
 */
#include "prompt/prompt.h"
#include "tui/line.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <readline/readline.h>
#include <readline/history.h>

#define QUEUE 65536
#define PENDING 64

static struct {
	struct line_hooks hooks;
	unsigned char queue[QUEUE];
	size_t head, tail;
	char *pending[PENDING];
	unsigned first, next;
	char **popup;
	unsigned n_popup;
	bool given_up, redraw, installed;
	/* readline's settings as they were */
	rl_vintfunc_t *prep;
	rl_voidfunc_t *deprep, *redisplay;
	rl_getc_func_t *getc_fn;
	rl_hook_func_t *available;
	rl_compdisp_func_t *display;
	rl_completion_func_t *complete;
	const char *breaks, *basic_breaks;
	char history[PATH_MAX]; /* "": this session only */
	FILE *out, *null;
	int query, catch_signals, catch_winch, environment;
} line;

/* ---------------------------------------------------------------- bytes in, nothing out */

void
line_push(const char *bytes, size_t n)
{
	for (; n--; bytes++)
		if (line.tail - line.head < QUEUE)
			line.queue[line.tail++ % QUEUE] = (unsigned char)*bytes;
}

static int
get_byte(FILE *f)
{
	(void)f;
	while (line.head == line.tail)
		if (!line.hooks.more || !line.hooks.more(line.hooks.ctx))
			return EOF; /* a cut paste: give up on it */
	return search_key(line.queue[line.head++ % QUEUE]);
}

static int
available(void)
{
	return line.head != line.tail;
}

static ssize_t
drop(void *cookie, const char *buf, size_t n)
{
	(void)cookie;
	(void)buf;
	return (ssize_t)n;
}

static void
no_redisplay(void)
{
}

/* ---------------------------------------------------------------- completion */

static void
popup_free(void)
{
	for (unsigned i = 0; i < line.n_popup; i++)
		free(line.popup[i]);
	free(line.popup);
	line.popup = NULL;
	line.n_popup = 0;
}

static void
show_matches(char **matches, int n, int longest)
{
	(void)longest;
	popup_free();
	if (n < 1 || !(line.popup = calloc((size_t)n, sizeof(*line.popup))))
		return;
	for (int i = 1; i <= n && matches[i]; i++) /* the first is what all begin with */
		if ((line.popup[line.n_popup] = strdup(matches[i])))
			line.n_popup++;
}

static char **
complete(const char *word ATTR_UNUSED, int start, int end)
{
	return complete_line(line.hooks.session, start, end);
}

/* ---------------------------------------------------------------- keys of our own */

static int
on_give_up(int count, int key)
{
	(void)count;
	(void)key;
	line.given_up = true;
	return 0;
}

static int
on_redraw(int count, int key)
{
	(void)count;
	(void)key;
	line.redraw = true;
	return 0;
}

static void
on_line(char *text)
{
	if (!text) { /* Ctrl-D */
		line.given_up = true;
		return;
	}
	if (line.next - line.first < PENDING)
		line.pending[line.next++ % PENDING] = text;
	else
		free(text);
}

void
line_add_history(const char *text)
{
	history_add_line(line.history, text);
}

/* ---------------------------------------------------------------- life */

void
line_enter(const struct line_hooks *hooks)
{
	static const cookie_io_functions_t nowhere = {.write = drop};

	memset(&line, 0, sizeof(line));
	line.hooks = *hooks;
	line.catch_signals = rl_catch_signals;
	line.catch_winch = rl_catch_sigwinch;
	line.environment = rl_change_environment;
	rl_catch_signals = 0;
	rl_catch_sigwinch = 0;
	rl_change_environment = 0;
	rl_readline_name = "ctascope";
	rl_initialize(); /* reads the user's inputrc: our settings come after it */
	line.prep = rl_prep_term_function;
	line.deprep = rl_deprep_term_function;
	line.redisplay = rl_redisplay_function;
	line.getc_fn = rl_getc_function;
	line.available = rl_input_available_hook;
	line.display = rl_completion_display_matches_hook;
	line.complete = rl_attempted_completion_function;
	line.query = rl_completion_query_items;
	line.out = rl_outstream;
	line.null = fopencookie(NULL, "w", nowhere);
	rl_prep_term_function = NULL;
	rl_deprep_term_function = NULL;
	rl_redisplay_function = no_redisplay;
	rl_getc_function = get_byte;
	rl_input_available_hook = available;
	rl_completion_display_matches_hook = show_matches;
	rl_attempted_completion_function = complete;
	rl_completion_query_items = -1;
	line.breaks = rl_completer_word_break_characters;
	line.basic_breaks = rl_basic_word_break_characters;
	rl_completer_word_break_characters = rl_basic_word_break_characters = " \t\n";
	if (line.null)
		rl_outstream = line.null;
	rl_tty_set_echoing(0);
	rl_variable_bind("show-all-if-ambiguous", "on");
	rl_bind_key('G' & 31, on_give_up);
	rl_bind_key('L' & 31, on_redraw);
	rl_bind_keyseq("\\e[", rl_skip_csi_sequence);
	history_open(line.history, sizeof(line.history));
}

void
line_leave(void)
{
	line_stop();
	popup_free();
	for (char *p; (p = line_take());)
		free(p);
	rl_prep_term_function = line.prep;
	rl_deprep_term_function = line.deprep;
	rl_redisplay_function = line.redisplay;
	rl_getc_function = line.getc_fn;
	rl_input_available_hook = line.available;
	rl_completion_display_matches_hook = line.display;
	rl_attempted_completion_function = line.complete;
	rl_completion_query_items = line.query;
	rl_completer_word_break_characters = line.breaks;
	rl_basic_word_break_characters = line.basic_breaks;
	history_close(line.history);
	rl_catch_signals = line.catch_signals;
	rl_catch_sigwinch = line.catch_winch;
	rl_change_environment = line.environment;
	rl_outstream = line.out ? line.out : stdout;
	if (line.null)
		fclose(line.null);
	line.null = NULL;
	rl_tty_set_echoing(1);
	rl_bind_key('G' & 31, rl_abort);
	rl_bind_key('L' & 31, rl_clear_screen);
}

void
line_start(const char *prompt)
{
	popup_free();
	if (line.installed) {
		rl_callback_sigcleanup();
		rl_free_line_state();
	}
	rl_callback_handler_install(prompt, on_line);
	line.installed = true;
	line.given_up = false;
}

void
line_stop(void)
{
	if (!line.installed)
		return;
	popup_free();
	rl_callback_sigcleanup();
	rl_free_line_state();
	rl_callback_handler_remove();
	line.installed = false;
	line.head = line.tail;
}

void
line_run(void)
{
	if (line.head != line.tail)
		popup_free();
	while (line.installed && line.head != line.tail && !line.given_up)
		rl_callback_read_char();
}

char *
line_take(void)
{
	return line.first == line.next ? NULL : line.pending[line.first++ % PENDING];
}

bool
line_given_up(void)
{
	bool was = line.given_up;

	line.given_up = false;
	return was;
}

bool
line_redraw(void)
{
	bool was = line.redraw;

	line.redraw = false;
	return was;
}

/* ---------------------------------------------------------------- what to draw */

/* Bytes first..last of readline's buffer, control characters as ^X; returns the bytes written. */
static size_t
visible(char *to, size_t size, const char *from, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < n && k + 3 < size; i++) {
		unsigned char c = (unsigned char)from[i];
		if (c < ' ' || c == 0x7f) {
			to[k++] = '^';
			to[k++] = (char)(c ^ 0x40);
		} else {
			to[k++] = (char)c;
		}
	}
	to[k] = '\0';
	return k;
}

void
line_show(struct screen_line *to)
{
	const char *prompt = rl_display_prompt ? rl_display_prompt : "";
	size_t k = 0, point = (size_t)MIN(MAX(rl_point, 0), rl_end);
	bool hidden = false;

	for (; *prompt && k + 1 < sizeof(to->prompt); prompt++) {
		if (*prompt == RL_PROMPT_START_IGNORE || *prompt == RL_PROMPT_END_IGNORE)
			hidden = *prompt == RL_PROMPT_START_IGNORE;
		else if (!hidden)
			to->prompt[k++] = *prompt;
	}
	to->prompt[k] = '\0';
	k = visible(to->text, sizeof(to->text), rl_line_buffer, point);
	to->cursor = text_width(to->text);
	visible(to->text + k, sizeof(to->text) - k, rl_line_buffer + point, (size_t)rl_end - point);
	to->popup = line.popup;
	to->n_popup = line.n_popup;
}
