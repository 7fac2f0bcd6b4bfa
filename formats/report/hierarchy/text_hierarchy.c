/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/hierarchy/text_hierarchy.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/group/outline.h"
#include "core/machine/device.h"
#include "formats/base/brief.h"
#include "formats/base/object_name.h"
#include "formats/base/wrap.h"
#include "formats/report/hierarchy/hierarchy_tables.h"
#include "formats/report/hierarchy/text_guided.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_ITEMS = 16, MOST_ODD = 3, RANK_COLUMNS = 30 };

static const char *plural(int64_t count)
{
	return count == 1 ? "" : "s";
}

void tmap_hierarchy_add_name(struct tmap_str *str, const struct tmap_hierarchy_view *view, int comm,
			     int level, bool full)
{
	const struct tmap_hierarchy *h = view->hierarchy;
	int rank = tmap_comm_members(h, comm)[0];
	const struct tmap_hierarchy_level *at;

	if (level == TMAP_NONE) {
		tmap_str_add(str, "the job");
		return;
	}
	at = &h->level[level];
	if (full && at->tier == TMAP_NONE && at->kind.type != TMAP_NODE)
		tmap_str_addf(str, "%s ",
			      view->placement->machine->node_name[view->placement->node[rank]]);
	tmap_object_name_add(str, view->placement, at->tier, at->kind, at->name, rank);
}

static int count_nodes(const struct tmap_placement *p, struct tmap_error *err)
{
	int *ranks = tmap_placement_count_ranks(p, err), nodes = 0;

	if (!ranks)
		return TMAP_NONE;
	for (int n = 0; n < p->machine->node_count; n++)
		nodes += ranks[n] > 0;
	free(ranks);
	return nodes;
}

/* Which ranks of the job these are. */
static int write_world(FILE *out, const struct tmap_hierarchy_view *view, struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;
	char *text;

	tmap_brief_add_ranks(&str, view->world, view->hierarchy->size, 2 * RANK_COLUMNS);
	text = tmap_str_take(&str, err);
	if (!text)
		return -1;
	fprintf(out, "numbered anew: ranks %s of the job\n", text);
	free(text);
	return 0;
}

static bool knows_adapters(const struct tmap_machine *machine)
{
	int count = 0;

	for (int t = 0; t < machine->topology_count; t++)
		if (tmap_device_closest(&machine->topology[t], 0, TMAP_NETWORK, &count) !=
		    TMAP_NONE)
			return true;
	return false;
}

static int write_head(FILE *out, const struct tmap_hierarchy_view *view, struct tmap_error *err)
{
	const struct tmap_hierarchy *h = view->hierarchy;
	int nodes = count_nodes(view->placement, err);

	if (nodes == TMAP_NONE)
		return -1;
	fprintf(out,
		"Communicators of repeated unguided hardware splits\n"
		"%d rank%s on %d node%s, root %d\nconduits: the root, else %s%s\n",
		h->size, plural(h->size), nodes, plural(nodes), h->root,
		tmap_keywords_at(&tmap_elections, (size_t)view->elect)->summary,
		view->elect == TMAP_ELECT_ADAPTER && !knows_adapters(view->placement->machine) ?
			"; but none is known" :
			"");
	if (view->world && write_world(out, view, err) < 0)
		return -1;
	if (!h->level_count)
		fputs("\nNothing can be split: the first call returns MPI_COMM_NULL on every "
		      "rank.\n",
		      out);
	return 0;
}

static int write_levels(FILE *out, const struct tmap_hierarchy_view *view, struct tmap_error *err)
{
	const struct tmap_hierarchy_statistics *statistics = view->statistics;
	int status;

	fputc('\n', out);
	status = tmap_text_write_hierarchy_levels(out, view, err);
	fprintf(out, "\nA rank holds %d", statistics->held.least);
	if (statistics->held.most > statistics->held.least)
		fprintf(out, " to %d", statistics->held.most);
	fprintf(out, " communicators, the program %" PRId64 " besides MPI_COMM_WORLD.\n",
		statistics->total);
	return status;
}

/* "Irregular: 2 of 6 numa communicators not of 3 ranks: n1 numa 0 (2), ..." */
static int write_odd(FILE *out, const struct tmap_hierarchy_view *view, int l,
		     struct tmap_error *err)
{
	const struct tmap_level_statistics *level = &view->statistics->level[l];
	const struct tmap_hierarchy *h = view->hierarchy;
	struct tmap_str str = TMAP_STR_INIT;
	int named = 0;

	tmap_str_addf(&str, "%d of %d %s communicators not of %d rank%s: ", level->unusual,
		      level->comms, h->level[l].name, level->usual, plural(level->usual));
	for (int c = h->level[l].first; c < h->level[l].end && named < MOST_ODD; c++) {
		if (tmap_comm_size(h, c) == level->usual)
			continue;
		tmap_str_add(&str, named++ ? ", " : "");
		tmap_hierarchy_add_name(&str, view, c, l, true);
		tmap_str_addf(&str, " (%d)", tmap_comm_size(h, c));
	}
	tmap_str_add(&str, level->unusual > named ? ", ..." : "");
	return tmap_text_write_wrapped_str(out, sizeof "Irregular:", "Irregular:", &str, err);
}

/* "Null: ranks 1, 3, limited to no core" */
static int write_null(FILE *out, const struct tmap_hierarchy_view *view, int l,
		      struct tmap_error *err)
{
	const struct tmap_hierarchy *h = view->hierarchy;
	int *rank = tmap_hierarchy_null_ranks(h, l, view->statistics->level[l].null_ranks, err);
	struct tmap_str str = TMAP_STR_INIT;

	if (!rank)
		return -1;
	tmap_str_addf(&str, "rank%s ", plural(view->statistics->level[l].null_ranks));
	tmap_brief_add_ranks(&str, rank, view->statistics->level[l].null_ranks, RANK_COLUMNS);
	tmap_str_addf(&str, ", limited to no %s", h->level[l].name);
	free(rank);
	return tmap_text_write_wrapped_str(out, sizeof "Null:", "Null:", &str, err);
}

static int write_irregular(FILE *out, const struct tmap_hierarchy_view *view,
			   struct tmap_error *err)
{
	for (int l = 0; l < view->statistics->level_count; l++) {
		const struct tmap_level_statistics *level = &view->statistics->level[l];

		if ((level->unusual && write_odd(out, view, l, err) < 0) ||
		    (level->null_ranks && write_null(out, view, l, err) < 0))
			return -1;
	}
	return 0;
}

static void add_ranks(struct tmap_str *str, const struct tmap_hierarchy *h, int comm)
{
	tmap_brief_add_ranks(str, tmap_comm_members(h, comm), tmap_comm_size(h, comm),
			     RANK_COLUMNS);
}

/* The conduits below, and those ranks that are in nothing below. */
static void add_group(struct tmap_str *str, const struct tmap_hierarchy *h, int comm)
{
	int count = h->group_first[comm + 1] - h->group_first[comm];

	if (count == tmap_comm_size(h, comm))
		return;
	tmap_str_add(str, "; joined by ");
	tmap_brief_add_ranks(str, h->group + h->group_first[comm], count, RANK_COLUMNS);
}

/* "2 like n0: n1, n2"; "40 more, of other kinds" */
static int add_copies(struct tmap_str *str, const struct tmap_hierarchy_view *view,
		      const struct tmap_outline *outline, const struct tmap_outline_item *item,
		      struct tmap_error *err)
{
	const struct tmap_hierarchy *h = view->hierarchy;
	const int *copy = outline->copies + item->copy;
	int *conduit = tmap_alloc_raw((size_t)item->copies, sizeof *conduit, err);

	if (!conduit)
		return -1;
	for (int i = 0; i < item->copies; i++)
		conduit[i] = h->conduit[copy[i]];
	if (item->is_rest) {
		tmap_str_addf(str, "%d more of other shapes", item->copies);
	} else {
		tmap_str_addf(str, "%d more like ", item->copies);
		tmap_hierarchy_add_name(str, view, outline->item[item->like].comm, item->level,
					false);
	}
	tmap_str_add(str, item->copies == 1 ? ": conduit " : ": conduits ");
	tmap_brief_add_ranks(str, conduit, item->copies, RANK_COLUMNS);
	free(conduit);
	return 0;
}

static int write_item(FILE *out, const struct tmap_hierarchy_view *view,
		      const struct tmap_outline *outline, const struct tmap_outline_item *item,
		      struct tmap_error *err)
{
	const struct tmap_hierarchy *h = view->hierarchy;
	struct tmap_str str = TMAP_STR_INIT;
	char *text;

	if (item->like != TMAP_NONE || item->is_rest) {
		if (add_copies(&str, view, outline, item, err) < 0) {
			tmap_str_fini(&str);
			return -1;
		}
	} else {
		tmap_hierarchy_add_name(&str, view, item->comm, item->level, false);
		tmap_str_add(&str, ": ");
		add_ranks(&str, h, item->comm);
		tmap_str_addf(&str, "; conduit %d", h->conduit[item->comm]);
		add_group(&str, h, item->comm);
	}
	text = tmap_str_take(&str, err);
	if (!text)
		return -1;
	fprintf(out, "%*s%s\n", 2 * item->depth, "", text);
	free(text);
	return 0;
}

static int write_outline(FILE *out, const struct tmap_hierarchy_view *view, struct tmap_error *err)
{
	struct tmap_outline outline;
	int status = 0;

	if (tmap_outline_init(&outline, view->hierarchy, view->fold, MOST_ITEMS, err) < 0)
		return -1;
	fputs("\nTheir ranks (communicators of one rank are left out)\n", out);
	for (int i = 0; i < outline.count && status == 0; i++)
		status = write_item(out, view, &outline, &outline.item[i], err);
	tmap_outline_fini(&outline);
	return status;
}

/* Of a library that is asked about, or that the placement names. */
static int write_own(FILE *out, const struct tmap_hierarchy_view *view, struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;
	const char *before = ": ";

	if (view->pick.why == TMAP_LIBRARY_PRESET)
		return 0;
	tmap_str_addf(&text, "By itself %s (%s) splits ",
		      tmap_keywords_at(&tmap_libraries, (size_t)view->pick.library)->summary,
		      tmap_library_pick_reason(&view->pick));
	tmap_str_addf(&text, view->own.by_node ? "at node, by %s" : "nowhere: %s", view->own.how);
	for (int c = 0; c < TMAP_COLLECTIVE_COUNT; c++) {
		if (!view->own.takes[c])
			continue;
		tmap_str_addf(&text, "%s%s", before, tmap_collective_rows[c].word.name);
		before = ", ";
	}
	fputc('\n', out);
	return tmap_text_write_wrapped_str(out, 0, "", &text, err);
}

int tmap_text_write_hierarchy(FILE *out, const struct tmap_hierarchy_view *view,
			      struct tmap_error *err)
{
	if (write_head(out, view, err) < 0)
		return -1;
	if (view->hierarchy->level_count &&
	    (write_levels(out, view, err) < 0 || write_irregular(out, view, err) < 0 ||
	     write_outline(out, view, err) < 0))
		return -1;
	if (tmap_text_write_unguided(out, view->placement, err) < 0 ||
	    tmap_text_write_guided(out, view->placement, err) < 0)
		return -1;
	return write_own(out, view, err);
}
