/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replace.c - a command that writes a file replaces an earlier one of its own, which makes repeated
 * runs convenient (a log grows instead), but no file that something else wrote: a slip of the pen
 * such as `dump csv stats notes.txt` must not cost it. Its beginning shows who wrote a file.
 */
#include "base/replace.h"

#include "base/output.h"
#include "base/textfile.h"
#include "ctascope/base.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* How files begin that ctascope writes; a table of any kind may replace a table of another. The
 * table of a sweep, hours of work, is replaced by none of them. */
static const struct {
	const char *what, *begins[8];
	const char *first_line; /* what else its first line may contain; NULL: nothing */
} own[] = {
	[OWN_TABLE] = {"table of a run or a comparison",
		       {"run,cycle,kernel,", "run,policy,status,", "name,value,unit",
			"name,a,b,unit", "part,cycles,"}},
	[OWN_LOG] = {"log of ctascope", {"(ctascope"}},
	[OWN_TRACE_EVENTS] = {"export of ctascope",
			      {"{\"displayTimeUnit\":\"ns\",\"otherData\":{\"program\":"
			       "\"ctascope\""}},
	[OWN_SEQUENCE] = {"sequence of ctascope", {"# ctascope sequence"}},
	[OWN_STOPS] = {"list of stops", {"break ", "tbreak ", "watch ", "trace ", "ignore "}},
	/* of these, one of another program looks the same */
	[OWN_PAGE] = {"HTML page", {"<!doctype html", "<!DOCTYPE html"}},
	[OWN_PICTURE] = {"picture", {"<?xml", "<svg", "%PDF", "\x89PNG"}},
	[OWN_RECORDING] = {"recording of a session", {"{\"version\": 2, \"width\""}},
	[OWN_TRACE] = {"trace",
		       {"\x89"
			"CTR\r\n",
			"-kernel name",
			"\xfd"
			"7zXZ",
			"\x1f\x8b", "\x28\xb5\x2f\xfd"}},
	[OWN_TRACE_LIST] = {"list of kernels",
			    {"Memcpy", "Stream", "CopyStream,", "EventRecord,", "EventSynchronize,",
			     "DeviceSynchronize"},
			    ".traceg"},
	[OWN_FINDINGS] = {"table of findings", {"kernel,launch,cta_x,"}},
	[OWN_SCREEN] = {NULL}, /* text, of which any may be the user's */
};

bool
replace_is_forced(const char *word)
{
	return word && strcmp(word, "--force") == 0;
}

/* Cuts the head to its first line. */
static bool
is_own(char *head, size_t n, enum own_file kind)
{
	const char *const *begin = own[kind].begins;

	for (unsigned i = 0; i < ARRAY_LEN(own[kind].begins) && begin[i]; i++)
		if (n >= strlen(begin[i]) && memcmp(head, begin[i], strlen(begin[i])) == 0)
			return true;
	head[strcspn(head, "\n")] = '\0';
	return own[kind].first_line && strstr(head, own[kind].first_line);
}

int
replace_check(const char *command, const char *path, enum own_file kind, struct err *e)
{
	char head[300] = ""; /* room for the longest name of a kernel in a list */
	char *target;
	FILE *f;
	size_t n;

	/* What is wrong with a path, writing it will tell. */
	if (output_target(path, &target, NULL) || !target)
		return 0;
	f = text_open_regular(target, 0);
	free(target);
	if (!f)
		return 0;
	n = fread(head, 1, sizeof(head) - 1, f);
	fclose(f);
	if (!n)
		return 0;
	if (is_own(head, n, kind))
		return 0;
	return err_set(e, "%s: %s exists%s%s; choose another name, or add --force", command, path,
		       own[kind].what ? " and is no " : "", own[kind].what ? own[kind].what : "");
}

int
replace_check_bytes(const char *command, const char *path, uint64_t bytes, struct err *e)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || !st.st_size || (uint64_t)st.st_size == bytes)
		return 0;
	return err_set(e,
		       "%s: %s exists and is no buffer of %" PRIu64
		       " bytes; choose another name, or add --force",
		       command, path, bytes);
}

int
replace_check_before(const char *command, const char *path, enum own_file kind, bool forced,
		     struct err *e)
{
	if (strcmp(path, "-") == 0)
		return 0;
	if (!forced && replace_check(command, path, kind, e))
		return -1;
	return output_check(path, 0, e);
}
