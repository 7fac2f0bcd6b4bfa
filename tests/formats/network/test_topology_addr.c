/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: what slurmd of Slurm 22.05 sets in the tasks under the files beside it, which are read
 * too and must give the same levels; for topology/block, ring and torus3d, which it does not have,
 * the form in the sources of Slurm 26.05 and levels worked out by hand.
 * tests/policies/slurm_network.sh compares all this with a running Slurm.
 */
#include "formats/network/topology_addr.h"

#include "formats/network/network.h"
#include "tests/support/machines.h"
#include "tests/support/printed.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 4 };

static struct tmap_error err;

static struct tmap_machine *nodes_called(char *const *name, int count)
{
	struct tmap_machine *machine =
		machine_regular(count, (const struct test_level[]){ { TMAP_CORE, 1 }, { 0 } });

	ck_assert_int_eq(tmap_machine_rename(machine, name, count, &err), 0);
	return machine;
}

static char *describe(const struct tmap_machine *machine)
{
	struct tmap_str str = TMAP_STR_INIT;

	for (int t = 0; t < machine->tier_count; t++) {
		const struct tmap_tier *tier = &machine->tier[t];

		tmap_str_addf(&str, "%s%s:", t ? " | " : "", tier->name);
		for (int n = 0; n < machine->node_count; n++)
			tmap_str_addf(&str, " %s",
				      tier->switch_of[n] == TMAP_NONE ?
					      "-" :
					      tier->switch_name[tier->switch_of[n]]);
	}
	return tmap_str_take(&str, &err);
}

/* Nodes "n0 n1 ..." by addresses of one pattern; the host's name ends an address where no other
 * is given. */
static int addr_read(struct tmap_network *net, const char *const *addr, const char *pattern,
		     char **host, int count)
{
	struct tmap_topology_addr node[MOST];

	for (int n = 0; n < count; n++)
		node[n] = (struct tmap_topology_addr){ host[n], host[n], addr[n], pattern };
	return tmap_topology_addr_read(net, node, count, &err);
}

static int count_of(const char *const *addr)
{
	int count = 0;

	while (count < MOST && addr[count])
		count++;
	return count;
}

static char *host_name[MOST] = { (char[]){ "n0" }, (char[]){ "n1" }, (char[]){ "n2" },
				 (char[]){ "n3" } };

static const struct {
	const char *what, *addr[MOST], *pattern, *expected, *file, *note;
} good[] = {
	{ .what = "a tree",
	  .addr = { "root.s0.n0", "root.s0.n1", "root.s1.n2" },
	  .pattern = "switch.switch.node",
	  .expected = "switch1: s0 s0 s1 | switch2: root root root",
	  .file = "SwitchName=s0 Nodes=n[0-1]\nSwitchName=s1 Nodes=n[2-3]\n"
		  "SwitchName=root Switches=s[0-1]\n" },
	{ .what = "redundant upper switches",
	  .addr = { "u[1-3].s0.n0", "u[1-3].s0.n1", "u[1-3].s1.n2" },
	  .pattern = "switch.switch.node",
	  .expected = "switch1: s0 s0 s1 | switch2: u1 +2 u1 +2 u1 +2",
	  .file = "SwitchName=s0 Nodes=n[0-1]\nSwitchName=s1 Nodes=n[2-3]\n"
		  "SwitchName=u1 Switches=s[0-1]\nSwitchName=u2 Switches=s[0-1]\n"
		  "SwitchName=u3 Switches=s[0-1]\n" },
	{ .what = "leaves at unequal depths",
	  .addr = { "top.mid.s0.n0", "top.mid.s1.n1", "top..s2.n2" },
	  .pattern = "switch.switch.switch.node",
	  .expected = "switch1: s0 s1 s2 | switch2: mid mid s2 | switch3: top top top",
	  .file = "SwitchName=s0 Nodes=n0\nSwitchName=s1 Nodes=n1\nSwitchName=s2 Nodes=n2\n"
		  "SwitchName=mid Switches=s[0-1]\nSwitchName=top Switches=mid,s2\n" },
	{ .what = "two trees",
	  .addr = { "r.s0.n0", "r.s1.n1", ".s2.n2" },
	  .pattern = "switch.switch.node",
	  .expected = "switch1: s0 s1 s2 | switch2: r r s2",
	  .file = "SwitchName=s0 Nodes=n0\nSwitchName=s1 Nodes=n1\nSwitchName=s2 Nodes=n2\n"
		  "SwitchName=r Switches=s[0-1]\n" },
	{ .what = "a node on two leaves",
	  .addr = { "u[0-1].s[0-1].n0", "u0.s0.n1", "u1.s1.n2" },
	  .pattern = "switch.switch.node",
	  .expected = "switch1: s0 s0 s1 | switch2: u0 u0 u1",
	  .file = "SwitchName=s0 Nodes=n[0-1]\nSwitchName=s1 Nodes=n[0,2]\n"
		  "SwitchName=u0 Switches=s0\nSwitchName=u1 Switches=s1\n",
	  .note = "node 'n0' is under 's0' and under 's1': the first counts\n" },
	{ .what = "blocks",
	  .addr = { "b0.n0", "b0.n1", "b1.n2" },
	  .pattern = "block.node",
	  .expected = "switch1: b0 b0 b1" },
	{ .what = "rings",
	  .addr = { "r0:0.n0", "r0:15.n1", "r:x:3.n2" },
	  .pattern = "ring:position.node",
	  .expected = "switch1: r0 r0 r:x",
	  .file = "RingName=r0 Nodes=n[0-1]\nRingName=r:x Nodes=n2\n",
	  .note = "hops along a ring are no levels: a ring as a whole is one\n" },
	{ .what = "a torus",
	  .addr = { "p:0:0:0.n0", "p:1:0:0.n1", "p:0:1:0.n2", "p:1:1:1.n3" },
	  .pattern = "torus:x:y:z.node",
	  .expected = "switch1: p:*:0:0 p:*:0:0 p:*:1:0 p:*:1:1 | "
		      "switch2: p:*:*:0 p:*:*:0 p:*:*:0 p:*:*:1 | switch3: p p p p",
	  .file = "- topology: t\n  torus3d:\n    toruses:\n      - name: p\n"
		  "        dims: {x: 2, y: 2, z: 2}\n        nodes: n[0-2],a,b,c,d,n3\n",
	  .note = "hops in a torus are no levels: its lines along x, its planes and the whole of it "
		  "are\n" },
};

START_TEST(addresses_give_the_levels_of_the_file)
{
	int count = count_of(good[_i].addr);
	struct tmap_machine *machine = nodes_called(host_name, count);
	struct tmap_machine *other = nodes_called(host_name, count);
	struct tmap_network net = { 0 };
	struct tmap_str note = TMAP_STR_INIT;
	char *text;

	ck_assert_msg(addr_read(&net, good[_i].addr, good[_i].pattern, host_name, count) == 0 &&
			      tmap_network_apply(&net, machine, &err) == 0,
		      "%s: %s", good[_i].what, printed(&err));
	text = describe(machine);
	ck_assert_str_eq(text, good[_i].expected);
	ck_assert_str_eq(net.note.text ? net.note.text : "", good[_i].note ? good[_i].note : "");
	free(text);
	if (good[_i].file) {
		ck_assert_msg(tmap_network_parse(other, good[_i].file, NULL, &note, &err) == 0,
			      "%s: %s", good[_i].what, printed(&err));
		text = describe(other);
		ck_assert_str_eq(text, good[_i].expected);
		ck_assert_str_eq(note.text ? note.text : "", good[_i].note ? good[_i].note : "");
		free(text);
	}
	tmap_str_fini(&note);
	tmap_network_fini(&net);
	tmap_machine_free(machine);
	tmap_machine_free(other);
}
END_TEST

static const struct {
	const char *addr[MOST], *pattern, *expected;
} bad[] = {
	{ { "r.s0.n0", "r.s0.n0" },
	  "switch.switch.node",
	  "nodes 'n0' and 'n1' have the same address, 'r.s0.n0'" },
	{ { "r.s0.n0", "" }, "switch.switch.node", "node 'n1' has none, but others have" },
	{ { "r.s0.n0", "s0.n1" },
	  "switch.switch.node",
	  "node 'n1': 's0.n1' does not have the parts of 'switch.switch.node'" },
	{ { "q.r.s0.n0" },
	  "switch.switch.node",
	  "node 'n0': 'q.r.s0.n0' does not have the parts of 'switch.switch.node'" },
	{ { "n0" }, "switch.node", "node 'n0': 'n0' does not have the parts of 'switch.node'" },
	{ { "..n0" }, "switch.switch.node", "node 'n0': the address names no switch" },
	{ { "r.s0.n0" },
	  "switch.switch",
	  "node 'n0': the pattern 'switch.switch' does not end in its only 'node'" },
	{ { "r.s0.n0" },
	  "rack.switch.node",
	  "node 'n0': the pattern 'rack.switch.node' has other parts than switches" },
	{ { "s[0-.n0" }, "switch.node", "node 'n0': host list 's[0-': '[' is not closed" },
	{ { "s[3-0].n0" }, "switch.node", NULL },
	{ { "a.b.n0", "b.c.n1" },
	  "switch.switch.node",
	  "node 'n1': switch 'b' is at level 0 and at level 1" },
	{ { "p:1:2.n0" },
	  "torus:x:y:z.node",
	  "node 'n0': 'p:1:2' has fewer than 3 numbers behind colons" },
	{ { "p:1:x:2.n0" }, "torus:x:y:z.node", "node 'n0': 'x' is not a whole number" },
};

START_TEST(addresses_that_are_wrong_are_refused_with_a_sentence)
{
	struct tmap_network net = { 0 };

	ck_assert_int_eq(
		addr_read(&net, bad[_i].addr, bad[_i].pattern, host_name, count_of(bad[_i].addr)),
		-1);
	ck_assert_int_eq((int)err.kind, TMAP_INPUT);
	if (bad[_i].expected)
		ck_assert_str_eq(printed(&err), bad[_i].expected);
	tmap_network_fini(&net);
}
END_TEST

START_TEST(names_of_nodes_may_have_dots)
{
	const struct tmap_topology_addr node = { "n7", "n7.cluster", "r.s0.n7.cluster",
						 "switch.switch.node" };
	struct tmap_network net = { 0 };

	ck_assert_int_eq(tmap_topology_addr_read(&net, &node, 1, &err), 0);
	ck_assert_str_eq(net.switches.name[net.leaf[0]], "s0");
	tmap_network_fini(&net);
}
END_TEST

START_TEST(a_flat_cluster_has_no_switches)
{
	const struct tmap_topology_addr node[] = { { "a", "a", "a", "node" }, { "b", "", "", "" } };

	ck_assert(!tmap_topology_addr_is(node, 2));
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("topology_addr");
	TCase *tests = tcase_create("topology_addr");

	tcase_add_loop_test(tests, addresses_give_the_levels_of_the_file, 0,
			    (int)(sizeof good / sizeof good[0]));
	tcase_add_loop_test(tests, addresses_that_are_wrong_are_refused_with_a_sentence, 0,
			    (int)(sizeof bad / sizeof bad[0]));
	tcase_add_test(tests, names_of_nodes_may_have_dots);
	tcase_add_test(tests, a_flat_cluster_has_no_switches);
	suite_add_tcase(suite, tests);
	return suite;
}
