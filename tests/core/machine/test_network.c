/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: for trees, the height of the lowest common switch, looked for by climbing; for graphs,
 * chains of hosts with common switches, looked for link by link; for
 * fabrics, who is connected by switches up to a rank, searched anew for each rank.
 */
#include "core/machine/fabric.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static struct tmap_machine *nodes(int count)
{
	return machine_regular(count, (const struct test_level[]){ { TMAP_CORE, 1 }, { 0 } });
}

static int switch_called(struct tmap_network *net, const char *name)
{
	return tmap_network_switch(net, name, strlen(name), &err);
}

static int host(struct tmap_network *net, const char *name, int under)
{
	return tmap_network_host(net, name, strlen(name), under, &err);
}

START_TEST(leaves_at_unequal_depths_meet_at_the_height_of_their_switch)
{
	struct tmap_machine *machine = nodes(3);
	struct tmap_network net = { 0 };
	int s0 = switch_called(&net, "s0"), s1 = switch_called(&net, "s1");
	int s2 = switch_called(&net, "s2"), mid = switch_called(&net, "mid");
	int root = switch_called(&net, "root");

	tmap_network_link(&net, s0, mid, &err);
	tmap_network_link(&net, s1, mid, &err);
	tmap_network_link(&net, mid, root, &err);
	tmap_network_link(&net, s2, root, &err);
	host(&net, "n0", s0);
	host(&net, "n1", s1);
	host(&net, "n2", s2);
	ck_assert_int_eq(tmap_network_apply(&net, machine, &err), 0);
	ck_assert_int_eq(machine->tier_count, 3);
	ck_assert_str_eq(machine->tier[0].name, "switch1");
	ck_assert_str_eq(machine->tier[2].name, "switch3");
	ck_assert_int_eq(machine->tier[1].switch_of[0], machine->tier[1].switch_of[1]);
	ck_assert_str_eq(machine->tier[1].switch_name[machine->tier[1].switch_of[0]], "mid");
	ck_assert_str_eq(machine->tier[1].switch_name[machine->tier[1].switch_of[2]], "s2");
	ck_assert_int_eq(machine->tier[2].switch_count, 1);
	ck_assert_int_eq(tmap_network_apply(&net, machine, &err), -1);
	ck_assert_str_eq(err.text, "the machine has a network already");
	tmap_network_fini(&net);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(a_circle_of_switches_is_refused)
{
	struct tmap_machine *machine = nodes(1);
	struct tmap_network net = { 0 };
	int s0 = switch_called(&net, "s0"), a = switch_called(&net, "a");
	int b = switch_called(&net, "b");

	ck_assert_int_eq(tmap_network_link(&net, s0, a, &err), 0);
	ck_assert_int_eq(tmap_network_link(&net, s0, a, &err), 0);
	ck_assert_int_eq(tmap_network_link(&net, s0, s0, &err), -1);
	ck_assert_str_eq(err.text, "switch 's0' is under itself");
	ck_assert_int_eq(host(&net, "n0", s0), 0);
	ck_assert_int_eq(tmap_network_link(&net, a, b, &err), 0);
	ck_assert_int_eq(tmap_network_link(&net, b, s0, &err), 0);
	ck_assert_int_eq(tmap_network_apply(&net, machine, &err), -1);
	ck_assert_str_eq(err.text, "switch 's0' is under 'a', which is below it");
	ck_assert_int_eq(machine->tier_count, 0);
	tmap_network_fini(&net);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(nodes_that_are_missing_are_named)
{
	struct tmap_machine *machine = nodes(7);
	struct tmap_network net = { 0 };
	int s = switch_called(&net, "s");

	host(&net, "dev0", s);
	ck_assert_int_eq(tmap_network_apply(&net, machine, &err), -1);
	ck_assert_str_eq(err.text,
			 "the network has none of the 7 nodes ('n0', 'n1', 'n2', 'n3', "
			 "...); its 1 host begins with 'dev0'");
	host(&net, "n3", s);
	host(&net, "n4", s);
	host(&net, "n0", s);
	host(&net, "n6", s);
	ck_assert_int_eq(tmap_network_apply(&net, machine, &err), -1);
	ck_assert_str_eq(err.text, "the network does not have 3 of the 7 nodes: 'n1', 'n2', 'n5'");
	tmap_network_fini(&net);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(unknown_nodes_take_the_names_of_as_many_hosts)
{
	struct tmap_machine *machine = nodes(2);
	struct tmap_network net = { 0 };
	int s = switch_called(&net, "s"), t = switch_called(&net, "t");

	host(&net, "login.b", t);
	host(&net, "dev0", s);
	ck_assert_int_eq(tmap_network_apply(&net, machine, &err), 0);
	ck_assert_str_eq(machine->node_name[0], "login.b");
	ck_assert_str_eq(machine->node_name[1], "dev0");
	tmap_network_fini(&net);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(a_domain_does_not_matter)
{
	struct tmap_machine *machine = nodes(2);
	char a[] = "a.cluster", b[] = "b.cluster", *names[] = { a, b };
	struct tmap_network net = { 0 };
	int s = switch_called(&net, "s");

	ck_assert_int_eq(tmap_machine_rename(machine, names, 2, &err), 0);
	host(&net, "b", s);
	host(&net, "a.cluster", s);
	host(&net, "c", s);
	ck_assert_int_eq(tmap_network_apply(&net, machine, &err), 0);
	tmap_network_fini(&net);
	tmap_machine_free(machine);
}
END_TEST

static int literal_height(const struct tmap_network *net, int s)
{
	int height = 0;

	for (int c = 0; c < net->switches.count; c++)
		if (net->parent[c] == s && literal_height(net, c) >= height)
			height = literal_height(net, c) + 1;
	return height;
}

/* Height of the lowest switch above both hosts, or TMAP_NONE. */
static int literal_meeting(const struct tmap_network *net, int a, int b)
{
	for (int x = net->leaf[a]; x != TMAP_NONE; x = net->parent[x])
		for (int y = net->leaf[b]; y != TMAP_NONE; y = net->parent[y])
			if (x == y)
				return literal_height(net, x);
	return TMAP_NONE;
}

static void make_random_tree(struct tmap_network *net, struct dice *dice, int hosts)
{
	int switches = 1 + dice_roll(dice, 12);
	char name[16];

	for (int s = 0; s < switches; s++) {
		snprintf(name, sizeof name, "s%d", s);
		switch_called(net, name);
		if (s && dice_roll(dice, 8))
			tmap_network_link(net, s, dice_roll(dice, s), &err);
	}
	for (int h = 0; h < hosts; h++) {
		snprintf(name, sizeof name, "n%d", h);
		host(net, name, dice_roll(dice, switches));
	}
}

START_TEST(random_trees_meet_where_they_should)
{
	struct dice dice = { 23 };

	for (int round = 0; round < 2000; round++) {
		int count = 1 + dice_roll(&dice, 10);
		struct tmap_machine *machine = nodes(count);
		struct tmap_network net = { 0 };

		make_random_tree(&net, &dice, count);
		ck_assert_msg(tmap_network_apply(&net, machine, &err) == 0, "%s", err.text);
		for (int a = 0; a < count; a++)
			for (int b = 0; b < a; b++) {
				int tier = 0;

				while (tier < machine->tier_count &&
				       (machine->tier[tier].switch_of[a] == TMAP_NONE ||
					machine->tier[tier].switch_of[a] !=
						machine->tier[tier].switch_of[b]))
					tier++;
				if (tier == machine->tier_count)
					tier = TMAP_NONE;
				ck_assert_int_eq(tier, literal_meeting(&net, a, b));
			}
		tmap_network_fini(&net);
		tmap_machine_free(machine);
	}
}
END_TEST

enum { MOST_SWITCHES = 24 };

/* Which switches are above a host, and which are above any host; literally, link by link. */
static void literal_above(const struct tmap_network *net, int host_index, bool *is_above)
{
	bool grew = true;

	is_above[net->leaf[host_index]] = true;
	while (grew) {
		grew = false;
		for (int s = 0; s < net->switches.count; s++)
			if (net->parent[s] != TMAP_NONE && is_above[s] && !is_above[net->parent[s]])
				grew = is_above[net->parent[s]] = true;
		for (int i = 0; i < net->extras; i++)
			if (is_above[net->extra[i][0]] && !is_above[net->extra[i][1]])
				grew = is_above[net->extra[i][1]] = true;
	}
}

static void literal_heights(const struct tmap_network *net, int *height)
{
	memset(height, 0, MOST_SWITCHES * sizeof *height);
	for (int pass = 0; pass < net->switches.count; pass++)
		for (int i = 0; i < net->switches.count + net->extras; i++) {
			int low = i, high = i < net->switches.count ? net->parent[i] : 0;

			if (i >= net->switches.count) {
				low = net->extra[i - net->switches.count][0];
				high = net->extra[i - net->switches.count][1];
			}
			if (high != TMAP_NONE && height[high] <= height[low])
				height[high] = height[low] + 1;
		}
}

/* The least height at which a chain of hosts joins two, each next to each other below one switch of
 * at most that height: that is what levels are. With one link it is their common switch. */
static int literal_joint(const struct tmap_network *net, const int *height,
			 bool above[][MOST_SWITCHES], int hosts, int a, int b, bool directly)
{
	for (int most = 0; most <= MOST_SWITCHES; most++) {
		bool reached[16] = { false };
		bool grew = true;

		reached[a] = true;
		for (int pass = 0; grew && (pass == 0 || !directly); pass++) {
			bool next[16];

			grew = false;
			memcpy(next, reached, sizeof next);
			for (int s = 0; s < net->switches.count; s++)
				for (int x = 0; x < hosts && height[s] <= most; x++)
					for (int y = 0; y < hosts; y++)
						if (reached[x] && above[x][s] && above[y][s] &&
						    !next[y])
							grew = next[y] = true;
			memcpy(reached, next, sizeof reached);
		}
		if (reached[b])
			return most;
	}
	return TMAP_NONE;
}

static void make_random_graph(struct tmap_network *net, struct dice *dice, int hosts)
{
	int switches = 2 + dice_roll(dice, MOST_SWITCHES - 2);
	char name[16];

	for (int s = 0; s < switches; s++) {
		snprintf(name, sizeof name, "s%d", s);
		switch_called(net, name);
		for (int ups = dice_roll(dice, 3); s && ups > 0; ups--)
			tmap_network_link(net, s, dice_roll(dice, s), &err);
	}
	for (int h = 0; h < hosts; h++) {
		snprintf(name, sizeof name, "n%d", h);
		host(net, name, switches - 1 - dice_roll(dice, 1 + switches / 2));
	}
}

START_TEST(random_graphs_meet_where_they_should_or_say_so)
{
	struct dice dice = { 31 };
	int exact = 0, loose = 0;

	for (int round = 0; round < 2000; round++) {
		int count = 1 + dice_roll(&dice, 10), height[MOST_SWITCHES];
		bool above[16][MOST_SWITCHES] = { { false } }, differs = false;
		struct tmap_machine *machine = nodes(count);
		struct tmap_network net = { 0 };

		make_random_graph(&net, &dice, count);
		literal_heights(&net, height);
		for (int h = 0; h < count; h++)
			literal_above(&net, h, above[h]);
		ck_assert_msg(tmap_network_apply(&net, machine, &err) == 0, "%s", err.text);
		for (int a = 0; a < count; a++)
			for (int b = 0; b < a; b++) {
				int tier = 0;

				while (tier < machine->tier_count &&
				       (machine->tier[tier].switch_of[a] == TMAP_NONE ||
					machine->tier[tier].switch_of[a] !=
						machine->tier[tier].switch_of[b]))
					tier++;
				if (tier == machine->tier_count)
					tier = TMAP_NONE;
				ck_assert_int_eq(
					tier,
					literal_joint(&net, height, above, count, a, b, false));
				differs = differs ||
					tier !=
						literal_joint(&net, height, above, count, a, b,
							      true);
			}
		/* the note may come where pairs have common switches, but all nodes have none */
		ck_assert(!differs || net.note.text);
		exact += !net.note.text;
		loose += differs;
		tmap_network_fini(&net);
		tmap_machine_free(machine);
	}
	ck_assert(exact > 100 && loose > 100);
}
END_TEST

/* Each leaf is under eight of the upper switches, and these under one: 900,000 links. */
START_TEST(a_hundred_thousand_switches_take_no_square_of_time)
{
	enum { LEAVES = 100000, UPPER = 8 };
	struct tmap_machine *machine = nodes(2);
	struct tmap_network net = { 0 };
	char name[16];
	int root = switch_called(&net, "root");

	for (int u = 0; u < UPPER; u++) {
		snprintf(name, sizeof name, "u%d", u);
		ck_assert_int_eq(tmap_network_link(&net, switch_called(&net, name), root, &err), 0);
	}
	for (int l = 0; l < LEAVES; l++) {
		int leaf;

		snprintf(name, sizeof name, "l%d", l);
		leaf = switch_called(&net, name);
		for (int u = 0; u < UPPER; u++)
			ck_assert_int_eq(tmap_network_link(&net, leaf, root + 1 + u, &err), 0);
		snprintf(name, sizeof name, "n%d", l);
		ck_assert_int_eq(host(&net, name, leaf), 0);
	}
	ck_assert_int_eq(tmap_network_apply(&net, machine, &err), 0);
	ck_assert_int_eq(machine->tier_count, 3);
	ck_assert_str_eq(machine->tier[1].switch_name[0], "u0 +7");
	ck_assert_ptr_null(net.note.text);
	tmap_network_fini(&net);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(too_many_levels_are_refused)
{
	struct tmap_machine *machine = nodes(1);
	struct tmap_network net = { 0 };
	char name[16];

	for (int s = 0; s <= TMAP_NETWORK_MOST_LEVELS; s++) {
		snprintf(name, sizeof name, "s%d", s);
		switch_called(&net, name);
		if (s)
			ck_assert_int_eq(tmap_network_link(&net, s - 1, s, &err), 0);
	}
	host(&net, "n0", 0);
	ck_assert_int_eq(tmap_network_apply(&net, machine, &err), -1);
	ck_assert_str_eq(err.text, "switch 's64' is at level 64, but levels end at 63");
	tmap_network_fini(&net);
	tmap_machine_free(machine);
}
END_TEST

static int fabric_switch(struct tmap_fabric *fabric, int s)
{
	char name[16];

	snprintf(name, sizeof name, "S-%d", s);
	return tmap_fabric_switch(fabric, name, strlen(name), NULL, 0, &err);
}

static void fabric_port(struct tmap_fabric *fabric, int h, int s)
{
	char name[16];

	snprintf(name, sizeof name, "n%d", h);
	ck_assert_int_eq(tmap_fabric_port(fabric, name, strlen(name), s, &err), 0);
}

static void literal_ranks(const struct tmap_fabric *fabric, int *rank)
{
	for (int s = 0; s < fabric->switches.count; s++)
		rank[s] = 1000;
	for (int i = 0; i < fabric->ports; i++)
		rank[fabric->port[i][1]] = 0;
	for (int pass = 0; pass < fabric->switches.count; pass++)
		for (int i = 0; i < fabric->cables; i++)
			for (int end = 0; end < 2; end++)
				if (rank[fabric->cable[i][end]] > rank[fabric->cable[i][!end]] + 1)
					rank[fabric->cable[i][end]] =
						rank[fabric->cable[i][!end]] + 1;
}

/* Is host b reached from host a over switches of rank @p most and less? Cables between leaves
 * count from rank 1 on. */
static bool literally_connected(const struct tmap_fabric *fabric, const int *rank, int a, int b,
				int most)
{
	bool switch_seen[64] = { false }, host_seen[64] = { false };
	bool grew = true;

	host_seen[a] = true;
	while (grew) {
		grew = false;
		for (int i = 0; i < fabric->ports; i++) {
			bool *h = &host_seen[fabric->port[i][0]];
			bool *s = &switch_seen[fabric->port[i][1]];

			grew = grew || *h != *s;
			*h = *s = *h || *s;
		}
		for (int i = 0; i < fabric->cables && most > 0; i++) {
			int x = fabric->cable[i][0], y = fabric->cable[i][1];

			if (rank[x] > most || rank[y] > most || switch_seen[x] == switch_seen[y])
				continue;
			switch_seen[x] = switch_seen[y] = true;
			grew = true;
		}
	}
	return host_seen[b];
}

/* One connected fabric: a random tree of switches and more cables; a port or two a host. */
static void make_random_fabric(struct tmap_fabric *fabric, struct dice *dice, int hosts)
{
	int switches = 1 + dice_roll(dice, 14), leaves = 1 + dice_roll(dice, switches);

	for (int s = 0; s < switches; s++) {
		fabric_switch(fabric, s);
		if (s)
			tmap_fabric_cable(fabric, s, dice_roll(dice, s), &err);
	}
	for (int extra = dice_roll(dice, 6); extra > 0; extra--)
		tmap_fabric_cable(fabric, dice_roll(dice, switches), dice_roll(dice, switches),
				  &err);
	for (int h = 0; h < hosts; h++)
		for (int ports = 1 + dice_roll(dice, 8) / 7; ports > 0; ports--)
			fabric_port(fabric, h, switches - 1 - dice_roll(dice, leaves));
}

START_TEST(random_fabrics_are_grouped_as_they_are_connected)
{
	struct dice dice = { 29 };

	for (int round = 0; round < 2000; round++) {
		int count = 1 + dice_roll(&dice, 10), rank[64];
		struct tmap_machine *machine = nodes(count);
		struct tmap_fabric fabric = { 0 };
		struct tmap_network net = { 0 };

		make_random_fabric(&fabric, &dice, count);
		literal_ranks(&fabric, rank);
		ck_assert_int_eq(tmap_fabric_reduce(&fabric, machine, &net, &err), 0);
		ck_assert_msg(tmap_network_apply(&net, machine, &err) == 0, "%s", err.text);
		for (int tier = 0; tier < machine->tier_count; tier++) {
			const int *of = machine->tier[tier].switch_of;

			for (int a = 0; a < count; a++)
				for (int b = 0; b < a; b++)
					ck_assert((of[a] == of[b]) ==
						  literally_connected(&fabric, rank, a, b, tier));
		}
		ck_assert_int_eq(machine->tier[machine->tier_count - 1].switch_count, 1);
		tmap_network_fini(&net);
		tmap_fabric_fini(&fabric);
		tmap_machine_free(machine);
	}
}
END_TEST

/* Two leaves under two spines for the nodes' first ports; a third switch that all nodes reach
 * by a second port is a fabric of its own, and reaches fewer of them. */
START_TEST(the_fabric_that_reaches_most_nodes_counts)
{
	struct tmap_machine *machine = nodes(4);
	struct tmap_fabric fabric = { 0 };
	struct tmap_network net = { 0 };
	int storage = tmap_fabric_switch(&fabric, "S-st", 4, "storage", 7, &err);
	int l0 = tmap_fabric_switch(&fabric, "S-l0", 4, "leaf", 4, &err);
	int l1 = tmap_fabric_switch(&fabric, "S-l1", 4, "leaf", 4, &err);
	int s0 = tmap_fabric_switch(&fabric, "S-s0", 4, "spine a", 7, &err);
	int s1 = tmap_fabric_switch(&fabric, "S-s1", 4, "spine b", 7, &err);

	for (int h = 0; h < 4; h++)
		fabric_port(&fabric, h, h < 2 ? l0 : l1);
	for (int h = 0; h < 3; h++)
		fabric_port(&fabric, h, storage);
	tmap_fabric_cable(&fabric, l0, s0, &err);
	tmap_fabric_cable(&fabric, l0, s1, &err);
	tmap_fabric_cable(&fabric, l1, s0, &err);
	tmap_fabric_cable(&fabric, s1, l1, &err);
	ck_assert_int_eq(tmap_fabric_reduce(&fabric, machine, &net, &err), 0);
	ck_assert_int_eq(tmap_network_apply(&net, machine, &err), 0);
	ck_assert_int_eq(machine->tier_count, 2);
	ck_assert_int_eq(machine->tier[0].switch_count, 2);
	/* equal titles say nothing: the identity does */
	ck_assert_str_eq(machine->tier[0].switch_name[0], "S-l0");
	ck_assert_str_eq(machine->tier[1].switch_name[0], "spine a +1");
	tmap_network_fini(&net);
	tmap_fabric_fini(&fabric);
	tmap_machine_free(machine);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("network");
	TCase *tests = tcase_create("network");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, leaves_at_unequal_depths_meet_at_the_height_of_their_switch);
	tcase_add_test(tests, a_circle_of_switches_is_refused);
	tcase_add_test(tests, nodes_that_are_missing_are_named);
	tcase_add_test(tests, unknown_nodes_take_the_names_of_as_many_hosts);
	tcase_add_test(tests, a_domain_does_not_matter);
	tcase_add_test(tests, random_graphs_meet_where_they_should_or_say_so);
	tcase_add_test(tests, a_hundred_thousand_switches_take_no_square_of_time);
	tcase_add_test(tests, too_many_levels_are_refused);
	tcase_add_test(tests, random_trees_meet_where_they_should);
	tcase_add_test(tests, random_fabrics_are_grouped_as_they_are_connected);
	tcase_add_test(tests, the_fabric_that_reaches_most_nodes_counts);
	suite_add_tcase(suite, tests);
	return suite;
}
