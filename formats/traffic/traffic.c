/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/traffic/traffic.h"

#include "formats/base/folder.h"
#include "formats/base/input.h"
#include "formats/traffic/npy.h"
#include "formats/traffic/readers.h"

#include <stdlib.h>
#include <string.h>

/* From a pipe a matrix to be cut is of no more ranks than these, or those of the job. */
enum { CUT_RANKS = 1024 };

struct row {
	struct tmap_keyword word;
	const char *endings; /* of file names, separated by blanks; they decide where more than one
				format would do */
	bool (*is)(const char *text);
	tmap_traffic_reader *read;
	bool is_doubtful; /* it gives way to no later row, and is refused where one would do */
	bool is_bare;     /* nothing but numbers, as other files may have, too */
	bool is_partial;  /* a file of a rank, which may have sent nothing */
};

/* In the order in which they are tried: the unmistakable ones first. */
static const struct row rows[] = {
	{ { "monitoring", "Open MPI's pml_monitoring: .prof files" },
	  ".prof",
	  tmap_traffic_is_monitoring,
	  tmap_traffic_monitoring,
	  false,
	  false,
	  true },
	{ { "otf2", "messages of a trace of OTF2, such as Score-P's, as otf2-print prints it" },
	  "",
	  tmap_traffic_is_otf2,
	  tmap_traffic_otf2,
	  false,
	  false,
	  false },
	{ { "json", "JSON arrays: a row a rank, [from, to, bytes], or objects with these names" },
	  ".json",
	  tmap_traffic_is_arrays,
	  tmap_traffic_arrays,
	  false,
	  false,
	  false },
	{ { "mtx", "Matrix Market" },
	  ".mtx",
	  tmap_traffic_is_mtx,
	  tmap_traffic_mtx,
	  false,
	  false,
	  false },
	{ { "edges", "'i , j = bytes', of both ways together" },
	  "",
	  tmap_traffic_is_edges,
	  tmap_traffic_edges,
	  false,
	  false,
	  false },
	{ { "scotch", "a Scotch source graph" },
	  ".grf .src",
	  tmap_traffic_is_scotch,
	  tmap_traffic_scotch,
	  false,
	  true,
	  false },
	{ { "metis", "a METIS graph" },
	  ".graph .metis",
	  tmap_traffic_is_metis,
	  tmap_traffic_metis,
	  false,
	  true,
	  false },
	{ { "matrix", "a line a rank with a number for each rank: CSV, TreeMatch" },
	  ".csv .mat",
	  tmap_traffic_is_matrix,
	  tmap_traffic_matrix,
	  true,
	  true,
	  false },
	{ { "list", "'i j bytes', from one rank to another" },
	  ".list",
	  tmap_traffic_is_list,
	  tmap_traffic_list,
	  false,
	  true,
	  false },
	{ { NULL, NULL }, NULL, NULL, NULL, false, false, false },
};

const struct tmap_keywords tmap_traffic_formats = TMAP_KEYWORDS("format of traffic", rows);

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

const char *tmap_traffic_format(const char *text, bool surely)
{
	const struct row *row = rows;

	while (row->word.name && !row->is(text))
		row++;
	return surely && row->is_bare ? NULL : row->word.name;
}

/* Nothing is what it should be: the format that it comes closest to tells what is wrong. */
static int guess(const char *text, struct tmap_error *err)
{
	if (tmap_traffic_is_nearly_list(text))
		return tmap_keywords_find(&tmap_traffic_formats, "list", err);
	if (tmap_traffic_is_nearly_matrix(text))
		return tmap_keywords_find(&tmap_traffic_formats, "matrix", err);
	return TMAP_NONE;
}

static int recognise(const char *text, const char *name, struct tmap_error *err)
{
	int found = TMAP_NONE;

	for (int i = 0; rows[i].word.name; i++) {
		if (!rows[i].is(text))
			continue;
		if (has_ending(&rows[i], name))
			return i;
		if (found != TMAP_NONE && rows[found].is_doubtful)
			return tmap_fail(err, TMAP_INPUT,
					 "it may be a %s or a %s: --matrix-format says "
					 "which",
					 rows[found].word.name, rows[i].word.name);
		if (found == TMAP_NONE)
			found = i;
	}
	if (found == TMAP_NONE)
		found = guess(text, err);
	if (found == TMAP_NONE)
		tmap_fail(err, TMAP_INPUT,
			  "it is no traffic of a known format: --matrix-format names "
			  "one");
	return found;
}

int tmap_traffic_parse(struct tmap_pattern_builder *b, const char *text, const char *name,
		       int format, struct tmap_error *err)
{
	int64_t before = b->given;
	int status;

	if (format == TMAP_NONE)
		format = recognise(text, name, err);
	status = format == TMAP_NONE ? -1 : rows[format].read(b, text, err);
	if (status == 0 && b->given == before && !rows[format].is_partial)
		status = tmap_fail(err, TMAP_INPUT, "there is nothing of the format %s in it: %s",
				   rows[format].word.name, rows[format].word.summary);
	if (status < 0)
		return err->kind == TMAP_INPUT ? tmap_at(err, name, 0) : -1;
	return 0;
}

/* Of a matrix, where there are so many ranks, more than of other inputs: 16 bytes a number, and as a list of 11
 * million ranks with 30 neighbors each has, 8 * 10^9. */
static int64_t bytes_at_most(int ranks)
{
	const int64_t matrix = 16 * (int64_t)ranks * ranks, list = 2 * (int64_t)TMAP_INPUT_MOST;

	return matrix < TMAP_INPUT_MOST ? TMAP_INPUT_MOST : matrix < list ? matrix : list;
}

static int read_array(struct tmap_pattern_builder *b, struct tmap_input *in, int format,
		      struct tmap_error *err)
{
	int status = format == TMAP_NONE ?
		tmap_npy_read(b, in, err) :
		tmap_fail(err, TMAP_INPUT, "it is a NumPy array, not a %s", rows[format].word.name);

	return status < 0 && err->kind == TMAP_INPUT ? tmap_at(err, in->name, 0) : status;
}

static int read_text(struct tmap_pattern_builder *b, struct tmap_input *in, int format,
		     struct tmap_error *err)
{
	int64_t ranks = b->is_cut && b->size < CUT_RANKS ? CUT_RANKS : b->size;
	size_t length;
	char *text;
	int status;

	in->most = bytes_at_most(b->size);
	tmap_input_limit_pipe(in, ranks * ranks);
	if (tmap_input_take_all(in, &text, &length, err) < 0)
		return tmap_at(err, in->name, 0);
	status = tmap_input_make_text(text, length, err) < 0 ?
		tmap_at(err, in->name, 0) :
		tmap_traffic_parse(b, text, in->name, format, err);
	free(text);
	return status;
}

static int read_file(struct tmap_pattern_builder *b, const char *path, int format,
		     struct tmap_error *err)
{
	struct tmap_input in;
	int status;

	if (tmap_input_init(&in, path, err) < 0)
		return -1;
	in.keeps_ends = in.has_zeros = true;
	status = tmap_npy_is(&in) ? read_array(b, &in, format, err) :
				    read_text(b, &in, format, err);
	tmap_input_fini(&in);
	return status;
}

int tmap_traffic_read(struct tmap_pattern_builder *b, const char *path, int format,
		      struct tmap_error *err)
{
	struct tmap_folder folder = { 0 };
	int status = 0;

	if (!tmap_folder_is(path))
		return read_file(b, path, format, err);
	if (tmap_folder_list(&folder, path, ".prof", err) < 0)
		return -1;
	if (!folder.count) {
		tmap_fail(err, TMAP_INPUT, "there is no .prof file in this folder");
		status = tmap_at(err, path, 0);
	}
	for (size_t i = 0; i < folder.count && status == 0; i++)
		status = read_file(b, folder.path[i], format, err);
	tmap_folder_fini(&folder);
	return status;
}
