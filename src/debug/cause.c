/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cause.c - finds what changed the value of a watch.
 *
 * A watch is evaluated at the end of a cycle; the candidates are the events of that cycle. The name
 * of a value determines which events can change it: core.5.n is changed by a limit of core 5,
 * credits.global by any credit. The last such event in the cycle is the cause. A counter
 * (core.5.c_mem) or a computed value has no cause.
 *
 * Some names change only through these events. A watch of such names need not be evaluated in a
 * cycle without them, and a stretch of the past without them need not be searched for it.
 *
 * Limitation: expressions are not analysed; all names in them count.
 */
#include "debug/debug_part.h"

#include "base/ascii.h"

#include <stdlib.h>
#include <string.h>

#define ISSUE (EV_BIT(EV_CTA_ISSUE))
#define DONE (EV_BIT(EV_CTA_DONE))
#define PAUSES (EV_BIT(EV_PAUSE) | EV_BIT(EV_RESUME))
#define STATES                                                                          \
	(EV_BIT(EV_GATE) | EV_BIT(EV_UNGATE) | EV_BIT(EV_DRAIN) | EV_BIT(EV_THROTTLE) | \
	 EV_BIT(EV_UNTHROTTLE) | EV_BIT(EV_CORE_PAUSE) | EV_BIT(EV_CORE_RESUME))
#define CREDITS (EV_BIT(EV_CREDIT) | EV_BIT(EV_CREDIT_EXHAUSTED) | DONE)

/* Names by their beginning and end, and the events that change their values. */
static const struct {
	const char *group, *field;
	uint64_t events;
	bool only; /* only these events or a choice of the user change it */
} changes[] = {
	{"core.", ".n", EV_BIT(EV_LIMIT), true},
	{"core.", ".running", PAUSES | ISSUE | DONE, true},
	{"core.", ".paused", PAUSES | ISSUE | DONE, true},
	{"core.", ".ctas", ISSUE | DONE, true},
	{"core.", ".state", STATES, true},
	{"credits.", "", CREDITS, false},
	{"gpu.", ".ctas_issued", ISSUE, true},
	{"gpu.", ".ctas_done", DONE, true},
	{"kernel.", ".ctas_issued", ISSUE, true},
	{"kernel.", ".ctas_done", DONE, true},
	{"policy.", "", EV_ALL & ~(EV_BIT(EV_SAMPLE) | EV_BIT(EV_KERNEL)), false},
};

static uint64_t
changed_by(const char *name, size_t n, bool only)
{
	char of_cores[64];

	if (n && n < 32 && !memchr(name, '.', n)) { /* "n" is short for "core.*.n" */
		snprintf(of_cores, sizeof(of_cores), "core.*.%.*s", (int)n, name);
		return changed_by(of_cores, strlen(of_cores), only);
	}
	for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
		size_t g = strlen(changes[i].group), f = strlen(changes[i].field);

		if (n >= g + f && strncmp(name, changes[i].group, g) == 0 &&
		    strncmp(name + n - f, changes[i].field, f) == 0 && (changes[i].only || !only))
			return changes[i].events | EV_BIT(EV_KERNEL);
	}
	return 0;
}

static size_t
word_length(const char *at)
{
	size_t n = 0;

	while (ascii_is_alnum(at[n]) || (at[n] && strchr("_.*$", at[n])))
		n++;
	return n;
}

/* The events that can change an expression. Anything that only the expression parser could
 * analyse counts as unknown. */
uint64_t
debug_changing_events(const char *text)
{
	uint64_t all = EV_BIT(EV_KERNEL);

	for (const char *at = text; *at;) {
		size_t n = word_length(at);
		uint64_t events = changed_by(at, n, true);
		bool number = ascii_is_digit(*at) && !memchr(at, '*', n);
		bool function = n && at[n] == '(' && !memchr(at, '.', n);

		if (memchr(at, '$', n) || (ascii_is_alnum(*at) && !events && !number && !function))
			return 0;
		all |= events;
		at += n ? n : 1;
	}
	return all;
}

/* The number in "core.5.n" or "credits.local.5"; -1: none; -2: a vector such as "core.*.n". */
static int
index_of(const char *name, size_t n)
{
	if (n && !ascii_is_digit(name[0]) && !memchr(name, '.', n))
		return -2; /* a name without a group means all cores */
	for (size_t i = 0; i + 1 < n; i++)
		if (name[i] == '.' && ascii_is_digit(name[i + 1]))
			return atoi(name + i + 1);
		else if (name[i] == '.' && name[i + 1] == '*')
			return -2;
	return -1;
}

/* The first element of a vector whose value differs. */
static int
changed_element(const struct value *old, const struct value *now)
{
	for (unsigned i = 0; i < now->n && old->n == now->n; i++)
		if (!(old->v[i] == now->v[i] || (old->v[i] != old->v[i] && now->v[i] != now->v[i])))
			return (int)i;
	return -1;
}

/* The number in "kernel.2.ctas_done" or "core.5.kernel.2.n"; 0: none. */
static unsigned
kernel_of(const char *name, size_t n)
{
	static const char word[] = "kernel.";
	const size_t length = sizeof(word) - 1;

	for (size_t i = 0; i + length < n; i++)
		if ((i == 0 || name[i - 1] == '.') && strncmp(name + i, word, length) == 0)
			return (unsigned)atoi(name + i + length);
	return 0;
}

/* What a watch is about, over all its names. */
struct watched {
	uint64_t events; /* that can have changed it */
	int core;	 /* -1: any */
	unsigned kernel; /* from 1; 0: any */
};

static struct watched
look_at_names(const struct sim *s, const struct stop *p, const struct value *old,
	      const struct value *now)
{
	static const char *const not_core[] = {"mem.", "l2.", "kernel."};
	struct watched w = {.core = -1};
	bool limit = false, several = false;

	for (const char *at = p->watch_text; *at;) {
		size_t n = word_length(at);
		uint64_t events = changed_by(at, n, false);
		unsigned kernel = kernel_of(at, n);
		int i = index_of(at, n);

		for (unsigned k = 0; k < ARRAY_LEN(not_core); k++)
			i = strncmp(at, not_core[k], strlen(not_core[k])) ? i : -1;
		i = i == -2 ? changed_element(old, now) : i;
		w.core = i >= 0 ? i : w.core;
		w.events |= events;
		several |= kernel && w.kernel && kernel != w.kernel;
		w.kernel = kernel ? kernel : w.kernel;
		limit |= !kernel && events == (EV_BIT(EV_LIMIT) | EV_BIT(EV_KERNEL));
		at += n ? n : 1;
	}
	if (several || (limit && w.kernel)) {
		w.kernel = 0;
	} else if (limit && w.core >= 0 && w.core < (int)sim_instances(s, "core")) {
		struct core_view v; /* core.5.n is of the kernel with which the core is shown */

		sim_core_view(s, (unsigned)w.core, &v);
		w.kernel = v.kernel;
	}
	return w;
}

void
debug_watch_cause(struct debug *d, const struct stop *p, const struct value *old,
		  const struct value *now)
{
	const struct event_ring *ring = sim_events(d->sim);
	const struct watched w = look_at_names(d->sim, p, old, now);

	d->watched = p->id;
	d->watched_core = w.core;
	for (uint64_t seq = ring->next; seq > ring->first; seq--) {
		const struct event *ev = event_ring_get(ring, seq - 1);

		if (!ev || ev->cycle != sim_cycle(d->sim))
			break;
		if (!(w.events & EV_BIT(ev->kind)) ||
		    (w.core >= 0 && ev->core >= 0 && ev->core != w.core) ||
		    (w.kernel && ev->kind != EV_KERNEL && ev->kernel + 1 != w.kernel))
			continue;
		d->stopped_seq = ev->seq;
		return;
	}
}

int
debug_stopped_core(const struct debug *d)
{
	const struct event *ev = debug_event(d);

	if (d->stopped_at != sim_cycle(d->sim))
		return -1;
	return d->watched && d->watched_core >= 0 ? d->watched_core : ev ? ev->core : -1;
}
