/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parse.c - parses a PTX text into a struct ast_module: the statements at module level.
 *
 * All statements of a module are read; DWARF sections and .pragma are skipped. Directives of thread
 * block clusters and tensor instructions are not supported and are reported as errors. The limits
 * (PARSE_MAX_...) exist because a small text could otherwise declare more than memory holds.
 */
#include "record/ptx/parse/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- statements of a module ---- */

static int
parse_version(struct parser *p)
{
	struct tok at = p->t;
	const char *s = p->lex.text + at.at;
	uint32_t major = 0, minor = 0, i = 0;

	while (i < at.len && s[i] >= '0' && s[i] <= '9' && major < 1000)
		major = 10 * major + (uint32_t)(s[i++] - '0');
	if (at.kind != TOK_FLOAT || at.is_f32 || i + 2 != at.len || s[i] != '.')
		return parse_expected(p, "a version such as 7.5");
	minor = (uint32_t)(s[i + 1] - '0');
	if (major < 1 || major > 9 || minor > 9)
		return parse_error(p, &at, "expected a PTX version from 1.0 to 9.9");
	p->m->version = 10 * major + minor;
	return parse_next(p);
}

static int
parse_target(struct parser *p)
{
	bool more = true;

	while (more) {
		const char *s = parse_is(p, TOK_NAME) ? p->t.atom->text : "";

		if (!*s)
			return parse_expected(p, "a target such as sm_70");
		if (!strncmp(s, "sm_", 3) || !strncmp(s, "compute_", 8)) {
			unsigned long v = strtoul(strchr(s, '_') + 1, NULL, 10);

			if (v < 10 || v > 999)
				return parse_error(p, &p->t,
						   "unknown target, expected one such as sm_70");
			p->m->sm = (uint32_t)v;
		}
		if (parse_next(p) || parse_skip(p, TOK(','), &more))
			return -1;
	}
	return 0;
}

static int
parse_address_size(struct parser *p)
{
	struct tok at = p->t;
	uint64_t v;

	if (parse_number(p, 64, "an address size", &v))
		return -1;
	if (v != 32 && v != 64)
		return parse_error(p, &at, "an address has 32 or 64 bits");
	p->m->addr_bytes = (uint32_t)v / 8;
	return 0;
}

/* .file 1 "a.cu", 1700000000, 1234 */
static int
parse_file(struct parser *p)
{
	struct ast_file *f = list_add(p, &p->file, sizeof(*f));
	bool more = true;
	uint64_t v;
	char *name;

	if (!f || parse_number(p, UINT32_MAX, "the number of a file", &v))
		return -1;
	f->id = (uint32_t)v;
	if (!parse_is(p, TOK_STRING))
		return parse_expected(p, "the name of a file");
	name = ast_mem_alloc(p->mem, p->t.len);
	if (!name)
		return lex_no_memory(&p->lex);
	memcpy(name, p->lex.text + p->t.at + 1, p->t.len - 2);
	f->name = name;
	if (parse_next(p) || parse_skip(p, TOK(','), &more))
		return -1;
	while (more)
		if (parse_number(p, UINT64_MAX, "a number", &v) || parse_skip(p, TOK(','), &more))
			return -1;
	return 0;
}

int
parse_pragma(struct parser *p)
{
	bool more = true;

	while (more) {
		if (!parse_is(p, TOK_STRING))
			return parse_expected(p, "a string");
		if (parse_next(p) || parse_skip(p, TOK(','), &more))
			return -1;
	}
	return parse_expect(p, ';', ".pragma");
}

/* .section .debug_info { ... }: skipped byte by byte and not as tokens, because it is long and not
 * used. The current token is the name. */
static int
skip_section(struct parser *p)
{
	struct lex *l = &p->lex;

	if (!parse_is(p, TOK_DOT) && !parse_is(p, TOK_NAME))
		return parse_expected(p, "the name of a section");
	if (parse_next(p))
		return -1;
	if (!parse_is(p, TOK('{')))
		return parse_expected(p, "'{' after the name of a section");
	for (const char *s = l->text + l->at;; s++) {
		if (*s == '/' && s[1] == '/') {
			s = memchr(s, '\n', (size_t)(l->text + l->size - s));
		} else if (*s == '}') {
			l->at = (uint32_t)(s - l->text);
			return parse_next(p) || parse_next(p) ? -1 : 0;
		}
		if (s >= l->text + l->size)
			return parse_error(p, &p->t, "this section has no end");
		l->line += *s == '\n';
	}
}

/* .alias name, other; both are functions. */
static int
parse_alias(struct parser *p)
{
	struct tok name = p->t, other;
	const struct binding *a, *b;
	struct ast_func *f = p->func.p, was;

	if (!parse_is(p, TOK_NAME))
		return parse_expected(p, "the name of a function");
	if (parse_next(p) || parse_expect(p, ',', "the first name"))
		return -1;
	other = p->t;
	if (!parse_is(p, TOK_NAME))
		return parse_expected(p, "the name of a function");
	a = name.atom->bind;
	b = other.atom->bind;
	if (!a || a->kind != BIND_FUNC || f[a->index].defined)
		return parse_error(p, &name, "an alias must be declared before, but not defined");
	if (!b || b->kind != BIND_FUNC || !f[b->index].defined)
		return parse_error(p, &other, "an alias must refer to a function defined before");
	if (parse_next(p) || parse_expect(p, ';', "the alias"))
		return -1;
	was = f[a->index];
	f[a->index] = f[b->index];
	f[a->index].name = was.name;
	return 0;
}

/* "@@DWARF ..." of old compilers: the rest of the line. */
static int
skip_dwarf_line(struct parser *p)
{
	const char *end = memchr(p->lex.text + p->lex.at, '\n', p->lex.size - p->lex.at);

	if (parse_next(p))
		return -1;
	if (!parse_is(p, TOK('@')))
		return parse_expected(p, "a directive");
	p->lex.at = (uint32_t)(end - p->lex.text);
	return parse_next(p);
}

static int
parse_module_variable(struct parser *p, struct decl *d, enum parse_dir dir)
{
	if (parse_next(p))
		return -1;
	d->space = (uint8_t)(dir == DIR_const	 ? SP_CONST
			     : dir == DIR_shared ? SP_SHARED
			     : dir == DIR_local	 ? SP_LOCAL
			     : dir == DIR_param	 ? SP_PARAM
						 : SP_GLOBAL);
	d->is_tex = dir == DIR_tex;
	return parse_variables(p, d, &p->var);
}

int
parse_unknown_directive(struct parser *p)
{
	static const char *const names[] = {
#define DIR(name) "." #name,
		PARSE_DIRS(DIR)
#undef DIR
	};
	char typed[80], what[160];

	snprintf(typed, sizeof(typed), ".%s", p->t.atom->text);
	snprintf(what, sizeof(what), "directive %s is not supported here", typed);
	return parse_unknown(p, &p->t, what, typed, names, ARRAY_LEN(names));
}

/* A declaration, with the directives before its space: .visible .global ... */
static int
parse_declaration(struct parser *p)
{
	struct decl d = {0};
	enum parse_dir dir;

	for (;;) {
		if (!parse_is(p, TOK_DOT))
			return parse_expected(p, "a directive");
		dir = (enum parse_dir)p->t.atom->dir;
		if (dir == DIR_visible)
			d.visible = true;
		else if (dir == DIR_extern)
			d.is_extern = true;
		else if (dir == DIR_weak || dir == DIR_common)
			d.visible = true;
		else
			break;
		if (parse_next(p))
			return -1;
	}
	switch (dir) {
	case DIR_entry:
	case DIR_func:
		return parse_next(p) ? -1 : parse_function(p, dir == DIR_entry);
	case DIR_global:
	case DIR_const:
	case DIR_shared:
	case DIR_local:
	case DIR_param:
	case DIR_tex:
		return parse_module_variable(p, &d, dir);
	case DIR_reg:
		return parse_error(p, &p->t, "a register can be declared only in a function");
	default:
		return parse_unknown_directive(p);
	}
}

static int
parse_statement(struct parser *p)
{
	enum parse_dir dir;

	if (parse_is(p, TOK('@')))
		return skip_dwarf_line(p);
	if (parse_is(p, TOK(';')))
		return parse_next(p);
	dir = parse_is(p, TOK_DOT) ? (enum parse_dir)p->t.atom->dir : DIR_none;
	switch (dir) {
	case DIR_version:
		return parse_next(p) || parse_version(p) ? -1 : 0;
	case DIR_target:
		return parse_next(p) || parse_target(p) ? -1 : 0;
	case DIR_address_size:
		return parse_next(p) || parse_address_size(p) ? -1 : 0;
	case DIR_file:
		return parse_next(p) || parse_file(p) ? -1 : 0;
	case DIR_section:
		return parse_next(p) || skip_section(p) ? -1 : 0;
	case DIR_pragma:
		return parse_next(p) || parse_pragma(p) ? -1 : 0;
	case DIR_alias:
		return parse_next(p) || parse_alias(p) ? -1 : 0;
	default:
		return parse_declaration(p);
	}
}

/* ---- the entry point ---- */

/* Enters the words of PTX itself: modifiers, directives, instructions, special registers. */
static int
enter_words(struct parser *p)
{
	static const struct {
		char name[16];
		uint8_t word;
	} alias[] = {{"shared::cta", W_shared},
		     {"param::entry", W_param},
		     {"param::func", W_param}};
	static const char *const dirs[PARSE_N_DIRS] = {"",
#define DIR(name) #name,
						       PARSE_DIRS(DIR)
#undef DIR
	};
	struct atom *a;

	for (unsigned i = 1; i < PTX_WORDS + ARRAY_LEN(alias); i++) {
		const char *s =
			i < PTX_WORDS ? ast_word_text((enum ptx_word)i) : alias[i - PTX_WORDS].name;

		a = lex_atom(&p->lex, s, strlen(s), true);
		if (!a)
			return -1;
		a->word = i < PTX_WORDS ? (uint16_t)i : alias[i - PTX_WORDS].word;
	}
	for (unsigned i = 1; i < PARSE_N_DIRS; i++) {
		a = lex_atom(&p->lex, dirs[i], strlen(dirs[i]), true);
		if (!a)
			return -1;
		a->dir = (uint8_t)i;
	}
	for (unsigned i = 0; i < PTX_OPS; i++) {
		const char *s = ptx_op_name((enum ptx_op)i);

		a = lex_atom(&p->lex, s, strlen(s), false);
		if (!a)
			return -1;
		a->op = (uint16_t)(i + 1);
	}
	return names_enter_sregs(p);
}

struct file_number {
	uint32_t id;	/* the number in .file */
	uint32_t index; /* of the file in the module, from 1 */
};

static int
compare_file_ids(const void *a, const void *b)
{
	const struct file_number *x = a, *y = b;

	return x->id != y->id ? (x->id > y->id) - (x->id < y->id)
			      : (x->index > y->index) - (x->index < y->index);
}

static uint32_t
find_file(const struct file_number *f, uint32_t n, uint32_t id)
{
	uint32_t low = 0, high = n; /* the first one that is not below id is in [low, high] */

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (f[mid].id < id)
			low = mid + 1;
		else
			high = mid;
	}
	return low < n && f[low].id == id ? f[low].index : 0;
}

/* Replaces the numbers that .loc names by indices of files. It is done last, because a .file may
 * come after the .loc that names it. */
static int
resolve_file_numbers(struct parser *p)
{
	struct ast_module *m = p->m;
	struct file_number *f = ast_mem_alloc(&p->lex.tmp, sizeof(*f) * (m->n_file + 1ull));

	if (!f)
		return lex_no_memory(&p->lex);
	for (uint32_t i = 0; i < m->n_file; i++)
		f[i] = (struct file_number){m->file[i].id, i + 1};
	qsort(f, m->n_file, sizeof(*f), compare_file_ids);
	for (uint32_t k = 0; k < m->n_func; k++) {
		uint32_t id = 0, at = 0; /* of the instruction before */

		for (uint32_t i = 0; i < m->func[k].n_inst; i++) {
			struct ast_inst *in = &m->func[k].inst[i];

			if (in->src_file != id) {
				id = in->src_file;
				at = find_file(f, m->n_file, id);
			}
			in->src_file = id ? at : 0;
		}
	}
	for (uint32_t i = 0; i < m->n_loc; i++)
		m->loc[i].file = find_file(f, m->n_file, m->loc[i].file);
	return 0;
}

static int
index_lines(struct parser *p)
{
	struct ast_mem *m = p->mem;
	const char *text = p->lex.text, *s = text, *end = text + p->lex.size;
	uint32_t n = 0;

	m->n_line = p->lex.line; /* the lexer counted the last '\n', too: one more than there are */
	m->line = ast_mem_alloc(m, ((size_t)m->n_line + 1) * sizeof(*m->line));
	if (!m->line)
		return lex_no_memory(&p->lex);
	while (s < end && n < m->n_line) {
		m->line[n++] = (uint32_t)(s - text);
		s = (const char *)memchr(s, '\n', (size_t)(end - s)) + 1;
	}
	m->line[n] = p->lex.size;
	m->n_line = n;
	return 0;
}

static int
finish_module(struct parser *p)
{
	struct ast_module *m = p->m;

	if (names_end_module(p) || index_lines(p))
		return -1;
	m->n_opnd = p->opnd.n;
	m->n_var = p->var.n;
	m->n_func = p->func.n;
	m->n_file = p->file.n;
	m->n_loc = p->loc.n;
	if (list_keep(p, &p->opnd, 0, sizeof(struct ast_opnd), &m->opnd) ||
	    list_keep(p, &p->var, 0, sizeof(struct ast_var), &m->var) ||
	    list_keep(p, &p->func, 0, sizeof(struct ast_func), &m->func) ||
	    list_keep(p, &p->file, 0, sizeof(struct ast_file), &m->file) ||
	    list_keep(p, &p->loc, 0, sizeof(struct ast_loc), &m->loc))
		return -1;
	return resolve_file_numbers(p);
}

static int
parse_module(struct parser *p)
{
	if (parse_next(p))
		return -1;
	if (!parse_is_dir(p, DIR_version))
		return parse_expected(p, "PTX, which begins with .version");
	while (!parse_is(p, TOK_END))
		if (parse_statement(p))
			return -1;
	return finish_module(p);
}

static void
parser_free(struct parser *p)
{
	struct list *all[] = {&p->opnd,	     &p->var,	  &p->func,	&p->file,    &p->loc,
			      &p->open,	     &p->fvar,	  &p->reg,	&p->inst,    &p->table,
			      &p->proto,     &p->pend,	  &p->tmp_opnd, &p->tmp_var, &p->tmp_name,
			      &p->tmp_reloc, &p->tmp_byte};

	for (unsigned i = 0; i < ARRAY_LEN(all); i++)
		free(all[i]->p);
	lex_free(&p->lex);
	free(p);
}

/* A module with a copy of the text, which is made to end in "\n\0": the lexer relies on it. */
static struct ast_module *
new_module(const char *name, const char *text, size_t n)
{
	struct ast_mem *mem = calloc(1, sizeof(*mem));
	struct ast_module *m = mem ? ast_mem_alloc(mem, sizeof(*m)) : NULL;
	char *copy = m ? ast_mem_alloc(mem, n + 2) : NULL;
	char *own_name = copy ? ast_mem_alloc(mem, strlen(name) + 1) : NULL;

	if (!own_name) {
		if (mem)
			ast_mem_free(mem);
		free(mem);
		return NULL;
	}
	memcpy(own_name, name, strlen(name));
	if (n)
		memcpy(copy, text, n);
	if (!n || copy[n - 1] != '\n')
		copy[n++] = '\n';
	*m = (struct ast_module){.name = own_name,
				 .text = copy,
				 .text_bytes = n,
				 .sm = 20,
				 .addr_bytes = 4,
				 .mem = mem};
	return m;
}

struct ast_module *
ast_parse(const char *name, const char *text, size_t n, struct err *e)
{
	struct parser *p = calloc(1, sizeof(*p));
	struct ast_module *m = NULL;
	struct err own_error;
	int rc = -1;

	e = e ? e : &own_error;
	while (n && !text[n - 1]) /* the size may include the end of the string */
		n--;
	if (n > 1u << 30)
		err_set(e, "%s: a PTX text of more than 1 GiB", name);
	else if (!p || !(m = new_module(name, text, n)))
		err_nomem(e);
	else {
		p->m = m;
		p->mem = m->mem;
		rc = lex_init(&p->lex, p->mem, m->name, m->text, (uint32_t)m->text_bytes, e);
		if (!rc && enter_words(p))
			rc = lex_no_memory(&p->lex);
		if (!rc)
			rc = parse_module(p);
	}
	if (p)
		parser_free(p);
	if (rc) {
		ast_free(m);
		return NULL;
	}
	return m;
}
