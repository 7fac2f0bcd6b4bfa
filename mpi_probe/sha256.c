/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/sha256.h"

#include "core/base/wraps.h"

#include <stdint.h>
#include <string.h>

/* First 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t round_constant[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

TMAP_WRAPS static uint32_t sha256_rotate(uint32_t x, int by)
{
	return x >> by | x << (32 - by);
}

TMAP_WRAPS static void sha256_expand(uint32_t w[64], const unsigned char block[64])
{
	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
			(uint32_t)block[4 * i + 2] << 8 | (uint32_t)block[4 * i + 3];
	for (int i = 16; i < 64; i++) {
		uint32_t a = w[i - 15], b = w[i - 2];

		w[i] = w[i - 16] + (sha256_rotate(a, 7) ^ sha256_rotate(a, 18) ^ a >> 3) +
			w[i - 7] + (sha256_rotate(b, 17) ^ sha256_rotate(b, 19) ^ b >> 10);
	}
}

TMAP_WRAPS static void sha256_absorb(uint32_t state[8], const unsigned char block[64])
{
	uint32_t w[64], s[8];

	sha256_expand(w, block);
	memcpy(s, state, sizeof s);
	for (int i = 0; i < 64; i++) {
		uint32_t e = s[4], a = s[0];
		uint32_t one = s[7] +
			(sha256_rotate(e, 6) ^ sha256_rotate(e, 11) ^ sha256_rotate(e, 25)) +
			((e & s[5]) ^ (~e & s[6])) + round_constant[i] + w[i];
		uint32_t two = (sha256_rotate(a, 2) ^ sha256_rotate(a, 13) ^ sha256_rotate(a, 22)) +
			((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));

		memmove(s + 1, s, 7 * sizeof *s);
		s[4] += one;
		s[0] = one + two;
	}
	for (int i = 0; i < 8; i++)
		state[i] += s[i];
}

/* The last bytes, a one bit, zeros, and the length in bits fill one block or two. */
static void sha256_absorb_end(uint32_t state[8], const unsigned char *rest, size_t left,
			      uint64_t length)
{
	unsigned char block[128] = { 0 };
	size_t size = left < 56 ? 64 : 128;

	if (left)
		memcpy(block, rest, left);
	block[left] = 0x80;
	for (int i = 0; i < 8; i++)
		block[size - 1 - (size_t)i] = (unsigned char)(8 * length >> 8 * i);
	for (size_t at = 0; at < size; at += 64)
		sha256_absorb(state, block + at);
}

void tmap_digest_of(struct tmap_digest *digest, const void *data, size_t length)
{
	/* First 32 bits of the fractional parts of the square roots of the first 8 primes. */
	uint32_t state[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
			      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	const unsigned char *at = data;
	size_t left = length;

	for (; left >= 64; at += 64, left -= 64)
		sha256_absorb(state, at);
	sha256_absorb_end(state, at, left, length);
	for (int i = 0; i < 32; i++)
		digest->byte[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
}
