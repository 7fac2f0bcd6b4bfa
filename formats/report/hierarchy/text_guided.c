#include "formats/report/hierarchy/text_guided.h"

#include "core/base/string.h"
#include "core/group/guided.h"
#include "core/group/hierarchy.h"
#include "formats/base/wrap.h"
#include "formats/report/hierarchy/guided_words.h"
#include "formats/text/text_table.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 4 };

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

/* What was added is the text of a cell, and the string is empty again. */
static void set_cell(struct tmap_table *table, int row, int column, struct tmap_str *str)
{
	struct tmap_error err;
	char *text = tmap_str_take(str, &err);

	if (text)
		tmap_table_set(table, row, column, "%s", text);
	else
		table->failed = true;
	free(text);
}

static void set_row(struct tmap_table *table, int row, const struct tmap_guided *guided)
{
	const struct tmap_resource *type = guided->resource;
	struct tmap_str str = TMAP_STR_INIT;

	if (type->keeps_whole)
		tmap_table_set(table, row, 0, "%s", type->word.name);
	else
		tmap_table_set(table, row, 0, "%s (%s)", type->word.name, type->hwloc);
	add_partition(&str, &guided->standard);
	set_cell(table, row, 1, &str);
	if (type->openmpi)
		add_answer(&str, type->openmpi + strlen("OMPI_COMM_TYPE_"), guided,
			   guided->overlaps ? NULL : &guided->openmpi);
	set_cell(table, row, 2, &str);
	if (type->mpich)
		add_answer(&str, type->mpich, guided, &guided->mpich);
	set_cell(table, row, 3, &str);
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

/* A type that is nowhere has no row. */
static int add_type(struct tmap_table *table, struct tmap_str *notes, struct tmap_str *nowhere,
		    const struct tmap_guided *guided, struct tmap_error *err)
{
	if (guided->without.count == guided->standard.size) {
		tmap_str_addf(nowhere, "%s%s", nowhere->length ? ", " : "",
			      guided->resource->word.name);
		return 0;
	}
	set_row(table, table->rows++, guided);
	return add_notes(notes, guided, err);
}

static int add_types(struct tmap_table *table, struct tmap_str *notes, struct tmap_str *nowhere,
		     const struct tmap_placement *placement, struct tmap_error *err)
{
	const struct tmap_keyword *row;

	for (size_t i = 0; (row = tmap_keywords_at(&tmap_resources, i)); i++) {
		struct tmap_guided guided;
		int status;

		if (tmap_guided_init(&guided, placement, (const struct tmap_resource *)row, err) <
		    0)
			return -1;
		status = add_type(table, notes, nowhere, &guided, err);
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

static int write(FILE *out, const struct tmap_table *table, struct tmap_str *notes,
		 struct tmap_str *nowhere, struct tmap_error *err)
{
	char *text = tmap_str_take(notes, err), *types = text ? tmap_str_take(nowhere, err) : NULL;
	int status = -1;

	if (types) {
		fputs("\nGuided splits of the job: communicators and their ranks; null: "
		      "MPI_COMM_NULL\n(names: hwloc's, OMPI_COMM_TYPE_... of Open MPI, mpi_hw_resource_type "
		      "of MPICH)\n",
		      out);
		status = tmap_table_write(out, table, err);
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
	static const char *const heads[COLUMNS] = { "split by", "MPI 4.0", "Open MPI 4.1.4",
						    "MPICH 4.0.2" };
	struct tmap_str notes = TMAP_STR_INIT, nowhere = TMAP_STR_INIT;
	struct tmap_table table;
	int rows = 1, status;

	while (tmap_keywords_at(&tmap_resources, (size_t)rows - 1))
		rows++;
	if (tmap_table_init(&table, rows, COLUMNS, err) < 0)
		return -1;
	for (int c = 0; c < COLUMNS; c++)
		tmap_table_set(&table, 0, c, "%s", heads[c]);
	table.rows = 1;
	status = add_types(&table, &notes, &nowhere, placement, err);
	if (status == 0)
		status = write(out, &table, &notes, &nowhere, err);
	tmap_str_fini(&notes);
	tmap_str_fini(&nowhere);
	tmap_table_fini(&table);
	return status;
}
