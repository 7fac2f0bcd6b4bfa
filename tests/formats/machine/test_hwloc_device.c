/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: recorded machines, each judged by hand from its PCI classes and IDs, port states and
 * hardware addresses; and PCI devices as pci.ids and the PCI code and ID assignment call them.
 */
#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/machine/adapter_choice.h"
#include "formats/machine/hwloc.h"
#include "tests/support/printed.h"
#include "tests/support/recorded_machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

/* Of recorded machines the adapters that messages go over; the others have none, or none but ports
 * of 1 Gb/s (plafrim-riri four, 64intel64-3g2n+2n two). */
static const struct {
	const char *file, *adapters;
} recorded[] = {
	{ "192em64t-12gr2n8c2t.xml", "mlx4_0" },
	/* mlx5_1 is of an Ethernet, as mlx5_2, which is down */
	{ "arm64-ulna-hwloc1.xml", "mlx5_[0,3]" },
	{ "avakas-node002.xml", "qib0" },
	/* mlx5_an0 is of the virtual machine's Ethernet */
	{ "azure-hbv4-176core-24l3.xml", "mlx5_ib0" },
	{ "coral-ea-hwloc1.xml", "mlx5_[0-1]" },
	{ "coral-lassen.xml", "mlx5_[0-3]" },
	{ "cts1-quartz-smt1.xml", "hfi1_0" },
	{ "eas-tioga.xml", "hsi[0-3]" },
	{ "epyc-corona-p2.xml", "mlx5_0" },
	{ "epyc-corona.xml", "mlx5_0" },
	{ "knl-snc4-flat-hwloc1.xml", "mlx5_0" },
	{ "plafrim-bonobo001.xml", "mlx4_0" },
	/* mlx4_0 is a ConnectX EN, which is Ethernet only */
	{ "plafrim-dancharia.xml", "mlx4_1" },
	{ "plafrim-manumanu.xml", "mlx4_0" },
	{ "plafrim-mirage001.xml", "mlx4_0" },
	{ "plafrim2-miriel063.xml", "qib0" },
	{ "plafrim2-miriel064.xml", "qib0" },
	{ "plafrim2-miriel065.xml", "qib0" },
	/* two ports of 10 Gb/s (82599) besides two of 1 Gb/s (I350) */
	{ "plafrim2-souris.xml", "enP2p1s0f[0-1]" },
};

static struct tmap_machine *machine_take(struct tmap_topology *topo)
{
	struct tmap_machine *machine = tmap_machine_new(&err);

	ck_assert_int_ge(tmap_machine_add_topology_take(machine, topo, &err), 0);
	tmap_topology_fini(topo);
	return machine;
}

START_TEST(recorded_machines_have_these_adapters)
{
	if (!test_data()) {
		test_skip("there are no recorded machines");
		return;
	}
	for (size_t i = 0; i < sizeof recorded_machines / sizeof recorded_machines[0]; i++) {
		const char *file = recorded_machines[i].file, *want = "none";
		char *path = tmap_format(&err, "%s/topologies/%s", test_data(), file), *names;
		struct tmap_machine *machine;
		struct tmap_topology topo;

		for (size_t k = 0; k < sizeof recorded / sizeof recorded[0]; k++)
			if (strcmp(recorded[k].file, file) == 0)
				want = recorded[k].adapters;
		ck_assert_msg(tmap_hwloc_read_xml(&topo, NULL, path, &err) == 0, "%s",
			      printed(&err));
		machine = machine_take(&topo);
		names = tmap_adapters_print(machine, &err);
		ck_assert_msg(strcmp(names, want) == 0, "%s: %s and not %s", file, names, want);
		free(names);
		tmap_machine_free(machine);
		free(path);
	}
}
END_TEST

#define HEAD \
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n" \
	"<topology version=\"2.0\"><object type=\"Machine\" os_index=\"0\" cpuset=\"0x1\" " \
	"complete_cpuset=\"0x1\" allowed_cpuset=\"0x1\" nodeset=\"0x1\" complete_nodeset=\"0x1\" " \
	"allowed_nodeset=\"0x1\" gp_index=\"1\"><object type=\"NUMANode\" os_index=\"0\" " \
	"cpuset=\"0x1\" complete_cpuset=\"0x1\" nodeset=\"0x1\" complete_nodeset=\"0x1\" " \
	"gp_index=\"2\"/><object type=\"PU\" os_index=\"0\" cpuset=\"0x1\" " \
	"complete_cpuset=\"0x1\" nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"3\"/>"
#define BRIDGE \
	"<object type=\"Bridge\" gp_index=\"4\" bridge_type=\"0-1\" depth=\"0\" " \
	"bridge_pci=\"0000:[01-01]\">"
#define PCI(type) \
	"<object type=\"PCIDev\" gp_index=\"5\" pci_busid=\"0000:01:00.0\" pci_type=\"" type \
	" [0000:0000] 00\" pci_link_speed=\"0.000000\">"
#define OS(name, type, infos) \
	"<object type=\"OSDev\" gp_index=\"6\" name=\"" name "\" osdev_type=\"" type "\">" infos \
	"</object>"
#define INFO(name, value) "<info name=\"" name "\" value=\"" value "\"/>"

static struct tmap_topology read_devices(const char *bridge, const char *devices, const char *end)
{
	char *xml = tmap_format(&err, "%s%s%s%s</object></topology>\n", HEAD, bridge, devices, end);
	struct tmap_topology topo;

	ck_assert_msg(tmap_hwloc_read_xml_buffer(&topo, NULL, xml, strlen(xml) + 1, &err) == 0,
		      "%s", printed(&err));
	free(xml);
	return topo;
}

START_TEST(a_display_that_computes_nothing_is_no_gpu)
{
	static const struct {
		const char *pci; /* class, vendor, device */
		int gpus;
	} displays[] = {
		{ PCI("0300 [1a03:2000]"), 0 }, /* ASPEED */
		{ PCI("0300 [102b:0522]"), 0 }, /* Matrox G200e */
		{ PCI("0380 [102b:0534]"), 0 }, /* Matrox G200eR2 as second display */
		{ PCI("0300 [1002:515e]"), 0 }, /* AMD ES1000 */
		{ PCI("0300 [1002:4752]"), 0 }, /* ATI Rage XL */
		{ PCI("0300 [19e5:1711]"), 0 }, /* Huawei Hi171x */
		{ PCI("0300 [1b36:0100]"), 0 }, /* QXL */
		{ PCI("0380 [1b36:0100]"), 0 }, /* QXL, not the first */
		{ PCI("0300 [1013:00b8]"), 0 }, /* Cirrus */
		{ PCI("0300 [1234:1111]"), 0 }, /* Bochs, standard VGA of QEMU */
		{ PCI("0380 [1234:1111]"), 0 }, /* the same without VGA */
		{ PCI("0300 [1af4:1050]"), 0 }, /* virtio with VGA */
		{ PCI("0380 [1af4:1050]"), 0 }, /* virtio */
		{ PCI("0300 [15ad:0405]"), 0 }, /* VMware */
		{ PCI("0300 [1414:5353]"), 0 }, /* Hyper-V */
		{ PCI("0300 [80ee:beef]"), 0 }, /* VirtualBox */
		{ PCI("0300 [8086:1912]"), 1 }, /* Intel's of the processor */
		{ PCI("0300 [1002:1638]"), 1 }, /* AMD's of the processor */
		{ PCI("0300 [1002:66a1]"), 1 }, /* Vega 20 */
		{ PCI("0380 [1002:7408]"), 1 }, /* Instinct MI250X */
		{ PCI("0300 [10de:1db6]"), 1 }, /* NVIDIA with a screen */
		{ PCI("0302 [10de:1db1]"), 1 }, /* NVIDIA Tesla: 3D */
		{ PCI("0302 [1ed5:0200]"), 1 }, /* 3D of a maker that is not known */
		{ PCI("0380 [1d94:54b7]"), 1 }, /* the same of another class */
	};

	for (size_t i = 0; i < sizeof displays / sizeof displays[0]; i++) {
		char *device =
			tmap_format(&err, "%s%s</object>", displays[i].pci, OS("card0", "1", ""));
		struct tmap_topology topo = read_devices(BRIDGE, device, "</object>");

		ck_assert_msg(topo.device_count == displays[i].gpus, "%s", displays[i].pci);
		tmap_topology_fini(&topo);
		free(device);
	}
}
END_TEST

START_TEST(a_display_on_no_pci_is_no_gpu_and_a_coprocessor_is)
{
	struct tmap_topology topo = read_devices(
		"", OS("card0", "1", "") OS("renderD128", "1", "") OS("cuda0", "5", ""), "");

	ck_assert_int_eq(topo.device_count, 1);
	ck_assert_str_eq(topo.device[0].name, "cuda0");
	ck_assert_int_eq(topo.device[0].type, TMAP_GPU);
	tmap_topology_fini(&topo);
}
END_TEST

#define LONG_ADDRESS "80:00:00:48:fe:80:00:00:00:00:00:00:00:02:c9:03:00:1b:b0:a1"

/* "ib0/mlx5_0 infiniband up 0", of each */
static char *print_adapters(const struct tmap_topology *topo)
{
	static const char *const links[] = { "?", "up", "down" };
	static const char *const layers[] = { "?", "ethernet", "infiniband" };
	struct tmap_str str = TMAP_STR_INIT;

	for (int d = 0; d < topo->device_count; d++) {
		const struct tmap_device *it = &topo->device[d];

		tmap_str_addf(&str, "%s%s%s%s %s %s %d", d ? ", " : "", it->name,
			      *it->interface_of ? "/" : "", it->interface_of, layers[it->layer],
			      links[it->link], (int)(it->bits_per_s / 1000000));
	}
	return tmap_str_take(&str, &err);
}

START_TEST(links_layers_and_speeds_are_what_hwloc_says)
{
	static const struct {
		const char *devices, *want;
	} machines[] = {
		{ PCI("0207 [15b3:1017]")
			  OS("ib0", "2", INFO("Address", LONG_ADDRESS) INFO("Port", "1"))
				  OS("mlx5_0", "3", INFO("Port1State", "4")) "</object>",
		  "ib0/mlx5_0 infiniband up 0, mlx5_0 infiniband up 0" },
		{ PCI("0280 [15b3:1003]") OS("ib0", "2",
					     INFO("Address", LONG_ADDRESS) INFO("Port", "1"))
			  OS("eth2", "2", INFO("Address", "00:02:c9:1b:b0:a1") INFO("Port", "2"))
				  OS("mlx4_0", "3",
				     INFO("Port1State", "1") INFO("Port2State", "4")) "</object>",
		  "ib0/mlx4_0 infiniband down 0, eth2/mlx4_0 ethernet up 0, mlx4_0 infiniband up 0" },
		{ PCI("0200 [15b3:1015]") OS("mlx5_1", "3", INFO("Port1State", "2")) "</object>",
		  "mlx5_1 ethernet down 0" },
		{ PCI("0c06 [15b3:634a]") OS("mlx4_0", "3", "") "</object>", "mlx4_0 ? ? 0" },
		{ PCI("0200 [8086:1521]")
			  OS("eno1", "2", INFO("Address", "08:00:69:16:8c:6e")) "</object>",
		  "eno1 ethernet ? 1000" },
		{ PCI("0200 [8086:10fb]") OS("em1", "2", "") "</object>", "em1 ? ? 0" },
		/* a name for both */
		{ PCI("0207 [15b3:1017]")
			  OS("ibp1s0", "2", INFO("Address", LONG_ADDRESS) INFO("Port", "1"))
				  OS("ibp1s0", "3", INFO("Port1State", "4")) "</object>",
		  "ibp1s0 infiniband up 0" },
		/* of a management controller, on USB */
		{ PCI("0c03 [8086:a1af]")
			  OS("enp0s20f0u1", "2", INFO("Address", "08:00:69:16:8c:6e"))
				  OS("idrac", "2", "") "</object>",
		  "" },
		/* states that are none */
		{ PCI("0207 [15b3:1017]")
			  OS("mlx5_0", "3", INFO("Port1State", "x") INFO("Port2State", "-1"))
				  OS("ib0", "2", INFO("Port", "99999999999999999999")) "</object>",
		  "mlx5_0 ? ? 0, ib0/mlx5_0 ? ? 0" },
	};

	for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
		struct tmap_topology topo = read_devices(BRIDGE, machines[i].devices, "</object>");
		char *text = print_adapters(&topo);

		ck_assert_str_eq(text, machines[i].want);
		free(text);
		tmap_topology_fini(&topo);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("hwloc_device");
	TCase *tc = tcase_create("all");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, recorded_machines_have_these_adapters);
	tcase_add_test(tc, a_display_that_computes_nothing_is_no_gpu);
	tcase_add_test(tc, a_display_on_no_pci_is_no_gpu_and_a_coprocessor_is);
	tcase_add_test(tc, links_layers_and_speeds_are_what_hwloc_says);
	suite_add_tcase(suite, tc);
	return suite;
}
