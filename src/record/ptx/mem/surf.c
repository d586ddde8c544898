/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * surf.c - executes suld.b and sust.b, which access the bytes of a surface, and sust.p, which
 * stores texels.
 *
 * A surface is a texture that is not sampled: it has the same slots and handles, both for objects
 * and for .surfref variables. x counts bytes, for sust.p texels. Outside the surface, .trap is a
 * fault, .clamp uses the nearest place inside, and .zero reads 0 and drops writes.
 */
#include "record/ptx/alu/half.h"
#include "record/ptx/mem/tex.h"

#include <inttypes.h>
#include <string.h>

enum { SURF_TRAP, SURF_CLAMP, SURF_ZERO };

/* Finds the bytes of lane l; *addr 0: outside of a surface with .zero. -1: a fault. */
static int
surf_place(const struct prog_inst *in, struct warp *w, uint32_t l, uint64_t *addr, uint8_t **host)
{
	uint64_t handle = vec64(w, in->src[0])[l];
	const struct tex_slot *s = tex_slot_of(w->cta->run->device, handle);
	uint32_t bytes = ptx_type_bytes((enum ptx_type)in->type) * in->vec, k;
	const char *op = ptx_op_name((enum ptx_op)in->op);
	int64_t at[3] = {0}, most[3];
	bool texels = in->flags & PF_WIDE;

	if (!s)
		return exec_fault(w, in, (int)l, "%s: 0x%" PRIx64 " is not a surface", op, handle);
	if (!s->bound)
		return exec_fault(w, in, (int)l, "%s: surface reference '%s' is not bound", op,
				  s->name);
	if (s->t.dims != in->sub)
		return exec_fault(w, in, (int)l, "%s: the surface has %u dimension%s, not %u", op,
				  s->t.dims, s->t.dims == 1 ? "" : "s", in->sub);
	bytes = texels ? tex_texel_bytes(&s->t) : bytes;
	most[0] = texels ? (int64_t)s->t.width - 1
			 : (int64_t)s->t.width * tex_texel_bytes(&s->t) - bytes;
	most[1] = (int64_t)s->t.height - 1;
	most[2] = (int64_t)s->t.depth - 1;
	for (k = 0; k < in->sub; k++)
		at[k] = (int32_t)vec32(w, in->src[1 + in->sub2 + k])[l];
	if (in->sub2)
		at[2] = vec32(w, in->src[1])[l];
	if (!texels && at[0] % bytes)
		return exec_fault_of(ERR_MISALIGNED, w, in, (int)l,
				     "%s: x is %" PRId64 ", misaligned: not a multiple of %u", op,
				     at[0], bytes);
	for (k = 0; k < 3; k++) {
		if (at[k] >= 0 && at[k] <= most[k])
			continue;
		if (in->rnd == SURF_TRAP)
			return exec_fault_of(ERR_ADDRESS, w, in, (int)l,
					     "%s: %c is %" PRId64
					     ", outside of the surface: 0 to %" PRId64,
					     op, "xyz"[k], at[k], most[k]);
		*addr = 0;
		if (in->rnd == SURF_ZERO || most[k] < 0)
			return 0;
		at[k] = at[k] < 0 ? 0 : most[k];
	}
	*addr = s->t.addr + ((uint64_t)at[2] * s->t.height + (uint64_t)at[1]) * s->t.pitch +
		(uint64_t)at[0] * (texels ? bytes : 1);
	if (!devmem_find(w->cta->run, in, *addr, bytes))
		return exec_fault(w, in, (int)l, "%s: the memory of the surface was freed", op);
	*host = devmem_host(w->cta->run->device, *addr);
	return 0;
}

/* Copies an element between memory and lane l of a register. */
static void
surf_copy_element(struct warp *w, struct opnd o, uint32_t l, uint8_t *p, uint32_t size, bool load)
{
	uint8_t *at;

	if (o.bytes == OPND_NONE)
		return;
	at = (uint8_t *)vec(w, o) + (size_t)l * o.bytes;
	if (load) {
		memset(at, 0, o.bytes);
		memcpy(at, p, size);
	} else {
		memcpy(p, at, size);
	}
}

static int
surf_access(const struct prog_inst *in, struct warp *w, uint32_t mask, bool load)
{
	uint32_t size = ptx_type_bytes((enum ptx_type)in->type), reported = 0;
	const struct opnd *o = load ? in->dst : w->func->more[in->ext].o[MAT_C];
	uint64_t addr[WARP_SIZE];
	uint8_t *host[WARP_SIZE] = {NULL}, nothing[16];

	for (uint32_t m = mask; m; m &= m - 1) {
		uint32_t l = (uint32_t)__builtin_ctz(m);

		addr[l] = 0;
		if (surf_place(in, w, l, &addr[l], &host[l]) == EXEC_FAULT)
			return EXEC_FAULT;
		reported |= (uint32_t)(addr[l] != 0) << l;
		w->addr[l] = addr[l];
	}
	for (uint32_t m = mask; m; m &= m - 1) {
		uint32_t l = (uint32_t)__builtin_ctz(m);
		uint8_t *p = addr[l] ? host[l] : nothing;

		memset(nothing, 0, sizeof(nothing));
		for (uint32_t k = 0; k < in->vec; k++)
			surf_copy_element(w, o[k], l, p + k * size, size, load);
	}
	w->addr_mask = reported;
	return EXEC_NEXT;
}

static int64_t
clamp_number(int64_t x, int64_t least, int64_t most)
{
	return x < least ? least : x > most ? most : x;
}

/* Writes component c of a texel. x is a float if the texels are floats, otherwise an integer, which
 * is clamped to the range of a texel. PTX does not define the result for integers out of that
 * range. */
static void
write_component(const struct ptx_texture *t, uint8_t *p, uint32_t c, uint32_t x)
{
	int32_t s = (int32_t)x;
	uint16_t half;
	float f;

	switch (t->texel) {
	case TEXEL_U8:
		p[c] = (uint8_t)clamp_number(x, 0, UINT8_MAX);
		return;
	case TEXEL_S8:
		p[c] = (uint8_t)clamp_number(s, INT8_MIN, INT8_MAX);
		return;
	case TEXEL_U16:
		half = (uint16_t)clamp_number(x, 0, UINT16_MAX);
		break;
	case TEXEL_S16:
		half = (uint16_t)clamp_number(s, INT16_MIN, INT16_MAX);
		break;
	case TEXEL_F16:
		memcpy(&f, &x, sizeof(f));
		half = float_to_half(f, RND_RN);
		break;
	default:
		memcpy(p + 4 * (size_t)c, &x, 4);
		return;
	}
	memcpy(p + 2 * (size_t)c, &half, 2);
}

int
surf_store_texel(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const struct opnd *o = w->func->more[in->ext].o[MAT_C];

	w->addr_mask = 0;
	for (uint32_t m = mask; m; m &= m - 1) {
		uint32_t l = (uint32_t)__builtin_ctz(m);
		const struct tex_slot *s;
		uint8_t *host = NULL;

		if (surf_place(in, w, l, &w->addr[l], &host) == EXEC_FAULT)
			return EXEC_FAULT;
		if (!w->addr[l])
			continue;
		w->addr_mask |= 1u << l;
		s = tex_slot_of(w->cta->run->device, vec64(w, in->src[0])[l]);
		for (uint32_t c = 0; c < s->t.channels; c++)
			write_component(&s->t, host, c, c < in->vec ? vec32(w, o[c])[l] : 0);
	}
	return EXEC_NEXT;
}

int
surf_load(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	return surf_access(in, w, mask, true);
}

int
surf_store(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	return surf_access(in, w, mask, false);
}
