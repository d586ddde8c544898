/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * forced.c - outcomes that the user forces in place of the policies' decisions.
 *
 * A question is identified by its cycle, core and kind, and by how many questions of that kind
 * about that core came before in the cycle. It is therefore found again whenever the run passes
 * this point, and the list of outcomes to come is part of the state. Each outcome is used once; one
 * whose cycle has passed without the question is dropped at the next look-up. The policies are
 * still asked and keep their own view: the host does what the user says and publishes it under its
 * own rule (HR_FORCED_...). A limit or state that the policies choose as well is not forced: their
 * decision stands.
 *
 * Reasons of the machine cannot be forced: no CTA left, no free slot, a core that is not active.
 */
#include "cta/cta_part.h"
#include <string.h>

static void
drop_forced(struct cta_host *h, unsigned i)
{
	h->n_forced--;
	memmove(&h->forced[i], &h->forced[i + 1], (h->n_forced - i) * sizeof(h->forced[0]));
	memset(&h->forced[h->n_forced], 0, sizeof(h->forced[0]));
}

bool
cta_find_forced(struct cta_stack *s, enum cta_question q, unsigned core, struct cta_forced *f)
{
	struct cta_host *h = s->host;
	cycle_t now = s->cycle(s->emit_ctx);
	unsigned i = 0;
	bool found = false;

	while (i < h->n_forced) {
		struct cta_forced *w = &h->forced[i];

		if (w->cycle < now) {
			drop_forced(h, i);
			continue;
		}
		if (w->cycle == now && w->question == q && w->core == core) {
			if (!w->ordinal && !found) {
				found = true;
				*f = *w;
				drop_forced(h, i);
				continue;
			}
			w->ordinal--;
		}
		i++;
	}
	return found;
}

int
cta_force(struct cta_stack *s, const struct cta_forced *f, struct err *e)
{
	struct cta_host *h = s->host;
	unsigned i = 0;

	while (i < h->n_forced &&
	       (h->forced[i].cycle != f->cycle || h->forced[i].question != f->question ||
		h->forced[i].core != f->core || h->forced[i].ordinal != f->ordinal))
		i++;
	if (i == CTA_FORCED)
		return err_set(e, "%d forced outcomes are already pending; continue the run first",
			       CTA_FORCED);
	h->n_forced = MAX(h->n_forced, i + 1u);
	h->forced[i] = *f;
	return 0;
}

bool
cta_forced_limit(struct cta_stack *s, unsigned i, unsigned core, struct cta_decision *d)
{
	struct cta_host *h = s->host;
	uint32_t old = h->limit[i][core], n = old;
	struct cta_forced f;

	if (likely(!cta_take_forced(s, CTA_ASK_LIMIT, core, &f)))
		return false;
	if (f.outcome == CTA_LIMIT_TO)
		n = f.to;
	else if (f.outcome == CTA_LIMIT_UP)
		n++;
	else if (f.outcome == CTA_LIMIT_DOWN && n)
		n--;
	n = MAX(1, MIN(n, h->n_max));
	if (n == MAX(1, MIN(d->limit, h->n_max)))
		return false;
	d->why = (struct reason){HR_FORCED_LIMIT, {old, n, d->limit}};
	d->limit = n;
	cta_emit_limit(s, EV_FORCED, core, UINT32_MAX, POLICY_HOST, &d->why, old, n);
	return true;
}
