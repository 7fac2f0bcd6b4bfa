/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/rules/han_rules.h"

#include "formats/rules/rule_notes.h"

#include <inttypes.h>

/* Lists that follow each other in one place of the file. */
static int count_levels(const struct tmap_rule_file *file, int first)
{
	int count = 1;

	while (first + count < file->count &&
	       file->collective[first + count].number == file->collective[first].number &&
	       file->collective[first + count].line == file->collective[first].line)
		count++;
	return count;
}

static int count_collectives(const struct tmap_rule_file *file)
{
	int count = 0;

	for (int c = 0; c < file->count; c += count_levels(file, c))
		count++;
	return count;
}

static void write_rule(FILE *out, const struct tmap_rule *rule)
{
	int written =
		fprintf(out, "%" PRId64 " %s", rule->bytes,
			tmap_keywords_at(&tmap_han_components, (size_t)rule->algorithm)->name);

	if (rule->fan)
		written += fprintf(out, " @%" PRId64, rule->fan);
	tmap_rule_note_write(out, written, rule->note);
}

static void write_level(FILE *out, const struct tmap_rule_collective *level)
{
	tmap_rule_note_write(out, fprintf(out, "%d", level->level),
			     tmap_keywords_at(&tmap_han_levels, (size_t)level->level)->summary);
	tmap_rule_note_write(out, fprintf(out, "%d", level->count), "sizes of communicators");
	for (int s = 0; s < level->count; s++) {
		const struct tmap_rule_size *size = &level->size[s];

		tmap_rule_note_write(out, fprintf(out, "%" PRId64, size->ranks),
				     size->note ? size->note : "ranks");
		tmap_rule_note_write(out, fprintf(out, "%d", size->count), "rules");
		for (int i = 0; i < size->count; i++)
			write_rule(out, &size->rule[i]);
	}
}

int tmap_han_rules_write(const struct tmap_rule_file *file, FILE *out, struct tmap_error *err)
{
	tmap_rule_heading_write(out, file->heading);
	tmap_rule_note_write(out, fprintf(out, "%d", count_collectives(file)), "collectives");
	for (int c = 0, levels; c < file->count; c += levels) {
		const struct tmap_rule_collective *it = &file->collective[c];

		levels = count_levels(file, c);
		tmap_rule_note_write(out, fprintf(out, "%" PRId64, it->number),
				     it->note ? it->note :
						tmap_rule_collective_row(it->number)->word.name);
		tmap_rule_note_write(out, fprintf(out, "%d", levels), "levels");
		for (int l = 0; l < levels; l++)
			write_level(out, &file->collective[c + l]);
	}
	return ferror(out) ? tmap_fail(err, TMAP_SYSTEM, "the rules cannot be written") : 0;
}
