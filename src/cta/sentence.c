/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sentence.c - fills in the names in the sentence of a rule.
 *
 * A name in braces is that of a value of the rule or, failing that, of a fact about the event that
 * the host knows. An unknown name stays as written; a fact that the event does not have becomes
 * "?". {outcome} is the change of a core's limit. A value whose name ends in _milli is in
 * thousandths and is printed with a decimal point.
 */
#include "ctascope/sim.h"

#include "base/human.h"
#include "cta/cta.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int
rule_find(const struct rule *r, const char *name, size_t length)
{
	for (int i = 0; i < EVENT_VALUES && r->value[i]; i++)
		if (!strncmp(r->value[i], name, length) && !r->value[i][length])
			return i;
	return -1;
}

#define OUTCOME "outcome"

static bool
is_outcome(const char *name, size_t length)
{
	return length == strlen(OUTCOME) && memcmp(name, OUTCOME, length) == 0;
}

/* Looks up a fact of the event; *v is set when the event has it. */
enum { NO_SUCH_NAME, NOT_KNOWN, KNOWN };

static int
host_value(const char *name, size_t length, const struct event *ev, int64_t *v)
{
	const struct {
		const char *name;
		bool known;
		int64_t v;
	} fact[] = {
		{"core", ev->core >= 0, ev->core},   {"cta", ev->cta != UINT32_MAX, ev->cta},
		{"slot", ev->slot >= 0, ev->slot},   {"resident", ev->core >= 0, ev->resident},
		{"among", ev->among > 0, ev->among},
	};

	for (unsigned i = 0; i < ARRAY_LEN(fact); i++)
		if (!strncmp(fact[i].name, name, length) && !fact[i].name[length]) {
			*v = fact[i].v;
			return fact[i].known ? KNOWN : NOT_KNOWN;
		}
	return NO_SUCH_NAME;
}

bool
rule_knows(const struct rule *r, const char *name, size_t length)
{
	int64_t v;

	return rule_find(r, name, length) >= 0 || is_outcome(name, length) ||
	       host_value(name, length, &(struct event){0}, &v) != NO_SUCH_NAME;
}

static void
print_outcome(const struct event *ev, char *buf, size_t size)
{
	if (!ev->limit)
		snprintf(buf, size, "?");
	else if (ev->limit == ev->limit_before)
		snprintf(buf, size, "limit stays %u", ev->limit);
	else
		snprintf(buf, size, "limit %u -> %u", ev->limit_before, ev->limit);
}

/* Does the value number a thing, as in "CTA 1024"? Such numbers get no separators, because commands
 * take them without. */
static bool
is_ordinal(const char *name, size_t length)
{
	static const char *const ordinals[] = {"core", "cta", "slot",  "first",
					       "next", "to",  "empty", "id"};

	for (unsigned i = 0; i < ARRAY_LEN(ordinals); i++)
		if (!strncmp(ordinals[i], name, length) && !ordinals[i][length])
			return true;
	return false;
}

static void
print_number(const char *name, size_t length, int64_t v, char *buf, size_t size)
{
	static const char milli[] = "_milli";
	const size_t n = strlen(milli);
	char number[HUMAN];

	if (is_ordinal(name, length))
		snprintf(buf, size, "%" PRId64, v);
	else if (length > n && !memcmp(name + length - n, milli, n))
		snprintf(buf, size, "%s", human_fixed(number, (double)v / 1000, v < 10000 ? 3 : 1));
	else
		snprintf(buf, size, "%s%s", v < 0 ? "-" : "",
			 human(number, v < 0 ? 0 - (uint64_t)v : (uint64_t)v));
}

void
cta_value_text(const char *name, int64_t v, char *buf, size_t size)
{
	size_t n = strlen(name), end = strlen("_milli");

	if (n > end && strcmp(name + n - end, "_milli") == 0)
		snprintf(buf, size, "%" PRId64, v);
	else
		print_number(name, n, v, buf, size);
}

/* Prints the value of a name. Returns false if the name is unknown. */
static bool
print_value(const struct rule *r, const struct event *ev, const char *name, size_t length,
	    char *buf, size_t size)
{
	int i = rule_find(r, name, length), found = KNOWN;
	int64_t v = i >= 0 ? ev->v[i] : 0;

	if (i < 0 && is_outcome(name, length)) {
		print_outcome(ev, buf, size);
		return true;
	}
	if (i < 0)
		found = host_value(name, length, ev, &v);
	if (found == NOT_KNOWN)
		snprintf(buf, size, "?");
	else
		print_number(name, length, v, buf, size);
	return found != NO_SUCH_NAME;
}

static size_t
fill_sentence(const char *says, const struct rule *r, const struct event *ev, bool outcome,
	      char *buf, size_t size)
{
	static const char apart[] = ", {" OUTCOME "}";
	size_t n = 0;

	while (*says && n + 1 < size) {
		size_t length = *says == '{' ? strcspn(says + 1, "{}") : 0;
		char number[HUMAN];

		if (!outcome && strncmp(says, apart, strlen(apart)) == 0)
			says += strlen(apart);
		else if (length && says[1 + length] == '}' &&
			 print_value(r, ev, says + 1, length, number, sizeof(number))) {
			n += (size_t)snprintf(buf + n, size - n, "%s", number);
			n = MIN(n, size - 1);
			says += length + 2;
		} else {
			buf[n++] = *says++;
		}
	}
	buf[n] = '\0';
	return n;
}

size_t
rule_fill(const char *says, const struct rule *r, const struct event *ev, char *buf, size_t size)
{
	return fill_sentence(says, r, ev, true, buf, size);
}

size_t
rule_fill_cause(const char *says, const struct rule *r, const struct event *ev, char *buf,
		size_t size)
{
	return fill_sentence(says, r, ev, false, buf, size);
}
