/* SPDX-License-Identifier: GPL-3.0-or-later */
/* complete.c - completions, in the form that readline expects. */
#include "line/line_part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <readline/readline.h>

char **
complete_line(const struct line_hooks *h, int start, int end)
{
	bool is_path = false;
	char **found = h->complete(h->ctx, rl_line_buffer, start, end, &is_path), **all;
	size_t n = 0, common;

	rl_attempted_completion_over = !is_path;
	while (found && found[n])
		n++;
	if (n == 0) {
		free(found);
		return NULL;
	}
	/* readline expects the common prefix first */
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
