/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace_obj.h - struct trace, for the files of this folder that build traces or read all of one.
 */
#ifndef TRACE_OBJ_H
#define TRACE_OBJ_H

#include "trace/codec.h"

struct ctr;    /* an open .ctr file */
struct cached; /* a decoded CTA */

struct trace {
	struct trace_info info; /* points into the rest; set by trace_seal */
	char *path;
	struct kern **kern;
	uint32_t n_kern, cap_kern;
	struct trace_kernel *pub;
	struct trace_cmd *cmd;
	uint32_t n_cmd, cap_cmd, n_run; /* n_run: commands that run a kernel */
	uint64_t n_events;		/* that were recorded */
	struct ctr *ctr;		/* NULL: everything is in memory */
	struct codec codec;
	uint64_t max_cta_bytes;

	struct cached **slot; /* decoded CTAs by kernel and number */
	uint32_t n_slots, n_cached;
	struct cached *newest, *oldest; /* list of the unpinned ones, by last use */
	struct cached *last_owner;	/* decoded last of those with records of their own */
	uint64_t cached_bytes, budget;
};

struct trace *trace_new(const char *path);
/* Takes ownership of k, also on failure. trace_add_run adds the command that runs the next kernel.
 */
int trace_keep_kernel(struct trace *t, struct kern *k, struct err *e);
int trace_add_run(struct trace *t, struct err *e);
int trace_add_kernel(struct trace *t, struct kern *k, struct err *e);	      /* both */
int trace_add_cmd(struct trace *t, const struct trace_cmd *c, struct err *e); /* as it is */
int trace_add_copy(struct trace *t, uint64_t addr, uint64_t bytes, struct err *e);
int trace_seal(struct trace *t, struct err *e); /* fills info */

/* Encoded bytes of a CTA, valid until the next call. */
const uint8_t *trace_bytes(struct trace *t, uint32_t kernel, uint64_t cta, size_t *n,
			   struct err *e);
/* Decodes one CTA, with what writing it as text needs; the caller frees the CTA and *mode. */
struct cta_trace *trace_decode(struct trace *t, uint32_t kernel, uint64_t cta, uint8_t **mode,
			       uint64_t *present, struct err *e);

/* ---- order.c: streams, events and waits ---- */

/* Appends any command; -1 with e: its event or stream is not possible here. A kernel is the next
 * one. */
int trace_add_order(struct trace *t, const struct trace_cmd *c, struct err *e);
/* Reads a line of a list as such a command: 1; 0: the line is none; -1: *expected says what is
 * wrong with it. */
int order_parse(const char *line, struct trace_cmd *c, const char **expected);
void order_print(const struct trace_cmd *c, struct strbuf *s); /* writes that line */

/* ---- list.c: kernelslist.g ---- */

struct list_entry {
	struct trace_cmd cmd;
	char *name; /* TRACE_KERNEL */
	uint64_t line;
};

struct list {
	struct list_entry *entry;
	uint32_t n, cap;
};

struct in;
struct trace_watch;
/* Makes a trace of the text of a list or a kernel; the caller closes in. */
struct trace *trace_from_in(struct in *in, const struct trace_watch *watch, struct err *e);
int list_read(struct in *in, struct list *l, struct err *e); /* needs list_free, also on failure */
void list_free(struct list *l);

/* ---- ctr_read.c ---- */

#define CTR_MAGIC \
	"\x89"    \
	"CTR\r\n\x1a\n"
#define CTR_MAGIC_SIZE 8

struct trace *ctr_open(const char *path, struct err *e);
void ctr_close(struct ctr *c);
/* Reads every block of a kernel and compares its checksum. */
int ctr_check_blocks(struct ctr *c, const struct kern *k, struct err *e);
const uint8_t *ctr_bytes(struct ctr *c, const struct kern *k, uint64_t cta, size_t *n,
			 struct err *e);
#endif
