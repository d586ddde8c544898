/* SPDX-License-Identifier: GPL-3.0-or-later */
/* function.c - looks up which function of readline a key has, before readline reads the key. */
#include "line/line_part.h"

#include <string.h>

#include <readline/readline.h>

#define CTRL_KEY(c) ((c)&31)

static bool
is_one_of(rl_command_func_t *f, rl_command_func_t *const list[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (f == list[i])
			return true;
	return false;
}

bool
key_is_bound(const struct key *k)
{
	int type = ISKMAP;

	return rl_function_of_keyseq_len(k->bytes, k->n, NULL, &type) && type != ISKMAP;
}

bool
key_fits_search(const struct key *k)
{
	static rl_command_func_t *const known[] = {rl_reverse_search_history,
						   rl_forward_search_history,
						   rl_rubout,
						   rl_abort,
						   rl_unix_word_rubout,
						   rl_yank};
	static const char own[] = {CTRL_KEY('G'), CTRL_KEY('J'), CTRL_KEY('W'), CTRL_KEY('Y')};
	unsigned char c = (unsigned char)*k->bytes;
	const KEYMAP_ENTRY *e = &rl_get_keymap()[c];

	if (e->type == ISKMAP)
		return false;
	if (k->n > 1 || (c >= ' ' && c < 0x7f) || memchr(own, c, sizeof(own)))
		return true;
	return e->type == ISFUNC && is_one_of(e->function, known, ARRAY_LEN(known));
}

/* readline shows the direction of a search only in its prompt: "(failed reverse-i-search)". */
static bool
search_goes_back(void)
{
	static const char *const back[] = {"(reverse-", "(failed reverse-"};

	for (size_t i = 0; i < ARRAY_LEN(back); i++)
		if (strncmp(rl_display_prompt, back[i], strlen(back[i])) == 0)
			return true;
	return false;
}

bool
key_turns_search(const struct key *k)
{
	rl_command_func_t *f;
	int type = ISKMAP;

	f = rl_function_of_keyseq_len(k->bytes, k->n, NULL, &type);
	return type == ISFUNC &&
	       f == (search_goes_back() ? rl_forward_search_history : rl_reverse_search_history);
}

void
sequence_add(struct sequence *s, const char *bytes, size_t n)
{
	if (!RL_ISSTATE(RL_STATE_MULTIKEY))
		s->n = 0;
	n = MIN(n, sizeof(s->bytes) - s->n);
	memcpy(s->bytes + s->n, bytes, n);
	s->n += n;
}

const char *
sequence_macro(const struct sequence *s)
{
	union {
		rl_command_func_t *function;
		const char *text;
	} bound;
	int type = ISKMAP;

	bound.function = rl_function_of_keyseq_len(s->bytes, s->n, NULL, &type);
	return type == ISMACR ? bound.text : NULL;
}

bool
sequence_is_recorder(const struct sequence *s)
{
	static rl_command_func_t *const recorder[] = {rl_start_kbd_macro, rl_end_kbd_macro,
						      rl_call_last_kbd_macro,
						      rl_print_last_kbd_macro};
	rl_command_func_t *f;
	int type = ISKMAP;

	f = rl_function_of_keyseq_len(s->bytes, s->n, NULL, &type);
	return type == ISFUNC && is_one_of(f, recorder, ARRAY_LEN(recorder));
}
