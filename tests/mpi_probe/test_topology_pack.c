/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: write-then-read; the rounding by numbers written down by hand. */
#include "formats/machine/hwloc.h"
#include "mpi_probe/topology_pack.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static struct tmap_topology sample(void)
{
	static const struct tmap_memory gpu = { 7,     TMAP_NONE, (int64_t)16 << 30,
						"HBM", false,     (int64_t)2 << 30 };
	static const struct tmap_device adapter = { .type = TMAP_NETWORK,
						    .name = "ib0",
						    .object = 1,
						    .link = TMAP_LINK_DOWN,
						    .layer = TMAP_LAYER_INFINIBAND,
						    .bits_per_s = 100000000000,
						    .interface_of = "mlx5_0" };
	struct tmap_idset pus = { 0 };
	struct tmap_topology topo;

	ck_assert_int_eq(tmap_hwloc_read_synthetic(&topo,
						   "package:2 [numa] l3:2 core:3 "
						   "pu:2(indexes=package:core)",
						   &err),
			 0);
	topo.pu[3].allowed = false;
	topo.memory[0].size_bytes = topo.memory[1].size_bytes = (int64_t)96 << 30;
	ck_assert_int_eq(tmap_topology_add_memory(&topo, &gpu, &err), 0);
	ck_assert_int_eq(tmap_topology_add_device(&topo, &adapter, &err), 0);
	ck_assert_int_eq(tmap_idset_add_range(&pus, 4, 9, &err), 0);
	ck_assert_int_eq(tmap_topology_add_kind(&topo, "slow", &pus, &err), 0);
	tmap_idset_fini(&pus);
	return topo;
}

START_TEST(a_topology_survives_the_journey)
{
	struct tmap_topology topo = sample(), back;
	struct tmap_bytes bytes = { 0 };

	tmap_topology_pack(&bytes, &topo);
	ck_assert_int_eq(tmap_bytes_check(&bytes, &err), 0);
	ck_assert_int_eq(tmap_topology_unpack(&back, bytes.data, bytes.length, &err), 0);
	ck_assert_int_eq(back.memory_count, 3);
	ck_assert(tmap_topology_equal(&topo, &back));
	tmap_bytes_fini(&bytes);
	tmap_topology_fini(&topo);
	tmap_topology_fini(&back);
}
END_TEST

START_TEST(a_topology_cut_anywhere_is_refused)
{
	struct tmap_topology topo = sample(), back;
	struct tmap_bytes bytes = { 0 };

	tmap_topology_pack(&bytes, &topo);
	for (size_t length = 0; length < bytes.length; length++)
		ck_assert_int_eq(tmap_topology_unpack(&back, bytes.data, length, &err), -1);
	tmap_bytes_add_int(&bytes, 0);
	ck_assert_int_eq(tmap_topology_unpack(&back, bytes.data, bytes.length, &err), -1);
	tmap_bytes_fini(&bytes);
	tmap_topology_fini(&topo);
}
END_TEST

/* What the bytes say may be wrong anywhere: no crash, and no topology that is not one. */
START_TEST(a_damaged_byte_is_refused_or_gives_a_topology)
{
	struct tmap_topology topo = sample();
	struct tmap_bytes bytes = { 0 };

	tmap_topology_pack(&bytes, &topo);
	for (size_t at = 0; at < bytes.length; at++) {
		struct tmap_topology back = { 0 };

		bytes.data[at] ^= 0x81;
		if (tmap_topology_unpack(&back, bytes.data, bytes.length, &err) == 0)
			ck_assert_int_eq(back.object[0].end_pu, back.pu_count);
		tmap_topology_fini(&back);
		bytes.data[at] ^= 0x81;
	}
	tmap_bytes_fini(&bytes);
	tmap_topology_fini(&topo);
}
END_TEST

START_TEST(memories_that_differ_by_some_pages_are_equal)
{
	struct tmap_topology one = sample(), other = sample();
	struct tmap_bytes a = { 0 }, b = { 0 };

	one.memory[0].size_bytes = 270083268608;   /* 251.5 GiB of 256 */
	other.memory[0].size_bytes = 270083239936; /* 7 pages less */
	tmap_topology_pack(&a, &one);
	tmap_topology_pack(&b, &other);
	ck_assert_uint_eq(a.length, b.length);
	ck_assert_mem_eq(a.data, b.data, a.length);
	tmap_bytes_fini(&a);
	tmap_bytes_fini(&b);
	tmap_topology_fini(&one);
	tmap_topology_fini(&other);
}
END_TEST

START_TEST(sizes_are_rounded_to_seven_bits)
{
	static const int64_t pairs[][2] = {
		{ 0, 0 },
		{ 1, 1 },
		{ 127, 127 },
		{ 128, 128 },
		{ 129, 130 },
		{ 255, 256 },
		{ 1000, 1000 },
		{ 1001, 1000 },
		{ 1004, 1008 },
		{ (int64_t)3 << 30, (int64_t)3 << 30 },
		{ INT64_MAX, INT64_MAX },
	};

	ck_assert_int_eq(tmap_memory_round(pairs[_i][0]), pairs[_i][1]);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("topology_pack");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, a_topology_survives_the_journey);
	tcase_add_test(tc, a_topology_cut_anywhere_is_refused);
	tcase_add_test(tc, a_damaged_byte_is_refused_or_gives_a_topology);
	tcase_add_test(tc, memories_that_differ_by_some_pages_are_equal);
	tcase_add_loop_test(tc, sizes_are_rounded_to_seven_bits, 0, 11);
	suite_add_tcase(suite, tc);
	return suite;
}
