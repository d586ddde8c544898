/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim_mock_config.c - options, machine and policy stack of the toy machine (see sim_mock.h).
 */
#include "tests/mock/sim_mock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct opt_row dyncta_rows[] = {
	{"period", OPT_T_u32, offsetof(struct mock_dyncta, period), 64, 8, 65536, NULL, "cycles",
	 "cycles between two decisions"},
	{"t_idle", OPT_T_u32, offsetof(struct mock_dyncta, t_idle), 16, 0, 65536, NULL, "cycles",
	 "idle cycles from which on the limit grows"},
	{"t_mem_l", OPT_T_u32, offsetof(struct mock_dyncta, t_mem_l), 10, 0, 65536, NULL, "cycles",
	 "memory cycles below which the limit grows"},
	{"t_mem_h", OPT_T_u32, offsetof(struct mock_dyncta, t_mem_h), 20, 0, 65536, NULL, "cycles",
	 "memory cycles from which on the limit shrinks"},
};
static const struct opt_row claso_rows[] = {
	{"pa", OPT_T_i32, offsetof(struct mock_claso, pa), 1, 0, 64, NULL, "", "private allowance"},
	{"pl", OPT_T_i32, offsetof(struct mock_claso, pl), 0, 0, 64, NULL, "",
	 "local credits on top"},
};
static const struct opt_row run_rows[] = {
	{"max_cycles", OPT_T_u64, offsetof(struct mock_run, max_cycles), 0, 0, 1e18, NULL, "cycles",
	 "most cycles of a run, 0 for no limit"},
	{"max_seconds", OPT_T_f64, offsetof(struct mock_run, max_seconds), 0, 0, 1e9, NULL,
	 "seconds", "most wall-clock seconds of a run, 0 for no limit"},
	{"sample", OPT_T_u32, offsetof(struct mock_run, sample), 32, 1, 65536, NULL, "cycles",
	 "length of a sample of the time series"},
	{"skip", OPT_T_bool, offsetof(struct mock_run, skip), 1, 0, 1, NULL, "",
	 "skip idle cycles"},
};
static const struct opt_row mock_rows[] = {
	{"deadlock", OPT_T_u64, offsetof(struct mock_knobs, deadlock), 0, 0, 1e18, NULL, "cycles",
	 "the cycle at which nothing can happen any more, 0 for never"},
	{"fail", OPT_T_u64, offsetof(struct mock_knobs, fail), 0, 0, 1e18, NULL, "cycles",
	 "the cycle at which the trace turns out to be damaged, 0 for never"},
	{"slow", OPT_T_u32, offsetof(struct mock_knobs, slow), 0, 0, 1000000, NULL, "microseconds",
	 "time to sleep in every cycle"},
};

static void
set_stack(struct config *c)
{
	unsigned n;
	const struct cta_sched_ops *const *all = cta_sched_list(&n);

	c->n_stack = 0;
	if (c->use_dyncta)
		c->stack[c->n_stack++] = all[1];
	if (c->use_claso)
		c->stack[c->n_stack++] = all[2];
	if (!c->n_stack)
		c->stack[c->n_stack++] = all[0];
}

struct config *
config_new(void)
{
	struct config *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	optdb_mount(&c->db, "run", run_rows, ARRAY_LEN(run_rows), &c->run, false);
	optdb_mount(&c->db, "dyncta", dyncta_rows, ARRAY_LEN(dyncta_rows), &c->dyncta, true);
	optdb_mount(&c->db, "claso", claso_rows, ARRAY_LEN(claso_rows), &c->claso, true);
	optdb_mount(&c->db, "mock", mock_rows, ARRAY_LEN(mock_rows), &c->mock, true);
	snprintf(c->policy, sizeof(c->policy), "rr");
	set_stack(c);
	snprintf(c->machine, sizeof(c->machine), "toy");
	snprintf(c->wsched, sizeof(c->wsched), "lrr");
	return c;
}

/* The rows' structs are members: a copy must point at its own. */
struct config *
mock_config_copy(const struct config *c)
{
	struct config *d = malloc(sizeof(*d));

	if (!d)
		return NULL;
	*d = *c;
	d->db.group[0].base = &d->run;
	d->db.group[1].base = &d->dyncta;
	d->db.group[2].base = &d->claso;
	d->db.group[3].base = &d->mock;
	return d;
}

void
config_free(struct config *c)
{
	free(c);
}

struct optdb *
config_db(struct config *c)
{
	return &c->db;
}

const struct optdb *
config_db_const(const struct config *c)
{
	return &c->db;
}

int
config_machine(struct config *c, const char *name, struct err *e)
{
	if (strcmp(name, "toy") != 0)
		return err_set(e, "unknown machine '%s'; did you mean toy?", name);
	snprintf(c->machine, sizeof(c->machine), "%s", name);
	return 0;
}

int
config_policy(struct config *c, const char *stack, struct err *e)
{
	char part[128], text[128];
	bool dyncta = false, claso = false;

	snprintf(part, sizeof(part), "%s", stack);
	snprintf(text, sizeof(text), "%s", stack);
	for (char *save, *p = strtok_r(part, "+", &save); p; p = strtok_r(NULL, "+", &save)) {
		char *params = strchr(p, ':');

		if (params)
			*params++ = '\0';
		if (strcmp(p, "dyncta") == 0)
			dyncta = true;
		else if (strcmp(p, "claso") == 0)
			claso = true;
		else if (strcmp(p, "rr") != 0)
			return err_set(e, "unknown policy '%s', expected rr, dyncta or claso", p);
		for (char *s2, *q = params ? strtok_r(params, ",", &s2) : NULL; q;
		     q = strtok_r(NULL, ",", &s2)) {
			char key[64], *value = strchr(q, '=');

			if (!value)
				return err_set(e, "policy parameter '%s' needs '='", q);
			*value++ = '\0';
			snprintf(key, sizeof(key), "%s.%s", p, q);
			if (opt_set(&c->db, key, value, e))
				return -1;
		}
	}
	c->use_dyncta = dyncta;
	c->use_claso = claso;
	set_stack(c);
	snprintf(c->policy, sizeof(c->policy), "%s", text);
	return 0;
}

int
config_wsched(struct config *c, const char *name, struct err *e)
{
	if (strcmp(name, "lrr") != 0 && strcmp(name, "gto") != 0)
		return err_set(e, "gpu.warp_sched: unknown choice '%s', expected lrr or gto", name);
	snprintf(c->wsched, sizeof(c->wsched), "%s", name);
	return 0;
}

const char *
config_machine_name(const struct config *c)
{
	return c->machine;
}

const char *
config_policy_text(const struct config *c)
{
	return c->policy;
}

const struct cta_sched_ops *const *
config_stack(const struct config *c, unsigned *n)
{
	*n = c->n_stack;
	return c->stack;
}

const struct cta_sched_ops *const *
config_policies(const struct config *c ATTR_UNUSED, unsigned *n)
{
	return cta_sched_list(n);
}

uint32_t
config_ctas_per_core(const struct config *c ATTR_UNUSED, const struct trace_kernel *k ATTR_UNUSED)
{
	return 4;
}

const char *
config_wsched_name(const struct config *c)
{
	return c->wsched;
}
