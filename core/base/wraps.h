/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wraps.h - functions whose unsigned arithmetic is modulo 2^32 or 2^64 on purpose.
 *
 *     TMAP_WRAPS static uint64_t hash(...)        a hash, a random number, a digest
 *
 * Everywhere else a sum that wraps is a mistake: `make check-integers` runs the tests under clang's
 * -fsanitize=integer, and finds it.
 */
#ifndef TMAP_CORE_BASE_WRAPS_H
#define TMAP_CORE_BASE_WRAPS_H

#if defined(__clang__) && __clang_major__ >= 12
#define TMAP_WRAPS __attribute__((no_sanitize("unsigned-integer-overflow", "unsigned-shift-base")))
#else
#define TMAP_WRAPS
#endif

#endif
