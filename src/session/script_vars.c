/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * script_vars.c - the user's variables: `set $x = EXPR`, and $x in every expression.
 *
 * They belong to the session, not to the machine: a run that starts again, or a checkpoint that is
 * restored, leaves them unchanged. A variable keeps its number for good, by which compiled
 * expressions find it. If a new variable appears, or one becomes a vector, expressions may compile
 * to something else, so those of stops and displays are compiled again. $x.3 is an element.
 *
 * Two more names belong to the session: $focus, the core in focus, and option.NAME, the present
 * value of an option of the machine or of the session.
 */
#include "session/command.h"
#include "session/session_part.h"

#include "base/ascii.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLES 1000
#define VARIABLE_NAME 63 /* most characters, with the '$' */

struct variable {
	char name[VARIABLE_NAME + 1];
	struct value v;
};

static const char focus_name[] = "$focus";

/* An id: the variable's number, and above it the element + 1; 0: the whole variable. */
#define ELEMENT 16
#define FOCUS (UINT64_C(1) << 40)
/* An option's id: its row, and above it its group. */
#define OPTION (UINT64_C(1) << 41)
#define OPTION_OWN (UINT64_C(1) << 42) /* an option of the session, not of the machine */
#define GROUP 16
#define OPTION_NAMES "option."

static int
find_variable(const struct session *s, const char *name, size_t n)
{
	for (unsigned i = 0; i < s->script.n_variables; i++)
		if (strlen(s->script.variable[i].name) == n &&
		    strncmp(s->script.variable[i].name, name, n) == 0)
			return (int)i;
	return -1;
}

static bool
row_of(const struct optdb *db, const char *key, uint64_t *id)
{
	const struct opt_group *g;
	const struct opt_row *r = opt_find(db, key, &g);

	if (r)
		*id = OPTION | (uint64_t)(g - db->group) << GROUP | (uint64_t)(r - g->rows);
	return r;
}

static int
resolve_option(struct session *s, const char *typed, uint64_t *id, struct err *e)
{
	char key[128];

	if (session_option(s, typed, key, sizeof(key), e))
		return -1;
	if (row_of(&s->own, key, id)) {
		*id |= OPTION_OWN;
		return 1;
	}
	return row_of(config_db(s->config), key, id) ? 1 : err_set(e, "unknown option '%s'", key);
}

static double
option_value(const struct session *s, uint64_t id)
{
	const struct config *c = s->sim ? sim_config(s->sim) : s->config;
	const struct optdb *db = id & OPTION_OWN ? &s->own : config_db_const(c);
	const struct opt_group *g = &db->group[id >> GROUP & 0xffff];
	const struct opt_row *r = &g->rows[id & 0xffff];
	const char *at = (const char *)g->base + r->offset;

	switch (r->type) {
	case OPT_T_u32:
	case OPT_T_enum:
		return *(const uint32_t *)(const void *)at;
	case OPT_T_u64:
		return (double)*(const uint64_t *)(const void *)at;
	case OPT_T_i32:
		return *(const int32_t *)(const void *)at;
	case OPT_T_f64:
		return *(const double *)(const void *)at;
	case OPT_T_bool:
		return *(const bool *)at;
	}
	return NAN;
}

static int
resolve_path(void *ctx, const char *path, uint64_t *id, struct err *e)
{
	struct session *s = ctx;
	const char *names[VARIABLES], *dot = strchr(path, '.');
	size_t n = dot ? (size_t)(dot - path) : strlen(path);
	int which = find_variable(s, path, n);
	const struct value *v;
	uint64_t element;

	if (strncmp(path, OPTION_NAMES, strlen(OPTION_NAMES)) == 0)
		return resolve_option(s, path + strlen(OPTION_NAMES), id, e);
	if (strcmp(path, focus_name) == 0) {
		*id = FOCUS;
		return 1;
	}
	if (which < 0) {
		for (unsigned i = 0; i < s->script.n_variables; i++)
			names[i] = s->script.variable[i].name;
		return err_set(e, "no variable '%s'%s", path,
			       near_hint(path, names, s->script.n_variables,
					 "; set $NAME = EXPR makes one")
				       .text);
	}
	v = &s->script.variable[which].v;
	*id = (uint64_t)which;
	if (!dot || strcmp(dot, ".*") == 0)
		return v->n ? (int)v->n : 1;
	if (number_count(dot + 1, &element) || element >= MAX(v->n, 1u))
		return err_set(e, "'%s': %.*s has %u element%s, from 0", path, (int)n, path,
			       MAX(v->n, 1u), PLURAL(MAX(v->n, 1u)));
	*id |= (element + 1) << ELEMENT;
	return 1;
}

static double
get_value(void *ctx, uint64_t id, unsigned i)
{
	const struct session *s = ctx;
	const struct value *v;

	if (id & OPTION)
		return option_value(s, id);
	if (id & FOCUS)
		return s->view.core;
	v = &s->script.variable[id & ((1u << ELEMENT) - 1)].v;
	if (id >> ELEMENT)
		i = (unsigned)(id >> ELEMENT) - 1;
	return v->n == 0 ? v->x : i < v->n ? v->v[i] : NAN;
}

struct eval_names
script_names(struct session *s)
{
	return (struct eval_names){s, resolve_path, get_value};
}

/* ---------------------------------------------------------------- set */

/* Adds a variable; returns -1 if there is no room. */
static int
add_variable(struct session *s, const char *name)
{
	struct variable *grown = realloc(s->script.variable,
					 (s->script.n_variables + 1) * sizeof(*s->script.variable));

	if (!grown)
		return -1;
	s->script.variable = grown;
	grown[s->script.n_variables] = (struct variable){.v = {.x = NAN}};
	snprintf(grown[s->script.n_variables].name, sizeof(grown->name), "%s", name);
	return (int)s->script.n_variables++;
}

/* Copies the "$x" of a variable that may be set and returns the text after it; prints an error and
 * returns NULL otherwise. */
static const char *
name_of(struct session *s, const char *text, char name[VARIABLE_NAME + 1])
{
	size_t n = 1;

	while (ascii_is_alnum(text[n]) || text[n] == '_')
		n++;
	if (n == 1 || ascii_is_digit(text[1])) {
		fail(s, "set: '%.*s' is not the name of a variable; usage: set $NAME = EXPR",
		     (int)MIN(strcspn(text, " ="), 60u), text);
		return NULL;
	}
	if (n > VARIABLE_NAME) {
		fail(s, "set: the name of a variable has at most %d characters", VARIABLE_NAME);
		return NULL;
	}
	snprintf(name, VARIABLE_NAME + 1, "%.*s", (int)n, text);
	if (debug_is_variable(name) || strcmp(name, focus_name) == 0 ||
	    (strncmp(name, "$arg", 4) == 0 && name[4] && !name[5] &&
	     strchr("0123456789c", name[4]))) {
		fail(s, "set: %s is predefined (see help expressions); choose another name", name);
		return NULL;
	}
	text = skip_blanks(text + n);
	if (*text != '=' || text[1] == '=') {
		fail(s, "set: expected '=' after %s; usage: set $NAME = EXPR", name);
		return NULL;
	}
	return text + 1;
}

enum session_status
script_set(struct session *s, const char *text)
{
	char name[VARIABLE_NAME + 1];
	const char *expr = name_of(s, text, name);
	enum session_status status;
	struct value v;

	if (!expr)
		return SESSION_ERROR;
	if (!*skip_blanks(expr))
		return fail(s, "set %s: an expression is missing", name);
	status = session_eval(s, expr, &v);
	if (status != SESSION_OK)
		return status;
	if (find_variable(s, name, strlen(name)) < 0 && s->script.n_variables == VARIABLES) {
		value_free(&v);
		return fail(s, "set %s: at most %d variables can be set", name, VARIABLES);
	}
	return script_put(s, name, &v) ? fail_memory(s) : SESSION_OK;
}

int
script_put(struct session *s, const char *name, struct value *v)
{
	struct strbuf lost = {0};
	int which = find_variable(s, name, strlen(name));
	bool is_new = which < 0;
	unsigned was;

	if (is_new && s->script.n_variables < VARIABLES)
		which = add_variable(s, name);
	if (which < 0) {
		value_free(v);
		return -1;
	}
	was = s->script.variable[which].v.n;
	value_free(&s->script.variable[which].v);
	s->script.variable[which].v = *v;
	/* a new one may hide a number of a rule, or change the answer of known() */
	if (was == v->n && !is_new)
		return 0;
	debug_rebind(s->debug, &lost);
	session_bind_displays(s);
	say_text(s, SAY_NOTE, &lost);
	return 0;
}

bool
script_is_name(const char *name)
{
	size_t n = 1;

	while (name[0] == '$' && (ascii_is_alnum(name[n]) || name[n] == '_'))
		n++;
	return n > 1 && !name[n] && n <= VARIABLE_NAME && !ascii_is_digit(name[1]);
}

const char *
script_variable_at(const struct session *s, unsigned i, const struct value **v)
{
	if (i >= s->script.n_variables)
		return NULL;
	*v = &s->script.variable[i].v;
	return s->script.variable[i].name;
}

/* ---------------------------------------------------------------- lists */

void
session_each_variable(struct session *s, void (*fn)(void *ctx, const char *name, const char *help),
		      void *ctx)
{
	debug_each_variable(s->debug, fn, ctx);
	fn(ctx, focus_name, "the core in focus");
	fn(ctx, OPTION_NAMES "NAME",
	   "the value of an option: off is 0, on is 1, a choice is its place in the list, from 0");
}

enum session_status
script_show_variables(struct session *s)
{
	char text[600];

	if (s->script.n_variables == 0)
		say(s, SAY_RESULT, "no variables; 'set $NAME = EXPR' makes one");
	for (unsigned i = 0; i < s->script.n_variables; i++) {
		value_format(&s->script.variable[i].v, 0, text, sizeof(text));
		say(s, SAY_RESULT, "%s = %s", s->script.variable[i].name, text);
	}
	return SESSION_OK;
}

void
script_offer_variables(struct offer *o)
{
	for (unsigned i = 0; i < o->s->script.n_variables; i++)
		offer(o, o->s->script.variable[i].name);
}

void
script_free_variables(struct session *s)
{
	for (unsigned i = 0; i < s->script.n_variables; i++)
		value_free(&s->script.variable[i].v);
	free(s->script.variable);
}
