/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * divert.c - the library that `ctascope record` preloads into programs: a CUDA runtime that is
 * linked into them is led to ours.
 *
 * nvcc links its runtime statically, so a program's own cudaMalloc and the rest are in it, and no
 * search of libraries finds ours instead. When the program starts, before any constructor of its
 * own, every file that is loaded and defines __cudaRegisterFatBinary is looked at: over the first
 * bytes of each function that our libcudart of the same version has too goes a jump there. Only
 * memory is written, nothing on disk. NVIDIA's shared library, where an RPATH has found it, is
 * treated the same.
 *
 * Nothing that a symbol table says is believed alone. A function is where the unwinder's table,
 * too, says that one begins; it is code, the same as in the file; it has room for the jump, and no
 * other begins in there. The function's old body is then never entered, so instructions that the
 * jump cuts through do not matter. Either all functions of a file that have room are diverted, or
 * none.
 *
 * The jump's target is too far for its displacement, so it leads to a table of far jumps that is
 * mapped below the file. The library comes before all others (-z initfirst): libraries that the
 * program is linked with may have a runtime of their own and register kernels when they start.
 *
 * Files that dlopen loads later are looked at when it returns. Their constructors have run by then
 * and told a runtime that nobody asks any more of their kernels, so the functions in which nvcc
 * does that run once more (replay). Ours take the kernels then, and the other has them in vain.
 *
 * Left out: what dlopen finds by a search, as the search of the loader depends on who asks, and
 * what it loads that is linked with -rdc=true, whose registration cannot run twice. Their runtime
 * asks libcuda for what only NVIDIA's has and says so there (entry.c).
 */
#include "record/divert/image.h"
#include "record/divert/room.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
#define JUMP 5u
#define REACH (1ull << 31)
#else
#define JUMP 4u
#define REACH (1ull << 27)
#endif
#define FAR 16u /* bytes of a far jump */

struct target {
	const char *name; /* of the image */
	uint64_t value, size;
	void *ours;
};

struct file {
	const struct dl_phdr_info *loaded;
	const char *path;
	struct image *image;
	void *library;
	struct target *t;
	size_t n, cap;
	uint64_t *begin; /* of every function */
	size_t n_begin, cap_begin;
	bool later;	 /* its constructors have run */
	uint64_t *again; /* the functions that register its kernels */
	size_t n_again;
	bool once; /* they cannot run twice */
	bool out_of_memory;
};

static void
say(const char *fmt, ...)
{
	char text[1200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fprintf(stderr, "ctascope: %s\n", text);
}

/* ---------------------------------------------------------------- the unwinder's table */

/* .eh_frame_hdr in its usual form: begins of functions, sorted, as 32-bit distances from itself. */
struct unwind {
	uint8_t version, frame, count, table;
	int32_t eh_frame;
	uint32_t n;
	struct {
		int32_t begin, fde;
	} row[];
};

static const struct unwind *
unwind_of(const struct dl_phdr_info *o)
{
	for (unsigned i = 0; i < o->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &o->dlpi_phdr[i];
		const struct unwind *u = (const void *)(o->dlpi_addr + h->p_vaddr);

		if (h->p_type != PT_GNU_EH_FRAME || h->p_memsz < sizeof(*u))
			continue;
		if (u->version == 1 && u->count == 0x03 && u->table == 0x3b &&
		    u->n <= (h->p_memsz - sizeof(*u)) / sizeof(u->row[0]))
			return u;
	}
	return NULL;
}

/* The bytes that a row's description says its function has; 0: it is in another form than compilers
 * write. Lengths and addresses have 32 bits: length, parent, begin (from itself), bytes. */
static uint64_t
bytes_of(const struct unwind *u, uint32_t i)
{
	const uint8_t *fde = (const uint8_t *)u + u->row[i].fde;
	int32_t word[4];

	memcpy(word, fde, sizeof(word));
	if (word[0] < 12 ||
	    (uintptr_t)(fde + 8 + word[2]) != (uintptr_t)u + (uintptr_t)u->row[i].begin)
		return 0;
	return (uint32_t)word[3];
}

/* A function of so many bytes begins at at, and no other within the jump behind. */
static bool
begins_at(const struct unwind *u, uintptr_t at, uint64_t bytes)
{
	int64_t wanted = (int64_t)(at - (uintptr_t)u);
	uint32_t lo = 0, hi = u->n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (u->row[mid].begin < wanted)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < u->n && u->row[lo].begin == wanted && bytes_of(u, lo) == bytes &&
	       (lo + 1 == u->n || u->row[lo + 1].begin - wanted >= JUMP);
}

/* ---------------------------------------------------------------- what is to be diverted */

/* nvcc's names: a function of a translation unit, and with -rdc=true one for each of them. */
static void
add_registration(struct file *f, const struct image_symbol *s)
{
	uint64_t *more;

	f->once |= strncmp(s->name, "__cudaRegisterLinkedBinary_", 27) == 0;
	if (!strstr(s->name, "__sti____cudaRegisterAll"))
		return;
	more = room_grow(f->again, (f->n_again + 1) * sizeof(*more));
	f->out_of_memory |= !more;
	if (!more)
		return;
	f->again = more;
	f->again[f->n_again++] = s->value;
}

static void
add_function(void *ctx, const struct image_symbol *s)
{
	struct file *f = ctx;
	void *ours, *more;

	if (f->later)
		add_registration(f, s);
	if (f->n_begin == f->cap_begin) {
		f->cap_begin = f->cap_begin ? 2 * f->cap_begin : 1024;
		more = room_grow(f->begin, f->cap_begin * sizeof(*f->begin));
		f->out_of_memory |= !more;
		if (!more)
			return;
		f->begin = more;
	}
	f->begin[f->n_begin++] = s->value;
	if (strncmp(s->name, "cuda", 4) != 0 && strncmp(s->name, "__cuda", 6) != 0)
		return;
	ours = dlsym(f->library, s->name);
	if (!ours)
		return;
	if (f->n == f->cap) {
		f->cap = f->cap ? 2 * f->cap : 256;
		more = room_grow(f->t, f->cap * sizeof(*f->t));
		f->out_of_memory |= !more;
		if (!more)
			return;
		f->t = more;
	}
	f->t[f->n++] = (struct target){s->name, s->value, s->size, ours};
}

/* Does another function begin within the jump? */
static bool
shared(const struct file *f, uint64_t value)
{
	size_t lo = 0, hi = f->n_begin;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (f->begin[mid] <= value)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < f->n_begin && f->begin[lo] - value < JUMP;
}

/* Why the function is not what the symbol table says; NULL: it is. */
static const char *
doubt(const struct file *f, const struct unwind *u, const struct target *t)
{
	const uint8_t *in_file = image_code(f->image, t->value, t->size > JUMP ? t->size : JUMP);
	const void *at = (const void *)(f->loaded->dlpi_addr + t->value);

	if (!in_file)
		return "is not in its code";
	if (!u || !begins_at(u, (uintptr_t)at, t->size))
		return "is no function of that size for the unwinder's table";
	if (shared(f, t->value))
		return "has another function in its first bytes";
	if (memcmp(in_file, at, JUMP) != 0)
		return "was changed since it was loaded";
	return NULL;
}

/* False, and said: something is wrong with one. A function shorter than the jump has the room up to
 * the next one, which is filled up to where that may begin. */
static bool
check(struct file *f)
{
	const struct unwind *u = unwind_of(f->loaded);

	room_sort(f->begin, f->n_begin);
	for (size_t i = 0; i < f->n; i++) {
		const struct target *t = &f->t[i];
		const char *why = doubt(f, u, t);

		if (!why)
			continue;
		say("%s: its symbol table says that %s is at 0x%llx, which %s: its CUDA runtime is "
		    "not "
		    "diverted; relink with -cudart shared",
		    f->path, t->name, (unsigned long long)t->value, why);
		return false;
	}
	return f->n != 0;
}

/* ---------------------------------------------------------------- writing */

static uintptr_t
page_of(uintptr_t at)
{
	return at & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
}

/* Memory below the file that its jumps reach; NULL: there is none. */
static uint8_t *
map_near(const struct file *f, size_t bytes)
{
	uintptr_t low = UINTPTR_MAX, high = 0, at, step = 1u << 16;

	for (unsigned i = 0; i < f->loaded->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &f->loaded->dlpi_phdr[i];

		if (h->p_type != PT_LOAD)
			continue;
		low = page_of(f->loaded->dlpi_addr + h->p_vaddr) < low
			      ? page_of(f->loaded->dlpi_addr + h->p_vaddr)
			      : low;
		high = f->loaded->dlpi_addr + h->p_vaddr + h->p_memsz > high
			       ? f->loaded->dlpi_addr + h->p_vaddr + h->p_memsz
			       : high;
	}
	bytes = (bytes + step - 1) & ~(size_t)(step - 1);
	for (at = page_of(low) - bytes; at > step && at < low && high - at < REACH; at -= step) {
		void *p = mmap((void *)at, bytes, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

		if (p == (void *)at)
			return p;
		if (p != MAP_FAILED)
			munmap(p, bytes);
		else if (errno != EEXIST)
			return NULL;
	}
	return NULL;
}

/* A jump from at to to, which is near. */
static void
put_jump(uint8_t *at, const uint8_t *to)
{
#if defined(__x86_64__)
	int32_t by = (int32_t)(to - (at + JUMP));

	at[0] = 0xe9; /* jmp rel32 */
	memcpy(at + 1, &by, sizeof(by));
#else
	uint32_t b = 0x14000000u | ((uint32_t)((to - at) >> 2) & 0x03ffffffu); /* b */

	memcpy(at, &b, sizeof(b));
#endif
}

static void
put_far(uint8_t *at, const void *to)
{
	uint64_t address = (uintptr_t)to;
#if defined(__x86_64__)
	static const uint8_t code[8] = {0xff, 0x25, 2, 0, 0, 0, 0xcc, 0xcc}; /* jmp *2(%rip) */
#else
	static const uint8_t code[8] = {0x50, 0, 0,    0x58,
					0,    2, 0x1f, 0xd6}; /* ldr x16, .+8; br x16 */
#endif
	memcpy(at, code, sizeof(code));
	memcpy(at + 8, &address, sizeof(address));
}

static bool
protect(const struct file *f, int rights)
{
	uint64_t first = UINT64_MAX, last = 0;
	uintptr_t from;

	for (size_t i = 0; i < f->n; i++) {
		first = f->t[i].value < first ? f->t[i].value : first;
		last = f->t[i].value > last ? f->t[i].value : last;
	}
	from = page_of(f->loaded->dlpi_addr + first);
	return mprotect((void *)from, f->loaded->dlpi_addr + last + JUMP - from, rights) == 0;
}

static bool
write_jumps(const struct file *f)
{
	uint8_t *table = map_near(f, f->n * FAR);

	if (!table || !protect(f, PROT_READ | PROT_WRITE)) {
		say("%s: its CUDA runtime cannot be diverted: %s; relink with -cudart shared",
		    f->path, table ? strerror(errno) : "no memory is free near it");
		return false;
	}
	for (size_t i = 0; i < f->n; i++) {
		uint8_t *at = (uint8_t *)(f->loaded->dlpi_addr + f->t[i].value);

		put_far(table + i * FAR, f->t[i].ours);
		put_jump(at, table + i * FAR);
	}
	mprotect(table, f->n * FAR, PROT_READ | PROT_EXEC);
	protect(f, PROT_READ | PROT_EXEC);
	for (size_t i = 0; i < f->n; i++)
		__builtin___clear_cache((char *)f->loaded->dlpi_addr + f->t[i].value,
					(char *)f->loaded->dlpi_addr + f->t[i].value + JUMP);
	__builtin___clear_cache((char *)table, (char *)table + f->n * FAR);
	return true;
}

/* ---------------------------------------------------------------- files */

static const char *
folder(void)
{
	static char text[4096];
	Dl_info info;

	if (!*text && dladdr((void *)folder, &info) && info.dli_fname) {
		snprintf(text, sizeof(text), "%s", info.dli_fname);
		if (strrchr(text, '/'))
			*strrchr(text, '/') = '\0';
	}
	return text;
}

static void *
our_library(const char *path, enum image_cudart version)
{
	char name[4200];
	void *h;

	snprintf(name, sizeof(name), "%s/%s", folder(), image_cudart_library(version));
	h = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	if (!h)
		say("%s is linked with the CUDA runtime %d, and ours for it cannot be loaded: %s",
		    path, (int)version, dlerror());
	return h;
}

/* The file was looked at before, and its constructors have not run again. */
static bool
is_diverted(const struct file *f)
{
	const struct target *t = f->t;
	const uint8_t *in_file = f->n ? image_code(f->image, t->value, JUMP) : NULL;

	return in_file &&
	       memcmp(in_file, (const void *)(f->loaded->dlpi_addr + t->value), JUMP) != 0;
}

static void
replay(const struct file *f)
{
	for (size_t i = 0; i < f->n_again; i++) {
		uintptr_t at = f->loaded->dlpi_addr + f->again[i];
		void (*function)(void);

		memcpy(&function, &at, sizeof(at));
		function();
	}
}

static void
divert(struct file *f)
{
	enum image_cudart version = image_cudart(f->image);

	if (version == CUDART_STRIPPED)
		say("%s is linked with the CUDA runtime, whose functions have no names here (it "
		    "was stripped), "
		    "so that its calls cannot be diverted: relink with -cudart shared, or keep the "
		    "symbols",
		    f->path);
	if (version < CUDART_11 || !(f->library = our_library(f->path, version)))
		return;
	image_functions(f->image, add_function, f);
	if (f->out_of_memory)
		say("out of memory: %s is not diverted", f->path);
	else if (f->later && is_diverted(f))
		return;
	else if (f->later && f->once)
		say("%s has a CUDA runtime in it, is linked with -rdc=true and was loaded by "
		    "dlopen: "
		    "its kernels cannot be found; relink with -cudart shared",
		    f->path);
	else if (check(f) && write_jumps(f) && f->later)
		replay(f);
}

static bool
is_ours(const char *path)
{
	size_t n = strlen(folder());

	return n && strncmp(path, folder(), n) == 0 && path[n] == '/' &&
	       !strchr(path + n + 1, '/') && strncmp(path + n + 1, "lib", 3) == 0;
}

static void
look_at(const struct dl_phdr_info *o, bool program, bool later)
{
	struct file f = {.loaded = o, .path = o->dlpi_name, .later = later};
	char self[4096];
	const char *why;
	ssize_t n;

	if (program) {
		n = readlink("/proc/self/exe", self, sizeof(self) - 1);
		self[n > 0 ? n : 0] = '\0';
		f.path = self;
	}
	if (!strchr(f.path, '/') || is_ours(f.path)) /* the loader's own page has no file */
		return;
	f.image = image_open(program ? "/proc/self/exe" : f.path, &why);
	if (f.image)
		divert(&f);
	image_close(f.image);
	room_free(f.t);
	room_free(f.begin);
	room_free(f.again);
}

struct loaded {
	struct dl_phdr_info *o;
	size_t n;
};

/* A list of its own: looking at them loads more. */
static int
on_loaded(struct dl_phdr_info *o, size_t size, void *ctx)
{
	struct loaded *l = ctx;
	struct dl_phdr_info *more = room_grow(l->o, (l->n + 1) * sizeof(*more));

	(void)size;
	if (!more)
		return 1;
	l->o = more;
	l->o[l->n++] = *o;
	return 0;
}

static __thread bool looking; /* this thread; what it opens then is ours */

/* What was looked at, by address, for as long as nothing was unloaded. */
static struct {
	pthread_mutex_t lock;
	uint64_t *address;
	size_t n;
	unsigned long long unloaded;
} seen = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool
is_new(uint64_t address)
{
	uint64_t *more;

	for (size_t i = 0; i < seen.n; i++)
		if (seen.address[i] == address)
			return false;
	more = room_grow(seen.address, (seen.n + 1) * sizeof(*more));
	if (more) {
		seen.address = more;
		seen.address[seen.n++] = address;
	}
	return true;
}

static void
look_at_all(bool later)
{
	struct loaded l = {NULL, 0};

	pthread_mutex_lock(&seen.lock);
	dl_iterate_phdr(on_loaded, &l);
	if (l.n && l.o[0].dlpi_subs != seen.unloaded) {
		seen.unloaded = l.o[0].dlpi_subs;
		seen.n = 0;
	}
	for (size_t i = 0; i < l.n; i++)
		if (is_new(l.o[i].dlpi_addr))
			look_at(&l.o[i], i == 0, later);
	room_free(l.o);
	pthread_mutex_unlock(&seen.lock);
}

/* The C library's, with a look at what it has loaded. Without a path the caller's own is called as
 * if by the program: what it finds depends on who calls. */
__attribute__((visibility("default"))) void *
dlopen(const char *name, int flags)
{
	void *(*real)(const char *, int);
	void *symbol = dlsym(RTLD_NEXT, "dlopen"), *h;
	int error;

	memcpy(&real, &symbol, sizeof(real));
	if (!name || !strchr(name, '/') || strchr(name, '$') || looking)
		return real(name, flags);
	h = real(name, flags);
	if (!h)
		return NULL;
	error = errno;
	looking = true;
	look_at_all(true);
	looking = false;
	dlerror(); /* names that ours do not have are no error of the program's */
	errno = error;
	return h;
}

/*
 * We come before the C library, which is initialized when our_library needs it: not by the loader
 * with what main gets, but by dlopen with what it knows, which is nothing. So it is told.
 */
__attribute__((constructor)) static void
begin(int argc, char **argv, char **envp)
{
	bool first = !environ;
	const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;

	if (first)
		environ = envp;
	looking = true;
	look_at_all(false);
	looking = false;
	if (first && argc > 0) {
		program_invocation_name = argv[0];
		program_invocation_short_name = slash ? argv[0] + (slash + 1 - argv[0]) : argv[0];
	}
}
