/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * completion.c - what Tab offers after the words of a command: names of the machine, of the
 * session, of the screen, and files.
 */
#include "session/session.h"

#include "tests/small/small.h"
#include "tests/tap.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *
completed(struct session *s, const char *line, char *buf, size_t size)
{
	const char *blank = strrchr(line, ' ');
	int start = blank ? (int)(blank + 1 - line) : 0;
	bool is_path;
	char **list = session_complete(s, line, start, (int)strlen(line), &is_path);

	buf[0] = '\0';
	for (size_t i = 0; list && list[i]; i++) {
		snprintf(buf + strlen(buf), size - strlen(buf), "%s%s", i ? " " : "", list[i]);
		free(list[i]);
	}
	free(list);
	if (is_path)
		snprintf(buf + strlen(buf), size - strlen(buf), "%sFILE", *buf ? " " : "");
	return buf;
}

/* A screen that offers two words for every command. */
static void
two_words(void *ctx, const char *verb, void (*fn)(void *to, const char *word), void *to)
{
	char word[64];

	(void)ctx;
	for (int i = 1; i <= 2; i++) {
		snprintf(word, sizeof(word), "of-%s-%d", verb, i);
		fn(to, word);
	}
}

static void
test_words(void)
{
	static const struct {
		const char *line, *want;
	} cases[] = {
		{"un", "undisplay undo until"},
		{"break pa", "pause"},
		{"break credit", "credit credit-exhausted"},
		{"break pause co", "core"},
		{"break pause k", "kernel"},
		{"break pause kernel ", "first second"},
		{"break kernel ", "core cta if kernel"},
		{"why kernel s", "second"},
		{"why cta 3 kernel f", "first"},
		{"flip stay kernel ", "first second"},
		{"find pause k", "kernel"},
		{"find core.0.n<core.1.ra", "core.0.n<core.1.ract"},
		{"flip k", "kernel"},
		{"flip stay ", "--for kernel"},
		{"break pause if $c_me", "$c_mem"},
		{"print core.0.ra", "core.0.ract"},
		{"print core.0.n<core.1.ra", "core.0.n<core.1.ract"},
		{"print core.", "core.*. core.0. core.1. core.2. core.3."},
		{"print policy.dyncta.limit.", "policy.dyncta.limit.* policy.dyncta.limit.0 "
					       "policy.dyncta.limit.1 policy.dyncta.limit.2 "
					       "policy.dyncta.limit.3"},
		{"print gp", "gpu."},
		{"print me", "mean mem."},
		{"print core.*.pa", "core.*.paused"},
		{"step e", "event"},
		{"info cor", "core cores"},
		{"info events cta-d", "cta-done"},
		{"info pow", "power"},
		{"info ctas ", "all"},
		{"info power x", "FILE"},
		{"info power x y", ""},
		{"set dyncta.t_", "dyncta.t_idle dyncta.t_mem_h dyncta.t_mem_l"},
		{"set policy dyncta+cl", "dyncta+claso dyncta+clustering"},
		{"set option run.sk", "run.skip"},
		{"set run.skip o", "off on"},
		{"show ui.", "ui.branch_on_change ui.csv_crlf ui.follow_stop ui.line_rate "
			     "ui.log_lines ui.mouse ui.thick_lines ui.width"},
		{"dump c", "csv"},
		{"dump csv s", "series stats"},
		{"dump csv series x", "FILE"},
		{"source x", "FILE"},
		{"log o", "off on"},
		{"save b", "breakpoints"},
		{"until conv", "converged"},
		{"help exp", "expect explain export expressions"},
		{"why n", "not"},
		{"restore a", "again"},
		{"delete checkpoint a", "again"},
		{"delete ", "1 branch checkpoint"},
		{"condition ", "1"},
		{"explain paus", "pause paused paused CTA waiting"},
		{"foo bar", ""},
		{"next x", ""},
		{"zoom o", "of-zoom-1 of-zoom-2 out"},
		{"theme ", "next of-theme-1 of-theme-2"},
		{"theme next ", ""},
		{"bind of-bind-1 cond", "condition"},
		{"save-display x", "FILE"},
		{"pau", "pause"},
		{"log on x", "FILE"},
		{"list insns a", "all"},
		{"bottleneck ", "csv"},
		{"bottleneck csv x", "FILE"},
		{"oracle x", "FILE"},
		{"policy ", "reload"},
		{"policy reload x", "FILE"},
		{"break mem-low", "mem-low mem-low-at-max mem-low-paused"},
		{"break mem-low c", "core cta"},
		{"break period if stop.rule(mem",
		 "stop.rule(mem-high stop.rule(mem-high-at-min stop.rule(mem-low "
		 "stop.rule(mem-low-at-max stop.rule(mem-low-paused"},
		{"print core.3.sub.0.st", "core.3.sub.0.stalled"},
	};
	struct session_ui ui = {.words = two_words};
	struct config *c = small_config("dyncta");
	struct trace *t = small_trace();
	struct session *s = session_new(c, t, &ui, NULL);
	char buf[4000];
	bool is_path;

	session_exec(s, "break pause");
	session_exec(s, "checkpoint again");
	for (unsigned i = 0; i < ARRAY_LEN(cases); i++)
		is_str(completed(s, cases[i].line, buf, sizeof(buf)), cases[i].want,
		       "Tab after '%s'", cases[i].line);
	ok(!session_complete(s, "run", 2, 9, &is_path) &&
		   !session_complete(s, "run", 3, 2, &is_path),
	   "places outside of the line are refused");
	session_free(s);
	trace_close(t);
	config_free(c);
}

/* A policy may be a file: completion offers shared objects and, after a '/', folders. */
static void
test_objects(void)
{
	static const char *const files[] = {"mine.so", "mine.c", "other.so", ".hidden.so"};
	char dir[] = "/tmp/ctascope-unit.XXXXXX", path[64], line[128], want[200], buf[4000];
	struct config *c = small_config("rr");
	struct session *s = session_new(c, NULL, NULL, NULL);

	ok(mkdtemp(dir) != NULL, "a folder");
	for (unsigned i = 0; i < ARRAY_LEN(files); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, files[i]);
		close(open(path, O_CREAT | O_WRONLY, 0600));
	}
	snprintf(path, sizeof(path), "%s/more", dir);
	mkdir(path, 0700);
	snprintf(line, sizeof(line), "set policy dyncta+%s/m", dir);
	snprintf(want, sizeof(want), "dyncta+%s/mine.so dyncta+%s/more/", dir, dir);
	is_str(completed(s, line, buf, sizeof(buf)), want, "shared objects and folders");
	rmdir(path);
	for (unsigned i = 0; i < ARRAY_LEN(files); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, files[i]);
		unlink(path);
	}
	rmdir(dir);
	is_str(completed(s, line, buf, sizeof(buf)), "", "a folder that is not there");
	session_free(s);
	config_free(c);
}

int
main(void)
{
	test_words();
	test_objects();
	return done();
}
