/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: what the words say, and Open MPI's fixed rule for 16 ranks and 64 KiB.
 */
#include "core/library/calls.h"
#include "tests/unit.h"

#include <string.h>

static struct tmap_error err;

static const struct tmap_order order = {
	.used_nodes = 4, .ranks_min = 4, .ranks_max = 4, .regular = true, .consecutive = true
};

START_TEST(a_call_is_collective_algorithm_bytes_and_weight)
{
	static const struct {
		const char *text, *algorithm;
		enum tmap_collective collective;
		int64_t bytes, radix;
		double weight;
		int64_t element;
	} cases[] = {
		{ "allgather:ring:64KiB", "ring", TMAP_ALLGATHER, 65536, 0, 1, 0 },
		{ "allgather:bruck,radix=4:1k@0.7", "bruck", TMAP_ALLGATHER, 1024, 4, 0.7, 0 },
		{ "bcast:binomial_far:8@3e2", "binomial_far", TMAP_BCAST, 8, 0, 300, 0 },
		{ "barrier:dissemination", "dissemination", TMAP_BARRIER, 0, 0, 1, 0 },
		{ "barrier:dissemination@2", "dissemination", TMAP_BARRIER, 0, 0, 2, 0 },
		{ "allgather:openmpi4:65536", "recursive_doubling", TMAP_ALLGATHER, 65536, 0, 1,
		  0 },
		{ "allgather:native:65536", "recursive_doubling", TMAP_ALLGATHER, 65536, 0, 1, 0 },
		/* 8 elements of 16 ranks are too few for Rabenseifner's; 16 are not */
		{ "allreduce:native:8KiB/1KiB@2", "reduce_bcast", TMAP_ALLREDUCE, 8192, 0, 2,
		  1024 },
		{ "allreduce:openmpi4:16KiB/1KiB", "rabenseifner", TMAP_ALLREDUCE, 16384, 0, 1,
		  1024 },
		{ "allreduce:native:64/double", "recursive_doubling", TMAP_ALLREDUCE, 64, 0, 1, 8 },
		{ "allreduce:ring:64/MPI_INT@3", "ring", TMAP_ALLREDUCE, 64, 0, 3, 4 },
	};
	struct tmap_call call = { .size = 16 };
	double weight;
	struct tmap_library_own own;

	ck_assert_msg(tmap_calls_parse(&call, &weight, &own, cases[_i].text, &order, 0, &err) == 0,
		      "%s", err.text);
	ck_assert_str_eq(call.choice.row->word.name, cases[_i].algorithm);
	ck_assert_int_eq(tmap_call_algorithm(&call)->collective, cases[_i].collective);
	ck_assert_int_eq(call.bytes, cases[_i].bytes);
	if (cases[_i].radix)
		ck_assert_int_eq(call.choice.value[0], cases[_i].radix);
	ck_assert_double_eq(weight, cases[_i].weight);
	ck_assert_int_eq(call.element, cases[_i].element);
}
END_TEST

START_TEST(other_words_are_refused)
{
	static const char *const cases[][2] = {
		{ "allgather",
		  "a call is written COLLECTIVE:ALGORITHM:BYTES[/DATATYPE][@WEIGHT], such as "
		  "allgather:ring:64KiB" },
		{ "allgather:ring",
		  "the bytes are missing: COLLECTIVE:ALGORITHM:BYTES[/DATATYPE][@WEIGHT]" },
		{ "allgather:ring:8@-1", "'-1' is no weight, which is a number above 0" },
		{ "allgather:ring:8@", "'' is no weight, which is a number above 0" },
		{ "barrier:dissemination:8", "a barrier has no bytes: barrier:ALGORITHM" },
		{ "allreduce:ucc:8", "it is not known what ucc takes (" },
		{ "neighbor_alltoall:linear:8",
		  "neighbor_alltoall needs a neighborhood: --stencil" },
		{ "bcast:binomial:8", "binomial" },
		{ "gossip:ring:8", "unknown collective 'gossip'" },
		{ "allgather:ring:8qB", "8qB" },
		{ "allreduce:ring:8/", "unknown datatype ''" },
		{ "allreduce:ring:8/dobule", "unknown datatype 'dobule'" },
		{ "allreduce:ring:8/0", "an element has 1 to 65536 bytes, not 0" },
		{ "allreduce:ring:8/1MiB", "an element has 1 to 65536 bytes, not 1048576" },
		{ "allreduce:ring:8/double_complex",
		  "8 bytes are no whole number of elements of 16 bytes" },
	};
	struct tmap_call call = { .size = 16 };
	double weight = 5;
	struct tmap_library_own own = { 0 };

	ck_assert_int_eq(tmap_calls_parse(&call, &weight, &own, cases[_i][0], &order, 0, &err), -1);
	ck_assert_msg(strstr(err.text, cases[_i][1]) != NULL, "%s", err.text);
	ck_assert_int_eq(err.kind, strstr(err.text, "not known") ? TMAP_INPUT : TMAP_USAGE);
	ck_assert_double_eq(weight, 5);
	ck_assert_ptr_null(call.choice.row);
}
END_TEST

START_TEST(what_cannot_run_at_this_size_is_refused)
{
	struct tmap_call call = { .size = 15 };
	double weight;
	struct tmap_library_own own;

	ck_assert_int_eq(tmap_calls_parse(&call, &weight, &own, "allgather:recursive_doubling:8",
					  &order, 0, &err),
			 -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("call_words");
	TCase *tests = tcase_create("call_words");

	tcase_add_loop_test(tests, a_call_is_collective_algorithm_bytes_and_weight, 0, 6);
	tcase_add_loop_test(tests, other_words_are_refused, 0, 10);
	tcase_add_test(tests, what_cannot_run_at_this_size_is_refused);
	suite_add_tcase(suite, tests);
	return suite;
}
