/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: tmap_verify(), which moves symbols and knows no phases; and the folded telling
 * against the exact one. The rows here are no rows of the catalogue: they put phases
 * together over groups of ranks that are drawn at random.
 */
#include "core/algorithms/catalogue.h"
#include "core/algorithms/phase.h"
#include "core/schedule/collect.h"
#include "core/schedule/verify.h"
#include "tests/support/machines.h"
#include "tests/support/traffic.h"
#include "tests/unit.h"

#include <string.h>

enum { MOST = 24 };

static struct tmap_error err;

/* Ranks in groups, and across them: group g has member[start[g]] ..; its first is its leader,
 * but where the root is. Lane l has the l-th of each group, which are all equally large. */
static struct {
	int size, groups, start[MOST + 1], member[MOST], root[MOST];
	int leader[MOST], leaders[2], top_root[1];
	int64_t first[MOST], count[MOST]; /* of each leader's group, in member[] */
	int lane_start[MOST + 1], lane_member[MOST], lanes;
	int64_t inner; /* which word each phase runs */
} shape;

static struct tmap_comms groups(void)
{
	return (struct tmap_comms){ shape.groups, shape.start, shape.member, shape.root };
}

static struct tmap_comms leaders(void)
{
	return (struct tmap_comms){ 1, shape.leaders, shape.leader, shape.top_root };
}

static struct tmap_comms lanes(void)
{
	return (struct tmap_comms){ shape.lanes, shape.lane_start, shape.lane_member, NULL };
}

static struct tmap_lists group_lists(void)
{
	return (struct tmap_lists){ TMAP_LIST_PART, shape.member, shape.first, shape.count, 0 };
}

static const struct tmap_lists own = { .kind = TMAP_LIST_OWN }, all = { .kind = TMAP_LIST_ALL };

/* The inner algorithm at hand, or the first where it does not fit. */
static int run(struct tmap_emit *emit, enum tmap_collective collective, struct tmap_phase phase)
{
	int64_t count = 0;

	while (tmap_phase_name(collective, count))
		count++;
	phase.choice = tmap_phase_spec(collective, shape.inner % count);
	if (tmap_phase_check(&phase, &err) < 0)
		phase.choice = tmap_phase_spec(collective, 0);
	return tmap_phase_emit(emit, &phase);
}

/* Up to the leaders, among them, and down. */
static int gather_up(struct tmap_emit *emit)
{
	return run(emit, TMAP_GATHER,
		   (struct tmap_phase){ .teams = groups(), .block = own, .receivers = all });
}

static int bcast_down(struct tmap_emit *emit)
{
	return run(emit, TMAP_BCAST, (struct tmap_phase){ .teams = groups() });
}

static int reduce_up(struct tmap_emit *emit)
{
	return run(emit, TMAP_REDUCE, (struct tmap_phase){ .teams = groups() });
}

static int scatter_down(struct tmap_emit *emit)
{
	return run(emit, TMAP_SCATTER,
		   (struct tmap_phase){ .teams = groups(),
					.block = tmap_call_algorithm(emit->call)->collective ==
							TMAP_ALLTOALL ?
						all :
						own,
					.receivers = own });
}

static int among_leaders(struct tmap_emit *emit, enum tmap_collective collective)
{
	return run(emit, collective,
		   (struct tmap_phase){ .teams = leaders(),
					.block = group_lists(),
					.receivers = group_lists() });
}

static int allgather(struct tmap_emit *emit)
{
	return gather_up(emit) < 0 || among_leaders(emit, TMAP_ALLGATHER) < 0 ? -1 :
										bcast_down(emit);
}

static int gather(struct tmap_emit *emit)
{
	return gather_up(emit) < 0 ? -1 : among_leaders(emit, TMAP_GATHER);
}

static int scatter(struct tmap_emit *emit)
{
	return among_leaders(emit, TMAP_SCATTER) < 0 ? -1 : scatter_down(emit);
}

static int bcast(struct tmap_emit *emit)
{
	return run(emit, TMAP_BCAST, (struct tmap_phase){ .teams = leaders() }) < 0 ?
		-1 :
		bcast_down(emit);
}

static int reduce(struct tmap_emit *emit)
{
	return reduce_up(emit) < 0 ?
		-1 :
		run(emit, TMAP_REDUCE, (struct tmap_phase){ .teams = leaders() });
}

static int allreduce(struct tmap_emit *emit)
{
	return reduce_up(emit) < 0 ||
			run(emit, TMAP_ALLREDUCE, (struct tmap_phase){ .teams = leaders() }) < 0 ?
		-1 :
		bcast_down(emit);
}

static int reduce_scatter(struct tmap_emit *emit)
{
	return reduce_up(emit) < 0 || among_leaders(emit, TMAP_REDUCE_SCATTER) < 0 ?
		-1 :
		scatter_down(emit);
}

static int alltoall(struct tmap_emit *emit)
{
	return gather_up(emit) < 0 || among_leaders(emit, TMAP_ALLTOALL) < 0 ? -1 :
									       scatter_down(emit);
}

static int barrier(struct tmap_emit *emit)
{
	return reduce_up(emit) < 0 ||
			run(emit, TMAP_BARRIER, (struct tmap_phase){ .teams = leaders() }) < 0 ?
		-1 :
		bcast_down(emit);
}

/* Each lane reduces a slice of bytes, the last ones less or nothing. */
static int allreduce_in_lanes(struct tmap_emit *emit)
{
	int64_t all_units = tmap_unit_count(emit->call), part = (all_units - 1) / shape.lanes + 1;
	struct tmap_run slice[MOST];
	int64_t first[MOST], count[MOST];
	struct tmap_lists pieces = { TMAP_LIST_PART, NULL, first, count, 0 };

	for (int l = 0; l < shape.lanes; l++) {
		int64_t begin = l * part < all_units ? l * part : all_units;
		int64_t end = begin + part < all_units ? begin + part : all_units;

		slice[l] = (struct tmap_run){ begin, end - begin, 1 };
	}
	for (int seat = 0; seat < shape.size; seat++) {
		first[seat] = slice[seat % shape.lanes].first;
		count[seat] = slice[seat % shape.lanes].count;
	}
	if (run(emit, TMAP_REDUCE_SCATTER,
		(struct tmap_phase){ .teams = groups(), .block = pieces }) < 0 ||
	    run(emit, TMAP_ALLREDUCE, (struct tmap_phase){ .teams = lanes(), .slice = slice }) < 0)
		return -1;
	return run(emit, TMAP_ALLGATHER, (struct tmap_phase){ .teams = groups(), .block = pieces });
}

/* Lane by lane, then what all of a lane have for each of the group. */
static int alltoall_in_lanes(struct tmap_emit *emit)
{
	int64_t first[MOST], count[MOST], lane_first[MOST], lane_count[MOST];
	struct tmap_lists to_group = { TMAP_LIST_PART, shape.member, first, count, 0 };
	struct tmap_lists of_lane = { TMAP_LIST_PART, shape.lane_member, lane_first, lane_count,
				      0 };

	for (int seat = 0; seat < shape.size; seat++) { /* in the lanes; in the groups */
		first[seat] = seat % shape.groups * shape.lanes;
		count[seat] = shape.lanes;
		lane_first[seat] = seat % shape.lanes * shape.groups;
		lane_count[seat] = shape.groups;
	}
	if (run(emit, TMAP_ALLTOALL,
		(struct tmap_phase){ .teams = lanes(), .block = own, .receivers = to_group }) < 0)
		return -1;
	return run(emit, TMAP_ALLTOALL,
		   (struct tmap_phase){ .teams = groups(), .block = of_lane, .receivers = own });
}

#define ROW(which, function) \
	{ \
		.choice.word = { #function, "" }, .collective = which, .repeats = true, \
		.generate = function \
	}
#define VECTOR(which, function) \
	{ \
		.choice.word = { #function, "" }, .collective = which, .repeats = true, \
		.pieces = tmap_piece_a_byte, .generate = function \
	}

static const struct {
	struct tmap_algorithm row;
	bool in_lanes; /* all groups are equally large */
} rows[] = {
	{ ROW(TMAP_ALLGATHER, allgather), false },
	{ ROW(TMAP_GATHER, gather), false },
	{ ROW(TMAP_SCATTER, scatter), false },
	{ VECTOR(TMAP_BCAST, bcast), false },
	{ VECTOR(TMAP_REDUCE, reduce), false },
	{ VECTOR(TMAP_ALLREDUCE, allreduce), false },
	{ ROW(TMAP_REDUCE_SCATTER, reduce_scatter), false },
	{ ROW(TMAP_REDUCE_SCATTER_BLOCK, reduce_scatter), false },
	{ ROW(TMAP_ALLTOALL, alltoall), false },
	{ ROW(TMAP_BARRIER, barrier), false },
	{ VECTOR(TMAP_ALLREDUCE, allreduce_in_lanes), true },
	{ ROW(TMAP_ALLTOALL, alltoall_in_lanes), true },
};

static void draw_groups(struct dice *dice, bool regular)
{
	int each = 1 + dice_roll(dice, 5);

	shape.groups = shape.size = 0;
	while (shape.groups == 0 || (shape.groups < 4 && dice_roll(dice, 4))) {
		shape.start[shape.groups++] = shape.size;
		shape.size += regular ? each : 1 + dice_roll(dice, 5);
	}
	shape.start[shape.groups] = shape.size;
	for (int r = 0; r < shape.size; r++)
		shape.member[r] = r;
	if (dice_roll(dice, 2))
		dice_shuffle(dice, shape.member, shape.size);
	shape.lanes = each;
}

static void draw_shape(struct dice *dice, bool regular, int root)
{
	draw_groups(dice, regular);
	shape.leaders[1] = shape.groups;
	shape.top_root[0] = 0;
	for (int g = 0; g < shape.groups; g++) {
		shape.root[g] = 0;
		for (int i = shape.start[g]; i < shape.start[g + 1]; i++)
			if (shape.member[i] == root % shape.size) {
				shape.root[g] = i - shape.start[g];
				shape.top_root[0] = g;
			}
		shape.leader[g] = shape.member[shape.start[g] + shape.root[g]];
		shape.first[g] = shape.start[g];
		shape.count[g] = shape.start[g + 1] - shape.start[g];
	}
	for (int i = 0; regular && i < shape.size; i++) {
		shape.lane_start[i % shape.lanes] = i % shape.lanes * shape.groups;
		shape.lane_member[i % shape.lanes * shape.groups + i / shape.lanes] =
			shape.member[i];
	}
	shape.lane_start[shape.lanes] = shape.size;
}

/* Sizes that cut a vector evenly, unevenly, and into empty pieces. */
START_TEST(phases_together_do_what_the_collective_promises)
{
	static const int64_t bytes[] = { 120, 37, 1 };
	const struct tmap_algorithm *row = &rows[_i].row;
	struct dice dice = { 11 };

	for (int round = 0; round < 300; round++) {
		int root = tmap_collective_rows[row->collective].has_root ? dice_roll(&dice, MOST) :
									    0;
		struct tmap_call call = { .choice.row = &row->choice, .bytes = bytes[round % 3] };

		draw_shape(&dice, rows[_i].in_lanes, root);
		shape.inner = dice_roll(&dice, 60);
		call.size = shape.size;
		call.root = root % shape.size;
		ck_assert_msg(tmap_verify(&call, &err) == 0, "%d ranks, round %d: %s", call.size,
			      round, err.text);
		hold(traffic_is_alike(&call));
	}
}
END_TEST

/* A binomial gather of four takes two rounds, one of three as well; one of a single rank none. */
START_TEST(teams_run_side_by_side)
{
	static const int start[] = { 0, 4, 8, 11, 12 };
	static const int member[] = { 0, 1, 2, 3, 9, 8, 7, 6, 4, 5, 10, 11 };
	const struct tmap_algorithm row = { .collective = TMAP_GATHER, .generate = gather_up };
	struct tmap_call call = { .choice.row = &row.choice, .size = 12, .bytes = 1 };
	struct tmap_collection collection;

	shape.groups = 4;
	shape.inner = 0;
	memcpy(shape.start, start, sizeof start);
	memcpy(shape.member, member, sizeof member);
	memset(shape.root, 0, sizeof shape.root);
	ck_assert_int_eq(tmap_collection_record(&collection, &call, false, &err), 0);
	ck_assert_int_eq(collection.rounds, 2);
	ck_assert_uint_eq(collection.count, 3 + 3 + 2);
	ck_assert_int_eq(collection.message[0].from, 1);
	ck_assert_int_eq(collection.message[2].from, 8);
	ck_assert_int_eq(collection.message[2].to, 9);
	tmap_collection_fini(&collection);
}
END_TEST

START_TEST(an_algorithm_that_does_not_fit_a_team_is_refused)
{
	static const int start[] = { 0, 4, 7 }, member[] = { 0, 1, 2, 3, 4, 5, 6 };
	struct tmap_phase phase = { .teams = { 2, start, member, NULL } };

	ck_assert_int_eq(tmap_spec_parse(&phase.choice, tmap_algorithms(TMAP_ALLGATHER),
					 "neighbor_exchange", &err),
			 0);
	ck_assert_int_eq(tmap_phase_check(&phase, &err), -1);
	ck_assert_str_eq(err.text,
			 "inner algorithm: neighbor_exchange needs an even number of "
			 "ranks; there are 3");
	phase.choice = tmap_phase_spec(TMAP_ALLGATHER, 0);
	ck_assert_int_eq(tmap_phase_check(&phase, &err), 0);
}
END_TEST

/* Those that need no placement, and have no phases of their own. */
START_TEST(the_words_are_rows_of_the_catalogue)
{
	for (int c = 0; c < TMAP_NEIGHBOR_ALLGATHER; c++) {
		const struct tmap_keywords *rows_of = tmap_algorithms((enum tmap_collective)c);
		enum tmap_collective collective = (enum tmap_collective)c;
		const char *word;

		for (int i = 0; (word = tmap_phase_name(collective, i)); i++) {
			struct tmap_spec choice = tmap_phase_spec(collective, i);

			/* with values of its own behind its name */
			ck_assert_int_eq(
				strncmp(choice.row->word.name, word, strlen(choice.row->word.name)),
				0);
		}
		for (size_t i = 0; tmap_keywords_at(rows_of, i); i++) {
			const struct tmap_algorithm *row =
				(const void *)tmap_keywords_at(rows_of, i);
			bool found = false;

			ck_assert_msg(row->pattern, "%s has no pattern", row->choice.word.name);
			for (int w = 0; (word = tmap_phase_name(collective, w)); w++)
				found = found || strcmp(word, row->choice.word.name) == 0;
			if (!row->needs_metric && strcmp(row->choice.word.name, "locality_bruck") &&
			    strcmp(row->choice.word.name, "reduce_and_scatter") &&
			    strncmp(row->choice.word.name, "hierarchical", 12) && !row->by_name)
				ck_assert_msg(found, "%s is no phase", row->choice.word.name);
		}
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("phase");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, phases_together_do_what_the_collective_promises, 0,
			    (int)(sizeof rows / sizeof *rows));
	tcase_add_test(tc, teams_run_side_by_side);
	tcase_add_test(tc, an_algorithm_that_does_not_fit_a_team_is_refused);
	tcase_add_test(tc, the_words_are_rows_of_the_catalogue);
	suite_add_tcase(suite, tc);
	return suite;
}
