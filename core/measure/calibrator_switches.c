/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "core/measure/calibrator.h"

#include <math.h>
#include <stdlib.h>

/* What adapters send together beyond that is more than a switch lets through; less is how exact both are. */
static const double least_factor = 1.1;

/* What is known of the objects of a level: of each the nodes below it, and what their adapters send. */
struct below {
	int nodes;
	double rate;
	bool is_unknown; /* of one adapter at least */
};

static const struct tmap_calibration_link *adapters_find(const struct tmap_calibrator *it)
{
	for (int l = 0; l < it->link_count; l++)
		if (it->link[l].is_adapter)
			return &it->link[l];
	return NULL;
}

/* Each node once, by its first rank. */
static void below_fill(struct below *below, const struct tmap_calibration_link *link,
		       const struct tmap_calibration_link *adapters, const int *node, bool *seen,
		       int size)
{
	for (int r = 0; r < size; r++) {
		struct below *its;
		double byte_s;

		if (seen[node[r]] || link->set_of[r] == TMAP_NONE)
			continue;
		seen[node[r]] = true;
		its = &below[link->set_of[r]];
		its->nodes++;
		byte_s = adapters->set_of[r] == TMAP_NONE ? 0 :
							    adapters->byte_s[adapters->set_of[r]];
		if (byte_s > 0)
			its->rate += 1 / byte_s;
		else
			its->is_unknown = true;
	}
}

/* The object whose adapters send the most beyond what it lets through. */
static double factor_find(const struct below *below, const struct tmap_calibration_link *link,
			  int *nodes)
{
	double most = 0;

	for (int s = 0; s < link->sets.count; s++) {
		double factor = below[s].rate * link->byte_s[s];

		if (below[s].nodes > 1 && !below[s].is_unknown && factor > most) {
			most = factor;
			*nodes = below[s].nodes;
		}
	}
	return most;
}

static int link_note(struct tmap_calibrator *it, const struct tmap_calibration_link *link,
		     const struct tmap_calibration_link *adapters, struct tmap_error *err)
{
	const struct tmap_placement *placement = it->placement;
	struct below *below = tmap_alloc((size_t)link->sets.count, sizeof *below, err);
	bool *seen = tmap_alloc((size_t)placement->machine->node_count, sizeof *seen, err);
	int nodes = 0, status = below && seen ? 0 : -1;

	if (status == 0) {
		double factor;

		below_fill(below, link, adapters, placement->node, seen, placement->size);
		factor = factor_find(below, link, &nodes);
		if (factor >= least_factor)
			status = tmap_calibrator_note(
				it, err,
				"oversubscription at %s: the adapters of the %d nodes below one send "
				"%.3g times what leaves it",
				link->level, nodes, factor);
	}
	free(below);
	free(seen);
	return status;
}

int tmap_calibrator_note_switches(struct tmap_calibrator *it, struct tmap_error *err)
{
	const struct tmap_calibration_link *adapters = adapters_find(it);
	int status = 0;

	for (int l = 0; l < it->link_count && adapters && status == 0; l++)
		if (it->link[l].level && !it->link[l].is_memory && !it->link[l].is_adapter)
			status = link_note(it, &it->link[l], adapters, err);
	return status;
}
