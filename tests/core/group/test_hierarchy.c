/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the two rules of unguided splits taken literally, on random machines: a communicator
 * is a list of ranks; at the next lower level the ranks whose PUs one object covers go
 * together, objects being looked through one by one; if that makes every group smaller it is
 * the split, and each group is split on. Figure 3 of Bouhrour et al. is written by hand.
 */
#include "core/group/hierarchy.h"
#include "core/group/split_levels.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

enum { RANKS_MOST = 40, COMMS_MOST = 2 * RANKS_MOST, REST = -2 };

/* What the literal recursion finds: of each communicator the level and the ranks. */
struct found {
	const struct tmap_placement *p;
	const struct tmap_levels *levels;
	bool keeps_rest; /* MPICH: those of a communicator that no object covers go together */
	int count;
	struct {
		int level, above, size, rank[RANKS_MOST];
	} comm[COMMS_MOST];
};

static bool covers(const struct tmap_placement *p, int rank, int object)
{
	const struct tmap_topology *topo = tmap_placement_topology(p, rank);
	const struct tmap_object *o = &topo->object[object];
	const struct tmap_idset *pus = &p->places[p->place[rank]].pus;

	for (int os = tmap_idset_next(pus, TMAP_NONE); os != TMAP_NONE;
	     os = tmap_idset_next(pus, os)) {
		int pu = tmap_topology_find_pu(topo, os);

		if (pu < o->first_pu || pu >= o->end_pu)
			return false;
	}
	return true;
}

/* The object of the level that covers the rank, or TMAP_NONE; objects of different nodes differ. */
static int64_t object_of(const struct found *f, int level, int rank)
{
	const struct tmap_level *at = &f->levels->level[level];
	const struct tmap_topology *topo = tmap_placement_topology(f->p, rank);
	int64_t node = f->p->node[rank];

	if (at->tier != TMAP_NONE)
		return at->sets.node_base[node];
	if (tmap_level_is_implied(topo, at->kind))
		return node << 32;
	for (int i = 0; i < topo->object_count; i++)
		if (topo->object[i].type == at->kind.type &&
		    topo->object[i].nest == at->kind.nest && covers(f->p, rank, i))
			return (node << 32) + i;
	return TMAP_NONE;
}

static void split_on(struct found *f, int comm, int level);

/* Try one level: true if it makes every group smaller. */
static bool try_split(struct found *f, int comm, int level)
{
	int size = f->comm[comm].size, before = f->count;
	int64_t object[RANKS_MOST];

	for (int i = 0; i < size; i++) {
		object[i] = object_of(f, level, f->comm[comm].rank[i]);
		if (object[i] == TMAP_NONE && f->keeps_rest)
			object[i] = REST;
	}
	for (int i = 0; i < size; i++) {
		bool is_first = object[i] != TMAP_NONE;

		for (int j = 0; j < i; j++)
			is_first &= object[j] != object[i];
		if (!is_first)
			continue;
		f->comm[f->count].level = level;
		f->comm[f->count].above = comm;
		f->comm[f->count].size = 0;
		for (int j = i; j < size; j++)
			if (object[j] == object[i])
				f->comm[f->count].rank[f->comm[f->count].size++] =
					f->comm[comm].rank[j];
		if (f->comm[f->count].size == size)
			return false;
		f->count++;
	}
	return f->count > before;
}

static void split_on(struct found *f, int comm, int level)
{
	int first = f->count, end;

	while (level < f->levels->count && !try_split(f, comm, level))
		level++;
	end = f->count;
	for (int c = first; c < end; c++)
		split_on(f, c, level + 1);
}

static void find_all(struct found *f, const struct tmap_placement *p,
		     const struct tmap_levels *levels)
{
	f->p = p;
	f->levels = levels;
	f->count = 1;
	f->comm[0].level = f->comm[0].above = TMAP_NONE;
	f->comm[0].size = p->size;
	for (int r = 0; r < p->size; r++)
		f->comm[0].rank[r] = r;
	split_on(f, 0, 0);
}

static int level_of(const struct tmap_hierarchy *h, int comm)
{
	int l = 0;

	while (comm && comm >= h->level[l].end)
		l++;
	return comm ? l : TMAP_NONE;
}

/* The communicator of the oracle with the level and the ranks of @p comm of the hierarchy. */
static int find_equal(const struct found *f, const struct tmap_hierarchy *h, int comm)
{
	const int *member = tmap_comm_members(h, comm);
	int64_t size = tmap_comm_size(h, comm);
	int level = level_of(h, comm);

	for (int c = 0; c < f->count; c++) {
		const char *name = c ? f->levels->level[f->comm[c].level].name : NULL;

		if (f->comm[c].size == size && (c != 0) == (comm != 0) &&
		    (!comm || strcmp(name, h->level[level].name) == 0) &&
		    memcmp(f->comm[c].rank, member, (size_t)size * sizeof *member) == 0)
			return c;
	}
	return TMAP_NONE;
}

static void check_splits(const struct tmap_hierarchy *h, const struct found *f)
{
	ck_assert_int_eq(h->comm_count, f->count);
	for (int c = 0; c < h->comm_count; c++) {
		int same = find_equal(f, h, c), level = level_of(h, c);

		ck_assert_int_ne(same, TMAP_NONE);
		if (c)
			ck_assert_int_eq(f->comm[same].above,
					 find_equal(f, h,
						    tmap_hierarchy_above(
							    h, level, tmap_comm_members(h, c)[0])));
		if (c && c > h->level[level].first)
			ck_assert_int_gt(tmap_comm_members(h, c)[0],
					 tmap_comm_members(h, c - 1)[0]);
	}
}

/* The invariants of conduits and groups, as the header states them. */
static void check_conduits(const struct tmap_hierarchy *h)
{
	int received[RANKS_MOST] = { 0 };

	for (int c = 0; c < h->comm_count; c++) {
		bool holds_root = false, holds_conduit = false, in_group = false;

		for (int i = 0; i < tmap_comm_size(h, c); i++) {
			holds_root |= tmap_comm_members(h, c)[i] == h->root;
			holds_conduit |= tmap_comm_members(h, c)[i] == h->conduit[c];
		}
		ck_assert(holds_conduit);
		ck_assert(!holds_root || h->conduit[c] == h->root);
		for (int64_t i = h->group_first[c]; i < h->group_first[c + 1]; i++) {
			in_group |= h->group[i] == h->conduit[c];
			received[h->group[i]] += h->group[i] != h->conduit[c];
			ck_assert(i == h->group_first[c] || h->group[i - 1] < h->group[i]);
		}
		ck_assert(in_group);
	}
	for (int r = 0; r < h->size; r++)
		ck_assert_int_eq(received[r], r != h->root);
	ck_assert_int_eq(h->group_first[h->comm_count], h->size + h->comm_count - 1);
}

/* Below a communicator the conduit stays conduit. */
static void check_chains(const struct tmap_hierarchy *h)
{
	for (int c = 0; c < h->comm_count; c++)
		for (int l = 0; l < h->level_count; l++)
			if (c < h->level[l].first && tmap_hierarchy_has(h, l, h->conduit[c]))
				ck_assert_int_eq(
					h->conduit[tmap_hierarchy_comm(h, l, h->conduit[c])],
					h->conduit[c]);
}

/* Some of the levels, in any order; NULL: all. */
static char *choose_levels(struct dice *dice, const struct tmap_machine *machine, char names[256])
{
	struct tmap_levels used;
	int order[64], kept = 0;

	ck_assert_int_eq(tmap_split_levels_init(&used, machine, NULL, &err), 0);
	for (int i = 0; i < used.count; i++)
		if (dice_roll(dice, 2))
			order[kept++] = i;
	dice_shuffle(dice, order, kept);
	*names = '\0';
	for (int i = 0; i < kept; i++)
		sprintf(names + strlen(names), "%s%s", i ? "," : "", used.level[order[i]].name);
	tmap_levels_fini(&used);
	return kept ? names : NULL;
}

static void check_random(struct dice *dice)
{
	char names[256], *levels;
	struct found *f = calloc(1, sizeof *f);
	struct tmap_placement p;
	struct tmap_levels used;
	struct tmap_hierarchy h;
	int size = 1 + dice_roll(dice, RANKS_MOST);

	placement_random_take(&p, machine_random(dice, 6), size, dice);
	levels = choose_levels(dice, p.machine, names);
	ck_assert_int_eq(tmap_split_levels_init(&used, p.machine, levels, &err), 0);
	find_all(f, &p, &used);
	for (int elect = TMAP_ELECT_FIRST; elect <= TMAP_ELECT_COLUMN; elect++) {
		ck_assert_int_eq(tmap_hierarchy_init(&h, &p, levels, dice_roll(dice, size),
						     (enum tmap_elect)elect, &err),
				 0);
		check_splits(&h, f);
		check_conduits(&h);
		check_chains(&h);
		tmap_hierarchy_fini(&h);
	}
	tmap_levels_fini(&used);
	tmap_placement_fini(&p);
	free(f);
}

START_TEST(splits_are_those_of_the_literal_rules)
{
	struct dice dice = { 20 };

	for (int i = 0; i < 400; i++)
		check_random(&dice);
}
END_TEST

/* The communicators of one level in the oracle, as a partition has them. */
static void check_level(const struct found *f, const char *name, const struct tmap_partition *p)
{
	int count = 0;

	for (int c = 1; c < f->count; c++) {
		int group = p->of_rank[f->comm[c].rank[0]];

		if (strcmp(f->levels->level[f->comm[c].level].name, name) != 0)
			continue;
		count++;
		ck_assert_int_ne(group, TMAP_NONE);
		ck_assert_int_eq(p->first[group + 1] - p->first[group], f->comm[c].size);
		for (int i = 0; i < f->comm[c].size; i++)
			ck_assert_int_eq(p->of_rank[f->comm[c].rank[i]], group);
	}
	ck_assert_int_eq(p->count, count);
}

START_TEST(splits_of_mpich_keep_those_together_that_span_objects)
{
	struct dice dice = { 21 };
	struct found *f = calloc(1, sizeof *f);

	f->keeps_rest = true;
	for (int i = 0; i < 150; i++) {
		struct tmap_placement p;
		struct tmap_levels used;
		struct tmap_hierarchy h;

		placement_random_take(&p, machine_random(&dice, 6),
				      1 + dice_roll(&dice, RANKS_MOST), &dice);
		if (tmap_split_levels_init(&used, p.machine, "node,package,numa,core,pu", &err) < 0)
			ck_assert_int_eq(tmap_split_levels_init(&used, p.machine,
								"node,package,numa,pu", &err),
					 0);
		find_all(f, &p, &used);
		ck_assert_int_eq(tmap_hierarchy_init_mpich(&h, &p, &err), 0);
		ck_assert_int_eq(h.comm_count, f->count);
		for (int l = 0; l < h.level_count; l++) {
			struct tmap_partition level;

			ck_assert_int_eq(tmap_hierarchy_partition(&level, &h, l, &err), 0);
			check_level(f, h.level[l].name, &level);
			tmap_partition_fini(&level);
		}
		tmap_hierarchy_fini(&h);
		tmap_levels_fini(&used);
		tmap_placement_fini(&p);
	}
	free(f);
}
END_TEST

static void check_list(const int *list, int64_t count, const char *text)
{
	char line[256] = "";

	for (int64_t i = 0; i < count; i++)
		sprintf(line + strlen(line), "%s%d", i ? " " : "", list[i]);
	ck_assert_str_eq(line, text);
}

static void check_comm(const struct tmap_hierarchy *h, int comm, const char *members,
		       const char *group)
{
	check_list(tmap_comm_members(h, comm), tmap_comm_size(h, comm), members);
	check_list(h->group + h->group_first[comm], h->group_first[comm + 1] - h->group_first[comm],
		   group);
}

static struct tmap_placement figure_3(void)
{
	struct tmap_placement p;

	placement_block_take(&p,
			     machine_regular(3,
					     (const struct test_level[]){
						     { TMAP_NUMA, 2 }, { TMAP_CORE, 3 }, { 0 } }));
	return p;
}

START_TEST(eighteen_ranks_make_the_published_figure)
{
	struct tmap_placement p = figure_3();
	struct tmap_hierarchy h;

	ck_assert_int_eq(tmap_hierarchy_init(&h, &p, "node,numa", 0, TMAP_ELECT_FIRST, &err), 0);
	ck_assert_int_eq(h.level_count, 2);
	ck_assert_str_eq(h.level[0].name, "node");
	ck_assert_str_eq(h.level[1].name, "numa");
	ck_assert_int_eq(h.comm_count, 1 + 3 + 6);
	check_comm(&h, 0, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17", "0 6 12");
	check_comm(&h, 1, "0 1 2 3 4 5", "0 3");
	check_comm(&h, 2, "6 7 8 9 10 11", "6 9");
	check_comm(&h, 3, "12 13 14 15 16 17", "12 15");
	check_comm(&h, 4, "0 1 2", "0 1 2");
	check_comm(&h, 9, "15 16 17", "15 16 17");
	tmap_hierarchy_fini(&h);
	ck_assert_int_eq(tmap_hierarchy_init(&h, &p, "numa,node", 10, TMAP_ELECT_FIRST, &err), 0);
	check_comm(&h, 0, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17", "0 10 12");
	check_comm(&h, 2, "6 7 8 9 10 11", "6 10");
	check_comm(&h, 7, "9 10 11", "9 10 11");
	ck_assert_int_eq(h.conduit[7], 10);
	tmap_hierarchy_fini(&h);
	ck_assert_int_eq(tmap_hierarchy_init(&h, &p, NULL, 0, TMAP_ELECT_FIRST, &err), 0);
	ck_assert_int_eq(h.level_count, 3);
	ck_assert_str_eq(h.level[2].name, "core");
	ck_assert_int_eq(h.comm_count, 1 + 3 + 6 + 18);
	tmap_hierarchy_fini(&h);
	tmap_placement_fini(&p);
}
END_TEST

/* Messages of a broadcast from conduits to their groups whose ends are in different objects of a
 * level. */
static int count_crossing(const struct tmap_hierarchy *h, const struct tmap_placement *p,
			  const struct tmap_levels *levels, int level)
{
	int crossing = 0;

	for (int c = 0; c < h->comm_count; c++)
		for (int64_t i = h->group_first[c]; i < h->group_first[c + 1]; i++)
			crossing += tmap_levels_of_rank(levels, level, p, h->group[i]) !=
				tmap_levels_of_rank(levels, level, p, h->conduit[c]);
	return crossing;
}

START_TEST(shuffled_ranks_send_as_many_messages_across_each_level)
{
	struct tmap_placement ordered = figure_3();
	struct dice dice = { 3 };
	int seat[18];

	for (int r = 0; r < 18; r++)
		seat[r] = r;
	for (int i = 0; i < 50; i++) {
		struct tmap_placement p;
		struct tmap_levels levels;
		struct tmap_hierarchy h;

		ck_assert_int_eq(tmap_placement_select(&p, &ordered, seat, 18, &err), 0);
		ck_assert_int_eq(tmap_levels_init(&levels, p.machine, &err), 0);
		ck_assert_int_eq(tmap_hierarchy_init(&h, &p, i % 2 ? NULL : "node,numa", i % 18,
						     TMAP_ELECT_FIRST, &err),
				 0);
		ck_assert_int_eq(count_crossing(&h, &p, &levels, 0), 2);
		ck_assert_int_eq(count_crossing(&h, &p, &levels, 1), 5);
		ck_assert_int_eq(count_crossing(&h, &p, &levels, 2), 17);
		tmap_hierarchy_fini(&h);
		tmap_levels_fini(&levels);
		tmap_placement_fini(&p);
		dice_shuffle(&dice, seat, 18);
	}
	tmap_placement_fini(&ordered);
}
END_TEST

START_TEST(elections_choose_the_smallest_key_but_for_the_root)
{
	static const struct test_level node_levels[] = { { TMAP_PACKAGE, 2 },
							 { TMAP_CORE, 2 },
							 { 0 } };
	struct tmap_machine *machine = machine_regular(2, node_levels);
	const struct tmap_device network = { .type = TMAP_NETWORK,
					     .name = "ib0",
					     .object = tmap_topology_find(&machine->topology[0],
									  TMAP_PACKAGE, 1) };
	static const struct {
		enum tmap_elect elect;
		int conduit[3]; /* of n0, and of its packages */
	} cases[] = {
		{ TMAP_ELECT_FIRST, { 0, 0, 2 } },
		{ TMAP_ELECT_ADAPTER, { 2, 0, 2 } },
		{ TMAP_ELECT_ROOT, { 3, 0, 3 } },
		{ TMAP_ELECT_IDLE, { 1, 1, 2 } },
	};
	struct tmap_placement p;

	ck_assert_int_eq(tmap_topology_add_device(&machine->topology[0], &network, &err), 0);
	placement_on_take(&p, machine, 6);
	for (int r = 0; r < 4; r++)
		placement_seat_pu(&p, r, 0, r);
	placement_seat_pu(&p, 4, 0, 0);
	placement_seat_pu(&p, 5, 1, 3);
	for (int i = 0; i < 4; i++) {
		struct tmap_hierarchy h;

		ck_assert_int_eq(
			tmap_hierarchy_init(&h, &p, "node,package", 5, cases[i].elect, &err), 0);
		ck_assert_int_eq(h.conduit[0], 5);
		ck_assert_int_eq(h.conduit[2], 5);
		ck_assert_int_eq(h.conduit[1], cases[i].conduit[0]);
		ck_assert_int_eq(h.conduit[3], cases[i].conduit[1]);
		ck_assert_int_eq(h.conduit[4], cases[i].conduit[2]);
		tmap_hierarchy_fini(&h);
	}
	tmap_placement_fini(&p);
}
END_TEST

/* n0 under one switch, n1, which is like it, and n2 under another; n2 alone has devices. */
static struct tmap_machine *two_kinds(void)
{
	static const char *const name[] = { "eth0", "mlx5_0" };
	static const int switch_of[] = { 0, 1, 1 };
	struct tmap_machine *machine = machine_regular(
		2, (const struct test_level[]){ { TMAP_PACKAGE, 2 }, { TMAP_CORE, 2 }, { 0 } });
	struct tmap_topology topo;
	int kind;

	ck_assert_int_eq(tmap_topology_init(&topo, 4, &err), 0);
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(
			tmap_topology_add(&topo, TMAP_PACKAGE, 2 * i, 2 * i + 2, i, 0, &err), 0);
	ck_assert_int_eq(tmap_topology_finish(&topo, &err), 0);
	for (int i = 0; i < 2; i++) {
		struct tmap_device device = {
			.type = TMAP_NETWORK, .object = tmap_topology_find(&topo, TMAP_PACKAGE, i)
		};

		strcpy(device.name, name[i]);
		ck_assert_int_eq(tmap_topology_add_device(&topo, &device, &err), 0);
	}
	kind = tmap_machine_add_topology_take(machine, &topo, &err);
	ck_assert_int_eq(tmap_machine_add_node(machine, "n2", kind, &err), 0);
	machine_add_tier(machine, switch_of, 2);
	return machine;
}

START_TEST(ranks_that_cannot_be_compared_are_elected_last)
{
	static const struct {
		enum tmap_elect elect;
		int conduit[3]; /* of the second switch, of n1 and n2 */
	} cases[] = {
		{ TMAP_ELECT_FIRST, { 4, 4, 8 } },
		{ TMAP_ELECT_ADAPTER, { 10, 4, 10 } },
		{ TMAP_ELECT_ROOT, { 5, 5, 8 } },
	};
	struct tmap_placement p;

	placement_block_take(&p, two_kinds());
	for (int i = 0; i < 3; i++) {
		struct tmap_hierarchy h;

		ck_assert_int_eq(
			tmap_hierarchy_init(&h, &p, "switch1,node", 1, cases[i].elect, &err), 0);
		ck_assert_int_eq(h.comm_count, 5);
		for (int c = 0; c < 3; c++)
			ck_assert_int_eq(h.conduit[2 + c], cases[i].conduit[c]);
		tmap_hierarchy_fini(&h);
	}
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(each_communicator_falls_apart_at_a_level_of_its_own)
{
	struct tmap_placement p;
	struct tmap_hierarchy h;

	/* n0: both packages; n1: two cores of one package and all of the node */
	placement_on_take(&p,
			  machine_regular(2,
					  (const struct test_level[]){
						  { TMAP_PACKAGE, 2 }, { TMAP_CORE, 2 }, { 0 } }),
			  6);
	placement_seat_pu(&p, 0, 0, 0);
	placement_seat_pu(&p, 1, 0, 2);
	placement_seat_pu(&p, 2, 0, 3);
	placement_seat_pu(&p, 3, 1, 0);
	placement_seat_pu(&p, 4, 1, 1);
	placement_seat_pu(&p, 5, 1, 1);
	ck_assert_int_eq(tmap_hierarchy_init(&h, &p, NULL, 5, TMAP_ELECT_FIRST, &err), 0);
	ck_assert_int_eq(h.level_count, 3);
	check_comm(&h, 0, "0 1 2 3 4 5", "0 5");
	check_comm(&h, 1, "0 1 2", "0 1");
	check_comm(&h, 2, "3 4 5", "3 5");
	check_comm(&h, 3, "0", "0");
	check_comm(&h, 4, "1 2", "1 2");
	check_comm(&h, 5, "1", "1");
	check_comm(&h, 6, "2", "2");
	check_comm(&h, 7, "3", "3");
	check_comm(&h, 8, "4 5", "4 5");
	ck_assert_int_eq(h.split[1], 1);
	ck_assert_int_eq(h.split[2], 2);
	tmap_hierarchy_fini(&h);
	placement_seat(&p, 5, 1, 0);
	ck_assert_int_eq(tmap_hierarchy_init(&h, &p, NULL, 5, TMAP_ELECT_FIRST, &err), 0);
	check_comm(&h, 2, "3 4 5", "3 5");
	check_comm(&h, 5, "3 4", "3 4");
	ck_assert(tmap_hierarchy_has(&h, 1, 4) && !tmap_hierarchy_has(&h, 1, 5));
	tmap_hierarchy_fini(&h);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(nothing_can_be_split_where_all_share_one_core)
{
	struct tmap_placement p;
	struct tmap_hierarchy h;

	placement_on_take(
		&p, machine_regular(1, (const struct test_level[]){ { TMAP_CORE, 4 }, { 0 } }), 3);
	for (int r = 0; r < 3; r++)
		placement_seat_pu(&p, r, 0, 2);
	ck_assert_int_eq(tmap_hierarchy_init(&h, &p, NULL, 1, TMAP_ELECT_FIRST, &err), 0);
	ck_assert_int_eq(h.level_count, 0);
	check_comm(&h, 0, "0 1 2", "0 1 2");
	ck_assert_int_eq(h.conduit[0], 1);
	tmap_hierarchy_fini(&h);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(a_level_that_repeats_another_can_be_named)
{
	struct tmap_placement p;
	struct tmap_hierarchy h;

	placement_block_take(&p,
			     machine_regular(2,
					     (const struct test_level[]){ { TMAP_PACKAGE, 2 },
									  { TMAP_NUMA, 1 },
									  { TMAP_CORE, 2 },
									  { 0 } }));
	ck_assert_int_eq(tmap_hierarchy_init(&h, &p, "numa", 0, TMAP_ELECT_FIRST, &err), 0);
	ck_assert_int_eq(h.level_count, 1);
	ck_assert_str_eq(h.level[0].name, "numa");
	ck_assert_int_eq(h.comm_count, 5);
	tmap_hierarchy_fini(&h);
	ck_assert_int_eq(tmap_hierarchy_init(&h, &p, "board", 0, TMAP_ELECT_FIRST, &err), 0);
	ck_assert_int_eq(h.comm_count, 3);
	tmap_hierarchy_fini(&h);
	ck_assert_int_eq(tmap_hierarchy_init(&h, &p, "node,l3", 0, TMAP_ELECT_FIRST, &err), -1);
	ck_assert_str_eq(err.text,
			 "the machine has no level 'l3' (it has: node, board, package, "
			 "numa, core, pu)");
	ck_assert_int_eq(tmap_hierarchy_init(&h, &p, "node,numa,node", 0, TMAP_ELECT_FIRST, &err),
			 -1);
	ck_assert_str_eq(err.text, "level 'node' is named twice");
	ck_assert_int_eq(tmap_hierarchy_init(&h, &p, NULL, 8, TMAP_ELECT_FIRST, &err), -1);
	ck_assert_str_eq(err.text, "root 8 is not one of the 8 ranks");
	tmap_placement_fini(&p);
}
END_TEST

/* The next communicator from @p c on whose group has several ranks, or the end of the level. */
static int next_of_several(const struct tmap_hierarchy *h, int c, int end)
{
	while (c < end && h->group_first[c + 1] - h->group_first[c] < 2)
		c++;
	return c;
}

/* The oracle is the hierarchy of all communicators. */
static void check_several(const struct tmap_hierarchy *several, const struct tmap_hierarchy *all)
{
	ck_assert_int_eq(several->level_count, all->level_count);
	for (int l = 0; l < all->level_count; l++) {
		int c = all->level[l].first, end = all->level[l].end;

		ck_assert_str_eq(several->level[l].name, all->level[l].name);
		for (int s = several->level[l].first; s < several->level[l].end; s++, c++) {
			int64_t count = several->group_first[s + 1] - several->group_first[s];

			ck_assert_int_ge(tmap_comm_size(several, s), 2);
			c = next_of_several(all, c, end);
			ck_assert_int_lt(c, end);
			ck_assert_int_eq(several->conduit[s], all->conduit[c]);
			ck_assert_int_eq(count, all->group_first[c + 1] - all->group_first[c]);
			ck_assert_int_eq(memcmp(several->group + several->group_first[s],
						all->group + all->group_first[c],
						(size_t)count * sizeof *all->group),
					 0);
		}
		ck_assert_int_eq(next_of_several(all, c, end), end);
	}
}

START_TEST(groups_of_several_ranks_need_no_communicator_of_one)
{
	struct dice dice = { 21 };

	for (int i = 0; i < 400; i++) {
		struct tmap_placement p;
		struct tmap_hierarchy all, several;
		char names[256], *levels;
		int size = 1 + dice_roll(&dice, RANKS_MOST), root = dice_roll(&dice, size);

		placement_random_take(&p, machine_random(&dice, 6), size, &dice);
		levels = choose_levels(&dice, p.machine, names);
		ck_assert_int_eq(
			tmap_hierarchy_init(&all, &p, levels, root, TMAP_ELECT_FIRST, &err), 0);
		ck_assert_int_eq(tmap_hierarchy_init_several(&several, &p, levels, root,
							     TMAP_ELECT_FIRST, &err),
				 0);
		check_several(&several, &all);
		tmap_hierarchy_fini(&several);
		tmap_hierarchy_fini(&all);
		tmap_placement_fini(&p);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("hierarchy");
	TCase *tests = tcase_create("hierarchy");

	tcase_add_test(tests, splits_are_those_of_the_literal_rules);
	tcase_add_test(tests, splits_of_mpich_keep_those_together_that_span_objects);
	tcase_add_test(tests, eighteen_ranks_make_the_published_figure);
	tcase_add_test(tests, shuffled_ranks_send_as_many_messages_across_each_level);
	tcase_add_test(tests, elections_choose_the_smallest_key_but_for_the_root);
	tcase_add_test(tests, ranks_that_cannot_be_compared_are_elected_last);
	tcase_add_test(tests, each_communicator_falls_apart_at_a_level_of_its_own);
	tcase_add_test(tests, nothing_can_be_split_where_all_share_one_core);
	tcase_add_test(tests, a_level_that_repeats_another_can_be_named);
	tcase_add_test(tests, groups_of_several_ranks_need_no_communicator_of_one);
	suite_add_tcase(suite, tests);
	return suite;
}
