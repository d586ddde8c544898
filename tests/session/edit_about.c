/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * edit_about.c - rewrites a saved session as if another program had written it: "edit_about IN OUT
 * KEY VALUE" sets the line KEY of the part "about" to VALUE. Used by saved.t.
 */
#include "base/strbuf.h"
#include "session/store.h"
#include <stdio.h>
#include <string.h>

static void
copy_lines(const char *about, const char *key, const char *value, struct strbuf *out)
{
	for (size_t n; *about; about += n) {
		n = strcspn(about, "\n") + 1;
		if (strncmp(about, key, strlen(key)) == 0 && about[strlen(key)] == ' ')
			sb_printf(out, "%s %s\n", key, value);
		else
			sb_add(out, about, n);
	}
}

int
main(int argc, char **argv)
{
	struct store in = {0}, out = {0};
	struct strbuf about = {0};
	struct err e = {0};
	int rc = argc == 5 ? store_read(&in, argv[1], NULL, NULL, &e) : -1;

	for (unsigned i = 0; rc == 0 && i < in.n_parts; i++) {
		const struct store_part *p = &in.part[i];
		bool is_about = strcmp(p->name, "about") == 0;

		if (is_about)
			copy_lines(p->bytes, argv[3], argv[4], &about);
		rc = store_add(&out, p->name, is_about ? about.p : p->bytes,
			       is_about ? about.n : p->n, &e);
	}
	if (rc == 0)
		rc = store_write(&out, argv[2], 0, &e);
	if (rc)
		fprintf(stderr, "edit_about: %s\n", argc == 5 ? e.msg : "IN OUT KEY VALUE");
	sb_free(&about);
	store_free(&in);
	return rc != 0;
}
