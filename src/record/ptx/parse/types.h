/* SPDX-License-Identifier: GPL-3.0-or-later */
/* types.h - the enumerations that all of src/record/ptx shares. */
#ifndef PTX_TYPES_H
#define PTX_TYPES_H

#include "ctascope/base.h"

enum ptx_op {
#define OP(name, group, parallel, memory) PTX_##name,
#include "record/ptx/inst/inst.def"
	PTX_OPS
};

/* .b8 .. .b64, .u .. , .s .. are in order of size, so that kind and size can be computed from the
 * number. */
enum ptx_type {
	TY_NONE,
	TY_B8,
	TY_B16,
	TY_B32,
	TY_B64,
	TY_U8,
	TY_U16,
	TY_U32,
	TY_U64,
	TY_S8,
	TY_S16,
	TY_S32,
	TY_S64,
	TY_F16,
	TY_F16X2,
	TY_BF16,
	TY_BF16X2,
	TY_F32,
	TY_F64,
	TY_PRED,
	TY_TEXREF,
	TY_SAMPLERREF,
	TY_SURFREF,
	PTX_TYPES
};

enum ptx_space {
	SP_NONE, /* registers; of an address: generic */
	SP_REG,
	SP_CONST,
	SP_GLOBAL,
	SP_LOCAL,
	SP_PARAM, /* of a kernel: a block in constant memory; of a function: the thread's stack */
	SP_SHARED,
	PTX_SPACES
};

enum ptx_sreg { /* special registers; x y z follow each other */
		SREG_TID_X,
		SREG_TID_Y,
		SREG_TID_Z,
		SREG_NTID_X,
		SREG_NTID_Y,
		SREG_NTID_Z,
		SREG_CTAID_X,
		SREG_CTAID_Y,
		SREG_CTAID_Z,
		SREG_NCTAID_X,
		SREG_NCTAID_Y,
		SREG_NCTAID_Z,
		SREG_LANEID,
		SREG_WARPID,
		SREG_NWARPID,
		SREG_SMID,
		SREG_NSMID,
		SREG_GRIDID,
		SREG_LANEMASK_EQ,
		SREG_LANEMASK_LE,
		SREG_LANEMASK_LT,
		SREG_LANEMASK_GE,
		SREG_LANEMASK_GT,
		SREG_CLOCK,
		SREG_CLOCK_HI,
		SREG_CLOCK64,
		SREG_GLOBALTIMER,
		SREG_GLOBALTIMER_LO,
		SREG_GLOBALTIMER_HI,
		SREG_DYNAMIC_SMEM_SIZE,
		SREG_TOTAL_SMEM_SIZE,
		SREG_RESERVED_BEGIN, /* %reserved_smem_offset_begin and the others */
		SREG_RESERVED_END,
		SREG_RESERVED_CAP,
		SREG_RESERVED_0,
		SREG_RESERVED_1,
		SREG_ENVREG,
		SREG_ENVREG_1, /* and 2: where the workspace of a cooperative grid lies */
		SREG_ENVREG_2,
		SREG_PM,
		/* not PTX: start of the running function's stack frame in local memory, 4 and 8
		   bytes */
		SREG_SP32,
		SREG_SP64,
		PTX_SREGS
};

uint32_t ptx_type_bytes(enum ptx_type t);   /* 0: none; a predicate: 1 */
const char *ptx_type_name(enum ptx_type t); /* "u32" */
const char *ptx_op_name(enum ptx_op op);
const char *ptx_space_name(enum ptx_space s); /* "shared"; SP_NONE: "generic" */

/* Vectors of special registers lie at SREG_STRIDE * enum ptx_sreg from BASE_SREG. */
#define SREG_STRIDE 256u

static inline uint32_t
ptx_sreg_bytes(enum ptx_sreg r) /* per lane */
{
	return r == SREG_CLOCK64 || r == SREG_GLOBALTIMER || r == SREG_SP64 || r == SREG_GRIDID ? 8
												: 4;
}

static inline bool
ptx_is_float(enum ptx_type t)
{
	return t >= TY_F16 && t <= TY_F64;
}

static inline bool
ptx_is_signed(enum ptx_type t)
{
	return t >= TY_S8 && t <= TY_S64;
}

#endif
