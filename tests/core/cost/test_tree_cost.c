/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the broadcast played chunk by chunk. A rank waits until its parent has told it of
 * a chunk, copies it (within a node), then tells or sends it to its children in turn, and
 * only then turns to the next chunk.
 */
#include "core/cost/tree_cost.h"

#include "core/tree/shapes.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>

static struct tmap_error err;

static const struct tmap_profile *summit(void)
{
	return tmap_profile_at(0);
}

struct play {
	const struct tmap_tree *tree;
	const struct tmap_metric *metric;
	const struct tmap_profile *profile;
	double chunk;
	int64_t chunk_size;
	double told[64], is_free[64];
	double end;
};

static void price(const struct play *play, int rank, double *serve, double *copy)
{
	double d = tmap_metric_distance(play->metric, rank, play->tree->parent[rank]);
	const struct tmap_profile_row *row = tmap_profile_find(play->profile, d, play->chunk_size);

	*serve = row->latency_s + (d >= 7 ? play->chunk * row->byte_s : 0);
	*copy = d >= 7 ? 0 : play->chunk * row->byte_s;
}

/* The child that comes after @p last: by turn, or the farthest, then the smallest rank. */
static int next_child(const struct play *play, int parent, const bool *served)
{
	const struct tmap_tree *tree = play->tree;
	int next = -1;

	for (int c = 0; c < tree->size; c++) {
		if (c == tree->root || tree->parent[c] != parent || served[c])
			continue;
		if (next < 0 ||
		    (tree->turn ? tree->turn[c] < tree->turn[next] :
				  tmap_metric_distance(play->metric, c, parent) >
				     tmap_metric_distance(play->metric, next, parent)))
			next = c;
	}
	return next;
}

static void handle_chunk(struct play *play, int rank)
{
	double serve, copy = 0, at = fmax(play->told[rank], play->is_free[rank]);
	bool served[64] = { false };
	int child;

	if (rank != play->tree->root)
		price(play, rank, &serve, &copy);
	at += copy;
	play->end = fmax(play->end, at);
	while ((child = next_child(play, rank, served)) >= 0) {
		price(play, child, &serve, &copy);
		at += serve;
		play->told[child] = at;
		served[child] = true;
	}
	play->is_free[rank] = at;
	for (child = 0; child < play->tree->size; child++)
		if (served[child])
			handle_chunk(play, child);
}

static double play_it(const struct tmap_tree *tree, const struct tmap_metric *metric,
		      const struct tmap_profile *profile, int64_t bytes, int64_t chunk_bytes)
{
	int64_t chunks = chunk_bytes && bytes ? (bytes + chunk_bytes - 1) / chunk_bytes : 1;
	struct play play = { .tree = tree,
			     .metric = metric,
			     .profile = profile,
			     .chunk = (double)bytes / (double)chunks,
			     .chunk_size = (bytes + chunks - 1) / chunks };

	for (int64_t i = 0; i < chunks; i++)
		handle_chunk(&play, tree->root);
	return play.end;
}

START_TEST(random_broadcasts_end_when_played_ones_do)
{
	static const char *const names[] = { "binomial_far",   "binomial_near", "knomial",
					     "chain,fanout=3", "flat",          "kary" };
	struct dice dice = { .state = 51 };

	for (int run = 0; run < 400; run++) {
		int64_t bytes = dice_roll(&dice, 3) ? dice_roll(&dice, 300000) : 0;
		int64_t chunk = dice_roll(&dice, 2) ? 1 + dice_roll(&dice, 40000) : 0;
		struct tmap_tree_cost cost;
		struct tmap_placement p;
		struct tmap_metric metric;
		struct tmap_tree tree;
		double end;
		int root;

		if (chunk && bytes / chunk > 200)
			chunk = bytes / 200;
		placement_random_take(&p, machine_random(&dice, 6), 1 + dice_roll(&dice, 40),
				      &dice);
		hold(tmap_metric_init(&metric, &p, TMAP_SCALE_PROCESS, &err) == 0);
		root = dice_roll(&dice, p.size);
		if (dice_roll(&dice, 2))
			hold(tmap_tree_init(&tree, &metric, root, &err) == 0);
		else
			hold(tmap_shape_tree_called(&tree, names[dice_roll(&dice, 6)], &metric,
						    root, &err) == 0);
		hold(tmap_tree_cost(&cost, &tree, &metric, tmap_profile_at(run % 2), bytes, chunk,
				    &err) == 0);
		end = play_it(&tree, &metric, tmap_profile_at(run % 2), bytes, chunk);
		hold(fabs(cost.path_s - end) <= 1e-9 * end);
		hold(cost.seconds >= cost.path_s && cost.seconds >= cost.controller_s &&
		     cost.seconds >= cost.adapter_s);
		tmap_tree_fini(&tree);
		tmap_metric_fini(&metric);
		tmap_placement_fini(&p);
	}
}
END_TEST

/* (depth + S - 1)(a + b): the formula of a pipeline of equal hops. */
START_TEST(a_pipeline_takes_depth_plus_chunks_minus_one_hops)
{
	struct tmap_tree_cost cost;
	struct tmap_placement p;
	struct tmap_metric metric;
	struct tmap_tree tree;

	placement_block_take(
		&p, machine_regular(12, (const struct test_level[]){ { TMAP_CORE, 1 }, { 0 } }));
	ck_assert_int_eq(tmap_metric_init(&metric, &p, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(tmap_shape_tree_called(&tree, "pipeline", &metric, 3, &err), 0);
	ck_assert_int_eq(tmap_tree_cost(&cost, &tree, &metric, summit(), 1 << 20, 1 << 16, &err),
			 0);
	ck_assert_int_eq(cost.chunks, 16);
	ck_assert_int_eq(cost.in_flight, 11);
	ck_assert_int_eq(cost.last, 2);
	ck_assert_double_eq_tol(cost.path_s, (11 + 15) * (6.2e-6 + 65536 * 0.0905e-9), 1e-12);
	ck_assert_double_eq_tol(cost.adapter_s, (1 << 20) / 23e9, 1e-12);
	ck_assert_int_eq(tmap_tree_cost(&cost, &tree, &metric, summit(), 1 << 20, 1 << 18, &err),
			 0);
	ck_assert(cost.chunks == 4 && cost.in_flight == 4);
	ck_assert_int_eq(tmap_tree_cost(&cost, &tree, &metric, summit(), 1 << 20, 0, &err), 0);
	ck_assert(cost.chunks == 1 && cost.in_flight == 1);
	ck_assert_double_eq_tol(cost.path_s, 11 * (6.2e-6 + (1 << 20) * 0.0905e-9), 1e-12);
	tmap_tree_fini(&tree);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(the_busiest_controller_and_adapter_are_found)
{
	struct tmap_tree_cost cost;
	struct tmap_placement p;
	struct tmap_metric metric;
	struct tmap_tree tree;

	placement_block_take(&p,
			     machine_regular(3,
					     (const struct test_level[]){ { TMAP_PACKAGE, 2 },
									  { TMAP_NUMA, 1 },
									  { TMAP_CORE, 4 },
									  { 0 } }));
	ck_assert_int_eq(tmap_metric_init(&metric, &p, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(tmap_shape_tree_called(&tree, "flat", &metric, 0, &err), 0);
	ck_assert_int_eq(tmap_tree_cost(&cost, &tree, &metric, summit(), 1000000, 0, &err), 0);
	/* the root's: 23 reads and 3 writes; 16 messages leave its node */
	ck_assert_double_eq_tol(cost.controller_s, 26 * 1e6 / 170.6e9, 1e-12);
	ck_assert_double_eq_tol(cost.adapter_s, 16 * 1e6 / 23e9, 1e-12);
	ck_assert_double_eq(cost.seconds, fmax(cost.path_s, cost.adapter_s));
	tmap_tree_fini(&tree);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(one_rank_costs_nothing)
{
	struct tmap_tree_cost cost;
	struct tmap_placement p;
	struct tmap_metric metric;
	struct tmap_tree tree;
	const int seat[] = { 0 };

	placement_seats_take(&p, machine_zoot(), seat, 1);
	ck_assert_int_eq(tmap_metric_init(&metric, &p, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(tmap_tree_init(&tree, &metric, 0, &err), 0);
	ck_assert_int_eq(tmap_tree_cost(&cost, &tree, &metric, summit(), 1 << 30, 4096, &err), 0);
	ck_assert_double_eq(cost.seconds, 0);
	ck_assert_int_eq(cost.in_flight, 0);
	ck_assert_int_eq(tmap_tree_cost(&cost, &tree, &metric, summit(), -1, 0, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_int_eq(tmap_tree_cost(&cost, &tree, &metric, summit(), 1, -1, &err), -1);
	tmap_tree_fini(&tree);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(chunks_are_counted_without_overflow)
{
	ck_assert_int_eq(tmap_chunk_count(0, 10), 1);
	ck_assert_int_eq(tmap_chunk_count(10, 10), 1);
	ck_assert_int_eq(tmap_chunk_count(11, 10), 2);
	ck_assert_int_eq(tmap_chunk_count(11, 0), 1);
	ck_assert_int_eq(tmap_chunk_count(INT64_MAX, 1), INT64_MAX);
	ck_assert_int_eq(tmap_chunk_count(INT64_MAX, INT64_MAX - 1), 2);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("tree_cost");
	TCase *tcase = tcase_create("tree_cost");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, random_broadcasts_end_when_played_ones_do);
	tcase_add_test(tcase, a_pipeline_takes_depth_plus_chunks_minus_one_hops);
	tcase_add_test(tcase, the_busiest_controller_and_adapter_are_found);
	tcase_add_test(tcase, one_rank_costs_nothing);
	tcase_add_test(tcase, chunks_are_counted_without_overflow);
	suite_add_tcase(suite, tcase);
	return suite;
}
