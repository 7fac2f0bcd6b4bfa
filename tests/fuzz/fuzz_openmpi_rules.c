/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a rule file of Open MPI: refused with a sentence and a line, or rules that are written
 * and read to the same, judged, and compared with none: where they differ, at sizes that follow each other. */
#include "core/tune/rule_lint.h"
#include "formats/machine/json_placement.h"
#include "formats/rules/findings_report.h"
#include "formats/rules/openmpi_rules.h"
#include "formats/rules/rule_comparison_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_and_read(const struct tmap_rule_file *file)
{
	struct tmap_rule_file again;
	struct tmap_error err;
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return;
	if (tmap_openmpi_rules_write(file, out, &err) < 0 || fclose(out) != 0 ||
	    tmap_openmpi_rules_parse(&again, text, &err) < 0 ||
	    !tmap_rule_file_is_equal(file, &again))
		abort();
	tmap_rule_file_fini(&again);
	free(text);
}

/* Six ranks on two nodes. */
static const char placement_text[] =
	"{\"kind\":\"placement\",\"format\":1,\"size\":6,\"topologies\":[{\"pus\":\"0-2\"}],"
	"\"nodes\":[{\"names\":\"n[0-1]\",\"topology\":0}],\"places\":[{\"topology\":0,\"pus\":"
	"\"0-2\",\"bound\":true}],\"ranks\":{\"node\":\"0*3,1*3\",\"place\":\"0*6\"}}";

static void check_ranges(const struct tmap_rule_comparison *it)
{
	for (int i = 0; i < it->count; i++) {
		const struct tmap_rule_range *range = &it->range[i];

		if (range->from > range->to || range->shown < range->from ||
		    range->shown > range->to ||
		    (i && range[-1].number == range->number &&
		     range[-1].first_place == range->first_place && range[-1].to >= range->from))
			abort();
	}
}

static void judge_and_compare(const struct tmap_rule_file *file)
{
	struct tmap_rule_file none = { 0 };
	struct tmap_rule_findings findings = { 0 }, of_job = { 0 };
	struct tmap_rule_comparison comparison;
	struct tmap_tune_places places;
	struct tmap_placement job = { 0 };
	struct tmap_error err;
	FILE *out = fopen("/dev/null", "w");

	if (!out ||
	    tmap_placement_parse_json(&job, placement_text, strlen(placement_text), "job", &err) <
		    0 ||
	    tmap_tune_places_init(&places, &job, tmap_profile_at(0), &err) < 0 ||
	    tmap_rule_lint(&findings, file, 0, NULL, 1 << 8, &err) < 0 ||
	    tmap_rule_lint(&of_job, file, 0, &places, 1 << 8, &err) < 0 ||
	    of_job.count < findings.count ||
	    tmap_rule_findings_write_json(out, &findings, 0, "F", &err) < 0 ||
	    tmap_rule_comparison_init(&comparison, &none, file, 0, 0, &places, 1 << 8, &err) < 0)
		abort();
	check_ranges(&comparison);
	if (tmap_text_write_rule_comparison(
		    out, &(struct tmap_rule_comparison_report){ &comparison, NULL, "F" }, &err) < 0)
		abort();
	fclose(out);
	tmap_rule_comparison_fini(&comparison);
	tmap_rule_findings_fini(&findings);
	tmap_rule_findings_fini(&of_job);
	tmap_tune_places_fini(&places);
	tmap_placement_fini(&job);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tmap_rule_file file;
	struct tmap_error err = { 0 };
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	if (tmap_openmpi_rules_parse(&file, text, &err) == 0) {
		write_and_read(&file);
		judge_and_compare(&file);
		for (int64_t ranks = 0; ranks < 20; ranks += 7)
			tmap_rule_find(&file, 7, &(struct tmap_rule_comm){ .ranks = ranks },
				       ranks * 1000);
		tmap_rule_file_fini(&file);
	} else if (err.kind != TMAP_INPUT || !*err.text) {
		abort();
	}
	free(text);
	return 0;
}
