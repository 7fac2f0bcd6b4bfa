/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/score/baselines.h"

#include "core/algorithms/catalogue.h"
#include "core/base/mem.h"
#include "core/tree/shapes.h"

#include <stdlib.h>
#include <string.h>

static void baseline_fini(struct tmap_baseline *it)
{
	free(it->name);
	tmap_library_knobs_fini(&it->knob);
	free(it->reason);
	tmap_totals_fini(&it->totals);
	free(it->other_s);
}

/* The number of the parameter that says how the message is cut, or TMAP_NONE. */
static int choice_segment(const struct tmap_spec *choice)
{
	const struct tmap_param *params = choice->row->params;

	for (int i = 0; params && params[i].key; i++)
		if (strcmp(params[i].key, "segment") == 0)
			return i;
	return TMAP_NONE;
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

/* The size of the pieces in which a row's message goes: its own segments, else the chunks of
 * all. */
static int64_t choice_chunk(const struct tmap_spec *choice, const struct tmap_load *load)
{
	int i = choice ? choice_segment(choice) : TMAP_NONE;

	return i != TMAP_NONE && choice->value[i] ? choice->value[i] : load->chunk_bytes;
}

static bool choice_is_halved(const struct tmap_spec *choice, const struct tmap_tree *tree)
{
	return tree && choice &&
		((const struct tmap_tree_row *)(const void *)choice->row)->is_halved;
}

/* Seconds, and what crosses each level (NULL: not asked), of the broadcast that a tree is one part
 * of, by its schedule. */
static int schedule_cost(double *seconds, struct tmap_totals_level *crossing,
			 struct tmap_cost_model *model, const struct tmap_spec *choice,
			 const struct tmap_tree *tree, const struct tmap_load *load,
			 struct tmap_error *err)
{
	struct tmap_call call = { .size = tree->size,
				  .root = tree->root,
				  .bytes = load->bytes,
				  .metric = load->process };
	const struct tmap_pair_kinds *kinds = &model->kinds;
	struct tmap_moved moved = { 0 };
	int status;

	*seconds = 0;
	if (tmap_call_parse(&call, TMAP_BCAST, choice->row->word.name, err) < 0)
		return -1;
	call.choice.value[0] = choice_chunk(choice, load);
	status = tmap_cost_and_moved(seconds, &moved, model, &call, err);
	for (int l = 0; status == 0 && crossing && l < load->levels->count; l++) {
		crossing[l] = (struct tmap_totals_level){ 0 };
		for (int k = 0; k < kinds->count; k++)
			if (tmap_pair_kind_crosses(kinds, k, l)) {
				crossing[l].messages += moved.messages[k];
				crossing[l].bytes += moved.bytes[k];
			}
	}
	tmap_moved_fini(&moved);
	return status;
}

static int baseline_time_others(struct tmap_baseline *it, const struct tmap_baselines *baselines,
				const struct tmap_spec *choice, const struct tmap_tree *tree,
				const struct tmap_ring *ring, struct tmap_error *err)
{
	const struct tmap_load *load = baselines->load;

	if (!baselines->other_count)
		return 0;
	it->other_s = tmap_alloc((size_t)baselines->other_count, sizeof *it->other_s, err);
	if (!it->other_s)
		return -1;
	for (int o = 0; o < baselines->other_count; o++) {
		struct tmap_cost_model *model = &baselines->other[o];
		struct tmap_tree_cost cost = { 0 };
		int status;

		if (choice_is_halved(choice, tree))
			status = schedule_cost(&cost.seconds, NULL, model, choice, tree, load, err);
		else if (tree)
			status = tmap_tree_cost(&cost, tree, model, load->bytes,
						choice_chunk(choice, load), err);
		else
			status = tmap_ring_cost(&cost, ring, model, load->bytes, err);
		if (status < 0)
			return -1;
		it->other_s[o] = cost.seconds;
	}
	return 0;
}

/* Of a broadcast that sends halves: its own time instead of that of a message down its tree. */
static int baseline_halve(struct tmap_baseline *it, const struct tmap_load *load,
			  const struct tmap_spec *choice, const struct tmap_tree *tree,
			  struct tmap_error *err)
{
	struct tmap_totals *totals = &it->totals;

	if (!totals->has_cost || tree->size < 2)
		return 0;
	totals->has_only_end = true;
	return schedule_cost(&totals->cost.seconds, totals->crossing, load->model, choice, tree,
			     load, err);
}

int tmap_baselines_add(struct tmap_baselines *baselines, const char *name,
		       const struct tmap_spec *choice, const struct tmap_tree *tree,
		       const struct tmap_ring *ring, struct tmap_error *err)
{
	struct tmap_load load = *baselines->load;
	struct tmap_baseline made = { 0 };

	load.chunk_bytes = choice_chunk(choice, baselines->load);
	if (baseline_init(&made, name, choice, &baselines->whole, err) < 0 ||
	    (tree ? tmap_totals_of_tree(&made.totals, tree, &load, err) :
		    tmap_totals_of_ring(&made.totals, ring, &load, err)) < 0 ||
	    (choice_is_halved(choice, tree) &&
	     baseline_halve(&made, baselines->load, choice, tree, err) < 0) ||
	    baseline_time_others(&made, baselines, choice, tree, ring, err) < 0) {
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
