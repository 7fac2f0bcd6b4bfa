/* SPDX-License-Identifier: BSD-3-Clause */
/* Host lists. Oracles: literal expansions, and print-then-parse is the identity on names that
 * follow no pattern of the printer's making. */
#include "core/base/hostlist.h"

#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

/* The names with a blank between; the caller frees. */
static char *join(const struct tmap_hostlist *list)
{
	struct tmap_str text = TMAP_STR_INIT;

	for (size_t i = 0; i < list->count; i++)
		tmap_str_addf(&text, "%s%s", i ? " " : "", tmap_hostlist_name(list, i));
	return tmap_str_take(&text, &err);
}

static char *print(const struct tmap_hostlist *list)
{
	struct tmap_str text = TMAP_STR_INIT;

	tmap_hostlist_print(list, &text);
	return tmap_str_take(&text, &err);
}

/* text, the names it stands for, and how they are printed (NULL: as the text was) */
static const struct {
	const char *text, *names, *printed;
} lists[] = {
	{ "login", "login", NULL },
	{ "n0", "n0", NULL },
	{ "n[0-3,07],login", "n0 n1 n2 n3 n07 login", NULL },
	{ "n[8-11]", "n8 n9 n10 n11", NULL },
	{ "n[08-11]", "n08 n09 n10 n11", NULL },
	{ "n[098-101]", "n098 n099 n100 n101", NULL },
	{ "n[98-0101]", "n98 n99 n100 n101", "n[98-101]" },
	{ "n[3,2,1]", "n3 n2 n1", NULL },
	{ "n[1,1]", "n1 n1", NULL },
	{ "n1,n2,n4,m5,m6", "n1 n2 n4 m5 m6", "n[1-2,4],m[5-6]" },
	{ "r[0-1]n[00-01]", "r0n00 r0n01 r1n00 r1n01", "r0n[00-01],r1n[00-01]" },
	{ "n[0-2]-ib", "n0-ib n1-ib n2-ib", NULL },
	{ "n[5]", "n5", "n5" },
	{ "n09,n10,n011", "n09 n10 n011", "n[09-10,011]" },
	{ "n9,n010", "n9 n010", "n[9,010]" },
	{ "n007,n08", "n007 n08", "n[007,08]" },
	{ "[0-1]", "0 1", NULL },
	{ "n12345678901234567890,n12345678901234567891",
	  "n12345678901234567890 n12345678901234567891", NULL },
};

static const struct {
	const char *text, *names;
	int slots[4]; /* 0: there are none */
} hosts[] = {
	{ "a:4,b:2", "a b", { 4, 2 } },
	{ "n[0-1]:8,m:1", "n0 n1 m", { 8, 8, 1 } },
	{ "n[0-1]-ib:3", "n0-ib n1-ib", { 3, 3 } },
	{ "a,b", "a b", { 0 } },
	/* the rest as mpirun of Open MPI 4.1.4 and 5.0.7 and mpiexec of MPICH 4.0.2 count them */
	{ "a:4,b", "a b", { 4, 1 } },
	{ "a,b:3", "a b", { 1, 3 } },
	{ "n[0-1],m:2", "n0 n1 m", { 1, 1, 2 } },
};

START_TEST(hosts_may_have_slots)
{
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT;
	int *slots;
	char *names;

	ck_assert_int_eq(tmap_hostlist_parse_slots(&list, &slots, hosts[_i].text, 64, &err), 0);
	names = join(&list);
	ck_assert_str_eq(names, hosts[_i].names);
	ck_assert((slots != NULL) == (hosts[_i].slots[0] != 0));
	for (size_t i = 0; slots && i < list.count; i++)
		ck_assert_int_eq(slots[i], hosts[_i].slots[i]);
	free(names);
	free(slots);
	tmap_hostlist_fini(&list);
}
END_TEST

static const struct {
	const char *text, *sentence;
} not_hosts[] = {
	{ "a:0", "host list 'a:0': the slots of 'a': 0 is not between 1 and 64" },
	{ "a,b:65", "host list 'a,b:65': the slots of 'b': 65 is not between 1 and 64" },
	{ "a:", "host list 'a:': the slots of 'a': '' is not a whole number" },
	{ "a:4,", "host list 'a:4,': host list '': a name is empty" },
	{ "n[0:4", "host list 'n[0:4': host list 'n[0:4': '[' is not closed" },
};

START_TEST(slots_that_are_none_are_refused)
{
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT;
	int *slots = NULL;

	ck_assert_int_eq(tmap_hostlist_parse_slots(&list, &slots, not_hosts[_i].text, 64, &err),
			 -1);
	ck_assert_str_eq(err.text, not_hosts[_i].sentence);
	ck_assert_ptr_null(slots);
	ck_assert_uint_eq(list.count, 0);
}
END_TEST

START_TEST(a_list_stands_for_its_names_and_is_printed_short)
{
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT;
	char *names, *printed;

	ck_assert_int_eq(tmap_hostlist_parse(&list, lists[_i].text, &err), 0);
	names = join(&list);
	printed = print(&list);
	ck_assert_str_eq(names, lists[_i].names);
	ck_assert_str_eq(printed, lists[_i].printed ? lists[_i].printed : lists[_i].text);
	free(names);
	free(printed);
	tmap_hostlist_fini(&list);
}
END_TEST

static const struct {
	const char *text, *sentence;
} wrong[] = {
	{ "", "host list '': a name is empty" },
	{ "a,", "host list 'a,': a name is empty" },
	{ "a,,b", "host list 'a,,b': a name is empty" },
	{ "n[0-3", "host list 'n[0-3': '[' is not closed" },
	{ "n[0[1]]", "host list 'n[0[1]]': '[' is not closed before '[1]]'" },
	{ "n]", "host list 'n]': unexpected ']'" },
	{ "a b", "host list 'a b': unexpected ' b'" },
	{ "n[]", "host list 'n[]': a number is expected at ']'" },
	{ "n[a]", "host list 'n[a]': a number is expected at 'a]'" },
	{ "n[1-]", "host list 'n[1-]': a number is expected at ']'" },
	{ "n[1,]", "host list 'n[1,]': ',' and a number are expected at ',]'" },
	{ "n[1;2]", "host list 'n[1;2]': ',' and a number are expected at ';2]'" },
	{ "n[3-1]", "host list 'n[3-1]': the range at '3-1]' runs backwards" },
	{ "n[0-999999999999]",
	  "host list 'n[0-999999999999]': it stands for more than 4194304 names" },
	{ "n[0-999999][0-999999][0-999999][0-999999]",
	  "host list 'n[0-999999][0-999999][0-999999][0-999999]': it stands for more than "
	  "4194304 names" },
	{ "n[0-999][0-999999999999999999]",
	  "host list 'n[0-999][0-999999999999999999]': it stands for more than 4194304 names" },
	{ "n[9999999999999999999]",
	  "host list 'n[9999999999999999999]': the number at "
	  "'9999999999999999999]' has more than 18 digits" },
	{ "n[0-4194303],m", "host list 'n[0-4194303],m': it stands for more than 4194304 names" },
};

START_TEST(what_is_no_list_is_refused_and_leaves_the_old_one)
{
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT;

	ck_assert_int_eq(tmap_hostlist_parse(&list, "old", &err), 0);
	ck_assert_int_eq(tmap_hostlist_parse(&list, wrong[_i].text, &err), -1);
	ck_assert_str_eq(err.text, wrong[_i].sentence);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_uint_eq(list.count, 1);
	tmap_hostlist_fini(&list);
}
END_TEST

START_TEST(a_long_name_is_refused_before_there_are_many_of_it)
{
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT;
	char text[300];

	memset(text, 'n', sizeof text);
	strcpy(text + 255, "[0-9]");
	ck_assert_int_eq(tmap_hostlist_parse(&list, text, &err), 0);
	ck_assert_uint_eq(list.count, 10);
	strcpy(text + 255, "n[0-4000000]");
	ck_assert_int_eq(tmap_hostlist_parse(&list, text, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_ptr_nonnull(strstr(err.text, " bytes; the most are 255"));
	ck_assert_uint_eq(list.count, 10);
	tmap_hostlist_fini(&list);
}
END_TEST

START_TEST(a_whole_machine_is_one_bracket)
{
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT;
	char name[32], *printed;

	for (int i = 0; i < 43808; i++) {
		snprintf(name, sizeof name, "n%d", i);
		ck_assert_int_eq(tmap_hostlist_add(&list, name, &err), 0);
	}
	printed = print(&list);
	ck_assert_str_eq(printed, "n[0-43807]");
	free(printed);
	tmap_hostlist_fini(&list);
}
END_TEST

START_TEST(random_names_are_read_back_as_they_were)
{
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT, back = TMAP_HOSTLIST_INIT;
	char name[32], *printed, *names, *names_back;

	srand((unsigned)_i);
	for (int i = 0; i < 200; i++) {
		int value = rand() % 120;

		snprintf(name, sizeof name, rand() % 3 ? "a%0*d%s" : "b1c%0*d%s", rand() % 4, value,
			 rand() % 4 ? "" : ".x");
		ck_assert_int_eq(tmap_hostlist_add(&list, name, &err), 0);
		for (int follow = rand() % 4; follow; follow--) {
			snprintf(name, sizeof name, "a%02d", ++value);
			ck_assert_int_eq(tmap_hostlist_add(&list, name, &err), 0);
		}
	}
	printed = print(&list);
	ck_assert_int_eq(tmap_hostlist_parse(&back, printed, &err), 0);
	names = join(&list);
	names_back = join(&back);
	ck_assert_str_eq(names, names_back);
	free(printed);
	free(names);
	free(names_back);
	tmap_hostlist_fini(&list);
	tmap_hostlist_fini(&back);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("hostlist");
	TCase *tcase = tcase_create("hostlist");

	tcase_add_loop_test(tcase, hosts_may_have_slots, 0, sizeof hosts / sizeof hosts[0]);
	tcase_add_loop_test(tcase, slots_that_are_none_are_refused, 0,
			    sizeof not_hosts / sizeof not_hosts[0]);
	tcase_add_loop_test(tcase, a_list_stands_for_its_names_and_is_printed_short, 0,
			    sizeof lists / sizeof lists[0]);
	tcase_add_loop_test(tcase, what_is_no_list_is_refused_and_leaves_the_old_one, 0,
			    sizeof wrong / sizeof wrong[0]);
	tcase_add_test(tcase, a_long_name_is_refused_before_there_are_many_of_it);
	tcase_add_test(tcase, a_whole_machine_is_one_bracket);
	tcase_add_loop_test(tcase, random_names_are_read_back_as_they_were, 0, 50);
	suite_add_tcase(suite, tcase);
	return suite;
}
