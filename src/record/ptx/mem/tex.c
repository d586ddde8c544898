/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tex.c - manages texture objects and references, and executes tex and txq on them.
 *
 * Both kinds are slots of the device, named by handles. An object is created with its description;
 * a .texref or .surfref variable gets a slot when its module is loaded and a description when it is
 * bound. The memory of a texture is checked as a whole at each instruction, so that every existing
 * texel can be read.
 *
 * A cube map is an array of six layers; the largest of three coordinates selects one, as in the
 * CUDA C++ Programming Guide. Each face is filtered separately.
 *
 * Not supported: samplers separate from textures (independent mode), mip maps (a requested level is
 * ignored), offsets, comparisons.
 */
#include "record/ptx/mem/tex.h"
#include "record/ptx/mem/claim.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- slots ---- */

static struct tex_slot *
find_slot(const struct ptx_device *d, uint64_t handle)
{
	uint64_t i = handle - TEX_HANDLE - 1;

	return i < d->n_tex && d->tex[i].used ? &d->tex[i] : NULL;
}

const struct tex_slot *
tex_slot_of(const struct ptx_device *d, uint64_t handle)
{
	return find_slot(d, handle);
}

static int
slot_new(struct ptx_device *d, uint64_t *handle, struct err *e)
{
	struct tex_slot *more;
	uint32_t i = 0;

	while (i < d->n_tex && d->tex[i].used)
		i++;
	if (i == d->n_tex) {
		more = realloc(d->tex, (d->n_tex + 1) * sizeof(*more));
		if (!more)
			return err_nomem(e);
		d->tex = more;
		d->n_tex++;
	}
	d->tex[i] = (struct tex_slot){.used = true};
	*handle = TEX_HANDLE + i + 1;
	return 0;
}

void
tex_free(struct ptx_device *d)
{
	for (uint32_t i = 0; i < d->n_tex; i++)
		free(d->tex[i].name);
	free(d->tex);
	d->tex = NULL;
	d->n_tex = 0;
}

static int
check_texture(struct ptx_device *d, struct ptx_texture *t, struct err *e)
{
	uint64_t row = (uint64_t)t->width * tex_texel_bytes(t);

	if (t->dims < 1 || t->dims > 3 || !t->width || !t->height || !t->depth)
		return err_set(e,
			       "a texture of %u dimensions and %" PRIu32 " x %" PRIu32 " x %" PRIu32
			       " texels, expected 1 to 3 and at least 1 x 1 x 1",
			       t->dims, t->width, t->height, t->depth);
	if (t->width > 1u << 28 || t->height > 1u << 17 || t->depth > 1u << 14)
		return err_set(e,
			       "a texture of %" PRIu32 " x %" PRIu32 " x %" PRIu32
			       " texels, expected at most 2^28 x 2^17 x 2^14",
			       t->width, t->height, t->depth);
	if (t->channels != 1 && t->channels != 2 && t->channels != 4)
		return err_set(e, "a texture of %u channels, expected 1, 2 or 4", t->channels);
	if (!t->pitch)
		t->pitch = row;
	if (t->pitch < row || t->pitch > 1ull << 32)
		return err_set(e,
			       "a texture with a pitch of %" PRIu64 " bytes and rows of %" PRIu64,
			       t->pitch, row);
	if (t->linear && t->texel < TEXEL_F16 &&
	    (t->as_integer || t->texel == TEXEL_U32 || t->texel == TEXEL_S32))
		return err_set(e, "integers read without conversion cannot be filtered linearly");
	return ptx_host(d, t->addr, tex_bytes(t), e) ? 0 : -1;
}

int
ptx_texture_new(struct ptx_device *d, const struct ptx_texture *t, uint64_t *handle, struct err *e)
{
	struct ptx_texture copy = *t;

	if (check_texture(d, &copy, e) != 0 || slot_new(d, handle, e) != 0)
		return -1;
	find_slot(d, *handle)->t = copy;
	find_slot(d, *handle)->bound = true;
	return 0;
}

int
ptx_texture_free(struct ptx_device *d, uint64_t handle, struct err *e)
{
	struct tex_slot *s = find_slot(d, handle);

	if (!s)
		return err_set(e, "0x%" PRIx64 " is not a texture", handle);
	free(s->name);
	*s = (struct tex_slot){0};
	return 0;
}

int
tex_new_ref(struct ptx_device *d, const char *name, uint64_t *handle, struct err *e)
{
	char *copy = strdup(name);

	if (!copy)
		return err_nomem(e);
	if (slot_new(d, handle, e) != 0) {
		free(copy);
		return -1;
	}
	find_slot(d, *handle)->name = copy;
	return 0;
}

static int
bind_reference(struct ptx_device *d, const struct ptx_module *m, enum ptx_type type,
	       const char *name, const struct ptx_texture *t, struct err *e)
{
	struct ptx_texture copy = t ? *t : (struct ptx_texture){0};

	if (m->device != d)
		return err_set(e, "module '%s' is not loaded", m->ast->name);
	for (uint32_t i = 0; i < m->ast->n_var; i++) {
		if (m->ast->var[i].type != type || strcmp(m->ast->var[i].name, name) != 0)
			continue;
		if (t && check_texture(d, &copy, e) != 0)
			return -1;
		find_slot(d, m->var_addr[i])->t = copy;
		find_slot(d, m->var_addr[i])->bound = t;
		return 0;
	}
	return err_set(e, "module '%s' has no .%s variable '%s'", m->ast->name, ptx_type_name(type),
		       name);
}

int
ptx_texref_bind(struct ptx_device *d, const struct ptx_module *m, const char *name,
		const struct ptx_texture *t, struct err *e)
{
	return bind_reference(d, m, TY_TEXREF, name, t, e);
}

int
ptx_surfref_bind(struct ptx_device *d, const struct ptx_module *m, const char *name,
		 const struct ptx_texture *t, struct err *e)
{
	return bind_reference(d, m, TY_SURFREF, name, t, e);
}

/* ---- tex ---- */

static const char *
geometry_name(const struct prog_inst *in)
{
	static const char *const name[2][4] = {{"", "1d", "2d", "3d"}, {"", "a1d", "a2d", ""}};

	if (in->flags & PF_WIDE)
		return in->sub2 ? "acube" : "cube";
	return name[in->sub2][in->sub];
}

/* Finds the texture of lane l. NULL: a fault. */
static const struct tex_slot *
find_lane_texture(const struct prog_inst *in, struct warp *w, uint32_t l, const uint8_t **host)
{
	struct ptx_device *d = w->cta->run->device;
	uint64_t handle = vec64(w, in->src[0])[l];
	const struct tex_slot *s = find_slot(d, handle);
	const char *op = ptx_op_name((enum ptx_op)in->op);
	const struct mem_block *b;
	char what[320];

	if (!s) {
		exec_fault(w, in, (int)l, "%s: 0x%" PRIx64 " is not a texture", op, handle);
		return NULL;
	}
	if (!s->bound) {
		exec_fault(w, in, (int)l, "%s: %s reference '%s' is not bound", op,
			   in->op == PTX_suq ? "surface" : "texture", s->name);
		return NULL;
	}
	if (in->op == PTX_txq || in->op == PTX_suq)
		return s;
	if (s->t.dims != in->sub) {
		exec_fault(w, in, (int)l, "tex.%s: the texture has %u dimension%s",
			   geometry_name(in), s->t.dims, s->t.dims == 1 ? "" : "s");
		return NULL;
	}
	b = devmem_find(w->cta->run, in, s->t.addr, tex_bytes(&s->t));
	if (!b) {
		devmem_explain(d, s->t.addr, tex_bytes(&s->t), what, sizeof(what));
		exec_fault_of(ERR_ADDRESS, w, in, (int)l,
			      "tex.%s: the memory of the texture was freed: %s", geometry_name(in),
			      what);
		return NULL;
	}
	if (w->cta->run->claim && claim_read_all(w->cta->run, b))
		return NULL;
	*host = devmem_host(d, s->t.addr);
	return s;
}

/* Computes the face of a cube that v points to, and the place on it. */
static void
compute_cube_coordinates(const struct ptx_texture *t, const float v[3], struct tex_at *at)
{
	float x = fabsf(v[0]), y = fabsf(v[1]), z = fabsf(v[2]), a, b, m;
	uint32_t face;

	if (x >= y && x >= z) {
		face = v[0] < 0;
		m = x;
		a = face ? v[2] : -v[2];
		b = -v[1];
	} else if (y >= z) {
		face = 2 + (v[1] < 0);
		m = y;
		a = v[0];
		b = v[1] < 0 ? -v[2] : v[2];
	} else {
		face = 4 + (v[2] < 0);
		m = z;
		a = v[2] < 0 ? -v[0] : v[0];
		b = -v[1];
	}
	at->layer = 6 * (at->layered ? at->layer : 0) + face;
	at->layered = true;
	at->x[0] = (a / m + 1) / 2 * (t->normalized ? 1 : (float)t->width);
	at->x[1] = (b / m + 1) / 2 * (t->normalized ? 1 : (float)t->height);
}

/* Reads the coordinates of lane l. Sources: the handle, the layer of an array, the coordinates. */
static void
read_lane_coordinates(const struct prog_inst *in, const struct warp *w, uint32_t l,
		      const struct ptx_texture *t, struct tex_at *at)
{
	bool cube = in->flags & PF_WIDE;
	float v[3] = {0};

	at->layered = in->sub2;
	at->dims = in->sub;
	at->texel = in->type2 == TY_S32;
	if (at->layered)
		at->layer = vec32(w, in->src[1])[l];
	for (uint32_t k = 0; k < (cube ? 3u : in->sub); k++) {
		uint32_t bits = vec32(w, in->src[1 + in->sub2 + k])[l];

		memcpy(&at->i[k], &bits, 4);
		memcpy(&at->x[k], &bits, 4);
		v[k] = at->x[k];
	}
	if (cube)
		compute_cube_coordinates(t, v, at);
}

int
tex_fetch(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const struct tex_slot *s = NULL;
	const uint64_t *handle = vec64(w, in->src[0]);
	const uint8_t *host = NULL;
	uint64_t last = 0;
	uint32_t got[WARP_SIZE][4];

	for (uint32_t m = mask; m; m &= m - 1) {
		uint32_t l = (uint32_t)__builtin_ctz(m);
		struct tex_at at = {0};

		if (!s || handle[l] != last) {
			s = find_lane_texture(in, w, l, &host);
			if (!s)
				return EXEC_FAULT;
			last = handle[l];
		}
		read_lane_coordinates(in, w, l, &s->t, &at);
		w->addr[l] = s->t.addr + (in->op == PTX_tld4
						  ? tex_gather(&s->t, host, &at, in->rnd, got[l])
						  : tex_sample(&s->t, host, &at, got[l]));
	}
	w->addr_mask = mask;
	for (uint32_t k = 0; k < 4; k++) {
		uint32_t *to = in->dst[k].bytes == 4 ? vec(w, in->dst[k]) : NULL;

		for (uint32_t m = to ? mask : 0; m; m &= m - 1) {
			uint32_t l = (uint32_t)__builtin_ctz(m);

			to[l] = got[l][k];
		}
	}
	return EXEC_NEXT;
}

/* ---- txq ---- */

static uint32_t
query_value(const struct ptx_texture *t, enum ptx_word what)
{
	switch (what) {
	case W_width:
		return t->width;
	case W_height:
		return t->dims < 2 ? 0 : t->height;
	case W_depth:
		return t->dims < 3 ? 0 : t->depth;
	case W_array_size:
		return t->dims < 3 ? t->depth : 0;
	case W_num_mipmap_levels:
		return 1;
	default:
		return t->normalized;
	}
}

int
tex_query(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t got[WARP_SIZE];

	w->addr_mask = 0;
	for (uint32_t m = mask; m; m &= m - 1) {
		uint32_t l = (uint32_t)__builtin_ctz(m);
		const struct tex_slot *s = find_lane_texture(in, w, l, NULL);

		if (!s)
			return EXEC_FAULT;
		got[l] = query_value(&s->t, (enum ptx_word)in->sub);
	}
	for (; in->dst[0].bytes == 4 && mask; mask &= mask - 1) {
		uint32_t l = (uint32_t)__builtin_ctz(mask);

		((uint32_t *)vec(w, in->dst[0]))[l] = got[l];
	}
	return EXEC_NEXT;
}
