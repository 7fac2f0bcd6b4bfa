/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: hwloc's own readers of bitmaps, chosen as flux-core's cpu-affinity chooses them. */
#include "formats/launchers/common/local_binding.h"

#include "core/base/random.h"
#include "tests/unit.h"

#include <hwloc.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

/* The list that hwloc prints of an item, freed by the caller; NULL: Flux refuses it. */
static char *asked(const char *item)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	char *text = NULL;
	int rc;

	ck_assert_ptr_nonnull(set);
	if (strncmp(item, "0x", 2) != 0)
		rc = hwloc_bitmap_list_sscanf(set, item);
	else if (strchr(item, ','))
		rc = hwloc_bitmap_sscanf(set, item);
	else
		rc = hwloc_bitmap_taskset_sscanf(set, item);
	if (rc == 0 && hwloc_bitmap_weight(set) > 0)
		ck_assert_int_gt(hwloc_bitmap_list_asprintf(&text, set), 0);
	hwloc_bitmap_free(set);
	return text;
}

/* The only set of "map:ITEM", freed by the caller; NULL: refused. */
static char *had(const char *item)
{
	struct tmap_local_binding words = { 0 };
	struct tmap_idset *set;
	char text[160], *list;

	snprintf(text, sizeof text, "map:%s", item);
	if (tmap_local_binding_parse_flux(&words, text, &err) < 0)
		return NULL;
	ck_assert_int_eq(words.count, 1);
	set = tmap_local_binding_sets(&words, &err);
	ck_assert_ptr_nonnull(set);
	list = tmap_idset_print(set, &err);
	ck_assert_ptr_nonnull(list);
	tmap_idset_free_list(set, words.count);
	tmap_local_binding_fini(&words);
	return list;
}

static const char *const written[] = {
	"0",
	"0-3,8",
	"7,0,3-4",
	"0,0x10",
	"0x3",
	"0x0",
	"0xfF00",
	"0x00000001000000000",
	"0x1,0x2",
	"0x1,2",
	"0x80000000,0x00000000,0x00000001",
	"0x0,0x00000004",
	"010",
	"0-010,0xa",
	"00",
};

START_TEST(sets_are_those_that_hwloc_reads)
{
	char *want = asked(written[_i]), *have = had(written[_i]);

	ck_assert_pstr_eq(have, want);
	free(want);
	free(have);
}
END_TEST

/* A character changed, or two: what is accepted is what hwloc reads, and all that is in order is
 * accepted. */
START_TEST(what_hwloc_refuses_or_reads_otherwise_is_refused)
{
	static const char alphabet[] = "0123456789abcdefxX,-";
	struct tmap_random random = { .state = 7 };
	int accepted = 0;

	for (int i = 0; i < 20000; i++) {
		char item[64], *want, *have;

		snprintf(item, sizeof item, "%s",
			 written[tmap_random_below(&random, sizeof written / sizeof *written)]);
		for (int change = 0; change < 2; change++)
			item[tmap_random_below(&random, strlen(item))] =
				alphabet[tmap_random_below(&random, sizeof alphabet - 1)];
		have = had(item);
		if (!have)
			continue;
		want = asked(item);
		ck_assert_msg(want && strcmp(have, want) == 0, "%s: %s, hwloc: %s", item, have,
			      want ? want : "refused");
		accepted++;
		free(have);
		free(want);
	}
	ck_assert_int_gt(accepted, 4000);
}
END_TEST

static const struct refused {
	const char *text, *reason;
} refused[] = {
	{ "map:", "the map has no set of PUs" },
	{ "map:;;", "the map has no set of PUs" },
	{ "map:0;0x0", "'0x0' is not a mask with a bit" },
	{ "map:0x", "'0x' is not a hexadecimal mask" },
	{ "map:0x3g", "'0x3g' is not a hexadecimal mask" },
	{ "map:0xf...f", "'0xf...f' is not a hexadecimal mask" },
	{ "map:0x123456789,0x1",
	  "'0x123456789' is not a part of a mask, which has 8 digits at most" },
	{ "map:0x1,,0x1", "'' is not a mask" },
	{ "map:3-1", "'3-1' is not a set of PUs" },
	{ "map:0*2", "'0*2' is not a set of PUs" },
	{ "map:08", "'08' is not a set of PUs" },
	{ "map:0-", "'0-' is not a set of PUs" },
	{ "map:99999999999", "'99999999999' is not a set of PUs" },
};

START_TEST(what_is_no_set_is_refused)
{
	struct tmap_local_binding words = { 0 };

	ck_assert_int_eq(tmap_local_binding_parse_flux(&words, refused[_i].text, &err), -1);
	ck_assert_str_eq(err.text, refused[_i].reason);
	ck_assert_int_eq(words.count, 0);
}
END_TEST

START_TEST(empty_items_do_not_count)
{
	struct tmap_local_binding words = { 0 };

	ck_assert_int_eq(
		tmap_local_binding_parse_flux(&words, "map:;0x3;;4-5;0x1,0x00000000;", &err), 0);
	ck_assert_int_eq(words.count, 3);
	ck_assert_str_eq(words.word[0], "0-1");
	ck_assert_str_eq(words.word[1], "4-5");
	ck_assert_str_eq(words.word[2], "32");
	tmap_local_binding_fini(&words);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("local_binding");
	TCase *tcase = tcase_create("maps of Flux");

	tcase_add_loop_test(tcase, sets_are_those_that_hwloc_reads, 0,
			    sizeof written / sizeof *written);
	tcase_add_test(tcase, what_hwloc_refuses_or_reads_otherwise_is_refused);
	tcase_add_loop_test(tcase, what_is_no_set_is_refused, 0, sizeof refused / sizeof *refused);
	tcase_add_test(tcase, empty_items_do_not_count);
	suite_add_tcase(suite, tcase);
	return suite;
}
