/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report.c - the page of a report (plot.h).
 *
 * The report is one file: pictures are SVG within the page, and there are no scripts, fonts or
 * links. Pictures use the page's text colour, so they are readable in light and dark windows; paper
 * is light. Values that the run does not have are left out.
 */
#include "plot/report_part.h"

#include "base/human.h"
#include "base/memory.h"
#include "base/output.h"
#include "export/export.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LAST 40	 /* decisions listed */
#define RULES 64 /* kinds of decisions counted */

static void
write_escaped(FILE *to, const char *text)
{
	for (; *text; text++) {
		const char *as = *text == '<'	? "&lt;"
				 : *text == '>' ? "&gt;"
				 : *text == '&' ? "&amp;"
				 : *text == '"' ? "&quot;"
						: NULL;
		if (as)
			fputs(as, to);
		else
			putc(*text, to);
	}
}

static const char style[] =
	":root{color-scheme:light dark;--fg:#222;--bg:#fff;--soft:#f2f4f7;--rule:#d5d9df}\n"
	"@media(prefers-color-scheme:dark){:root{--fg:#e4e6ea;--bg:#16191d;--soft:#21262c;"
	"--rule:#3a4048}polyline{filter:brightness(1.4)}}\n"
	"@media print{:root{--fg:#000;--bg:#fff;--soft:#fff;--rule:#999}figure,tr{break-inside:"
	"avoid}}\n"
	"body{margin:2em auto;max-width:60em;padding:0 1em;color:var(--fg);background:var(--bg);"
	"font:16px/1.5 'DejaVu Sans',Verdana,Helvetica,Arial,sans-serif}\n"
	"h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em}\n"
	"dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(11em,1fr));gap:.6em}\n"
	"dl div{background:var(--soft);border:1px solid "
	"var(--rule);border-radius:.4em;padding:.5em "
	".8em}\n"
	"dt{font-size:.8em;opacity:.8}dd{margin:0;font-size:1.25em;font-variant-numeric:"
	"tabular-nums}dd small{font-size:.6em;opacity:.8}\n"
	"figure{margin:1.5em 0}svg{width:100%;height:auto}figcaption{font-size:.85em;opacity:.8}\n"
	"table{border-collapse:collapse;font-size:.85em}th,td{text-align:left;padding:.2em .8em "
	".2em "
	"0;border-bottom:1px solid var(--rule);vertical-align:top}\n"
	"td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\n"
	"div.wide{overflow-x:auto}\n";

/* ---------------------------------------------------------------- headline */

struct headline {
	const char *stat, *text; /* a path of the statistics */
	const char *series;	 /* otherwise the mean of this over time, if that is equivalent */
	const char *without;	 /* divided by the rest of the mean of this, if there is any */
};

static const struct headline headlines[] = {
	{"gpu.cycles", "cycles", NULL, NULL},
	{"gpu.ipc", "IPC", "gpu.ipc", NULL},
	{"gpu.ctas_done", "CTAs done", NULL, NULL},
	{"gpu.ract", "RACT", "mean(core.*.active)", "mean(core.*.gated)"},
	{"gpu.mean_n", "mean n", NULL, NULL}, /* its weights are not in the series */
	{"gpu.lat_rt", "memory round trip", NULL, NULL},
	{"l1.miss_rate", "L1 miss rate", NULL, NULL},
	{"l2.miss_rate", "L2 miss rate", NULL, NULL},
	{NULL, "DRAM bus busy", "mean(mem.*.dram_util)", NULL},
	{"power.avg", "power", "gpu.power", NULL},
	{"power.energy", "energy", NULL, NULL},
};

static const struct report_stat *
find_stat(const struct report *r, const char *name)
{
	for (unsigned i = 0; name && i < r->n_stats; i++)
		if (strcmp(r->stat[i].name, name) == 0 && !isnan(r->stat[i].value))
			return &r->stat[i];
	return NULL;
}

/* The mean of an expression over time. */
static double
mean_of(const struct report *r, const char *text, char *unit, size_t size)
{
	const struct overtime_source *s = &r->run.from;
	struct err e = {0};
	struct overtime *x = overtime_new_from(s, text, &e);
	double sum = 0, weight = 0;

	if (e.kind == ERR_MEMORY)
		memory_end();
	for (unsigned i = 0; x && i < s->count(s->ctx); i++) {
		double v = overtime_value(x, i),
		       w = (double)s->span(s->ctx, i) * overtime_weight(x, i, 0);

		if (isnan(v))
			continue;
		sum += v * w;
		weight += w;
	}
	snprintf(unit, size, "%s", x ? overtime_unit(x) : "");
	overtime_free(x);
	return weight > 0 ? sum / weight : (double)NAN;
}

static void
format_number(char *buf, size_t size, double v)
{
	char count[TICK_TEXT];

	if (v >= 0 && v < 1e15 && v == floor(v)) {
		scale_count(count, (uint64_t)v);
		snprintf(buf, size, "%s", count);
	} else {
		snprintf(buf, size, fabs(v) >= 100 ? "%.1f" : "%.3g", v);
	}
}

static double
headline_value(const struct report *r, const struct headline *h, char *unit, size_t size)
{
	const struct report_stat *misses = NULL, *of = NULL, *stat = find_stat(r, h->stat);
	const struct overtime_source *s = &r->run.from;

	if (h->stat && strcmp(h->stat, "l1.miss_rate") == 0) {
		misses = find_stat(r, "l1.misses");
		of = find_stat(r, "l1.accesses");
	} else if (h->stat && strcmp(h->stat, "l2.miss_rate") == 0) {
		misses = find_stat(r, "l2.misses");
		of = find_stat(r, "l2.accesses");
	}
	snprintf(unit, size, "%s", stat ? stat->unit : "ratio");
	if (stat)
		return stat->value;
	if (misses && of && of->value > 0)
		return misses->value / of->value;
	if (h->series) {
		char other[64];
		double mean = mean_of(r, h->series, unit, size);

		return h->without ? mean / (1 - mean_of(r, h->without, other, sizeof(other)))
				  : mean;
	}
	if (h->stat && strcmp(h->stat, "gpu.cycles") == 0 && s->count(s->ctx)) {
		snprintf(unit, size, "cycles");
		return (double)s->end(s->ctx, s->count(s->ctx) - 1);
	}
	return NAN;
}

/* A value of two runs in a row, with what the second has more, in percent. */
static void
write_pair(const char *name, const double v[2], const char *unit, FILE *to)
{
	char text[64], change[HUMAN];

	fprintf(to, "<tr><td>%s", name);
	if (*unit && strcmp(unit, "ratio") && strcmp(unit, name)) {
		fputs(", ", to);
		write_escaped(to, unit);
	}
	fputs("</td>", to);
	for (unsigned i = 0; i < 2; i++) {
		format_number(text, sizeof(text), v[i]);
		fprintf(to, "<td class=\"n\">%s</td>", isnan(v[i]) ? "-" : text);
	}
	if (isnan(v[0]) || isnan(v[1]) || v[0] == 0) {
		fputs("<td class=\"n\">-</td></tr>\n", to);
	} else {
		fputs("<td class=\"n\">", to);
		write_escaped(to, human_change(change, 100 * (v[1] / v[0] - 1), 1));
		fputs("</td></tr>\n", to);
	}
}

/* The headline numbers of two runs as a table. */
static void
write_headlines(const struct report *r, FILE *to)
{
	fputs("<div class=\"wide\"><table><thead><tr><th></th>", to);
	for (unsigned i = 0; i < 2; i++) {
		fputs("<th class=\"n\">", to);
		write_escaped(to, r[i].name);
		fputs("</th>", to);
	}
	fputs("<th class=\"n\">change</th></tr></thead><tbody>\n", to);
	for (unsigned i = 0; i < ARRAY_LEN(headlines); i++) {
		char unit[2][64];
		double v[2];

		for (unsigned k = 0; k < 2; k++)
			v[k] = headline_value(&r[k], &headlines[i], unit[k], sizeof(unit[k]));
		if (!isnan(v[0]) || !isnan(v[1]))
			write_pair(headlines[i].text, v, unit[isnan(v[0])], to);
	}
	fputs("</tbody></table></div>\n", to);
}

static void
write_headline(const struct report *r, FILE *to)
{
	fputs("<dl>\n", to);
	for (unsigned i = 0; i < ARRAY_LEN(headlines); i++) {
		char unit[64], text[64];
		double v = headline_value(r, &headlines[i], unit, sizeof(unit));

		if (isnan(v))
			continue;
		format_number(text, sizeof(text), v);
		fprintf(to, "<div><dt>%s</dt><dd>%s <small>", headlines[i].text, text);
		write_escaped(to,
			      strcmp(unit, "ratio") && strcmp(unit, headlines[i].text) ? unit : "");
		fputs("</small></dd></div>\n", to);
	}
	fputs("</dl>\n", to);
}

/* ---------------------------------------------------------------- pictures */

static const struct picture {
	const char *what, *caption;
} pictures[] = {
	{"ctas, gpu.ipc, mean(core.*.n), mean(core.*.ctas_running)",
	 "Above: the CTAs running on each core. Below: the IPC of the GPU, and the limit n and the "
	 "running CTAs averaged over cores."},
	{"classes", "Every cycle of a core has one class: in memory and blocked it waits for "
		    "memory, in dependence for a short result or an unfetched instruction; in idle "
		    "it has no instruction to issue."},
	{"ract, core.l1_miss_rate", "How often each core could issue, and the share of its "
				    "accesses that missed in the L1 data cache."},
	{"gates", "The state of each core, as the policies set it."},
	{"credits", "Local credits of each core: without credits it takes no CTA."},
	{"dram, mem.row_hit_rate",
	 "Memory channels: how busy the data bus was, and how often a row "
	 "was open already."},
	{"gpu.power", "Power of the GPU, DRAM commands included."},
};

/* Were all cores active all the time? Then a picture of their states is useless. */
static bool
always_active(const struct report *r)
{
	const struct overtime_source *s = &r->run.from;

	for (unsigned i = 0; i < s->count(s->ctx); i++)
		for (unsigned c = 0; c < s->instances[OVERTIME_CORE]; c++) {
			double v = s->value(s->ctx, OVERTIME_CORE, SC_STATE, c, i);

			if (v > CORE_ACTIVE && v <= CORE_OFF)
				return false;
		}
	return true;
}

/* beside: the other of two runs, whose picture has the same axes; NULL: there is one run. */
static int
write_picture(const struct report *r, const struct report *beside, const struct picture *p,
	      FILE *to, struct err *e)
{
	struct plot_job j = {.run = &r->run,
			     .beside = beside ? &beside->run : NULL,
			     .what = p->what,
			     .to = CYCLE_NEVER,
			     .inlined = true};
	struct strbuf svg = {0};
	struct err why = {0};
	FILE *f = sb_stream(&svg);
	int rc;

	if (!f)
		return err_nomem(e);
	rc = plot_svg(&j, f, &why);
	fclose(f);
	if (rc == 0 && !svg.failed) {
		fprintf(to, "<figure>\n%s<figcaption>", svg.p);
		if (beside) {
			fputs("<b>", to);
			write_escaped(to, r->name);
			fputs("</b>. ", to);
		}
		fprintf(to, "%s</figcaption>\n</figure>\n", p->caption);
	}
	if (svg.failed || why.kind == ERR_MEMORY) /* otherwise the run has no values for it */
		rc = err_nomem(e);
	else
		rc = 0;
	sb_free(&svg);
	return rc;
}

/* Writes each picture, of two runs one below the other. */
static int
write_pictures(const struct report *r, unsigned n, FILE *to, struct err *e)
{
	bool active = always_active(&r[0]) && (n < 2 || always_active(&r[1]));

	for (unsigned i = 0; i < ARRAY_LEN(pictures); i++)
		for (unsigned k = 0; k < n; k++) {
			if (active && strcmp(pictures[i].what, "gates") == 0)
				continue;
			if (write_picture(&r[k], n > 1 ? &r[!k] : NULL, &pictures[i], to, e) < 0)
				return -1;
		}
	return 0;
}

/* ---------------------------------------------------------------- decisions */

struct rule_count {
	const char *event, *by;
	uint64_t n;
	cycle_t first, last;
};

static unsigned
count_rules(const struct report *r, struct rule_count *rule)
{
	unsigned n = 0;

	for (size_t i = 0; i < r->n_decisions; i++) {
		const struct report_decision *d = &r->decision[i];
		unsigned k = 0;

		while (k < n && (strcmp(rule[k].by, d->by) || strcmp(rule[k].event, d->event)))
			k++;
		if (k == RULES)
			continue;
		if (k == n)
			rule[n++] = (struct rule_count){d->event, d->by, 0, d->cycle, d->cycle};
		rule[k].n++;
		rule[k].last = d->cycle;
	}
	return n;
}

static void
count_cell(FILE *to, uint64_t v)
{
	char text[TICK_TEXT];

	scale_count(text, v);
	fprintf(to, "<td class=\"n\">%s</td>", text);
}

/* Among two runs a heading names its own. */
static void
write_of(const struct report *r, bool is_alone, FILE *to)
{
	if (is_alone)
		return;
	fputs(" of ", to);
	write_escaped(to, r->name);
}

/* Writes the first decision in which two runs differ. */
static void
write_difference(const struct report *r, const struct report_difference *d, FILE *to)
{
	char cycle[TICK_TEXT];

	fputs("<h2>First decision that differs</h2>\n", to);
	if (!d->known) {
		fputs("<p>None: every decision is the same.</p>\n", to);
		return;
	}
	scale_count(cycle, d->cycle);
	fprintf(to, "<p>Cycle %s:</p>\n<div class=\"wide\"><table><tbody>\n", cycle);
	for (unsigned k = 0; k < 2; k++) {
		fputs("<tr><td>", to);
		write_escaped(to, r[k].name);
		fputs("</td><td>", to);
		write_escaped(to, d->text[k]);
		fputs("</td></tr>\n", to);
	}
	fputs("</tbody></table></div>\n", to);
}

static void
write_decisions(const struct report *r, bool is_alone, FILE *to)
{
	struct rule_count rule[RULES];
	unsigned n = count_rules(r, rule);
	size_t first = r->n_decisions > LAST ? r->n_decisions - LAST : 0;
	char text[TICK_TEXT];

	if (!n)
		return;
	fputs("<h2>Decisions", to);
	write_of(r, is_alone, to);
	fputs("</h2>\n", to);
	if (r->dropped) {
		scale_count(text, r->dropped);
		fprintf(to,
			"<p>The first %s events of the run were not kept and are not "
			"counted.</p>\n",
			text);
	}
	fputs("<div class=\"wide\"><table><thead><tr><th>event</th><th>policy and rule</th><th "
	      "class=\"n\">how often</th><th class=\"n\">first cycle</th><th class=\"n\">last "
	      "cycle</th></tr></thead><tbody>\n",
	      to);
	for (unsigned i = 0; i < n; i++) {
		fputs("<tr><td>", to);
		write_escaped(to, rule[i].event);
		fputs("</td><td>", to);
		write_escaped(to, rule[i].by);
		fputs("</td>", to);
		count_cell(to, rule[i].n);
		count_cell(to, rule[i].first);
		count_cell(to, rule[i].last);
		fputs("</tr>\n", to);
	}
	fputs("</tbody></table></div>\n", to);
	fprintf(to, "<h2>The last %zu", r->n_decisions - first);
	write_of(r, is_alone, to);
	fputs("</h2>\n<div class=\"wide\"><table><tbody>\n", to);
	for (size_t i = first; i < r->n_decisions; i++) {
		fputs("<tr>", to);
		count_cell(to, r->decision[i].cycle);
		fputs("<td>", to);
		write_escaped(to, r->decision[i].text);
		fputs("</td></tr>\n", to);
	}
	fputs("</tbody></table></div>\n", to);
}

/* ---------------------------------------------------------------- the page */

static void
write_machine(const struct report *r, FILE *to)
{
	if (!r->policy || !r->machine)
		return;
	fputs("<p>", to);
	if (*r->name) {
		fputs("<b>", to);
		write_escaped(to, r->name);
		fputs("</b>: ", to);
	}
	fputs(*r->name ? "policy <code>" : "Policy <code>", to);
	write_escaped(to, r->policy);
	fputs("</code>, machine <code>", to);
	write_escaped(to, r->machine);
	fputs("</code>.</p>\n", to);
}

struct report_page {
	const struct report *run;
	unsigned n;
	const struct report_difference *difference; /* NULL: it was not looked for */
};

static int
write_page(void *ctx, FILE *to, struct err *e)
{
	const struct report_page *page = ctx;
	const struct report *r = page->run;

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"generator\" content=\"ctascope\">\n<title>",
	      to);
	write_escaped(to, r->title);
	fprintf(to, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", style);
	write_escaped(to, r->title);
	fputs("</h1>\n", to);
	for (unsigned i = 0; i < page->n; i++)
		write_machine(&r[i], to);
	if (page->n > 1)
		write_headlines(r, to);
	else
		write_headline(r, to);
	if (page->difference)
		write_difference(r, page->difference, to);
	fputs("<h2>Over time</h2>\n", to);
	if (write_pictures(r, page->n, to, e) < 0)
		return -1;
	for (unsigned i = 0; i < page->n; i++)
		write_decisions(&r[i], page->n == 1, to);
	fputs("</body>\n</html>\n", to);
	return 0;
}

int
report_write(struct report *r, unsigned n, const struct report_difference *difference,
	     const char *path, struct err *e)
{
	struct report_page page = {r, n, difference};

	for (unsigned i = 0; i < n; i++)
		if (!r[i].run.from.count(r[i].run.from.ctx))
			return err_set(e, "report: no sample yet; run the model first");
	return output_replace(path, 0, write_page, &page, e);
}
