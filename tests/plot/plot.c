/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plot.c - pictures of the small machine: SVG against the one written down, PNG and PDF as far as
 * they can be read here, what is refused, what a failed writing leaves.
 *
 *     tests/plot/plot --update     writes tests/plot/small.svg anew: look at it
 *
 * The SVG compared is the one for a page, whose text is text: it hangs on no font and no cairo.
 */
#include "plot/plot_part.h"

#include "tests/small/small.h"
#include "tests/stored.h"

#include <math.h>
#include <sys/resource.h>
#include <signal.h>
#include <unistd.h>
#include <zlib.h>

#define LIST "ctas, gates, core.l1_miss_rate, gpu.ipc, max(core.*.ipc), sum(core.*.n), classes"

static char folder[] = "/tmp/ctascope-plot.XXXXXX";
static struct plot_run run;
static char golden[4096];

static struct plot_job
job(const char *what)
{
	return (struct plot_job){.run = &run, .what = what, .to = CYCLE_NEVER, .dpi = 100};
}

static const char *
file(const char *name)
{
	static char path[200];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static char *
contents(const char *path, size_t *n)
{
	FILE *f = fopen(path, "r");
	char *text = calloc(1, 4 << 20);

	*n = f ? fread(text, 1, (4 << 20) - 1, f) : 0;
	if (f)
		fclose(f);
	return text;
}

static char *
svg(const struct plot_job *j)
{
	char *text = NULL;
	size_t n;
	struct err e = {0};
	FILE *f = open_memstream(&text, &n);

	ok(plot_svg(j, f, &e) == 0, "%s is drawn%s%s", j->what, e.set ? ": " : "", e.msg);
	fclose(f);
	return text;
}

static unsigned
count(const char *text, const char *what)
{
	unsigned n = 0;

	for (const char *p = text; (p = strstr(p, what)); p++)
		n++;
	return n;
}

static void
test_svg(bool update)
{
	struct plot_job j = job(LIST);
	char *text, *again;

	j.inlined = true;
	text = svg(&j);
	again = svg(&j);
	ok(strcmp(text, again) == 0, "the same picture has the same bytes");
	ok(strlen(text) > 10000, "a picture of %zu bytes", strlen(text));
	is_stored(golden, text, update);
	ok(strstr(text, "small under dyncta+claso on small"), "the title says what was run");
	ok(strstr(text, ">thread instructions/cycle<") && strstr(text, ">core<") &&
		   strstr(text, ">time (core cycles)<"),
	   "axes have titles and units");
	is_u64(count(text, ">k2<"), 1, "the second kernel is marked");
	is_u64(count(text, "stroke-dasharray=\"5 2\""), 2,
	       "a second line has dashes, as its key has");
	is_u64(count(text, "<polyline") > 20 && count(text, "nan") == 0, 1, "no number is none");
	free(text);
	free(again);
	j.from = 100;
	j.to = 163;
	text = svg(&j);
	ok(strstr(text, "cycles 100 to 163"), "a range");
	free(text);
}

/* The first column in which a curve is not what an expression says of the samples from the first
 * on, the column after them if there is none. */
static unsigned
first_wrong(const struct figure *f, unsigned curve, const char *text, unsigned column)
{
	struct overtime *x = overtime_new_from(&run.from, text, NULL);
	const double *v = f->panel[curve].curve[0].v;
	unsigned i = 0;

	while (column < f->columns && v[column] == overtime_value(x, i)) {
		column++;
		i++;
	}
	overtime_free(x);
	return column;
}

/* A level is drawn from the cycle on at which it was read, a rate over its sample. */
static void
test_levels(void)
{
	struct plot_job j = job("sum(core.*.n), gpu.ipc");
	struct figure f;
	struct err e = {0};

	ok(figure_make(&j, &f, &e) == 0 && f.per == 128 && f.columns > 3, "one column per sample");
	ok(isnan(f.panel[0].curve[0].v[0]), "a level is unknown before it is read");
	is_u64(first_wrong(&f, 0, "sum(core.*.n)", 1), f.columns, "and holds from its cycle on");
	is_u64(first_wrong(&f, 1, "gpu.ipc", 0), f.columns, "a rate is that of its sample");
	figure_free(&f);
	j.to = 64;
	ok(figure_make(&j, &f, &e) == 0 && !isnan(f.panel[0].curve[0].v[0]),
	   "a part of the first sample shows its only reading");
	figure_free(&f);
}

/* A long run by hand: of two samples, the first has 3 accesses per cycle and no miss, the second 1
 * and a miss. */
static double
hand_value(const void *ctx, enum overtime_group g, unsigned field, unsigned k, unsigned sample)
{
	(void)ctx, (void)g, (void)field, (void)k;
	return sample % 2;
}

static double
hand_weight(const void *ctx, enum overtime_group g, unsigned field, unsigned k, unsigned sample)
{
	(void)ctx, (void)g, (void)field, (void)k;
	return sample % 2 ? 1 : 3;
}

static unsigned
hand_count(const void *ctx)
{
	(void)ctx;
	return 960;
}

static cycle_t
hand_end(const void *ctx, unsigned sample)
{
	(void)ctx;
	return (cycle_t)(sample + 1) * 10;
}

static cycle_t
hand_span(const void *ctx, unsigned sample)
{
	(void)ctx, (void)sample;
	return 10;
}

static uint32_t
hand_kernel(const void *ctx, unsigned sample)
{
	(void)ctx, (void)sample;
	return 0;
}

/* A column of several samples shows the misses of all accesses, and of cycles the mean. */
static void
test_rates(void)
{
	struct plot_run by_hand = {.from = {.instances = {2, 1, 1},
					    .value = hand_value,
					    .count = hand_count,
					    .end = hand_end,
					    .span = hand_span,
					    .kernel = hand_kernel,
					    .weight = hand_weight}};
	struct plot_job j = job("core.0.l1_miss_rate, mean(core.*.l1_miss_rate), core.0.ipc");
	static const double is[] = {0.25, 0.25, 0.5};
	struct figure f;
	struct err e = {0};
	unsigned n = 0;

	j.run = &by_hand;
	ok(figure_make(&j, &f, &e) == 0 && f.per == 20, "two samples in a column%s", e.msg);
	for (unsigned i = 0; i < f.n; i++)
		for (unsigned k = 0; k < f.panel[i].n; k++, n++) {
			unsigned x = 0;

			while (x < f.columns && f.panel[i].curve[k].v[x] == is[n])
				x++;
			is_u64(x, f.columns, "%s is %g everywhere", f.panel[i].curve[k].label,
			       is[n]);
		}
	is_u64(n, ARRAY_LEN(is), "three lines");
	figure_free(&f);
}

static void
test_file(void)
{
	struct plot_job j = job("ctas, gpu.ipc");
	struct err e = {0};
	char *text, *again;
	size_t n, m;

	ok(plot_file(&j, file("a.svg"), &e) == 0, "an SVG file");
	text = contents(file("a.svg"), &n);
	ok(strncmp(text, "<?xml", 5) == 0 && strstr(text, "</svg>\n"), "is whole");
	ok(count(text, "<text") == 0 || !plot_has_cairo(),
	   "its letters are shapes, where cairo is");
	ok(strstr(text, "width=\"481.89pt\""), "170 mm wide");
	ok(plot_file(&j, file("b.svg"), &e) == 0, "and another");
	again = contents(file("b.svg"), &m);
	ok(n == m && memcmp(text, again, n) == 0, "with the same bytes");
	free(text);
	free(again);
}

/* The bytes of all IDAT chunks, inflated: how many values of a byte occur. */
static unsigned
values_of_png(const unsigned char *p, size_t n)
{
	size_t room = 32 << 20, at = 8, used = 0, kinds = 0;
	unsigned char *in = calloc(1, n), *out = calloc(1, room), seen[256] = {0};
	uLongf got = room;

	while (at + 12 <= n) {
		size_t len = (size_t)p[at] << 24 | p[at + 1] << 16 | p[at + 2] << 8 | p[at + 3];

		if (len > n - at - 12)
			break;
		if (memcmp(p + at + 4, "IDAT", 4) == 0) {
			memcpy(in + used, p + at + 8, len);
			used += len;
		}
		at += 12 + len;
	}
	if (uncompress(out, &got, in, used) == Z_OK)
		for (size_t i = 0; i < got; i++)
			kinds += !seen[out[i]]++;
	free(in);
	free(out);
	return (unsigned)kinds;
}

static void
test_cairo(void)
{
	struct plot_job j = job("ctas, gpu.ipc");
	struct err e = {0};
	unsigned char *p;
	size_t n;

	j.width = 127;
	j.height = 80;
	ok(plot_file(&j, file("a.png"), &e) == 0, "a PNG%s%s", e.set ? ": " : "", e.msg);
	p = (unsigned char *)contents(file("a.png"), &n);
	ok(n > 1000 && memcmp(p, "\x89PNG\r\n\x1a\n", 8) == 0, "is one");
	is_u64((uint64_t)p[18] << 8 | p[19], 500, "127 mm at 100 dots per inch");
	is_u64((uint64_t)p[22] << 8 | p[23], 315, "80 mm high");
	ok(values_of_png(p, n) > 40, "which is not blank");
	free(p);
	ok(plot_file(&j, file("a.pdf"), &e) == 0, "a PDF%s%s", e.set ? ": " : "", e.msg);
	p = (unsigned char *)contents(file("a.pdf"), &n);
	ok(n > 5000 && memcmp(p, "%PDF-", 5) == 0, "is one");
	ok(memmem(p, n, "/MediaBox [ 0 0 360", 19) || memmem(p, n, "/MediaBox [0 0 360", 18),
	   "of its width");
	ok(memmem(p, n, "/FontFile", 9), "with its fonts in it");
	free(p);
}

static void
refused(const char *what, const char *name, cycle_t from, cycle_t to, const char *why)
{
	struct plot_job j = job(what);
	struct err e = {0};

	j.from = from;
	j.to = to;
	ok(plot_file(&j, file(name), &e) < 0 && strstr(e.msg, why), "'%s' into %s is refused: %s",
	   what, name, e.msg);
	ok(access(file(name), F_OK) != 0, "and leaves no file");
}

static void
mistakes(void)
{
	refused("ctas", "x.gif", 0, CYCLE_NEVER, "expected a file .svg, .png or .pdf");
	refused("ctas", "svg", 0, CYCLE_NEVER, "expected a file .svg, .png or .pdf");
	refused("", "x.svg", 0, CYCLE_NEVER, "expected something to draw");
	refused("ctas,,ract", "x.svg", 0, CYCLE_NEVER, "expected something to draw beside a comma");
	refused("core.2.rat", "x.svg", 0, CYCLE_NEVER, "did you mean core.2.ract");
	refused("core.9.ract", "x.svg", 0, CYCLE_NEVER, "core 9 does not exist");
	refused("core.9.classes", "x.svg", 0, CYCLE_NEVER, "core 9 does not exist");
	refused("cta", "x.svg", 0, CYCLE_NEVER, "no pane or series 'cta'; did you mean ctas?");
	refused("slots", "x.svg", 0, CYCLE_NEVER,
		"no time series 'slots'; series are kept of core, mem and gpu; the panes that have "
		"a "
		"picture are ctas, ract, ");
	refused("ctas", "x.svg", 800000, CYCLE_NEVER, "no sample after cycle 800,000");
	refused("ctas", "x.svg", 100, 100, "the range 100..100 is empty");
	refused("ctas", "x.svg", 800000, 900000, "no sample in cycles 800,000..900,000");
	refused("gpu.ipc / 0", "x.svg", 0, CYCLE_NEVER, "has no value in these cycles");
	refused("ctas,ctas,ctas,ctas,ctas,ctas,ctas,ctas,ctas", "x.svg", 0, CYCLE_NEVER,
		"at most 8 panels");
	refused("1,2,3,4,5,6,7,8,9", "x.svg", 0, CYCLE_NEVER, "at most 8 lines");
	refused("ctas", "no/x.svg", 0, CYCLE_NEVER, "cannot write");
	if (!plot_has_cairo()) {
		refused("ctas", "x.pdf", 0, CYCLE_NEVER, "built without cairo, which writes .pdf");
		refused("ctas", "x.png", 0, CYCLE_NEVER, "built without cairo, which writes .png");
	}
}

/* A disk that is full, as a limit of the process: the old file stays. */
static void
full_disk(void)
{
	static const char *const names[] = {"a.svg", "a.pdf", "a.png"};
	struct rlimit old, few;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	for (unsigned i = 0; i < (plot_has_cairo() ? 3 : 1); i++) {
		struct plot_job j = job("ctas, gpu.ipc");
		struct err e = {0};
		char *before, *after;
		size_t n, m;
		int rc;

		before = contents(file(names[i]), &n);
		few = old;
		few.rlim_cur = 1000;
		setrlimit(RLIMIT_FSIZE, &few);
		rc = plot_file(&j, file(names[i]), &e);
		setrlimit(RLIMIT_FSIZE, &old);
		ok(rc < 0 && strstr(e.msg, "cannot write"), "a full disk: %s", e.msg);
		after = contents(file(names[i]), &m);
		ok(n == m && n > 1000 && memcmp(before, after, n) == 0, "leaves the old %s",
		   names[i]);
		free(before);
		free(after);
	}
}

static void
without_data(const struct config *c, struct trace *t)
{
	struct sim *s = sim_new(c, t, NULL);
	cycle_t kernel[4];
	struct err e = {0};

	run = plot_run_sim(s, "nothing", kernel);
	refused("ctas", "y.svg", 0, CYCLE_NEVER, "no sample yet; run the model first");
	sim_set_policy(s, "rr", NULL, 0, &e);
	sim_run(s, 200, NULL);
	refused("credits", "y.svg", 0, CYCLE_NEVER, "no policy of the run has credits");
	sim_free(s);
}

int
main(int argc, char **argv)
{
	const char *src = getenv("srcdir");
	struct config *c = small_config("dyncta+claso");
	struct trace *t = small_trace();
	struct sim *s;
	cycle_t kernel[4];

	snprintf(golden, sizeof(golden), "%s/tests/plot/small.svg", src ? src : ".");
	ok(mkdtemp(folder) != NULL, "a folder");
	opt_set(config_db(c), "run.sample", "128", NULL);
	s = sim_new(c, t, NULL);
	sim_run(s, CYCLE_NEVER, NULL);
	run = plot_run_sim(s, "small under dyncta+claso on small", kernel);
	test_svg(argc > 1 && strcmp(argv[1], "--update") == 0);
	test_levels();
	test_rates();
	test_file();
	if (plot_has_cairo())
		test_cairo();
	mistakes();
	full_disk();
	without_data(c, t);
	sim_free(s);
	for (const char *const *n = (const char *const[]){"a.svg", "b.svg", "a.png", "a.pdf", NULL};
	     *n; n++)
		remove(file(*n));
	ok(remove(folder) == 0, "nothing is left beside");
	trace_close(t);
	config_free(c);
	return done();
}
