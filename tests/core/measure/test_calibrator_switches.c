/* SPDX-License-Identifier: BSD-3-Clause */
/* What switches let through of what the adapters below them send; the oracle is the quotient by hand. */
#include "core/measure/calibrator.h"

#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS = 8 };

static struct tmap_error err;

/* Four nodes of two ranks, two below each of two switches. */
struct network {
	struct tmap_placement placement;
	int node_of[RANKS], switch_of[RANKS];
	double adapter_s[4], switch_s[2];
	struct tmap_calibration_link link[2];
	struct tmap_calibrator calibrator;
};

static void network_init(struct network *it, const double adapter[4], const double uplink[2])
{
	const struct test_level level[] = { { TMAP_CORE, 2 }, { 0 } };

	memset(it, 0, sizeof *it);
	placement_block_take(&it->placement, machine_regular(4, level));
	for (int r = 0; r < RANKS; r++) {
		it->node_of[r] = r / 2;
		it->switch_of[r] = r / 4;
	}
	for (int n = 0; n < 4; n++)
		it->adapter_s[n] = adapter[n] > 0 ? 1 / adapter[n] : 0;
	for (int s = 0; s < 2; s++)
		it->switch_s[s] = uplink[s] > 0 ? 1 / uplink[s] : 0;
	it->link[0] = (struct tmap_calibration_link){
		.is_adapter = true, .sets.count = 4, .set_of = it->node_of, .byte_s = it->adapter_s
	};
	it->link[1] = (struct tmap_calibration_link){
		.level = "switch1", .sets.count = 2, .set_of = it->switch_of, .byte_s = it->switch_s
	};
	it->calibrator = (struct tmap_calibrator){ .placement = &it->placement,
						   .link_count = 2,
						   .link = it->link };
}

static void network_fini(struct network *it)
{
	for (int i = 0; i < it->calibrator.note_count; i++)
		free(it->calibrator.note[i]);
	free(it->calibrator.note);
	tmap_placement_fini(&it->placement);
}

START_TEST(what_leaves_a_switch_is_compared_with_the_adapters_below_it)
{
	static const struct {
		double adapter[4], uplink[2];
		const char *factor; /* of the note; NULL: there is none */
	} rows[] = {
		{ { 10, 10, 10, 10 }, { 10, 10 }, "2 times" },
		{ { 10, 10, 10, 10 }, { 20, 20 }, NULL },
		{ { 10, 10, 10, 10 }, { 19, 18.5 }, NULL },
		{ { 10, 30, 10, 10 }, { 10, 10 }, "4 times" }, /* the worst of both */
		{ { 10, 10, 10, 10 }, { 0, 8 }, "2.5 times" }, /* nothing is known of the first */
		{ { 0, 10, 10, 10 }, { 5, 10 }, "2 times" },   /* nor what its adapters send */
		{ { 0, 10, 10, 0 }, { 5, 5 }, NULL },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct network it;

		network_init(&it, rows[i].adapter, rows[i].uplink);
		ck_assert_int_eq(tmap_calibrator_note_switches(&it.calibrator, &err), 0);
		ck_assert_int_eq(it.calibrator.note_count, rows[i].factor ? 1 : 0);
		if (rows[i].factor) {
			const char *note = it.calibrator.note[0];

			ck_assert_ptr_nonnull(strstr(note, "switch1: the adapters of the 2 nodes"));
			ck_assert_msg(strstr(note, rows[i].factor) != NULL, "%s", note);
		}
		network_fini(&it);
	}
}
END_TEST

START_TEST(what_lies_around_a_node_is_no_switch)
{
	static const double adapter[4] = { 10, 10, 10, 10 }, uplink[2] = { 1, 1 };
	struct network it;

	network_init(&it, adapter, uplink);
	/* a package: the sets of ranks of one node each */
	it.link[1].level = "package";
	it.link[1].set_of = it.node_of;
	it.link[1].sets.count = 4;
	it.link[1].byte_s = it.adapter_s;
	for (int n = 0; n < 4; n++)
		it.adapter_s[n] = 1;
	ck_assert_int_eq(tmap_calibrator_note_switches(&it.calibrator, &err), 0);
	ck_assert_int_eq(it.calibrator.note_count, 0);
	network_fini(&it);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("calibrator_switches");
	TCase *c = tcase_create("calibrator_switches");

	tcase_add_test(c, what_leaves_a_switch_is_compared_with_the_adapters_below_it);
	tcase_add_test(c, what_lies_around_a_node_is_no_switch);
	suite_add_tcase(suite, c);
	return suite;
}
