/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * theme.c - reads theme files.
 *
 * A damaged line is an error that names its place. A role that the file does not name keeps its
 * default, so that old themes still work when roles are added.
 */
#include "tui/theme.h"
#include "base/datadir.h"
#include "base/textfile.h"
#include "base/words.h"
#include "tui/canvas.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct role_row role_rows[ROLES] = {
#define ROLE(id, name, look, help) {name, look, help},
#include "tui/roles.def"
};

static const struct {
	const char *name;
	int32_t color;
} color_names[] = {
	{"default", COLOR_NONE},
	{"black", 0},
	{"red", 1},
	{"green", 2},
	{"yellow", 3},
	{"blue", 4},
	{"magenta", 5},
	{"cyan", 6},
	{"white", 7},
	{"gray", 8},
	{"grey", 8},
};

static const struct {
	const char *name;
	uint8_t attr;
} attr_names[] = {
	{"bold", ATTR_BOLD},
	{"dim", ATTR_DIM},
	{"underline", ATTR_UNDERLINE},
	{"reverse", ATTR_REVERSE},
};

/* The line being parsed, the position of its current word, and the place for errors. */
struct reader {
	const char *file, *text;
	unsigned line;
	int at, len; /* the current word */
	struct err *e;
};

/* Moves to the next word; false at the end or at a comment. A '#' begins a comment at the start of
 * the line or as a word by itself; elsewhere it begins a colour. */
static bool
read_word(struct reader *r, char *buf, size_t size)
{
	const char *at = r->text + r->at + r->len;
	struct span w = word_next(&at);

	r->at = (int)(w.p - r->text);
	r->len = (int)w.n;
	if (!w.n || (*w.p == '#' && (w.n == 1 || w.p == skip_blanks(r->text))))
		return false;
	span_copy(w, buf, size);
	return true;
}

#define READER_ERR(r, ...) \
	err_at((r)->e, (r)->file, (r)->line, (r)->text, (r)->at, MAX((r)->len, 1), __VA_ARGS__)

/* Parses "default", "0".."255", "#rrggbb" or the name of a colour. */
static bool
parse_color(const char *w, int32_t *color)
{
	char *end;
	unsigned long v;

	for (size_t i = 0; i < ARRAY_LEN(color_names); i++) {
		if (strcmp(w, color_names[i].name) == 0) {
			*color = color_names[i].color;
			return true;
		}
	}
	if (w[0] == '#') {
		if (strlen(w) != 7 || strspn(w + 1, "0123456789abcdefABCDEF") != 6)
			return false;
		*color = (int32_t)(COLOR_RGB | strtoul(w + 1, NULL, 16));
		return true;
	}
	if (w[0] < '0' || w[0] > '9')
		return false;
	v = strtoul(w, &end, 10);
	if (*end || v > 255)
		return false;
	*color = (int32_t)v;
	return true;
}

static int
report_bad_color(struct reader *r, const char *w)
{
	return READER_ERR(
		r,
		"'%s' is not a colour: expected default, 0..255, #rrggbb or a name such as yellow",
		w);
}

/* Parses COLOR [on COLOR] [ATTRIBUTE...]. */
static int
parse_look(struct reader *r, struct look *look)
{
	struct look k = {COLOR_NONE, COLOR_NONE, 0};
	bool fg = false, on = false, any = false;
	char w[64];

	while (read_word(r, w, sizeof(w))) {
		int32_t color;
		size_t a;
		any = true;
		for (a = 0; a < ARRAY_LEN(attr_names) && strcmp(w, attr_names[a].name) != 0; a++)
			;
		if (a < ARRAY_LEN(attr_names) && !on) {
			k.attr |= attr_names[a].attr;
		} else if (strcmp(w, "on") == 0 && !on) {
			on = true;
		} else if (parse_color(w, &color)) {
			if (on)
				k.bg = color;
			else if (fg)
				return READER_ERR(
					r,
					"a second colour '%s': the background is written \"on %s\"",
					w, w);
			else
				k.fg = color;
			fg = fg || !on;
			on = false;
		} else {
			return READER_ERR(r,
					  "expected a colour (default, 0..255, #rrggbb, a name), "
					  "\"on COLOUR\" or "
					  "bold, dim, underline, reverse; found '%s'",
					  w);
		}
	}
	if (!any || on)
		return READER_ERR(r, "expected a colour at the end of the line");
	*look = k;
	return 0;
}

static int
parse_ramp(struct reader *r, int32_t *ramp, unsigned *n, bool *shades)
{
	int32_t to[RAMP_MAX];
	unsigned k = 0;
	char w[64];

	while (read_word(r, w, sizeof(w))) {
		if (shades && k == 0 && strcmp(w, "shades") == 0) {
			*shades = true;
			return 0;
		}
		if (k == RAMP_MAX)
			return READER_ERR(r, "a ramp has at most %d colours", RAMP_MAX);
		if (!parse_color(w, &to[k]) || to[k] < 0)
			return report_bad_color(r, w);
		k++;
	}
	if (k < 2)
		return READER_ERR(r, "a ramp needs at least 2 colours%s",
				  shades ? ", or the word shades" : "");
	memcpy(ramp, to, k * sizeof(*to));
	*n = k;
	if (shades)
		*shades = false;
	return 0;
}

static int
parse_paper(struct reader *r, struct theme *t)
{
	char w[64];
	bool any = read_word(r, w, sizeof(w));

	if (!any || (strcmp(w, "white") != 0 && strcmp(w, "black") != 0))
		return READER_ERR(r, "expected white or black%s%s%s", any ? ", found '" : "",
				  any ? w : "", any ? "'" : "");
	t->white = *w == 'w';
	return 0;
}

static int
report_unknown_role(struct reader *r, const char *w)
{
	static const char *const ramps[] = {"color.ramp", "color.ramp256", "color.ramp8",
					    "color.diff", "color.diff8",   "color.paper"};
	const char *names[ROLES + ARRAY_LEN(ramps)];
	char known[ROLES][32];
	unsigned n = 0;

	for (; n < ROLES; n++) {
		snprintf(known[n], sizeof(known[n]), "color.%s", role_rows[n].name);
		names[n] = known[n];
	}
	for (size_t i = 0; i < ARRAY_LEN(ramps); i++)
		names[n++] = ramps[i];
	return READER_ERR(r, "unknown name '%s'%s", w, near_hint(w, names, n, "").text);
}

int
theme_line(struct theme *t, const char *file, unsigned line, const char *text, struct err *e)
{
	struct reader r = {file, text, line, 0, 0, e};
	char w[64];

	if (!read_word(&r, w, sizeof(w)))
		return 0;
	if (strcmp(w, "set") != 0)
		return READER_ERR(&r, "expected \"set color.ROLE VALUE\", found '%s'", w);
	if (!read_word(&r, w, sizeof(w)))
		return READER_ERR(&r, "expected a name such as color.focus after set");
	if (strcmp(w, "color.ramp") == 0) {
		t->n_ramp256 = 0; /* the steps for 256 colours belonged to the ramp before */
		return parse_ramp(&r, t->ramp, &t->n_ramp, &t->shades);
	}
	if (strcmp(w, "color.ramp256") == 0)
		return parse_ramp(&r, t->ramp256, &t->n_ramp256, NULL);
	if (strcmp(w, "color.ramp8") == 0)
		return parse_ramp(&r, t->ramp8, &t->n_ramp8, NULL);
	if (strcmp(w, "color.paper") == 0)
		return parse_paper(&r, t);
	if (strcmp(w, "color.diff") == 0)
		return parse_ramp(&r, t->diff, &t->n_diff, NULL);
	if (strcmp(w, "color.diff8") == 0)
		return parse_ramp(&r, t->diff8, &t->n_diff8, NULL);
	if (strncmp(w, "color.", 6) == 0)
		for (unsigned i = 0; i < ROLES; i++)
			if (strcmp(w + 6, role_rows[i].name) == 0)
				return parse_look(&r, &t->role[i]);
	return report_unknown_role(&r, w);
}

const char *
theme_for_terminal(void)
{
	const char *colors = getenv("COLORFGBG"), *back = colors ? strrchr(colors, ';') : NULL;

	return back && (strcmp(back, ";15") == 0 || strcmp(back, ";7") == 0) ? "light" : "cividis";
}

/* Uses the looks of roles.def and built-in ramps, so it works without any file. */
void
theme_default(struct theme *t)
{
	static const char ramp[] = "set color.ramp #00224e #1a386f #434e6c #61656f #7d7c78 "
				   "#9b9476 #bcad6c #dec958 #fee838";
	static const char ramp8[] = "set color.ramp8 12 11";
	static const char diff[] = "set color.diff #67b1ff #2f6aa8 #3d3d3d #a5641a #ffb14e";
	static const char diff8[] = "set color.diff8 12 11";
	char text[128];

	memset(t, 0, sizeof(*t));
	strcpy(t->name, "cividis");
	for (unsigned i = 0; i < ROLES; i++) {
		snprintf(text, sizeof(text), "set color.%s %s", role_rows[i].name,
			 role_rows[i].look);
		theme_line(t, "roles.def", i + 1, text, NULL);
	}
	theme_line(t, "built in", 1, ramp, NULL);
	theme_line(t, "built in", 2, ramp8, NULL);
	theme_line(t, "built in", 3, diff, NULL);
	theme_line(t, "built in", 4, diff8, NULL);
}

static int
read_theme_file(struct theme *t, const char *path, struct err *e)
{
	FILE *f = text_open(path, TEXT_MOST, NULL, NULL);
	struct strbuf text = {0};
	struct err bad = {0};
	unsigned line = 0;
	int rc = 0, there = 0;
	char why[64];

	if (!f)
		return err_set(e, "cannot open the theme '%s': %s", path, strerror(errno));
	while (rc == 0 && (there = text_line(f, &text, &bad)) > 0)
		rc = theme_line(t, path, ++line, text.p, e);
	if (there < 0) {
		err_at(e, path, line + 1, NULL, 0, 0, "%s", bad.msg);
		rc = err_as(e, bad.kind);
	} else if (rc == 0 && ferror(f)) {
		rc = err_set(e, "cannot read the theme '%s': %s", path,
			     text_why(errno, TEXT_MOST, why));
	}
	sb_free(&text);
	fclose(f);
	return rc;
}

struct names {
	char text[256];
};

static int
add_name(void *ctx, const char *name, const char *path)
{
	struct names *n = ctx;
	size_t at = strlen(n->text);

	(void)path;
	snprintf(n->text + at, sizeof(n->text) - at, "%s%s", at ? ", " : "", name);
	return 0;
}

int
theme_load(struct theme *t, const char *name_or_file, struct err *e)
{
	struct theme fresh;
	char file[64], path[4096];
	const char *base = strrchr(name_or_file, '/');

	theme_default(&fresh);
	base = base ? base + 1 : name_or_file;
	snprintf(fresh.name, sizeof(fresh.name), "%s", base);
	fresh.name[strcspn(fresh.name, ".")] = '\0';
	if (base != name_or_file || strchr(base, '.')) {
		if (read_theme_file(&fresh, name_or_file, e) < 0)
			return -1;
	} else {
		snprintf(file, sizeof(file), "%.50s.theme", name_or_file);
		if (datadir_find("themes", file, path, sizeof(path))) {
			if (read_theme_file(&fresh, path, e) < 0)
				return -1;
		} else if (strcmp(name_or_file, "cividis") != 0) {
			struct names names = {""};
			datadir_each("themes", ".theme", add_name, &names);
			return err_set(e, "no theme '%s'; there are: %s", name_or_file,
				       names.text[0] ? names.text : "none (cividis is built in)");
		}
	}
	*t = fresh;
	return 0;
}

/* ---------------------------------------------------------------- next theme */

struct theme_list {
	char name[64][32];
	unsigned n;
};

static int
add_theme(void *ctx, const char *name, const char *path ATTR_UNUSED)
{
	struct theme_list *l = ctx;

	if (l->n < ARRAY_LEN(l->name))
		snprintf(l->name[l->n++], sizeof(l->name[0]), "%s", name);
	return 0;
}

int
theme_next(struct theme *t, struct err *e)
{
	struct theme_list l = {.n = 0};
	unsigned i = 0;

	datadir_each("themes", ".theme", add_theme, &l);
	while (i < l.n && strcmp(l.name[i], t->name) != 0)
		i++;
	return theme_load(t, l.n ? l.name[i + 1 < l.n ? i + 1 : 0] : "cividis", e);
}
