/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * words.h - text as words: the cutter of every command line and file of lines, and "did you mean".
 *
 * A word is what stands between blanks. Where it ends sooner (at a comma, an '='), the caller says
 * so. Words are pieces of the text they were cut from, so that an error can point at them.
 */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include "ctascope/base.h"

/* A piece of a text that lives elsewhere; not terminated. n is 0 where nothing was found. */
struct span {
	const char *p;
	size_t n;
};

/* Blanks are those of the C locale: space, tab and the line ends. */
static inline bool
is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline const char *
skip_blanks(const char *s)
{
	while (is_blank(*s))
		s++;
	return s;
}

/* The next word of *at, which moves behind it. At the end n is 0 and p the end. */
struct span word_next(const char **at);
/* The same, but one of `stops` ends the word too; *at is then at it. */
struct span word_until(const char **at, const char *stops);
/* The words of a line, at most max of them; a '#' that begins a word begins a comment. Returns how
 * many there are, more than max when some did not fit. */
unsigned words_of_line(const char *line, struct span *word, unsigned max);

/* The next word in lower case of a usage text, which is typed as it stands: on and off, then
 * verbose, of "[on|off] [verbose] [FILE]". At the end n is 0. */
struct span word_of_usage(const char **at);

/* The next word as a shell would take it: quotes (" or ') keep blanks together and are dropped.
 * word_cut() cuts in place and returns NULL at the end; word_unquote() copies into buf, shortened
 * when size is too small, and returns false at the end. */
char *word_cut(char **at);
bool word_unquote(const char **at, char *buf, size_t size);
const char *find_open_quote(const char *text); /* a quote without its second one; NULL: none */

/* The next part of *rest, up to a sep or the end, blanks and all; false when none is left. Two seps
 * in a row, or one at an end, make an empty part. Zero *rest.p ends it. */
bool span_part(struct span *rest, char sep, struct span *part);
struct span span_of(const char *text);
bool span_is(struct span w, const char *text);
bool span_copy(struct span w, char *buf, size_t size); /* false: shortened */
struct span span_trim(struct span w);		       /* without the blanks at its ends */
void trim_end(char *text); /* takes the blanks at the end of a text off */

/* What a column of a table is called: name_unit. "thread instructions/cycle" becomes
 * "thread_instructions_per_cycle"; a unit the name already says (ctas_running, CTAs) is not said
 * again.
 */
void column_name(const char *name, const char *unit, char *buf, size_t size);

/* ---------------------------------------------------------------- did you mean */

/* The nearest names to what was typed, at most max of them, best first; returns how many. */
unsigned near_names(const char *typed, const char *const *names, unsigned n, const char **out,
		    unsigned max);

/* What ends an error of the kind "unknown X 'y'": "; did you mean a, b?" with up to three names, or
 * `otherwise` when none is near. Use: err_set(e, "...'%s'%s", y, near_hint(...).text) */
struct hint {
	char text[240];
};
struct hint near_hint(const char *typed, const char *const *names, unsigned n,
		      const char *otherwise);

#endif
