/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * line.c - uses readline 8.2 through its callbacks, in a way that avoids its faults.
 *
 * readline gets one whole key at a time (keys.c), and only while it expects one. It never reads
 * more by itself:
 *
 * - A paste is inserted as text. readline's own bracketed paste, which would read to its end
 * without noticing a signal, is off; the terminal is asked for bracketed pastes here.
 * - An escape sequence without a binding is dropped. readline would take its rest as text.
 * - An incremental search ends before any key that is not part of it. readline would end it, too,
 * but run that key from inside the search, and crash where it begins a sequence.
 * - A line that is accepted is delivered at once. Behind a number (Meta-3 Enter) readline would
 *   deliver it with the next key only.
 * - The macros of an inputrc are typed here, and keyboard macros are not recorded. readline would
 * read a sequence of keys in a macro as if each were a key of its own, and crash.
 * - vi's Escape acts at once (feed.c).
 * - A number before a key counts to 10,000 at most. A million letters would take seconds.
 * - A NUL in the line becomes a blank. readline puts one there in vi mode, when it repeats a yank
 *   whose motion failed, and a search for a character would never get past it.
 * - No history entry refers to an undo list between two keys. readline lets an entry and the line
 *   share one, frees it for one of them, and later for the other. So a change to a line of the
 *   history cannot be undone after a key has moved to another line.
 * - An incremental search that turns around begins anew. readline would read behind a line's end.
 * - vi's searches are by text, not by pattern (search.c).
 *
 * readline has one state per process and calls back without a context, hence the static variable.
 */
#define _GNU_SOURCE 1
#include "line/line_part.h"

#include "base/clock.h"
#include "compat/compat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <readline/readline.h>

#define CTRL_KEY(c) ((c)&31)
#define MACROS_MOST 100 /* a macro may type itself */

static struct {
	struct line_hooks hooks;
	struct keys keys;
	unsigned n_macros; /* since the last byte was typed */
	struct strbuf prompt;
	char *entered;
	char next; /* came together with the Escape that left the line */
	bool is_open, is_left, wants_redraw;
	bool is_prepared; /* the terminal is in readline's modes */
	bool wants_paste; /* the user's inputrc does not forbid bracketed paste */
	bool was_set_up;
	char **popup;
	unsigned n_popup;
	FILE *nowhere;
	int query_items;
	const char *bell;
} line;

/* ---------------------------------------------------------------- searches */

/* Ends an incremental search with the line that it found. Escape does this, as apply_settings()
 * makes it a terminator of searches. */
static void
end_search(void)
{
	if (RL_ISSTATE(RL_STATE_ISEARCH))
		feed("\033", 1);
}

#define PREFIX_STATES \
	(RL_STATE_MULTIKEY | RL_STATE_VIMOTION | RL_STATE_CHARSEARCH | RL_STATE_NUMERICARG)

/* Ends a command that waits for another key: a prefix such as Ctrl-X, a motion in vi mode, a
 * number. */
static void
end_prefix(void)
{
	if (RL_ISSTATE(PREFIX_STATES))
		feed("\007", 1);
	line.is_left = false; /* the user did not type Ctrl-G */
}

/* ---------------------------------------------------------------- keys */

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
do_text(const struct key *k)
{
	if (RL_ISSTATE(RL_STATE_ISEARCH) && key_turns_search(k)) {
		end_search();
		feed(k->bytes, k->n); /* with no text; the same key again takes the last one */
	} else if (RL_ISSTATE(RL_STATE_ISEARCH) && !key_fits_search(k)) {
		end_search();
	}
	if (k->n > 1) /* no prefix continues with a character of several bytes */
		end_prefix();
	feed(k->bytes, k->n);
}

/* Escape ends a search, a prefix, or vi's insert mode. Otherwise it leaves a line that the caller
 * draws. */
static void
do_escape(void)
{
	bool drawn = line.hooks.is_drawn_by_caller;

	if (drawn && RL_ISSTATE(RL_STATE_NSEARCH))
		feed("\007", 1);
	else if (drawn && RL_ISSTATE(PREFIX_STATES))
		end_prefix();
	else if (drawn && !RL_ISSTATE(RL_STATE_ISEARCH) && rl_get_keymap() != vi_insertion_keymap)
		line.is_left = true;
	else
		feed_escape();
}

/* Is it Escape and a character, sent at once, and not a key with Meta, which would have a function?
 * A sequence that was cut is neither. */
static bool
is_escape_and_text(const struct key *k)
{
	return line.hooks.is_drawn_by_caller && rl_editing_mode != 0 && k->n == 2 &&
	       k->bytes[1] >= ' ' && k->bytes[1] < 0x7f && !strchr("[O", k->bytes[1]);
}

static void
do_sequence(const struct key *k)
{
	bool searched = RL_ISSTATE(RL_STATE_ISEARCH);

	if (RL_ISSTATE(RL_STATE_NSEARCH)) /* takes text only */
		return;
	end_search();
	if (!RL_ISSTATE(RL_STATE_NUMERICARG))
		end_prefix();
	if (key_is_bound(k)) {
		feed_sequence(k->bytes, k->n);
	} else if (rl_editing_mode == 0 && k->n == 2) { /* vi: Escape, and then a command at once */
		feed_escape();
		feed(k->bytes + 1, 1);
	} else if (is_escape_and_text(k) && searched) { /* which that Escape has ended */
		feed(k->bytes + 1, 1);
	} else if (is_escape_and_text(k)) {
		line.is_left = true;
		line.next = k->bytes[1];
	} else {
		rl_ding();
	}
}

static void
do_paste(const struct key *k)
{
	end_search();
	end_prefix();
	rl_insert_text(k->bytes);
	(*rl_redisplay_function)();
}

/* Types the macro that the key has; false when it has none. */
static bool
do_macro(const struct key *k)
{
	struct sequence s = *feed_last();
	const char *macro;

	if ((k->kind != KEY_TEXT && k->kind != KEY_SEQUENCE) ||
	    RL_ISSTATE(RL_STATE_NSEARCH | RL_STATE_VIMOTION | RL_STATE_CHARSEARCH) ||
	    (RL_ISSTATE(RL_STATE_ISEARCH) && key_fits_search(k)))
		return false;
	sequence_add(&s, k->bytes, k->n);
	macro = sequence_macro(&s);
	if (!macro && !sequence_is_recorder(&s))
		return false;
	end_search();
	end_prefix();
	if (macro && line.n_macros++ < MACROS_MOST)
		keys_insert(&line.keys, macro);
	else
		rl_ding();
	return true;
}

static void
do_key(const struct key *k)
{
	static const char nothing[] = {KEY_NOTHING};

	popup_free();
	if (do_macro(k))
		return;
	switch (k->kind) {
	case KEY_TEXT:
		do_text(k);
		break;
	case KEY_ESCAPE:
		do_escape();
		break;
	case KEY_SEQUENCE:
		do_sequence(k);
		break;
	case KEY_PASTE:
		do_paste(k);
		break;
	case KEY_TOO_LONG:
		rl_ding();
	}
	while (line.is_open && rl_done)
		feed(nothing, sizeof(nothing));
}

void
line_type(const char *bytes, size_t n)
{
	line.n_macros = 0;
	keys_put(&line.keys, bytes, n, clock_seconds());
}

void
line_quiet(void)
{
	keys_quiet(&line.keys, clock_seconds());
}

int
line_patience(void)
{
	return keys_patience(&line.keys, clock_seconds());
}

bool
line_takes_paste(void)
{
	return line.keys.state != KEYS_TYPED;
}

/* ---------------------------------------------------------------- completion */

static void
keep_matches(char **matches, int n, int longest ATTR_UNUSED)
{
	popup_free();
	if (n < 1 || !(line.popup = calloc((size_t)n, sizeof(*line.popup))))
		return;
	for (int i = 1; i <= n && matches[i]; i++) /* the first is the common prefix */
		if ((line.popup[line.n_popup] = strdup(matches[i])))
			line.n_popup++;
}

static char **
complete_word(const char *word ATTR_UNUSED, int start, int end)
{
	return complete_line(&line.hooks, start, end);
}

/* ---------------------------------------------------------------- keys of our own */

static int
on_leave(int count ATTR_UNUSED, int key ATTR_UNUSED)
{
	line.is_left = true;
	return 0;
}

static int
on_nothing(int count ATTR_UNUSED, int key ATTR_UNUSED)
{
	return 0;
}

static int
on_redraw(int count ATTR_UNUSED, int key ATTR_UNUSED)
{
	line.wants_redraw = true;
	return 0;
}

static void
on_line(char *text)
{
	rl_callback_sigcleanup(); /* a key may have begun something in the meantime */
	rl_callback_handler_remove();
	if (text && !line.hooks.is_drawn_by_caller)
		draw_accepted();
	line.is_open = false;
	feed_close();
	line.entered = text;
	line.is_left = !text;
}

/* ---------------------------------------------------------------- the terminal */

static void
no_redisplay(void)
{
}

/* Sets the modes of readline, with two differences: a read never waits, since Ctrl-C drops keys
 * that were typed; and bracketed paste is turned on here. */
static void
prepare_terminal(int meta)
{
	struct termios m;

	rl_prep_terminal(meta);
	line.is_prepared = true;
	if (tcgetattr(STDIN_FILENO, &m) == 0) {
		m.c_cc[VMIN] = 0;
		m.c_cc[VTIME] = 0;
		tcsetattr(STDIN_FILENO, TCSANOW, &m);
	}
	if (line.wants_paste)
		tty_write("\033[?2004h");
}

static void
put_back(void)
{
	if (!line.is_prepared)
		return;
	line.is_prepared = false;
	/* output begins in the first column, even if a terminal shows the sequence as text; but
	 * "^C", which ends an open line, follows the line */
	if (line.wants_paste)
		tty_write(rl_done ? "\033[?2004l\r" : "\033[?2004l");
	rl_deprep_terminal();
}

void
line_resized(void)
{
	draw_open();
	if (line.is_open)
		draw_resized(line.prompt.p);
}

void
line_suspend(void)
{
	put_back();
}

void
line_resume(void)
{
	if (line.is_open)
		prepare_terminal(1);
	line_resized();
}

/* ---------------------------------------------------------------- life */

static ssize_t
drop_output(void *cookie ATTR_UNUSED, const char *bytes ATTR_UNUSED, size_t n)
{
	return (ssize_t)n;
}

/* Applied for each line, since Ctrl-X Ctrl-R reads the user's inputrc again. */
static void
apply_settings(void)
{
	rl_variable_bind("show-all-if-ambiguous", "on");
	rl_variable_bind("enable-bracketed-paste", "off");
	rl_variable_bind("horizontal-scroll-mode", "off");
	rl_variable_bind("isearch-terminators", "\\C-[\\C-J");
	rl_variable_bind("convert-meta", "off"); /* a byte is never two keys */
	rl_variable_bind("bell-style", line.hooks.is_drawn_by_caller ? "none" : line.bell);
}

/* Unbinds readline's own paste, which typing its sequence would call, and the key KEY_NOTHING. */
static void
bind_own_keys(void)
{
	static const char *const maps[] = {"emacs", "vi-insert", "vi-command"};

	for (size_t i = 0; i < ARRAY_LEN(maps); i++) {
		Keymap map = rl_get_keymap_by_name(maps[i]);

		rl_bind_keyseq_in_map("\\033[200~", NULL, map);
		rl_bind_key_in_map(KEY_NOTHING, on_nothing, map);
	}
}

/* Reads the user's inputrc, once. */
static void
set_up(void)
{
	const char *paste;

	rl_catch_signals = 0;
	rl_catch_sigwinch = 0;
	rl_change_environment = 0;
	rl_readline_name = "ctascope";
	rl_initialize();
	if (line.was_set_up)
		return;
	line.was_set_up = true;
	draw_begin();
	bind_own_keys();
	search_bind();
	paste = rl_variable_value("enable-bracketed-paste");
	line.wants_paste = paste && strcmp(paste, "on") == 0;
	line.bell = rl_variable_value("bell-style");
	line.query_items = rl_completion_query_items;
}

void
line_enter(const struct line_hooks *hooks)
{
	bool drawn = hooks->is_drawn_by_caller;

	line.hooks = *hooks;
	set_up();
	line.nowhere =
		drawn ? compat_stream(NULL, (struct compat_functions){.write = drop_output}) : NULL;
	rl_outstream = line.nowhere ? line.nowhere : stdout;
	rl_prep_term_function = drawn ? NULL : prepare_terminal;
	rl_deprep_term_function = drawn ? NULL : put_back;
	rl_redisplay_function = drawn ? no_redisplay : draw_again;
	rl_completion_display_matches_hook = drawn ? keep_matches : NULL;
	rl_completion_query_items = drawn ? -1 : line.query_items;
	rl_tty_set_echoing(!drawn);
	rl_bind_key(CTRL_KEY('G'), drawn ? on_leave : rl_abort);
	rl_bind_key(CTRL_KEY('L'), drawn ? on_redraw : rl_clear_screen);
	rl_attempted_completion_function = complete_word;
	rl_completer_word_break_characters = rl_basic_word_break_characters = " \t\n";
	history_open(hooks->history);
}

void
line_leave(void)
{
	line_stop();
	line_drop();
	sb_free(&line.prompt);
	keys_free(&line.keys);
	draw_end();
	history_close();
	rl_outstream = stdout;
	if (line.nowhere)
		fclose(line.nowhere);
	line.nowhere = NULL;
}

void
line_start(const char *prompt)
{
	line_stop();
	apply_settings();
	sb_clear(&line.prompt);
	sb_str(&line.prompt, prompt);
	if (!line.hooks.is_drawn_by_caller)
		draw_open();
	line.is_open = true;
	feed_open();
	rl_callback_handler_install(prompt, on_line);
}

void
line_change_prompt(const char *prompt)
{
	sb_clear(&line.prompt);
	sb_str(&line.prompt, prompt);
	if (line.is_open && rl_display_prompt == rl_prompt) /* no message replaces the prompt */
		rl_set_prompt(prompt);
}

void
line_stop(void)
{
	popup_free();
	if (line.is_open) {
		end_prefix();
		rl_callback_sigcleanup();
		rl_free_line_state();
		history_drop_undo();
		rl_callback_handler_remove();
	}
	line.is_open = line.is_left = false;
	feed_close();
	free(line.entered);
	line.entered = NULL;
}

void
line_drop(void)
{
	keys_drop(&line.keys);
}

enum line_end
line_run(char **text)
{
	struct key k;

	while (line.is_open && !line.is_left && keys_take(&line.keys, &k))
		do_key(&k);
	/* otherwise Escape is Meta for the next key, however late that comes */
	line.keys.escape_acts = line.hooks.is_drawn_by_caller || rl_editing_mode == 0 ||
				RL_ISSTATE(RL_STATE_ISEARCH);
	*text = line.entered;
	line.entered = NULL;
	if (*text || !line.is_left)
		return *text ? LINE_ENTERED : LINE_OPEN;
	keys_drop_typed(&line.keys); /* Escape typed twice must not be Meta in the next line */
	line_stop();
	return LINE_LEFT;
}

char
line_take_next(void)
{
	char next = line.next;

	line.next = '\0';
	return next;
}

bool
line_wants_redraw(void)
{
	bool wanted = line.wants_redraw;

	line.wants_redraw = false;
	return wanted;
}

void
line_look(struct line_look *to)
{
	const char *prompt = rl_display_prompt ? rl_display_prompt : "";
	bool is_hidden = false;
	size_t k = 0;

	for (; *prompt && k + 1 < sizeof(to->prompt); prompt++) {
		if (*prompt == RL_PROMPT_START_IGNORE || *prompt == RL_PROMPT_END_IGNORE)
			is_hidden = *prompt == RL_PROMPT_START_IGNORE;
		else if (!is_hidden)
			to->prompt[k++] = *prompt;
	}
	to->prompt[k] = '\0';
	to->text = rl_line_buffer;
	to->n = (size_t)MAX(rl_end, 0);
	to->point = MIN((size_t)MAX(rl_point, 0), to->n);
	to->popup = line.popup;
	to->n_popup = line.n_popup;
}
