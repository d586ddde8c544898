/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * paint.c - chooses the glyph and the colours of each cell for a terminal; see paint.h.
 *
 * This is the only file that replaces the characters an ASCII terminal lacks.
 */
#include "tui/paint_part.h"
#include "ctascope/cta_sched.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HALF_UPPER 0x2580
#define HALF_LOWER 0x2584

/* Replacements for our glyphs on a terminal without Unicode. */
static const struct {
	uint16_t wc;
	char ascii;
} ascii_for[] = {
	{0x00b7, '.'}, {0x00d7, 'x'}, {0x2013, '-'}, {0x2014, '-'}, {0x2018, '\''}, {0x2019, '\''},
	{0x2026, '~'}, {0x2190, '<'}, {0x2191, '^'}, {0x2192, '>'}, {0x2193, 'v'},  {0x2264, '<'},
	{0x2265, '>'}, {0x2500, '-'}, {0x2502, '|'}, {0x250c, '+'}, {0x2510, '+'},  {0x2514, '+'},
	{0x2518, '+'}, {0x252c, '+'}, {0x2534, '+'}, {0x253c, '+'}, {0x2575, '\''}, {0x2577, ','},
	{0x2580, '"'}, {0x2584, '_'}, {0x2587, '='}, {0x2588, '#'}, {0x258f, '|'},  {0x2591, ':'},
	{0x2592, '='}, {0x2593, '%'}, {0x25a0, '#'}, {0x25b2, '^'}, {0x25b6, '>'},  {0x25b8, '>'},
	{0x25cf, '*'}, {0x23f8, '='}, {0x2551, '"'}, {0x2550, '='}, {0x25bc, 'v'},  {0x254c, '-'},
	{0x2571, '/'}, {0x2586, '#'}, {0x258c, ']'}, {0x2590, '['}, {0x22ee, ':'},
};

static uint32_t
convert_to_ascii(uint32_t wc)
{
	if (wc < 0x80)
		return wc;
	for (size_t i = 0; i < ARRAY_LEN(ascii_for); i++)
		if (ascii_for[i].wc == wc)
			return (unsigned char)ascii_for[i].ascii;
	return '?';
}

unsigned
heat_level(double v, double lo, double hi)
{
	if (isnan(v))
		return HEAT_UNKNOWN;
	if (!(hi > lo))
		return v > lo ? HEAT_LEVELS - 1 : 0;
	double x = (v - lo) / (hi - lo);
	return x <= 0 ? 0 : x >= 1 ? HEAT_LEVELS - 1 : (unsigned)(x * (HEAT_LEVELS - 1) + 0.5);
}

/* Returns the step of v in lo..hi, clamped. */
static unsigned
band_step(double v, double lo, double hi)
{
	double x = hi > lo ? (v - lo) / (hi - lo) * HEAT_BAND_STEPS : 0;

	return x <= 0 ? 0 : x >= HEAT_BAND_STEPS ? HEAT_BAND_STEPS - 1 : (unsigned)x;
}

unsigned
heat_band(double v, double low, double high, double most)
{
	double from = isnan(low) ? high : low, to = isnan(high) ? low : high;

	if (isnan(v))
		return HEAT_UNKNOWN;
	if (v < from)
		return HEAT_BAND + band_step(v, 0, from);
	if (v < to)
		return HEAT_BAND + HEAT_BAND_STEPS + band_step(v, from, to);
	return HEAT_BAND + 2 * HEAT_BAND_STEPS + band_step(v, to, most);
}

enum role
band_role(unsigned band)
{
	return band == 0 ? ROLE_BELOW : band == 1 ? ROLE_BETWEEN : ROLE_ABOVE;
}

unsigned
heat_diff(double v, double most)
{
	double x = most > 0 ? fmax(fmin(v / most, 1), -1) : v > 0 ? 1 : v < 0 ? -1 : 0;

	return isnan(v) ? HEAT_UNKNOWN : HEAT_DIFF + (unsigned)lround(HEAT_DIFFS / 2 * (1 + x));
}

uint32_t
state_glyph(unsigned state)
{
	static const uint32_t glyph[HEAT_STATES] = {' ', 'd', 't', 'p', 0xd7, 0xb7};

	return state < HEAT_STATES ? glyph[state] : '?';
}

enum role
state_role(unsigned state)
{
	static const enum role role[HEAT_STATES] = {ROLE_ACTIVE, ROLE_DRAINING, ROLE_THROTTLED,
						    ROLE_PAUSED, ROLE_OFF,	ROLE_EMPTY};

	return state < HEAT_STATES ? role[state] : ROLE_UNKNOWN;
}

uint32_t
class_glyph(unsigned cls)
{
	static const uint32_t glyph[HEAT_CLASSES] = {'a', 's', 'b', 'm', 'd', 'i', 0xd7};

	return cls < HEAT_CLASSES ? glyph[cls] : '?';
}

enum role
class_role(unsigned cls)
{
	static const enum role role[HEAT_CLASSES] = {ROLE_ACTIVE, ROLE_STALL,  ROLE_BLOCKED,
						     ROLE_MEMORY, ROLE_DEPEND, ROLE_IDLE,
						     ROLE_OFF};

	return cls < HEAT_CLASSES ? role[cls] : ROLE_UNKNOWN;
}

static bool
is_level(unsigned code)
{
	return code < HEAT_LEVELS;
}

static bool
is_diff(unsigned code)
{
	return code >= HEAT_DIFF && code < HEAT_DIFF + HEAT_DIFFS;
}

static bool
is_band(unsigned code)
{
	return code >= HEAT_BAND && code < HEAT_BAND + HEAT_BANDS * HEAT_BAND_STEPS;
}

static bool
is_class(unsigned code)
{
	return code >= HEAT_CLASS && code < HEAT_CLASS + HEAT_CLASSES;
}

/* Whether the code fills its cell with a colour. Off, gated and empty are glyphs without one. */
static bool
is_coloured(unsigned code)
{
	return is_level(code) || is_diff(code) || is_band(code) ||
	       (code >= HEAT_STATE && code < HEAT_STATE + 4) ||
	       (is_class(code) && code < HEAT_CLASS + HEAT_CLASSES - 1);
}

static bool
is_off(unsigned code)
{
	return code == HEAT_GATED || code == HEAT_STATE + CORE_OFF;
}

static int32_t
find_code_color(const struct painter *p, unsigned code)
{
	if (is_level(code))
		return p->ramp[code];
	if (is_diff(code))
		return p->diff[code - HEAT_DIFF];
	if (is_band(code))
		return p->band[(code - HEAT_BAND) / HEAT_BAND_STEPS]
			      [(code - HEAT_BAND) % HEAT_BAND_STEPS];
	if (is_class(code))
		return p->role[class_role(code - HEAT_CLASS)].fg;
	return is_off(code) ? p->off : p->role[state_role(code - HEAT_STATE)].fg;
}

/* Whether the code has a colour that half a cell can show. The terminal's default colour cannot. */
static bool
fills_half(const struct painter *p, unsigned code)
{
	return (is_coloured(code) || is_off(code)) && find_code_color(p, code) >= 0;
}

/* Returns one code for the whole cell, for terminals that cannot draw the halves separately. */
static unsigned
merge_codes(unsigned hi, unsigned lo)
{
	if ((is_level(hi) && is_level(lo)) || (is_diff(hi) && is_diff(lo)) ||
	    (is_band(hi) && is_band(lo)))
		return (hi + lo + 1) / 2;
	if (hi == HEAT_NONE || lo == HEAT_NONE) /* the last row of an odd number has one half */
		return hi == HEAT_NONE ? lo : hi;
	if (is_coloured(hi) != is_coloured(lo))
		return is_coloured(hi) ? hi : lo;
	if (is_off(hi) != is_off(lo))
		return is_off(hi) ? hi : lo;
	return MAX(hi, lo);
}

/* Returns a step of a density scale. A level above the lowest is never a blank, so that it differs
 * from zero. */
static unsigned
choose_density(unsigned level, unsigned steps)
{
	return level ? MAX(level * steps / HEAT_LEVELS, 1u) : 0;
}

static const uint32_t block[] = {' ', 0x2591, 0x2592, 0x2593, 0x2588};
static const char density[] = " .:-=+*#%@";

/* High digits are bold or reversed, so that the page also works as a picture. If values are whole
 * numbers up to `most`, the digit is the value. */
static void
paint_digit(struct glyph *g, unsigned level, unsigned most)
{
	unsigned d = level * 10 / HEAT_LEVELS;

	g->wc = '0' + (most ? (2 * level * most + HEAT_LEVELS - 1) / (2 * (HEAT_LEVELS - 1)) : d);
	g->attr = d < 3 ? ATTR_DIM : d < 6 ? 0 : d < 8 ? ATTR_BOLD : ATTR_BOLD | ATTR_REVERSE;
}

/* The lowest level is a line at the bottom, so that it differs from an empty cell. Higher levels
 * draw the low hue with denser and denser glyphs, then the high hue over it. */
static void
paint_hue(const struct painter *p, struct glyph *g, unsigned level)
{
	if (!p->unicode) {
		unsigned k = choose_density(level, 10);

		g->wc = k ? (unsigned char)density[k] : '_';
		g->fg = p->hue[k > 4];
		return;
	}
	unsigned k = level ? 1 + (level - 1) * 8 / (HEAT_LEVELS - 1) : 0;

	g->wc = k ? block[k > 4 ? k - 4 : k] : '_';
	g->fg = p->hue[k > 4];
	g->bg = k > 4 && k < 8 ? p->hue[0] : COLOR_NONE;
}

/* The sign has three sizes: no difference, up to half of the largest, and more. The text output of
 * `compare` uses the same signs. */
static void
paint_diff(const struct painter *p, struct glyph *g, unsigned code)
{
	static const char sign[] = "=-.+#";
	int by = (int)code - (HEAT_DIFF + HEAT_DIFFS / 2), much = HEAT_DIFFS / 4;
	unsigned dense = (unsigned)(abs(by) + 3) / 4;

	if (p->depth > DEPTH_16 && !p->shades) {
		g->bg = p->diff[code - HEAT_DIFF];
		return;
	}
	g->wc = (unsigned char)sign[by < -much ? 0 : by < 0 ? 1 : by == 0 ? 2 : by <= much ? 3 : 4];
	g->attr = !by ? ATTR_DIM : abs(by) > much ? ATTR_BOLD : 0;
	if (p->shades || !by)
		return;
	g->fg = by < 0 ? p->less : p->more;
	if (p->unicode)
		g->wc = block[MIN(dense, 4u)];
}

static void
paint_level(const struct painter *p, struct glyph *g, unsigned level, unsigned most)
{
	if (p->digits)
		paint_digit(g, level, most);
	else if (p->shades)
		g->wc = p->unicode ? block[choose_density(level, 5)]
				   : (unsigned char)density[choose_density(level, 10)];
	else if (p->hues)
		paint_hue(p, g, level);
	else
		g->bg = p->ramp[level];
}

static void
paint_band(const struct painter *p, struct glyph *g, unsigned code)
{
	static const uint32_t glyph[HEAT_BANDS] = {0x2591, 0x2592, 0x2588};
	static const char ascii[HEAT_BANDS] = {'.', '+', '#'};
	unsigned band = (code - HEAT_BAND) / HEAT_BAND_STEPS,
		 step = (code - HEAT_BAND) % HEAT_BAND_STEPS;

	if (p->depth > DEPTH_16 && !p->shades) {
		g->bg = p->band[band][step];
		return;
	}
	g->wc = p->unicode ? glyph[band] : (unsigned char)ascii[band];
	if (p->shades)
		return;
	g->fg = p->band[band][step];
	if (p->unicode)
		g->wc = block[step + 1];
}

static void
paint_state(const struct painter *p, struct glyph *g, unsigned state)
{
	const struct look *k = &p->role[state_role(state)];

	g->wc = state_glyph(state);
	g->attr = k->attr;
	g->fg = k->fg;
	if (is_coloured(HEAT_STATE + state) && !p->shades) {
		g->fg = p->on_state[state];
		g->bg = k->fg;
	} else if (state == CORE_OFF && !p->shades) {
		g->bg = p->off;
	} else if (state == 0) {
		g->wc = '-';
	}
}

/* A class shows its letter where its colour alone might be ambiguous. */
static void
paint_class(const struct painter *p, struct glyph *g, unsigned code)
{
	const struct look *k = &p->role[class_role(code - HEAT_CLASS)];
	bool colour = is_coloured(code) && !p->shades && k->fg >= 0;

	g->wc = colour && p->depth > DEPTH_16 ? ' ' : class_glyph(code - HEAT_CLASS);
	g->bg = colour ? k->fg : COLOR_NONE;
	g->fg = colour ? paint_text_color(p, k->fg) : k->fg;
}

/* Paints a cell that shows one code. */
static void
paint_whole(const struct painter *p, struct glyph *g, unsigned code, unsigned most)
{
	const struct look *k = &p->role[ROLE_UNKNOWN];

	if (is_level(code)) {
		paint_level(p, g, code, most);
	} else if (is_diff(code)) {
		paint_diff(p, g, code);
	} else if (is_band(code)) {
		paint_band(p, g, code);
	} else if (code == HEAT_LEFT || code == HEAT_RIGHT) {
		g->wc = code == HEAT_LEFT ? '<' : '>';
		g->fg = k->fg;
		g->attr = k->attr;
	} else if (is_class(code)) {
		paint_class(p, g, code);
	} else if (code >= HEAT_STATE && code < HEAT_STATE + HEAT_STATES) {
		paint_state(p, g, code - HEAT_STATE);
	} else if (code == HEAT_GATED) {
		paint_state(p, g, CORE_OFF);
	} else {
		/* In ASCII the dot is the lowest shade, so an unknown value is a question mark. */
		uint32_t unknown = p->unicode ? 0xb7 : '?';
		g->wc = code == HEAT_UNKNOWN  ? unknown
			: code != HEAT_DIMMED ? ' '
			: p->unicode	      ? 0xb7
					      : '.';
		g->fg = k->fg;
		g->attr = k->attr;
	}
}

/* Paints both halves as one. An underline shows that one half is off. */
static void
paint_merged(const struct painter *p, struct glyph *g, unsigned hi, unsigned lo, unsigned most)
{
	unsigned code = merge_codes(hi, lo);

	paint_whole(p, g, code, most);
	if (is_off(hi) != is_off(lo) && !is_off(code))
		g->attr |= ATTR_UNDERLINE;
}

/* Draws the time cursor over a cell. */
static struct glyph
paint_cursor(const struct painter *p, struct glyph g, unsigned code)
{
	const struct look *k = &p->role[ROLE_CURSOR];

	if (p->shades || (p->hues && is_level(code)) ||
	    (p->depth <= DEPTH_16 && is_band(code))) { /* keep the glyph, which shows the value */
		g.attr ^= ATTR_REVERSE;
		return g;
	}
	g = (struct glyph){0x2502, 0, k->fg,
			   fills_half(p, code) ? find_code_color(p, code) : COLOR_NONE, k->attr};
	if (fills_half(p, code))
		g.fg = paint_depth_color(COLOR_RGB | (paint_brightness(color_rgb(g.bg, 0)) > 140
							      ? 0x080808
							      : 0xffffff),
					 p->depth);
	return g;
}

static struct glyph
paint_heat(const struct painter *p, const struct cell *c)
{
	struct glyph g = {' ', 0, COLOR_NONE, COLOR_NONE, 0};
	unsigned hi = c->hi, lo = c->lo;
	bool halves = p->half && hi != lo && (fills_half(p, hi) || fills_half(p, lo)) &&
		      !(p->hues && (is_level(hi) || is_level(lo))) &&
		      !(p->depth <= DEPTH_16 &&
			(is_diff(hi) || is_diff(lo) || is_band(hi) || is_band(lo)));

	if (!halves) {
		paint_merged(p, &g, hi, lo, c->most);
	} else if (fills_half(p, hi)) {
		g.wc = HALF_UPPER;
		g.fg = find_code_color(p, hi);
		g.bg = fills_half(p, lo) ? find_code_color(p, lo) : COLOR_NONE;
	} else {
		g.wc = HALF_LOWER;
		g.fg = find_code_color(p, lo);
	}
	if (c->wc) { /* a number over the colour of the cell */
		g.wc = c->wc;
		if (p->hues && is_level(merge_codes(hi, lo)))
			g.bg = COLOR_NONE; /* only some levels have a background */
		g.fg = g.bg < 0 ? COLOR_NONE : paint_text_color(p, g.bg);
		g.attr = c->cursor ? ATTR_BOLD | ATTR_UNDERLINE : 0;
		return g;
	}
	return c->cursor ? paint_cursor(p, g, hi == lo ? hi : merge_codes(hi, lo)) : g;
}

struct glyph
paint_cell(const struct painter *p, const struct cell *c)
{
	struct glyph g;

	if (c->kind == CELL_HEAT) {
		g = paint_heat(p, c);
	} else {
		const struct look *k = &p->text[c->role < ROLES ? c->role : ROLE_TEXT];
		g = (struct glyph){c->wc ? c->wc : ' ', c->mark, k->fg, k->bg, k->attr};
	}
	g.attr |= c->attr;
	if (!p->unicode) {
		g.wc = convert_to_ascii(g.wc);
		g.mark = 0;
	}
	return g;
}
