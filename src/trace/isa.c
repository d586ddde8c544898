/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * isa.c - finds the class, space and flags of an opcode in the rows of opcodes.def.
 *
 * The binary version of a kernel selects the column. The search is linear: it happens once per
 * static instruction, not once per record.
 */
#include "trace/trace_priv.h"

#include <string.h>

#define N_ISA 7
#define OP_NO UINT8_MAX

/* A flag of rows besides enum inst_flag: the opcode closes a group of LDGSTS. It is not a flag of
 * struct inst, where imm is DEPBAR_CLOSES. */
#define ROW_CLOSES 0x80

struct op_row {
	char name[16];
	uint8_t len, space, flags;
	uint8_t cls[N_ISA];
};

#define SPACE_IS_NONE SPACE_NONE
#define SPACE_IS_GLOBAL SPACE_GLOBAL
#define SPACE_IS_SHARED SPACE_SHARED
#define SPACE_IS_LOCAL SPACE_LOCAL
#define SPACE_IS_GENERIC SPACE_GENERIC
#define SPACE_IS_SURFACE SPACE_SURFACE
#define SPACE_IS_BARRIER SPACE_BARRIER

/* clang-format off */
static const struct op_row rows[] = {
#define OPCODE(name, k, p, v, t, a, h, b, space, flags)                                            \
	{#name, sizeof(#name) - 1, SPACE_IS_##space, flags, \
	 {OP_##k, OP_##p, OP_##v, OP_##t, OP_##a, OP_##h, OP_##b}},
#include "trace/opcodes.def"
};
static const struct refused {
	const char *begin, *end, *what;
} refused[] = {
#define REFUSED(begin, end, what) {begin, end, what},
#include "trace/opcodes.def"
};
/* clang-format on */

/* The windows of generic addresses have 16 MiB and begin at the bases that the trace states. */
#define WINDOW_BYTES (1ull << 24)

enum isa
isa_of(uint32_t binary_version)
{
	switch (binary_version) {
	case 35:
		return ISA_KEPLER;
	case 60:
	case 61:
		return ISA_PASCAL;
	case 70:
		return ISA_VOLTA;
	case 75:
		return ISA_TURING;
	case 80:
	case 86:
	case 87:
	case 89:
		return ISA_AMPERE;
	case 90:
		return ISA_HOPPER;
	case 100:
	case 103:
	case 110:
	case 120:
	case 121:
		return ISA_BLACKWELL;
	}
	return ISA_NONE;
}

static bool
has_token(const char *op, uint32_t n, const char *token)
{
	uint32_t len = (uint32_t)strlen(token), i, from = 0;

	for (i = 0; i <= n; i++) {
		if (i < n && op[i] != '.')
			continue;
		if (i - from == len && memcmp(op + from, token, len) == 0)
			return true;
		from = i + 1;
	}
	return false;
}

static uint32_t
first_token(const char *op, uint32_t n)
{
	const char *dot = memchr(op, '.', n);

	return dot ? (uint32_t)(dot - op) : n;
}

static const struct op_row *
find_row(const char *op, uint32_t op_len)
{
	uint32_t len = first_token(op, op_len);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].len == len && rows[i].name[0] == op[0] &&
		    memcmp(rows[i].name, op, len) == 0)
			return &rows[i];
	return NULL;
}

bool
op_find(enum isa isa, const char *op, uint32_t op_len, struct inst_key *key)
{
	const struct op_row *r = find_row(op, op_len);

	if (!r || isa == ISA_NONE || r->cls[isa - 1] == OP_NO)
		return false;
	key->cls = r->cls[isa - 1];
	key->space = r->space;
	key->flags = r->flags & (uint8_t)~ROW_CLOSES;
	if (r->space == SPACE_GENERIC && isa == ISA_KEPLER)
		key->space = SPACE_GLOBAL; /* Kepler writes LDG and STG as LD and ST */
	if (key->cls == OP_LOAD && (key->space == SPACE_GLOBAL || key->space == SPACE_LOCAL) &&
	    has_token(op, op_len, "STRONG") && has_token(op, op_len, "GPU"))
		key->flags |= INST_BYPASS;
	if (key->cls == OP_BARRIER && has_token(op, op_len, "ARV"))
		key->flags |= INST_ARRIVES;
	return true;
}

const char *
op_refused(const char *op, uint32_t op_len)
{
	uint32_t len = first_token(op, op_len);
	size_t begin, end;

	for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
		begin = strlen(refused[i].begin);
		end = strlen(refused[i].end);
		if (len >= begin + end && memcmp(op, refused[i].begin, begin) == 0 &&
		    memcmp(op + len - end, refused[i].end, end) == 0)
			return refused[i].what;
	}
	return NULL;
}

int
op_unknown(uint32_t version, const char *op, uint32_t op_len, struct err *e)
{
	const char *what = op_refused(op, op_len);
	const char *near = what ? NULL : op_nearest(isa_of(version), op, MIN(op_len, 60u));

	if (what)
		return err_set(e, "'%.*s' is %s, which ctascope does not model", (int)op_len, op,
			       what);
	return err_set(e, "unknown opcode '%.*s' for binary version %u%s%s%s", (int)op_len, op,
		       version, near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

uint8_t
op_depbar(const char *op, uint32_t op_len, int64_t imm)
{
	const struct op_row *r = find_row(op, op_len);

	if (r && r->flags & ROW_CLOSES)
		return DEPBAR_CLOSES;
	return (uint8_t)MIN(MAX(imm, 0), DEPBAR_CLOSES - 1);
}

/* The number of letters to change, add or remove to make one short name of the other. */
static uint32_t
edit_distance(const char *a, uint32_t na, const char *b, uint32_t nb)
{
	uint32_t row[32], i, j, diag, up;

	if (nb >= ARRAY_LEN(row))
		return UINT32_MAX;
	for (j = 0; j <= nb; j++)
		row[j] = j;
	for (i = 1; i <= na; i++) {
		diag = row[0];
		row[0] = i;
		for (j = 1; j <= nb; j++) {
			up = row[j];
			row[j] = MIN(MIN(up, row[j - 1]) + 1, diag + (a[i - 1] != b[j - 1]));
			diag = up;
		}
	}
	return row[nb];
}

const char *
op_nearest(enum isa isa, const char *op, uint32_t op_len)
{
	uint32_t len = first_token(op, op_len), best = MAX(len / 2, 1u) + 1, d;
	const char *name = NULL;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows) && isa != ISA_NONE; i++) {
		if (rows[i].cls[isa - 1] == OP_NO)
			continue;
		d = edit_distance(op, len, rows[i].name, rows[i].len);
		if (d < best) {
			best = d;
			name = rows[i].name;
		}
	}
	return name;
}

/* As in the reference simulator: the first part that is a number, or U and a number, is the width
 * in bits. The width is 4 bytes without one, and where it is below 8 (a count, as in LDSM.M88.4).
 */
uint8_t
op_width(const char *op, uint32_t op_len)
{
	uint32_t i = 0, from, bits;

	while (i < op_len) {
		from = i + (op[i] == 'U' ? 1 : 0);
		bits = 0;
		for (i = from; i < op_len && op[i] >= '0' && op[i] <= '9' && bits < 100000; i++)
			bits = bits * 10 + (uint32_t)(op[i] - '0');
		if (i > from && (i == op_len || op[i] == '.'))
			return bits >= 8 && bits <= 512 ? (uint8_t)(bits / 8) : 4;
		while (i < op_len && op[i] != '.')
			i++;
		i++;
	}
	return 4;
}

int
op_resolve(const struct trace_kernel *k, struct inst_key *key, bool any_lane, uint64_t first)
{
	bool memory = key->cls == OP_LOAD || key->cls == OP_STORE || key->cls == OP_ATOMIC;

	if (memory && key->mem_width == 0) {
		if (key->space != SPACE_SURFACE && key->space != SPACE_BARRIER)
			return -1;
		key->cls = OP_ALU;
		key->space = SPACE_NONE;
		key->flags = 0;
	}
	if (key->space == SPACE_SURFACE)
		key->space = SPACE_GLOBAL;
	if (key->space == SPACE_BARRIER)
		key->space = SPACE_SHARED;
	if (key->space != SPACE_GENERIC)
		return 0;
	key->space = SPACE_GLOBAL;
	if (any_lane && k->shmem_base && first - k->shmem_base < WINDOW_BYTES)
		key->space = SPACE_SHARED;
	else if (any_lane && k->local_base && first - k->local_base < WINDOW_BYTES)
		key->space = SPACE_LOCAL;
	return 0;
}

const char *
op_class_name(enum op_class c)
{
	static const char *const name[OP_CLASSES] = {
		[OP_ALU] = "alu",	  [OP_INT] = "int",	    [OP_SP] = "sp",
		[OP_HALF] = "half",	  [OP_SFU] = "sfu",	    [OP_DP] = "dp",
		[OP_BRANCH] = "branch",	  [OP_TEX] = "tex",	    [OP_TENSOR] = "tensor",
		[OP_UNIFORM] = "uniform", [OP_LOAD] = "load",	    [OP_STORE] = "store",
		[OP_ATOMIC] = "atomic",	  [OP_BARRIER] = "barrier", [OP_MEMBAR] = "membar",
		[OP_EXIT] = "exit",	  [OP_DEPBAR] = "depbar",
	};

	return c < OP_CLASSES ? name[c] : "?";
}
