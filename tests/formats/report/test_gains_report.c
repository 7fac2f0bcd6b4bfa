/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/suggestion/gains_report.h"

#include "tests/unit.h"

static const struct {
	double part;
	const char *than, *text;
} longer[] = {
	{ 0.125, NULL, "12.5 % longer" },
	{ 0.125, "as launched", "12.5 % longer than as launched" },
	{ 0.999, "what is suggested", "99.9 % longer than what is suggested" },
	{ 1, NULL, "2.0 times as long" },
	{ 1.5, "what is suggested", "2.5 times as long as what is suggested" },
	{ 9.265, "as launched", "10 times as long as launched" },
	{ 99999, NULL, "100000 times as long" },
};

START_TEST(from_twice_on_it_is_so_many_times_as_long)
{
	char text[TMAP_LONGER_ROOM];

	ck_assert_str_eq(tmap_longer_print(longer[_i].part, longer[_i].than, text),
			 longer[_i].text);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("gains_report");
	TCase *tcase = tcase_create("longer");

	tcase_add_loop_test(tcase, from_twice_on_it_is_so_many_times_as_long, 0,
			    sizeof longer / sizeof longer[0]);
	suite_add_tcase(suite, tcase);
	return suite;
}
