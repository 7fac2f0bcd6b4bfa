/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/rules/ucc_rules.h"

#include "core/base/string.h"
#include "core/library/ucc_algorithms.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLE "UCC_TL_UCP_TUNE="

static void add_end(struct tmap_str *text, const char *before, int64_t number)
{
	if (number == INT64_MAX)
		tmap_str_addf(text, "%sinf", before);
	else
		tmap_str_addf(text, "%s%" PRId64, before, number);
}

/* "allgather:0-4096:host:[8]:@bruck", and a comment. */
static void add_rule(struct tmap_str *line, struct tmap_str *notes,
		     const struct tmap_ucc_collective *row,
		     const struct tmap_rule_collective *collective, int s, int at)
{
	const struct tmap_rule_size *size = &collective->size[s];
	const struct tmap_rule *rule = &size->rule[at];
	int64_t last = s + 1 < collective->count ? collective->size[s + 1].ranks - 1 : INT64_MAX;
	int64_t behind = at + 1 < size->count ? size->rule[at + 1].bytes : INT64_MAX;
	int length;
	const char *name = tmap_ucc_algorithm_name(row, rule->algorithm, &length);

	if (!name || last < size->ranks || behind <= rule->bytes)
		return;
	tmap_str_addf(line, "%s%s:%" PRId64, line->length > strlen(VARIABLE) ? "#" : "",
		      row->word.name, rule->bytes);
	add_end(line, "-", behind);
	tmap_str_addf(line, ":host:[%" PRId64, size->ranks);
	if (last != size->ranks)
		add_end(line, "-", last);
	tmap_str_addf(line, "]:@%.*s", length, name);
	if (rule->note)
		tmap_str_addf(notes, "# %s, %" PRId64 " ranks, from %" PRId64 " bytes on: %s\n",
			      row->word.name, size->ranks, rule->bytes, rule->note);
}

static void write_heading(FILE *out, const char *text)
{
	while (text && *text) {
		int length = (int)strcspn(text, "\n");

		fprintf(out, "#%s%.*s\n", length ? " " : "", length, text);
		text += length + (text[length] == '\n');
	}
}

int tmap_ucc_rules_write(const struct tmap_rule_file *file, FILE *out, struct tmap_error *err)
{
	struct tmap_str line = TMAP_STR_INIT, notes = TMAP_STR_INIT;
	char *text, *comments;
	int status = -1;

	tmap_str_add(&line, VARIABLE);
	for (int c = 0; c < file->count; c++) {
		const struct tmap_rule_collective *it = &file->collective[c];
		const struct tmap_ucc_collective *row = tmap_ucc_collective_of(it->number);

		for (int s = 0; s < it->count && row; s++)
			for (int i = 0; i < it->size[s].count; i++)
				add_rule(&line, &notes, row, it, s, i);
	}
	text = tmap_str_take(&line, err);
	comments = text ? tmap_str_take(&notes, err) : NULL;
	if (!comments) {
		tmap_str_fini(&notes);
	} else if (strlen(text) > TMAP_UCC_LINE) {
		tmap_fail(
			err, TMAP_INPUT,
			"the rules are %zu characters, and UCC reads no more than %d of a line: ask "
			"for fewer collectives",
			strlen(text), TMAP_UCC_LINE);
	} else {
		write_heading(out, file->heading);
		fprintf(out, "%s%s%s\n", comments, strlen(text) > strlen(VARIABLE) ? "" : "# ",
			text);
		status = ferror(out) ? tmap_fail(err, TMAP_SYSTEM, "the rules cannot be written") :
				       0;
	}
	free(comments);
	free(text);
	return status;
}
