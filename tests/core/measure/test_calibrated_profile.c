/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a calibrator has found is a profile that can be read again. Oracle: the reader, which says what
 * of a document it refuses.
 */
#include "core/measure/calibrated_profile.h"

#include "formats/machine/json_profile.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

/* Lines whose latencies fall, as those do that were fitted to few points, and an overhead that was
 * measured to be more than all of them. */
static struct tmap_calibration_distance falling(const double *latency_s, int count)
{
	struct tmap_calibration_distance it = {
		.pairs.distance = 7,
		.eager_before = INT64_MAX,
		.overhead_s = 2.4e-5,
		.eager_copier = TMAP_COPIER_ADAPTER,
		.rendezvous_copier = TMAP_COPIER_ADAPTER,
		.fit.count = count,
	};

	for (int k = 0; k < count; k++)
		it.fit.piece[k] = (struct tmap_piece){ .from_bytes = 1000 * k,
						       .latency_s = latency_s[k],
						       .byte_s = 1e-8,
						       .points = 9 };
	return it;
}

static void reads_again(const double *latency_s, int count, double overhead_s)
{
	static const struct test_level level[] = { { TMAP_CORE, 2 }, { 0 } };
	struct tmap_calibration_distance distance = falling(latency_s, count);
	struct tmap_placement placement;
	struct tmap_calibrator found = { .placement = &placement,
					 .distance_count = 1,
					 .distance = &distance };
	struct tmap_calibrated_profile made;
	struct tmap_profile_request read;
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	placement_block_take(&placement, machine_regular(2, level));
	ck_assert_msg(tmap_calibrated_profile_init(&made, &found, &err) == 0, "%s", err.text);
	ck_assert_int_eq(tmap_profile_write_json(&made.profile, out, &err), 0);
	fclose(out);
	ck_assert_msg(tmap_profile_parse(&read, text, length, "it", NULL, &err) == 0, "%s",
		      err.text);
	ck_assert_int_eq(read.profile.row_count, made.profile.row_count);
	for (int i = 0; i < read.profile.row_count; i++) {
		ck_assert_double_eq_tol(read.profile.row[i].overhead_s, overhead_s, 1e-12);
		ck_assert_double_eq_tol(made.profile.row[i].overhead_s, overhead_s, 1e-12);
	}
	tmap_profile_request_fini(&read);
	tmap_calibrated_profile_fini(&made);
	tmap_placement_fini(&placement);
	free(text);
}

START_TEST(an_overhead_is_a_part_of_the_least_latency)
{
	static const double falling_s[] = { 1.61e-5, 1.55e-5, 1.58e-5 },
			    ends_with_none[] = { 2e-5, 0 };
	static const double larger_s[] = { 4e-5, 6e-5 };

	reads_again(falling_s, 3, 1.55e-5);
	reads_again(ends_with_none, 2, 2e-5); /* a line without latency bounds nothing */
	reads_again(larger_s, 2, 2.4e-5);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("calibrated_profile");
	TCase *c = tcase_create("calibrated_profile");

	tcase_add_test(c, an_overhead_is_a_part_of_the_least_latency);
	suite_add_tcase(suite, c);
	return suite;
}
