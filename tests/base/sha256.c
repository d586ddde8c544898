/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sha256.c - SHA-256 and HMAC give the values of FIPS 180-4 and RFC 4231. */
#include "base/sha256.h"

#include "tests/tap.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *
hex(const uint8_t bytes[SHA256_BYTES], char text[2 * SHA256_BYTES + 1])
{
	for (unsigned i = 0; i < SHA256_BYTES; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
	return text;
}

static void
check_hash(const char *message, const char *wanted)
{
	uint8_t out[SHA256_BYTES];
	char text[2 * SHA256_BYTES + 1];

	sha256(message, strlen(message), out);
	is_str(hex(out, text), wanted, "SHA-256 of '%.20s'", message);
}

static void
check_hmac(const void *key, size_t n, const char *message, const char *wanted)
{
	uint8_t out[SHA256_BYTES];
	char text[2 * SHA256_BYTES + 1];

	hmac_sha256(key, n, message, strlen(message), out);
	is_str(hex(out, text), wanted, "HMAC of '%.20s'", message);
}

int
main(void)
{
	uint8_t key[131];

	check_hash("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	check_hash("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	check_hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		   "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	memset(key, 0x0b, 20);
	check_hmac(key, 20, "Hi There",
		   "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
	check_hmac("Jefe", 4, "what do ya want for nothing?",
		   "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
	memset(key, 0xaa, sizeof(key));
	check_hmac(key, sizeof(key), "Test Using Larger Than Block-Size Key - Hash Key First",
		   "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
	return done();
}
