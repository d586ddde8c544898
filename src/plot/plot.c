/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.c - writes pictures to files: suffixes, sizes, and the title of a run. */
#include "plot/plot_part.h"

#include "base/output.h"
#include "export/export.h"

#include <string.h>

static const char *const suffixes[] = {".svg", ".png", ".pdf"};
enum format { FORMAT_SVG, FORMAT_PNG, FORMAT_PDF };

static int
format_of(const char *path)
{
	size_t n = strlen(path);

	for (unsigned i = 0; i < ARRAY_LEN(suffixes); i++)
		if (n > 4 && strcmp(path + n - 4, suffixes[i]) == 0)
			return (int)i;
	return -1;
}

bool
plot_is_file(const char *path)
{
	return format_of(path) >= 0;
}

struct writing {
	const struct page *page;
	unsigned dpi;
	enum format format;
};

static int
write_page(void *ctx, FILE *to, struct err *e)
{
	const struct writing *w = ctx;

	if (w->format == FORMAT_SVG)
		return pen_svg(w->page, false, to, e);
	return pen_cairo(w->page, w->format == FORMAT_PDF, w->dpi ? w->dpi : PLOT_DPI, to, e);
}

int
page_check_path(const char *path, struct err *e)
{
	int format = format_of(path);

	if (format < 0)
		return err_set(e, "plot: expected a file .svg, .png or .pdf, found '%.200s'", path);
	if (format != FORMAT_SVG && !plot_has_cairo())
		return pen_cairo(NULL, format == FORMAT_PDF, 0, NULL, e);
	return 0;
}

int
page_write(const struct page *page, const char *path, unsigned dpi, struct err *e)
{
	struct writing w = {page, dpi, (enum format)format_of(path)};
	int rc = output_replace(path, 0, write_page, &w, e);

	pen_forget_fonts();
	return rc;
}

static int
make_figure(const struct plot_job *j, struct figure *f, struct err *e)
{
	if (figure_make(j, f, e) < 0)
		return -1;
	figure_layout(f, j->width > 0 ? j->width : PLOT_WIDTH, j->height);
	return 0;
}

int
plot_file(const struct plot_job *j, const char *path, struct err *e)
{
	struct strbuf about = {0};
	struct figure f;
	struct page page;
	int rc;

	if (page_check_path(path, e) < 0 || make_figure(j, &f, e) < 0)
		return -1;
	page = figure_page(&f, &about);
	rc = about.failed ? err_nomem(e) : page_write(&page, path, j->dpi, e);
	sb_free(&about);
	figure_free(&f);
	return rc;
}

int
plot_svg(const struct plot_job *j, FILE *to, struct err *e)
{
	struct strbuf about = {0};
	struct figure f;
	struct page page;
	int rc;

	if (make_figure(j, &f, e) < 0)
		return -1;
	page = figure_page(&f, &about);
	rc = about.failed ? err_nomem(e) : pen_svg(&page, j->inlined, to, e);
	if (!j->inlined)
		pen_forget_fonts();
	sb_free(&about);
	figure_free(&f);
	return rc;
}

/* The last component of a path, without its suffix. */
static void
base_name(const char *path, char *buf, size_t size)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	char *dot;

	snprintf(buf, size, "%s", slash && slash[1] ? slash + 1 : path ? path : "");
	dot = strrchr(buf, '.');
	if (dot && dot != buf)
		*dot = '\0';
}

const char *
plot_workload(const struct sim *s)
{
	static char name[128];

	base_name(sim_trace(s)->path, name, sizeof(name));
	if (!*name)
		snprintf(name, sizeof(name), "the workload");
	return name;
}

void
plot_title(const struct sim *s, char *buf, size_t size)
{
	const struct config *c = sim_config(s);
	char workload[128], machine[128];

	base_name(sim_trace(s)->path, workload, sizeof(workload));
	base_name(config_machine_name(c), machine, sizeof(machine));
	snprintf(buf, size, "%s under %s on %s", *workload ? workload : "workload",
		 config_policy_text(c), machine);
}

struct plot_run
plot_run_sim(const struct sim *s, const char *title, cycle_t *kernel)
{
	struct plot_run r = {.from = overtime_source_sim(s),
			     .title = title,
			     .kernel_start = kernel,
			     .n_kernels = sim_kernels_started(s)};

	for (unsigned i = 0; i < r.n_kernels; i++)
		kernel[i] = MIN(sim_kernel_start(s, i), sim_cycle(s));
	return r;
}
