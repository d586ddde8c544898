/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * readline_common.c - what the plain prompt and the command line of the screen share of readline:
 * the history, so that what was typed at one is found at the other, and completion.
 *
 * History: $XDG_STATE_HOME/ctascope/history, appended at once; a line with a blank in front is not
 * kept, a repeated one only once. What is no plain file, or far too large, is left alone.
 */
#include "repl/repl.h"
#include "repl/session_file.h"

#include "base/textfile.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <readline/history.h>
#include <readline/readline.h>

#define HISTORY_LINES 2000

void
history_open(char *path, size_t size)
{
	struct stat st;
	FILE *f;
	mode_t mask;

	path[0] = '\0';
	clear_history();
	using_history();
	if (session_state_path("history", path, size)) {
		path[0] = '\0';
		return;
	}
	/* a pipe would be waited for, a device read for ever */
	if (stat(path, &st) == 0 && (!S_ISREG(st.st_mode) || (uint64_t)st.st_size > TEXT_MOST)) {
		path[0] = '\0';
		return;
	}
	mask = umask(077);
	f = fopen(path, "ae");
	umask(mask);
	if (!f) {
		path[0] = '\0'; /* no place for it: this session only */
		return;
	}
	fclose(f);
	read_history(path);
	stifle_history(HISTORY_LINES);
}

void
history_add_line(const char *path, const char *line)
{
	if (!*line || *line == ' ')
		return;
	for (int i = history_length - 1; i >= 0; i--) {
		HIST_ENTRY *e = history_get(history_base + i);

		if (!e || strcmp(e->line, line) != 0)
			continue;
		if (i == history_length - 1)
			return;
		e = remove_history(i);
		free(e ? free_history_entry(e) : NULL);
		break;
	}
	add_history(line);
	if (*path)
		append_history(1, path);
}

void
history_close(const char *path)
{
	if (*path)
		history_truncate_file(path, HISTORY_LINES);
	clear_history();
}

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
