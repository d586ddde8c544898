/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * recording_end.c - ends a recording: at exit, after the last requested launch, or at a signal.
 *
 * Everything complete by then is kept: the launches before one that failed or was interrupted, and
 * the report of the checks.
 *
 * SIGHUP, SIGINT and SIGTERM are caught unless the program handles them itself. The handler only
 * wakes a thread, which waits for the driver's lock. A running launch is stopped after its current
 * CTA; all its threads have ended by then. Whoever gets the lock first gives the trace its name,
 * and then the signal has its usual effect.
 *
 * One request to end may arrive as several signals: timeout(1) signals its child and then the whole
 * group, and ctascope forwards the signals it gets. Signals after the first one therefore change
 * nothing, except for Ctrl-C at the terminal, which ends the program immediately.
 */
#include "record/cuda/recording.h"

#include "base/human.h"

#include <inttypes.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- messages ---- */

static void
report_nothing(const struct recording *r)
{
	if (!r->seen && r->skipped.n)
		driver_print(
			"nothing is recorded: --skip-kernel excludes every kernel that the program "
			"launched");
	else if (!r->seen && (r->failures & FAILED_LAUNCH))
		driver_print("nothing is recorded: every launch of the program failed");
	else if (!r->seen && r->failures)
		driver_print("nothing is recorded: the program's kernels could not be loaded");
	else if (!r->seen)
		driver_print("nothing is recorded: the program launched no kernels");
	else if (!r->matched)
		driver_print(
			"nothing is recorded: no kernel matches the pattern; the program launched "
			"%.800s%s",
			r->names.p ? r->names.p : "", r->names.n > 800 ? ", ..." : "");
	else
		driver_print("nothing is recorded: the program made only %" PRIu64
			     " matching launch%s",
			     r->matched, r->matched == 1 ? "" : "es");
}

static const char *
get_plural_suffix(uint64_t n)
{
	return n == 1 ? "" : "es";
}

/* ---- the report ---- */

static void
put_field(FILE *to, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, to);
		return;
	}
	fputc('"', to);
	for (; *text; text++)
		fputs(*text == '"' ? "\"\"" : (char[2]){*text, '\0'}, to);
	fputc('"', to);
}

/* Writes the message without the place, which has its own columns. */
static void
put_message(FILE *to, const struct ptx_finding *f)
{
	char text[sizeof(f->e.msg)];

	snprintf(text, sizeof(text), "%.*s", f->e.n_what, f->e.msg);
	put_field(to, text);
}

static const char *
check_name(enum ptx_check kind)
{
	return kind == CHECK_RACES  ? "race"
	       : kind == CHECK_INIT ? "not written"
	       : kind == CHECK_SHFL ? "shfl"
	       : kind == CHECK_SYNC ? "divergent barrier"
				    : "out of bounds";
}

static int
put_report(void *ctx, FILE *to, struct err *e ATTR_UNUSED)
{
	const struct recording *r = ctx;

	fputs("kernel,launch,cta_x,cta_y,cta_z,thread_x,thread_y,thread_z,check,ptx,ptx_line,"
	      "source,"
	      "times,what\n",
	      to);
	for (uint32_t i = 0; i < ptx_findings_n(r->findings); i++) {
		const struct ptx_finding *f = ptx_findings_at(r->findings, i);

		put_field(to, f->kernel);
		fprintf(to, ",%" PRIu64 ",%u,%u,%u,%u,%u,%u,%s,", f->launch, f->cta[0], f->cta[1],
			f->cta[2], f->thread[0], f->thread[1], f->thread[2], check_name(f->kind));
		put_field(to, f->e.file);
		fprintf(to, ",%" PRIu64 ",", f->e.line);
		put_field(to, f->source);
		fprintf(to, ",%" PRIu64 ",", f->times);
		put_message(to, f);
		fputc('\n', to);
	}
	return 0;
}

static void
write_report(struct recording *r)
{
	uint64_t times = 0, places = 0;
	struct err e = {0};

	for (uint32_t i = 0; r->findings && i < ptx_findings_n(r->findings); i++) {
		const struct ptx_finding *f = ptx_findings_at(r->findings, i);

		times += f->kind == CHECK_BOUNDS ? f->times : 0;
		places += f->kind == CHECK_BOUNDS;
	}
	if (places && r->on_oob == OOB_WARN)
		driver_print("%" PRIu64 " accesses out of bounds at %" PRIu64
			     " place%s: loads read 0, stores were dropped (--on-oob warn)",
			     times, places, places == 1 ? "" : "s");
	if (r->report && output_replace(r->report, 0, put_report, r, &e))
		driver_error(&e, CUDA_ERROR_UNKNOWN);
}

/* ---- the end ---- */

void
recording_free(struct recording *r)
{
	if (r->has_kernel)
		regfree(&r->kernel);
	if (r->has_skip)
		regfree(&r->skip);
	if (r->has_cooperative)
		regfree(&r->cooperative);
	ptx_findings_free(r->findings);
	sb_free(&r->names);
	sb_free(&r->skipped);
	sb_free(&r->waited);
	sb_free(&r->divergent);
	sb_free(&r->large);
	free(r->report);
	free(r->out);
	free(r);
}

static void
commit_trace(struct recording *r)
{
	struct err e = {0};
	char cut[100] = "", insts[HUMAN];

	if (r->cut)
		recording_notify(r->notify_fd, RECORD_CUT);
	if (r->cut)
		snprintf(cut, sizeof(cut),
			 "; launch %" PRIu64 " failed, the launches before it are kept", r->cut);
	if (trace_writer_commit(r->writer, &e) != 0) {
		driver_error(&e, CUDA_ERROR_UNKNOWN);
		recording_notify(r->notify_fd, RECORD_REPORTED);
	} else {
		driver_print("recorded %" PRIu64 " launch%s, %s warp instructions%s", r->recorded,
			     get_plural_suffix(r->recorded), human(insts, r->insts), cut);
	}
}

static void
end_list(struct recording *r)
{
	struct err e = {0};

	if (output_close(r->list, &e))
		driver_error(&e, CUDA_ERROR_UNKNOWN);
	ptx_recorder_free(r->recorder);
	if (!r->recorded)
		report_nothing(r);
	recording_notify(r->notify_fd,
			 RECORD_REPORTED + (r->seen || r->failures ? 0 : RECORD_NO_KERNEL));
}

static void
end_trace(struct recording *r)
{
	if (r->failed || !r->recorded || access(r->out, F_OK) == 0)
		recording_notify(r->notify_fd,
				 RECORD_REPORTED +
					 (r->failed || r->failures || r->seen || r->skipped.n
						  ? 0
						  : RECORD_NO_KERNEL));
	if (r->recorder)
		ptx_recorder_free(r->recorder);
	if (r->failed) {
		driver_print("nothing is recorded: a launch or its recording failed");
	} else if (!r->recorded) {
		report_nothing(r);
		trace_writer_abort(r->writer);
	} else if (access(r->out, F_OK) == 0) {
		driver_print(
			"the launches of this process are not recorded: another process of the "
			"program has already written the trace");
		trace_writer_abort(r->writer);
	} else {
		commit_trace(r);
	}
}

void
recording_end(struct driver *d)
{
	struct recording *r = d->recording;

	if (!r || r->pid != getpid())
		return;
	d->recording = NULL;
	write_report(r);
	if (r->list)
		end_list(r);
	else
		end_trace(r);
	recording_free(r);
}

void
recording_stop_after(struct driver *d)
{
	if (!d->recording || d->recording->pid != getpid())
		return;
	driver_print("the program ends here, after launch %" PRIu64 " (--stop-after)",
		     d->recording->matched);
	recording_end(d);
	fflush(NULL);
	_exit(0);
}

/* ---- signals ---- */

static atomic_int received_signal; /* the first signal; 0: none */
static sem_t signal_wakeup;
static pid_t owner;

static void
die_of_signal(int sig)
{
	sigset_t set;

	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
}

static void
on_signal(int sig, siginfo_t *info, void *context ATTR_UNUSED)
{
	bool typed = sig == SIGINT && info->si_code == SI_KERNEL;
	int none = 0;

	if (getpid() != owner) /* a forked child has no waiting thread */
		die_of_signal(sig);
	if (atomic_compare_exchange_strong(&received_signal, &none, sig))
		sem_post(&signal_wakeup);
	else if (typed)
		die_of_signal(sig);
}

void
recording_check_signal(struct driver *d)
{
	if (!received_signal)
		return;
	recording_end(d);
	die_of_signal(received_signal);
}

bool
recording_is_dying(void)
{
	return received_signal;
}

static void *
wait_for_signal(void *unused)
{
	struct driver *d;

	while (sem_wait(&signal_wakeup) != 0)
		;
	d = driver_lock();
	recording_check_signal(d);
	driver_unlock(&d);
	return unused;
}

void
recording_signals(void)
{
	static const int caught[] = {SIGHUP, SIGINT, SIGTERM};
	struct sigaction now,
		ours = {.sa_sigaction = on_signal, .sa_flags = SA_RESTART | SA_SIGINFO};
	sigset_t all, before;
	pthread_t thread;
	bool started;

	owner = getpid();
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	started = sem_init(&signal_wakeup, 0, 0) == 0 &&
		  pthread_create(&thread, NULL, wait_for_signal, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!started)
		return;
	pthread_detach(thread);
	for (size_t i = 0; i < ARRAY_LEN(caught); i++)
		if (sigaction(caught[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
			sigaction(caught[i], &ours, NULL);
}
