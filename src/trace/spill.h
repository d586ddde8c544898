/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spill.h - records of a CTA that are too many for memory as they are. */
#ifndef TRACE_SPILL_H
#define TRACE_SPILL_H

#include "trace/codec.h"

/* Encodes the records that the CTA has in memory, and forgets them there. From `most` encoded bytes
 * on these go to a file in folder (of output_scratch()), which must stay valid. */
int ctabuf_spill(struct ctabuf *b, const struct kern *k, const char *folder, uint64_t most,
		 struct err *e);

/* Decodes the next piece of a warp, which stays valid until the next call. *next is 0 at first. 1:
 * a piece; 0: there are no more; -1 with e. */
int spill_read(struct spill *s, const struct kern *k, uint32_t warp, uint32_t *next,
	       struct piece *piece, struct err *e);

uint64_t spill_file_bytes(const struct spill *s); /* for tests */
void spill_clear(struct spill *s);		  /* for the next CTA */
void spill_free(struct spill *s);		  /* NULL is fine */

#endif
