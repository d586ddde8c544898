/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plain_name.h - the name of a C++ function without what the compiler adds to it.
 *
 * Compilers write the types of the parameters, the namespaces and the arguments of templates into
 * the names of C++ kernels: matmul(float *, float *, int) is _Z6matmulPfS_i. A person looks for
 * matmul.
 */
#ifndef BASE_PLAIN_NAME_H
#define BASE_PLAIN_NAME_H

#include "ctascope/base.h"

#define PLAIN_NAME 256 /* room for any name of a kernel */

/* Copies the last identifier of a name of the Itanium C++ ABI, or of a signature, to buf, shortened
 * when it does not fit, and returns buf: "matmul" of _Z6matmulPfS_i, _ZN3lib6matmulIfEEvPT_, and
 * "void lib::matmul<float>(float*)". Any other name, also that of an operator or a lambda, is
 * copied as it is. */
const char *plain_name(const char *name, char *buf, size_t size);
/* The same as a terminal may show it (shown.h). */
const char *plain_name_shown(const char *name, char *buf, size_t size);
/* Does the word name the function: as it is, without what the compiler adds, or as a signature? Of
 * a signature only the identifier counts, not the parameters. */
bool is_plain_name(const char *word, const char *name);

#endif
