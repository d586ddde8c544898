/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session.c - a session on the small machine, tested through its contract: the status of commands,
 * the calls of front ends, the log, interruption; and the table of commands. Completion is in
 * completion.c.
 */
#include "session/session.h"

#include "base/clock.h"
#include "tests/small/fault.h"
#include "tests/small/small.h"
#include "tests/tap.h"

struct seen {
	struct session *s;
	char text[65536];
	unsigned lines, stops, errors, ticks;
	unsigned interrupt_at;	 /* the tick at which it interrupts */
	unsigned waits, pace_at; /* pace_at: the tick that removes the limit of the pace */
	double waited;
	bool stop_in_tick;
	char verb[64], args[200];
};

static void
out(void *ctx, enum say kind, const char *line)
{
	struct seen *x = ctx;

	x->lines++;
	x->stops += kind == SAY_STOP;
	x->errors += kind == SAY_ERROR;
	snprintf(x->text + strlen(x->text), sizeof(x->text) - strlen(x->text), "%s\n", line);
}

static bool
tick(void *ctx)
{
	struct seen *x = ctx;

	x->ticks++;
	ok(session_running(x->s), "a tick comes while the machine runs");
	if (x->ticks == x->interrupt_at)
		session_interrupt(x->s);
	if (x->ticks == x->pace_at)
		ok(session_exec_running(x->s, " pace max") && !session_exec_running(x->s, "step"),
		   "the pace may change meanwhile, and not everything");
	return x->stop_in_tick;
}

static int
screen(void *ctx, const char *verb, const char *args, struct err *e)
{
	struct seen *x = ctx;

	snprintf(x->verb, sizeof(x->verb), "%s", verb);
	snprintf(x->args, sizeof(x->args), "%s", args);
	return strcmp(args, "bad") == 0 ? err_set(e, "no such pane") : 0;
}

static const char *
say_all(struct seen *x, const char *line, enum session_status want)
{
	x->text[0] = '\0';
	x->lines = x->stops = x->errors = 0;
	is_u64(session_exec(x->s, line), want, "status of '%s'", line);
	return x->text;
}

static void
statuses(void)
{
	struct seen x = {0};
	struct session_ui ui = {.ctx = &x, .out = out, .screen = screen, .interactive = true};
	struct config *c = small_config("dyncta");
	struct trace *t = small_trace();

	x.s = session_new(c, NULL, &ui, NULL);
	ok(!session_sim(x.s), "a session may begin without a workload");
	is_str(say_all(&x, "step", SESSION_ERROR),
	       "step: no workload is loaded; name one on the command line\n",
	       "which commands miss");
	is_str(say_all(&x, "info gpu", SESSION_ERROR),
	       "info gpu: no workload is loaded; name one on the command line\n", "info too");
	say_all(&x, "print 1", SESSION_OK);
	say_all(&x, "break pause", SESSION_OK);
	say_all(&x, "set dyncta.period 128", SESSION_OK);
	ok(session_load(x.s, t, NULL) == 0 && session_sim(x.s), "it gets one later");
	is_str(session_last_stop(x.s), "", "no stop yet");
	say_all(&x, "run", SESSION_OK);
	ok(x.stops >= 1 && strncmp(session_last_stop(x.s), "stopped: pause, core", 20) == 0,
	   "a stop is remembered: %s", session_last_stop(x.s));
	say_all(&x, "assert 0", SESSION_ASSERT);
	say_all(&x, "set run.max_cycles 300", SESSION_OK);
	say_all(&x, "delete", SESSION_OK);
	say_all(&x, "continue", SESSION_LIMIT);
	say_all(&x, "set run.max_cycles 0", SESSION_OK);
	fault_set("deadlock=400");
	say_all(&x, "continue", SESSION_DEADLOCK);
	fault_set(NULL);
	say_all(&x, "layout two", SESSION_OK);
	ok(strcmp(x.verb, "layout") == 0 && strcmp(x.args, "two") == 0,
	   "screen commands are handed on");
	is_str(say_all(&x, "pane bad", SESSION_ERROR), "no such pane\n", "with their mistakes");
	say_all(&x, "set color.log 3", SESSION_OK);
	is_str(x.args, "color.log 3", "colours too");
	say_all(&x, "quit 9", SESSION_QUIT);
	is_u64((uint64_t)session_exit_code(x.s), 9, "quit has a status");
	session_free(x.s);
	trace_close(t);
	config_free(c);
}

static void
front_end(void)
{
	struct seen x = {0};
	struct session_ui ui = {.ctx = &x, .out = out, .interactive = true};
	struct config *c = small_config("dyncta");
	struct trace *t = small_trace();
	char prompt[64];

	x.s = session_new(c, t, &ui, NULL);
	session_prompt(x.s, prompt, sizeof(prompt));
	is_str(prompt, "(ctascope 0 core 0) ", "the prompt at the start");
	say_all(&x, "step 20", SESSION_OK);
	say_all(&x, "", SESSION_OK);
	is_u64(sim_cycle(session_sim(x.s)), 40, "Enter steps again");
	say_all(&x, "info digest", SESSION_OK);
	say_all(&x, "", SESSION_OK);
	is_u64(sim_cycle(session_sim(x.s)), 40, "but not after another command");
	session_set_focus_core(x.s, 2);
	session_set_focus_core(x.s, 99);
	is_u64(session_focus_core(x.s), 2, "focus, where there is such a core");
	say_all(&x, "step 400", SESSION_OK);
	say_all(&x, "run", SESSION_OK);
	session_prompt(x.s, prompt, sizeof(prompt));
	is_str(prompt, "(ctascope 8,575 core 2) ", "the prompt later");
	say_all(&x, "break limit core 3", SESSION_OK);
	ok(session_core_has_stop(x.s, 3) && !session_core_has_stop(x.s, 1),
	   "stops of a core are known");
	say_all(&x, "commands", SESSION_OK);
	session_prompt(x.s, prompt, sizeof(prompt));
	is_str(prompt, "> ", "the prompt within commands");
	say_all(&x, "end", SESSION_OK);
	session_free(x.s);
	trace_close(t);
	config_free(c);
}

static void
interrupts(void)
{
	struct seen x = {0};
	struct session_ui ui = {.ctx = &x, .out = out, .tick = tick, .interactive = true};
	struct config *c = small_config("rr");
	struct trace *t = small_trace();

	fault_set("slow=50");
	x.s = session_new(c, t, &ui, NULL);
	x.interrupt_at = 2;
	say_all(&x, "run", SESSION_OK);
	ok(strncmp(session_last_stop(x.s), "stopped: interrupted, cycle ", 28) == 0,
	   "session_interrupt stops a run: %s", session_last_stop(x.s));
	ok(!session_running(x.s), "then nothing runs");
	x.stop_in_tick = true;
	say_all(&x, "continue", SESSION_OK);
	ok(strncmp(session_last_stop(x.s), "stopped: interrupted, cycle ", 28) == 0,
	   "so does a tick");
	x.stop_in_tick = false;
	session_interrupt(x.s);
	say_all(&x, "step", SESSION_OK);
	ok(strncmp(session_last_stop(x.s), "stopped: cycle ", 15) == 0,
	   "an interrupt between commands is forgotten by the next");
	ui.interactive = false;
	session_set_ui(x.s, &ui);
	x.interrupt_at = x.ticks + 1;
	say_all(&x, "continue", SESSION_INTERRUPTED);
	session_note_signal(x.s, 15);
	is_u64((uint64_t)session_signal(x.s), 15, "a signal is noted");
	say_all(&x, "dump csv events -", SESSION_INTERRUPTED);
	ok(strstr(x.text, "interrupted; no table was written") != NULL, "and ends a dump");
	fault_set(NULL);
	session_free(x.s);
	trace_close(t);
	config_free(c);
}

/* The clock of these tests advances by each wait, and a little at each reading, so that a loaded
 * machine, which wakes late and computes slowly, keeps the pace as well. */
static struct {
	bool used;
	double now;
} own_clock;

int __real_clock_gettime(clockid_t id, struct timespec *t);
int __wrap_clock_gettime(clockid_t id, struct timespec *t);
int
__wrap_clock_gettime(clockid_t id, struct timespec *t)
{
	if (!own_clock.used || id != CLOCK_MONOTONIC)
		return __real_clock_gettime(id, t);
	own_clock.now += 1e-6;
	t->tv_sec = (time_t)own_clock.now;
	t->tv_nsec = (long)((own_clock.now - (double)t->tv_sec) * 1e9);
	return 0;
}

static void
wait_in_run(void *ctx, double seconds)
{
	struct seen *x = ctx;

	x->waits++;
	x->waited += seconds;
	own_clock.now += seconds;
}

static double
timed(struct seen *x, const char *line)
{
	double began = clock_seconds();

	x->waits = x->ticks = 0;
	x->waited = 0;
	say_all(x, line, SESSION_OK);
	return clock_seconds() - began;
}

static void
pace(void)
{
	struct seen x = {0};
	struct session_ui ui = {
		.ctx = &x, .out = out, .tick = tick, .wait = wait_in_run, .interactive = true};
	struct config *c = small_config("dyncta");
	struct trace *t = small_trace();
	char text[64];
	double took;

	own_clock.used = true;
	x.s = session_new(c, t, &ui, NULL);
	session_pace(x.s, false, text, sizeof(text));
	is_str(text, "", "no pace holds a new session back");
	timed(&x, "step 200");
	is_u64(x.waits, 0, "nor does it wait");
	say_all(&x, "pace 10 periods/s", SESSION_OK);
	is_str(x.text, "pace: 10 periods/s, 1,280 cycles/s\n", "a period of 128 cycles");
	session_pace(x.s, true, text, sizeof(text));
	is_str(text, "10 per/s", "and in brief");
	took = timed(&x, "step 384");
	ok(took > 0.28 && x.waited > 0.2, "384 cycles take 0.3 s: %.2f s, of which %.2f waiting",
	   took, x.waited);
	ok(x.waits >= 10 && x.ticks >= 10, "in small steps: %u, with %u looks at keys", x.waits,
	   x.ticks);
	uint64_t at_pace = sim_digest(session_sim(x.s));
	say_all(&x, "pace 1 cycles/s", SESSION_OK);
	x.interrupt_at = 3;
	took = timed(&x, "continue");
	ok(took < 0.5, "Ctrl-C ends a wait of a second at once: %.2f s", took);
	ok(strncmp(session_last_stop(x.s), "stopped: interrupted, cycle ", 28) == 0, "and the run");
	x.interrupt_at = 0;
	x.pace_at = 2;
	took = timed(&x, "step 1000");
	ok(took < 0.9, "let go, it runs on: %.2f s", took);
	x.pace_at = 0;
	say_all(&x, "pace auto", SESSION_OK);
	took = timed(&x, "step 640");
	ok(took > 0.2, "auto begins slowly: %.2f s for five periods", took);
	ui.interactive = false;
	session_set_ui(x.s, &ui);
	say_all(&x, "pace 1 cycles/s", SESSION_OK);
	ok(strstr(x.text, "scripts run at full speed"),
	   "a script is told that nothing comes of it");
	timed(&x, "step 1000");
	is_u64(x.waits, 0, "and does not wait");
	session_free(x.s);
	x.s = session_new(c, t, &ui, NULL);
	say_all(&x, "step 584", SESSION_OK);
	is_u64(sim_digest(session_sim(x.s)), at_pace, "at any pace the same cycles");
	session_free(x.s);
	own_clock.used = false;
	trace_close(t);
	config_free(c);
}

/* The last column of `branches` has text of any length. */
static void
long_rows(void)
{
	struct seen x = {0};
	struct session_ui ui = {.ctx = &x, .out = out, .width = 44};
	struct config *c = small_config("dyncta");
	struct trace *t = small_trace();
	bool fits = true;

	x.s = session_new(c, t, &ui, NULL);
	say_all(&x, "step 100", SESSION_OK);
	say_all(&x, "set dyncta.t_mem_h 1600", SESSION_OK);
	say_all(&x, "set dyncta.t_mem_l 1100", SESSION_OK);
	say_all(&x, "set dyncta.t_idle 1234", SESSION_OK);
	x.text[0] = '\0';
	say_all(&x, "branches", SESSION_OK);
	for (const char *line = x.text; *line; line += strcspn(line, "\n") + 1)
		fits &= strcspn(line, "\n") <= 44;
	ok(fits, "no row of a table is longer than the screen");
	ok(strstr(x.text, "1600") && strstr(x.text, "more"), "and no text of it is lost");
	session_free(x.s);
	trace_close(t);
	config_free(c);
}

static void
stats_in_a_run(void)
{
	struct seen x = {0};
	struct session_ui ui = {.ctx = &x, .out = out};
	struct config *c = small_config("rr");
	struct trace *t = small_trace();

	fault_set("slow=20");
	x.s = session_new(c, t, &ui, NULL);
	session_want_stats(x.s);
	say_all(&x, "run", SESSION_OK);
	ok(strstr(x.text, "gpu.cycles") && strstr(x.text, "done: "),
	   "statistics within a run, which goes on");
	fault_set(NULL);
	session_free(x.s);
	trace_close(t);
	config_free(c);
}

/* `explain` knows every label of the screen, in upper or lower case. */
static void
labels_explained(void)
{
	static const char *const words[] = {"CTA",	  "SM",
					    "RACT",	  "ract",
					    "IPC",	  "C_mem",
					    "c_mem",	  "C_MEM",
					    "C_idle",	  "DYNCTA",
					    "dyncta",	  "CLASO",
					    "credits",	  "CTAs",
					    "ctas",	  "n",
					    "warps",	  "slots",
					    "period",	  "at",
					    "last",	  "cycle",
					    "then",	  "now",
					    "local",	  "global",
					    "ready",	  "memory",
					    "paused",	  "kernel",
					    "limit",	  "log",
					    "policy",	  "active",
					    "stall",	  "blocked",
					    "dependence", "idle",
					    "gated",	  "act",
					    "sta",	  "blo",
					    "mem",	  "dep",
					    "idl",	  "gat",
					    "gates",	  "off",
					    "empty",	  "unknown",
					    "draining",	  "throttled",
					    "AMAT",	  "G_act",
					    "ract_ratio", "lat_rt_cycles",
					    "Core.5.N",	  "ipc_thread_instructions_per_cycle"};
	struct seen x = {0};
	struct session_ui ui = {.ctx = &x, .out = out};
	struct config *c = small_config("dyncta");
	struct trace *t = small_trace();
	char line[80];

	x.s = session_new(c, t, &ui, NULL);
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		snprintf(line, sizeof(line), "explain %s", words[i]);
		ok(strlen(say_all(&x, line, SESSION_OK)) > 20, "%s", line);
	}
	say_all(&x, "explain ractt", SESSION_ERROR);
	session_free(x.s);
	trace_close(t);
	config_free(c);
}

/* ---------------------------------------------------------------- the log, the table */

static void
the_log(void)
{
	struct config *c = small_config("rr");
	struct session *s = session_new(c, NULL, NULL, NULL);
	enum say kind;
	char line[64];

	for (unsigned i = 0; i < 5000; i++) {
		snprintf(line, sizeof(line), "echo line %u", i);
		session_exec(s, line);
	}
	is_u64(session_log_count(s), 4096, "the log is bounded");
	is_str(session_log_line(s, 4095, &kind), "line 4999", "the newest is last");
	is_u64(kind, SAY_RESULT, "with its kind");
	is_str(session_log_line(s, 0, NULL), "line 904", "the oldest first");
	is_str(session_log_line(s, 5000, NULL), "", "and nothing beyond");
	session_exec(s, "foo");
	session_log_line(s, 4095, &kind);
	is_u64(kind, SAY_ERROR, "errors are there as well");
	session_free(s);
	config_free(c);
}

/* The log has ui.log_lines lines, whenever that is set, and counts the lines that it dropped. */
static void
log_lines(void)
{
	struct seen x = {0};
	struct session_ui ui = {.ctx = &x, .out = out};
	struct config *c = small_config("rr");
	char line[32];
	struct {
		unsigned room, said; /* the lines printed then */
		unsigned kept, last;
	} row[] = {{4, 3, 4, 3}, {4, 5, 4, 5}, {2, 0, 2, 0},
		   {2, 1, 2, 1}, {6, 2, 5, 2}, {6, 9, 6, 9}};

	x.s = session_new(c, NULL, &ui, NULL);
	for (unsigned i = 0; i < 10; i++)
		session_exec(x.s, "echo before");
	for (unsigned i = 0; i < ARRAY_LEN(row); i++) {
		snprintf(line, sizeof(line), "set ui.log_lines %u", row[i].room);
		session_exec(x.s, line);
		session_exec(x.s, "echo set");
		for (unsigned k = 0; k < row[i].said; k++) {
			snprintf(line, sizeof(line), "echo %u of row %u", k + 1, i);
			session_exec(x.s, line);
		}
		is_u64(session_log_count(x.s), row[i].kept, "room for %u: %u are kept", row[i].room,
		       row[i].kept);
		is_u64(session_log_count(x.s) + session_log_dropped(x.s), x.lines,
		       "with those that are gone, all that were said");
		if (!row[i].last)
			snprintf(line, sizeof(line), "set");
		else
			snprintf(line, sizeof(line), "%u of row %u", row[i].last, i);
		is_str(session_log_line(x.s, row[i].kept - 1, NULL), line,
		       "the last is the newest");
	}
	is_str(session_log_line(x.s, 0, NULL), "4 of row 5", "the first the oldest that is kept");
	session_free(x.s);
	config_free(c);
}

struct table {
	struct seen *x;
	unsigned n;
};

/* Every command has help, and answers nonsense with one clear error. */
static void
one_command(void *ctx, const char *group, const char *name, const char *usage, const char *help)
{
	struct table *t = ctx;
	struct seen *x = t->x;
	char line[200];
	enum session_status status;

	t->n++;
	ok(strlen(help) > 5 && *group && usage, "%s has help and a group", name);
	ok(strstr(help, "  ") == NULL && help[strlen(help) - 1] != '.',
	   "%s: one line, no full stop", name);
	x->text[0] = '\0';
	x->lines = x->errors = 0;
	snprintf(line, sizeof(line), "help %s", strncmp(name, "info", 4) == 0 ? "info" : name);
	session_exec(x->s, line);
	ok(strstr(x->text, name) && x->errors == 0, "help tells of %s", name);
	if (strcmp(name, "shell") == 0 || strcmp(name, "echo") == 0 || strcmp(name, "note") == 0 ||
	    strcmp(name, "quit") == 0)
		return;
	x->text[0] = '\0';
	x->lines = x->errors = 0;
	snprintf(line, sizeof(line), "%s ~~~ !!! ???", name);
	status = session_exec(x->s, line);
	if (session_collects(x->s)) {
		enum session_status at_end = session_exec(x->s, "end");

		status = status == SESSION_OK ? at_end : status;
	}
	ok(status == SESSION_ERROR && x->errors >= 1 && x->errors <= 3, "%s answers nonsense: %.*s",
	   name, (int)strcspn(x->text, "\n"), x->text);
}

static void
commands(void)
{
	struct seen x = {0};
	struct session_ui ui = {.ctx = &x, .out = out, .interactive = true};
	struct config *c = small_config("dyncta");
	struct trace *t = small_trace();
	struct table table = {&x, 0};

	x.s = session_new(c, t, &ui, NULL);
	session_each_command(one_command, &table);
	ok(table.n > 60, "%u commands and topics", table.n);
	session_free(x.s);
	trace_close(t);
	config_free(c);
}

/* The stop of a branch that undo took back is not that of the place where the machine is then. */
static void
undone_stop(void)
{
	struct seen x = {0};
	struct session_ui ui = {.ctx = &x, .out = out};
	struct config *c = small_config("dyncta");
	struct trace *t = small_trace();

	x.s = session_new(c, t, &ui, NULL);
	say_all(&x, "break pause", SESSION_OK);
	say_all(&x, "run", SESSION_OK);
	say_all(&x, "goto 1", SESSION_OK);
	say_all(&x, "set dyncta.t_mem_h 59", SESSION_OK);
	say_all(&x, "continue", SESSION_OK);
	ok(strstr(session_last_stop(x.s), "t_mem_h 59,"), "the stop of a branch: %s",
	   session_last_stop(x.s));
	say_all(&x, "undo", SESSION_OK);
	is_str(session_last_stop(x.s), "", "undone, it is not the last one here");
	say_all(&x, "continue", SESSION_OK);
	ok(strstr(session_last_stop(x.s), "t_mem_h 60,"), "the next one is: %s",
	   session_last_stop(x.s));
	session_free(x.s);
	config_free(c);
	trace_close(t);
}

int
main(void)
{
	statuses();
	undone_stop();
	front_end();
	interrupts();
	long_rows();
	stats_in_a_run();
	pace();
	labels_explained();
	the_log();
	log_lines();
	commands();
	return done();
}
