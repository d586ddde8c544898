/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_session.c - any bytes as a session: each byte is a choice of tests/prop/sessions.h, what a
 * session does next and with which of its words.
 *
 * Promises: no crash, and all that sessions.h promises of digests, cycles, statistics and options.
 */
#define FUZZ_CORPUS "session"
#define FUZZ_COVERS "src/timeline/[bcmrt]*.c src/timeline/keeper.c src/sim/change.c"
#include "tests/fuzz/replay.h"

#include "tests/prop/sessions.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct trace *t;
	static struct walk w;
	struct walk_source from = {data, data + size, 0, false};

	if (!t)
		t = small_trace();
	if (size > 200)
		return 0;
	walk_session(&w, t, &from);
	if (w.broken[0])
		fprintf(stderr, "%s\n%s\n", w.broken, w.log);
	fuzz_check(!w.broken[0]);
	return 0;
}
