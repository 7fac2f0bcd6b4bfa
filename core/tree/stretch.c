/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tree/stretch.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Number of positions from @p first on that are on one node. */
static int stretch_length(const struct tmap_ring *ring, const struct tmap_placement *placement,
			  int first)
{
	int node = placement->node[ring->order[first]], end = first + 1;

	while (end < ring->size && placement->node[ring->order[end]] == node)
		end++;
	return end - first;
}

static int step_kind(const struct tmap_ring *ring, const struct tmap_placement *placement,
		     int index)
{
	return placement->machine->node_topology[placement->node[ring->order[index]]];
}

/* Is the stretch of @p length ranks at @p first like those of @p group? */
static bool stretch_is_equal(const struct tmap_ring *ring, const struct tmap_placement *placement,
			     const struct tmap_stretch *group, int first, int length)
{
	return length == group->length &&
		step_kind(ring, placement, first) == step_kind(ring, placement, group->first) &&
		memcmp(ring->distance + first, ring->distance + group->first,
		       (size_t)(length - 1) * sizeof *ring->distance) == 0;
}

int tmap_ring_cut(const struct tmap_ring *ring, const struct tmap_placement *placement, bool fold,
		  struct tmap_stretch **stretch, int *count, struct tmap_error *err)
{
	struct tmap_stretch *made = NULL;
	size_t capacity = 0;
	int found = 0;

	for (int at = 0, length; at < ring->size; at += length) {
		length = stretch_length(ring, placement, at);
		if (fold && found &&
		    stretch_is_equal(ring, placement, &made[found - 1], at, length)) {
			made[found - 1].copies++;
			continue;
		}
		if (tmap_grow(&made, &capacity, (size_t)found + 1, sizeof *made, err) < 0) {
			free(made);
			return -1;
		}
		made[found++] = (struct tmap_stretch){ .first = at, .length = length, .copies = 1 };
	}
	*stretch = made;
	*count = found;
	return 0;
}
