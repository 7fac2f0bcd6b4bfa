/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the words of a file, made here from a table of rules, and looked up in that table as the library's own
 * documentation has it: the last place of a collective, there the last list of the level, there the last size of
 * communicators that is at most theirs, there the last bytes that are at most those of the call.
 */
#include "formats/rules/han_rules.h"

#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

/* A rule a line, those of one list behind each other. */
struct row {
	int place, number, level, ranks;
	long bytes;
	int component;
};

static const struct row table[] = {
	{ 0, 7, 2, 1, 0, 6 },  { 0, 7, 2, 1, 64, 3 }, { 1, 0, 1, 1, 0, 3 },
	{ 1, 0, 2, 1, 0, 6 },  { 1, 0, 2, 4, 1, 3 },  { 1, 0, 2, 4, 4096, 6 },
	{ 1, 0, 2, 9, 0, 1 },  { 2, 7, 0, 1, 0, 4 },  { 2, 7, 2, 1, 0, 3 },
	{ 2, 7, 2, 16, 0, 3 }, { 2, 7, 2, 16, 8, 2 }, { 2, 7, 2, 16, 4, 6 },
	{ 2, 7, 2, 12, 0, 5 }, { 3, 11, 2, 1, 0, 3 }, { 3, 11, 2, 1, 100, 6 },
	{ 4, 11, 1, 1, 0, 2 }, { 5, 15, 2, 1, 0, 3 }, { 5, 15, 2, 1, 7, 6 },
	{ 5, 15, 2, 5, 0, 6 },
};

enum { ROWS = sizeof table / sizeof *table };

static bool row_is_of(const struct row *a, const struct row *b, int parts)
{
	return a->place == b->place && (parts < 2 || a->level == b->level) &&
		(parts < 3 || a->ranks == b->ranks);
}

/* How many different parts there are of the one that row @p at is in. */
static int count_parts(int at, int parts)
{
	int count = 0;

	for (int i = at; i < ROWS && (parts == 0 || row_is_of(&table[i], &table[at], parts)); i++)
		count += i == at || parts == 3 || !row_is_of(&table[i], &table[i - 1], parts + 1);
	return count;
}

static char *text_make(void)
{
	size_t length = 0;
	char *text = NULL;
	FILE *out = open_memstream(&text, &length);

	fprintf(out, "# 7 han\n%d\n", count_parts(0, 0));
	for (int i = 0; i < ROWS; i++) {
		if (i == 0 || !row_is_of(&table[i], &table[i - 1], 1))
			fprintf(out, "%d # a collective\n%d\n", table[i].number, count_parts(i, 1));
		if (i == 0 || !row_is_of(&table[i], &table[i - 1], 2))
			fprintf(out, "%d\t%d\n", table[i].level, count_parts(i, 2));
		if (i == 0 || !row_is_of(&table[i], &table[i - 1], 3))
			fprintf(out, "%d\n%d\n", table[i].ranks, count_parts(i, 3));
		fprintf(out, "%ld %s # tuned\n", table[i].bytes,
			tmap_keywords_at(&tmap_han_components, (size_t)table[i].component)->name);
	}
	fclose(out);
	return text;
}

/* The component of the global level; -1: none. */
static int look_up(int number, int ranks, long bytes)
{
	int place = -1, size = -1, found = -1;

	for (int i = 0; i < ROWS; i++)
		if (table[i].number == number)
			place = table[i].place;
	for (int i = 0; i < ROWS; i++)
		if (table[i].place == place && table[i].level == 2 && table[i].ranks <= ranks)
			size = table[i].ranks;
	for (int i = 0; i < ROWS; i++)
		if (table[i].place == place && table[i].level == 2 && table[i].ranks == size &&
		    table[i].bytes <= bytes)
			found = table[i].component;
	return found;
}

static void check_all(const struct tmap_rule_file *file)
{
	static const int numbers[] = { 0, 1, 7, 11, 15 };
	int seen = 0;

	for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
		for (int ranks = 1; ranks < 20; ranks++)
			for (long bytes = 0; bytes < 4100; bytes += bytes < 130 ? 1 : 97) {
				const struct tmap_rule_comm comm = { .ranks = ranks };
				const struct tmap_rule *rule =
					tmap_rule_find(file, numbers[n], &comm, bytes);
				int wanted = look_up(numbers[n], ranks, bytes);

				ck_assert_int_eq(rule ? rule->algorithm : -1, wanted);
				seen += wanted >= 0;
			}
	ck_assert_int_gt(seen, 1000);
}

START_TEST(rules_are_looked_up_as_the_library_does)
{
	struct tmap_rule_file file, again;
	char *text = text_make(), *written = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&written, &length);

	ck_assert(tmap_han_rules_are(text));
	ck_assert_int_eq(tmap_han_rules_parse(&file, text, &err), 0);
	check_all(&file);
	ck_assert_int_eq(tmap_han_rules_write(&file, out, &err), 0);
	fclose(out);
	ck_assert_int_eq(tmap_han_rules_parse(&again, written, &err), 0);
	ck_assert(tmap_rule_file_is_equal(&file, &again));
	check_all(&again);
	tmap_rule_file_fini(&again);
	tmap_rule_file_fini(&file);
	free(written);
	free(text);
}
END_TEST

START_TEST(names_algorithms_and_segments_are_read)
{
	struct tmap_rule_file file;
	const struct tmap_rule *rule;

	ck_assert_int_eq(
		tmap_han_rules_parse(&file,
				     "1 allreduce 2 intra_node 1 1 1 0 sm [4096\n65536]\n"
				     "global_communicator 1 1 2 0 han @reproducible 9 han @1 [ ]",
				     &err),
		0);
	ck_assert_int_eq(file.count, 2);
	ck_assert_int_eq(file.collective[0].level, TMAP_HAN_INTRA);
	ck_assert_int_eq(file.collective[1].line, 1);
	ck_assert_int_eq(file.collective[1].level_line, 3);
	rule = tmap_rule_find(&file, 2, &(struct tmap_rule_comm){ .ranks = 8 }, 8);
	ck_assert_int_eq(rule->fan, 3);
	rule = tmap_rule_find(&file, 2, &(struct tmap_rule_comm){ .ranks = 8 }, 9);
	ck_assert_int_eq(rule->fan, 1);
	tmap_rule_file_fini(&file);
}
END_TEST

START_TEST(files_of_coll_tuned_are_not_taken_for_such)
{
	ck_assert(!tmap_han_rules_are(""));
	ck_assert(!tmap_han_rules_are("1\n7\n1\n8\n1\n0 6 0 0 # han\n"));
	ck_assert(!tmap_han_rules_are("1 7 tuned2 hand"));
	ck_assert(tmap_han_rules_are("1 7 libnbc"));
}
END_TEST

static const struct {
	const char *text, *part;
	int line;
} bad[] = {
	{ "", "the file ends where a number of collectives", 1 },
	{ "0", "'0' is no number of collectives", 1 },
	{ "1\n17 1 2 1 1 1 0 han", "'17' is no collective", 2 },
	{ "1\n7\n1\nglobal 1 1 1 0 han", "'global' is no level", 4 },
	{ "1\n7\n1\n2\n1\n0\n1\n0 han", "'0' is no number of ranks", 6 },
	{ "1\n7\n1\n2\n1\n1\n1\n08 han", "'08' is no number of bytes", 8 },
	{ "1\n7\n1\n2\n1\n1\n1\n8k han", "'8k' is no number of bytes", 8 },
	{ "1\n7\n1\n2\n1\n1\n1\n-8 han", "'-8' is no number of bytes", 8 },
	{ "1\n7\n1\n2\n1\n1\n1\n99999999999999999999 han", "is no number of bytes", 8 },
	{ "1\n7\n1\n2\n1\n1\n1\n0 3", "'3' is no component", 8 },
	{ "1\n7\n1\n2\n1\n1\n1\n0 han@simple", "'han@simple' is no component", 8 },
	{ "1\n7\n1\n2\n1\n1\n1\n0 han @tree", "'tree' is no algorithm of coll/han", 8 },
	{ "1\n7\n1\n2\n1\n1\n1\n0 han @3", "'3' is no algorithm of coll/han", 8 },
	{ "1\n7\n1\n2\n1\n1\n1\n0 han [64", "the file ends where a segment", 8 },
	{ "1\n7\n1\n2\n1\n1\n1\n0 a_component_that_is_longer_than_there_is_room_for_in_a_word",
	  "is no component", 8 },
};

START_TEST(what_the_library_does_not_read_is_refused_by_line)
{
	struct tmap_rule_file file;

	ck_assert_int_eq(tmap_han_rules_parse(&file, bad[_i].text, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_int_eq(err.line, bad[_i].line);
	ck_assert_msg(strstr(err.text, bad[_i].part), "%s", err.text);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("rules of coll/han");
	TCase *rules = tcase_create("rules");

	tcase_add_test(rules, rules_are_looked_up_as_the_library_does);
	tcase_add_test(rules, names_algorithms_and_segments_are_read);
	tcase_add_test(rules, files_of_coll_tuned_are_not_taken_for_such);
	tcase_add_loop_test(rules, what_the_library_does_not_read_is_refused_by_line, 0,
			    sizeof bad / sizeof *bad);
	suite_add_tcase(suite, rules);
	return suite;
}
