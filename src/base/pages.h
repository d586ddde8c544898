/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pages.h - images of memory that share what is equal.
 *
 * An image holds what pieces of memory held when it was taken. One taken in the likeness of an
 * earlier one shares its pages that are the same, and keeps of the others mostly what differs. An
 * image stands for itself: those it shares with may be freed in any order.
 */
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include "ctascope/base.h"

#define PAGE_BYTES 4096 /* of a page here, whatever the system's is */

/* Memory from a multiple of 8 on. All of its last page is read and written. */
struct piece {
	char *mem;
	size_t bytes;
};

struct image;

/* like NULL: none. Its pieces had the same sizes, but for the last. NULL: out of memory. */
struct image *image_take(const struct image *like, const struct piece *piece, unsigned n_pieces);
/* Puts everything back; the pieces are those it was taken of. */
void image_put(const struct image *m, const struct piece *piece, unsigned n_pieces);
struct image *image_share(struct image *m); /* the same image, to be freed once more */
void image_free(struct image *m);
size_t image_bytes(const struct image *m); /* memory it uses, shared or not */
size_t image_added(const struct image *m); /* of these, those it did not share when it was taken */
size_t image_own(const struct image *m);   /* of these, those it does not share now */

#endif
