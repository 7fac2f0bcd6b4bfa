/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guideline_tests.h - guidelines as measured: the native collective against each of its mock-ups.
 *
 *     bcast <= scatter + allgather    root 0    1 KiB    12 us    10 us   1.2   p 0.0003   violated
 *                                               64 KiB  800 us   900 us   0.89  p 1
 *     a test: one guideline, root and size;  a group: the tests that differ in size alone
 *     1 of 2 tests are violated, 1 of 1 groups
 *
 * (Luebbe 2017, section 3.2 and tables 3 and 4.)
 */
#ifndef TMAP_CORE_MEASURE_GUIDELINE_TESTS_H
#define TMAP_CORE_MEASURE_GUIDELINE_TESTS_H

#include "core/guidelines/guidelines.h"
#include "core/measure/slowdown.h"
#include "core/measure/times.h"

struct tmap_guideline_test {
	int row; /**< of the table of guidelines */
	int64_t bytes;
	int root;
	int native_runs, mockup_runs; /**< launches */
	struct tmap_slowdown slowdown;
	bool is_predicted; /**< not where the guideline does not apply */
	double predicted_native_s, predicted_mockup_s;
};

/** Of all tests of one guideline. */
struct tmap_guideline_total {
	char *name;
	int tests, violations;
	int groups, violated_groups;
};

struct tmap_guideline_tests {
	const struct tmap_times *times; /**< borrowed */
	struct tmap_guidelines_request request;
	struct tmap_slowdown_rule rule;
	int count;
	size_t capacity;
	struct tmap_guideline_test *test;   /**< [count], by guideline, root and size */
	struct tmap_guideline_total *total; /**< [tmap_guideline_rows()]; tests 0: none */
	int wrong;                          /**< pairs with a wrong result, which are not tested */
	int undecidable; /**< tests with too few launches for a p that is small enough */
};

/** The blocking native collectives and mock-ups of @p times; of request->collective or (TMAP_NONE)
 *  all, of request->bytes or (TMAP_NONE) all, at every root; predictions are those of
 *  request->library, element and profile. Refuses (TMAP_INPUT) times that have none of these.
 *  Cost of tmap_guidelines_init() a size and root, and of tmap_slowdown_init() a test. */
int tmap_guideline_tests_init(struct tmap_guideline_tests *tests, const struct tmap_times *times,
			      const struct tmap_guidelines_request *request,
			      const struct tmap_slowdown_rule *rule, struct tmap_error *err);
void tmap_guideline_tests_fini(struct tmap_guideline_tests *tests);

/** All of them together; its name is NULL. */
struct tmap_guideline_total tmap_guideline_tests_total(const struct tmap_guideline_tests *tests);

#endif
