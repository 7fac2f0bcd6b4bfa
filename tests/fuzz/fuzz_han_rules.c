/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a rule file of coll/han: refused with a sentence and a line, or rules that are written and read
 * to the same, judged, and compared with none. */
#include "core/library/library.h"
#include "core/tune/rule_lint.h"
#include "formats/machine/json_placement.h"
#include "formats/rules/han_rules.h"
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
	if (tmap_han_rules_write(file, out, &err) < 0 || fclose(out) != 0)
		abort();
	if (file->count) { /* without lists there is nothing to read */
		if (tmap_han_rules_parse(&again, text, &err) < 0 ||
		    !tmap_rule_file_is_equal(file, &again))
			abort();
		tmap_rule_file_fini(&again);
	}
	free(text);
}

/* Six ranks on two nodes. */
static const char placement_text[] =
	"{\"kind\":\"placement\",\"format\":1,\"size\":6,\"topologies\":[{\"pus\":\"0-2\"}],"
	"\"nodes\":[{\"names\":\"n[0-1]\",\"topology\":0}],\"places\":[{\"topology\":0,\"pus\":"
	"\"0-2\",\"bound\":true}],\"ranks\":{\"node\":\"0*3,1*3\",\"place\":\"0*6\"}}";

static void judge_and_compare(const struct tmap_rule_file *file)
{
	struct tmap_rule_file none = { 0 };
	struct tmap_rule_findings findings;
	struct tmap_rule_comparison comparison;
	struct tmap_tune_places places;
	struct tmap_placement job = { 0 };
	struct tmap_error err;

	if (tmap_placement_parse_json(&job, placement_text, strlen(placement_text), "job", &err) <
		    0 ||
	    tmap_tune_places_init(&places, &job, tmap_profile_at(0), &err) < 0)
		abort();
	for (int library = 0; library < 2; library++) {
		if (tmap_rule_lint(&findings, file, library, &places, 4096, &err) < 0)
			abort();
		for (int i = 0; i < findings.count; i++)
			if (findings.finding[i].line < 1)
				abort();
		tmap_rule_findings_fini(&findings);
	}
	if (tmap_rule_comparison_init(&comparison, file, &none, 0,
				      tmap_keywords_find(&tmap_libraries, "openmpi5", &err),
				      &places, 4096, &err) < 0)
		abort();
	tmap_rule_comparison_fini(&comparison);
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
	tmap_han_rules_are(text);
	if (tmap_han_rules_parse(&file, text, &err) == 0) {
		write_and_read(&file);
		judge_and_compare(&file);
		tmap_rule_file_fini(&file);
	} else if (err.kind != TMAP_INPUT || !*err.text || err.line < 1) {
		abort();
	}
	free(text);
	return 0;
}
