/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inst_rig.h - one PTX instruction, decoded and executed on a warp made by hand: no device, no
 * launch.
 *
 *     struct rig r;
 *     rig_open(&r, "add.u32 %r0, %r1, %r2;")   registers %h0-4 %r0-4 %d0-4 %p0-4: 16, 32 and
 *                                              64 bits, predicates
 *     rig_set(&r, 1, values)                   sets %h1 %r1 %d1 to the low bits of 32 values,
 *                                              and %p1 to bit 0 of each
 *     rig_run(&r, mask)
 *     rig_get(&r, 'r', 0, lane)
 *     rig_close(&r)
 */
#ifndef TESTS_UNIT_PTX_INST_RIG_H
#define TESTS_UNIT_PTX_INST_RIG_H

#include "record/ptx/decode/prog.h"
#include "tests/tap.h"

#define RIG_REGS 5

struct rig {
	struct ptx_module *m;
	struct prog_func *f;
	struct warp w;
	struct cta cta;
	struct run run;
	struct err e;
	uint8_t *frame, *sreg;
};

static inline uint8_t *
rig_vectors(size_t bytes)
{
	uint8_t *p = aligned_alloc(32, (bytes + 63) / 32 * 32);

	if (!p)
		exit(99);
	memset(p, 0, (bytes + 63) / 32 * 32);
	return p;
}

/* Returns false, with r->e filled and nothing to close, if the instruction is rejected. */
static inline bool
rig_open(struct rig *r, const char *inst)
{
	char text[1024];
	int n = snprintf(
		text, sizeof(text),
		".version 7.8\n.target sm_90\n.address_size 64\n"
		".shared .align 4 .b8 sh0[12];\n.shared .align 4 .b8 sh[64];\n"
		".visible .entry k(.param .u32 pa, .param .u64 pb)\n{\n"
		".local .align 8 .b8 lo[24];\n.local .align 8 .b8 lo2[8];\n"
		".reg .b16 %%h<5>; .reg .b32 %%r<5>; .reg .b64 %%d<5>; .reg .pred %%p<5>;\n"
		".reg .v2 .b32 %%v; .reg .b8 %%c<5>;\n%s\nret;\n}\n",
		inst);

	memset(r, 0, sizeof(*r));
	r->m = ptx_parse("rig.ptx", text, (size_t)n, &r->e);
	if (!r->m)
		return false;
	r->f = &r->m->func[r->m->kernel_func[0]];
	r->frame = rig_vectors(r->f->frame_bytes);
	r->sreg = rig_vectors((size_t)PTX_SREGS * SREG_STRIDE);
	r->cta.run = &r->run;
	r->run.e = &r->e;
	r->w = (struct warp){.base = {r->frame, r->f->consts, r->sreg},
			     .active = ~0u,
			     .live = ~0u,
			     .func = r->f,
			     .cta = &r->cta};
	return true;
}

static inline void
rig_close(struct rig *r)
{
	free(r->frame);
	free(r->sreg);
	ptx_module_free(r->m);
}

/* Returns NULL if the instruction does not use the register. */
static inline uint8_t *
rig_reg(struct rig *r, char kind, unsigned number)
{
	char name[8];

	snprintf(name, sizeof(name), "%%%c%u", kind, number);
	for (uint32_t i = 0; i < r->f->ast->n_reg; i++)
		if (strcmp(r->f->ast->reg[i].name, name) == 0)
			return r->frame + r->f->reg_off[i];
	return NULL;
}

static inline uint64_t
rig_get(struct rig *r, char kind, unsigned number, unsigned lane)
{
	const uint8_t *at = rig_reg(r, kind, number);
	uint32_t u;
	uint64_t v;

	if (!at) {
		diag("%%%c%u is not used", kind, number);
		exit(99);
	}
	if (kind == 'd') {
		memcpy(&v, at + lane * 8, 8);
		return v;
	}
	memcpy(&u, at + (kind == 'p' ? 0 : lane * 4), 4);
	return kind == 'p' ? u >> lane & 1 : u;
}

static inline void
rig_set(struct rig *r, unsigned number, const uint64_t *v)
{
	static const struct {
		char kind;
		uint64_t low;
	} kinds[] = {{'c', 0xff}, {'h', 0xffff}, {'r', UINT32_MAX}};
	uint8_t *at = rig_reg(r, 'd', number);
	uint32_t bits = 0;

	if (at)
		memcpy(at, v, sizeof(*v) * WARP_SIZE);
	for (unsigned k = 0; k < 3; k++) {
		at = rig_reg(r, kinds[k].kind, number);
		for (unsigned l = 0; at && l < WARP_SIZE; l++) {
			uint32_t u = (uint32_t)(v[l] & kinds[k].low);

			memcpy(at + l * 4, &u, 4);
		}
	}
	at = rig_reg(r, 'p', number);
	for (unsigned l = 0; l < WARP_SIZE; l++)
		bits |= (uint32_t)(v[l] & 1) << l;
	if (at)
		memcpy(at, &bits, 4);
}

/* Runs all instructions except the ret at the end. */
static inline bool
rig_run(struct rig *r, uint32_t mask)
{
	for (uint32_t i = 0; i + 1 < r->f->n_inst; i++)
		if (r->f->inst[i].fn(&r->f->inst[i], &r->w, mask) != EXEC_NEXT)
			return false;
	return true;
}

/* An instruction that must be rejected, and words of the error. */
struct rig_bad {
	const char *inst, *why;
};

static inline void
rig_refused(const struct rig_bad *bad, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct rig r;

		if (!ok(!rig_open(&r, bad[i].inst), "refused: %s", bad[i].inst))
			rig_close(&r);
		else
			ok(strstr(r.e.msg, bad[i].why), "  %s", r.e.msg);
	}
}

#endif
