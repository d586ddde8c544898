/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sessions.h - random sessions on the small machines: the digest at a cycle depends on the changes
 * made, never on the way there.
 *
 * A walk runs, sets options and policies, makes checkpoints and returns to them, prints things,
 * changes how the run is carried out, and makes mistakes. A list records the changes and their
 * cycles; moving back past a change removes it from the list. At the end a plain session makes the
 * same changes at the same cycles, in one run with the opposite of run.skip and on one thread; its
 * state and statistics must be those of the walk. The walk also checks that a checkpoint restores
 * the digest and the options that it was taken with, that neither printing nor a mistake changes
 * the digest, and that a move back in time, or to another branch, and back again returns to the
 * same state.
 *
 * Some walks keep few snapshots, or many; with ui.branch_on_change off a change in the past drops
 * the checkpoints after it.
 *
 * Not covered: `run`, which begins another run, options that are fixed with the machine, and
 * returns to cycle 0: there `set` builds the machine, and only later is it a change like others.
 */
#ifndef TESTS_PROP_SESSIONS_H
#define TESTS_PROP_SESSIONS_H

#include "tests/small/small.h"

#include "ctascope/session.h"
#include "session/session_part.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#define WALK_CHOICES 64
#define WALK_PLACES 4
#define WALK_STEPS 24
#define WALK_NAMES 10
#define WALK_CYCLES 4000 /* a walk ends there, except for its last step */

/* The source of numbers: the bytes of an input, then a generator. */
struct walk_source {
	const uint8_t *p, *end;
	uint32_t x;  /* state of the generator; 0: zeros follow the bytes */
	bool modern; /* the walk is on small_modern_config() */
};

struct walk_choice {
	cycle_t at;
	char line[64];
};

struct walk_line { /* a change on the way to the present */
	struct walk_choice choice[WALK_CHOICES];
	unsigned n;
	const char *policy; /* the stack in effect */
};

struct walk_place {
	bool used;
	struct walk_line line;
	cycle_t at;
	uint64_t digest;
	char value[WALK_NAMES][16]; /* values of the options that a walk sets */
};

struct walk {
	struct walk_source *from;
	struct session *s;
	struct walk_line line;
	struct walk_place place[WALK_PLACES];
	char log[WALK_STEPS * 80]; /* the executed lines, for a person who examines a failure */
	uint64_t said;		   /* hash of the last command's output */
	unsigned restores;
	char broken[2000]; /* what is wrong; "": nothing */
};

static const char *const walk_policies[] = {
	"rr",
	"dyncta",
	"dyncta+claso",
	"claso:pa=2,pl=1",
	"static:n=2",
	"dyncore:period=128,off=2,wake=90",
	"tcs:mon_cycle=64,monitor=200,thr=1",
	"htcs:mon_cycle=64,monitor=200,thr=1+claso",
	"onac:waves=1,loss=0.1",
	"cores:n=3",
};

static const char *const walk_options[] = {
	"dyncta.period 64",  "dyncta.period 128",  "dyncta.t_mem_h 30", "dyncta.t_mem_h 90",
	"dyncta.pause hold", "dyncta.pause yield", "dyncta.cmem raw",	"dyncta.n0 2",
	"claso.pa 3",	     "claso.pl 2",	   "static.n 3",	"tcs.throttle off",
	"dyncore.off 1",
};

/* The names of these options. */
static const char *const walk_names[WALK_NAMES] = {
	"dyncta.period", "dyncta.t_mem_h", "dyncta.pause", "dyncta.cmem",  "dyncta.n0",
	"claso.pa",	 "claso.pl",	   "static.n",	   "tcs.throttle", "dyncore.off",
};

/* Commands that only print. */
static const char *const walk_looks[] = {
	"info gpu",
	"info cores",
	"info warps all",
	"info ctas all",
	"info policy",
	"info events 20",
	"print core.*.ract",
	"dump csv stats -",
	"dump csv series -",
	"why",
	"why not core 1",
	"info power",
	"list all insns",
	"info mem 0",
	"profile on",
	"profile off",
	"core 2",
	"info warps",
	"display gpu.ipc",
	"undisplay",
	"info timeline",
	"info checkpoints",
	"history",
	"branches",
};

/* Commands that are rejected. */
static const char *const walk_mistakes[] = {
	"set gpu.clusters 3",
	"set dyncta.period 1",
	"set policy nothing",
	"restore nowhere",
	"advance 0",
	"set policy dyncta:period=0",
	"step 0",
	"set policy rr+",
	"set run.sample 32",
	"until gpu.nothing > 1",
	"set claso.pa 99",
	"mem 17",
	"switch nowhere",
	"switch main b1",
	"delete branch nowhere",
	"delete checkpoint nowhere",
	"fork two words",
	"fork main",
	"fork a-name-of-a-branch-that-is-longer-than-the-63-characters-which-one-may-have",
	"mark a-name-of-a-place-that-is-longer-than-the-63-characters-which-one-may-have",
	"flip nonsense",
	"try nonsense",
	"goto -5",
	"goto nowhere",
};

/* Commands that change how the past is kept, none of which is part of the state. */
static const char *const walk_keeping[] = {
	"set time.every 2",	      "set time.every 40", "set time.every 700",
	"set time.every 0",	      "set time.memory 1", "set ui.branch_on_change off",
	"set ui.branch_on_change on",
};

/* How the model runs, which changes no state. */
static const char *const walk_ways[] = {"set run.skip on", "set run.skip off", "set run.threads 1",
					"set run.threads 2"};

static inline unsigned
walk_next(struct walk *w, unsigned n)
{
	struct walk_source *f = w->from;

	if (f->p < f->end)
		return *f->p++ % n;
	f->x ^= f->x << 13;
	f->x ^= f->x >> 17;
	f->x ^= f->x << 5;
	return f->x % n;
}

static inline void
walk_out(void *ctx, enum say kind ATTR_UNUSED, const char *line)
{
	struct walk *w = ctx;

	if (strstr(line, "cycles_per_second") || strstr(line, "wall"))
		return;
	for (; *line; line++)
		w->said = (w->said ^ (unsigned char)*line) * UINT64_C(0x100000001b3);
}

static inline enum session_status
walk_say(struct walk *w, const char *line)
{
	size_t n = strlen(w->log);

	snprintf(w->log + n, sizeof(w->log) - n, "%s; ", line);
	w->said = 0;
	return session_exec(w->s, line);
}

ATTR_PRINTF(2, 3) static inline void walk_broken(struct walk *w, const char *fmt, ...)
{
	va_list ap;

	if (w->broken[0])
		return;
	va_start(ap, fmt);
	vsnprintf(w->broken, sizeof(w->broken), fmt, ap);
	va_end(ap);
}

static inline uint64_t
walk_digest(struct walk *w)
{
	return sim_digest(session_sim(w->s));
}

static inline cycle_t
walk_cycle(struct walk *w)
{
	return sim_cycle(session_sim(w->s));
}

/* Makes a change and, if it was accepted, adds it to the list. */
static inline void
walk_choose(struct walk *w, const char *line, const char *policy)
{
	cycle_t at = walk_cycle(w);

	if (w->line.n == WALK_CHOICES)
		return;
	if (walk_say(w, line) != SESSION_OK) {
		walk_broken(w, "'%s' is refused at cycle %" PRIu64, line, at);
		return;
	}
	w->line.choice[w->line.n].at = at;
	snprintf(w->line.choice[w->line.n++].line, sizeof(w->line.choice[0].line), "%s", line);
	if (policy)
		w->line.policy = policy;
}

static inline void
walk_values(struct walk *w, char value[WALK_NAMES][16])
{
	for (unsigned i = 0; i < WALK_NAMES; i++)
		opt_get(config_db(session_config(w->s)), walk_names[i], value[i], 16, NULL);
}

/* Checks that the checkpoint restored the options. */
static inline void
walk_same_values(struct walk *w, const struct walk_place *p)
{
	char now[WALK_NAMES][16];

	walk_values(w, now);
	for (unsigned i = 0; i < WALK_NAMES; i++)
		if (strcmp(now[i], p->value[i]) != 0)
			walk_broken(w, "%s is %s after going back, it was %s", walk_names[i],
				    now[i], p->value[i]);
}

static inline void
walk_keep(struct walk *w)
{
	unsigned i = walk_next(w, WALK_PLACES);
	struct walk_place *p = &w->place[i];
	char line[40];

	if (walk_cycle(w) == 0)
		return;
	if (p->used) {
		snprintf(line, sizeof(line), "delete checkpoint w%u", i);
		walk_say(w, line);
	}
	*p = (struct walk_place){.used = true, .line = w->line, .at = walk_cycle(w)};
	p->digest = walk_digest(w);
	walk_values(w, p->value);
	snprintf(line, sizeof(line), "checkpoint w%u", i);
	if (walk_say(w, line) != SESSION_OK)
		walk_broken(w, "no checkpoint");
}

static inline void walk_places(struct walk *w);

static inline void
walk_set(struct walk *w, unsigned option)
{
	char line[64];

	snprintf(line, sizeof(line), "set %s", walk_options[option]);
	walk_choose(w, line, NULL);
	walk_places(w);
}

static inline void
walk_option(struct walk *w)
{
	walk_set(w, walk_next(w, ARRAY_LEN(walk_options)));
}

/* Would this option, "KEY VALUE", get another value? */
static inline bool
walk_is_change(const struct walk *w, const char *option)
{
	const char *value = strchr(option, ' ') + 1;
	char key[64], now[64] = "";

	snprintf(key, sizeof(key), "%.*s", (int)(value - 1 - option), option);
	opt_get(config_db(session_config(w->s)), key, now, sizeof(now), NULL);
	return strcmp(now, value) != 0;
}

/* Removes checkpoints that no longer exist. */
static inline void
walk_places(struct walk *w)
{
	char name[8];

	for (unsigned i = 0; i < WALK_PLACES; i++) {
		snprintf(name, sizeof(name), "w%u", i);
		w->place[i].used &= timeline_mark_find(w->s->timeline, name, NULL) != NULL;
	}
}

static inline void
walk_back(struct walk *w)
{
	unsigned i = walk_next(w, WALK_PLACES);
	unsigned option = walk_next(w, ARRAY_LEN(walk_options));
	struct walk_place *p;
	char line[40];

	for (unsigned n = 0; n < WALK_PLACES && !w->place[i].used; n++)
		i = (i + 1) % WALK_PLACES;
	p = &w->place[i];
	if (!p->used)
		return;
	snprintf(line, sizeof(line), "restore w%u", i);
	if (walk_say(w, line) != SESSION_OK) {
		walk_broken(w, "'%s' is refused", line);
		return;
	}
	w->restores++;
	w->line = p->line;
	if (walk_cycle(w) != p->at || walk_digest(w) != p->digest)
		walk_broken(w,
			    "%s: cycle %" PRIu64 " digest %016" PRIx64 ", taken at %" PRIu64
			    " with %016" PRIx64,
			    line, walk_cycle(w), walk_digest(w), p->at, p->digest);
	walk_same_values(w, p);
	while (!walk_is_change(w, walk_options[option]))
		option = (option + 1) % ARRAY_LEN(walk_options);
	walk_set(w, option); /* another change; none of the later ones is repeated */
}

static inline void
walk_neither(struct walk *w, const char *line, bool refused)
{
	uint64_t before = walk_digest(w);
	cycle_t at = walk_cycle(w);
	enum session_status status;

	if (at == 0 && refused) /* at cycle 0 much may still be set */
		return;
	status = walk_say(w, line);
	if (refused && status != SESSION_ERROR)
		walk_broken(w, "'%s' is not refused: status %d", line, (int)status);
	if (walk_cycle(w) != at || walk_digest(w) != before)
		walk_broken(w, "'%s' at cycle %" PRIu64 " changes the digest", line, at);
}

/* Moves back in time in one of several ways, and returns: nothing has changed. */
static inline void
walk_round(struct walk *w)
{
	static const char *const ways[] = {
		"reverse-step 40",
		"reverse-step 3 event",
		"reverse-step 2 cta",
		"reverse-step period",
		"reverse-next",
		"reverse-continue",
		"reverse-finish",
		"reverse-until core.1.n < 3",
		"reverse-until limit",
		"goto 300",
		"goto 1",
	};
	uint64_t before = walk_digest(w);
	cycle_t at = walk_cycle(w);
	bool stop = walk_next(w, 2) != 0;
	char line[40];

	if (at == 0)
		return;
	if (stop) /* for reverse-continue to find */
		walk_say(w, "break limit core 1 if core.1.n < 3");
	walk_say(w, ways[walk_next(w, ARRAY_LEN(ways))]);
	if (walk_next(w, 2))
		walk_say(w, ways[walk_next(w, ARRAY_LEN(ways))]);
	snprintf(line, sizeof(line), "goto %" PRIu64, at);
	if (walk_cycle(w) != at && walk_say(w, line) != SESSION_OK)
		walk_broken(w, "'%s' is refused", line);
	if (stop)
		walk_say(w, "delete");
	if (walk_cycle(w) != at || walk_digest(w) != before)
		walk_broken(w,
			    "%s: back and there again is cycle %" PRIu64 " digest %016" PRIx64
			    ", it was %016" PRIx64,
			    line, walk_cycle(w), walk_digest(w), before);
}

/* Switches to another branch, perhaps does something there, and returns. */
static inline void
walk_branch(struct walk *w)
{
	static const char *const there[] = {
		"step 60",
		"goto 200",
		"reverse-step 50",
		"checkpoint there",
		"branches",
		"set time.every 40",
		/* it may drop the future, and with it the branch that the walk came from */
		"set dyncta.t_mem_h 90",
		"set policy rr",
	};
	unsigned n_there = ARRAY_LEN(there) - (w->s->opts.branch_on_change ? 0 : 2);
	struct timeline *t = w->s->timeline;
	uint64_t before = walk_digest(w);
	cycle_t at = walk_cycle(w);
	char home[64], line[80];

	if (at < 100) /* a change at cycle 0 restarts the run */
		return;
	snprintf(home, sizeof(home), "%s", timeline_branch(t, timeline_here(t).branch)->name);
	if (walk_say(w, "fork aside") != SESSION_OK)
		walk_broken(w, "no branch at cycle %" PRIu64, at);
	for (unsigned n = walk_next(w, 4); n; n--)
		walk_say(w, there[walk_next(w, n_there)]);
	snprintf(line, sizeof(line), "switch %s", home);
	if (walk_say(w, line) != SESSION_OK)
		walk_broken(w, "'%s' is refused", line);
	if (walk_next(w, 2))
		walk_say(w, "try set dyncta.t_mem_h 30 --for 100");
	if (walk_next(w, 2))
		walk_say(w, "flip --for 100");
	walk_say(w, "delete checkpoint there");
	/* other branches may begin on it; then it keeps its name */
	for (unsigned n = timeline_branches(t); n-- > 1;) {
		const struct branch *b = timeline_branch(t, n);

		snprintf(line, sizeof(line), "delete branch %s", b ? b->name : "nowhere");
		walk_say(w, line);
	}
	if (walk_cycle(w) != at || walk_digest(w) != before)
		walk_broken(w,
			    "after another branch cycle %" PRIu64 " digest %016" PRIx64
			    ", before %" PRIu64 " and %016" PRIx64,
			    walk_cycle(w), walk_digest(w), at, before);
}

static inline void
walk_on(struct walk *w)
{
	char line[64];

	if (walk_cycle(w) > WALK_CYCLES)
		return;
	switch (walk_next(w, 8)) {
	case 0:
		snprintf(line, sizeof(line), "tbreak %" PRIu64, walk_cycle(w) + 300);
		walk_say(w, line);
		walk_say(w, "break limit core 1 if core.1.n < 3");
		walk_say(w, "continue");
		walk_say(w, "delete");
		return;
	case 1:
		walk_say(w, "next");
		return;
	case 2:
		snprintf(line, sizeof(line), "step %u event", 1 + walk_next(w, 20));
		break;
	case 3:
		snprintf(line, sizeof(line), "step %u cta", 1 + walk_next(w, 5));
		break;
	case 4:
	case 5: /* nobody listens, so it may be on two threads */
		snprintf(line, sizeof(line), "advance %" PRIu64,
			 walk_cycle(w) + 64 + walk_next(w, 500));
		break;
	default:
		snprintf(line, sizeof(line), "step %u", 1 + walk_next(w, 250) * walk_next(w, 3));
	}
	walk_say(w, line);
}

static inline void
walk_step(struct walk *w)
{
	char line[64];
	unsigned i;

	switch (walk_next(w, 21)) {
	case 18:
		walk_branch(w);
		break;
	case 19:
		for (i = 0; i < 2; i++)
			walk_neither(w, walk_keeping[walk_next(w, ARRAY_LEN(walk_keeping))], false);
		break;
	case 16:
	case 17:
		walk_round(w);
		break;
	case 0:
	case 1:
		walk_option(w);
		break;
	case 2:
	case 3:
		i = walk_next(w, ARRAY_LEN(walk_policies));
		snprintf(line, sizeof(line), "set policy %s", walk_policies[i]);
		walk_choose(w, line, walk_policies[i]);
		walk_places(w);
		break;
	case 4:
	case 5:
		walk_keep(w);
		break;
	case 6:
	case 7:
	case 8:
		walk_back(w);
		break;
	case 9: /* not a change: none of it is part of the state */
		if (walk_cycle(w) > 0)
			walk_say(w, walk_ways[walk_next(w, ARRAY_LEN(walk_ways))]);
		break;
	case 10:
		walk_neither(w, walk_looks[walk_next(w, ARRAY_LEN(walk_looks))], false);
		break;
	case 11:
		walk_neither(w, walk_mistakes[walk_next(w, ARRAY_LEN(walk_mistakes))], true);
		break;
	default:
		walk_on(w);
	}
}

/* The modern machine also prefetches from open rows. */
static inline struct config *
walk_config(const struct walk_source *from, const char *policy)
{
	struct config *c = from->modern ? small_modern_config(policy) : small_config(policy);
	struct err e = {0};

	if (from->modern && opt_set(config_db(c), "mem.row_prefetch", "2", &e) < 0)
		small_die("mem.row_prefetch", &e);
	return c;
}

/* Makes the same changes without the other steps. */
static inline void
walk_again(struct walk *w, struct trace *t, const char *policy, bool skip)
{
	struct walk plain = {.from = w->from};
	struct session_ui ui = {.ctx = &plain, .out = walk_out};
	struct config *c = walk_config(w->from, policy);
	cycle_t end = walk_cycle(w);
	char line[64];

	plain.s = session_new(c, t, &ui, NULL);
	snprintf(line, sizeof(line), "set run.skip %s", skip ? "on" : "off");
	walk_say(&plain, line);
	walk_say(&plain, "set run.threads 1");
	for (unsigned i = 0; i <= w->line.n; i++) {
		const struct walk_choice *x = &w->line.choice[i];
		cycle_t at = i < w->line.n ? x->at : end;

		if (at > walk_cycle(&plain)) {
			snprintf(line, sizeof(line), "advance %" PRIu64, at);
			session_exec(plain.s, line);
		}
		if (i < w->line.n)
			walk_say(&plain, x->line);
	}
	if (walk_cycle(&plain) != end || walk_digest(&plain) != walk_digest(w))
		walk_broken(w,
			    "cycle %" PRIu64 " digest %016" PRIx64 ", and without the way %" PRIu64
			    " and %016" PRIx64 " by: %.1500s",
			    end, walk_digest(w), walk_cycle(&plain), walk_digest(&plain),
			    plain.log);
	walk_say(w, "dump csv stats -");
	walk_say(&plain, "dump csv stats -");
	if (w->said != plain.said)
		walk_broken(w, "the statistics at cycle %" PRIu64 " depend on the way", end);
	session_free(plain.s);
	config_free(c);
}

/* Runs one walk; w->broken describes what is wrong. */
static inline void
walk_session(struct walk *w, struct trace *t, struct walk_source *from)
{
	struct session_ui ui = {.ctx = w, .out = walk_out};
	const char *policy;
	struct config *c;
	char skip[16];

	*w = (struct walk){.from = from};
	policy = walk_policies[walk_next(w, ARRAY_LEN(walk_policies))];
	c = walk_config(from, policy);
	w->s = session_new(c, t, &ui, NULL);
	w->line.policy = policy;
	walk_say(w, walk_next(w, 3) ? "set run.threads 2" : "set run.threads 1");
	for (unsigned i = 0; i < WALK_STEPS && !w->broken[0]; i++)
		walk_step(w);
	opt_get(config_db(c), "run.skip", skip, sizeof(skip), NULL);
	if (!w->broken[0])
		walk_again(w, t, policy, strcmp(skip, "on") != 0);
	session_free(w->s);
	config_free(c);
}

#endif
