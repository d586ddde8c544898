/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * accelsim.c - several kernels at once, with gpu.kernel_share accelsim, against the reference
 * simulator (ctascope-model(7) 2.16): the cycle in which each kernel ends.
 *
 * The kernels are parts of those in tests/reference. The cycles are those of Accel-Sim 73f9fac and
 * GPGPU-Sim 667834c (both October 2024) with -gpgpu_concurrent_kernel_sm 1, measured on 28 November
 * 2026. Its kernelslist.g had the same copies and kernels. That build gives the cycles of
 * tests/reference for single kernels.
 */
#include "tests/sim/model.h"
#include "tests/tap.h"
#include <inttypes.h>

#define MOST_KERNELS 8

struct row {
	const char *what, *machine;
	unsigned window, latency; /* -gpgpu_max_concurrent_kernel, -gpgpu_kernel_launch_latency */
	/* NAME:STREAM:CTAS[:REGS[:SHMEM]] is a kernel: the first CTAs of NAME-120x256, in a stream,
	 * with other registers of a thread or bytes of shared memory unless these are 0.
	 * copy:ADDRESS:BYTES is a copy to the device. */
	const char *cmds;
	const char *ends; /* the cycles at which kernels end, in their order */
};

#define WINDOW "tail:1:33 smem:2:37 tail:1:20 alu1:3:25 smem:2:10"
#define COPIES                                                                                   \
	"copy:0x7fff00000000:65536 mixed:1:20 copy:0x7fff00080000:65536 l2reuse:2:15 tail:1:10 " \
	"smem:0:30"

/* clang-format off */
static const struct row rows[] = {
	{"small grids are not spread", "gtx480", 3, 0,
	 "smem:1:40:0:9000 tail:2:40 alu1:3:30", "4282 5363 6070"},
	{"both use L1 and memory", "gtx480", 3, 0, "mixed:1:45 l1reuse:2:30:40", "10158 20287"},
	{"a window of three", "gtx480", 3, 0, WINDOW, "4224 6203 7160 8041 8426"},
	{"copies and launch latencies", "gtx480", 2, 300, COPIES, "8349 10833 12653 14127"},
	{"clusters of three cores", "kay30", 3, 0,
	 "tail:1:120 smem:2:40 alu1:3:30", "7265 8727 9314"},
	{"a window of three", "kay30", 3, 0, WINDOW, "3182 6247 7293 7901 9252"},
	{"a younger kernel has its turn first", "kay30", 3, 0,
	 "smem:1:20 tail:2:20 alu1:3:120:63 tail:2:30 smem:1:30", "2469 6531 10635 11265 11671"},
	{"stream 0 waits for no other", "kay30", 3, 0, "tail:1:20 smem:0:20", "2210 4183"},
	{"copies and launch latencies", "kay30", 2, 300, COPIES, "12391 15685 16900 17727"},
	{"three kernels", "rtx3070", 3, 0, "tail:1:120 smem:2:40 alu1:3:30", "1427 1785 1842"},
	{"a window of three", "rtx3070", 3, 0, WINDOW, "1007 1689 1970 2464 3373"},
	{"two end in one cycle", "qv100", 2, 0,
	 "alu1:1:5 alu1:2:5 tail:1:4 smem:2:6", "1532 1532 2508 2932"},
};
/* clang-format on */

static void
add_copy(struct trace_writer *w, const char *cmd)
{
	struct err e = {0};
	uint64_t address, bytes;

	if (sscanf(cmd, "copy:%" SCNx64 ":%" SCNu64, &address, &bytes) != 2 ||
	    trace_writer_copy(w, address, bytes, &e) < 0)
		model_die(cmd, &e);
}

static void
add_kernel(struct trace_writer *w, const char *cmd)
{
	char name[32], trace[64];
	unsigned stream, ctas, regs = 0, shmem = 0;
	struct trace_kernel_desc d;
	struct trace *from;

	if (sscanf(cmd, "%31[^:]:%u:%u:%u:%u", name, &stream, &ctas, &regs, &shmem) < 3)
		model_die(cmd, NULL);
	snprintf(trace, sizeof(trace), "%s-120x256", name);
	from = model_reference(trace);
	d = model_kernel_desc(&trace_info(from)->kernel[0], ctas);
	d.id = 0;
	d.stream = stream;
	d.regs = regs ? regs : d.regs;
	d.shmem = shmem ? shmem : d.shmem;
	model_copy_kernel(w, from, 0, &d, UINT32_MAX);
	trace_close(from);
}

static struct trace *
make_trace(const struct row *r)
{
	struct err e = {0};
	struct trace_writer *w = trace_writer_new(NULL, &e);
	char list[256], *cmd, *rest = list;
	struct trace *t;

	snprintf(list, sizeof(list), "%s", r->cmds);
	while (w && (cmd = strsep(&rest, " ")))
		if (strncmp(cmd, "copy:", 5) == 0)
			add_copy(w, cmd);
		else
			add_kernel(w, cmd);
	t = w ? trace_writer_trace(w, &e) : NULL;
	if (!t)
		model_die(r->what, &e);
	return t;
}

static int
compare_cycles(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The ends of all kernels in order, in text. */
static void
list_ends(const struct sim *s, char *text, size_t size)
{
	const unsigned n = sim_trace(s)->n_kernels;
	uint64_t end[MOST_KERNELS];
	size_t at = 0;

	for (unsigned i = 0; i < n; i++)
		end[i] = sim_kernel_end(s, i);
	qsort(end, n, sizeof(*end), compare_cycles);
	for (unsigned i = 0; i < n; i++)
		at += (size_t)snprintf(text + at, size - at, "%s%" PRIu64, i ? " " : "", end[i]);
}

static void
compare(const struct row *r)
{
	struct trace *t = make_trace(r);
	struct config *c = model_config(r->machine, "rr");
	char ends[200];
	struct sim *s;

	model_set(c, "gpu.kernel_share", "accelsim");
	model_set_u(c, "gpu.concurrent_kernels", r->window);
	model_set_u(c, "gpu.launch_latency", r->latency);
	s = model_sim(c, t);
	model_run(s);
	list_ends(s, ends, sizeof(ends));
	is_str(ends, r->ends, "%s: %s", r->machine, r->what);
	sim_free(s);
	config_free(c);
	trace_close(t);
}

int
main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		compare(&rows[i]);
	return done();
}
