/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text.c - describes events and refusals in words. This is the only place that builds such
 * sentences: the text of the rule that decided, followed by what the host did.
 */
#include "cta/cta.h"

#include "base/human.h"

#include <stdio.h>
#include <string.h>

/* What the host did with the CTA of the event. Where several kernels run, the CTAs that the rule
 * counts are not all those on the core. */
static const char *
host_action(const struct cta_stack *s, const struct event *ev)
{
	if (ev->cta == UINT32_MAX)
		return "";
	switch (ev->kind) {
	case EV_CTA_ISSUE:
	case EV_CTA_DONE:
		return s->names_kernels && ev->policy == POLICY_HOST ? " of this kernel" : "";
	case EV_PAUSE:
		return ev->among > 1 ? ", paused CTA {cta}, the youngest of {among} running"
				     : ", paused CTA {cta}, the only one running";
	case EV_RESUME:
		return ev->among > 1
			       ? ", resumed CTA {cta}, the least recently assigned of {among} "
				 "paused"
			       : ", resumed CTA {cta}, the only one paused";
	case EV_CREDIT:
		return ", CTA {cta} granted";
	case EV_CREDIT_EXHAUSTED:
		return ", CTA {cta} refused";
	default:
		return "";
	}
}

size_t
cta_event_sentence(const struct cta_stack *s, const struct event *ev, bool outcome, char *buf,
		   size_t size)
{
	const struct rule *r = cta_rule(s, ev->policy, ev->rule);
	size_t n;

	n = outcome ? rule_fill(r->says, r, ev, buf, size)
		    : rule_fill_cause(r->says, r, ev, buf, size);
	return n + rule_fill(host_action(s, ev), r, ev, buf + n, size - n);
}

void
cta_event_text(const struct cta_stack *s, const struct event *ev, char *buf, size_t size)
{
	char cycle[HUMAN];
	size_t n = 0;

	n += (size_t)snprintf(buf, size, "%s",
			      ev->kind < EV_KINDS ? event_rows[ev->kind].name : "?");
	if (s->names_kernels && ev->kind != EV_KERNEL && ev->kind != EV_SAMPLE && n < size)
		n += (size_t)snprintf(buf + n, size - n, ", kernel %u", ev->kernel + 1u);
	if (ev->core >= 0 && n < size)
		n += (size_t)snprintf(buf + n, size - n, ", core %d", ev->core);
	if (n < size)
		n += (size_t)snprintf(buf + n, size - n, ", cycle %s: ", human(cycle, ev->cycle));
	if (n < size)
		cta_event_sentence(s, ev, true, buf + n, size - n);
}

void
cta_refuse(const struct cta_stack *s, unsigned core, unsigned by, bool host,
	   const struct reason *why, struct refusal_view *v)
{
	const struct rule *r = cta_rule(s, host ? POLICY_HOST : by, why->rule);
	const struct cta_core *c = &s->host->core[core];
	struct event ev = {.core = (int16_t)core,
			   .slot = -1,
			   .cta = (uint32_t)s->host->issued,
			   .resident = (uint8_t)c->resident};
	size_t n = 0;

	memcpy(ev.v, why->v, sizeof(ev.v));
	v->kind = r->refuses;
	v->text[0] = '\0';
	if (!host && c->state != CORE_ACTIVE) {
		v->kind = REFUSE_STATE;
		n += (size_t)snprintf(v->text, sizeof(v->text), "the core is %s; ",
				      core_state_names[c->state]);
	}
	v->cause = (unsigned)n;
	if (by < s->n_seen)
		n += (size_t)snprintf(v->text + n, sizeof(v->text) - n, "policy %s%s ",
				      s->seen[by]->name, host ? "" : ":");
	rule_fill(r->says, r, &ev, v->text + n, sizeof(v->text) - n);
}
