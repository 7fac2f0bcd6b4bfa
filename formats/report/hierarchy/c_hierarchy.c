/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/hierarchy/c_hierarchy.h"

#include "core/base/mem.h"
#include "core/group/guided.h"
#include "core/group/runs.h"
#include "formats/report/hierarchy/c_hierarchy_text.h"

#include <stdlib.h>

static int write_runs(FILE *out, const char *what, int l, const int *value, int count,
		      struct tmap_error *err)
{
	size_t runs;
	struct tmap_value_run *run = tmap_value_runs(value, count, &runs, err);

	if (!run)
		return -1;
	fprintf(out, "static const struct topomap_run topomap_%s_%d[] = {\n", what, l);
	for (size_t i = 0; i < runs; i++)
		fprintf(out, "\t{ %d, %d, %d, %d },\n", run[i].count, run[i].first, run[i].divide,
			run[i].modulo);
	fputs("};\n", out);
	free(run);
	return 0;
}

/* What each rank does at a level. */
static int write_comms(FILE *out, const struct tmap_hierarchy *h, int l, struct tmap_error *err)
{
	int *value = tmap_alloc_raw((size_t)h->size, sizeof *value, err), status;

	if (!value)
		return -1;
	for (int r = 0; r < h->size; r++)
		value[r] = tmap_hierarchy_has(h, l, r) ?
			tmap_hierarchy_comm(h, l, r) - h->level[l].first + 2 :
			h->split[tmap_hierarchy_above(h, l, r)] == l;
	status = write_runs(out, "comm", l, value, h->size, err);
	free(value);
	return status;
}

static int position_of_conduit(const struct tmap_hierarchy *h, int comm)
{
	const int *member = tmap_comm_members(h, comm);
	int at = 0;

	while (member[at] != h->conduit[comm])
		at++;
	return at;
}

/* The sizes and the conduits of the communicators of a level. */
static int write_facts(FILE *out, const struct tmap_hierarchy *h, int l, struct tmap_error *err)
{
	int first = h->level[l].first, count = h->level[l].end - first, status;
	int *value = tmap_alloc_raw((size_t)count, sizeof *value, err);

	if (!value)
		return -1;
	for (int i = 0; i < count; i++)
		value[i] = tmap_comm_size(h, first + i);
	status = write_runs(out, "size", l, value, count, err);
	for (int i = 0; i < count && status == 0; i++)
		value[i] = position_of_conduit(h, first + i);
	if (status == 0)
		status = write_runs(out, "conduit", l, value, count, err);
	free(value);
	return status;
}

static void write_level(FILE *out, const struct tmap_hierarchy_view *view, int l)
{
	const struct tmap_hierarchy *h = view->hierarchy;
	const struct tmap_resource *type = tmap_resource_find(h->level[l].name);

	fprintf(out, "\t{ topomap_comm_%d, topomap_size_%d, topomap_conduit_%d, %d,\n\t  ", l, l, l,
		view->statistics->level[l].null_ranks == 0);
	if (type && type->openmpi5 && type->mpich)
		fprintf(out, "TOPOMAP_TYPE(\"%s\", \"%s\", \"%s\")", type->openmpi5, type->mpich,
			type->hwloc);
	else
		fputs("NULL", out);
	fputs(" },\n", out);
}

static int write_tables(FILE *out, const struct tmap_hierarchy_view *view, struct tmap_error *err)
{
	const struct tmap_hierarchy *h = view->hierarchy;

	fprintf(out, "\n#define TOPOMAP_SIZE %d\n#define TOPOMAP_LEVELS %d\n\n", h->size,
		h->level_count);
	for (int l = 0; l < h->level_count; l++)
		if (write_comms(out, h, l, err) < 0 || write_facts(out, h, l, err) < 0)
			return -1;
	fputs("\nstatic const struct topomap_level topomap_levels[TOPOMAP_LEVELS] = {\n", out);
	for (int l = 0; l < h->level_count; l++)
		write_level(out, view, l);
	fputs("};\n\n", out);
	return 0;
}

/* A level of the network may be called anything; it must not end the comment. */
static void write_comment(FILE *out, const struct tmap_hierarchy *h)
{
	fprintf(out,
		"/*\n * The communicators of the hardware for a job of %d ranks, root %d, made by "
		"topomap:\n",
		h->size, h->root);
	for (int l = 0; l < h->level_count; l++) {
		fprintf(out, " *   level %d: %d of ", l, h->level[l].end - h->level[l].first);
		for (const char *c = h->level[l].name; *c; c++)
			putc(*c == '*' || *c == '/' || *c == '\\' || *c == '?' ? '_' : *c, out);
		putc('\n', out);
	}
	fputs(" * The job must be placed as it was when this was made.\n */\n", out);
}

int tmap_c_write_hierarchy(FILE *out, const struct tmap_hierarchy_view *view,
			   struct tmap_error *err)
{
	const struct tmap_hierarchy *h = view->hierarchy;

	if (!h->level_count)
		return tmap_fail(err, TMAP_INPUT,
				 "nothing can be split, so there are no calls to write");
	write_comment(out, h);
	fputs(tmap_c_hierarchy_head, out);
	if (write_tables(out, view, err) < 0)
		return -1;
	fputs(tmap_c_hierarchy_body, out);
	fputs(tmap_c_hierarchy_program, out);
	return 0;
}
