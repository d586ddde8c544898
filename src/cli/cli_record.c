/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_record.c - `ctascope record --ptx`: executes one kernel of a PTX file on the CPU and records
 * it as a trace.
 *
 * The trace gets its name only when everything is done, so a mistake or a signal leaves no file.
 * `ctascope record -- ./app` is in workload/record_app.c.
 */
#include "base/memory.h"
#include "cli/record_arg.h"
#include "cli/cli_part.h"

#include "workload/workload.h"
#include "base/human.h"
#include "base/number.h"
#include "base/words.h"

#include "base/clock.h"
#include "base/output.h"
#include "base/process.h"
#include "base/progress_line.h"
#include "base/replace.h"
#include "record/ptx/ptx_record.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_SHARED (1u << 20) /* largest size that a trace can hold */

struct record {
	struct record_common
		common; /* first member: the option rows of workload/workload.h write into it */
	const char *ptx, *kernel;
	uint32_t grid[3], block[3], shared;
	bool cooperative;
	struct record_arg arg[PTX_MAX_PARAMS];
	unsigned n_args, n_dumps;
	struct {
		unsigned number;
		const char *file;
	} dump[16];
};

/* ---------------------------------------------------------------- the command line */

/* Parses "X", "X,Y" or "X,Y,Z" into grid or block; o->value is the member's offset. */
static int
take_dims(void *args, const struct cmd_option *o, const char *text, struct err *e)
{
	uint32_t *dim = (uint32_t *)((char *)args + o->value);
	struct span rest = span_of(text), part;
	char number[64];
	uint64_t v;

	for (int i = 0; span_part(&rest, ',', &part); i++) {
		if (i == 3 || !span_copy(part, number, sizeof(number)) ||
		    number_count(number, &v) || v == 0 || v > INT32_MAX)
			return err_set(e, "expected X, X,Y or X,Y,Z from 1 on");
		dim[i] = (uint32_t)v;
	}
	return 0;
}

static int
take_arg(void *args, const struct cmd_option *o ATTR_UNUSED, const char *text, struct err *e)
{
	struct record *r = args;

	if (r->n_args == PTX_MAX_PARAMS)
		return err_set(e, "at most %u of these", PTX_MAX_PARAMS);
	r->arg[r->n_args++].text = text;
	return 0;
}

static int
take_dump(void *args, const struct cmd_option *o ATTR_UNUSED, const char *text, struct err *e)
{
	struct record *r = args;
	const char *equal = strchr(text, '=');
	char number[16];
	uint64_t n = 0;

	snprintf(number, sizeof(number), "%.*s", equal ? (int)MIN(equal - text, 15) : 0, text);
	if (!equal || !equal[1] || number_count(number, &n) || n == 0 || n > PTX_MAX_PARAMS)
		return err_set(e, "expected N=FILE, arguments count from 1");
	if (r->n_dumps == ARRAY_LEN(r->dump))
		return err_set(e, "at most %zu of these", ARRAY_LEN(r->dump));
	r->dump[r->n_dumps].number = (unsigned)n;
	r->dump[r->n_dumps++].file = equal + 1;
	return 0;
}

static const struct cmd_option ptx_options[] = {
	CMD_TEXT("ptx", 0, "FILE", struct record, ptx,
		 "PTX that nvcc -ptx or clang -S --cuda-device-only wrote"),
	CMD_TEXT("kernel", 0, "NAME", struct record, kernel,
		 "name of the kernel (default: the only one)"),
	CMD_TAKE("grid", 0, "X[,Y[,Z]]", take_dims, offsetof(struct record, grid), "CTAs (1)"),
	CMD_TAKE("block", 0, "X[,Y[,Z]]", take_dims, offsetof(struct record, block),
		 "threads of a CTA (32)"),
	CMD_COUNT("shared", 0, "BYTES", struct record, shared, 0, MAX_SHARED,
		  "dynamic shared memory (0)"),
	CMD_FLAG("cooperative", 0, struct record, cooperative,
		 "execute all thread blocks at once, so that they can wait for each other"),
	CMD_TAKE("arg", 0, "ARG", take_arg, 0,
		 "once for each parameter, in order: a number (17, 0x10, 1.5, 2f), hex:00ff12.. or "
		 "buf:SIZE:zero|iota|rand|file=F[:TYPE], device memory; TYPE of iota and rand: u8 "
		 "u16 u32 u64 f32 f64 (u32)"),
	CMD_TAKE("dump", 0, "N=FILE", take_dump, 0,
		 "write the buffer of argument N to FILE after the run"),
	CMD_END,
};

static const struct cmd_option help_option[] = {CMD_HELP, CMD_END};

const struct cmdline cli_record_cmdline = {
	.name = "record",
	.usage = "record --ptx FILE [OPTION...] -o OUT.ctr\n"
		 "record [OPTION...] -o OUT.ctr -- PROGRAM [ARGUMENT...]",
	.about = "Execute CUDA kernels without a GPU and write the work of their warps as a trace: "
		 "one\n"
		 "kernel of a PTX file, or all kernels that a CUDA program launches (driver or "
		 "runtime API).\n",
	.section = {{NULL, record_output_options},
		    {NULL, record_common_options},
		    {NULL, help_option},
		    {"With --ptx", ptx_options},
		    {"With a program", record_program_options}},
	.tail = "Examples:\n"
		"  ctascope record --ptx vadd.ptx --kernel vadd --grid 64 --block 256 -o vadd.ctr "
		"\\\n"
		"      --arg buf:64k:rand:f32 --arg buf:64k:rand:f32 --arg buf:64k:zero --arg "
		"16384\n"
		"  ctascope record -o app.ctr -- ./app 100\n"
		"  ctascope record --list -- ./app 100\n"
		"\n"
		"'man ctascope-record' describes the supported features and the messages.\n",
};

/* The options that are read when PTX is recorded; record_app_main() reads those of a program. */
static const struct cmdline ptx_cmdline = {
	.name = "record",
	.section = {{NULL, record_output_options},
		    {NULL, record_common_options},
		    {NULL, help_option},
		    {NULL, ptx_options}},
	.help = &cli_record_cmdline,
};

/* Two outputs of this run must not have the same file. */
static int
check_files(const struct record *r)
{
	for (unsigned i = 0; i < r->n_dumps; i++) {
		if (output_same(r->dump[i].file, r->common.out))
			return cmdline_usage(&ptx_cmdline,
					     "--dump %u and -o name the same file '%s'",
					     r->dump[i].number, r->common.out);
		for (unsigned k = 0; k < i; k++)
			if (output_same(r->dump[i].file, r->dump[k].file))
				return cmdline_usage(&ptx_cmdline,
						     "two --dump name the same file '%s'",
						     r->dump[i].file);
	}
	return -1;
}

/* Returns -1 to continue, else the exit status. */
static int
read_options(struct record *r, int argc, char **argv)
{
	int first, rc = cmdline_read(&ptx_cmdline, argc, argv, r, &first);

	if (rc >= 0)
		return rc;
	if (first < argc)
		return cmdline_usage(&ptx_cmdline, "unexpected argument '%s'%s", argv[first],
				     r->ptx ? "" : "; a program comes after --");
	if (!r->ptx || !r->common.out)
		return cmdline_usage(&ptx_cmdline, "-o OUT.ctr and %s are needed",
				     r->ptx ? "--ptx FILE" : "either --ptx FILE or -- PROGRAM");
	for (unsigned i = 0; i < r->n_dumps; i++) {
		if (r->dump[i].number > r->n_args)
			return cmdline_usage(&ptx_cmdline, "--dump %u: there are %u arguments",
					     r->dump[i].number, r->n_args);
		r->arg[r->dump[i].number - 1].dump = r->dump[i].file;
	}
	return check_files(r);
}

/* ---------------------------------------------------------------- progress */

struct progress {
	double began, drawn;
	bool terminal, shown;
};

/* On a terminal the line is redrawn in place; a log gets a line every ten seconds. */
static bool
on_progress(void *ctx, uint64_t done, uint64_t all, uint64_t insts)
{
	struct progress *p = ctx;
	double now = clock_seconds(), left;
	char count[HUMAN];

	if (now - p->began < 1 || now - p->drawn < (p->terminal ? 0.25 : 10) || done >= all)
		return false;
	p->drawn = now;
	fprintf(stderr, "%srecord: %" PRIu64 " of %" PRIu64 " CTAs, %s instructions, ",
		p->terminal ? PROGRESS_BEGIN : "", done, all, human(count, insts));
	left = (now - p->began) * (double)(all - done) / (double)MAX(done, 1);
	if (done)
		fprintf(stderr, "%.0f %s left", left < 120 ? left : left / 60,
			left < 120 ? "s" : "min");
	else
		fprintf(stderr, "%.0f s", now - p->began);
	fputs(p->terminal ? PROGRESS_END : "\n", stderr);
	fflush(stderr);
	p->shown = p->terminal;
	return false;
}

static void
clear_progress(struct progress *p)
{
	if (p->shown)
		fputs(PROGRESS_CLEAR, stderr);
	p->shown = false;
}

/* ---------------------------------------------------------------- recording */

static const struct ptx_kernel *
choose_kernel(const struct record *r, const struct ptx_module *m, struct err *e)
{
	char list[300] = "";
	uint32_t n = ptx_n_kernels(m);

	if (r->kernel)
		return ptx_kernel(m, r->kernel, e);
	if (n == 1)
		return ptx_kernel_at(m, 0);
	for (uint32_t i = 0; i < n; i++)
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s", i ? ", " : "",
			 ptx_kernel_at(m, i)->name);
	if (n)
		err_set(e, "%s has %u kernels, choose with --kernel: %s", r->ptx, n, list);
	else
		err_set(e, "%s has no kernel", r->ptx);
	return NULL;
}

static int
make_params(struct record *r, const struct ptx_kernel *k, struct ptx_device *d, uint8_t *params,
	    struct err *e)
{
	char sizes[400] = "";

	for (uint32_t i = 0; i < k->n_params && i < 40; i++)
		snprintf(sizes + strlen(sizes), sizeof(sizes) - strlen(sizes), "%s%u",
			 i ? ", " : "", k->param[i].size);
	if (r->n_args != k->n_params)
		return err_set(e, "kernel %s takes %u argument%s%s%s%s, %u given with --arg",
			       k->name, k->n_params, PLURAL(k->n_params), *sizes ? " of " : "",
			       sizes, *sizes ? " bytes" : "", r->n_args);
	for (uint32_t i = 0; i < k->n_params; i++)
		if (record_arg_make(&r->arg[i], i + 1, &k->param[i], d, params + k->param[i].offset,
				    e))
			return -1;
	for (uint32_t i = 0; i < k->n_params; i++)
		if (r->arg[i].dump && !r->arg[i].bytes)
			return err_set(e, "--dump %u: argument %s is not a buffer", i + 1,
				       r->arg[i].text);
	for (uint32_t i = 0; i < k->n_params; i++)
		if (r->arg[i].dump &&
		    ((!r->common.force &&
		      replace_check_bytes("record", r->arg[i].dump, r->arg[i].bytes, e)) ||
		     output_check(r->arg[i].dump, 0, e)))
			return -1;
	return 0;
}

/* Prints the totals to standard error if the trace may have gone to standard output. */
static void
print_totals(const struct record *r, uint64_t insts)
{
	char ctas[HUMAN], insns[HUMAN], bytes[HUMAN];
	uint64_t all = (uint64_t)r->grid[0] * r->grid[1] * r->grid[2];
	struct stat s;
	bool is_file = stat(r->common.out, &s) == 0 && S_ISREG(s.st_mode) &&
		       strncmp(r->common.out, "/dev/", 5) != 0;

	fprintf(is_file ? stdout : stderr, "%s: 1 kernel, %s CTA%s, %s warp instructions",
		r->common.out, human(ctas, all), PLURAL(all), human(insns, insts));
	fprintf(is_file ? stdout : stderr, is_file ? ", %s bytes\n" : "\n",
		human(bytes, is_file ? (uint64_t)s.st_size : 0));
}

/* Prints the output of the kernel's printf. */
static void
on_print(void *ctx ATTR_UNUSED, const char *text, size_t n)
{
	fwrite(text, 1, n, stdout);
}

/* Prints the first divergent barrier, which does not end the launch. */
static void
on_found(void *ctx, const struct ptx_finding *f)
{
	bool *printed = ctx;

	if (*printed)
		return;
	*printed = true;
	err_print(&f->e, "ctascope", stderr);
}

static int
launch_kernel(struct record *r, struct ptx_module *m, const struct ptx_kernel *k,
	      struct ptx_device *d, uint8_t *params, struct trace_writer **w, struct err *e)
{
	struct progress p = {.began = clock_seconds(), .terminal = isatty(STDERR_FILENO)};
	struct ptx_recorder *rec = ptx_recorder_new(*w, e);
	struct ptx_launch l = {
		.module = m,
		.kernel = k,
		.grid = {r->grid[0], r->grid[1], r->grid[2]},
		.block = {r->block[0], r->block[1], r->block[2]},
		.shared_bytes = r->shared,
		.params = params,
		.cooperative = r->cooperative,
		.scratch = getenv("TMPDIR"),
		.checks = r->common.checks,
		.max_insns = r->common.max_insns,
		.jobs = r->common.jobs ? r->common.jobs : process_processors(),
		.progress = on_progress,
		.progress_ctx = &p,
		.print = on_print,
	};
	struct trace_writer *full;
	uint64_t insts;
	bool printed = false;
	int rc;

	if (!rec)
		return -1;
	p.drawn = p.began;
	if (r->common.max_cta)
		trace_writer_set_cta_limit(*w, (uint64_t)r->common.max_cta << 20);
	trace_writer_set_spill(*w, l.scratch, 0);
	l.sink = ptx_recorder_sink(rec);
	ptx_recorder_set_arch(rec, (enum ptx_arch)r->common.arch);
	ptx_recorder_set_regs(rec, r->common.regs);
	l.findings = ptx_findings_new(on_found, &printed);
	rc = ptx_run(d, &l, NULL, e);
	ptx_findings_free(l.findings);
	clear_progress(&p);
	insts = ptx_recorder_insts(rec);
	ptx_recorder_free(rec);
	for (unsigned i = 0; !rc && i < r->n_args; i++)
		rc = record_arg_dump(&r->arg[i], d, e);
	if (rc)
		return -1;
	full = *w;
	*w = NULL; /* commit frees the writer, also on failure */
	if (trace_writer_commit(full, e))
		return -1;
	print_totals(r, insts);
	return 0;
}

static int
record_ptx(struct record *r, struct err *e)
{
	struct ptx_module *m = ptx_parse_file(r->ptx, e);
	const struct ptx_kernel *k = m ? choose_kernel(r, m, e) : NULL;
	struct ptx_device *d = k ? ptx_device_new(0, e) : NULL;
	uint8_t *params = k ? memory_new(1, k->param_bytes + 1) : NULL;
	struct trace_writer *w = NULL;
	int rc = -1;

	if (d && ptx_load(d, m, e) == 0 && make_params(r, k, d, params, e) == 0 &&
	    (w = trace_writer_new(r->common.out, e)))
		rc = launch_kernel(r, m, k, d, params, &w, e);
	trace_writer_abort(w);
	free(params);
	ptx_device_free(d);
	ptx_module_free(m);
	return rc;
}

/* Whether "--" introduces a program to run; --ptx or --help before it means no. */
static bool
is_program(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
			return false;
		if (strcmp(argv[i], "--") == 0)
			return true;
		if (strcmp(argv[i], "--ptx") == 0 || strncmp(argv[i], "--ptx=", 6) == 0)
			return false;
	}
	return false;
}

int
cli_record(int argc, char **argv, const struct cli_front *f ATTR_UNUSED)
{
	struct record r = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
	struct err e = {0};
	int rc;

	if (is_program(argc, argv))
		return record_app_main(argc, argv);
	rc = read_options(&r, argc, argv);
	if (rc >= 0)
		return rc;
	if (replace_check_before("record", r.common.out, OWN_TRACE, r.common.force, &e) == 0 &&
	    record_ptx(&r, &e) == 0)
		return 0;
	err_print(&e, "ctascope", stderr);
	return 1;
}
