/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: the rules of formats/launchers/common/hosts.h, name by name. */
#include "formats/launchers/common/hosts.h"

#include "core/base/mem.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

static struct tmap_error err;

static struct tmap_machine *nodes(const char *a, const char *b, const char *c)
{
	static const struct test_level node_levels[] = { { TMAP_CORE, 1 }, { TMAP_NODE, 0 } };
	struct tmap_machine *machine = machine_regular(3, node_levels);
	char *names[] = { (char *)a, (char *)b, (char *)c };

	ck_assert_int_eq(tmap_machine_rename(machine, names, 3, &err), 0);
	return machine;
}

/* Resolves the words of @p text; the status, nodes "0 2 1" and new names "a b c" as text. */
static int resolve(struct tmap_machine *machine, const char *text, char *said, int *culprit)
{
	struct tmap_names names = { 0 };
	struct tmap_hosts hosts = { 0 };
	int status;

	*said = '\0';
	for (; *text; text += strcspn(text, " "), text += *text == ' ')
		ck_assert_int_ge(tmap_names_intern(&names, text, strcspn(text, " "), &err), 0);
	status = tmap_hosts_init(&hosts, &names, machine, culprit, &err);
	for (int i = 0; i < names.count && status == 0; i++)
		sprintf(said + strlen(said), "%d ", hosts.node[i]);
	if (status == 0)
		ck_assert_int_eq(tmap_hosts_rename(&hosts, machine, &err), 0);
	for (int n = 0; n < machine->node_count && status == 0; n++)
		sprintf(said + strlen(said), "%s ", machine->node_name[n]);
	tmap_hosts_fini(&hosts);
	tmap_names_fini(&names);
	return status;
}

static void expect(const char *a, const char *b, const char *c, const char *text,
		   const char *wanted)
{
	struct tmap_machine *machine = nodes(a, b, c);
	char said[256];
	int culprit;

	ck_assert_msg(resolve(machine, text, said, &culprit) == 0, "%s", err.text);
	ck_assert_str_eq(said, wanted);
	ck_assert_int_eq(culprit, TMAP_NONE);
	tmap_machine_free(machine);
}

static void refuse(const char *a, const char *b, const char *c, const char *text,
		   int wanted_culprit, const char *message)
{
	struct tmap_machine *machine = nodes(a, b, c);
	char said[256];
	int culprit;

	ck_assert_int_lt(resolve(machine, text, said, &culprit), 0);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(err.text, message);
	ck_assert_int_eq(culprit, wanted_culprit);
	ck_assert_str_eq(machine->node_name[0], a);
	tmap_machine_free(machine);
}

START_TEST(known_names_mean_their_nodes)
{
	expect("a", "b", "c", "c a", "2 0 a b c ");
	expect("a.x", "b", "10.0.0.1", "a b.x 10.0.0.1", "0 1 2 a.x b 10.0.0.1 ");
	expect("a", "b", "c", "+n2 a +n0", "2 0 0 a b c ");
}
END_TEST

START_TEST(full_names_that_differ_are_different_hosts)
{
	expect("a.x", "a.y", "b", "a.y a.x", "1 0 a.x a.y b ");
	refuse("a.x", "b", "c", "b a.z", 1,
	       "host 'a.z' is not a node of the machine, though others "
	       "are");
	refuse("10.0.0.1", "b", "c", "b 10.0.0.2", 1,
	       "host '10.0.0.2' is not a node of the machine, "
	       "though others are");
}
END_TEST

START_TEST(a_short_name_of_several_nodes_is_refused)
{
	refuse("a.x", "a.y", "b", "b a", 1, "host 'a' could be several nodes: write its full name");
}
END_TEST

START_TEST(unknown_names_are_taken_in_order)
{
	expect("n0", "n1", "n2", "x y z", "0 1 2 x y z ");
	expect("n0", "n1", "n2", "y", "0 y n1 n2 ");
	expect("n0", "n1", "n2", "+n1 y", "1 0 y n1 n2 ");
	expect("n0", "n1", "n2", "+n1", "1 n0 n1 n2 ");
}
END_TEST

START_TEST(too_many_or_mixed_names_are_refused)
{
	refuse("n0", "n1", "n2", "w x y z", 3,
	       "host 'z' is one too many: the machine has 3 nodes "
	       "and none of these names");
	refuse("n0", "n1", "n2", "n2 y", 1,
	       "host 'y' is not a node of the machine, though others "
	       "are");
	refuse("n0", "n1", "n2", "+n3", 0, "host '+n3': the nodes are +n0 to +n2");
	refuse("n0", "n1", "n2", "+n99999999999999999999", 0,
	       "host '+n99999999999999999999': the nodes are +n0 to +n2");
}
END_TEST

START_TEST(masked_names_are_as_many_as_nodes)
{
	expect("n0", "n1", "n2", "[HOST] <a> nodeXX", "0 1 2 n0 n1 n2 ");
	expect("n0", "n1", "n2", "x nodeXX z", "0 1 2 x n1 z ");
	expect("n0", "[HOST]", "n2", "[HOST]", "1 n0 [HOST] n2 ");
	refuse("n0", "n1", "n2", "x n**", 1,
	       "host 'n**' stands for another name, and perhaps for several of the machine's 3 "
	       "nodes: write names in its place, or describe one node");
}
END_TEST

START_TEST(short_names_end_at_the_first_dot_but_not_addresses)
{
	ck_assert_uint_eq(tmap_host_short_length("a.b.c"), 1);
	ck_assert_uint_eq(tmap_host_short_length("node07"), 6);
	ck_assert_uint_eq(tmap_host_short_length("10.0.0.1"), 8);
	ck_assert_uint_eq(tmap_host_short_length("fe80::1"), 7);
	ck_assert_uint_eq(tmap_host_short_length("7.cluster"), 1);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("hosts");
	TCase *tc = tcase_create("hosts");

	tcase_add_test(tc, known_names_mean_their_nodes);
	tcase_add_test(tc, full_names_that_differ_are_different_hosts);
	tcase_add_test(tc, a_short_name_of_several_nodes_is_refused);
	tcase_add_test(tc, unknown_names_are_taken_in_order);
	tcase_add_test(tc, too_many_or_mixed_names_are_refused);
	tcase_add_test(tc, masked_names_are_as_many_as_nodes);
	tcase_add_test(tc, short_names_end_at_the_first_dot_but_not_addresses);
	suite_add_tcase(suite, tc);
	return suite;
}
