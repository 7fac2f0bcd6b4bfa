/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: profiles that are alike by construction, and differ by one member each time. */
#include "core/cost/profile_same.h"

#include "tests/unit.h"

#include <string.h>

/* A profile that has something in every member. */
struct full {
	struct tmap_profile_row row[2];
	struct tmap_profile_link link, adapter, memory;
	struct tmap_profile profile;
};

static void fill(struct full *it)
{
	*it = (struct full){
		.row = { { 1, 4096, 1e-6, 1e-9, 2e-7, TMAP_COPIER_SHARED, TMAP_PROTOCOL_EAGER, 0,
			   0 },
			 { 1, INT64_MAX, 2e-6, 1e-10, 2e-7, TMAP_COPIER_RECEIVER,
			   TMAP_PROTOCOL_RENDEZVOUS, 0, 0 } },
		.link = { .level = "package", .byte_s = 1e-11 },
		.adapter = { .device = "mlx5", .is_each = true, .byte_s = 1e-10, .message_s = 1e-8 },
		.memory = { .nodes = "n[0-3]", .cores = 8, .byte_s = 1e-12 },
		.profile = { .word = { "ours", "" },
			     .row_count = 2,
			     .link_count = 1,
			     .adapter_count = 1,
			     .memory_count = 1,
			     .copy_byte_s = 1e-10 },
	};
	it->profile.row = it->row;
	it->profile.link = &it->link;
	it->profile.adapter = &it->adapter;
	it->profile.memory = &it->memory;
}

START_TEST(names_and_the_last_digits_make_no_other_costs)
{
	char level[] = "package", nodes[] = "n[0-3]", device[] = "mlx5";
	struct full a, b;

	fill(&a);
	fill(&b);
	ck_assert(tmap_profile_is_same(&a.profile, &b.profile));
	b.profile.word.name = "theirs";
	b.profile.source = "elsewhere";
	b.profile.date = "2026-03-10";
	b.row[0].residual = 0.5;
	b.link.level = level; /* an equal text of its own */
	b.memory.nodes = nodes;
	b.adapter.device = device;
	b.adapter.byte_s = 1 / (1 / b.adapter.byte_s);
	b.link.byte_s *= 1 + 1e-15;
	ck_assert(tmap_profile_is_same(&a.profile, &b.profile));
}
END_TEST

START_TEST(each_member_that_costs_something_makes_others)
{
	struct full a, b;
	double *const cost[] = { &b.row[0].latency_s,        &b.row[1].byte_s,
				 &b.row[1].overhead_s,       &b.link.byte_s,
				 &b.link.oversubscription,   &b.adapter.message_s,
				 &b.memory.byte_s,           &b.profile.memory_byte_s,
				 &b.profile.adapter_byte_s,  &b.profile.adapter_message_s,
				 &b.profile.copy_byte_s,     &b.profile.reduce_byte_s,
				 &b.profile.datatype_byte_s, &b.profile.shared_core_s };
	int *const number[] = { &b.row[1].distance,      &b.memory.cores,
				&b.profile.row_count,    &b.profile.link_count,
				&b.profile.memory_count, &b.profile.adapter_count };
	const char **const text[] = { &b.link.level, &b.memory.nodes, &b.adapter.device };

	fill(&a);
	for (size_t i = 0; i < sizeof cost / sizeof cost[0]; i++) {
		fill(&b);
		*cost[i] = *cost[i] * 1.001 + 1e-12;
		ck_assert_msg(!tmap_profile_is_same(&a.profile, &b.profile), "cost %zu", i);
	}
	for (size_t i = 0; i < sizeof number / sizeof number[0]; i++) {
		fill(&b);
		*number[i] = i == 0 ? 3 : *number[i] - 1;
		ck_assert_msg(!tmap_profile_is_same(&a.profile, &b.profile), "number %zu", i);
	}
	for (size_t i = 0; i < 2 * (sizeof text / sizeof text[0]); i++) {
		fill(&b);
		*text[i / 2] = i % 2 ? NULL : "other";
		ck_assert_msg(!tmap_profile_is_same(&a.profile, &b.profile), "text %zu", i);
	}
	fill(&b);
	b.row[0].below_bytes++;
	ck_assert(!tmap_profile_is_same(&a.profile, &b.profile));
	fill(&b);
	b.row[0].copier = TMAP_COPIER_UNKNOWN;
	ck_assert(!tmap_profile_is_same(&a.profile, &b.profile));
	fill(&b);
	b.row[0].protocol = TMAP_PROTOCOL_UNKNOWN;
	ck_assert(!tmap_profile_is_same(&a.profile, &b.profile));
	fill(&b);
	b.adapter.is_each = false;
	ck_assert(!tmap_profile_is_same(&a.profile, &b.profile));
	fill(&b);
	b.link.both_ways = true;
	ck_assert(!tmap_profile_is_same(&a.profile, &b.profile));
}
END_TEST

START_TEST(no_two_published_profiles_cost_the_same)
{
	for (int i = 0; tmap_keywords_at(&tmap_profiles, (size_t)i); i++) {
		const struct tmap_profile *profile = tmap_profile_at(i), *other;
		struct tmap_profile renamed = *profile;
		int next = 0, others = 0;

		while ((other = tmap_profile_next_other(profile, &next))) {
			ck_assert_ptr_ne(other, profile);
			others++;
		}
		ck_assert_ptr_nonnull(tmap_keywords_at(&tmap_profiles, (size_t)others));
		ck_assert_ptr_null(tmap_keywords_at(&tmap_profiles, (size_t)others + 1));
		ck_assert_ptr_eq(tmap_profile_find_published(&renamed), profile);
		renamed.word.name = "ours";
		ck_assert_ptr_null(tmap_profile_find_published(&renamed));
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("profile_same");
	TCase *tcase = tcase_create("profile_same");

	tcase_add_test(tcase, names_and_the_last_digits_make_no_other_costs);
	tcase_add_test(tcase, each_member_that_costs_something_makes_others);
	tcase_add_test(tcase, no_two_published_profiles_cost_the_same);
	suite_add_tcase(suite, tcase);
	return suite;
}
