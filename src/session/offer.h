/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * offer.h - lists of names for Tab: each function offers those of its list that begin with the word
 * being typed.
 */
#ifndef SESSION_OFFER_H
#define SESSION_OFFER_H

struct offer;

void offer_words(struct offer *o, const char *words);
void offer_path(void *ctx, const char *path, const char *unit, const char *help);
/* In an expression, what stands before the name being typed goes to o->head; the name is left. */
void offer_cut_to_name(struct offer *o);
void offer_expression(struct offer *o);
void offer_events(struct offer *o);
void offer_stops(struct offer *o);
void offer_checkpoints(struct offer *o);
void offer_options(struct offer *o);
void offer_policies(struct offer *o);
void offer_values(struct offer *o, const char *key);

#endif
