/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: tmap_verify(), which moves symbols and knows no hierarchy; the folded telling against
 * the exact one; the numbers of messages of the figure of Bouhrour, Pepin, Jaeger (section
 * 8.2): 18 ranks on 3 nodes of 2 NUMA nodes of 3 cores, one message a conduit.
 */
#include "core/algorithms/arrival.h"
#include "core/algorithms/catalogue.h"
#include "core/group/elect.h"
#include "core/schedule/collect.h"
#include "core/schedule/verify.h"
#include "core/score/score.h"
#include "tests/support/machines.h"
#include "tests/support/traffic.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
enum { ROUNDS = 60 };
#else
enum { ROUNDS = 400 };
#endif

static struct tmap_error err;

static void parse(struct tmap_call *call, enum tmap_collective collective, const char *text)
{
	ck_assert_msg(tmap_call_parse(call, collective, text, &err) == 0, "%s", err.text);
}

/* One word, or up to three of a list. */
static int64_t draw_words(struct dice *dice, const struct tmap_param *param)
{
	int64_t value;
	int count = 0;

	while (tmap_param_word_text(param, count))
		count++;
	value = dice_roll(dice, count);
	for (int i = 1; param->is_list && i < 3 && dice_roll(dice, 2); i++)
		value |= (int64_t)(1 + dice_roll(dice, count)) << 6 * i;
	return value;
}

/* Any levels, of which this machine may lack some, and any algorithms. */
static void draw_choice(struct dice *dice, struct tmap_call *call)
{
	for (int i = 0; call->choice.row->params[i].key; i++) {
		const struct tmap_param *param = &call->choice.row->params[i];

		if (i > 0 || dice_roll(dice, 3) == 0)
			call->choice.value[i] = draw_words(dice, param);
	}
}

/* Nodes of 2 x 2 x 2 by slot or shuffled, some cores empty; or anything anywhere. */
static void draw_job(struct dice *dice, struct tmap_placement *placement)
{
	const struct test_level node_levels[] = {
		{ TMAP_PACKAGE, 2 }, { TMAP_NUMA, 2 }, { TMAP_CORE, 2 }, { 0, 0 }
	};
	int size = 1 + dice_roll(dice, 24), seat[32];

	if (dice_roll(dice, 3) == 0) {
		placement_random_take(placement, machine_random(dice, 5), size, dice);
		return;
	}
	for (int i = 0; i < 32; i++)
		seat[i] = i;
	if (dice_roll(dice, 2))
		dice_shuffle(dice, seat, 32);
	placement_seats_take(placement, machine_regular(4, node_levels), seat, size);
}

START_TEST(every_hierarchy_does_what_its_collective_promises)
{
	static const int64_t bytes[] = { 60, 17, 1 };
	enum tmap_collective collective = (enum tmap_collective)_i;
	struct dice dice = { 5 };
	int verified = 0;

	if (collective == TMAP_SCAN || collective == TMAP_EXSCAN)
		return;
	for (int round = 0; round < ROUNDS; round++) {
		struct tmap_call call = { .bytes = bytes[round % 3] };
		struct tmap_placement placement;
		struct tmap_metric metric;

		draw_job(&dice, &placement);
		ck_assert_int_eq(tmap_metric_init(&metric, &placement, TMAP_SCALE_PROCESS, &err),
				 0);
		parse(&call, collective,
		      collective == TMAP_REDUCE && round % 2 ? "hierarchical_ordered" :
							       "hierarchical");
		draw_choice(&dice, &call);
		call.metric = &metric;
		call.size = placement.size;
		if (tmap_collective_rows[collective].has_root)
			call.root = dice_roll(&dice, call.size);
		if (tmap_call_check(&call, &err) == 0) {
			verified++;
			ck_assert_msg(tmap_verify(&call, &err) == 0, "%d: %s", round, err.text);
			hold(traffic_is_alike(&call));
		} else {
			ck_assert_int_eq(err.kind, TMAP_INPUT);
		}
		tmap_metric_fini(&metric);
		tmap_placement_fini(&placement);
	}
	ck_assert_int_ge(verified, ROUNDS / 4);
}
END_TEST

/* Figure 3: messages between nodes, and between NUMA nodes (of one node or not). */
static void crosses(enum tmap_collective collective, const char *text, bool shuffled, int root,
		    int64_t nodes, int64_t numas, int64_t all)
{
	const struct test_level node_levels[] = { { TMAP_NUMA, 2 }, { TMAP_CORE, 3 }, { 0, 0 } };
	const struct tmap_score_request request = { .collective = collective,
						    .bytes = collective == TMAP_BARRIER ? 0 : 4,
						    .root = root,
						    .algorithm = &text,
						    .algorithm_count = 1 };
	struct dice dice = { 3 };
	const struct tmap_locality *locality;
	struct tmap_placement placement;
	struct tmap_score score;
	int seat[18], numa;

	for (int r = 0; r < 18; r++)
		seat[r] = r;
	if (shuffled)
		dice_shuffle(&dice, seat, 18);
	placement_seats_take(&placement, machine_regular(3, node_levels), seat, 18);
	ck_assert_msg(tmap_score_init(&score, &placement, &request, &err) == 0, "%s", err.text);
	locality = &score.row[0].locality;
	numa = tmap_levels_find(&score.levels, "numa");
	ck_assert_int_eq(locality->level[tmap_levels_find(&score.levels, "node")].messages, nodes);
	ck_assert_int_eq(locality->level[numa].messages, numas);
	ck_assert_int_eq(locality->messages, all);
	tmap_score_fini(&score);
	tmap_placement_fini(&placement);
}

/* 3 nodes and 6 NUMA nodes are reached once each from one of the others. */
START_TEST(one_message_a_conduit_ordered_and_shuffled)
{
	for (int shuffled = 0; shuffled < 2; shuffled++)
		for (int root = 0; root < 18; root += 5) {
			crosses(TMAP_BCAST, "hierarchical", shuffled, root, 2, 5, 17);
			crosses(TMAP_BCAST,
				"hierarchical,levels=node+numa,inner=flat+chain+knomial", shuffled,
				root, 2, 5, 17);
			crosses(TMAP_REDUCE, "hierarchical,inner=flat", shuffled, root, 2, 5, 17);
			crosses(TMAP_GATHER, "hierarchical", shuffled, root, 2, 5, 17);
			crosses(TMAP_REDUCE, "hierarchical_ordered", shuffled, root, 2, 5, 17);
			crosses(TMAP_SCATTER, "hierarchical,inner=linear", shuffled, root, 2, 5,
				17);
		}
}
END_TEST

/* Up and down; at the top 3 conduits, all with each other where they exchange. */
START_TEST(what_goes_up_and_down_again_crosses_each_way)
{
	for (int shuffled = 0; shuffled < 2; shuffled++) {
		crosses(TMAP_ALLREDUCE, "hierarchical,inner=reduce_bcast", shuffled, 0, 2 * 2,
			2 * 5, 2 * 17);
		crosses(TMAP_ALLGATHER, "hierarchical,inner=ring", shuffled, 0, 3 * 2,
			3 * 2 + 2 * 3, 3 * 2 + 2 * 15);
		crosses(TMAP_ALLTOALL, "hierarchical,inner=pairwise", shuffled, 0, 3 * 2,
			3 * 2 + 2 * 3, 3 * 2 + 2 * 15);
		crosses(TMAP_BARRIER, "hierarchical,inner=linear", shuffled, 0, 2 * 2, 2 * 5,
			2 * 17);
	}
}
END_TEST

/* 101 elements of 4 bytes among 4 leaders. Open MPI 5.0.7 halves what it has, the smaller part
 * first: 50 and 51, then 25 and 25 or 25 and 26; MPICH 4.0.2 makes four parts of 26, 25, 25 and
 * 25. */
START_TEST(inner_algorithms_cut_elements_by_their_own_rule)
{
	static const struct {
		const char *text;
		int from, to;
		int64_t elements;
	} flows[] = {
		{ "hierarchical,levels=node,inner=rabenseifner", 0, 2, 51 },
		{ "hierarchical,levels=node,inner=rabenseifner", 2, 0, 50 },
		{ "hierarchical,levels=node,inner=rabenseifner_mpich", 0, 2, 50 },
		{ "hierarchical,levels=node,inner=rabenseifner_mpich", 2, 0, 51 },
	};
	const struct test_level node_levels[] = { { TMAP_CORE, 2 }, { 0, 0 } };
	const int seat[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	struct tmap_placement placement;
	struct tmap_metric metric;

	placement_seats_take(&placement, machine_regular(4, node_levels), seat, 8);
	ck_assert_int_eq(tmap_metric_init(&metric, &placement, TMAP_SCALE_PROCESS, &err), 0);
	for (size_t i = 0; i < sizeof flows / sizeof *flows; i++) {
		struct tmap_call call = { .size = 8, .bytes = 404, .element = 4, .metric = &metric };
		struct tmap_collection all;
		int64_t first = 0;

		parse(&call, TMAP_REDUCE, flows[i].text);
		ck_assert_int_eq(tmap_collection_init(&all, &call, &err), 0);
		for (size_t m = 0; m < all.count && !first; m++)
			if (all.message[m].from == flows[i].from &&
			    all.message[m].to == flows[i].to)
				first = all.message[m].bytes;
		ck_assert_int_eq(first, 4 * flows[i].elements);
		tmap_collection_fini(&all);
	}
	tmap_metric_fini(&metric);
	tmap_placement_fini(&placement);
}
END_TEST

/* Objects of a level that hold ranks. */
static int64_t count_used(const struct tmap_levels *levels, int level,
			  const struct tmap_placement *placement)
{
	bool used[1024] = { false };
	int64_t count = 0;

	for (int r = 0; r < placement->size; r++) {
		int number = tmap_levels_of_rank(levels, level, placement, r);

		hold(number < 1024);
		count += !used[number];
		used[number] = true;
	}
	return count;
}

/* Whatever runs in the communicators, and however few ranks an object has: each that holds ranks
 * is entered, or left, once. */
START_TEST(every_object_is_entered_once)
{
	static const char *const texts[] = { "hierarchical", "hierarchical,inner=flat",
					     "hierarchical,inner=chain+knomial+binary" };
	const struct test_level node_levels[] = {
		{ TMAP_PACKAGE, 2 }, { TMAP_NUMA, 2 }, { TMAP_CORE, 2 }, { 0, 0 }
	};
	struct dice dice = { 21 };

	for (int round = 0; round < 200; round++) {
		struct tmap_machine *machine = machine_regular(6, node_levels);
		int size = 2 + dice_roll(&dice, 40), seat[48];
		const struct tmap_score_request request = { .collective = round % 2 ? TMAP_BCAST :
										      TMAP_REDUCE,
							    .bytes = 4,
							    .root = dice_roll(&dice, size),
							    .algorithm = &texts[round % 3],
							    .algorithm_count = 1 };
		struct tmap_placement placement;
		struct tmap_score score;

		for (int s = 0; s < 48; s++)
			seat[s] = s;
		dice_shuffle(&dice, seat, 48);
		machine_add_switches(machine, 2);
		placement_seats_take(&placement, machine, seat, size);
		ck_assert_int_eq(tmap_score_init(&score, &placement, &request, &err), 0);
		for (int l = 0; l < score.levels.count; l++)
			ck_assert_int_eq(score.row[0].locality.level[l].messages,
					 count_used(&score.levels, l, &placement) - 1);
		tmap_score_fini(&score);
		tmap_placement_fini(&placement);
	}
}
END_TEST

/* Blocks in a buffer, and whose buffer it is. */
struct pile {
	int conduit, count, rank[12];
};

static int compare_conduits(const void *a, const void *b)
{
	return ((const struct pile *)a)->conduit - ((const struct pile *)b)->conduit;
}

static int count_runs(const struct pile *pile)
{
	int runs = 0;

	for (int i = 0; i < pile->count; i++) {
		bool has_before = false;

		for (int k = 0; k < pile->count; k++)
			has_before = has_before || pile->rank[k] == pile->rank[i] - 1;
		runs += !has_before;
	}
	return runs;
}

/* One communicator gathers linearly: piles one behind the other, by the ranks that have them. */
static struct pile gather(struct pile *pile, int count, int root, int64_t *sent, int64_t *packed)
{
	struct pile all = { .conduit = 99 };

	qsort(pile, (size_t)count, sizeof *pile, compare_conduits);
	for (int i = 0; i < count; i++) {
		memcpy(all.rank + all.count, pile[i].rank, (size_t)pile[i].count * sizeof(int));
		all.count += pile[i].count;
		if (pile[i].conduit == root ||
		    (all.conduit != root && pile[i].conduit < all.conduit))
			all.conduit = pile[i].conduit;
	}
	for (int i = 0; i < count; i++)
		if (pile[i].conduit != all.conduit) {
			*sent += 4 * pile[i].count;
			*packed += 8 * count_runs(&pile[i]);
		}
	return all;
}

/* 2 nodes of 2 NUMA nodes of 3 cores: 12 blocks, as in figure 4 of the paper. */
static void arrives(const int *rank_of_seat, int root)
{
	const struct test_level node_levels[] = { { TMAP_NUMA, 2 }, { TMAP_CORE, 3 }, { 0, 0 } };
	struct tmap_call call = { .size = 12, .root = root, .bytes = 5 };
	struct pile numa[2][2], node[2], all;
	struct tmap_placement placement;
	struct tmap_arrival arrival;
	struct tmap_metric metric;
	int64_t sent = 0, packed = 0;
	int seat[12], moved = 0;

	for (int s = 0; s < 12; s++)
		seat[rank_of_seat[s]] = s;
	for (int n = 0; n < 2; n++) {
		for (int m = 0; m < 2; m++) {
			struct pile own[3];

			for (int i = 0; i < 3; i++) {
				int rank = rank_of_seat[6 * n + 3 * m + i];

				own[i] = (struct pile){ rank, 1, { rank } };
			}
			numa[n][m] = gather(own, 3, root, &sent, &packed);
		}
		node[n] = gather(numa[n], 2, root, &sent, &packed);
	}
	all = gather(node, 2, root, &sent, &packed);
	for (int r = 0; r < 12; r++)
		moved += all.rank[r] != r;
	placement_seats_take(&placement, machine_regular(2, node_levels), seat, 12);
	ck_assert_int_eq(tmap_metric_init(&metric, &placement, TMAP_SCALE_PROCESS, &err), 0);
	parse(&call, TMAP_GATHER, "hierarchical,inner=linear");
	call.metric = &metric;
	ck_assert_int_eq(tmap_call_check(&call, &err), 0);
	hold(tmap_arrival_has(&call));
	ck_assert_int_eq(tmap_arrival_init(&arrival, &call, &err), 0);
	ck_assert_int_eq(memcmp(arrival.order, all.rank, sizeof all.rank), 0);
	ck_assert_int_eq(arrival.moved, moved);
	ck_assert_int_eq(arrival.sent_bytes, sent);
	ck_assert_int_eq(arrival.packed_bytes, packed);
	tmap_arrival_fini(&arrival);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&placement);
}

START_TEST(a_gather_arrives_as_the_communicators_pile_it_up)
{
	struct dice dice = { 9 };
	int rank_of_seat[12];

	for (int s = 0; s < 12; s++)
		rank_of_seat[s] = s;
	for (int root = 0; root < 12; root++)
		arrives(rank_of_seat, root);
	for (int round = 0; round < 200; round++) {
		dice_shuffle(&dice, rank_of_seat, 12);
		arrives(rank_of_seat, round % 12);
	}
}
END_TEST

START_TEST(conduits_are_elected_by_the_words_of_the_hierarchy)
{
	struct tmap_call call = { .size = 1 };
	const struct tmap_param *param;

	parse(&call, TMAP_BCAST, "hierarchical");
	param = &call.choice.row->params[1];
	ck_assert_str_eq(param->key, "elect");
	for (size_t i = 0;
	     tmap_keywords_at(&tmap_elections, i) || tmap_param_word_text(param, (int64_t)i); i++)
		ck_assert_str_eq(tmap_param_word_text(param, (int64_t)i),
				 tmap_keywords_at(&tmap_elections, i)->name);
}
END_TEST

static void cannot(struct tmap_call *call, const char *text, const char *message)
{
	parse(call, TMAP_ALLGATHER, text);
	ck_assert_int_eq(tmap_call_check(call, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(err.text, message);
}

START_TEST(what_has_no_hierarchy_is_refused_with_the_reason)
{
	const struct test_level node_levels[] = { { TMAP_PACKAGE, 2 }, { TMAP_CORE, 3 }, { 0, 0 } };
	struct tmap_call call = { .size = 6 };
	struct tmap_placement placement;
	struct tmap_metric metric;

	cannot(&call, "hierarchical",
	       "hierarchical splits the ranks by the machine: it needs a "
	       "placement");
	placement_block_take(&placement, machine_regular(1, node_levels));
	ck_assert_int_eq(tmap_metric_init(&metric, &placement, TMAP_SCALE_PROCESS, &err), 0);
	call.metric = &metric;
	cannot(&call, "hierarchical,levels=node", "hierarchical: the ranks fall apart at no level");
	cannot(&call, "hierarchical,levels=node+all",
	       "hierarchical: 'all' cannot be combined with other levels");
	cannot(&call, "hierarchical,levels=package,inner=neighbor_exchange,bcast=bine",
	       "hierarchical: inner algorithm: bine needs a power of two of ranks; there are 3");
	cannot(&call, "hierarchical,levels=package+package",
	       "hierarchical: level 'package' is named twice");
	tmap_metric_fini(&metric);
	tmap_placement_fini(&placement);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("hierarchical");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, every_hierarchy_does_what_its_collective_promises, 0,
			    TMAP_NEIGHBOR_ALLGATHER);
	tcase_add_test(tc, one_message_a_conduit_ordered_and_shuffled);
	tcase_add_test(tc, what_goes_up_and_down_again_crosses_each_way);
	tcase_add_test(tc, every_object_is_entered_once);
	tcase_add_test(tc, a_gather_arrives_as_the_communicators_pile_it_up);
	tcase_add_test(tc, conduits_are_elected_by_the_words_of_the_hierarchy);
	tcase_add_test(tc, what_has_no_hierarchy_is_refused_with_the_reason);
	tcase_add_test(tc, inner_algorithms_cut_elements_by_their_own_rule);
	suite_add_tcase(suite, tc);
	return suite;
}
