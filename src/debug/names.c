/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * names.c - the names that the debugger's expressions know.
 *
 * Names without '$' are paths of the machine (sim.h), options ("option.core.registers", which the
 * session knows), or questions about the present: "stop.is(pause)", "events.pause", "ended". Names
 * with '$' are a few fixed ones, then variables of the user, then the numbers of an event by the
 * names in its rule. The event is the one for which a condition is evaluated, or the one at which
 * the machine has stopped. The policies declare the names that their rules use, so a typing error
 * is reported immediately. Without an event, or if its rule has no such number, the value is
 * unknown.
 */
#include "debug/debug_part.h"

#include "base/words.h"
#include "cta/cta.h"
#include "ctascope/policy_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OPTION_NAMES "option."

/* Ids of the debugger's own names; those of the machine are smaller. The lower 48 bits hold what
 * the name is about. */
#define OWN (UINT64_C(1) << 63)
#define ARG (UINT64_C(1) << 62)
#define MORE (OWN | ARG)
#define OWN_SHIFT 48
#define OWN_ID(own, about) (OWN | (uint64_t)(own) << OWN_SHIFT | (about))
#define ABOUT(id) ((id) & ((UINT64_C(1) << OWN_SHIFT) - 1))

enum own {
	OWN_CYCLE,
	OWN_PERIOD,
	OWN_CORE,
	OWN_CTA,
	OWN_SLOT,
	OWN_KERNEL,
	OWN_LAST,
	OWN_NAMES, /* so many are whole names */
	OWN_ENDED = OWN_NAMES,
	OWN_STOP_IS,
	OWN_STOP_RULE,
	OWN_EVENTS,
	OWN_POLICY_IS
};

static const struct {
	const char *name, *help;
} own_names[OWN_NAMES] = {
	[OWN_CYCLE] = {"$cycle", "core cycles done"},
	[OWN_PERIOD] = {"$period", "periods of the policy that have ended"},
	[OWN_CORE] = {"$core", "core of the event stopped at or asked about"},
	[OWN_CTA] = {"$cta", "CTA of the event stopped at or asked about"},
	[OWN_SLOT] = {"$slot", "CTA slot of the event stopped at or asked about"},
	[OWN_KERNEL] = {"$kernel", "number of the kernel, from 1"},
	[OWN_LAST] = {"$_", "the last value printed"},
};

/* Names without '$' that the debugger answers, not the machine. A word stands where `before` and
 * `after` leave room for one. */
static const struct asked_name {
	const char *before, *after, *shown, *help;
	enum own own;
	const char *what; /* the word, for an error; NULL: there is no word */
} asked_names[] = {
	{"ended", "", "ended", "1 when the program has ended", OWN_ENDED, NULL},
	{"stop.is(", ")", "stop.is(EVENT)", "1 where the machine stopped at this event",
	 OWN_STOP_IS, "event"},
	{"stop.rule(", ")", "stop.rule(NAME)", "1 where it stopped at a decision of this rule",
	 OWN_STOP_RULE, "rule"},
	{"policy.is(", ")", "policy.is(NAME)", "1 when this policy is in the stack", OWN_POLICY_IS,
	 "policy"},
	{"events.", "", "events.EVENT",
	 "number of these events so far in the run; write _ for the - in their names", OWN_EVENTS,
	 "event"},
};

static bool
same_name(void *ctx, const char *name)
{
	return strcmp(ctx, name) == 0;
}

/* One of our fixed names with '$'. */
static bool
find_fixed(const char *path, uint64_t *id)
{
	for (unsigned i = 0; i < ARRAY_LEN(own_names); i++) {
		if (strcmp(path, own_names[i].name) == 0) {
			*id = OWN_ID(i, 0);
			return true;
		}
	}
	return false;
}

/* The name of a number in a rule. The pointer into the policy's table is the id: it is constant and
 * unique. */
static bool
find_number_of_rule(const struct debug *d, const char *path, uint64_t *id)
{
	char text[EVAL_MAX_PATH + 1];
	const char *arg;

	snprintf(text, sizeof(text), "%s", path + 1);
	arg = debug_each_number(d, same_name, text);
	*id = ARG | (uintptr_t)arg;
	return arg;
}

bool
debug_is_variable(const char *name)
{
	uint64_t id;

	return find_fixed(name, &id);
}

/* ---------------------------------------------------------------- names that ask something */

/* In "events.cta-issue" the '-' would be a minus, so '_' stands for it. */
static int
find_event(const char *word, uint64_t *about, struct err *e)
{
	char name[EVAL_MAX_PATH + 1];
	int kind;

	snprintf(name, sizeof(name), "%s", word);
	for (char *p = name; (p = strchr(p, '_'));)
		*p = '-';
	kind = event_find(name);
	if (kind < 0)
		return debug_unknown_event("no event", word, e);
	*about = (uint64_t)kind;
	return 0;
}

#define MAX_RULES 1024

/* As with numbers, the pointer to the name is the id. */
static int
find_rule(const struct debug *d, const char *word, uint64_t *about, struct err *e)
{
	const char *names[MAX_RULES];
	unsigned n_policies, n = 0;
	const struct cta_sched_ops *const *ops = config_policies(sim_config(d->sim), &n_policies);

	for (unsigned r = 0; r < HR_RULES; r++)
		names[n++] = host_rules[r].name;
	for (unsigned p = 0; p < n_policies; p++)
		for (unsigned r = 0; r < ops[p]->n_rules && n < MAX_RULES; r++)
			names[n++] = ops[p]->rules[r].name;
	for (unsigned i = 0; i < n; i++) {
		if (strcmp(names[i], word) == 0) {
			*about = (uintptr_t)names[i];
			return 0;
		}
	}
	if (strcmp(word, "hold") == 0) /* what DYNCTA's rule keep was called before version 1.0 */
		return find_rule(d, "keep", about, e);
	return err_set(e, "unknown rule '%.60s'%s", word,
		       near_hint(word, names, n, "; 'why' names the rule of a decision").text);
}

#define MAX_POLICIES 256

static int
find_policy(const struct debug *d, const char *word, uint64_t *about, struct err *e)
{
	const char *names[MAX_POLICIES];
	unsigned n;
	const struct cta_sched_ops *const *ops = config_policies(sim_config(d->sim), &n);

	n = MIN(n, MAX_POLICIES);
	for (unsigned p = 0; p < n; p++) {
		names[p] = ops[p]->name;
		if (strcmp(names[p], word) == 0) {
			*about = (uintptr_t)names[p];
			return 0;
		}
	}
	return err_set(e, "unknown policy '%.60s'%s", word,
		       near_hint(word, names, n, "; 'help policies' lists them").text);
}

/* The row of asked_names that a path is of, and its word; NULL: none. */
static const struct asked_name *
find_asked(const char *path, char *word, size_t size)
{
	size_t n = strlen(path);

	for (unsigned i = 0; i < ARRAY_LEN(asked_names); i++) {
		const struct asked_name *q = &asked_names[i];
		size_t before = strlen(q->before), after = strlen(q->after);

		if (n < before + after || strncmp(path, q->before, before) != 0 ||
		    strcmp(path + n - after, q->after) != 0 || (!q->what && n > before))
			continue;
		snprintf(word, size, "%.*s", (int)(n - before - after), path + before);
		return q;
	}
	return NULL;
}

static int
resolve_asked(const struct debug *d, const struct asked_name *q, const char *word, uint64_t *id,
	      struct err *e)
{
	uint64_t about = 0;
	int rc = q->own == OWN_STOP_IS || q->own == OWN_EVENTS ? find_event(word, &about, e)
		 : q->own == OWN_STOP_RULE		       ? find_rule(d, word, &about, e)
		 : q->own == OWN_POLICY_IS		       ? find_policy(d, word, &about, e)
							       : 0;

	*id = OWN_ID(q->own, about);
	return rc ? -1 : 1;
}

/* Has the policy this name, or is it a newer version of that file, NAME_VERSION (policy_file.h)? */
static bool
is_policy_named(const struct config *c, const struct cta_sched_ops *o, const char *name)
{
	size_t n = strlen(name);
	const char *file, *at;

	if (strncmp(o->name, name, n) != 0)
		return false;
	if (o->name[n] != '_')
		return !o->name[n];
	file = config_file(c, o);
	at = file ? strrchr(file, '@') : NULL;
	return at && strcmp(at + 1, o->name + n + 1) == 0;
}

static double
read_asked(const struct debug *d, uint64_t id)
{
	const struct event *ev = debug_event(d);
	const char *name = (const char *)(uintptr_t)ABOUT(id);
	const struct cta_sched_ops *const *ops;
	unsigned n;

	switch ((enum own)((id & ~OWN) >> OWN_SHIFT)) {
	case OWN_ENDED:
		return sim_done(d->sim);
	case OWN_STOP_IS:
		return ev && ev->kind == ABOUT(id);
	case OWN_STOP_RULE:
		return ev && strcmp(sim_event_rule(d->sim, ev)->name, name) == 0;
	case OWN_EVENTS:
		return (double)sim_events(d->sim)->count[ABOUT(id)];
	case OWN_POLICY_IS:
		ops = config_stack(sim_config(d->sim), &n);
		for (unsigned i = 0; i < n; i++)
			if (is_policy_named(sim_config(d->sim), ops[i], name))
				return 1;
		return 0;
	default:
		return NAN;
	}
}

/* ---------------------------------------------------------------- resolving */

/* Is it a variable of CUDA, or gdb's name of a register? If so, e says that a trace has none. */
static bool
refuse_program_value(const char *path, struct err *e)
{
	static const char *const names[] = {"threadIdx", "blockIdx",   "blockDim",
					    "gridDim",	 "warpSize",   "$pc",
					    "$sp",	 "$threadIdx", "$blockIdx"};
	size_t n = strcspn(path, ".");

	for (unsigned i = 0; i < ARRAY_LEN(names); i++)
		if (strlen(names[i]) == n && strncmp(path, names[i], n) == 0) {
			err_clear(e);
			err_set(e,
				"unknown name '%s': a trace has no values of registers or "
				"variables; 'info warps' shows what each warp does",
				path);
			return true;
		}
	return false;
}

static int
unknown_variable(const struct debug *d, const char *path, const struct err *inner, struct err *e)
{
	const char *names[OWN_LAST];
	struct hint near;

	if (refuse_program_value(path, e))
		return -1;
	for (unsigned i = 0; i < OWN_LAST; i++) /* $_ is close to everything short */
		names[i] = own_names[i].name;
	near = near_hint(path, names, OWN_LAST, "");
	if (d->scope == SCOPE_STOP && !near.text[0])
		return debug_refuse_number(d, path, e);
	if (inner->set && !near.text[0])
		return err_of(e, inner->kind, "%s", inner->msg);
	return err_set(e, "unknown name '%s'%s", path,
		       near.text[0]
			       ? near.text
			       : "; '$' names are $cycle, $period, $kernel, $_, and of an event "
				 "$core, $cta, $slot and its numbers");
}

static bool
is_of_event(uint64_t fixed)
{
	return fixed == OWN_ID(OWN_CORE, 0) || fixed == OWN_ID(OWN_CTA, 0) ||
	       fixed == OWN_ID(OWN_SLOT, 0);
}

/* A variable of the user hides a number of a rule that has its name. */
static int
resolve_variable(struct debug *d, const char *path, uint64_t *id, struct err *e)
{
	struct err inner = {0};
	int n;

	if (find_fixed(path, id)) {
		if (d->scope == SCOPE_CYCLE && is_of_event(*id))
			return debug_refuse_number(d, path, e);
		return *id == OWN_ID(OWN_LAST, 0) && d->last.n ? (int)d->last.n : 1;
	}
	n = d->more.resolve ? d->more.resolve(d->more.ctx, path, id, &inner) : -1;
	*id |= MORE;
	if (n > 0)
		return n;
	if (find_number_of_rule(d, path, id))
		return d->scope == SCOPE_CYCLE ? debug_refuse_number(d, path, e) : 1;
	return unknown_variable(d, path, &inner, e);
}

/* A name of the machine. gdb has no '$' before the variables of a program, so it is often missing
 * here. */
static int
resolve_path(const struct debug *d, const char *path, uint64_t *id, struct err *e)
{
	int n = sim_path(d->sim, path, id, e);

	if (n < 0 && refuse_program_value(path, e))
		return -1;
	for (unsigned i = 0; n < 0 && i < OWN_LAST; i++)
		if (strcmp(path, own_names[i].name + 1) == 0) {
			err_clear(e);
			return err_set(e, "unknown name '%s'; did you mean %s%s?", path,
				       own_names[i].name,
				       strcmp(path, "core") ? ""
							    : ", or a value of a core, as in "
							      "core.5.n");
		}
	return n;
}

static int
resolve_name(void *ctx, const char *path, uint64_t *id, struct err *e)
{
	struct debug *d = ctx;
	char word[EVAL_MAX_PATH + 1];
	const struct asked_name *q;
	int n;

	if (path[0] == '$')
		return resolve_variable(d, path, id, e);
	if (d->more.resolve && strncmp(path, OPTION_NAMES, strlen(OPTION_NAMES)) == 0) {
		n = d->more.resolve(d->more.ctx, path, id, e);
		*id |= MORE;
		return n;
	}
	if (!d->sim)
		return err_set(e, "'%s' needs a loaded workload", path);
	q = find_asked(path, word, sizeof(word));
	if (q)
		return resolve_asked(d, q, word, id, e);
	n = resolve_path(d, path, id, e);
	if (n > 0 && d->scope == SCOPE_STOP && !d->bare) {
		snprintf(word, sizeof(word), "%s", path);
		d->bare = debug_each_number(d, same_name, word);
		d->bare_n = (unsigned)n;
	}
	return n;
}

const struct event *
debug_event(const struct debug *d)
{
	if (d->now || !d->sim || d->goal || d->stopped_at != sim_cycle(d->sim))
		return d->now;
	return event_ring_get(sim_events(d->sim), d->stopped_seq);
}

static double
number_of_event(const struct debug *d, const struct event *ev, const char *name)
{
	int i = ev ? rule_find(sim_event_rule(d->sim, ev), name, strlen(name)) : -1;

	return i >= 0 ? (double)ev->v[i] : NAN;
}

static double
read_value(void *ctx, uint64_t id, unsigned i)
{
	struct debug *d = ctx;
	const struct event *ev;

	if (!(id & (OWN | ARG)))
		return sim_value(d->sim, id, i);
	if ((id & MORE) == MORE)
		return d->more.get(d->more.ctx, id & ~MORE, i);
	ev = debug_event(d);
	if (id & ARG)
		return number_of_event(d, ev, (const char *)(uintptr_t)(id & ~ARG));
	if (id == OWN_ID(OWN_LAST, 0))
		return d->last.n ? (i < d->last.n ? d->last.v[i] : NAN) : d->last.x;
	if (!d->sim)
		return NAN;
	switch ((enum own)((id & ~OWN) >> OWN_SHIFT)) {
	case OWN_CYCLE:
		return (double)sim_cycle(d->sim);
	case OWN_PERIOD:
		return (double)sim_periods(d->sim);
	case OWN_CORE:
		return ev && ev->core >= 0 ? ev->core : NAN;
	case OWN_CTA:
		return ev && ev->cta != UINT32_MAX ? ev->cta : NAN;
	case OWN_SLOT:
		return ev && ev->slot >= 0 ? ev->slot : NAN;
	case OWN_KERNEL:
		return ev && sim_runs_together(d->sim) ? ev->kernel + 1 : sim_kernel_shown(d->sim);
	case OWN_LAST:
		return NAN;
	default:
		return read_asked(d, id);
	}
}

void
debug_names_begin(struct debug *d)
{
	d->names = (struct eval_names){d, resolve_name, read_value};
}

const struct eval_names *
debug_names(struct debug *d)
{
	return &d->names;
}

void
debug_more_names(struct debug *d, const struct eval_names *more)
{
	d->more = *more;
}

struct each_variable {
	void (*fn)(void *ctx, const char *name, const char *help);
	void *ctx;
};

static bool
add_variable(void *ctx, const char *arg)
{
	struct each_variable *v = ctx;
	char name[64];

	snprintf(name, sizeof(name), "$%s", arg);
	v->fn(v->ctx, name, "a number of the rule of the event stopped at or asked about");
	return false;
}

void
debug_each_variable(struct debug *d, void (*fn)(void *ctx, const char *name, const char *help),
		    void *ctx)
{
	struct each_variable v = {fn, ctx};

	for (unsigned i = 0; i < ARRAY_LEN(own_names); i++)
		fn(ctx, own_names[i].name, own_names[i].help);
	for (unsigned i = 0; i < ARRAY_LEN(asked_names); i++)
		fn(ctx, asked_names[i].shown, asked_names[i].help);
	debug_each_number(d, add_variable, &v);
}
