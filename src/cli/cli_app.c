/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_app.c - `ctascope app [OPTION...] -- PROGRAM [ARGUMENT...]`: records what the program
 * launches into the user's cache and opens the debugger on the trace.
 *
 * The trace's name holds a key, a hash of everything visible that the trace depends on: the
 * program, its arguments, the files that they name, the options of the recording, and our
 * libraries. A trace of that name is used without recording again. The options of `ctascope record
 * -- PROGRAM` go to the recording, --config goes to both, and the others go to the debugger.
 */
#include "base/memory.h"
#include "cli/cli_part.h"
#include "workload/workload.h"

#include "base/hash.h"
#include "base/textfile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct app {
	char **record, **debug; /* arguments; each ends in NULL */
	int n_record, n_debug;
	char **program;
	char path[PATH_MAX];
};

const struct cmdline cli_app_cmdline = {
	.name = "app",
	.usage = "app [OPTION...] -- PROGRAM [ARGUMENT...]",
	.about =
		"Record the kernels that PROGRAM launches, cache them, and open the debugger on "
		"them.\n"
		"The program runs again only when it, its arguments, a file that these name, or a\n"
		"recording option has changed; 'ctascope cache clear programs' removes the "
		"recordings.\n",
	.section = {{"Options of the recording", record_common_options},
		    {NULL, record_program_options},
		    {"Options of the debugger; --config is for both", cli_options}},
	.tail = "Examples:\n"
		"  ctascope app -- ./app 100\n"
		"  ctascope app --kernel '^reduce' --launch 1 -b -e run -- ./app 100\n",
	.word = cli_word,
};

/* The options of the recording. -o is not among them: the trace goes to the cache, and to the
 * debugger -o means an option of the machine. */
static const struct cmdline recording = {
	.section = {{NULL, record_common_options}, {NULL, record_program_options}},
};

static void
assign_option(struct app *a, char **argv, int *i)
{
	bool is_apart = false, for_both = false;
	const struct cmd_option *o = cmdline_find(&recording, argv[*i], &is_apart);

	if (o)
		for_both = cmdline_find(&cli_cmdline, argv[*i], &is_apart);
	for (int k = 0; k < 1 + is_apart && argv[*i] && strcmp(argv[*i], "--") != 0; k++, ++*i) {
		if (o)
			a->record[a->n_record++] = argv[*i];
		if (!o || for_both)
			a->debug[a->n_debug++] = argv[*i];
	}
}

static int
read_args(struct app *a, int argc, char **argv)
{
	static char record[] = "record", ctascope[] = "ctascope";
	int i = 1;

	/* run_recorder() appends "--force -o PATH --" and the program */
	a->record = memory_new(2 * (size_t)argc + 8, sizeof(*a->record));
	a->debug = memory_new((size_t)argc + 8, sizeof(*a->debug));
	a->record[a->n_record++] = record;
	a->debug[a->n_debug++] = ctascope;
	while (i < argc && strcmp(argv[i], "--") != 0)
		assign_option(a, argv, &i);
	if (i + 1 >= argc)
		return cmdline_usage(&cli_app_cmdline, "expected a program after --");
	a->program = argv + i + 1;
	return 0;
}

/* ---------------------------------------------------------------- the key */

static void
add_text(struct hash *h, const char *text)
{
	hash_add(h, text, strlen(text) + 1);
}

/* Adds an argument and, if it names a file, the file's content. */
static int
add_argument(struct hash *h, const char *text, struct err *e)
{
	struct stat st;

	add_text(h, text);
	if (stat(text, &st) || !S_ISREG(st.st_mode) || access(text, R_OK))
		return 0;
	return text_hash(h, text, 0, e);
}

static int
make_key(const struct app *a, uint64_t *key, struct err *e)
{
	char path[PATH_MAX], folder[PATH_MAX], library[PATH_MAX + 40];
	struct hash h;

	if (record_library(folder, e))
		return -1;
	if (!record_app_file(a->program[0], path, sizeof(path)))
		return err_set(e, "%s: %s", a->program[0], strerror(ENOENT));
	hash_init(&h, 0);
	if (text_hash(&h, path, 0, e))
		return -1;
	for (char **arg = a->program; *arg; arg++)
		if (add_argument(&h, *arg, e))
			return -1;
	for (int i = 1; i < a->n_record; i++)
		if (add_argument(&h, a->record[i], e))
			return -1;
	for (unsigned i = 0; record_libraries[i]; i++) {
		snprintf(library, sizeof(library), "%s/%s", folder, record_libraries[i]);
		if (access(library, R_OK) == 0 && text_hash(&h, library, 0, e))
			return -1;
	}
	*key = hash_end(&h);
	return 0;
}

static int
make_path(struct app *a, struct err *e)
{
	const char *slash = strrchr(a->program[0], '/'), *name = slash ? slash + 1 : a->program[0];
	char folder[PATH_MAX], shown[40];
	uint64_t key = 0;

	if (make_key(a, &key, e) || workload_cache_folder(folder, sizeof(folder), e) ||
	    workload_make_folder(folder, e))
		return -1;
	snprintf(shown, sizeof(shown), "%.30s", name);
	for (char *p = shown; *p; p++) /* cli_cache.c reads the name up to the first '-' */
		*p = *p == '-' || (unsigned char)*p < ' ' ? '_' : *p;
	if ((size_t)snprintf(a->path, sizeof(a->path), "%s/" CACHED_PROGRAM "%s-%016" PRIx64 ".ctr",
			     folder, shown, key) >= sizeof(a->path))
		return err_set(e, "the cache's path is too long");
	return 0;
}

/* ---------------------------------------------------------------- both halves */

static int
run_recorder(struct app *a)
{
	static char force[] = "--force", o[] = "-o", dashes[] = "--";
	int rc;

	a->record[a->n_record++] = force; /* it is this program's cache, whatever lies there */
	a->record[a->n_record++] = o;
	a->record[a->n_record++] = a->path;
	a->record[a->n_record++] = dashes;
	for (char **arg = a->program; *arg; arg++)
		a->record[a->n_record++] = *arg;
	rc = record_app_main(a->n_record, a->record);
	if (access(a->path, R_OK) != 0)
		return rc ? rc : 1;
	if (rc)
		fprintf(stderr,
			"ctascope: the program ended with status %d; showing the kernels that it "
			"launched\n",
			rc);
	return 0;
}

static bool
asks_help(char **argv)
{
	for (char **word = argv + 1; *word && strcmp(*word, "--") != 0; word++)
		if (strcmp(*word, "--help") == 0 || strcmp(*word, "-h") == 0)
			return true;
	return false;
}

int
cli_app(int argc, char **argv, const struct cli_front *f)
{
	struct app a = {.n_record = 0};
	struct err e = {0};
	int rc = 0;

	if (asks_help(argv)) {
		cmdline_print_help(&cli_app_cmdline);
		return 0;
	}
	rc = read_args(&a, argc, argv);
	if (rc == 0 && make_path(&a, &e))
		rc = report_error(&e, 1);
	if (rc == 0 && !workload_cached_is_usable(a.path, a.program[0]))
		rc = run_recorder(&a);
	if (rc == 0) {
		a.debug[a.n_debug++] = a.path;
		rc = cli_main(a.n_debug, a.debug, f);
	}
	free(a.record);
	free(a.debug);
	return rc;
}
