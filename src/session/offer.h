/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * offer.h - private to src/session: the lists of names for Tab. Each function offers the names of
 * its list that begin like the word being typed.
 */
#ifndef SESSION_OFFER_H
#define SESSION_OFFER_H

struct offer;

void offer_words(struct offer *o, const char *words);
void offer_path(void *ctx, const char *path, const char *unit, const char *help);
/* Of an expression, leaves the name being typed in the word and moves the text before it to
 * o->head. */
void offer_cut_to_name(struct offer *o);
void offer_expression(struct offer *o);
void offer_events(struct offer *o);
void offer_stops(struct offer *o);
void offer_checkpoints(struct offer *o);
void offer_options(struct offer *o);
void offer_policies(struct offer *o);
void offer_rules(struct offer *o); /* of the stack */
void offer_kernels(struct offer *o); /* the names of those of the trace */
void offer_values(struct offer *o, const char *key);

#endif
