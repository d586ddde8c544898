/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jump.c - writes the machine code of jumps, for x86-64 and arm64. */
#include "record/divert/jump.h"

#include <string.h>

void
jump_put(uint8_t *at, const uint8_t *to)
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

void
jump_put_far(uint8_t *at, const void *to)
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
