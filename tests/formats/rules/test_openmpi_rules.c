/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: files written by hand in the form that Open MPI's documentation shows. */
#include "formats/rules/openmpi_rules.h"

#include "core/library/library.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

START_TEST(a_file_of_the_documentation_is_read)
{
	static const char text[] = "rule-file-version-2\n"
				   "2   # num of collectives\n"
				   "3   # collective ID\n"
				   "1   # number of comm sizes\n"
				   "#=====================\n"
				   "64   # comm size\n"
				   "3   # number of rules\n"
				   "# Bytes   alg topo segs reqs\n"
				   "0            0 0 0 0\n"
				   "512000       4 0 0 64\n"
				   "1536000      4 0 0\n"
				   "7 1\n0 1 0 5 2 1024\n";
	struct tmap_rule_file file;

	ck_assert_int_eq(tmap_openmpi_rules_parse(&file, text, &err), 0);
	ck_assert_int_eq(file.version, 2);
	ck_assert_int_eq(file.version_line, 1);
	ck_assert_int_eq(file.count, 2);
	ck_assert_int_eq(file.collective[0].number, 3);
	ck_assert_int_eq(file.collective[0].line, 3);
	ck_assert_int_eq(file.collective[0].size[0].ranks, 64);
	ck_assert_int_eq(file.collective[0].size[0].count, 3);
	ck_assert_int_eq(file.collective[0].size[0].rule[1].bytes, 512000);
	ck_assert_int_eq(file.collective[0].size[0].rule[1].requests, 64);
	ck_assert_int_eq(file.collective[0].size[0].rule[1].line, 10);
	ck_assert_int_eq(file.collective[0].size[0].rule[2].requests, TMAP_NONE);
	ck_assert_int_eq(file.collective[1].size[0].count, 1);
	ck_assert_int_eq(file.collective[1].size[0].rule[0].algorithm, 5);
	ck_assert_int_eq(file.rest_line, 0);
	tmap_rule_file_fini(&file);
}
END_TEST

START_TEST(what_is_behind_the_last_rule_is_seen)
{
	struct tmap_rule_file file;

	ck_assert_int_eq(tmap_openmpi_rules_parse(&file, "1 0 1 2 1\n0 4 0 0\n\n# end\n7\n", &err),
			 0);
	ck_assert_int_eq(file.rest_line, 5);
	tmap_rule_file_fini(&file);
	ck_assert_int_eq(tmap_openmpi_rules_parse(&file, "0", &err), 0);
	tmap_rule_file_fini(&file);
}
END_TEST

START_TEST(a_comment_says_what_rules_were_made_for)
{
	static const char *const others[] = {
		"# made for openmpi4, placement 5c1e0a9b77d3f04\n0", /* too short */
		"# made for lammpi, placement 5c1e0a9b77d3f042\n0",
		"0 # made for openmpi4, placement 5c1e0a9b77d3f042\n", /* of another thing */
	};
	struct tmap_rule_file file;

	ck_assert_int_eq(tmap_openmpi_rules_parse(
				 &file,
				 "# by hand\n# made for openmpi5, placement 5c1e0a9b77d3f042\n0\n",
				 &err),
			 0);
	ck_assert_int_eq(file.origin.line, 2);
	ck_assert_str_eq(tmap_keywords_at(&tmap_libraries, (size_t)file.origin.library)->name,
			 "openmpi5");
	ck_assert_str_eq(file.origin.digest, "5c1e0a9b77d3f042");
	tmap_rule_file_fini(&file);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		ck_assert_int_eq(tmap_openmpi_rules_parse(&file, others[i], &err), 0);
		ck_assert_int_eq(file.origin.line, 0);
		tmap_rule_file_fini(&file);
	}
}
END_TEST

static void random_file(struct tmap_rule_file *file)
{
	*file = (struct tmap_rule_file){ .version = 1 + rand() % 2 };
	file->heading = strdup("a heading\n1 2 3\n\nof lines");
	for (int c = rand() % 4; c > 0; c--) {
		struct tmap_rule_collective *it = tmap_rule_file_add(file, rand() % 17, &err);

		it->note = rand() % 2 ? strdup("1 2 3 note") : NULL;
		for (int s = rand() % 4; s > 0; s--) {
			struct tmap_rule_size *size =
				tmap_rule_collective_add(it, rand() % 100, &err);

			size->note = rand() % 2 ? strdup("4 ranks") : NULL;
			for (int r = rand() % 5; r > 0; r--) {
				struct tmap_rule rule = { .bytes = (int64_t)rand() * rand(),
							  .algorithm = rand() % 10,
							  .fan = rand() % 5,
							  .segment = rand(),
							  .requests = TMAP_NONE };

				if (file->version == 2 && rand() % 2)
					rule.requests = rand() % 100;
				rule.note = rand() % 2 ? strdup("ring: 5 us for 1 B") : NULL;
				tmap_rule_size_add(size, &rule, &err);
			}
		}
	}
}

START_TEST(what_is_written_is_read_to_the_same)
{
	srand(7);
	for (int i = 0; i < 400; i++) {
		struct tmap_rule_file file, again;
		char *text = NULL;
		size_t length;
		FILE *out = open_memstream(&text, &length);

		random_file(&file);
		ck_assert_int_eq(tmap_openmpi_rules_write(&file, out, &err), 0);
		fclose(out);
		ck_assert_msg(tmap_openmpi_rules_parse(&again, text, &err) == 0, "%d: %s\n%s",
			      err.line, err.text, text);
		ck_assert(tmap_rule_file_is_equal(&file, &again));
		tmap_rule_file_fini(&file);
		tmap_rule_file_fini(&again);
		free(text);
	}
}
END_TEST

static const struct {
	const char *text;
	int line;
	const char *part;
} bad[] = {
	{ "", 1, "ends where the number of collectives" },
	{ "1\n17\n", 2, "no collective 17" },
	{ "1\n0\n1\n8\n2\n0 1 0 0\n", 7, "ends where a size of messages" },
	{ "1\n0\n1\n8\n1\n0 1 0\n# 0\n", 8, "ends where a segment" },
	{ "1\n0\n1\n8\n1\n0 -1 0 0\n", 6, "'-1' is no number from 0 on" },
	{ "1\n0\n1\n8\n1\n0 1k 0 0\n", 6, "'1k' is no number from 0 on" },
	{ "1\n0\n1\n8\n1\n010 1 0 0\n", 6, "octal" },
	{ "1\n0\n1\n8\n1\n0x4 1 0 0\n", 6, "octal" },
	{ "1\n0\n1\n8\n1\n99999999999999999999 1 0 0\n", 6, "too large" },
	{ "rule-file-version-3\n0\n", 1, "version 3 is not known" },
	{ "rule-file-version-\n0\n", 1, "a number is expected" },
	{ "# rules\nrule-file-version-2\n0\n", 2, "for the first line alone" },
	{ "collectives 1\n", 1, "'collectives' is no number" },
	{ " {\"rule_file_version\": 3}", 0, "JSON" },
};

START_TEST(files_that_the_library_cannot_read_are_refused_by_line)
{
	struct tmap_rule_file file;

	ck_assert_int_eq(tmap_openmpi_rules_parse(&file, bad[_i].text, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_int_eq(err.line, bad[_i].line);
	ck_assert_msg(strstr(err.text, bad[_i].part), "%s", err.text);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("rules of Open MPI");
	TCase *rules = tcase_create("rules");

	tcase_add_test(rules, a_file_of_the_documentation_is_read);
	tcase_add_test(rules, what_is_behind_the_last_rule_is_seen);
	tcase_add_test(rules, a_comment_says_what_rules_were_made_for);
	tcase_add_test(rules, what_is_written_is_read_to_the_same);
	tcase_add_loop_test(rules, files_that_the_library_cannot_read_are_refused_by_line, 0,
			    sizeof bad / sizeof *bad);
	suite_add_tcase(suite, rules);
	return suite;
}
