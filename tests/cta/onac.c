/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * onac.c - ONAC and Seq-Det on a simulated GPU that consists of one curve: IPC over active cores.
 *
 * Every cycle the active cores together execute as many thread instructions as the curve gives for
 * their number, so the IPC of a sample is exactly a value of the curve. CTAs run for a fixed time,
 * and some cycles longer when others end, so that they end one by one. A paused core is drained a
 * few cycles after it was paused; its CTAs do not continue.
 */
#include "tests/tap.h"
#include "tests/cta/numbers.h"

struct rig {
	struct mock *m;
	const unsigned *ipc; /* [k] with k cores active */
	unsigned life, drain;
	/* Cycles that the CTAs have run, indexed as mock_core.cta. */
	unsigned age[MAX_CORES][MAX_CTAS];
	unsigned paused[MAX_CORES]; /* cycles the core has been paused */
	unsigned slow;		    /* core that takes twice as long to drain */
	unsigned early, wrong_ends; /* violations of the rules */
	uint64_t in_sample;	    /* CTAs of its cores that ended in the sample */
	uint64_t due;		    /* how many should have, if the sample ended in this cycle */
};

static void
end_ctas(struct rig *r, unsigned c, bool *ended)
{
	struct mock_core *k = &r->m->core[c];

	for (unsigned i = 0; i < k->n;) {
		if (++r->age[c][i] < r->life || *ended) {
			i++;
			continue;
		}
		cta_done(&r->m->s, c, i, &(struct cta_resident){.cta = k->cta[i]}, &(struct event){0});
		k->n--;
		memmove(&k->cta[i], &k->cta[i + 1], (k->n - i) * sizeof(k->cta[0]));
		memmove(&r->age[c][i], &r->age[c][i + 1], (k->n - i) * sizeof(r->age[0][0]));
		mock_repause(r->m, c);
		r->in_sample += r->m->s.host->core[c].state == CORE_ACTIVE;
		*ended = true;
	}
}

static void
execute(struct rig *r, bool *ended)
{
	struct cta_host *h = r->m->s.host;
	unsigned active = 0, first = 0;

	for (unsigned c = h->n_cores; c-- > 0;)
		if (h->core[c].state == CORE_ACTIVE) {
			active++;
			first = c;
		}
	for (unsigned c = 0; c < h->n_cores; c++) {
		struct cta_core *v = &h->core[c];

		v->drained = false;
		if (v->state == CORE_ACTIVE)
			v->thread_insts += r->ipc[active] / active +
					   (c == first ? r->ipc[active] % active : 0);
		if (v->state != CORE_PAUSED) {
			r->paused[c] = 0;
			end_ctas(r, c, ended);
		} else {
			v->drained = ++r->paused[c] > r->drain * (c == r->slow ? 2u : 1u);
		}
	}
}

/* Checks that every core is drained when a sample begins, and that it ends with the last CTA that
 * counts. */
static void
check_samples(struct rig *r, unsigned from)
{
	const struct mock *m = r->m;

	for (unsigned i = from; i < m->n_ev; i++) {
		if (m->ev[i].kind == EV_SAMPLE_BEGIN) {
			for (unsigned c = 0; c < m->s.host->n_cores; c++)
				r->early += r->paused[c] <= r->drain * (c == r->slow ? 2u : 1u);
			r->in_sample = 0;
			r->due = (uint64_t)m->ev[i].v[2];
		}
		if (m->ev[i].kind == EV_SAMPLE_END)
			r->wrong_ends +=
				r->in_sample != r->due || (uint64_t)m->ev[i].v[1] != r->due;
	}
}

static void
tick(struct rig *r)
{
	struct mock *m = r->m;
	unsigned from = m->n_ev;
	struct event why;
	bool ended = false;

	m->cycle++;
	execute(r, &ended);
	if (m->cycle == cta_next_period(&m->s)) {
		for (unsigned c = 0; c < m->s.host->n_cores; c++)
			cta_decide(&m->s, c, &why);
		cta_period_over(&m->s);
	}
	if (ended || m->cycle >= cta_next_act(&m->s))
		mock_act(m, ended);
	check_samples(r, from);
	for (unsigned c = 0; c < m->s.host->n_cores; c++)
		if (mock_ask(m, c))
			r->age[c][m->core[c].n - 1] = 0;
}

static double
field(const struct rig *r, const char *name)
{
	const struct cta_policy *p = &r->m->s.policy[0];

	for (unsigned i = 0; i < p->ops->n_fields; i++) {
		const struct cta_field *f = &p->ops->fields[i];
		const char *at = (const char *)r->m->s.host + p->state + f->offset;

		if (strcmp(f->name, name))
			continue;
		if (f->type == OPT_T_f64)
			return *(const double *)at;
		return f->type == OPT_T_u64 ? (double)*(const uint64_t *)at : *(const uint32_t *)at;
	}
	return -1;
}

enum { FILL, DRAIN, SAMPLE, DETECTED, GAVE_UP };

static bool
in_phase(const struct rig *r, unsigned phase)
{
	return field(r, "phase") == phase;
}

static struct rig *
rig_new(const char *stack, const unsigned *ipc, unsigned cores, uint64_t n_cta, unsigned n_max)
{
	struct rig *r = calloc(1, sizeof(*r));

	r->m = mock_new(stack, cores, n_cta, n_max);
	r->ipc = ipc;
	r->life = 40;
	r->drain = 7;
	r->slow = MAX_CORES;
	return r;
}

static void
rig_free(struct rig *r)
{
	mock_free(r->m);
	free(r);
}

/* Runs until detection is over; returns false if it is not after many cycles. */
static bool
detect(struct rig *r)
{
	for (unsigned i = 0; i < 100000 && !in_phase(r, DETECTED) && !in_phase(r, GAVE_UP); i++)
		tick(r);
	return in_phase(r, DETECTED) || in_phase(r, GAVE_UP);
}

/* ---------------------------------------------------------------- estimates */

/* Returns "9 10 11 12": the estimates in the events. */
static const char *
estimates(const struct rig *r)
{
	static char text[256];
	size_t n = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < r->m->n_ev; i++) {
		const struct event *ev = &r->m->ev[i];
		const struct rule *rule = cta_rule(&r->m->s, ev->policy, ev->rule);

		for (unsigned k = 0; ev->kind == EV_ESTIMATE && k < EVENT_VALUES && rule->value[k];
		     k++)
			if (!strcmp(rule->value[k], "estimate"))
				n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%" PRId64,
						      n ? " " : "", ev->v[k]);
	}
	return text;
}

static const char *
last_rule(const struct rig *r)
{
	for (unsigned i = r->m->n_ev; i-- > 0;)
		if (r->m->ev[i].kind == EV_DETECTED)
			return mock_rule(r->m, i);
	return "none";
}

static void
is_detected(const char *stack, const unsigned *ipc, unsigned cores, unsigned n_opt,
	    unsigned samples, const char *want, const char *rule, const char *what)
{
	struct rig *r = rig_new(stack, ipc, cores, 10000, 1);
	bool over = detect(r);

	ok(over && r->m->n_ev < ARRAY_LEN(r->m->ev), "%s: detection ends", what);
	is_str(estimates(r), want, "%s: the estimates", what);
	is_u64((uint64_t)field(r, "n_opt"), n_opt, "%s: N_opt %u", what, n_opt);
	is_u64((uint64_t)field(r, "samples"), samples, "%s: %u samples", what, samples);
	is_str(last_rule(r), rule, "%s: %s", what, rule);
	is_u64(r->early + r->wrong_ends, 0, "%s: samples begin drained and end in time", what);
	rig_free(r);
}

static void
examples(void)
{
	/* Fig. 5b: IPC grows with each core up to 9, then less and less; 2% are lost with 12. */
	static const unsigned backprop[33] = {
		[1] = 109, [9] = 900, [10] = 945, [11] = 965, [12] = 985, [32] = 1000};
	/* Fig. 5a: nearly a straight line */
	static const unsigned pathfinder[33] = {[1] = 32, [31] = 970, [32] = 1000};

	is_detected("onac:waves=1", backprop, 32, 12, 6, "9 10 11 12", "threshold-met", "Backprop");
	is_detected("onac:waves=1", pathfinder, 32, 32, 3, "31 32", "all-cores", "Pathfinder");
}

static void
edges(void)
{
	/* IPC_all 1000, loss 2 %: IPC_thr 980 */
	static const unsigned exact[33] = {[1] = 140, [7] = 980, [32] = 1000};
	static const unsigned below[33] = {[1] = 140, [7] = 979, [8] = 980, [32] = 1000};
	static const unsigned at_once[33] = {[1] = 1000, [2] = 1000, [32] = 1000};
	static const unsigned hopeless[33] = {[1] = 30, [32] = 1000};
	static const unsigned flat[33] = {[1] = 490, [2] = 490, [32] = 1000};
	static const unsigned falls[33] = {[1] = 490, [2] = 400, [32] = 1000};
	static const unsigned slow[33] = {[1] = 490, [2] = 500, [32] = 1000};
	static const unsigned far[33] = {[1] = 500, [2] = 516, [31] = 1000, [32] = 1000};
	static const unsigned all[33] = {[1] = 125, [8] = 999, [9] = 1000, [32] = 1000};
	static const unsigned two[3] = {0, 600, 1000};
	static const unsigned zero[33] = {[32] = 1000};
	static const unsigned third[5] = {0, 1, 2, 0, 3};

	is_detected("onac:waves=1", exact, 32, 7, 3, "7", "threshold-met",
		    "IPC is IPC_thr exactly");
	is_detected("onac:waves=1", below, 32, 8, 4, "7 8", "threshold-met", "IPC is just below");
	is_detected("onac:waves=1", at_once, 32, 2, 3, "2", "threshold-met",
		    "one core is enough: two are the least");
	is_detected("onac:waves=1", hopeless, 32, 32, 2, "32", "all-cores",
		    "the first estimate is above C");
	is_detected("onac:waves=1", flat, 32, 32, 3, "2 32", "all-cores", "slope zero");
	is_detected("onac:waves=1", falls, 32, 32, 3, "2 32", "all-cores", "a falling line");
	is_detected("onac:waves=1", slow, 32, 32, 3, "2 32", "all-cores", "the line ends above C");
	is_detected("onac:waves=1", far, 32, 31, 4, "2 31", "threshold-met",
		    "the line ends right below C");
	is_detected("onac:waves=1,loss=0", all, 32, 9, 4, "8 9", "threshold-met", "loss 0");
	is_detected("onac:waves=1", two, 2, 2, 2, "2", "all-cores", "a GPU of two cores");
	is_detected("onac:waves=1", two, 1, 1, 0, "", "one-core", "a GPU of one core");
	is_detected("onac:waves=1", zero, 32, 32, 2, "32", "all-cores", "IPC_1 is zero");
	is_detected("onac:waves=1,loss=0.5", third, 4, 2, 3, "2", "threshold-met",
		    "half may be lost");
	is_detected("seqdet:waves=1", two, 1, 1, 0, "", "one-core", "Seq-Det on one core");
}

static void
sequential(void)
{
	static const unsigned knee[9] = {0, 200, 400, 600, 800, 980, 990, 995, 1000};
	static const unsigned flat[9] = {0, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000};
	static const unsigned line[9] = {0, 100, 200, 300, 400, 500, 600, 700, 800};
	static const unsigned dip[9] = {0, 990, 990, 990, 990, 990, 979, 1000, 1000};

	is_detected("seqdet:waves=1", knee, 8, 5, 5, "7 6 5 4", "below-threshold",
		    "Seq-Det, IPC_thr met by 5 cores exactly");
	is_detected("seqdet:waves=1", flat, 8, 1, 8, "7 6 5 4 3 2 1", "least",
		    "Seq-Det, one core is enough");
	is_detected("seqdet:waves=1", line, 8, 8, 2, "7", "below-threshold",
		    "Seq-Det, all are needed");
	is_detected("seqdet:waves=1", dip, 8, 7, 3, "7 6", "below-threshold",
		    "Seq-Det stops at the first sample below");
}

/* ---------------------------------------------------------------- samples */

static const unsigned knee[5] = {0, 500, 985, 990, 1000};

/* Returns the i-th event of a kind. */
static const struct event *
nth(const struct rig *r, enum event_kind kind, unsigned i)
{
	static const struct event none;

	for (unsigned k = 0; k < r->m->n_ev; k++)
		if (r->m->ev[k].kind == kind && !i--)
			return &r->m->ev[k];
	return &none;
}

static void
waves(void)
{
	for (unsigned w = 1; w <= 5; w += 2) {
		char stack[32];
		struct rig *r;
		const struct event *begin, *end;

		snprintf(stack, sizeof(stack), "onac:waves=%u", w);
		r = rig_new(stack, knee, 4, 1000, 3);
		detect(r);
		begin = nth(r, EV_SAMPLE_BEGIN, 0);
		end = nth(r, EV_SAMPLE_END, 0);
		is_u64((uint64_t)begin->v[4], 12, "%u waves: 4 cores are full with 12 CTAs", w);
		is_u64((uint64_t)begin->v[2], w * 12, "%u waves: of 12 CTAs", w);
		is_u64((uint64_t)end->v[1], w * 12, "%u waves: as many ended", w);
		is_u64((uint64_t)end->v[2], end->cycle - begin->cycle, "%u waves: the cycles", w);
		is_u64((uint64_t)end->v[3], 1000 * (end->cycle - begin->cycle),
		       "%u waves: the instructions", w);
		is_u64((uint64_t)end->v[4], 1000000, "%u waves: IPC in thousandths", w);
		is_u64((uint64_t)nth(r, EV_SAMPLE_BEGIN, 1)->v[2],
		       w * (uint64_t)nth(r, EV_SAMPLE_BEGIN, 1)->v[4],
		       "%u waves: the second sample counts the CTAs of its one core", w);
		ok(nth(r, EV_SAMPLE_BEGIN, 1)->v[4] <= 3, "%u waves: at most 3", w);
		is_u64(r->wrong_ends, 0, "%u waves: each sample ends with its last CTA", w);
		rig_free(r);
	}
}

/* The first sample waits until the cores are full, but not until CTAs stop arriving. */
static void
filling(void)
{
	struct rig *r = rig_new("onac:waves=1", knee, 4, 2000, 8);

	detect(r);
	is_u64((uint64_t)nth(r, EV_SAMPLE_BEGIN, 0)->v[4], 32, "8 CTAs fit on a core: 32 at first");
	rig_free(r);
	r = rig_new("onac:waves=1", knee, 4, 1000, 2);
	r->life = 1;
	for (unsigned i = 0; i < 30; i++)
		tick(r);
	ok(!in_phase(r, FILL), "CTAs that come and go all the time do not put it off");
	rig_free(r);
	r = rig_new("onac:waves=1,warmup=3", knee, 4, 2000, 2);
	while (in_phase(r, FILL) && r->m->cycle < 10000)
		tick(r);
	is_u64(r->m->s.host->done, 24, "warmup=3: when three waves of 8 CTAs have ended");
	ok(detect(r) && field(r, "n_opt") == 2, "warmup=3: the outcome is the same");
	rig_free(r);
	r = rig_new("onac:waves=1,warmup=300", knee, 4, 100, 2);
	ok(detect(r) && in_phase(r, GAVE_UP), "warmup=300: no CTA is left for that");
	rig_free(r);
}

/* Detection waits for a core that drains slowly, and no other core runs meanwhile. */
static void
drained(void)
{
	struct rig *r = rig_new("onac:waves=2", knee, 4, 1000, 2);
	unsigned long working = 0;

	r->slow = 2;
	while (!in_phase(r, DETECTED) && r->m->cycle < 10000) {
		tick(r);
		for (unsigned c = 0; in_phase(r, DRAIN) && c < 4; c++)
			working += r->m->s.host->core[c].state != CORE_PAUSED;
		for (unsigned c = 0; in_phase(r, SAMPLE) && c < 4; c++)
			working += r->m->s.host->core[c].state !=
				   (c < (unsigned)field(r, "estimate") ? CORE_ACTIVE : CORE_PAUSED);
	}
	is_u64(r->early, 0, "no sample begins before the slowest core has drained");
	is_u64(working, 0, "nobody works while cores drain, in a sample only its cores do");
	is_u64((uint64_t)nth(r, EV_SAMPLE_BEGIN, 0)->v[5], 15,
	       "draining takes as long as the slow core, 14 cycles and one to see it");
	is_u64((uint64_t)field(r, "n_opt"), 2, "the outcome is the same");
	rig_free(r);
}

/* A CTA whose last instruction was in flight ends on a paused core: it does not count for the
 * sample. */
static void
ends_elsewhere(void)
{
	struct rig *r = rig_new("onac:waves=4", knee, 4, 1000, 2);

	while (field(r, "samples") < 1 || !in_phase(r, SAMPLE))
		tick(r);
	cta_done(&r->m->s, 3, 0, &(struct cta_resident){.cta = r->m->core[3].cta[0]},
		 &(struct event){0});
	mock_act(r->m, true);
	while (field(r, "samples") < 2)
		tick(r);
	is_u64((uint64_t)nth(r, EV_SAMPLE_END, 1)->v[1], (uint64_t)nth(r, EV_SAMPLE_BEGIN, 1)->v[2],
	       "a CTA that ends on a paused core does not count");
	is_u64(r->wrong_ends, 0, "nor does it end the sample early");
	rig_free(r);
}

/* ---------------------------------------------------------------- no detection */

static unsigned
cores_in(const struct rig *r, enum core_state state)
{
	unsigned n = 0;

	for (unsigned c = 0; c < r->m->s.host->n_cores; c++)
		n += r->m->s.host->core[c].state == state;
	return n;
}

static bool
finishes(struct rig *r)
{
	const struct cta_host *h = r->m->s.host;

	for (unsigned i = 0; i < 100000 && h->done < h->n_cta; i++)
		tick(r);
	return h->done == h->n_cta;
}

static void
gives_up(void)
{
	static const uint64_t grid[] = {1, 7, 8, 9, 15, 20, 40, 41, 42, 50, 60, 70};
	const char *const stack[] = {"onac", "seqdet", "onac:waves=1", "onac:waves=40"};
	unsigned lost = 0, awake = 0, undecided = 0, gave_up = 0, late = 0;

	for (unsigned i = 0; i < ARRAY_LEN(grid); i++)
		for (unsigned k = 0; k < ARRAY_LEN(stack); k++) {
			struct rig *r = rig_new(stack[k], knee, 4, grid[i], 2);
			const struct cta_host *h = r->m->s.host;

			while (h->issued < h->n_cta)
				tick(r);
			for (unsigned t = 0; t < 5; t++)
				tick(r);
			late += in_phase(r, FILL) || in_phase(r, DRAIN) || in_phase(r, SAMPLE);
			awake += in_phase(r, GAVE_UP) && cores_in(r, CORE_ACTIVE) != 4;
			gave_up += in_phase(r, GAVE_UP) && !strcmp(last_rule(r), "not-detected") &&
				   field(r, "n_opt") == 0;
			lost += !finishes(r);
			undecided += mock_count(r->m, EV_DETECTED) != 1;
			rig_free(r);
		}
	is_u64(lost, 0, "48 small grids: every CTA ends");
	is_u64(late, 0, "detection is over some cycles after the last CTA was issued");
	is_u64(awake, 0, "then every core works");
	is_u64(undecided, 0, "each says once how it ended");
	ok(gave_up > 20 && gave_up < 48, "most give up, %u", gave_up);
}

/* Credits: core 0 alone cannot take as many CTAs as its sample asks for. */
static void
starves(void)
{
	struct rig *r = rig_new("onac:waves=4+claso", knee, 4, 24, 1);

	ok(detect(r) && in_phase(r, GAVE_UP), "onac+claso: core 0 runs out of credits");
	is_str(last_rule(r), "no-cta-for-sample", "the reason is told");
	is_u64(cores_in(r, CORE_ACTIVE), 4, "every core works again");
	ok(r->m->s.host->issued < 24, "with CTAs left to issue");
	ok(finishes(r), "and all CTAs end");
	rig_free(r);
	r = rig_new("onac:waves=1+claso", knee, 4, 200, 2);
	ok(detect(r) && field(r, "n_opt") == 2, "onac+claso with more CTAs: N_opt 2");
	ok(finishes(r), "the credits of the cores that go off are used by the others");
	rig_free(r);
	r = rig_new("onac:waves=2+static:n=1", knee, 4, 300, 4);
	ok(detect(r) && field(r, "n_opt") == 2, "onac+static: N_opt 2 with one CTA per core");
	is_u64((uint64_t)nth(r, EV_SAMPLE_BEGIN, 0)->v[4], 4, "which are 4 at the first sample");
	ok(finishes(r), "all end");
	rig_free(r);
}

/* DYNCTA's periods continue during detection; paused cores have nothing to decide by. */
static void
limits(void)
{
	struct rig *r = rig_new("onac:waves=4+dyncta:period=50,n0=1", knee, 4, 2000, 8);
	const struct cta_host *h = r->m->s.host;
	uint32_t limit[4];

	while (field(r, "samples") < 1 || !in_phase(r, SAMPLE))
		tick(r);
	for (unsigned c = 0; c < 4; c++)
		limit[c] = h->core[c].limit;
	while (in_phase(r, SAMPLE))
		tick(r);
	ok(h->core[0].limit > limit[0], "onac+dyncta: the limit of the sampled core moves");
	ok(limit[1] < 8 && h->core[1].limit == limit[1] && h->core[3].limit == limit[3],
	   "onac+dyncta: those of paused cores stay");
	ok(finishes(r), "and all CTAs end");
	rig_free(r);
}

/* ---------------------------------------------------------------- afterwards */

static void
gating(void)
{
	struct rig *r = rig_new("onac:waves=1", knee, 4, 1000, 3);
	const struct cta_host *h = r->m->s.host;
	unsigned was[2], awake = 0;
	cycle_t launched;

	detect(r);
	was[0] = r->m->core[2].issued;
	was[1] = r->m->core[3].issued;
	ok(cores_in(r, CORE_ACTIVE) == 2 && h->core[2].state == CORE_DRAINING &&
		   h->core[3].state == CORE_DRAINING,
	   "N_opt 2: cores 2 and 3 drain, they still hold CTAs");
	ok(h->core[2].resident && h->core[3].resident, "that were paused with them");
	is_u64(mock_count(r->m, EV_DRAIN), 2, "two drain events");
	while (cores_in(r, CORE_OFF) < 2 && r->m->cycle < 10000)
		tick(r);
	is_u64(cores_in(r, CORE_OFF), 2, "they go off when the last CTA has ended");
	is_u64(mock_count(r->m, EV_GATE), 2, "two gate events");
	while (h->issued < h->n_cta && r->m->cycle < 100000) {
		tick(r);
		awake += cores_in(r, CORE_OFF) != 2;
	}
	is_u64(awake, 0, "and stay off");
	ok(r->m->core[2].issued == was[0] && r->m->core[3].issued == was[1],
	   "without a new CTA since N_opt was known");
	ok(finishes(r), "cores 0 and 1 end the kernel");
	is_u64(mock_count(r->m, EV_UNGATE), 0, "nothing was switched on again");

	launched = ++r->m->cycle;
	mock_kernel(r->m, 1000, 2);
	memset(r->age, 0, sizeof(r->age));
	is_u64(cores_in(r, CORE_ACTIVE), 4, "the next kernel begins with all cores");
	ok(in_phase(r, FILL) && field(r, "n_opt") == 0 && field(r, "samples") == 0,
	   "and knows nothing of the one before");
	ok(detect(r) && field(r, "n_opt") == 2, "it is detected anew");
	is_u64((uint64_t)field(r, "detect_cycles"), nth(r, EV_DETECTED, 0)->cycle - launched,
	       "its time counts from the launch");
	rig_free(r);
}

static void
fields(void)
{
	struct rig *r = rig_new("onac:waves=1", knee, 4, 1000, 3);

	detect(r);
	ok(field(r, "ipc_all") == 1000, "IPC_all is seen");
	ok(field(r, "ipc_thr") == 980, "IPC_thr is seen");
	is_u64((uint64_t)field(r, "estimate"), 2, "the estimate is seen");
	rig_free(r);
}

static void
refused(void)
{
	static const char *const bad[] = {"onac+seqdet", "onac+cores:n=2", "seqdet+claso+onac"};
	struct config *c = config_new();

	for (unsigned i = 0; i < ARRAY_LEN(bad); i++) {
		struct err e = {0};

		ok(config_policy(c, bad[i], &e) < 0 && strstr(e.msg, "how many cores work"),
		   "%s is refused: %s", bad[i], e.msg);
	}
	config_free(c);
}

int
main(void)
{
	examples();
	edges();
	sequential();
	waves();
	filling();
	drained();
	ends_elsewhere();
	gives_up();
	starves();
	limits();
	gating();
	fields();
	refused();
	return done();
}
