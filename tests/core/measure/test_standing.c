/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: the table of the header, and on random times a count for each algorithm by itself. */
#include "core/measure/standing.h"

#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

enum { NAMES = 6, SIZES = 5, MOST = NAMES * SIZES };

/* Times of algorithms over sizes; below 0: not measured. */
struct table {
	struct tmap_experiment experiment[MOST];
	struct tmap_measured_row row[MOST];
	struct tmap_measured_size size[SIZES];
	struct tmap_measured measured;
};

static void table_fill(struct table *it, char *const *name, double seconds[NAMES][SIZES])
{
	memset(it, 0, sizeof *it);
	it->measured.count = SIZES;
	it->measured.size = it->size;
	it->measured.row = it->row;
	for (int s = 0; s < SIZES; s++) {
		it->size[s].row = &it->row[it->measured.row_count];
		for (int n = 0; n < NAMES; n++) {
			int at = it->measured.row_count;

			if (seconds[n][s] < 0)
				continue;
			it->experiment[at].algorithm = name[n];
			it->experiment[at].seconds.median = seconds[n][s];
			it->row[at].experiment = &it->experiment[at];
			it->measured.row_count++;
			it->size[s].count++;
		}
	}
}

START_TEST(the_fastest_at_most_sizes_come_first_and_native_is_among_them)
{
	static char bruck[] = "bruck", ring[] = "ring", native[] = "native", swing[] = "swing",
		    none[] = "none", other[] = "other";
	char *const name[] = { ring, swing, native, bruck, none, other };
	double seconds[NAMES][SIZES] = { { 9, 9, 60, -1, -1 },   { 3, 4, 90, -1, -1 },
					 { 2, 2, 90, -1, -1 },   { 1, 2, 80, -1, -1 },
					 { -1, -1, -1, -1, -1 }, { 8, 1e9, 1e9, -1, -1 } };
	static const char *const wanted[][5] = {
		{ "bruck", "native", "ring", "swing", "other" },
		{ "native", "bruck", "ring", "swing", "other" },
	};
	struct table table;
	struct tmap_standing *list;
	int count;

	table_fill(&table, name, seconds);
	for (int most = 1; most <= 5; most++) {
		ck_assert_int_eq(tmap_standings_make(&list, &count, &table.measured, most, &err),
				 0);
		ck_assert_int_eq(count, 5);
		for (int i = 0; i < count; i++)
			ck_assert_str_eq(list[i].name, wanted[most == 1][i]);
		free(list);
	}
}
END_TEST

START_TEST(each_stands_as_a_look_at_its_own_times_says)
{
	static char letter[NAMES][2] = { "a", "b", "c", "d", "e", "f" };
	char *const name[] = { letter[0], letter[1], letter[2], letter[3], letter[4], letter[5] };
	struct dice dice = { (uint64_t)_i };
	double seconds[NAMES][SIZES];
	struct table table;
	struct tmap_standing *list;
	int count;

	for (int n = 0; n < NAMES; n++)
		for (int s = 0; s < SIZES; s++)
			seconds[n][s] = dice_roll(&dice, 8) - 1;
	table_fill(&table, name, seconds);
	ck_assert_int_eq(tmap_standings_make(&list, &count, &table.measured, 3, &err), 0);
	for (int i = 0; i < count; i++) {
		int n = list[i].name[0] - 'a', best = 0, sizes = 0;
		double behind = 0;

		for (int s = 0; s < SIZES; s++) {
			double least = INFINITY;

			for (int k = 0; k < NAMES; k++)
				if (seconds[k][s] >= 0)
					least = fmin(least, seconds[k][s]);
			if (seconds[n][s] < 0)
				continue;
			sizes++;
			best += seconds[n][s] == least;
			behind += seconds[n][s] == least ? 0 :
				least == 0               ? 100 :
							   log(seconds[n][s] / least);
		}
		ck_assert_int_eq(list[i].best, best);
		ck_assert_int_eq(list[i].sizes, sizes);
		ck_assert_double_eq_tol(list[i].behind, behind / sizes, 1e-9);
		ck_assert(i == 0 || list[i - 1].best > best ||
			  (list[i - 1].best == best && list[i - 1].behind <= list[i].behind));
	}
	free(list);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("standing");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, the_fastest_at_most_sizes_come_first_and_native_is_among_them);
	tcase_add_loop_test(tc, each_stands_as_a_look_at_its_own_times_says, 0, 100);
	suite_add_tcase(suite, tc);
	return suite;
}
