/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: the published constants, by hand for a few messages. */
#include "core/cost/profile.h"

#include "tests/unit.h"

#include <math.h>
#include <string.h>

#define ROW(distance_, below_) \
	{ \
		.distance = (distance_), .below_bytes = (below_), .latency_s = 1, .byte_s = 1 \
	}

static struct tmap_error err;

static double seconds(const struct tmap_profile *profile, double distance, int64_t bytes)
{
	const struct tmap_profile_row *row = tmap_profile_find(profile, distance, bytes);

	return row->latency_s + (double)bytes * row->byte_s;
}

START_TEST(published_profiles_are_well_formed)
{
	const struct tmap_keyword *word;

	for (int i = 0; (word = tmap_keywords_at(&tmap_profiles, (size_t)i)); i++) {
		ck_assert_msg(tmap_profile_check(tmap_profile_at(i), &err) == 0, "%s", err.text);
		ck_assert(tmap_profile_at(i)->memory_byte_s > 0);
		ck_assert_ptr_nonnull(tmap_profile_at(i)->source);
	}
}
END_TEST

static int count_of(const char *text, const char *part)
{
	int count = 0;

	while ((text = strstr(text, part)) != NULL) {
		text += strlen(part);
		count++;
	}
	return count;
}

/* All have the same members, and say of each where it comes from: once. */
START_TEST(published_profiles_are_of_one_form_and_cite_their_sources)
{
	static const char *const said[] = { "Memory: ", "Between nodes: ", "Messages: ",
					    "Within nodes: ", "Between packages: " };

	for (int i = 0; tmap_keywords_at(&tmap_profiles, (size_t)i); i++) {
		const struct tmap_profile *p = tmap_profile_at(i);
		bool has_package = false;

		ck_assert_ptr_nonnull(p->date);
		ck_assert(*p->word.summary);
		ck_assert(p->adapter_byte_s > 0 && p->copy_byte_s > 0 && p->reduce_byte_s > 0);
		ck_assert_int_eq(p->row[0].distance, 1);
		ck_assert_int_ge(p->row[p->row_count - 1].distance, TMAP_PROFILE_OTHER_NODE);
		for (int r = 0; r < p->row_count; r++) {
			ck_assert_msg(p->row[r].overhead_s > 0, "%s, row %d", p->word.name, r);
			ck_assert_int_ne(p->row[r].protocol, TMAP_PROTOCOL_UNKNOWN);
		}
		/* what can be looked up: a revision, a gist, a paper, a page */
		ck_assert_msg(strstr(p->source, "@") || strstr(p->source, "gist ") ||
				      strstr(p->source, "arXiv") || strstr(p->source, "docs."),
			      "%s", p->source);
		for (size_t s = 0; s < sizeof said / sizeof *said; s++)
			ck_assert_msg(count_of(p->source, said[s]) <= 1, "%s: %s", p->word.name,
				      p->source);
		for (int l = 0; l < p->link_count; l++)
			has_package = has_package || strcmp(p->link[l].level, "package") == 0;
		ck_assert_msg(has_package ==
				      (strstr(p->source, "Between packages: ") ||
				       strstr(p->source, "Between sockets: ")),
			      "%s: %s", p->word.name, p->source);
	}
}
END_TEST

START_TEST(messages_cost_what_was_measured)
{
	const struct tmap_profile *summit = tmap_profile_at(0);

	ck_assert_double_eq_tol(seconds(summit, 1, 0), 0.48e-6, 1e-15);
	ck_assert_double_eq_tol(seconds(summit, 2, 255), 0.48e-6 + 255 * 0.5e-9, 1e-15);
	ck_assert_double_eq_tol(seconds(summit, 3, 256), 1.18e-6 + 256 * 0.233e-9, 1e-15);
	ck_assert_double_eq_tol(seconds(summit, 4, 16384), 2.8e-6 + 16384 * 0.066e-9, 1e-15);
	ck_assert_double_eq_tol(seconds(summit, 6, 1 << 20), 4.7e-6 + (1 << 20) * 0.161e-9, 1e-12);
	ck_assert_double_eq_tol(seconds(summit, 7, 100), 1.5e-6, 1e-15);
	ck_assert_double_eq_tol(seconds(summit, 7, 16383), 1.9e-6 + 16383 * 0.422e-9, 1e-15);
	/* two switches of 90 ns more, and four */
	ck_assert_double_eq_tol(seconds(summit, 8, 16383), 2.08e-6 + 16383 * 0.422e-9, 1e-15);
	ck_assert_double_eq_tol(seconds(summit, 12, 16383), 2.26e-6 + 16383 * 0.422e-9, 1e-15);
	ck_assert_double_eq_tol(seconds(summit, 0.5, INT64_MAX),
				2.8e-6 + (double)INT64_MAX * 0.066e-9, 1);
}
END_TEST

static void refuses(const struct tmap_profile_row *rows, int count, const char *message)
{
	struct tmap_profile profile = { .row_count = count, .row = rows };

	ck_assert_int_eq(tmap_profile_check(&profile, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(err.text, message);
}

START_TEST(malformed_profiles_are_refused)
{
	struct tmap_profile_row rows[] = { ROW(1, 100), ROW(1, INT64_MAX), ROW(3, INT64_MAX) };
	struct tmap_profile profile = { .row_count = 3, .row = rows, .memory_byte_s = NAN };

	refuses(rows, 0, "the cost profile has costs of no distance");
	refuses(rows, 1,
		"row 0 of the cost profile: distance 1 has no row for messages of 100 "
		"bytes");
	rows[1].below_bytes = 100;
	refuses(rows, 3,
		"row 1 of the cost profile: the sizes of distance 1 do not rise at 100 "
		"bytes");
	rows[1].below_bytes = INT64_MAX;
	rows[2].distance = 0;
	refuses(rows, 3, "row 2 of the cost profile: distance 0 is below 1");
	rows[2] = (struct tmap_profile_row)ROW(2, INT64_MAX);
	rows[2].latency_s = -1;
	refuses(rows, 3,
		"row 2 of the cost profile: the latency, -1, is not in 1e-15 to 1000 seconds, nor "
		"0");
	rows[2].latency_s = 1;
	rows[2].byte_s = INFINITY;
	refuses(rows, 3,
		"row 2 of the cost profile: the cost of a byte, inf, is not in 1e-18 to 1 seconds "
		"a byte, nor 0");
	rows[2].byte_s = 1;
	ck_assert_int_eq(tmap_profile_check(&profile, &err), -1);
	profile.memory_byte_s = 0;
	ck_assert_int_eq(tmap_profile_check(&profile, &err), 0);
}
END_TEST

/* Limits are for any cost, wherever it stands, and both ends of them are costs. */
START_TEST(costs_that_no_machine_has_are_refused)
{
	static const double seconds[] = { -1, 1e-16, 3600, 1e308, INFINITY, NAN };
	static const double byte_seconds[] = { -1, 1e-19, 2, 1e300, INFINITY, NAN };
	struct tmap_profile_row row = ROW(1, INT64_MAX);
	struct tmap_profile_link link = { .level = "package" };
	struct tmap_profile profile = {
		.row_count = 1, .row = &row, .link_count = 1, .link = &link
	};
	double *const second[] = { &row.latency_s, &row.overhead_s, &profile.adapter_message_s,
				   &profile.shared_core_s, &link.message_s };
	double *const byte[] = {
		&row.byte_s,          &profile.memory_byte_s, &profile.adapter_byte_s,
		&profile.copy_byte_s, &profile.reduce_byte_s, &profile.datatype_byte_s,
		&link.byte_s
	};

	for (size_t i = 0; i < sizeof second / sizeof second[0]; i++) {
		for (size_t v = 0; v < sizeof seconds / sizeof seconds[0]; v++) {
			*second[i] = seconds[v];
			ck_assert_int_eq(tmap_profile_check(&profile, &err), -1);
			ck_assert_ptr_nonnull(strstr(err.text, "is not in 1e-15 to 1000 seconds"));
		}
		*second[i] = i % 2 ? 1e-15 : 1000;
		ck_assert_int_eq(tmap_profile_check(&profile, &err), 0);
	}
	for (size_t i = 0; i < sizeof byte / sizeof byte[0]; i++) {
		for (size_t v = 0; v < sizeof byte_seconds / sizeof byte_seconds[0]; v++) {
			*byte[i] = byte_seconds[v];
			ck_assert_int_eq(tmap_profile_check(&profile, &err), -1);
			ck_assert_ptr_nonnull(
				strstr(err.text, "is not in 1e-18 to 1 seconds a byte"));
		}
		*byte[i] = i % 2 ? 1e-18 : 1;
		ck_assert_int_eq(tmap_profile_check(&profile, &err), 0);
	}
	link.oversubscription = 1e7;
	ck_assert_int_eq(tmap_profile_check(&profile, &err), -1);
	ck_assert_str_eq(err.text,
			 "the cost profile: the oversubscription of level 'package', 1e+07, "
			 "is not in 1e-06 to 1e+06");
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("profile");
	TCase *tcase = tcase_create("profile");

	tcase_add_test(tcase, published_profiles_are_well_formed);
	tcase_add_test(tcase, published_profiles_are_of_one_form_and_cite_their_sources);
	tcase_add_test(tcase, messages_cost_what_was_measured);
	tcase_add_test(tcase, malformed_profiles_are_refused);
	tcase_add_test(tcase, costs_that_no_machine_has_are_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
