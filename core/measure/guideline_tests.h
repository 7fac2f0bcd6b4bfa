/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guideline_tests.h - guidelines as measured: the native collective against each of its mock-ups, and
 * calls on virtual topologies against each other.
 *
 *     bcast <= scatter + allgather    root 0    1 KiB    12 us    10 us   1.2   p 0.0003   violated
 *                                               64 KiB  800 us   900 us   0.89  p 1
 *     a test: one guideline, root and size;  a group: the tests that differ in size alone
 *     1 of 2 tests are violated, 1 of 1 groups
 *
 *     GL4 neighbor_allgather <= neighbor_alltoall    moore:1 2d fmaj adjacent    1 KiB ...
 *     a group: a guideline and a topology
 *
 * (Luebbe 2017, section 3.2 and tables 3 and 4.)
 */
#ifndef TMAP_CORE_MEASURE_GUIDELINE_TESTS_H
#define TMAP_CORE_MEASURE_GUIDELINE_TESTS_H

#include "core/guidelines/guidelines.h"
#include "core/measure/slowdown.h"
#include "core/measure/times.h"

struct tmap_guideline_test {
	int row; /**< of the guidelines of mock-ups, then (from tmap_guideline_rows() on) of those of
		      virtual topologies */
	int64_t bytes;
	int root;
	const struct tmap_experiment *left,
		*right; /**< borrowed: the left one should not be slower */
	struct tmap_slowdown slowdown;
	double adjusted_p; /**< by the rule's correction: the verdict's */
	bool is_predicted; /**< not where the guideline does not apply */
	double predicted_native_s, predicted_mockup_s;
};

/** Of all tests of one guideline, perhaps on one neighborhood alone. */
struct tmap_guideline_total {
	const char *name;
	const struct tmap_virtual_topology *on; /**< that neighborhood, or NULL */
	int tests, violations;
	int groups, violated_groups;
};

struct tmap_guideline_tests {
	const struct tmap_times *times; /**< borrowed */
	struct tmap_guidelines_request request;
	struct tmap_slowdown_rule rule;
	int count, mockup_count; /**< tests; those of mock-ups come first */
	size_t capacity;
	struct tmap_guideline_test *test;   /**< [count], by guideline, topology, root and size */
	char **name;                        /**< [tmap_guideline_test_rows()] */
	struct tmap_guideline_total *total; /**< [that]; tests 0: none */
	int on_count;
	struct tmap_guideline_total *on; /**< [on_count]: of those on topologies, by guideline and
					      neighborhood */
	int wrong;                       /**< pairs with a wrong result, which are not tested */
	int undecidable;       /**< tests with too few launches for a p that is small enough */
	double expected_false; /**< violations that chance would make at most if nothing were slower,
				    each test judged by itself */
};

/** The guidelines of mock-ups, and then those of virtual topologies. */
int tmap_guideline_test_rows(void);

/** The blocking native collectives and mock-ups of @p times, and the calls on virtual topologies; of the
 *  guidelines @p set (virtual_guidelines.h) those of request->collective (the family of the left call)
 *  or (TMAP_NONE) all, of request->bytes or (TMAP_NONE) all, at every root; predictions, of mock-ups
 *  alone, are those of request->library, element and profile. Refuses (TMAP_INPUT) times that have none
 *  of these. Cost of tmap_guidelines_init() a size and root, and of tmap_slowdown_init() a test. */
int tmap_guideline_tests_init(struct tmap_guideline_tests *tests, const struct tmap_times *times,
			      unsigned set, const struct tmap_guidelines_request *request,
			      const struct tmap_slowdown_rule *rule, struct tmap_error *err);
void tmap_guideline_tests_fini(struct tmap_guideline_tests *tests);

/** All of them together; its name is NULL. */
struct tmap_guideline_total tmap_guideline_tests_total(const struct tmap_guideline_tests *tests);

#endif
