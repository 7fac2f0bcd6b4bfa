/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/tune_compare.h"

#include "core/library/library.h"
#include "core/tune/rule_compare.h"
#include "core/tune/rule_lint.h"
#include "core/tune/selection_lint.h"
#include "core/tune/selection_tuning.h"
#include "formats/base/format.h"
#include "formats/base/input.h"
#include "formats/base/output.h"
#include "formats/base/printable.h"
#include "formats/rules/mpich_selection.h"
#include "formats/rules/rule_comparison_report.h"
#include "formats/rules/rule_forms.h"

#include <string.h>

static int comparison_write(const struct tmap_rule_comparison *comparison,
			    const struct tmap_tune_compare *compare, struct tmap_error *err)
{
	const struct tmap_rule_comparison_report report = { .comparison = comparison,
							    .a = compare->rules->items[0],
							    .b = compare->rules->count > 1 ?
								    compare->rules->items[1] :
								    NULL };
	struct tmap_output out = { 0 };
	int status = tmap_output_init(&out, compare->output, err);

	if (status == 0)
		status = (compare->format == TMAP_FORMAT_JSON ?
				  tmap_json_write_rule_comparison :
				  compare->format == TMAP_FORMAT_CSV ?
				  tmap_csv_write_rule_comparison :
				  tmap_text_write_rule_comparison)(out.file, &report, err);
	return tmap_output_end(&out, status, err);
}

/* A file of rules, or what a selection file does on these communicators; and its mistakes, of which it need
 * not have any. */
static int rules_read(struct tmap_rule_file *file, struct tmap_rule_findings *findings,
		      const char *path, const struct tmap_tune_compare *compare,
		      const struct tmap_tune_places *places, struct tmap_error *err)
{
	struct tmap_selection selection = { 0 };
	int library = compare->library, status;

	if (!tmap_library_selects(library))
		return tmap_rules_read(file, path, library, err) < 0 ?
			-1 :
			tmap_rule_lint(findings, file, library, places, compare->most, err);
	status = tmap_mpich_selection_read(&selection, path, err);
	if (status == 0)
		status =
			tmap_selection_rules(file, &selection, library, places, compare->most, err);
	if (status == 0)
		status = tmap_selection_lint(findings, &selection, library, places, compare->most,
					     err);
	tmap_selection_fini(&selection);
	return status;
}

/* A file by which programs end makes the library do nothing; that it has other mistakes is said. */
static int file_read(struct tmap_rule_file *file, const char *path,
		     const struct tmap_tune_compare *compare, const struct tmap_tune_places *places,
		     struct tmap_error *err)
{
	struct tmap_rule_findings findings = { 0 };
	int status = rules_read(file, &findings, path, compare, places, err);

	for (int i = 0; i < findings.count && status == 0; i++) {
		const struct tmap_rule_finding *it = &findings.finding[i];

		if (!it->is_fatal)
			continue;
		tmap_fail(err, TMAP_INPUT, "%s; %s", it->text, it->fix);
		status = tmap_at(err, tmap_input_name(path), it->line);
	}
	if (status == 0 && findings.count) {
		const char *name = tmap_input_name(path);

		tmap_progress_line_hide(compare->line);
		tmap_printable_write(stderr, name, strlen(name));
		fprintf(stderr, " has %d mistake%s: --lint says which\n", findings.count,
			findings.count == 1 ? "" : "s");
	}
	tmap_rule_findings_fini(&findings);
	return status;
}

int tmap_tune_compare(const struct tmap_tune_compare *compare,
		      const struct tmap_tune_places *places, struct tmap_error *err)
{
	struct tmap_rule_file file[2] = { 0 };
	struct tmap_rule_comparison comparison = { 0 };
	int status = 0;

	for (size_t i = 0; i < compare->rules->count && status == 0; i++)
		if (file_read(&file[i], compare->rules->items[i], compare, places, err) < 0)
			status = tmap_wrap(err, "--compare");
	if (status == 0 && compare->rules->count > 1 &&
	    (file[0].lookup == TMAP_LOOKUP_HAN) != (file[1].lookup == TMAP_LOOKUP_HAN))
		status = tmap_fail(
			err, TMAP_INPUT,
			"--compare: one file is of coll/han, and the other of coll/tuned");
	if (status == 0 && file[0].lookup == TMAP_LOOKUP_HAN &&
	    !tmap_library_takes_han(compare->library))
		status = tmap_fail(
			err, TMAP_INPUT,
			"--compare: these are rules of coll/han, which does not come first in %s",
			tmap_keywords_at(&tmap_libraries, (size_t)compare->library)->summary);
	if (status == 0)
		status = tmap_rule_comparison_init(&comparison, &file[0], &file[1],
						   compare->collectives, compare->library, places,
						   compare->most, err);
	tmap_progress_line_fini(compare->line);
	if (status == 0)
		status = comparison_write(&comparison, compare, err);
	tmap_rule_comparison_fini(&comparison);
	tmap_rule_file_fini(&file[1]);
	tmap_rule_file_fini(&file[0]);
	return status;
}
