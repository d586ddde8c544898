/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_config.c - any bytes as a config file, as a policy stack and as single values.
 *
 * Requirements: no crash, an error is always filled in and its caret is on the text, and every
 * accepted value is within its range and reads back as it prints.
 */
#define FUZZ_CORPUS "config"
#define FUZZ_COVERS "src/decl/decl.c src/decl/load.c src/decl/params.c"
#include "tests/fuzz/replay.h"

#include "decl/params.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *const sched_names[] = {"lrr", "gto", "tl", "owl", NULL};

struct opts {
	opt_u32 sets;
	opt_u64 size;
	opt_i32 bias;
	opt_f64 ratio;
	opt_flag on;
	opt_enum sched;
};

/* clang-format off */
static const struct opt_row rows[] = {
	DECL_ROW(struct opts, u32, sets, 64, 1, 65536, "sets", "sets per cache")
	DECL_ROW(struct opts, u64, size, 16384, 1, UINT64_MAX, "bytes", "bytes of data")
	DECL_ROW(struct opts, i32, bias, -3, INT32_MIN, 100, "cycles", "a signed number")
	DECL_ROW(struct opts, f64, ratio, 0.1, 0, 1, "", "a share")
	DECL_ROW(struct opts, flag, on, 1, 0, 1, "", "on or off")
	DECL_ROW_ENUM(struct opts, sched, 1, sched_names, 4, "", "warp scheduler")
};
/* clang-format on */

static void
check_error(const struct err *e)
{
	fuzz_check(e->set && e->msg[0]);
	fuzz_check(!e->text[0] ||
		   (e->col >= 0 && (size_t)e->col <= strlen(e->text) && e->len >= 1));
}

static void
check_option(void *ctx, const char *key, const struct opt_group *g, const struct opt_row *r)
{
	struct optdb *db = ctx;
	char first[64], second[64];

	(void)g, (void)r;
	fuzz_check(opt_get(db, key, first, sizeof(first), NULL) == 0);
	fuzz_check(opt_set(db, key, first, NULL) == 0);
	fuzz_check(opt_get(db, key, second, sizeof(second), NULL) == 0);
	fuzz_check(strcmp(first, second) == 0);
}

static void
try_value(void *ctx, const char *key, const struct opt_group *g, const struct opt_row *r)
{
	struct optdb copy = {0};
	struct opts o;
	struct err e = {0};

	(void)g, (void)r;
	optdb_mount(&copy, "", rows, ARRAY_LEN(rows), &o, true);
	if (opt_set(&copy, strchr(key, '.') + 1, ctx, &e))
		check_error(&e);
	opt_each(&copy, check_option, &copy);
}

static void
try_file(struct optdb *db, const uint8_t *data, size_t size)
{
	struct err e = {0};
	char path[64];
	int fd = memfd_create("config", 0);

	if (fd < 0)
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, data, size) == (ssize_t)size && opt_load(db, path, &e))
		check_error(&e);
	close(fd);
}

static void
try_stack(struct optdb *db, const char *text)
{
	struct stack_part part[4];
	struct err e = {0};
	int n = stack_parse(text, part, ARRAY_LEN(part), &e);

	fuzz_check(n >= -1 && n != 0 && n <= 4);
	if (n < 0)
		check_error(&e);
	for (int i = 0; i < n; i++) {
		struct stack_part again[1];
		char whole[500];

		snprintf(whole, sizeof(whole), "%.255s%s%.223s", part[i].name,
			 part[i].params[0] ? ":" : "", part[i].params);
		fuzz_check(stack_parse(whole, again, 1, NULL) == 1);
		fuzz_check(!strcmp(again[0].name, part[i].name) &&
			   !strcmp(again[0].params, part[i].params));
		if (params_apply("l1d", part[i].params, db, &e))
			check_error(&e);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct optdb db = {0};
	struct opts o, bare;
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	optdb_mount(&db, "l1d", rows, ARRAY_LEN(rows), &o, true);
	opt_each(&db, try_value, text);
	optdb_mount(&db, "", rows, ARRAY_LEN(rows), &bare, true);
	try_file(&db, data, size);
	try_stack(&db, text);
	opt_each(&db, check_option, &db);
	free(text);
	return 0;
}
