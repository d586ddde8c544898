/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * driver.h - private to src/record/cuda: the state behind the API.
 *
 * There is one device, and one lock that every entry point holds from ENTER to its return. A handle
 * is a pointer to one of the objects below. Handles passed to a call are looked up in a table
 * before they are used, so that a wrong one is an error and not a crash. Everything runs
 * immediately: a stream is only a name, and an event is the number of instructions executed so far.
 * The trace contains the order that streams, events and waits require.
 */
#ifndef CUDA_DRIVER_H
#define CUDA_DRIVER_H

#define CUDA_NO_VERSION_NAMES
#include "ctascope/base.h"
#include "ctascope/err.h"
#include "ctascope/trace.h"
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
	struct context *ctx; /* whose end frees the object */
	struct object *next;
};

#define N_LIMITS 7

struct context {
	struct object o;
	unsigned flags, api_version;
	unsigned long long id;
	bool primary;
	unsigned refs;	 /* primary: times retained; others: times attached */
	CUresult sticky; /* the failure of a kernel, which every later call returns */
	CUfunc_cache cache;
	CUsharedconfig shared_config;
	size_t limit[N_LIMITS];
};

struct module {
	struct object o; /* of a module or a library */
	struct ptx_module *ptx;
	struct function **function; /* by index of the kernel; NULL: not requested yet */
	struct texref *texref;	    /* the references that were requested */
	struct surfref *surfref;
	char *name;
};

#define PARAM_MAX 4096

struct function {
	struct object o; /* of a function or the kernel of a library */
	struct module *module;
	const struct ptx_kernel *kernel;
	uint32_t index;
	uint32_t shared_max; /* CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES */
	int carveout;
	bool fewer_reported; /* it was reported that large blocks reduce its registers */
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
	uint64_t time;	 /* driver.insts when it was recorded */
	uint64_t number; /* of that in the trace; 0: it is not there */
};

enum memory_kind { MEM_DEVICE, MEM_HOST, MEM_MANAGED, MEM_REGISTERED };

struct memory {
	struct object o;
	enum memory_kind kind;
	unsigned flags;
	uint64_t bytes;
	unsigned long long id;
	bool outside; /* MEM_HOST, MEM_REGISTERED: the device cannot access it */
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

/* The most shared memory of a block, static and dynamic, on every NVIDIA device, unless
 * CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES is set. */
#define SHARED_DEFAULT_MAX 49152u

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
	CUstream stream;	     /* of the call: set by stream_select, NULL without one */
	struct recording *recording; /* NULL: not under ctascope record, or it has ended */
};

/* Takes the lock and returns the driver. */
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

/* EXPORT begins the definition of an entry point. ALIAS gives it another name, as in programs with
 * a default stream per thread, which behaves the same here. */
#define EXPORT __attribute__((visibility("default"))) CUresult CUDAAPI
#define ALIAS(symbol, other) \
	extern __typeof__(symbol) other __attribute__((alias(#symbol), visibility("default")))

/* Prints "ctascope: TEXT" on standard error. */
void driver_print(const char *fmt, ...) ATTR_PRINTF(1, 2);
CUresult driver_error(const struct err *e, CUresult r); /* prints e, returns r */

void object_add(struct driver *d, struct object *o, enum object_kind kind, uint64_t key);
void *object_find(struct driver *d, enum object_kind kind, uint64_t key); /* NULL: not found */
void object_remove(struct driver *d, struct object *o);
/* Removes and frees an object that owns nothing else; NULL is an invalid handle. */
CUresult object_destroy(struct driver *d, struct object *o);
/* Calls fn for the objects of a kind that belong to ctx; fn may remove its object. */
void object_each(struct driver *d, enum object_kind kind, const struct context *ctx,
		 void (*fn)(struct driver *d, struct object *o));

#define FIND(d, kind, handle) object_find(d, kind, (uint64_t)(uintptr_t)(handle))

/* ---- between the files ---- */

CUresult module_load(struct driver *d, const char *name, const void *image, struct err *e,
		     struct module **out);
CUresult module_load_file(struct driver *d, const char *path, struct err *e, struct module **out);
/* Loads a file, or an image when path is NULL; writes the logs that n options request. */
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
#define IMAGE_MAX (256ll << 20) /* most bytes of an image file */
/* Reads a file; the caller frees *text, *n bytes followed by '\0' bytes. *text NULL with e. */
CUresult module_read_file(const char *path, char **text, size_t *n, struct err *e);
/* Writes the logs that options request: the error e, or an empty one, and info. */
void jit_logs(unsigned n, const CUjit_option *option, void **value, const struct err *e,
	      const char *info);
/* Writes a line for each kernel; m may be NULL. */
void module_info(const struct module *m, char *buf, size_t size);
void linker_free(struct driver *d, struct object *o);
/* The PTX in a fat binary, for the machine; the caller frees it. room: bytes at image, SIZE_MAX: as
 * many as the image states. NULL with e. */
char *fatbin_ptx(const void *image, size_t room, size_t *n, unsigned cc, struct err *e);
bool image_is_fatbin(const void *image);
/* The machine code in a fat binary that is nearest to the machine, for cubin_regs; the caller frees
 * it. NULL: there is none. */
void *fatbin_cubin(const void *image, size_t room, size_t *n, unsigned cc);
/* Calls found with the registers per thread, 1 to 255, of each function of a cubin of n bytes. */
void cubin_regs(const void *image, size_t n,
		void (*found)(void *ctx, const char *name, uint32_t regs), void *ctx);
/* Adds the PTX of object number `object`, from 0, to that of the earlier ones; text ends with '\0'
 * and is changed. */
void link_add(struct strbuf *all, char *text, unsigned object);

/* Registers per thread as the timing model allocates them, in blocks of that many threads, a
 * multiple of a warp: those of --regs, else of the machine code, else .maxnreg, else the estimate.
 * If a GPU would run the block but this machine has fewer registers, it is the number that fits,
 * since a compiler for this machine would have kept the rest in memory. */
uint32_t kernel_regs(const struct driver *d, const struct ptx_kernel *k, uint64_t threads);

/* Registers of an SM that limit a block. Counts of ptxas are for a GPU, all of which have 65536
 * since compute capability 3.0. */
uint32_t registers_of_sm(const struct driver *d);
/* The most shared memory of a block, static and dynamic, with the kernel's opt-in: that of the
 * compute capability, or of the machine if it has more. The machine's own limit applies when the
 * trace is simulated. */
uint32_t machine_block_shared(const struct machine *m);
/* Threads of a block that .reqntid or .maxntid allow; 0: neither is given. */
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
/* The memory that contains addr; NULL: not allocated through the API. */
struct memory *memory_at(struct driver *d, uint64_t addr);

/* Is addr in a range that is reserved (cuMemAddressReserve)? */
bool virtual_reserved(const struct driver *d, uint64_t addr);

/* A box of bytes: rows at distances of pitch, slices at distances of slice. */
struct place {
	uint8_t *host; /* of its first byte */
	uint64_t addr; /* its device address; 0: host memory */
	uint64_t pitch, slice;
};
CUresult copy_place_device(struct driver *d, uint64_t addr, uint64_t bytes, struct place *p);
CUresult copy_place_host(struct driver *d, const void *host, uint64_t bytes, struct place *p);
CUresult copy_place_any(struct driver *d, uint64_t addr, uint64_t bytes, struct place *p);
CUresult copy_box(struct driver *d, const struct place *to, const struct place *from,
		  uint64_t width, uint64_t height, uint64_t depth);
CUresult copy_box_3d(struct driver *d, const CUDA_MEMCPY3D *c);

uint32_t array_texel(CUarray_format format); /* enum ptx_texel; UINT32_MAX: no such format */
/* Describes the array as a texture that is not sampled. */
struct ptx_texture array_texture(const struct array *a);
uint32_t array_format_bytes(CUarray_format format); /* of a channel; 0: no such format */
void array_free(struct driver *d, struct object *o);
void texref_free(struct driver *d, struct object *o);
void texture_free(struct driver *d, struct object *o);
struct texref *texref_new(struct driver *d, struct module *m, const char *name);
void texref_unbind_array(struct driver *d, const struct array *a);
void surfref_free(struct driver *d, struct object *o);
void surfref_unbind_array(struct driver *d, const struct array *a);

/* Makes the call one of that stream; false: it is not a valid stream. */
bool stream_select(struct driver *d, CUstream stream);
/* The name of a stream in the recording, and what kind it is. */
uint64_t stream_key(struct driver *d, CUstream stream, enum trace_stream_kind *kind);
/* The program waits for the stream of the call; returns r. */
CUresult stream_wait(struct driver *d, CUresult r);

/* ---- recording: recording.c ---- */

/* Reads the environment; NULL when the program does not run under `ctascope record`. */
struct recording *recording_new(void);
/* Was this check requested? */
bool recording_checks(const struct driver *d, enum ptx_check check);
void recording_copy(struct driver *d, uint64_t addr, uint64_t bytes); /* records a copy from host */
/* Records an order among streams: what is TRACE_EVENT_RECORD, _STREAM_WAIT or _HOST_.., of the
 * stream of the call, and of event unless it is NULL. */
void recording_order(struct driver *d, enum trace_cmd_kind what, struct event *event);
uint32_t recording_regs(const struct driver *d); /* the value of --regs, 0: not given */
/* Runs l, and records it if it is one of the requested launches. */
int recording_run(struct driver *d, struct ptx_launch *l, struct ptx_counts *n, struct err *e);
/* Notifies ctascope that the reason for a missing trace has been reported. */
/* A launch, or the loading of a module, has failed before a kernel ran. */
enum recording_failure { FAILED_LAUNCH = 1, FAILED_LOAD = 2 };
void recording_note_failure(struct driver *d, enum recording_failure what);
void recording_notify_reported(const struct driver *d);
/* Ends the recording and the process if a signal that the recording waits for has come. Called with
 * the driver's lock, while no CTA runs. */
void recording_check_signal(struct driver *d);
bool recording_is_dying(void);	      /* a signal has come, and a thread will end the process */
void recording_end(struct driver *d); /* at the end of the process: gives the trace its name */

#endif
