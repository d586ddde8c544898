/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cubin.c - reads the number of registers per thread that ptxas has given each kernel from the
 * machine code next to the PTX in a fat binary.
 *
 * A cubin is a 64-bit ELF file. Its section .nv.info is a list of attributes: a byte for the format
 * of the value (4: a byte count follows), the attribute, and 16 bits with the value or the byte
 * count. EIATTR_REGCOUNT holds the number of a symbol and its registers. The format is not
 * documented; this follows what `readelf` and `cuobjdump -res-usage` show for CUDA 11 to 13.
 *
 * The contents are not trusted: an entry that contradicts its own size is ignored.
 */
#include "record/cuda/driver.h"

#include <elf.h>
#include <string.h>

#define SIZED 4		   /* EIFMT_SVAL */
#define REGISTERS 0x2f	   /* EIATTR_REGCOUNT */
#define MOST_REGISTERS 255 /* of a thread */

struct cubin {
	const uint8_t *p;
	size_t n;
	Elf64_Ehdr head;
};

/* Points to bytes at offset at, or NULL if they are outside the file. */
static const uint8_t *
find_bytes(const struct cubin *c, uint64_t at, uint64_t bytes)
{
	return at <= c->n && bytes <= c->n - at ? c->p + at : NULL;
}

/* Reads header i; false: there is no such section, or it is not inside the file. */
static bool
get_section(const struct cubin *c, uint32_t i, Elf64_Shdr *s)
{
	const uint8_t *p = NULL;

	if (i < c->head.e_shnum && c->head.e_shoff <= c->n)
		p = find_bytes(c, c->head.e_shoff + (uint64_t)i * sizeof(*s), sizeof(*s));
	if (!p)
		return false;
	memcpy(s, p, sizeof(*s));
	return s->sh_type == SHT_NOBITS || find_bytes(c, s->sh_offset, s->sh_size);
}

/* A string of a string section; NULL: it does not end inside it. */
static const char *
get_string(const struct cubin *c, uint32_t strings, uint32_t at)
{
	Elf64_Shdr s;
	const uint8_t *p;

	if (!get_section(c, strings, &s) || s.sh_type != SHT_STRTAB || at >= s.sh_size)
		return NULL;
	p = c->p + s.sh_offset + at;
	return memchr(p, 0, s.sh_size - at) ? (const char *)p : NULL;
}

static const char *
symbol_name(const struct cubin *c, uint32_t table, uint32_t i)
{
	Elf64_Shdr s;
	Elf64_Sym y;

	if (!get_section(c, table, &s) || s.sh_type != SHT_SYMTAB || i >= s.sh_size / sizeof(y))
		return NULL;
	memcpy(&y, c->p + s.sh_offset + (uint64_t)i * sizeof(y), sizeof(y));
	return get_string(c, s.sh_link, y.st_name);
}

static void
read_info(const struct cubin *c, const Elf64_Shdr *s,
	  void (*found)(void *ctx, const char *name, uint32_t regs), void *ctx)
{
	const uint8_t *p = c->p + s->sh_offset, *end = p + s->sh_size;

	while (end - p >= 4) {
		uint32_t bytes = p[0] == SIZED ? p[2] | (uint32_t)p[3] << 8 : 0, value[2];
		bool registers = p[0] == SIZED && p[1] == REGISTERS && bytes >= sizeof(value);
		const char *name;

		p += 4;
		if (bytes > (size_t)(end - p))
			return;
		if (registers) {
			memcpy(value, p, sizeof(value));
			name = symbol_name(c, s->sh_link, value[0]);
			if (name && value[1] && value[1] <= MOST_REGISTERS)
				found(ctx, name, value[1]);
		}
		p += bytes;
	}
}

void
cubin_regs(const void *image, size_t n, void (*found)(void *ctx, const char *name, uint32_t regs),
	   void *ctx)
{
	struct cubin c = {.p = image, .n = n};

	if (n < sizeof(c.head))
		return;
	memcpy(&c.head, image, sizeof(c.head));
	if (memcmp(c.head.e_ident, ELFMAG, SELFMAG) != 0 ||
	    c.head.e_ident[EI_CLASS] != ELFCLASS64 || c.head.e_shentsize != sizeof(Elf64_Shdr))
		return;
	for (uint32_t i = 0; i < c.head.e_shnum; i++) {
		Elf64_Shdr s;
		const char *name = get_section(&c, i, &s) && s.sh_type != SHT_NOBITS
					   ? get_string(&c, c.head.e_shstrndx, s.sh_name)
					   : NULL;

		if (name && strcmp(name, ".nv.info") == 0)
			read_info(&c, &s, found, ctx);
	}
}
