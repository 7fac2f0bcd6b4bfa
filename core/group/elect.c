/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/group/elect.h"

#include "core/base/mem.h"
#include "core/machine/device.h"
#include "core/machine/overlap.h"

#include <limits.h>
#include <stdlib.h>

static const struct tmap_keyword rows[] = {
	[TMAP_ELECT_FIRST] = { "first", "rank 0 of each communicator" },
	[TMAP_ELECT_ADAPTER] = { "adapter", "the rank closest to a network adapter" },
	[TMAP_ELECT_ROOT] = { "root", "the rank whose place in its node is most like the root's" },
	[TMAP_ELECT_IDLE] = { "idle", "the rank that shares the least with other bound ranks" },
	[TMAP_ELECT_COLUMN] = { "column", "the rank that has the root's number on its node" },
	{ NULL, NULL },
};

const struct tmap_keywords tmap_elections = TMAP_KEYWORDS("election", rows);

/* The key of every rank on a place. */
static int adapter_key(const struct tmap_placement *p, const struct tmap_place *place, int root)
{
	const struct tmap_topology *topo = &p->machine->topology[place->topology];
	int count;

	(void)root;
	if (tmap_device_closest(topo, place->object, TMAP_NETWORK, &count) == TMAP_NONE)
		return INT_MAX;
	return tmap_adapter_common_pus(topo, place->object);
}

static int root_key(const struct tmap_placement *p, const struct tmap_place *place, int root)
{
	const struct tmap_place *of_root = &p->places[p->place[root]];

	return place->topology != of_root->topology ?
		INT_MAX :
		tmap_topology_common_pus(&p->machine->topology[of_root->topology], place->object,
					 of_root->object);
}

static int keys_by_place(int *key, const struct tmap_placement *p,
			 int (*of)(const struct tmap_placement *, const struct tmap_place *, int),
			 int root, struct tmap_error *err)
{
	int *by_place = tmap_alloc_raw((size_t)p->place_count, sizeof *by_place, err);

	if (!by_place)
		return -1;
	for (int i = 0; i < p->place_count; i++)
		by_place[i] = of(p, &p->places[i], root);
	for (int r = 0; r < p->size; r++)
		key[r] = by_place[p->place[r]];
	free(by_place);
	return 0;
}

/* The flags of enum tmap_overlap rise with how much is shared. */
static int keys_by_sharing(int *key, const struct tmap_placement *p, struct tmap_error *err)
{
	struct tmap_node_fold fold;
	unsigned char *shares;

	if (tmap_node_fold_init(&fold, p, err) < 0)
		return -1;
	shares = tmap_overlap_find(p, &fold, err);
	for (int r = 0; shares && r < p->size; r++)
		key[r] = shares[r];
	tmap_node_fold_fini(&fold);
	if (!shares)
		return -1;
	free(shares);
	return 0;
}

/* How far the rank's number on its node is from the root's. */
static int keys_by_number(int *key, const struct tmap_placement *p, int root,
			  struct tmap_error *err)
{
	int *count = tmap_alloc((size_t)p->machine->node_count, sizeof *count, err);
	int of_root;

	if (!count)
		return -1;
	for (int r = 0; r < p->size; r++)
		key[r] = count[p->node[r]]++;
	of_root = key[root];
	for (int r = 0; r < p->size; r++)
		key[r] = key[r] > of_root ? key[r] - of_root : of_root - key[r];
	free(count);
	return 0;
}

int *tmap_elect_keys(const struct tmap_placement *p, enum tmap_elect elect, int root,
		     struct tmap_error *err)
{
	int *key = tmap_alloc((size_t)p->size, sizeof *key, err);
	int status = 0;

	if (!key)
		return NULL;
	if (elect == TMAP_ELECT_ADAPTER)
		status = keys_by_place(key, p, adapter_key, root, err);
	else if (elect == TMAP_ELECT_ROOT)
		status = keys_by_place(key, p, root_key, root, err);
	else if (elect == TMAP_ELECT_IDLE)
		status = keys_by_sharing(key, p, err);
	else if (elect == TMAP_ELECT_COLUMN)
		status = keys_by_number(key, p, root, err);
	if (status == 0)
		return key;
	free(key);
	return NULL;
}
