/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ptx.h - the facade: takes PTX text, executes kernels on the host, and reports every warp
 * instruction to a sink. It models what a program computes, not how long that takes. The sink of
 * ptx_record.h writes a trace.
 *
 *     module  = ptx_parse(name, text, n, &e)          the text, checked
 *     device  = ptx_device_new(0, &e)                 memory, and the modules loaded into it
 *     ptx_load(device, module, &e)                    variables get addresses
 *     kernel  = ptx_kernel(module, "vadd")
 *     ptx_run(device, &(struct ptx_launch){ ... }, &e)
 *
 * A device is used by one thread at a time; a launch may use several threads while it lasts (jobs).
 * Addresses are the same in every run of a program and do not depend on the host's addresses.
 */
#ifndef PTX_PTX_H
#define PTX_PTX_H

#include "ctascope/base.h"
#include "ctascope/err.h"

struct ptx_module;
struct ptx_device;
struct ptx_findings;
struct ptx_sink;

/* Generic addresses. Shared and local memory are windows that are different memory for every CTA or
 * thread; the rest is global memory, which includes constants and kernel parameters. */
#define PTX_SHARED_BASE 0x7f0000000000ull
#define PTX_LOCAL_BASE 0x7f1000000000ull
/* Low enough to be free in every process: devmem.c maps global memory there (MAP_FIXED_NOREPLACE),
 * so that device addresses are host addresses, which managed and mapped host memory of
 * src/record/cuda need. */
#define PTX_GLOBAL_BASE 0x200000000000ull
#define PTX_WINDOW_BYTES (1ull << 24)

/* ---- modules: parse.c, module.c ---- */

/* text need not end in '\0' and is not kept; name is for messages. An instruction that is not
 * supported is an error when no kernel can run without it, else ptx_kernel.bad. */
struct ptx_module *ptx_parse(const char *name, const char *text, size_t n, struct err *e);
struct ptx_module *ptx_parse_file(const char *path, struct err *e);
void ptx_module_free(struct ptx_module *m); /* not while a device has it loaded; NULL is fine */

#define PTX_MAX_PARAMS 256

struct ptx_param {
	uint32_t offset, size, align; /* bytes in the parameter block */
	bool pointer;		      /* declared .ptr, or a 64-bit integer: may be an address */
	bool real;		      /* declared .f32 or .f64 */
};

/* The properties of a kernel that a launch needs. The module owns it. */
struct ptx_kernel {
	const char *name;
	uint32_t n_params, param_bytes;
	const struct ptx_param *param;
	uint32_t maxntid[3], reqntid[3]; /* 0: not given */
	uint32_t minnctapersm, maxnreg;	 /* 0: not given */
	uint32_t shared_bytes;		 /* static */
	uint32_t local_bytes;		 /* per thread */
	/* Per thread, 32-bit: of machine code, .maxnreg, or the estimate of live.c. */
	uint32_t regs;
	bool regs_known; /* not an estimate */
	/* The kernel has an instruction that is not supported; a launch fails with this. NULL: it
	 * can run. */
	const struct err *bad;
};

uint32_t ptx_n_kernels(const struct ptx_module *m);
const struct ptx_kernel *ptx_kernel_at(const struct ptx_module *m, uint32_t i);
/* Sets the registers per thread of the i-th kernel, known from machine code. */
void ptx_kernel_set_regs(struct ptx_module *m, uint32_t i, uint32_t regs);
/* NULL with e naming the nearest known ones. */
const struct ptx_kernel *ptx_kernel(const struct ptx_module *m, const char *name, struct err *e);

/* ---- device memory and symbols: devmem.c, load.c ---- */

/* bytes: size of global memory; 0: 16 GiB (address space, not host memory). */
struct ptx_device *ptx_device_new(uint64_t bytes, struct err *e);
void ptx_device_free(struct ptx_device *d);
int ptx_load(struct ptx_device *d, struct ptx_module *m, struct err *e);
int ptx_unload(struct ptx_device *d, struct ptx_module *m, struct err *e);

/* Allocates zeroed memory; what names it in faults and may be NULL. align: a power of two; 0: 256.
 * Returns 0 with e filled when there is no room. */
uint64_t ptx_alloc(struct ptx_device *d, uint64_t bytes, uint32_t align, const char *what,
		   struct err *e);
int ptx_release(struct ptx_device *d, uint64_t addr,
		struct err *e); /* addr: an allocation's start */
/* Finds start and size of the allocation that contains addr. */
bool ptx_allocation(const struct ptx_device *d, uint64_t addr, uint64_t *start, uint64_t *bytes);
/* Host pointer to bytes inside one allocation; NULL with e filled otherwise. */
void *ptx_host(struct ptx_device *d, uint64_t addr, uint64_t bytes, struct err *e);
/* Are device addresses host addresses? False when the address range was in use, for example by
 * another device of the process; everything else works then, too. */
bool ptx_unified(const struct ptx_device *d);
/* Makes host memory an allocation with its own address (only when ptx_unified); ptx_release then
 * does not free it. */
int ptx_adopt(struct ptx_device *d, void *p, uint64_t bytes, const char *what, struct err *e);
/* Kernels may only read the allocation that starts at addr. */
void ptx_protect(struct ptx_device *d, uint64_t addr);
/* The host may read and write the allocation that starts at addr while a kernel runs. */
void ptx_share(struct ptx_device *d, uint64_t addr);
/* Begins to track which bytes of the allocation that starts at addr are written, none so far, for
 * CHECK_INIT. -1 with e: out of memory. */
int ptx_track(struct ptx_device *d, uint64_t addr, struct err *e);
/* The host has written bytes of device memory. */
void ptx_note_written(struct ptx_device *d, uint64_t addr, uint64_t bytes);
uint64_t ptx_used(const struct ptx_device *d);	   /* bytes allocated now */
uint64_t ptx_capacity(const struct ptx_device *d); /* bytes in all */

/* A .global or .const variable of a loaded module. */
int ptx_symbol(struct ptx_device *d, const struct ptx_module *m, const char *name, uint64_t *addr,
	       uint64_t *bytes, struct err *e);

/* ---- textures: tex.c ---- */

enum ptx_texel {
	TEXEL_U8,
	TEXEL_S8,
	TEXEL_U16,
	TEXEL_S16,
	TEXEL_U32,
	TEXEL_S32,
	TEXEL_F16,
	TEXEL_F32
};
enum ptx_wrap { WRAP_REPEAT, WRAP_CLAMP, WRAP_MIRROR, WRAP_BORDER };

struct ptx_texture {
	uint64_t addr; /* global memory; rows of pitch bytes, slices of pitch * height */
	uint32_t width, height, depth; /* texels; 1 where the texture has fewer dimensions */
	uint64_t pitch;
	enum ptx_texel texel;
	uint8_t channels; /* 1, 2, 4 */
	uint8_t dims;
	enum ptx_wrap wrap[3];
	bool linear;	 /* filter between texels */
	bool normalized; /* coordinates 0..1 */
	bool as_integer; /* integers are read as they are, not scaled to 0..1 */
};

/* Creates a texture object; its handle is what a kernel gets as a parameter. */
int ptx_texture_new(struct ptx_device *d, const struct ptx_texture *t, uint64_t *handle,
		    struct err *e);
int ptx_texture_free(struct ptx_device *d, uint64_t handle, struct err *e);
/* Binds a .texref variable of a loaded module; t NULL: unbinds it (-1 when there is no such
 * variable). */
int ptx_texref_bind(struct ptx_device *d, const struct ptx_module *m, const char *name,
		    const struct ptx_texture *t, struct err *e);
/* The same of a .surfref variable. */
int ptx_surfref_bind(struct ptx_device *d, const struct ptx_module *m, const char *name,
		     const struct ptx_texture *t, struct err *e);

/* ---- running: launch.c ---- */

enum ptx_check {
	CHECK_RACES = 1,
	CHECK_INIT = 2,
	CHECK_SHFL = 4,
	CHECK_GLOBAL = 8,  /* races on global memory too; only with CHECK_RACES */
	CHECK_SYNC = 128,  /* divergent barriers; always on, and never ends a launch */
	CHECK_BOUNDS = 256 /* always on */
};

/* What a check found at a place, which is a line of a kernel's PTX. */
struct ptx_finding {
	enum ptx_check kind;
	char *kernel;
	uint64_t launch, times;	    /* the first launch, and how often in all */
	uint32_t cta[3], thread[3]; /* the first */
	struct err e;		    /* what would have ended the launch */
	char source[300];	    /* "file.cu:7, inlined from h.h:2"; "": not known */
};

/* The findings of launches that continue after one (found.c). on_new, which may be NULL, is called
 * once for each place. NULL: out of memory. */
struct ptx_findings *ptx_findings_new(void (*on_new)(void *ctx, const struct ptx_finding *f),
				      void *ctx);
void ptx_findings_free(struct ptx_findings *f);
void ptx_findings_launch(struct ptx_findings *f,
			 uint64_t launch); /* the launch of later findings */
uint32_t ptx_findings_n(const struct ptx_findings *f);
const struct ptx_finding *ptx_findings_at(const struct ptx_findings *f, uint32_t i);

#define PTX_MAX_COOPERATIVE 65536u
#define PTX_MAX_JOBS 256u

struct ptx_launch {
	struct ptx_module *module;
	const struct ptx_kernel *kernel;
	uint32_t grid[3], block[3]; /* a 0 counts as 1 */
	uint32_t shared_bytes;	    /* dynamic, in addition to the kernel's own */
	const void *params;	    /* kernel->param_bytes, laid out by kernel->param */
	bool cooperative;	    /* all CTAs at once, at most PTX_MAX_COOPERATIVE */
	uint32_t checks;	    /* enum ptx_check */
	uint32_t go_on; /* enum ptx_check whose findings do not end the launch: a load out of
			   bounds reads 0, a store and an atomic do nothing */
	struct ptx_findings *findings; /* keeps those findings; NULL: they are dropped */
	uint64_t max_insns;	       /* warp instructions of the launch; 0: 10^10 */
	const struct ptx_sink *sink;   /* may be NULL */
	const char *scratch;	       /* folder for temporary files; NULL: /var/tmp or /tmp */
	uint32_t jobs;		       /* threads that run CTAs, at most PTX_MAX_JOBS; 0 is 1 */
	/* Called after CTAs and sometimes in between, by one thread at a time, which may not be the
	 * caller's; may be NULL. insts: warp instructions. Returns true to stop the launch. */
	bool (*progress)(void *ctx, uint64_t ctas_done, uint64_t ctas, uint64_t insts);
	void *progress_ctx;
	/* Called with the text that kernels print, CTA by CTA; may be NULL. */
	void (*print)(void *ctx, const char *text, size_t n);
	void *print_ctx;
};

struct ptx_counts {
	uint64_t warp_insts, thread_insts;
	uint64_t at_once; /* CTAs that ran at once, as one waited for later ones; 0: none did */
};

#define PTX_STOPPED 1

/* Runs the whole grid, CTA by CTA (x fastest). With several jobs CTAs may run in parallel, with
 * exactly the same results (side.c). On a fault e names the kernel, CTA and thread, and the lines
 * of PTX and of the source; memory keeps what was written until then. PTX_STOPPED: progress stopped
 * the launch before the last CTA had ended; all its threads have ended. n may be NULL. */
int ptx_run(struct ptx_device *d, const struct ptx_launch *l, struct ptx_counts *n, struct err *e);

#endif
