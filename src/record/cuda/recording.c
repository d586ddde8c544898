/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * recording.c - what `ctascope record` asks for: launches become kernels of a trace.
 *
 * The variables of record_env.def say what to record. Launches are numbered from 1 in the order the
 * program makes them, those whose kernel does not match the pattern not counted. Copies from the
 * host are recorded as they happen. The trace is put in place when the process ends by exit; a
 * process that dies otherwise leaves nothing under its name, and ctascope, which waits for it,
 * removes the rest. A fault in a recorded launch, or a trace that cannot be written, ends the
 * recording, not the program.
 */
#include "record/cuda/driver.h"

#include "base/clock.h"
#include "record/ptx/ptx_record.h"
#include "trace/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct recording {
	char *out;
	regex_t kernel;
	bool has_kernel;
	uint64_t first, last; /* launches */
	uint64_t max_insns;
	uint32_t checks, regs;
	int tell;  /* record_told.def */
	pid_t pid; /* who records: not a child it forks */

	struct trace_writer *writer; /* NULL: nothing was recorded yet */
	struct ptx_recorder *recorder;
	bool failed, child_said;
	uint64_t seen, matched, recorded; /* launches */
	char names[200];		  /* of kernels seen, for a message */

	/* progress of the launch under way */
	double next; /* when to draw again */
	bool terminal, shown;
	const char *running;
};

/* ---- what is asked for ---- */

enum env {
#define RECORD_ENV(name, variable) ENV_##name,
#include "record/cuda/record_env.def"
#undef RECORD_ENV
	ENVS
};

enum record_told {
#define RECORD_TOLD(name, value) RECORD_##name = (value),
#include "record/cuda/record_told.def"
#undef RECORD_TOLD
};

static const char *const env_name[ENVS] = {
#define RECORD_ENV(name, variable) variable,
#include "record/cuda/record_env.def"
#undef RECORD_ENV
};

static uint64_t
number(enum env v, uint64_t value)
{
	const char *s = getenv(env_name[v]);

	return s && *s ? strtoull(s, NULL, 10) : value;
}

/* The program may have closed the descriptor, and opened something of its own. */
static void
tell(int fd, uint64_t what)
{
	char name[40], is[40];
	ssize_t n;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	n = readlink(name, is, sizeof(is));
	if (n != 20 || memcmp(is, "anon_inode:[eventfd]", 20) != 0)
		return;
	if (write(fd, &what, sizeof(what)) < 0) {
		/* then nothing is known of it there */
	}
}

void
recording_tell_said(const struct driver *d)
{
	if (d->recording && d->recording->pid == getpid())
		tell(d->recording->tell, RECORD_SAID);
}

struct recording *
recording_new(void)
{
	const char *out = getenv(env_name[ENV_OUT]), *kernel = getenv(env_name[ENV_KERNEL]);
	struct recording *r;

	if (!out || !*out)
		return NULL;
	r = calloc(1, sizeof(*r));
	if (!r || !(r->out = strdup(out))) {
		free(r);
		driver_say("out of memory: nothing is recorded");
		return NULL;
	}
	/* ctascope has compiled the pattern before */
	r->has_kernel =
		kernel && *kernel && regcomp(&r->kernel, kernel, REG_EXTENDED | REG_NOSUB) == 0;
	r->first = number(ENV_FIRST, 1);
	r->last = number(ENV_LAST, UINT64_MAX);
	r->max_insns = number(ENV_MAX_INSNS, 0);
	r->checks = (uint32_t)number(ENV_CHECKS, 0);
	r->regs = (uint32_t)number(ENV_REGS, 0);
	r->pid = getpid();
	r->tell = (int)number(ENV_TELL, INT_MAX);
	tell(r->tell, RECORD_BEGUN);
	r->terminal = isatty(STDERR_FILENO);
	r->next = clock_seconds() + 1;
	return r;
}

static bool
active(const struct driver *d)
{
	return d->recording && !d->recording->failed && d->recording->pid == getpid();
}

static bool
matches(struct recording *r, const char *name)
{
	size_t n = strlen(r->names);

	r->seen++;
	if (!strstr(r->names, name) && n + strlen(name) + 8 < sizeof(r->names))
		snprintf(r->names + n, sizeof(r->names) - n, "%s%s", n ? ", " : "", name);
	if (r->has_kernel && regexec(&r->kernel, name, 0, NULL, 0) != 0)
		return false;
	r->matched++;
	return r->matched >= r->first && r->matched <= r->last;
}

/* ---- writing ---- */

/* The recording ends here, and the program goes on. e NULL: somebody else says why. */
static void
give_up(struct recording *r, const struct err *e)
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
	r->recorder = r->writer ? ptx_recorder_new(r->writer, &e) : NULL;
	if (r->recorder)
		return 0;
	give_up(r, &e);
	return -1;
}

void
recording_copy(struct driver *d, uint64_t addr, uint64_t bytes)
{
	struct err e = {0};

	if (!active(d) || d->recording->matched >= d->recording->last ||
	    open_writer(d->recording) != 0)
		return;
	if (trace_writer_copy(d->recording->writer, addr, bytes, &e) != 0)
		give_up(d->recording, &e);
}

/* ---- progress ---- */

static void
clear_line(struct recording *r)
{
	if (r->shown)
		fputs("\r\033[K", stderr);
	r->shown = false;
}

/* From the second second on: a line drawn again and again on a terminal, else one in ten seconds.
 */
static void
on_progress(void *ctx, uint64_t done, uint64_t all)
{
	struct recording *r = ctx;
	double now = clock_seconds();

	if (now < r->next)
		return;
	r->next = now + (r->terminal ? 0.25 : 10);
	fprintf(stderr, "%srecord: launch %" PRIu64 ", %s: %" PRIu64 " of %" PRIu64 " CTAs%s",
		r->terminal ? "\r" : "", r->seen, r->running, done, all,
		r->terminal ? "\033[K" : "\n");
	fflush(stderr);
	r->shown = r->terminal;
}

/* ---- launches ---- */

/* What a child does that the program forks runs as well, but it is in no trace. */
static void
say_child(struct recording *r)
{
	if (!r || r->pid == getpid() || r->child_said)
		return;
	r->child_said = true;
	driver_say("process %ld was forked by the recorded one, %ld: its launches run and are not "
		   "recorded",
		   (long)getpid(), (long)r->pid);
}

int
recording_run(struct driver *d, struct ptx_launch *l, struct ptx_counts *n, struct err *e)
{
	struct recording *r = d->recording;
	bool record;
	int rc;

	if (!active(d)) {
		say_child(r);
		return ptx_run(d->device, l, n, e);
	}
	l->max_insns = r->max_insns;
	l->progress = on_progress;
	l->progress_ctx = r;
	r->running = l->kernel->name;
	record = matches(r, l->kernel->name) && open_writer(r) == 0;
	if (record) {
		l->checks = r->checks;
		l->sink = ptx_recorder_sink(r->recorder);
		ptx_recorder_set_regs(r->recorder, r->regs);
	}
	rc = ptx_run(d->device, l, n, e);
	clear_line(r);
	if (rc == 0 && record) {
		r->recorded++;
	} else if (record) {
		give_up(r, NULL);
	}
	return rc;
}

/* ---- the end ---- */

static void
nothing(const struct recording *r)
{
	if (!r->seen)
		driver_say("the program launched no kernel: nothing is recorded");
	else if (!r->matched)
		driver_say("no kernel matches the pattern: nothing is recorded; launched were %s",
			   r->names);
	else
		driver_say("only %" PRIu64 " launch%s: nothing is recorded", r->matched,
			   r->matched == 1 ? "" : "es");
}

void
recording_end(struct driver *d)
{
	struct recording *r = d->recording;
	uint64_t insts = r && r->recorder ? ptx_recorder_insts(r->recorder) : 0;
	struct err e = {0};

	if (!r || r->pid != getpid())
		return;
	if (r->failed || !r->recorded || access(r->out, F_OK) == 0)
		tell(r->tell, RECORD_SAID);
	if (r->recorder)
		ptx_recorder_free(r->recorder);
	if (r->failed) {
		driver_say("a launch or its recording failed: nothing is recorded");
	} else if (!r->recorded) {
		nothing(r);
		trace_writer_abort(r->writer);
	} else if (access(r->out, F_OK) == 0) {
		driver_say("another process of the program has recorded already: what this one did "
			   "is not recorded");
		trace_writer_abort(r->writer);
	} else if (trace_writer_commit(r->writer, &e) != 0) {
		driver_error(&e, CUDA_ERROR_UNKNOWN);
		tell(r->tell, RECORD_SAID);
	} else {
		driver_say("recorded %" PRIu64 " launch%s, %" PRIu64 " warp instructions",
			   r->recorded, r->recorded == 1 ? "" : "es", insts);
	}
	if (r->has_kernel)
		regfree(&r->kernel);
	free(r->out);
	free(r);
	d->recording = NULL;
}
