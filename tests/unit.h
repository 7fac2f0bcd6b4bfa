/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unit.h - what every unit test file has: one suite, which tests/main.c runs.
 *
 * A file tests/<room>/test_<module>.c becomes one program; no list names it.
 */
#ifndef TMAP_TESTS_UNIT_H
#define TMAP_TESTS_UNIT_H

#include <check.h>

/** ck_assert() for inner loops: Check writes every assertion that it passes to a file. */
#define hold(condition) \
	do { \
		if (!(condition)) \
			ck_abort_msg("does not hold: %s", #condition); \
	} while (0)

/** The suite of the file. */
Suite *test_suite(void);

/** From test_suite(): a part of it is left out for this reason. It is said and counted. */
void test_skip(const char *reason);

/** Of so many cases that prove numbers, how many are tried: all; but an eighth of them in a build with
 *  sanitizers, where each takes ten times as long and what is looked for does not depend on the numbers.
 *  WHOLE in the environment asks for all of them there, too. */
int test_cases(int count);

/** How far the next of a row of such cases is: 1; in such a build, so many. */
int test_stride(int most);

/** How far the next size is from that one: so many, and no farther than to the next power of two and those
 *  beside it, as all sizes up to 9 are; with WHOLE 1. */
int test_step(int size, int most);

/** The folder of recorded machines and jobs, which is no part of the project: what TOPOMAP_DATA
 *  names, else ../shared/data; NULL where it is not there. */
const char *test_data(void);

#endif
