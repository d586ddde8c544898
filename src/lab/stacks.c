/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stacks.c - parses the list of stacks of a race.
 *
 * A stack may contain commas between its parameters: name:a=2,b=0. So a comma separates two stacks
 * unless NAME=VALUE follows, which is a parameter of the stack before it, as names of policies have
 * no '='. After the stack may be options of the lane: rr@gpu.warp_sched=gto@core.owl_group=2. The
 * name of a file may contain '@', too, as that of a version does: ./mine.so@2:high=60. An option
 * begins where a name and '=' follow.
 */
#include "lab/race_part.h"

#include "base/ascii.h"
#include "base/foreign.h"
#include "base/words.h"

#include <stdlib.h>
#include <string.h>

/* The length of the first stack of a list. */
static size_t
stack_length(const char *list)
{
	size_t n = strcspn(list, ",");

	while (list[n] == ',' && list[n + 1 + strcspn(list + n + 1, "=:+,@")] == '=')
		n += 1 + strcspn(list + n + 1, ",");
	return n;
}

/* Finds the next '@' before the name of an option and '='; otherwise returns the end. */
static const char *
find_option(const char *at)
{
	static const char in_name[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";

	while ((at = strchr(at, '@')) != NULL) {
		size_t n = strspn(at + 1, in_name);

		if (ascii_is_lower(at[1]) && at[1 + n] == '=')
			return at;
		at++;
	}
	return NULL;
}

const char *
race_lane_options(const char *lane)
{
	const char *at = find_option(lane);

	return at ? at : lane + strlen(lane);
}

/* What the user set, as opposed to what the file of the machine says. */
struct carried {
	struct config *to;
	const struct config *from, *plain; /* plain: the machine as its file describes it */
	struct err *e;
	int rc;
};

static void
carry_option(void *ctx, const char *key, const struct opt_group *g, const struct opt_row *r)
{
	struct carried *k = ctx;
	char value[OPT_VALUE], plain[OPT_VALUE];

	(void)g, (void)r;
	if (!k->rc && !opt_get(config_db_const(k->from), key, value, sizeof(value), NULL) &&
	    !opt_get(config_db_const(k->plain), key, plain, sizeof(plain), NULL) &&
	    strcmp(value, plain) != 0)
		k->rc = opt_set(config_db(k->to), key, value, k->e);
}

/* Takes another machine; the options that the user set for the run hold on it, too. */
static int
take_machine(struct config *c, const char *name, struct err *e)
{
	struct config *from = config_copy(c), *plain = config_new();
	struct carried k = {.to = c, .from = from, .plain = plain, .e = e};

	if (!from || !plain)
		k.rc = err_nomem(e);
	else if (config_machine(plain, config_machine_name(c), e) || config_machine(c, name, e))
		k.rc = -1;
	else
		opt_each(config_db_const(from), carry_option, &k);
	config_free(from);
	config_free(plain);
	return k.rc;
}

/* Cuts "gpu.warp_sched=gto" at the front of a lane's options into name and value; returns what
 * follows. */
static const char *
read_lane_option(const char *at, char *name, size_t size, char **value)
{
	const char *end = race_lane_options(at + 1);

	span_copy((struct span){at + 1, (size_t)(end - at - 1)}, name, size);
	*value = name + strcspn(name, "=");
	*(*value)++ = '\0';
	return end;
}

#define LANE_SYNTAX "expected POLICY[:PARAMETER=VALUE...][@OPTION=VALUE...]"

/* Finds an '@' that begins neither an option of the lane nor, after a '/', the version of a file.
 */
static const char *
find_stray_at(const char *text)
{
	const char *at = strchr(text, '@');
	size_t n = at ? (size_t)(at - text) : 0;

	while (n && !strchr(",:+/", text[n - 1]))
		n--;
	return n && text[n - 1] == '/' ? NULL : at;
}

static int
refuse_stray_at(const char *at, struct err *e)
{
	return err_set(e,
		       "'%.100s': after @ comes an option of the lane; " LANE_SYNTAX
		       ", as in @gpu.warp_sched=gto",
		       at);
}

static int
set_option(struct config *c, const char *name, const char *value, struct err *e)
{
	const char *plus = strchr(value, '+');
	struct err why = {0};

	if (opt_set(config_db(c), name, value, &why) == 0)
		return 0;
	if (why.kind == ERR_NAME)
		return err_set(e,
			       "'@%.100s': the machine has no such option; " LANE_SYNTAX
			       "; --list-options lists them",
			       name);
	if (plus && strchr(plus, '='))
		return err_set(e, "'%.100s': each option of a lane begins with @; " LANE_SYNTAX,
			       plus);
	if (find_stray_at(value))
		return refuse_stray_at(find_stray_at(value), e);
	if (e)
		*e = why;
	return -1;
}

/* The machine, which may stand anywhere, is taken before the other options are set. */
static int
set_lane_options(struct config *c, const char *at, bool machine, struct err *e)
{
	char name[POLICY_TEXT], other[POLICY_TEXT], *value, *skipped;

	while (*at) {
		at = read_lane_option(at, name, sizeof(name), &value);
		for (const char *k = at; *k;) {
			k = read_lane_option(k, other, sizeof(other), &skipped);
			if (strcmp(name, other) == 0)
				return err_set(e, "'@%.100s' appears twice in a lane", name);
		}
		if (!*value)
			return err_set(
				e, "'@%.100s=': the value of this option of the lane is missing",
				name);
		if (strncmp(name, "run.", 4) == 0)
			return err_set(e,
				       "'@%.100s': options run.* hold for the whole race; set them "
				       "for the run",
				       name);
		if ((strcmp(name, "machine") == 0) != machine)
			continue;
		if (machine ? take_machine(c, value, e) : set_option(c, name, value, e))
			return -1;
	}
	return 0;
}

int
race_configure(struct config *c, const char *lane, struct err *e)
{
	const char *options = race_lane_options(lane);
	char stack[POLICY_TEXT];

	span_copy((struct span){lane, (size_t)(options - lane)}, stack, sizeof(stack));
	if (config_policy(c, stack, e)) {
		if (!e || !find_stray_at(stack))
			return -1;
		*e = (struct err){0};
		return refuse_stray_at(find_stray_at(stack), e);
	}
	if (set_lane_options(c, options, true, e))
		return -1;
	return set_lane_options(c, options, false, e);
}

static unsigned
count_cores(const struct config *c)
{
	char clusters[32] = "0", cores[32] = "0";

	opt_get(config_db_const(c), "gpu.clusters", clusters, sizeof(clusters), NULL);
	opt_get(config_db_const(c), "gpu.cores_per_cluster", cores, sizeof(cores), NULL);
	return (unsigned)(strtoul(clusters, NULL, 10) * strtoul(cores, NULL, 10));
}

int
race_check_cores(const struct config *c, const struct config *first, const char *lane,
		 struct err *e)
{
	unsigned n = count_cores(c), of = count_cores(first);

	return n == of ? 0
		       : err_set(e,
				 "%.100s has %u cores and the first lane %u; only runs with the "
				 "same number of cores can be shown side by side",
				 lane, n, of);
}

/* Writes the stack in its canonical form; -1 with e, which suggests similar names. */
static int
write_canonical(const char *stack, char *to, size_t size, struct err *e)
{
	struct config *c = config_new();
	int rc;

	config_set_try(c, foreign_try);
	rc = c ? race_configure(c, stack, e) : err_nomem(e);
	if (rc == 0)
		snprintf(to, size, "%s%s", config_policy_text(c), race_lane_options(stack));
	config_free(c);
	return rc;
}

int
race_add_list(struct race_stacks *s, struct race_stacks *listed, const char *list, struct err *e)
{
	const unsigned before = listed->n;

	if (race_add(listed, list, e))
		return -1;
	for (unsigned i = before; i < listed->n; i++) {
		bool has = false;

		for (unsigned k = 0; k < s->n; k++)
			has |= strcmp(s->text[k], listed->text[i]) == 0;
		if (!has && race_add(s, listed->text[i], e))
			return -1;
	}
	return 0;
}

int
race_add(struct race_stacks *s, const char *list, struct err *e)
{
	const char *at = list;
	char stack[POLICY_TEXT], text[POLICY_TEXT];

	for (;;) {
		size_t n = stack_length(at);

		if (!span_copy(span_trim((struct span){at, n}), stack, sizeof(stack)))
			return err_set(e, "'%.60s...': a stack of more than %d characters", stack,
				       POLICY_TEXT - 1);
		if (!stack[0])
			return err_set(e, "'%.100s': expected policy stacks with commas between",
				       list);
		if (write_canonical(stack, text, sizeof(text), e))
			return -1;
		for (unsigned i = 0; i < s->n; i++)
			if (strcmp(s->text[i], text) == 0)
				return err_set(e,
					       "%.100s is in the race already; a stack runs once",
					       text);
		if (s->n == RACE_LANES)
			return err_set(e, "no lane for %.100s: at most %d stacks race", text,
				       RACE_LANES);
		memcpy(s->text[s->n++], text, sizeof(text));
		if (!at[n])
			return 0;
		at += n + 1;
	}
}
