/* SPDX-License-Identifier: GPL-3.0-or-later */
/* types.c - names and sizes of the enumerations of types.h. */
#include "record/ptx/parse/types.h"

uint32_t
ptx_type_bytes(enum ptx_type t)
{
	static const uint8_t bytes[PTX_TYPES] = {
		[TY_B8] = 1,	  [TY_B16] = 2,	       [TY_B32] = 4,  [TY_B64] = 8,
		[TY_U8] = 1,	  [TY_U16] = 2,	       [TY_U32] = 4,  [TY_U64] = 8,
		[TY_S8] = 1,	  [TY_S16] = 2,	       [TY_S32] = 4,  [TY_S64] = 8,
		[TY_F16] = 2,	  [TY_F16X2] = 4,      [TY_BF16] = 2, [TY_BF16X2] = 4,
		[TY_F32] = 4,	  [TY_F64] = 8,	       [TY_PRED] = 1, [TY_TEXREF] = 8,
		[TY_SURFREF] = 8, [TY_SAMPLERREF] = 8,
	};

	return (unsigned)t < PTX_TYPES ? bytes[t] : 0;
}

const char *
ptx_type_name(enum ptx_type t)
{
	static const char *const name[PTX_TYPES] = {
		"none",	  "b8",	 "b16", "b32",	"b64",	  "u8",		"u16",	   "u32",
		"u64",	  "s8",	 "s16", "s32",	"s64",	  "f16",	"f16x2",   "bf16",
		"bf16x2", "f32", "f64", "pred", "texref", "samplerref", "surfref",
	};

	return (unsigned)t < PTX_TYPES ? name[t] : "?";
}

const char *
ptx_op_name(enum ptx_op op)
{
	static const char *const name[PTX_OPS] = {
#define OP(name, group, parallel, memory) #name,
#include "record/ptx/inst/inst.def"
	};

	return (unsigned)op < PTX_OPS ? name[op] : "?";
}

const char *
ptx_space_name(enum ptx_space s)
{
	static const char *const name[PTX_SPACES] = {"generic", "reg",	 "const", "global",
						     "local",	"param", "shared"};

	return (unsigned)s < PTX_SPACES ? name[s] : "?";
}
