/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/score/baselines.h"

#include "core/base/mem.h"

#include <stdlib.h>

static void baseline_fini(struct tmap_baseline *it)
{
	free(it->name);
	tmap_library_knobs_fini(&it->knob);
	free(it->reason);
	tmap_totals_fini(&it->totals);
	free(it->other_s);
}

static int baseline_init(struct tmap_baseline *it, const char *name, const struct tmap_spec *choice,
			 const struct tmap_library_whole *whole, struct tmap_error *err)
{
	it->name = tmap_strdup(name, err);
	if (!it->name)
		return -1;
	return choice ? tmap_library_knobs(&it->knob, choice, whole, err) : 0;
}

/* Takes *it over, also where there is no memory for the row. */
static int baselines_append_take(struct tmap_baselines *baselines, struct tmap_baseline *it,
				 struct tmap_error *err)
{
	if (tmap_grow(&baselines->row, &baselines->capacity, (size_t)baselines->count + 1,
		      sizeof *baselines->row, err) < 0) {
		baseline_fini(it);
		return -1;
	}
	baselines->row[baselines->count++] = *it;
	return 0;
}

static int baseline_time_others(struct tmap_baseline *it, const struct tmap_baselines *baselines,
				const struct tmap_tree *tree, const struct tmap_ring *ring,
				struct tmap_error *err)
{
	const struct tmap_load *load = baselines->load;

	if (!baselines->other_count)
		return 0;
	it->other_s = tmap_alloc((size_t)baselines->other_count, sizeof *it->other_s, err);
	if (!it->other_s)
		return -1;
	for (int o = 0; o < baselines->other_count; o++) {
		struct tmap_cost_model *model = &baselines->other[o];
		struct tmap_tree_cost cost;

		if ((tree ? tmap_tree_cost(&cost, tree, model, load->bytes, load->chunk_bytes,
					   err) :
			    tmap_ring_cost(&cost, ring, model, load->bytes, err)) < 0)
			return -1;
		it->other_s[o] = cost.seconds;
	}
	return 0;
}

int tmap_baselines_add(struct tmap_baselines *baselines, const char *name,
		       const struct tmap_spec *choice, const struct tmap_tree *tree,
		       const struct tmap_ring *ring, struct tmap_error *err)
{
	struct tmap_baseline made = { 0 };

	if (baseline_init(&made, name, choice, &baselines->whole, err) < 0 ||
	    (tree ? tmap_totals_of_tree(&made.totals, tree, baselines->load, err) :
		    tmap_totals_of_ring(&made.totals, ring, baselines->load, err)) < 0 ||
	    baseline_time_others(&made, baselines, tree, ring, err) < 0) {
		baseline_fini(&made);
		return -1;
	}
	return baselines_append_take(baselines, &made, err);
}

int tmap_baselines_add_absent(struct tmap_baselines *baselines, const char *name,
			      const struct tmap_spec *choice, const char *reason,
			      struct tmap_error *err)
{
	struct tmap_baseline made = { 0 };

	if (baseline_init(&made, name, choice, &baselines->whole, err) == 0)
		made.reason = tmap_strdup(reason, err);
	if (!made.reason) {
		baseline_fini(&made);
		return -1;
	}
	return baselines_append_take(baselines, &made, err);
}

void tmap_baselines_fini(struct tmap_baselines *baselines)
{
	for (int i = 0; i < baselines->count; i++)
		baseline_fini(&baselines->row[i]);
	free(baselines->row);
	*baselines = (struct tmap_baselines){ 0 };
}

int tmap_baselines_distances(const struct tmap_baselines *baselines, struct tmap_edge_count **edges,
			     int *count, struct tmap_error *err)
{
	struct tmap_edge_count *all = NULL;
	int found = 0;

	for (int i = 0; i < baselines->count; i++)
		if (tmap_edges_merge(&all, &found, baselines->row[i].totals.edges,
				     baselines->row[i].totals.edge_count, err) < 0) {
			free(all);
			return -1;
		}
	*edges = all;
	*count = found;
	return 0;
}
