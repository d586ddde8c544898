/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decisions.c - every decision of every policy on a small trace, word for word: "dump csv
 * decisions" is compared with tests/cta/logs/NAME.csv, without the host's own events (issues of
 * CTAs) and without the column seq, which counts those too.
 *
 * There is one row of the table per log; the options give the policy something to do on a few cores
 * and a short kernel. After a change that is meant to move decisions, check the difference:
 *     tests/cta/decisions --update && git diff tests/cta/logs
 */
#include "export/export.h"
#include "tests/tap.h"
#include "tests/sim/model.h"

static const struct {
	const char *name, *policy;
	const char *machine, *trace;
	unsigned ctas, records; /* CTAs of the trace, and records of each warp */
	const char *options;	/* "key=value key=value" */
	/* Rules that must appear, separated by commas, so that the log covers them. */
	const char *must;
} row[] = {
	{"dyncta", "dyncta:period=512,cmem=data,cidle=any", "kay30", "mixed-120x256", 20, 40,
	 "gpu.clusters=1", ",mem-low,mem-high,keep,idle,"},
	{"claso", "claso", "kay30", "mixed-120x256", 26, 40, "gpu.clusters=1 core.max_ctas=3",
	 ",local-credit,global-credit,"},
	{"dyncta-readings", "dyncta:period=512,t_idle=4", "gtx480", "l1reuse-120x256", 20, 40,
	 "gpu.clusters=1 l1d.mshr=8", ",mem-high,keep,idle,"},
	{"dyncta-hold", "dyncta:period=512,pause=hold", "gtx480", "l1reuse-120x256", 20, 40,
	 "gpu.clusters=1 l1d.mshr=8", ",mem-high,keep,idle,"},
	{"dyncta+claso", "dyncta:period=512,cmem=data,cidle=any+claso:pa=2,pl=1", "kay30",
	 "mixed-120x256", 20, 40, "gpu.clusters=1", ",mem-high,local-credit,no-local-credit,"},
	{"dyncore", "dyncta:cmem=data,cidle=any+dyncore:period=512,off=2,t_act=600", "kayiran30",
	 "mixed-120x256", 24, 60, "gpu.clusters=4 gpu.cores_per_cluster=1",
	 ",act-low,act-high,core-off,"},
	{"tcs", "tcs:mon_cycle=512,monitor=1600,stall=unit", "kayiran30", "stride2-120x256", 16, 12,
	 "gpu.clusters=4 gpu.cores_per_cluster=1 l1d.mshr=8",
	 ",memory-bound,half-bound,reduce,ran-out,next-core,reduced,"},
	{"tcs-run", "tcs:mon_cycle=512,monitor=1600,stall=run,throttle=off", "kayiran30",
	 "stride2-120x256", 8, 12, "gpu.clusters=4 gpu.cores_per_cluster=1 l1d.mshr=8",
	 ",few-stalls,half-bound-drain,"},
	{"tcs-none", "tcs:mon_cycle=512,monitor=1600", "kayiran30", "alu4-120x256", 12, 60,
	 "gpu.clusters=3 gpu.cores_per_cluster=1", ",no-load,few-bound,nothing-to-reduce,"},
	{"tcs-core", "tcs:mon_cycle=512,monitor=1600,thr_factor=0.5", "kayiran30",
	 "stride2-120x256", 16, 12, "gpu.clusters=4 gpu.cores_per_cluster=1 l1d.mshr=8",
	 ",memory-bound,half-bound,reduce,ran-out,next-core,reduced,"},
	{"htcs-half", "htcs:mon_cycle=2048,monitor=4096,stall=unit", "kayiran30", "stride2-120x256",
	 16, 12, "gpu.clusters=6 gpu.cores_per_cluster=1 l1d.mshr=8",
	 ",half-of-the-cores,half-bound,reduced,"},
	{"htcs-all", "htcs:mon_cycle=512,monitor=1600", "kayiran30", "alu4-120x256", 16, 60,
	 "gpu.clusters=5 gpu.cores_per_cluster=1",
	 ",half-of-the-cores,all-cores,nothing-to-reduce,"},
	{"lcs", "lcs", "kay30", "mixed-120x256", 20, 40, "gpu.clusters=2 gpu.warp_sched=gto",
	 ",enough-ctas,"},
	{"equalizer", "equalizer:epoch=64,interval=8,repeat=1", "kay30", "l1reuse-120x256", 20, 40,
	 "gpu.clusters=1", ",memory-full,latency,"},
	{"swl", "swl:n=3", "kay30", "mixed-120x256", 20, 40, "gpu.clusters=1",
	 ",limited,all-warps,"},
	{"ccws", "ccws:k=30", "kay30", "l1reuse-120x256", 20, 80, "gpu.clusters=1",
	 ",throttled,released,"},
};
#define N_ROWS (sizeof(row) / sizeof(row[0]))

static void
set_options(struct config *c, const char *options)
{
	char text[256], *save, *key;

	snprintf(text, sizeof(text), "%s", options);
	for (key = strtok_r(text, " ", &save); key; key = strtok_r(NULL, " ", &save)) {
		char *value = strchr(key, '=');

		*value++ = '\0';
		model_set(c, key, value);
	}
}

static void
drop_column(char *line, unsigned k)
{
	char *end;

	for (; k; k--)
		line = strchr(line, ',') + 1;
	end = strchr(line, ',') + 1;
	memmove(line, end, strlen(end) + 1);
}

static char *
without_host(char *text)
{
	char *out = text;

	for (char *p = text, *end; *p; p = end) {
		end = strchr(p, '\n');
		*end++ = '\0';
		if (strstr(p, ",host,"))
			continue;
		drop_column(p, 3);
		memmove(out, p, strlen(p) + 1);
		out += strlen(out);
		*out++ = '\n';
	}
	*out = '\0';
	return text;
}

/* Returns the log of a row; the caller frees it. */
static char *
decide(unsigned i)
{
	struct trace *whole = model_reference(row[i].trace);
	struct trace *t = model_shorter(whole, row[i].ctas, row[i].records);
	struct config *c = model_config(row[i].machine, row[i].policy);
	struct export_job j = {.run = 1, .to = CYCLE_NEVER};
	struct err e = {0};
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	model_set(c, "gpu.balance", "off");
	set_options(c, row[i].options);
	j.sim = model_sim(c, t);
	ok(model_run(j.sim), "%s: %s runs to its end", row[i].name, row[i].policy);
	if (!f || export_write(&j, "decisions", f, &e) < 0 || fclose(f) != 0)
		model_die("decisions", &e);
	sim_free(j.sim);
	config_free(c);
	trace_close(t);
	trace_close(whole);
	return without_host(text);
}

/* ---------------------------------------------------------------- the files */

static const char *
path_of(unsigned i)
{
	static char path[4096];
	const char *src = getenv("srcdir");

	snprintf(path, sizeof(path), "%s/tests/cta/logs/%s.csv", src ? src : ".", row[i].name);
	return path;
}

static void
update(unsigned i, const char *log)
{
	FILE *f = fopen(path_of(i), "w");

	if (!f || fputs(log, f) < 0 || fclose(f) != 0)
		model_die(path_of(i), NULL);
}

static char *
expected(unsigned i)
{
	FILE *f = fopen(path_of(i), "r");
	char *text = calloc(1, 1 << 20);

	if (!f)
		model_die(path_of(i), NULL);
	if (fread(text, 1, (1 << 20) - 1, f) == 0)
		model_die(path_of(i), NULL);
	fclose(f);
	return text;
}

static void
compare(unsigned i, const char *got, const char *want)
{
	unsigned line = 1;

	if (ok(!strcmp(got, want), "%s: the decisions are those of %s.csv", row[i].name,
	       row[i].name))
		return;
	while (*got && *want && strcspn(got, "\n") == strcspn(want, "\n") &&
	       !strncmp(got, want, strcspn(got, "\n"))) {
		got += strcspn(got, "\n") + 1;
		want += strcspn(want, "\n") + 1;
		line++;
	}
	diag("line %u, got:    %.*s", line, (int)strcspn(got, "\n"), got);
	diag("line %u, wanted: %.*s", line, (int)strcspn(want, "\n"), want);
}

static void
has_rules(unsigned i, const char *log)
{
	char rule[64];
	const char *p = row[i].must;

	while (p[1]) {
		size_t n = strcspn(p + 1, ",");

		snprintf(rule, sizeof(rule), ",%.*s,", (int)n, p + 1);
		ok(strstr(log, rule), "%s: a decision by the rule %.*s", row[i].name, (int)n,
		   p + 1);
		p += n + 1;
	}
}

int
main(int argc, char **argv)
{
	for (unsigned i = 0; i < N_ROWS; i++) {
		char *log = decide(i), *want;

		if (argc > 1 && !strcmp(argv[1], "--update"))
			update(i, log);
		want = expected(i);
		compare(i, log, want);
		has_rules(i, log);
		free(want);
		free(log);
	}
	return done();
}
