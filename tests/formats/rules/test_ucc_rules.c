/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the words of UCC_TL_UCP_TUNE as UCC's parser takes them, looked up here by a walk over the text that
 * knows nothing of the reader: a rule counts where bytes and ranks are in its ranges, and never two.
 */
#include "formats/rules/ucc_rules.h"

#include "core/base/keyword.h"
#include "core/library/ucc_algorithms.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static const struct tmap_rule *find(const struct tmap_rule_file *file, int number, int64_t ranks,
				    int64_t bytes)
{
	return tmap_rule_find(file, number, &(struct tmap_rule_comm){ .ranks = ranks }, bytes);
}

/* The algorithm that the text has for a call; "": none. Every rule must be of the one form that is written. */
static void look_up(char found[40], const char *text, const char *collective, long ranks,
		    long bytes)
{
	const char *at = strstr(text, "\nUCC_TL_UCP_TUNE=");

	found[0] = '\0';
	ck_assert_ptr_nonnull(at);
	ck_assert_ptr_null(strstr(at + 1, "\nUCC_TL_UCP_TUNE="));
	for (at = strchr(at, '='); at && *at && *at != '\n'; at = strpbrk(at, "#\n")) {
		char name[40], to[40], sizes[40], algorithm[40];
		long from, first, last;
		int length = 0, count;

		at++;
		if (!*at)
			break;
		count = sscanf(at, "%39[a-z_]:%ld-%39[0-9inf]:host:[%39[0-9inf-]]:@%39[a-z_]%n",
			       name, &from, to, sizes, algorithm, &length);
		ck_assert_int_eq(count, 5);
		ck_assert(at[length] == '#' || at[length] == '\n');
		ck_assert(strcmp(to, "inf") == 0 || atol(to) > from);
		count = sscanf(sizes, "%ld-%ld", &first, &last);
		ck_assert_int_ge(count, 1);
		if (strstr(sizes, "-inf"))
			last = INT64_MAX;
		else if (count == 1)
			last = first;
		if (strcmp(name, collective) != 0 || ranks < first || ranks > last ||
		    bytes < from || (strcmp(to, "inf") != 0 && bytes >= atol(to)))
			continue;
		ck_assert_str_eq(found, "");
		strcpy(found, algorithm);
	}
}

static void add(struct tmap_rule_size *size, int64_t bytes, int64_t algorithm)
{
	const struct tmap_rule rule = { .bytes = bytes, .algorithm = algorithm };

	ck_assert_int_eq(tmap_rule_size_add(size, &rule, &err), 0);
}

/* Of several sizes, with and without an end, and own choices between. */
static void file_make(struct tmap_rule_file *file)
{
	struct tmap_rule_collective *it = tmap_rule_file_add(file, 0, &err);
	struct tmap_rule_size *size = tmap_rule_collective_add(it, 0, &err);

	add(size, 0, 0);
	size = tmap_rule_collective_add(it, 4, &err);
	add(size, 0, 4);
	add(size, 4096, 0);
	add(size, 8192, 2);
	add(size, 65536, 3);
	size = tmap_rule_collective_add(it, 6, &err);
	add(size, 0, 0);
	add(size, 100, 5);
	add(size, 101, 0);
	it = tmap_rule_file_add(file, 3, &err);
	size = tmap_rule_collective_add(it, 2, &err);
	add(size, 0, 2);
	add(size, 129, 1);
}

START_TEST(what_is_written_is_what_was_meant_and_is_read_to_the_same)
{
	static const long ranks[] = { 1, 2, 3, 4, 5, 6, 7, 1000 };
	static const long bytes[] = { 0,    1,    99,   100,  101,   128,   129,     130,
				      4095, 4096, 8191, 8192, 65535, 65536, 1L << 40 };
	static const int numbers[] = { 0, 3 };
	struct tmap_rule_file file = { .version = 1 }, again = { 0 };
	size_t length = 0;
	char *text = NULL;
	FILE *out = open_memstream(&text, &length);

	file.heading = strdup("a heading\nUCC_TL_UCP_TUNE=not this\n");
	file_make(&file);
	ck_assert_int_eq(tmap_ucc_rules_write(&file, out, &err), 0);
	fclose(out);
	ck_assert_int_eq(tmap_ucc_rules_parse(&again, text, &err), 0);
	for (size_t n = 0; n < 2; n++)
		for (size_t r = 0; r < sizeof ranks / sizeof *ranks; r++)
			for (size_t b = 0; b < sizeof bytes / sizeof *bytes; b++) {
				const struct tmap_ucc_collective *row =
					tmap_ucc_collective_of(numbers[n]);
				const struct tmap_rule *meant =
					find(&file, numbers[n], ranks[r], bytes[b]);
				const struct tmap_rule *read =
					find(&again, numbers[n], ranks[r], bytes[b]);
				char found[40];

				look_up(found, text, row->word.name, ranks[r], bytes[b]);
				if (ranks[r] == 1 && numbers[n] == 3)
					continue; /* the first size is for fewer, too, in a file of rules */
				ck_assert_int_eq(meant->algorithm, read->algorithm);
				ck_assert_int_eq(tmap_ucc_algorithm_find(row, found, strlen(found)),
						 meant->algorithm);
			}
	tmap_rule_file_fini(&again);
	tmap_rule_file_fini(&file);
	free(text);
}
END_TEST

START_TEST(files_of_the_field_are_read)
{
	static const char text[] =
		"# tuned by hand\n"
		"UCC_CL_BASIC_TLS=^sharp,nccl\n"
		" UCC_TL_UCP_TUNE = Allreduce:0-4K:@0#allreduce:4k-inf:@sra_knomial"
		"#alltoall,alltoallv:cuda:@0#bcast:[2,8-16]:inf:@DBT#fanin:0  ; so\n"
		"[vendor=intel model=broadwell team_size=28 ppn=28 nnodes=1]\n"
		"UCC_TL_UCP_TUNE=allreduce:0-4k:@0\n";
	struct tmap_rule_file file;

	ck_assert_int_eq(tmap_ucc_rules_parse(&file, text, &err), 0);
	ck_assert_int_eq(file.count, 2);
	ck_assert_int_eq(find(&file, 2, 9, 4095)->algorithm, 1);
	ck_assert_int_eq(find(&file, 2, 9, 4096)->algorithm, 2);
	ck_assert_int_eq(find(&file, 7, 2, 0)->algorithm, 3);
	ck_assert_int_eq(find(&file, 7, 7, 0)->algorithm, 0);
	ck_assert_int_eq(find(&file, 7, 16, 0)->algorithm, 3);
	ck_assert_int_eq(find(&file, 7, 17, 0)->algorithm, 0);
	ck_assert_int_eq(file.collective[0].line, 3);
	tmap_rule_file_fini(&file);
}
END_TEST

/* What UCC's parser makes of values, and an algorithm that it has then, 0 for its own choice. */
static const struct {
	const char *value;
	int number;
	int64_t ranks, bytes, algorithm;
} taken[] = {
	/* a rule is refused by the last of its collectives, memories and bytes alone */
	{ "allgather:0-4k:@ring#allgather,alltoall:0-8k:@bruck", 0, 9, 4095, 2 },
	{ "allgather:0-4k:@ring#allgather,alltoall:0-8k:@bruck", 0, 9, 4096, 0 },
	{ "allgather:0-4k:@ring#allgather,alltoall:0-8k:@bruck", 3, 9, 8191, 2 },
	{ "allgather:0-4k,2k-8k,8k-inf:@ring", 0, 9, 4096, 0 },
	{ "allgather:0-4k,2k-8k,8k-inf:@ring", 0, 9, 8192, 2 },
	{ "allgather:4-4,0-4:@ring", 0, 9, 0, 2 },
	{ "allgather,allgather,alltoall:@0", 0, 9, 0, 1 },
	{ "allgather:cuda:@knomial#allgather:@bruck", 0, 9, 0, 4 },
	{ "bcast:[2-4]:@dbt#bcast,alltoall:0-4k:@0", 7, 3, 0, 3 },
	{ "bcast:[2-4]:@dbt#bcast,alltoall:0-4k:@0", 7, 5, 0, 1 },
	{ "bcast:[2-4]:@dbt#bcast,alltoall:0-4k:@0", 3, 3, 4095, 1 },
	/* ranks are in one of several ranges */
	{ "allgather:[2-4,3]:@ring", 0, 3, 0, 2 },
	{ "allgather:[2-4,3]:@ring", 0, 5, 0, 0 },
	/* what is empty is passed over */
	{ "allgather:0-4k::@ring", 0, 9, 0, 2 },
	{ "#allgather:@ring##", 0, 9, 0, 2 },
	{ "allgather,:host,:,0--4k-,:[,,2-,4--5]:@ring", 0, 2, 0, 2 },
	{ "allgather,:host,:,0--4k-,:[,,2-,4--5]:@ring", 0, 3, 0, 0 },
	{ "allgather,:host,:,0--4k-,:[,,2-,4--5]:@ring", 0, 5, 4096, 0 },
	{ "allgather:,:@ring", 0, 9, 0, 2 },
	{ "allgather:host:,:@ring", 0, 9, 0, 0 },
};

START_TEST(values_are_taken_as_ucc_takes_them)
{
	struct tmap_rule_file file;
	char text[200];

	sprintf(text, "UCC_TL_UCP_TUNE=%s\n", taken[_i].value);
	ck_assert_msg(tmap_ucc_rules_parse(&file, text, &err) == 0, "%s", err.text);
	ck_assert_int_eq(find(&file, taken[_i].number, taken[_i].ranks, taken[_i].bytes)->algorithm,
			 taken[_i].algorithm);
	tmap_rule_file_fini(&file);
}
END_TEST

static const struct {
	const char *text, *part;
	int line;
} bad[] = {
	{ "", "there is no line UCC_TL_UCP_TUNE", 0 },
	{ "[a]\nUCC_TL_UCP_TUNE=bcast:@dbt\n", "there is no line UCC_TL_UCP_TUNE", 0 },
	{ "UCC_TL_UCP_TUNE=bcast:@dbt\nUCC_TL_UCP_TUNE=bcast:@dbt\n",
	  "there twice, first in line 1", 2 },
	{ "UCC_TL_UCP_TUNE=bcast:@binary\n", "bcast has no algorithm 'binary'", 1 },
	{ "UCC_TL_UCP_TUNE=bcast:@3\n", "bcast has no algorithm '3'", 1 },
	{ "UCC_TL_UCP_TUNE=barrier:@knomial\n", "barrier has no algorithm 'knomial'", 1 },
	{ "UCC_TL_UCP_TUNE=bcast:4k:@dbt\n", "'4k' in 'bcast:4k:@dbt' is no collective", 1 },
	{ "UCC_TL_UCP_TUNE=bcast:[4:@dbt\n", "'[4' in", 1 },
	{ "UCC_TL_UCP_TUNE=bcast:[8-4]:@dbt\n", "'[8-4]' in", 1 },
	{ "UCC_TL_UCP_TUNE=bcast:4-4:@dbt\n", "has no bytes", 1 },
	{ "UCC_TL_UCP_TUNE=bcast:0-99999999999999999999:@dbt\n", "is no collective", 1 },
	{ "UCC_TL_UCP_TUNE=bcast:0-4k:@dbt#bcast:4095-8k:@0\n", "overlap", 1 },
	{ "UCC_TL_UCP_TUNE=bcast:[2-4]:@dbt#bcast:[4-8]:@0\n", "overlap", 1 },
	{ "UCC_TL_UCP_TUNE=10#bcast:@0\n", "overlap", 1 },
	{ "UCC_TL_UCP_TUNE=allgather,allgather:@ring\n",
	  "'allgather,allgather:@ring' and 'allgather,allgather:@ring' overlap", 1 },
	{ "UCC_TL_UCP_TUNE=allgather:@knomial#allgather:cuda:@bruck\n", "overlap", 1 },
	{ "UCC_TL_UCP_TUNE=allgather:rocm_managed:@knomial#allgather:@bruck\n", "overlap", 1 },
	{ "UCC_TL_UCP_TUNE=allgather:0-4,4-4:@ring\n", "has no bytes", 1 },
	{ "UCC_TL_UCP_TUNE=allgather:0-4k-8k:@ring\n", "'0-4k-8k' in", 1 },
	{ "UCC_TL_UCP_TUNE=allgather:[2,]:@ring\n", "'[2,]' in", 1 },
	{ "UCC_TL_UCP_TUNE=allgather:[2-4-5]:@ring\n", "'[2-4-5]' in", 1 },
};

START_TEST(what_ucc_does_not_take_is_refused_by_line)
{
	struct tmap_rule_file file;

	ck_assert_int_eq(tmap_ucc_rules_parse(&file, bad[_i].text, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_int_eq(err.line, bad[_i].line);
	ck_assert_msg(strstr(err.text, bad[_i].part), "%s", err.text);
}
END_TEST

START_TEST(too_many_ranges_together_are_refused)
{
	char text[4096] = "UCC_TL_UCP_TUNE=5:";
	struct tmap_rule_file file;

	for (int i = 0; i < 20; i++)
		sprintf(text + strlen(text), "%s%d-%d", i ? "," : "", i, i + 1);
	strcat(text, ":[");
	for (int i = 0; i < 20; i++)
		sprintf(text + strlen(text), "%s%d", i ? "," : "", i);
	strcat(text, "]\n");
	ck_assert_int_eq(tmap_ucc_rules_parse(&file, text, &err), -1);
	ck_assert_msg(strstr(err.text, "more than 1024"), "%s", err.text);
}
END_TEST

START_TEST(more_than_a_line_has_room_for_is_refused)
{
	struct tmap_rule_file file = { .version = 1 };
	struct tmap_rule_collective *it = tmap_rule_file_add(&file, 0, &err);
	FILE *out = fopen("/dev/null", "w");

	for (int r = 2; r < 400; r++)
		add(tmap_rule_collective_add(it, r, &err), 0, 1);
	ck_assert_int_eq(tmap_ucc_rules_write(&file, out, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_msg(strstr(err.text, "reads no more than 8191 of a line"), "%s", err.text);
	fclose(out);
	tmap_rule_file_fini(&file);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("rules of UCC");
	TCase *rules = tcase_create("rules");

	tcase_add_test(rules, what_is_written_is_what_was_meant_and_is_read_to_the_same);
	tcase_add_test(rules, files_of_the_field_are_read);
	tcase_add_loop_test(rules, values_are_taken_as_ucc_takes_them, 0,
			    sizeof taken / sizeof *taken);
	tcase_add_loop_test(rules, what_ucc_does_not_take_is_refused_by_line, 0,
			    sizeof bad / sizeof *bad);
	tcase_add_test(rules, too_many_ranges_together_are_refused);
	tcase_add_test(rules, more_than_a_line_has_room_for_is_refused);
	suite_add_tcase(suite, rules);
	return suite;
}
