/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * model_alone.c - linked with every object of libmodel.a and with nothing else of ours: that it
 * links shows that no part of the model needs a symbol of the recorder (src/record) or of the
 * front.
 */
#include "tests/tap.h"

int
main(void)
{
	ok(1, "the model links without the recorder and without the front");
	return done();
}
