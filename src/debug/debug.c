/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * debug.c - the life of a debugger.
 */
#include "debug/debug_part.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int
debug_set_last(struct debug *d, const struct value *v)
{
	value_free(&d->last);
	return value_copy(&d->last, v);
}

const struct value *
debug_last(const struct debug *d)
{
	return &d->last;
}

char *
debug_number(char buf[32], uint64_t v)
{
	char plain[24];
	int n = snprintf(plain, sizeof(plain), "%" PRIu64, v), o = 0;

	for (int i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			buf[o++] = ',';
		buf[o++] = plain[i];
	}
	buf[o] = '\0';
	return buf;
}

/* ---------------------------------------------------------------- life */

struct debug *
debug_new(void)
{
	struct debug *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	debug_names_begin(d);
	d->last.x = NAN;
	d->next_id = 1;
	d->stopped_seq = UINT64_MAX;
	d->prefer = -1;
	return d;
}

void
debug_free(struct debug *d)
{
	if (!d)
		return;
	debug_attach(d, NULL, NULL);
	for (unsigned i = 0; i < d->n_stops; i++)
		debug_stop_free(d->stop[i]);
	free(d->stop);
	value_free(&d->last);
	free(d);
}

static void
bind_stop(struct debug *d, struct stop *p, struct strbuf *lost)
{
	struct err e = {0};

	if (debug_stop_bind(d, p, &e) == 0)
		return;
	p->enabled = false;
	if (lost)
		sb_printf(lost, "stop %u is disabled: %s\n", p->id, e.msg);
}

void
debug_silent(struct debug *d, struct strbuf *out)
{
	for (unsigned i = 0; i < d->n_stops; i++) {
		struct err e = {0};

		if (debug_stop_bind(d, d->stop[i], &e))
			sb_printf(out, "stop %u cannot be checked: %s\n", d->stop[i]->id, e.msg);
	}
}

void
debug_rebind(struct debug *d, struct strbuf *lost)
{
	for (unsigned i = 0; i < d->n_stops; i++) {
		struct stop *p = d->stop[i];

		if ((p->watch_text && strchr(p->watch_text, '$')) ||
		    (p->cond_text && strchr(p->cond_text, '$')))
			bind_stop(d, p, lost);
	}
	debug_listen(d);
}

void
debug_attach(struct debug *d, struct sim *s, struct strbuf *lost)
{
	if (d->sim && d->sim != s) {
		sim_listen(d->sim, 0, NULL, NULL);
		sim_each_cycle(d->sim, NULL, NULL);
	}
	d->sim = s;
	if (!s)
		return;
	for (unsigned i = 0; i < d->n_stops; i++)
		bind_stop(d, d->stop[i], lost);
	debug_rewound(d);
	debug_listen(d);
}

/* The numbers of the present event are gone in the next cycle, so a watch starts without them.
 * */
void
debug_watch_from_here(struct debug *d, struct stop *p)
{
	uint64_t at = d->stopped_seq;

	if (!p->watch || !d->sim)
		return;
	d->stopped_seq = UINT64_MAX;
	value_free(&p->old);
	expr_eval(p->watch, &p->old);
	d->stopped_seq = at;
}

void
debug_rewound(struct debug *d)
{
	d->stopped_seq = UINT64_MAX;
	d->watched = 0;
	for (unsigned i = 0; i < d->n_stops; i++) {
		d->stop[i]->last_hit = d->stop[i]->first_hit = CYCLE_NEVER;
		debug_watch_from_here(d, d->stop[i]);
	}
}

void
debug_restarted(struct debug *d)
{
	for (unsigned i = 0; i < d->n_stops; i++) {
		d->stop[i]->hits = d->stop[i]->told = 0;
		memset(d->stop[i]->bucket, 0, sizeof(d->stop[i]->bucket));
	}
	debug_rewound(d);
}
