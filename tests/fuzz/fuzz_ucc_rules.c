/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a configuration file of UCC: refused with a sentence, or rules that rise, and that are written
 * and read to the same, where a line has room for them. */
#include "core/tune/rule_lint.h"
#include "formats/rules/ucc_rules.h"

#include "core/library/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Do both say the same at the sizes of the first? */
static void compare(const struct tmap_rule_file *a, const struct tmap_rule_file *b)
{
	for (int c = 0; c < a->count; c++)
		for (int s = 0; s < a->collective[c].count; s++) {
			const struct tmap_rule_size *it = &a->collective[c].size[s];
			const struct tmap_rule_comm comm = { .ranks = it->ranks };

			for (int i = 0; i < it->count; i++) {
				const struct tmap_rule *other = tmap_rule_find(
					b, a->collective[c].number, &comm, it->rule[i].bytes);

				if (i ? it->rule[i].bytes <= it->rule[i - 1].bytes :
					it->rule[i].bytes != 0)
					abort();
				if ((other ? other->algorithm : 0) != it->rule[i].algorithm &&
				    s + 1 < a->collective[c].count)
					abort();
			}
		}
}

static void write_and_read(const struct tmap_rule_file *file)
{
	struct tmap_rule_file again;
	struct tmap_rule_findings findings = { 0 };
	struct tmap_error err;
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	int library = tmap_keywords_find(&tmap_libraries, "ucc", &err), status;

	if (!out)
		return;
	status = tmap_ucc_rules_write(file, out, &err);
	if (fclose(out) != 0 || tmap_rule_lint(&findings, file, library, NULL, 0, &err) < 0)
		abort();
	if (status == 0) {
		if (tmap_ucc_rules_parse(&again, text, &err) < 0)
			abort();
		compare(file, &again);
		tmap_rule_file_fini(&again);
	}
	tmap_rule_findings_fini(&findings);
	free(text);
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
	if (tmap_ucc_rules_parse(&file, text, &err) == 0) {
		write_and_read(&file);
		tmap_rule_file_fini(&file);
	} else if (err.kind != TMAP_INPUT || !*err.text) {
		abort();
	}
	free(text);
	return 0;
}
