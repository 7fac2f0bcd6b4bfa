/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: the table of an independent program (rounds, messages, blocks, and what of them
 * crosses nodes of four ranks by slot and by node); the closed forms of the papers; the
 * worked example of Sparbit's paper (its section IV, figure 3); Open MPI's documentation
 * for what its releases can be told.
 */
#include "core/algorithms/catalogue.h"
#include "core/algorithms/tables.h"
#include "core/schedule/emit.h"
#include "core/tree/shapes.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

/* What a schedule sends, and how much of it between nodes of ppn ranks. */
struct sum {
	int size, ppn, nodes;
	int64_t rounds, messages, bytes;
	int64_t block_messages, block_bytes, cyclic_messages, cyclic_bytes;
};

static int add(void *context, const struct tmap_message *message, struct tmap_error *e)
{
	struct sum *sum = context;

	(void)e;
	if (message->round + 1 > sum->rounds)
		sum->rounds = message->round + 1;
	sum->messages++;
	sum->bytes += message->bytes;
	if (message->from / sum->ppn != message->to / sum->ppn) {
		sum->block_messages++;
		sum->block_bytes += message->bytes;
	}
	if (message->from % sum->nodes != message->to % sum->nodes) {
		sum->cyclic_messages++;
		sum->cyclic_bytes += message->bytes;
	}
	return 0;
}

static struct tmap_call call_of(enum tmap_collective collective, const char *text, int size,
				int64_t bytes)
{
	struct tmap_call call = { .size = size, .bytes = bytes };

	ck_assert_msg(tmap_call_parse(&call, collective, text, &err) == 0, "%s", err.text);
	ck_assert_msg(tmap_call_check(&call, &err) == 0, "%s: %s", text, err.text);
	return call;
}

static struct sum sum_of(enum tmap_collective collective, const char *text, int size, int64_t bytes,
			 int ppn)
{
	struct tmap_call call = call_of(collective, text, size, bytes);
	struct sum sum = { .size = size, .ppn = ppn, .nodes = size / ppn };
	struct tmap_visitor visitor = { .message = add, .context = &sum };

	ck_assert_int_eq(tmap_schedule(&call, &visitor, &err), 0);
	return sum;
}

/* The table's names; it also has full-lane algorithms, which are no rows here. */
static const struct {
	const char *table, *text;
	enum tmap_collective collective;
} names[] = {
	{ "ring", "ring", TMAP_ALLGATHER },
	{ "neighbor", "neighbor_exchange", TMAP_ALLGATHER },
	{ "bruck2", "bruck", TMAP_ALLGATHER },
	{ "bruck4", "bruck,radix=4", TMAP_ALLGATHER },
	{ "sparbit", "sparbit", TMAP_ALLGATHER },
	{ "rd_np2", "recursive_doubling_any", TMAP_ALLGATHER },
	{ "swing/bine", "swing", TMAP_ALLGATHER },
	{ "direct", "spread", TMAP_ALLGATHER },
	{ "locbruck4", "locality_bruck,ppn=4", TMAP_ALLGATHER },
	{ "bc_near(OMPI)", "binomial_near", TMAP_BCAST },
	{ "bc_far(MPICH)", "binomial_far", TMAP_BCAST },
	{ "bc_knomial4", "knomial,radix=4", TMAP_BCAST },
	{ "bc_bine_far", "bine", TMAP_BCAST },
};

static void check_line(const char *line, int *checked)
{
	struct sum want = { .ppn = 4 }, got;
	char name[32];

	if (sscanf(line, "%d %31s %ld %ld %ld %ld %ld %ld %ld", &want.size, name, &want.rounds,
		   &want.messages, &want.bytes, &want.block_messages, &want.block_bytes,
		   &want.cyclic_messages, &want.cyclic_bytes) != 9)
		return;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (strcmp(names[i].table, name) != 0)
			continue;
		want.nodes = want.size / 4;
		got = sum_of(names[i].collective, names[i].text, want.size, 1, 4);
		ck_assert_msg(memcmp(&got, &want, sizeof got) == 0,
			      "%s, %d ranks: %ld rounds, %ld messages, %ld blocks; block %ld %ld, "
			      "cyclic %ld %ld",
			      name, want.size, got.rounds, got.messages, got.bytes,
			      got.block_messages, got.block_bytes, got.cyclic_messages,
			      got.cyclic_bytes);
		++*checked;
	}
}

START_TEST(the_reference_table_is_met)
{
	char path[4096], line[512];
	int checked = 0;
	FILE *file;

	snprintf(path, sizeof path, "%s/tables/ref_allgather_bcast.tsv", test_data());
	file = fopen(path, "r");
	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof line, file))
		check_line(line, &checked);
	fclose(file);
	ck_assert_int_ge(checked, 60);
}
END_TEST

/* N nodes of ppn ranks by slot, both powers of two; blocks of one byte. */
START_TEST(blocks_between_nodes_follow_the_closed_forms)
{
	for (int ppn = 2; ppn <= 16; ppn *= 2)
		for (int n = 2; n <= 16; n *= 2) {
			int64_t p = n * ppn, squares = (ppn * ppn - 1) / 3, m = p;

#define BETWEEN(collective, text, size) sum_of(collective, text, (int)p, size, ppn).block_bytes
			hold(BETWEEN(TMAP_ALLGATHER, "ring", 1) == n * (p - 1));
			if (p % 4 == 0)
				hold(BETWEEN(TMAP_ALLGATHER, "neighbor_exchange", 1) == n * p);
			hold(BETWEEN(TMAP_ALLGATHER, "recursive_doubling", 1) == p * (p - ppn));
			hold(BETWEEN(TMAP_ALLGATHER, "bruck", 1) == p * (p - ppn) + n * squares);
			hold(BETWEEN(TMAP_ALLGATHER, "sparbit", 1) ==
			     (n - 1) * p + tmap_log2_floor(ppn) * n * p / 2);
			hold(BETWEEN(TMAP_ALLREDUCE, "rabenseifner", m) == 2 * (n - 1) * p);
			hold(BETWEEN(TMAP_ALLREDUCE, "ring", m) == 2 * n * (p - 1));
			hold(BETWEEN(TMAP_ALLREDUCE, "recursive_doubling", m) ==
			     p * p * tmap_log2_floor(n));
			hold(BETWEEN(TMAP_BCAST, "binomial_near", 1) == ppn * (n - 1));
			hold(BETWEEN(TMAP_BCAST, "binomial_far", 1) == n - 1);
		}
}
END_TEST

START_TEST(reduce_scatters_and_swing_at_32_ranks_are_as_published)
{
	struct sum halving = sum_of(TMAP_REDUCE_SCATTER, "recursive_halving", 32, 32, 4);
	struct sum butterfly = sum_of(TMAP_REDUCE_SCATTER_BLOCK, "butterfly", 32, 1, 4);
	struct sum swing = sum_of(TMAP_ALLREDUCE, "swing", 32, 32, 4);

	ck_assert_int_eq(halving.block_bytes, 896);
	ck_assert_int_eq(halving.cyclic_bytes, 224);
	ck_assert_int_eq(butterfly.block_bytes, 224);
	ck_assert_int_eq(swing.block_bytes, 576);
	ck_assert_int_eq(swing.cyclic_bytes, 1984);
}
END_TEST

START_TEST(rounds_follow_the_closed_forms)
{
	static const int any[][2] = { { 5, 5 },  { 6, 4 },  { 7, 5 }, { 12, 5 },
				      { 15, 7 }, { 24, 6 }, { 31, 9 } };

#define ROUNDS(collective, text, ranks, size) sum_of(collective, text, ranks, size, 1).rounds
	for (int p = 2; p <= 70; p++) {
		int up = tmap_log2_ceil(p), down = tmap_log2_floor(p), folds = (p & (p - 1)) != 0;

		hold(ROUNDS(TMAP_ALLGATHER, "ring", p, 1) == p - 1);
		hold(ROUNDS(TMAP_ALLGATHER, "bruck", p, 1) == up);
		hold(ROUNDS(TMAP_ALLGATHER, "sparbit", p, 1) == up);
		hold(ROUNDS(TMAP_ALLGATHER, "pat", p, 1) == up);
		hold(ROUNDS(TMAP_ALLGATHER, "recursive_doubling_any", p, 1) <= 2 * down + 1);
		hold(ROUNDS(TMAP_ALLREDUCE, "recursive_doubling", p, p) == down + 2 * folds);
		hold(ROUNDS(TMAP_ALLREDUCE, "rabenseifner", p, p) == 2 * down + 3 * folds);
		hold(ROUNDS(TMAP_ALLREDUCE, "rabenseifner,fold=mpich", p, p) ==
		     2 * down + 2 * folds);
		/* Traff 2025, Theorems 1 and 2, as the bytes below */
		hold(ROUNDS(TMAP_REDUCE_SCATTER, "circulant", p, p) == up);
		hold(ROUNDS(TMAP_ALLREDUCE, "circulant", p, p) == 2 * up);
		hold(ROUNDS(TMAP_BCAST, "binomial_near", p, 1) == up);
		hold(ROUNDS(TMAP_BCAST, "binomial_far", p, 1) == up);
		hold(ROUNDS(TMAP_BCAST, "circulant,blocks=9", p, 90) == 8 + up);
		hold(ROUNDS(TMAP_BCAST, "pipeline,segment=10", p, 70) == p - 1 + 6);
		hold(ROUNDS(TMAP_BARRIER, "dissemination", p, 0) == up);
		hold(ROUNDS(TMAP_BARRIER, "double_ring", p, 0) == 2 * p);
	}
	for (size_t i = 0; i < sizeof any / sizeof *any; i++)
		ck_assert_int_eq(ROUNDS(TMAP_ALLGATHER, "recursive_doubling_any", any[i][0], 1),
				 any[i][1]);
}
END_TEST

/* Units of one byte. */
START_TEST(volumes_follow_the_closed_forms)
{
#define BYTES(collective, text, ranks, size) sum_of(collective, text, ranks, size, 1).bytes
	for (int p = 2; p <= 70; p++) {
		hold(BYTES(TMAP_ALLGATHER, "ring", p, 1) == p * (p - 1));
		hold(BYTES(TMAP_ALLGATHER, "bruck,radix=3", p, 1) == p * (p - 1));
		hold(BYTES(TMAP_ALLGATHER, "recursive_doubling_any", p, 1) == p * (p - 1));
		hold(BYTES(TMAP_ALLREDUCE, "ring", p, p) == 2 * p * (p - 1));
		hold(BYTES(TMAP_REDUCE_SCATTER, "circulant", p, p) == p * (p - 1));
		hold(BYTES(TMAP_REDUCE_SCATTER_BLOCK, "circulant", p, 1) == p * (p - 1));
		hold(BYTES(TMAP_ALLREDUCE, "circulant", p, p) == 2 * p * (p - 1));
		hold(BYTES(TMAP_BCAST, "kary,radix=3", p, 7) == 7 * (p - 1));
		hold(BYTES(TMAP_BCAST, "chain,fanout=4", p, 7) == 7 * (p - 1));
	}
	ck_assert_int_eq(BYTES(TMAP_ALLREDUCE, "rabenseifner", 12, 96), 8 * 288);
	ck_assert_int_eq(BYTES(TMAP_ALLREDUCE, "rabenseifner,fold=mpich", 12, 96), 8 * 264);
	ck_assert_int_eq(sum_of(TMAP_ALLREDUCE, "rabenseifner", 12, 12, 4).messages, 64);
	ck_assert_int_eq(sum_of(TMAP_ALLREDUCE, "rabenseifner,fold=mpich", 12, 12, 4).messages, 56);
	ck_assert_int_eq(BYTES(TMAP_GATHER, "binomial_far", 8, 1), 12);
	ck_assert_int_eq(BYTES(TMAP_SCATTER, "binomial_far", 16, 1), 32);
	ck_assert_int_eq(BYTES(TMAP_GATHER, "binomial_far", 32, 1), 80);
}
END_TEST

/* What each rank has when a round is over, five ranks with a bit for each block. */
struct buffers {
	int64_t round;
	unsigned held[5], coming[5];
	unsigned after[3][5];
};

static void end_round(struct buffers *buffers)
{
	for (int r = 0; r < 5; r++) {
		buffers->held[r] |= buffers->coming[r];
		buffers->coming[r] = 0;
		buffers->after[buffers->round][r] = buffers->held[r];
	}
}

static int fill(void *context, const struct tmap_message *message, struct tmap_error *e)
{
	struct buffers *buffers = context;

	(void)e;
	if (message->round > buffers->round)
		end_round(buffers);
	buffers->round = message->round;
	for (int i = 0; i < message->run_count; i++)
		for (int64_t k = 0; k < message->run[i].count; k++)
			buffers->coming[message->to] |= 1u
				<< (message->run[i].first + k * message->run[i].stride);
	return 0;
}

/* Step 0: the block of r - 4. Step 1: that of r - 2. Step 2: of r - 1 and r - 3; the block of
 * r - 4 is never passed on. */
START_TEST(sparbit_fills_five_ranks_as_in_its_paper)
{
	struct tmap_call call = call_of(TMAP_ALLGATHER, "sparbit", 5, 1);
	struct buffers buffers = { .held = { 1, 2, 4, 8, 16 } };
	struct tmap_visitor visitor = { .message = fill, .context = &buffers };

	ck_assert_int_eq(tmap_schedule(&call, &visitor, &err), 0);
	end_round(&buffers);
	ck_assert_int_eq(buffers.round, 2);
	for (int r = 0; r < 5; r++) {
		unsigned own = 1u << r, of_4 = 1u << (r + 1) % 5, of_2 = 1u << (r + 3) % 5;

		ck_assert_uint_eq(buffers.after[0][r], own | of_4);
		ck_assert_uint_eq(buffers.after[1][r], own | of_4 | of_2);
		ck_assert_uint_eq(buffers.after[2][r], 31);
	}
}
END_TEST

static void refuses(enum tmap_collective collective, const char *text, const char *message)
{
	struct tmap_call call = { .size = 4 };

	ck_assert_int_eq(tmap_call_parse(&call, collective, text, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(err.text, message);
}

START_TEST(names_that_mean_two_things_or_nothing_are_refused)
{
	refuses(TMAP_BCAST, "binomial,segment=4",
		"'binomial' names two trees: use binomial_near (Open "
		"MPI's broadcast, the nearest rank first) or binomial_far (MPICH's, the farthest "
		"first)");
	refuses(TMAP_REDUCE, "binomial",
		"'binomial' names two trees: use binomial_near (Open MPI's "
		"broadcast, the nearest rank first) or binomial_far (MPICH's, the farthest first); "
		"this collective has the second");
	refuses(TMAP_ALLGATHER, "sparbti",
		"unknown allgather algorithm 'sparbti'; did you mean "
		"'sparbit'?");
	refuses(TMAP_SCAN, "xyzzyx",
		"unknown scan algorithm 'xyzzyx' (one of: linear, "
		"recursive_doubling, lane, smp)");
	refuses(TMAP_ALLREDUCE, "rabenseifner,fold=ucc",
		"fold of rabenseifner: 'ucc' is not one of "
		"openmpi, mpich");
}
END_TEST

/* The trees of MPICH that are no algorithms of their own, and UCC's ring. */
START_TEST(shapes_that_are_only_compared_with_are_refused_as_such)
{
	static const char *const trees[] = { "knomial_1", "knomial_2", "topology_aware",
					     "topology_aware_k", "topology_wave" };
	char message[120];

	for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
		snprintf(message, sizeof message,
			 "'%s' is a tree that topomap tree compares with (--against), and no bcast "
			 "algorithm",
			 trees[i]);
		refuses(TMAP_BCAST, trees[i], message);
	}
	refuses(TMAP_REDUCE, "knomial_1,radix=3",
		"'knomial_1' is a tree that topomap tree compares with (--against), and no reduce "
		"algorithm");
	refuses(TMAP_BCAST, "in_order_binary",
		"'in_order_binary' is a tree that topomap tree compares with (--against), and no "
		"bcast algorithm");
	refuses(TMAP_ALLGATHER, "ucc_reordered",
		"'ucc_reordered' is a ring that topomap ring compares with (--against), and no "
		"allgather algorithm");
	refuses(TMAP_BCAST, "knomial_3",
		"unknown bcast algorithm 'knomial_3'; did you mean "
		"'knomial'?");
}
END_TEST

/* All shapes but those that the test before names, which the manual pages list. */
START_TEST(every_other_tree_is_a_bcast_and_every_other_ring_an_allgather)
{
	const struct tmap_keyword *word;
	struct tmap_call call = { .size = 4 };
	int others = 0;

	for (size_t i = 0; (word = tmap_keywords_at(&tmap_tree_shapes, i)); i++)
		others += tmap_call_parse(&call, TMAP_BCAST, word->name, &err) < 0;
	ck_assert_int_eq(others, 6);
	for (size_t i = 0; (word = tmap_keywords_at(&tmap_ring_shapes, i)); i++)
		others += tmap_call_parse(&call, TMAP_ALLGATHER, word->name, &err) < 0;
	ck_assert_int_eq(others, 7);
}
END_TEST

static void cannot(enum tmap_collective collective, const char *text, int size, int root,
		   const char *message)
{
	struct tmap_call call = { .size = size, .root = root, .bytes = 8 };

	ck_assert_msg(tmap_call_parse(&call, collective, text, &err) == 0, "%s", err.text);
	ck_assert_int_eq(tmap_call_check(&call, &err), -1);
	ck_assert_str_eq(err.text, message);
}

START_TEST(what_cannot_run_is_refused_with_the_reason)
{
	cannot(TMAP_ALLGATHER, "recursive_doubling", 12, 0,
	       "recursive_doubling needs a power of two of ranks; there are 12");
	cannot(TMAP_ALLGATHER, "neighbor_exchange", 9, 0,
	       "neighbor_exchange needs an even number of ranks; there are 9");
	cannot(TMAP_BCAST, "flat", 4, 4, "root 4 is not one of the 4 ranks");
	cannot(TMAP_BCAST, "distance_tree", 4, 0,
	       "distance_tree follows the distances of the ranks: it needs a placement");
	cannot(TMAP_ALLGATHER, "locality_bruck", 4, 0,
	       "locality_bruck needs to know the nodes: a placement, or ppn=K");
	cannot(TMAP_ALLGATHER, "locality_bruck,ppn=3", 4, 0,
	       "locality_bruck needs ppn to be at least 2 and to divide the 4 ranks; it is 3");
}
END_TEST

/* The N of "..._algorithm N" for the collective, or 0. */
static int number_in(const char *knob, const char *collective)
{
	char key[80];
	const char *at;

	snprintf(key, sizeof key, "coll_tuned_%s_algorithm ", collective);
	at = knob ? strstr(knob, key) : NULL;
	return at ? atoi(at + strlen(key)) : 0;
}

/* How many algorithms Open MPI 4.1 has for each collective. */
static const int openmpi_count[TMAP_COLLECTIVE_COUNT] = {
	[TMAP_ALLGATHER] = 6, [TMAP_BCAST] = 9,          [TMAP_REDUCE] = 7,
	[TMAP_ALLREDUCE] = 6, [TMAP_REDUCE_SCATTER] = 4, [TMAP_REDUCE_SCATTER_BLOCK] = 4,
	[TMAP_GATHER] = 3,    [TMAP_SCATTER] = 3,        [TMAP_ALLTOALL] = 5,
	[TMAP_SCAN] = 2,      [TMAP_EXSCAN] = 2,         [TMAP_BARRIER] = 6,
};

static void check_knobs(enum tmap_collective collective, int index,
			const struct tmap_algorithm *row)
{
	const struct tmap_knobs *knobs = &row->choice.knobs;
	int number = number_in(knobs->openmpi, tmap_collective_rows[collective].word.name);
	const char *texts[] = { knobs->openmpi, knobs->mpich, knobs->ucc };
	static const char *const begins[] = { "--mca ", "MPIR_CVAR_", "UCC_" };

	ck_assert_int_eq(row->collective, collective);
	ck_assert_ptr_nonnull(row->source);
	hold(row->generate);
	if (knobs->openmpi && !strstr(knobs->openmpi, "coll_han_"))
		ck_assert_msg(number >= 1 &&
				      number <=
					      openmpi_count[collective] + (row->openmpi_since > 4),
			      "%s: %s", row->choice.word.name, knobs->openmpi);
	for (int i = 0; i < 3; i++) { /* every {key} is a parameter of the row */
		struct tmap_spec choice = tmap_spec_preset(tmap_algorithms(collective), index);
		char *filled;

		if (texts[i] && strstr(texts[i], "{levels=node}")) /* of two levels only */
			ck_assert_int_eq(tmap_spec_parse(&choice, tmap_algorithms(collective),
							 "hierarchical,levels=node", &err),
					 0);
		ck_assert_int_eq(tmap_spec_fill(&filled, &choice, texts[i], &err), 0);
		ck_assert_int_eq(filled != NULL, texts[i] != NULL);
		if (!filled)
			continue;
		ck_assert_ptr_null(strchr(filled, '{'));
		ck_assert_int_eq(strncmp(filled, begins[i], strlen(begins[i])), 0);
		free(filled);
	}
}

START_TEST(knobs_name_what_the_libraries_have)
{
	enum tmap_collective collective = (enum tmap_collective)_i;
	const struct tmap_keywords *words = tmap_algorithms(collective);
	bool seen[16] = { false };

	for (size_t i = 0; tmap_keywords_at(words, i); i++) {
		const struct tmap_algorithm *row = (const void *)tmap_keywords_at(words, i);
		int number = number_in(row->choice.knobs.openmpi,
				       tmap_collective_rows[collective].word.name);

		check_knobs(collective, (int)i, row);
		ck_assert_msg(!number || !seen[number], "two rows are Open MPI's %d", number);
		seen[number] = true;
		for (size_t j = 0; j < i; j++)
			ck_assert_str_ne(tmap_keywords_at(words, j)->name, row->choice.word.name);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("catalogue");
	TCase *tc = tcase_create("all");

	if (test_data())
		tcase_add_test(tc, the_reference_table_is_met);
	else
		test_skip("the reference table is no part of the project: TOPOMAP_DATA names it");
	tcase_add_test(tc, blocks_between_nodes_follow_the_closed_forms);
	tcase_add_test(tc, reduce_scatters_and_swing_at_32_ranks_are_as_published);
	tcase_add_test(tc, rounds_follow_the_closed_forms);
	tcase_add_test(tc, volumes_follow_the_closed_forms);
	tcase_add_test(tc, sparbit_fills_five_ranks_as_in_its_paper);
	tcase_add_test(tc, names_that_mean_two_things_or_nothing_are_refused);
	tcase_add_test(tc, shapes_that_are_only_compared_with_are_refused_as_such);
	tcase_add_test(tc, every_other_tree_is_a_bcast_and_every_other_ring_an_allgather);
	tcase_add_test(tc, what_cannot_run_is_refused_with_the_reason);
	tcase_add_loop_test(tc, knobs_name_what_the_libraries_have, 0, TMAP_COLLECTIVE_COUNT);
	suite_add_tcase(suite, tc);
	return suite;
}
