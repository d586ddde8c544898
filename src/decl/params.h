/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * params.h - the text of a policy stack: "one:period=4096,n=4+another:n=2,k=0".
 *
 *     stack = part { "+" part }          part = (NAME | PATH) [ ":" pair { "," pair } ]
 *     pair  = KEY "=" VALUE
 *
 * Names and keys consist of letters, digits, '_', '-' and '.'; a value is anything up to the next
 * ',' or '+' (so 1e6, not 1e+6). Blanks around all of these are skipped. Whether a name or key
 * exists is not checked here.
 *
 * A word is a path if it has a '/' before the next ':', '+', ',' or blank, or ends in ".so" there.
 * A path extends to the first ".so" before such a character or the end, so that
 * "./c++/mine.so+another" is two parts; without any ".so", it extends to the first such character.
 */
#ifndef DECL_PARAMS_H
#define DECL_PARAMS_H

#include "ctascope/decl.h"

#define STACK_NAME 31

struct stack_part {
	char name[256]; /* of a policy: at most STACK_NAME characters; or a path */
	bool is_path;
	char params[224]; /* "key=value,key=value" without blanks; "" for none */
};

/* Splits text into parts. Returns their number (at least 1), or -1 with the place of the
 * mistake. */
int stack_parse(const char *text, struct stack_part *part, unsigned max, struct err *e);

/* Sets PREFIX.key=value for every pair of params. Stops at the first mistake and points at it in
 * params; pairs before it stay set. */
int params_apply(const char *prefix, const char *params, struct optdb *db, struct err *e);

#endif
