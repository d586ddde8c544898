/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * points.c - lists every combination of a sweep in its order: cases as in the file; in a case
 * workloads change slowest, then machines, policies, warp schedulers, and the options in the order
 * of their lines, the last one fastest.
 *
 * A repeated combination is left out, so that the key identifies a point.
 */
#include "batch/spec.h"

#include "ctascope/sim.h"
#include "base/foreign.h"
#include "base/hash.h"
#include "base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

const char *const point_key_names[DIMS] = {"workload", "machine", "policy", "warp_sched"};

static uint64_t
key_hash(const char *const *key, unsigned n)
{
	uint64_t h = n;

	for (unsigned i = 0; i < n; i++)
		h = hash64(key[i], strlen(key[i]) + 1, h);
	return h;
}

static bool
key_equal(const char *const *a, const char *const *b, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (a[i] != b[i] && strcmp(a[i], b[i]) != 0)
			return false;
	return true;
}

/* Returns the place of the key in the hash table, or where it would be inserted. */
static uint32_t *
bucket_of(const struct points *p, const char *const *key)
{
	uint64_t at = key_hash(key, p->n_keys);

	for (;; at++) {
		uint32_t *b = &p->bucket[at & (p->n_buckets - 1)];

		if (!*b || key_equal(p->p[*b - 1].key, key, p->n_keys))
			return b;
	}
}

int
points_find(const struct points *p, const char *const *key)
{
	uint32_t *b = p->n_buckets ? bucket_of(p, key) : NULL;

	return b && *b ? (int)*b - 1 : -1;
}

/* Returns how many points a case makes; 0: too many. */
static uint64_t
case_size(const struct sweep_case *c)
{
	uint64_t n = 1;

	for (unsigned d = 0; d < DIMS; d++)
		n *= MAX(c->dim[d].n, 1u);
	for (unsigned i = 0; i < c->n_axes && n <= SPEC_MAX_POINTS; i++)
		n *= c->axis[i].value.n / c->axis[i].n_keys;
	return n;
}

/* Returns the default if the file does not set it: that of the program and of the machine. */
static const char *
present_wsched(struct spec *s, const char *machine)
{
	struct config *c = memory_kept(config_new());
	char path[PATH_MAX];
	const char *name = "";

	spec_file(s, machine, path, sizeof(path));
	if (config_machine(c, path, NULL) == 0)
		name = config_wsched_name(c);
	name = spec_keep(s, name, strlen(name));
	config_free(c);
	return name;
}

struct defaults {
	struct list machine, policy, wsched; /* wsched: one per machine of the case */
};

static void
default_lists(struct spec *s, const struct sweep_case *c, struct defaults *d)
{
	const struct list *machines = &c->dim[DIM_MACHINE];
	struct config *conf = memory_kept(config_new());
	struct word w = {.line = 0};

	config_set_try(conf, foreign_try);
	w.text = spec_keep(s, config_machine_name(conf), strlen(config_machine_name(conf)));
	words_add(&d->machine, &w);
	w.text = spec_keep(s, config_policy_text(conf), strlen(config_policy_text(conf)));
	words_add(&d->policy, &w);
	if (!machines->n)
		machines = &d->machine;
	for (unsigned i = 0; !c->dim[DIM_WSCHED].n && i < machines->n; i++) {
		w.text = present_wsched(s, machines->w[i].text);
		words_add(&d->wsched, &w);
	}
	config_free(conf);
}

/* Fills the key of the point with that number in its case: the digits of a mixed radix. */
static void
fill_key(const struct points *p, const struct sweep_case *c, const struct defaults *def,
	 uint64_t number, const char **key)
{
	unsigned machine = 0;

	for (unsigned i = 0; i < p->n_keys; i++)
		key[i] = "";
	for (unsigned i = c->n_axes; i-- > 0;) {
		const struct axis *a = &c->axis[i];
		unsigned steps = a->value.n / a->n_keys, step = (unsigned)(number % steps);

		number /= steps;
		for (unsigned k = 0; k < a->n_keys; k++)
			key[DIMS + a->key[k]] = a->value.w[step * a->n_keys + k].text;
	}
	for (unsigned d = DIMS; d-- > 0;) {
		const struct list *l = &c->dim[d];

		if (!l->n && d == DIM_WSCHED)
			continue; /* the machine determines it */
		if (!l->n)
			l = d == DIM_MACHINE ? &def->machine : &def->policy;
		if (d == DIM_MACHINE)
			machine = (unsigned)(number % l->n);
		key[d] = l->w[number % l->n].text;
		number /= l->n;
	}
	if (!c->dim[DIM_WSCHED].n)
		key[DIM_WSCHED] = def->wsched.w[machine].text;
}

static void
add_case(struct points *p, struct spec *s, const struct sweep_case *c)
{
	struct defaults def = {.machine = {0}};
	uint64_t n = case_size(c);

	default_lists(s, c, &def);
	for (uint64_t i = 0; i < n; i++) {
		const char **key = p->keys + (size_t)p->n * p->n_keys;
		uint32_t *b;

		fill_key(p, c, &def, i, key);
		b = bucket_of(p, key);
		if (*b) {
			p->repeated++;
			continue;
		}
		p->p[p->n] = (struct point){key, p->n + 1};
		*b = ++p->n;
	}
	free(def.machine.w);
	free(def.policy.w);
	free(def.wsched.w);
}

struct points *
points_new(struct spec *s, struct err *e)
{
	unsigned first = s->n_cases > 1 ? 1 : 0;
	struct points *p;
	uint64_t n = 0;

	for (unsigned i = first; i < s->n_cases && n <= SPEC_MAX_POINTS; i++)
		n += case_size(&s->cases[i]);
	if (n > SPEC_MAX_POINTS) {
		err_set(e, "%s: the sweep makes more than %d runs", s->path, SPEC_MAX_POINTS);
		return NULL;
	}
	p = memory_new(1, sizeof(*p));
	p->spec = s;
	p->n_keys = DIMS + s->options.n;
	for (p->n_buckets = 16; p->n_buckets < 2 * n;)
		p->n_buckets *= 2;
	p->p = memory_new(n, sizeof(*p->p));
	p->keys = memory_new(n * p->n_keys, sizeof(*p->keys));
	p->bucket = memory_new(p->n_buckets, sizeof(*p->bucket));
	for (unsigned i = first; i < s->n_cases; i++)
		add_case(p, s, &s->cases[i]);
	return p;
}

void
points_free(struct points *p)
{
	if (!p)
		return;
	free(p->p);
	free(p->keys);
	free(p->bucket);
	free(p);
}
