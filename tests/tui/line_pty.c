/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * line_pty.c - the screen on a fast line, a slow line and a dead line: the model does not wait for
 * the line, and the last picture is complete.
 */
#include "base/clock.h"
#include "tests/tui/on_terminal.h"

#include <unistd.h>

#define ROWS 60
#define COLS 200
#define SECONDS "2"

/* Starts the program on a large screen with a machine that fills it, to run for SECONDS. */
static bool
start_large(void)
{
	char path[4200];
	const char *const words[] = {"--tui",
				     "-n",
				     "-p",
				     "dyncta+claso",
				     "-o",
				     "run.max_seconds=" SECONDS,
				     "-o",
				     "ui.line_rate=20000",
				     find_trace("phase", path),
				     NULL};
	static const char *const settings[] = {"CTASCOPE_FAULT=slow=50", NULL};
	bool up = start_program(ROWS, COLS, words, settings, "q quit");

	vth_send(&h, ":budget 100\r");
	vth_settle(&h);
	return up;
}

/* Returns the cycle at which the time was over, after which the screen must be complete. */
static unsigned long
finish_large(const char *what)
{
	char row[8192], before[ROWS][1024];
	unsigned long cycle = 0;
	unsigned wrong = 0;

	h.rate = 0;
	bool ended = text("reached, cycle ", 20000);
	vth_settle(&h);
	seen(ended, what);
	for (int y = 0; y < ROWS; y++) {
		char *at = strstr(vth_row(&h, y, row, sizeof(row)), "reached, cycle ");
		if (at)
			cycle = strtoul(at + 15, NULL, 10);
		snprintf(before[y], sizeof(before[y]), "%.1000s", row);
	}
	vth_send(&h, "\014"); /* all of it anew */
	vth_settle(&h);
	for (int y = 0; y < ROWS; y++)
		if (y != ROWS - 2 && /* where the key removed a notice */
		    strncmp(vth_row(&h, y, row, sizeof(row)), before[y], 1000) != 0 && wrong++ < 3)
			diag("row %d was '%s', anew '%s'", y, before[y], row);
	seen(wrong == 0, "the last picture is complete");
	leave_with("q");
	return cycle;
}

/* Counts the different headers seen within ms. */
static unsigned
count_pictures(int ms)
{
	unsigned n = 0;

	for (int i = 0; i < ms / 50; i++) {
		remember_header();
		vth_pump(&h, 50);
		n += header_moved(&h);
	}
	return n;
}

/* Returns the cycles of a run on a fast line, and the bytes of its pictures. */
static unsigned long
on_fast_line(void)
{
	double began;
	size_t bytes;

	ok(start_large(), "a large screen, a line that takes all");
	bytes = h.bytes;
	began = clock_seconds();
	vth_send(&h, " ");
	vth_pump(&h, 2000);
	bytes = h.bytes - bytes;
	began = clock_seconds() - began;
	ok(bytes > 5000 && (double)bytes <= 30000 * began,
	   "ui.line_rate: %zu bytes in %.2f seconds, of 30000 in one", bytes, began);
	return finish_large("the time is up");
}

/* The same on a line that does not take all bytes, and how many pictures arrive. */
static unsigned long
on_slow_line(unsigned *pictures)
{
	ok(start_large(), "a line of 20000 bytes per second");
	vth_send(&h, " ");
	h.rate = 20000;
	*pictures = count_pictures(2000);
	return finish_large("the time is up");
}

static unsigned long
on_dead_line(unsigned *pictures)
{
	ok(start_large(), "a line that takes nothing");
	vth_send(&h, " ");
	usleep(2500000);
	*pictures = 0;
	return finish_large("the time is up");
}

/* A slow line, or one that takes nothing for a while, must not delay the model. If it did, every
 * try would fail, but a loaded machine, which gives some runs less time, makes a correct one fail
 * at times: so there are three tries. */
static void
test_slow_line(void)
{
	static const struct {
		unsigned long (*run)(unsigned *pictures);
		unsigned least; /* pictures */
	} line[] = {{on_slow_line, 3}, {on_dead_line, 0}};
	unsigned long fast = on_fast_line(), n = 0;

	for (size_t i = 0; i < sizeof(line) / sizeof(line[0]); i++) {
		unsigned pictures = 0;
		bool good = false;

		for (int tries = 0; tries < 3 && !good; tries++) {
			if (tries)
				fast = on_fast_line();
			n = line[i].run(&pictures);
			good = n * 10 >= fast * 8 && pictures >= line[i].least;
			if (!good)
				diag("%lu cycles, %lu on the fast line, %u pictures", n, fast,
				     pictures);
		}
		ok(good, "%lu cycles, %lu on the fast line; %u pictures arrive, %u at least", n,
		   fast, pictures, line[i].least);
	}
}

int
main(void)
{
	if (tap_skip_slow() || tap_skip(child_no_pty()))
		return done();
	find_program();
	test_slow_line();
	return done();
}
