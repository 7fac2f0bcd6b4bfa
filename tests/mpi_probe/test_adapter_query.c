/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of /sys as the kernel's documentation shows them (ABI/stable/sysfs-class-infiniband,
 * ABI/testing/sysfs-class-net), in a folder of the test's own.
 */
#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/machine/device.h"
#include "mpi_probe/adapter_query.h"
#include "tests/support/imitated_root.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;
static struct tmap_topology topo;

static void setup(void)
{
	imitated_root_make();
	ck_assert_int_eq(tmap_topology_init(&topo, 2, &err), 0);
	ck_assert_int_eq(tmap_topology_finish(&topo, &err), 0);
}

static void teardown(void)
{
	imitated_root_remove();
	tmap_topology_fini(&topo);
}

static void add(const char *name, int64_t bits_per_s)
{
	struct tmap_device device = { .type = TMAP_NETWORK, .bits_per_s = bits_per_s };

	strcpy(device.name, name);
	ck_assert_int_eq(tmap_topology_add_device(&topo, &device, &err), 0);
}

static void put(const char *folder, const char *name, const char *file, const char *text)
{
	char *path = tmap_format(&err, "/sys/class/%s/%s/%s", folder, name, file);

	imitated_root_put(path, text);
	free(path);
}

static void put_port(const char *name, const char *state, const char *rate, const char *layer)
{
	put("infiniband", name, "ports/1/state", state);
	put("infiniband", name, "ports/1/rate", rate);
	put("infiniband", name, "ports/1/link_layer", layer);
}

static void put_interface(const char *name, const char *operstate, const char *carrier,
			  const char *speed, const char *type)
{
	put("net", name, "operstate", operstate);
	put("net", name, "carrier", carrier);
	put("net", name, "speed", speed);
	put("net", name, "type", type);
}

/* "mlx5_0 infiniband up 100000 *", of each; Mb/s, and a star of those that count */
static void expect(const char *want)
{
	static const char *const links[] = { "?", "up", "down" };
	static const char *const layers[] = { "?", "ethernet", "infiniband" };
	struct tmap_str str = TMAP_STR_INIT;
	char *text;

	ck_assert_int_eq(tmap_adapters_query(&topo, imitated_root, &err), 0);
	for (int d = 0; d < topo.device_count; d++) {
		const struct tmap_device *it = &topo.device[d];

		tmap_str_addf(&str, "%s%s %s %s %d%s", d ? ", " : "", it->name, layers[it->layer],
			      links[it->link], (int)(it->bits_per_s / 1000000),
			      tmap_device_is_adapter(&topo, d) ? " *" : "");
	}
	text = tmap_str_take(&str, &err);
	ck_assert_str_eq(text, want);
	free(text);
}

START_TEST(where_nothing_is_said_nothing_changes)
{
	add("eth0", 0);
	add("eno1", 1000000000);
	expect("eth0 ? ? 0 *, eno1 ? ? 1000");
	put_interface("eth0", "\n", "", "nonsense\n", "x\n");
	expect("eth0 ? ? 0 *, eno1 ? ? 1000");
}
END_TEST

START_TEST(ports_of_infiniband_have_states_and_rates)
{
	add("mlx5_0", 0);
	add("mlx5_1", 0);
	add("mlx5_2", 0);
	put_port("mlx5_0", "4: ACTIVE\n", "200 Gb/sec (4X HDR)\n", "InfiniBand\n");
	put_port("mlx5_1", "1: DOWN\n", "10 Gb/sec (4X SDR)\n", "InfiniBand\n");
	put_port("mlx5_2", "2: INIT\n", "100 Gb/sec (4X EDR)\n", "InfiniBand\n");
	expect("mlx5_0 infiniband up 200000 *, mlx5_1 infiniband down 0, mlx5_2 infiniband down 0");
}
END_TEST

START_TEST(of_two_ports_that_counts_which_is_used)
{
	add("mlx4_0", 0);
	put_port("mlx4_0", "1: DOWN\n", "10 Gb/sec (4X)\n", "InfiniBand\n");
	put("infiniband", "mlx4_0", "ports/2/state", "4: ACTIVE\n");
	put("infiniband", "mlx4_0", "ports/2/rate", "40 Gb/sec (4X QDR)\n");
	put("infiniband", "mlx4_0", "ports/2/link_layer", "Ethernet\n");
	expect("mlx4_0 ethernet up 40000 *");
	put_port("mlx4_0", "4: ACTIVE\n", "2.5 Gb/sec (1X SDR)\n", "InfiniBand\n");
	expect("mlx4_0 infiniband up 2500 *");
}
END_TEST

START_TEST(interfaces_have_states_and_speeds)
{
	add("eth0", 0);
	add("eth1", 0);
	add("eth2", 0);
	add("eth3", 0);
	put_interface("eth0", "up\n", "1\n", "25000\n", "1\n");
	put_interface("eth1", "down\n", "", "", "1\n");
	put_interface("eth2", "unknown\n", "1\n", "-1\n", "1\n");
	put_interface("eth3", "unknown\n", "0\n", "100000\n", "1\n");
	expect("eth0 ethernet up 25000 *, eth1 ethernet down 0, eth2 ethernet up 0 *, "
	       "eth3 ethernet down 0");
}
END_TEST

START_TEST(a_port_for_management_makes_no_difference)
{
	static const char *const speeds[] = { "1000\n", "100\n", "-1\n" };

	add("eno1", 1000000000);
	add("eno2", 0);
	add("ib0", 0);
	add("mlx5_0", 0);
	put_port("mlx5_0", "4: ACTIVE\n", "100 Gb/sec (4X EDR)\n", "InfiniBand\n");
	for (int i = 0; i < 3; i++) {
		put_interface("eno1", i ? "up\n" : "down\n", "1\n", speeds[i], "1\n");
		put_interface("eno2", i == 1 ? "up\n" : "down\n", "1\n", speeds[i], "1\n");
		put_interface("ib0", i == 2 ? "up\n" : "down\n", "1\n", speeds[i], "32\n");
		expect("eno1 ethernet ? 1000, eno2 ethernet ? 0, ib0 infiniband ? 0, "
		       "mlx5_0 infiniband up 100000 *");
	}
	/* nor is the one that is up the network where there is no other one */
	put_port("mlx5_0", "1: DOWN\n", "10 Gb/sec (4X)\n", "InfiniBand\n");
	put_interface("eno1", "up\n", "1\n", "1000\n", "1\n");
	put_interface("eno2", "down\n", "0\n", "-1\n", "1\n");
	put_interface("ib0", "down\n", "0\n", "-1\n", "32\n");
	topo.device[3].bits_per_s = 0;
	expect("eno1 ethernet ? 1000, eno2 ethernet down 0, ib0 infiniband down 0, "
	       "mlx5_0 infiniband down 0");
}
END_TEST

START_TEST(a_speed_that_is_none_and_a_name_that_is_a_path_say_nothing)
{
	add("mlx5_0", 0);
	add("eth0", 7000000);
	add("../net/eth0", 0);
	add("..", 0);
	put_port("mlx5_0", "4: ACTIVE\n", "1e99 Gb/sec\n", "Unspecified\n");
	put_interface("eth0", "up\n", "1\n", "99999999999999999999\n", "1\n");
	expect("mlx5_0 ? up 0 *, eth0 ethernet ? 7, ../net/eth0 ? ? 0, .. ? ? 0");
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("adapter_query");
	TCase *tc = tcase_create("all");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, where_nothing_is_said_nothing_changes);
	tcase_add_test(tc, ports_of_infiniband_have_states_and_rates);
	tcase_add_test(tc, of_two_ports_that_counts_which_is_used);
	tcase_add_test(tc, interfaces_have_states_and_speeds);
	tcase_add_test(tc, a_port_for_management_makes_no_difference);
	tcase_add_test(tc, a_speed_that_is_none_and_a_name_that_is_a_path_say_nothing);
	suite_add_tcase(suite, tc);
	return suite;
}
