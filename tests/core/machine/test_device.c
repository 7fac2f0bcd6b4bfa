/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: nodes as they are built, each judged by hand: what MPI libraries send over there. */
#include "core/machine/device.h"

#include "core/base/string.h"
#include "core/machine/adapter_choice.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

struct node {
	const char *what;
	/* "ib0/mlx5_0 up infiniband 100": the name, what it is an interface of, link, link layer, and
	 * Gb/s; all but the name may be absent */
	const char *devices;
	const char *count; /* the names of those that count */
};

static const struct node nodes[] = {
	{ "a port for management beside InfiniBand",
	  "eno1 up ethernet 1, ib0/mlx5_0 up infiniband 100, mlx5_0 up infiniband 100", "mlx5_0" },
	{ "a document that has only names", "eth0, ib0, mlx5_0, mlx5_1", "mlx5_[0-1]" },
	{ "1 Gb/s alone is for management", "eno1 up ethernet 1, eno2 down ethernet", "none" },
	{ "1 Gb/s beside 25 Gb/s",
	  "eno1 up ethernet 1, ens1f0 up ethernet 25, ens1f1 up ethernet 25", "ens1f[0-1]" },
	{ "1 Gb/s by its ID beside one that nobody knows",
	  "eno1 unknown ethernet 1, ens1 unknown ethernet", "ens1" },
	{ "25 Gb/s whose cable is out beside 1 Gb/s", "eno1 up ethernet 1, ens1 down ethernet 25",
	  "none" },
	{ "10 and 100 Gb/s", "ens1 up ethernet 10, ens2 up ethernet 100", "ens2" },
	{ "2.5 Gb/s is no port for management",
	  "eno1 up ethernet 2.5, eno2 up ethernet, eno3 up ethernet 1", "eno[1-2]" },
	{ "four of InfiniBand, one of which is down",
	  "mlx5_0 up infiniband 200, mlx5_1 down infiniband, mlx5_2 up infiniband 200, "
	  "mlx5_3 up infiniband 200",
	  "mlx5_[0,2-3]" },
	{ "the interface of one that is down is down with it",
	  "ib0/mlx5_0 down infiniband, mlx5_0 down infiniband, eth0 up ethernet 10", "eth0" },
	{ "all are down", "mlx5_0 down infiniband, eth0 down ethernet 10", "none" },
	{ "RDMA over an Ethernet beside InfiniBand, as on Azure",
	  "ib0/mlx5_ib0 up infiniband 400, mlx5_ib0 up infiniband 400, eth1/mlx5_an0 up ethernet 50, "
	  "mlx5_an0 up ethernet 50, eth0 up ethernet 50",
	  "mlx5_ib0" },
	{ "RDMA over an Ethernet, of two speeds",
	  "mlx5_0 up ethernet 25, mlx5_1 up ethernet 200, mlx5_2 up ethernet 200, eno1 up ethernet 1",
	  "mlx5_[1-2]" },
	{ "RDMA at 1 Gb/s beside a plain 100 Gb/s",
	  "irdma0 up ethernet 1, eno1/irdma0 up ethernet 1, ens1 up ethernet 100", "ens1" },
	{ "RDMA of a maker whose adapters are on Ethernets, beside one of InfiniBand",
	  "bnxt_re0, mlx5_0", "mlx5_0" },
	{ "an old card of InfiniBand for storage",
	  "mlx4_0 up infiniband 40, mlx5_0 up infiniband 200, mlx5_1 up infiniband 100",
	  "mlx5_[0-1]" },
	{ "Slingshot over ConnectX",
	  "hsn0/mlx5_0 up ethernet 100, mlx5_0 up ethernet 100, eth0 up ethernet 1", "hsn0" },
	{ "Slingshot", "cxi0, cxi1, hsn0 up ethernet 200, hsn1 up", "cxi[0-1]" },
	{ "Omni-Path beside a port of 10 Gb/s",
	  "eno1 up ethernet 1, ens786f0 up ethernet 10, hsi0/hfi1_0 up infiniband 100, "
	  "hfi1_0 up infiniband 100",
	  "hfi1_0" },
	{ "an interface of InfiniBand by another name",
	  "net0 up infiniband 40, eth0 up ethernet 40", "net0" },
	{ "what no cable leads to",
	  "lo up, docker0 up ethernet, virbr0, veth12ab up ethernet 10, enxd0c1b5000f2a up ethernet, "
	  "enp0s20f0u1 up ethernet, eth0.100 up, usb0, bond0 up ethernet 50, wlan0 up ethernet",
	  "none" },
	{ "two networks for message passing whose links nobody knows", "hfi1_0, mlx4_0",
	  "hfi1_0,mlx4_0" },
};

static int word_find(const char *const *words, const char *word)
{
	for (int i = 0; words[i]; i++)
		if (strcmp(words[i], word) == 0)
			return i;
	ck_assert_msg(!*word, "%s", word);
	return 0;
}

static void device_parse(struct tmap_device *device, const char *text)
{
	static const char *const links[] = { "unknown", "up", "down", NULL };
	static const char *const layers[] = { "unknown", "ethernet", "infiniband", NULL };
	char name[64] = "", link[16] = "", layer[16] = "", *slash;
	double gbit_per_s = 0;

	*device = (struct tmap_device){ .type = TMAP_NETWORK };
	ck_assert_int_ge(
		sscanf(text, "%63[^ ,] %15[^ ,] %15[^ ,] %lf", name, link, layer, &gbit_per_s), 1);
	slash = strchr(name, '/');
	if (slash) {
		strcpy(device->interface_of, slash + 1);
		*slash = '\0';
	}
	strcpy(device->name, name);
	device->link = (enum tmap_link)word_find(links, link);
	device->layer = (enum tmap_link_layer)word_find(layers, layer);
	device->bits_per_s = (int64_t)(gbit_per_s * 1e9);
}

static struct tmap_machine *machine_of(const char *devices)
{
	struct tmap_machine *machine = tmap_machine_new(&err);
	struct tmap_topology topo;

	ck_assert_int_eq(tmap_topology_init(&topo, 4, &err), 0);
	ck_assert_int_eq(tmap_topology_finish(&topo, &err), 0);
	for (const char *at = devices; *at; at += strcspn(at, ","), at += strspn(at, ", ")) {
		struct tmap_device device;

		device_parse(&device, at);
		ck_assert_int_eq(tmap_topology_add_device(&topo, &device, &err), 0);
	}
	ck_assert_int_ge(tmap_machine_add_topology_take(machine, &topo, &err), 0);
	tmap_topology_fini(&topo);
	return machine;
}

static void expect(const struct tmap_machine *machine, const char *what, const char *names)
{
	char *text = tmap_adapters_print(machine, &err);

	ck_assert_msg(strcmp(text, names) == 0, "%s: %s and not %s", what, text, names);
	free(text);
}

START_TEST(adapters_count_by_network_link_and_speed)
{
	const struct node *node = &nodes[_i];
	struct tmap_machine *machine = machine_of(node->devices);

	expect(machine, node->what, node->count);
	ck_assert(!tmap_adapters_are_chosen(machine));
	tmap_machine_free(machine);
}
END_TEST

static const char many[] = "ib0/mlx5_ib0 down infiniband, mlx5_ib0 down infiniband, eth0 up "
			   "ethernet 1, mlx5_9 up ethernet, mlx5_10 up ethernet, mlx5_11 up "
			   "ethernet, docker0";

START_TEST(the_user_has_the_last_word)
{
	static const struct {
		const char *list, *names;
	} want[] = {
		{ "eth0", "eth0" },
		{ "ib0,mlx5_ib0", "ib0,mlx5_ib0" },
		{ "mlx5_[9-11]", "mlx5_[9-11]" },
		{ "mlx5_[9,11],eth0", "eth0,mlx5_[9,11]" },
		{ "mlx5_*", "mlx5_ib0,mlx5_[9-11]" },
		{ "mlx5_1?", "mlx5_[10-11]" },
		{ "mlx5_[a-z]*", "mlx5_ib0" },
		{ "[em]*[!0]", "mlx5_[9,11]" },
		{ "docker0", "docker0" },
		{ "all", "docker0,eth0,mlx5_ib0,mlx5_[9-11]" },
		{ "none", "none" },
	};
	struct tmap_machine *machine = machine_of(many);

	ck_assert_int_eq(tmap_adapters_choose(machine, NULL, &err), 0);
	expect(machine, "by the rule", "mlx5_[9-11]");
	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
		ck_assert_int_eq(tmap_adapters_choose(machine, want[i].list, &err), 0);
		expect(machine, want[i].list, want[i].names);
		ck_assert(tmap_adapters_are_chosen(machine));
	}
	tmap_machine_free(machine);
}
END_TEST

START_TEST(a_name_that_no_node_has_is_refused_and_nothing_chosen)
{
	static const char *const lists[] = { "ib1",   "mlx5_[8-9]", "eth0,hsn*", "mlx5_[9",
					     "ib0,?", "none,all",   "[",         "eth0\n" };
	static const char *const empty[] = { "", ",", "eth0,", ",eth0", "eth0,,ib0" };
	struct tmap_machine *machine = machine_of(many);

	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
		ck_assert_int_eq(tmap_adapters_choose(machine, lists[i], &err), -1);
		ck_assert_int_eq(err.kind, TMAP_INPUT);
		ck_assert_ptr_nonnull(strstr(
			err.text, "those that there are: docker0,eth0,ib0,mlx5_ib0,mlx5_[9-11]"));
	}
	for (size_t i = 0; i < sizeof empty / sizeof empty[0]; i++) {
		ck_assert_int_eq(tmap_adapters_choose(machine, empty[i], &err), -1);
		ck_assert_int_eq(err.kind, TMAP_USAGE);
	}
	ck_assert(!tmap_adapters_are_chosen(machine));
	tmap_machine_free(machine);
	machine = machine_of("");
	ck_assert_int_eq(tmap_adapters_choose(machine, "eth0", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "none at all"));
	ck_assert_int_eq(tmap_adapters_choose(machine, "all", &err), 0);
	tmap_machine_free(machine);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("device");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, adapters_count_by_network_link_and_speed, 0,
			    sizeof nodes / sizeof nodes[0]);
	tcase_add_test(tc, the_user_has_the_last_word);
	tcase_add_test(tc, a_name_that_no_node_has_is_refused_and_nothing_chosen);
	suite_add_tcase(suite, tc);
	return suite;
}
