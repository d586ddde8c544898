/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_part.h - private to src/export: the functions that write rows, and the writer of each
 * table. */
#ifndef EXPORT_EXPORT_PART_H
#define EXPORT_EXPORT_PART_H

#include "base/digits.h"
#include "export/export.h"

/* A longer field is rejected, because libcsv grows its buffer in steps of 128 bytes. */
#define CSV_FIELD_MOST (64 * 1024)

/* A number with its text, cached because many numbers (shares of a sample) repeat. */
struct csv_known {
	double v;
	unsigned n; /* length of the text; 0: empty entry */
	char text[DIGITS_MAX];
};
#define CSV_KNOWN 1024

struct csv_out {
	FILE *to;
	const char *eol;
	const struct export_job *job; /* NULL: cannot be stopped */
	char *buf;		      /* unwritten bytes: n of size */
	size_t n, size;
	struct csv_known *known; /* [CSV_KNOWN]; NULL: no cache */
	unsigned column;	 /* of the current row */
	bool closed;		 /* stopped, or nothing more can be written: rows are dropped */
	bool stopped;
	bool no_memory; /* memory ran out for part of the table */
};

/* Writes the buffer to the file. */
void csv_flush(struct csv_out *o);
void csv_text(struct csv_out *o, const char *text);
void csv_u64(struct csv_out *o, uint64_t v);
void csv_i64(struct csv_out *o, int64_t v);
void csv_num(struct csv_out *o, double v); /* shortest text that reads back the same; NaN: empty */
void csv_none(struct csv_out *o);
/* Writes preformatted cells: n bytes, with the commas between them; their number must not be 0.
 * */
void csv_cells(struct csv_out *o, const char *cells, size_t n);
/* Like csv_num(), but writes at `to`, which has room for DIGITS_MAX, and returns the end. */
char *csv_put_num(struct csv_out *o, char *to, double v);
void csv_end(struct csv_out *o);
/* A header field: the name with its unit, "lat_rt_cycles". */
#define COLUMN_NAME 96 /* room for one */
void export_column_name(const char *name, const char *unit, char *buf, size_t size);
void csv_column(struct csv_out *o, const char *name, const char *unit);
void csv_header(struct csv_out *o, const char *const *names, unsigned n); /* and ends the row */
void csv_begin(struct csv_out *o, const struct export_job *j, cycle_t cycle, unsigned kernel);

/* Is the cycle in the requested range? */
static inline bool
csv_wanted(const struct export_job *j, cycle_t cycle)
{
	return cycle >= j->from && cycle <= j->to;
}

void export_event_header(struct csv_out *o);
void export_event_row(const struct export_job *j, struct csv_out *o, const struct event *ev);

void export_series(const struct export_job *j, struct csv_out *o);
void export_gauges(const struct export_job *j, struct csv_out *o);
void export_mem(const struct export_job *j, struct csv_out *o);
void export_cores(const struct export_job *j, struct csv_out *o);
void export_ctas(const struct export_job *j, struct csv_out *o);
void export_lines(const struct export_job *j, struct csv_out *o);
void export_warps(const struct export_job *j, struct csv_out *o);
void export_events(const struct export_job *j, struct csv_out *o);
void export_decisions(const struct export_job *j, struct csv_out *o);
void export_stats(const struct export_job *j, struct csv_out *o);

#endif
