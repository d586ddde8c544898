/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_doctor.c - ctascope doctor: examines what ctascope needs from the system, prints a line for
 * each part, and says how to fix problems.
 *
 * An error keeps ctascope from working as described and makes the exit status 1; a note names
 * something optional that is missing.
 */
#include "base/datadir.h"
#include "base/words.h"
#include "cli/cli_part.h"
#include "workload/workload.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* The smallest terminal that the full screen supports. */
#define LEAST_WIDTH 40
#define LEAST_HEIGHT 12
/* About the size of the recorded applications of Table 2 at their default size. */
#define CACHE_ROOM (UINT64_C(256) << 20)

enum finding { FINDING_OK, FINDING_NOTE, FINDING_ERROR };

/* What was found about a part, and how to fix it ("" if nothing is wrong). */
struct report {
	char found[PATH_MAX + 200];
	char mend[500];
};

#define FOUND(r, ...) snprintf((r)->found, sizeof((r)->found), __VA_ARGS__)
#define MEND(r, ...) snprintf((r)->mend, sizeof((r)->mend), __VA_ARGS__)

/* ---------------------------------------------------------------- the parts */

static enum finding
examine_terminal(const struct cli_front *f, struct report *r)
{
	struct cli_terminal t;
	char colors[40];

	if (!f || !f->look) {
		FOUND(r, "this program was built without a screen");
		return FINDING_NOTE;
	}
	f->look(&t);
	if (!t.is_terminal) {
		FOUND(r, "standard input or output is no terminal");
		MEND(r, "run ctascope doctor in the terminal that you will use");
		return FINDING_NOTE;
	}
	snprintf(colors, sizeof(colors), "%d colours", t.colors);
	FOUND(r, "%s, %s, %s, %dx%d", t.name && *t.name ? t.name : "TERM is not set",
	      !t.is_described	   ? "no description"
	      : t.has_exact_colors ? "24-bit colours"
	      : t.colors	   ? colors
				   : "no colours",
	      t.is_utf8 ? "UTF-8" : "no UTF-8", t.width, t.height);
	if (!t.is_described) {
		MEND(r, "export TERM=xterm-256color, or install the description of the terminal "
			"(package ncurses-term)");
		return FINDING_ERROR;
	}
	if (t.width < LEAST_WIDTH || t.height < LEAST_HEIGHT) {
		MEND(r, "make the window at least %d columns wide and %d lines high", LEAST_WIDTH,
		     LEAST_HEIGHT);
		return FINDING_ERROR;
	}
	if (!t.is_utf8) {
		MEND(r, "export LANG=C.UTF-8 for finer pictures; until then the screen is ASCII");
		return FINDING_NOTE;
	}
	if (t.colors < 8) {
		MEND(r, "export TERM=xterm-256color if the terminal has colours; until then the "
			"screen shows digits");
		return FINDING_NOTE;
	}
	return FINDING_OK;
}

static int
count_file(void *ctx, const char *name ATTR_UNUSED, const char *path ATTR_UNUSED)
{
	++*(unsigned *)ctx;
	return 0;
}

static enum finding
examine_data(const struct cli_front *f ATTR_UNUSED, struct report *r)
{
	unsigned machines = 0, traces = 0, themes = 0;
	char folder[PATH_MAX];

	if (!datadir_shipped(folder, sizeof(folder))) {
		FOUND(r, "no folder with machines, traces and themes");
		MEND(r, "install ctascope again, or set CTASCOPE_DATADIR to the folder that has "
			"machines/");
		return FINDING_ERROR;
	}
	datadir_each("machines", ".machine", count_file, &machines);
	datadir_each("traces", ".ctr", count_file, &traces);
	datadir_each("themes", ".theme", count_file, &themes);
	FOUND(r, "%s: %u machines, %u traces, %u themes", folder, machines, traces, themes);
	if (machines && traces && themes)
		return FINDING_OK;
	MEND(r, "some are missing: install ctascope again, or correct CTASCOPE_DATADIR");
	return FINDING_ERROR;
}

/* The first library of the recorder that is missing in its folder. NULL: all are there, or this
 * build has no recorder, which examine_recorder() reports by other means. */
static const char *
missing_library(char folder[PATH_MAX])
{
	char path[PATH_MAX + 40];

	if (record_library(folder, NULL))
		return NULL;
	for (unsigned i = 0; record_libraries[i]; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, record_libraries[i]);
		if (access(path, R_OK))
			return record_libraries[i];
	}
	return NULL;
}

static enum finding
examine_recorder(const struct cli_front *f ATTR_UNUSED, struct report *r)
{
	struct workload_trace t;
	unsigned can = 0;
	struct err e = {0};
	char folder[PATH_MAX];
	const char *missing = missing_library(folder);

	if (missing) {
		FOUND(r, "%s is missing in %s", missing, folder);
		MEND(r, "install ctascope again, or set CTASCOPE_LIBDIR to a folder that has it; "
			"without it programs with their own CUDA runtime cannot be recorded");
		return FINDING_ERROR;
	}
	for (unsigned i = 0; i < n_workload_apps; i++)
		can += workload_look(&t, &workload_apps[i], SIZE_DEFAULT, &e) == 0;
	FOUND(r, "%u of %u applications are recorded or can be recorded", can, n_workload_apps);
	if (can == n_workload_apps)
		return FINDING_OK;
	MEND(r, "%s", e.msg);
	return FINDING_NOTE;
}

/* Shortens path to its nearest existing folder, because the cache folder is created on first use.
 */
static void
cut_to_existing(char *path)
{
	struct stat st;

	while (stat(path, &st) && strrchr(path, '/') > path)
		*strrchr(path, '/') = '\0';
}

static enum finding
examine_cache(const struct cli_front *f ATTR_UNUSED, struct report *r)
{
	char folder[PATH_MAX], there[PATH_MAX];
	struct statvfs room;
	struct err e = {0};

	if (workload_cache_folder(folder, sizeof(folder), &e)) {
		FOUND(r, "%s", e.msg);
		MEND(r, "set HOME or XDG_CACHE_HOME to one of your folders");
		return FINDING_ERROR;
	}
	snprintf(there, sizeof(there), "%s", folder);
	cut_to_existing(there);
	if (access(there, W_OK | X_OK)) {
		FOUND(r, "%s cannot be written", folder);
		MEND(r, "make %.250s writable, or set XDG_CACHE_HOME to another folder", there);
		return FINDING_ERROR;
	}
	if (statvfs(there, &room)) {
		FOUND(r, "%s", folder);
		return FINDING_OK;
	}
	uint64_t bytes = (uint64_t)room.f_bavail * room.f_frsize;

	FOUND(r, "%s, %llu MiB free", folder, (unsigned long long)(bytes >> 20));
	if (bytes >= CACHE_ROOM)
		return FINDING_OK;
	MEND(r, "free some space ('ctascope cache clear'), or set XDG_CACHE_HOME to another "
		"folder");
	return FINDING_NOTE;
}

/* ---------------------------------------------------------------- compilers */

static bool
find_nvcc(char *path, size_t size)
{
	const char *home = getenv("CUDA_HOME");
	char usual[PATH_MAX];

	snprintf(usual, sizeof(usual), "%s/bin/nvcc", home ? home : "/usr/local/cuda");
	return record_app_file("nvcc", path, size) || record_app_file(usual, path, size);
}

static enum finding
examine_compiler(const struct cli_front *f ATTR_UNUSED, struct report *r)
{
	char nvcc[PATH_MAX / 2], clang[PATH_MAX / 2];
	bool has_nvcc = find_nvcc(nvcc, sizeof(nvcc));
	bool has_clang = record_app_file("clang", clang, sizeof(clang));

	FOUND(r, "%s%s%s", has_nvcc ? nvcc : "", has_nvcc && has_clang ? ", " : "",
	      has_clang ? clang : "");
	if (has_nvcc || has_clang)
		return FINDING_OK;
	FOUND(r, "neither nvcc nor clang on PATH");
	MEND(r, "install clang to compile your own kernels to PTX; nothing else needs it");
	return FINDING_NOTE;
}

/* ---------------------------------------------------------------- the command */

static const struct cmd_option options[] = {CMD_HELP, CMD_END};

const struct cmdline cli_doctor_cmdline = {
	.name = "doctor",
	.usage = "doctor",
	.about = "Examine what ctascope needs: the terminal (colours, UTF-8, size), the data "
		 "files,\n"
		 "the recorder, the cache, and compilers that produce PTX. One line per part "
		 "reports ok,\n"
		 "note (something optional is missing) or error; the line below it says what to "
		 "do.\n",
	.section = {{NULL, options}},
	.tail = "Exit status: 0 no errors, 1 something needs fixing, 2 usage.\n",
};

int
cli_doctor(int argc, char **argv, const struct cli_front *f)
{
	static const struct {
		const char *name;
		enum finding (*examine)(const struct cli_front *f, struct report *r);
	} parts[] = {
		{"terminal", examine_terminal}, {"data", examine_data},
		{"recorder", examine_recorder}, {"cache", examine_cache},
		{"compiler", examine_compiler},
	};
	static const char *const words[] = {"ok", "note", "error"};
	unsigned errors = 0;
	int first, rc = cmdline_read(&cli_doctor_cmdline, argc, argv, NULL, &first);

	if (rc >= 0)
		return rc;
	if (first < argc)
		return cmdline_usage(&cli_doctor_cmdline, "unexpected argument '%s'", argv[first]);
	setlocale(LC_CTYPE, "");
	for (unsigned i = 0; i < ARRAY_LEN(parts); i++) {
		struct report r = {"", ""};
		enum finding found = parts[i].examine(f, &r);

		printf("%-10s %-6s %s\n", parts[i].name, words[found], r.found);
		if (*r.mend)
			printf("%-10s %-6s -> %s\n", "", "", r.mend);
		errors += found == FINDING_ERROR;
	}
	if (errors)
		printf("%u error%s\n", errors, errors == 1 ? "" : "s");
	else
		puts("no errors");
	return errors ? 1 : 0;
}
