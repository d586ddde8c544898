/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * first_difference.c - race, flip, try, diverge and compare name the same first decision in which
 * two branches differ, and a comparison of `dump csv decisions` of both finds it, too.
 *
 *     first_difference [BRANCHES [SEED]]
 *
 * A branch leaves the run of a policy at a random place: a decision about a random core gets
 * another outcome, or a parameter or the stack changes. The output of the commands is parsed and
 * compared with the CSV rows of two plain runs on the branches. It also checks that an outcome that
 * the decision already had is rejected, and that the cycles to the end of a kernel are those of the
 * run.
 */
#include "tests/tap.h"

#include "base/human.h"
#include "lab/lab.h"
#include "session/session_part.h"
#include "tests/small/small.h"

#include <unistd.h>

#define BRANCHES 200
#define MOST_ROWS 8192
#define NEVER UINT64_MAX

static const char *const stacks[] = {
	"dyncta",
	"dyncta:period=256,n0=2",
	"dyncta:pause=hold",
	"dyncta:period=512+claso",
	"claso:pa=2",
	"dyncore:period=256,off=2,wake=75",
	"tcs:mon_cycle=128,monitor=300,thr=1",
	"rr",
	"dyncta", /* from here on the modern machine */
	"claso:pa=2",
};
#define FIRST_MODERN 8

/* A decision, as a row of the CSV. */
struct row {
	uint64_t cycle, kernel;
	char event[20], core[8], slot[8], cta[12], rule[40], outcome[24];
};
struct run {
	struct row row[MOST_ROWS];
	unsigned n;
};

struct bench {
	struct config *c;
	struct session *s;
	uint64_t random;
	char csv[64], said[32768];
	struct run was, is;
	uint64_t ends[2]; /* of main's kernels */
};

/* ---------------------------------------------------------------- the session */

static void
out(void *ctx, enum say kind, const char *line)
{
	struct bench *b = ctx;
	size_t n = strlen(b->said);

	(void)kind;
	snprintf(b->said + n, sizeof(b->said) - n, "%s\n", line);
}

__attribute__((format(printf, 2, 3))) static bool
type(struct bench *b, const char *fmt, ...)
{
	char line[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	b->said[0] = '\0';
	return session_exec(b->s, line) == SESSION_OK;
}

static uint64_t
below(struct bench *b, uint64_t n)
{
	b->random = b->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (b->random >> 33) % n;
}

/* ---------------------------------------------------------------- the CSV */

/* Whether the event changes the machine. */
static bool
is_change(const char *event)
{
	static const char *const names[] = {"cta-issue",  "pause",	"resume",      "limit",
					    "gate",	  "ungate",	"drain",       "throttle",
					    "unthrottle", "core-pause", "core-resume", "forced"};

	for (unsigned i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(event, names[i]) == 0)
			return true;
	return false;
}

/* Splits "run,cycle,kernel,seq,event,core,slot,cta,policy,rule,name,value" into its fields. */
static bool
split(char *line, char *field[12])
{
	unsigned n = 0;

	line[strcspn(line, "\r\n")] = '\0';
	for (char *at = line; at && n < 12; n++) {
		field[n] = at;
		at = strchr(at, ',');
		if (at)
			*at++ = '\0';
	}
	return n == 12;
}

#define KEEP(to, from) snprintf(to, sizeof(to), "%.*s", (int)sizeof(to) - 1, from)

static void
take_line(struct run *r, char *line, char last[24])
{
	char *f[12];
	struct row *at;

	if (!split(line, f) || !is_change(f[4]))
		return;
	if (strcmp(last, f[3]) != 0) {
		snprintf(last, 24, "%.23s", f[3]);
		if (r->n == MOST_ROWS)
			exit(99);
		at = &r->row[r->n++];
		*at = (struct row){.cycle = strtoull(f[1], NULL, 10),
				   .kernel = strtoull(f[2], NULL, 10)};
		KEEP(at->event, f[4]);
		KEEP(at->core, f[5]);
		KEEP(at->slot, f[6]);
		KEEP(at->cta, f[7]);
		if (strcmp(f[4], "forced") == 0)
			KEEP(at->rule, f[9]);
	}
	at = &r->row[r->n - 1];
	if (!strcmp(f[10], "new") || !strcmp(f[10], "limit") || !strcmp(f[10], "to"))
		KEEP(at->outcome, f[11]);
}

/* Reads the run of a branch from its beginning to its end. */
static void
read_run(struct bench *b, const char *branch, struct run *r)
{
	char line[400], last[24] = "";
	FILE *csv;

	r->n = 0;
	type(b, "switch %s", branch);
	type(b, "continue");
	if (!type(b, "dump csv decisions %s", b->csv))
		diag("%s", b->said);
	if (sim_events(b->s->sim)->first)
		diag("events were dropped: the CSV is not whole");
	csv = fopen(b->csv, "r");
	while (csv && fgets(line, sizeof(line), csv))
		take_line(r, line, last);
	if (csv)
		fclose(csv);
}

static bool
same_row(const struct row *a, const struct row *b)
{
	return a->cycle == b->cycle && a->kernel == b->kernel && !strcmp(a->event, b->event) &&
	       !strcmp(a->core, b->core) && !strcmp(a->slot, b->slot) && !strcmp(a->cta, b->cta) &&
	       !strcmp(a->rule, b->rule) && !strcmp(a->outcome, b->outcome);
}

/* ---------------------------------------------------------------- what is expected */

/* The decision that was flipped; core "": none was. */
struct flip {
	uint64_t cycle;
	char core[8], question[8];
};

static bool
is_flipped(const struct flip *f, const struct row *r)
{
	bool issue = !strcmp(r->event, "cta-issue"), limit = !strcmp(r->event, "limit") ||
							     !strcmp(r->event, "pause") ||
							     !strcmp(r->event, "resume");

	if (!f || r->cycle != f->cycle || strcmp(r->core, f->core) != 0)
		return false;
	return !strcmp(r->event, "forced") || (!strcmp(f->question, "issue") && issue) ||
	       (!strcmp(f->question, "limit") && limit) ||
	       (!strcmp(f->question, "state") && !issue && !limit);
}

static const struct row *
next_row(const struct run *r, unsigned *at, const struct flip *f)
{
	while (*at < r->n && is_flipped(f, &r->row[*at]))
		++*at;
	return *at < r->n ? &r->row[*at] : NULL;
}

struct difference {
	uint64_t cycle;		  /* NEVER: there is none */
	const struct row *row[2]; /* of that cycle; NULL: none in it */
	const char *core;	  /* of the first row if there is one, otherwise of the second */
};

static struct difference
differ(const struct run *a, const struct run *b, const struct flip *f, uint64_t until)
{
	struct difference d = {.cycle = NEVER};
	unsigned i = 0, k = 0;

	for (;; i++, k++) {
		const struct row *x = next_row(a, &i, f), *y = next_row(b, &k, f);
		uint64_t at = MIN(x ? x->cycle : NEVER, y ? y->cycle : NEVER);

		if (at > until || at == NEVER)
			return d;
		if (x && y && same_row(x, y))
			continue;
		d.cycle = at;
		d.row[0] = x && x->cycle == at ? x : NULL;
		d.row[1] = y && y->cycle == at ? y : NULL;
		d.core = d.row[0] ? d.row[0]->core : d.row[1]->core;
		return d;
	}
}

/* ---------------------------------------------------------------- what is printed */

/* Parses "16,384". */
static uint64_t
number(const char *at)
{
	uint64_t n = 0;

	for (; (*at >= '0' && *at <= '9') || *at == ','; at++)
		if (*at != ',')
			n = 10 * n + (uint64_t)(*at - '0');
	return n;
}

/* Whether the line printed for one side is that row. If the row is about another core than the
 * difference, or missing, the line may say why the policy did not decide the same. */
static bool
names_row(const char *text, const struct row *r, const char *core)
{
	bool reason = !strncmp(text, "period", 6) || !strncmp(text, "credit-exhausted", 16);
	char want[80], cycle[HUMAN];

	if (!r)
		return reason || !strncmp(text, "nothing", 7);
	if (reason && strcmp(r->core, core) != 0)
		return true;
	snprintf(want, sizeof(want), "%s, core %s, cycle %s:", r->event, r->core,
		 human(cycle, r->cycle));
	return strncmp(text, want, strlen(want)) == 0;
}

/* Checks "first other decision that differs, cycle 128:" and two lines, "  NAME: SENTENCE". */
static bool
prints(const char *said, const struct difference *d)
{
	static const char head[] = "decision that differs, cycle ";
	const char *at = strstr(said, head);

	if (!at)
		return d->cycle == NEVER && strstr(said, "all decisions");
	if (number(at + strlen(head)) != d->cycle)
		return false;
	for (unsigned i = 0; i < 2; i++) {
		at = strchr(at, '\n') + 1;
		at = strstr(at, ": ");
		if (!at || !names_row(at + 2, d->row[i], d->core))
			return false;
	}
	return true;
}

/* Checks "first difference: cycle 128, core 2" and two lines, "  NAME  SENTENCE"; a decision in a
 * later cycle states that cycle. */
static bool
race_prints(const char *said, const struct difference *d)
{
	static const char head[] = "first difference: ";
	const char *at = strstr(said, head);
	char want[64], cycle[HUMAN];

	if (!at)
		return false;
	at += strlen(head);
	if (d->cycle == NEVER)
		return strncmp(at, "none, all", 9) == 0;
	snprintf(want, sizeof(want), "cycle %s, core %s\n", human(cycle, d->cycle), d->core);
	if (strncmp(at, want, strlen(want)) != 0)
		return false;
	for (unsigned i = 0; i < 2; i++) {
		at = strchr(at, '\n') + 1;
		at += 2 + strcspn(at + 2, " ");
		at += strspn(at, " ");
		if (d->row[i] && !names_row(at, d->row[i], d->core))
			return false;
	}
	return true;
}

/* ---------------------------------------------------------------- a branch */

/* Looks at coming decisions from a random place, with a random core in focus. */
static void
go_somewhere(struct bench *b)
{
	static const char *const stop[] = {"limit", "cta-issue", "pause",	    "resume",
					   "gate",  "drain",	 "credit-exhausted"};
	unsigned what = (unsigned)below(b, ARRAY_LEN(stop) + 3);

	type(b, "switch main");
	type(b, "goto %" PRIu64, below(b, timeline_branch(b->s->timeline, 0)->tip - 40));
	if (what < ARRAY_LEN(stop))
		type(b, "until %s", stop[what]);
	if (below(b, 4) == 0)
		type(b, "core %" PRIu64, below(b, SMALL_CORES));
}

/* Returns false if no branch was made. span: " --for N" or "". */
static bool
make_branch(struct bench *b, const char *span, struct flip *f, char name[16])
{
	static const char *const outcome[] = {"",    "stay",   "up",	   "down",   "2",
					      "4",   "refuse", "take",	   "core 1", "core 3",
					      "off", "active", "draining", "paused"};
	static const char *const change[] = {"policy dyncta:n0=2",  "policy rr",
					     "policy dyncta+claso", "policy static:n=3",
					     "policy claso",	    "set dyncta.t_mem_h 30",
					     "set dyncta.t_idle 1", "set dyncta.t_mem_l 1"};
	char core[8], cycle[32];

	f->core[0] = '\0';
	snprintf(name, 16, "try1");
	if (below(b, 4) == 0)
		return type(b, "try %s%s", change[below(b, ARRAY_LEN(change))], span);
	snprintf(name, 16, "flip1");
	if (!type(b, "flip %s%s", outcome[below(b, ARRAY_LEN(outcome))], span))
		return false;
	/* "branch flip1 from main at 127: core 2, cycle 128: limit stay; ..." */
	if (sscanf(strstr(b->said, ": core ") + 7, "%7[0-9], cycle %31[0-9,]: %7[a-z]", core, cycle,
		   f->question) != 3)
		return false;
	f->cycle = number(cycle);
	snprintf(f->core, sizeof(f->core), "%s", core);
	return true;
}

/* Reads the printed cycles of the end of a kernel, of main and of the branch, and the kernel's
 * number. */
static bool
read_end(const struct bench *b, unsigned *kernel, uint64_t end[2])
{
	static const char head[] = "end of kernel ";
	const char *at = strstr(b->said, head);

	if (!at)
		return false;
	*kernel = (unsigned)number(at + strlen(head));
	at += strlen(head) + 1;
	at += strcspn(at, ",");
	at += strlen(", cycle");
	for (unsigned i = 0; i < 2; i++) {
		at += strspn(at, " ");
		end[i] = number(at);
		at += strcspn(at, " ");
	}
	return true;
}

/* Returns the run's own count; after a deadlock the cycle that it reached. */
static uint64_t
kernel_end(const struct sim *s, unsigned kernel)
{
	return MIN(sim_kernel_end(s, kernel), sim_cycle(s));
}

static void
explain(const struct bench *b, const char *what, const struct difference *d)
{
	diag("%s: the CSVs differ at cycle %" PRIu64 ", %s core %s; printed:", what, d->cycle,
	     d->row[0]	 ? d->row[0]->event
	     : d->row[1] ? d->row[1]->event
			 : "none",
	     d->core ? d->core : "-");
	diag("%s", b->said);
}

struct totals {
	unsigned differ, to_end, deadlocks, refused;
};

/* Whether an outcome was forced that the policies did not want. */
static bool
has_forced(const struct run *r, const struct flip *f)
{
	for (unsigned i = 0; i < r->n; i++)
		if (r->row[i].cycle == f->cycle && !strcmp(r->row[i].core, f->core) &&
		    !strcmp(r->row[i].event, "forced"))
			return true;
	return false;
}

/* Returns 0 if all is right, 1 if not, -1 if no branch was made. */
static int
try_branch(struct bench *b, struct totals *n)
{
	char span[32] = "", name[16], first[sizeof(b->said)];
	struct difference d;
	struct flip f = {0};
	uint64_t from, until = 0, length = 50 + below(b, 3000);
	uint64_t end[2];
	unsigned bad = 0, kernel = 0;

	go_somewhere(b);
	if (below(b, 3))
		snprintf(span, sizeof(span), " --for %" PRIu64, length);
	if (!make_branch(b, span, &f, name)) {
		n->refused += strstr(b->said, "this decision already had the outcome") != NULL;
		return -1;
	}
	from = *f.core ? f.cycle - 1 : sim_cycle(b->s->sim);
	until = from + length;
	if (!*span && !read_end(b, &kernel, end))
		return 1;
	memcpy(first, b->said, sizeof(first));
	read_run(b, name, &b->is);
	n->deadlocks += !sim_done(b->s->sim);
	if (*f.core && !has_forced(&b->is, &f) && ++bad)
		diag("core %s at %" PRIu64 ": the outcome it had", f.core, f.cycle);
	if (kernel) {
		until = MIN(end[0], end[1]);
		bad += end[0] != b->ends[kernel - 1] || end[1] != kernel_end(b->s->sim, kernel - 1);
		n->to_end++;
	}

	memcpy(b->said, first, sizeof(first));
	d = differ(&b->was, &b->is, *f.core ? &f : NULL, until);
	if (!prints(b->said, &d) && ++bad)
		explain(b, name, &d);
	type(b, "compare main %s --for %" PRIu64, name, length);
	d = differ(&b->was, &b->is, NULL, from + length);
	if (!prints(b->said, &d) && ++bad)
		explain(b, "compare", &d);
	d = differ(&b->was, &b->is, NULL, NEVER - 1);
	n->differ += d.cycle != NEVER;
	type(b, "diverge main %s by decisions", name);
	if (!prints(b->said, &d) && ++bad)
		explain(b, "diverge", &d);
	type(b, "race main %s", name);
	if (!race_prints(b->said, &d) && ++bad)
		explain(b, "race", &d);
	type(b, "switch main");
	type(b, "delete branch %s", name);
	return bad > 0;
}

static void
setup(struct bench *b, struct trace *t, const char *stack, bool modern)
{
	struct session_ui ui = {.out = out, .ctx = b};
	struct err e = {0};

	b->c = modern ? small_modern_config(stack) : small_config(stack);
	opt_set(config_db(b->c), "run.events", "4096", &e);
	b->s = session_new(b->c, t, &ui, &e);
	if (!b->s)
		small_die(stack, &e);
	read_run(b, "main", &b->was);
	for (unsigned k = 0; k < 2; k++)
		b->ends[k] = kernel_end(b->s->sim, k);
}

int
main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : tap_is_fast() ? 30 : BRANCHES;
	static struct bench b;
	struct trace *t = small_trace();
	struct totals counts = {0};

	b.random = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	snprintf(b.csv, sizeof(b.csv), "first_difference.%ld.csv", (long)getpid());
	for (unsigned i = 0; i < ARRAY_LEN(stacks); i++) {
		unsigned bad = 0, made = 0, tries = 0;

		setup(&b, t, stacks[i], i >= FIRST_MODERN);
		ok(b.was.n > 0, "%s%s: a run of %u decisions", stacks[i],
		   i >= FIRST_MODERN ? ", modern machine" : "", b.was.n);
		for (; made < n / ARRAY_LEN(stacks) && tries < 50 * n; tries++) {
			int rc = try_branch(&b, &counts);

			made += rc >= 0;
			bad += rc > 0;
		}
		ok(made && !bad, "%s: %u branches, all commands name what the CSVs do", stacks[i],
		   made);
		session_free(b.s);
		config_free(b.c);
	}
	ok(counts.differ > n / 2,
	   "%u branches differ from their run, %u were run to a kernel's end", counts.differ,
	   counts.to_end);
	ok(counts.refused > 0, "outcomes that the decision had are refused, %u times",
	   counts.refused);
	diag("%u deadlocked", counts.deadlocks);
	unlink(b.csv);
	trace_close(t);
	return done();
}
