/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * live.c - changes that a student types while the model runs are in the hand-in, and its grade
 * replays them at their cycles, whenever that was.
 *
 * The front end hands lines over in its tick, as the screen does. The cycle at which that happens
 * differs from run to run; the grade must not.
 */
#include "teach/handin.h"
#include "tests/small/small.h"
#include "tests/tap.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LESSON "live.lesson"
#define HAND_IN "hand-in.txt"

static const char lesson[] = "lesson: live\n"
			     "title: Live\n"
			     "session: -c small.machine -p dyncta small.ctr\n"
			     "\n"
			     "# One\n"
			     "@task Go to the end.\n"
			     "  check: ended\n"
			     "  solve: run\n";

static void
write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		small_die(path, &(struct err){.msg = "cannot write it"});
}

/* The machine and a workload that runs for some time. */
static void
write_inputs(void)
{
	const char *dir = getenv("TMPDIR"), *src = getenv("srcdir");
	char folder[PATH_MAX], machine[PATH_MAX + 40], to[PATH_MAX];
	struct err e = {0};

	snprintf(folder, sizeof(folder), "%s/ctascope-live-XXXXXX", dir ? dir : "/tmp");
	if (!getcwd(to, sizeof(to)) || !mkdtemp(folder))
		small_die("mkdtemp", &e);
	if (src && src[0] == '/')
		snprintf(machine, sizeof(machine), "%s/tests/small/small.machine", src);
	else
		snprintf(machine, sizeof(machine), "%s/%s/tests/small/small.machine", to,
			 src ? src : ".");
	if (chdir(folder) || symlink(machine, "small.machine"))
		small_die(folder, &e);
	if (trace_writer_commit(small_write_shape("small.ctr",
						  &(struct small_shape){.times = 60,
									.lanes = UINT32_MAX}),
				&e) < 0)
		small_die("small.ctr", &e);
	write_text(LESSON, lesson);
}

/* What the student types during the run. */
static const char *const typed[] = {"set dyncta.t_mem_h 30", "knob dyncta.t_mem_l 10",
				    "set dyncta.t_mem_h 90"};

struct student {
	struct session *s;
	unsigned n;
};

static bool
type_next(void *ctx)
{
	struct student *p = ctx;

	if (p->n < ARRAY_LEN(typed) && session_exec_running(p->s, typed[p->n]))
		p->n++;
	return false;
}

static void
print_line(void *ctx, enum say kind, const char *line)
{
	(void)ctx;
	if (kind == SAY_ERROR)
		printf("# %s\n", line);
}

static unsigned
take_lesson(void)
{
	struct student p = {NULL, 0};
	struct session_ui ui = {
		.ctx = &p, .out = print_line, .tick = type_next, .interactive = true};
	struct config *c = config_new();
	struct teacher *t;

	p.s = session_new(c, NULL, &ui, NULL);
	t = teacher_new(p.s);
	ok(teacher_hand_in(t, LESSON, "flo", (struct lesson_seed){handin_seed("flo", "")},
			   HAND_IN) == SESSION_OK,
	   "the lesson is opened");
	session_exec(p.s, "run");
	session_free(p.s);
	teacher_free(t);
	config_free(c);
	return p.n;
}

static char *
read_text(FILE *f)
{
	static char text[20000];
	size_t n = fread(text, 1, sizeof(text) - 1, f);

	text[n] = '\0';
	fclose(f);
	return text;
}

static unsigned
count_changes(const char *text)
{
	unsigned n = 0;

	for (const char *p = text; (p = strstr(p, "\n+ ")); p++)
		n++;
	return n;
}

static const char *
grade(void)
{
	struct grade_options o = {
		.lesson = "./" LESSON, .seconds = 600, .memory = 4096, .cycles = 1000000000};
	FILE *csv = tmpfile();
	struct err e = {0};

	if (!csv || grade_file(HAND_IN, &o, csv, &e))
		small_die(HAND_IN, &e);
	rewind(csv);
	return read_text(csv);
}

int
main(void)
{
	unsigned n;
	const char *text;
	char *change;

	write_inputs();
	n = take_lesson();
	ok(n >= 1, "%u changes were typed during the run", n);
	text = read_text(fopen(HAND_IN, "r"));
	/* A knob waits for the next period, which the run may not have reached. */
	ok(count_changes(text) == n || count_changes(text) + 1 == n, "they are in the file");
	is_str(grade(), "flo,live,task 1,1,1,ok,\n", "and the grade makes them again");
	/* Without them the run is another one. */
	text = read_text(fopen(HAND_IN, "r"));
	change = strstr(text, "\n+ ");
	if (change) {
		char *end = strchr(change + 1, '\n');

		memmove(change, end, strlen(end) + 1);
		write_text(HAND_IN, text);
		ok(strstr(grade(), ",tampered,"), "without the first one it is another run");
	}
	unlink(HAND_IN);
	unlink(LESSON);
	unlink("small.ctr");
	unlink("small.machine");
	return done();
}
