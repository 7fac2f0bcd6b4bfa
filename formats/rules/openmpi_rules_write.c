/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/rules/openmpi_rules.h"

#include "core/tune/rule_collectives.h"
#include "formats/rules/rule_notes.h"

#include <inttypes.h>

static void write_rule(FILE *out, const struct tmap_rule *rule, bool has_requests)
{
	int written = fprintf(out, "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64, rule->bytes,
			      rule->algorithm, rule->fan, rule->segment);

	if (has_requests && rule->requests != TMAP_NONE)
		written += fprintf(out, " %" PRId64, rule->requests);
	tmap_rule_note_write(out, written, rule->note);
}

static void write_size(FILE *out, const struct tmap_rule_size *size, bool has_requests)
{
	tmap_rule_note_write(out, fprintf(out, "%" PRId64, size->ranks),
			     size->note ? size->note : "ranks");
	tmap_rule_note_write(out, fprintf(out, "%d", size->count), "rules");
	for (int i = 0; i < size->count; i++)
		write_rule(out, &size->rule[i], has_requests);
}

int tmap_openmpi_rules_write(const struct tmap_rule_file *file, FILE *out, struct tmap_error *err)
{
	if (file->version > 1) /* before all else */
		fprintf(out, "rule-file-version-%" PRId64 "\n", file->version);
	tmap_rule_heading_write(out, file->heading);
	tmap_rule_note_write(out, fprintf(out, "%d", file->count), "collectives");
	for (int c = 0; c < file->count; c++) {
		const struct tmap_rule_collective *it = &file->collective[c];
		const struct tmap_rule_collective_row *row = tmap_rule_collective_row(it->number);

		tmap_rule_note_write(out, fprintf(out, "%" PRId64, it->number),
				     it->note    ? it->note :
					     row ? row->word.name :
						   NULL);
		tmap_rule_note_write(out, fprintf(out, "%d", it->count), "sizes of communicators");
		for (int s = 0; s < it->count; s++)
			write_size(out, &it->size[s], file->version > 1);
	}
	return ferror(out) ? tmap_fail(err, TMAP_SYSTEM, "the rules cannot be written") : 0;
}
