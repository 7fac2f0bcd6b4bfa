/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/hierarchy/c_hierarchy.h"
#include "formats/report/hierarchy/dot_hierarchy.h"
#include "formats/report/hierarchy/hierarchy_tables.h"
#include "formats/report/hierarchy/json_hierarchy.h"
#include "lib/handles.h"

#include <stdlib.h>

static int hierarchy_init(struct topomap_hierarchy *it, const struct topomap_placement *placement,
			  const char *levels, int root, const char *elect, struct tmap_error *err)
{
	int found;

	if (tmap_handle_check(placement, TMAP_HANDLE_PLACEMENT, err) < 0 ||
	    (found = tmap_word_find(&tmap_elections, elect, TMAP_ELECT_FIRST, err)) == TMAP_NONE)
		return -1;
	if (tmap_index_check(root, placement->placement.size, "rank", err) < 0)
		return tmap_wrap(err, "root");
	it->placement = tmap_handle_hold(placement);
	it->elect = (enum tmap_elect)found;
	return tmap_hierarchy_init(&it->hierarchy, &placement->placement, levels, root, it->elect,
				   err);
}

struct topomap_hierarchy *topomap_hierarchy_new(const struct topomap_placement *placement,
						const char *levels, int root, const char *elect,
						struct topomap_error *err)
{
	struct tmap_error why;
	struct topomap_hierarchy *made = tmap_handle_new(TMAP_HANDLE_HIERARCHY, sizeof *made, &why);

	if (made && hierarchy_init(made, placement, levels, root, elect, &why) == 0)
		return made;
	topomap_hierarchy_free(made);
	tmap_public_error(err, &why);
	return NULL;
}

void topomap_hierarchy_free(struct topomap_hierarchy *hierarchy)
{
	if (!hierarchy || !tmap_handle_release(hierarchy, TMAP_HANDLE_HIERARCHY))
		return;
	tmap_hierarchy_fini(&hierarchy->hierarchy);
	topomap_placement_free(hierarchy->placement);
	free(hierarchy);
}

int topomap_hierarchy_level_count(const struct topomap_hierarchy *hierarchy,
				  struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_handle_check(hierarchy, TMAP_HANDLE_HIERARCHY, &why) < 0)
		return tmap_public_error(err, &why);
	return hierarchy->hierarchy.level_count;
}

const char *topomap_hierarchy_level_name(const struct topomap_hierarchy *hierarchy, int level,
					 struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_handle_check(hierarchy, TMAP_HANDLE_HIERARCHY, &why) == 0 &&
	    tmap_index_check(level, hierarchy->hierarchy.level_count, "level", &why) == 0)
		return hierarchy->hierarchy.level[level].name;
	tmap_public_error(err, &why);
	return NULL;
}

int topomap_hierarchy_count(const struct topomap_hierarchy *hierarchy, struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_handle_check(hierarchy, TMAP_HANDLE_HIERARCHY, &why) < 0)
		return tmap_public_error(err, &why);
	return hierarchy->hierarchy.comm_count;
}

int topomap_hierarchy_find(const struct topomap_hierarchy *hierarchy, int level, int rank,
			   int *comm, struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_handle_check(hierarchy, TMAP_HANDLE_HIERARCHY, &why) < 0 ||
	    tmap_index_check(level, hierarchy->hierarchy.level_count, "level", &why) < 0 ||
	    tmap_index_check(rank, hierarchy->hierarchy.size, "rank", &why) < 0 ||
	    tmap_argument_check(comm, "comm", &why) < 0)
		return tmap_public_error(err, &why);
	*comm = tmap_hierarchy_has(&hierarchy->hierarchy, level, rank) ?
		tmap_hierarchy_comm(&hierarchy->hierarchy, level, rank) :
		TOPOMAP_NONE;
	return 0;
}

int topomap_hierarchy_members(const struct topomap_hierarchy *hierarchy, int comm, const int **rank,
			      int *conduit, struct topomap_error *err)
{
	struct tmap_error why;
	const struct tmap_hierarchy *h;

	if (tmap_handle_check(hierarchy, TMAP_HANDLE_HIERARCHY, &why) < 0 ||
	    tmap_index_check(comm, hierarchy->hierarchy.comm_count, "communicator", &why) < 0)
		return tmap_public_error(err, &why);
	h = &hierarchy->hierarchy;
	if (rank)
		*rank = tmap_comm_members(h, comm);
	if (conduit)
		*conduit = h->conduit[comm];
	return tmap_comm_size(h, comm);
}

/* A writer that wants the statistics, too. */
static int write_view(FILE *out, const struct topomap_hierarchy *it,
		      int (*write)(FILE *out, const struct tmap_hierarchy_view *view,
				   struct tmap_error *err),
		      struct tmap_error *err)
{
	const struct tmap_placement *placement = &it->placement->placement;
	const struct tmap_library_pick pick = tmap_library_pick(TMAP_NONE, placement);
	struct tmap_hierarchy_statistics statistics = { 0 };
	struct tmap_order order;
	struct tmap_hierarchy_view view = {
		.placement = placement,
		.hierarchy = &it->hierarchy,
		.statistics = &statistics,
		.world = it->placement->placement.world,
		.elect = it->elect,
		.fold = it->hierarchy.size > TMAP_TEXT_UNFOLDED,
		.pick = pick,
	};
	int status = tmap_hierarchy_statistics_init(&statistics, &it->hierarchy, err);

	if (status == 0)
		status = tmap_order_find(&order, placement, err);
	if (status == 0) {
		view.own = tmap_library_levels(pick.library, &order);
		status = write(out, &view, err);
	}
	tmap_hierarchy_statistics_fini(&statistics);
	return status;
}

static int write_json(FILE *out, const void *handle, struct tmap_error *err)
{
	return write_view(out, handle, tmap_json_write_hierarchy, err);
}

static int write_text(FILE *out, const void *handle, struct tmap_error *err)
{
	return write_view(out, handle, tmap_text_write_hierarchy, err);
}

static int write_dot(FILE *out, const void *handle, struct tmap_error *err)
{
	return write_view(out, handle, tmap_dot_write_hierarchy, err);
}

static int write_c(FILE *out, const void *handle, struct tmap_error *err)
{
	return write_view(out, handle, tmap_c_write_hierarchy, err);
}

static int write_csv(FILE *out, const void *handle, struct tmap_error *err)
{
	const struct topomap_hierarchy *it = handle;

	return tmap_csv_write_hierarchy(out, &it->hierarchy, err);
}

int topomap_hierarchy_write(const struct topomap_hierarchy *hierarchy, const char *format,
			    FILE *out, struct topomap_error *err)
{
	static const struct tmap_public_writer writers[] = {
		{ "json", write_json }, { "text", write_text }, { "csv", write_csv },
		{ "dot", write_dot },   { "c", write_c },       { 0 },
	};
	struct tmap_error why;

	if (tmap_handle_check(hierarchy, TMAP_HANDLE_HIERARCHY, &why) < 0 ||
	    tmap_public_write(writers, format, out, hierarchy, &why) < 0)
		return tmap_public_error(err, &why);
	return 0;
}
