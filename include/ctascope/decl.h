/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decl.h - options declared once, as rows.
 *
 * Every option is one row of a .def file:
 *
 *     OPT(u32, sets, 64, 1, 65536, "sets", "sets per cache")
 *     OPT_ENUM(sched, "lrr", wsched_names, "", "warp scheduler")
 *
 * The row makes the field of a plain struct (DECL_FIELD below), the entry of a table (DECL_ROW) and
 * from that the command line (-o), config files, `set`, `show`, completion and the man page.
 * Groups of rows are mounted under a prefix: prefix "l1d" + row "sets" is the option "l1d.sets".
 */
#ifndef CTASCOPE_DECL_H
#define CTASCOPE_DECL_H

#include "ctascope/base.h"
#include "ctascope/err.h"

#include <stdio.h>

enum opt_type { OPT_T_u32, OPT_T_u64, OPT_T_i32, OPT_T_f64, OPT_T_bool, OPT_T_enum };

typedef uint32_t opt_u32;
typedef uint64_t opt_u64;
typedef int32_t opt_i32;
typedef double opt_f64;
typedef bool opt_bool;
typedef bool opt_flag; /* what rows write: `bool` is a macro and would expand */
#define OPT_T_flag OPT_T_bool
typedef uint32_t opt_enum; /* index into the row's names */

/* The option, and its value, without which another one has no effect. The value is one of several
 * names, "xbar|mesh", or anything but one, "!0". key NULL: none is needed. */
struct opt_need {
	const char *key, *value;
};

struct opt_row {
	const char *name;
	enum opt_type type;
	size_t offset;		  /* of the field in its struct */
	double def, min, max;	  /* default and accepted range, both ends included */
	const char *const *names; /* enum only: NULL-terminated */
	const char *unit;	  /* "" for none */
	const char *help;	  /* one line, lower case, no full stop */
	bool fixed;		  /* stays as it is during a run, even in a group that is live */
	struct opt_need only_with;
};

/* Choices of the enums of a group beyond the names of their rows, which only its owner knows, such
 * as files. They are numbered after the names. */
#define OPT_NO_CHOICE (-2)
struct opt_more {
	/* Returns the number of a choice among these; -1 with e; OPT_NO_CHOICE: the value is not of
	 * their kind. */
	int (*find)(void *owner, const char *value, struct err *e);
	const char *(*name)(const void *owner, unsigned number);
	const char *kind; /* what they are, for messages: "a policy file" */
	void *owner;
};

/* A struct of options and where it is mounted. live: rows that are not fixed may be changed during
 * a run. */
struct opt_group {
	const char *prefix;
	const struct opt_row *rows;
	unsigned n_rows;
	void *base; /* borrowed: the struct the rows describe */
	bool live;
	const struct opt_more *more; /* borrowed; NULL: the rows' names are all choices */
	struct opt_need only_with;   /* of all rows that have none */
};

static inline bool
opt_is_live(const struct opt_group *g, const struct opt_row *r)
{
	return g->live && !r->fixed;
}

#define OPT_VALUE 260 /* room for the text of any value; one may be a path */
#define OPT_MAX_GROUPS 192
struct optdb {
	struct opt_group group[OPT_MAX_GROUPS];
	unsigned n_groups;
};

/* Mounts a group, and sets every field to its default. */
void optdb_mount(struct optdb *db, const char *prefix, const struct opt_row *rows, unsigned n_rows,
		 void *base, bool live);
void opt_defaults(const struct opt_row *rows, unsigned n_rows, void *base);

/* Copies every value of a database, or of a group, to one with the same groups or rows. */
void optdb_copy(struct optdb *to, const struct optdb *from);
void opt_group_copy(const struct opt_group *to, const struct opt_group *from);

/* Sets "l1d.sets" from text. Numbers take k, M, G suffixes and 0x; bools
 * on/off/yes/no/true/false/1/0. An unknown key names the nearest known ones; a bad value names
 * range or choices. */
int opt_set(struct optdb *db, const char *key, const char *value, struct err *e);

/* Writes the present value as opt_set accepts it; -1 when the key is unknown. */
int opt_get(const struct optdb *db, const char *key, char *buf, size_t size, struct err *e);

const struct opt_row *opt_find(const struct optdb *db, const char *key,
			       const struct opt_group **group); /* NULL: unknown */

/* What the option needs to have an effect and does not have now; NULL: it has one. */
const struct opt_need *opt_unmet(const struct optdb *db, const struct opt_group *g,
				 const struct opt_row *r);

/* Reads a config file: lines "set KEY VALUE" with '#' comments. Stops at the first error, which has
 * file, line and caret. */
int opt_load(struct optdb *db, const char *path, struct err *e);
int opt_load_stream(struct optdb *db, const char *path, FILE *f, struct err *e);

/* Calls fn for every option in declaration order; key is "prefix.name". */
void opt_each(const struct optdb *db,
	      void (*fn)(void *ctx, const char *key, const struct opt_group *g,
			 const struct opt_row *r),
	      void *ctx);

/* Expansion helpers for .def files, which end with #undef OPT. The fields of a part's struct are
 *     #define OPT DECL_FIELD
 * in front of the include, the rows of its table
 *     #define OPT(...) DECL_ROW(struct PART_cfg, __VA_ARGS__)
 */
#define ONLY_WITH(option, has) .only_with = {.key = option, .value = has} /* after the help */
#define DECL_FIELD(type, name, ...) opt_##type name;
#define DECL_FIELD_ENUM(name, ...) opt_enum name;
#define DECL_ROW(S, ...) DECL_ROW_(S, false, __VA_ARGS__)
#define DECL_ROW_FIXED(S, ...) DECL_ROW_(S, true, __VA_ARGS__)
#define DECL_ROW_(S, keep, t, field, d, least, most, u, ...) \
	{.name = #field,                                     \
	 .type = OPT_T_##t,                                  \
	 .offset = offsetof(S, field),                       \
	 .def = (double)(d),                                 \
	 .min = (double)(least),                             \
	 .max = (double)(most),                              \
	 .unit = u,                                          \
	 .help = __VA_ARGS__,                                \
	 .fixed = keep},
#define DECL_ROW_ENUM(S, field, d, list, n, u, ...) \
	{.name = #field,                            \
	 .type = OPT_T_enum,                        \
	 .offset = offsetof(S, field),              \
	 .def = (double)(d),                        \
	 .max = (double)((n)-1),                    \
	 .names = list,                             \
	 .unit = u,                                 \
	 .help = __VA_ARGS__},

/* A row of a table that is not made by a .def file, by the name of the member: DECL_PARAM(struct
 * half_opts, high, u32, 40, 1, 100, "%", "..."). The types are u32, u64, i32, f64 and bool; a
 * member of another size does not compile. DECL_PARAM_ENUM: an opt_enum, whose value indexes the
 * list of names, an array with NULL at the end. */
#define DECL_PARAM(s, member, t, d, least, most, u, h)                                            \
	{                                                                                         \
		.name = #member, .type = OPT_T_##t,                                               \
		.offset = offsetof(s, member) +                                                   \
			  sizeof(char[sizeof(((s *)0)->member) == sizeof(opt_##t) ? 1 : -1]) - 1, \
		.def = d, .min = least, .max = most, .unit = u, .help = h                         \
	}
#define DECL_PARAM_ENUM(s, member, d, list, h)                                                \
	{                                                                                     \
		.name = #member, .type = OPT_T_enum, .offset = offsetof(s, member), .def = d, \
		.max = ARRAY_LEN(list) - 2, .names = list, .unit = "", .help = h              \
	}

#endif
