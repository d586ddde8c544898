/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * load.c - gives the variables of a module device memory and initial values, and patches their
 * addresses into the instructions that name them.
 *
 * .const variables are in read-only blocks of global memory. A .texref or .surfref variable has no
 * memory: its address is the handle of a texture that ptx_texref_bind sets. Addresses in initial
 * values are known only once every variable has one, so there are three passes: allocate,
 * initialize, patch. A module that fails to load leaves nothing behind.
 *
 * Not supported: linking; an .extern variable must be defined in the module that uses it.
 */
#include "record/ptx/mem/devmem.h"
#include "record/ptx/mem/mem.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool
has_address(const struct ast_var *v)
{
	return v->space == SP_GLOBAL || v->space == SP_CONST;
}

static bool
is_texture(const struct ast_var *v)
{
	return v->type == TY_TEXREF || v->type == TY_SAMPLERREF || v->type == TY_SURFREF;
}

static int
check_relocs(const struct ast_module *a, const struct ast_var *v, struct err *e)
{
	for (uint32_t i = 0; i < v->n_reloc; i++) {
		const struct ast_var *to = &a->var[v->reloc[i].index];

		if (!v->reloc[i].is_func && !has_address(to))
			return err_at(
				e, a->name, v->line, NULL, 0, 1,
				"initial value of '%s': '%s' is in .%s and has no address yet",
				v->name, to->name, ptx_space_name((enum ptx_space)to->space));
	}
	return 0;
}

static int
place_variable(struct ptx_device *d, const struct ast_module *a, const struct ast_var *v,
	       uint64_t *addr, struct err *e)
{
	if (v->type == TY_TEXREF || v->type == TY_SURFREF)
		return tex_new_ref(d, v->name, addr, e);
	if (is_texture(v))
		return 0;
	if (v->is_extern || !v->bytes)
		return err_at(e, a->name, v->line, NULL, 0, 1,
			      "variable '%s' is %s: linking modules is not supported", v->name,
			      v->is_extern ? ".extern" : "declared without a size");
	if (check_relocs(a, v, e) != 0)
		return -1;
	*addr = devmem_alloc(d, v->bytes, MAX(v->align, 256), v->name, v->space == SP_CONST, e);
	return *addr ? 0 : -1;
}

/* The address of variable i of a scope: 0 is the module, then come its functions. */
static uint64_t *
find_address_slot(const struct ptx_module *m, uint32_t scope, uint32_t i, const struct ast_var **v)
{
	if (!scope) {
		*v = &m->ast->var[i];
		return m->var_addr + i;
	}
	*v = &m->ast->func[scope - 1].var[i];
	return m->func[scope - 1].var_addr + i;
}

static uint32_t
count_scope_vars(const struct ptx_module *m, uint32_t scope)
{
	return scope ? m->ast->func[scope - 1].n_var : m->ast->n_var;
}

/* The value of an address in an initializer. generic() changes nothing, as global and constant
 * addresses are generic. */
static uint64_t
compute_reloc(const struct ptx_module *m, const struct ast_reloc *r)
{
	uint64_t at = r->is_func ? PTX_CODE_BASE + 16ull * r->index : m->var_addr[r->index];

	return (at + (uint64_t)r->addend) >> r->shift;
}

static void
initialize_variable(struct ptx_device *d, const struct ptx_module *m, const struct ast_var *v,
		    uint64_t addr)
{
	uint8_t *p = devmem_host(d, addr);

	if (v->init)
		memcpy(p, v->init, v->bytes);
	for (uint32_t i = 0; i < v->n_reloc; i++) {
		uint64_t x = compute_reloc(m, &v->reloc[i]);

		for (uint32_t k = 0; k < v->reloc[i].size; k++)
			p[v->reloc[i].offset + k] = (uint8_t)(x >> 8 * k);
	}
}

static void
patch_address(struct ptx_module *m, const struct prog_fixup *x)
{
	struct prog_func *f = &m->func[x->func];
	uint64_t at = (x->local ? f->var_addr : m->var_addr)[x->var] + (uint64_t)x->addend;
	uint32_t low = (uint32_t)at;

	for (uint32_t l = 0; l < WARP_SIZE; l++) {
		if (x->bytes == 8)
			memcpy(f->consts + x->off + 8 * l, &at, 8);
		else
			memcpy(f->consts + x->off + 4 * l, &low, 4);
	}
}

static void
free_variables(struct ptx_device *d, struct ptx_module *m)
{
	for (uint32_t s = 0; s <= m->ast->n_func; s++) {
		for (uint32_t i = 0; i < count_scope_vars(m, s); i++) {
			const struct ast_var *v;
			uint64_t *addr = find_address_slot(m, s, i, &v);

			if (!has_address(v) || !*addr)
				continue;
			if (v->type == TY_TEXREF || v->type == TY_SURFREF)
				ptx_texture_free(d, *addr, NULL);
			else
				ptx_release(d, *addr, NULL);
			*addr = 0;
		}
	}
}

static int
place_all(struct ptx_device *d, struct ptx_module *m, struct err *e)
{
	for (uint32_t s = 0; s <= m->ast->n_func; s++) {
		for (uint32_t i = 0; i < count_scope_vars(m, s); i++) {
			const struct ast_var *v;
			uint64_t *addr = find_address_slot(m, s, i, &v);

			if (has_address(v) && place_variable(d, m->ast, v, addr, e) != 0)
				return -1;
		}
	}
	return 0;
}

int
ptx_load(struct ptx_device *d, struct ptx_module *m, struct err *e)
{
	struct ptx_module **list;

	if (m->device)
		return err_set(e, "module '%s' is already loaded", m->ast->name);
	list = realloc(d->module, (d->n_module + 1) * sizeof(struct ptx_module *));
	if (!list)
		return err_nomem(e);
	d->module = list;
	if (place_all(d, m, e) != 0) {
		free_variables(d, m);
		return -1;
	}
	for (uint32_t s = 0; s <= m->ast->n_func; s++) {
		for (uint32_t i = 0; i < count_scope_vars(m, s); i++) {
			const struct ast_var *v;
			uint64_t *addr = find_address_slot(m, s, i, &v);

			if (has_address(v) && !is_texture(v))
				initialize_variable(d, m, v, *addr);
		}
	}
	for (uint32_t i = 0; i < m->n_fixup; i++)
		patch_address(m, &m->fixup[i]);
	d->module[d->n_module++] = m;
	m->device = d;
	return 0;
}

int
ptx_unload(struct ptx_device *d, struct ptx_module *m, struct err *e)
{
	uint32_t i = 0;

	while (i < d->n_module && d->module[i] != m)
		i++;
	if (i == d->n_module)
		return err_set(e, "module '%s' is not loaded", m->ast->name);
	free_variables(d, m);
	m->device = NULL;
	memmove(&d->module[i], &d->module[i + 1],
		(d->n_module - i - 1) * sizeof(struct ptx_module *));
	d->n_module--;
	return 0;
}

int
ptx_symbol(struct ptx_device *d, const struct ptx_module *m, const char *name, uint64_t *addr,
	   uint64_t *bytes, struct err *e)
{
	if (m->device != d)
		return err_set(e, "module '%s' is not loaded", m->ast->name);
	for (uint32_t i = 0; i < m->ast->n_var; i++) {
		const struct ast_var *v = &m->ast->var[i];

		if (!has_address(v) || is_texture(v) || strcmp(v->name, name) != 0)
			continue;
		if (addr)
			*addr = m->var_addr[i];
		if (bytes)
			*bytes = v->bytes;
		return 0;
	}
	return err_set(e, "module '%s' has no .global or .const variable '%s'", m->ast->name, name);
}
