/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: a map made by hand; and on random times, that of every cell the minimum, the second and the
 * overlaps are those that a look at all its times finds. */
#include "core/measure/measured_map.h"

#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static struct tmap_times job_of(int nodes)
{
	static const struct test_level levels[] = { { TMAP_CORE, 1 }, { 0, 0 } };
	struct tmap_times times = { .mpi = strdup("MPICH 4.0.2") };

	placement_block_take(&times.placement, machine_regular(nodes, levels));
	return times;
}

/* The interval is half of the width each way. */
static void add(struct tmap_times *times, const char *algorithm, int64_t bytes, double median,
		double width)
{
	struct tmap_experiment it = { .collective = TMAP_ALLGATHER,
				      .algorithm = strdup(algorithm),
				      .bytes = bytes,
				      .is_correct = true,
				      .run_count = 2,
				      .seconds = { .median = median,
						   .min = median - width,
						   .max = median + width,
						   .has_interval = true,
						   .low = median - width / 2,
						   .high = median + width / 2 } };

	ck_assert_int_eq(tmap_times_add_take(times, &it, &err), 0);
}

static void check_cell(const struct tmap_measured_map *map, int ranks, int size, const char *best,
		       const char *second, double gain, int ties)
{
	const struct tmap_measured_cell *it = tmap_measured_map_at(map, ranks, size);

	ck_assert_str_eq(it->best == TMAP_NONE ? "" : map->name[it->best], best);
	ck_assert_str_eq(it->second == TMAP_NONE ? "" : map->name[it->second], second);
	if (it->count)
		ck_assert_double_eq_tol(it->gain, gain, 1e-12);
	ck_assert_int_eq(it->ties, ties);
}

START_TEST(a_cell_has_the_best_and_what_it_gains)
{
	struct tmap_times times[2] = { job_of(4), job_of(2) };
	struct tmap_measured_map map;
	int at;

	add(&times[0], "ring", 8, 3, 0.1);
	add(&times[0], "bruck", 8, 2, 0.1);
	add(&times[0], "native", 64, 5, 0.1);
	add(&times[1], "ring", 8, 2.0, 0.5);
	add(&times[1], "bruck", 8, 2.1, 0.5);
	add(&times[1], "native", 8, 9, 20); /* nothing is known of it */
	add(&times[1], "sparbit", 4096, 1, 0);
	add(&times[1], "ring", 4096, 0, 0);
	times[1].experiment[3].is_correct = false;
	ck_assert_int_eq(
		tmap_measured_map_init(&map, times, 2, TMAP_ALLGATHER, 0, TMAP_NONE, &at, &err), 0);
	ck_assert_int_eq(map.rank_count, 2);
	ck_assert_int_eq(map.size_count, 3);
	ck_assert_int_eq(map.ranks[0], 2);
	ck_assert_int_eq(map.ranks[1], 4);
	check_cell(&map, 0, 0, "ring", "bruck", 1.05, 2);
	ck_assert_str_eq(map.name[tmap_measured_map_at(&map, 0, 0)->tied], "bruck");
	check_cell(&map, 0, 1, "", "", 0, 0);
	check_cell(&map, 0, 2, "ring", "", 1, 0);
	check_cell(&map, 1, 0, "bruck", "ring", 1.5, 0);
	check_cell(&map, 1, 1, "native", "", 1, 0);
	ck_assert_int_eq(map.wrong, 1);
	ck_assert_int_eq(map.best_count, 3);
	ck_assert_int_eq(map.shown_count, 3);
	tmap_measured_map_fini(&map);
	ck_assert_int_eq(tmap_measured_map_init(&map, times, 2, TMAP_ALLGATHER, 0, 64, &at, &err),
			 0);
	ck_assert_int_eq(map.size_count, 2);
	tmap_measured_map_fini(&map);
	tmap_times_fini(&times[0]);
	tmap_times_fini(&times[1]);
}
END_TEST

START_TEST(names_that_no_cell_has_are_not_shown)
{
	struct tmap_times times = job_of(4);
	struct tmap_measured_map map;
	int at;

	add(&times, "bruck", 8, 9, 0.1);
	add(&times, "ring", 8, 2, 0.1);
	add(&times, "sparbit", 8, 2.1, 0.3); /* as fast, within noise */
	add(&times, "a", 64, 3, 3);          /* one of two that may be */
	add(&times, "b", 64, 3, 3);
	add(&times, "ring", 64, 2, 3);
	ck_assert_int_eq(
		tmap_measured_map_init(&map, &times, 1, TMAP_ALLGATHER, 0, TMAP_NONE, &at, &err),
		0);
	ck_assert_int_eq(map.name_count, 5);
	ck_assert_int_eq(map.best_count, 1);
	ck_assert_int_eq(map.shown_count, 2);
	ck_assert_str_eq(map.name[0], "ring");
	ck_assert_str_eq(map.name[1], "sparbit");
	tmap_measured_map_fini(&map);
	tmap_times_fini(&times);
}
END_TEST

START_TEST(every_cell_is_what_a_look_at_all_its_times_finds)
{
	static const char *const names[] = { "a", "b", "c", "d", "e" };
	struct dice dice = { (uint64_t)_i };
	struct tmap_times times = job_of(3);
	struct tmap_measured_map map;
	int at;

	for (int size = 1; size <= 4; size++)
		for (int n = 0; n < 5; n++)
			if (dice_roll(&dice, 4))
				add(&times, names[n], size, 10 + dice_roll(&dice, 10),
				    dice_roll(&dice, 4));
	add(&times, "a", 5, 1, 0);
	ck_assert_int_eq(
		tmap_measured_map_init(&map, &times, 1, TMAP_ALLGATHER, 0, TMAP_NONE, &at, &err),
		0);
	for (int s = 0; s < map.size_count; s++) {
		const struct tmap_measured_cell *cell = tmap_measured_map_at(&map, 0, s);
		int count = 0, faster = 0, alike = 0;

		for (int i = 0; i < times.count; i++) {
			const struct tmap_experiment *it = &times.experiment[i];

			if (it->bytes != map.bytes[s])
				continue;
			count++;
			faster += it->seconds.median < cell->best_s;
			if (strcmp(it->algorithm, map.name[cell->best]) == 0)
				ck_assert_double_eq(it->seconds.median, cell->best_s);
			else if (strcmp(it->algorithm, map.name[cell->second]) == 0)
				ck_assert_double_eq(it->seconds.median, cell->second_s);
			else
				ck_assert(it->seconds.median >= cell->second_s);
		}
		for (int i = 0; i < times.count; i++)
			for (int j = 0; j < times.count; j++) {
				const struct tmap_experiment *it = &times.experiment[i];
				const struct tmap_experiment *best = &times.experiment[j];

				alike += i != j && it->bytes == map.bytes[s] &&
					best->bytes == map.bytes[s] &&
					strcmp(best->algorithm, map.name[cell->best]) == 0 &&
					it->seconds.low <= best->seconds.high;
			}
		ck_assert_int_eq(cell->count, count);
		ck_assert_int_eq(faster, 0);
		ck_assert_int_eq(cell->ties, alike);
		ck_assert(!alike == (cell->tied == TMAP_NONE));
	}
	tmap_measured_map_fini(&map);
	tmap_times_fini(&times);
}
END_TEST

static void set_neighbors(struct tmap_times *times, const char *stencil, const char *cart,
			  const char *periods)
{
	free(times->neighborhood.stencil);
	free(times->neighborhood.cart);
	free(times->neighborhood.periods);
	times->neighborhood.stencil = stencil ? strdup(stencil) : NULL;
	times->neighborhood.cart = cart ? strdup(cart) : NULL;
	times->neighborhood.periods = periods ? strdup(periods) : NULL;
}

START_TEST(neighbors_are_the_same_on_other_grids)
{
	static const struct {
		const char *stencil, *cart, *periods, *sentence; /* NULL: it goes with the first */
	} rows[] = {
		{ "moore:1", "2x2", "1,0", NULL },
		{ NULL, NULL, NULL, NULL }, /* it has no times of any */
		{ "cart", "2x2", "1,0", "the stencil of its neighborhood is cart, not moore:1" },
		{ "moore:1", "2x1x2", "1,0", "the cart of its neighborhood is 2x1x2, not 2x1" },
		{ "moore:1", NULL, "1,0", "the cart of its neighborhood is none, not 2x1" },
		{ "moore:1", "2x2", NULL, "the periods of its neighborhood is none, not 1,0" },
	};
	struct tmap_times times[2] = { job_of(2), job_of(4) };
	struct tmap_measured_map map;
	int at;

	add(&times[0], "linear", 8, 1, 0);
	add(&times[1], "linear", 8, 2, 0);
	times[0].experiment[0].collective = TMAP_NEIGHBOR_ALLGATHER;
	set_neighbors(&times[0], "moore:1", "2x1", "1,0");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		set_neighbors(&times[1], rows[i].stencil, rows[i].cart, rows[i].periods);
		times[1].experiment[0].collective = rows[i].stencil ? TMAP_NEIGHBOR_ALLGATHER :
								      TMAP_ALLGATHER;
		ck_assert_int_eq(tmap_measured_map_init(&map, times, 2, TMAP_NEIGHBOR_ALLGATHER, 0,
							TMAP_NONE, &at, &err),
				 rows[i].sentence ? -1 : 0);
		if (rows[i].sentence) {
			ck_assert_int_eq(at, 1);
			ck_assert_ptr_nonnull(strstr(err.text, rows[i].sentence));
			continue;
		}
		ck_assert_ptr_eq(tmap_measured_map_neighbors(&map), &times[0].neighborhood);
		ck_assert_ptr_eq(map.neighborhood[1],
				 rows[i].stencil ? &times[1].neighborhood : NULL);
		tmap_measured_map_fini(&map);
	}
	tmap_times_fini(&times[0]);
	tmap_times_fini(&times[1]);
}
END_TEST

/* Oracle: of n throws of a coin all are alike with 2 / 2^n. */
START_TEST(the_coverage_is_that_of_the_fewest_times)
{
	struct tmap_times times = job_of(2);
	struct tmap_measured_map map;
	int at;

	add(&times, "ring", 8, 1, 0);
	add(&times, "bruck", 8, 2, 0);
	add(&times, "native", 8, 2, 0);
	for (int i = 0; i < 4; i++) {
		static const double wanted[] = { 0.95, 0.9375, 0.75, 0.75 };

		times.experiment[1].seconds.has_interval = i < 1;
		times.experiment[1].run_count = 5;
		times.experiment[2].seconds.has_interval = i < 2;
		times.experiment[2].run_count = 1;
		times.experiment[2].repetitions = 3;
		times.experiment[0].seconds.has_interval = i < 3;
		times.experiment[0].is_correct = i < 3;
		times.experiment[0].run_count = 2;
		ck_assert_int_eq(tmap_measured_map_init(&map, &times, 1, TMAP_ALLGATHER, 0,
							TMAP_NONE, &at, &err),
				 0);
		ck_assert_double_eq_tol(map.coverage, wanted[i], 1e-12);
		tmap_measured_map_fini(&map);
	}
	tmap_times_fini(&times);
}
END_TEST

START_TEST(other_libraries_and_as_many_ranks_are_refused)
{
	struct tmap_times times[2] = { job_of(2), job_of(2) };
	struct tmap_measured_map map;
	int at;

	add(&times[0], "ring", 8, 1, 0);
	ck_assert_int_eq(
		tmap_measured_map_init(&map, times, 2, TMAP_ALLGATHER, 0, TMAP_NONE, &at, &err),
		-1);
	ck_assert_int_eq(at, 1);
	free(times[1].mpi);
	times[1].mpi = strdup("Open MPI 5.0.0");
	ck_assert_int_eq(
		tmap_measured_map_init(&map, times, 2, TMAP_ALLGATHER, 0, TMAP_NONE, &at, &err),
		-1);
	ck_assert_int_eq(at, 1);
	ck_assert_int_eq(
		tmap_measured_map_init(&map, times, 1, TMAP_BCAST, 0, TMAP_NONE, &at, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_int_eq(at, 0);
	tmap_times_fini(&times[1]);
	times[1] = job_of(3);
	ck_assert_int_eq(
		tmap_measured_map_init(&map, times, 2, TMAP_BCAST, 0, TMAP_NONE, &at, &err), -1);
	ck_assert_int_eq(at, TMAP_NONE); /* neither of the two alone */
	tmap_times_fini(&times[0]);
	tmap_times_fini(&times[1]);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("measured_map");
	TCase *c = tcase_create("measured_map");

	tcase_add_test(c, a_cell_has_the_best_and_what_it_gains);
	tcase_add_test(c, names_that_no_cell_has_are_not_shown);
	tcase_add_loop_test(c, every_cell_is_what_a_look_at_all_its_times_finds, 0, 200);
	tcase_add_test(c, the_coverage_is_that_of_the_fewest_times);
	tcase_add_test(c, neighbors_are_the_same_on_other_grids);
	tcase_add_test(c, other_libraries_and_as_many_ranks_are_refused);
	suite_add_tcase(suite, c);
	return suite;
}
