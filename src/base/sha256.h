/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sha256.h - SHA-256 (FIPS 180-4) and HMAC with it (RFC 2104), for what nobody may guess or forge:
 * hash.h is faster, but not for secrets.
 */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include "ctascope/base.h"

#define SHA256_BYTES 32

void sha256(const void *p, size_t n, uint8_t out[SHA256_BYTES]);
void hmac_sha256(const void *key, size_t n_key, const void *p, size_t n, uint8_t out[SHA256_BYTES]);

#endif
