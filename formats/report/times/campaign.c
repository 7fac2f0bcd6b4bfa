/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/campaign.h"

#include "core/base/mem.h"
#include "core/base/units.h"
#include "core/base/utf8.h"
#include "formats/base/lines.h"
#include "formats/report/times/times_report.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct tmap_keyword columns[] = {
	{ "collective", "the operation" },
	{ "algorithm", "a word of --algorithm" },
	{ "mode", "how it is called" },
	{ "bytes", "the size as MPI counts it" },
	{ "root", "where data starts or ends" },
	{ "repetitions", "how often it is timed" },
	{ NULL, NULL },
};

static const struct tmap_keywords column_words = TMAP_KEYWORDS("column", columns);

/* Most: what has more fields, or longer ones, is no campaign. */
enum { COLLECTIVE, ALGORITHM, MODE, BYTES, ROOT, REPETITIONS, COLUMNS, FIELDS = 64, LENGTH = 256 };

/* A line, cut at its commas: "" where a field is empty. */
struct fields {
	int count;
	char text[FIELDS][LENGTH];
};

/* The field that begins at *from, which moves behind it and its comma; NULL at the end of the line. */
static int field_take(const char **from, const char *end, char field[LENGTH],
		      struct tmap_error *err)
{
	const char *at = *from;
	bool is_quoted = at < end && *at == '"';
	size_t length = 0;

	for (at += is_quoted; at < end && (is_quoted || *at != ','); at++) {
		if (is_quoted && *at == '"') {
			if (at + 1 == end || at[1] != '"') {
				at++;
				is_quoted = false;
				break;
			}
			at++;
		}
		if (length == LENGTH - 1)
			return tmap_fail(err, TMAP_INPUT, "a field has more than %d characters",
					 LENGTH - 1);
		field[length++] = *at;
	}
	field[length] = '\0';
	if (is_quoted)
		return tmap_fail(err, TMAP_INPUT, "a quotation mark is missing");
	if (at < end && *at != ',')
		return tmap_fail(err, TMAP_INPUT, "a comma is expected behind a quotation mark");
	if (!tmap_utf8_is_plain(field))
		return tmap_fail(err, TMAP_INPUT, "'%.60s' has characters that are not printable",
				 field);
	*from = at < end ? at + 1 : NULL;
	return 0;
}

static int fields_cut(struct fields *fields, const struct tmap_line *line, struct tmap_error *err)
{
	const char *at = line->text, *end = line->text + line->length;

	for (fields->count = 0; at; fields->count++) {
		if (fields->count == FIELDS)
			return tmap_fail(err, TMAP_INPUT, "it has more than %d fields", FIELDS);
		if (field_take(&at, end, fields->text[fields->count], err) < 0)
			return -1;
	}
	return 0;
}

/* Which column each field is of: COLUMNS if it is not read. */
struct heading {
	int count, column[FIELDS];
};

static int heading_read(struct heading *heading, const struct fields *fields,
			struct tmap_error *err)
{
	bool is_there[COLUMNS + 1] = { false };

	heading->count = fields->count;
	for (int i = 0; i < fields->count; i++) {
		int column = tmap_keywords_find(&column_words, fields->text[i], err);

		if (column == TMAP_NONE && !tmap_csv_times_has(fields->text[i])) {
			err->kind = TMAP_INPUT;
			return -1;
		}
		heading->column[i] = column == TMAP_NONE ? COLUMNS : column;
		if (column != TMAP_NONE && is_there[column])
			return tmap_fail(err, TMAP_INPUT, "column %s stands there twice",
					 columns[column].name);
		is_there[heading->column[i]] = true;
	}
	for (int column = COLLECTIVE; column <= ALGORITHM; column++)
		if (!is_there[column])
			return tmap_fail(err, TMAP_INPUT, "there is no column %s",
					 columns[column].name);
	return 0;
}

static int word_read(const struct tmap_keywords *words, const char *text, int *row,
		     struct tmap_error *err)
{
	*row = tmap_keywords_find(words, text, err);
	if (*row != TMAP_NONE)
		return 0;
	err->kind = TMAP_INPUT;
	return -1;
}

/* A field that is left out is NULL. */
static int call_read(struct tmap_experiment *it, const char *const field[COLUMNS],
		     struct tmap_error *err)
{
	const struct tmap_collective_row *row;
	int collective, mode = TMAP_BLOCKING;
	int64_t root = 0;

	if (!field[COLLECTIVE] || !field[ALGORITHM])
		return tmap_fail(err, TMAP_INPUT, "there is no %s",
				 columns[field[COLLECTIVE] ? ALGORITHM : COLLECTIVE].name);
	if (word_read(&tmap_collectives, field[COLLECTIVE], &collective, err) < 0 ||
	    (field[MODE] && word_read(&tmap_modes, field[MODE], &mode, err) < 0))
		return -1;
	row = &tmap_collective_rows[collective];
	it->collective = (enum tmap_collective)collective;
	it->mode = (enum tmap_mode)mode;
	if (field[BYTES] ? tmap_units_parse_bytes(field[BYTES], &it->bytes, err) < 0 :
			   collective != TMAP_BARRIER)
		return field[BYTES] ?
			tmap_wrap(err, "bytes") :
			tmap_fail(err, TMAP_INPUT, "there are no bytes of %s", row->word.name);
	if (collective == TMAP_BARRIER && it->bytes)
		return tmap_fail(err, TMAP_INPUT, "a barrier has no bytes");
	if (field[ROOT] && tmap_units_parse_int(field[ROOT], 0, INT_MAX, &root, err) < 0)
		return tmap_wrap(err, "root");
	if (root && !row->has_root)
		return tmap_fail(err, TMAP_INPUT, "%s has no root", row->word.name);
	it->root = (int)root;
	if (field[REPETITIONS] &&
	    tmap_units_parse_int(field[REPETITIONS], 1, INT_MAX, &it->repetitions, err) < 0)
		return tmap_wrap(err, "repetitions");
	it->algorithm = tmap_strdup(field[ALGORITHM], err);
	return it->algorithm ? 0 : -1;
}

static int line_add(struct tmap_campaign *campaign, const struct heading *heading,
		    const struct fields *fields, int number, struct tmap_error *err)
{
	const char *field[COLUMNS + 1] = { NULL };
	struct tmap_campaign_line line = { .number = number };

	if (fields->count > heading->count)
		return tmap_fail(err, TMAP_INPUT, "it has %d fields, and there are %d columns",
				 fields->count, heading->count);
	for (int i = 0; i < fields->count; i++)
		if (fields->text[i][0])
			field[heading->column[i]] = fields->text[i];
	if (call_read(&line.call, field, err) < 0)
		return -1;
	if (tmap_grow(&campaign->line, &campaign->capacity, (size_t)campaign->count + 1,
		      sizeof *campaign->line, err) < 0) {
		tmap_experiment_fini(&line.call);
		return -1;
	}
	campaign->line[campaign->count++] = line;
	return 0;
}

static int lines_read(struct tmap_campaign *campaign, const char *text, struct fields *fields,
		      struct tmap_error *err)
{
	struct tmap_line line = { 0 };
	struct heading heading = { 0 };

	while (tmap_line_next(&line, &text)) {
		if (!line.length || line.text[0] == '#')
			continue;
		if (fields_cut(fields, &line, err) < 0 ||
		    (heading.count ? line_add(campaign, &heading, fields, line.number, err) :
				     heading_read(&heading, fields, err)) < 0)
			return tmap_at(err, NULL, line.number);
	}
	return campaign->count ? 0 :
				 tmap_fail(err, TMAP_INPUT, "it has no line with an experiment");
}

int tmap_campaign_parse(struct tmap_campaign *campaign, const char *text, struct tmap_error *err)
{
	struct fields *fields = tmap_alloc(1, sizeof *fields, err);
	int status;

	*campaign = (struct tmap_campaign){ 0 };
	if (!fields)
		return -1;
	status = lines_read(campaign, text, fields, err);
	free(fields);
	if (status < 0)
		tmap_campaign_fini(campaign);
	return status;
}

void tmap_campaign_fini(struct tmap_campaign *campaign)
{
	for (int i = 0; i < campaign->count; i++)
		tmap_experiment_fini(&campaign->line[i].call);
	free(campaign->line);
	*campaign = (struct tmap_campaign){ 0 };
}
