/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * history.c - the lines that were typed, at the prompt and on the screen's command line alike:
 * $XDG_STATE_HOME/ctascope/history, appended at once. A line with a blank in front is not kept, a
 * repeated one only once. What is no plain file, or far too large, is left alone.
 */
#include "prompt/prompt.h"
#include "session/session.h"

#include "base/textfile.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <readline/history.h>

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
