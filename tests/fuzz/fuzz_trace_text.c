/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_trace_text.c - any bytes as a .traceg or kernelslist.g, plain or compressed.
 *
 * Requirements: no crash; a rejected text has an error with a message and a caret on it; an
 * accepted one can be decoded, has the work that its totals say, and is the same trace when written
 * as text again.
 */
#define FUZZ_CORPUS "trace_text"
#define FUZZ_COVERS "src/trace/traceg*.c src/trace/in.c src/trace/list.c"
#include "tests/fuzz/replay.h"

#include "base/strbuf.h"
#include "trace/trace.h"
#include "trace/trace_build.h"
#include "trace/trace_obj.h"
#include "trace/traceg.h"

#include <string.h>

/* Writes the kernel as text and decodes every block. */
static void
write_text(struct trace *t, struct strbuf *out)
{
	const struct kern *k = t->kern[0];
	uint64_t cta, present, insts = 0;
	uint8_t *mode;
	uint32_t w;

	sb_add(out, k->head.p, k->head.n);
	for (cta = 0; cta < k->n_cta; cta++) {
		struct err e = {0};
		struct cta_trace *c = trace_decode(t, 0, cta, &mode, &present, &e);

		fuzz_check(c);
		for (w = 0; w < c->n_warps; w++)
			insts += c->warp[w].n;
		traceg_write_cta(k, c, mode, present, cta == 0, out);
		free(mode);
		free(c);
	}
	fuzz_check(insts == k->pub.warp_insts);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err e = {0};
	struct trace *t = trace_from_bytes("fuzz", data, size, &e), *again;
	struct strbuf text = {0};

	if (!t) {
		fuzz_check(e.set && e.msg[0] && !strchr(e.msg, '\n'));
		fuzz_check(!e.text[0] ||
			   (e.col >= 0 && (size_t)e.col <= strlen(e.text) && e.len >= 1));
		return 0;
	}
	/* A kernel that mixes warps (tracers before 3) may number its instructions differently. */
	if (t->n_kern == 1 && t->n_cmd == 1) {
		write_text(t, &text);
		again = trace_from_bytes("again", text.p, text.n, &e);
		fuzz_check(again);
		fuzz_check(t->kern[0]->tracer_version < 3 ||
			   t->kern[0]->n_inst == again->kern[0]->n_inst);
		fuzz_check(t->kern[0]->pub.thread_insts == again->kern[0]->pub.thread_insts);
		trace_close(again);
	}
	sb_free(&text);
	trace_close(t);
	return 0;
}
