/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/machine/placement_digest.h"

#include "core/base/hash.h"
#include "core/base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t topology_hash(const struct tmap_topology *topo)
{
	uint64_t hash = tmap_hash_add(TMAP_HASH, (uint64_t)topo->pu_count);

	for (int i = 0; i < topo->object_count; i++) {
		hash = tmap_hash_add(hash, (uint64_t)topo->object[i].type);
		hash = tmap_hash_add(hash, (uint64_t)topo->object[i].first_pu);
		hash = tmap_hash_add(hash, (uint64_t)topo->object[i].end_pu);
	}
	for (int i = 0; i < topo->pu_count; i++) {
		hash = tmap_hash_add(hash, (uint64_t)topo->pu[i].os);
		hash = tmap_hash_add(hash, topo->pu[i].allowed);
	}
	for (int i = 0; i < topo->device_count; i++)
		if (topo->device[i].type == TMAP_NETWORK)
			hash = tmap_hash_add(hash,
					     tmap_hash_bytes(topo->device[i].name,
							     strlen(topo->device[i].name)));
	return hash;
}

static uint64_t place_hash(const struct tmap_place *place)
{
	uint64_t hash = tmap_hash_add(TMAP_HASH, place->bound);

	for (int i = 0; i < place->pus.count; i++) {
		hash = tmap_hash_add(hash, (uint64_t)place->pus.range[i].first);
		hash = tmap_hash_add(hash, (uint64_t)place->pus.range[i].last);
	}
	return hash;
}

/* What is numbered in the order in which it is met first. */
struct numbering {
	int *number; /* TMAP_NONE: not met yet */
	int count;
};

static int numbering_init(struct numbering *it, int count, struct tmap_error *err)
{
	it->count = 0;
	it->number = tmap_alloc((size_t)count, sizeof *it->number, err);
	for (int i = 0; it->number && i < count; i++)
		it->number[i] = TMAP_NONE;
	return it->number ? 0 : -1;
}

static int numbering_find(struct numbering *it, int index)
{
	if (it->number[index] == TMAP_NONE)
		it->number[index] = it->count++;
	return it->number[index];
}

/* The nodes of the ranks, their places and kinds; *nodes becomes how they are numbered. */
static int add_ranks(uint64_t *hash, struct numbering *nodes, const struct tmap_placement *p,
		     struct tmap_error *err)
{
	const struct tmap_machine *machine = p->machine;
	uint64_t *kind = tmap_alloc((size_t)machine->topology_count, sizeof *kind, err);
	uint64_t *place = tmap_alloc((size_t)p->place_count, sizeof *place, err);
	int status = kind && place ? 0 : -1;

	for (int t = 0; status == 0 && t < machine->topology_count; t++)
		kind[t] = topology_hash(&machine->topology[t]);
	for (int i = 0; status == 0 && i < p->place_count; i++)
		place[i] = place_hash(&p->places[i]);
	for (int r = 0; status == 0 && r < p->size; r++) {
		*hash = tmap_hash_add(*hash, (uint64_t)numbering_find(nodes, p->node[r]));
		*hash = tmap_hash_add(*hash, kind[machine->node_topology[p->node[r]]]);
		*hash = tmap_hash_add(*hash, place[p->place[r]]);
	}
	free(kind);
	free(place);
	return status;
}

/* Which of the nodes share a switch of a tier, in the order of the nodes' numbers. */
static int add_tier(uint64_t *hash, const struct tmap_tier *tier, const int *node, int count,
		    struct tmap_error *err)
{
	struct numbering switches;

	if (numbering_init(&switches, tier->switch_count, err) < 0)
		return -1;
	for (int i = 0; i < count; i++) {
		int above = tier->switch_of[node[i]];
		int number = above == TMAP_NONE ? TMAP_NONE : numbering_find(&switches, above);

		*hash = tmap_hash_add(*hash, (uint64_t)(number + 1));
	}
	free(switches.number);
	return 0;
}

static int add_tiers(uint64_t *hash, const struct numbering *nodes,
		     const struct tmap_machine *machine, struct tmap_error *err)
{
	int *node = tmap_alloc((size_t)nodes->count, sizeof *node, err);
	int status = node ? 0 : -1;

	for (int n = 0; node && n < machine->node_count; n++)
		if (nodes->number[n] != TMAP_NONE)
			node[nodes->number[n]] = n;
	for (int t = 0; status == 0 && t < machine->tier_count; t++)
		status = add_tier(hash, &machine->tier[t], node, nodes->count, err);
	free(node);
	return status;
}

int tmap_placement_digest(const struct tmap_placement *placement,
			  char text[TMAP_PLACEMENT_DIGEST_ROOM], struct tmap_error *err)
{
	uint64_t hash = tmap_hash_add(TMAP_HASH, (uint64_t)placement->size);
	struct numbering nodes;
	int status = numbering_init(&nodes, placement->machine->node_count, err);

	if (status == 0)
		status = add_ranks(&hash, &nodes, placement, err);
	if (status == 0)
		status = add_tiers(&hash, &nodes, placement->machine, err);
	free(nodes.number);
	if (status == 0)
		snprintf(text, TMAP_PLACEMENT_DIGEST_ROOM, "%016" PRIx64, hash);
	return status;
}
