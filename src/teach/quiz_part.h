/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quiz_part.h - private to the files of a quiz: a question, and the groups that they are kept in.
 */
#ifndef TEACH_QUIZ_PART_H
#define TEACH_QUIZ_PART_H

#include "teach/quiz.h"

#include "base/strbuf.h"

#define QUIZ_CHOICES 9	/* each has a digit */
#define QUIZ_KEPT 128	/* questions of a stratum */
#define QUIZ_GAUGES 16	/* of a stack */
#define QUIZ_STRATA 256 /* more are left out */
#define QUIZ_FACTS 4096 /* pairs of facts and outcome that are counted */

struct quiz_item {
	char *text; /* what is known, without what is asked */
	const char *asks;
	const struct cta_sched_ops *policy; /* that decides; NULL: the question is about a core */
	char *why;			    /* lines */
	const char *choice[QUIZ_CHOICES];
	unsigned n_choices; /* 0: a number is asked for */
	unsigned right;
	uint32_t number;
	/* where the answer comes from */
	bool has_event; /* seq and rule are of an event, and old and new of its limit */
	cycle_t at;
	int core; /* -1: the whole GPU */
	uint64_t seq;
	unsigned old, new;
	const char *rule;
	uint64_t facts; /* of a decision: what the rule goes by in its facts, and what happened */
	unsigned outcome;
	bool has_facts;
};

/* How often a decision with these facts had that outcome. */
struct quiz_fact {
	uint64_t facts;
	unsigned outcome;
	uint64_t n;
};

/* Questions whose answer has the same reason. */
struct quiz_stratum {
	const void *subject; /* questions with the same subject have the same choices */
	unsigned part;	     /* of the subject */
	const char *name;    /* the rule, the class, the limiter: one of the choices */
	unsigned order;	     /* among the choices */
	struct quiz_item *item[QUIZ_KEPT];
	unsigned n;
	uint64_t seen;
};

struct quiz {
	struct config *config;
	const struct trace_info *trace;
	const char *kind;
	enum quiz_level level;
	struct quiz_stratum *stratum;
	unsigned n_strata;
	uint64_t random;    /* decides what is kept; not the seed */
	bool choose_reason; /* the choices are the names of the strata of the subject */
	struct quiz_fact *fact;
	unsigned n_facts;
	/* drawn */
	struct quiz_item **drawn;
	unsigned n;
	uint64_t seed, wanted;
};

/* What can be seen of a core and of the GPU before a decision. */
struct quiz_state {
	cycle_t cycle, period_done;
	uint32_t limit, n_max, resident, warps_memory;
	unsigned n;
	const struct cta_sched_ops *policy[QUIZ_GAUGES];
	const struct cta_gauge *gauge[QUIZ_GAUGES];
	struct cta_reading reading[QUIZ_GAUGES];
};

bool quiz_is_about_decisions(const struct quiz *q);
/* quiz.c: a place for one more question of that stratum, which the caller fills; NULL: it is not
 * kept. */
struct quiz_item *quiz_keep(struct quiz *q, const void *subject, unsigned part, const char *name,
			    unsigned order);
void quiz_item_clear(struct quiz_item *it);
/* "1 up, 2 down or 3 stays" */
void quiz_choices_text(const struct quiz_item *it, struct strbuf *out);
/* The choice that was typed, in full or by its digit; with may_shorten also by its beginning. -1:
 * none. */
int quiz_choice(const struct quiz_item *it, const char *text, bool may_shorten);
/* "up", "4": the right answer. */
void quiz_answer_text(const struct quiz_item *it, char *buf, size_t size);
/* Is the typed text the right answer? False in *understood: it is no answer at all. */
bool quiz_is_right(const struct quiz_item *it, const char *text, bool *understood);

/* quiz_hint.c: lines with the rules that the answer follows from, without the answer. */
void quiz_hint(const struct quiz_item *it, struct strbuf *out);
bool quiz_wants_hint(const char *text);

/* quiz_decide.c */
/* How a student is to go from the facts to the outcome, at this level. */
const char *quiz_assumption(enum quiz_level level);
/* Under that assumption: does every gauge of the policy come to lie on the side of its thresholds
 * where it was when the policy decided? st: the facts, `left` cycles before; s: the machine at the
 * decision. *facts becomes what the rule can go by. */
bool quiz_facts_decide(const struct quiz_state *st, const struct sim *s,
		       const struct cta_sched_ops *policy, int core, cycle_t left,
		       enum quiz_level level, uint64_t *facts);
void quiz_count_facts(struct quiz *q, uint64_t facts, unsigned outcome);
/* Drops the decisions for which the same facts more often have another outcome. */
void quiz_drop_undecided(struct quiz *q);
/* The gauges that may still pass a threshold in the cycles left: "C_mem may pass t_mem_h 384". */
void quiz_open_text(const struct quiz_state *st, const struct cta_sched_ops *policy, int core,
		    cycle_t left, struct strbuf *out);

/* quiz_policy.c */
cycle_t quiz_lead(enum quiz_level level); /* cycles before the end of a period */
void quiz_look(const struct sim *s, unsigned core, struct quiz_state *st);
/* Does the rule move a limit? */
bool quiz_moves_limit(const struct rule *r);
/* What is known of a policy's decision about a core (-1: the GPU), which is `left` cycles away. */
void quiz_facts(const struct quiz_state *st, const struct cta_sched_ops *policy, int core,
		unsigned limit, cycle_t left, enum quiz_level level, struct strbuf *out);
#define QUIZ_MOVES 3u
extern const char *const quiz_moves[QUIZ_MOVES]; /* up, down, stays */
unsigned quiz_move(unsigned before, unsigned after);
int quiz_collect_decisions(struct quiz *q, struct trace *t, struct err *e);

/* quiz_core.c */
/* What the class counts, in the words of its counter. */
const char *quiz_class_help(const char *cls);
int quiz_collect_classes(struct quiz *q, struct trace *t, struct err *e);
int quiz_collect_occupancy(struct quiz *q, struct err *e);

#endif
