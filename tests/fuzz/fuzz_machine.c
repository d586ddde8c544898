/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_machine.c - any bytes as a machine file, with all options; if the first line begins with
 * '-', it is a policy stack.
 *
 * Requirements: no crash; a rejected file has an error with a message and a caret on its text; an
 * accepted one prints as it is read, and so does a copy of it; changes since a copy can be undone,
 * and another configuration can follow it. No byte of an accepted text is zero. Line ends of other
 * systems and a byte order mark change nothing.
 *
 * User policies are provided by this program: an input must not load a file, since the content of a
 * policy file is trusted.
 */
#define FUZZ_CORPUS "machine"
#define FUZZ_COVERS "src/sim/config.c src/decl/load.c src/decl/decl.c src/decl/params.c"
#include "tests/fuzz/replay.h"

#include "tests/fuzz/text_twin.h"

#include "ctascope/policy_file.h"
#include "sim/config.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---------------------------------------------------------------- in place of src/sim/plugin.c */

struct own_opts {
	opt_u32 n;
};

static const struct opt_row own_rows[] = {
	DECL_ROW(struct own_opts, u32, n, 3, 1, 9, "", "a number")};

static const struct cta_sched_ops own_policies[] = {
	{.name = "mine", .opts = own_rows, .n_opts = 1, .opts_size = sizeof(struct own_opts)},
	{.name = "second", .with = "mine"},
	{.name = "lost", .with = "nothing"},
	{.name = "rr"},
	{.name = "l2"},
	{.name = "host"},
};

struct plugin *
plugin_open(const char *path, struct err *e)
{
	const char *name = strrchr(path, '/');
	struct plugin *p;

	for (size_t i = 0; name && i < ARRAY_LEN(own_policies); i++)
		if (strcmp(name + 1, own_policies[i].name) == 0) {
			p = calloc(1, sizeof(*p));
			fuzz_check(p);
			p->ops = &own_policies[i];
			p->refs = 1;
			snprintf(p->path, sizeof(p->path), "%s", path);
			return p;
		}
	err_set(e, "policy '%s': there is no such file", path);
	return NULL;
}

/* No file is read twice here. */
unsigned
plugin_version(const char *path, char *file, size_t size)
{
	snprintf(file, size, "%s", path);
	return 1;
}

uint64_t
plugin_digest(const char *path ATTR_UNUSED)
{
	return 1;
}

/* No sequence of limits is made here. */
struct plugin *
plugin_new_sequence(const char *path, const char *help ATTR_UNUSED, struct err *e)
{
	err_set(e, "policy '%s': there are no sequences here", path);
	return NULL;
}

struct plugin *
plugin_ref(struct plugin *p)
{
	p->refs++;
	return p;
}

void
plugin_close(struct plugin *p)
{
	if (p && --p->refs == 0)
		free(p);
}

/* ---------------------------------------------------------------- promises */

static void
check_error(const struct err *e)
{
	fuzz_check(e->set && e->msg[0]);
	fuzz_check(!e->text[0] ||
		   (e->col >= 0 && (size_t)e->col <= strlen(e->text) && e->len >= 1));
}

static const char *
memory_file(int *fd, const void *data, size_t size)
{
	static char path[64];

	if (*fd < 0)
		*fd = memfd_create("machine", 0);
	if (*fd < 0 || pwrite(*fd, data, size, 0) != (ssize_t)size || ftruncate(*fd, (off_t)size))
		return NULL;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", *fd);
	return path;
}

struct other {
	struct config *c;
	char *text;
	size_t n;
};

static void
print_one(void *ctx, const char *key, const struct opt_group *g, const struct opt_row *r)
{
	struct other *o = ctx;
	char value[64];

	(void)g, (void)r;
	fuzz_check(opt_get(config_db(o->c), key, value, sizeof(value), NULL) == 0);
	o->n += (size_t)snprintf(o->text + o->n, 65536 - o->n, "set %s %s\n", key, value);
	fuzz_check(o->n < 65536);
}

/* Prints every option in the form of a file. */
static size_t
print_all(struct config *c, char *text)
{
	struct other o = {c, text, 0};

	opt_each(config_db(c), print_one, &o);
	return o.n;
}

/* For one group: live options only. */
static void
check_choice(void *ctx, const char *key, const struct opt_group *g, const struct opt_row *r)
{
	fuzz_check(!config_is_choice(ctx, key) || opt_is_live(g, r));
}

/* c, which prints as the n bytes of text, changes to another configuration and back; one more
 * follows it. */
static void
change_and_return(struct config *c, const char *text, size_t n)
{
	static char now[65536];
	struct config *was = config_copy(c), *other = config_new();
	const struct cta_sched_ops *const *stack;
	struct err e = {0};
	unsigned n_stack;

	fuzz_check(was && other);
	opt_each(config_db(c), check_choice, c);
	config_put_back(c, other);
	fuzz_check(!strcmp(config_policy_text(c), config_policy_text(other)));
	config_put_back(c, was);
	fuzz_check(print_all(c, now) == n && memcmp(text, now, n) == 0);
	fuzz_check(!strcmp(config_policy_text(c), config_policy_text(was)));
	fuzz_check(config_follow(other, c, &e) == 0);
	fuzz_check(!strcmp(config_policy_text(c), config_policy_text(other)));
	config_follow(was, other, &e);
	fuzz_check(!strcmp(config_policy_text(was), config_policy_text(c)));
	stack = config_stack(other, &n_stack);
	for (unsigned i = 0; i < n_stack; i++)
		fuzz_check(!config_policy_opts(other, stack[i]) == !stack[i]->n_opts);
	fuzz_check(config_policy_opts(c, NULL) == NULL);
	fuzz_check(config_wsched(other, config_wsched_name(c), NULL) == 0);
	fuzz_check(!strcmp(config_wsched_name(other), config_wsched_name(c)));
	fuzz_check(config_machine_name(c)[0]);
	config_free(was);
	config_free(other);
}

/* c is as it was before the text was read, which returned rc and prints as the n bytes of text. */
static void
check_twin(struct config *c, const uint8_t *data, size_t size, int rc, const char *text, size_t n)
{
	static char now[65536];
	static int in = -1;
	size_t n_twin;
	uint8_t *twin = text_twin(data, size, &n_twin);
	struct err e = {0};

	if (!twin)
		return;
	fuzz_check(config_machine(c, memory_file(&in, twin, n_twin), &e) == rc);
	fuzz_check(print_all(c, now) == n && memcmp(text, now, n) == 0);
	free(twin);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char first[65536], second[65536];
	static int in = -1, out = -1;
	struct config *c = config_new(), *again = config_new(), *twin;
	struct err e = {0};
	size_t n;
	char stack[300];
	int rc;

	fuzz_check(c && again);
	if (size > 1 && data[0] == '-') {
		size_t len = strnlen((const char *)data, size);
		const uint8_t *end = memchr(data, '\n', len);

		len = end ? (size_t)(end - data) : len;
		snprintf(stack, sizeof(stack), "%.*s", (int)(len - 1), (const char *)data + 1);
		if (config_policy(c, stack, &e)) {
			check_error(&e);
			config_policy(again, stack, NULL); /* its policies are known from now on */
		} else { /* as it is said it can be asked for again */
			fuzz_check(config_policy(again, config_policy_text(c), NULL) == 0 &&
				   !strcmp(config_policy_text(c), config_policy_text(again)));
		}
		data += end ? len + 1 : len;
		size -= end ? len + 1 : len;
		err_clear(&e);
	}
	twin = config_copy(c);
	rc = config_machine(c, memory_file(&in, data, size), &e);
	if (rc)
		check_error(&e);
	fuzz_check(twin && (rc || !memchr(data, 0, size)));
	n = print_all(c, first);
	check_twin(twin, data, size, rc, first, n);
	config_free(twin);
	err_clear(&e);
	if (config_machine(again, memory_file(&out, first, n), &e))
		fuzz_check(!"what is printed is read");
	fuzz_check(print_all(again, second) == n && memcmp(first, second, n) == 0);
	err_clear(&e);
	if (config_check(c, &e))
		check_error(&e);
	config_free(again);
	change_and_return(c, first, n);
	again = config_copy(c);
	fuzz_check(again && print_all(again, second) == n && memcmp(first, second, n) == 0);
	fuzz_check(!strcmp(config_policy_text(c), config_policy_text(again)));
	config_free(c);
	config_free(again);
	return 0;
}
