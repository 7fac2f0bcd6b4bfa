/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: heads of files as lstopo of hwloc 1.11, 2.9 and 3.0 writes them. */
#include "formats/machine/hwloc_xml.h"

#include "tests/unit.h"

#include <string.h>

#define HEAD(version_) \
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE topology SYSTEM \"hwloc" version_

static const struct {
	const char *text;
	int major;
} heads[] = {
	{ HEAD(".dtd\">\n<topology>\n  <object type=\"Machine\" version=\"7\"/>"), 1 },
	{ HEAD("2.dtd\">\n<topology version=\"2.0\">\n  <object/>"), 2 },
	{ HEAD("2.dtd\">\n<topology version=\"3.0\">\n  <object/>"), 3 },
	{ "<topology version=\"12\"/>", 12 },
	{ "<topology version=\"\"/>", 0 },
	{ "<topology version=\"99999999999999999999\"/>", 999 },
	{ "<topology version=\"2.0\"", 0 },
	{ "<topology", 0 },
	{ "<?xml version=\"1.0\"?><html/>", 0 },
	{ "", 0 },
};

START_TEST(the_version_of_the_format_is_that_of_the_root_element)
{
	ck_assert_int_eq(tmap_hwloc_xml_major(heads[_i].text, strlen(heads[_i].text)),
			 heads[_i].major);
}
END_TEST

START_TEST(nothing_behind_the_length_is_read)
{
	static const char text[] = "<topology version=\"3.0\">";

	for (size_t length = 0; length + 1 < sizeof text - 1; length++)
		ck_assert_int_eq(tmap_hwloc_xml_major(text, length), 0);
}
END_TEST

START_TEST(an_unknown_format_has_the_reason_of_hwloc)
{
	struct tmap_error err = { 0 };

	ck_assert_int_eq(tmap_hwloc_refuse_xml("<html/>", 7, "it is in Welsh", &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_ptr_nonnull(strstr(err.text, " refuses it: it is in Welsh"));
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("hwloc_xml");
	TCase *tcase = tcase_create("versions");

	tcase_add_loop_test(tcase, the_version_of_the_format_is_that_of_the_root_element, 0,
			    sizeof heads / sizeof heads[0]);
	tcase_add_test(tcase, nothing_behind_the_length_is_read);
	tcase_add_test(tcase, an_unknown_format_has_the_reason_of_hwloc);
	suite_add_tcase(suite, tcase);
	return suite;
}
