/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stored.c - a state as bytes: a sim that never ran reads it and continues identically.
 *
 * This is tested for every shipped policy, some of them set at a stop, including the series and the
 * events. The bytes of two sims at different addresses are the same. Bytes that are truncated,
 * damaged or from another machine are rejected and leave the sim unchanged.
 */
#include "tests/tap.h"
#include "base/strbuf.h"
#include "tests/sim/model.h"
#include "tests/small/small.h"

struct state {
	uint64_t digest, cycle, events;
	double series;
	char last[400]; /* the newest decision, as a sentence: names its policy */
};

static struct state
look(struct sim *s)
{
	struct state v = {.digest = sim_digest(s),
			  .cycle = sim_cycle(s),
			  .events = sim_events(s)->next};
	const struct event_ring *r = sim_events(s);

	for (unsigned i = 0; i < series_count(s); i++)
		v.series += (double)series_end(s, i) * (series_gpu(s, SG_IPC, i) + 1);
	for (uint64_t seq = r->next; seq > r->first && !*v.last; seq--)
		if (sim_event_is_decision(event_ring_get(r, seq - 1)))
			sim_event_text(s, event_ring_get(r, seq - 1), v.last, sizeof(v.last));
	return v;
}

static bool
same(const struct state *a, const struct state *b)
{
	return a->digest == b->digest && a->cycle == b->cycle && a->events == b->events &&
	       a->series == b->series && !strcmp(a->last, b->last);
}

static void
write_state(struct sim *s, struct strbuf *out)
{
	struct err e = {0};
	struct snapshot *k = sim_save(s, &e);

	if (!k)
		model_die("sim_save", &e);
	snapshot_write(s, k, out);
	snapshot_free(k);
}

/* Creates a sim that never ran, in the state of the bytes. */
static struct sim *
from_bytes(const struct config *c, struct trace *t, const struct strbuf *b, struct err *e)
{
	struct sim *s = model_sim(c, t);
	struct snapshot *k = snapshot_read(s, b->p, b->n, e);

	if (!k || sim_restore(s, k, e)) {
		snapshot_free(k);
		sim_free(s);
		return NULL;
	}
	snapshot_free(k);
	return s;
}

/* change: the stacks to change to early, one after the other; NULL: none. */
static void
there_and_on(struct trace *t, const char *policy, const char *const change[2])
{
	struct config *c = small_config(policy);
	bool equal = true, stable = true;
	struct err e = {0};

	for (unsigned at = 700; at <= 4300; at += 1800) {
		struct sim *one = model_sim(c, t), *other = model_sim(c, t), *read;
		struct strbuf a = {0}, b = {0};
		struct state v, w;

		for (unsigned i = 0; change && i < 2; i++) {
			sim_run(one, 300 + 100 * i, NULL);
			sim_run(other, 300 + 100 * i, NULL);
			sim_set_policy(one, change[i], NULL, 0, &e);
			sim_set_policy(other, change[i], NULL, 0, &e);
			sim_set(one, "dyncta.t_mem_h", i ? "50" : "70", &e);
			sim_set(other, "dyncta.t_mem_h", i ? "50" : "70", &e);
		}
		sim_run(one, at, NULL);
		sim_run(other, at, NULL);
		write_state(one, &a);
		write_state(other, &b);
		stable &= a.n == b.n && !memcmp(a.p, b.p, a.n);
		read = from_bytes(c, t, &a, &e);
		if (read) {
			v = look(one);
			w = look(read);
			equal &= same(&v, &w);
			sim_run(one, CYCLE_NEVER, NULL);
			sim_run(read, CYCLE_NEVER, NULL);
			v = look(one);
			w = look(read);
			equal &= same(&v, &w) && sim_done(read);
		} else {
			diag("%s", e.msg);
			equal = false;
		}
		sb_free(&a);
		sb_free(&b);
		sim_free(one);
		sim_free(other);
		sim_free(read);
	}
	ok(equal, "%s%s%s: read back, it is the same then and at the end", policy,
	   change ? ", at last " : "", change ? change[1] : "");
	ok(stable, "and the bytes do not depend on addresses");
	config_free(c);
}

static bool
refused(struct sim *s, const char *bytes, size_t n, const char *why)
{
	uint64_t before = sim_digest(s);
	struct err e = {0};
	struct snapshot *k = snapshot_read(s, bytes, n, &e);

	if (k || !strstr(e.msg, why) || sim_digest(s) != before) {
		diag("%zu bytes: %s", n, k ? "accepted" : e.msg);
		snapshot_free(k);
		return false;
	}
	return true;
}

static void
damaged(struct trace *t)
{
	struct config *c = small_config("dyncta:period=512+claso");
	struct config *wider = small_config("dyncta:period=512+claso");
	struct sim *s = model_sim(c, t), *fresh = model_sim(c, t), *other;
	struct strbuf b = {0};
	bool flipped = true, cut = true;

	model_set(wider, "l1d.mshr", "17");
	other = model_sim(wider, t);
	sim_run(s, 2000, NULL);
	write_state(s, &b);
	for (size_t i = 0; i < b.n; i += i < 1024 ? 1 : 8191) {
		b.p[i] ^= 16;
		flipped &= refused(fresh, b.p, b.n, "the state is damaged");
		b.p[i] ^= 16;
	}
	for (size_t n = 0; n < b.n; n += n < 1024 ? 7 : 65521)
		cut &= refused(fresh, b.p, n, "damaged");
	ok(flipped, "a byte that is another one is refused, wherever it is");
	ok(cut, "and bytes that are cut off");
	ok(refused(other, b.p, b.n, "another machine"), "and those of another machine");
	sim_free(s);
	sim_free(fresh);
	sim_free(other);
	sb_free(&b);
	config_free(c);
	config_free(wider);
}

int
main(void)
{
	static const char *const policy[] = {
		"rr",
		"static:n=2",
		"cores:n=3",
		"dyncta:period=512",
		"dyncore:period=256,off=2,wake=75",
		"tcs:mon_cycle=128,monitor=300,thr=1",
		"htcs:mon_cycle=64,monitor=300,thr=1",
		"onac:waves=1,loss=0.3",
		"seqdet:waves=1,loss=0.3",
		"dyncta:period=512+claso",
	};
	struct trace *t = small_trace();

	for (unsigned i = 0; i < ARRAY_LEN(policy); i++) {
		there_and_on(t, policy[i], NULL);
		there_and_on(t, policy[i],
			     (const char *const[2]){policy[(i + 3) % ARRAY_LEN(policy)],
						    policy[(i + 5) % ARRAY_LEN(policy)]});
	}
	damaged(t);
	trace_close(t);
	return done();
}
