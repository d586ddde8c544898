/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sequence.c - policies that are files of limits: what is read, what is refused, and that a run
 * takes each step at its cycle.
 */
#include "tests/tap.h"
#include "tests/sim/model.h"

#include "cta/cta.h"
#include <unistd.h>

#define HEAD SEQUENCE_HEAD " - of a test\n"

static void
refuse(const char *text, const char *why)
{
	struct sequence *q = sequence_new("bad", "of a test");
	struct err e = {0};

	ok(q && sequence_parse(q, text, "bad", &e) < 0 && strstr(e.msg, why), "refused: %s", e.msg);
	sequence_free(q);
}

static void
parse(void)
{
	static const char text[] = HEAD "kernel 1\n0 6\n2000 1\nkernel 3\n0 4\n";
	struct sequence *q = sequence_new("good", "of a test");
	struct strbuf out = {0};
	struct err e = {0};

	ok(q && sequence_parse(q, text, "good", &e) == 0, "a sequence is read");
	sequence_write(q, &out);
	is_str(out.p, text, "and written as it was");
	ok(sequence_set(q, 1, 1000, 2) == 0 && q->n_steps == 3 && q->step[1].n == 2 &&
		   q->step[2].kernel == 3,
	   "a step drops the later ones of its kernel, not those of the next");
	ok(sequence_set(q, 1, 0, 0) == 0 && q->n_steps == 1, "limit 0 only drops");
	sb_free(&out);
	sequence_free(q);
	refuse("0 6\n", "line 1");
	refuse("kernel 1\n5 6\n", "line 2");
	refuse("kernel 1\n0 6\n10 0\n", "line 3");
	refuse("kernel 1\n0 6\n10 3\n10 2\n", "line 4");
	refuse("kernel 2\n0 6\nkernel 1\n", "line 3");
	refuse("kernel 1\nkernel 2\n", "line 2");
	refuse("kernel 1\n0 6 more\n", "line 2");
	refuse("kernel 0\n", "line 1");
	refuse("kernel 1\n0 99999\n", "line 2");
}

static void
write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

struct seen {
	struct sim *s;
	unsigned steps, wrong;
};

static void
on_event(void *ctx, const struct event *ev)
{
	struct seen *k = ctx;
	uint64_t want = k->steps < 15 ? 700 : 1900;

	if (ev->kind != EV_PERIOD)
		return;
	k->wrong += ev->cycle != want || ev->limit != (k->steps < 15 ? 1 : 3);
	k->steps++;
}

static void
run(struct trace *t, const char *path)
{
	struct config *c = model_config("gtx480", "rr");
	struct err e = {0};
	struct seen k = {NULL};
	double n[3];

	if (config_policy(c, path, &e) < 0)
		model_die(path, &e);
	k.s = model_sim(c, t);
	sim_listen(k.s, EV_BIT(EV_PERIOD), on_event, &k);
	for (unsigned i = 0; i < 3; i++) {
		sim_run(k.s, (const uint64_t[]){699, 700, 1900}[i], &e);
		n[i] = model_value(k.s, "core.3.n");
	}
	ok(n[0] == 2 && n[1] == 1 && n[2] == 3, "limits before and at both steps: %g %g %g", n[0],
	   n[1], n[2]);
	ok(sim_run(k.s, CYCLE_NEVER, &e) == SIM_DONE && k.steps == 30 && !k.wrong,
	   "two steps of 15 cores, each at its cycle");
	ok(sim_set_policy(k.s, path, NULL, 0, &e) == 0, "the same file again is the same policy");
	sim_free(k.s);
	config_free(c);
}

/* A twin takes over in the middle of a step, and an option of the policy is part of the state. */
static void
run_twin(struct trace *t, const char *path)
{
	struct config *c = model_config("gtx480", "rr");
	struct sim *s, *twin;
	struct snapshot *k;
	struct err e = {0};
	uint64_t end;
	char pause[16];

	if (config_policy(c, path, &e) < 0)
		model_die(path, &e);
	s = model_sim(c, t);
	sim_run(s, 1000, &e);
	k = sim_save(s, &e);
	twin = sim_twin(s, &e);
	sim_run(s, CYCLE_NEVER, &e);
	end = sim_digest(s);
	ok(k && twin && sim_restore(twin, k, &e) == 0 &&
		   sim_set(twin, "limits.pause", "yield", &e) == 0,
	   "a twin changes an option of the file's policy");
	sim_run(twin, CYCLE_NEVER, &e);
	ok(sim_digest(twin) != end, "and runs otherwise");
	sim_restore(twin, k, &e);
	opt_get(config_db_const(sim_config(twin)), "limits.pause", pause, sizeof(pause), &e);
	is_str(pause, "hold", "the state from before has the option from before");
	sim_run(twin, CYCLE_NEVER, &e);
	is_u64(sim_digest(twin), end, "and the twin ends as the machine did");
	snapshot_free(k);
	sim_free(twin);
	sim_free(s);
	config_free(c);
}

int
main(void)
{
	struct trace *t = model_reference("phase-120x256");
	char path[] = "/tmp/ctascope-test-XXXXXX", file[64];
	struct config *c = model_config("gtx480", "rr");
	struct err e = {0};

	parse();
	if (!mkdtemp(path))
		abort();
	snprintf(file, sizeof(file), "%s/limits.sequence", path);
	write_file(file, HEAD "kernel 1\n0 2\n700 1\n1900 3\n");
	run(t, file);
	run_twin(t, file);
	write_file(file, HEAD "kernel 1\n0 zero\n");
	ok(config_policy(c, file, &e) < 0 && strstr(e.msg, "line 3"), "a mistake is placed: %s",
	   e.msg);
	unlink(file);
	rmdir(path);
	config_free(c);
	trace_close(t);
	return done();
}
