/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: the bytes themselves, of which one in each line has changed after each sweep. */
#include "mpi_run/bench/cache_sweep.h"

#include "tests/unit.h"

static struct tmap_error err;

START_TEST(each_line_is_changed_by_each_sweep)
{
	static const int64_t sizes[] = { 1, 63, 64, 65, 4096, 1000003 };

	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		struct tmap_cache_sweep it;

		ck_assert_int_eq(tmap_cache_sweep_init(&it, sizes[s], &err), 0);
		ck_assert_uint_eq(it.bytes, (size_t)sizes[s]);
		for (int sweep = 1; sweep < 300; sweep += 149) {
			for (size_t i = 0; i < it.bytes; i++)
				ck_assert_int_eq(it.memory[i],
						 i % TMAP_CACHE_LINE ? 0 : sweep % 256);
			for (int k = 0; k < 149; k++)
				tmap_cache_sweep_run(&it);
		}
		tmap_cache_sweep_fini(&it);
	}
}
END_TEST

START_TEST(nothing_is_swept_where_nothing_is_asked_for)
{
	struct tmap_cache_sweep it;

	for (int64_t bytes = -1; bytes <= 0; bytes++) {
		ck_assert_int_eq(tmap_cache_sweep_init(&it, bytes, &err), 0);
		ck_assert_ptr_null(it.memory);
		tmap_cache_sweep_run(&it);
		tmap_cache_sweep_fini(&it);
	}
}
END_TEST

START_TEST(memory_that_there_is_not_is_refused)
{
	struct tmap_cache_sweep it;

	ck_assert_int_eq(tmap_cache_sweep_init(&it, INT64_MAX, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_SYSTEM);
	ck_assert_uint_eq(it.bytes, 0);
	tmap_cache_sweep_fini(&it);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("cache_sweep");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, each_line_is_changed_by_each_sweep);
	tcase_add_test(tc, nothing_is_swept_where_nothing_is_asked_for);
	tcase_add_test(tc, memory_that_there_is_not_is_refused);
	suite_add_tcase(suite, tc);
	return suite;
}
