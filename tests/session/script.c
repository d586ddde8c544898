/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * script.c - properties of the script language that a transcript cannot show, tested through the
 * contract of a session: prompts, questions, Ctrl-C, what Enter repeats, completion, limits.
 */
#include "session/session.h"

#include "base/clock.h"
#include "tests/small/small.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <unistd.h>

struct seen {
	struct session *s;
	struct config *config;
	struct trace *trace;
	char text[65536];
	unsigned ticks, interrupt_at, stop_at; /* ticks */
};

static void
out(void *ctx, enum say kind, const char *line)
{
	struct seen *x = ctx;
	size_t n = strlen(x->text);

	(void)kind;
	snprintf(x->text + n, sizeof(x->text) - n, "%s\n", line);
}

static bool
tick(void *ctx)
{
	struct seen *x = ctx;

	x->ticks++;
	if (x->ticks == x->interrupt_at)
		session_interrupt(x->s);
	return x->ticks == x->stop_at;
}

static int
screen(void *ctx, const char *verb, const char *args, struct err *e)
{
	struct seen *x = ctx;

	(void)e;
	snprintf(x->text + strlen(x->text), 100, "screen: %s %s\n", verb, args);
	return 0;
}

static void
begin(struct seen *x, bool interactive)
{
	struct session_ui ui = {
		.ctx = x, .out = out, .tick = tick, .screen = screen, .interactive = interactive};

	*x = (struct seen){.config = small_config("dyncta"), .trace = small_trace()};
	x->s = session_new(x->config, x->trace, &ui, NULL);
}

static void
end(struct seen *x)
{
	session_free(x->s);
	trace_close(x->trace);
	config_free(x->config);
}

/* Executes lines that each end in '\n'; returns the status of the last. Their output stays in
 * x->text. */
static enum session_status
type(struct seen *x, const char *lines)
{
	enum session_status status = SESSION_OK;

	x->text[0] = '\0';
	while (*lines) {
		size_t n = strcspn(lines, "\n");
		char *line = strndup(lines, n);

		status = session_exec(x->s, line);
		free(line);
		lines += n + 1;
	}
	return status;
}

static const char *
prompt(struct seen *x)
{
	static char text[128];

	session_prompt(x->s, text, sizeof(text));
	return text;
}

static void
prompts(void)
{
	struct seen x;

	begin(&x, true);
	type(&x, "while 0\n");
	is_str(prompt(&x), " > ", "the lines of a while have a prompt of their own");
	type(&x, "if 1\n");
	is_str(prompt(&x), "  > ", "further in with each if");
	ok(session_collects(x.s), "a front end knows");
	type(&x, "end\n");
	is_str(prompt(&x), " > ", "and out with its end");
	x.text[0] = '\0';
	session_give_up(x.s);
	is_str(x.text, "'while' was cancelled; its lines were not executed\n",
	       "what was typed can");
	is_str(prompt(&x), "(ctascope 0 core 0) ", "be given up");
	ok(!session_collects(x.s), "and is gone");
	type(&x, "define foo\n");
	is_str(prompt(&x), "> ", "the lines of a definition");
	is_u64(type(&x, "else\n"), SESSION_ERROR, "a wrong line is refused");
	is_str(prompt(&x), "> ", "and a person types another one");
	type(&x, "layout two\nend\nfoo\n");
	is_str(x.text, "screen: layout two\n", "screen commands are done when the lines are");
	end(&x);
}

static void
questions(void)
{
	struct seen x;

	begin(&x, true);
	type(&x, "define foo\necho one\nend\ndefine foo\n");
	is_str(prompt(&x), "define foo exists; replace it? (y or n) ", "a question");
	ok(session_collects(x.s), "is no command line");
	is_u64(type(&x, "echo\n"), SESSION_ERROR, "which has to be answered");
	is_u64(type(&x, "n\n"), SESSION_OK, "no");
	type(&x, "foo\n");
	is_str(x.text, "one\n", "leaves it");
	type(&x, "define foo\nyes\necho two\nend\nfoo\n");
	ok(strstr(x.text, "\ntwo\n") != NULL, "yes replaces it: %s", x.text);
	type(&x, "if 1\ndefine foo\necho three\nend\nend\nfoo\n");
	is_str(x.text, "three\n", "a construct does not ask");
	type(&x, "define foo\n");
	x.text[0] = '\0';
	session_give_up(x.s);
	is_str(x.text, "nothing changed\n", "Ctrl-C is no answer");
	is_str(prompt(&x), "(ctascope 0 core 0) ", "and leaves the question");
	end(&x);
	begin(&x, false);
	type(&x, "define foo\necho one\nend\ndefine foo\necho two\nend\nfoo\n");
	is_str(x.text, "two\n", "a script does not ask");
	end(&x);
}

static void
interrupts(void)
{
	struct seen x;
	double began = clock_processor();

	begin(&x, true);
	x.interrupt_at = 2;
	is_u64(type(&x, "set $i = 0\nwhile 1\nset $i = $i + 1\nend\n"), SESSION_OK,
	       "Ctrl-C ends a loop that runs nothing");
	ok(strstr(x.text, "stopped: interrupted"), "and says so: %s", x.text);
	is_u64(type(&x, "if $i > 10\necho many\nend\n"), SESSION_OK, "the next line is done");
	is_str(x.text, "many\n", "as ever");
	x.stop_at = x.ticks + 1;
	type(&x, "while 1\nwhile 1\nend\nend\n");
	ok(strstr(x.text, "stopped: interrupted"), "a key does, too, in a loop further in");
	x.interrupt_at = x.ticks + 1;
	type(&x, "define on\nwhile 1\nrun\nend\necho never\nend\non\n");
	ok(strstr(x.text, "stopped: interrupted, cycle") && !strstr(x.text, "never"),
	   "and one that runs the machine, within a command of one's own: %s",
	   x.text + MAX(strlen(x.text), 80u) - 80);
	end(&x);
	begin(&x, false);
	x.interrupt_at = 1;
	is_u64(type(&x, "while 1\nend\n"), SESSION_INTERRUPTED, "in a script it ends all");
	end(&x);
	ok(clock_processor() - began < 20, "all this takes no time");
}

static void
repeating(void)
{
	struct seen x;

	begin(&x, true);
	type(&x, "define on\nstep 10\nend\non\n\n\n");
	is_u64(sim_cycle(session_sim(x.s)), 30, "Enter repeats a command of one's own");
	type(&x, "if 1\nstep 1\nend\n\n");
	is_u64(sim_cycle(session_sim(x.s)), 31, "but no construct");
	type(&x, "if 1\n\n\nend\n");
	is_u64(sim_cycle(session_sim(x.s)), 31, "an empty line in one is nothing");
	end(&x);
}

/* Returns the candidates for the end of line, in one line. */
static const char *
complete(struct seen *x, const char *line)
{
	static char text[1000];
	const char *blank = strrchr(line, ' ');
	bool is_path;
	char **list = session_complete(x->s, line, blank ? (int)(blank + 1 - line) : 0,
				       (int)strlen(line), &is_path);

	text[0] = '\0';
	for (size_t i = 0; list && list[i]; i++) {
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? " " : "",
			 list[i]);
		free(list[i]);
	}
	free(list);
	return text;
}

static void
completion(void)
{
	struct seen x;

	begin(&x, true);
	type(&x, "define zebra\nend\ndefine zero\nend\nset $zeta = 1\n");
	is_str(complete(&x, "ze"), "zebra zero", "commands of one's own");
	is_str(complete(&x, "print 1+$ze"), "1+$zeta", "variables in expressions");
	is_str(complete(&x, "set $ze"), "$zeta", "and to be set");
	is_str(complete(&x, "document zeb"), "zebra", "what can be documented");
	is_str(complete(&x, "show user zer"), "zero", "and shown");
	is_str(complete(&x, "help zer"), "zero", "and explained");
	is_str(complete(&x, "loop"), "loop_break loop_continue", "the words of the language");
	end(&x);
}

static void
limits(void)
{
	struct seen x;
	enum session_status status = SESSION_OK;
	char line[100];

	begin(&x, true);
	for (unsigned i = 0; i < 64 && status == SESSION_OK; i++)
		status = type(&x, "if 1\n");
	is_u64(status, SESSION_OK, "64 constructs within each other");
	is_u64(type(&x, "while 1\n"), SESSION_ERROR, "one more is refused");
	is_str(x.text, "blocks (if, while, define ...) nest at most 64 deep\n", "by its number");
	type(&x, "echo deep\n");
	for (unsigned i = 0; i < 64; i++)
		type(&x, "end\n");
	is_str(x.text, "deep\n", "the rest is done");
	type(&x, "if 1\n");
	for (unsigned i = 0; i < 9999; i++)
		type(&x, "echo\n");
	is_u64(type(&x, "echo\n"), SESSION_ERROR, "a construct has 10,000 lines");
	session_give_up(x.s);
	type(&x, "define deeper\nset $depth = $depth + 1\ndeeper\nend\nset $depth = 0\n");
	is_u64(type(&x, "deeper\n"), SESSION_ERROR, "a command cannot call itself for ever");
	type(&x, "print $depth\n");
	is_str(x.text, "$depth = 100\n", "but 100 deep");
	for (unsigned i = 0; i < 999; i++) {
		snprintf(line, sizeof(line), "set $v%u = %u\n", i, i);
		status = type(&x, line);
	}
	is_u64(status, SESSION_OK, "1000 variables");
	is_u64(type(&x, "set $more = 1\n"), SESSION_ERROR, "and no more");
	is_u64(type(&x, "set $v7 = 1\n"), SESSION_OK, "those there are may change");
	end(&x);
}

/* The commands of a stop continue and hit it again and again, without recursion. */
static void
stops(void)
{
	struct seen x;

	begin(&x, false);
	type(&x,
	     "set $h = 0\nbreak period\ncommands\nset $h = $h + 1\nwhile 1\ncontinue\nend\nend\n");
	is_u64(type(&x, "run\n"), SESSION_ERROR, "a loop of a stop's commands ends by an error");
	ok(strstr(x.text, "the program has ended"), "at the end of the program");
	type(&x, "print $h > 50\n");
	is_str(x.text, "$h > 50 = 1\n", "each hit began them anew");
	type(&x, "delete\ndefine stopat\ntbreak $arg0\ncommands\necho at $arg0\nend\nend\n");
	type(&x, "stopat 500\nrun\nprint $cycle\n");
	ok(strstr(x.text, "at 500\n$cycle = 500\n"), "arguments reach the commands of a stop: %s",
	   x.text);
	type(&x, "delete\nset $limit_at = 700\nbreak period if $cycle > $limit_at\n");
	type(&x, "set $limit_at = 900\nrun\nprint $cycle\n");
	ok(strstr(x.text, "$cycle = 1024\n"),
	   "a condition asks for a variable when it is asked: %s", x.text);
	type(&x, "watch $limit_at\nset $limit_at = core.*.n\ndelete\n");
	is_str(x.text, "stop 4: watch $limit_at\ndeleted 2 stops; 'undo' brings them back\n",
	       "a variable may become a vector");
	end(&x);
}

/* Commands that end the session ask while there are branches and changes that no file has. */
static void
unsaved(void)
{
	struct seen x;
	char folder[] = "/tmp/ctascope-script.XXXXXX", save[100], load[100];

	ok(mkdtemp(folder) != NULL, "a folder");
	snprintf(save, sizeof(save), "save \"%s/a b\"\n", folder);
	snprintf(load, sizeof(load), "load \"%s/a b\"\n", folder);
	begin(&x, true);
	is_u64(type(&x, "step 100\nquit\n"), SESSION_QUIT, "a run alone is not asked about");
	type(&x, "fork a\nset dyncta.t_idle 3\n");
	is_u64(type(&x, "quit 3\n"), SESSION_OK, "a branch and a change are");
	is_str(prompt(&x), "1 branch and 1 change are not saved; leave? (y or n) ", "by number");
	is_u64(type(&x, "n\n"), SESSION_OK, "no");
	ok(!session_collects(x.s) && session_exit_code(x.s) == 0, "stays");
	type(&x, "q\n");
	session_give_up(x.s);
	ok(!session_collects(x.s), "Ctrl-C stays, too");
	is_u64(type(&x, "if 1\nquit\nend\n"), SESSION_QUIT, "a construct does not ask");
	is_u64(type(&x, "quit 3\ny\n"), SESSION_QUIT, "yes leaves");
	is_u64((uint64_t)session_exit_code(x.s), 3, "with the status that was typed");
	ok(!session_end_input(x.s) && session_collects(x.s), "the end of input asks, too");
	ok(session_end_input(x.s), "and a second one leaves");
	type(&x, save);
	is_u64(type(&x, "quit\n"), SESSION_QUIT, "nobody asks about what was saved");
	ok(session_end_input(x.s), "at the end of input, either");
	type(&x, load);
	is_u64(type(&x, "quit\n"), SESSION_QUIT, "or was loaded");
	type(&x, "step 10\nset dyncta.t_idle 4\n");
	type(&x, load);
	is_str(prompt(&x), "1 branch and 2 changes are not saved; load anyway? (y or n) ",
	       "load asks");
	type(&x, "n\n");
	type(&x, "show dyncta.t_idle\n");
	is_str(x.text, "dyncta.t_idle = 4\n", "no leaves the session as it is");
	ok(strncmp(session_last_stop(x.s), "stopped: ", 9) == 0, "and its last stop");
	type(&x, load);
	type(&x, "y\n");
	type(&x, "show dyncta.t_idle\n");
	is_str(x.text, "dyncta.t_idle = 3\n", "yes loads the file");
	is_str(session_last_stop(x.s), "", "in which nothing has stopped yet");
	end(&x);
	begin(&x, true);
	type(&x, "fork a\nset core.registers 20000\n");
	is_str(prompt(&x), "1 branch is not saved; begin a new run without them? (y or n) ",
	       "an option that is fixed for a run asks at cycle 0");
	type(&x, "n\n");
	type(&x, "show core.registers\n");
	is_str(x.text, "core.registers = 32768\n", "no keeps its value and the branch");
	type(&x, "set core.owl_group 2\n");
	ok(session_collects(x.s) && strstr(x.text, "core.owl_group 2 has no effect"),
	   "a note on what has no effect comes before the question: %s", x.text);
	type(&x, "n\n");
	type(&x, "set core.registers 32768\nbranches\n");
	ok(strstr(x.text, "a   main at 0"), "its own value asks nothing: %s", x.text);
	type(&x, "set warp-sched gto\n");
	ok(session_collects(x.s), "a warp scheduler asks");
	type(&x, "n\nset warp-sched gtoo\n");
	ok(!session_collects(x.s), "an unknown one does not");
	type(&x, "set core.registers 20000\ny\n");
	type(&x, "show core.registers\n");
	is_str(x.text, "core.registers = 20000\n", "yes sets it");
	end(&x);
	begin(&x, false);
	is_u64(type(&x, "step 100\nfork a\nquit\n"), SESSION_QUIT, "a script does not ask");
	end(&x);
	snprintf(load, sizeof(load), "%s/a b", folder);
	unlink(load);
	rmdir(folder);
}

int
main(void)
{
	prompts();
	questions();
	unsaved();
	interrupts();
	repeating();
	completion();
	limits();
	stops();
	return done();
}
