/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * words.h - cuts command lines and lines of files into words; suggests names ("did you mean").
 *
 * A word is the text between blanks; a caller may name more characters that end it, such as ',' or
 * '='. Words point into the text from which they were cut, so that an error can point at them.
 */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include "ctascope/base.h"

/* A piece of another text, without a terminating zero. n is 0 if nothing was found. */
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

/* Returns the next word of *at, and moves *at to its end. At the end of the text, n is 0. */
struct span word_next(const char **at);
/* The same, but a character of `stops` also ends the word; *at then points at that character. */
struct span word_until(const char **at, const char *stops);
/* Cuts a line into at most max words; a word that begins with '#' begins a comment. Returns the
 * number of words in the line, which is more than max if some did not fit. */
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
/* The next item of the list at *at, such as an expression: it ends at a comma outside parentheses,
 * and has no blanks at its ends. Sets *more if another one follows. */
struct span span_list_item(const char **at, bool *more);
void trim_end(char *text); /* removes the blanks at the end of a text */

/* Writes the name of a table's column, NAME_UNIT, to buf. The unit "thread instructions/cycle"
 * becomes "thread_instructions_per_cycle". A unit that the name already contains (ctas_running,
 * CTAs) is left out. */
void column_name(const char *name, const char *unit, char *buf, size_t size);

/* ---------------------------------------------------------------- did you mean */

/* Finds at most max names that are similar to the typed text, best first; returns their number. */
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
