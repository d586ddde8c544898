/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * readline_common.c - what the plain prompt and the command line of the screen share of readline:
 * completion, and keys that it does not bear. history.c has the lines that were typed.
 */
#include "prompt/prompt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <readline/readline.h>

/*
 * readline 8.2 crashes in an incremental search (Ctrl-R, Ctrl-S) fed by callbacks when a key comes
 * that begins a sequence (Ctrl-X) and the key behind it has no command in that sequence: with an
 * entry in the history, Ctrl-R Ctrl-X a and Ctrl-R Ctrl-X Ctrl-V each end in a NULL function. So
 * the search ends before such a key: as one of isearch-terminators ends it, with the line that was
 * found, or given up when the user's inputrc left none that does no more than that. The key comes
 * next, to the line. Escape is no such key: it ends searches itself.
 */
int
search_key(int c)
{
	const char *ends = rl_variable_value("isearch-terminators");
	Keymap keys = rl_get_keymap();

	if (c < 0 || c >= KEYMAP_SIZE || !RL_ISSTATE(RL_STATE_ISEARCH) || keys[c].type != ISKMAP)
		return c;
	if (!ends)
		ends = "\033\n";
	if (strchr(ends, c))
		return c;
	rl_execute_next(c);
	return strchr(ends, '\n') ? '\n' : 'G' & 31;
}

char **
complete_line(struct session *s, int start, int end)
{
	bool is_path = false;
	char **found = session_complete(s, rl_line_buffer, start, end, &is_path), **all;
	size_t n = 0, common;

	rl_attempted_completion_over = !is_path;
	while (found && found[n])
		n++;
	if (n == 0) {
		free(found);
		return NULL;
	}
	/* readline wants what all have in common in front */
	common = strlen(found[0]);
	for (size_t i = 1; i < n; i++)
		for (size_t c = 0; c < common; c++)
			if (found[i][c] != found[0][c])
				common = c;
	if (n == 1) {
		rl_completion_suppress_append =
			strchr("./", found[0][common - (common > 0)]) != NULL;
		return found;
	}
	all = malloc((n + 2) * sizeof(*all));
	if (!all) {
		for (size_t i = 0; i < n; i++)
			free(found[i]);
		free(found);
		return NULL;
	}
	all[0] = strndup(found[0], common);
	memcpy(all + 1, found, (n + 1) * sizeof(*all));
	free(found);
	return all;
}
