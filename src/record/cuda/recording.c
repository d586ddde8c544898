/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * recording.c - carries out the request of `ctascope record`: launches become kernels of a trace.
 *
 * The variables of record_env.def contain the request. Launches are numbered from 1 in the order in
 * which the program makes them; those whose kernel does not match the pattern are not counted.
 * Copies from the host are recorded as they happen. The trace gets its name when the process ends
 * by exit. A process that dies otherwise leaves no trace under that name, and ctascope, which waits
 * for it, removes the temporary file. A fault in a recorded launch, or a trace that cannot be
 * written, ends the recording but not the program.
 */
#include "record/cuda/recording.h"

#include "base/clock.h"
#include "base/human.h"
#include "base/progress_line.h"
#include "base/words.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LARGE_CTA (1ull << 30) /* decoded bytes that a user should know of */

/* ---- the request ---- */

enum env {
#define RECORD_ENV(name, variable) ENV_##name,
#include "record/cuda/record_env.def"
#undef RECORD_ENV
	ENVS
};

static const char *const env_name[ENVS] = {
#define RECORD_ENV(name, variable) variable,
#include "record/cuda/record_env.def"
#undef RECORD_ENV
};

static uint64_t
env_number(enum env v, uint64_t value)
{
	const char *s = getenv(env_name[v]);

	return s && *s ? strtoull(s, NULL, 10) : value;
}

/* Writes to the descriptor only if it still is an eventfd, since the program may have closed it and
 * opened something else. */
void
recording_notify(int fd, uint64_t what)
{
	char name[40], is[40];
	ssize_t n;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	n = readlink(name, is, sizeof(is));
	if (n != 20 || memcmp(is, "anon_inode:[eventfd]", 20) != 0)
		return;
	if (write(fd, &what, sizeof(what)) < 0) {
		/* ignored: ctascope then has no notification */
	}
}

/* Locks the file of `ctascope record`, which then waits for the end of this process. As above, the
 * descriptor counts only if it still is that file. */
static void
lock_alive(int fd)
{
	struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
	char name[40], is[60];
	ssize_t n;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	n = readlink(name, is, sizeof(is) - 1);
	is[n > 0 ? n : 0] = '\0';
	if (strncmp(is, "/memfd:" RECORD_ALIVE_NAME, strlen("/memfd:" RECORD_ALIVE_NAME)) == 0)
		fcntl(fd, F_SETLK, &lock);
}

void
recording_notify_reported(const struct driver *d)
{
	if (d->recording && d->recording->pid == getpid())
		recording_notify(d->recording->notify_fd, RECORD_REPORTED);
}

/* Compiles a pattern. ctascope has checked it before. */
static bool
compile_env_pattern(regex_t *re, enum env v)
{
	const char *s = getenv(env_name[v]);

	return s && *s && regcomp(re, s, REG_EXTENDED | REG_NOSUB) == 0;
}

/* Adds a kernel's name to "a, b, c". False: the list has it already. */
static bool
add_name(struct strbuf *list, const char *name)
{
	struct span rest = {list->p, list->n}, part;

	while (list->n && span_part(&rest, ',', &part))
		if (span_is(span_trim(part), name))
			return false;
	sb_printf(list, "%s%s", list->n ? ", " : "", name);
	return true;
}

/* Prints a finding, once for each place, as the error that would have ended the launch; of
 * divergent barriers only the first one of a kernel, as a compiler may have copied it. */
static void
on_found(void *ctx, const struct ptx_finding *f)
{
	struct recording *r = ctx;

	if (f->kind == CHECK_SYNC ? add_name(&r->divergent, f->kernel)
				  : f->kind == CHECK_BOUNDS && r->on_oob == OOB_WARN)
		driver_error(&f->e, CUDA_SUCCESS);
}

static void
read_env_options(struct recording *r)
{
	r->has_kernel = compile_env_pattern(&r->kernel, ENV_KERNEL);
	r->has_skip = compile_env_pattern(&r->skip, ENV_SKIP);
	r->has_cooperative = compile_env_pattern(&r->cooperative, ENV_COOPERATIVE);
	r->first = env_number(ENV_FIRST, 1);
	r->last = env_number(ENV_LAST, UINT64_MAX);
	r->stop_after = env_number(ENV_STOP_AFTER, UINT64_MAX);
	r->max_insns = env_number(ENV_MAX_INSNS, 0);
	r->max_cta = env_number(ENV_MAX_CTA, TRACE_MOST_CTA_MIB) << 20;
	r->jobs = (uint32_t)env_number(ENV_JOBS, 1);
	r->checks = (uint32_t)env_number(ENV_CHECKS, 0);
	r->regs = (uint32_t)env_number(ENV_REGS, 0);
	r->arch = (enum ptx_arch)env_number(ENV_ARCH, PTX_ARCH_ANY);
	r->on_oob = (enum on_oob)env_number(ENV_ON_OOB, OOB_ERROR);
	r->notify_fd = (int)env_number(ENV_NOTICES, INT_MAX);
}

/* Opens list and report. -1, with a message: out of memory, or the list cannot be written. */
static int
open_outputs(struct recording *r, const char *out)
{
	const char *report = getenv(env_name[ENV_REPORT]);
	struct err e = {0};

	r->out = strdup(out);
	if (report && *report)
		r->report = strdup(report);
	r->findings = ptx_findings_new(on_found, r);
	if (!r->out || (report && *report && !r->report) || !r->findings) {
		driver_print("out of memory: nothing is recorded");
		return -1;
	}
	if (env_number(ENV_LIST, 0) && !(r->list = output_open(r->out, OUTPUT_LIVE, &e))) {
		driver_error(&e, CUDA_ERROR_UNKNOWN);
		return -1;
	}
	if (r->list && !(r->recorder = ptx_recorder_new(NULL, &e))) {
		driver_error(&e, CUDA_ERROR_UNKNOWN);
		return -1;
	}
	return 0;
}

void
recording_note_failure(struct driver *d, enum recording_failure what)
{
	if (d->recording && d->recording->pid == getpid())
		d->recording->failures |= what;
}

uint32_t
recording_regs(const struct driver *d)
{
	return d->recording ? d->recording->regs : 0;
}

bool
recording_checks(const struct driver *d, enum ptx_check check)
{
	return d->recording && (d->recording->checks & check);
}

struct recording *
recording_new(void)
{
	const char *out = getenv(env_name[ENV_OUT]);
	struct recording *r;

	if (!out || !*out)
		return NULL;
	r = calloc(1, sizeof(*r));
	if (!r) {
		driver_print("out of memory: nothing is recorded");
		return NULL;
	}
	read_env_options(r);
	if (open_outputs(r, out)) {
		recording_notify(r->notify_fd, RECORD_REPORTED);
		recording_free(r);
		return NULL;
	}
	r->pid = getpid();
	recording_notify(r->notify_fd, RECORD_BEGUN);
	lock_alive((int)env_number(ENV_ALIVE, INT_MAX));
	r->terminal = isatty(STDERR_FILENO);
	r->next = clock_seconds() + 1;
	recording_signals();
	return r;
}

static bool
is_active(const struct driver *d)
{
	return d->recording && !d->recording->failed && d->recording->pid == getpid();
}

static bool
matches_request(struct recording *r, const char *name)
{
	r->seen++;
	add_name(&r->names, name);
	if (r->has_kernel && regexec(&r->kernel, name, 0, NULL, 0) != 0)
		return false;
	r->matched++;
	return r->matched >= r->first && r->matched <= r->last;
}

/* Is the launch skipped: neither executed nor counted? */
static bool
is_skipped(struct recording *r, const char *name)
{
	if (!r->has_skip || regexec(&r->skip, name, 0, NULL, 0) != 0)
		return false;
	if (add_name(&r->skipped, name))
		driver_print("%s is not executed (--skip-kernel)", name);
	return true;
}

/* ---- writing ---- */

void
recording_give_up(struct recording *r, const struct err *e)
{
	if (e)
		driver_error(e, CUDA_ERROR_UNKNOWN);
	ptx_recorder_free(r->recorder);
	trace_writer_abort(r->writer);
	r->recorder = NULL;
	r->writer = NULL;
	r->failed = true;
}

static int
open_writer(struct recording *r)
{
	struct err e = {0};

	if (r->writer)
		return 0;
	r->writer = trace_writer_new(r->out, &e);
	if (r->writer) {
		trace_writer_set_cta_limit(r->writer, r->max_cta);
		trace_writer_set_spill(r->writer, getenv("TMPDIR"), 0);
	}
	r->recorder = r->writer ? ptx_recorder_new(r->writer, &e) : NULL;
	if (r->recorder)
		return 0;
	recording_give_up(r, &e);
	return -1;
}

/* Does the trace still record commands other than kernels? Not after the last requested launch. */
static bool
wants_commands(const struct driver *d)
{
	return is_active(d) && !d->recording->list && !d->recording->cut &&
	       d->recording->matched < d->recording->last;
}

void
recording_copy(struct driver *d, uint64_t addr, uint64_t bytes)
{
	struct err e = {0};

	if (!wants_commands(d) || open_writer(d->recording) != 0)
		return;
	recording_order(d, TRACE_COPY_STREAM, NULL);
	if (d->recording->writer && trace_writer_copy(d->recording->writer, addr, bytes, &e) != 0)
		recording_give_up(d->recording, &e);
}

void
recording_order(struct driver *d, enum trace_cmd_kind what, struct event *event)
{
	enum trace_stream_kind kind;
	uint64_t key = stream_key(d, d->stream, &kind), *number = event ? &event->number : NULL;
	struct err e = {0};

	if (!wants_commands(d) || !d->recording->writer ||
	    (event && what != TRACE_EVENT_RECORD && !*number))
		return; /* at the start of a trace there is nothing to order */
	if (trace_writer_order(d->recording->writer, what, key, kind, number, &e) != 0)
		recording_give_up(d->recording, &e);
}

/* ---- progress ---- */

static void
clear_line(struct recording *r)
{
	if (r->shown)
		fputs(PROGRESS_CLEAR, stderr);
	r->shown = false;
}

/* Reports progress after the first second: on a terminal a line that is redrawn, with speed and
 * remaining time, otherwise a line every ten seconds. Any thread of the launch calls it, so after a
 * signal it only stops the launch; recording_run then ends the recording. */
static bool
on_progress(void *ctx, uint64_t done, uint64_t all, uint64_t insts)
{
	struct driver *d = ctx;
	struct recording *r = d->recording;
	double now = clock_seconds(), rate = (double)done / (now - r->began + 1e-9), left;

	if (recording_is_dying())
		return true;
	if (now < r->next)
		return false;
	r->next = now + (r->terminal ? 0.25 : 10);
	left = (double)(all - done) / (rate + 1e-9);
	fprintf(stderr,
		"%srecord: launch %" PRIu64 ", %s: %" PRIu64 " of %" PRIu64
		" CTAs, %.1f M instructions",
		r->terminal ? PROGRESS_BEGIN : "", r->seen, r->running, done, all,
		(double)insts / 1e6);
	if (r->terminal && done)
		fprintf(stderr, ", %.*f CTAs/s, %.0f %s left" PROGRESS_END, rate < 10 ? 1 : 0, rate,
			left < 120 ? left : left / 60, left < 120 ? "s" : "min");
	else
		fprintf(stderr, ", %.0f s%s", now - r->began, r->terminal ? PROGRESS_END : "\n");
	fflush(stderr);
	r->shown = r->terminal;
	return false;
}

/* ---- launches ---- */

/* Reports once that launches of a forked child run but are not recorded. */
static void
report_child(struct recording *r)
{
	if (!r || r->pid == getpid() || r->child_reported)
		return;
	r->child_reported = true;
	driver_print(
		"process %ld was forked by the recorded process %ld: its launches run, but are "
		"not recorded",
		(long)getpid(), (long)r->pid);
}

/* Writes a line of --list: grid, block, warp instructions that a trace would have, name. */
static void
list_launch(struct recording *r, const struct ptx_launch *l, uint64_t insts)
{
	char grid[40], block[40];
	struct err e = {0};

	snprintf(grid, sizeof(grid), "%" PRIu32 ",%" PRIu32 ",%" PRIu32, MAX(l->grid[0], 1u),
		 MAX(l->grid[1], 1u), MAX(l->grid[2], 1u));
	snprintf(block, sizeof(block), "%" PRIu32 ",%" PRIu32 ",%" PRIu32, MAX(l->block[0], 1u),
		 MAX(l->block[1], 1u), MAX(l->block[2], 1u));
	if (!r->recorded++)
		fprintf(output_stream(r->list), "%8s  %-16s %-12s %14s  %s\n", "launch", "grid",
			"block", "warp insts", "kernel");
	fprintf(output_stream(r->list), "%8" PRIu64 "  %-16s %-12s %14" PRIu64 "  %s\n", r->matched,
		grid, block, insts, l->kernel->name);
	if (output_flush(r->list, &e)) {
		driver_error(&e, CUDA_ERROR_UNKNOWN);
		r->failed = true;
	}
}

/* Removes a launch that failed or was stopped, or whose recording failed; the trace keeps the
 * launches before it. */
static void
drop_launch(struct recording *r, bool stopped)
{
	struct err e = {0};

	if (!r->recorded && !stopped)
		recording_give_up(r, NULL);
	else if (trace_writer_drop_kernel(r->writer, &e))
		recording_give_up(r, &e);
	else if (!stopped)
		r->cut = r->matched;
}

/* Reports once for each kernel a CTA that is recorded, but takes much memory in the model. */
static void
report_large_cta(struct recording *r, const char *name)
{
	uint64_t bytes = trace_writer_largest_cta(r->writer);
	char mib[HUMAN];

	if (bytes > LARGE_CTA && add_name(&r->large, name))
		driver_print("kernel '%s': a thread block of %s MiB decoded: running it in the "
			     "model takes as much memory (--kernel and --launch leave launches "
			     "out)",
			     name, human(mib, bytes >> 20));
}

/* Ends a recorded launch. rc: result of ptx_run; insts: warp instructions that the recorder
 * counted. */
static void
end_launch(struct recording *r, const struct ptx_launch *l, int rc, uint64_t insts)
{
	if (rc == 0)
		r->insts += insts;
	if (rc == 0 && r->list) {
		list_launch(r, l, insts);
	} else if (rc == 0) {
		r->recorded++;
		report_large_cta(r, l->kernel->name);
	} else if (!r->list) {
		drop_launch(r, rc == PTX_STOPPED);
	}
}

/* Registers per thread if a block leaves fewer than the kernel uses, else 0. */
static uint32_t
compute_fewer_regs(const struct driver *d, const struct ptx_launch *l)
{
	uint64_t threads = WARP_SIZE - 1;
	uint32_t regs;

	threads += (uint64_t)MAX(l->block[0], 1u) * MAX(l->block[1], 1u) * MAX(l->block[2], 1u);
	regs = kernel_regs(d, l->kernel, threads / WARP_SIZE * WARP_SIZE);
	return regs < l->kernel->regs ? regs : 0;
}

static void
set_launch_options(struct driver *d, struct ptx_launch *l, bool record, uint64_t stream)
{
	struct recording *r = d->recording;

	l->cooperative |=
		r->has_cooperative && regexec(&r->cooperative, l->kernel->name, 0, NULL, 0) == 0;
	l->scratch = getenv("TMPDIR");
	l->max_insns = r->max_insns;
	l->jobs = d->aliases ? 1 : r->jobs; /* claims do not detect memory with two addresses */
	l->progress = on_progress;
	l->progress_ctx = d;
	l->findings = r->findings;
	l->go_on = (r->on_oob == OOB_ERROR ? 0 : CHECK_BOUNDS) | (r->report ? r->checks : 0);
	r->running = l->kernel->name;
	r->began = clock_seconds();
	if (r->report)
		l->go_on |= CHECK_SYNC; /* its places are counted, so CTAs run in order */
	if (r->findings)
		ptx_findings_launch(r->findings, r->matched);
	if (!record)
		return;
	l->checks = r->checks;
	l->sink = ptx_recorder_sink(r->recorder);
	ptx_recorder_set_stream(r->recorder, stream);
	ptx_recorder_set_arch(r->recorder, r->arch);
	ptx_recorder_set_regs(r->recorder, r->regs ? r->regs : compute_fewer_regs(d, l));
}

/* The number of the stream of the call. -1: out of memory, which ends the recording. */
static int
number_stream(struct driver *d, uint64_t *number)
{
	enum trace_stream_kind kind;
	uint64_t key = stream_key(d, d->stream, &kind);
	struct err e = {0};

	if (trace_writer_stream(d->recording->writer, key, kind, number, &e) == 0)
		return 0;
	recording_give_up(d->recording, &e);
	return -1;
}

int
recording_run(struct driver *d, struct ptx_launch *l, struct ptx_counts *n, struct err *e)
{
	struct recording *r = d->recording;
	uint64_t before, stream = 0;
	bool record;
	int rc;

	if (!is_active(d)) {
		report_child(r);
		return ptx_run(d->device, l, n, e);
	}
	if (is_skipped(r, l->kernel->name))
		return 0;
	record = matches_request(r, l->kernel->name) && !r->cut && (r->list || open_writer(r) == 0);
	if (record && !r->list && number_stream(d, &stream))
		record = false;
	set_launch_options(d, l, record, stream);
	before = record ? ptx_recorder_insts(r->recorder) : 0;
	rc = ptx_run(d->device, l, n, e);
	clear_line(r);
	if (n->at_once && add_name(&r->waited, l->kernel->name))
		driver_print("kernel '%s': a block waited for later ones, so %" PRIu64
			     " blocks took turns from there on (--cooperative lets them do so "
			     "from the start)",
			     l->kernel->name, n->at_once);
	if (record)
		end_launch(r, l, rc, ptx_recorder_insts(r->recorder) - before);
	recording_check_signal(d);
	if (rc == 0 && r->matched >= r->stop_after)
		recording_stop_after(d);
	return rc;
}
