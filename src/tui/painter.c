/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * painter.c - prepares what paint.c draws with: the looks of a theme in the colours that the
 * terminal has.
 */
#include "tui/paint_part.h"

#include <math.h>
#include <string.h>

int32_t
paint_depth_color(int32_t color, enum depth depth)
{
	if (color < 0 || depth == DEPTH_MONO)
		return COLOR_NONE;
	if (depth == DEPTH_RGB)
		return (int32_t)(COLOR_RGB | color_rgb(color, 0));
	if (color & COLOR_RGB) {
		uint32_t rgb = (uint32_t)color & 0xffffff;
		return (int32_t)(depth == DEPTH_256
					 ? palette_nearest(rgb)
					 : palette_nearest16(rgb, depth == DEPTH_16 ? 16 : 8));
	}
	if (depth == DEPTH_256 || color < (depth == DEPTH_16 ? 16 : 8))
		return color;
	if (color < 16)
		return color - 8; /* the same colour, less bright */
	return (int32_t)palette_nearest16(palette_rgb((unsigned)color), depth == DEPTH_16 ? 16 : 8);
}

static uint32_t
mix_colors(uint32_t a, uint32_t b, double f)
{
	uint32_t out = 0;

	for (int s = 16; s >= 0; s -= 8) {
		double x = (double)(a >> s & 255), y = (double)(b >> s & 255);
		out |= (uint32_t)lround(x + (y - x) * f) << s;
	}
	return out;
}

static void
init_ramp(struct painter *p, const struct theme *t)
{
	uint32_t rgb[HEAT_LEVELS];

	for (unsigned i = 0; i < HEAT_LEVELS; i++) {
		double x = (double)i / (HEAT_LEVELS - 1) * (t->n_ramp - 1);
		unsigned k = MIN((unsigned)x, t->n_ramp - 2);

		rgb[i] = mix_colors(color_rgb(t->ramp[k], 0), color_rgb(t->ramp[k + 1], 0), x - k);
		p->ramp[i] = (int32_t)(COLOR_RGB | rgb[i]);
		/* Few colours and steps listed by the theme are equally wide. */
		if (p->depth <= DEPTH_16)
			p->ramp[i] =
				paint_depth_color(t->ramp8[i * t->n_ramp8 / HEAT_LEVELS], p->depth);
		else if (p->depth == DEPTH_256 && t->n_ramp256)
			p->ramp[i] = paint_depth_color(t->ramp256[i * t->n_ramp256 / HEAT_LEVELS],
						       p->depth);
	}
	if (p->depth == DEPTH_256 && !t->n_ramp256)
		palette_ramp(rgb, HEAT_LEVELS, p->ramp);
	p->hue[0] = paint_depth_color(t->ramp8[0], p->depth);
	p->hue[1] = paint_depth_color(t->ramp8[t->n_ramp8 - 1], p->depth);
}

/* Fills the ramp of differences from the anchors of the theme. */
static void
init_diff(struct painter *p, const struct theme *t)
{
	uint32_t rgb[HEAT_DIFFS];

	for (unsigned i = 0; i < HEAT_DIFFS; i++) {
		double x = (double)i / (HEAT_DIFFS - 1) * (t->n_diff - 1);
		unsigned k = MIN((unsigned)x, t->n_diff - 2);

		rgb[i] = mix_colors(color_rgb(t->diff[k], 0), color_rgb(t->diff[k + 1], 0), x - k);
		p->diff[i] = p->depth == DEPTH_RGB ? (int32_t)(COLOR_RGB | rgb[i]) : COLOR_NONE;
	}
	if (p->depth == DEPTH_256)
		palette_ramp(rgb, HEAT_DIFFS, p->diff);
	p->less = paint_depth_color(t->diff8[0], p->depth);
	p->more = paint_depth_color(t->diff8[t->n_diff8 - 1], p->depth);
}

/* Fills the hues of the bands from the roles: each begins half as strong, towards the paper. */
static void
init_bands(struct painter *p, const struct theme *t)
{
	for (unsigned b = 0; b < HEAT_BANDS; b++) {
		uint32_t full = color_rgb(t->role[band_role(b)].fg, 0x808080);

		for (unsigned i = 0; i < HEAT_BAND_STEPS; i++) {
			double f = 0.5 + 0.5 * i / (HEAT_BAND_STEPS - 1);
			uint32_t rgb = mix_colors(t->white ? 0xffffff : 0, full, f);

			p->band[b][i] = paint_depth_color((int32_t)(COLOR_RGB | rgb), p->depth);
			if (p->depth <= DEPTH_16)
				p->band[b][i] = p->role[band_role(b)].fg;
		}
	}
}

unsigned
paint_brightness(uint32_t rgb)
{
	return (299 * (rgb >> 16) + 587 * (rgb >> 8 & 255) + 114 * (rgb & 255)) / 1000;
}

int32_t
paint_text_color(const struct painter *p, int32_t bg)
{
	return paint_depth_color(paint_brightness(color_rgb(bg, 0)) > 110 ? COLOR_RGB | 0x080808
									  : COLOR_RGB | 0xf8f8f8,
				 p->depth);
}

static bool
is_grey(uint32_t rgb)
{
	uint32_t r = rgb >> 16, g = rgb >> 8 & 255, b = rgb & 255;

	return MAX(MAX(r, g), b) - MIN(MIN(r, g), b) < 40 && paint_brightness(rgb) < 200;
}

/* With few colours, two lines, states or classes might get the same nearest colour, or that of a
 * core that is off. So each gets a fixed colour. */
static void
assign_few_hues(struct painter *p, bool white)
{
	static const struct {
		uint8_t role, on_black, on_white;
	} few[] = {{ROLE_LINE1, 6, 4},	   {ROLE_LINE2, 3, 1},	 {ROLE_LINE3, 2, 5},
		   {ROLE_LINE4, 5, 0},	   {ROLE_ACTIVE, 6, 4},	 {ROLE_DRAINING, 2, 2},
		   {ROLE_THROTTLED, 3, 3}, {ROLE_PAUSED, 5, 5},	 {ROLE_STALL, 3, 3},
		   {ROLE_BLOCKED, 1, 1},   {ROLE_MEMORY, 5, 5},	 {ROLE_DEPEND, 2, 2},
		   {ROLE_BELOW, 6, 4},	   {ROLE_BETWEEN, 3, 2}, {ROLE_ABOVE, 5, 5}};

	for (size_t i = 0; i < ARRAY_LEN(few); i++)
		if (p->role[few[i].role].fg >= 0)
			p->role[few[i].role].fg = white ? few[i].on_white : few[i].on_black;
}

/* Adapts the look of a role to 8 or 16 colours. A colour that would be unreadable is removed: on a
 * white terminal if the theme is for white ones, else on black or on white. */
static void
reduce_look(struct look *k, const struct look *want, unsigned role, bool white)
{
	double light = k->fg >= 0 ? color_lightness(palette_rgb((unsigned)k->fg)) : 0.5;

	if (role == ROLE_OFF) { /* drawn over painter.off */
		k->fg = k->bg = COLOR_NONE;
	} else if (want->bg >= 0) { /* the background may equal the text; reverse does not */
		k->bg = k->fg = COLOR_NONE;
		k->attr |= ATTR_REVERSE;
	} else if (want->fg >= 0 && is_grey(color_rgb(want->fg, 0))) {
		k->fg = COLOR_NONE; /* the nearest of few colours would not be a grey */
		k->attr |= ATTR_DIM;
	} else if (role < ROLE_ACTIVE && ((light < 0.45 && !white) || light > 0.7)) {
		k->fg = COLOR_NONE; /* yellow is unreadable on white, blue on black */
		k->attr |= ATTR_BOLD;
	}
}

/* Sets the looks of letters. With few colours some colours are readable as areas but not as
 * letters: states, classes and lines lose them. */
static void
init_text(struct painter *p, bool white)
{
	memcpy(p->text, p->role, sizeof(p->text));
	for (unsigned i = ROLE_ACTIVE; p->depth <= DEPTH_16 && i < ROLES; i++) {
		struct look *k = &p->text[i];
		double light = k->fg >= 0 ? color_lightness(palette_rgb((unsigned)k->fg)) : 0.5;

		if (white ? light > 0.7 : light < 0.45) {
			k->fg = COLOR_NONE;
			k->attr |= ATTR_BOLD;
		}
	}
}

uint32_t
painter_sum(const struct painter *p)
{
	const unsigned char *b = (const unsigned char *)p;
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < sizeof(*p); i++)
		h = (h ^ b[i]) * 16777619u;
	return h;
}

void
painter_init(struct painter *p, const struct theme *t, enum depth depth, bool unicode)
{
	memset(p, 0, sizeof(*p));
	p->depth = depth;
	p->unicode = p->braille = unicode;
	p->hues = !t->shades && depth > DEPTH_MONO && depth <= DEPTH_16 && t->n_ramp8 == 2;
	p->digits = !t->shades && depth == DEPTH_MONO;
	p->shades = t->shades || depth == DEPTH_MONO;
	p->half = unicode && !p->shades;
	/* With few colours the nearest one to a dark colour would be black, so red is used. */
	p->off = depth <= DEPTH_16 ? paint_depth_color(1, depth)
				   : paint_depth_color(t->role[ROLE_OFF].bg, depth);
	for (unsigned i = 0; i < ROLES; i++) {
		p->role[i] = t->role[i];
		p->role[i].fg = paint_depth_color(t->role[i].fg, depth);
		p->role[i].bg = paint_depth_color(t->role[i].bg, depth);
		if (depth <= DEPTH_16)
			reduce_look(&p->role[i], &t->role[i], i, t->white);
	}
	init_ramp(p, t);
	init_diff(p, t);
	if (depth > DEPTH_MONO && depth <= DEPTH_16)
		assign_few_hues(p, t->white);
	init_bands(p, t);
	init_text(p, t->white);
	for (unsigned i = 0; i < HEAT_STATES; i++) {
		uint32_t rgb = color_rgb(p->role[state_role(i)].fg, 0xc0c0c0);
		p->on_state[i] =
			paint_depth_color(paint_brightness(rgb) > 110 ? COLOR_RGB | 0x080808
								      : COLOR_RGB | 0xf8f8f8,
					  depth);
	}
}
