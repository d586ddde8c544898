/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace_events.c - the run as trace events: the file is JSON, each event has what the format
 * demands, and its slices are the CTAs and pauses of the lifetimes.
 */
#include "export/export.h"
#include "export/lifetimes.h"
#include "tests/small/small.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- a parser of JSON */

static const char *at; /* NULL: a mistake was found */

static void parse_value(void);

static void
skip_space(void)
{
	at += strspn(at, " \t\r\n");
}

static void
parse_char(char c)
{
	if (at)
		skip_space();
	at = at && *at == c ? at + 1 : NULL;
}

static void
parse_string(void)
{
	parse_char('"');
	while (at && *at != '"') {
		if ((unsigned char)*at < 0x20)
			at = NULL;
		else if (*at == '\\')
			at = at[1] && strchr("\"\\/bfnrtu", at[1]) ? at + 2 : NULL;
		else
			at++;
	}
	parse_char('"');
}

static void
parse_number(void)
{
	char *end;

	strtod(at, &end);
	at = end > at && strchr("-0123456789", *at) ? end : NULL;
}

/* The inside of an object or a list. */
static void
parse_members(char open, char close)
{
	parse_char(open);
	skip_space();
	if (*at == close) {
		at++;
		return;
	}
	for (;;) {
		if (open == '{') {
			parse_string();
			parse_char(':');
		}
		if (at)
			parse_value();
		if (!at)
			return;
		skip_space();
		if (*at != ',')
			break;
		at++;
	}
	parse_char(close);
}

static void
parse_value(void)
{
	skip_space();
	if (*at == '{')
		parse_members('{', '}');
	else if (*at == '[')
		parse_members('[', ']');
	else if (*at == '"')
		parse_string();
	else
		parse_number();
}

static bool
is_json(const char *text)
{
	at = text;
	parse_value();
	if (at)
		skip_space();
	return at && !*at;
}

/* ---------------------------------------------------------------- what it has */

static char *
export_text(struct sim *s, cycle_t from, cycle_t to)
{
	struct export_job j = {.sim = s, .run = 1, .from = from, .to = to};
	struct err e = {0};
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	ok(export_trace_events(&j, f, &e) == 0, "it is written");
	fclose(f);
	return text;
}

static unsigned
count(const char *text, const char *part)
{
	unsigned n = 0;

	for (const char *p = text; (p = strstr(p, part)); p += strlen(part))
		n++;
	return n;
}

/* Every line of an event has phase, process and thread, and all but labels a time. */
static bool
lines_are_whole(const char *text)
{
	for (const char *p = text; (p = strstr(p, "\n{")); p++) {
		char line[1000];

		snprintf(line, sizeof(line), "%.*s", (int)strcspn(p + 1, "\n"), p + 1);
		if (!strstr(line, "\"ph\":\"") || !strstr(line, "\"pid\":") ||
		    !strstr(line, "\"tid\":") || !strstr(line, "\"name\":"))
			return false;
		if (!strstr(line, "\"ph\":\"M\"") && !strstr(line, "\"ts\":"))
			return false;
		if (strstr(line, "\"ph\":\"X\"") && !strstr(line, "\"dur\":"))
			return false;
	}
	return true;
}

static bool
has_slice(const char *text, const struct cta_lifetimes *l, const struct cta_lifetime *c)
{
	char want[200];

	snprintf(want, sizeof(want),
		 "{\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":%" PRIu64 ",\"dur\":%" PRIu64
		 ",\"name\":\"CTA %" PRIu32 "\"",
		 10 + c->core, c->slot + 1, lifetime_begin(l, c),
		 lifetime_end(l, c) - lifetime_begin(l, c), c->cta);
	return strstr(text, want) != NULL;
}

static void
test_run(const char *policy, cycle_t cycle)
{
	struct config *c = small_config(policy);
	struct trace *t = small_trace();
	struct err e = {0};
	struct sim *s = sim_new(c, t, &e);
	struct cta_lifetimes l = {0};
	size_t missing = 0;
	char *text;

	if (!s)
		small_die("sim", &e);
	sim_run(s, cycle, &e);
	text = export_text(s, 0, CYCLE_NEVER);
	ok(is_json(text), "%s: it is JSON", policy);
	ok(lines_are_whole(text), "every event has its fields");
	lifetimes_read(&l, s);
	for (size_t i = 0; i < l.n; i++)
		missing += !has_slice(text, &l, &l.cta[i]);
	ok(l.n > 20 && missing == 0, "of %zu CTAs each has a slice, %zu have not", l.n, missing);
	is_u64(count(text, "\"cat\":\"cta\""), l.n, "and nothing else has");
	is_u64(count(text, "\"cat\":\"pause\""), l.n_pauses, "each pause is one, too");
	is_u64(count(text, "\"cat\":\"kernel\""), sim_kernels_started(s), "and each kernel");
	is_u64(count(text, "\"name\":\"CTAs running\""), series_count(s) * SMALL_CORES,
	       "a counter of CTAs per core and sample");
	free(text);
	text = export_text(s, 500, 600);
	ok(is_json(text), "so is a part of the run");
	ok(count(text, "\"cat\":\"cta\"") < l.n && count(text, "\"cat\":\"cta\"") > 0,
	   "which has fewer CTAs");
	lifetimes_free(&l);
	free(text);
	sim_free(s);
	trace_close(t);
	config_free(c);
}

int
main(void)
{
	ok(!is_json("{\"a\":[1,2,]}") && !is_json("{\"a\":nan}") && is_json("{\"a\":[-1.5e3,{}]}"),
	   "the parser knows JSON");
	test_run("dyncta", 3000);
	test_run("rr", CYCLE_NEVER);
	return done();
}
