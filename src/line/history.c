/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * history.c - the history of typed lines, common to the plain prompt and that of the screen: a file
 * to which each line is appended immediately. A line that begins with a blank is not kept, a
 * repeated line only once. A file that is not regular or is far too large is not used. The history
 * belongs to readline, one per process, hence the static variable.
 */
#include "line/line_part.h"

#include "base/textfile.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <readline/history.h>

#define HISTORY_LINES 2000

static char kept_in[PATH_MAX]; /* "": this session only */

/* Can the file keep the history? Creates it if necessary. Only regular files are used, since
 * reading a pipe or a device might never end. */
static bool
can_keep(const char *path)
{
	struct stat st;
	mode_t mask;
	FILE *f;

	if (!path || strlen(path) >= sizeof(kept_in))
		return false;
	if (stat(path, &st) == 0 && (!S_ISREG(st.st_mode) || (uint64_t)st.st_size > TEXT_MOST))
		return false;
	mask = umask(077);
	f = fopen(path, "ae");
	umask(mask);
	return f && fclose(f) == 0;
}

void
history_open(const char *path)
{
	clear_history();
	using_history();
	kept_in[0] = '\0';
	if (!can_keep(path))
		return;
	snprintf(kept_in, sizeof(kept_in), "%s", path);
	read_history(kept_in);
	stifle_history(HISTORY_LINES);
}

bool
history_is_kept(void)
{
	return kept_in[0] != '\0';
}

void
history_add_line(const char *line)
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
	if (history_is_kept())
		append_history(1, kept_in);
}

void
history_drop_undo(void)
{
	HIST_ENTRY **all = history_list();

	for (int i = 0; all && i < history_length; i++)
		all[i]->data = NULL;
}

void
history_close(void)
{
	if (history_is_kept())
		history_truncate_file(kept_in, HISTORY_LINES);
	clear_history();
}
