/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of /proc and /sys as the kernel's documentation shows them (cgroup-v1/memory.rst,
 * cgroup-v2.rst, scheduler/sched-bwc.rst, cputopology.rst), in a folder of the test's own.
 */
#include "mpi_probe/system_query.h"
#include "tests/support/imitated_root.h"
#include "tests/unit.h"

static struct tmap_error err;
static struct tmap_system seen;

static void teardown(void)
{
	imitated_root_remove();
	tmap_system_fini(&seen);
}

static void query(void)
{
	tmap_system_fini(&seen);
	ck_assert_int_eq(tmap_system_query(&seen, imitated_root, &err), 0);
}

START_TEST(where_nothing_is_said_nothing_is_limited)
{
	query();
	ck_assert(tmap_system_is_plain(&seen));
	imitated_root_put("/proc/self/cgroup", "garbage\n:::\n\n1:\n");
	imitated_root_put("/sys/devices/system/cpu/isolated", "\n");
	imitated_root_put("/sys/devices/system/cpu/nohz_full", "(null)\n");
	query();
	ck_assert(tmap_system_is_plain(&seen));
}
END_TEST

START_TEST(version_2_has_the_least_limit_on_the_way)
{
	imitated_root_put("/proc/self/cgroup", "0::/job/step\n");
	imitated_root_put("/sys/fs/cgroup/job/step/cpu.max", "max 100000\n");
	imitated_root_put("/sys/fs/cgroup/job/cpu.max", "150000 100000\n");
	imitated_root_put("/sys/fs/cgroup/job/step/memory.max", "8589934592\n");
	imitated_root_put("/sys/fs/cgroup/job/memory.max", "max\n");
	query();
	ck_assert_int_eq(seen.cpu_quota_thousandths, 1500);
	ck_assert_int_eq(seen.memory_limit_bytes, INT64_C(8589934592));
	imitated_root_put("/sys/fs/cgroup/cpu.max", "20000 50000\n");
	query();
	ck_assert_int_eq(seen.cpu_quota_thousandths, 400);
}
END_TEST

START_TEST(version_1_has_a_hierarchy_for_each_controller)
{
	imitated_root_put("/proc/self/cgroup",
			  "9:name=systemd:/x\n4:memory:/job\n3:cpuacct,cpu:/a/b\n0::/\n");
	imitated_root_put("/sys/fs/cgroup/cpuacct,cpu/a/b/cpu.cfs_quota_us", "-1\n");
	imitated_root_put("/sys/fs/cgroup/cpuacct,cpu/a/b/cpu.cfs_period_us", "100000\n");
	imitated_root_put("/sys/fs/cgroup/memory/job/memory.limit_in_bytes",
			  "9223372036854771712\n");
	query();
	ck_assert(tmap_system_is_plain(&seen));
	imitated_root_put("/sys/fs/cgroup/cpuacct,cpu/a/cpu.cfs_quota_us", "400000\n");
	imitated_root_put("/sys/fs/cgroup/cpuacct,cpu/a/cpu.cfs_period_us", "100000\n");
	imitated_root_put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "4294967296\n");
	query();
	ck_assert_int_eq(seen.cpu_quota_thousandths, 4000);
	ck_assert_int_eq(seen.memory_limit_bytes, INT64_C(4294967296));
}
END_TEST

START_TEST(pus_that_are_kept_apart_are_sets)
{
	struct tmap_bytes bytes = { 0 };
	struct tmap_system back;

	imitated_root_put("/sys/devices/system/cpu/isolated", "1-7,9\n");
	imitated_root_put("/sys/devices/system/cpu/nohz_full", "2-3\n");
	query();
	ck_assert_int_eq(tmap_idset_size(&seen.isolated), 8);
	ck_assert_int_eq(tmap_idset_size(&seen.nohz_full), 2);
	seen.cpu_quota_thousandths = 1;
	tmap_system_pack(&bytes, &seen);
	for (size_t length = 0; length <= bytes.length; length++) {
		struct tmap_cursor cursor = { .at = bytes.data, .left = length };

		ck_assert_int_eq(tmap_system_unpack(&back, &cursor, &err), 0);
		ck_assert_int_eq(tmap_cursor_end(&cursor, "it", &err),
				 length == bytes.length ? 0 : -1);
		if (length == bytes.length)
			ck_assert(tmap_system_equal(&seen, &back));
		tmap_system_fini(&back);
	}
	tmap_bytes_fini(&bytes);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("system_query");
	TCase *tc = tcase_create("all");

	tcase_add_checked_fixture(tc, imitated_root_make, teardown);
	tcase_add_test(tc, where_nothing_is_said_nothing_is_limited);
	tcase_add_test(tc, version_2_has_the_least_limit_on_the_way);
	tcase_add_test(tc, version_1_has_a_hierarchy_for_each_controller);
	tcase_add_test(tc, pus_that_are_kept_apart_are_sets);
	suite_add_tcase(suite, tc);
	return suite;
}
