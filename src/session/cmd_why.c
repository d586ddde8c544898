/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_why.c - the command why: explains a decision, a CTA, what a warp waits for, a core that
 * issues nothing or that takes no CTA.
 */
#include "session/branch.h"
#include "session/command.h"
#include "session/session_part.h"

#include "base/ascii.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Parses "core 3" or "3"; without either it is the core in focus. */
static int
read_core(const struct session *s, const char *at, unsigned *core, struct err *e)
{
	char word[64];
	uint64_t n;

	*core = s->view.core;
	if (!next_word(&at, word, sizeof(word)))
		return 0;
	if (ascii_same(word, "core") && !next_word(&at, word, sizeof(word)))
		return err_set(e, "a core number is missing");
	if (number_count(word, &n))
		return err_set(e, "expected a core number, found '%s'", word);
	if (n >= sim_instances(s->sim, "core"))
		return err_set(e, "no core %" PRIu64 ": this machine has cores 0..%u", n,
			       sim_instances(s->sim, "core") - 1);
	*core = (unsigned)n;
	at = skip_blanks(at);
	return *at ? err_set(e, "unexpected argument '%.60s'", at) : 0;
}

struct why_not_question {
	unsigned core, kernel; /* kernel 0: the one whose turn it is */
};

/* Answers for a kernel; one that has room may still wait for its turn. */
static enum session_status
why_not_kernel(struct session *s, const struct why_not_question *q)
{
	struct refusal_view v, first;
	int rc = sim_why_not_kernel(s->sim, q->core, q->kernel, &v);

	if (rc > 0)
		return fail(
			s, "why not: kernel %u does not run now; 'info kernel' shows those that do",
			q->kernel);
	if (rc || sim_why_not(s->sim, q->core, &first))
		return fail_memory(s);
	if (v.kind != REFUSE_NONE)
		say(s, SAY_RESULT, "core %u takes no CTA (%s): %s", q->core,
		    debug_refusal_name(v.kind), v.text);
	else if (first.kernel && first.kernel != q->kernel)
		say(s, SAY_RESULT,
		    "core %u has room for a CTA of kernel %u, but it is the turn of kernel %u",
		    q->core, q->kernel, first.kernel);
	else
		say(s, SAY_RESULT, "core %u takes CTAs: %s", q->core, v.text);
	return SESSION_OK;
}

static enum session_status
why_not_now(struct session *s, void *ctx)
{
	const struct why_not_question *q = ctx;
	unsigned core = q->core;
	struct refusal_view v;

	if (q->kernel)
		return why_not_kernel(s, q);
	if (sim_why_not(s->sim, core, &v))
		return fail_memory(s);
	if (v.kind == REFUSE_NONE)
		say(s, SAY_RESULT, "core %u takes CTAs: %s", core, v.text);
	else
		say(s, SAY_RESULT, "core %u takes no CTA (%s): %s", core,
		    debug_refusal_name(v.kind), v.text);
	return SESSION_OK;
}

/* Removes "at CYCLE" from the end of the arguments; without it *cycle is unchanged. */
static int
cut_cycle(char *text, cycle_t *cycle, struct err *e)
{
	char *at = strstr(text, " at "), word[64];
	const char *rest;

	if (!at)
		return 0;
	*at = '\0';
	rest = at + 4;
	if (!next_word(&rest, word, sizeof(word)) || number_count(word, cycle) ||
	    *skip_blanks(rest))
		return err_set(e, "expected a cycle after 'at', found '%.60s'", at + 4);
	return 0;
}

/* Reads "[core C] [at CYCLE]"; CYCLE_NEVER: no cycle is given. Returns -1 with e, which begins with
 * the command. */
static int
read_core_and_cycle(const struct session *s, const char *command, const char *args, unsigned *core,
		    cycle_t *cycle, struct err *e)
{
	char text[NAME_TYPED + 1];
	struct err why = {0};

	*cycle = CYCLE_NEVER;
	snprintf(text, sizeof(text), " %s", args);
	if (cut_cycle(text, cycle, &why))
		return err_set(e, "%s: %s", command, why.msg);
	return read_core(s, text, core, e);
}

/* Arguments: [core C] [kernel K] [at CYCLE]. */
static enum session_status
why_not(struct session *s, const char *args)
{
	struct why_not_question q;
	struct err e = {0};
	char text[NAME_TYPED];
	cycle_t cycle;

	snprintf(text, sizeof(text), "%s", args);
	if (session_take_kernel(s, "why not", text, &q.kernel, &e) ||
	    read_core_and_cycle(s, "why not", text, &q.core, &cycle, &e))
		return say_err(s, &e);
	return cycle == CYCLE_NEVER ? why_not_now(s, &q)
				    : session_at_cycle(s, cycle, why_not_now, &q);
}

static enum session_status
why_warp_here(struct session *s, void *ctx)
{
	const unsigned *warp = ctx;
	struct strbuf text = {0};

	debug_why_warp(s->sim, warp[0], warp[1], &text);
	say_text(s, SAY_RESULT, &text);
	return SESSION_OK;
}

/* Arguments: [C.W] [at CYCLE]; without C.W the warp in focus. */
static enum session_status
why_warp(struct session *s, const char *args)
{
	unsigned warp[2] = {s->view.core, s->view.warp};
	cycle_t cycle = CYCLE_NEVER;
	char text[128], word[64], end;
	const char *at = text;
	struct err e = {0};

	snprintf(text, sizeof(text), " %s", args);
	if (cut_cycle(text, &cycle, &e))
		return fail(s, "why warp: %s", e.msg);
	if (next_word(&at, word, sizeof(word)) &&
	    (sscanf(word, "%u.%u%c", &warp[0], &warp[1], &end) != 2 || *skip_blanks(at)))
		return fail(s, "why warp: expected core.warp such as 3.12, found '%.60s'",
			    skip_blanks(text));
	if (warp[0] >= sim_instances(s->sim, "core") || warp[1] >= sim_warps(s->sim))
		return fail(s, "no warp %u.%u: cores are 0..%u, their warps 0..%u", warp[0],
			    warp[1], sim_instances(s->sim, "core") - 1, sim_warps(s->sim) - 1);
	return cycle == CYCLE_NEVER ? why_warp_here(s, warp)
				    : session_at_cycle(s, cycle, why_warp_here, warp);
}

/* Arguments: N [kernel K]. */
static enum session_status
why_cta(struct session *s, const char *args)
{
	uint64_t cta;
	unsigned kernel;
	struct strbuf text = {0};
	char word[64], grids[100], rest[NAME_TYPED];
	const char *at = rest;
	struct err e = {0};

	snprintf(rest, sizeof(rest), "%s", args);
	if (session_take_kernel(s, "why cta", rest, &kernel, &e))
		return say_err(s, &e);
	if (!next_word(&at, word, sizeof(word)) || number_count(word, &cta) || cta >= UINT32_MAX)
		return fail(s, "why cta: expected a CTA number, found '%s'", word);
	if (*skip_blanks(at))
		return fail(s, "why cta: expected 'kernel' and a number or a name, found '%.60s'",
			    skip_blanks(at));
	if (cta >= session_count_ctas(s, kernel, grids, sizeof(grids)))
		return fail(s, "why cta: no CTA %" PRIu64 ": %s", cta, grids);
	if (debug_why_cta(s->debug, (uint32_t)cta, kernel - 1, &text, &e))
		return say_err(s, &e);
	say_text(s, SAY_RESULT, &text);
	return SESSION_OK;
}

/* ---------------------------------------------------------------- a core */

struct why_question {
	int core;
	bool idle;	 /* only what keeps the core from issuing */
	unsigned kernel; /* only the decision for this kernel; 0: any */
};

static enum session_status
why_here(struct session *s, void *ctx)
{
	const struct why_question *q = ctx;
	struct strbuf text = {0};
	struct err none = {0};

	if (!q->kernel)
		debug_why_idle(s->sim, (unsigned)q->core, &text);
	bool unknown = !q->idle && debug_why(s->debug, 0, q->core, q->kernel, &text, &none) != 0;

	say_text(s, SAY_RESULT, &text);
	return unknown ? say_err(s, &none) : SESSION_OK;
}

/* Answers now, or at another cycle, as which the machine is then seen. */
static enum session_status
why_core(struct session *s, struct why_question *q, cycle_t cycle)
{
	return cycle == CYCLE_NEVER || cycle == sim_cycle(s->sim)
		       ? why_here(s, q)
		       : session_at_cycle(s, cycle, why_here, q);
}

/* Arguments: [core C] [at CYCLE]. */
static enum session_status
why_idle(struct session *s, const char *args)
{
	struct err e = {0};
	unsigned core;
	cycle_t cycle;

	if (read_core_and_cycle(s, "why idle", args, &core, &cycle, &e))
		return say_err(s, &e);
	return why_core(s, &(struct why_question){(int)core, true, 0}, cycle);
}

/* A number alone counts the decisions about all cores, and not those about the core in focus; nor
 * is it the number of a core. */
static void
note_any_core(struct session *s, uint64_t n)
{
	char about[60] = "";

	if (n < sim_instances(s->sim, "core") && n != s->view.core)
		snprintf(about, sizeof(about),
			 "; the last one about core %" PRIu64 ": 'why core %" PRIu64 "'", n, n);
	say(s, SAY_NOTE,
	    "decision %" PRIu64 " about any core, counted back from the last (1); about core %u, "
	    "the one in focus: 'why %" PRIu64 " core %u'%s",
	    n, s->view.core, n, s->view.core, about);
}

enum session_status
cmd_why(struct session *s, struct cmd_args *a)
{
	const char *at, *from;
	char word[64], args[NAME_TYPED];
	uint64_t n = 0;
	unsigned core = s->view.core, kernel;
	cycle_t cycle = CYCLE_NEVER;
	struct strbuf text = {0};
	struct err e = {0};
	bool of_core = false;

	from = at = a->word[0];
	if (next_word(&at, word, sizeof(word)) && ascii_same(word, "not"))
		return why_not(s, at);
	if (ascii_same(word, "cta"))
		return why_cta(s, at);
	if (ascii_same(word, "warp"))
		return why_warp(s, at);
	if (ascii_same(word, "idle"))
		return why_idle(s, at);
	snprintf(args, sizeof(args), " %s", from);
	if (cut_cycle(args, &cycle, &e))
		return fail(s, "why: %s", e.msg);
	if (session_take_kernel(s, "why", args, &kernel, &e))
		return say_err(s, &e);
	from = at = args;
	if (next_word(&at, word, sizeof(word)) && number_count(word, &n) == 0) {
		from = at;
		if (n == 0)
			return fail(s, "why: decisions count from 1, the last");
	}
	if (from == args && *word && number_count_fault(word))
		return fail(s, "why: '%.60s' %s", word, number_count_fault(word));
	if (*skip_blanks(from)) {
		if (!ascii_same_start(skip_blanks(from), "core", 4))
			return fail(
				s,
				"why: expected a number, core C, kernel K, idle, cta N, warp or "
				"not, found '%.60s'",
				skip_blanks(from));
		if (read_core(s, from, &core, &e))
			return say_err(s, &e);
		of_core = true;
	}
	if (cycle != CYCLE_NEVER && n)
		return fail(s, "why: a number counts decisions back from now; N and 'at CYCLE' "
			       "exclude each other");
	if (!n &&
	    (of_core || cycle != CYCLE_NEVER || !debug_stands_on_decision(s->debug, (int)core)))
		return why_core(s, &(struct why_question){(int)core, false, kernel}, cycle);
	if (debug_why(s->debug, n, of_core || !n ? (int)core : -1, kernel, &text, &e))
		return say_err(s, &e);
	if (n && !of_core && !kernel)
		note_any_core(s, n);
	say_text(s, SAY_RESULT, &text);
	return SESSION_OK;
}
