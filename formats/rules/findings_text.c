/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/rules/findings_text.h"

#include "core/library/library.h"
#include "formats/base/input.h"
#include "formats/base/printable.h"

#include <string.h>

void tmap_rule_findings_write_text(FILE *out, const struct tmap_rule_findings *findings,
				   int library, const char *path)
{
	const char *name = tmap_input_name(path);

	fprintf(out, "rules for %s, ", tmap_keywords_at(&tmap_libraries, (size_t)library)->summary);
	tmap_printable_write(out, name, strlen(name));
	if (!findings->count) {
		fputs(": no mistakes\n", out);
		return;
	}
	fprintf(out, ": %d mistake%s\n", findings->count, findings->count == 1 ? "" : "s");
	for (int i = 0; i < findings->count; i++) {
		const struct tmap_rule_finding *it = &findings->finding[i];

		fprintf(out, "  line %-4d %-10s  %s\n%24sfix: %s\n", it->line,
			tmap_keywords_at(&tmap_rule_mistakes, (size_t)it->mistake)->name, it->text,
			"", it->fix);
	}
}
