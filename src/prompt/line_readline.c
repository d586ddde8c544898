/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * line_readline.c - the plain prompt: readline by its callbacks.
 *
 * readline catches no signals and exports no sizes (it would fight the full screen over both). We
 * wait in ppoll(), where alone our signals get through, and hand it keys. Its handler is removed
 * while a command runs, so that the next prompt is not printed before the command's output. What
 * readline calls back has no context: the prompt under way is this file's one variable.
 */
#define _GNU_SOURCE 1
#include "base/signals.h"
#include "prompt/prompt.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

struct signals {
	sigset_t blocked, open;
	struct sigaction old_int, old_winch, old_stop, stop;
};

struct prompt {
	struct plain *plain;
	struct session *session;
	char history[PATH_MAX]; /* "": none */
	char *line;		/* just entered */
	bool entered, eof;
	struct signals signals;
};

static struct prompt *now;
static volatile sig_atomic_t resized, asked_to_stop, keys_dropped;

static void
on_winch(int signo ATTR_UNUSED)
{
	resized = 1;
}

static void
on_stop(int signo ATTR_UNUSED)
{
	asked_to_stop = 1;
	keys_dropped = 1;
}

static void
on_interrupt(int signo ATTR_UNUSED)
{
	session_interrupt(now->session);
	keys_dropped = 1;
}

static char **
complete(const char *text ATTR_UNUSED, int start, int end)
{
	return complete_line(now->session, start, end);
}

/* ---------------------------------------------------------------- the loop */

static void
on_line(char *line)
{
	rl_callback_handler_remove();
	now->entered = true;
	now->line = line;
	now->eof = !line;
}

static void
ask(struct prompt *p)
{
	char text[128];

	session_prompt(p->session, text, sizeof(text));
	rl_callback_handler_install(text, on_line);
}

/* A pasted text of several lines arrives as one. Ctrl-C ends the command under way and what was
 * pasted behind it, and has been answered by that. */
static bool
execute(struct prompt *p, char *line)
{
	enum session_status status = SESSION_OK;

	for (char *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		history_add_line(p->history, line);
		status = session_exec(p->session, line);
		if (status == SESSION_QUIT)
			return true;
		if (session_take_interrupt(p->session))
			break;
	}
	return session_signal(p->session) != 0;
}

static void
interrupted(void)
{
	rl_callback_sigcleanup();
	rl_free_line_state();
	rl_callback_handler_remove();
	session_give_up(now->session); /* a construct that was being typed */
	fputs("^C\n", stdout);
	fflush(stdout);
	ask(now);
}

/* What was measured beside the session, above the line being typed. */
static void
say_above(void)
{
	rl_clear_visible_line();
	session_beside_say(now->session);
	fflush(stdout);
	rl_on_new_line();
	rl_redisplay();
}

/* Waits for a key or a signal; true when there is a key. */
static bool
wait_for_key(const struct signals *g)
{
	struct pollfd p[1 + SESSION_BESIDE] = {{.fd = STDIN_FILENO, .events = POLLIN}};
	int fd[SESSION_BESIDE], n;

	do {
		unsigned more;

		if (session_beside_read(now->session))
			say_above();
		more = session_beside(now->session, fd);
		for (unsigned i = 0; i < more; i++)
			p[1 + i] = (struct pollfd){.fd = fd[i], .events = POLLIN};
		n = ppoll(p, 1 + more, NULL, &g->open);
	} while (n > 0 && !p[0].revents);
	return n > 0;
}

/* A key for readline. Ctrl-C makes the terminal drop what was typed, so the key we were told of may
 * be gone: then we must not sit in read() with our signals held back. A signal is answered with
 * NUL, which sets the mark and changes nothing; the loop sees what came. */
static int
get_key(FILE *unused ATTR_UNUSED)
{
	const struct signals *g = &now->signals;
	unsigned char c;
	ssize_t n;

	keys_dropped = 0;
	if (!wait_for_key(g))
		return 0;
	sigprocmask(SIG_SETMASK, &g->open, NULL); /* a signal held back until now comes here */
	if (keys_dropped) {
		n = -1;
		errno = EINTR;
	} else {
		n = read(STDIN_FILENO, &c, 1);
	}
	sigprocmask(SIG_BLOCK, &g->blocked, NULL);
	if (n == 1)
		return search_key(c);
	return n < 0 && errno == EINTR ? 0 : EOF;
}

/* Ctrl-C and a new size must cut a read for a key short, but never the output of a command: stdio
 * drops what a write that was cut short did not take. flags: 0 or SA_RESTART. */
static void
catch_signals(int flags, struct sigaction *old_int, struct sigaction *old_winch)
{
	struct sigaction act = {.sa_handler = on_interrupt, .sa_flags = flags};

	sigemptyset(&act.sa_mask);
	sigaction(SIGINT, &act, old_int);
	act.sa_handler = on_winch;
	sigaction(SIGWINCH, &act, old_winch);
}

static void
signals_begin(struct signals *g)
{
	struct sigaction act = {.sa_handler = on_stop};
	sigset_t mine;

	catch_signals(0, &g->old_int, &g->old_winch);
	sigemptyset(&act.sa_mask);
	g->stop = act;
	sigaction(SIGTSTP, &act, &g->old_stop);
	sigemptyset(&mine);
	sigaddset(&mine, SIGTSTP);
	sigaddset(&mine, SIGINT);
	sigaddset(&mine, SIGUSR1);
	signals_add_ending(&mine);
	sigaddset(&mine, SIGWINCH);
	sigprocmask(SIG_BLOCK, &mine, &g->open);
	g->blocked = mine;
}

static void
signals_end(struct signals *g)
{
	sigprocmask(SIG_SETMASK, &g->open, NULL);
	sigaction(SIGINT, &g->old_int, NULL);
	sigaction(SIGWINCH, &g->old_winch, NULL);
	sigaction(SIGTSTP, &g->old_stop, NULL);
}

/* Ctrl-Z at the prompt: the shell gets the terminal as it was, and gives it back changed. */
static void
stop_here(struct signals *g)
{
	sigset_t only;

	asked_to_stop = 0;
	rl_deprep_term_function();
	sigaction(SIGTSTP, &g->old_stop, NULL);
	sigemptyset(&only);
	sigaddset(&only, SIGTSTP);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &only, NULL); /* here it stands until it is continued */
	sigprocmask(SIG_BLOCK, &only, NULL);
	sigaction(SIGTSTP, &g->stop, NULL);
	rl_prep_term_function(1);
	rl_forced_update_display();
}

/* While a command runs, signals go where the front end put them. */
static bool
run_line(struct prompt *p, struct signals *g)
{
	char *line = p->line;
	bool leave;

	p->entered = false;
	p->line = NULL;
	sigaction(SIGTSTP, &g->old_stop, NULL);
	catch_signals(SA_RESTART, NULL, NULL);
	sigprocmask(SIG_SETMASK, &g->open, NULL);
	if (session_take_interrupt(p->session)) { /* Ctrl-C behind Enter, before it was begun */
		session_give_up(p->session);
		puts("^C");
		leave = session_signal(p->session) != 0;
	} else {
		leave = execute(p, line);
	}
	sigprocmask(SIG_BLOCK, &g->blocked, NULL);
	catch_signals(0, NULL, NULL);
	sigaction(SIGTSTP, &g->stop, NULL);
	free(line);
	return leave;
}

/* What signals asked for since the last time; also those that came while a key was being read. */
static void
answer_signals(struct prompt *p, struct signals *g)
{
	if (resized) {
		struct session_ui ui = plain_ui(p->plain, true);

		resized = 0;
		rl_resize_terminal();
		session_set_ui(p->session, &ui); /* tables are as wide as the screen */
	}
	if (asked_to_stop)
		stop_here(g);
	if (session_take_interrupt(p->session))
		interrupted();
	if (!session_collects(p->session) && session_take_want_stats(p->session)) {
		rl_callback_handler_remove();
		putchar('\n');
		session_exec(p->session, "info stats");
		ask(p);
	}
}

static enum prompt_end
loop(struct prompt *p, struct signals *g)
{
	ask(p);
	for (;;) {
		answer_signals(p, g);
		if (session_signal(p->session))
			return PROMPT_SIGNAL;
		if (wait_for_key(g))
			rl_callback_read_char();
		if (!p->entered)
			continue;
		if (p->eof) {
			putchar('\n');
			return PROMPT_EOF;
		}
		if (run_line(p, g))
			return session_signal(p->session) ? PROMPT_SIGNAL : PROMPT_QUIT;
		if (p->plain->want_screen)
			return PROMPT_SCREEN;
		ask(p);
	}
}

static void
start_readline(void)
{
	static char breaks[] = " \t\n";

	rl_catch_signals = 0;
	rl_catch_sigwinch = 0;
	rl_change_environment = 0;
	rl_readline_name = "ctascope";
	rl_outstream = stdout;
	rl_getc_function = get_key;
	rl_initialize();
	rl_completer_word_break_characters = breaks;
	rl_basic_word_break_characters = breaks;
	rl_attempted_completion_function = complete;
	rl_variable_bind("show-all-if-ambiguous", "on");
}

enum prompt_end
prompt_readline(struct plain *plain)
{
	struct prompt p = {.plain = plain, .session = plain->session};
	struct signals *g = &p.signals;
	enum prompt_end end;

	now = &p;
	start_readline();
	history_open(p.history, sizeof(p.history));
	signals_begin(g);
	end = loop(&p, g);
	rl_callback_handler_remove();
	rl_getc_function = rl_getc;
	signals_end(g);
	history_close(p.history);
	free(p.entered ? p.line : NULL);
	now = NULL;
	return end;
}
