/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/matrix_read.h"

#include "core/base/mem.h"
#include "formats/base/input.h"
#include "formats/json/json.h"
#include "formats/machine/hwloc_distances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *cell(const struct tmap_matrix *matrix, int a, int b)
{
	return &matrix->value[(size_t)a * (size_t)matrix->size + (size_t)b];
}

/* The two ways become one. */
static void take_means(struct tmap_matrix *matrix)
{
	for (int a = 0; a < matrix->size; a++)
		for (int b = 0; b < a; b++) {
			double mean = *cell(matrix, a, b) / 2 + *cell(matrix, b, a) / 2;

			/* what is equal stays as it is */
			if (*cell(matrix, a, b) < *cell(matrix, b, a) ||
			    *cell(matrix, a, b) > *cell(matrix, b, a))
				*cell(matrix, a, b) = *cell(matrix, b, a) = mean;
		}
}

/* The number at the beginning of *at, which is left behind it and the separator. */
static int parse_number(const char **at, const char *end, double *number)
{
	char *behind;

	*number = strtod(*at, &behind);
	if (behind == *at || behind > end || !isfinite(*number) || *number < 0)
		return -1;
	behind += strspn(behind, " \t");
	if (behind < end && (*behind == ',' || *behind == ';'))
		behind += 1 + strspn(behind + 1, " \t");
	else if (behind < end && *behind != '\r' && !strchr(" \t", behind[-1]))
		return -1;
	*at = behind;
	return 0;
}

/* One line of numbers, from @p at to @p end. */
static int parse_row(struct tmap_matrix *matrix, int row, const char *at, const char *end, int line,
		     struct tmap_error *err)
{
	int count = 0;
	double number;

	for (at += strspn(at, " \t"); at < end && *at != '\r'; count++) {
		if (parse_number(&at, end, &number) < 0)
			return tmap_fail_at(err, TMAP_INPUT, line, 0,
					    "'%.*s' does not begin with a "
					    "distance, which is a number of at least 0",
					    (int)(end - at < 20 ? end - at : 20), at);
		if (count < matrix->size)
			*cell(matrix, row, count) = number;
	}
	if (count != matrix->size)
		return tmap_fail_at(err, TMAP_INPUT, line, 0, "there are %d numbers, but %d ranks",
				    count, matrix->size);
	return 0;
}

static int parse_text(struct tmap_matrix *matrix, const char *text, struct tmap_error *err)
{
	int row = 0, line = 1;

	for (const char *at = text; *at; line++) {
		const char *end = at + strcspn(at, "\n");
		size_t blank = strspn(at, " \t\r");

		if (at + blank < end && at[blank] != '#') {
			if (row < matrix->size && parse_row(matrix, row, at, end, line, err) < 0)
				return -1;
			row++;
		}
		at = *end ? end + 1 : end;
	}
	if (row != matrix->size)
		return tmap_fail(err, TMAP_INPUT,
				 "it has %d lines of numbers, but there are %d ranks", row,
				 matrix->size);
	return 0;
}

static int get_rows(const struct tmap_json *doc, struct tmap_matrix *matrix, struct tmap_error *err)
{
	struct tmap_json distances, rows, row;

	if (tmap_json_check_kind(doc, "placement", err) < 0 ||
	    tmap_json_get(doc, "distances", TMAP_JSON_OBJECT, &distances, err) < 0 ||
	    tmap_json_get(&distances, "matrix", TMAP_JSON_ARRAY, &rows, err) < 0)
		return -1;
	if (tmap_json_count(&rows) != matrix->size)
		return tmap_json_fail(&rows, err, "it has %d rows, but there are %d ranks",
				      tmap_json_count(&rows), matrix->size);
	for (int r = 0; r < matrix->size; r++) {
		if (tmap_json_element(&rows, r, TMAP_JSON_ARRAY, &row, err) < 0)
			return -1;
		if (tmap_json_count(&row) != matrix->size)
			return tmap_json_fail(&row, err,
					      "it has %d numbers, but there are %d ranks",
					      tmap_json_count(&row), matrix->size);
		for (int i = 0; i < matrix->size; i++) {
			struct tmap_json number;

			if (tmap_json_element(&row, i, TMAP_JSON_NUMBER, &number, err) < 0)
				return -1;
			*cell(matrix, r, i) = tmap_json_number(&number);
			if (*cell(matrix, r, i) < 0)
				return tmap_json_fail(&number, err, "a distance is at least 0");
		}
	}
	return 0;
}

static int parse_json(struct tmap_matrix *matrix, const char *text, size_t length, const char *name,
		      struct tmap_error *err)
{
	struct tmap_json doc;
	int status;

	if (tmap_json_parse(&doc, text, length, name, err) < 0)
		return -1;
	status = get_rows(&doc, matrix, err);
	tmap_json_fini(&doc);
	return status < 0 ? tmap_at(err, name, 0) : 0;
}

/* The row of the innermost NUMA node that an object lies in, or TMAP_NONE. */
static int numa_of_object(const struct tmap_numa_distances *distances,
			  const struct tmap_topology *topo, int object)
{
	const struct tmap_object *it = &topo->object[object];
	int found = TMAP_NONE, width = topo->pu_count + 1;

	for (int m = 0; m < topo->memory_count; m++) {
		const struct tmap_memory *memory = &topo->memory[m];
		const struct tmap_object *around =
			memory->object == TMAP_NONE ? NULL : &topo->object[memory->object];
		int row;

		if (!around || around->first_pu > it->first_pu || around->end_pu < it->end_pu ||
		    around->end_pu - around->first_pu >= width)
			continue;
		row = tmap_numa_distances_find(distances, memory->os);
		if (row == TMAP_NONE)
			continue;
		found = row;
		width = around->end_pu - around->first_pu;
	}
	return found;
}

/* *row of each rank; all sit on one node, and each on one NUMA node. */
static int find_numas(const struct tmap_numa_distances *distances, const struct tmap_placement *p,
		      int *row, struct tmap_error *err)
{
	for (int r = 0; r < p->size; r++) {
		if (p->node[r] != p->node[0])
			return tmap_fail(err, TMAP_INPUT,
					 "hwloc's distances are those of one node, "
					 "but rank %d is on %s and rank 0 on %s",
					 r, p->machine->node_name[p->node[r]],
					 p->machine->node_name[p->node[0]]);
		row[r] = numa_of_object(distances, tmap_placement_topology(p, r),
					tmap_placement_object(p, r));
		if (row[r] == TMAP_NONE)
			return tmap_fail(err, TMAP_INPUT,
					 "rank %d does not sit on one of the NUMA nodes "
					 "that have distances",
					 r);
	}
	return 0;
}

static int parse_xml(struct tmap_matrix *matrix, const char *text, size_t length,
		     const struct tmap_placement *p, struct tmap_error *err)
{
	struct tmap_numa_distances distances = { 0 };
	int *row = tmap_alloc((size_t)p->size, sizeof *row, err), status = -1;

	if (row && tmap_numa_distances_parse(&distances, text, length, err) == 0)
		status = find_numas(&distances, p, row, err);
	for (int a = 0; status == 0 && a < p->size; a++)
		for (int b = 0; b < p->size; b++)
			*cell(matrix, a, b) = distances.value[row[a] * distances.count + row[b]];
	tmap_numa_distances_fini(&distances);
	free(row);
	return status;
}

static int parse(struct tmap_matrix *matrix, const char *text, size_t length, const char *name,
		 const struct tmap_placement *p, struct tmap_error *err)
{
	size_t blank = strspn(text, " \t\r\n");
	int status;

	if (text[blank] == '{')
		return parse_json(matrix, text, length, name, err);
	status = text[blank] == '<' ? parse_xml(matrix, text, length, p, err) :
				      parse_text(matrix, text, err);
	return status < 0 ? tmap_at(err, name, 0) : 0;
}

int tmap_matrix_parse(struct tmap_matrix *matrix, const char *text, size_t length, const char *name,
		      const struct tmap_placement *p, struct tmap_error *err)
{
	struct tmap_matrix made;

	if (tmap_matrix_init(&made, p->size, err) < 0)
		return -1;
	if (parse(&made, text, length, name, p, err) < 0) {
		tmap_matrix_fini(&made);
		return -1;
	}
	take_means(&made);
	if (tmap_matrix_check(&made, err) < 0) {
		tmap_matrix_fini(&made);
		return tmap_at(err, name, 0);
	}
	*matrix = made;
	return 0;
}

int tmap_matrix_read(struct tmap_matrix *matrix, const char *path, const struct tmap_placement *p,
		     struct tmap_error *err)
{
	struct tmap_input in;
	char *text;
	int status;

	if (tmap_input_init(&in, path, err) < 0)
		return -1;
	tmap_input_limit_pipe(&in, (int64_t)p->size * p->size);
	if (tmap_input_take_text(&in, &text, err) < 0) {
		status = tmap_at(err, in.name, 0);
	} else {
		status = tmap_matrix_parse(matrix, text, strlen(text), in.name, p, err);
		free(text);
	}
	tmap_input_fini(&in);
	return status;
}

int tmap_matrix_select(struct tmap_matrix *part, const struct tmap_matrix *whole, const int *rank,
		       int count, struct tmap_error *err)
{
	if (tmap_matrix_init(part, count, err) < 0)
		return -1;
	for (int a = 0; a < count; a++)
		for (int b = 0; b < count; b++)
			*cell(part, a, b) = *cell(whole, rank[a], rank[b]);
	return 0;
}
