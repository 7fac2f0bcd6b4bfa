/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a selection file of MPICH: refused with a sentence and a line, or a tree that is written and
 * read to the same, judged, and made to rules for a job. */
#include "core/tune/selection_lint.h"
#include "core/tune/selection_tuning.h"
#include "formats/machine/json_placement.h"
#include "formats/rules/mpich_selection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_and_read(const struct tmap_selection *selection)
{
	struct tmap_selection again;
	struct tmap_error err;
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return;
	if (tmap_mpich_selection_write(selection, out, &err) < 0 || fclose(out) != 0 ||
	    tmap_mpich_selection_parse(&again, text, &err) < 0 ||
	    !tmap_selection_is_equal(selection, &again))
		abort();
	tmap_selection_fini(&again);
	free(text);
}

/* Four ranks on four nodes, whose calls are not composed. */
static const char placement_text[] =
	"{\"kind\":\"placement\",\"format\":1,\"size\":4,\"topologies\":[{\"pus\":\"0\"}],"
	"\"nodes\":[{\"names\":\"n[0-3]\",\"topology\":0}],\"places\":[{\"topology\":0,\"pus\":"
	"\"0\",\"bound\":true}],\"ranks\":{\"node\":\"0-3\",\"place\":\"0*4\"}}";

static void judge(const struct tmap_selection *selection)
{
	struct tmap_rule_findings findings = { 0 };
	struct tmap_rule_file rules;
	struct tmap_tune_places places;
	struct tmap_placement job = { 0 };
	struct tmap_error err;
	int library = tmap_keywords_find(&tmap_libraries, "mpich", &err);

	if (tmap_placement_parse_json(&job, placement_text, strlen(placement_text), "job", &err) <
		    0 ||
	    tmap_tune_places_init(&places, &job, tmap_profile_at(0), &err) < 0 ||
	    tmap_selection_lint(&findings, selection, library, NULL, 0, &err) < 0 ||
	    tmap_selection_rules(&rules, selection, library, &places, 1 << 20, &err) < 0)
		abort();
	for (int c = 0; c < rules.count; c++)
		for (int s = 0; s < rules.collective[c].count; s++) {
			const struct tmap_rule_size *it = &rules.collective[c].size[s];

			for (int i = 0; i < it->count; i++)
				if (i ? it->rule[i].bytes <= it->rule[i - 1].bytes :
					it->rule[i].bytes != 0)
					abort();
		}
	tmap_rule_file_fini(&rules);
	tmap_rule_findings_fini(&findings);
	tmap_tune_places_fini(&places);
	tmap_placement_fini(&job);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tmap_selection selection;
	struct tmap_error err = { 0 };
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	if (tmap_mpich_selection_parse(&selection, text, &err) == 0) {
		write_and_read(&selection);
		judge(&selection);
		tmap_selection_fini(&selection);
	} else if (err.kind != TMAP_INPUT || !*err.text || err.line < 1) {
		abort();
	}
	free(text);
	return 0;
}
