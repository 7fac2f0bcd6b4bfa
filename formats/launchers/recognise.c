/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/recognise.h"

#include "formats/launchers/common/log_text.h"
#include "formats/logs/rank_lines.h"

#include <stdlib.h>

static bool line_fits(const struct tmap_line *line, const char *pattern)
{
	struct tmap_line_values values;
	struct tmap_error ignored;
	enum tmap_line_fit fit = tmap_line_match(&values, line, pattern, &ignored);

	tmap_str_fini(&values.pus);
	return fit == TMAP_LINE_FITS || fit == TMAP_LINE_BROKEN;
}

static bool is_comment(const struct tmap_line *line)
{
	struct tmap_line rest = *line;
	const char *word;
	size_t length;

	return !tmap_line_word(&rest, &word, &length) || *word == '#';
}

/* What is no log has nothing else in front. */
static bool is_own_line(const struct tmap_launcher *row, const struct tmap_line *line,
			bool is_first)
{
	if (!row->is_log && !is_first)
		return false;
	for (const char *const *own = row->own_lines; own && *own; own++)
		if (line_fits(line, *own))
			return true;
	if (!row->lines)
		return false;
	if (row->lines->begin)
		return line_fits(line, row->lines->begin);
	for (const struct tmap_rank_pattern *own = row->lines->pattern; own->text; own++)
		if (line_fits(line, own->text))
			return true;
	return false;
}

static int find_row(const struct tmap_launcher **launcher, const char *text, struct tmap_error *err)
{
	const struct tmap_launcher *found = NULL, *row;
	struct tmap_line line = { 0 };
	bool is_first = true, is_empty = tmap_text_is_empty(text);
	int first = 0;

	for (; tmap_line_next(&line, &text); is_first = is_first && is_comment(&line)) {
		for (int i = 0; (row = tmap_launcher_at(i))->word.name; i++) {
			if (row == found || !is_own_line(row, &line, is_first))
				continue;
			if (found)
				return tmap_fail(err, TMAP_INPUT,
						 "line %d is of %s and line %d of %s: "
						 "--from %s:FILE or %s:FILE says which is meant",
						 first, found->word.name, line.number,
						 row->word.name, found->word.name, row->word.name);
			found = row;
			first = line.number;
		}
	}
	if (!found && is_empty)
		return tmap_fail(err, TMAP_INPUT, "it is empty: nothing says where a rank is");
	if (!found)
		return tmap_fail(
			err, TMAP_INPUT,
			"no line says where a rank is in a form that is known; other "
			"files need their name, as in --from slurm:FILE, or --from table:FILE for "
			"lines of RANK HOST CPUS without a heading");
	*launcher = found;
	return 0;
}

int tmap_launcher_recognise(const struct tmap_launcher **launcher, const char *text,
			    struct tmap_error *err)
{
	char *made;
	const char *plain = tmap_log_text_plain(&made, text, err);
	int status = plain ? find_row(launcher, plain, err) : -1;

	free(made);
	return status;
}
