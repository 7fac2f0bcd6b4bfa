#include "core/group/elect.h"

#include "core/machine/overlap.h"
#include "core/machine/device.h"
#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>

static const struct tm_word rows[] = {
	[TM_ELECT_FIRST] = { "first", "rank 0 of each communicator" },
	[TM_ELECT_ADAPTER] = { "adapter", "the rank closest to a network adapter" },
	[TM_ELECT_ROOT] = { "root", "the rank whose seat on its node is closest to the root's" },
	[TM_ELECT_IDLE] = { "idle", "the rank that shares the least with other bound ranks" },
	{ NULL, NULL },
};

const struct tm_words tm_elections = TM_WORDS("election", rows);

/* The key of every rank on a place. */
static int adapter_key(const struct tm_placement *p, const struct tm_place *place, int root)
{
	const struct tm_topology *topo = &p->machine->topology[place->topology];
	int count;

	(void)root;
	if (tm_device_closest(topo, place->object, TM_NETWORK, &count) == TM_NONE)
		return INT_MAX;
	return tm_adapter_reach(topo, place->object);
}

static int root_key(const struct tm_placement *p, const struct tm_place *place, int root)
{
	const struct tm_place *seat = &p->places[p->place[root]];

	return place->topology != seat->topology ? INT_MAX :
	       tm_topology_reach(&p->machine->topology[seat->topology], place->object,
				 seat->object);
}

static int keys_by_place(int *key, const struct tm_placement *p,
			 int (*of)(const struct tm_placement *, const struct tm_place *, int),
			 int root, struct tm_error *err)
{
	int *by_place = tm_alloc_raw((size_t)p->place_count, sizeof *by_place, err);

	if (!by_place)
		return -1;
	for (int i = 0; i < p->place_count; i++)
		by_place[i] = of(p, &p->places[i], root);
	for (int r = 0; r < p->size; r++)
		key[r] = by_place[p->place[r]];
	free(by_place);
	return 0;
}

/* The flags of enum tm_overlap rise with what they say. */
static int keys_by_sharing(int *key, const struct tm_placement *p, struct tm_error *err)
{
	struct tm_node_fold fold;
	unsigned char *shares;

	if (tm_node_fold_init(&fold, p, err) < 0)
		return -1;
	shares = tm_overlap_find(p, &fold, err);
	for (int r = 0; shares && r < p->size; r++)
		key[r] = shares[r];
	tm_node_fold_fini(&fold);
	if (!shares)
		return -1;
	free(shares);
	return 0;
}

int *tm_elect_keys(const struct tm_placement *p, enum tm_elect elect, int root,
		   struct tm_error *err)
{
	int *key = tm_alloc((size_t)p->size, sizeof *key, err);
	int status = 0;

	if (!key)
		return NULL;
	if (elect == TM_ELECT_ADAPTER)
		status = keys_by_place(key, p, adapter_key, root, err);
	else if (elect == TM_ELECT_ROOT)
		status = keys_by_place(key, p, root_key, root, err);
	else if (elect == TM_ELECT_IDLE)
		status = keys_by_sharing(key, p, err);
	if (status == 0)
		return key;
	free(key);
	return NULL;
}
