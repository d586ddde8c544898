/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * typing.c - random keys, pastes, window sizes and signals, on the plain prompt and on the screen.
 *
 * The test runs 200 rounds; `make prop-typing N=2000` runs as many as you like, `make fuzz` 2,000
 * with sanitizers, and tests/prop/typing N FIRST begins at round FIRST.
 *
 * It checks that the program reads all keys; that it ends only when it was told to, with the right
 * status and the terminal as it was; and that a plain prompt takes a command after Ctrl-C. The same
 * round types the same keys, but what the program is doing by then depends on time. No check
 * depends on time (drive.h): a slow machine fails none.
 *
 * A round is a few events. Several rounds share one program. No command that is typed on purpose
 * leaves the folder of the test or starts a program.
 */
#include "ctascope/base.h"
#include "tests/line/drive.h"
#include "tests/tap.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#define SOME 200
#define LIFE 12 /* rounds of a program */

enum ending { RUNS, MAY_QUIT /* it was typed */, SIGNALLED };

struct typist {
	uint32_t x;
	struct drive d;
	bool on_screen, edits_like_vi, is_up;
	bool is_stopped; /* Ctrl-S stopped its output: it may wait for that and read no keys */
	enum ending ending;
	int signo; /* the signal that tells it to end */
	unsigned rounds, broken;
	char log[4096]; /* the events of this round, as far as they fit */
	size_t n_log;
};

static uint32_t
roll(struct typist *t, uint32_t n)
{
	t->x ^= t->x << 13;
	t->x ^= t->x >> 17;
	t->x ^= t->x << 5;
	return t->x % n;
}

static void
note(struct typist *t, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n && t->n_log + 8 < sizeof(t->log); i++) {
		unsigned char c = (unsigned char)bytes[i];

		t->n_log += (size_t)snprintf(t->log + t->n_log, 8,
					     c < ' ' || c > '~' || c == '\\' ? "\\%03o" : "%c", c);
	}
}

static void
type(struct typist *t, const char *bytes, size_t n)
{
	note(t, bytes, n);
	drive_type_bytes(&t->d, bytes, n);
}

/* On a terminal in its usual modes a Ctrl-Q after Ctrl-V is text, hence two. */
static void
go_on(struct typist *t)
{
	if (t->is_stopped)
		type(t, "\021\021", 2);
	t->is_stopped = false;
}

static void
type_text(struct typist *t, const char *text)
{
	type(t, text, strlen(text));
}

/* ---------------------------------------------------------------- events */

static void
type_words(struct typist *t)
{
	static const char *const words[] = {
		"info gpu",
		"info core 1",
		"step",
		"step 5",
		"print 6*7",
		"print core.1.ctas",
		"list",
		"info stats",
		"why",
		"core 2",
		"nonsense",
		"advance 64",
		"break 90",
		"display gpu.ipc",
		"delete",
		"undisplay",
		"print \303\251\342\202\254",
		"explain CTA",
		"history",
		"if 1",
		"end",
		"set $i = 1",
		"help step",
		"next",
	};

	type_text(t, words[roll(t, ARRAY_LEN(words))]);
	if (roll(t, 3))
		type_text(t, "\r");
}

static void
type_letters(struct typist *t)
{
	/* "quit", "exit", "shell" and "tui" cannot be made of these */
	static const char letters[] = "abdefgijklmnoptvyz0123 .:/$*+-=\t";
	char text[40];
	size_t n = 1 + roll(t, sizeof(text) - 1);

	for (size_t i = 0; i < n; i++)
		text[i] = letters[roll(t, sizeof(letters) - 1)];
	type(t, text, n);
}

/* Types control keys, but none that the terminal answers: Ctrl-C, \, Z, S, Q. */
static void
type_controls(struct typist *t)
{
	for (unsigned i = 1 + roll(t, 6); i; i--) {
		char c = (char)roll(t, 32);

		if (strchr("\003\034\032\023\021", c) && c)
			continue;
		if (c == 4)
			t->ending = MAX(t->ending, MAY_QUIT);
		type(t, &c, 1);
		if (roll(t, 2)) {
			c = "aeflnrtdyz0159-"[roll(t, 15)];
			type(t, &c, 1);
		}
	}
}

static void
type_sequence(struct typist *t)
{
	static const char *const sequences[] = {
		"\033[A",     "\033[B",	      "\033[C",	       "\033[D",
		"\033OA",     "\033OH",	      "\033[3~",       "\033[5~",
		"\033[1;5C",  "\033[<0;9;5M", "\033[<65;9;5M", "\033[99",
		"\033[",      "\033O",	      "\033",	       "\033\033",
		"\033\033[A", "\033[[A",      "\033f",	       "\033b",
		"\033d",      "\0332",	      "\033-",	       "\033.",
		"\033\177",   "\033\r",	      "\033n",	       "\033p",
		"\033?",      "\033*",	      "\033#",	       "\033\005",
		"\033\012",   "\033r",	      "\033t",	       "\030\030",
		"\030\025",   "\030(",	      "\030)",	       "\030e",
		"\022i",      "\022\022",     "\024",	       "\026\033[A",
		"\035e",      "\033\035e",    "\177\177",      "\303\251",
		"\303",	      "\342\202\254", "\377\376",      "\360\237\230\200",
		"\314\201",   "\344\270\255", "\033\303\251",  "\022\303\251",
		"\033y",      "\031",
	};

	for (unsigned i = 1 + roll(t, 5); i; i--)
		type_text(t, sequences[roll(t, ARRAY_LEN(sequences))]);
}

static void
paste(struct typist *t)
{
	static const char *const texts[] = {
		"step\nstep", "print 1\r\nprint 2\r\n", "x",	    "", "\033[A\033",
		"\n\n\n",     "\303\251\377",		"a\tb\001c"};
	char text[8192] = "\033[200~";
	size_t n = 6, more;

	go_on(t); /* a long paste would find no room */
	for (unsigned i = roll(t, 4); i; i--)
		n += (size_t)snprintf(text + n, 64, "%s", texts[roll(t, ARRAY_LEN(texts))]);
	more = roll(t, 8) ? roll(t, 40) : roll(t, 7000);
	memset(text + n, 'x', more);
	n += more;
	if (roll(t, 12)) {
		memcpy(text + n, "\033[201~", 6);
		n += 6;
	}
	for (size_t at = 0; at < n;) { /* all at once, or in pieces */
		size_t step = roll(t, 3) ? n - at : 1 + roll(t, (uint32_t)(n - at));

		type(t, text + at, step);
		at += step;
	}
}

static void
resize(struct typist *t)
{
	static const int sizes[] = {0, 1, 2, 3, 5, 10, 24, 79, 80, 81, 132, 300, 1001};
	int rows = sizes[roll(t, ARRAY_LEN(sizes))], columns = sizes[roll(t, ARRAY_LEN(sizes))];

	t->n_log += (size_t)snprintf(t->log + MIN(t->n_log, sizeof(t->log) - 40), 40, "<%dx%d>",
				     columns, rows);
	t->n_log = MIN(t->n_log, sizeof(t->log) - 40);
	drive_resize(&t->d, rows, columns);
}

static void
send_signal(struct typist *t, int signo)
{
	t->n_log += (size_t)snprintf(t->log + MIN(t->n_log, sizeof(t->log) - 40), 40, "<signal %d>",
				     signo);
	t->n_log = MIN(t->n_log, sizeof(t->log) - 40);
	if (!child_ended(&t->d.child))
		child_signal(&t->d.child, signo);
}

static void
harmless_signal(struct typist *t)
{
	static const int signals[] = {SIGINT, SIGINT, SIGWINCH, SIGUSR1, SIGTSTP, SIGSTOP, SIGCONT};
	int signo = signals[roll(t, ARRAY_LEN(signals))];

	send_signal(t, signo);
	if (signo == SIGTSTP || signo == SIGSTOP) {
		if (roll(t, 2))
			type_letters(t);
		usleep(1000 * roll(t, 5));
		send_signal(t, SIGCONT);
	}
}

static void
tell_to_end(struct typist *t)
{
	t->signo = roll(t, 2) ? SIGTERM : SIGHUP;
	t->ending = SIGNALLED;
	send_signal(t, t->signo);
}

static void
event(struct typist *t)
{
	switch (roll(t, 20)) {
	case 0:
	case 1:
	case 2:
	case 3:
		type_words(t);
		break;
	case 4:
	case 5:
		type_letters(t);
		break;
	case 6:
	case 7:
	case 8:
		type_controls(t);
		break;
	case 9:
	case 10:
	case 11:
	case 12:
		type_sequence(t);
		break;
	case 13:
	case 14:
		paste(t);
		break;
	case 15:
		resize(t);
		break;
	case 16:
		harmless_signal(t);
		break;
	case 17: /* output stops until the end of the round */
		type_text(t, "\023");
		t->is_stopped = true;
		break;
	case 18:
		type_text(t, t->on_screen ? ":" : "\r");
		break;
	default: /* the program reads the next keys together with these, or alone */
		if (roll(t, 2))
			usleep(1000 * roll(t, 40));
		else if (!t->is_stopped)
			drive_until_read(&t->d);
	}
}

/* ---------------------------------------------------------------- promises */

static void
broken(struct typist *t, const char *what)
{
	t->broken++;
	printf("# round %u on the %s: %s; typed: %.*s\n", t->rounds,
	       t->on_screen ? "screen" : "prompt", what, (int)t->n_log, t->log);
	tap_show("the last output:", t->d.text + t->d.n - MIN(t->d.n, 3000u));
	drive_show_reports();
}

/* A program that hangs would fail the next rounds, too. */
static void
give_up(struct typist *t, const char *what)
{
	broken(t, what);
	drive_close(&t->d);
	t->is_up = false;
}

/* Waits for the end of the program, and checks it. A SIGINT may reach a program that is quitting.
 */
static void
see_end(struct typist *t)
{
	int status = drive_ended(&t->d);
	char text[64] = "";
	bool by_signal = t->ending == SIGNALLED && status == 128 + t->signo;

	if (status < 0)
		snprintf(text, sizeof(text), "it does not end");
	else if (!by_signal && (t->ending == RUNS || (status != 0 && status != 128 + SIGINT)))
		snprintf(text, sizeof(text), "it ended with status %d", status);
	else if (!drive_modes_restored(&t->d))
		snprintf(text, sizeof(text), "the terminal's modes are not as before");
	if (*text)
		broken(t, text);
	drive_close(&t->d);
	t->is_up = false;
}

/* Sends SIGINT and types a command that nothing else answers like this. A late SIGINT drops keys,
 * so they are typed again, but only after a silence: a busy machine echoes them one by one, and the
 * next SIGINT would interrupt the line each time. */
static bool
takes_command(struct typist *t)
{
	char command[64], answer[32];

	snprintf(answer, sizeof(answer), "= %u", 700000 + t->rounds);
	snprintf(command, sizeof(command), "%sprint 700000+%u\r",
		 t->edits_like_vi ? "\025" : "\005\025", t->rounds);
	for (unsigned i = 0; i < 5 * DRIVE_LONG && !child_ended(&t->d.child); i++) {
		child_signal(&t->d.child, SIGINT);
		if (!drive_until_read(&t->d) || !drive_type(&t->d, command))
			return false;
		for (unsigned silent = 0; silent < 20 && !drive_saw(&t->d, answer);)
			silent += !drive_read(&t->d, 1 + (int)i);
		if (drive_saw(&t->d, answer))
			return true;
	}
	return child_ended(&t->d.child);
}

/* Starts a program. It catches signals before it shows its prompt. */
static void
begin(struct typist *t)
{
	const char *other = roll(t, 4) ? NULL : "dumb";

	t->on_screen = roll(t, 2);
	if (t->on_screen && other)
		other = "vt100";
	t->edits_like_vi = roll(t, 3) == 0;
	drive_start(&t->d,
		    &(struct drive_with){.edits_like_vi = t->edits_like_vi,
					 .locale = roll(t, 4) ? NULL : "C",
					 .term = other ? other : "xterm-256color",
					 .args = {t->on_screen ? "--tui=always" : "--tui=never"}});
	if (!drive_expect(&t->d, t->on_screen ? "quit" : "core 0) "))
		broken(t, "it does not start");
	if (roll(t, 4) == 0)
		drive_resize(&t->d, 24, 1 + (int)roll(t, 10));
	t->is_up = true;
	t->is_stopped = false;
	t->ending = RUNS;
}

static void
one_round(struct typist *t)
{
	unsigned events;

	t->n_log = 0;
	t->x = (t->rounds + 1) * 2654435761u | 1;
	if (!t->is_up)
		begin(t);
	if (t->on_screen) /* q is a key there */
		t->ending = MAY_QUIT;
	for (events = 4 + roll(t, 12); events && !child_ended(&t->d.child); events--)
		event(t);
	if (roll(t, LIFE) == 0 && !child_ended(&t->d.child))
		tell_to_end(t);
	if (t->ending == SIGNALLED || child_ended(&t->d.child)) {
		see_end(t);
		return;
	}
	drive_resize(&t->d, 24, 80);
	go_on(t);
	drive_type(&t->d, "\033[201~"); /* a paste ends */
	if (!drive_until_read(&t->d))
		give_up(t, "it does not read what is typed");
	else if (!t->on_screen && !takes_command(t))
		give_up(t, "the prompt takes no command");
	else if (child_ended(&t->d.child))
		see_end(t);
	else if (!t->on_screen)
		t->ending = RUNS;
}

/* Runs n rounds, with programs of their own. */
static void
run_rounds(unsigned first, unsigned n)
{
	static struct typist t;

	t.broken = 0;
	for (t.rounds = first; t.rounds < first + n; t.rounds++) {
		one_round(&t);
		if (n > SOME && t.rounds % 100 == 99)
			printf("# %u rounds, %u broken\n", t.rounds - first + 1, t.broken),
				fflush(stdout);
	}
	if (t.is_up) {
		tell_to_end(&t);
		see_end(&t);
	}
	is_u64(t.broken, 0, "%u rounds of random typing, from %u on", n, first);
}

/* Rounds that failed once, with those before them that the same program had. */
static const struct {
	unsigned first, n;
} failed_once[] = {
	{7020620, 40}, /* hung: a repeated yank put a NUL into the line */
	{9062173, 5},  /* read beyond a line: a search that had failed turned around */
	{9074250, 22}, /* freed twice: an undo list that a history entry shared */
};

int
main(int argc, char **argv)
{
	unsigned n = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : SOME;
	unsigned first = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;

	if (tap_skip(child_no_pty()))
		return done();
	drive_begin();
	for (size_t i = 0; argc <= 1 && i < ARRAY_LEN(failed_once); i++)
		run_rounds(failed_once[i].first, failed_once[i].n);
	run_rounds(first, n);
	drive_end();
	return done();
}
