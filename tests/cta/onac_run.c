/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * onac_run.c - every decision of ONAC and Seq-Det for one kernel, with rule and numbers, compared
 * with the stored log (tests/cta/onac_run.decisions).
 *
 * 120 CTAs that reuse their L1 lines run on nine cores of kayiran30 with one CTA each; samples have
 * one wave. What happens to several cores in one cycle is one line. A change of the timing model
 * that moves the log shows in the diff: "tests/cta/onac_run write > onac_run.decisions" writes a
 * new log.
 */
#include "tests/tap.h"
#include "tests/sim/model.h"

#define TRACE "l1reuse-120x256"

struct log {
	struct sim *s;
	FILE *f;
	struct event last; /* of the line that is being written */
};

static bool
same_line(const struct event *a, const struct event *b)
{
	return a->kind == b->kind && a->cycle == b->cycle && a->rule == b->rule && b->core >= 0 &&
	       !memcmp(a->v, b->v, sizeof(a->v));
}

static void
end_line(struct log *l)
{
	if (l->last.kind != EV_KINDS)
		fputc('\n', l->f);
	l->last.kind = EV_KINDS;
}

static void
note(void *ctx, const struct event *ev)
{
	struct log *l = ctx;
	const struct rule *r = sim_event_rule(l->s, ev);

	if (ev->policy == POLICY_HOST)
		return;
	if (same_line(&l->last, ev)) {
		fprintf(l->f, " %d", ev->core);
		return;
	}
	end_line(l);
	l->last = *ev;
	fprintf(l->f, "%" PRIu64 " %s %s", ev->cycle, event_rows[ev->kind].name, r->name);
	for (unsigned i = 0; i < EVENT_VALUES && r->value[i]; i++)
		fprintf(l->f, " %s=%" PRId64, r->value[i], ev->v[i]);
	if (ev->core >= 0)
		fprintf(l->f, " cores %d", ev->core);
}

static void
log_run(FILE *f, struct trace *t, const char *stack)
{
	struct config *c = model_config("kayiran30", stack);
	struct log l = {.f = f, .last = {.kind = EV_KINDS}};

	model_set(c, "gpu.clusters", "3");
	l.s = model_sim(c, t);
	fprintf(f, "%s\n", stack);
	sim_listen(l.s, EV_ALL, note, &l);
	model_run(l.s);
	end_line(&l);
	sim_free(l.s);
	config_free(c);
}

/* The logs of both policies. */
static char *
log_all(void)
{
	struct trace *t = model_reference(TRACE);
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		model_die("open_memstream", NULL);
	log_run(f, t, "onac:waves=1+static:n=1");
	log_run(f, t, "seqdet:waves=1,loss=0.1+static:n=1");
	if (fclose(f) != 0)
		model_die("open_memstream", NULL);
	trace_close(t);
	return text;
}

static char *
kept(void)
{
	const char *src = getenv("srcdir");
	char path[4096], *text = calloc(1, 65536);
	FILE *f;

	snprintf(path, sizeof(path), "%s/tests/cta/onac_run.decisions", src ? src : ".");
	f = fopen(path, "r");
	if (!f || !text || fread(text, 1, 65535, f) == 0)
		model_die(path, NULL);
	fclose(f);
	return text;
}

/* Returns the next line of *text, without its end; NULL if none is left. */
static char *
next_line(char **text)
{
	char *line = *text;
	size_t n = strcspn(line, "\n");

	if (!*line)
		return NULL;
	*text += n + (line[n] != '\0');
	line[n] = '\0';
	return line;
}

/* ---------------------------------------------------------------- of every kernel */

#define KERNELS 4

/* Four kernels: arithmetic; too few CTAs for a detection; two of loads that share nothing. */
static struct trace *
several(void)
{
	static const unsigned n_cta[KERNELS] = {240, 4, 240, 300};
	struct tb *b = tb_new();
	struct err e = {0};
	struct trace *t;

	for (unsigned k = 0; k < KERNELS; k++) {
		uint32_t load, add, ex;

		tb_kernel(b, "k", n_cta[k], 8 * WARP_SIZE, 16, 0, 70);
		load = tb_inst(b, 0, "LDG.E", "R4", "R2");
		add = tb_inst(b, 0x10, "FFMA", "R5", "R1 R2 R3");
		ex = tb_inst(b, 0x20, "EXIT", "", "");
		for (unsigned c = 0; c < n_cta[k]; c++)
			for (unsigned w = 0; w < 8; w++) {
				for (unsigned i = 0; i < (k < 2 ? 40 : 4); i++)
					tb_emit(b, c, w, k < 2 ? add : load, ~0u,
						k < 2 ? ADDR_NONE : ADDR_STRIDE,
						0x40000000 + (((uint64_t)c * 8 + w) * 4 + i) * 512,
						16);
				tb_emit(b, c, w, ex, ~0u, ADDR_NONE, 0, 0);
			}
	}
	t = tb_finish(b, &e);
	if (!t)
		model_die("several", &e);
	return t;
}

struct ends {
	struct sim *s;
	double n_opt[KERNELS]; /* the policy's value at the end of the kernel */
	unsigned n;
};

static void
kernel_end(void *ctx, const struct event *ev)
{
	struct ends *x = ctx;

	if (!strcmp(sim_event_rule(x->s, ev)->name, "kernel-end") && x->n < KERNELS)
		x->n_opt[x->n++] = model_value(x->s, "policy.onac.n_opt");
}

/* The number of cores of each kernel is kept, and their mean by cycles covers the kernels for which
 * it is known. */
static void
every_kernel(void)
{
	struct trace *t = several();
	struct config *c = model_config("kayiran30", "onac:waves=1+static:n=1");
	struct ends x = {0};
	double area = 0, cycles = 0;
	struct err e = {0};
	uint64_t id;

	model_set(c, "gpu.clusters", "3");
	x.s = model_sim(c, t);
	sim_listen(x.s, 1u << EV_KERNEL, kernel_end, &x);
	ok(isnan(model_value(x.s, "policy.onac.n_opt.mean")), "nothing is found at the beginning");
	ok(model_run(x.s) && x.n == KERNELS, "four kernels");
	is_str(sim_found_name(x.s), "n_opt", "the policy finds out the number of cores");
	for (unsigned k = 0; k < KERNELS; k++) {
		double of = (double)(sim_kernel_end(x.s, k) - sim_kernel_start(x.s, k));
		char path[64];

		diag("kernel %u: %.0f cores, %.0f cycles", k + 1, x.n_opt[k], of);
		snprintf(path, sizeof(path), "policy.onac.n_opt.%u", k + 1);
		if (x.n_opt[k])
			ok(model_value(x.s, path) == x.n_opt[k] && sim_found(x.s, k) == x.n_opt[k],
			   "of kernel %u it is kept", k + 1);
		else
			ok(isnan(model_value(x.s, path)) && isnan(sim_found(x.s, k)),
			   "of kernel %u there is none", k + 1);
		area += x.n_opt[k] * of;
		cycles += x.n_opt[k] ? of : 0;
	}
	ok(x.n_opt[0] > 0 && x.n_opt[1] == 0 && x.n_opt[2] > 0 && x.n_opt[2] != x.n_opt[0],
	   "some, not known, another number");
	ok(fabs(model_value(x.s, "policy.onac.n_opt.mean") - area / cycles) < 1e-12,
	   "their mean by cycles, of the three: %.3f", model_value(x.s, "policy.onac.n_opt.mean"));
	ok(sim_path(x.s, "policy.onac.n_opt.5", &id, &e) < 0 &&
		   strstr(e.msg, "'5' is not a kernel, expected 1..4 (see info kernel) or mean"),
	   "there is no fifth: %s", e.msg);
	ok(sim_set_policy(x.s, "tcs", NULL, 0, &e) == 0 &&
		   isnan(model_value(x.s, "policy.tcs.active.mean")),
	   "what another policy found out is forgotten with it");
	sim_free(x.s);
	config_free(c);
	trace_close(t);
}

int
main(int argc, char **argv)
{
	char *now = log_all(), *then, *a = now, *b;
	const char *got, *want;

	if (argc > 1 && !strcmp(argv[1], "write")) {
		fputs(now, stdout);
		free(now);
		return 0;
	}
	b = then = kept();
	do {
		got = next_line(&a);
		want = next_line(&b);
		is_str(got ? got : "end", want ? want : "end", "%.60s", want ? want : "end");
	} while (got && want);
	free(now);
	free(then);
	every_kernel();
	return done();
}
