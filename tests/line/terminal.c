/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * terminal.c - the prompt on terminals and with keys that readline cannot handle by itself:
 * searches that end in Escape, pastes without an end, narrow windows, output that nobody reads.
 */
#define _GNU_SOURCE 1
#include "ctascope/base.h"
#include "tests/line/drive.h"
#include "tests/tap.h"

#include <signal.h>
#include <unistd.h>

static struct drive d;

static void
start(const char *tui, const char *term, int columns)
{
	drive_start(&d, &(struct drive_with){.term = term, .columns = columns, .args = {tui}});
}

static void
prompt(const char *term, int columns)
{
	start("--tui=never", term, columns);
	drive_expect(&d, "core 0) ");
}

/* Whether it executes commands, at the prompt. */
static bool
answers(const char *keys, const char *answer)
{
	return drive_type(&d, keys) && drive_expect(&d, answer) && drive_expect(&d, "core 0) ");
}

static void
end_with(int signo, const char *what)
{
	child_signal(&d.child, signo);
	is_u64((uint64_t)drive_ended(&d), 128 + (uint64_t)signo, "%s", what);
	ok(drive_modes_restored(&d), "the terminal is as before");
	drive_close(&d);
}

/* Each search arrives in one burst, with an Escape that does not begin a sequence. */
static void
test_searches(void)
{
	static const char *const bursts[] = {
		"\022i\033aaaaaaaa\r",
		"\022i\033\025abcdefgh\177\177",
		"\022\033[<0;10;5M",
		"\022i\033[<0;10;5M\r",
		"\022i\030a\030\026\030\022",
		"\0223\033OZ\033\033[Z\033",
		"\022i\001\022n\005\022f\020\033\022\033\022\033",
	};

	prompt(NULL, 0);
	answers("info gpu\r", "machine");
	for (size_t i = 0; i < ARRAY_LEN(bursts); i++) {
		bool alive = true;

		for (int k = 0; k < 4 && alive; k++)
			alive = drive_type(&d, bursts[i]) && drive_until_read(&d) &&
				answers("\007\005\025print 4000+321\r", "= 4321");
		ok(alive, "a search and other keys at once, case %zu", i);
	}
	ok(answers("\022321\r", "= 4321"), "a search finds a line");
	ok(answers("\022321\033[D\033[D\033[D\r", "= 4321"), "arrows end it and move in that line");
	end_with(SIGTERM, "SIGTERM ends the program");
}

/* Keys that move in the history and change lines there. readline 8.2 freed an undo list twice. */
static void
test_history(bool edits_like_vi)
{
	static const char *const emacs[] = {
		"ab\r\020\033pa\ra\033>\020\007",
		"ab\017a\020\033nb\r\033<\017\033<",
		"ab\012\033<\033nb\ra\033>\020\033\r\033p\r",
	};
	static const char *const vi[] = {
		"/a\rdd\r\033/a\rxk\r",
		"/a\r\033\020/b\rdd\016pG/b\r",
		"/a\ra\r\033/a\rx1G\rRb/a\r\033N/\rk",
	};
	const char *const *bursts = edits_like_vi ? vi : emacs;

	drive_start(&d,
		    &(struct drive_with){.edits_like_vi = edits_like_vi, .args = {"--tui=never"}});
	drive_expect(&d, "core 0) ");
	for (size_t i = 0; i < ARRAY_LEN(emacs); i++) {
		bool alive = true;

		for (int k = 0; k < 4 && alive; k++) {
			char command[40], answer[20];

			snprintf(command, sizeof(command), "%sprint %zu00+%d\r",
				 edits_like_vi ? "\r\r" : "\007\005\025", 41 + i, k);
			snprintf(answer, sizeof(answer), "= %zu0%d", 41 + i, k);
			alive = drive_type(&d, bursts[i]) && drive_until_read(&d) &&
				answers(command, answer);
		}
		ok(alive, "%s: history, case %zu", edits_like_vi ? "vi" : "emacs", i);
	}
	end_with(SIGTERM, "SIGTERM ends the program");
}

/* The searches of vi's command mode look for a text. readline's own take it as a pattern, for which
 * a long line costs minutes. */
static void
test_vi_search(void)
{
	drive_start(&d, &(struct drive_with){.edits_like_vi = true, .args = {"--tui=never"}});
	drive_expect(&d, "core 0) ");
	ok(answers("echo 1a*b\r", "1a*b\r\n") && answers("echo 2axxb\r", "2axxb\r\n"),
	   "vi: two lines");
	ok(answers("\033/a*b\rAz\r", "1a*bz\r\n"), "a search finds its text as it is");
	ok(answers("echo 3a*b\r", "3a*b\r\n") && answers("\033/a*b\rnAy\r", "1a*bzy\r\n"),
	   "n goes on to the one before");
	end_with(SIGTERM, "SIGTERM ends the program");
}

/* Macros of the user's inputrc, and keyboard macros. readline crashed on a sequence in a macro. */
static void
test_macros(void)
{
	drive_start(&d,
		    &(struct drive_with){.inputrc =
						 "\"\\C-o\": \"rint 4000+1\\e\\C-b\\C-ap\\C-m\"\n"
						 "\"\\C-xz\": \"print 4000+2\\n\\C-o\"\n"
						 "\"\\C-t\": \"a\\C-tb\"\n",
					 .args = {"--tui=never"}});
	drive_expect(&d, "core 0) ");
	ok(answers("\017", "= 4001"), "a macro with a sequence of keys");
	ok(answers("\030z", "= 4002") && drive_expect(&d, "= 4001"),
	   "a macro in two lines runs another");
	ok(answers("\024\024\005\025print 4000+3\r", "= 4003"), "a macro that types itself ends");
	ok(answers("\030(\030eab\030)\030e\005\025print 4000+4\r", "= 4004"),
	   "keyboard macros are not recorded");
	end_with(SIGTERM, "SIGTERM ends the program");
}

/* Begins a paste whose first bytes have been read: they arrive with a visible key. */
static void
open_paste(void)
{
	prompt(NULL, 0);
	drive_type(&d, "z\033[200~abc\nprint 1000+1\nprint 1000");
	drive_expect(&d, "z");
	drive_until_read(&d);
}

static void
test_open_paste(void)
{
	static const int signals[] = {SIGTERM, SIGHUP};

	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		open_paste();
		end_with(signals[i], "a signal in a paste that has not ended ends the program");
	}
	open_paste();
	child_signal(&d.child, SIGINT);
	ok(drive_expect(&d, "^C") && drive_expect(&d, "core 0) "), "Ctrl-C gives it up");
	drive_type(&d, "\033[201~");
	ok(answers("print 1000+3\r", "= 1003"), "typing goes on behind its end");
	ok(!memmem(d.text, d.n, "= 1001", 6), "and nothing of it is done");
	end_with(SIGTERM, "SIGTERM ends the program");
}

/* A paste whose end never arrives, or that arrives in pieces. */
static void
test_cut_paste(void)
{
	char text[600] = "1";

	for (int i = 0; i < 250; i++)
		strcat(text, "+1");
	prompt(NULL, 0);
	drive_type(&d, "\033[200~print 1000");
	ok(drive_expect(&d, "print 1000"), "a paste without an end is taken after a while");
	ok(answers("+7\r", "= 1007"), "and what is typed then comes behind it");
	drive_type(&d, "print \033[200~");
	drive_type(&d, text);
	drive_expect(&d, "1+1");
	ok(answers("\r", "= 251"), "all of it and no more");
	drive_type(&d, "\033[20");
	usleep(50000);
	drive_type(&d, "0~print 1000+");
	usleep(50000);
	drive_type(&d, "8\033[20");
	usleep(50000);
	ok(answers("1~\r", "= 1008"), "its marks may come in pieces");
	drive_type(&d, "\033[200~print 1000+1\r\nprint 1000+2\r\n\033[201~\r");
	ok(drive_expect(&d, "= 1001") && answers("", "= 1002"), "pasted lines are done one by one");
	end_with(SIGTERM, "SIGTERM ends the program");
}

static void
test_narrow(void)
{
	static const char *const terms[] = {"dumb", "xterm", "vt100"};

	for (size_t i = 0; i < ARRAY_LEN(terms); i++)
		for (int columns = 1; columns < 4; columns++) {
			bool alive = true;

			start("--tui=never", terms[i], i == 0 ? columns : 80);
			drive_resize(&d, 24, columns);
			for (int k = 0; k < 2; k++) {
				alive = drive_type(&d,
						   "info gpu\rstep\022st\007xxxxxxxxxxxxxxxxx\r");
				alive = alive && drive_until_read(&d) &&
					drive_type(&d, "print 4000+321\r") &&
					drive_expect(&d, "= 4321");
				drive_resize(&d, 1, 4 - columns);
			}
			ok(alive, "%s, %d columns", terms[i], columns);
			drive_close(&d);
		}
}

/* On a terminal that cannot move its cursor up, readline reads beyond its buffer in a long line. */
static void
test_dumb(void)
{
	char text[1500];

	memset(text, 'x', sizeof(text));
	prompt("dumb", 80);
	ok(answers("print 4000+1\r", "print 4000+1\r\n4000+1 = 4001\r\n"),
	   "dumb: keys are shown once");
	ok(answers("prin\t 402\0020\r", "= 4002"), "dumb: completion and cursor keys");
	drive_type_bytes(&d, text, sizeof(text));
	ok(answers("\001y\005y\022print\007\005\025print 4000+3\r", "= 4003"),
	   "dumb: a line of %zu characters", sizeof(text));
	end_with(SIGTERM, "SIGTERM ends the program");
}

/* After Ctrl-S, and on a terminal that nobody reads. */
static void
test_no_output(void)
{
	static const char *const modes[] = {"--tui=never", "--tui=always"};
	static const int signals[] = {SIGTERM, SIGHUP};

	for (size_t m = 0; m < ARRAY_LEN(modes); m++)
		for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
			start(modes[m], "xterm-256color", 0);
			drive_expect(&d, m ? "quit" : "core 0) ");
			drive_until_read(&d);
			drive_type(&d, "\023");
			drive_type(&d, m ? ":info gpu\r" : "info gpu\rinfo gpu\r");
			drive_until_asleep(&d);
			child_signal(&d.child, signals[i]);
			is_u64((uint64_t)drive_ended(&d), 128 + (uint64_t)signals[i],
			       "%s: signal %d after Ctrl-S", modes[m], signals[i]);
			ok(drive_modes_restored(&d), "the terminal is as before");
			drive_close(&d);

			drive_start(&d, &(struct drive_with){.term = "xterm-256color",
							     .rows = 100,
							     .columns = 300,
							     .args = {modes[m]}});
			drive_expect(&d, m ? "quit" : "core 0) ");
			drive_until_read(&d);
			drive_fill(&d, m ? "\014" : "info stats\r");
			child_signal(&d.child, signals[i]);
			is_u64((uint64_t)drive_ended_unread(&d), 128 + (uint64_t)signals[i],
			       "%s: signal %d while nobody reads", modes[m], signals[i]);
			ok(drive_modes_restored(&d), "the terminal is as before");
			drive_close(&d);
		}
}

/* After a shell command, when the program waits for Enter. */
static void
test_shell(void)
{
	start("--tui=always", "xterm-256color", 0);
	drive_expect(&d, "quit");
	drive_type(&d, ":shell true\r");
	ok(drive_expect(&d, "Enter goes back"), "a command of the shell");
	drive_type(&d, "\r");
	drive_expect(&d, "\033[?2004h");
	drive_type(&d, ":shell true\r");
	drive_expect(&d, "Enter goes back");
	end_with(SIGTERM, "SIGTERM ends the program while it waits for Enter");
}

/* A command is executed while its output waits; then the prompt continues. */
static void
test_flow(void)
{
	prompt(NULL, 0);
	drive_type(&d, "\023info gpu\r");
	drive_until_asleep(&d);
	drive_type(&d, "\021");
	ok(drive_expect(&d, "machine") && drive_expect(&d, "core 0) "),
	   "Ctrl-Q lets the output go on");
	child_signal(&d.child, SIGSTOP);
	child_signal(&d.child, SIGCONT);
	ok(answers("print 4000+321\r", "= 4321"), "stopped and continued by others");
	end_with(SIGTERM, "SIGTERM ends the program");
}

int
main(void)
{
	if (tap_skip(child_no_pty()))
		return done();
	drive_begin();
	test_searches();
	test_history(false);
	test_history(true);
	test_vi_search();
	test_macros();
	test_open_paste();
	test_cut_paste();
	test_narrow();
	test_dumb();
	test_no_output();
	test_shell();
	test_flow();
	drive_end();
	return done();
}
