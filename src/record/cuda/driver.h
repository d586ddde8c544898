/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * driver.h - private to src/record/cuda: the state behind the API.
 *
 * There is one device, and one lock that every entry point holds from ENTER to its return. What a
 * program gets as a handle is a pointer to an object below; handles that come back are looked up in
 * a table before they are followed, so that a wrong one is an error and not a crash. Everything
 * runs at once: a stream is a name, an event the number of instructions executed so far.
 */
#ifndef CUDA_DRIVER_H
#define CUDA_DRIVER_H

#define CUDA_NO_VERSION_NAMES
#include "ctascope/base.h"
#include "ctascope/err.h"
#include "record/cuda/cuda_api.h"
#include "record/ptx/ptx.h"

struct strbuf;

/* ---- objects ---- */

enum object_kind {
	OBJ_CONTEXT = 1,
	OBJ_MODULE,
	OBJ_FUNCTION,
	OBJ_STREAM,
	OBJ_EVENT,
	OBJ_ARRAY,
	OBJ_TEXREF,
	OBJ_SURFREF,
	OBJ_TEXTURE,
	OBJ_SURFACE,
	OBJ_MEMORY,
	OBJ_LINKER,
	OBJ_PHYSICAL
};

struct object {
	uint64_t key; /* the handle; of memory its address; of a texture object its number */
	enum object_kind kind;
	struct context *ctx; /* dies with it */
	struct object *next;
};

#define N_LIMITS 7

struct context {
	struct object o;
	unsigned flags, api_version;
	unsigned long long id;
	bool primary;
	unsigned refs;	 /* primary: retained so often; others: attached */
	CUresult sticky; /* a kernel failed: every later call says so */
	CUfunc_cache cache;
	CUsharedconfig shared_config;
	size_t limit[N_LIMITS];
};

struct module {
	struct object o; /* also the library */
	struct ptx_module *ptx;
	struct function **function; /* by index of the kernel; NULL: nobody asked for it yet */
	struct texref *texref;	    /* those asked for */
	struct surfref *surfref;    /* as well */
	char *name;
};

#define PARAM_MAX 4096

struct function {
	struct object o; /* also the kernel of a library */
	struct module *module;
	const struct ptx_kernel *kernel;
	uint32_t index;
	uint32_t shared_max; /* CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES */
	int carveout;
	bool fewer_said; /* than its registers are left to it by a large block */
	/* of cuFuncSetBlockShape, cuParamSet..: */
	uint32_t block[3], shared, param_size;
	uint8_t *param; /* PARAM_MAX bytes, made by the first cuParamSet.. */
};

struct stream {
	struct object o;
	unsigned flags;
	int priority;
	unsigned long long id;
};

struct event {
	struct object o;
	unsigned flags;
	bool recorded;
	uint64_t time; /* driver.insts when it was recorded */
};

enum memory_kind { MEM_DEVICE, MEM_HOST, MEM_MANAGED, MEM_REGISTERED };

struct memory {
	struct object o;
	enum memory_kind kind;
	unsigned flags;
	uint64_t bytes;
	unsigned long long id;
	bool outside; /* MEM_HOST, MEM_REGISTERED: the device cannot see it */
};

struct array {
	struct object o;
	uint64_t addr; /* rows of pitch bytes, slices of pitch * rows */
	uint64_t pitch;
	uint32_t element; /* bytes */
	CUDA_ARRAY3D_DESCRIPTOR desc;
};

struct texref {
	struct object o;
	struct texref *next;   /* of the module */
	struct module *module; /* NULL: made by cuTexRefCreate */
	char *name;
	CUarray_format format;
	unsigned channels;
	CUaddress_mode address_mode[3];
	CUfilter_mode filter;
	unsigned flags;
	uint64_t addr;		       /* 0: an array */
	uint64_t width, height, pitch; /* of addr; height 0: one dimension, width in bytes */
	struct array *array;
};

struct surfref {
	struct object o;
	struct surfref *next; /* of the module */
	struct module *module;
	char *name;
	struct array *array; /* NULL: not bound */
};

struct texture {
	struct object o;
	CUDA_RESOURCE_DESC resource;
	CUDA_TEXTURE_DESC desc;
};

/* ---- the driver ---- */

/* Shared memory of a block, static and dynamic, that a kernel has which does not ask for more, on
 * every NVIDIA device: beyond it CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES must be set. */
#define SHARED_UNASKED 49152u

struct machine {
#define MACHINE(field, variable, value, min, max) uint32_t field;
#include "record/cuda/machine.def"
#undef MACHINE
	int unified; /* device addresses are host addresses */
};

#define OBJECT_BUCKETS 1024

struct driver {
	bool ready; /* cuInit was called */
	struct machine machine;
	struct ptx_device *device;
	struct object *bucket[OBJECT_BUCKETS];
	struct context *primary; /* NULL until it is retained */
	unsigned primary_flags;
	struct range *range;	     /* reserved addresses: virtual.c */
	uint64_t physical;	     /* bytes of cuMemCreate */
	bool aliases;		     /* memory was mapped at two addresses */
	uint64_t insts;		     /* warp instructions executed */
	unsigned long long ids;	     /* of contexts, streams, buffers */
	struct recording *recording; /* NULL: not under ctascope record, or it was given up */
};

/* Takes the lock; released when the variable goes out of scope. */
struct driver *driver_lock(void);
void driver_unlock(struct driver **d);
bool driver_try_lock(struct driver **d); /* for the end of the process, when a thread may hold it */
CUresult driver_start(struct driver *d); /* cuInit */

enum need { NEED_NOTHING, NEED_INIT, NEED_CONTEXT };
CUresult driver_check(struct driver *d, enum need need);
struct context *context_current(void); /* of this thread; NULL: none */

/* The first line of every entry point: d is the driver, locked. */
#define ENTER(need)                                                               \
	struct driver *d __attribute__((cleanup(driver_unlock))) = driver_lock(); \
	CUresult entered = driver_check(d, need);                                 \
	if (entered != CUDA_SUCCESS)                                              \
	return entered

/* How the definition of an entry point begins; and its other name in programs whose default stream
 * is one per thread, which is all the same here. */
#define EXPORT __attribute__((visibility("default"))) CUresult CUDAAPI
#define ALIAS(symbol, other) \
	extern __typeof__(symbol) other __attribute__((alias(#symbol), visibility("default")))

/* "ctascope: TEXT" on standard error. */
void driver_say(const char *fmt, ...) ATTR_PRINTF(1, 2);
CUresult driver_error(const struct err *e, CUresult r); /* says e, returns r */

void object_add(struct driver *d, struct object *o, enum object_kind kind, uint64_t key);
void *object_find(struct driver *d, enum object_kind kind, uint64_t key); /* NULL: no such */
void object_remove(struct driver *d, struct object *o);
/* Calls fn for the objects of a kind that belong to ctx; fn may remove the one it gets. */
void object_each(struct driver *d, enum object_kind kind, const struct context *ctx,
		 void (*fn)(struct driver *d, struct object *o));

#define FIND(d, kind, handle) object_find(d, kind, (uint64_t)(uintptr_t)(handle))

/* ---- between the files ---- */

CUresult module_load(struct driver *d, const char *name, const void *image, struct err *e,
		     struct module **out);
CUresult module_load_file(struct driver *d, const char *path, struct err *e, struct module **out);
/* From a file, or from an image when path is NULL; with the logs that n options ask for. */
CUresult module_load_logged(struct driver *d, const char *path, const void *image, unsigned n,
			    const CUjit_option *option, void **value, struct module **out);
void module_free(struct driver *d, struct object *o);
CUresult module_function(struct driver *d, struct module *m, const char *name,
			 struct function **out);
/* Counts the functions, and writes the handles of the first n to `handles`. m may be NULL. */
CUresult module_count(const struct module *m, unsigned *count);
CUresult module_functions(struct driver *d, struct module *m, unsigned n, void *handles);
CUresult module_global(struct driver *d, struct module *m, const char *name, CUdeviceptr *addr,
		       size_t *bytes);
#define IMAGE_MAX (256ll << 20) /* bytes of a file that is an image */
/* *text: *n bytes and some '\0', for the caller to free; NULL with e. */
CUresult module_read_file(const char *path, char **text, size_t *n, struct err *e);
/* Results of the options that ask for a log: e's text, or an empty one; info. */
void jit_logs(unsigned n, const CUjit_option *option, void **value, const struct err *e,
	      const char *info);
/* A line for each kernel; m may be NULL. */
void module_info(const struct module *m, char *buf, size_t size);
void linker_free(struct driver *d, struct object *o);
/* The PTX in a fat binary, for the machine; freed by the caller. room: bytes at image, SIZE_MAX: as
 * many as it says. NULL with e. */
char *fatbin_ptx(const void *image, size_t room, size_t *n, unsigned cc, struct err *e);
bool fatbin_is(const void *image);
/* The machine code in a fat binary that is nearest to the machine, for cubin_regs; freed by the
 * caller. NULL: there is none. */
void *fatbin_cubin(const void *image, size_t room, size_t *n, unsigned cc);
/* The registers of a thread, 1 to 255, of each function of a cubin of n bytes. */
void cubin_regs(const void *image, size_t n,
		void (*found)(void *ctx, const char *name, uint32_t regs), void *ctx);
/* The PTX of a program's object with that number, from 0, added to that of those before; text ends
 * in '\0' and is changed. */
void link_add(struct strbuf *all, char *text, unsigned object);

/* Registers of a thread as the timing model allocates them, in blocks of so many threads, a
 * multiple of a warp: what --regs says, else those of the machine code, else .maxnreg, else the
 * estimate. Where a GPU would run the block and this machine has fewer registers, they are as many
 * as fit: a compiler for it would have kept the rest in memory. */
uint32_t kernel_regs(const struct driver *d, const struct ptx_kernel *k, uint64_t threads);

/* Registers of an SM for a block whose kernel is known to have so many. What ptxas counted are
 * those of a GPU, which has as many as all since compute capability 3.0. */
uint32_t registers_of_sm(const struct driver *d);
/* The most shared memory of a block, static and dynamic, with the kernel's opt-in: that of the
 * compute capability, or of the machine where it has more. The machine's own limit applies when the
 * trace runs. */
uint32_t machine_block_shared(const struct machine *m);
/* Threads of a block that .reqntid or .maxntid allow; 0: neither is said. */
uint64_t launch_bounds(const struct ptx_kernel *k);
/* Blocks of that many threads that fit on an SM at the same time. */
uint32_t function_blocks_per_sm(const struct driver *d, const struct function *f, uint32_t block,
				uint64_t shared);
CUresult function_attribute(const struct driver *d, const struct function *f,
			    CUfunction_attribute a, int *value);
CUresult function_set_attribute(const struct driver *d, struct function *f, CUfunction_attribute a,
				int value);

CUresult memory_new(struct driver *d, enum memory_kind kind, uint64_t bytes, uint32_t align,
		    unsigned flags, const char *what, uint64_t *addr);
void memory_free(struct driver *d, struct object *o);
/* The memory addr lies in, at its start or further on; NULL: none of ours. */
struct memory *memory_at(struct driver *d, uint64_t addr);

/* Is addr in a range that is reserved (cuMemAddressReserve)? */
bool virtual_reserved(const struct driver *d, uint64_t addr);

/* A box of bytes somewhere: rows of `pitch`, slices of `slice`. */
struct place {
	uint8_t *host; /* of its first byte */
	uint64_t addr; /* the same on the device; 0: memory of the host */
	uint64_t pitch, slice;
};
CUresult copy_place_device(struct driver *d, uint64_t addr, uint64_t bytes, struct place *p);
CUresult copy_place_host(struct driver *d, const void *host, uint64_t bytes, struct place *p);
CUresult copy_place_any(struct driver *d, uint64_t addr, uint64_t bytes, struct place *p);
CUresult copy_box(struct driver *d, const struct place *to, const struct place *from,
		  uint64_t width, uint64_t height, uint64_t depth);
CUresult copy_box_3d(struct driver *d, const CUDA_MEMCPY3D *c);

uint32_t array_texel(CUarray_format format); /* enum ptx_texel; UINT32_MAX: no such format */
/* As a texture that is not sampled. */
struct ptx_texture array_texture(const struct array *a);
uint32_t array_format_bytes(CUarray_format format); /* of a channel; 0: no such format */
void array_free(struct driver *d, struct object *o);
void texref_free(struct driver *d, struct object *o);
void texture_free(struct driver *d, struct object *o);
struct texref *texref_new(struct driver *d, struct module *m, const char *name);
void texref_array_gone(struct driver *d, const struct array *a);
void surfref_free(struct driver *d, struct object *o);
void surfref_array_gone(struct driver *d, const struct array *a);

bool stream_is(struct driver *d, CUstream stream); /* one of ours, or a default stream */

/* ---- recording: recording.c ---- */

/* Reads the environment; NULL when the program does not run under `ctascope record`. */
struct recording *recording_new(void);
void recording_copy(struct driver *d, uint64_t addr, uint64_t bytes); /* the host wrote there */
uint32_t recording_regs(const struct driver *d); /* what --regs says, 0: nothing */
/* Runs l, into the trace when it is one of the launches asked for. */
int recording_run(struct driver *d, struct ptx_launch *l, struct ptx_counts *n, struct err *e);
void recording_tell_said(const struct driver *d); /* why there is no trace has been said */
/* A signal that the recording waits for has come: ends the process if so, with the driver's lock
 * held and no CTA under way. */
void recording_check_signal(struct driver *d);
bool recording_dies(void); /* a signal has come that ends the process, and a thread sees to it */
void recording_end(struct driver *d); /* the process ends: the trace is put in place */

#endif
