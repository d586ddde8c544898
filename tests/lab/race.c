/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * race.c - lists of stacks, the first difference, and real lanes on the small machine: they run in
 * lockstep, their results equal those of separate runs, and one that fails or is ended does not
 * affect the others.
 */
#include "tests/tap.h"

#include "lab/race_part.h"
#include "tests/small/small.h"
#include "base/process.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* ---------------------------------------------------------------- lists */

static void
stacks_are(const char *list, unsigned n, const char *last)
{
	struct race_stacks s = {0};
	struct err e = {0};

	ok(race_add(&s, list, &e) == 0 && s.n == n && strcmp(s.text[n - 1], last) == 0,
	   "'%s' is %u stacks, the last %s", list, n, last);
}

static void
stacks_wrong(const char *list, const char *why)
{
	struct race_stacks s = {0};
	struct err e = {0};

	if (!ok(race_add(&s, list, &e) < 0 && strstr(e.msg, why), "'%s': %s", list, why))
		diag("%s", e.msg);
}

static void
test_stacks(void)
{
	stacks_are("rr", 1, "rr");
	stacks_are("rr,dyncta", 2, "dyncta");
	stacks_are("static:n=1, rr", 2, "rr");
	stacks_are("claso:pa=2,pl=0,rr", 2, "rr");
	stacks_are("rr,dyncta:period=512+claso:pa=2,pl=0", 2, "dyncta:period=512+claso:pa=2,pl=0");
	stacks_are("rr,rr@gpu.warp_sched=gto", 2, "rr@gpu.warp_sched=gto");
	stacks_are("rr@machine=kay30@core.registers=65536,claso:pa=2,pl=0", 2, "claso:pa=2,pl=0");
	stacks_are("rr,rr@mem.tCCD=3", 2, "rr@mem.tCCD=3");

	stacks_wrong("rr,dynkta", "did you mean dyncta");
	stacks_wrong("rr,rr", "is in the race already");
	stacks_wrong("rr,", "expected policy stacks");
	stacks_wrong("rr,tcs,htcs,dyncta,onac", "at most 4");
	stacks_wrong("static:n=x", "static");
	stacks_wrong("rr@gpu.warp_sched=gt0", "did you mean gto");
	stacks_wrong("rr@machine=nosuch", "nosuch");
	stacks_wrong("rr@gpu.warp_sched=gto@gpu.warp_sched=lrr", "appears twice");
	stacks_wrong("rr@run.max_cycles=1000", "hold for the whole race");
	stacks_wrong("rr@gpu.warp_sched=", "the value of this option");
	stacks_wrong("rr@=3", "after @ comes an option of the lane");
}

/* On the machine of a lane hold the options of the run and those of the lane, wherever it is named.
 */
static void
test_lane_machine(void)
{
	struct config *c = small_config("rr");
	char sched[OPT_VALUE] = "", ctas[OPT_VALUE] = "";
	struct err e = {0};

	if (opt_set(config_db(c), "gpu.warp_sched", "gto", &e) ||
	    race_configure(c, "rr@core.max_ctas=3@machine=kay30", &e))
		small_die("a lane with a machine", &e);
	opt_get(config_db(c), "gpu.warp_sched", sched, sizeof(sched), NULL);
	opt_get(config_db(c), "core.max_ctas", ctas, sizeof(ctas), NULL);
	is_str(sched, "gto", "an option of the run holds on the machine of a lane");
	is_str(ctas, "3", "and one of the lane that stands before the machine");
	is_str(config_machine_name(c), "kay30", "which is taken");
	config_free(c);
}

/* Short names keep what differs, and only what all lanes have is left out of them. */
static void
test_names(void)
{
	static const struct {
		unsigned room;
		const char *name[3], *shown[3];
	} cases[] = {
		{40, {"rr", "dyncta@core.l1_size=32KB"}, {"rr", "dyncta@core.l1_size=32KB"}},
		{20,
		 {"rr@gpu.warp_sched=gto@machine=kay30", "rr@machine=kay110@gpu.warp_sched=gto"},
		 {"rr@machine=kay30", "rr@machine=kay110"}},
		{14,
		 {"rr@gpu.warp_sched=gto@machine=kay30", "rr@gpu.warp_sched=gto@machine=kay110"},
		 {"rr@mac...kay30", "rr@ma...kay110"}},
		{20,
		 {"dyncta:period=512,low=3,high=60", "dyncta:period=2048,low=3,high=60", "rr"},
		 {"dyncta:period=512...", "dyncta:per...2048...", "rr"}},
		{20,
		 {"static:n=1+claso:pa=2,pl=0", "static:n=1+claso:pa=4,pl=0", "static:n=1"},
		 {"static:n=1+...2,pl=0", "static:n=1+...4,pl=0", "static:n=1"}},
		{7, {"static:n=1", "rr"}, {"stat...", "rr"}},
		{7, {"aaaaaaaaaaaa=1", "aaaaaaaaaaaa=2"}, {"aaa...1", "aaa...2"}},
		{3, {"abcdef", "abcxyz"}, {"def", "xyz"}},
	};
	char buf[POLICY_TEXT];

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		for (unsigned k = 0, n = 2 + !!cases[i].name[2]; k < n; k++) {
			lane_name_shorten(cases[i].name, n, k, cases[i].room, "...", buf);
			is_str(buf, cases[i].shown[k], "%s in %u columns", cases[i].name[k],
			       cases[i].room);
		}
}

/* ---------------------------------------------------------------- frames */

/* Frames that no lane sends must all be rejected. */
static void
test_damage(void)
{
	struct race_private own = {0};
	struct race r = {.n = 1, .own = &own, .goal = 100};
	struct wire_hello hello = {.cores = 4, .sample = 16};
	struct wire_here here = {.cycle = 50, .ended = LANE_WAITS};
	struct {
		struct race_sample at;
		float core[4 * RACE_FIELDS];
	} sample = {.at = {.end = 16, .span = 16}};
	struct frame f = {WIRE_HELLO, sizeof(hello), (char *)&hello};

	hello.cores = MAX_CORES + 1;
	ok(race_take(&r, 0, &f) < 0, "more cores than there can be");
	hello.cores = 4;
	f.bytes--;
	ok(race_take(&r, 0, &f) < 0, "a body too short");
	f.bytes++;
	ok(race_take(&r, 0, &f) == 0 && r.lane[0].state == LANE_WAITS, "hello");
	ok(race_take(&r, 0, &f) < 0, "but once");
	f = (struct frame){WIRE_HERE, sizeof(here), (char *)&here};
	ok(race_take(&r, 0, &f) < 0, "an answer without a question");
	r.lane[0].state = LANE_RUNS;
	here.cycle = 101;
	ok(race_take(&r, 0, &f) < 0, "an answer beyond the goal");
	here.cycle = 50;
	f = (struct frame){WIRE_SAMPLE, sizeof(sample), (char *)&sample};
	ok(race_take(&r, 0, &f) == 0, "a sample");
	ok(race_take(&r, 0, &f) < 0, "the same again");
	sample.at = (struct race_sample){.end = 20, .span = 21};
	ok(race_take(&r, 0, &f) < 0, "one longer than the run");
	f = (struct frame){WIRE_HERE, sizeof(here), (char *)&here};
	ok(race_take(&r, 0, &f) == 0 && r.lane[0].cycle == 50, "an answer");
	f.kind = 99;
	ok(race_take(&r, 0, &f) < 0, "what no lane says");
	samples_drop(&r.lane[0].samples);
}

/* ---------------------------------------------------------------- samples */

static void
test_samples(void)
{
	struct race_samples s = {0};
	float core[RACE_FIELDS] = {0};

	for (unsigned i = 0; i < RACE_SAMPLES + 1; i++) {
		struct race_sample at = {.end = 16 * (i + 1), .span = 16, .ipc = i};

		core[RACE_RUNNING] = i == 0 ? NAN : (float)i;
		core[RACE_STATE] = (float)(i % 2);
		core[RACE_L1_MISS] = i % 2 ? 1 : 0; /* 1 of 1 per cycle, 0 of 3 */
		core[RACE_L1_WEIGHT] = i % 2 ? 1 : 3;
		samples_take(&s, &at, core, 1);
	}
	is_u64(s.n, RACE_SAMPLES / 2 + 1, "a full history is halved");
	ok(s.at[0].span == 32 && s.at[0].end == 32 && s.at[0].ipc == 0.5, "two become one");
	ok(race_value(&s, 0, 0, RACE_RUNNING) == 1, "of which one was unknown");
	ok(race_value(&s, 1, 0, RACE_RUNNING) == 2.5f, "else their mean");
	ok(race_value(&s, 1, 0, RACE_STATE) == 1, "of a state the later");
	ok(race_value(&s, 1, 0, RACE_L1_MISS) == 0.25f,
	   "a rate per access is that of all accesses: 16 misses of 64");
	ok(race_value(&s, 1, 0, RACE_L1_WEIGHT) == 2, "which are 2 per cycle of the merged sample");
	is_u64((uint64_t)race_sample_at(&s, 33), 1, "a cycle's sample");
	is_u64((uint64_t)race_sample_at(&s, 1u << 30), s.n - 1, "beyond the end the last");
	samples_drop(&s);
	ok(race_sample_at(&s, 1) < 0, "of none, none");
}

/* ---------------------------------------------------------------- the first difference */

static void
say(struct differ *d, unsigned lane, cycle_t cycle, uint32_t cta, const char *says)
{
	struct decision what = {.cycle = cycle, .kind = EV_CTA_ISSUE, .cta = cta};

	differ_take(d, lane, &what, says, strlen(says));
}

static void
test_differ(void)
{
	struct differ d = {0};
	cycle_t to[RACE_LANES] = {10, 10, 10};
	const struct race_difference *f;

	say(&d, 0, 1, 0, "a1");
	say(&d, 1, 1, 0, "b1");
	say(&d, 2, 1, 0, "c1");
	differ_compare(&d, 3, to);
	ok(!differ_first(&d, 3) && differ_open(&d, 3, to), "the same is no difference");
	say(&d, 0, 9, 1, "a9");
	say(&d, 2, 9, 1, "c9");
	to[1] = 9;
	differ_compare(&d, 3, to);
	ok(!differ_first(&d, 3), "nor is one that the other may still take");
	to[1] = 10;
	differ_compare(&d, 3, to);
	f = differ_first(&d, 3);
	ok(f && f->cycle == 9 && f->lane[1] == 1 && strcmp(f->says[0], "a9") == 0 && !*f->says[1],
	   "until it is past that cycle");
	ok(differ_open(&d, 2, to), "its next decision is awaited");
	say(&d, 1, 14, 1, "b14");
	say(&d, 0, 11, 2, "a11");
	say(&d, 2, 11, 3, "c11");
	to[0] = to[1] = to[2] = 20;
	differ_compare(&d, 3, to);
	f = differ_first(&d, 3);
	ok(f && f->cycle == 9 && strcmp(f->says[1], "b14") == 0, "and is what it did instead");
	ok(d.pair[2].first.known && d.pair[2].first.cycle == 11 &&
		   strcmp(d.pair[2].first.says[1], "c11") == 0,
	   "another CTA in the same cycle is a difference");
	ok(!differ_open(&d, 3, to), "then nothing more is wanted");
	differ_free(&d);

	say(&d, 0, 5, 0, "a5");
	to[0] = to[1] = CYCLE_NEVER;
	differ_compare(&d, 2, to);
	ok(differ_first(&d, 2) && !differ_open(&d, 2, to), "a lane that has ended decides no more");
	differ_free(&d);
	say(&d, 1, 5, 0, "b5");
	to[0] = 4;
	differ_compare(&d, 2, to);
	ok(!differ_first(&d, 2), "the first lane may come later, too");
	say(&d, 0, 4, 0, "a4");
	to[0] = 5;
	differ_compare(&d, 2, to);
	ok(differ_first(&d, 2) && differ_first(&d, 2)->cycle == 4, "and is then the difference");
	differ_free(&d);
}

/* ---------------------------------------------------------------- lanes */

static struct trace *trace;

static struct race *
begin(const char *list, struct config **config)
{
	struct race_stacks s = {0};
	struct err e = {0};
	struct race *r = NULL;

	*config = small_config("rr");
	if (race_add(&s, list, &e) == 0)
		r = race_new(&s, *config, trace_info(trace), &e);
	if (!r)
		small_die(list, &e);
	return r;
}

static void
finish(struct race *r, struct config *c)
{
	race_free(r);
	config_free(c);
}

/* Returns the cycles of a separate run, and the cycle of its first pause. */
static cycle_t
alone(const char *stack)
{
	struct config *c = small_config(stack);
	struct err e = {0};
	struct sim *s = sim_new(c, trace, &e);
	cycle_t end;

	if (!s || sim_run(s, CYCLE_NEVER, &e) != SIM_DONE)
		small_die(stack, &e);
	end = sim_cycle(s);
	sim_free(s);
	config_free(c);
	return end;
}

static void
answer(struct race *r)
{
	for (int i = 0; i < 1000 && !race_still(r); i++)
		race_wait(r, 20);
}

static void
test_lockstep(void)
{
	struct config *c;
	struct race *r = begin("rr,static:n=1", &c);

	answer(r);
	ok(r->cores == SMALL_CORES && r->ctas == SMALL_CTAS && r->kernels == 2 && r->work > 0,
	   "the lanes say what they run");
	race_go(r, 320);
	answer(r);
	ok(r->lane[0].cycle == 320 && r->lane[1].cycle == 320, "both stand at the cycle told");
	ok(r->lane[0].samples.n == 320 / r->sample && r->lane[1].samples.n == 320 / r->sample,
	   "with the samples up to there");
	ok(r->difference.known && r->difference.lane[1] == 1 && r->difference.says[0][0],
	   "and a first difference: %s", r->difference.says[0]);
	ok(race_speedup(r, 0) == 1, "the first lane is as fast as itself");
	race_run(r, NULL, NULL);
	is_u64(r->lane[0].cycle, alone("rr"), "at the end, the cycles of a run alone");
	is_u64(r->lane[1].cycle, alone("static:n=1"), "of both");
	ok(fabs(race_speedup(r, 1) - (double)r->lane[0].cycle / (double)r->lane[1].cycle) < 1e-12,
	   "the speedup is the ratio of cycles");
	ok(r->lane[0].number[RACE_CTAS] == SMALL_CTAS && race_status(r) == 0, "all CTAs are done");
	finish(r, c);
}

/* The difference must not depend on how the run was divided into steps. */
static void
test_steps(void)
{
	struct race_difference whole = {0}, of_policy = {0};
	cycle_t step[] = {1u << 30, 1, 7, 512};

	for (unsigned i = 0; i < ARRAY_LEN(step); i++) {
		struct config *c;
		struct race *r = begin("rr,dyncta:period=64", &c);

		for (answer(r); !race_ended(r) && (i == 0 || r->goal < 400); answer(r))
			race_go(r, r->goal + step[i]);
		race_run(r, NULL, NULL);
		if (i == 0) {
			whole = r->difference;
			of_policy = r->of_policy;
		}
		ok(whole.known && memcmp(&whole, &r->difference, sizeof(whole)) == 0,
		   "in steps of %u cycles the first difference is: %s", (unsigned)step[i],
		   whole.says[1]);
		ok(of_policy.known && memcmp(&of_policy, &r->of_policy, sizeof(whole)) == 0,
		   "and the first of the policies: %s", of_policy.says[1]);
		ok(strncmp(of_policy.says[1], "limit, ", 7) == 0 && !of_policy.says[0][0],
		   "which is dyncta's alone");
		ok(r->own->policies.lane[1].n == 0, "and those behind it are not kept");
		finish(r, c);
	}
}

/* In the middle of a race, a lane that has not decided yet is reported as such, with its cycle. */
static void
test_so_far(void)
{
	struct config *c;
	struct race *r = begin("rr,dyncta:period=64", &c);
	struct strbuf text = {0};

	answer(r);
	race_go(r, 200);
	answer(r);
	race_difference_lines(r, &text);
	ok(strstr(text.p, "no decision of its policy from there up to cycle 200\n") != NULL,
	   "rr issues CTAs, and its policy has decided nothing: %s", text.p);
	sb_free(&text);
	finish(r, c);
}

static void
test_same(void)
{
	struct config *c;
	struct race *r = begin("rr,cores:n=4", &c);
	struct strbuf text = {0};

	race_run(r, NULL, NULL);
	race_difference_lines(r, &text);
	is_str(text.p, "first difference: none, all decisions are the same\n",
	       "all four cores of four are no difference");
	sb_free(&text);
	finish(r, c);
}

static struct sim *
branch_at(struct config *c, cycle_t at, const char *t_mem_h)
{
	struct err e = {0};
	struct sim *s = sim_new(c, trace, &e);

	if (!s || sim_run(s, at, &e) != SIM_REACHED ||
	    sim_set(s, "dyncta.t_mem_h", t_mem_h, &e) < 0)
		small_die("a branch", &e);
	return s;
}

/* Two machines are equal up to a cycle; from there on they have different options. */
static void
test_branches(void)
{
	struct config *c = small_config("dyncta");
	struct machine_copy copy[2] = {{.sim = branch_at(c, 300, "60")},
				       {.sim = branch_at(c, 300, "100")}};
	struct race_branch b[2] = {{.name = "main", .copy = &copy[0]},
				   {.name = "hot", .copy = &copy[1]}};
	struct sim *plain = branch_at(c, 300, "100");
	const struct race_samples *k;
	struct race *r;

	r = race_of_branches(b, 2, NULL);
	sim_free(copy[0].sim);
	sim_free(copy[1].sim);
	answer(r);
	ok(r->branches && r->from == 300 && r->lane[1].cycle == 300, "they stand where they part");
	race_run(r, NULL, NULL);
	sim_run(plain, CYCLE_NEVER, NULL);
	is_u64(r->lane[0].cycle, alone("dyncta"), "one comes to the end of the run that it was");
	is_u64(r->lane[1].cycle, sim_cycle(plain), "the other to its own");
	k = &r->lane[1].samples;
	ok(k->n && k->at[0].end - k->at[0].span >= 300 && k->at[0].end <= 300 + 2 * r->sample,
	   "samples are of what is theirs, the first up to %" PRIu64, k->n ? k->at[0].end : 0);
	ok(r->difference.known && r->difference.cycle > 300, "and so is the first difference: %s",
	   r->difference.says[0]);
	is_str(race_head(r, 0), "branch", "the table calls them branches");
	sim_free(plain);
	finish(r, c);
}

static void
test_ended(void)
{
	struct config *c;
	struct race *r = begin("rr,dyncta,tcs", &c);

	answer(r);
	race_go(r, 64);
	answer(r);
	process_signal(race_process(r, 1), SIGKILL);
	race_run(r, NULL, NULL);
	ok(r->lane[1].state == LANE_FAILED && strstr(r->lane[1].error, "signal 9"),
	   "a lane that is ended by somebody: %s", r->lane[1].error);
	ok(r->lane[0].state == LANE_DONE && r->lane[2].state == LANE_DONE, "the others go on");
	is_u64(r->lane[0].cycle, alone("rr"), "to the same end");
	is_u64((uint64_t)race_status(r), 1, "the race is a failure");
	ok(isnan(race_speedup(r, 1)), "there is no speedup of that lane");
	finish(r, c);
}

/* A lane whose process is stopped is named until it continues; the result is the same. */
static void
test_stopped(void)
{
	struct config *c;
	struct race *r = begin("rr,tcs", &c);
	char text[200];

	answer(r);
	process_signal(race_process(r, 1), SIGSTOP);
	race_go(r, 1u << 30);
	for (int i = 0; i < 5000 && !race_stopped_text(r, text, sizeof(text)); i++)
		race_wait(r, 20);
	ok(strncmp(text, "waiting for tcs: process ", 25) == 0, "a stopped lane: %s", text);
	ok(!race_still(r) && lane_ended(&r->lane[0]), "the other one has ended meanwhile");
	process_signal(race_process(r, 1), SIGCONT);
	race_run(r, NULL, NULL);
	ok(!race_stopped_text(r, text, sizeof(text)) && !*text,
	   "nothing is told once it continues");
	is_u64(r->lane[1].cycle, alone("tcs"), "and it comes to its end");
	finish(r, c);
}

static void
test_wrong(void)
{
	struct config *c = small_config("rr");
	struct race_stacks s = {0};
	struct trace_info nowhere = {.path = "/nowhere/x.ctr"};
	struct err e = {0};
	struct race *r;

	race_add(&s, "rr,tcs", &e);
	r = race_new(&s, c, &nowhere, &e);
	answer(r);
	ok(race_ended(r) && r->lane[0].state == LANE_FAILED && strstr(r->lane[0].error, "nowhere"),
	   "a lane that cannot be built says why: %s", r->lane[0].error);
	is_u64((uint64_t)race_run(r, NULL, NULL), 0, "and nothing runs");
	finish(r, c);
}

/* When the parent ends, its lanes end too. Here the parent is a child of the test. */
static void
test_orphans(void)
{
	int fd[2], pid = -1;
	pid_t parent;
	char c;

	if (pipe(fd))
		return;
	parent = process_fork();
	if (parent == 0) {
		struct config *config;
		struct race *r = begin("rr,tcs", &config);

		answer(r);
		race_go(r, 1u << 30);
		pid = race_process(r, 1);
		/* the lanes keep fd[1] open: it closes when the last of them has ended */
		if (write(fd[1], &pid, sizeof(pid)) < 0)
			_exit(1);
		raise(SIGKILL);
	}
	close(fd[1]);
	ok(read(fd[0], &pid, sizeof(pid)) == sizeof(pid) && process_is_one(pid), "a lane runs");
	process_wait(parent, NULL, 0);
	ok(read(fd[0], &c, 1) == 0, "when its parent is killed, it ends");
	close(fd[0]);
}

int
main(void)
{
	struct err e = {0};
	char path[4096];
	const char *build = getenv("builddir");

	test_stacks();
	test_lane_machine();
	test_names();
	test_damage();
	test_samples();
	test_differ();
	snprintf(path, sizeof(path), "%s/tests/lab/race-test.ctr", build ? build : ".");
	if (trace_writer_commit(small_write(path), &e) < 0)
		small_die(path, &e);
	trace = trace_open(path, &e);
	if (!trace)
		small_die(path, &e);
	test_lockstep();
	test_steps();
	test_so_far();
	test_same();
	test_branches();
	test_ended();
	test_stopped();
	test_wrong();
	test_orphans();
	trace_close(trace);
	remove(path);
	return done();
}
