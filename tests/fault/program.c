/* SPDX-License-Identifier: GPL-3.0-or-later */
/* program.c - the whole program under another name than main(), for points.c. */
int ctascope_main(int argc, char **argv);

#define main ctascope_main
#include "src/main.c"
