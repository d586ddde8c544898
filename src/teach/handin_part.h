/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * handin_part.h - private to the files of hand-ins: the parsed text, and what records it.
 */
#ifndef TEACH_HANDIN_PART_H
#define TEACH_HANDIN_PART_H

#include "teach/handin.h"
#include "teach/teach_part.h"

#define HANDIN_MOST (UINT64_C(1) << 20) /* bytes of a hand-in */
#define HANDIN_LINES 20000
#define HANDIN_NAME 64 /* bytes of a student's ID, and of a lesson's */

/* A task or question that is behind. */
struct handin_result {
	bool known;
	bool question;
	enum mark mark;
	cycle_t cycle;
	uint64_t digest;
	unsigned tries, hints;
	unsigned after; /* lines typed until then */
	bool spoilt;	/* the file has more than one, or one that cannot be read */
};

/* A line that was typed. */
struct handin_line {
	char *text;
	cycle_t at; /* typed while the model ran, and executed after this cycle; CYCLE_NEVER: not */
};

struct handin_text {
	char student[HANDIN_NAME + 1], lesson[HANDIN_NAME + 1], version[HANDIN_NAME + 1];
	uint64_t seed;
	uint64_t build, text, machine, trace; /* digests: program, lesson, machine, workload */
	bool by_person; /* at a prompt, where Enter repeats and some commands ask back */
	struct handin_line *line;
	unsigned n_lines;
	struct handin_result result[LESSON_ITEMS]; /* by number, the first is 1 */
	unsigned n_results;			   /* of which the last is known */
	/* Of a file that was parsed. */
	bool is_cut;   /* it ends before its last line */
	struct err bad; /* the first line that cannot be read, which was left out; set: there is one
			 */
};

/* handin_text.c. path is what errors name. A line that cannot be read is left out and kept in
 * h->bad, and the lines of a file that was cut off count as far as they go. -1: the header is
 * unreadable, or there is too much. The caller frees the text, also after -1. */
int handin_parse(const char *path, const char *text, size_t n, struct handin_text *h,
		 struct err *e);
void handin_add_line(struct handin_text *h, const char *line, cycle_t at);
void handin_write(const struct handin_text *h, struct strbuf *out);
void handin_text_free(struct handin_text *h);
bool handin_name_is_good(const char *name); /* of a student or lesson: no blanks, no '/' */

/* handin.c */
struct handin;
/* Opens the lesson at that path, records what is typed, and refuses what cannot be graded. path:
 * the hand-in to write, NULL: none. NULL: an error has been printed. */
struct handin *handin_begin(struct teacher *t, const char *lesson, struct lesson_seed seed,
			    const char *student, const char *path);
const struct handin_text *handin_text_of(const struct handin *h);
/* Types the lines, without output, those typed during a run at their cycles; `each` is called after
 * every one, and ends it with true. */
void handin_replay(struct handin *h, const struct handin_line *line, unsigned n,
		   bool (*each)(void *ctx), void *ctx);

/* digest.c */
uint64_t digest_of_config(const struct config *c); /* options, policies and warp scheduler */
uint64_t digest_of_file(const char *path);	   /* 0: it cannot be read */
uint64_t digest_of_build(void);

#endif
