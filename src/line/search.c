/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * search.c - the searches of readline's vi mode in the history: / ? n N.
 *
 * readline's own match the text as a pattern from every byte of every line, which takes a time that
 * grows with the square of a line's length: minutes for a page that was pasted, in which no signal
 * is served. In emacs mode readline looks for the text as it is, so these commands begin its search
 * in that mode.
 */
#include "line/line_part.h"

#include <readline/readline.h>

#define EMACS_MODE 1 /* of rl_editing_mode */

static int
call_in_emacs_mode(rl_command_func_t *f, int count, int key)
{
	int mode = rl_editing_mode, rc;

	rl_editing_mode = EMACS_MODE;
	rc = f(count, key);
	rl_editing_mode = mode;
	return rc;
}

static int
on_search(int count, int key)
{
	return call_in_emacs_mode(rl_vi_search, count, key);
}

static int
on_search_again(int count, int key)
{
	return call_in_emacs_mode(rl_vi_search_again, count, key);
}

void
search_bind(void)
{
	static const struct {
		char key;
		rl_command_func_t *theirs, *ours;
	} keys[] = {{'/', rl_vi_search, on_search},
		    {'?', rl_vi_search, on_search},
		    {'n', rl_vi_search_again, on_search_again},
		    {'N', rl_vi_search_again, on_search_again}};
	Keymap map = rl_get_keymap_by_name("vi-command");

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		const char sequence[] = {keys[i].key, '\0'};

		/* not where the user's inputrc has something else */
		if (rl_function_of_keyseq(sequence, map, NULL) == keys[i].theirs)
			rl_bind_key_in_map(keys[i].key, keys[i].ours, map);
	}
}
