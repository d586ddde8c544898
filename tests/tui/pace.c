/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pace.c - frames keep to their share of the processor and of the line. */
#include "tui/pace.h"

#include "tests/tap.h"

struct frames {
	unsigned n;
	double processor, bytes; /* used by frames */
};

/* Ticks every 33 ms for that many seconds, of which the process gets the share `busy`. Each frame
 * costs ms milliseconds of the processor and a number of bytes; every key-th tick draws one even if
 * none is due. */
static struct frames
run(double seconds, double busy, double ms, unsigned bytes, unsigned key)
{
	struct pace p = {0};
	struct frames f = {0};
	unsigned tick = 0;

	for (double clock = 5; clock < 5 + seconds; clock += 0.033, tick++) {
		double processor = (clock - 5) * busy;

		if (!pace_due(&p, processor, clock) && !(key && tick % key == 0))
			continue;
		pace_drew(&p, processor, clock, ms / 1e3, 0.05, bytes, 20000);
		f.n++;
		f.processor += ms / 1e3;
		f.bytes += bytes;
	}
	return f;
}

int
main(void)
{
	struct pace p = {0};
	struct frames f;

	ok(pace_due(&p, 0.001, 1000), "the first frame is due");
	f = run(10, 1, 0.5, 100, 0);
	ok(f.n >= 300, "cheap frames come at every tick: %u", f.n);
	f = run(10, 1, 5, 100, 0);
	ok(f.n >= 75 && f.processor <= 0.51, "dear ones take a twentieth: %u, %.2f s", f.n,
	   f.processor);
	f = run(10, 0.25, 5, 100, 0);
	ok(f.n >= 19 && f.processor <= 0.13, "of what the process gets: %u, %.3f s", f.n,
	   f.processor);
	f = run(10, 1, 0.5, 2000, 0);
	ok(f.n >= 75 && f.bytes <= 202000, "large ones share the line: %u, %.0f bytes", f.n,
	   f.bytes);
	f = run(10, 1, 0.5, 2000, 30);
	ok(f.bytes <= 205000, "keys' frames count, too: %.0f bytes", f.bytes);
	/* an hour in the shell */
	p = (struct pace){0};
	pace_drew(&p, 1, 100, 0.001, 0.05, 1000, 20000);
	ok(!pace_due(&p, 1.01, 100.03) && pace_due(&p, 1.021, 3700), "after a pause it goes on");
	return done();
}
