/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: tiers worked out by hand from small files; the sentence for each that is wrong.
 * What a network says is written a tier after the other, leaves first:
 * "switch1: s0 s0 s1 | switch2: s3 s3 s3", the switch of each node in turn.
 */
#include "formats/network/network.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "core/base/string.h"
#include "tests/support/machines.h"
#include "tests/support/printed.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static struct tmap_machine *nodes_called(const char *names)
{
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT;
	struct tmap_machine *machine;
	char **name;

	ck_assert_int_eq(tmap_hostlist_parse(&list, names, &err), 0);
	machine = machine_regular((int)list.count,
				  (const struct test_level[]){ { TMAP_CORE, 1 }, { 0 } });
	name = calloc(list.count, sizeof *name);
	for (size_t i = 0; i < list.count; i++)
		name[i] = strdup(tmap_hostlist_name(&list, i));
	ck_assert_int_eq(tmap_machine_rename(machine, name, (int)list.count, &err), 0);
	for (size_t i = 0; i < list.count; i++)
		free(name[i]);
	free(name);
	tmap_hostlist_fini(&list);
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

#define YAML_TREE \
	"- topology: t1\n  cluster_default: true\n  tree:\n    switches:\n" \
	"      - switch: sw_root\n        children: s[1-2]\n      - switch: s1\n" \
	"        nodes: node[01-02]\n      - switch: s2\n        nodes: node03\n"
#define YAML_TORUS \
	"- topology: t\n  torus3d:\n    toruses:\n      - name: p\n" \
	"        dims: {x: 2, y: 2, z: 2}\n"
#define YAML_SEVERAL \
	"- topology: one\n  tree:\n    switches: [{switch: s, nodes: a}]\n" \
	"- topology: two\n  cluster_default: true\n  flat: true\n" \
	"- topology: three\n  flat: false\n  tree: null\n  block:\n" \
	"    blocks: [{block: b, nodes: a}]\n"
#define IB_HEAD "#\n# Topology file: generated\n#\nvendid=0x2c9\n"

static const struct {
	const char *what, *nodes, *text, *expected, *note, *topology;
} good[] = {
	{ .what = "the manual's tree",
	  "dev[0-2,12]",
	  "# comment\nSwitchName=s0 Nodes=dev[0-5]\nswitchname=s1 nodes=dev[6-11]\n"
	  "SwitchName=s2 Nodes=dev[12-17] LinkSpeed=900\nSwitchName=s3 Switches=s[0-2]\n",
	  "switch1: s0 s0 s0 s2 | switch2: s3 s3 s3 s3" },
	{ .what = "lists with single numbers, a goes-on line, quotes, CR LF",
	  "x07,dev[0,7]",
	  "SwitchName=s0 \\\r\n  Nodes=\"dev[0-5,7],x[01-99]\"\r\n",
	  "switch1: s0 s0 s0" },
	/* as slurmctld 22.05 takes them (tests/policies/slurm_network.sh) */
	{ .what = "blanks around the equals sign",
	  "a,b",
	  "SwitchName = s0 Nodes= a\nSwitchName =\ts1 Nodes = \"b\"\n"
	  "SwitchName=r Switches=s[0-1]\n",
	  "switch1: s0 s1 | switch2: r r" },
	/* of slurmctld 22.05, whose file wrote the second line Nodes="t9": it knows no t9 */
	{ .what = "what scontrol prints of switches without nodes",
	  "a",
	  "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=a\n"
	  "SwitchName=r Level=0 LinkSpeed=1 Nodes=\n"
	  "SwitchName=q Level=1 LinkSpeed=1 Nodes= Switches=r\n",
	  "switch1: s0" },
	{ .what = "keys that stand twice",
	  "a,b",
	  "SwitchName=s0 Nodes=b Nodes=a LinkSpeed=1 LinkSpeed=2\nSwitchName=s1 Nodes=b\n"
	  "SwitchName=r Switches=s0 \\\nSwitches=s[0-1]\n",
	  "switch1: s0 s1 | switch2: r r",
	  "line 1: Nodes stands twice: the last one counts\n"
	  "line 1: LinkSpeed stands twice: the last one counts\n"
	  "line 3: Switches stands twice: the last one counts\n" },
	{ .what = "sizes that stand twice",
	  "a,b",
	  "BlockName=x Nodes=a\nBlockName=y Nodes=b\nBlockSizes=1,4\nBlockSizes=,1,,2,\n",
	  "switch1: x y | switch2: x,y/2 x,y/2",
	  "line 4: BlockSizes stands twice: the last one counts\n" },
	{ .what = "commas without names",
	  "a,b0,b1",
	  "SwitchName=s0 Nodes=,a,,b[0,1],\nSwitchName=r Switches=,s0,,\n",
	  "switch1: s0 s0 s0 | switch2: r r r" },
	{ .what = "speeds",
	  "a,b",
	  "SwitchName=s0 Nodes=a LinkSpeed=0x64\nSwitchName=s1 LinkSpeed=1K Nodes=b\n"
	  "SwitchName=r Switches=s[0-1] LinkSpeed=unlimited\n",
	  "switch1: s0 s1 | switch2: r r" },
	{ .what = "a leaf without nodes",
	  "a",
	  "SwitchName=s0 Nodes=a\nSwitchName=s1 Nodes=\"\"\nSwitchName=r Switches=s[0-1]\n",
	  "switch1: s0 | switch2: r" },
	{ .what = "lines that go on within a word, behind blanks, and not within comments",
	  "a,b,c",
	  "# none \\\nSwitchName=s0 No\\\ndes=a,\\\nb # none \\\nSwitchName=s1 \\ \t\nNodes=c \\",
	  "switch1: s0 s0 s1" },
	{ .what = "what a backslash is in front of, and blanks of every kind",
	  "a",
	  "\vSwitchName=s\\#\\0\\\\\fNodes=a#\n",
	  "switch1: s#0\\" },
	{ .what = "a switch with all nodes",
	  "n1,n2.a",
	  "SwitchName=s0 Nodes=ALL\n",
	  "switch1: s0 s0" },
	{ .what = "all nodes that no other switch has",
	  "a,b,c",
	  "SwitchName=s0 Nodes=b\nSwitchName=s1 Nodes=all\nSwitchName=r Switches=s[0-1]\n",
	  "switch1: s1 s0 s1 | switch2: r r r" },
	{ .what = "two trees that nothing joins",
	  "a,b",
	  "SwitchName=s0 Nodes=a\nSwitchName=s1 Nodes=b\n",
	  "switch1: s0 s1" },
	{ .what = "leaves at unequal depths",
	  "a,b,c",
	  "SwitchName=top Switches=mid,c0\nSwitchName=mid Switches=a0,b0\n"
	  "SwitchName=a0 Nodes=a\nSwitchName=b0 Nodes=b\nSwitchName=c0 Nodes=c\n",
	  "switch1: a0 b0 c0 | switch2: mid mid c0 | switch3: top top top" },
	{ .what = "what scontrol prints of a tree",
	  "t[0-2]",
	  "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=t[0-1]\n"
	  "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=t2\n"
	  "SwitchName=s2 Level=1 LinkSpeed=1 Nodes=t[0-2] Switches=s[0-1]\n",
	  "switch1: s0 s0 s1 | switch2: s2 s2 s2" },
	{ .what = "blocks and their groups",
	  "n[1,33,65,97,129]",
	  "BlockName=b1 Nodes=n[1-32]\nBlockName=b2 Nodes=n[33-64]\nBlockName=b3 Nodes=n[65-96]\n"
	  "BlockName=b4 Nodes=n[97-128]\nBlockName=b5 Nodes=n129\nBlockSizes=30,60,120\n",
	  "switch1: b1 b2 b3 b4 b5 | switch2: b[1-2]/60 b[1-2]/60 b[3-4]/60 b[3-4]/60 b5 | "
	  "switch3: b[1-4]/120 b[1-4]/120 b[1-4]/120 b[1-4]/120 b5" },
	{ .what = "what scontrol prints of blocks",
	  "n[1-4]",
	  "BlockName=b1 BlockIndex=0 Nodes=n[1-2] BlockSize=2\n"
	  "BlockName=b2 BlockIndex=1 Nodes=n[3-4] BlockSize=2\n"
	  "AggregatedBlock=b[1-2] BlockIndex=2 Nodes=n[1-4] BlockSize=4\n",
	  "switch1: b1 b1 b2 b2 | switch2: b[1-2]/4 b[1-2]/4 b[1-2]/4 b[1-2]/4" },
	/* of the sizes that Slurm's topology/block takes where none are given: 2, 4, 8 and 16 */
	{ .what = "blocks without sizes",
	  "n[1-6]",
	  "BlockName=b1 Nodes=n[1-2]\nBlockName=b2 Nodes=n[3-4]\nBlockName=b3 Nodes=n[5-6]\n",
	  "switch1: b1 b1 b2 b2 b3 b3 | switch2: b[1-2]/4 b[1-2]/4 b[1-2]/4 b[1-2]/4 b3 b3 | "
	  "switch3: b[1-3]/8 b[1-3]/8 b[1-3]/8 b[1-3]/8 b[1-3]/8 b[1-3]/8" },
	{ .what = "the same as scontrol prints it",
	  "n[1-6]",
	  "BlockName=b1 BlockIndex=0 Nodes=n[1-2] BlockSize=2\n"
	  "BlockName=b2 BlockIndex=1 Nodes=n[3-4] BlockSize=2\n"
	  "BlockName=b3 BlockIndex=2 Nodes=n[5-6] BlockSize=2\n"
	  "AggregatedBlock=b[1-2] BlockIndex=3 Nodes=n[1-4] BlockSize=4\n"
	  "AggregatedBlock=b[1-3] BlockIndex=4 Nodes=n[1-6] BlockSize=8\n",
	  "switch1: b1 b1 b2 b2 b3 b3 | switch2: b[1-2]/4 b[1-2]/4 b[1-2]/4 b[1-2]/4 b3 b3 | "
	  "switch3: b[1-3]/8 b[1-3]/8 b[1-3]/8 b[1-3]/8 b[1-3]/8 b[1-3]/8" },
	{ .what = "one size makes no groups",
	  "n[1-3]",
	  "BlockName=b1 Nodes=n[1-2]\nBlockName=b2 Nodes=n[3-4]\nBlockSizes=2\n",
	  "switch1: b1 b1 b2" },

	/* graphs that are no trees; the first has the form of the second example of Slurm's
	 * topology guide */
	{ .what = "redundant upper switches",
	  "tux[0,5,6,15]",
	  "SwitchName=s0 Nodes=tux[0-3]   LinkSpeed=900\n"
	  "SwitchName=s1 Nodes=tux[4-7]   LinkSpeed=900\n"
	  "SwitchName=s2 Nodes=tux[8-11]  LinkSpeed=900\n"
	  "SwitchName=s3 Nodes=tux[12-15] LinkSpeed=1800\n"
	  "SwitchName=s4 Switches=s[0-3]  LinkSpeed=1800\n"
	  "SwitchName=s5 Switches=s[0-3]  LinkSpeed=1800\n"
	  "SwitchName=s6 Switches=s[0-3]  LinkSpeed=1800\n"
	  "SwitchName=s7 Switches=s[0-3]  LinkSpeed=1800\n",
	  "switch1: s0 s1 s1 s3 | switch2: s4 +3 s4 +3 s4 +3 s4 +3" },
	{ .what = "a fat tree of two pods",
	  "a,b,c,d",
	  "SwitchName=l0 Nodes=a\nSwitchName=l1 Nodes=b\nSwitchName=l2 Nodes=c\n"
	  "SwitchName=l3 Nodes=d\nSwitchName=a0 Switches=l[0-1]\nSwitchName=a1 Switches=l[0-1]\n"
	  "SwitchName=a2 Switches=l[2-3]\nSwitchName=a3 Switches=l[2-3]\n"
	  "SwitchName=c0 Switches=a0,a2\nSwitchName=c1 Switches=a1,a3\n",
	  "switch1: l0 l1 l2 l3 | switch2: a0 +1 a0 +1 a2 +1 a2 +1 | "
	  "switch3: c0 +1 c0 +1 c0 +1 c0 +1" },
	{ .what = "the groups of a dragonfly",
	  "n[0,3,4,7]",
	  "SwitchName=r0 Nodes=n[0-1]\nSwitchName=r1 Nodes=n[2-3]\nSwitchName=r2 Nodes=n[4-5]\n"
	  "SwitchName=r3 Nodes=n[6-7]\nSwitchName=g0 Switches=r[0-1]\n"
	  "SwitchName=g1 Switches=r[2-3]\nSwitchName=all Switches=g[0-1]\n",
	  "switch1: r0 r1 r2 r3 | switch2: g0 g0 g1 g1 | switch3: all all all all" },
	{ .what = "two leaves that only a third one joins",
	  "a,b,c",
	  "SwitchName=l0 Nodes=a\nSwitchName=l1 Nodes=b\nSwitchName=l2 Nodes=c\n"
	  "SwitchName=c0 Switches=l[0-1]\nSwitchName=c1 Switches=l[1-2]\n",
	  "switch1: l0 l1 l2 | switch2: c0 +1 c0 +1 c0 +1",
	  "the 3 nodes under 'c0 +1' (switch2) have no common switch: switches above the same leaf "
	  "count as one\n" },
	{ .what = "and the third one has no node of the job",
	  "a,c",
	  "SwitchName=l0 Nodes=a\nSwitchName=l1 Nodes=b\nSwitchName=l2 Nodes=c\n"
	  "SwitchName=c0 Switches=l[0-1]\nSwitchName=c1 Switches=l[1-2]\n",
	  "switch1: l0 l2 | switch2: c0 c1" },
	{ .what = "pods without a common core",
	  "a,b,c,d,e,f",
	  "SwitchName=l0 Nodes=a\nSwitchName=l1 Nodes=b\nSwitchName=l2 Nodes=c\n"
	  "SwitchName=l3 Nodes=d\nSwitchName=l4 Nodes=e\nSwitchName=l5 Nodes=f\n"
	  "SwitchName=c0 Switches=l[0-1]\nSwitchName=c1 Switches=l[1-2]\n"
	  "SwitchName=c2 Switches=l[3-4]\nSwitchName=c3 Switches=l[4-5]\n"
	  "SwitchName=top Switches=c[0-3]\n",
	  "switch1: l0 l1 l2 l3 l4 l5 | switch2: c0 +1 c0 +1 c0 +1 c2 +1 c2 +1 c2 +1 | "
	  "switch3: top top top top top top",
	  "the 3 nodes under 'c0 +1' (switch2) have no common switch: switches above the same leaf "
	  "count as one (and 1 more such groups)\n" },
	{ .what = "a node on two leaves",
	  "n[0,4,7]",
	  "SwitchName=s0 Nodes=n[0-4]\nSwitchName=s1 Nodes=n[3-7]\nSwitchName=r Switches=s[0-1]\n",
	  "switch1: s0 s0 s1 | switch2: r r r",
	  "node 'n3' is under 's0' and under 's1': the first counts (and 1 more)\n" },
	{ .what = "a node that stands twice",
	  "a",
	  "SwitchName=s0 Nodes=a,a\n",
	  "switch1: s0",
	  "node 'a' is twice under 's0'\n" },

	{ .what = "rings",
	  "n[0-3]",
	  "RingName=r0 Nodes=n[0-1]\nRingName=r1 Nodes=n[2-3] RingSize=2\n",
	  "switch1: r0 r0 r1 r1",
	  "hops along a ring are no levels: a ring as a whole is one\n" },
	{ .what = "what scontrol prints of a torus",
	  "n[1,8]",
	  "TorusName=p Dims=2x2x2 Nodes=n[1-8]\n"
	  "  TorusName=p PlacementDims=2x2x1(4) Anchors=2\n",
	  "switch1: p p",
	  "scontrol prints no coordinates of a torus, so that it is one level; topology.yaml gives "
	  "its lines and planes as well\n" },

	{ .what = "nodes that nobody knows take the names",
	  "n[0-1]",
	  "SwitchName=s0 Nodes=b\nSwitchName=s1 Nodes=a\n",
	  "switch1: s0 s1" },

	{ .what = "topology.yaml, a tree",
	  "node[01-03]",
	  YAML_TREE,
	  "switch1: s1 s1 s2 | switch2: sw_root sw_root sw_root" },
	{ .what = "topology.yaml, the default is read",
	  "a",
	  "---\n- topology: t0\n  flat: true\n- topology: t1\n  cluster_default: True\n  block:\n"
	  "    block_sizes: [1, 2]   # two\n    blocks:\n    - {block: b1, nodes: \"a\"}\n"
	  "    - block: b2\n      nodes: 'b'\n",
	  "switch1: b1 | switch2: b[1-2]/2",
	  "of 2 topologies 't1' is taken, the cluster's default\n" },
	{ .what = "topology.yaml, the one of a name, first",
	  "a",
	  YAML_SEVERAL,
	  "switch1: s",
	  NULL,
	  "one" },
	{ .what = "topology.yaml, the one of a name, last; types that are not set",
	  "a",
	  YAML_SEVERAL,
	  "switch1: b",
	  NULL,
	  "three" },
	{ .what = "topology.yaml, flat",
	  "a",
	  YAML_SEVERAL,
	  "",
	  "of 3 topologies 'two' is taken, the cluster's default\n"
	  "the topology is flat: nothing is known of switches\n" },
	{ .what = "topology.yaml, none is the default",
	  "a",
	  "- topology: t0\n  tree: {switches: [{switch: s, nodes: a}]}\n"
	  "- topology: t1\n  flat: true\n",
	  "switch1: s",
	  "of 2 topologies 't0' is taken, the first, as none is the default\n" },
	{ .what = "topology.yaml, flat with options",
	  "a",
	  "- topology: t\n  flat:\n    alpha_step_rank: true\n",
	  "",
	  "the topology is flat: nothing is known of switches\n" },
	{ .what = "topology.yaml, rings",
	  "n[0,8]",
	  "- topology: t\n  ring:\n    rings:\n      - ring: r0\n        nodes: n[0-7]\n"
	  "      - ring: r1\n        nodes: n[8-15]\n",
	  "switch1: r0 r1",
	  "hops along a ring are no levels: a ring as a whole is one\n" },
	{ .what = "topology.yaml, a torus",
	  "n[0-3,7]",
	  YAML_TORUS "        nodes: n[0-7]\n",
	  "switch1: p:*:0:0 p:*:0:0 p:*:1:0 p:*:1:0 p:*:1:1 | "
	  "switch2: p:*:*:0 p:*:*:0 p:*:*:0 p:*:*:0 p:*:*:1 | switch3: p p p p p",
	  "hops in a torus are no levels: its lines along x, its planes and the whole of it are\n" },
	{ .what = "topology.yaml, a torus by regions",
	  "a,b,c,d",
	  YAML_TORUS
	  "        regions:\n          - anchor: {x: 1, y: 0, z: 0}\n"
	  "            dims: {x: 1, y: 2, z: 1}\n            nodes: a,b\n"
	  "          - anchor: {x: 0, y: 0, z: 0}\n            dims: {x: 1, y: 1, z: 2}\n"
	  "            nodes: c,d\n        placements: [{dims: {x: 2, y: 2, z: 1}}]\n",
	  "switch1: p:*:0:0 p:*:1:0 p:*:0:0 p:*:0:1 | "
	  "switch2: p:*:*:0 p:*:*:0 p:*:*:0 p:*:*:1 | switch3: p p p p",
	  "hops in a torus are no levels: its lines along x, its planes and the whole of it are\n" },
	{ .what = "topology.yaml, all in brackets",
	  "a,b",
	  "- {topology: t, tree: {switches: [{switch: r, children: \"s[0-1]\"},\n"
	  "    {switch: s0, nodes: a}, {switch: s1, nodes: b}]}}\n",
	  "switch1: s0 s1 | switch2: r r" },
	{ .what = "topology.yaml, a directive, an anchor, a tag, a folded text, an end",
	  "a,b",
	  "%YAML 1.1\n---\n- topology: &t !!str t\n  tree:\n    switches:\n"
	  "    - switch: r\n      children: >-\n        s0,s1\n    - {switch: s0, nodes: a}\n"
	  "    - {switch: s1, \"nodes\": \"\\x62\"}\n...\n",
	  "switch1: s0 s1 | switch2: r r" },

	{ .what = "topograph",
	  "I[1-3]",
	  "{\"instances\":[{\"id\":\"I1\",\"network_layers\":[\"leaf-a\",\"spine\"],\"labels\":{}},\n"
	  "{\"id\":\"I2\",\"network_layers\":[\"leaf-b\",\"spine\"]},\n"
	  "{\"id\":\"I3\",\"network_layers\":[\"leaf-b\"]}]}",
	  "switch1: leaf-a leaf-b leaf-b | switch2: spine spine spine" },

	{ .what = "ibnetdiscover",
	  "dgx-[1-3]",
	  IB_HEAD
	  "switchguid=0x1(1)\nSwitch\t65 \"S-1\"\t\t# \"leaf-04\" enhanced port 0 lid 73\n"
	  "[1]\t\"H-a\"[1](a) \t# \"dgx-1 mlx5_5\" lid 647 4xNDR\n"
	  "[2]\t\"H-b\"[1](b) \t# \"dgx-2 mlx5_5\" lid 641 4xNDR\n"
	  "[35]\t\"S-9\"[32]\t# \"spine-02\" lid 236 4xNDR\n"
	  "[65]\t\"H-x\"[1](x)\t# \"Mellanox Technologies Aggregation Node\" lid 193\n\n"
	  "Switch\t65 \"S-2\"\t\t# \"leaf-05\"\n[1]\t\"H-c\"[1](c) \t# \"dgx-3 HCA-1\" lid 7\n"
	  "[2]\t\"S-9\"[31]\t# \"spine-02\" lid 236\n[3]\t\"R-1\"[1]\t# \"router\"\n\n"
	  "Ca\t1 \"H-a\"\t\t# \"dgx-1 mlx5_5\"\n[1](a) \t\"S-1\"[1]\t# lid 647\n",
	  "switch1: leaf-04 leaf-04 leaf-05 | switch2: spine-02 spine-02 spine-02" },
	{ .what = "ibnetdiscover -p",
	  "a,b",
	  "SW     1   17 0x02 4x QDR - CA     2    1 0x0a ( 'leaf' - 'a HCA-1' )\n"
	  "SW     1   18 0x02 4x SDR                           'leaf'\n"
	  "SW     1   19 0x02 4x QDR - SW     3    1 0x03 ( 'leaf' - 'spine' )\n"
	  "CA     2    1 0x0a 4x QDR - SW     1   17 0x02 ( 'a HCA-1' - 'leaf' )\n"
	  "SW     4   19 0x04 4x QDR - SW     3    2 0x03 ( 'leaf' - 'spine' )\n"
	  "SW     4   20 0x04 4x QDR - CA     5    2 0x0b ( 'leaf' - 'b mlx5_0' )\n",
	  "switch1: 0x02 0x04 | switch2: spine spine" },

	{ .what = "ibnetdiscover with adapters that have no host's name",
	  "a,b",
	  IB_HEAD "switchguid=0x1(1)\nSwitch\t65 \"S-1\"\t\t# \"leaf-04\" enhanced port 0 lid 73\n"
		  "[1]\t\"H-a\"[1](a) \t# \"a mlx5_5\" lid 647 4xNDR\n"
		  "[2]\t\"H-b\"[1](b) \t# \"MT4119 ConnectX-5   Mellanox Technologies\" lid 641\n"
		  "[35]\t\"S-9\"[32]\t# \"spine-02\" lid 236 4xNDR\n\n"
		  "Switch\t65 \"S-2\"\t\t# \"leaf-05\"\n[1]\t\"H-c\"[1](c) \t# \"b HCA-1\" lid 7\n"
		  "[2]\t\"S-9\"[31]\t# \"spine-02\" lid 236\n"
		  "[3]\t\"H-d\"[1](d)\t# \"MT4119 ConnectX-5   Mellanox Technologies\" lid 8\n",
	  "switch1: leaf-04 leaf-05 | switch2: spine-02 spine-02" },

	{ .what = "topograph, a leaf under two spines",
	  "a,b",
	  "{\"instances\":[{\"id\":\"a\",\"network_layers\":[\"s\",\"t\"]},"
	  "{\"id\":\"b\",\"network_layers\":[\"s\",\"u\"]}]}",
	  "switch1: s s | switch2: t +1 t +1" },

	{ .what = "a table",
	  "n[0-2]",
	  "# ours\nnode chassis rack\nn[0-1]\tc0  r0\nn2,c1,r0\n",
	  "chassis: c0 c0 c1 | rack: r0 r0 r0" },
	{ .what = "a table with an unknown chassis",
	  "n[0,3,5]",
	  "Node,chassis\nn[0,3],-\nn5 c1 # last\n",
	  "chassis: - - c1" },
};

START_TEST(networks_are_read)
{
	struct tmap_machine *machine = nodes_called(good[_i].nodes);
	struct tmap_str note = TMAP_STR_INIT;
	char *text;

	ck_assert_msg(tmap_network_parse(machine, good[_i].text, good[_i].topology, &note, &err) ==
			      0,
		      "%s: %s", good[_i].what, printed(&err));
	text = describe(machine);
	ck_assert_str_eq(text, good[_i].expected);
	ck_assert_str_eq(note.text ? note.text : "", good[_i].note ? good[_i].note : "");
	free(text);
	tmap_str_fini(&note);
	tmap_machine_free(machine);
}
END_TEST

static const struct {
	const char *nodes, *text, *expected;
} bad[] = {
	{ "a", "",
	  "this looks like none of the network formats (topograph, ibnetdiscover, "
	  "topology.yaml, topology.conf, table)" },
	{ "a", "hello world\n",
	  "this looks like none of the network formats (topograph, "
	  "ibnetdiscover, topology.yaml, topology.conf, table)" },
	{ "MT4119",
	  IB_HEAD "Switch\t2 \"S-1\"\t\t# \"leaf\"\n"
		  "[1]\t\"H-a\"[1](a) \t# \"MT4119 ConnectX-5   Mellanox Technologies\" lid 6\n"
		  "[2]\t\"H-b\"[1](b) \t# \"MT4119 ConnectX-5   Mellanox Technologies\" lid 7\n",
	  "no adapter is described by the name of its host, but as by its maker, 'MT4119 "
	  "ConnectX-5   Mellanox Technologies': ibnetdiscover --node-name-map FILE takes names, "
	  "0xGUID \"HOST\" in each line" },
	{ "Intel",
	  "SW     1   17 0x02 4x QDR - CA     2    1 0x0a ( 'leaf' - 'Intel Infiniband HCA b' )\n",
	  "no adapter is described by the name of its host, but as by its maker, 'Intel "
	  "Infiniband HCA b': ibnetdiscover --node-name-map FILE takes names, 0xGUID \"HOST\" in "
	  "each line" },
	{ "a", "SwitchName=s0 Nodes=a\nSwitchName=s0 Nodes=b\n",
	  "line 2: line 1 describes 's0' already" },
	{ "a", "SwitchName=s0 Nodes=a\nSwitchName=r1 Switches=s[0-1]\n",
	  "line 2: 's1' is under 'r1', but no line describes it" },
	{ "a", "SwitchName=s0 Nodes=a\nSwitchName=r Switches=s0,r\n",
	  "line 2: switch 'r' is under itself" },
	{ "a",
	  "SwitchName=s0 Nodes=a\nSwitchName=top Switches=x\nSwitchName=x Switches=y,s0\n"
	  "SwitchName=y Switches=z\nSwitchName=z Switches=x\n",
	  "line 5: switch 'x' is under 'z', which is below it" },
	{ "a", "SwitchName=s0 Nodes=a\nSwitchName=x Switches=y\nSwitchName=y Switches=x\n",
	  "line 3: switch 'x' is under 'y', which is below it" },
	{ "a", "SwitchName=s0 Nodes=a Switches=s1\n",
	  "line 1: switch 's0' has both Nodes and Switches" },
	{ "a,b", "SwitchName=s0 Nodes=a,c,d\n", "the network does not have 1 of the 2 nodes: 'b'" },
	{ "a", "SwitchName=s0 Nodes=a\n\nLinkSpeed=3\n",
	  "line 3: a line does not begin with LinkSpeed: which switch, block, ring or torus "
	  "it is about stands first" },
	{ "a", "SwitchName=s0 Node=a\n", "line 1: 'Node' is no key of topology.conf" },
	{ "a", "SwitchName=s0 Nodes=a nonsense\n", "line 1: 'nonsense' is no KEY=VALUE" },
	{ "a", "Include b.conf\nSwitchName=s0 Nodes=a\n",
	  "line 1: Include names another file, which is not read: its lines have to stand here" },
	{ "a", "SwitchName=s0 Nodes=ALL\nSwitchName=s1 Nodes=ALL\n",
	  "line 2: all nodes are under 's0' and under 's1'" },
	{ "a", "SwitchName = s0 Nodes\n", "line 1: 'Nodes' is no KEY=VALUE" },
	{ "a", "SwitchName=s0 Nodes=\"a\n", "line 1: the quote behind 'Nodes=' does not end" },
	{ "a", "SwitchName=s0 =a\n", "line 1: '' is no key of topology.conf" },
	{ "a", "SwitchName=s0 Nodes=a\nSwitchName=s1 SwitchName=s1 Nodes=b\n",
	  "line 2: SwitchName stands twice" },
	{ "a", "SwitchName=s0 Nodes=a LinkSpeed=fast\n",
	  "line 1: LinkSpeed is 'fast', and no whole number from 0 to 4294967295" },
	{ "a", "SwitchName=s0 Nodes=a LinkSpeed=1 LinkSpeed=4294967296\n",
	  "line 1: LinkSpeed is '4294967296', and no whole number from 0 to 4294967295" },
	{ "a", "SwitchName=s0 Nodes=a LinkSpeed=99999999999999999999999\n",
	  "line 1: LinkSpeed is '99999999999999999999999', and no whole number from 0 to "
	  "4294967295" },
	{ "a", "SwitchName=s0 Nodes=a LinkSpeed=-1\n",
	  "line 1: LinkSpeed is '-1', and no whole number from 0 to 4294967295" },
	{ "a", "SwitchName=s0 Nodes=a LinkSpeed=4194304k\n",
	  "line 1: LinkSpeed is '4194304k', and no whole number from 0 to 4294967295" },
	{ "a", "SwitchName=s0 Nodes=a LinkSpeed=\n", "line 1: LinkSpeed= has no value" },
	{ "a", "SwitchName=s0 Nodes=a\nSwitchName=s1\n",
	  "line 2: switch 's1' has neither Nodes nor Switches" },
	{ "a", "SwitchName=s0 Nodes=a\nSwitchName=s1 Nodes=\n", "line 2: Nodes= has no value" },
	{ "a", "SwitchName=s0 Nodes=a\nSwitchName=r Nodes= Switches=s0\n",
	  "line 2: Nodes= has no value" },
	{ "a", "SwitchName=s0 Nodes=a\nSwitchName=r Nodes=\"\" Switches=s0\n",
	  "line 2: switch 'r' has both Nodes and Switches" },
	{ "a", "SwitchName=s0 Nodes=a\nSwitchName=r Switches=,\n",
	  "line 2: switch 'r' has Switches without a name" },
	{ "a", "Nodes=a SwitchName=s0\n",
	  "line 1: a line does not begin with Nodes: which switch, block, ring or torus "
	  "it is about stands first" },
	{ "a", "SwitchName=s0 Nodes=a\nFoo=1\n", "line 2: 'Foo' is no key of topology.conf" },
	{ "a", "SwitchName=s0 Nodes=a\nFoo\n", "line 2: 'Foo' is no KEY=VALUE" },
	{ "a", "Include b.conf\n",
	  "line 1: Include names another file, which is not read: its lines have to stand here" },
	{ "a", "BlockName=b Nodes=a\nBlockName=c\n", "line 2: block 'c' has no Nodes" },
	{ "a", "BlockName=b Nodes=a LinkSpeed=1\n",
	  "line 1: a line with BlockName has no LinkSpeed" },
	{ "a", "BlockName=b Nodes=a BlockSizes=1\n",
	  "line 1: a line with BlockName has no BlockSizes" },
	{ "a", "BlockName=b Nodes=a\nSwitchName=s Nodes=a\n",
	  "line 2: a line with SwitchName is of Slurm's topology/tree, but line 1 is of "
	  "topology/block" },
	{ "a", "BlockName=b Nodes=a\nBlockSizes=1,x\n",
	  "line 2: BlockSizes: 'x' is not a whole number" },
	{ "a", "SwitchName=s0 Level=x Nodes=a\n", "line 1: Level: 'x' is not a whole number" },
	{ "a", "SwitchName= Nodes=a\n", "line 1: SwitchName= has no value" },
	{ "a", "RingName=r Nodes=a,n[1-16]\n",
	  "line 1: a ring has 17 nodes, but Slurm's have at most 16" },
	{ "a", "RingName=r Nodes=a\nRingName=r Nodes=b\n", "line 2: line 1 describes 'r' already" },
	{ "a", "BlockName=b Nodes=a\nBlockSizes=4,12\n",
	  "line 2: block size 12 is not 1, 2, 4, ... or 32768 times the first, 4" },
	{ "a", "BlockName=b Nodes=a\nBlockSizes=1,65536\n",
	  "line 2: block size 65536 is not 1, 2, 4, ... or 32768 times the first, 1" },
	{ "a", "BlockName=b Nodes=a\nBlockSizes=0\n", "line 2: a block has a size of at least 1" },
	{ "a", "SwitchName=s0 Nodes=a[0-\n", NULL },

	{ "a", "- topology: t\n  ring:\n    rings: []\n", "there are no switches and no blocks" },
	{ "a", "- topology: t\n  ring:\n    rings:\n    - ring: r\n      nodes: a[0-16]\n",
	  "line 4: a ring has 17 nodes, but Slurm's have at most 16" },
	{ "a", "- topology: t\n",
	  "line 1: topology 't' has none of tree, block, flat, ring and torus3d" },
	{ "a", "- topology: t\n  flat: true\n  tree: {switches: []}\n",
	  "line 2: topology 't' is of type tree and of type flat" },
	{ "a", YAML_TORUS "        nodes: n[0-6]\n", "line 6: 7 nodes are not 2 x 2 x 2" },
	{ "a", YAML_TORUS "        nodes: n[0-6],n0\n", "line 6: node 'n0' has two places" },
	{ "a", YAML_TORUS "        nodes: n[0-7]\n        regions: []\n",
	  "line 7: a torus has nodes or regions, not both" },
	{ "a",
	  YAML_TORUS
	  "        regions:\n          - {anchor: {x: 1, y: 0, z: 0}, dims: {x: 2, y: 1, z: "
	  "1}, nodes: 'a,b'}\n",
	  "line 7: 2 x 1 x 1 from 1:0:0 on is not within 2 x 2 x 2" },
	{ "a",
	  YAML_TORUS
	  "        regions:\n          - {anchor: {x: 1, y: 0, z: 0}, dims: {x: 1, y: 1, z: "
	  "1}, nodes: a}\n          - {anchor: {x: 1, y: 0, z: 0}, dims: {x: 1, y: 1, z: "
	  "1}, nodes: b}\n",
	  "line 8: the place of node 'b', 1:0:0, is taken already" },
	{ "a",
	  "- topology: t\n  torus3d:\n    toruses:\n      - name: p\n        dims: {x: 0, y: 1, z: 1}\n",
	  "line 5: x: 0 is not between 1 and 65535" },
	{ "a",
	  "- topology: t\n  torus3d:\n    toruses:\n      - name: p\n        dims: {x: 1, y: 1}\n",
	  "line 5: 'z' is missing" },
	{ "a",
	  "- topology: t\n  torus3d:\n    toruses:\n      - name: p\n        dims: {x: 65535, y: 65535, z: "
	  "9}\n",
	  "line 4: 65535 x 65535 x 9 places are more than 16777216" },
	{ "a", "- topology: t\n  tree:\n    switches:\n      - children: a\n",
	  "line 4: 'switch' is missing" },
	{ "a", "- topology: t\n  tree:\n    switches: s0\n",
	  "line 3: 'switches' must be a sequence, not a text" },
	{ "a", "- topology: t\n\ttree: x\n",
	  "line 2, column 1: while scanning a plain scalar: found a tab character that "
	  "violates indentation" },
	{ "a", "- topology: &t x\n",
	  "line 1: topology 'x' has none of tree, block, flat, ring and torus3d" },
	{ "a", "- topology: *t\n", "line 1, column 13: found undefined alias" },
	{ "a", "- topology: t\n---\n- topology: u\n", "line 2: only one document is read" },
	{ "a", "- topology: \"\x80\"\n", "byte 13: invalid leading UTF-8 octet" },
	{ "a", "- topology: t\n  topology: u\n", "line 2: 'topology' stands twice" },
	{ "a", "- topology: [a, {b: c]\n",
	  "line 1, column 22: while parsing a flow mapping: did not find expected ',' or '}'" },
	{ "a", "- topology: t\n   tree: x\n",
	  "line 2, column 8: mapping values are not allowed in this context" },
	{ "a", "- topology: 't\n",
	  "line 2, column 1: while scanning a quoted scalar: found unexpected end of stream" },
	{ "a", YAML_TREE "      - switch: s3\n        children: s4\n        nodes: a\n",
	  "line 11: switch 's3' has both children and nodes" },
	{ "a", YAML_TREE "      - switch: s1\n", "line 11: line 7 describes 's1' already" },

	{ "a", "{\"instances\":[]}", "instances: there are no instances" },
	{ "a", "{\"instances\":[{\"id\":\"a\",\"network_layers\":[]}]}",
	  "instances[0].network_layers: there is no switch" },
	{ "a", "{\"instances\":[{\"id\":\"a\",\"network_layers\":[\"s\",\"s\"]}]}",
	  "instances[0].network_layers[1]: switch 's' stands above itself" },
	{ "a", "{\"kind\":\"tree\"}", "the member 'instances' is missing" },

	{ "a", IB_HEAD "Ca\t1 \"H-a\"\n", "there are no switches" },
	{ "a", IB_HEAD "Switch\t65\n", "line 5: a switch has no \"S-GUID\"" },
	{ "a", IB_HEAD "Switch\t65 \"S-1\"\n[1]\t\"X-1\"\n",
	  "line 6: a cable leads neither to a switch (\"S-...\"), an adapter (\"H-...\") nor a "
	  "router (\"R-...\")" },
	{ "a",
	  IB_HEAD
	  "Switch\t65 \"S-1\"\n[1]\t\"H-1\"[1]\t# \"b HCA\"\n[2]\t\"H-2\"[1]\t# \"c HCA\"\n",
	  "the network has none of the 1 node ('a'); its 2 hosts begin with 'b'" },
	{ "a", "SW 1 2\n", "line 1: an end of a cable is not 'KIND LID PORT GUID'" },

	{ "a", "node level1\n", "the table has no nodes" },
	{ "a", "node l1\na s0 r0\n", "line 2: 2 columns behind the node, but the headings name 1" },
	{ "a", "node l1 l2\na s0\n", "line 2: 1 column behind the node, but the headings name 2" },
	{ "a", "node l1 L1\na s0 s1\n", "line 1: two levels are called 'l1'" },
	{ "a", "node l1\na s0\nb[1-2] s0\nb2 s1\n", "line 4: node 'b2' stands twice" },
	{ "a,b", "node l1 l2\na s0 r0\nb s0 r1\n",
	  "nodes 'a' and 'b' share the l1 's0', but not their l2" },
};

START_TEST(networks_that_are_wrong_are_refused_with_a_sentence)
{
	struct tmap_machine *machine = nodes_called(bad[_i].nodes);

	ck_assert_msg(tmap_network_parse(machine, bad[_i].text, NULL, NULL, &err) == -1, "%s",
		      bad[_i].text);
	ck_assert_int_eq((int)err.kind, TMAP_INPUT);
	if (bad[_i].expected)
		ck_assert_str_eq(printed(&err), bad[_i].expected);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(a_topology_that_is_not_there_is_named)
{
	struct tmap_machine *machine = nodes_called("a");

	ck_assert_int_eq(tmap_network_parse(machine, YAML_SEVERAL, "four", NULL, &err), -1);
	ck_assert_str_eq(printed(&err), "there is no topology 'four' among 'one', 'two', 'three'");
	ck_assert_int_eq(tmap_network_parse(machine, "SwitchName=s Nodes=a\n", "four", NULL, &err),
			 -1);
	ck_assert_int_eq((int)err.kind, TMAP_INPUT);
	ck_assert_str_eq(printed(&err),
			 "there is no topology 'four' to choose: a topology.conf holds "
			 "one network");
	tmap_machine_free(machine);
}
END_TEST

START_TEST(a_file_that_is_not_there_is_named)
{
	const struct tmap_network_file file = { .path = "/nonexistent/topology.conf" };
	struct tmap_machine *machine = nodes_called("a");

	ck_assert_int_eq(tmap_network_read(machine, &file, NULL, &err), -1);
	ck_assert_int_eq((int)err.kind, TMAP_SYSTEM);
	ck_assert_str_eq(printed(&err),
			 "/nonexistent/topology.conf: cannot be read: No such file or directory");
	tmap_machine_free(machine);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("network");
	TCase *tests = tcase_create("network");

	tcase_add_loop_test(tests, networks_are_read, 0, (int)(sizeof good / sizeof good[0]));
	tcase_add_loop_test(tests, networks_that_are_wrong_are_refused_with_a_sentence, 0,
			    (int)(sizeof bad / sizeof bad[0]));
	tcase_add_test(tests, a_topology_that_is_not_there_is_named);
	tcase_add_test(tests, a_file_that_is_not_there_is_named);
	suite_add_tcase(suite, tests);
	return suite;
}
