/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: rows counted by hand, and the properties that the header states.
 */
#include "formats/text/legend.h"

#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>

START_TEST(a_process_distance_always_looks_the_same)
{
	const struct tmap_edge_count few[] = { { 1, 8 }, { 5, 3 }, { 7, 2 } };
	struct tmap_legend legend;

	tmap_legend_init(&legend, TMAP_SCALE_PROCESS, few, 3);
	ck_assert_int_eq(legend.count, 3);
	for (int r = 0; r < 3; r++) {
		ck_assert_int_eq(legend.row[r].rank, (int)few[r].distance - 1);
		ck_assert_int_eq(legend.row[r].edges, few[r].edges);
		ck_assert_ptr_eq(tmap_legend_find(&legend, few[r].distance), &legend.row[r]);
	}
}
END_TEST

START_TEST(a_distance_beyond_the_ranks_is_still_drawn)
{
	const struct tmap_edge_count far[] = { { 1, 8 }, { 12, 3 } };
	struct tmap_legend legend;

	tmap_legend_init(&legend, TMAP_SCALE_PROCESS, far, 2);
	ck_assert_int_eq(legend.count, 2);
	ck_assert_int_eq(legend.row[0].rank, 0);
	ck_assert_int_eq(legend.row[1].rank, 1);
}
END_TEST

START_TEST(many_measured_distances_become_ranges)
{
	struct tmap_edge_count edges[100];
	struct tmap_legend legend;
	int64_t total = 0;

	for (int i = 0; i < 100; i++)
		edges[i] = (struct tmap_edge_count){ 0.5 * i + 0.25, 1 + i % 3 };
	tmap_legend_init(&legend, TMAP_SCALE_MEASURED, edges, 100);
	ck_assert_int_eq(legend.count, TMAP_LEGEND_ROWS);
	for (int r = 0; r < legend.count; r++) {
		const struct tmap_legend_row *row = &legend.row[r];

		total += row->edges;
		ck_assert_int_eq(row->rank, r);
		ck_assert(!r || legend.row[r - 1].high < row->low);
		ck_assert(row->edges > 199 / TMAP_LEGEND_ROWS / 2 &&
			  row->edges < 199 / TMAP_LEGEND_ROWS * 2);
	}
	ck_assert_int_eq(total, 33 * 6 + 1);
	for (int i = 0; i < 100; i++) {
		const struct tmap_legend_row *row = tmap_legend_find(&legend, edges[i].distance);

		ck_assert(row->low <= edges[i].distance && edges[i].distance <= row->high);
	}
}
END_TEST

START_TEST(one_distance_may_have_nearly_all_edges)
{
	struct tmap_edge_count edges[12];
	struct tmap_legend legend;

	for (int i = 0; i < 12; i++)
		edges[i] = (struct tmap_edge_count){ i, i ? 1 : 1000000 };
	tmap_legend_init(&legend, TMAP_SCALE_MEASURED, edges, 12);
	ck_assert_int_eq(legend.count, TMAP_LEGEND_ROWS);
	for (int r = 0; r < legend.count; r++)
		ck_assert_int_gt(legend.row[r].edges, 0);
	ck_assert(legend.row[0].high <= 0 && legend.row[8].high >= 11);
}
END_TEST

START_TEST(no_edges_are_no_rows)
{
	struct tmap_legend legend;

	tmap_legend_init(&legend, TMAP_SCALE_PROCESS, NULL, 0);
	ck_assert_int_eq(legend.count, 0);
}
END_TEST

START_TEST(rows_say_what_they_mean)
{
	const struct tmap_edge_count edges[] = { { 4, 1 } };
	char text[TMAP_MEANING_ROOM];
	struct tmap_placement p;
	struct tmap_legend legend;
	struct tmap_view view = { .placement = &p, .scale = TMAP_SCALE_PROCESS };
	const struct tmap_legend_row range = { 0.5, 2.25, 7, 0 };

	placement_block_take(&p, machine_zoot());
	tmap_legend_init(&legend, view.scale, edges, 1);
	ck_assert_str_eq(tmap_legend_print_meaning(&legend.row[0], &view, text),
			 "same package, different memory controllers");
	ck_assert_str_eq(tmap_legend_print_distance(&legend.row[0], text), "4");
	ck_assert_str_eq(tmap_legend_print_distance(&range, text), "0.5 to 2.25");
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("legend");
	TCase *c = tcase_create("legend");

	tcase_add_test(c, a_process_distance_always_looks_the_same);
	tcase_add_test(c, a_distance_beyond_the_ranks_is_still_drawn);
	tcase_add_test(c, many_measured_distances_become_ranges);
	tcase_add_test(c, one_distance_may_have_nearly_all_edges);
	tcase_add_test(c, no_edges_are_no_rows);
	tcase_add_test(c, rows_say_what_they_mean);
	suite_add_tcase(suite, c);
	return suite;
}
