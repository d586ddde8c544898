/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch.h - ctascope sweep: many runs, one table. */
#ifndef BATCH_BATCH_H
#define BATCH_BATCH_H

#include "base/cmdline.h"

extern const struct cmdline batch_cmdline;

/* Executes the subcommand; argv[0] is its name. Returns the exit status. */
int batch_main(int argc, char **argv);

#endif
