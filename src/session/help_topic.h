/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * help_topic.h - private to src/session: the pages of help that are of no command.
 */
#ifndef SESSION_HELP_TOPIC_H
#define SESSION_HELP_TOPIC_H

#include "session/session_part.h"

/* Prints text wrapped at blanks; from the second line on it is indented below the head. */
void say_wrapped(struct session *s, const char *head, unsigned indent, const char *text);

/* The names of the topics in order; NULL: there are no more. */
const char *help_topic_name(unsigned i);
/* Prints the page of a topic or of a policy, or returns false if the word is neither. */
bool help_topic_say(struct session *s, const char *word);
/* Copies the sentence of a rule with names for its values, or without them where the name stands
 * before: "C_mem >= t_mem_h", "local credits OLD -> NEW". */
void rule_without_values(const struct rule *r, char *text, size_t size);
/* Prints the rows that the screen has of "keys", "layout", "pane" ...: nothing if it has none. */
void help_say_screen(struct session *s, const char *of);

#endif
