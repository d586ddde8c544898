/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * advice.c - what to type instead of a word that another debugger knows and this one does not.
 */
#include "session/command.h"

#include "base/ascii.h"
#include "base/words.h"

#include <string.h>

struct advice {
	const char *words, *text;
};

static const struct advice commands[] = {
#define ADVICE(words, text) {words, text},
#include "session/advice.def"
};

static const struct advice topics[] = {
#define INFO_ADVICE(words, text) {words, text},
#include "session/advice.def"
};

static const char *
find_advice(const struct advice *a, unsigned n, const char *word)
{
	for (unsigned i = 0; i < n; i++) {
		const char *at = a[i].words;

		for (struct span one = word_next(&at); one.n; one = word_next(&at))
			if (one.n == strlen(word) && ascii_same_start(word, one.p, one.n))
				return a[i].text;
	}
	return NULL;
}

const char *
command_advice(const char *word)
{
	return find_advice(commands, ARRAY_LEN(commands), word);
}

const char *
topic_advice(const char *topic)
{
	return find_advice(topics, ARRAY_LEN(topics), topic);
}
