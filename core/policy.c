#include "core/policy.h"

#include "core/mem.h"
#include "core/random.h"

#include <limits.h>
#include <stdlib.h>

struct row {
	struct tm_word word;
};

static const struct row rows[] = {
	[TM_MAP_BY_CORE] = { { "core", "core after core, node after node" } },
	[TM_MAP_BY_NODE] = { { "node", "one core of each node in turn" } },
	{ { NULL, NULL } },
};

const struct tm_words tm_map_by_words = TM_WORDS("mapping", rows);

/* The cores of one topology that may be used: the places first .. first + count - 1. */
struct cores {
	int first;
	int count;
};

static int add_core(struct tm_placement *p, int topology, const struct tm_object *core,
		    struct tm_error *err)
{
	const struct tm_topology *topo = &p->machine->topology[topology];
	struct tm_idset pus = { 0 };
	int place = 0;

	for (int i = core->first_pu; i < core->end_pu && place != TM_NONE; i++)
		if (topo->pu[i].allowed && tm_idset_add(&pus, topo->pu[i].os, err) < 0)
			place = TM_NONE;
	if (place != TM_NONE && pus.count)
		place = tm_placement_add_place(p, topology, &pus, NULL, true, err);
	tm_idset_fini(&pus);
	return place == TM_NONE ? -1 : 0;
}

static struct cores *add_cores(struct tm_placement *p, struct tm_error *err)
{
	const struct tm_machine *machine = p->machine;
	struct cores *cores = tm_alloc((size_t)machine->topology_count, sizeof *cores, err);

	for (int t = 0; cores && t < machine->topology_count; t++) {
		const struct tm_topology *topo = &machine->topology[t];
		enum tm_type type = tm_topology_count(topo, TM_CORE) ? TM_CORE : TM_PU;

		cores[t].first = p->place_count;
		for (int i = 0; i < topo->object_count; i++)
			if (topo->object[i].type == type &&
			    add_core(p, t, &topo->object[i], err) < 0) {
				free(cores);
				return NULL;
			}
		cores[t].count = p->place_count - cores[t].first;
	}
	return cores;
}

static void place_by_core(struct tm_placement *p, const struct cores *cores)
{
	int rank = 0;

	for (int n = 0; n < p->machine->node_count && rank < p->size; n++) {
		const struct cores *of = &cores[p->machine->node_topology[n]];

		for (int i = 0; i < of->count && rank < p->size; i++, rank++) {
			p->node[rank] = n;
			p->place[rank] = of->first + i;
		}
	}
}

static void place_by_node(struct tm_placement *p, const struct cores *cores)
{
	int rank = 0;

	for (int i = 0; rank < p->size; i++)
		for (int n = 0; n < p->machine->node_count && rank < p->size; n++) {
			const struct cores *of = &cores[p->machine->node_topology[n]];

			if (i < of->count) {
				p->node[rank] = n;
				p->place[rank++] = of->first + i;
			}
		}
}

int tm_policy_place(struct tm_placement *p, struct tm_machine *machine, int ranks,
		    enum tm_map_by map_by, struct tm_error *err)
{
	static void (*const place[])(struct tm_placement *, const struct cores *) = {
		[TM_MAP_BY_CORE] = place_by_core, [TM_MAP_BY_NODE] = place_by_node,
	};
	struct tm_placement made;
	struct cores *cores;
	int64_t most = tm_machine_core_count(machine);

	if (ranks == TM_NONE && most > INT_MAX)
		return tm_fail(err, TM_INPUT, "%lld cores: the most ranks are %d", (long long)most,
			       INT_MAX);
	if (most == 0)
		return tm_fail(err, TM_INPUT, "no core of the machine may be used");
	if (ranks > most)
		return tm_fail(err, TM_INPUT, "%d ranks do not fit on the %lld cores of %d nodes",
			       ranks, (long long)most, machine->node_count);
	if (tm_placement_init(&made, machine, ranks == TM_NONE ? (int)most : ranks, err) < 0)
		return -1;
	cores = add_cores(&made, err);
	if (!cores) {
		tm_placement_fini(&made);
		return -1;
	}
	place[map_by](&made, cores);
	free(cores);
	*p = made;
	return 0;
}

int tm_policy_shuffle(struct tm_placement *p, uint64_t seed, struct tm_error *err)
{
	struct tm_random random = { .state = seed };
	int *place_of = tm_alloc_raw((size_t)p->size, sizeof *place_of, err);
	struct tm_placement made;
	int rc;

	if (!place_of)
		return -1;
	for (int r = 0; r < p->size; r++)
		place_of[r] = r;
	tm_random_shuffle(&random, place_of, p->size);
	rc = tm_placement_select(&made, p, place_of, p->size, err);
	free(place_of);
	if (rc < 0)
		return -1;
	tm_placement_fini(p);
	*p = made;
	return 0;
}
