/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: sizes of MPI's datatypes as the standard and x86-64 have them; cuts of a vector worked
 * out by hand from the libraries' sources.
 */
#include "core/schedule/datatype.h"

#include "core/algorithms/catalogue.h"
#include "core/schedule/schedule.h"
#include "tests/unit.h"

#include <string.h>

static struct tmap_error err;

START_TEST(names_and_sizes_are_read)
{
	static const struct {
		const char *text;
		int64_t bytes;
	} cases[] = {
		{ "double", 8 },    { "MPI_DOUBLE", 8 }, { "mpi_Double", 8 },
		{ "DOUBLE", 8 },    { "int", 4 },        { "MPI_C_DOUBLE_COMPLEX", 16 },
		{ "MPI_2INT", 8 },  { "byte", 1 },       { "double_int", 12 },
		{ "float", 4 },     { "1", 1 },          { "24", 24 },
		{ "64KiB", 65536 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int64_t bytes = 0;

		ck_assert_msg(tmap_datatype_parse(cases[i].text, &bytes, &err) == 0, "%s: %s",
			      cases[i].text, err.text);
		ck_assert_int_eq(bytes, cases[i].bytes);
	}
}
END_TEST

START_TEST(what_is_neither_is_refused)
{
	static const char *const cases[] = { "",     "0",   "65537", "8x", "-1",
					     "MPI_", "dbl", "MPI_8", "8 ", "99999999999999999999" };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int64_t bytes = 5;

		ck_assert_int_eq(tmap_datatype_parse(cases[i], &bytes, &err), -1);
		ck_assert_int_eq(err.kind, TMAP_USAGE);
		ck_assert_int_eq(bytes, 5);
	}
}
END_TEST

/* Bytes of all units of a vector, which must add up. */
static void check_cut(enum tmap_collective collective, const char *algorithm, int size,
		      int64_t element, const int64_t *elements, int count)
{
	struct tmap_call call = { .size = size, .element = element };
	int64_t all = 0;

	for (int i = 0; i < count; i++)
		call.bytes += elements[i] * element;
	ck_assert_int_eq(tmap_call_parse(&call, collective, algorithm, &err), 0);
	ck_assert_int_eq(tmap_unit_count(&call), count);
	for (int i = 0; i < count; i++) {
		ck_assert_int_eq(tmap_unit_bytes(&call, i), elements[i] * element);
		ck_assert_int_eq(tmap_run_bytes(&call, &(struct tmap_run){ 0, i, 1 }), all);
		all += elements[i] * element;
	}
	ck_assert_int_eq(tmap_run_bytes(&call, &(struct tmap_run){ 0, (count + 1) / 2, 2 }) +
				 tmap_run_bytes(&call, &(struct tmap_run){ 1, count / 2, 2 }),
			 all);
}

#define CUT(collective, algorithm, size, element, ...) \
	check_cut(collective, algorithm, size, element, (const int64_t[]){ __VA_ARGS__ }, \
		  (int)(sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t)))

START_TEST(vectors_are_cut_by_elements_as_libraries_do)
{
	/* the first ones larger */
	CUT(TMAP_ALLREDUCE, "ring", 4, 8, 3, 3, 2, 2);
	CUT(TMAP_REDUCE_SCATTER, "pairwise", 5, 4, 1, 1, 1, 0, 0);
	/* Open MPI halves and halves again, the low half rounded down: 11 = 5 + 6, 2 + 3, 3 + 3 */
	CUT(TMAP_ALLREDUCE, "rabenseifner", 4, 8, 2, 3, 3, 3);
	CUT(TMAP_ALLREDUCE, "rabenseifner", 7, 1, 1, 1, 1, 2);
	CUT(TMAP_REDUCE, "rabenseifner,fold=mpich", 4, 8, 3, 3, 3, 2);
	/* full pieces as long as there is something left */
	CUT(TMAP_BCAST, "scatter_allgather", 8, 1, 3, 3, 3, 3, 3, 3, 2, 0);
	CUT(TMAP_BCAST, "scatter_ring", 5, 8, 1, 1, 1, 0, 0);
	CUT(TMAP_BCAST, "pipeline,segment=64", 3, 8, 8, 8, 4);
	/* segments are rounded to elements: 60 bytes are 8 (7.5) of 8 bytes, 7 of 9 (6.67) */
	CUT(TMAP_BCAST, "pipeline,segment=59", 3, 8, 7, 7, 6);
	CUT(TMAP_BCAST, "pipeline,segment=61", 3, 8, 8, 8, 4);
	/* each rank's block in phases of its own: 2 x 5 and 2 x 4 elements */
	CUT(TMAP_ALLREDUCE, "segmented_ring,segment=16", 4, 8, 3, 2, 3, 2, 2, 2, 2, 2);
}
END_TEST

START_TEST(bytes_that_are_no_elements_are_refused)
{
	struct tmap_call call = { .size = 4, .bytes = 10, .element = 4 };

	ck_assert_int_eq(tmap_call_parse(&call, TMAP_ALLREDUCE, "ring", &err), 0);
	ck_assert_int_eq(tmap_call_check(&call, &err), -1);
	ck_assert_str_eq(err.text, "10 bytes are no whole number of elements of 4 bytes");
	ck_assert_int_eq(tmap_datatype_check(4, 10, &err), -1);
	ck_assert_int_eq(tmap_datatype_check(0, 10, &err), 0);
	ck_assert_int_eq(tmap_datatype_check(5, 10, &err), 0);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("datatype");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, names_and_sizes_are_read);
	tcase_add_test(tc, what_is_neither_is_refused);
	tcase_add_test(tc, vectors_are_cut_by_elements_as_libraries_do);
	tcase_add_test(tc, bytes_that_are_no_elements_are_refused);
	suite_add_tcase(suite, tc);
	return suite;
}
