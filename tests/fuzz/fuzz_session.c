/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_session.c - any bytes as a session: each byte chooses what a session of
 * tests/prop/sessions.h does next and with which of its words.
 *
 * Requirements: no crash, and everything that sessions.h checks of digests, cycles, statistics and
 * options.
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
