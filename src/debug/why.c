/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * why.c - explains the reason of a decision.
 *
 * A decision is an event with a rule, which is a sentence with numbers. The sentence itself is the
 * answer. Below it the numbers are listed by name. If the sentence contains a plain comparison of
 * two of them ("C_mem {c_mem} >= t_mem_h {t_mem_h}"), the output says by how much it was met, and
 * thus what would have prevented the rule. Other gauges of the policy are listed as long as no
 * later period has ended. What would have happened otherwise needs a branch and is not answered
 * here.
 */
#include "debug/debug_part.h"

#include "base/ascii.h"
#include "base/human.h"
#include "cta/cta.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A comparison found in a rule's sentence: {left} OP {right}. */
struct comparison {
	int left, right; /* values */
	char op[3];
};

/* Is the text between two numbers a comparison: an operator, optionally followed by a name
 * ("t_mem_h ")? Anything else, such as a comma or an arrow, means that the numbers are not
 * compared. */
static bool
is_comparison(const char *from, const char *to, char op[3])
{
	size_t n = 0;

	while (from < to && *from == ' ')
		from++;
	while (from < to && strchr("<>=", *from) && n < 2)
		op[n++] = *from++;
	op[n] = '\0';
	if (strcmp(op, "<") != 0 && strcmp(op, "<=") != 0 && strcmp(op, ">") != 0 &&
	    strcmp(op, ">=") != 0)
		return false;
	while (from < to && (ascii_is_alnum(*from) || strchr("_ .", *from)))
		from++;
	return from == to;
}

static unsigned
find_comparisons(const struct rule *r, struct comparison *c, unsigned max)
{
	const char *after = NULL;
	int before = -1;
	unsigned n = 0;

	for (const char *p = strchr(r->says, '{'); p; p = strchr(p + 1, '{')) {
		size_t length = strcspn(p + 1, "{}");
		int i = rule_find(r, p + 1, length);

		if (before >= 0 && i >= 0 && n < max && is_comparison(after, p, c[n].op)) {
			c[n].left = before;
			c[n].right = i;
			n++;
		}
		before = i;
		after = p + length + 2;
	}
	return n;
}

static const char *
value_text(char buf[HUMAN], const char *name, int64_t v)
{
	cta_value_text(name, v, buf, HUMAN);
	return buf;
}

static void
say_otherwise(const struct event *ev, const struct rule *r, const struct comparison *c,
	      struct strbuf *out)
{
	int64_t left = ev->v[c->left], right = ev->v[c->right];
	char left_text[HUMAN], apart[HUMAN], right_text[HUMAN];
	bool strict = c->op[1] == '\0', more = c->op[0] == '>';
	int64_t other_left = more ? right - !strict : right + !strict;
	int64_t other_right = more ? left + !strict : left - !strict;

	/* only a comparison that was true can have mattered */
	if (more ? left < right + strict : left > right - strict)
		return;
	sb_printf(out,
		  "  otherwise  with %s %s %s (%s %s), or %s %s %s, this rule would not have "
		  "applied\n",
		  r->value[c->left],
		  more ? "<=" : ">=", value_text(left_text, r->value[c->left], other_left),
		  value_text(apart, r->value[c->left],
			     more ? left - other_left : other_left - left),
		  more ? "less" : "more", r->value[c->right],
		  more ? ">=" : "<=", value_text(right_text, r->value[c->right], other_right));
}

/* A reading of a gauge, or a threshold. */
static const char *
reading_text(char buf[HUMAN], double v)
{
	if (v < 0 || v > 1e15 || v > floor(v))
		snprintf(buf, HUMAN, "%.10g", v);
	else
		human(buf, (uint64_t)v);
	return buf;
}

static void
add_threshold(struct strbuf *out, const char *name, double v)
{
	char number[HUMAN];

	if (name && !isnan(v))
		sb_printf(out, ", %s %s", name, reading_text(number, v));
}

/* Adds the readings of the policy's gauges at the end of the period that the decision closed. */
static void
add_gauges(const struct sim *s, const struct event *ev, struct strbuf *out)
{
	struct gauge_view v;
	char number[HUMAN];
	unsigned n = sim_gauges(s);

	for (unsigned i = 0; i < n; i++) {
		if (!sim_gauge_of_kernel(s, ev->kernel, i, (unsigned)MAX(ev->core, 0), &v) ||
		    v.last_end != ev->cycle || isnan(v.last.value) ||
		    strcmp(v.policy->name, sim_event_policy(s, ev)) != 0 ||
		    (v.gauge->per_core && ev->core < 0))
			continue;
		sb_printf(out, "  weighed    %s %s %s", v.gauge->name,
			  reading_text(number, v.last.value), v.gauge->unit);
		add_threshold(out, v.gauge->low, v.last.low);
		add_threshold(out, v.gauge->high, v.last.high);
		sb_printf(out, "\n");
	}
}

/* Names who decided. */
static void
add_decider(const struct sim *s, const struct event *ev, const struct rule *r, struct strbuf *out)
{
	if (ev->policy != POLICY_HOST)
		sb_printf(out, "  decided by %s, rule %s\n", sim_event_policy(s, ev), r->name);
	else if (ev->kind == EV_FORCED)
		sb_printf(out, "  forced by this branch, not decided by a policy (rule %s)\n",
			  r->name);
	else if (ev->kind == EV_CTA_ISSUE)
		sb_printf(out,
			  "  decided by the GPU, which issues a CTA where there is room and no "
			  "policy refuses it (rule %s)\n",
			  r->name);
	else
		sb_printf(out, "  not decided by a policy, but a step of the run (rule %s)\n",
			  r->name);
}

void
debug_explain(const struct sim *s, const struct event *ev, struct strbuf *out)
{
	const struct rule *r = sim_event_rule(s, ev);
	struct comparison c[4];
	unsigned n_c;
	char text[400], number[HUMAN];
	size_t width = 0;

	sim_event_text(s, ev, text, sizeof(text));
	sb_printf(out, "%s\n", text);
	add_decider(s, ev, r, out);
	for (unsigned i = 0; i < EVENT_VALUES && r->value[i]; i++)
		width = MAX(width, strlen(r->value[i]));
	for (unsigned i = 0; i < EVENT_VALUES && r->value[i]; i++)
		sb_printf(out, "  %-*s  %s\n", (int)MAX(width, 9), r->value[i],
			  value_text(number, r->value[i], ev->v[i]));
	n_c = find_comparisons(r, c, ARRAY_LEN(c));
	for (unsigned i = 0; i < n_c; i++)
		say_otherwise(ev, r, &c[i], out);
	add_gauges(s, ev, out);
}

static int
no_cause(const struct debug *d, struct err *e)
{
	const struct stop *p = debug_stop_find(d, d->watched);

	return err_set(
		e, "no decision in this cycle changed %.80s; 'why 1' explains the last decision",
		p ? p->watch_text : "the watch");
}

/* Whether the issue followed from the decision: it was made in the same cycle, as a credit is, or
 * raised the limit without which the core had been full. */
static bool
let_cta_in(const struct event *decision, const struct event *issue)
{
	return decision->cycle == issue->cycle || (decision->limit > decision->limit_before &&
						   issue->resident > decision->limit_before);
}

/* Returns the decision of a policy that led to the issue of a CTA; NULL: none, as where the CTA
 * replaced one that ended. */
static const struct event *
find_cause_of_issue(const struct sim *s, const struct event *issue)
{
	const struct event_ring *ring = sim_events(s);

	for (uint64_t seq = issue->seq; seq > ring->first; seq--) {
		const struct event *ev = event_ring_get(ring, seq - 1);

		if (ev->core != issue->core || ev->kind == EV_CTA_ISSUE)
			continue;
		if (ev->kind == EV_CTA_DONE ||
		    (ev->kernel != issue->kernel && !sim_runs_together(s)))
			return NULL;
		if (ev->kernel != issue->kernel)
			continue; /* decided in the same way for a kernel that runs at once */
		if (sim_event_is_decision(ev))
			return let_cta_in(ev, issue) ? ev : NULL;
	}
	return NULL;
}

/* Explains an event; for the issue of a CTA, the decision that let it in. */
static void
explain_cause(const struct sim *s, const struct event *ev, struct strbuf *out)
{
	const struct event *cause = ev->kind == EV_CTA_ISSUE ? find_cause_of_issue(s, ev) : NULL;
	char text[400];

	debug_explain(s, cause ? cause : ev, out);
	if (!cause)
		return;
	sim_event_text(s, ev, text, sizeof(text));
	sb_printf(out, "  then       %s\n", text);
}

/* The last decision of that kernel about the core of the decision shown, in its cycle: if there is
 * one, of the same kind of event. NULL: none. */
static const struct event *
find_decision_of_kernel(const struct sim *s, const struct event *shown, unsigned kernel)
{
	const struct event_ring *ring = sim_events(s);
	const struct event *last = NULL;

	for (uint64_t seq = ring->next; seq > ring->first; seq--) {
		const struct event *ev = event_ring_get(ring, seq - 1);

		if (ev->cycle < shown->cycle)
			break;
		if (ev->cycle > shown->cycle || ev->core != shown->core || ev->kernel != kernel ||
		    !sim_event_is_decision(ev))
			continue;
		if (ev->kind == shown->kind)
			return ev;
		last = last ? last : ev;
	}
	return last;
}

/* Where several kernels run, each has its own policies, which often decide in the same cycle:
 * explains what they decided about the same core for the other kernels. */
static void
explain_other_kernels(const struct sim *s, const struct event *shown, struct strbuf *out)
{
	if (!sim_runs_together(s) || shown->core < 0)
		return;
	for (unsigned k = 0; k < sim_kernels_started(s); k++) {
		const struct event *ev =
			k == shown->kernel ? NULL : find_decision_of_kernel(s, shown, k);

		if (ev)
			explain_cause(s, ev, out);
	}
}

bool
debug_stands_on_decision(const struct debug *d, int core)
{
	const struct event *here = event_ring_get(sim_events(d->sim), d->stopped_seq);
	int about = debug_stopped_core(d);

	return (core < 0 || about < 0 || about == core) && d->stopped_at == sim_cycle(d->sim) &&
	       (d->watched || (here && sim_event_is_decision(here)));
}

/* Explains the decision stopped at, or the one of the kernel about the same core in its cycle (0:
 * those of all kernels). Returns false, and adds nothing, if that kernel has none. */
static bool
explain_here(const struct sim *s, const struct event *here, unsigned kernel, struct strbuf *out)
{
	if (kernel && here->kernel + 1 != kernel)
		here = find_decision_of_kernel(s, here, kernel - 1);
	if (!here)
		return false;
	debug_explain(s, here, out);
	if (!kernel)
		explain_other_kernels(s, here, out);
	return true;
}

int
debug_why(struct debug *d, uint64_t n, int core, unsigned kernel, struct strbuf *out, struct err *e)
{
	const struct event_ring *ring = sim_events(d->sim);
	const struct event *here = event_ring_get(ring, d->stopped_seq);
	uint64_t left = MAX(n, 1), found = 0;
	char of[64] = "";

	if (n == 0 && debug_stands_on_decision(d, core)) {
		if (!here)
			return no_cause(d, e);
		if (explain_here(d->sim, here, kernel, out))
			return 0;
	}
	if (core >= 0)
		snprintf(of, sizeof(of), " of core %d", core);
	if (kernel)
		snprintf(of + strlen(of), sizeof(of) - strlen(of), " for kernel %u", kernel);
	for (uint64_t seq = ring->next; seq > ring->first; seq--) {
		const struct event *ev = event_ring_get(ring, seq - 1);

		if (!ev || !sim_event_is_decision(ev) || (core >= 0 && ev->core != core) ||
		    (kernel && ev->kernel + 1 != kernel))
			continue;
		found++;
		if (--left == 0) {
			if (n) {
				debug_explain(d->sim, ev, out);
				return 0;
			}
			explain_cause(d->sim, ev, out);
			if (!kernel)
				explain_other_kernels(d->sim, ev, out);
			return 0;
		}
	}
	if (!found && ring->first == 0)
		return err_set(e, "no decision%s was taken yet", of);
	if (ring->first == 0)
		return err_set(e, "only %" PRIu64 " decisions%s were taken so far", found, of);
	return err_set(e, "only the last %" PRIu64 " decisions%s are kept", found, of);
}

int
debug_why_at(struct debug *d, int core, cycle_t cycle, struct strbuf *out, struct err *e)
{
	const struct event_ring *ring = sim_events(d->sim);
	char of_core[32] = "", before[32];

	for (uint64_t seq = ring->next; seq > ring->first; seq--) {
		const struct event *ev = event_ring_get(ring, seq - 1);

		if (ev->cycle <= cycle && sim_event_is_decision(ev) &&
		    (core < 0 || ev->core == core)) {
			explain_cause(d->sim, ev, out);
			explain_other_kernels(d->sim, ev, out);
			return 0;
		}
	}
	if (core >= 0)
		snprintf(of_core, sizeof(of_core), " of core %d", core);
	return err_set(e, "no decision%s up to cycle %s is kept", of_core,
		       debug_number(before, cycle));
}

/* ---------------------------------------------------------------- a CTA */

#define CTA_LINES 12 /* events listed, the newest */

static bool
is_about(const struct event *ev, uint32_t cta, uint32_t kernel)
{
	return ev->cta == cta && ev->core >= 0 && (kernel == UINT32_MAX || ev->kernel == kernel);
}

/* Lists the events of a CTA in their order; returns the last decision of a policy about it. */
static const struct event *
list_events(const struct debug *d, uint32_t cta, uint32_t kernel, unsigned n, struct strbuf *out)
{
	const struct event_ring *ring = sim_events(d->sim);
	const struct event *last = NULL;
	char text[400];

	sb_printf(out, "CTA %" PRIu32 " of kernel %" PRIu32 ", events kept: %u\n", cta, kernel + 1,
		  n);
	if (n > CTA_LINES)
		sb_printf(out, "  the last %d of them:\n", CTA_LINES);
	for (uint64_t seq = ring->first; seq < ring->next; seq++) {
		const struct event *ev = event_ring_get(ring, seq);

		if (!is_about(ev, cta, kernel))
			continue;
		if (sim_event_is_decision(ev) && ev->policy != POLICY_HOST)
			last = ev;
		if (n-- > CTA_LINES)
			continue;
		sim_event_text(d->sim, ev, text, sizeof(text));
		sb_printf(out, "  %s\n", text);
	}
	return last;
}

int
debug_why_cta(struct debug *d, uint32_t cta, uint32_t kernel, struct strbuf *out, struct err *e)
{
	const struct event_ring *ring = sim_events(d->sim);
	const struct event *last;
	unsigned n = 0;

	for (uint64_t seq = ring->next; seq > ring->first; seq--) {
		const struct event *ev = event_ring_get(ring, seq - 1);

		if (!is_about(ev, cta, kernel))
			continue;
		kernel = ev->kernel;
		n++;
	}
	if (n == 0 && ring->first == 0)
		return err_set(e, "CTA %" PRIu32 " has not been issued yet", cta);
	if (n == 0)
		return err_set(e, "no event of CTA %" PRIu32 " is kept (run.events)", cta);
	last = list_events(d, cta, kernel, n, out);
	if (last)
		debug_explain(d->sim, last, out);
	return 0;
}

/* ---------------------------------------------------------------- the decision stopped at */

struct debug_standing
debug_standing(const struct debug *d)
{
	return (struct debug_standing){d->stopped_seq, d->stopped_at, d->watched, d->watched_core};
}

void
debug_stand(struct debug *d, const struct debug_standing *at)
{
	d->stopped_seq = at->seq;
	d->stopped_at = at->cycle;
	d->watched = at->watched;
	d->watched_core = at->watched_core;
}

const struct event *
debug_decision(const struct debug *d, int core, unsigned kernel, bool issues)
{
	const struct event_ring *ring = sim_events(d->sim);
	const struct event *here = event_ring_get(ring, d->stopped_seq), *last = NULL;
	struct decision_view v;

	if (d->stopped_at == sim_cycle(d->sim) && here &&
	    (core < 0 || here->core < 0 || here->core == core) &&
	    (!kernel || here->kernel + 1 == kernel))
		return here;
	for (uint64_t seq = ring->next; seq > ring->first; seq--) {
		const struct event *ev = event_ring_get(ring, seq - 1);

		if (ev->cycle != sim_cycle(d->sim))
			break;
		if ((core >= 0 && ev->core != core) || (kernel && ev->kernel + 1 != kernel) ||
		    !sim_event_is_decision(ev) || sim_decision_view(d->sim, ev, &v, NULL) != 0)
			continue;
		if ((ev->kind == EV_CTA_ISSUE) == issues)
			return ev;
		if (!last)
			last = ev;
	}
	return last;
}

const char *
debug_refusal_name(enum refusal r)
{
	static const char *const names[] = {
		[REFUSE_NONE] = "nothing",
		[REFUSE_NO_CTA] = "no CTA left",
		[REFUSE_NO_KERNEL] = "no kernel",
		[REFUSE_THREADS] = "threads",
		[REFUSE_WARPS] = "warps",
		[REFUSE_REGISTERS] = "registers",
		[REFUSE_SHMEM] = "shared memory",
		[REFUSE_HARD_LIMIT] = "hard limit",
		[REFUSE_BALANCE] = "load balancing",
		[REFUSE_LIMIT] = "policy limit",
		[REFUSE_PAUSED] = "paused CTA waiting",
		[REFUSE_STATE] = "core state",
		[REFUSE_LOCAL_CREDIT] = "local credit",
		[REFUSE_GLOBAL_CREDIT] = "global credit",
		[REFUSE_POLICY] = "policy",
		[REFUSE_ORDER] = "order",
		[REFUSE_OTHER_KERNEL] = "other kernels",
	};

	return (unsigned)r < ARRAY_LEN(names) && names[r] ? names[r] : "another rule";
}
