/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pages.h - compressed copies of memory (images), which share equal pages.
 *
 * An image contains the content that ranges of memory had when it was taken. It shares the pages
 * that are equal to those of an earlier image, `like`. Shared pages are counted, so images may be
 * freed in any order.
 */
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include "ctascope/base.h"

#define PAGE_BYTES 4096 /* of a page of an image, independent of the system's pages */

/* A range of memory, aligned to 8 bytes. Its last page is read and written up to a full page. */
struct memory_range {
	char *mem;
	size_t bytes;
};

struct image;

/* Takes an image. like may be NULL; only the last of its ranges may have had another size. Returns
 * NULL when memory runs out. */
struct image *image_take(const struct image *like, const struct memory_range *range,
			 unsigned n_ranges);
/* Restores the content of the ranges from which the image was taken. */
void image_put(const struct image *m, const struct memory_range *range, unsigned n_ranges);
struct image *image_share(struct image *m); /* returns m, which must be freed once more */
void image_free(struct image *m);
size_t image_bytes(const struct image *m); /* memory it uses, shared or not */
size_t image_added(const struct image *m); /* the part it did not share when taken */
size_t image_own(const struct image *m);   /* the part it does not share now */

#endif
