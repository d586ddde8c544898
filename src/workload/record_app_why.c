/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record_app_why.c - the program has ended, nothing is recorded, and nobody has said why: what was
 * looked for in it and what was found.
 */
#include "workload/record_app.h"

#include "record/divert/image.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the file says about the two APIs, as a clause. */
static void
describe_image(const struct image *m, char *text, size_t size)
{
	enum image_cudart c = image_cudart(m);
	char name[80];

	if (c == CUDART_STRIPPED)
		snprintf(text, size,
			 "it contains the CUDA runtime, but was stripped, so the calls cannot be "
			 "diverted: relink with -cudart shared, or keep the symbols");
	else if (c)
		snprintf(text, size, "it contains the CUDA runtime %d", (int)c);
	else if (image_needs(m, "libcudart.so", name, sizeof(name)) ||
		 image_needs(m, "libcuda.so", name, sizeof(name)))
		snprintf(text, size, "it is linked with %s", name);
	else
		snprintf(text, size,
			 "it is linked with neither libcuda.so.1 nor a CUDA runtime, shared "
			 "or static");
}

void
record_app_why(const struct record_app *a, uint64_t notices, int rc)
{
	char path[PATH_MAX], found[300] = "", status[80] = "";
	const char *why = "cannot be found";
	struct image *m = NULL;

	if (notices % RECORD_REPORTED) {
		fprintf(stderr,
			"ctascope: the program ended with status %d without running its exit "
			"handlers (_exit, or exec), or closed all files: nothing is recorded\n",
			rc);
		return;
	}
	if (record_app_file(a->argv[0], path, sizeof(path)))
		m = image_open(path, &why);
	if (m)
		describe_image(m, found, sizeof(found));
	else
		snprintf(found, sizeof(found),
			 "it %s: what it runs is recorded when that uses CUDA", why);
	image_close(m);
	if (rc)
		snprintf(status, sizeof(status), "the program ended with status %d; ", rc);
	fprintf(stderr,
		"ctascope: %sno call of the CUDA driver API (libcuda.so.1) or runtime API "
		"(libcudart.so.11.0, .12, .13) was seen: nothing is recorded; %s: %s\n",
		status, a->argv[0], found);
}
