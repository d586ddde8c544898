/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * state_words.c - `explain` knows every state that tables and `why` print.
 *
 * The words come from the tables of the model, and from what info prints in the columns `state`,
 * `status` and `kind`, cycle after cycle.
 */
#include "debug/debug.h"
#include "export/lifetimes.h"
#include "session/session.h"

#include "tests/small/small_session.h"
#include "tests/tap.h"

#include <ctype.h>

static struct {
	struct session *s; /* the one that is asked */
	char seen[4096];
	unsigned n;
} asked;

static void
check_word(const char *word, const char *where)
{
	char key[96], line[96];

	snprintf(key, sizeof(key), "|%s|", word);
	if (strstr(asked.seen, key))
		return;
	strncat(asked.seen, key, sizeof(asked.seen) - strlen(asked.seen) - 1);
	asked.n++;
	snprintf(line, sizeof(line), "explain %s", word);
	ok(session_exec(asked.s, line) == SESSION_OK, "%s: '%s' is explained", where, word);
}

/* A warp that is free, and a reason that is none, are not printed. */
static void
words_of_tables(void)
{
	struct core_view v = {.state = CORE_ACTIVE};

	for (unsigned i = 0; i <= CORE_OFF; i++)
		check_word(core_state_names[i], "states of cores");
	for (unsigned i = 0; i < CC_CLASSES; i++)
		check_word(cycle_class_names[i], "classes");
	for (unsigned i = WARP_FREE + 1; i < WARP_STATUSES; i++)
		check_word(warp_status_names[i], "warps");
	for (unsigned i = 0; i <= CTA_STATE_HELD; i++)
		check_word(cta_state_names[i], "CTAs");
	for (unsigned i = REFUSE_NONE + 1; i <= REFUSE_OTHER_KERNEL; i++)
		check_word(debug_refusal_name((enum refusal)i), "why not");
	for (unsigned i = 0; i <= TRACE_STREAM_NONBLOCKING; i++)
		check_word(trace_stream_kind_name((enum trace_stream_kind)i), "streams");
	check_word(core_state_text(&v), "cores");
	v.resident = v.warps = 2;
	v.warps_memory = 2;
	check_word(core_state_text(&v), "cores");
	v.warps_memory = 1;
	check_word(core_state_text(&v), "cores");
	v.warps_memory = 0;
	v.warps_unfetched = 2;
	check_word(core_state_text(&v), "cores");
	v.warps_barrier = 2;
	check_word(core_state_text(&v), "cores");
	v.warps_done = 2;
	check_word(core_state_text(&v), "cores");
	v.warps_done = 0;
	v.warps_held = 2;
	check_word(core_state_text(&v), "cores");
	v.warps_ready = v.warps_held_back = 1;
	check_word(core_state_text(&v), "cores");
}

/* The values of fields that info policy prints by name. */
static void
words_of_policies(void)
{
	unsigned n;
	const struct cta_sched_ops *const *ops = cta_sched_list(&n);

	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < ops[i]->n_fields; k++)
			for (const char *const *name = ops[i]->fields[k].names; name && *name;
			     name++)
				check_word(*name, ops[i]->name);
}

/* Checks the words of the column that has this head in the table in `printed`. Its rows begin with
 * a number. */
static void
check_column(const char *head, const char *topic)
{
	static char text[sizeof(printed)];
	size_t column = 0;

	strcpy(text, printed);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		char *found = strstr(line, head), *end;

		if (!column && found)
			column = (size_t)(found - line);
		if (!column || column >= strlen(line) ||
		    !isdigit((unsigned char)line[strspn(line, " ")]))
			continue;
		end = strstr(line + column, "  ");
		if (end)
			*end = '\0';
		end = strpbrk(line + column, "(");
		if (end && end[-1] == ' ')
			end[-1] = '\0';
		check_word(line + column, topic);
	}
}

static void
words_of_run(const char *policy, unsigned steps)
{
	static const char *const topic[][2] = {
		{"info ctas all", "state"}, {"info warps all", "status"}, {"info cores", "state"},
		{"info gates", "state"},    {"info kernel", "state"},	  {"info mem 0", "state"}};
	struct session_ui ui = {.out = small_session_keep};
	struct small_session b = small_session_open(policy, &ui);

	for (unsigned i = 0; i < steps; i++) {
		for (unsigned k = 0; k < ARRAY_LEN(topic); k++) {
			printed[0] = '\0';
			session_exec(b.s, topic[k][0]);
			check_column(topic[k][1], topic[k][0]);
		}
		session_exec(b.s, "step 97");
	}
	small_session_close(&b);
}

int
main(void)
{
	struct small_session b = small_session_open("dyncta", NULL);
	unsigned n;

	asked.s = b.s;
	words_of_tables();
	words_of_policies();
	n = asked.n;
	ok(session_exec(b.s, "explain sleeping-beauty") != SESSION_OK, "another word is not known");
	words_of_run("dyncta:period=128,pause=hold", 90);
	words_of_run("tcs", 40);
	ok(asked.n > n, "a run printed %u words more", asked.n - n);
	small_session_close(&b);
	return done();
}
