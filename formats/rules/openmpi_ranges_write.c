/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/rules/openmpi_ranges.h"

#include "core/base/mem.h"
#include "core/tune/rule_collectives.h"
#include "formats/json/json_write.h"
#include "formats/rules/openmpi_names.h"

#include <stdlib.h>
#include <string.h>

/* The last number of a range. */
static void put_end(struct tmap_json_writer *w, const char *name, int64_t end)
{
	if (end == INT64_MAX)
		tmap_json_put_string(w, name, "inf");
	else
		tmap_json_put_int(w, name, end);
}

/* What is 0 where it is not there. */
static void put_some(struct tmap_json_writer *w, const char *name, int64_t value)
{
	if (value > 0)
		tmap_json_put_int(w, name, value);
}

static void put_note(struct tmap_json_writer *w, const char *note)
{
	if (note)
		tmap_json_put_string(w, "comment", note);
}

static void put_rule(struct tmap_json_writer *w, const struct tmap_rule *rule, int64_t collective)
{
	const char *name = tmap_openmpi_algorithm_name(collective, rule->algorithm);

	tmap_json_open_line(w, NULL, '{');
	tmap_json_put_int(w, "msg_size_min", rule->bytes);
	put_end(w, "msg_size_max", rule->most);
	if (name)
		tmap_json_put_string(w, "alg", name);
	else if (rule->is_void) /* else it has none */
		tmap_json_put_int(w, "alg", rule->algorithm);
	put_some(w, "faninout", rule->fan);
	put_some(w, "seg_size", rule->segment);
	put_some(w, "reqs", rule->requests);
	put_note(w, rule->note);
	tmap_json_close(w);
}

/* Of communicators the library takes no word for a range without an end: it is left out. */
static void put_size(struct tmap_json_writer *w, const struct tmap_rule_size *size,
		     int64_t collective)
{
	tmap_json_open(w, NULL, '{');
	tmap_json_put_int(w, "comm_size_min", size->ranks);
	if (size->most_ranks != INT64_MAX)
		tmap_json_put_int(w, "comm_size_max", size->most_ranks);
	tmap_json_put_string(w, "comm_rank_distribution",
			     tmap_keywords_at(&tmap_rule_spreads, size->spread)->name);
	put_note(w, size->note);
	tmap_json_open(w, "rules", '[');
	for (int i = 0; i < size->count; i++)
		put_rule(w, &size->rule[i], collective);
	tmap_json_close(w);
	tmap_json_close(w);
}

/* Lines of a text as strings. */
static int put_heading(struct tmap_json_writer *w, const char *text, struct tmap_error *err)
{
	tmap_json_open(w, "comment", '[');
	while (*text) {
		int length = (int)strcspn(text, "\n");
		char *line = tmap_format(err, "%.*s", length, text);

		if (!line)
			return -1;
		tmap_json_put_string(w, NULL, line);
		free(line);
		text += length + (text[length] == '\n');
	}
	tmap_json_close(w);
	return 0;
}

int tmap_openmpi_ranges_write(const struct tmap_rule_file *file, FILE *out, struct tmap_error *err)
{
	struct tmap_json_writer w;

	tmap_json_begin_foreign(&w, out);
	tmap_json_put_int(&w, "rule_file_version", file->version);
	tmap_json_put_string(&w, "module", "tuned");
	if (file->heading && put_heading(&w, file->heading, err) < 0)
		return -1;
	tmap_json_open(&w, "collectives", '{');
	for (int c = 0; c < file->count; c++) {
		const struct tmap_rule_collective *it = &file->collective[c];

		tmap_json_open(&w, tmap_rule_collective_row(it->number)->word.name, '[');
		for (int s = 0; s < it->count; s++)
			put_size(&w, &it->size[s], it->number);
		tmap_json_close(&w);
	}
	tmap_json_close(&w);
	return tmap_json_end(&w, err);
}
