/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace_tool.c - prints what a trace contains (info), its records (dump), and checks it.
 */
#include "trace/trace.h"
#include "base/human.h"
#include "base/shown.h"
#include "trace/ctr.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- info ---- */

static const char *
isa_name(uint32_t binary_version)
{
	static const char *const name[] = {"unknown", "Kepler", "Pascal", "Volta",
					   "Turing",  "Ampere", "Hopper", "Blackwell"};

	return binary_version == 89 ? "Ada" : name[isa_of(binary_version)];
}

static void
print_classes(const struct trace_kernel *k, FILE *to)
{
	const char *sep = "";
	int c;

	fprintf(to, "  classes   ");
	for (c = 0; c < OP_CLASSES; c++)
		if (k->class_warp_insts[c]) {
			fprintf(to, "%s%s %.1f%%", sep, op_class_name((enum op_class)c),
				100.0 * (double)k->class_warp_insts[c] / (double)k->warp_insts);
			sep = ", ";
		}
	fprintf(to, "%s\n", *sep ? "" : "none");
}

static void
print_kernel(const struct trace *t, uint32_t i, FILE *to)
{
	const struct trace_kernel *k = &t->pub[i];
	const struct kern *in = t->kern[i];
	uint64_t bytes = in->off[in->n_cta];
	char a[HUMAN], b[HUMAN];

	fprintf(to, "kernel %u  ", k->id);
	text_print(to, k->name);
	fputc('\n', to);
	fprintf(to, "  grid       %u x %u x %u = %s thread blocks of %u x %u x %u = %u threads\n",
		k->grid[0], k->grid[1], k->grid[2], human(a, k->n_cta), k->block[0], k->block[1],
		k->block[2], k->threads_per_cta);
	fprintf(to,
		"  resources  %u warps, %u registers per thread, %s bytes of shared memory per "
		"block\n",
		k->warps_per_cta, k->regs, human(a, k->shmem));
	fprintf(to, "  binary     version %u (%s), stream %" PRIu64 "\n", k->binary_version,
		isa_name(k->binary_version), k->stream);
	fprintf(to, "  work       %s warp instructions (%u different), %s thread instructions\n",
		human(a, k->warp_insts), k->n_inst, human(b, k->thread_insts));
	print_classes(k, to);
	fprintf(to, "  encoded    %s bytes, %.2f per warp instruction\n", human(a, bytes),
		k->warp_insts ? (double)bytes / (double)k->warp_insts : 0.0);
}

/* A line about streams, for a trace with commands of order. */
static void
print_order(const struct trace_info *in, FILE *to)
{
	uint32_t waits = 0, host = 0, streams = 0, i, k;

	for (i = 0; i < in->n_cmds; i++) {
		enum trace_cmd_kind kind = in->cmd[i].kind;

		waits += kind == TRACE_STREAM_WAIT;
		host += kind == TRACE_HOST_STREAM || kind == TRACE_HOST_EVENT ||
			kind == TRACE_HOST_ALL;
	}
	for (i = 0; i < in->n_kernels; i++) {
		for (k = 0; k < i && in->kernel[k].stream != in->kernel[i].stream; k++)
			;
		streams += k == i;
	}
	if (streams > 1)
		fprintf(to, "%u streams, %u waits between streams, %u waits of the program\n",
			streams, waits, host);
}

void
trace_print_info(const struct trace *t, FILE *to)
{
	const struct trace_info *in = &t->info;
	uint64_t copied = 0, insts = 0;
	uint32_t i, copies = 0;
	char a[HUMAN], b[HUMAN];

	for (i = 0; i < in->n_cmds; i++)
		if (in->cmd[i].kind == TRACE_MEMCPY_H2D) {
			copies++;
			copied += in->cmd[i].bytes;
		}
	for (i = 0; i < in->n_kernels; i++)
		insts += in->kernel[i].warp_insts;
	text_print(to, in->path);
	fputc('\n', to);
	fprintf(to, "%u kernel%s, %u cop%s to the device (%s bytes), %s warp instructions\n",
		in->n_kernels, in->n_kernels == 1 ? "" : "s", copies, copies == 1 ? "y" : "ies",
		human(a, copied), human(b, insts));
	print_order(in, to);
	fprintf(to, "digest %016" PRIx64 "\n", in->digest);
	for (i = 0; i < in->n_kernels; i++) {
		fputc('\n', to);
		print_kernel(t, i, to);
	}
}

/* ---- dump ---- */

static void
print_addresses(const struct cta_trace *c, const struct winst *w, FILE *to)
{
	const uint64_t *a = c->addr + w->at;
	uint32_t lane, left = w->mask;

	if (w->mode == ADDR_STRIDE) {
		fprintf(to, "  0x%" PRIx64 " %+" PRId64, a[0], (int64_t)a[1]);
		return;
	}
	for (; w->mode == ADDR_LIST && left; left &= left - 1) {
		lane = (uint32_t)__builtin_ctz(left);
		fprintf(to, "%s0x%" PRIx64, left == w->mask ? "  " : " ", a[lane]);
	}
}

static void
dump_cta(const struct trace_kernel *k, const struct cta_trace *c, int warp, FILE *to)
{
	uint32_t w, i;

	for (w = 0; w < c->n_warps; w++) {
		if (warp >= 0 && (uint32_t)warp != w)
			continue;
		fprintf(to, "kernel %u block %u,%u,%u warp %u: %u instructions\n", k->id, c->xyz[0],
			c->xyz[1], c->xyz[2], w, c->warp[w].n);
		for (i = 0; i < c->warp[w].n; i++) {
			const struct winst *r = &c->warp[w].rec[i];
			const struct inst *in = &k->inst[r->inst];

			fprintf(to, "%6u  %04x  %08x  %-7s ", i, in->pc, r->mask,
				op_class_name((enum op_class)in->cls));
			text_print(to, in->text);
			print_addresses(c, r, to);
			if (in->line) {
				fputs("  ; ", to);
				text_print(to, in->file ? k->files[in->file - 1] : "line");
				fprintf(to, ":%u", in->line);
			}
			fputc('\n', to);
		}
	}
}

int
trace_dump(struct trace *t, const struct trace_range *range, FILE *to, struct err *e)
{
	static const struct trace_range all = {.warp = -1};
	const struct trace_range *r = range ? range : &all;
	uint32_t i, n = t->info.n_kernels;
	uint64_t cta, end;

	if (r->kernel >= n)
		return err_set(e, "the trace has only %u kernel%s", n, n == 1 ? "" : "s");
	if (r->n_kernels)
		n = MIN(n, r->kernel + r->n_kernels);
	for (i = r->kernel; i < n; i++) {
		const struct trace_kernel *k = &t->info.kernel[i];

		if (r->cta >= k->n_cta)
			return err_set(e,
				       "kernel %u has only %" PRIu64
				       " thread blocks, counted from 0",
				       k->id, k->n_cta);
		if (r->warp >= (int)k->warps_per_cta)
			return err_set(
				e, "kernel %u has only %u warps per thread block, counted from 0",
				k->id, k->warps_per_cta);
		end = r->n_ctas ? MIN(k->n_cta, r->cta + r->n_ctas) : k->n_cta;
		for (cta = r->cta; cta < end; cta++) {
			const struct cta_trace *c = trace_pin(t, i, cta, e);

			if (!c)
				return -1;
			dump_cta(k, c, r->warp, to);
			trace_unpin(t, i, c);
			if (ferror(to))
				return err_set(e, "cannot write the dump: %s", strerror(errno));
		}
	}
	return 0;
}

/* ---- check ---- */

struct sums {
	uint64_t class_warp_insts[OP_CLASSES];
	uint64_t warp_insts, thread_insts;
	uint64_t no_exit; /* warps that do not end with an EXIT */
	struct hash content;
};

static void
sum_cta(const struct kern *k, const struct cta_trace *c, struct sums *s)
{
	uint32_t w, i;

	for (w = 0; w < c->n_warps; w++) {
		const struct wstream *ws = &c->warp[w];

		for (i = 0; i < ws->n; i++) {
			s->class_warp_insts[k->inst[ws->rec[i].inst].cls]++;
			s->thread_insts += (uint64_t)__builtin_popcount(ws->rec[i].mask);
		}
		s->warp_insts += ws->n;
		s->no_exit += ws->n && k->inst[ws->rec[ws->n - 1].inst].cls != OP_EXIT;
	}
}

static int
check_kernel(struct trace *t, uint32_t kernel, FILE *to, struct err *e)
{
	struct kern *k = t->kern[kernel], copy = {0};
	struct sums s = {0};
	uint64_t cta, linear;
	const uint8_t *p;
	size_t n;
	int marked = 0;
	char a[HUMAN], b[HUMAN];

	copy.is_stored = false;
	hash_init(&copy.content, 1);
	for (cta = 0; cta < k->n_cta && marked == 0; cta++) {
		struct cta_trace *c = trace_decode(t, kernel, cta, NULL, NULL, e);

		p = c ? trace_bytes(t, kernel, cta, &n, e) : NULL;
		if (!p || kern_append_cta(&copy, p, n, false)) {
			if (p)
				err_nomem(e);
			free(c);
			marked = -2;
			break;
		}
		sum_cta(k, c, &s);
		linear = c->xyz[0] + (uint64_t)k->pub.grid[0] *
					     (c->xyz[1] + (uint64_t)k->pub.grid[1] * c->xyz[2]);
		marked = kern_mark_cta(&copy, linear);
		free(c);
	}
	free(copy.off);
	free(copy.seen);
	if (marked == -2)
		return -1;
	if (marked)
		return marked < 0 ? err_nomem(e)
				  : err_at(e, t->path, 0, NULL, 0, 1,
					   "kernel %u has a thread block twice", k->pub.id);
	if (kern_content_hash(&copy) != kern_content_hash(k) || s.warp_insts != k->pub.warp_insts ||
	    s.thread_insts != k->pub.thread_insts ||
	    memcmp(s.class_warp_insts, k->pub.class_warp_insts, sizeof(s.class_warp_insts)) != 0)
		return err_at(e, t->path, 0, NULL, 0, 1,
			      "kernel %u: its thread blocks do not match its tables", k->pub.id);
	fprintf(to, "kernel %u ", k->pub.id);
	text_print(to, k->pub.name);
	fprintf(to, ": %s thread blocks, %s warp instructions, no damage\n", human(a, k->n_cta),
		human(b, s.warp_insts));
	if (s.no_exit)
		fprintf(to, "  %" PRIu64 " warps do not end in EXIT\n", s.no_exit);
	return 0;
}

int
trace_check(const char *path, FILE *to, struct err *e)
{
	struct trace *t = trace_open(path, e);
	uint32_t i;
	int r = t ? 0 : -1;

	for (i = 0; r == 0 && i < t->n_kern; i++)
		r = check_kernel(t, i, to, e);
	if (r == 0)
		fprintf(to, "digest %016" PRIx64 "\n", t->info.digest);
	trace_close(t);
	return r;
}

int
trace_check_sums(const char *path, struct err *e)
{
	struct trace *t = trace_open(path, e);
	int r = t ? 0 : -1;

	for (uint32_t i = 0; r == 0 && t->ctr && i < t->n_kern; i++)
		r = ctr_check_blocks(t->ctr, t->kern[i], e);
	trace_close(t);
	return r;
}
