/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image.h - facade of src/record/divert: finds which CUDA runtime an ELF file contains, and its
 * functions.
 *
 * `ctascope record` examines the program to explain why nothing was recorded. The preloaded library
 * (divert.c) examines loaded files in order to redirect a runtime that is linked in to ours.
 *
 * The file is not trusted: if it is truncated or inconsistent, it has fewer symbols or none.
 */
#ifndef RECORD_IMAGE_H
#define RECORD_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image;

enum image_cudart {
	CUDART_NONE,
	CUDART_11 = 11, /* linked in, with symbols; or the shared library itself */
	CUDART_12 = 12,
	CUDART_13 = 13,
	CUDART_STRIPPED = -1 /* linked in, and its functions have no names */
};

/* The name of the library of a version: "libcudart.so.11.0", "libcudart.so.12", ... */
const char *image_cudart_library(enum image_cudart c);

/* NULL: not an ELF file of this machine, and *why is the rest of a sentence: "cannot be read", "is
 * for another machine" ... */
struct image *image_open(const char *path, const char **why);
void image_close(struct image *m); /* NULL is fine */

enum image_cudart image_cudart(const struct image *m);
/* Finds a library that it is linked with, whose name begins with prefix; false: none. */
bool image_needs(const struct image *m, const char *prefix, char *name, size_t size);

/* The name of a library of NVIDIA's that contains its own CUDA runtime and works only with NVIDIA's
 * driver, "libcufft" for "/usr/lib/libcufft.so.12"; NULL: another library. *needed: whether its
 * calls fail here; NVRTC and the like only look for a device and compile without one. / */
const char *image_vendor_library(const char *path, bool *needed);

struct image_symbol {
	const char *name; /* of the image */
	uint64_t value, size;
};
/* Calls fn for all functions that it defines, unsorted: those of .symtab, else of .dynsym. */
void image_functions(const struct image *m, void (*fn)(void *ctx, const struct image_symbol *s),
		     void *ctx);
/* The n bytes of the file that are loaded at value; NULL: there are none, or they are not code. */
const uint8_t *image_code(const struct image *m, uint64_t value, uint64_t n);

#endif
