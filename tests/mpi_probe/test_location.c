/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: /proc/self/status, which the kernel writes by another way than the system calls
 * that are tested, and sched_setaffinity. Sets are compared as text.
 */
#include "mpi_probe/location.h"
#include "tests/unit.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static void read_status(const char *key, char *value, size_t size)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[4096];

	ck_assert_ptr_nonnull(file);
	value[0] = '\0';
	while (fgets(line, sizeof line, file))
		if (strncmp(line, key, strlen(key)) == 0)
			snprintf(value, size, "%s", line + strlen(key) + 1);
	fclose(file);
	value[strcspn(value, "\n")] = '\0';
}

static void expect_set(const struct tmap_idset *set, const char *wanted)
{
	char *text = tmap_idset_print(set, &err);

	ck_assert_str_eq(text, wanted);
	free(text);
}

START_TEST(the_pus_and_numa_nodes_are_those_that_the_kernel_lists)
{
	struct tmap_probed_location location;
	char pus[1024], memory[1024];

	read_status("Cpus_allowed_list:", pus, sizeof pus);
	read_status("Mems_allowed_list:", memory, sizeof memory);
	ck_assert_int_eq(tmap_probed_location_query(&location, &err), 0);
	expect_set(&location.pus, pus);
	if (location.memory.count) /* containers may forbid the question */
		expect_set(&location.memory, memory);
	tmap_probed_location_fini(&location);
}
END_TEST

START_TEST(a_process_bound_to_one_pu_runs_there)
{
	struct tmap_probed_location before, location;
	cpu_set_t set;
	int pu;

	ck_assert_int_eq(tmap_probed_location_query(&before, &err), 0);
	pu = before.pus.range[before.pus.count - 1].last;
	ck_assert_int_lt(pu, CPU_SETSIZE);
	CPU_ZERO(&set);
	CPU_SET((size_t)pu, &set);
	ck_assert_int_eq(sched_setaffinity(0, sizeof set, &set), 0);
	ck_assert_int_eq(tmap_probed_location_query(&location, &err), 0);
	ck_assert_int_eq(location.last_pu, pu);
	ck_assert_int_eq(tmap_idset_size(&location.pus), 1);
	ck_assert(tmap_idset_contains(&location.pus, pu));
	tmap_probed_location_fini(&before);
	tmap_probed_location_fini(&location);
}
END_TEST

static struct tmap_probed_location sample(void)
{
	struct tmap_probed_location location = { .last_pu = 8 };

	ck_assert_int_eq(tmap_idset_parse(&location.pus, "0-3,8,64-127", 4095, &err), 0);
	ck_assert_int_eq(tmap_idset_parse(&location.memory, "1", 4095, &err), 0);
	return location;
}

START_TEST(a_location_survives_the_journey)
{
	struct tmap_probed_location location = sample(), back;
	struct tmap_bytes bytes = { 0 };
	struct tmap_cursor cursor;

	tmap_probed_location_pack(&bytes, &location);
	cursor = (struct tmap_cursor){ .at = bytes.data, .left = bytes.length };
	ck_assert_int_eq(tmap_probed_location_unpack(&back, &cursor, &err), 0);
	ck_assert_int_eq(tmap_cursor_end(&cursor, "a location", &err), 0);
	expect_set(&back.pus, "0-3,8,64-127");
	expect_set(&back.memory, "1");
	ck_assert_int_eq(back.last_pu, 8);
	tmap_probed_location_fini(&back);
	tmap_probed_location_fini(&location);
	tmap_bytes_fini(&bytes);
}
END_TEST

START_TEST(a_location_cut_anywhere_is_noticed)
{
	struct tmap_probed_location location = sample(), back;
	struct tmap_bytes bytes = { 0 };

	tmap_probed_location_pack(&bytes, &location);
	for (size_t length = 0; length < bytes.length; length++) {
		struct tmap_cursor cursor = { .at = bytes.data, .left = length };

		ck_assert_int_eq(tmap_probed_location_unpack(&back, &cursor, &err), 0);
		ck_assert_int_eq(tmap_cursor_end(&cursor, "a location", &err), -1);
		tmap_probed_location_fini(&back);
	}
	tmap_probed_location_fini(&location);
	tmap_bytes_fini(&bytes);
}
END_TEST

START_TEST(a_range_that_runs_backwards_is_noticed)
{
	static const unsigned char backwards[] = { 1, 0, 0, 0, 5, 0, 0, 0, 4, 0, 0, 0 };
	struct tmap_cursor cursor = { .at = backwards, .left = sizeof backwards };
	struct tmap_idset set = { 0 };

	ck_assert_int_eq(tmap_idset_unpack(&set, &cursor, &err), 0);
	ck_assert_int_eq(tmap_cursor_end(&cursor, "a set", &err), -1);
	tmap_idset_fini(&set);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("location");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, the_pus_and_numa_nodes_are_those_that_the_kernel_lists);
	tcase_add_test(tc, a_process_bound_to_one_pu_runs_there);
	tcase_add_test(tc, a_location_survives_the_journey);
	tcase_add_test(tc, a_location_cut_anywhere_is_noticed);
	tcase_add_test(tc, a_range_that_runs_backwards_is_noticed);
	suite_add_tcase(suite, tc);
	return suite;
}
