/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: tmap_verify(), which moves symbols and knows no lanes, over regular, irregular,
 * consecutive and shuffled placements; and, for rounds and volumes, the closed forms of Traeff
 * and Hunold (section III) and those of the other collectives by the same reckoning, which the
 * schedules must meet to the byte.
 */
#include "core/algorithms/catalogue.h"
#include "core/group/lanes.h"
#include "core/schedule/emit.h"
#include "core/schedule/verify.h"
#include "tests/support/machines.h"
#include "tests/support/traffic.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static const enum tmap_collective collectives[] = {
	TMAP_BCAST,    TMAP_ALLGATHER, TMAP_GATHER,         TMAP_SCATTER,
	TMAP_REDUCE,   TMAP_ALLREDUCE, TMAP_REDUCE_SCATTER, TMAP_REDUCE_SCATTER_BLOCK,
	TMAP_ALLTOALL, TMAP_SCAN,      TMAP_EXSCAN,
};

enum { COLLECTIVES = sizeof collectives / sizeof *collectives, MOST_NODES = 5, MOST_ON_NODE = 6 };

/* Ranks on nodes: so many on each, in a row or shuffled. */
static struct tmap_placement seat(const int *ranks_on, int nodes, struct dice *dice)
{
	struct tmap_machine *machine = machine_regular(
		nodes, (const struct test_level[]){ { TMAP_CORE, MOST_ON_NODE }, { 0 } });
	struct tmap_placement p;
	int seat[MOST_NODES * MOST_ON_NODE], size = 0;

	for (int n = 0; n < nodes; n++)
		for (int i = 0; i < ranks_on[n]; i++)
			seat[size++] = n * MOST_ON_NODE + i;
	if (dice)
		dice_shuffle(dice, seat, size);
	placement_seats_take(&p, machine, seat, size);
	return p;
}

/* Any words for the inner algorithms, and any lanes that there can be. */
static void roll_values(struct tmap_call *call, int lanes, struct dice *dice)
{
	const struct tmap_param *param = call->choice.row->params;

	call->choice.value[0] = dice_roll(dice, lanes + 1);
	for (int i = 1; param[i].key; i++) {
		int words = 0;

		while (tmap_param_word_text(&param[i], words))
			words++;
		call->choice.value[i] = dice_roll(dice, words);
	}
}

START_TEST(lanes_do_what_the_collective_promises)
{
	static const int64_t bytes[] = { 60, 37, 1 };
	enum tmap_collective collective = collectives[_i];
	bool is_scan = collective == TMAP_SCAN || collective == TMAP_EXSCAN;
	struct dice dice = { 21 };
	int verified = 0, irregular = 0, refused = 0;

	for (int round = 0; round < 300; round++) {
		int nodes = 1 + dice_roll(&dice, MOST_NODES), ranks_on[MOST_NODES], most = 1;
		bool regular = dice_roll(&dice, 2), shuffled = !is_scan && dice_roll(&dice, 2);
		struct tmap_call call = { .bytes = bytes[round % 3] };
		struct tmap_placement placement;
		struct tmap_metric metric;
		char *name;

		for (int n = 0; n < nodes; n++) {
			ranks_on[n] = regular && n ? ranks_on[0] :
						     1 + dice_roll(&dice, MOST_ON_NODE);
			most = ranks_on[n] > most ? ranks_on[n] : most;
		}
		placement = seat(ranks_on, nodes, shuffled ? &dice : NULL);
		ck_assert_int_eq(tmap_metric_init(&metric, &placement, TMAP_SCALE_PROCESS, &err),
				 0);
		ck_assert_int_eq(tmap_call_parse(&call, collective, "lane", &err), 0);
		call.size = placement.size;
		call.metric = &metric;
		if (tmap_collective_rows[collective].has_root)
			call.root = dice_roll(&dice, call.size);
		roll_values(&call, most, &dice);
		name = tmap_spec_print(&call.choice, &err);
		if (tmap_call_check(&call, &err) < 0) {
			ck_assert_msg(strncmp(err.text, "inner algorithm: ", 17) == 0, "%s: %s",
				      name, err.text);
			refused++;
		} else {
			ck_assert_msg(tmap_verify(&call, &err) == 0, "%s, %d ranks, round %d: %s",
				      name, call.size, round, err.text);
			ck_assert_msg(traffic_is_alike(&call), "%s, %d ranks, round %d", name,
				      call.size, round);
			verified++;
			irregular += !regular;
		}
		free(name);
		tmap_metric_fini(&metric);
		tmap_placement_fini(&placement);
	}
	ck_assert_int_ge(verified, 120);
	ck_assert_int_ge(irregular, 50);
	ck_assert_int_lt(refused, 180);
}
END_TEST

/* What each rank sends and receives, what leaves and enters each node, and rounds. */
struct volume {
	int ppn;
	int64_t rounds, sent[512], received[512], out[64], in[64];
};

static int weigh(void *context, const struct tmap_message *message, struct tmap_error *e)
{
	struct volume *volume = context;

	(void)e;
	if (message->round + 1 > volume->rounds)
		volume->rounds = message->round + 1;
	volume->sent[message->from] += message->bytes;
	volume->received[message->to] += message->bytes;
	if (message->from / volume->ppn != message->to / volume->ppn) {
		volume->out[message->from / volume->ppn] += message->bytes;
		volume->in[message->to / volume->ppn] += message->bytes;
	}
	return 0;
}

/* N nodes of n ranks in a row. */
static struct volume volume_of(enum tmap_collective collective, const char *text, int nodes, int n,
			       int64_t bytes)
{
	struct tmap_machine *machine =
		machine_regular(nodes, (const struct test_level[]){ { TMAP_CORE, n }, { 0 } });
	struct volume volume = { .ppn = n };
	struct tmap_call call = { .size = nodes * n, .bytes = bytes };
	struct tmap_visitor visitor = { .message = weigh, .context = &volume };
	struct tmap_placement placement;
	struct tmap_metric metric;

	placement_block_take(&placement, machine);
	ck_assert_int_eq(tmap_metric_init(&metric, &placement, TMAP_SCALE_PROCESS, &err), 0);
	call.metric = &metric;
	ck_assert_msg(tmap_call_parse(&call, collective, text, &err) == 0, "%s", err.text);
	ck_assert_msg(tmap_call_check(&call, &err) == 0, "%s", err.text);
	ck_assert_msg(tmap_schedule(&call, &visitor, &err) == 0, "%s", err.text);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&placement);
	return volume;
}

/* Every rank receives (or sends) just that much; so does every node. */
static void all_are(const int64_t *value, int count, int64_t wanted, const char *what)
{
	for (int i = 0; i < count; i++)
		ck_assert_msg(value[i] == wanted, "%s: %lld of number %d, not %lld", what,
			      (long long)value[i], i, (long long)wanted);
}

/* Section III-A: 2 ceil(log n) + ceil(log N) rounds; every rank but those of the root's node gets
 * c/n and (n - 1) c/n; every other node gets c once. Section III-B: ceil(log N) + ceil(log n)
 * rounds, (p - 1) c sent and received, (p - n) c from and to a node. */
static void check_broadcasts(int nodes, int n)
{
	int64_t log_nodes = tmap_log2_ceil(nodes), log_n = tmap_log2_ceil(n), c = 12 * n,
		p = nodes * n;
	struct volume bcast = volume_of(TMAP_BCAST, "lane", nodes, n, c);
	struct volume allgather = volume_of(TMAP_ALLGATHER, "lane", nodes, n, c);

	ck_assert_int_eq(bcast.rounds, 2 * log_n + log_nodes);
	all_are(bcast.received + n, (nodes - 1) * n, c, "bcast");
	all_are(bcast.in + 1, nodes - 1, c, "bcast, in");
	ck_assert_int_eq(bcast.in[0], 0);
	ck_assert_int_eq(allgather.rounds, log_n + log_nodes);
	all_are(allgather.received, (int)p, (p - 1) * c, "allgather, received");
	all_are(allgather.sent, (int)p, (p - 1) * c, "allgather, sent");
	all_are(allgather.in, nodes, n * (nodes - 1) * c, "allgather, in");
	all_are(allgather.out, nodes, n * (nodes - 1) * c, "allgather, out");
}

/* Section III-C: at any number of nodes and ranks 2 ceil(log n) + 2 ceil(log N) rounds, which are
 * at most 2 (ceil(log p) + 1), and 2 (p - 1)/p c; of reduce_scatter and reduce_scatter_block half
 * of that, (p - 1) b; of reduce the rounds of one reduce_scatter, one reduce and one gather. */
static void check_reductions(int nodes, int n)
{
	int64_t log_nodes = tmap_log2_ceil(nodes), log_n = tmap_log2_ceil(n), p = nodes * n,
		c = 8 * p, b = 6;
	struct volume allreduce = volume_of(TMAP_ALLREDUCE, "lane", nodes, n, c);
	struct volume vector = volume_of(TMAP_REDUCE_SCATTER, "lane", nodes, n, p * b);
	struct volume block = volume_of(TMAP_REDUCE_SCATTER_BLOCK, "lane", nodes, n, b);
	struct volume reduce = volume_of(TMAP_REDUCE, "lane", nodes, n, c);

	ck_assert_int_eq(allreduce.rounds, 2 * log_n + 2 * log_nodes);
	ck_assert_int_le(allreduce.rounds, 2 * (tmap_log2_ceil(p) + 1));
	all_are(allreduce.sent, (int)p, 2 * (p - 1) * c / p, "allreduce, sent");
	all_are(allreduce.received, (int)p, 2 * (p - 1) * c / p, "allreduce, received");
	all_are(allreduce.out, nodes, 2 * (nodes - 1) * c / nodes, "allreduce, out");
	ck_assert_int_eq(vector.rounds, log_n + log_nodes);
	all_are(vector.sent, (int)p, (p - 1) * b, "reduce_scatter");
	ck_assert_int_eq(block.rounds, log_n + log_nodes);
	all_are(block.sent, (int)p, (p - 1) * b, "reduce_scatter_block");
	all_are(block.out, nodes, n * (nodes - 1) * b, "reduce_scatter_block, out");
	ck_assert_int_eq(reduce.rounds, 2 * log_n + log_nodes);
	all_are(reduce.out + 1, nodes - 1, c, "reduce, out");
	ck_assert_int_eq(reduce.out[0], 0);
	/* reduce_scatter, then c/n over the lane but at its root */
	all_are(reduce.sent + n, (nodes - 1) * n, (n - 1) * c / n + c / n, "reduce, sent");
}

/* Section III-D: reduce_scatter, exscan, allgather (not on the first node), scan; at powers of two
 * a rank gets, and a node passes on, at most a vector a round. */
static void check_scans(int nodes, int n)
{
	int64_t log_nodes = tmap_log2_ceil(nodes), log_n = tmap_log2_ceil(n), p = nodes * n,
		c = 8 * p;
	struct volume scan = volume_of(TMAP_SCAN, "lane", nodes, n, c);
	int64_t of_scan = log_n * c, of_exscan = log_nodes * c / n, halves = (n - 1) * c / n;

	ck_assert_int_eq(scan.rounds, 3 * log_n + log_nodes - (nodes == 1 ? log_n : 0));
	ck_assert_int_eq(volume_of(TMAP_EXSCAN, "lane", nodes, n, c).rounds, scan.rounds);
	if ((nodes & (nodes - 1)) || (n & (n - 1)))
		return;
	all_are(scan.received, n, of_scan + of_exscan + halves, "scan, first node");
	all_are(scan.received + n, (nodes - 1) * n, of_scan + of_exscan + 2 * halves, "scan");
	all_are(scan.out, nodes, log_nodes * c, "scan, out");
}

/* What moves without being reduced: alltoall (N - 1) n b + (n - 1) N b, about twice what it must
 * for a rank and just that for a node; gather and scatter (p - n) b over the border of the root's
 * node and N b from each other rank there. */
static void check_exchanges(int nodes, int n)
{
	int64_t p = nodes * n, b = 5;
	struct volume alltoall =
		volume_of(TMAP_ALLTOALL, "lane,inner=pairwise,node=pairwise", nodes, n, b);
	struct volume gather = volume_of(TMAP_GATHER, "lane", nodes, n, b);
	struct volume scatter = volume_of(TMAP_SCATTER, "lane", nodes, n, b);

	ck_assert_int_eq(alltoall.rounds, nodes - 1 + n - 1);
	all_are(alltoall.sent, (int)p, (2 * p - n - nodes) * b, "alltoall");
	all_are(alltoall.out, nodes, n * (p - n) * b, "alltoall, out");
	ck_assert_int_eq(gather.rounds, tmap_log2_ceil(nodes) + tmap_log2_ceil(n));
	ck_assert_int_eq(gather.received[0], (p - 1) * b);
	ck_assert_int_eq(gather.in[0], (p - n) * b);
	ck_assert_int_eq(scatter.rounds, gather.rounds);
	ck_assert_int_eq(scatter.sent[0], (p - 1) * b);
	ck_assert_int_eq(scatter.out[0], (p - n) * b);
}

static void check_shape(int nodes, int n)
{
	check_broadcasts(nodes, n);
	check_exchanges(nodes, n);
	check_reductions(nodes, n);
	check_scans(nodes, n);
}

START_TEST(rounds_and_volumes_are_those_of_the_paper)
{
	static const int larger[][2] = { { 2, 16 }, { 16, 2 }, { 36, 8 }, { 5, 12 }, { 23, 9 } };

	for (int nodes = 1; nodes <= 8; nodes++)
		for (int n = 1; n <= 8; n++)
			check_shape(nodes, n);
	for (size_t i = 0; i < sizeof larger / sizeof *larger; i++)
		check_shape(larger[i][0], larger[i][1]);
}
END_TEST

/* 5 nodes of 3 ranks, 120 B: what is best in the paper is 2 (2 + 3) rounds and 2 x 14/15 of the
 * vector, and with these names that is what runs. */
START_TEST(automatic_algorithms_go_by_the_communicators)
{
	static const struct {
		int nodes, n;
		const char *runs;
	} cases[] = {
		{ 5, 3, "lane,inner=circulant,reduce_scatter=circulant" },
		{ 3, 8, "lane,inner=circulant,reduce_scatter=recursive_halving" },
		{ 4, 6, "lane,inner=rabenseifner,reduce_scatter=circulant" },
		{ 4, 4, "lane,inner=rabenseifner,reduce_scatter=recursive_halving" },
	};
	struct volume volume = volume_of(TMAP_ALLREDUCE, "lane", 5, 3, 120);

	ck_assert_int_eq(volume.rounds, 10);
	all_are(volume.sent, 15, 224, "allreduce");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tmap_placement placement;
		struct tmap_metric metric;
		struct tmap_call call = { .size = cases[i].nodes * cases[i].n, .bytes = 8 };
		struct tmap_spec resolved;
		char *name;

		placement_block_take(&placement,
				     machine_regular(cases[i].nodes,
						     (const struct test_level[]){
							     { TMAP_CORE, cases[i].n }, { 0 } }));
		ck_assert_int_eq(tmap_metric_init(&metric, &placement, TMAP_SCALE_PROCESS, &err),
				 0);
		call.metric = &metric;
		ck_assert_int_eq(tmap_call_parse(&call, TMAP_ALLREDUCE, "lane", &err), 0);
		ck_assert_int_eq(tmap_call_check(&call, &err), 0);
		ck_assert_int_eq(tmap_call_resolve(&call, &resolved, &err), 0);
		name = tmap_spec_print(&resolved, &err);
		ck_assert_str_eq(name, cases[i].runs);
		free(name);
		call.choice = resolved; /* and once more: there is nothing left to choose */
		ck_assert_int_eq(tmap_call_resolve(&call, &resolved, &err), 0);
		ck_assert_mem_eq(&call.choice, &resolved, sizeof resolved);
		tmap_metric_fini(&metric);
		tmap_placement_fini(&placement);
	}
}
END_TEST

/* Listing 2 and 4: the leaders among themselves, then, or before, one collective a node. */
START_TEST(one_lane_is_the_hierarchy_of_the_paper)
{
	for (int nodes = 2; nodes <= 9; nodes++)
		for (int n = 2; n <= 9; n++) {
			int64_t log_n = tmap_log2_ceil(n), log_nodes = tmap_log2_ceil(nodes),
				c = 10;
			struct volume bcast = volume_of(TMAP_BCAST, "lane,lanes=1", nodes, n, c);
			struct volume allgather =
				volume_of(TMAP_ALLGATHER, "lane,lanes=1", nodes, n, c);

			hold(bcast.rounds == log_n + log_nodes);
			hold(allgather.rounds == 2 * log_n + log_nodes);
			all_are(bcast.received + 1, nodes * n - 1, c, "bcast");
			all_are(allgather.in, nodes, n * (nodes - 1) * c, "allgather, in");
		}
}
END_TEST

/* What enters each node of a placement that is anything. */
struct entered {
	const struct tmap_placement *placement;
	int64_t in[MOST_NODES];
};

static int enter(void *context, const struct tmap_message *message, struct tmap_error *e)
{
	struct entered *entered = context;
	const int *node = entered->placement->node;

	(void)e;
	if (node[message->from] != node[message->to])
		entered->in[node[message->to]] += message->bytes;
	return 0;
}

static struct entered entered_by(const struct tmap_placement *p, enum tmap_collective collective,
				 const char *text, int root)
{
	struct entered entered = { .placement = p };
	struct tmap_visitor visitor = { .message = enter, .context = &entered };
	struct tmap_call call = { .size = p->size, .bytes = 7, .root = root };
	struct tmap_metric metric;

	ck_assert_int_eq(tmap_metric_init(&metric, p, TMAP_SCALE_PROCESS, &err), 0);
	call.metric = &metric;
	ck_assert_msg(tmap_call_parse(&call, collective, text, &err) == 0, "%s", err.text);
	ck_assert_msg(tmap_call_check(&call, &err) == 0, "%s", err.text);
	ck_assert_int_eq(tmap_schedule(&call, &visitor, &err), 0);
	tmap_metric_fini(&metric);
	return entered;
}

/* However many lanes there are and whatever the nodes hold: an allgather brings into each node
 * the blocks that it has not, an alltoall what is for its ranks, a bcast the vector, once. */
START_TEST(nothing_enters_an_irregular_node_twice)
{
	struct dice dice = { 22 };

	for (int round = 0; round < 200; round++) {
		int nodes = 2 + dice_roll(&dice, MOST_NODES - 1), ranks_on[MOST_NODES], most = 0;
		struct tmap_placement p;
		struct entered gathered, exchanged, spread;
		char text[40];
		int root;

		for (int n = 0; n < nodes; n++) {
			ranks_on[n] = 1 + dice_roll(&dice, MOST_ON_NODE);
			most = ranks_on[n] > most ? ranks_on[n] : most;
		}
		p = seat(ranks_on, nodes, &dice);
		root = dice_roll(&dice, p.size);
		snprintf(text, sizeof text, "lane,lanes=%d", dice_roll(&dice, most + 1));
		gathered = entered_by(&p, TMAP_ALLGATHER, text, 0);
		strcat(text, ",inner=pairwise");
		exchanged = entered_by(&p, TMAP_ALLTOALL, text, 0);
		*strchr(strchr(text, ',') + 1, ',') = '\0';
		spread = entered_by(&p, TMAP_BCAST, text, root);
		for (int n = 0; n < nodes; n++) {
			hold(gathered.in[n] == 7 * (p.size - ranks_on[n]));
			hold(exchanged.in[n] == 7 * ranks_on[n] * (p.size - ranks_on[n]));
			hold(spread.in[n] == (n == p.node[root] ? 0 : 7));
		}
		tmap_placement_fini(&p);
	}
}
END_TEST

START_TEST(what_has_no_lanes_is_refused)
{
	const int even[] = { 3, 3 };
	struct dice dice = { 3 };
	struct tmap_placement p = seat(even, 2, &dice);
	struct tmap_call call = { .size = p.size, .bytes = 8 };
	struct tmap_metric metric;

	ck_assert_int_eq(tmap_metric_init(&metric, &p, TMAP_SCALE_PROCESS, &err), 0);
	call.metric = &metric;
	ck_assert_int_eq(tmap_call_parse(&call, TMAP_BCAST, "lane,lanes=4", &err), 0);
	ck_assert_int_eq(tmap_call_check(&call, &err), -1);
	ck_assert_str_eq(err.text, "4 lanes are not possible: the fullest node has 3 ranks");
	ck_assert_int_eq(tmap_call_parse(&call, TMAP_SCAN, "lane", &err), 0);
	ck_assert_int_eq(tmap_call_check(&call, &err), -1);
	ck_assert_str_eq(err.text,
			 "lanes of scan need nodes that hold intervals of ranks, one "
			 "after the other");
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("lane");
	TCase *tests = tcase_create("lane");

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, lanes_do_what_the_collective_promises, 0, COLLECTIVES);
	tcase_add_test(tests, rounds_and_volumes_are_those_of_the_paper);
	tcase_add_test(tests, automatic_algorithms_go_by_the_communicators);
	tcase_add_test(tests, one_lane_is_the_hierarchy_of_the_paper);
	tcase_add_test(tests, nothing_enters_an_irregular_node_twice);
	tcase_add_test(tests, what_has_no_lanes_is_refused);
	suite_add_tcase(suite, tests);
	return suite;
}
