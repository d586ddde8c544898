/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lesson_pty.c - a lesson on the screen, played key by key at 80x24 and 120x40: its text beside or
 * below the panes, answers typed at a visible prompt, keys that a prediction freezes, hints,
 * paging.
 */
#include "tests/tui/on_terminal.h"

#include <sys/stat.h>
#include <unistd.h>

static const char lesson[] = "lesson: 40-screen\n"
			     "title: On the screen\n"
			     "session: -p dyncta phase\n"
			     "\n"
			     "# First\n"
			     "The cycle is {$cycle}.\n"
			     "@do layout watch\n"
			     "@task Go to cycle 1,000.\n"
			     "  check: $cycle == 1000\n"
			     "  hint:  Type it.\n"
			     "  solve: advance 1000\n"
			     "@ask predict: Which cycle comes after 24 more?\n"
			     "  reveal: step 24\n"
			     "  answer: $cycle\n"
			     "  value:  1024\n"
			     "  hint:   One second is far longer.\n"
			     "  why:    It is cycle {$cycle}.\n"
			     "\n"
			     "# Second\n"
			     "A new page.\n"
			     "@ask Is it an even one?\n"
			     "  choice: yes | no\n"
			     "  value:  yes\n"
			     "  expect: $cycle % 2 == 0\n"
			     "@task Run on.\n"
			     "  check: $cycle > 1024\n"
			     "  solve: step\n";

static char state[4200], data[4200];

/* Starts the program with these words after its name, and waits for a text. */
static void
start(int rows, int cols, const char *const *words, const char *wanted, const char *what)
{
	seen(start_program(rows, cols, words, (const char *const[]){state, data, NULL}, wanted),
	     what);
}

static bool
is_at_answer(void)
{
	return vth_find(&h, "answer:") == h.rows - 1 && h.cursor;
}

static void
play(int rows, int cols, const char *extra)
{
	/* on a terminal it begins on the screen */
	const char *const words[] = {"lesson", "-n", "40-screen", extra, NULL};

	start(rows, cols, words, "[>] Go to", "the open task is on the screen from the start");
	seen(vth_find(&h, "The cycle is 0.") > 0, "with the text and its live values");
	seen(vth_find(&h, "lesson 40-screen: 0 of 4") == (cols < 90 ? rows - 10 : 1),
	     "at the left, or at the bottom of a narrow screen");
	keys("H", "hint: Type it.", "H shows a hint below the task");
	keys("s", "The cycle is 1.", "a live value is drawn again at a stop");
	keys(":advance 1000\r", "[>] Which cycle", "the task is done, and the question opens");
	seen(is_at_answer(), "at a prompt that is open for its answer");
	keys("H", "hint: One second", "H at that prompt is a hint");
	seen(is_at_answer() && vth_find(&h, "answer: H") < 0, "and no answer");
	keys("1030\r", "try 2 of 2", "a wrong answer may be corrected");
	seen(is_at_answer(), "at the same prompt");
	vth_send(&h, "\033");
	seen(vth_wait_text(&h, "? help", 20000), "Escape leaves it for the keys");
	vth_settle(&h);
	keys("s", "the model waits", "a prediction freezes the keys that move the machine");
	seen(vth_find(&h, "cycle 1,000") == 0, "which stays where it is");
	keys(" ", "the model waits", "Space, too");
	keys("1", "answer: 1", "a digit begins the answer, and is no key");
	keys("024\r", "[>] Is it an even", "the right answer opens the next page");
	seen(vth_find(&h, "cycle 1,024") == 0, "after the reveal");
	seen(vth_find(&h, "It is cycle 1,024.") > 0, "and its explanation is read");
	keys("[[[", "The cycle is 1,024.", "[ goes back in the text");
	keys("]]]", "[>] Is it an even", "] goes on in it");
	keys("yes\r", "[>] Run on.", "a choice is typed in full");
	seen(!h.cursor, "a task leaves the prompt for the keys");
	keys("s", "lesson 40-screen: 4 of 4", "a key does the last task");
	keys(":lesson back\r", "[x] Is it an even", "back shows the last page with its marks");
	keys(":lesson reset\r", "2 passed tasks from page 2 on", "reset asks before it loses them");
	keys("n\r", "nothing changed", "n leaves them");
	seen(vth_find(&h, "4 of 4") > 0, "with all marks");
	keys(":lesson off\r", "lesson 40-screen ends here", "the lesson ends");
	seen(vth_find(&h, "of 4") < 0, "and its text is gone");
	leave_with("q");
}

/* At the line for an answer, keys with which no answer begins keep their meaning. */
static void
see_answer(void)
{
	keys(":break cta-issue\r", "stop 1", "a stop");
	keys(":run\r", "answer:", "the task is done, and a question opens");
	seen(vth_find(&h, "H hint") < 0 && vth_find(&h, "command   [ ] text") == 22,
	     "which has no hint, so that H is not offered");
	keys(":info stats\r", "(line 1 of", "the answer to a command is long");
	vth_key(&h, VTERM_KEY_DOWN);
	seen(vth_wait_text(&h, "(line 2 of", 20000), "Down scrolls it, as its title says");
	vth_settle(&h);
	seen(is_at_answer(), "while the line for the answer stays open");
	keys(" ", "cycle 2 ", "Space continues the run");
	keys("9", "answer: 9", "and is no part of the answer");
	vth_send(&h, "\025");
	vth_settle(&h);
	keys("?", "help: j k", "? shows the help");
	keys("q", "Which core receives CTA 1", "which takes letters as keys");
}

/* The first page of the first lesson is longer than its place. */
static void
see_task(void)
{
	static const char *const words[] = {"lesson", "-n", "01-cta", NULL};

	start(24, 80, words, "[>] Stop at the moment", "a task below the page's end is in view");
	seen(vth_find(&h, "A grid, a core, a slot") > 0, "with the beginning of its page");
	seen(vth_find(&h, "Press : and type a command") == 21, "and how to do it");
	seen(vth_find(&h, ": command  H hint") == 14, "with the keys of the lesson");
	seen(vth_find(&h, "] more") == 19, "and a mark where the text is cut");
	seen(vth_find(&h, "q quit  ? help") == 22, "and the row of keys");
	keys("H", "hint: The event is called", "a hint is shown below the task");
	seen(vth_find(&h, "A grid, a core, a slot") == 15, "and the text stays where it is read");
	keys(":br\t\t", "2 completions", "a list of completions");
	seen(vth_find(&h, "hint: The event is called") == 21, "leaves the hint in view");
	keys("\025", "Enter do it", "the typed text is dropped");
	vth_send(&h, "\033");
	vth_settle(&h);
	keys(":", "Enter do it", "the command line");
	seen(vth_find(&h, "H hint") < 0, "takes H and ] as letters");
	vth_send(&h, "\033");
	vth_settle(&h);
	keys("]", "[ back", "] turns the page");
	keys("]]]", "events` lists the events", "to what is between them");
	see_answer();
	keys(":lesson off\r", "lesson 01-cta ends here", "the lesson ends");
	keys(":fork mine\r", "mine", "now the session is the student's");
	keys(":lesson 2\r", "1 branch is not saved; open the lesson anyway? (y or n)",
	     "a lesson asks before it replaces it");
	keys("n\r", "nothing changed", "n keeps it");
	keys(":present lecture\r", "1 branch is not saved; open the lesson anyway? (y or n)",
	     "so does a presentation");
	keys("y\r", "A grid, a core, a slot", "y opens it");
	keys(":present off\r", "the presentation ends here", "the presentation ends");
	leave_with("q");
}

/* The quiz of the command line: wrapped at blanks, and its answers can be edited. */
static void
ask_quiz(void)
{
	static const char *const words[] = {"quiz", "-s",     "3",     "-n", "1",
					    "-p",   "dyncta", "phase", NULL};

	start(30, 100, words, "3 stays?", "a quiz asks, and wraps between words");
	keys("sidways\r", "expected", "what is no answer is refused");
	keys("\033[A", "> sidways", "Up brings it back");
	seen(vth_find(&h, "^[") < 0, "and prints no letters of a key");
	keys("\025stays\r", "score: ", "the line can be edited");
	seen(vth_wait_exit(&h, 20000) && WIFEXITED(h.child.status),
	     "it ends after the last question");
	vth_close(&h);
}

/* A folder DIR/ctascope/lessons with the lesson in it, which gets the progress, too. */
static bool
make_folder(char *dir)
{
	char path[4300];
	FILE *f;

	if (!mkdtemp(dir))
		return false;
	snprintf(path, sizeof(path), "%s/data", dir);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/data/ctascope", dir);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/data/ctascope/lessons", dir);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/data/ctascope/lessons/40-screen.lesson", dir);
	f = fopen(path, "w");
	return f && fputs(lesson, f) >= 0 && fclose(f) == 0;
}

static void
remove_folder(const char *dir)
{
	static const char *const names[] = {"data/ctascope/lessons/40-screen.lesson",
					    "data/ctascope/lessons",
					    "data/ctascope",
					    "data",
					    "state/ctascope/lessons",
					    "state/ctascope/history",
					    "state/ctascope",
					    "state",
					    ""};
	char path[4300];

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		remove(path);
	}
}

int
main(void)
{
	const char *tmp = getenv("TMPDIR");
	char dir[4096];

	if (tap_skip_slow() || tap_skip(child_no_pty()))
		return done();
	snprintf(dir, sizeof(dir), "%s/ctascope-lesson-XXXXXX", tmp ? tmp : "/tmp");
	if (!make_folder(dir))
		return 99;
	find_program();
	snprintf(state, sizeof(state), "XDG_STATE_HOME=%.4000s/state", dir);
	snprintf(data, sizeof(data), "XDG_DATA_HOME=%.4000s/data", dir);
	play(24, 80, NULL);
	play(40, 120, NULL);
	play(24, 80, "--ascii");
	see_task();
	ask_quiz();
	remove_folder(dir);
	return done();
}
