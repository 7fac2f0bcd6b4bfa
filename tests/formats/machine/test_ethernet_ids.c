/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: the list of PCI IDs that systems have (pci.ids), where there is one. */
#include "formats/machine/ethernet_ids.h"
#include "tests/unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The name of a device in the open list; NULL: it is not there. */
static char *find_name(FILE *file, unsigned vendor, unsigned device, char line[512])
{
	bool is_vendor = false;

	rewind(file);
	while (fgets(line, 512, file)) {
		if (line[0] == 'C' && line[1] == ' ')
			break; /* classes follow */
		if (line[0] != '\t' && line[0] != '#')
			is_vendor = strtoul(line, NULL, 16) == vendor;
		else if (is_vendor && line[0] == '\t' && line[1] != '\t' &&
			 strtoul(line + 1, NULL, 16) == device)
			return line;
	}
	return NULL;
}

START_TEST(every_id_is_that_of_its_model)
{
	static const char *const paths[] = { "/usr/share/misc/pci.ids",
					     "/usr/share/hwdata/pci.ids" };
	static const char *const faster[] = {
		" 10-G", " 10 G", "10G", "2.5", "25G", "40 G", "100 G"
	};
	FILE *file = NULL;
	char line[512];

	for (size_t i = 0; i < 2 && !file; i++)
		file = fopen(paths[i], "re");
	if (!file) {
		test_skip("there is no list of PCI IDs");
		return;
	}
	for (const struct tmap_ethernet_id *id = tmap_ethernet_ids; id->vendor; id++) {
		const char *name = find_name(file, id->vendor, id->device, line);

		ck_assert_msg(name && strstr(name, id->model), "%04x:%04x is no %s but %s",
			      id->vendor, id->device, id->model, name ? name : "unknown\n");
		for (size_t i = 0; i < sizeof faster / sizeof faster[0]; i++)
			ck_assert_msg(!strstr(name, faster[i]), "%04x:%04x is faster: %s",
				      id->vendor, id->device, name);
	}
	fclose(file);
}
END_TEST

START_TEST(an_id_stands_once_and_others_are_not_known)
{
	for (const struct tmap_ethernet_id *a = tmap_ethernet_ids; a->vendor; a++) {
		ck_assert_int_eq(tmap_ethernet_bits_per_s(a->vendor, a->device), 1000000000);
		for (const struct tmap_ethernet_id *b = a + 1; b->vendor; b++)
			ck_assert(a->vendor != b->vendor || a->device != b->device);
	}
	ck_assert_int_eq(tmap_ethernet_bits_per_s(0x8086, 0x10fb), 0); /* 82599, 10 Gb/s */
	ck_assert_int_eq(tmap_ethernet_bits_per_s(0x15b3, 0x1521), 0); /* I350's, of another */
	ck_assert_int_eq(tmap_ethernet_bits_per_s(0, 0), 0);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("ethernet_ids");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, every_id_is_that_of_its_model);
	tcase_add_test(tc, an_id_stands_once_and_others_are_not_known);
	suite_add_tcase(suite, tc);
	return suite;
}
