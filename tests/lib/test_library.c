/* SPDX-License-Identifier: BSD-3-Clause */
/* What the functions of topomap.h return, by brute force: trees by Kruskal over all pairs,
 * schedules by executing them, mappings by counting what crosses nodes. Documents are compared with
 * the command line's by tests/lib/documents.sh. */
#include "tests/unit.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <topomap/topomap.h>
#include <unistd.h>

static struct topomap_error err;

static struct topomap_placement *place(const char *line, const char *map_by)
{
	struct topomap_machine *machine = topomap_machine_read(&line, 1, &err);
	struct topomap_launch launch = TOPOMAP_LAUNCH_INIT;
	struct topomap_placement *made;

	ck_assert_msg(machine != NULL, "%s", err.text);
	launch.map_by = map_by;
	made = topomap_placement_launch(machine, &launch, &err);
	ck_assert_msg(made != NULL, "%s", err.text);
	topomap_machine_free(machine);
	return made;
}

static struct topomap_distances *measure(const struct topomap_placement *p)
{
	struct topomap_distances *made = topomap_distances_new(p, "process", NULL, &err);

	ck_assert_msg(made != NULL, "%s", err.text);
	return made;
}

START_TEST(pairs_have_the_distances_that_their_places_give)
{
	const int node[] = { 0, 0, 0, 1 };
	const char *const pus[] = { "0", "1", "4", NULL };
	const char *line = "node:2 package:2 [numa] l2:2 core:2 pu:1";
	struct topomap_machine *machine = topomap_machine_read(&line, 1, &err);
	struct topomap_placement *p = topomap_placement_new(machine, 4, node, pus, &err);
	struct topomap_distances *d = measure(p);
	/* one L2; another package and memory; another node */
	const double want[4][4] = { { 0, 1, 5, 7 }, { 1, 0, 5, 7 }, { 5, 5, 0, 7 }, { 7, 7, 7, 0 } };
	const double none[] = { -1, NAN, INFINITY, 1e300 };
	double row[4], value[8];
	int64_t pairs[8];
	char text[64];

	for (int r = 0; r < 4; r++) {
		ck_assert_int_eq(topomap_distances_row(d, r, row, &err), 0);
		for (int s = 0; s < 4; s++) {
			ck_assert_double_eq(row[s], want[r][s]);
			ck_assert_int_eq(topomap_distances_get(d, r, s, &row[s], &err), 0);
			ck_assert_double_eq(row[s], want[r][s]);
		}
	}
	ck_assert_int_eq(topomap_distances_count(d, value, pairs, 8, &err), 3);
	ck_assert_double_eq(value[1], 5);
	ck_assert_int_eq((int)pairs[1], 2);
	ck_assert_int_eq(topomap_distances_count(d, NULL, NULL, 0, &err), 3);
	ck_assert_int_eq(topomap_distances_meaning(d, 7, text, 10, &err),
			 (int)strlen("different nodes"));
	ck_assert_str_eq(text, "different");
	for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
		err.status = TOPOMAP_OK;
		ck_assert_int_eq(topomap_distances_meaning(d, none[i], text, sizeof text, &err),
				 -1);
		ck_assert_int_eq(err.status, TOPOMAP_USAGE);
	}
	ck_assert_int_eq(topomap_placement_node(p, 3, &err), 1);
	ck_assert_str_eq(topomap_placement_node_name(p, 3, &err), "n1");
	ck_assert_int_eq(topomap_placement_is_bound(p, 2, &err), 1);
	ck_assert_int_eq(topomap_placement_is_bound(p, 3, &err), 0);
	ck_assert_int_eq(topomap_placement_pus(p, 3, text, sizeof text, &err), 3);
	ck_assert_str_eq(text, "0-7");
	topomap_distances_free(d);
	topomap_placement_free(p);
	topomap_machine_free(machine);
}
END_TEST

START_TEST(a_pu_that_the_node_lacks_names_the_rank)
{
	const int node[] = { 0, 0 };
	const char *const pus[] = { "0", "8" };
	const char *line = "node:2 package:2 core:4";
	struct topomap_machine *machine = topomap_machine_read(&line, 1, &err);

	ck_assert_ptr_null(topomap_placement_new(machine, 2, node, pus, &err));
	ck_assert_int_eq(err.status, TOPOMAP_INPUT);
	ck_assert_ptr_nonnull(strstr(err.text, "rank 1"));
	topomap_machine_free(machine);
}
END_TEST

START_TEST(switches_and_names_become_part_of_a_machine)
{
	const char *line = "node:4 core:1", *names[] = { "a", "b", "c", "d" };
	const int leaf[] = { 0, 0, 1, 1 }, root[] = { 0, 0, 0, 0 }, torn[] = { 0, 1, 1, 1 };
	struct topomap_machine *machine = topomap_machine_read(&line, 1, &err);
	struct topomap_launch launch = TOPOMAP_LAUNCH_INIT;
	struct topomap_placement *p;
	struct topomap_distances *d;
	double value;

	ck_assert_int_eq(topomap_machine_rename(machine, names, 4, &err), 0);
	ck_assert_int_eq(topomap_machine_add_switches(machine, leaf, 2, &err), 0);
	ck_assert_int_eq(topomap_machine_add_switches(machine, torn, 2, &err), -1);
	ck_assert_int_eq(err.status, TOPOMAP_INPUT);
	ck_assert_int_eq(topomap_machine_add_switches(machine, root, 1, &err), 0);
	ck_assert_int_eq(topomap_machine_node_count(machine, &err), 4);
	ck_assert_str_eq(topomap_machine_node_name(machine, 2, &err), "c");
	ck_assert_ptr_nonnull(p = topomap_placement_launch(machine, &launch, &err));
	d = measure(p);
	ck_assert_int_eq(topomap_distances_get(d, 0, 1, &value, &err), 0);
	ck_assert_double_eq(value, 7);
	ck_assert_int_eq(topomap_distances_get(d, 0, 2, &value, &err), 0);
	ck_assert_double_eq(value, 8);
	topomap_distances_free(d);
	topomap_placement_free(p);
	topomap_machine_free(machine);
}
END_TEST

/* The literal algorithm: all pairs by distance, those at the root first, then by smaller and larger
 * rank; an edge is taken if it joins two trees; then parents from the root on. */
static void kruskal(const struct topomap_distances *d, int size, int root, int *parent)
{
	int set[64], edge[64][2], count = 0, done = 0;
	double value;

	for (int r = 0; r < size; r++)
		set[r] = r;
	for (double far = 0; count < size - 1; far++)
		for (int at_root = 1; at_root >= 0; at_root--)
			for (int a = 0; a < size; a++)
				for (int b = a + 1; b < size; b++) {
					ck_assert_int_eq(
						topomap_distances_get(d, a, b, &value, &err), 0);
					if (value < far || value > far ||
					    (a == root || b == root) != at_root || set[a] == set[b])
						continue;
					for (int r = 0, gone = set[b]; r < size; r++)
						if (set[r] == gone)
							set[r] = set[a];
					edge[count][0] = a;
					edge[count++][1] = b;
				}
	for (int r = 0; r < size; r++)
		parent[r] = r == root ? TOPOMAP_NONE : size;
	while (done < count) {
		done = 0;
		for (int i = 0; i < count; i++) {
			int a = edge[i][0], b = edge[i][1];

			if (parent[a] == size && parent[b] != size)
				parent[a] = b;
			else if (parent[b] == size && parent[a] != size)
				parent[b] = a;
			done += parent[a] != size && parent[b] != size;
		}
	}
}

START_TEST(trees_are_those_of_the_literal_algorithm)
{
	static const char *const lines[] = { "node:3 package:2 core:4", "node:5 core:3",
					     "node:1 package:2 [numa] l2:2 core:3" };
	static const char *const orders[] = { "core", "node", "socket" };

	for (int i = 0; i < 9; i++) {
		struct topomap_placement *p = place(lines[i / 3], orders[i % 3]);
		struct topomap_distances *d = measure(p);
		int size = topomap_placement_size(p, &err), parent[64];
		double *matrix = calloc((size_t)size * (size_t)size, sizeof *matrix);
		struct topomap_distances *measured;

		for (int r = 0; r < size; r++)
			ck_assert_int_eq(topomap_distances_row(d, r, matrix + r * size, &err), 0);
		measured = topomap_distances_new_measured(size, matrix, &err);
		ck_assert_ptr_nonnull(measured);
		for (int root = 0; root < size; root += 5) {
			struct topomap_tree *tree = topomap_tree_new(d, root, &err);
			struct topomap_tree *same = topomap_tree_new(measured, root, &err);
			int children = 0;

			ck_assert_ptr_nonnull(tree);
			ck_assert_ptr_nonnull(same);
			kruskal(d, size, root, parent);
			ck_assert_mem_eq(topomap_tree_parents(tree, &err), parent,
					 (size_t)size * sizeof *parent);
			ck_assert_mem_eq(topomap_tree_parents(same, &err), parent,
					 (size_t)size * sizeof *parent);
			for (int r = 0; r < size; r++) {
				const int *child;
				int count = topomap_tree_children(tree, r, &child, &err);

				children += count;
				for (int c = 0; c < count; c++)
					ck_assert_int_eq(parent[child[c]], r);
			}
			ck_assert_int_eq(children, size - 1);
			topomap_tree_free(tree);
			topomap_tree_free(same);
		}
		free(matrix);
		topomap_distances_free(measured);
		topomap_distances_free(d);
		topomap_placement_free(p);
	}
}
END_TEST

START_TEST(a_ring_visits_every_rank_and_enters_each_node_once)
{
	struct topomap_placement *p = place("node:4 package:2 core:4", "node");
	struct topomap_distances *d = measure(p);
	struct topomap_ring *ring = topomap_ring_new(d, &err);
	const int *order = topomap_ring_order(ring, &err);
	double value, weight, sum = 0;
	bool seen[32] = { false };
	int entries = 0;

	for (int i = 0; i < 32; i++) {
		int next = order[(i + 1) % 32];

		ck_assert(!seen[order[i]]);
		seen[order[i]] = true;
		entries += topomap_placement_node(p, order[i], &err) !=
			topomap_placement_node(p, next, &err);
		ck_assert_int_eq(topomap_distances_get(d, order[i], next, &value, &err), 0);
		sum += value;
	}
	ck_assert_int_eq(entries, 4);
	ck_assert_int_eq(topomap_ring_measure(ring, &weight, &err), 0);
	ck_assert_double_eq(weight, sum);
	topomap_ring_free(ring);
	topomap_distances_free(d);
	topomap_placement_free(p);
}
END_TEST

START_TEST(communicators_of_a_level_are_its_objects_and_lanes_cross_them)
{
	struct topomap_placement *p = place("node:3 package:2 core:2", "node");
	struct topomap_hierarchy *h = topomap_hierarchy_new(p, "node,package", 5, NULL, &err);
	struct topomap_lanes *lanes = topomap_lanes_new(p, 0, &err);
	const char *reason;
	const int *member;
	int comm, conduit, lane[3], nodes;

	ck_assert_int_eq(topomap_hierarchy_level_count(h, &err), 2);
	ck_assert_str_eq(topomap_hierarchy_level_name(h, 0, &err), "node");
	ck_assert_int_eq(topomap_hierarchy_count(h, &err), 1 + 3 + 6);
	for (int r = 0; r < 12; r++) {
		int count;

		ck_assert_int_eq(topomap_hierarchy_find(h, 0, r, &comm, &err), 0);
		count = topomap_hierarchy_members(h, comm, &member, &conduit, &err);
		ck_assert_int_eq(count, 4);
		for (int i = 0; i < count; i++)
			ck_assert_int_eq(topomap_placement_node(p, member[i], &err),
					 topomap_placement_node(p, r, &err));
		ck_assert_int_eq(conduit, topomap_placement_node(p, r, &err) == 2 ? 5 : member[0]);
	}
	ck_assert_int_eq(topomap_lanes_count(lanes, &nodes, &err), 4);
	ck_assert_int_eq(nodes, 3);
	for (int l = 0; l < 4; l++) {
		ck_assert_int_eq(topomap_lanes_members(lanes, l, lane, 3, &err), 3);
		for (int i = 0; i < 3; i++)
			ck_assert_int_eq(lane[i], 3 * l + i);
	}
	ck_assert_int_eq(topomap_lanes_reason(lanes, &reason, &err), 0);
	ck_assert_ptr_nonnull(reason);
	topomap_lanes_free(lanes);
	topomap_hierarchy_free(h);
	topomap_placement_free(p);
}
END_TEST

/* Who holds which blocks: executed round by round, from what was held when the round began. */
struct execution {
	int64_t round;
	bool before[16][16], now[16][16];
	int messages, seen[16];
};

static int execute(void *context, const struct topomap_message *m)
{
	struct execution *x = context;

	if (m->round != x->round)
		memcpy(x->before, x->now, sizeof x->now);
	x->round = m->round;
	for (int i = 0; i < m->run_count; i++)
		for (int64_t k = 0; k < m->run[i].count; k++) {
			int64_t block = m->run[i].first + k * m->run[i].stride;

			if (!x->before[m->from][block])
				return 77;
			x->now[m->to][block] = true;
		}
	x->messages++;
	x->seen[m->from]++;
	x->seen[m->to]++;
	return 0;
}

static int count_message(void *context, const struct topomap_message *m)
{
	(void)m;
	++*(int *)context;
	return 0;
}

START_TEST(every_allgather_delivers_every_block_and_ranks_have_their_part_of_it)
{
	int ran = 0;

	for (int i = 0; topomap_algorithm("allgather", i); i++) {
		const char *name = topomap_algorithm("allgather", i);
		struct topomap_placement *p = place("node:4 package:2 core:2", "node");
		struct topomap_distances *d = measure(p);
		struct topomap_call *call = topomap_call_new("allgather", name, 16, 100, 0, &err);
		struct execution x = { .round = -1 };
		int status;

		ck_assert_ptr_nonnull(call);
		ck_assert_int_eq(topomap_call_set_distances(call, d, &err), 0);
		for (int r = 0; r < 16; r++)
			x.now[r][r] = true;
		status = topomap_call_visit(call, execute, &x, &err);
		if (status < 0)
			ck_assert_int_eq(err.status, TOPOMAP_INPUT); /* it cannot run here */
		else
			ran++;
		ck_assert_int_le(status, 0);
		for (int r = 0; status == 0 && r < 16; r++) {
			int part = 0;

			for (int b = 0; b < 16; b++)
				ck_assert_msg(x.now[r][b], "%s: rank %d lacks block %d", name, r,
					      b);
			ck_assert_int_eq(
				topomap_call_visit_rank(call, r, count_message, &part, &err), 0);
			ck_assert_int_eq(part, x.seen[r]);
		}
		topomap_call_free(call);
		topomap_distances_free(d);
		topomap_placement_free(p);
	}
	ck_assert_int_ge(ran, 8);
}
END_TEST

struct weighing {
	const struct topomap_call *call;
	bool has_words; /* messages without units */
};

/* The bytes of a message are those of its units. */
static int weigh(void *context, const struct topomap_message *m)
{
	const struct weighing *it = context;
	const struct topomap_call *call = it->call;
	int64_t first, bytes, sum = 0;

	if (m->run_count == 0)
		return !it->has_words;

	for (int i = 0; i < m->run_count; i++)
		for (int64_t k = 0; k < m->run[i].count; k++) {
			int64_t unit = m->run[i].first + k * m->run[i].stride;

			if (topomap_call_unit(call, unit, &first, &bytes, NULL) < 0)
				return 1;
			sum += bytes;
		}
	return sum != m->bytes;
}

START_TEST(units_cover_the_data_without_gap_and_messages_weigh_what_their_units_do)
{
	static const char *const collectives[] = { "bcast",    "allreduce", "reduce",        "scan",
						   "alltoall", "allgather", "reduce_scatter" };
	int ran = 0;

	for (size_t c = 0; c < sizeof collectives / sizeof *collectives; c++)
		for (int i = 0; topomap_algorithm(collectives[c], i); i++) {
			const char *name = topomap_algorithm(collectives[c], i);
			struct topomap_placement *p = place("node:3 package:2 core:2", "core");
			struct topomap_distances *d = measure(p);
			struct topomap_call *call =
				topomap_call_new(collectives[c], name, 12, 1000, 0, &err);
			int64_t count, first, bytes, end = 0;

			ck_assert_int_eq(topomap_call_set_distances(call, d, &err), 0);
			count = topomap_call_unit_count(call, &err);
			for (int64_t u = 0; u < count; u++) {
				ck_assert_int_eq(topomap_call_unit(call, u, &first, &bytes, &err),
						 0);
				ck_assert_int_eq((int)first, (int)end);
				end += bytes;
			}
			if (count >= 0) {
				struct weighing it = { call, strcmp(name, "smp") == 0 };

				/* the vector, cut; else whole blocks, or whole vectors */
				ck_assert_msg(end == 1000 * count ||
						      (c != 4 && c != 5 && end == 1000),
					      "%s %s: %d of %d", collectives[c], name, (int)end,
					      (int)count);
				ck_assert_msg(topomap_call_visit(call, weigh, &it, &err) == 0,
					      "%s %s", collectives[c], name);
				ran++;
			}
			topomap_call_free(call);
			topomap_distances_free(d);
			topomap_placement_free(p);
		}
	ck_assert_int_ge(ran, 50);
}
END_TEST

static int stop(void *context, const struct topomap_message *m)
{
	(void)m;
	return ++*(int *)context == 3 ? 42 : 0;
}

START_TEST(a_visitor_ends_it_with_a_number_of_its_own)
{
	struct topomap_call *call = topomap_call_new("bcast", "flat", 16, 8, 0, &err);
	int seen = 0;

	ck_assert_int_eq(topomap_call_visit(call, stop, &seen, NULL), 42);
	ck_assert_int_eq(seen, 3);
	topomap_call_free(call);
}
END_TEST

START_TEST(a_score_is_all_algorithms_fastest_first)
{
	struct topomap_placement *p = place("node:4 package:2 core:2", "core");
	struct topomap_call *all = topomap_call_new("allgather", NULL, 16, 65536, 0, &err);
	struct topomap_call *one = topomap_call_new("allgather", "bruck", 16, 65536, 0, &err);
	struct topomap_score *score = topomap_score_new(p, all, NULL, &err), *single;
	int count = topomap_score_count(score, &err), listed = 0;
	double before = 0, seconds = 0, bruck = 0, alone = 0;
	const char *reason;

	while (topomap_algorithm("allgather", listed))
		listed++;
	ck_assert_int_eq(count, listed);
	for (int i = 0; i < count; i++) {
		const char *name = topomap_score_algorithm(score, i, &seconds, &reason, &err);

		if (reason)
			continue;
		ck_assert_double_ge(seconds, before);
		before = seconds;
		if (strcmp(name, "bruck") == 0)
			bruck = seconds;
	}
	ck_assert_ptr_nonnull(topomap_score_default(score, "openmpi4", &seconds, &err));
	ck_assert_double_gt(seconds, 0);
	ck_assert_ptr_nonnull(single = topomap_score_new(p, one, NULL, &err));
	ck_assert_int_eq(topomap_score_count(single, &err), 1);
	ck_assert_str_eq(topomap_score_algorithm(single, 0, &alone, NULL, &err), "bruck");
	ck_assert_double_eq(alone, bruck);
	topomap_score_free(single);
	topomap_score_free(score);
	topomap_call_free(all);
	topomap_call_free(one);
	topomap_placement_free(p);
}
END_TEST

/* Bytes between nodes of traffic from each rank to the next one. */
static int crossing(const struct topomap_placement *p)
{
	int size = topomap_placement_size(p, &err), crossings = 0;

	for (int r = 0; r < size; r++)
		crossings += topomap_placement_node(p, r, &err) !=
			topomap_placement_node(p, (r + 1) % size, &err);
	return crossings;
}

/* Oracle: what the header and topomap-suggest-rankfile(1) promise. By one machine's costs the ring is
 * taken apart, and by others it then takes longer. */
START_TEST(a_suggestion_without_a_profile_is_for_all_machines)
{
	struct topomap_placement *p = place("node:4 package:2 core:4", NULL);
	struct topomap_profile *summit = topomap_profile_read("summit", &err);
	struct topomap_call *call = topomap_call_new("allgather", "ring", 32, 65536, 0, &err);
	struct topomap_traffic *traffic = topomap_traffic_new(32, &err);
	struct topomap_suggestion *any, *one;
	double gain;

	ck_assert_int_eq(topomap_traffic_add_call(traffic, call, 1, &err), 0);
	any = topomap_suggestion_new(p, traffic, NULL, NULL, &err);
	ck_assert_msg(any != NULL, "%s", err.text);
	for (int r = 0; r < 32; r++)
		ck_assert_int_eq(topomap_suggestion_place_of(any, &err)[r], r);
	ck_assert_int_eq(topomap_suggestion_gain(any, &gain, &err), 0);
	ck_assert_double_eq(gain, 0);
	one = topomap_suggestion_new(p, traffic, summit, NULL, &err);
	ck_assert_msg(one != NULL, "%s", err.text);
	ck_assert_int_eq(topomap_suggestion_gain(one, &gain, &err), 0);
	ck_assert_double_gt(gain, 0.1);
	topomap_suggestion_free(any);
	topomap_suggestion_free(one);
	topomap_traffic_free(traffic);
	topomap_call_free(call);
	topomap_profile_free(summit);
	topomap_placement_free(p);
}
END_TEST

START_TEST(a_suggestion_is_a_permutation_that_crosses_fewer_nodes)
{
	struct topomap_placement *p = place("node:4 package:2 core:2", "node"), *after;
	struct topomap_traffic *traffic = topomap_traffic_new(16, &err);
	struct topomap_search search = TOPOMAP_SEARCH_INIT;
	struct topomap_suggestion *found, *again;
	bool taken[16] = { false };
	const int *place_of;
	double gain;
	char *command;

	for (int r = 0; r < 16; r++)
		ck_assert_int_eq(topomap_traffic_add(traffic, r, (r + 1) % 16, 1e6, &err), 0);
	search.effort = 100000;
	search.objective = "cost";
	found = topomap_suggestion_new(p, traffic, NULL, &search, &err);
	ck_assert_msg(found != NULL, "%s", err.text);
	ck_assert_int_eq(topomap_suggestion_gain(found, &gain, &err), 0);
	ck_assert_double_gt(gain, 0.1);
	place_of = topomap_suggestion_place_of(found, &err);
	after = topomap_suggestion_placement(found, &err);
	for (int r = 0; r < 16; r++) {
		ck_assert(!taken[place_of[r]]);
		taken[place_of[r]] = true;
		ck_assert_int_eq(topomap_placement_node(after, r, &err),
				 topomap_placement_node(p, place_of[r], &err));
	}
	ck_assert_int_eq(crossing(p), 16);
	ck_assert_int_eq(crossing(after), 4);
	again = topomap_suggestion_new(p, traffic, NULL, &search, &err);
	ck_assert_mem_eq(topomap_suggestion_place_of(again, &err), place_of, 16 * sizeof *place_of);
	command = topomap_suggestion_command(found, "openmpi4", "my file", &err);
	ck_assert_ptr_nonnull(strstr(command, "--rankfile 'my file'"));
	free(command);
	/* nothing says under which launcher it was probed: the first one */
	command = topomap_suggestion_command(found, NULL, "file", &err);
	ck_assert_ptr_nonnull(strstr(command, "--rankfile file"));
	free(command);
	command = topomap_suggestion_note(found, "openmpi5", "a-b", &err);
	ck_assert_ptr_nonnull(strstr(command, "'-'"));
	free(command);
	topomap_suggestion_free(again);
	topomap_suggestion_free(found);
	topomap_placement_free(after);
	topomap_traffic_free(traffic);
	topomap_placement_free(p);
}
END_TEST

START_TEST(a_sub_communicator_has_ranks_of_its_own)
{
	struct topomap_placement *p = place("node:2 core:4", "core"), *odd;
	const int ranks[] = { 1, 3, 5, 7 }, twice[] = { 1, 1 }, missing[] = { 8 };

	ck_assert_ptr_nonnull(odd = topomap_placement_subset(p, ranks, 4, &err));
	ck_assert_int_eq(topomap_placement_size(odd, &err), 4);
	for (int r = 0; r < 4; r++)
		ck_assert_int_eq(topomap_placement_node(odd, r, &err),
				 topomap_placement_node(p, ranks[r], &err));
	ck_assert_ptr_null(topomap_placement_subset(p, twice, 2, &err));
	ck_assert_int_eq(err.status, TOPOMAP_INPUT);
	ck_assert_ptr_null(topomap_placement_subset(p, missing, 1, &err));
	ck_assert_int_eq(err.status, TOPOMAP_USAGE);
	topomap_placement_free(odd);
	topomap_placement_free(p);
}
END_TEST

/* What a handle was made from may be gone. The address sanitizer's run is the oracle. */
START_TEST(handles_may_be_released_in_any_order)
{
	struct topomap_placement *p = place("node:2 package:2 core:2", "node"), *after;
	struct topomap_profile *profile = topomap_profile_read(topomap_word("profile", 0), &err);
	struct topomap_distances *d = topomap_distances_new(p, "latency", profile, &err);
	struct topomap_tree *tree = topomap_tree_new(d, 3, &err);
	struct topomap_lanes *lanes = topomap_lanes_new(p, 2, &err);
	struct topomap_hierarchy *h = topomap_hierarchy_new(p, NULL, 0, "idle", &err);
	struct topomap_call *call = topomap_call_new("allreduce", NULL, 8, 100, 0, &err);
	struct topomap_call *one = topomap_call_new("bcast", "distance_tree", 8, 100, 0, &err);
	struct topomap_score *score = topomap_score_new(p, call, profile, &err);
	struct topomap_traffic *traffic = topomap_traffic_new(8, &err);
	struct topomap_suggestion *s;
	FILE *out = fopen("/dev/null", "w");

	ck_assert_int_eq(topomap_call_set_element(one, 4, &err), 0);
	ck_assert_int_eq(topomap_call_set_distances(one, d, &err), 0);
	ck_assert_int_eq(topomap_traffic_add_call(traffic, one, 2.5, &err), 0);
	ck_assert_int_eq(topomap_call_set_distances(one, d, &err), -1); /* it is in use */
	ck_assert_int_eq(topomap_call_set_element(one, 4, &err), -1);
	ck_assert_int_eq(err.status, TOPOMAP_USAGE);
	ck_assert_ptr_nonnull(s = topomap_suggestion_new(p, traffic, profile, NULL, &err));
	topomap_call_free(one);
	topomap_traffic_free(traffic);
	topomap_placement_free(p);
	topomap_profile_free(profile);
	topomap_distances_free(d);
	topomap_call_free(call);
	ck_assert_int_eq(topomap_tree_write(tree, "json", out, &err), 0);
	ck_assert_int_eq(topomap_lanes_write(lanes, "text", out, &err), 0);
	ck_assert_int_eq(topomap_hierarchy_write(h, "c", out, &err), 0);
	ck_assert_int_eq(topomap_score_write(score, "text", out, &err), 0);
	ck_assert_ptr_nonnull(after = topomap_suggestion_placement(s, &err));
	ck_assert_int_eq(topomap_suggestion_write(s, out, &err), 0);
	topomap_suggestion_free(s);
	ck_assert_int_eq(topomap_placement_write(after, out, &err), 0);
	topomap_placement_free(after);
	topomap_tree_free(tree);
	topomap_lanes_free(lanes);
	topomap_hierarchy_free(h);
	topomap_score_free(score);
	fclose(out);
}
END_TEST

START_TEST(errors_have_their_place)
{
	const char *text = "{\"kind\": \"placement\",\n \"format\": 1,}";
	FILE *full = fopen("/dev/full", "w");
	struct topomap_placement *p;

	ck_assert_ptr_null(topomap_placement_read("/nowhere/job.json", &err));
	ck_assert_int_eq(err.status, TOPOMAP_SYSTEM);
	ck_assert_str_eq(err.path, "/nowhere/job.json");
	ck_assert_str_eq(err.text, "/nowhere/job.json: cannot be read: No such file or directory");
	ck_assert_str_eq(err.reason, "cannot be read: No such file or directory");
	ck_assert_ptr_null(topomap_placement_parse(text, strlen(text), &err));
	ck_assert_int_eq(err.status, TOPOMAP_INPUT);
	ck_assert_int_eq(err.line, 2);
	ck_assert_int_gt(err.column, 0);
	p = place("node:1 core:2", NULL);
	if (full) {
		ck_assert_int_eq(topomap_placement_write(p, full, &err), -1);
		ck_assert_int_eq(err.status, TOPOMAP_SYSTEM);
		ck_assert_str_eq(err.text,
				 "the document cannot be written: No space left on device");
		fclose(full);
	}
	topomap_placement_free(p);
}
END_TEST

/* A locale with a decimal comma: the system's, or one that is made in @p folder. */
static bool set_comma(const char *folder)
{
	char command[256], name[128];

	if (setlocale(LC_ALL, "de_DE.UTF-8"))
		return true;
	snprintf(name, sizeof name, "%s/de", folder);
	snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s >%s/log 2>&1", name,
		 folder);
	return system(command) >= 0 && setenv("LOCPATH", folder, 1) == 0 && setlocale(LC_ALL, "de");
}

static void remove_folder(const char *folder)
{
	char command[128];

	snprintf(command, sizeof command, "rm -rf %s", folder);
	ck_assert_int_eq(system(command), 0);
}

START_TEST(a_file_with_a_mistake_adds_nothing_to_traffic)
{
	char path[] = "/tmp/topomap-test-XXXXXX";
	FILE *out = fdopen(mkstemp(path), "w");
	struct topomap_traffic *traffic = topomap_traffic_new(32, &err);
	struct topomap_placement *p = place("node:4 core:8", NULL);

	ck_assert_ptr_nonnull(out);
	fputs("from,to,bytes\n0,1,5\n0,32,5\n", out);
	fclose(out);
	ck_assert_int_eq(topomap_traffic_read(traffic, path, NULL, &err), -1);
	ck_assert_int_eq(err.line, 3);
	remove(path);
	ck_assert_ptr_null(topomap_suggestion_new(p, traffic, NULL, NULL, &err));
	ck_assert_str_eq(err.text, "no rank sends anything to another");
	topomap_traffic_free(traffic);
	topomap_placement_free(p);
}
END_TEST

static int count_some(void *context, const struct topomap_message *m)
{
	(void)m;
	return ++*(int *)context > 5000; /* pipelines have as many rounds as there are pieces */
}

/* 2^63 bytes cannot be counted. UndefinedBehaviorSanitizer's run is an oracle, too. */
START_TEST(a_call_of_more_bytes_than_can_be_counted_is_refused)
{
	static const int64_t sizes[] = { INT64_MAX, INT64_MAX - 1, INT64_MAX / 2, INT64_MAX / 11 };
	static const char *const collectives[] = { "bcast", "allgather", "allreduce", "scan",
						   "alltoall" };
	struct topomap_placement *p = place("node:4 package:2 core:2", "core");
	struct topomap_distances *d = measure(p);
	int refused = 0;

	for (size_t c = 0; c < 5; c++)
		for (int i = 0; topomap_algorithm(collectives[c], i); i++)
			for (size_t s = 0; s < 4; s++) {
				const char *name = topomap_algorithm(collectives[c], i);
				struct topomap_call *call = topomap_call_new(collectives[c], name,
									     16, sizes[s], 0, &err);
				int seen = 0, status;

				ck_assert_int_eq(topomap_call_set_distances(call, d, &err), 0);
				status = topomap_call_visit(call, count_some, &seen, &err);
				ck_assert(status >= 0 || err.status == TOPOMAP_INPUT);
				refused += status < 0;
				topomap_call_free(call);
			}
	ck_assert_int_gt(refused, 10);
	topomap_distances_free(d);
	topomap_placement_free(p);
}
END_TEST

START_TEST(what_is_written_can_be_read_again)
{
	const char *line = "node:2 core:1", *empty[] = { "", "b" }, *two_lines[] = { "a\nb", "c" };
	struct topomap_machine *machine = topomap_machine_read(&line, 1, &err);

	ck_assert_int_eq(topomap_machine_rename(machine, empty, 2, &err), -1);
	ck_assert_str_eq(err.text, "the name of node 0 is empty");
	ck_assert_int_eq(topomap_machine_rename(machine, two_lines, 2, &err), -1);
	ck_assert_str_eq(err.text, "the name 'a\\nb' of node 0 has a control character");
	topomap_machine_free(machine);
}
END_TEST

START_TEST(numbers_have_a_point_in_every_locale)
{
	char folder[] = "/tmp/topomap-test-XXXXXX";
	struct topomap_traffic *traffic = topomap_traffic_new(2, &err);
	char path[] = "/tmp/topomap-test-XXXXXX", *text = NULL, point[8];
	struct topomap_placement *p = place("node:2 core:1", NULL);
	struct topomap_suggestion *s;
	size_t length;
	FILE *out;
	int fd;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	if (!set_comma(folder)) {
		remove_folder(folder);
		test_skip("no locale here has a decimal comma");
		return;
	}
	remove_folder(folder);
	snprintf(point, sizeof point, "%.1f", 0.5);
	ck_assert_int_eq(point[1], ',');
	ck_assert_int_ge(fd = mkstemp(path), 0);
	ck_assert_int_eq((int)write(fd, "0 1.5\n1.5 0\n", 12), 12);
	ck_assert_msg(topomap_traffic_read(traffic, path, "matrix", &err) == 0, "%s", err.text);
	ck_assert_ptr_nonnull(s = topomap_suggestion_new(p, traffic, NULL, NULL, &err));
	ck_assert_ptr_nonnull(out = open_memstream(&text, &length));
	ck_assert_int_eq(topomap_suggestion_write(s, out, &err), 0);
	fclose(out);
	ck_assert_ptr_nonnull(strstr(text, "e-0"));
	ck_assert_ptr_null(strstr(text, ",5"));
	snprintf(point, sizeof point, "%.1f", 0.5);
	ck_assert_int_eq(point[1], ','); /* the program's locale is as it was */
	close(fd);
	unlink(path);
	free(text);
	topomap_suggestion_free(s);
	topomap_traffic_free(traffic);
	topomap_placement_free(p);
}
END_TEST

START_TEST(words_are_listed_and_all_of_them_work)
{
	struct topomap_placement *p = place("node:2 package:2 core:4", "core");
	const char *word;
	int trees = 0;

	for (int i = 0; (word = topomap_word("scale", i)); i++) {
		struct topomap_distances *d = topomap_distances_new(p, word, NULL, &err);

		ck_assert_msg(d != NULL, "%s: %s", word, err.text);
		topomap_distances_free(d);
	}
	for (int i = 0; (word = topomap_word("tree", i)); i++) {
		struct topomap_distances *d = measure(p);
		struct topomap_tree *tree = topomap_tree_new_shape(d, word, 3, &err);

		ck_assert(tree || err.status == TOPOMAP_INPUT);
		trees += tree != NULL;
		topomap_tree_free(tree);
		topomap_distances_free(d);
	}
	ck_assert_int_ge(trees, 5);
	for (int i = 0; (word = topomap_word("election", i)); i++) {
		struct topomap_hierarchy *h = topomap_hierarchy_new(p, NULL, 0, word, &err);

		ck_assert_msg(h != NULL, "%s: %s", word, err.text);
		topomap_hierarchy_free(h);
	}
	for (int i = 0; (word = topomap_word("profile", i)); i++) {
		struct topomap_profile *profile = topomap_profile_read(word, &err);

		ck_assert_msg(profile != NULL, "%s: %s", word, err.text);
		topomap_profile_free(profile);
	}
	topomap_placement_free(p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("libtopomap");
	TCase *tcase = tcase_create("all");

	tcase_add_test(tcase, pairs_have_the_distances_that_their_places_give);
	tcase_add_test(tcase, a_pu_that_the_node_lacks_names_the_rank);
	tcase_add_test(tcase, switches_and_names_become_part_of_a_machine);
	tcase_add_test(tcase, trees_are_those_of_the_literal_algorithm);
	tcase_add_test(tcase, a_ring_visits_every_rank_and_enters_each_node_once);
	tcase_add_test(tcase, communicators_of_a_level_are_its_objects_and_lanes_cross_them);
	tcase_add_test(tcase, every_allgather_delivers_every_block_and_ranks_have_their_part_of_it);
	tcase_add_test(tcase,
		       units_cover_the_data_without_gap_and_messages_weigh_what_their_units_do);
	tcase_add_test(tcase, a_visitor_ends_it_with_a_number_of_its_own);
	tcase_add_test(tcase, a_score_is_all_algorithms_fastest_first);
	tcase_add_test(tcase, a_suggestion_without_a_profile_is_for_all_machines);
	tcase_add_test(tcase, a_suggestion_is_a_permutation_that_crosses_fewer_nodes);
	tcase_add_test(tcase, a_sub_communicator_has_ranks_of_its_own);
	tcase_add_test(tcase, handles_may_be_released_in_any_order);
	tcase_add_test(tcase, errors_have_their_place);
	tcase_add_test(tcase, a_file_with_a_mistake_adds_nothing_to_traffic);
	tcase_add_test(tcase, a_call_of_more_bytes_than_can_be_counted_is_refused);
	tcase_add_test(tcase, what_is_written_can_be_read_again);
	tcase_add_test(tcase, numbers_have_a_point_in_every_locale);
	tcase_add_test(tcase, words_are_listed_and_all_of_them_work);
	suite_add_tcase(suite, tcase);
	return suite;
}
