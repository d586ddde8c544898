/* SPDX-License-Identifier: GPL-3.0-or-later */
/* docgen.h - what the files of docgen share. */
#ifndef TOOLS_DOCGEN_H
#define TOOLS_DOCGEN_H

#include <stdio.h>

/* Text as troff wants it: backslashes, minus signs that may be copied, no control lines. */
void put(const char *text);
/* The head of an entry: bold name, the rest as it is, then the help follows as a paragraph. */
void entry(const char *name, const char *rest, const char *help);

/* The options of a command line, with what the lines of `in` up to @END@ say of them. */
void cmdline_table(const char *name, FILE *in);
/* The functions of the completion that know subcommands and options. */
void completion_table(void);
/* The same for fish, which has a command for each option. */
void fish_table(void);

/* A page of every pane, with the picture panes/NAME.txt beside the manual page. Ends the program
 * where a row names a command that there is not. */
void pane_pages(const char *manual);

#endif
