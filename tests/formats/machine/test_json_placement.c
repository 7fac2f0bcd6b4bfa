/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: a placement that is written reads back equal in every part; and one small document
 * written by hand, in which one thing at a time is made wrong. */
#include "core/base/mem.h"
#include "formats/machine/json_placement.h"
#include "tests/support/machines.h"
#include "tests/support/printed.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

/* Two packages of two cores with two PUs each, numbered as Linux numbers them; two such
 * nodes and one of another kind, three ranks on the first two. */
static const char good[] =
	"{\"kind\": \"placement\", \"format\": 1, \"size\": 3,\n"
	" \"origin\": {\"by\": \"hand\", \"date\": \"2026-11-21T00:00:00Z\"},\n"
	" \"topologies\": [\n"
	"  {\"pus\": \"0,4,1,5,2,6,3,7\", \"allowed_pus\": \"0-6\", \"objects\": [\n"
	"    {\"type\": \"core\", \"logical_pus\": \"0-1\", \"os\": 0},\n"
	"    {\"type\": \"core\", \"logical_pus\": \"2-3\", \"os\": 1},\n"
	"    {\"type\": \"core\", \"logical_pus\": \"4-5\", \"os\": 2},\n"
	"    {\"type\": \"core\", \"logical_pus\": \"6-7\", \"os\": 3},\n"
	"    {\"type\": \"package\", \"logical_pus\": \"0-3\", \"os\": 0},\n"
	"    {\"type\": \"package\", \"logical_pus\": \"4-7\", \"os\": 1}],\n"
	"   \"memories\": [{\"os\": 0, \"object\": \"package:0\", \"size_bytes\": 4096, "
	"\"huge_bytes\": 2048}],\n"
	"   \"core_kinds\": [{\"name\": \"small\", \"pus\": \"2,6\"}, {\"pus\": [0, 4]}],\n"
	"   \"devices\": [{\"type\": \"gpu\", \"name\": \"cuda0\", \"object\": \"package:1\"},\n"
	"     {\"type\": \"network\", \"name\": \"ib0\", \"object\": \"node:0\", \"link\": \"up\",\n"
	"      \"interface_of\": \"mlx5_0\", \"link_layer\": \"infiniband\", \"bits_per_s\": 25000,\n"
	"      \"chosen\": true}]},\n"
	"  {\"pus\": [0]}],\n"
	" \"systems\": [{}, {\"cpu_quota\": 1.5, \"memory_limit_bytes\": 8192,\n"
	"              \"isolated_pus\": \"1-3\", \"nohz_full_pus\": [1]}],\n"
	" \"settings\": [{\"part\": 0, \"program\": \"ocean\", \"threads\": 2},\n"
	"               {\"part\": 1, \"environment\": {\"OMP_NUM_THREADS\": \"4,2\", "
	"\"HOME\": 7}}],\n"
	" \"network\": {\"levels\": [\n"
	"   {\"name\": \"spine\", \"switches\": [{\"name\": \"t\", \"nodes\": \"0-2\"}]},\n"
	"   {\"name\": \"leaf\", \"switches\": [\n"
	"     {\"name\": \"u\", \"nodes\": \"0\"}, {\"name\": \"v\", \"nodes\": [2, 1]}]}]},\n"
	" \"nodes\": [{\"names\": \"n[0-1]\", \"topology\": 0, \"system\": 1},\n"
	"            {\"names\": [\"odd one, [x]\"], \"topology\": 1}],\n"
	" \"places\": [{\"topology\": 0, \"pus\": \"0,4\", \"memory\": \"0\"},\n"
	"             {\"topology\": 0, \"pus\": \"0-7\", \"bound\": false},\n"
	"             {\"topology\": 1, \"pus\": [0]}],\n"
	" \"ranks\": {\"node\": [0, 1, 2], \"place\": \"0-2\", \"last_pu\": \"4,7,0\", "
	"\"world\": \"8,2,5\", \"setting\": \"0,1*2\"}}\n";

static int parse(struct tmap_placement *p, const char *text)
{
	return tmap_placement_parse_json(p, text, strlen(text), "a.json", &err);
}

START_TEST(a_document_written_by_hand_is_read)
{
	const struct tmap_topology *topo;
	struct tmap_placement p;
	struct tmap_machine *m;

	ck_assert_msg(parse(&p, good) == 0, "%s", printed(&err));
	m = p.machine;
	topo = &m->topology[0];
	ck_assert_int_eq(p.size, 3);
	ck_assert_str_eq(p.origin.by, "hand");
	ck_assert_ptr_null(p.origin.mpi);
	ck_assert_int_eq(m->topology_count, 2);
	ck_assert_int_eq(topo->pu_count, 8);
	ck_assert_int_eq(topo->pu[1].os, 4);
	ck_assert(topo->pu[6].allowed && !topo->pu[7].allowed);
	ck_assert_int_eq(tmap_topology_count(topo, TMAP_CORE), 4);
	ck_assert_int_eq(topo->object[topo->memory[0].object].type, TMAP_PACKAGE);
	ck_assert_int_eq(topo->memory[0].size_bytes, 4096);
	ck_assert_int_eq(topo->device[0].type, TMAP_GPU);
	ck_assert_str_eq(topo->device[0].name, "cuda0");
	ck_assert_int_eq(topo->object[topo->device[0].object].first_pu, 4);
	ck_assert_int_eq(topo->device[1].link, TMAP_LINK_UP);
	ck_assert_int_eq(topo->device[1].layer, TMAP_LAYER_INFINIBAND);
	ck_assert_int_eq(topo->device[1].bits_per_s, 25000);
	ck_assert_str_eq(topo->device[1].interface_of, "mlx5_0");
	ck_assert_int_eq(topo->device[1].choice, TMAP_CHOICE_YES);
	ck_assert_int_eq(m->node_count, 3);
	ck_assert_str_eq(m->node_name[1], "n1");
	ck_assert_str_eq(m->node_name[2], "odd one, [x]");
	ck_assert_int_eq(m->node_topology[2], 1);
	ck_assert_int_eq(m->tier_count, 2);
	ck_assert_str_eq(m->tier[0].name, "leaf");
	ck_assert_int_eq(m->tier[0].switch_of[1], 1);
	ck_assert_str_eq(m->tier[1].switch_name[0], "t");
	ck_assert_int_eq(p.node[2], 2);
	ck_assert_int_eq(p.place[1], 1);
	ck_assert_int_eq(p.last_pu[1], 7);
	ck_assert_int_eq(p.world[0], 8);
	ck_assert(p.places[0].bound && !p.places[1].bound);
	ck_assert_int_eq(topo->object[p.places[0].object].type, TMAP_CORE);
	ck_assert_int_eq(tmap_idset_size(&p.places[0].memory), 1);
	ck_assert_int_eq(topo->memory[0].huge_bytes, 2048);
	ck_assert_int_eq(topo->kind_count, 2);
	ck_assert_str_eq(topo->kind[0].name, "small");
	ck_assert_int_eq(topo->pu[0].kind, 1);
	ck_assert_int_eq(topo->pu[4].kind, 0);
	ck_assert_int_eq(topo->pu[2].kind, TMAP_NONE);
	ck_assert_int_eq(tmap_machine_system(m, 1)->cpu_quota_thousandths, 1500);
	ck_assert_int_eq(tmap_machine_system(m, 1)->memory_limit_bytes, 8192);
	ck_assert_int_eq(tmap_idset_size(&tmap_machine_system(m, 1)->isolated), 3);
	ck_assert_ptr_null(tmap_machine_system(m, 2));
	ck_assert_str_eq(tmap_placement_setting(&p, 0)->program, "ocean");
	ck_assert_int_eq(tmap_setting_threads(tmap_placement_setting(&p, 0), NULL), 2);
	ck_assert(!tmap_placement_setting(&p, 0)->environment);
	ck_assert_int_eq(tmap_placement_setting(&p, 2)->part, 1);
	ck_assert_int_eq(tmap_setting_threads(tmap_placement_setting(&p, 2), NULL), 8);
	tmap_placement_fini(&p);
}
END_TEST

/* What is replaced in the good document, by what, and the sentence that comes of it. */
static const struct {
	const char *old, *new, *message;
} wrong[] = {
	{ "\"placement\"", "\"tree\"",
	  "a placement is expected, and this tree document carries none" },
	{ "\"format\": 1", "\"format\": 2", "format: this version reads format 1, not 2" },
	{ "\"size\": 3", "\"size\": 0", "size: 0 is not in 1-134217728" },
	{ "\"size\": 3", "\"size\": -3", "size: -3 is not in 1-134217728" },
	{ "\"size\": 3", "\"size\": 11039616000", "size: 11039616000 is not in 1-134217728" },
	{ "\"size\": 3", "\"size\": \"3\"", "size: a whole number is expected, this is a string" },
	{ "\"size\": 3", "\"size\": 3.5",
	  "size: a whole number is expected, this is a number with a fraction or an exponent" },
	{ "\"size\": 3,", "", "the member 'size' is missing" },
	{ "\"size\": 3", "\"size\": 4",
	  "ranks.node: the list has 3 numbers where there must be 4" },
	{ "\"by\": \"hand\"", "\"by\": 7",
	  "origin.by: a string is expected, this is a whole number" },
	{ "\"topologies\": [\n", "\"topologies\": [5,\n",
	  "topologies[0]: an object is expected, this is a whole number" },
	{ "\"pus\": \"0,4,1,5,2,6,3,7\"", "\"pus\": \"0,4,1,5,2,6,3,4\"",
	  "topologies[0]: two PUs have the OS index 4" },
	{ "\"pus\": \"0,4,1,5,2,6,3,7\"", "\"pus\": \"0,4,1,5,2,6,3,7,\"",
	  "topologies[0].pus: the list ends at character 17: a number is expected" },
	{ "\"pus\": \"0,4,1,5,2,6,3,7\"", "\"pus\": \"\"",
	  "topologies[0].pus: a node has 1 to 65536 PUs, not 0" },
	{ "\"pus\": \"0,4,1,5,2,6,3,7\"", "\"pus\": \"0-2000000000\"",
	  "topologies[0].pus: a node has 1 to 65536 PUs, not 2000000001" },
	{ "\"allowed_pus\": \"0-6\"", "\"allowed_pus\": \"0-8\"",
	  "topologies[0].allowed_pus: PU 8 does not exist on a node of 8 PUs" },
	{ "\"type\": \"core\"", "\"type\": \"pu\"",
	  "topologies[0].objects[0].type: 'pu' is not a kind of object between node and PU" },
	{ "\"type\": \"core\"", "\"type\": \"socket\"",
	  "topologies[0].objects[0].type: 'socket' is not a kind of object between node and PU" },
	{ "\"logical_pus\": \"0-1\"", "\"logical_pus\": \"0-1,3\"",
	  "topologies[0].objects[0].logical_pus: an object covers one range of PUs" },
	{ "\"logical_pus\": \"0-1\"", "\"logical_pus\": \"7-8\"",
	  "topologies[0].objects[0].logical_pus: '7-8': a number is above 7" },
	{ "\"logical_pus\": \"0-1\"", "\"logical_pus\": \"1-2\"",
	  "topologies[0]: a core over the PUs 2 to 3 crosses a core over 1 to 2" },
	{ "\"os\": 3}", "\"os\": -3}", "topologies[0].objects[3].os: -3 is not in 0-16777215" },
	{ "\"object\": \"package:0\"", "\"object\": \"package:2\"",
	  "topologies[0].memories[0].object: 'package:2' does not exist on this node" },
	{ "\"object\": \"package:0\"", "\"object\": \"package\"",
	  "topologies[0].memories[0].object: 'package' does not exist on this node" },
	{ "\"size_bytes\": 4096", "\"size_bytes\": -1",
	  "topologies[0].memories[0].size_bytes: -1 is less than 0" },
	{ "\"gpu\"", "\"printer\"",
	  "topologies[0].devices[0].type: unknown device type 'printer' (one of: network, gpu)" },
	{ "\"cuda0\"", "\"a name that is far too long for a device\"",
	  "topologies[0].devices[0].name: 'a name that is far too long for a device' is longer than "
	  "31 bytes" },
	{ "\"up\"", "\"upward\"",
	  "topologies[0].devices[1].link: unknown state of a link 'upward' (one of: unknown, up, "
	  "down)" },
	{ "\"up\"", "true", "topologies[0].devices[1].link: a string is expected, this is true" },
	{ "\"infiniband\"", "\"myrinet\"",
	  "topologies[0].devices[1].link_layer: unknown link layer 'myrinet' (one of: unknown, "
	  "ethernet, infiniband)" },
	{ "25000", "-1", "topologies[0].devices[1].bits_per_s: -1 is less than 0" },
	{ "\"mlx5_0\"", "\"a name that is far too long for an adapter\"",
	  "topologies[0].devices[1].interface_of: 'a name that is far too long for an adapter' is "
	  "longer than 31 bytes" },
	{ "true", "1",
	  "topologies[0].devices[1].chosen: true or false is expected, this is a whole number" },
	{ ", \"object\": \"package:1\"", "",
	  "topologies[0].devices[0]: the member 'object' is missing" },
	{ "\"nodes\": \"0\"}", "\"nodes\": \"0,3\"}",
	  "network.levels[1].switches[0].nodes: character 3 of the list: 3 is not in 0-2" },
	{ "\"nodes\": \"0\"}", "\"nodes\": \"0-3\"}",
	  "network.levels[1].switches[0].nodes: 4 nodes are under this switch, but there are 3" },
	{ "\"nodes\": \"0\"}", "\"nodes\": \"0,1\"}",
	  "network.levels[1].switches[1].nodes: node 1 is also under 'u'" },
	{ "\"nodes\": \"0\"}", "\"nodes\": \"0,0\"}",
	  "network.levels[1].switches[0].nodes: node 0 stands there twice" },
	{ "\"nodes\": \"0-2\"}", "\"nodes\": \"0-1\"}",
	  "network.levels[0]: nodes 'n1' and 'odd one, [x]' share the leaf 'v', but not their "
	  "spine" },
	{ "\"levels\"", "\"stages\"", "network: the member 'levels' is missing" },
	{ "\"n[0-1]\"", "\"n[0-\"", "nodes[0].names: host list 'n[0-': '[' is not closed" },
	{ "\"n[0-1]\"", "7", "nodes[0].names: a host list is expected, this is a whole number" },
	{ "\"n[0-1]\"", "[\"n0\", \"\"]", "nodes[0].names[1]: a node's name is empty" },
	{ "\"n[0-1]\"", "\"n[0,0]\"", "nodes: nodes 0 and 1 are both called 'n0'" },
	{ "\"topology\": 1}],\n", "\"topology\": 2}],\n",
	  "nodes[1].topology: 2 is not one of the 2 topologies" },
	{ "\"topology\": 0, \"pus\": \"0,4\"", "\"topology\": -1, \"pus\": \"0,4\"",
	  "places[0].topology: -1 is not one of the 2 topologies" },
	{ "\"pus\": \"0,4\"", "\"pus\": \"0,8\"",
	  "places[0]: PU 8 does not exist on a node of 8 PUs" },
	{ "\"pus\": \"0,4\"", "\"pus\": \"0-16777215\"",
	  "places[0]: PU 8 does not exist on a node of 8 PUs" },
	{ "\"pus\": \"0,4\"", "\"pus\": \"4-0\"",
	  "places[0].pus: '4-0': the range 4-0 runs backwards" },
	{ "\"pus\": \"0,4\"", "\"pus\": \"\"", "places[0]: a place has no PU" },
	{ "\"pus\": \"0,4\"", "\"pus\": true", "places[0].pus: a list is expected, this is true" },
	{ "\"memory\": \"0\"", "\"memory\": \"0-1\"",
	  "places[0].memory: NUMA node 1 does not exist on this node" },
	{ "\"bound\": false", "\"bound\": 0",
	  "places[1].bound: true or false is expected, this is a whole number" },
	{ "\"place\": \"0-2\"", "\"place\": \"0-3\"",
	  "ranks.place: the list has 4 numbers where there must be 3" },
	{ "\"place\": \"0-2\"", "\"place\": \"0,1,3\"",
	  "ranks.place: character 5 of the list: 3 is not in 0-2" },
	{ "\"place\": \"0-2\"", "\"place\": \"0,1,0\"",
	  "rank 2 has a place on topology 0, but node 'odd one, [x]' is of topology 1" },
	{ "\"place\": \"0-2\"", "\"place\": {\"0\": 2}",
	  "ranks.place: a list is expected, this is an object" },
	{ "\"node\": [0, 1, 2]", "\"node\": [0, 1, 3]", "ranks.node[2]: 3 is not in 0-2" },
	{ "\"node\": [0, 1, 2]", "\"node\": [0, 1, -1]", "ranks.node[2]: -1 is not in 0-2" },
	{ "\"node\": [0, 1, 2]", "\"node\": [0, 1, null]",
	  "ranks.node[2]: a whole number is expected, this is null" },
	{ "\"node\": [0, 1, 2]", "\"node\": \"(0x2000000000)x\"",
	  "ranks.node: the list ends at character 16: a number is expected" },
	{ "\"node\": [0, 1, 2]", "\"node\": \"(0x2000000000)\"",
	  "ranks.node: the list has 2000000000 numbers where there must be 3" },
	{ "\"last_pu\": \"4,7,0\"", "\"last_pu\": \"4,8,0\"",
	  "ranks.last_pu: rank 1 last ran on PU 8, which does not exist on its node 'n1'" },
	{ "\"last_pu\": \"4,7,0\"", "\"last_pu\": \"4,7\"",
	  "ranks.last_pu: the list has 2 numbers where there must be 3" },
	{ "\"huge_bytes\": 2048", "\"huge_bytes\": -1",
	  "topologies[0].memories[0].huge_bytes: -1 is less than 0" },
	{ "\"name\": \"small\"", "\"name\": 5",
	  "topologies[0].core_kinds[0].name: a string is expected, this is a whole number" },
	{ "\"pus\": [0, 4]", "\"pus\": [0, 6]",
	  "topologies[0].core_kinds[1].pus: PU 6 is of two kinds" },
	{ "\"pus\": [0, 4]", "\"pus\": [0, 8]",
	  "topologies[0].core_kinds[1].pus: PU 8 does not exist on a node of 8 PUs" },
	{ "\"pus\": [0, 4]", "\"pus\": []",
	  "topologies[0].core_kinds[1].pus: a kind of core has no PU" },
	{ "\"cpu_quota\": 1.5", "\"cpu_quota\": 0",
	  "systems[1].cpu_quota: 0 is not in 0.001-1000000" },
	{ "\"cpu_quota\": 1.5", "\"cpu_quota\": 1e7",
	  "systems[1].cpu_quota: 1e+07 is not in 0.001-1000000" },
	{ "\"cpu_quota\": 1.5", "\"cpu_quota\": \"max\"",
	  "systems[1].cpu_quota: a number is expected, this is a string" },
	{ "\"memory_limit_bytes\": 8192", "\"memory_limit_bytes\": 0",
	  "systems[1].memory_limit_bytes: 0 is less than 1" },
	{ "\"isolated_pus\": \"1-3\"", "\"isolated_pus\": \"3-1\"",
	  "systems[1].isolated_pus: '3-1': the range 3-1 runs backwards" },
	{ "\"nohz_full_pus\": [1]", "\"nohz_full_pus\": [-1]",
	  "systems[1].nohz_full_pus[0]: -1 is not in 0-16777215" },
	{ "\"systems\": [{}, ", "\"systems\": [[], ",
	  "systems[0]: an object is expected, this is an array" },
	{ "\"system\": 1", "\"system\": 2", "nodes[0].system: 2 is not one of the 2 systems" },
	{ "\"system\": 1", "\"system\": \"1\"",
	  "nodes[0].system: a whole number is expected, this is a string" },
	{ "\"part\": 1", "\"part\": -1", "settings[1].part: -1 is not in 0-1048575" },
	{ "\"threads\": 2", "\"threads\": 0", "settings[0].threads: 0 is not in 1-1048576" },
	{ "\"program\": \"ocean\"", "\"program\": \"oc\\u001bean\"",
	  "settings[0].program: the text has a control character" },
	{ "\"OMP_NUM_THREADS\": \"4,2\"", "\"OMP_NUM_THREADS\": 4",
	  "settings[1].environment.OMP_NUM_THREADS: a string is expected, this is a whole number" },
	{ "\"environment\": {", "\"environment\": [], \"x\": {",
	  "settings[1].environment: an object is expected, this is an array" },
	{ ", \"setting\": \"0,1*2\"", "",
	  "ranks: the member 'setting' is missing, and there are 2 settings" },
	{ "\"settings\":", "\"x-settings\":", "ranks.setting: there is no setting for the ranks" },
	{ "\"setting\": \"0,1*2\"", "\"setting\": \"0,1\"",
	  "ranks.setting: the list has 2 numbers where there must be 3" },
	{ "\"setting\": \"0,1*2\"", "\"setting\": \"0,1,2\"",
	  "ranks.setting: character 5 of the list: 2 is not in 0-1" },
	{ "\"world\": \"8,2,5\"", "\"world\": \"8,2\"",
	  "ranks.world: the list has 2 numbers where there must be 3" },
	{ "\"world\": \"8,2,5\"", "\"world\": \"8,2,8\"",
	  "ranks.world: rank 8 stands in the list twice" },
};

static char *replace(const char *text, const char *old, const char *new)
{
	const char *at = strstr(text, old);

	ck_assert_msg(at != NULL, "the document does not say %s", old);
	return tmap_format(&err, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
}

START_TEST(what_is_wrong_is_told_in_a_sentence)
{
	char *text = replace(good, wrong[_i].old, wrong[_i].new);
	char *message = tmap_format(&err, "a.json: %s", wrong[_i].message);
	struct tmap_placement p;

	ck_assert_int_eq(parse(&p, text), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(printed(&err), message);
	free(text);
	free(message);
}
END_TEST

START_TEST(every_cut_of_a_document_is_refused)
{
	size_t length = strlen(good) - 1; /* without the final newline */

	for (size_t cut = 0; cut < length; cut++) {
		struct tmap_placement p;

		ck_assert_int_eq(tmap_placement_parse_json(&p, good, cut, "a.json", &err), -1);
		ck_assert_int_eq(err.kind, TMAP_INPUT);
	}
}
END_TEST

START_TEST(a_member_that_is_taken_away_is_missed_or_optional)
{
	static const char *const needed[] = { "size", "topologies", "nodes", "places", "ranks" };
	static const char *const free_to_go[] = { "origin", "network" };
	struct tmap_placement p;
	char member[32], other[32], *text;

	for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
		snprintf(member, sizeof member, "\"%s\":", needed[i]);
		snprintf(other, sizeof other, "\"x-%s\":", needed[i]);
		text = replace(good, member, other);
		ck_assert_int_eq(parse(&p, text), -1);
		snprintf(member, sizeof member, "'%s' is missing", needed[i]);
		ck_assert_msg(strstr(printed(&err), member) != NULL, "%s", printed(&err));
		free(text);
	}
	for (size_t i = 0; i < sizeof free_to_go / sizeof free_to_go[0]; i++) {
		snprintf(member, sizeof member, "\"%s\":", free_to_go[i]);
		snprintf(other, sizeof other, "\"x-%s\":", free_to_go[i]);
		text = replace(good, member, other);
		ck_assert_msg(parse(&p, text) == 0, "%s", printed(&err));
		tmap_placement_fini(&p);
		free(text);
	}
}
END_TEST

START_TEST(derived_members_are_not_believed)
{
	char *text =
		replace(good, "\"pus\": \"0,4\"", "\"pus\": \"0,4\", \"object\": \"package:1\"");
	char *lie = replace(text, "\"ranks\"",
			    "\"distances\": {\"scale\": 5, \"histogram\": []}, \"ranks\"");
	struct tmap_placement p;

	ck_assert_msg(parse(&p, lie) == 0, "%s", printed(&err));
	ck_assert_int_eq(p.machine->topology[0].object[p.places[0].object].type, TMAP_CORE);
	tmap_placement_fini(&p);
	free(text);
	free(lie);
}
END_TEST

START_TEST(topologies_that_are_equal_become_one)
{
	char *text = replace(good, "{\"pus\": [0]}],", "{\"pus\": \"0\"}, {\"pus\": [0]}],");
	char *third = replace(text, "\"topology\": 1}],\n", "\"topology\": 2}],\n");
	struct tmap_placement p;

	ck_assert_msg(parse(&p, third) == 0, "%s", printed(&err));
	ck_assert_int_eq(p.machine->topology_count, 2);
	ck_assert_int_eq(p.machine->node_topology[2], 1);
	tmap_placement_fini(&p);
	free(text);
	free(third);
}
END_TEST

static char *write(const struct tmap_placement *p, bool matrix, size_t *length)
{
	const struct tmap_placement_json_options options = { .matrix = matrix };
	char *text = NULL;
	FILE *file = open_memstream(&text, length);

	ck_assert_msg(tmap_placement_write_json(p, file, &options, &err) == 0, "%s", printed(&err));
	fclose(file);
	return text;
}

static void must_equal(const char *a, const char *b)
{
	ck_assert(!a == !b);
	ck_assert(!a || strcmp(a, b) == 0);
}

static void machines_must_equal(const struct tmap_machine *a, const struct tmap_machine *b)
{
	ck_assert_int_eq(a->topology_count, b->topology_count);
	ck_assert_int_eq(a->node_count, b->node_count);
	ck_assert_int_eq(a->tier_count, b->tier_count);
	for (int i = 0; i < a->topology_count; i++)
		ck_assert(tmap_topology_equal(&a->topology[i], &b->topology[i]));
	for (int n = 0; n < a->node_count; n++) {
		ck_assert_str_eq(a->node_name[n], b->node_name[n]);
		ck_assert_int_eq(a->node_topology[n], b->node_topology[n]);
		ck_assert(!tmap_machine_system(a, n) == !tmap_machine_system(b, n));
		ck_assert(!tmap_machine_system(a, n) ||
			  tmap_system_equal(tmap_machine_system(a, n), tmap_machine_system(b, n)));
	}
	for (int t = 0; t < a->tier_count; t++) {
		ck_assert_str_eq(a->tier[t].name, b->tier[t].name);
		ck_assert_int_eq(a->tier[t].switch_count, b->tier[t].switch_count);
		for (int s = 0; s < a->tier[t].switch_count; s++)
			ck_assert_str_eq(a->tier[t].switch_name[s], b->tier[t].switch_name[s]);
		ck_assert_mem_eq(a->tier[t].switch_of, b->tier[t].switch_of,
				 (size_t)a->node_count * sizeof(int));
	}
}

static void settings_must_equal(const struct tmap_placement *a, const struct tmap_placement *b)
{
	ck_assert_int_eq(a->setting_count, b->setting_count);
	for (int r = 0; r < a->size && a->setting_count; r++)
		ck_assert_int_eq(tmap_setting_compare(tmap_placement_setting(a, r),
						      tmap_placement_setting(b, r)),
				 0);
}

static void placements_must_equal(const struct tmap_placement *a, const struct tmap_placement *b)
{
	size_t bytes = (size_t)a->size * sizeof(int);

	machines_must_equal(a->machine, b->machine);
	ck_assert_int_eq(a->size, b->size);
	ck_assert_mem_eq(a->node, b->node, bytes);
	ck_assert_mem_eq(a->place, b->place, bytes);
	ck_assert(!a->last_pu == !b->last_pu);
	ck_assert(!a->last_pu || memcmp(a->last_pu, b->last_pu, bytes) == 0);
	ck_assert(!a->world == !b->world);
	ck_assert(!a->world || memcmp(a->world, b->world, bytes) == 0);
	ck_assert_int_eq(a->place_count, b->place_count);
	for (int i = 0; i < a->place_count; i++) {
		ck_assert_int_eq(a->places[i].topology, b->places[i].topology);
		ck_assert_int_eq(a->places[i].bound, b->places[i].bound);
		ck_assert(tmap_idset_equal(&a->places[i].pus, &b->places[i].pus));
		ck_assert(tmap_idset_equal(&a->places[i].memory, &b->places[i].memory));
	}
	settings_must_equal(a, b);
	must_equal(a->origin.by, b->origin.by);
	must_equal(a->origin.request, b->origin.request);
	must_equal(a->origin.mpi, b->origin.mpi);
	must_equal(a->origin.launcher, b->origin.launcher);
	must_equal(a->origin.date, b->origin.date);
}

static void adorn_settings(struct tmap_placement *p, struct dice *dice)
{
	int count = dice_roll(dice, 4);

	for (int i = 0; i < count; i++) {
		struct tmap_setting setting = { .part = i - 1, .threads = dice_roll(dice, 3) };

		setting.program = dice_roll(dice, 2) ? (char *)"caf\xc3\xa9 \"2\"" : NULL;
		setting.environment = dice_roll(dice, 2);
		for (int v = 0; v < TMAP_VARIABLE_COUNT && setting.environment; v++)
			setting.variable[v] = dice_roll(dice, 2) ? (char *)"{0:4}, close" : NULL;
		ck_assert_int_eq(tmap_placement_add_setting(p, &setting, &err), i);
	}
	if (count > 1 || (count && dice_roll(dice, 2))) {
		p->setting = malloc((size_t)p->size * sizeof *p->setting);
		for (int r = 0; r < p->size; r++)
			p->setting[r] = dice_roll(dice, count);
	}
}

static void adorn_systems(struct tmap_machine *m, struct dice *dice)
{
	for (int n = 0; n < m->node_count; n++) {
		struct tmap_system system = { .cpu_quota_thousandths = dice_roll(dice, 2) * 1234,
					      .memory_limit_bytes = dice_roll(dice, 2) };
		int number = tmap_machine_add_system(m, &system, &err);

		if (dice_roll(dice, 2))
			ck_assert_int_eq(tmap_machine_set_system(m, n, number, &err), 0);
	}
}

static void adorn_adapter(struct tmap_device *device, struct dice *dice)
{
	device->link = (enum tmap_link)dice_roll(dice, 3);
	device->layer = (enum tmap_link_layer)dice_roll(dice, 3);
	device->bits_per_s = dice_roll(dice, 2) * 100000000000;
	strcpy(device->interface_of, dice_roll(dice, 2) ? "mlx5_1" : "");
	device->choice = (enum tmap_choice)dice_roll(dice, 3);
}

/* What random machines lack: memories, devices, forbidden PUs, names that no list can say. */
static void adorn(struct tmap_placement *p, struct dice *dice)
{
	struct tmap_machine *m = p->machine;

	for (int t = 0; t < m->topology_count; t++) {
		struct tmap_topology *topo = &m->topology[t];
		int last = topo->object_count - 1;

		for (int i = 0; i < dice_roll(dice, 3); i++) {
			struct tmap_memory memory = {
				i,     dice_roll(dice, 2) ? last : TMAP_NONE, 1LL << 40, "HBM",
				false, dice_roll(dice, 2) * (1LL << 30)
			};
			struct tmap_device device = { .type = i ? TMAP_GPU : TMAP_NETWORK,
						      .name = "mlx5_0",
						      .object = last };

			if (!i)
				adorn_adapter(&device, dice);

			ck_assert_int_eq(tmap_topology_add_memory(topo, &memory, &err), 0);
			ck_assert_int_eq(tmap_topology_add_device(topo, &device, &err), 0);
		}
		topo->pu[0].allowed = dice_roll(dice, 2);
		if (dice_roll(dice, 2)) {
			struct tmap_idset pus = { 0 };

			ck_assert_int_eq(tmap_idset_add(&pus, topo->pu[0].os, &err), 0);
			ck_assert_int_eq(tmap_topology_add_kind(topo, "big", &pus, &err), 0);
			tmap_idset_fini(&pus);
		}
		for (int i = 0; i < topo->object_count; i++)
			if (topo->object[i].type == TMAP_L2)
				topo->object[i].size_bytes = dice_roll(dice, 1 << 20);
	}
	adorn_settings(p, dice);
	if (dice_roll(dice, 2))
		adorn_systems(m, dice);
	for (int i = 0; i < p->place_count; i++)
		if (m->topology[p->places[i].topology].memory_count && dice_roll(dice, 2))
			ck_assert_int_eq(tmap_idset_add(&p->places[i].memory, 0, &err), 0);
	if (dice_roll(dice, 2)) {
		free(m->node_name[0]);
		m->node_name[0] = strdup(dice_roll(dice, 2) ? "a \"b\", [c]" : "caf\xc3\xa9");
	}
	if (dice_roll(dice, 2))
		p->origin.request = strdup("--map-by core \\ \"quoted\"");
	if (dice_roll(dice, 2)) {
		p->world = malloc((size_t)p->size * sizeof *p->world);
		for (int r = 0; r < p->size; r++)
			p->world[r] = 3 * (p->size - r);
	}
	if (dice_roll(dice, 2)) {
		p->last_pu = malloc((size_t)p->size * sizeof *p->last_pu);
		for (int r = 0; r < p->size; r++) {
			const struct tmap_topology *topo = tmap_placement_topology(p, r);

			p->last_pu[r] = topo->pu[dice_roll(dice, topo->pu_count)].os;
		}
	}
}

START_TEST(random_placements_read_back_equal)
{
	struct dice dice = { 77 };

	for (int i = 0; i < 1500; i++) {
		struct tmap_placement p, back;
		char *text, *again;
		size_t length, length_again;

		placement_random_take(&p, machine_random(&dice, 9), 1 + dice_roll(&dice, 60),
				      &dice);
		adorn(&p, &dice);
		text = write(&p, i % 7 == 0, &length);
		ck_assert_msg(tmap_placement_parse_json(&back, text, length, "a.json", &err) == 0,
			      "%s\n%s", printed(&err), text);
		placements_must_equal(&p, &back);
		again = write(&back, false, &length_again);
		tmap_placement_fini(&p);
		ck_assert_int_eq(tmap_placement_parse_json(&p, again, length_again, "a.json", &err),
				 0);
		placements_must_equal(&p, &back);
		tmap_placement_fini(&p);
		tmap_placement_fini(&back);
		free(text);
		free(again);
	}
}
END_TEST

/* IG, one rank a core: the pairs of the paper, spec of distances. */
START_TEST(the_histogram_and_the_matrix_are_written)
{
	struct tmap_placement p;
	char *text;
	size_t length;

	placement_block_take(&p, machine_ig());
	text = write(&p, true, &length);
	ck_assert_ptr_nonnull(strstr(text, "\"scale\": \"process\""));
	ck_assert_ptr_nonnull(strstr(text, "\"histogram\": {\"1\": 120, \"5\": 432, \"6\": 576}"));
	ck_assert_ptr_nonnull(strstr(text, "\"matrix\": [\n      [0,1,1,1,1,1,5,5,"));
	free(text);
	text = write(&p, false, &length);
	ck_assert_ptr_null(strstr(text, "\"matrix\""));
	free(text);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(a_large_regular_job_is_a_small_document)
{
	struct tmap_placement p, back;
	char *text;
	size_t length;

	placement_block_take(&p,
			     machine_regular(20000,
					     (const struct test_level[]){ { TMAP_PACKAGE, 2 },
									  { TMAP_L3, 8 },
									  { TMAP_CORE, 6 },
									  { 0 } }));
	ck_assert_int_eq(p.size, 1920000);
	text = write(&p, false, &length);
	ck_assert_uint_lt(length, 50000);
	ck_assert_msg(tmap_placement_parse_json(&back, text, length, "a.json", &err) == 0, "%s",
		      printed(&err));
	placements_must_equal(&p, &back);
	tmap_placement_fini(&p);
	tmap_placement_fini(&back);
	free(text);
}
END_TEST

START_TEST(a_full_disk_is_told)
{
	FILE *full = fopen("/dev/full", "w");
	struct tmap_placement p;

	if (!full)
		return;
	placement_block_take(&p, machine_zoot());
	ck_assert_int_eq(tmap_placement_write_json(&p, full, NULL, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_SYSTEM);
	fclose(full);
	tmap_placement_fini(&p);
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof(table)[0])

Suite *test_suite(void)
{
	Suite *suite = suite_create("json_placement");
	TCase *tests = tcase_create("json_placement");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, a_document_written_by_hand_is_read);
	tcase_add_loop_test(tests, what_is_wrong_is_told_in_a_sentence, 0, COUNT(wrong));
	tcase_add_test(tests, every_cut_of_a_document_is_refused);
	tcase_add_test(tests, a_member_that_is_taken_away_is_missed_or_optional);
	tcase_add_test(tests, derived_members_are_not_believed);
	tcase_add_test(tests, topologies_that_are_equal_become_one);
	tcase_add_test(tests, random_placements_read_back_equal);
	tcase_add_test(tests, the_histogram_and_the_matrix_are_written);
	tcase_add_test(tests, a_large_regular_job_is_a_small_document);
	tcase_add_test(tests, a_full_disk_is_told);
	suite_add_tcase(suite, tests);
	return suite;
}
