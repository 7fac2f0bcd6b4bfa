/* SPDX-License-Identifier: BSD-3-Clause */
/* What a search writes, for each library and many jobs, is read again and has no mistakes. */
#include "core/cost/profile_choice.h"
#include "core/tune/rule_lint.h"
#include "core/tune/rule_lint_parts.h"
#include "core/tune/selection_lint.h"
#include "core/tune/selection_tuning.h"
#include "formats/rules/mpich_selection.h"
#include "formats/rules/rule_forms.h"
#include "formats/rules/tuned_rules.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct tmap_error err;

static void job_init(struct tmap_placement *job, int nodes, int cores)
{
	int *place = malloc((size_t)(nodes * cores) * sizeof *place);

	for (int r = 0; r < nodes * cores; r++)
		place[r] = r;
	placement_seats_take(job,
			     machine_regular(nodes,
					     (const struct test_level[]){ { TMAP_CORE, cores },
									  { TMAP_CORE, 0 } }),
			     place, nodes * cores);
	free(place);
}

static void write_to(const char *path, const struct tmap_tuning *tuning)
{
	int library = tuning->request.library;
	FILE *out = fopen(path, "w");

	ck_assert_ptr_nonnull(out);
	if (tmap_library_selects(library)) {
		struct tmap_selection selection;

		ck_assert_int_eq(tmap_selection_init(&selection, tuning, &err), 0);
		ck_assert_int_eq(tmap_mpich_selection_write(&selection, out, &err), 0);
		tmap_selection_fini(&selection);
	} else {
		const struct tmap_tuned_files files = { path, NULL };
		struct tmap_rule_file file;

		ck_assert_int_eq(tmap_tuned_rules_init(&file, tuning, &files, &err), 0);
		ck_assert_int_eq(tmap_rules_write(&file, library, out, &err), 0);
		tmap_rule_file_fini(&file);
	}
	ck_assert_int_eq(fclose(out), 0);
}

static void find_mistakes(struct tmap_rule_findings *findings, const char *path, int library)
{
	if (tmap_library_selects(library)) {
		struct tmap_selection selection;

		ck_assert_int_eq(tmap_mpich_selection_read(&selection, path, &err), 0);
		ck_assert_int_eq(tmap_selection_lint(findings, &selection, library, NULL, 0, &err),
				 0);
		tmap_selection_fini(&selection);
	} else {
		struct tmap_rule_file file;

		ck_assert_msg(tmap_rules_read(&file, path, library, &err) == 0, "%s", err.text);
		ck_assert_int_eq(tmap_rule_lint(findings, &file, library, NULL, 0, &err), 0);
		tmap_rule_file_fini(&file);
	}
}

START_TEST(what_a_search_writes_has_no_mistakes)
{
	static const int jobs[][2] = { { 1, 2 }, { 1, 4 }, { 5, 1 }, { 7, 1 },
				       { 2, 8 }, { 7, 3 }, { 3, 4 }, { 16, 1 } };
	char path[] = "/tmp/topomap-rules-XXXXXX";
	int found = mkstemp(path), searches = 0;

	ck_assert_int_ge(found, 0);
	close(found);
	for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
		for (int library = 0; tmap_keywords_at(&tmap_libraries, (size_t)library);
		     library++) {
			const struct tmap_tune_request request = { .library = library,
								   .most = 1 << 16 };
			struct tmap_rule_findings findings;
			struct tmap_tune_places places;
			struct tmap_placement job;
			struct tmap_tuning tuning;

			job_init(&job, jobs[i][0], jobs[i][1]);
			ck_assert_int_eq(
				tmap_tune_places_init(&places, &job, tmap_profile_at(0), &err), 0);
			if (tmap_library_rules_by_range(library))
				tmap_tune_places_sort_by_spread(&places);
			ck_assert_int_eq(tmap_tuning_init(&tuning, &places, &request, &err), 0);
			write_to(path, &tuning);
			find_mistakes(&findings, path, library);
			ck_assert_msg(findings.count == 0, "%s, %d x %d: line %d: %s",
				      tmap_keywords_at(&tmap_libraries, (size_t)library)->name,
				      jobs[i][0], jobs[i][1],
				      findings.count ? findings.finding[0].line : 0,
				      findings.count ? findings.finding[0].text : "");
			searches++;
			tmap_rule_findings_fini(&findings);
			tmap_tuning_fini(&tuning);
			tmap_tune_places_fini(&places);
			tmap_placement_fini(&job);
		}
	ck_assert_int_eq(searches, 7 * (int)(sizeof jobs / sizeof *jobs));
	unlink(path);
}
END_TEST

/* How many rules of a file say another algorithm than the library's own. */
static int count_changes(const struct tmap_rule_file *file)
{
	int changes = 0;

	for (int c = 0; c < file->count; c++)
		for (int s = 0; s < file->collective[c].count; s++)
			for (int i = 0; i < file->collective[c].size[s].count; i++)
				changes += file->collective[c].size[s].rule[i].algorithm != 0;
	return changes;
}

/* So many rules are slower than the library's own by a published profile. */
static int count_slower(const struct tmap_rule_file *file, const struct tmap_placement *job,
			int library, const struct tmap_profile *profile)
{
	struct tmap_rule_findings findings;
	struct tmap_tune_places places;
	int slower = 0;

	ck_assert_int_eq(tmap_tune_places_init(&places, job, profile, &err), 0);
	ck_assert_int_eq(tmap_rule_lint(&findings, file, library, &places, 1 << 16, &err), 0);
	for (int i = 0; i < findings.count; i++)
		slower += findings.finding[i].mistake == TMAP_MISTAKE_SLOWER;
	tmap_rule_findings_fini(&findings);
	tmap_tune_places_fini(&places);
	return slower;
}

/* Oracle: what --lint, which times rules by itself, says by the costs of each machine. By the costs of a
 * profile that was asked for the same rules are slower on others. */
START_TEST(rules_by_nobodys_costs_are_slower_on_no_published_machine)
{
	static const int jobs[][2] = { { 1, 8 }, { 4, 4 }, { 6, 3 } };
	int asked_slower = 0, changes = 0;

	for (size_t i = 0; i < 2 * sizeof jobs / sizeof *jobs; i++) {
		const struct tmap_tune_request request = { .most = 1 << 16 };
		const struct tmap_tuned_files files = { "rules", NULL };
		bool asked = i % 2;
		struct tmap_profile profile;
		struct tmap_tune_places places;
		struct tmap_placement job;
		struct tmap_tuning tuning;
		struct tmap_rule_file file;

		job_init(&job, jobs[i / 2][0], jobs[i / 2][1]);
		profile = asked ? *tmap_profile_at(0) : tmap_profile_for(job.machine);
		ck_assert_int_eq(tmap_profile_is_guessed(&profile), !asked);
		ck_assert_int_eq(tmap_tune_places_init(&places, &job, &profile, &err), 0);
		ck_assert_int_eq(tmap_tuning_init(&tuning, &places, &request, &err), 0);
		ck_assert_int_eq(tmap_tuned_rules_init(&file, &tuning, &files, &err), 0);
		if (!asked)
			changes += count_changes(&file);
		for (int p = 0; tmap_keywords_at(&tmap_profiles, (size_t)p); p++) {
			int slower = count_slower(&file, &job, request.library, tmap_profile_at(p));

			if (asked)
				asked_slower += slower;
			else
				ck_assert_msg(slower == 0, "%d x %d: %d rules by %s",
					      jobs[i / 2][0], jobs[i / 2][1], slower,
					      tmap_profile_at(p)->word.name);
		}
		tmap_rule_file_fini(&file);
		tmap_tuning_fini(&tuning);
		tmap_tune_places_fini(&places);
		tmap_placement_fini(&job);
	}
	ck_assert_int_gt(changes, 0);
	ck_assert_int_gt(asked_slower, 0);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("tuned_rules");
	TCase *rules = tcase_create("tuned_rules");

	tcase_set_timeout(rules, 240);
	tcase_add_test(rules, rules_by_nobodys_costs_are_slower_on_no_published_machine);
	tcase_add_test(rules, what_a_search_writes_has_no_mistakes);
	suite_add_tcase(suite, rules);
	return suite;
}
