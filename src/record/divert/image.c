/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image.c - reads an ELF file of this machine: needed libraries, function symbols, code.
 *
 * The file is mapped, and every offset and count is checked against its size before it is used.
 *
 * The version of a statically linked runtime follows from functions that were added or removed:
 * texture references (cudaBindTexture) ended with 11, and only 12 has cudaGetDeviceProperties_v2.
 *
 * Not supported: files of the other byte order or word size, more symbols than a file has bytes.
 */
#include "record/divert/image.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __x86_64__
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#else
#define MACHINE EM_NONE
#endif

/* A message of the runtime that no other code contains, and that stripping keeps. */
#define RUNTIME_TEXT "cudaErrorCudartUnloading"

struct image {
	const uint8_t *p;
	size_t n;
	const ElfW(Ehdr) * head;
};

/* Points to count records of size bytes at offset at; NULL: some are outside the file, or they are
 * not aligned. */
static const void *
find_records(const struct image *m, uint64_t at, uint64_t size, uint64_t count, uint64_t align)
{
	if (at > m->n || (size && count > (m->n - at) / size) || at % align)
		return NULL;
	return m->p + at;
}

const char *
image_cudart_library(enum image_cudart c)
{
	return c == CUDART_11	? "libcudart.so.11.0"
	       : c == CUDART_12 ? "libcudart.so.12"
				: "libcudart.so.13";
}

static const char *
map_file(struct image *m, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	void *p = MAP_FAILED;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size >= 2)
		p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd < 0)
		return "cannot be read";
	close(fd);
	if (p == MAP_FAILED)
		return "is not a program";
	m->p = p;
	m->n = (size_t)st.st_size;
	m->head = (const void *)m->p;
	return NULL;
}

struct image *
image_open(const char *path, const char **why)
{
	struct image *m = calloc(1, sizeof(*m));
	const unsigned char *id;

	*why = m ? map_file(m, path) : "out of memory";
	if (*why) {
		free(m);
		return NULL;
	}
	id = m->head->e_ident;
	if (m->p[0] == '#' && m->p[1] == '!')
		*why = "is a script";
	else if (m->n < sizeof(*m->head) || memcmp(id, ELFMAG, SELFMAG) != 0)
		*why = "is not an ELF file";
	else if (id[EI_CLASS] != ELFCLASS64 || id[EI_DATA] != ELFDATA2LSB ||
		 m->head->e_machine != MACHINE)
		*why = "is for another machine";
	if (!*why)
		return m;
	image_close(m);
	return NULL;
}

void
image_close(struct image *m)
{
	if (m)
		munmap((void *)(uintptr_t)m->p, m->n);
	free(m);
}

/* ---- sections ---- */

static const ElfW(Shdr) * get_section(const struct image *m, uint32_t i)
{
	const ElfW(Shdr) * s;

	if (i >= m->head->e_shnum || m->head->e_shentsize != sizeof(*s))
		return NULL;
	s = find_records(m, m->head->e_shoff, sizeof(*s), m->head->e_shnum, _Alignof(ElfW(Shdr)));
	return s ? s + i : NULL;
}

static const ElfW(Shdr) * section_of_type(const struct image *m, uint32_t type)
{
	const ElfW(Shdr) * s;

	for (uint32_t i = 0; (s = get_section(m, i)); i++)
		if (s->sh_type == type)
			return s;
	return NULL;
}

/* The text at offset `at` of string section s; NULL: it does not end inside the section. */
static const char *
find_text(const struct image *m, const ElfW(Shdr) * s, uint64_t at)
{
	const char *p = s ? find_records(m, s->sh_offset, 1, s->sh_size, 1) : NULL;

	return p && at < s->sh_size && memchr(p + at, '\0', s->sh_size - at) ? p + at : NULL;
}

bool
image_needs(const struct image *m, const char *prefix, char *name, size_t size)
{
	const ElfW(Shdr) *s = section_of_type(m, SHT_DYNAMIC);
	uint64_t n = s ? s->sh_size / sizeof(ElfW(Dyn)) : 0;
	const ElfW(Dyn) *d =
		s ? find_records(m, s->sh_offset, sizeof(*d), n, _Alignof(ElfW(Dyn))) : NULL;

	for (uint64_t i = 0; d && i < n && d[i].d_tag != DT_NULL; i++) {
		const char *needed =
			d[i].d_tag == DT_NEEDED
				? find_text(m, get_section(m, s->sh_link), d[i].d_un.d_val)
				: NULL;

		if (needed && strncmp(needed, prefix, strlen(prefix)) == 0) {
			snprintf(name, size, "%s", needed);
			return true;
		}
	}
	return false;
}

/* ---- functions ---- */

static uint64_t
list_functions(const struct image *m, const ElfW(Shdr) * s,
	       void (*fn)(void *ctx, const struct image_symbol *s), void *ctx)
{
	uint64_t n = s->sh_size / sizeof(ElfW(Sym)), found = 0;
	const ElfW(Sym) *y = find_records(m, s->sh_offset, sizeof(*y), n, _Alignof(ElfW(Sym)));
	const ElfW(Shdr) *names = get_section(m, s->sh_link);

	for (uint64_t i = 0; y && i < n; i++) {
		struct image_symbol out = {.value = y[i].st_value, .size = y[i].st_size};

		if (ELF64_ST_TYPE(y[i].st_info) != STT_FUNC || y[i].st_shndx == SHN_UNDEF ||
		    y[i].st_shndx >= SHN_LORESERVE)
			continue;
		out.name = find_text(m, names, y[i].st_name);
		if (!out.name)
			continue;
		found++;
		fn(ctx, &out);
	}
	return found;
}

void
image_functions(const struct image *m, void (*fn)(void *ctx, const struct image_symbol *s),
		void *ctx)
{
	const ElfW(Shdr) *all = section_of_type(m, SHT_SYMTAB);
	const ElfW(Shdr) *dynamic = section_of_type(m, SHT_DYNSYM);

	if ((!all || !list_functions(m, all, fn, ctx)) && dynamic)
		list_functions(m, dynamic, fn, ctx);
}

const uint8_t *
image_code(const struct image *m, uint64_t value, uint64_t n)
{
	const ElfW(Phdr) *h = find_records(m, m->head->e_phoff, sizeof(*h), m->head->e_phnum,
					   _Alignof(ElfW(Phdr)));

	for (unsigned i = 0; h && i < m->head->e_phnum; i++)
		if (h[i].p_type == PT_LOAD && (h[i].p_flags & PF_X) && value >= h[i].p_vaddr &&
		    n <= h[i].p_filesz && value - h[i].p_vaddr <= h[i].p_filesz - n)
			return find_records(m, h[i].p_offset + (value - h[i].p_vaddr), 1, n, 1);
	return NULL;
}

/* ---- the runtime ---- */

struct signs {
	bool registers, textures, second;
};

static void
note_symbol(void *ctx, const struct image_symbol *s)
{
	struct signs *g = ctx;

	g->registers |= strcmp(s->name, "__cudaRegisterFatBinary") == 0 ||
			strcmp(s->name, "cudaGetExportTable") == 0;
	g->textures |= strcmp(s->name, "cudaBindTexture") == 0;
	g->second |= strcmp(s->name, "cudaGetDeviceProperties_v2") == 0;
}

enum image_cudart
image_cudart(const struct image *m)
{
	struct signs g = {false};
	char name[8];

	image_functions(m, note_symbol, &g);
	if (g.registers)
		return g.textures ? CUDART_11 : g.second ? CUDART_12 : CUDART_13;
	if (image_needs(m, "libcudart.so", name, sizeof(name)))
		return CUDART_NONE;
	return memmem(m->p, m->n, RUNTIME_TEXT, strlen(RUNTIME_TEXT)) ? CUDART_STRIPPED
								      : CUDART_NONE;
}

const char *
image_vendor_library(const char *path, bool *needed)
{
	static const struct {
		const char *name;
		bool needed;
	} libraries[] = {{"libcublasLt", true}, {"libcublasXt", true},	 {"libcudnn", true},
			 {"libcufft", true},	{"libcufftw", true},	 {"libcurand", true},
			 {"libcusolver", true}, {"libcusolverMg", true}, {"libcusparse", true},
			 {"libcutensor", true}, {"libnccl", true},	 {"libnvjpeg", true},
			 {"libnpp", true},	{"libnvrtc", false},	 {"libnvJitLink", false}};
	const char *base = strrchr(path, '/');
	size_t n;

	base = base ? base + 1 : path;
	for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++) {
		n = strlen(libraries[i].name);
		/* libcudnn_ops.so.9 and libnppc.so.13 are parts of a library */
		if (strncmp(base, libraries[i].name, n) != 0 || !strstr(base + n, ".so") ||
		    (base[n] != '.' && base[n] != '_' && strcmp(libraries[i].name, "libnpp") != 0))
			continue;
		*needed = libraries[i].needed;
		return libraries[i].name;
	}
	return NULL;
}
