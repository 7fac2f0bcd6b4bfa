#include "formats/traffic/traffic.h"

#include "formats/base/file.h"
#include "formats/base/folder.h"
#include "formats/traffic/readers.h"

#include <stdlib.h>
#include <string.h>

struct row {
	struct tm_word word;
	const char *endings; /* of file names, separated by blanks; they decide where more than one
				format would do */
	bool (*is)(const char *text);
	tm_traffic_reader *read;
	bool is_doubtful;    /* it gives way to no later row, and is refused where one would do */
};

/* In the order in which they are tried: the unmistakable ones first. */
static const struct row rows[] = {
	{ { "monitoring", "Open MPI's pml_monitoring: .prof files" },
	  ".prof", tm_traffic_is_monitoring, tm_traffic_monitoring, false },
	{ { "mtx", "Matrix Market" }, ".mtx", tm_traffic_is_mtx, tm_traffic_mtx, false },
	{ { "edges", "'i , j = bytes', of both ways together" },
	  "", tm_traffic_is_edges, tm_traffic_edges, false },
	{ { "scotch", "a Scotch source graph" },
	  ".grf .src", tm_traffic_is_scotch, tm_traffic_scotch, false },
	{ { "metis", "a METIS graph" },
	  ".graph .metis", tm_traffic_is_metis, tm_traffic_metis, false },
	{ { "matrix", "a line a rank with a number for each rank: CSV, TreeMatch" },
	  ".csv .mat", tm_traffic_is_matrix, tm_traffic_matrix, true },
	{ { "list", "'i j bytes', from one rank to another" },
	  ".list", tm_traffic_is_list, tm_traffic_list, false },
	{ { NULL, NULL }, NULL, NULL, NULL, false },
};

const struct tm_words tm_traffic_formats = TM_WORDS("format of traffic", rows);

/* Is the name's ending one of the row's? */
static bool has_ending(const struct row *row, const char *name)
{
	const char *ending = strrchr(name, '.');
	size_t length = ending ? strlen(ending) : 0;

	for (const char *at = row->endings; ending && *at; at += strspn(at, " ")) {
		size_t width = strcspn(at, " ");

		if (width == length && strncmp(at, ending, width) == 0)
			return true;
		at += width;
	}
	return false;
}

/* Nothing is what it should be: the format that it comes closest to tells what is wrong. */
static int guess(const char *text, struct tm_error *err)
{
	if (tm_traffic_is_nearly_list(text))
		return tm_words_find(&tm_traffic_formats, "list", err);
	if (tm_traffic_is_nearly_matrix(text))
		return tm_words_find(&tm_traffic_formats, "matrix", err);
	return TM_NONE;
}

static int recognise(const char *text, const char *name, struct tm_error *err)
{
	int found = TM_NONE;

	for (int i = 0; rows[i].word.name; i++) {
		if (!rows[i].is(text))
			continue;
		if (has_ending(&rows[i], name))
			return i;
		if (found != TM_NONE && rows[found].is_doubtful)
			return tm_fail(err, TM_INPUT, "it may be a %s or a %s: --matrix-format says "
				       "which", rows[found].word.name, rows[i].word.name);
		if (found == TM_NONE)
			found = i;
	}
	if (found == TM_NONE)
		found = guess(text, err);
	if (found == TM_NONE)
		tm_fail(err, TM_INPUT, "it is no traffic of a known format: --matrix-format names "
			"one");
	return found;
}

int tm_traffic_parse(struct tm_pattern_builder *b, const char *text, const char *name, int format,
		     struct tm_error *err)
{
	if (format == TM_NONE)
		format = recognise(text, name, err);
	if (format == TM_NONE || rows[format].read(b, text, err) < 0)
		return err->kind == TM_INPUT ? tm_wrap(err, "%s", name) : -1;
	return 0;
}

static int read_file(struct tm_pattern_builder *b, const char *path, int format,
		     struct tm_error *err)
{
	char *text;
	int status;

	if (tm_file_read_text(path, &text, err) < 0)
		return -1;
	status = tm_traffic_parse(b, text, tm_input_name(path), format, err);
	free(text);
	return status;
}

int tm_traffic_read(struct tm_pattern_builder *b, const char *path, int format,
		    struct tm_error *err)
{
	struct tm_folder folder = { 0 };
	int status = 0;

	if (!tm_folder_is(path))
		return read_file(b, path, format, err);
	if (tm_folder_list(&folder, path, ".prof", err) < 0)
		return -1;
	if (!folder.count)
		status = tm_fail(err, TM_INPUT, "%s: there is no .prof file in this folder", path);
	for (size_t i = 0; i < folder.count && status == 0; i++)
		status = read_file(b, folder.path[i], format, err);
	tm_folder_fini(&folder);
	return status;
}
