/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/hierarchy/json_hierarchy.h"

#include "core/base/mem.h"
#include "core/group/guided.h"
#include "formats/machine/json_placement.h"
#include "formats/report/hierarchy/guided_reason.h"
#include "formats/report/hierarchy/hierarchy_tables.h"

#include <stdlib.h>

static int put_ranks(struct tmap_json_writer *w, const char *name, const int *rank, int count,
		     int size, struct tmap_error *err)
{
	if (size > TMAP_JSON_HIERARCHY_ARRAYS)
		return tmap_json_put_list(w, name, rank, count, err);
	tmap_json_put_ints(w, name, rank, count);
	return 0;
}

/* Lists of ranks, one behind the other: as arrays, or of a large job as one list of all and the
 * sizes. */
static int put_lists(struct tmap_json_writer *w, const char *name, const int *rank,
		     const int *sizes, int count, int size, struct tmap_error *err)
{
	int total = 0, status = 0;

	if (size <= TMAP_JSON_HIERARCHY_ARRAYS) {
		tmap_json_open(w, name, '[');
		for (int i = 0; i < count; i++) {
			tmap_json_put_ints(w, NULL, rank + total, sizes[i]);
			total += sizes[i];
		}
	} else {
		tmap_json_open(w, name, '{');
		for (int i = 0; i < count; i++)
			total += sizes[i];
		if (tmap_json_put_list(w, "sizes", sizes, count, err) < 0 ||
		    tmap_json_put_list(w, "ranks", rank, total, err) < 0)
			status = -1;
	}
	tmap_json_close(w);
	return status;
}

static int put_comms(struct tmap_json_writer *w, const struct tmap_hierarchy *h, int l,
		     struct tmap_error *err)
{
	int first = h->level[l].first, count = h->level[l].end - first, status;
	int *sizes = tmap_alloc_raw((size_t)count, sizeof *sizes, err);

	if (!sizes)
		return -1;
	for (int i = 0; i < count; i++)
		sizes[i] = tmap_comm_size(h, first + i);
	status = put_lists(w, "communicators", tmap_comm_members(h, first), sizes, count, h->size,
			   err);
	free(sizes);
	return status;
}

/* Of each communicator that is split at the level, those of its group that are conduits. */
static void collect_conduits(const struct tmap_hierarchy *h, int l, int *conduit, int *sizes)
{
	for (int c = 0; c < h->level[l].first; c++) {
		if (h->split[c] != l)
			continue;
		*sizes = 0;
		for (int64_t i = h->group_first[c]; i < h->group_first[c + 1]; i++)
			if (tmap_hierarchy_has(h, l, h->group[i])) {
				*conduit++ = h->group[i];
				++*sizes;
			}
		sizes++;
	}
}

static int put_conduits(struct tmap_json_writer *w, const struct tmap_hierarchy_view *view, int l,
			struct tmap_error *err)
{
	const struct tmap_hierarchy *h = view->hierarchy;
	int comms = h->level[l].end - h->level[l].first, splits = view->statistics->level[l].splits;
	int *conduit = tmap_alloc_raw((size_t)comms, sizeof *conduit, err);
	int *sizes = tmap_alloc_raw((size_t)splits, sizeof *sizes, err), status = -1;

	if (conduit && sizes) {
		collect_conduits(h, l, conduit, sizes);
		status = put_lists(w, "conduits", conduit, sizes, splits, h->size, err);
	}
	free(conduit);
	free(sizes);
	return status;
}

static int put_null_ranks(struct tmap_json_writer *w, const struct tmap_hierarchy *h, int l,
			  int count, struct tmap_error *err)
{
	int *rank = tmap_hierarchy_null_ranks(h, l, count, err), status;

	if (!rank)
		return -1;
	status = put_ranks(w, "null_ranks", rank, count, h->size, err);
	free(rank);
	return status;
}

static int put_level(struct tmap_json_writer *w, const struct tmap_hierarchy_view *view, int l,
		     struct tmap_error *err)
{
	const struct tmap_hierarchy *h = view->hierarchy;
	const struct tmap_level_statistics *level = &view->statistics->level[l];

	tmap_json_open(w, NULL, '{');
	tmap_json_put_hierarchy_level(w, view, l);
	if (put_comms(w, h, l, err) < 0 || put_conduits(w, view, l, err) < 0 ||
	    put_null_ranks(w, h, l, level->null_ranks, err) < 0)
		return -1;
	tmap_json_close(w);
	return 0;
}

static int put_comms_of(struct tmap_json_writer *w, struct tmap_partition *p,
			struct tmap_error *err)
{
	int *sizes = tmap_alloc_raw((size_t)p->count, sizeof *sizes, err), status = -1;

	for (int g = 0; sizes && g < p->count; g++)
		sizes[g] = p->first[g + 1] - p->first[g];
	if (sizes && tmap_partition_list(p, err) == 0)
		status = put_lists(w, "communicators", p->member, sizes, p->count, p->size, err);
	free(sizes);
	return status;
}

/* The communicators of a split, and the ranks in none. */
static int put_partition(struct tmap_json_writer *w, struct tmap_partition *p,
			 struct tmap_error *err)
{
	int *rank = tmap_alloc_raw((size_t)p->outside, sizeof *rank, err);
	int found = 0, status = -1;

	for (int r = 0; rank && r < p->size; r++)
		if (p->of_rank[r] == TMAP_NONE)
			rank[found++] = r;
	if (rank && put_comms_of(w, p, err) == 0)
		status = put_ranks(w, "null_ranks", rank, found, p->size, err);
	free(rank);
	return status;
}

static void put_names(struct tmap_json_writer *w, const struct tmap_resource *type)
{
	tmap_json_open_line(w, "names", '{');
	tmap_json_put_string(w, "hwloc", type->hwloc);
	tmap_json_put_string(w, "openmpi", type->openmpi);
	tmap_json_put_string(w, "openmpi5", type->openmpi5);
	tmap_json_put_string(w, "mpich", type->mpich);
	tmap_json_close(w);
}

/* What a library does: the same as the standard, or what else; @p p NULL: overlaps. */
static int put_answer(struct tmap_json_writer *w, const char *library,
		      const struct tmap_guided *guided, struct tmap_partition *p,
		      struct tmap_error *err)
{
	bool same = p && tmap_partition_equal(p, &guided->standard);
	int status = 0;
	char *reason;

	tmap_json_open(w, library, '{');
	tmap_json_put_bool(w, "same", same);
	if (!p) {
		reason = tmap_guided_overlap(guided, err);
		status = reason ? 0 : -1;
		tmap_json_put_ints(w, "overlap", guided->overlap, 3);
		tmap_json_put_string(w, "reason", reason ? reason : "");
		free(reason);
	} else if (!same) {
		status = put_partition(w, p, err);
	}
	tmap_json_close(w);
	return status;
}

static int put_type(struct tmap_json_writer *w, struct tmap_guided *guided, struct tmap_error *err)
{
	const struct tmap_resource *type = guided->resource;
	char *reason = tmap_guided_reason(guided, err);
	int status = reason ? 0 : -1;

	tmap_json_open(w, type->word.name, '{');
	put_names(w, type);
	if (status == 0)
		status = put_partition(w, &guided->standard, err);
	tmap_json_put_bool(w, "partition", !guided->standard.outside);
	tmap_json_put_string(w, "reason", reason ? reason : "");
	free(reason);
	if (status == 0 && guided->has_openmpi)
		status = put_answer(w, "openmpi", guided,
				    guided->overlaps ? NULL : &guided->openmpi, err);
	if (status == 0 && guided->has_mpich)
		status = put_answer(w, "mpich", guided, &guided->mpich, err);
	tmap_json_close(w);
	return status;
}

/* The levels of MPICH's unguided splits. */
static int put_unguided(struct tmap_json_writer *w, const struct tmap_placement *placement,
			struct tmap_error *err)
{
	struct tmap_hierarchy h;
	int status = 0;

	if (tmap_hierarchy_init_mpich(&h, placement, err) < 0)
		return -1;
	tmap_json_open(w, "unguided", '{');
	tmap_json_open(w, "mpich", '[');
	for (int l = 0; l < h.level_count && status == 0; l++) {
		struct tmap_partition p;

		status = tmap_hierarchy_partition(&p, &h, l, err);
		if (status < 0)
			break;
		tmap_json_open(w, NULL, '{');
		tmap_json_put_string(w, "name", h.level[l].name);
		status = put_comms_of(w, &p, err);
		tmap_json_close(w);
		tmap_partition_fini(&p);
	}
	tmap_json_close(w);
	tmap_json_close(w);
	tmap_hierarchy_fini(&h);
	return status;
}

static int put_guided(struct tmap_json_writer *w, const struct tmap_placement *placement,
		      struct tmap_error *err)
{
	const struct tmap_keyword *row;

	tmap_json_open(w, "guided", '{');
	for (size_t i = 0; (row = tmap_keywords_at(&tmap_resources, i)); i++) {
		struct tmap_guided guided;
		int status;

		if (tmap_guided_init(&guided, placement, (const struct tmap_resource *)row, err) <
		    0)
			return -1;
		status = put_type(w, &guided, err);
		tmap_guided_fini(&guided);
		if (status < 0)
			return -1;
	}
	tmap_json_close(w);
	return 0;
}

static void put_library(struct tmap_json_writer *w, const struct tmap_hierarchy_view *view)
{
	tmap_json_open(w, "library", '{');
	tmap_json_put_string(w, "name",
			     tmap_keywords_at(&tmap_libraries, (size_t)view->pick.library)->name);
	tmap_json_put_string(w, "reason", tmap_library_pick_reason(&view->pick));
	tmap_json_open_line(w, "levels", '[');
	if (view->own.by_node)
		tmap_json_put_string(w, NULL, "node");
	tmap_json_close(w);
	tmap_json_put_string(w, "how", view->own.how);
	tmap_json_open_line(w, "collectives", '[');
	for (int c = 0; c < TMAP_COLLECTIVE_COUNT; c++)
		if (view->own.takes[c])
			tmap_json_put_string(w, NULL, tmap_collective_rows[c].word.name);
	tmap_json_close(w);
	tmap_json_close(w);
}

int tmap_json_write_hierarchy(FILE *out, const struct tmap_hierarchy_view *view,
			      struct tmap_error *err)
{
	const struct tmap_hierarchy *h = view->hierarchy;
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "hierarchy");
	tmap_json_put_int(&w, "size", h->size);
	tmap_json_put_int(&w, "root", h->root);
	tmap_json_put_string(&w, "elect",
			     tmap_keywords_at(&tmap_elections, (size_t)view->elect)->name);
	if (view->world && tmap_json_put_list(&w, "ranks", view->world, h->size, err) < 0)
		return -1;
	if (tmap_json_put_adapters_chosen(&w, view->placement->machine, err) < 0)
		return -1;
	if (view->pick.why != TMAP_LIBRARY_PRESET)
		put_library(&w, view);
	tmap_json_open_line(&w, "held", '{');
	tmap_json_put_int(&w, "least", view->statistics->held.least);
	tmap_json_put_int(&w, "most", view->statistics->held.most);
	tmap_json_close(&w);
	tmap_json_put_int(&w, "total", view->statistics->total);
	tmap_json_open(&w, "levels", '[');
	for (int l = 0; l < h->level_count; l++)
		if (put_level(&w, view, l, err) < 0)
			return -1;
	tmap_json_close(&w);
	if (put_unguided(&w, view->placement, err) < 0 || put_guided(&w, view->placement, err) < 0)
		return -1;
	return tmap_json_end(&w, err);
}
