/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/rules/findings_report.h"

#include "core/library/library.h"
#include "formats/base/input.h"
#include "formats/base/printable.h"
#include "formats/base/wrap.h"
#include "formats/json/json_write.h"

#include <string.h>

enum { TEXT_COLUMN = 24, FIX_COLUMN = TEXT_COLUMN + 5, LABEL_ROOM = 40 };

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
		char label[LABEL_ROOM];

		snprintf(label, sizeof label, "  line %-4d %-10s", it->line,
			 tmap_keywords_at(&tmap_rule_mistakes, (size_t)it->mistake)->name);
		tmap_text_write_wrapped(out, TEXT_COLUMN, label, it->text);
		snprintf(label, sizeof label, "%*sfix:", TEXT_COLUMN, "");
		tmap_text_write_wrapped(out, FIX_COLUMN, label, it->fix);
	}
}

int tmap_rule_findings_write_json(FILE *out, const struct tmap_rule_findings *findings, int library,
				  const char *path, struct tmap_error *err)
{
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "rule_lint");
	tmap_json_put_string(&w, "file", tmap_input_name(path));
	tmap_json_put_string(&w, "library",
			     tmap_keywords_at(&tmap_libraries, (size_t)library)->name);
	tmap_json_open(&w, "findings", '[');
	for (int i = 0; i < findings->count; i++) {
		const struct tmap_rule_finding *it = &findings->finding[i];

		tmap_json_open(&w, NULL, '{');
		tmap_json_put_string(
			&w, "name",
			tmap_keywords_at(&tmap_rule_mistakes, (size_t)it->mistake)->name);
		tmap_json_put_int(&w, "line", it->line);
		tmap_json_put_string(&w, "reason", it->text);
		tmap_json_put_string(&w, "fix", it->fix);
		tmap_json_close(&w);
	}
	tmap_json_close(&w);
	return tmap_json_end(&w, err);
}
