/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: every rank by itself, and every sender of a shift in its order. */
#include "core/cost/node_parts.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

enum { MOST = 97 };

/* So many ranks in block or in cyclic order. */
static struct tmap_node_rows rows_of(int size, int period, bool is_cyclic)
{
	return tmap_node_rows(&(struct tmap_pair_kinds){
		.size = size,
		.period = period,
		.distribution = is_cyclic ? TMAP_DISTRIBUTION_CYCLIC : TMAP_DISTRIBUTION_BLOCK });
}

static int node_of(int period, bool is_cyclic, int rank)
{
	return is_cyclic ? rank % period : rank / period;
}

static void compare_parts(const struct tmap_node_rows *in, int period, bool is_cyclic, int ahead)
{
	int seen[MOST] = { 0 };

	for (int n = 0; n < in->nodes; n++) {
		struct tmap_node_part part[TMAP_NODE_PARTS];
		int count = tmap_node_parts(in, n, ahead, part), row = 0;

		ck_assert_int_le(count, TMAP_NODE_PARTS);
		for (int i = 0; i < count; i++) {
			ck_assert_int_eq(part[i].lo, row);
			for (; row < part[i].hi; row++) {
				int rank = tmap_node_rank(in, n, row),
				    to = (rank + ahead) % in->size;

				ck_assert_int_eq(node_of(period, is_cyclic, rank), n);
				ck_assert_int_eq(node_of(period, is_cyclic, to), part[i].node);
				ck_assert_int_eq(tmap_node_rank(in, part[i].node,
								part[i].row + row - part[i].lo),
						 to);
				seen[rank]++;
			}
		}
		ck_assert_int_eq(row, tmap_node_size(in, n));
	}
	for (int r = 0; r < in->size; r++)
		ck_assert_int_eq(seen[r], 1);
}

START_TEST(the_parts_of_all_nodes_are_all_ranks)
{
	for (int size = 2; size < MOST; size += test_step(size, 5) + size / 20)
		for (int period = 1; period <= size; period += 1 + period / 4)
			for (int ahead = 1; ahead < size; ahead += 1 + size / 12)
				for (int cyclic = 0; cyclic < 2; cyclic++) {
					struct tmap_node_rows in = rows_of(size, period, cyclic);

					compare_parts(&in, period, cyclic, ahead);
				}
}
END_TEST

/* Equal numbers, equal senders; and a walk over the senders meets each of them. */
static void compare_senders(const struct tmap_node_rows *in, const struct tmap_shift_pattern *shift)
{
	bool sends[MOST] = { false };

	for (int i = 0; i < shift->count; i++)
		sends[tmap_shift_pattern_sender(shift, i) % in->size] = true;
	for (int n = 0; n < in->nodes; n++) {
		int64_t its = tmap_node_senders(in, n, shift);
		int rows = tmap_node_size(in, n), next = 0, sending = 0;

		for (int row = 0; row < rows; row++) {
			if (!sends[tmap_node_rank(in, n, row)])
				continue;
			sending++;
			next = its == TMAP_ALL_ROWS ?
				row :
				tmap_node_next_sender(in, n, next, rows, shift);
			ck_assert_int_eq(next, row);
			next++;
		}
		if (its != TMAP_ALL_ROWS)
			ck_assert_int_ge(tmap_node_next_sender(in, n, next, rows, shift), rows);
		ck_assert(its != TMAP_ALL_ROWS || sending == rows);
		ck_assert(its != TMAP_NO_ROWS || sending == 0);
		for (int m = 0; m < n; m++) {
			if (tmap_node_senders(in, m, shift) != its || tmap_node_size(in, m) != rows)
				continue;
			for (int row = 0; row < rows; row++)
				ck_assert_int_eq(sends[tmap_node_rank(in, m, row)],
						 sends[tmap_node_rank(in, n, row)]);
		}
	}
}

/* Each node has the parts of the first one, whose nodes are counted from it, and its senders. */
static void compare_uniform(const struct tmap_node_rows *in, const struct tmap_shift_pattern *shift)
{
	struct tmap_node_part first[TMAP_NODE_PARTS], part[TMAP_NODE_PARTS];
	int count = tmap_node_parts(in, 0, shift->ahead, first);
	bool sends[MOST] = { false };

	for (int i = 0; i < shift->count; i++)
		sends[tmap_shift_pattern_sender(shift, i) % in->size] = true;
	for (int n = 0; n < in->nodes; n++) {
		ck_assert_int_eq(tmap_node_parts(in, n, shift->ahead, part), count);
		for (int i = 0; i < count; i++) {
			ck_assert_int_eq(part[i].node, (first[i].node + n) % in->nodes);
			ck_assert_int_eq(part[i].lo, first[i].lo);
			ck_assert_int_eq(part[i].hi, first[i].hi);
			ck_assert_int_eq(part[i].row, first[i].row);
		}
		for (int row = 0; row < in->rows; row++)
			ck_assert_int_eq(sends[tmap_node_rank(in, n, row)],
					 sends[tmap_node_rank(in, 0, row)]);
	}
}

START_TEST(uniform_nodes_have_the_parts_of_the_first_one)
{
	struct dice dice = { .state = 5 };
	int uniform = 0, trials = test_cases(20000);

	for (int trial = 0; trial < trials; trial++) {
		int period = 1 + dice_roll(&dice, 12), nodes = 1 + dice_roll(&dice, 8);
		int size = period * nodes, first = dice_roll(&dice, period);
		int run = 1 + dice_roll(&dice, period);
		const struct tmap_shift_pattern shift = { .first = first,
							  .run = run,
							  .step = period,
							  .count = nodes * run,
							  .ahead = dice_roll(&dice, size) };
		struct tmap_node_rows in = rows_of(size, period, false);

		if (!tmap_node_parts_are_uniform(&in, &shift))
			continue;
		compare_uniform(&in, &shift);
		uniform++;
	}
	ck_assert_int_gt(uniform, trials / 20);
}
END_TEST

START_TEST(nodes_with_equal_numbers_have_the_same_senders)
{
	struct dice dice = { .state = 3 };
	int trials = test_cases(20000);

	for (int trial = 0; trial < trials; trial++) {
		int size = 2 + dice_roll(&dice, MOST - 2), period = 1 + dice_roll(&dice, size);
		int step = 1 + dice_roll(&dice, size), apart = 1 + dice_roll(&dice, 3);
		int run = 1 + dice_roll(&dice, (step - 1) / apart + 1), rest;
		int most;

		rest = (size % step + apart - 1) / apart;
		most = size / step * run + (rest < run ? rest : run);
		const struct tmap_shift_pattern shift = { .first = dice_roll(&dice, size),
							  .run = run,
							  .step = step,
							  .gap = apart - 1,
							  .count = 1 + dice_roll(&dice, most),
							  .ahead = 1 };
		struct tmap_node_rows in = rows_of(size, period, trial % 2);

		compare_senders(&in, &shift);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("node_parts");
	TCase *tests = tcase_create("node_parts");

	tcase_add_test(tests, the_parts_of_all_nodes_are_all_ranks);
	tcase_add_test(tests, uniform_nodes_have_the_parts_of_the_first_one);
	tcase_add_test(tests, nodes_with_equal_numbers_have_the_same_senders);
	suite_add_tcase(suite, tests);
	return suite;
}
