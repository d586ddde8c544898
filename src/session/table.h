/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table.h - a table that is said as lines, cut to the width of the terminal.
 */
#ifndef SESSION_TABLE_H
#define SESSION_TABLE_H

#include "ctascope/base.h"

struct session;

#define TABLE_COLUMNS 20
struct table {
	unsigned n_columns;
	struct {
		char head[24];
		bool right;
		unsigned drop;	/* 0: never left out, else the higher the sooner */
		unsigned width; /* of the widest cell */
	} column[TABLE_COLUMNS];
	char **cell; /* rows x columns */
	unsigned n_cells, room;
	bool failed;
};
/* spec: words "<head" or ">head" (left, right), a digit in front says what is left out first. */
void table_begin(struct table *t, const char *spec);
void table_text(struct table *t, const char *fmt, ...) ATTR_PRINTF(2, 3);
void table_u64(struct table *t, uint64_t v);
void table_num(struct table *t, double v);
void table_end(struct session *s, struct table *t); /* says it and frees it */

#endif
