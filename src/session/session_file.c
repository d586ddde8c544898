/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_file.c - writes a whole session to a file, and reads it.
 *
 * The file (store.h) has these parts, which are text except for the states:
 *
 *     about      whose it is: the model's code, its platform, the workload, files of policies
 *     start      machine, stack and every option at cycle 0
 *     now        stack and live options at the present
 *     timeline   branches, changes, marks and the present place (timeline_write)
 *     state      the machine's state there (snapshot_write)
 *     mark:NAME  its state at a mark
 *     stops      debug_stops_write()
 *     view       displays and focus
 *     script     variables and user-defined commands (script_write)
 *
 * The file is read into a second machine, which replaces the present one when everything is valid:
 * a file that is rejected changes nothing. Options that are fixed for a run must be those of the
 * session, unless the session takes them over from the file (--resume).
 */
#include "session/session_file.h"

#include "base/foreign.h"
#include "base/textfile.h"
#include "session/session_part.h"
#include "session/store.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MARK "mark:"

/* ---------------------------------------------------------------- options as text */

static void
write_option(void *ctx, const char *key, const struct opt_group *g, const struct opt_row *r)
{
	struct strbuf *out = ((void **)ctx)[0];
	const struct config *c = ((void **)ctx)[1];
	const bool *only_live = ((void **)ctx)[2];
	char value[OPT_VALUE];

	if ((!*only_live || opt_is_live(g, r)) &&
	    opt_get(config_db_const(c), key, value, sizeof(value), NULL) == 0)
		sb_printf(out, "set %s %s\n", key, value);
}

static void
write_options(const struct config *c, bool only_live, struct strbuf *out)
{
	void *ctx[] = {out, (void *)(uintptr_t)c, &only_live};

	if (!only_live)
		sb_printf(out, "machine %s\n", config_machine_name(c));
	sb_printf(out, "policy %s\n", config_policy_text(c));
	opt_each(config_db_const(c), write_option, ctx);
}

char *
session_options_text(const struct config *c)
{
	struct strbuf text = {0};

	write_options(c, false, &text);
	return sb_take(&text);
}

/* Copies the rest of the first line that begins with key and a blank; returns false if there is
 * none. */
static bool
value_of(const char *text, const char *key, char *buf, size_t size)
{
	size_t n = strlen(key);

	for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		if (strncmp(at, key, n) != 0 || at[n] != ' ')
			continue;
		return span_copy((struct span){at + n + 1, strcspn(at + n + 1, "\n")}, buf, size);
	}
	return false;
}

/* Calls fn for every line "set KEY VALUE" until it returns something other than 0; returns that. */
static int
each_set(const char *text, int (*fn)(void *ctx, const char *key, const char *value, struct err *e),
	 void *ctx, struct err *e)
{
	for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		struct span line = {at, strcspn(at, "\n")};
		const char *value;
		char copy[400];

		if (strncmp(at, "set ", 4) != 0 || !span_copy(line, copy, sizeof(copy)))
			continue;
		value = strchr(copy + 4, ' ');
		if (!value)
			return err_set(e, "'%.60s' has no value", copy);
		copy[value - copy] = '\0';
		if (fn(ctx, copy + 4, value + 1, e))
			return -1;
	}
	return 0;
}

/* The configuration may have known policies from files that the run does not use. */
static int
set_option(void *ctx, const char *key, const char *value, struct err *e)
{
	return opt_find(config_db(ctx), key, NULL) ? opt_set(config_db(ctx), key, value, e) : 0;
}

/* Creates a separate configuration; NULL with e. */
static struct config *
read_options(const char *text, const char *about, struct err *e)
{
	struct config *c = config_new();
	char machine[200], policy[POLICY_TEXT];

	config_set_try(c, foreign_try);
	if (!c)
		err_nomem(e);
	if (c && policy_files_load(c, about, e) == 0 &&
	    value_of(text, "machine", machine, sizeof(machine)) &&
	    value_of(text, "policy", policy, sizeof(policy)) && config_policy(c, policy, e) == 0 &&
	    each_set(text, set_option, c, e) == 0) {
		config_name_machine(c, machine);
		return c;
	}
	if (e && !e->set)
		err_set(e, "the file is damaged: it names no machine and policy");
	config_free(c);
	return NULL;
}

static int
set_unless_limit(void *ctx, const char *key, const char *value, struct err *e)
{
	return session_is_limit(config_db(ctx), key) ? 0 : set_option(ctx, key, value, e);
}

int
session_apply_options(struct config *c, const char *text, struct err *e)
{
	char machine[200], policy[POLICY_TEXT];

	if (!value_of(text, "machine", machine, sizeof(machine)) ||
	    !value_of(text, "policy", policy, sizeof(policy)))
		return err_set(e, "the settings are damaged: they name no machine and policy");
	if (config_policy(c, policy, e) < 0 || each_set(text, set_unless_limit, c, e) < 0)
		return -1;
	config_name_machine(c, machine);
	return 0;
}

/* ---------------------------------------------------------------- which build and workload */

static void
write_about(const struct session *s, struct strbuf *out)
{
	const struct trace_info *t = sim_trace(s->sim);
	char real[PATH_MAX];

	sb_printf(out, "model %s\n", sim_build_id());
	sb_printf(out, "platform %s\n", sim_build_platform());
	sb_printf(out, "workload %s\n", realpath(t->path, real) ? real : t->path);
	sb_printf(out, "digest %016" PRIx64 "\n", t->digest);
	sb_printf(out, "cycle %" PRIu64 "\n", sim_cycle(s->sim));
	policy_files_write(s, out);
}

/* The platform and the model must be those that wrote the file. */
static int
check_build(const char *about, struct err *e)
{
	char platform[80] = "?", model[200] = "?";

	value_of(about, "platform", platform, sizeof(platform));
	value_of(about, "model", model, sizeof(model));
	if (strcmp(platform, sim_build_platform()) != 0 && strcmp(platform, "?") != 0)
		return err_set(e, "another kind of machine wrote it: %s there, %s here", platform,
			       sim_build_platform());
	if (strcmp(model, sim_build_id()) != 0)
		return err_set(e,
			       "another build of ctascope wrote it: model %.80s there, %.80s "
			       "here",
			       model, sim_build_id());
	return 0;
}

/* The workload must be the same. */
static int
check_about(const char *about, const struct trace_info *t, struct err *e)
{
	char path[PATH_MAX] = "?", was[32] = "?", is[32];

	if (check_build(about, e))
		return -1;
	value_of(about, "workload", path, sizeof(path));
	value_of(about, "digest", was, sizeof(was));
	snprintf(is, sizeof(is), "%016" PRIx64, t->digest);
	if (strcmp(was, is) != 0)
		return err_set(
			e, "it has another workload: %.120s (digest %s) there, %.120s (%s) here",
			path, was, t->path, is);
	return 0;
}

struct compared {
	const struct config *there, *here;
	char text[2 * OPT_VALUE + 160]; /* the first difference */
};

static void
compare_option(void *ctx, const char *key, const struct opt_group *g, const struct opt_row *r)
{
	struct compared *c = ctx;
	char there[OPT_VALUE] = "", here[OPT_VALUE] = "";

	if (opt_is_live(g, r) || *c->text)
		return;
	opt_get(config_db_const(c->there), key, there, sizeof(there), NULL);
	opt_get(config_db_const(c->here), key, here, sizeof(here), NULL);
	if (strcmp(there, here) != 0)
		snprintf(c->text, sizeof(c->text), "%s is %s there and %s here", key, there, here);
}

/* Options that are fixed for a run must be as they are here. */
static int
check_fixed(const struct config *there, const struct config *here, struct err *e)
{
	struct compared c = {there, here, ""};

	opt_each(config_db_const(there), compare_option, &c);
	if (!*c.text)
		return 0;
	return err_set(e,
		       "it has another machine: %s; 'ctascope --resume FILE' uses that of the file",
		       c.text);
}

/* ---------------------------------------------------------------- writing */

static void
write_view(const struct session *s, struct strbuf *out)
{
	sb_printf(out, "focus %u %u %u %" PRId64 " %" PRIu64 " %" PRIu64 "\n", s->view.core,
		  s->view.warp, s->view.mem, s->view.cta, s->view.from, s->view.to);
	sb_printf(out, "run %u\n", s->run);
	sb_printf(out, "next %u\n", s->view.next_display);
	for (unsigned i = 0; i < s->view.n_displays; i++)
		sb_printf(out, "display %u %c %s\n", s->view.display[i].id,
			  s->view.display[i].fmt ? s->view.display[i].fmt : '-',
			  s->view.display[i].text);
}

struct parts {
	struct strbuf text[STORE_PARTS];
	char name[STORE_PARTS][STORE_NAME];
	unsigned n;
};

/* The last element takes all that are too many; pack_parts() reports them. */
static struct strbuf *
next_part(struct parts *p, const char *name)
{
	unsigned i = MIN(p->n, STORE_PARTS - 1u);

	snprintf(p->name[i], sizeof(p->name[i]), "%s", name);
	p->text[i].failed |= p->n == STORE_PARTS;
	p->n = i + 1;
	return &p->text[i];
}

static void
write_marks(const struct session *s, struct parts *p)
{
	for (unsigned i = 0; i < timeline_marks(s->timeline); i++) {
		const struct mark *m = timeline_mark_at(s->timeline, i);
		char name[STORE_NAME];

		snprintf(name, sizeof(name), MARK "%s", m->name);
		snapshot_write(s->sim, m->snap, next_part(p, name));
	}
}

static int
pack_parts(const struct parts *p, const char *path, unsigned flags, struct err *e)
{
	struct store st = {0};

	for (unsigned i = 0; i < p->n; i++)
		if (p->text[i].failed)
			return err_of(e, ERR_MEMORY,
				      "out of memory for the session in '%s', or too many marks",
				      path);
		else if (store_add(&st, p->name[i], p->text[i].p ? p->text[i].p : "", p->text[i].n,
				   e))
			return -1;
	return store_write(&st, path, flags, e);
}

int
session_write(struct session *s, const char *path, struct err *e)
{
	struct parts p = {.n = 0};
	struct snapshot *k = sim_save(s->sim, e);
	int rc;

	if (!k)
		return -1;
	write_about(s, next_part(&p, "about"));
	sb_str(next_part(&p, "start"), s->start_options);
	write_options(s->config, true, next_part(&p, "now"));
	timeline_write(s->timeline, next_part(&p, "timeline"));
	snapshot_write(s->sim, k, next_part(&p, "state"));
	debug_stops_write(s->debug, next_part(&p, "stops"));
	write_view(s, next_part(&p, "view"));
	script_write(s, next_part(&p, "script"));
	write_marks(s, &p);
	snapshot_free(k);
	rc = pack_parts(&p, path, 0, e);
	for (unsigned i = 0; i < p.n; i++)
		sb_free(&p.text[i]);
	return rc;
}

/* ---------------------------------------------------------------- reading */

/* What was parsed of a file, before anything of the session changes. */
struct loading {
	struct store store;
	const char *about, *start, *now, *timeline, *stops, *view, *script;
	const struct store_part *state;
	struct config *config; /* as at cycle 0 */
	struct sim *sim;       /* owned until it is the session's */
	struct sim *into;      /* the same sim, also afterwards */
};

static int
read_parts(struct session *s, struct loading *l, const char *path, struct err *e)
{
	const struct {
		const char *name, **to;
	} texts[] = {
		{"about", &l->about},	    {"start", &l->start}, {"now", &l->now},
		{"timeline", &l->timeline}, {"stops", &l->stops}, {"view", &l->view},
	};

	const struct store_part *script;

	if (store_read(&l->store, path, session_is_asked_to_stop, s, e))
		return -1;
	l->state = store_find(&l->store, "state");
	for (unsigned i = 0; i < ARRAY_LEN(texts); i++) {
		const struct store_part *p = store_find(&l->store, texts[i].name);

		if (!p || !l->state)
			return err_set(e, "%s: the file is damaged: it has no part '%s'", path,
				       p ? "state" : texts[i].name);
		*texts[i].to = p->bytes;
	}
	script = store_find(&l->store, "script");
	l->script = script ? script->bytes : "script 1\n";
	return 0;
}

static void
end_loading(struct loading *l)
{
	sim_free(l->sim);
	config_free(l->config);
	store_free(&l->store);
}

/* Sets options of how the run is carried out. Changes come with the states. */
static int
set_run(void *ctx, const char *key, const char *value, struct err *e)
{
	const struct config *c = sim_config(ctx);

	if (config_is_choice(c, key) || !opt_find(config_db_const(c), key, NULL))
		return 0;
	return sim_set(ctx, key, value, e);
}

/* Builds the machine and checks that it reaches the present of the file. It is then at its start,
 * where the timeline begins. */
static int
build_machine(struct loading *l, struct trace *t, struct err *e)
{
	struct snapshot *start, *k;
	int rc = -1;

	l->sim = sim_new(l->config, t, e);
	if (!l->sim)
		return -1;
	start = sim_save(l->sim, e);
	k = start ? snapshot_read(l->sim, l->state->bytes, l->state->n, e) : NULL;
	if (k && sim_restore(l->sim, k, e) == 0)
		rc = sim_restore(l->sim, start, e);
	if (rc == 0)
		rc = each_set(l->now, set_run, l->sim, e);
	snapshot_free(k);
	snapshot_free(start);
	return rc;
}

/* Returns the state at the present (mark NULL) or at a mark. */
static struct snapshot *
state_of(void *ctx, const char *mark, struct err *e)
{
	const struct loading *l = ctx;
	const struct store_part *p = l->state;
	char name[STORE_NAME];

	if (mark) {
		snprintf(name, sizeof(name), MARK "%s", mark);
		p = store_find(&l->store, name);
	}
	if (!p)
		err_set(e, "the file is damaged: it has no part '%s'", name);
	return p ? snapshot_read(l->into, p->bytes, p->n, e) : NULL;
}

static int
parse_session(struct session *s, struct loading *l, bool all, struct err *e)
{
	char stack[POLICY_TEXT];

	if (check_about(l->about, trace_info(s->trace), e))
		return -1;
	for (unsigned i = 0; i < 2; i++)
		if (!value_of(i ? l->now : l->start, "policy", stack, sizeof(stack)))
			return err_set(e, "the file is damaged: it names no policy");
	if (policy_files_check(l->about, e))
		return -1;
	if (script_read(NULL, l->script, e))
		return -1;
	l->config = read_options(l->start, l->about, e);
	if (!l->config || (!all && check_fixed(l->config, s->config, e)))
		return -1;
	return build_machine(l, s->trace, e);
}

/* ---- taking over: nothing below can fail */

static int
take_option(void *ctx, const char *key, const char *value, struct err *e ATTR_UNUSED)
{
	opt_set(config_db(ctx), key, value, NULL);
	return 0;
}

static void
take_options(struct session *s, const struct loading *l)
{
	char machine[200], stack[POLICY_TEXT];

	if (value_of(l->start, "machine", machine, sizeof(machine)))
		config_name_machine(s->config, machine);
	if (value_of(l->now, "policy", stack, sizeof(stack)))
		config_policy(s->config, stack, NULL);
	each_set(l->start, take_option, s->config, NULL);
	each_set(l->now, take_option, s->config, NULL);
}

static void
take_display(struct session *s, const char *at)
{
	struct display *grown = realloc(s->view.display, (s->view.n_displays + 1) * sizeof(*grown));
	unsigned id;
	char fmt;
	int n = 0;

	s->log.lost |= !grown;
	if (grown)
		s->view.display = grown;
	if (!grown || sscanf(at, "%u %c %n", &id, &fmt, &n) < 2 || !n)
		return;
	grown[s->view.n_displays] =
		(struct display){.id = id,
				 .fmt = strchr("dxtf%", fmt) ? fmt : 0,
				 .text = strndup(at + n, strcspn(at + n, "\n"))};
	s->log.lost |= !grown[s->view.n_displays].text;
	s->view.n_displays += grown[s->view.n_displays].text != NULL;
}

static void
take_view(struct session *s, const char *text)
{
	unsigned core = 0, warp = 0, mem = 0;

	for (unsigned i = 0; i < s->view.n_displays; i++) {
		free(s->view.display[i].text);
		expr_free(s->view.display[i].expr);
	}
	s->view.n_displays = 0;
	for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		if (strncmp(at, "display ", 8) == 0)
			take_display(s, at + 8);
		else if (sscanf(at, "next %u", &s->view.next_display) == 1 ||
			 sscanf(at, "run %u", &s->run) == 1)
			continue;
		else if (sscanf(at, "focus %u %u %u %" SCNd64 " %" SCNu64 " %" SCNu64, &core, &warp,
				&mem, &s->view.cta, &s->view.from, &s->view.to) == 6)
			continue;
	}
	s->view.core = MIN(core, MAX(sim_instances(s->sim, "core"), 1u) - 1);
	s->view.warp = MIN(warp, MAX(sim_warps(s->sim), 1u) - 1);
	s->view.mem = MIN(mem, MAX(sim_channels(s->sim), 1u) - 1);
	session_bind_displays(s);
}

int
session_read(struct session *s, const char *path, bool all, struct err *e)
{
	struct loading l = {0};
	struct strbuf lost = {0};
	struct err why = {0};
	int rc = read_parts(s, &l, path, e);

	if (rc == 0 && parse_session(s, &l, all, &why))
		rc = err_of(e, why.kind, "%s: %s", path, why.msg);
	if (rc == 0) {
		take_options(s, &l);
		l.into = l.sim;
		l.sim = NULL;
		rc = session_adopt(s, l.into, l.start, &lost, e);
		sb_clear(&lost); /* it named stops of the old session */
		if (rc == 0)
			rc = timeline_read(s->timeline, l.timeline, state_of, &l, &why);
		if (rc == 0)
			rc = script_read(s, l.script, &why);
		if (rc == 0)
			rc = debug_stops_read(s->debug, l.stops, &lost, &why);
		session_forget_deletions(s);
		if (rc && why.set)
			err_of(e, why.kind, "%s: %s; the previous run is lost", path, why.msg);
		session_time_end(s);
		session_visits_forget(s);
		take_view(s, l.view);
		/* an autosave is removed when the session ends */
		if (rc == 0 && strcmp(path, s->autosaved) != 0)
			session_note_saved(s);
		say_text(s, SAY_NOTE, &lost);
	}
	sb_free(&lost);
	end_loading(&l);
	return rc;
}

int
session_file_workload(struct session *s, const char *path, char *workload, size_t size,
		      struct err *e)
{
	struct loading l = {0};
	struct err why = {0};
	int rc = read_parts(s, &l, path, e);

	if (rc == 0 && check_build(l.about, &why))
		rc = err_of(e, why.kind, "%s: %s", path, why.msg);
	if (rc == 0 && !value_of(l.about, "workload", workload, size))
		rc = err_set(e, "%s: the file is damaged: it names no workload", path);
	end_loading(&l);
	return rc;
}
