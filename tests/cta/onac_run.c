/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * onac.c - every decision of ONAC and of Seq-Det over one kernel, with rule and numbers, compared
 * with the log that is kept (onac.decisions).
 *
 * 120 CTAs that reuse their L1 lines, on nine cores of kayiran30 with one CTA each; samples of one
 * wave. What is done to several cores in one cycle is one line. A change of the timing model that
 * moves the log is seen in the diff: "tests/cta/onac_run write > onac.decisions" writes it anew.
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

/* The next line of *text, without its end; NULL: none is left. */
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
	return done();
}
