/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_export.c - the run in the formats of other programs. */
#include "base/replace.h"
#include "export/export.h"
#include "session/command.h"
#include "session/session_part.h"

#include <limits.h>

static enum session_status
export_failed(struct session *s, const struct err *e)
{
	say_err(s, e);
	return s->control.poll ? session_end_interrupted(s) : SESSION_ERROR;
}

enum session_status
cmd_export(struct session *s, struct cmd_args *a)
{
	static const char *const formats[] = {"events"};
	const char *at = a->word[0];
	char format[16], word[80], path[PATH_MAX], cycles[HUMAN], from[HUMAN];
	struct export_job j = {.sim = s->sim,
			       .run = s->run,
			       .to = CYCLE_NEVER,
			       .stop = &s->control.poll};
	struct err e = {0};
	bool forced = false, ranged = false;

	next_word(&at, format, sizeof(format));
	if (pick_name("format", format, formats, 1, &e) < 0)
		return say_err(s, &e);
	if (!next_word(&at, path, sizeof(path)))
		return fail(s, "export: a file is missing; usage: export events FILE.json "
			       "[from..to|selection] [--force]");
	while (next_word(&at, word, sizeof(word))) {
		if (replace_is_forced(word))
			forced = true;
		else if (ranged)
			return fail(s, "export: unexpected argument '%.60s'", word);
		else if (read_past_cycles(s, word, &j.from, &j.to, &e))
			return say_err(s, &e);
		ranged |= !replace_is_forced(word);
	}
	if (!forced && replace_check("export events", path, OWN_TRACE_EVENTS, &e))
		return say_err(s, &e);
	if (export_trace_events_file(&j, path, &e))
		return export_failed(s, &e);
	if (sim_events(s->sim)->first)
		say(s, SAY_NOTE,
		    "export events: the first %s events are no longer kept (run.events), so early "
		    "CTAs and decisions are missing",
		    human(cycles, sim_events(s->sim)->first));
	human(from, j.from);
	human(cycles, MIN(j.to, sim_cycle(s->sim)));
	say(s, SAY_NOTE,
	    "wrote kernels, CTAs, pauses, decisions and counters of cycles %s to %s to %s; "
	    "ui.perfetto.dev opens it",
	    from, cycles, path);
	return SESSION_OK;
}
