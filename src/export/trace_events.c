/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace_events.c - writes the run as trace events in JSON, which Perfetto and chrome://tracing
 * open.
 *
 * The GPU is a process with the kernels as slices and counters; a core is a process with a thread
 * for each CTA slot: CTAs are slices, their pauses slices within, decisions instants. A cycle is
 * shown as a microsecond. Events and samples that are no longer kept are missing, as in the tables.
 */
#include "export/export.h"

#include "base/json.h"
#include "base/output.h"
#include "export/lifetimes.h"

#include <inttypes.h>
#include <math.h>

#define PROCESS_GPU 1
#define PROCESS_CORE_0 10

struct writer {
	const struct export_job *j;
	FILE *to;
	bool has_events; /* an event has been written */
	bool no_memory;	 /* some CTAs are missing */
};

static bool
is_stopped(const struct writer *w)
{
	return w->j->stop && *w->j->stop;
}

/* Cuts [from, to) to the requested range; false: nothing remains. */
static bool
cut_to_range(const struct writer *w, cycle_t *from, cycle_t *to)
{
	*from = MAX(*from, w->j->from);
	*to = MIN(*to, w->j->to);
	return *from < *to || (*from == *to && *from >= w->j->from);
}

static void
begin_event(struct writer *w, char phase, unsigned process, unsigned thread)
{
	fprintf(w->to, "%s\n{\"ph\":\"%c\",\"pid\":%u,\"tid\":%u", w->has_events ? "," : "", phase,
		process, thread);
	w->has_events = true;
}

static void
put_name(struct writer *w, const char *name)
{
	fputs(",\"name\":", w->to);
	json_put_string(w->to, name);
}

/* Names a process or a thread. */
static void
put_label(struct writer *w, const char *what, unsigned process, unsigned thread, const char *name)
{
	begin_event(w, 'M', process, thread);
	put_name(w, what);
	fputs(",\"args\":{\"name\":", w->to);
	json_put_string(w->to, name);
	fputs("}}", w->to);
}

/* Writes the start of a slice; the caller writes the rest and closes it. False: it is outside the
 * range. */
static bool
begin_slice(struct writer *w, unsigned process, unsigned thread, cycle_t from, cycle_t to)
{
	if (!cut_to_range(w, &from, &to))
		return false;
	begin_event(w, 'X', process, thread);
	fprintf(w->to, ",\"ts\":%" PRIu64 ",\"dur\":%" PRIu64, from, to - from);
	return true;
}

/* The thread of a kernel: one for all or, where several run at once, one for each stream, because
 * slices of a thread may not overlap. */
static unsigned
get_kernel_thread(const struct sim *s, unsigned kernel)
{
	return sim_runs_together(s) ? 2 + (unsigned)sim_kernel(s, kernel)->stream : 1;
}

static void
write_labels(struct writer *w)
{
	unsigned cores = sim_instances(w->j->sim, "core");
	struct core_view v;
	char name[40];

	put_label(w, "process_name", PROCESS_GPU, 0, "GPU");
	put_label(w, "thread_name", PROCESS_GPU, 1, "kernels");
	for (unsigned k = 0; k < sim_kernels_started(w->j->sim); k++) {
		snprintf(name, sizeof(name), "stream %" PRIu64, sim_kernel(w->j->sim, k)->stream);
		if (get_kernel_thread(w->j->sim, k) != 1)
			put_label(w, "thread_name", PROCESS_GPU, get_kernel_thread(w->j->sim, k),
				  name);
	}
	for (unsigned c = 0; c < cores; c++) {
		snprintf(name, sizeof(name), "core %u", c);
		put_label(w, "process_name", PROCESS_CORE_0 + c, 0, name);
		sim_core_view(w->j->sim, c, &v);
		for (unsigned i = 0; i < v.n_slots; i++) {
			snprintf(name, sizeof(name), "slot %u", i);
			put_label(w, "thread_name", PROCESS_CORE_0 + c, i + 1, name);
		}
	}
}

static void
write_kernels(struct writer *w)
{
	const struct sim *s = w->j->sim;
	unsigned n = sim_kernels_started(s);

	for (unsigned k = 0; k < n && !is_stopped(w); k++) {
		cycle_t end = sim_kernel_end(s, k);

		if (sim_kernel_start(s, k) == CYCLE_NEVER ||
		    !begin_slice(w, PROCESS_GPU, get_kernel_thread(s, k), sim_kernel_start(s, k),
				 end == CYCLE_NEVER ? sim_cycle(s) : end))
			continue;
		put_name(w, sim_kernel(s, k)->name);
		fprintf(w->to, ",\"cat\":\"kernel\",\"args\":{\"kernel\":%u}}", k + 1);
	}
}

static void
write_pauses(struct writer *w, const struct cta_lifetimes *l, const struct cta_lifetime *c)
{
	for (uint32_t i = c->first_pause; i != NO_PAUSE; i = l->pause[i].next) {
		const struct cta_pause *p = &l->pause[i];

		if (!begin_slice(w, PROCESS_CORE_0 + (unsigned)c->core, (unsigned)c->slot + 1,
				 MAX(p->from, lifetime_begin(l, c)),
				 MIN(p->to, lifetime_end(l, c))))
			continue;
		put_name(w, p->held ? "held" : "paused");
		fputs(",\"cat\":\"pause\"}", w->to);
	}
}

static void
write_ctas(struct writer *w)
{
	struct cta_lifetimes l = {0};
	char name[40];

	lifetimes_read(&l, w->j->sim);
	w->no_memory = l.no_memory;
	for (size_t i = 0; i < l.n && !is_stopped(w); i++) {
		const struct cta_lifetime *c = &l.cta[i];

		if (!begin_slice(w, PROCESS_CORE_0 + (unsigned)c->core, (unsigned)c->slot + 1,
				 lifetime_begin(&l, c), lifetime_end(&l, c)))
			continue;
		snprintf(name, sizeof(name), "CTA %" PRIu32, c->cta);
		put_name(w, name);
		fprintf(w->to,
			",\"cat\":\"cta\",\"args\":{\"kernel\":%" PRIu32 ",\"pauses\":%" PRIu32
			"}}",
			c->kernel + 1, c->pauses);
		write_pauses(w, &l, c);
	}
	lifetimes_free(&l);
}

static void
write_decisions(struct writer *w)
{
	const struct event_ring *r = sim_events(w->j->sim);
	char text[400];

	for (uint64_t seq = r->first; seq < r->next && !is_stopped(w); seq++) {
		const struct event *ev = event_ring_get(r, seq);

		if (!ev || ev->core < 0 || ev->cycle < w->j->from || ev->cycle > w->j->to ||
		    !sim_event_is_decision(ev) || ev->kind == EV_CTA_ISSUE ||
		    ev->kind == EV_CTA_DONE || ev->kind == EV_CREDIT)
			continue;
		begin_event(w, 'i', PROCESS_CORE_0 + (unsigned)ev->core,
			    ev->slot >= 0 ? (unsigned)ev->slot + 1 : 0);
		fprintf(w->to, ",\"ts\":%" PRIu64 ",\"s\":\"%c\",\"cat\":\"decision\"", ev->cycle,
			ev->slot >= 0 ? 't' : 'p');
		put_name(w, event_rows[ev->kind].name);
		sim_event_sentence(w->j->sim, ev, text, sizeof(text));
		fputs(",\"args\":{\"why\":", w->to);
		json_put_string(w->to, text);
		fputs("}}", w->to);
	}
}

/* Writes a sample of a counter; an unknown value has no event. */
static void
put_counter(struct writer *w, unsigned process, cycle_t at, const char *name, double v)
{
	if (!isfinite(v))
		return;
	begin_event(w, 'C', process, 0);
	fprintf(w->to, ",\"ts\":%" PRIu64, at);
	put_name(w, name);
	fprintf(w->to, ",\"args\":{\"value\":%.6g}}", v);
}

/* In this format a counter keeps its value from the time stamp on. A rate is valid during its
 * sample, so it gets the time of the start; a limit and a number of CTAs were read at the end. */
static void
write_counters(struct writer *w)
{
	const struct sim *s = w->j->sim;
	unsigned cores = sim_instances(s, "core");

	for (unsigned i = 0; i < series_count(s) && !is_stopped(w); i++) {
		cycle_t end = series_end(s, i), at = end - series_span(s, i);

		if (at < w->j->from || at > w->j->to)
			continue;
		put_counter(w, PROCESS_GPU, at, "IPC", series_gpu(s, SG_IPC, i));
		put_counter(w, PROCESS_GPU, at, "RACT", series_gpu(s, SG_RACT, i));
		for (unsigned c = 0; c < cores; c++) {
			put_counter(w, PROCESS_CORE_0 + c, end, "CTAs running",
				    series_core(s, SC_RUNNING, c, i));
			put_counter(w, PROCESS_CORE_0 + c, end, "limit n",
				    series_core(s, SC_LIMIT, c, i));
			put_counter(w, PROCESS_CORE_0 + c, at, "IPC", series_core(s, SC_IPC, c, i));
		}
	}
}

int
export_trace_events(const struct export_job *j, FILE *to, struct err *e)
{
	struct writer w = {.j = j, .to = to};

	fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"program\":\"ctascope\","
	      "\"time\":\"1 us is 1 cycle\"},\"traceEvents\":[",
	      to);
	write_labels(&w);
	write_kernels(&w);
	write_ctas(&w);
	write_decisions(&w);
	write_counters(&w);
	fputs("\n]}\n", to);
	if (w.no_memory)
		return err_nomem(e);
	return is_stopped(&w) ? err_set(e, "export events: interrupted; nothing was written") : 0;
}

struct job_pointer {
	const struct export_job *j;
};

static int
write_job(void *job, FILE *to, struct err *e)
{
	return export_trace_events(((struct job_pointer *)job)->j, to, e);
}

int
export_trace_events_file(const struct export_job *j, const char *path, struct err *e)
{
	struct job_pointer job = {j};

	return output_replace(path, 0, write_job, &job, e);
}
