/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * twin.c - the numbers of two runs beside each other, at a cycle within a sample: the IPC of the
 * run, which the header and both halves show, and the lead.
 */
#include "tests/tui/on_screen.h"
#include "tui/twin_view.h"

#include <locale.h>
#include <math.h>

#define PRESENT 700 /* in the eleventh sample, which ends at 704 */
#define NEAR 20	    /* cycles by which work within a sample may be uneven */

static double
value_of(const struct sim *sim, const char *path)
{
	uint64_t id;

	return sim_path(sim, path, &id, NULL) == 1 ? sim_value(sim, id, 0) : (double)NAN;
}

/* Checks the i-th "IPC of the run" on the screen. */
static void
check_ipc(const char *text, unsigned i, unsigned decimals, const struct sim *sim, const char *what)
{
	static const char label[] = "IPC of the run ";
	const char *at = strstr(text, label);
	char shown[32] = "", wanted[32];

	for (; at && i; i--)
		at = strstr(at + 1, label);
	if (at)
		sscanf(at + strlen(label), "%31[0-9.]", shown);
	snprintf(wanted, sizeof(wanted), "%.*f", (int)decimals, value_of(sim, "gpu.ipc"));
	if (!ok(strcmp(shown, wanted) == 0, "%s shows gpu.ipc, %s (%s)", what, wanted, shown))
		diag("%s", text);
}

/* Returns the thread instructions of the session's run at a cycle. */
static double
work_at_cycle(double cycle)
{
	char line[40];

	snprintf(line, sizeof(line), "goto %.0f", cycle);
	command(line);
	return value_of(session_sim(session), "gpu.thread_insts");
}

static void
test_present(void)
{
	struct err e = {0};
	double work, lead;
	char *text;

	open_small_screen("rr", PRESENT, 140, 40);
	if (!ok(session_split(session, "static:n=1", &e) == 0, "another run: %s", e.msg))
		return;
	for (unsigned i = 0; i < 1000 && sim_cycle(session_twin(session)) < PRESENT; i++)
		twin_follow(&s, 1);
	screen_draw(&s);
	text = screen_text();
	check_ipc(text, 0, 0, session_sim(session), "the header");
	check_ipc(text, 1, 1, session_sim(session), "the first half");
	check_ipc(text, 2, 1, session_twin(session), "the second half");
	free(text);
	command("cursor 256");
	screen_draw(&s);
	text = screen_text();
	ok(!strstr(text, "IPC of the run") && strstr(text, "IPC up to then"),
	   "at a cursor in the past it is that up to then");
	free(text);
	ok(session_exec(session, "diverge") != SESSION_OK &&
		   strstr(session_log_line(session, session_log_count(session) - 1, NULL),
			  "'split first'"),
	   "diverge beside another run points to split first");
	lead = twin_lead(&s, PRESENT);
	work = value_of(session_twin(session), "gpu.thread_insts");
	ok(lead > 0, "the first run leads, by %.1f cycles", lead);
	ok(work_at_cycle(PRESENT - lead - NEAR) < work &&
		   work_at_cycle(PRESENT - lead + NEAR) > work,
	   "so many cycles earlier it had done what the other one has done now");
	close_screen();
}

int
main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	test_present();
	return done();
}
