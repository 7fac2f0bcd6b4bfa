/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: of the tally, counting by the definition, communicator by communicator and rank by
 * rank; of classes, communicators compared pair by pair down to their parts; of runs, the values
 * that come out again.
 */
#include "core/group/outline.h"
#include "core/group/runs.h"
#include "core/group/statistics.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>

static struct tmap_error err;

static void random_hierarchy(struct dice *dice, struct tmap_placement *p, struct tmap_hierarchy *h)
{
	int size = 1 + dice_roll(dice, 30);

	placement_random_take(p, machine_random(dice, 5), size, dice);
	ck_assert_int_eq(
		tmap_hierarchy_init(h, p, NULL, dice_roll(dice, size), TMAP_ELECT_FIRST, &err), 0);
}

/* The level of a communicator, and the one that it is split from; TMAP_NONE for the job. */
static int level_of(const struct tmap_hierarchy *h, int comm)
{
	int l = h->level_count - 1;

	while (l >= 0 && comm < h->level[l].first)
		l--;
	return l;
}

static int above(const struct tmap_hierarchy *h, int comm)
{
	int l = level_of(h, comm);

	return l < 0 ? TMAP_NONE : tmap_hierarchy_above(h, l, tmap_comm_members(h, comm)[0]);
}

static bool is_member(const struct tmap_hierarchy *h, int comm, int rank)
{
	for (int i = 0; i < tmap_comm_size(h, comm); i++)
		if (tmap_comm_members(h, comm)[i] == rank)
			return true;
	return false;
}

/* Communicators and conduit communicators of one rank. */
static int held_by(const struct tmap_hierarchy *h, int rank)
{
	int held = 0;

	for (int c = 1; c < h->comm_count; c++)
		held += is_member(h, c, rank) + (h->conduit[c] == rank);
	return held;
}

static int count_sizes(const struct tmap_hierarchy *h, int l, int size)
{
	int count = 0;

	for (int c = h->level[l].first; c < h->level[l].end; c++)
		count += tmap_comm_size(h, c) == size;
	return count;
}

static void check_level(const struct tmap_hierarchy *h, const struct tmap_level_statistics *level,
			int l)
{
	int splits = 0, null_ranks = 0, most = 0;

	ck_assert_int_eq(level->comms, h->level[l].end - h->level[l].first);
	for (int c = 0; c < h->comm_count; c++) {
		int parts = 0, inside = 0;

		for (int d = h->level[l].first; d < h->level[l].end; d++)
			if (above(h, d) == c) {
				parts++;
				inside += tmap_comm_size(h, d);
			}
		splits += parts > 0;
		null_ranks += parts ? tmap_comm_size(h, c) - inside : 0;
		if (parts) {
			ck_assert_int_eq(parts, tmap_comm_conduits(h, c));
			ck_assert(level->conduits.least <= parts && parts <= level->conduits.most);
		}
	}
	ck_assert_int_eq(level->splits, splits);
	ck_assert_int_eq(level->null_ranks, null_ranks);
	for (int size = 1; size <= h->size; size++)
		most = count_sizes(h, l, size) > most ? count_sizes(h, l, size) : most;
	ck_assert_int_eq(count_sizes(h, l, level->usual), most);
	ck_assert_int_eq(level->unusual, level->comms - most);
	ck_assert_int_gt(count_sizes(h, l, level->sizes.least), 0);
	ck_assert_int_gt(count_sizes(h, l, level->sizes.most), 0);
	for (int size = 1; size <= h->size; size++)
		if (size < level->sizes.least || size > level->sizes.most)
			ck_assert_int_eq(count_sizes(h, l, size), 0);
}

static void check_tally(const struct tmap_hierarchy *h)
{
	int least = h->comm_count * 2, most = 0, splits = 0;
	struct tmap_hierarchy_statistics tally;

	ck_assert_int_eq(tmap_hierarchy_statistics_init(&tally, h, &err), 0);
	for (int l = 0; l < h->level_count; l++)
		check_level(h, &tally.level[l], l);
	for (int r = 0; r < h->size; r++) {
		int held = held_by(h, r);

		least = held < least ? held : least;
		most = held > most ? held : most;
	}
	ck_assert_int_eq(tally.held.least, least);
	ck_assert_int_eq(tally.held.most, most);
	for (int c = 0; c < h->comm_count; c++)
		splits += h->split[c] != TMAP_NONE;
	ck_assert_int_eq(tally.total, h->comm_count - 1 + splits);
	tmap_hierarchy_statistics_fini(&tally);
}

START_TEST(the_tally_is_what_one_counts)
{
	struct dice dice = { 11 };

	for (int i = 0; i < 200; i++) {
		struct tmap_placement p;
		struct tmap_hierarchy h;

		random_hierarchy(&dice, &p, &h);
		check_tally(&h);
		tmap_hierarchy_fini(&h);
		tmap_placement_fini(&p);
	}
}
END_TEST

/* Each part of a can be paired with one of b; those of b that are taken are marked. */
static bool is_alike(const struct tmap_hierarchy *h, int a, int b)
{
	bool *taken;
	bool good = true;

	if (level_of(h, a) != level_of(h, b) || tmap_comm_size(h, a) != tmap_comm_size(h, b) ||
	    h->split[a] != h->split[b] || tmap_comm_conduits(h, a) != tmap_comm_conduits(h, b))
		return false;
	taken = calloc((size_t)h->comm_count, sizeof *taken);
	for (int c = 1; c < h->comm_count && good; c++) {
		int d = 1;

		if (above(h, c) != a)
			continue;
		while (d < h->comm_count && (taken[d] || above(h, d) != b || !is_alike(h, c, d)))
			d++;
		good = d < h->comm_count;
		if (good)
			taken[d] = true;
	}
	free(taken);
	return good;
}

START_TEST(classes_are_of_those_that_are_alike)
{
	struct dice dice = { 12 };

	for (int i = 0; i < 40; i++) {
		struct tmap_placement p;
		struct tmap_hierarchy h;
		int *classes;

		random_hierarchy(&dice, &p, &h);
		classes = tmap_hierarchy_classes(&h, &err);
		ck_assert_ptr_nonnull(classes);
		for (int a = 0; a < h.comm_count; a++)
			for (int b = 0; b < a; b++)
				ck_assert_int_eq(classes[a] == classes[b], is_alike(&h, a, b));
		free(classes);
		tmap_hierarchy_fini(&h);
		tmap_placement_fini(&p);
	}
}
END_TEST

/* Every communicator of several ranks stands once below one that stands there itself; below
 * copies nothing does. */
static void check_outline(const struct tmap_hierarchy *h, bool fold, int most)
{
	struct tmap_outline outline;
	int *seen = calloc((size_t)h->comm_count, sizeof *seen);
	bool *itself = calloc((size_t)h->comm_count, sizeof *itself);

	ck_assert_int_eq(tmap_outline_init(&outline, h, fold, most, &err), 0);
	for (int i = 0; i < outline.count; i++) {
		const struct tmap_outline_item *item = &outline.item[i];

		for (int k = 0; k < item->copies; k++)
			seen[outline.copies[item->copy + k]]++;
		itself[item->comm] = item->like == TMAP_NONE && !item->is_rest;
		ck_assert(i == 0 || outline.item[item->parent].comm == above(h, item->comm));
		ck_assert(fold || item->copies == 1);
		if (item->like != TMAP_NONE)
			ck_assert(is_alike(h, item->comm, outline.item[item->like].comm));
	}
	for (int c = 0; c < h->comm_count; c++)
		ck_assert_int_eq(seen[c],
				 c == 0 || (tmap_comm_size(h, c) > 1 && itself[above(h, c)]));
	tmap_outline_fini(&outline);
	free(itself);
	free(seen);
}

START_TEST(the_outline_has_every_communicator_once)
{
	struct dice dice = { 13 };

	for (int i = 0; i < 60; i++) {
		struct tmap_placement p;
		struct tmap_hierarchy h;

		random_hierarchy(&dice, &p, &h);
		check_outline(&h, false, TMAP_NONE);
		check_outline(&h, true, TMAP_NONE);
		check_outline(&h, true, 3);
		tmap_hierarchy_fini(&h);
		tmap_placement_fini(&p);
	}
}
END_TEST

START_TEST(equal_nodes_take_one_line)
{
	struct tmap_placement p;
	struct tmap_hierarchy h;
	struct tmap_outline outline;

	placement_block_take(&p,
			     machine_regular(100,
					     (const struct test_level[]){
						     { TMAP_NUMA, 2 }, { TMAP_CORE, 3 }, { 0 } }));
	ck_assert_int_eq(tmap_hierarchy_init(&h, &p, NULL, 0, TMAP_ELECT_FIRST, &err), 0);
	ck_assert_int_eq(tmap_outline_init(&outline, &h, true, 16, &err), 0);
	ck_assert_int_eq(outline.count, 5); /* the job, n0, numa 0, numa 1 like it, 99 like n0 */
	ck_assert_int_eq(outline.item[4].copies, 99);
	ck_assert_int_eq(outline.item[4].like, 1);
	tmap_outline_fini(&outline);
	tmap_hierarchy_fini(&h);
	tmap_placement_fini(&p);
}
END_TEST

static size_t check_runs(const int *value, int count)
{
	size_t runs;
	struct tmap_value_run *run = tmap_value_runs(value, count, &runs, &err);
	int at = 0;

	ck_assert_ptr_nonnull(run);
	for (size_t k = 0; k < runs; k++)
		for (int i = 0; i < run[k].count; i++)
			ck_assert_int_eq(value[at++],
					 run[k].first + i / run[k].divide % run[k].modulo);
	ck_assert_int_eq(at, count);
	free(run);
	return runs;
}

START_TEST(runs_give_back_the_values)
{
	struct dice dice = { 14 };
	int value[60];

	for (int k = 0; k < 300; k++) {
		int count = 1 + dice_roll(&dice, 60);

		for (int i = 0; i < count; i++)
			value[i] = dice_roll(&dice, 1 + k % 7);
		check_runs(value, count);
	}
	for (int i = 0; i < 60; i++)
		value[i] = i / 5;
	ck_assert_uint_eq(check_runs(value, 60), 1);
	for (int i = 0; i < 60; i++)
		value[i] = 7 + i / 2 % 3;
	ck_assert_uint_eq(check_runs(value, 60), 1);
	ck_assert_uint_eq(check_runs(value, 1), 1);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("tally");
	TCase *tests = tcase_create("tally");

	tcase_add_test(tests, the_tally_is_what_one_counts);
	tcase_add_test(tests, classes_are_of_those_that_are_alike);
	tcase_add_test(tests, the_outline_has_every_communicator_once);
	tcase_add_test(tests, equal_nodes_take_one_line);
	tcase_add_test(tests, runs_give_back_the_values);
	suite_add_tcase(suite, tests);
	return suite;
}
