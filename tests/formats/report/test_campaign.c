/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Campaigns. Oracles: calls written down here; a line that is wrong in one place, and what is said of
 * it; what was measured, written by the writer of times.
 */
#include "formats/report/times/campaign.h"
#include "formats/report/times/times_report.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

START_TEST(columns_stand_in_any_order_and_may_be_left_out)
{
	struct tmap_campaign campaign;
	const struct tmap_experiment *it;

	ck_assert_int_eq(
		tmap_campaign_parse(&campaign,
				    "# a comment\n\nalgorithm,bytes,collective,repetitions\n"
				    "\"bruck,radix=4\",64k,allgather,7\n"
				    "\"a \"\"b\"\"\",,barrier\n",
				    &err),
		0);
	ck_assert_int_eq(campaign.count, 2);
	it = &campaign.line[0].call;
	ck_assert_int_eq(campaign.line[0].number, 4);
	ck_assert_str_eq(it->algorithm, "bruck,radix=4");
	ck_assert_int_eq(it->collective, TMAP_ALLGATHER);
	ck_assert_int_eq(it->mode, TMAP_BLOCKING);
	ck_assert_int_eq(it->bytes, 65536);
	ck_assert_int_eq(it->root, 0);
	ck_assert_int_eq(it->repetitions, 7);
	it = &campaign.line[1].call;
	ck_assert_int_eq(campaign.line[1].number, 5);
	ck_assert_str_eq(it->algorithm, "a \"b\"");
	ck_assert_int_eq(it->bytes, 0);
	ck_assert_int_eq(it->repetitions, 0);
	tmap_campaign_fini(&campaign);
	tmap_campaign_fini(&campaign);
}
END_TEST

START_TEST(what_was_measured_is_a_campaign)
{
	double run = 1e-6;
	struct tmap_experiment measured = { .collective = TMAP_BCAST,
					    .algorithm = (char *)"knomial,radix=3",
					    .mode = TMAP_PERSISTENT,
					    .bytes = 12345,
					    .root = 3,
					    .repetitions = 50,
					    .run_count = 1,
					    .run = &run };
	struct tmap_times times = { .count = 1, .experiment = &measured };
	struct tmap_campaign campaign;
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	ck_assert_int_eq(tmap_csv_write_times(out, &times, &err), 0);
	fclose(out);
	ck_assert_msg(tmap_campaign_parse(&campaign, text, &err) == 0, "%s", err.text);
	ck_assert_int_eq(campaign.count, 1);
	ck_assert_int_eq(tmap_experiment_compare(&campaign.line[0].call, &measured), 0);
	ck_assert_int_eq(campaign.line[0].call.repetitions, 50);
	tmap_campaign_fini(&campaign);
	free(text);
}
END_TEST

static const struct {
	const char *text, *wanted;
	int line;
} wrong[] = {
	{ "", "it has no line with an experiment", 0 },
	{ "collective,algorithm\n", "it has no line with an experiment", 0 },
	{ "collective,bytes\nbcast,8\n", "there is no column algorithm", 1 },
	{ "algorithm\n", "there is no column collective", 1 },
	{ "collective,algorithm,size\n",
	  "unknown column 'size' (one of: collective, algorithm, mode, bytes, root, repetitions)",
	  1 },
	{ "collective,algorithm,root,root\n", "column root stands there twice", 1 },
	{ "collective,algorithm\nbcast,native,8\n", "it has 3 fields, and there are 2 columns", 2 },
	{ "collective,algorithm\n\nbcast,native\n", "there are no bytes of bcast", 3 },
	{ "collective,algorithm,bytes\n,native,8\n", "there is no collective", 2 },
	{ "collective,algorithm,bytes\nbcast,,8\n", "there is no algorithm", 2 },
	{ "collective,algorithm,bytes\nbcast,native,8x\n", "bytes: size '8x'", 2 },
	{ "collective,algorithm,bytes\nbarrier,native,8\n", "a barrier has no bytes", 2 },
	{ "collective,algorithm,bytes\ngossip,native,8\n", "unknown collective 'gossip'", 2 },
	{ "collective,algorithm,bytes,mode\nbcast,native,8,never\n", "unknown mode 'never'", 2 },
	{ "collective,algorithm,bytes,root\nbcast,native,8,-1\n", "root: -1 is not between 0 and",
	  2 },
	{ "collective,algorithm,bytes,root\nallgather,ring,8,1\n", "allgather has no root", 2 },
	{ "collective,algorithm,bytes,repetitions\nbcast,native,8,0\n",
	  "repetitions: 0 is not between 1 and", 2 },
	{ "collective,algorithm\nbarrier,\"native\n", "a quotation mark is missing", 2 },
	{ "collective,algorithm\nbarrier,\"native\"s\n",
	  "a comma is expected behind a quotation mark", 2 },
	{ "collective,algorithm\nbarrier,na\ttive\n", "has characters that are not printable", 2 },
};

START_TEST(what_is_wrong_is_said_with_its_line)
{
	struct tmap_campaign campaign;

	ck_assert_int_eq(tmap_campaign_parse(&campaign, wrong[_i].text, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_int_eq(err.line, wrong[_i].line);
	ck_assert_msg(strstr(err.text, wrong[_i].wanted) != NULL, "'%s' is not in '%s'",
		      wrong[_i].wanted, err.text);
	ck_assert_int_eq(campaign.count, 0);
}
END_TEST

START_TEST(lines_are_only_so_long)
{
	struct tmap_campaign campaign;
	char text[1024] = "collective,algorithm\nbarrier,";
	size_t length = strlen(text);

	memset(text + length, 'a', 255);
	ck_assert_int_eq(tmap_campaign_parse(&campaign, text, &err), 0);
	tmap_campaign_fini(&campaign);
	memset(text + length, 'a', 256);
	ck_assert_int_eq(tmap_campaign_parse(&campaign, text, &err), -1);
	ck_assert_str_eq(err.text, "a field has more than 255 characters");
	memset(text, ',', 64);
	text[64] = '\0';
	ck_assert_int_eq(tmap_campaign_parse(&campaign, text, &err), -1);
	ck_assert_str_eq(err.text, "it has more than 64 fields");
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("campaign");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, columns_stand_in_any_order_and_may_be_left_out);
	tcase_add_test(tc, what_was_measured_is_a_campaign);
	tcase_add_loop_test(tc, what_is_wrong_is_said_with_its_line, 0,
			    (int)(sizeof wrong / sizeof *wrong));
	tcase_add_test(tc, lines_are_only_so_long);
	suite_add_tcase(suite, tc);
	return suite;
}
