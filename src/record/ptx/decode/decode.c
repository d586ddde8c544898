/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decode.c - turns each instruction into a prog_inst. It fills in the guard and the place itself;
 * the decoder of the instruction's group (inst.def) does the rest.
 *
 * A decoder takes the modifiers and operands that it knows. What no decoder takes is an error, so
 * that nothing in the source is silently ignored. After an unsupported instruction the rest of the
 * function is still decoded, so that the message lists everything that is missing.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "base/strbuf.h"
#include "base/words.h"
#include "record/ptx/decode/module.h"

/* ---- messages ---- */

/* Writes the name of the instruction, such as "add.rn.f32". */
static void
write_inst_text(const struct ast_inst *a, char *buf, size_t size)
{
	size_t n = (size_t)snprintf(buf, size, "%s", ptx_op_name((enum ptx_op)a->op));

	for (uint32_t i = 0; i < a->n_word && n < size; i++)
		n += (size_t)snprintf(buf + n, size - n, ".%s",
				      ast_word_text((enum ptx_word)a->word[i]));
}

static int
decode_verror(struct decode *d, const char *fmt, va_list ap)
{
	char what[160], msg[320], line[240];
	const char *op = ptx_op_name((enum ptx_op)d->a->op), *at;
	int col, len;

	write_inst_text(d->a, what, sizeof(what));
	vsnprintf(msg, sizeof(msg), fmt, ap);
	ast_line(d->m->ast, d->a->line, line, sizeof(line));
	at = strstr(line, op);
	col = at ? (int)(at - line) : 0;
	len = at ? (int)word_until(&at, ";").n : 1;
	return err_at(d->e, d->m->ast->name, d->a->line, line, col, MAX(len, 1), "%s: %s", what,
		      msg);
}

int
decode_error(struct decode *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	decode_verror(d, fmt, ap);
	va_end(ap);
	return -1;
}

int
decode_unsupported(struct decode *d, const char *what)
{
	((struct decode_consts *)d->more)->unsupported = true;
	return decode_error(d, "%s is not supported", what);
}

/* ---- modifiers ---- */

bool
decode_has(struct decode *d, enum ptx_word w)
{
	bool found = false;

	for (uint32_t i = 0; i < d->a->n_word; i++) {
		if (d->a->word[i] == w) {
			d->used |= 1u << i;
			found = true;
		}
	}
	return found;
}

enum ptx_type
decode_type(struct decode *d, uint32_t k)
{
	for (uint32_t i = 0; i < d->a->n_word; i++) {
		enum ptx_type t = ast_word_type((enum ptx_word)d->a->word[i]);

		if (t != TY_NONE && k-- == 0) {
			d->used |= 1u << i;
			return t;
		}
	}
	return TY_NONE;
}

enum ptx_space
decode_space(struct decode *d)
{
	for (uint32_t i = 0; i < d->a->n_word; i++) {
		enum ptx_space s = ast_word_space((enum ptx_word)d->a->word[i]);

		if (s != SP_NONE) {
			d->used |= 1u << i;
			return s;
		}
	}
	return SP_NONE;
}

int
decode_one_of(struct decode *d, const enum ptx_word *w, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (decode_has(d, w[i]))
			return (int)i;
	return -1;
}

enum prog_round
decode_round(struct decode *d)
{
	static const enum ptx_word word[] = {W_rn,  W_rz,  W_rm,  W_rp, W_rni,
					     W_rzi, W_rmi, W_rpi, W_rna};

	return (enum prog_round)(decode_one_of(d, word, ARRAY_LEN(word)) + 1);
}

int
decode_count(struct decode *d, uint32_t min, uint32_t max)
{
	uint32_t n = d->a->n_opnd;

	if (n >= min && n <= max)
		return 0;
	if (min == max)
		return decode_error(d, "expected %u operand%s, found %u", min, min == 1 ? "" : "s",
				    n);
	return decode_error(d, "expected %u to %u operands, found %u", min, max, n);
}

/* ---- instructions ---- */

static decode_fn *const group[] = {
#define OP(name, group, parallel, memory) decode_##group,
#include "record/ptx/inst/inst.def"
};

static void
inst_init(struct prog_inst *in, const struct ast_inst *a)
{
	static const struct opnd none = {.bytes = OPND_NONE, .reg = 0xffff};

	memset(in, 0, sizeof(*in));
	in->op = a->op;
	in->line = a->line;
	in->src_file = a->src_file;
	in->src_line = a->src_line;
	in->target = in->reconv = in->ext = PROG_NONE;
	in->vec = 1;
	in->guard = none;
	for (uint32_t i = 0; i < ARRAY_LEN(in->dst); i++)
		in->dst[i] = none;
	for (uint32_t i = 0; i < ARRAY_LEN(in->src); i++)
		in->src[i] = none;
}

static int
decode_guard(struct decode *d, struct prog_inst *in)
{
	const struct ast_opnd o = {.kind = AST_REG, .index = (uint32_t)d->a->guard};

	if (d->a->guard < 0)
		return 0;
	in->flags |= d->a->guard_not ? PF_GUARD_NOT : PF_GUARD;
	return decode_pred(d, &o, &in->guard, NULL);
}

static int
decode_inst(struct decode *d, struct prog_inst *in)
{
	struct decode_consts *c = d->more;
	const struct ast_inst *a = d->a;

	inst_init(in, a);
	d->used = c->seen = 0;
	if (decode_guard(d, in) || group[a->op](d, in))
		return -1;
	for (uint32_t i = 0; i < a->n_word; i++)
		if (!(d->used >> i & 1))
			return decode_error(d, "unknown modifier '.%s' here",
					    ast_word_text((enum ptx_word)a->word[i]));
	for (uint32_t i = 0; i < MIN(a->n_opnd, 32u); i++)
		if (!(c->seen >> i & 1))
			return decode_error(d, "unexpected operand %u", i + 1);
	return 0;
}

/* Adds to the message the names of the unsupported instructions after the first. */
static void
list_missing(struct decode *d, uint32_t from)
{
	struct decode_consts *c = d->more;
	struct strbuf s = {0};
	struct prog_inst in;
	struct err *e = d->e, other;
	char first[64], name[64];
	size_t room;

	write_inst_text(d->a, first, sizeof(first));
	for (uint32_t i = from; i < d->f->n_inst && s.n < 200; i++) {
		d->a = &d->f->ast->inst[i];
		d->e = &other;
		err_clear(&other);
		c->unsupported = false;
		if (!decode_inst(d, &in) || !c->unsupported)
			continue;
		write_inst_text(d->a, name, sizeof(name));
		if (strcmp(name, first) != 0 && !(s.p && strstr(s.p, name)))
			sb_printf(&s, "%s%s", s.n ? ", " : "", name);
	}
	d->e = e;
	room = e ? sizeof(e->msg) - strlen(e->msg) : 0;
	if (s.n && !s.failed && room)
		snprintf(e->msg + strlen(e->msg), room, "; also missing: %s", s.p);
	sb_free(&s);
}

int
decode_func(struct ptx_module *m, uint32_t func, struct err *e)
{
	struct decode_consts c = {.first_fixup = m->n_fixup};
	struct decode d = {.m = m, .f = &m->func[func], .e = e, .more = &c};
	int rc = 0;

	for (uint32_t i = 0; !rc && i < d.f->n_inst; i++) {
		d.a = &d.f->ast->inst[i];
		rc = decode_inst(&d, &d.f->inst[i]);
		if (rc && c.unsupported)
			list_missing(&d, i + 1);
	}
	free(c.slot);
	return rc;
}
