/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/hierarchy/text_guided.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/group/guided.h"
#include "core/group/hierarchy.h"
#include "formats/base/wrap.h"
#include "formats/report/hierarchy/guided_reason.h"
#include "formats/text/table.h"

#include <stdlib.h>
#include <string.h>

enum { TYPE, STANDARD, OPENMPI, MPICH, COLUMN_COUNT };

static const struct tmap_column columns[COLUMN_COUNT] = {
	[TYPE] = { NULL, NULL, "split by", TMAP_COLUMN_STRING },
	[STANDARD] = { NULL, NULL, "MPI 4.0", TMAP_COLUMN_STRING, .side = TMAP_SIDE_RIGHT },
	[OPENMPI] = { NULL, NULL, "Open MPI 4.1.4", TMAP_COLUMN_STRING, .side = TMAP_SIDE_RIGHT },
	[MPICH] = { NULL, NULL, "MPICH 4.0.2", TMAP_COLUMN_STRING, .side = TMAP_SIDE_RIGHT },
};

struct guided_cells {
	char *text[COLUMN_COUNT];
};

/* What is shown of all types: a row for each that some rank has, and the lines below them. */
struct guided_report {
	struct guided_cells *row; /* [rows] */
	int rows;
	struct tmap_str notes, nowhere; /* lines; names of types that no rank has */
};

static int guided_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct guided_report *report = subject;

	(void)err;
	for (int c = 0; c < COLUMN_COUNT; c++)
		cell[c].string = report->row[i].text[c];
	return 0;
}

/* "3", "2..3" */
static void add_sizes(struct tmap_str *str, const struct tmap_partition *p)
{
	int least, most;

	tmap_partition_sizes(p, &least, &most);
	tmap_str_addf(str, "%d", least);
	if (most > least)
		tmap_str_addf(str, "..%d", most);
}

/* "6 of 3", "4 of 2..3, 1 null", "null" */
static void add_partition(struct tmap_str *str, const struct tmap_partition *p)
{
	if (!p->count) {
		tmap_str_add(str, "null");
		return;
	}
	tmap_str_addf(str, "%d of ", p->count);
	add_sizes(str, p);
	if (p->outside)
		tmap_str_addf(str, ", %d null", p->outside);
}

/* A library's name of the type and its answer: "NUMA same". */
static void add_answer(struct tmap_str *str, const char *name, const struct tmap_guided *guided,
		       const struct tmap_partition *p)
{
	tmap_str_addf(str, "%s ", name);
	if (!p)
		tmap_str_add(str, "overlap");
	else if (tmap_partition_equal(p, &guided->standard))
		tmap_str_add(str, "same");
	else
		add_partition(str, p);
}

static int set_cells(struct guided_cells *cells, const struct tmap_guided *guided,
		     struct tmap_error *err)
{
	const struct tmap_resource *type = guided->resource;
	struct tmap_str str[COLUMN_COUNT] = { TMAP_STR_INIT };
	int status = 0;

	tmap_str_add(&str[TYPE], type->word.name);
	if (!type->keeps_whole)
		tmap_str_addf(&str[TYPE], " (%s)", type->hwloc);
	add_partition(&str[STANDARD], &guided->standard);
	if (type->openmpi)
		add_answer(&str[OPENMPI], type->openmpi + strlen("OMPI_COMM_TYPE_"), guided,
			   guided->overlaps ? NULL : &guided->openmpi);
	if (type->mpich)
		add_answer(&str[MPICH], type->mpich, guided, &guided->mpich);
	for (int c = 0; c < COLUMN_COUNT; c++) {
		cells->text[c] = tmap_str_take(&str[c], err);
		status = cells->text[c] ? status : -1;
	}
	return status;
}

static int add_notes(struct tmap_str *notes, const struct tmap_guided *guided,
		     struct tmap_error *err)
{
	const char *type = guided->resource->word.name;
	char *reason = tmap_guided_reason(guided, err), *overlap = NULL;

	if (reason && *reason)
		tmap_str_addf(notes, "%s: %s\n", type, reason);
	if (reason && guided->overlaps) {
		overlap = tmap_guided_overlap(guided, err);
		tmap_str_addf(notes, "%s in Open MPI: %s\n", type, overlap ? overlap : "");
	}
	free(overlap);
	free(reason);
	return reason && (overlap || !guided->overlaps) ? 0 : -1;
}

/* A type that no rank has gets no row. */
static int add_type(struct guided_report *report, const struct tmap_guided *guided,
		    struct tmap_error *err)
{
	struct tmap_str *nowhere = &report->nowhere;

	if (guided->without.count == guided->standard.size) {
		tmap_str_addf(nowhere, "%s%s", nowhere->length ? ", " : "",
			      guided->resource->word.name);
		return 0;
	}
	if (set_cells(&report->row[report->rows++], guided, err) < 0)
		return -1;
	return add_notes(&report->notes, guided, err);
}

static int add_types(struct guided_report *report, const struct tmap_placement *placement,
		     struct tmap_error *err)
{
	const struct tmap_keyword *row;

	for (size_t i = 0; (row = tmap_keywords_at(&tmap_resources, i)); i++) {
		struct tmap_guided guided;
		int status;

		if (tmap_guided_init(&guided, placement, (const struct tmap_resource *)row, err) <
		    0)
			return -1;
		status = add_type(report, &guided, err);
		tmap_guided_fini(&guided);
		if (status < 0)
			return -1;
	}
	return 0;
}

static void write_lines(FILE *out, char *text)
{
	for (char *end; (end = strchr(text, '\n')); text = end + 1) {
		*end = '\0';
		tmap_text_write_wrapped(out, 0, "", text);
	}
}

static int write_guided(FILE *out, struct guided_report *report, struct tmap_error *err)
{
	const struct tmap_table table = { .column = columns,
					  .columns = COLUMN_COUNT,
					  .rows = report->rows,
					  .row = guided_row,
					  .subject = report };
	char *text = tmap_str_take(&report->notes, err);
	char *types = text ? tmap_str_take(&report->nowhere, err) : NULL;
	int status = -1;

	if (types) {
		fputs("\nGuided splits of the job: communicators and their ranks; null: "
		      "MPI_COMM_NULL\n(names: hwloc's, OMPI_COMM_TYPE_... of Open MPI, mpi_hw_resource_type "
		      "of MPICH)\n",
		      out);
		status = tmap_table_write_text(out, &table, err);
		if (*types)
			fprintf(out, "No rank has one of %s: null\n", types);
		write_lines(out, text);
	}
	free(types);
	free(text);
	return status;
}

int tmap_text_write_unguided(FILE *out, const struct tmap_placement *placement,
			     struct tmap_error *err)
{
	struct tmap_hierarchy h;
	struct tmap_str str = TMAP_STR_INIT;
	int status = 0;
	char *text;

	if (tmap_hierarchy_init_mpich(&h, placement, err) < 0)
		return -1;
	for (int l = 0; l < h.level_count && status == 0; l++) {
		struct tmap_partition p;

		status = tmap_hierarchy_partition(&p, &h, l, err);
		if (status < 0)
			break;
		tmap_str_addf(&str, "%s%s %d of ", l ? ", " : "", h.level[l].name, p.count);
		add_sizes(&str, &p);
		tmap_partition_fini(&p);
	}
	tmap_hierarchy_fini(&h);
	text = status == 0 ? tmap_str_take(&str, err) : NULL;
	tmap_str_fini(&str);
	if (!text)
		return -1;
	fputc('\n', out);
	tmap_text_write_wrapped(out, sizeof "MPICH 4.0.2 gives", "MPICH 4.0.2 gives",
				*text ? text : "MPI_COMM_NULL");
	fputs("Open MPI 4.1.4 has no such calls: it is MPI 3.1\n", out);
	free(text);
	return 0;
}

int tmap_text_write_guided(FILE *out, const struct tmap_placement *placement,
			   struct tmap_error *err)
{
	struct guided_report report = { .rows = 0 };
	size_t types = 0;
	int status;

	while (tmap_keywords_at(&tmap_resources, types))
		types++;
	report.row = tmap_alloc(types, sizeof *report.row, err);
	if (!report.row)
		return -1;
	status = add_types(&report, placement, err);
	if (status == 0)
		status = write_guided(out, &report, err);
	tmap_str_fini(&report.notes);
	tmap_str_fini(&report.nowhere);
	for (int i = 0; i < report.rows; i++)
		for (int c = 0; c < COLUMN_COUNT; c++)
			free(report.row[i].text[c]);
	free(report.row);
	return status;
}
