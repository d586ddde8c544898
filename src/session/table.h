/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table.h - prints a table as lines that fit the width of the terminal.
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
		/* 0: always shown; else columns with higher numbers are left out first. */
		unsigned drop;
		unsigned width; /* that of the widest cell */
	} column[TABLE_COLUMNS];
	char **cell; /* rows * columns */
	unsigned n_cells, room;
	bool failed;
};
/* spec has a word per column: "<head" (left-aligned) or ">head" (right-aligned), preceded by the
 * digit of column.drop. */
void table_begin(struct table *t, const char *spec);
void table_text(struct table *t, const char *fmt, ...) ATTR_PRINTF(2, 3);
void table_u64(struct table *t, uint64_t v);
void table_num(struct table *t, double v);
void table_pair(struct table *t, double a, double b); /* two cells, as human_pair() */
void table_end(struct session *s, struct table *t);   /* prints and frees the table */

#endif
