/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane.c - keys and screen commands on a session of the small machine, and every pane at every
 * size.
 */
#include "base/words.h"
#include "tests/tui/on_screen.h"

#include <dirent.h>
#include <fcntl.h>
#include <locale.h>

static struct err e;

/* The lines that keys sent to the session, which does not execute them here. */
static char sent[200];
static unsigned n_sent;

/* Types keys like the driver; returns the last command. */
static const char *
type(const char *keys)
{
	static char buf[200];
	const char *command = NULL;

	for (; *keys; keys++) {
		command = screen_key(&s, (unsigned char)*keys, buf, sizeof(buf));
		if (!command || !*command)
			continue;
		err_clear(&e);
		if (screen_command(&s, command, &e) == 0)
			snprintf(sent, sizeof(sent), "%s", command), n_sent++;
		screen_draw(&s);
	}
	return command;
}

static void
like_line(const char *begin, const char *what)
{
	const char *said = stage_last_line();

	ok(strncmp(said, begin, strlen(begin)) == 0, "%s: %s", what, said);
}

static void
test_keys(void)
{
	open_screen(80, 24, (struct stage_options){.samples = 40});
	is_str(type(" "), "continue", "Space runs");
	is_str(sent, "continue", "through the session");
	is_str(type("s"), "step", "s steps");
	is_str(type("n"), "next", "n goes to the end of the period");
	type("j");
	is_u64(session_focus_core(session), 6, "j goes to the next core");
	type("kk");
	is_u64(session_focus_core(session), 4, "k back");
	is_str(type("b"), "break cta-issue core 4", "b names the core in focus");
	unsigned before = n_sent;
	type("hh");
	ok(!screen_live(&s) && screen_sample(&s) == 37, "h goes back in time by a column");
	is_u64(n_sent, before, "without the session");
	type("l");
	is_u64((uint64_t)screen_sample(&s), 38, "l forward");
	type("f");
	ok(screen_live(&s), "f to the newest");
	type("gg");
	is_u64((uint64_t)screen_sample(&s), 0, "gg to the start");
	type("G");
	ok(screen_live(&s), "G to the end");
	type("[");
	cycle_t first = axis_cursor(&s.axis);
	type("[");
	ok(axis_cursor(&s.axis) < first, "[ goes to the decision before");
	type("]");
	is_u64(axis_cursor(&s.axis), first, "] to the one after");
	type("{");
	is_u64(axis_cursor(&s.axis) % STAGE_PERIOD, 0, "{ to the end of a period");
	type("G\t");
	is_str(s.pane->ops->name, "ract", "Tab goes to the next pane");
	type("3");
	is_str(layout_rows[s.want].name, "grid", "3 is the grid");
	type("9");
	is_str(layout_rows[s.want].name, layout_rows[8].name, "9 is the ninth");
	type("t");
	ok(strcmp(s.theme.name, "cividis") != 0, "t changes the theme");
	is_str(type("z"), NULL, "z means nothing");
	ok(strstr(s.notice, "?"), "and says where to look: %s", s.notice);
	err_clear(&e);
	ok(screen_command(&s, "bind z why not core %c", &e) == 1, "until it is bound");
	is_str(type("z"), "why not core 4", "then it does that");
	type("?");
	ok(s.help, "? shows the help");
	is_str(type("j"), "scroll down", "where j scrolls");
	type("q");
	ok(!s.help, "and q leaves it");
	type("?");
	for (const char *key = "stn1m'0x\t\r"; *key; key++) {
		char one[] = {*key, '\0'};

		is_str(type(one), "", "key %d does nothing behind the help", *key);
		ok(strcmp(s.notice, "the help is open; q or Escape closes it") == 0 && s.help,
		   "and says why: %s", s.notice);
	}
	is_str(type(":"), "prompt", "the command line opens");
	s.mode = MODE_KEYS;
	type("\033");
	ok(!s.help, "Escape leaves the help, too");
	is_str(type("q"), "quit", "q quits");
	close_screen();
}

/* Upper-case keys go back; the cycle under the cursor becomes the present. */
static void
test_back(void)
{
	char line[200];

	open_screen(80, 24, (struct stage_options){.samples = 40});
	session_exec(session, "goto 2048");
	screen_draw(&s);
	is_str(type("S"), "reverse-step", "S steps back");
	is_str(type("N"), "reverse-next", "N goes back to the end of the period before");
	is_str(type("C"), "reverse-continue", "C goes back to the stop before");
	type("hhma'a");
	snprintf(line, sizeof(line), "goto %llu", (unsigned long long)axis_cursor(&s.axis));
	ok(!screen_live(&s), "' and a letter move the cursor alone");
	is_str(type("gh"), line, "gh: its cycle becomes the present");
	type("f");
	screen_draw(&s);
	for (int x = 0; x < s.canvas->w; x++)
		line[x] = (char)(canvas_at(s.canvas, x, 0)->wc < 127 ? canvas_at(s.canvas, x, 0)->wc
								     : '.');
	line[s.canvas->w] = '\0';
	ok(strstr(line, "2,048 of 2,560"), "the header says how far behind it is: %s", line);
	close_screen();
}

/* Types at the first tick of a run. */
static bool
type_while_running(void *ctx ATTR_UNUSED)
{
	ok(session_running(session), "the model runs");
	is_str(type(" "), "pause", "Space pauses a running model");
	ok(s.want_pause, "and asks the driver for it");
	is_str(type("s"), NULL, "s waits for a stop");
	ok(strstr(s.notice, "running"), "and says so: %s", s.notice);
	type("j");
	is_u64(session_focus_core(session), 6, "looking around works");
	return true;
}

static void
test_running(void)
{
	open_screen(80, 24, (struct stage_options){.samples = 40});
	session_set_ui(session, &(struct session_ui){.tick = type_while_running, .draws = true});
	session_exec(session, "pace 1");
	session_exec(session, "continue");
	close_screen();
}

/* x closes what was opened last, and opens nothing. */
static void
test_closing(void)
{
	open_screen(80, 24, (struct stage_options){.samples = 40});
	const struct pane_view *first = s.front;

	screen_command(&s, "pane decisions", &e);
	screen_command(&s, "pane back", &e);
	ok(s.front == first, "pane back closes a pane that was opened");
	s.notice[0] = '\0';
	screen_command(&s, "pane back", &e);
	ok(s.front == first && strstr(s.notice, "no pane to close"), "and no other: %s", s.notice);
	screen_command(&s, "pane next", &e);
	first = s.front;
	screen_command(&s, "pane back", &e);
	ok(s.front == first, "a pane that Tab went to is not closed");
	screen_command(&s, "spotlight core 3", &e);
	is_u64(session_focus_core(session), 3, "the spotlight puts its core in focus");
	close_screen();
}

static void
test_commands(void)
{
	open_screen(80, 24, (struct stage_options){.samples = 40});
	ok(screen_command(&s, "info cores", &e) == 0, "what is not ours goes on to the session");
	ok(screen_command(&s, "pane ctsa", &e) < 0 && strstr(e.msg, "did you mean ctas"),
	   "an unknown pane: %s", e.msg);
	ok(screen_command(&s, "  layout   grid ", &e) == 1 &&
		   strcmp(layout_rows[s.want].name, "grid") == 0,
	   "blanks do not matter");
	ok(screen_command(&s, "cursor 99999999", &e) < 0, "no cycle of this run");
	ok(screen_command(&s, "cursor 1000", &e) == 1 && axis_cursor(&s.axis) == 1000, "a cycle");
	ok(screen_command(&s, "theme nosuch", &e) < 0, "no such theme");
	ok(screen_command(&s, "bind Spcae continue", &e) < 0 && strstr(e.msg, "Space"),
	   "no such key: %s", e.msg);
	ok(screen_command(&s, "bind C-c quit", &e) < 0, "Ctrl-C stays Ctrl-C");
	ok(screen_command(&s, "tui off", &e) == 1 && s.want_leave, "tui off leaves");
	for (int i = 0; i < 30; i++) {
		char text[40];
		snprintf(text, sizeof(text), "echo line %d", i);
		session_exec(session, text);
	}
	ok(screen_command(&s, "search line 7", &e) == 1 && s.log_back == 22 &&
		   s.pane->ops == &pane_log,
	   "search finds the newest");
	ok(screen_command(&s, "search nothing", &e) < 0, "or says that it is not there");
	screen_before(&s, "info");
	for (int i = 0; i < 9; i++, s.said++)
		session_exec(session, "echo result");
	screen_after(&s);
	ok(s.log_open, "a long result opens");
	type("k");
	ok(!s.log_open || s.pane->ops == &pane_log, "the next key closes it");
	char file[] = "/tmp/ctascope-save-XXXXXX";
	char text[100];
	close(mkstemp(file));
	snprintf(text, sizeof(text), "save-display %s", file);
	err_clear(&e);
	ok(screen_command(&s, text, &e) == 1, "save-display %s", e.msg);
	FILE *f = fopen(file, "r");
	ok(f && fgets(text, sizeof(text), f) && strstr(text, "memory"), "writes what is shown");
	if (f)
		fclose(f);
	snprintf(text, sizeof(text), "save-display %s", file);
	ok(screen_command(&s, text, &e) < 0 && strstr(e.msg, "exists; choose another name"),
	   "it replaces no file: %s", e.msg);
	snprintf(text, sizeof(text), "save-display %s --force", file);
	ok(screen_command(&s, text, &e) == 1, "unless it is told to");
	unlink(file);
	ok(screen_command(&s, "save-display /nowhere/x", &e) < 0, "not where it cannot: %s", e.msg);
	close_screen();
}

static bool
are_same(const char *a, const char *b)
{
	FILE *f = fopen(a, "r"), *g = fopen(b, "r");
	int c = 0;

	while (f && g && c != EOF && (c = fgetc(f)) == fgetc(g))
		continue;
	if (f)
		fclose(f);
	if (g)
		fclose(g);
	return f && g && c == EOF;
}

/* Removes the files of the current folder. */
static void
remove_files(void)
{
	DIR *d = opendir(".");

	for (struct dirent *f; d && (f = readdir(d));)
		if (f->d_name[0] != '.')
			unlink(f->d_name);
	if (d)
		closedir(d);
}

/* The key for pictures sends a line to the session, for the active pane and the visible cycles. */
static void
test_picture(void)
{
	char dir[] = "/tmp/ctascope-pane-XXXXXX", line[120];
	int back = open(".", O_RDONLY | O_DIRECTORY);

	open_screen(80, 24, (struct stage_options){.samples = 140});
	if (back < 0 || !mkdtemp(dir) || chdir(dir) < 0)
		ok(false, "no folder for pictures");
	type("P");
	like_line("plotted ctas to ctas-", "P plots the pane in front");
	screen_command(&s, "pane ract", &e);
	screen_command(&s, "zoom in", &e);
	screen_command(&s, "zoom in", &e);
	screen_draw(&s);
	ok(screen_command(&s, "picture my run.svg", &e) == 1, "into a file that is named");
	like_line("plotted ract to my run.svg", "the one that is active now");
	snprintf(line, sizeof(line), "plot ract same.svg %llu..%llu", (unsigned long long)s.axis.t0,
		 (unsigned long long)(s.axis.t0 + s.axis.per * (cycle_t)s.axis.w));
	session_exec(session, line);
	ok(!s.axis.fit && are_same("my run.svg", "same.svg"), "with the cycles in view: %s", line);
	screen_command(&s, "pane policy", &e);
	screen_draw(&s);
	type("P");
	like_line("plotted ract to ract-", "beside strips it is the strip");
	screen_command(&s, "pane heat mem.queue", &e);
	type("P");
	like_line("plotted mem.queue to mem_queue-", "a series by its name");
	screen_command(&s, "pane plot gpu.ipc, sum(core.*.n)", &e);
	type("P");
	like_line("plotted gpu.ipc, sum(core.*.n) to gpu_ipc_sum_core_n-", "expressions");
	screen_command(&s, "pane plot", &e);
	type("P");
	like_line("plotted gpu.ipc, sum(core.*.n) to gpu_ipc_sum_core_n-",
		  "or what the pane shows without any");
	screen_command(&s, "pane classes core", &e);
	type("P");
	like_line("plotted core.5.classes to core_5_classes-", "classes of the core in focus");
	screen_command(&s, "pane period", &e);
	type("P");
	like_line("plotted core.c_mem to core_c_mem-", "a pane that is not over time");
	for (unsigned i = 0; i < 2; i++) {
		screen_command(&s, i ? "pane converge" : "pane slots", &e);
		ok(screen_command(&s, "picture no.svg", &e) < 0 &&
			   strcmp(e.msg, "only panes ctas, ract, credits, gates, heat, plot, "
					 "classes, period have a picture") == 0,
		   "another pane names those that have one: %s", e.msg);
		err_clear(&e);
	}
	close_screen();
	remove_files();
	if (fchdir(back) < 0 || close(back) < 0 || rmdir(dir) < 0)
		ok(false, "the folder of pictures stays");
}

static void
next_word(void *to, const char *word)
{
	char *text = to;

	snprintf(text + strlen(text), 2000 - strlen(text), " %s", word);
}

/* Every handler accepts the words of its row's usage. */
static void
test_rows(void)
{
	const struct screen_row *r;
	unsigned n = 0;
	char text[2000] = "";

	open_screen(80, 24, (struct stage_options){.samples = 40});
	for (; (r = screen_row(n, WHEN_ALWAYS)); n++) {
		const char *at = r->usage;
		struct span w;

		while ((w = word_of_usage(&at)).n) {
			snprintf(text, sizeof(text), "%s %.*s", r->name, (int)w.n, w.p);
			err_clear(&e);
			ok(screen_command(&s, text, &e) == 1, "%s: %s", text, e.msg);
		}
	}
	ok(n >= 16, "%u screen commands", n);
	s.want_leave = false;
	text[0] = '\0';
	screen_each_word("layout", next_word, text);
	ok(strncmp(text, " auto single grid log", 21) == 0, "the names of layouts are offered:%s",
	   text);
	text[0] = '\0';
	screen_each_word("pane heat", next_word, text);
	ok(strstr(text, " core.ipc") && strstr(text, " mem.queue"), "and what a pane can be of");
	text[0] = '\0';
	screen_each_word("zoom", next_word, text);
	is_str(text, "", "zoom has no words but those of its usage");
	err_clear(&e);
	screen_command(&s, "layout gird", &e);
	ok(strstr(e.msg, "expected one of auto, single, grid, log") &&
		   strstr(e.msg, "found 'gird'"),
	   "a wrong word is answered from the same list: %s", e.msg);
	err_clear(&e);
	screen_command(&s, "zoom inn", &e);
	is_str(e.msg, "zoom: expected one of in, out, all; found 'inn'", "and from the usage");
	close_screen();
}

/* Draws everything at all sizes; the sanitizers detect errors. */
static void
test_sizes(void)
{
	static const unsigned cores[] = {1, 15, 30, 110};
	unsigned n = 0;

	for (unsigned c = 0; c < ARRAY_LEN(cores); c++) {
		open_screen(80, 24,
			    (struct stage_options){.samples = c * 30,
						   .cores = cores[c],
						   .policy = c & 1 ? "dyncta+claso"
								   : "dyncta+dyncore"});
		for (int w = 1; w <= 160; w += w < 12 ? 1 : 11)
			for (int h = 1; h <= 60; h += h < 12 ? 1 : 7) {
				screen_resize(&s, w, h);
				for (const char *k = "\t\t\t\t\t\t\t?qhG12341+-"; *k; k++, n++) {
					char key[2] = {*k, 0};
					type(key);
					screen_draw(&s);
				}
			}
		close_screen();
	}
	ok(true, "%u frames drawn", n);
	open_screen(80, 24, (struct stage_options){.no_workload = true});
	type("hjkl[]{}gg+-wt?q\t\t\t\t");
	ok(true, "and without a workload");
	close_screen();
}

/* Everything except the log, which has a line for each run. */
static void
dump_panes(FILE *f)
{
	struct canvas panes = canvas_sub(s.canvas, 0, 0, s.canvas->w, s.layout.log.y);

	canvas_dump_ansi(&panes, &s.painter, f);
}

/* A frame after one more sample equals one that is drawn without a cache. */
static void
test_cache(void)
{
	char *a = NULL, *b = NULL;
	size_t na, nb;

	open_screen(80, 24, (struct stage_options){.samples = 30, .policy = "dyncta+claso"});
	screen_resize(&s, 132, 43);
	for (int i = 0; i < 100; i++) {
		stage_more(session, 1);
		screen_draw(&s);
	}
	FILE *f = open_memstream(&a, &na);
	dump_panes(f);
	fclose(f);
	close_screen();
	open_screen(80, 24, (struct stage_options){.samples = 130, .policy = "dyncta+claso"});
	screen_resize(&s, 132, 43);
	screen_draw(&s);
	f = open_memstream(&b, &nb);
	dump_panes(f);
	fclose(f);
	ok(na == nb && memcmp(a, b, na) == 0,
	   "drawn sample by sample or at once: the same picture");
	free(a);
	free(b);
	close_screen();
}

static void
test_source(void)
{
	unsigned line = 0, next = 0;

	open_screen(80, 24, (struct stage_options){.samples = 40});
	ok(screen_command(&s, "layout source", &e) == 1 && s.pane->ops == &pane_source,
	   "the layout source makes its pane the active one");
	screen_draw(&s);
	stage_more(session, 10); /* counted while the pane is shown */
	screen_draw(&s);
	is_str(type("o"), "sort", "o sorts by time");
	screen_draw(&s);
	ok(sscanf(type("b"), "break small.cu:%u", &line) == 1, "b stops at the line it stands on");
	type("j");
	screen_draw(&s);
	ok(sscanf(type("b"), "break small.cu:%u", &next) == 1 && next != line,
	   "j goes to the next: %u after %u", next, line);
	is_u64(session_focus_core(session), 5, "the core in focus stays");
	ok(screen_command(&s, "sort nosuch", &e) < 0 && strstr(e.msg, "lanes"), "no such order: %s",
	   e.msg);
	err_clear(&e);
	ok(screen_command(&s, "pane log", &e) == 1 && screen_command(&s, "sort", &e) < 0,
	   "the log has one order: %s", e.msg);
	err_clear(&e);
	ok(screen_command(&s, "pane source cycles", &e) == 1 &&
		   screen_command(&s, "pane source nosuch", &e) < 0 &&
		   strcmp(s.pane->arg, "cycles") == 0,
	   "a wrong argument loses nothing: %s", e.msg);
	err_clear(&e);
	ok(screen_command(&s, "pane ctas 3", &e) < 0 && strstr(e.msg, "no argument"),
	   "ctas takes none: %s", e.msg);
	err_clear(&e);
	ok(screen_command(&s, "pane power", &e) < 0 && strstr(e.msg, "'pane heat core.power'") &&
		   screen_command(&s, "pane heat core.power", &e) == 1,
	   "a picture of plot that is no pane: %s", e.msg);
	close_screen();
}

static void
test_tables(void)
{
	for (unsigned i = 0; pane_table[i]; i++)
		ok(pane_table[i]->name[0] && pane_table[i]->help[0] && pane_table[i]->draw,
		   "pane %s is complete", pane_table[i]->name);
	for (unsigned i = 0; i < n_layout_rows; i++)
		for (unsigned k = 0; k < LAYOUT_MAIN + LAYOUT_SIDE; k++) {
			const struct layout_row *r = &layout_rows[i];
			const char *word = k < LAYOUT_MAIN ? r->main[k] : r->side[k - LAYOUT_MAIN];
			if (r->when & WHEN_ALWAYS && word && strcmp(word, "*") != 0 &&
			    !view_get(&s, word, &e))
				ok(false, "layout %s: pane %s: %s", r->name, word, e.msg);
		}
	for (unsigned i = 0; i < n_key_rows; i++)
		if (key_by_name(key_rows[i].name) != key_rows[i].code)
			ok(false, "key %s has another code", key_rows[i].name);
	ok(key_by_name("nosuch") == K_NONE, "an unknown key has none");
}

static bool
is_in_frame(const char *wanted)
{
	char *text = screen_text();
	bool is = strstr(text, wanted);

	free(text);
	return is;
}

/* Executes a command that fails with errors, as the driver does. */
static void
fail_command(const char *line, unsigned lines)
{
	screen_before(&s, line);
	session_exec(session, line);
	screen_notice(&s, "%s", stage_last_line());
	s.said = lines;
	screen_after(&s);
	screen_draw(&s);
}

/* An error is on the screen once, with the keys that close its answer. */
static void
test_long_errors(void)
{
	static const char line[] = "break nosuch-event-that-takes-all-the-room-which-a-row-has";
	char *text;

	open_screen(80, 24, (struct stage_options){.samples = 40});
	fail_command(line, 1);
	text = screen_text();
	ok(s.log_open && is_in_frame("Esc q Enter close"), "a long error is an answer with keys");
	ok(strstr(text, "is neither") && !strstr(strstr(text, "is neither") + 1, "is neither"),
	   "and is not repeated below it:\n%s", text);
	free(text);
	for (int i = 0; i < 40; i++)
		session_exec(session, "echo a line of a script");
	fail_command(line, 41);
	ok(is_in_frame("line 1 of 41") && is_in_frame("is neither"),
	   "an error that the first page of a long answer does not show is a notice");
	ok(!is_in_frame("Esc q Enter close") && is_in_frame("a line of a script"),
	   "of one row, below that page");
	s.log_open = false;
	fail_command("advance -3", 1);
	ok(!s.log_open && is_in_frame("q quit"),
	   "an error that the log shows does not cover the log: %s", s.notice);
	fail_command("nosuch", 1);
	ok(!is_in_frame("q quit"), "a short one takes the row of keys: %s", s.notice);
	close_screen();
}

/* At 80 columns the help and a long message are there to their last word. */
static void
test_whole_texts(void)
{
	open_screen(80, 24, (struct stage_options){.samples = 40});
	ok(help_find(&s, "takes no new one", 0) >= 0, "the help explains a draining core");
	ok(help_find(&s, "decisions Every", 0) >= 0, "a blank follows the longest name of a pane");
	screen_notice(&s, "a message that is longer than the row of keys, which it covers, covers "
			  "rows above, too, down to its last word");
	screen_draw(&s);
	ok(is_in_frame(" its last word") && is_in_frame(" a message that"),
	   "a long message takes the rows that it needs");
	screen_notice(&s, "a short one");
	screen_draw(&s);
	ok(!is_in_frame("a message that"), "and leaves them");
	close_screen();
}

int
main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	open_screen(80, 24, (struct stage_options){.samples = 40});
	test_tables();
	close_screen();
	test_picture();
	test_keys();
	test_source();
	test_back();
	test_running();
	test_closing();
	test_commands();
	test_rows();
	test_sizes();
	test_cache();
	test_whole_texts();
	test_long_errors();
	return done();
}
