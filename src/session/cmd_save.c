/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_save.c - the commands save and load: the whole session as a file, or its stops as commands.
 */
#include "base/output.h"
#include "base/replace.h"
#include "session/command.h"
#include "session/session_part.h"

#include "session/session_file.h"
#include "session/store.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

static enum session_status
save_breakpoints(struct session *s, const char *path, bool forced)
{
	struct strbuf text = {0};
	struct err e = {0};
	struct output *o;
	int rc;

	debug_stops_save(s->debug, &text);
	if (text.failed) {
		sb_free(&text);
		return fail_memory(s);
	}
	if (!text.n) {
		sb_free(&text);
		return fail(s, "no stops to save");
	}
	if (!forced && replace_check("save breakpoints", path, OWN_STOPS, &e)) {
		sb_free(&text);
		return say_err(s, &e);
	}
	o = output_open(path, 0, &e);
	rc = o ? output_write(o, text.p, text.n, &e) : -1;
	if (rc == 0)
		rc = output_close(o, &e);
	else
		output_abort(o);
	sb_free(&text);
	if (rc)
		return say_err(s, &e);
	say(s, SAY_NOTE, "saved %u stop%s to %s", debug_stop_count(s->debug),
	    PLURAL(debug_stop_count(s->debug)), path);
	return SESSION_OK;
}

enum session_status
cmd_save(struct session *s, struct cmd_args *a)
{
	bool forced = replace_is_forced(a->word[0]) || replace_is_forced(a->word[1]) ||
		      replace_is_forced(a->word[2]);
	const char *typed = a->word[1] && !replace_is_forced(a->word[1]) ? a->word[1] : a->word[0];
	char path[PATH_MAX], kib[HUMAN], cycle[HUMAN];
	bool stops = ascii_same(a->word[0], "breakpoints");
	struct strbuf old = {0};
	struct err e = {0};
	struct stat st;

	if (stops && !a->word[1])
		return fail(s, "save breakpoints: a file name is missing");
	if ((!stops && a->word[1] && (!forced || a->word[2])) || replace_is_forced(typed) ||
	    (a->word[2] && !replace_is_forced(a->word[2])))
		return fail(s,
			    "save: expected one file name, or breakpoints and a file name; found "
			    "'%.60s%s%.60s'",
			    a->word[0], a->word[1] ? " " : "", a->word[1] ? a->word[1] : "");
	session_file_name(typed, path, sizeof(path));
	if (stops)
		return save_breakpoints(s, path, forced);
	if (!s->sim)
		return fail(s, "save: no workload is loaded; name one on the command line");
	if (!forced && store_would_destroy(path))
		return fail(s,
			    "save: %s exists and is not a saved session; choose another name, or "
			    "replace it with 'save %s --force'",
			    path, typed);
	if (session_write(s, path, &e))
		return say_err(s, &e);
	session_note_saved(s);
	if (stat(path, &st))
		st.st_size = 0;
	say(s, SAY_NOTE, "saved the session at cycle %s to %s, %s KiB",
	    human(cycle, sim_cycle(s->sim)), path,
	    human(kib, ((uint64_t)st.st_size + 1023) / 1024));
	policy_files_note_old(s, &old);
	say_text(s, SAY_NOTE, &old);
	return SESSION_OK;
}

enum session_status
cmd_load(struct session *s, struct cmd_args *a)
{
	char path[PATH_MAX], cycle[HUMAN], line[PATH_MAX + 8];
	struct err e = {0};

	if (!a->word[0] && s->ui.draws && s->ui.screen)
		return s->ui.screen(s->ui.ctx, "pane", "launcher", &e) ? say_err(s, &e)
								       : SESSION_OK;
	if (!a->word[0])
		return fail(s, "load: a file name is missing; usage: load FILE");
	session_file_name(a->word[0], path, sizeof(path));
	if (!s->trace)
		return fail(s,
			    "load: no workload is loaded; 'ctascope --resume %s' loads that of the "
			    "file",
			    path);
	snprintf(line, sizeof(line), strchr(a->word[0], '"') ? "load '%s'" : "load \"%s\"",
		 a->word[0]);
	if (session_asks_to_lose(s, line, "load anyway"))
		return SESSION_OK;
	if (session_read(s, path, false, &e))
		return say_err(s, &e);
	s->view.list_at = 0;
	say(s, SAY_NOTE, "loaded %s: cycle %s, policy %s, %u stop%s", path,
	    human(cycle, sim_cycle(s->sim)), config_policy_text(sim_config(s->sim)),
	    debug_stop_count(s->debug), PLURAL(debug_stop_count(s->debug)));
	session_show_displays(s);
	return SESSION_OK;
}
