/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_handin.c - any bytes as a hand-in.
 *
 * Promises: no crash; what is refused has an error with a message; what is accepted names a student
 * and a lesson without a path, and comes back from its own text as the same hand-in.
 */
#define FUZZ_CORPUS "handin"
#define FUZZ_COVERS "src/teach/handin_text.c"
#include "tests/fuzz/replay.h"

#include "teach/handin_part.h"

#include <string.h>

static void
check_accepted(const struct handin_text *h)
{
	fuzz_check(handin_name_is_good(h->student) && handin_name_is_good(h->lesson));
	fuzz_check(!strchr(h->lesson, '/') && h->lesson[0] != '.');
	fuzz_check(h->n_lines <= HANDIN_LINES && h->n_results <= LESSON_ITEMS);
	for (unsigned i = 0; i < h->n_lines; i++)
		fuzz_check(h->line[i].text && !strchr(h->line[i].text, '\n'));
	for (unsigned i = 0; i < h->n_results; i++)
		fuzz_check(!h->result[i].known ||
			   (h->result[i].mark > MARK_OPEN && h->result[i].mark <= MARK_SKIPPED &&
			    h->result[i].after <= h->n_lines));
}

static void
check_written(const struct handin_text *h)
{
	struct handin_text *again = calloc(1, sizeof(*again));
	struct strbuf text = {0}, twice = {0};

	handin_write(h, &text);
	if (again && !text.failed && text.n <= HANDIN_MOST) {
		fuzz_check(handin_parse("again", text.p, text.n, again, NULL) == 0);
		handin_write(again, &twice);
		fuzz_check(twice.failed ||
			   (twice.n == text.n && memcmp(twice.p, text.p, text.n) == 0));
		handin_text_free(again);
	}
	sb_free(&text);
	sb_free(&twice);
	free(again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct handin_text *h = calloc(1, sizeof(*h));
	struct err e = {0};

	if (!h)
		return 0;
	if (handin_parse("a.txt", (const char *)data, size, h, &e) == 0) {
		check_accepted(h);
		check_written(h);
	} else {
		fuzz_check(e.set && e.msg[0]);
	}
	handin_text_free(h);
	free(h);
	return 0;
}
