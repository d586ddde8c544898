/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jump.h - private to the preloaded library (divert.c): the machine code of jumps. */
#ifndef RECORD_JUMP_H
#define RECORD_JUMP_H

#include <stdint.h>

#if defined(__x86_64__)
#define JUMP 5u		   /* bytes of a short jump */
#define REACH (1ull << 31) /* how far it can lead, in bytes */
#else
#define JUMP 4u
#define REACH (1ull << 27)
#endif
#define FAR 16u /* bytes of a far jump */

/* Writes JUMP bytes at `at`: a jump to `to`, which is less than REACH away. */
void jump_put(uint8_t *at, const uint8_t *to);
/* Writes FAR bytes at `at`: a jump to any address. */
void jump_put_far(uint8_t *at, const void *to);

#endif
