/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/tune_compare.h"

#include "core/tune/rule_compare.h"
#include "formats/base/format.h"
#include "formats/base/output.h"
#include "formats/rules/openmpi_rules.h"
#include "formats/rules/rule_comparison_report.h"

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

int tmap_tune_compare(const struct tmap_tune_compare *compare,
		      const struct tmap_tune_places *places, struct tmap_error *err)
{
	struct tmap_rule_file file[2] = { 0 };
	struct tmap_rule_comparison comparison = { 0 };
	int status = 0;

	for (size_t i = 0; i < compare->rules->count && status == 0; i++)
		if (tmap_openmpi_rules_read(&file[i], compare->rules->items[i], err) < 0)
			status = tmap_wrap(err, "--compare");
	if (status == 0)
		status = tmap_rule_comparison_init(&comparison, &file[0], &file[1],
						   compare->collectives, compare->library, places,
						   compare->most, err);
	if (status == 0)
		status = comparison_write(&comparison, compare, err);
	tmap_rule_comparison_fini(&comparison);
	tmap_rule_file_fini(&file[1]);
	tmap_rule_file_fini(&file[0]);
	return status;
}
