/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/map/slots.h"

#include "core/base/mem.h"
#include "core/place/usable.h"

#include <stdlib.h>
#include <string.h>

static const struct tmap_keyword slot_given = {
	"given", "the places that the ranks have now: they only change them"
};

static const struct tmap_keyword *slot_kind_at(size_t index)
{
	return index == 0 ? &slot_given : tmap_type_words_at(TMAP_SLOT_WORDS, index - 1, NULL);
}

const struct tmap_keywords tmap_slot_kinds = TMAP_KEYWORDS_BY("kind of slot", slot_kind_at);

/* TMAP_NONE: the places that the ranks have. */
static int slot_kind_type(int kind)
{
	enum tmap_type type;

	if (kind == 0)
		return TMAP_NONE;
	tmap_type_words_at(TMAP_SLOT_WORDS, (size_t)kind - 1, &type);
	return (int)type;
}

void tmap_slots_fini(struct tmap_slots *slots)
{
	tmap_placement_fini(&slots->own);
	free(slots->now);
	free(slots->fixed);
	free(slots->group);
	*slots = (struct tmap_slots){ 0 };
}

static bool object_is_excluded(const struct tmap_topology *topo, int object,
			       const struct tmap_idset *pus)
{
	for (int i = topo->object[object].first_pu; i < topo->object[object].end_pu; i++)
		if (topo->pu[i].allowed && tmap_idset_contains(pus, topo->pu[i].os))
			return true;
	return false;
}

/* The places of a kind of node that become slots. */
struct kept_places {
	int count;
	int *place;     /* [count] */
	int *of_object; /* [objects]: position among those kept of the place that the object is,
				or lies in; TMAP_NONE */
};

static void kept_places_free(struct kept_places *kept, int count)
{
	for (int t = 0; kept && t < count; t++) {
		free(kept[t].place);
		free(kept[t].of_object);
	}
	free(kept);
}

static int kept_places_init(struct kept_places *kept, const struct tmap_topology *topo,
			    const struct tmap_usable_kind *kind,
			    const struct tmap_slots_excluded *excluded, struct tmap_error *err)
{
	kept->place = tmap_alloc_raw((size_t)kind->count, sizeof *kept->place, err);
	kept->of_object = tmap_alloc_raw((size_t)topo->object_count, sizeof *kept->of_object, err);
	if (!kept->place || !kept->of_object)
		return -1;
	for (int i = 0; i < kind->count; i++)
		if (!object_is_excluded(topo, kind->object[i], &excluded->pus))
			kept->place[kept->count++] = i;
	kept->count = excluded->count < kept->count ? kept->count - excluded->count : 0;
	for (int i = 0; i < topo->object_count; i++)
		kept->of_object[i] = TMAP_NONE;
	for (int i = 0; i < kept->count; i++)
		kept->of_object[kind->object[kept->place[i]]] = i;
	for (int i = 1; i < topo->object_count; i++) /* parents come first */
		if (kept->of_object[i] == TMAP_NONE)
			kept->of_object[i] = kept->of_object[topo->object[i].parent];
	return 0;
}

/* Of each kind of node: [topology_count]. */
static struct kept_places *kept_places_new(const struct tmap_usable *usable,
					   const struct tmap_slots_excluded *excluded,
					   struct tmap_error *err)
{
	const struct tmap_machine *machine = usable->machine;
	struct kept_places *kept = tmap_alloc((size_t)machine->topology_count, sizeof *kept, err);

	for (int t = 0; kept && t < machine->topology_count; t++)
		if (kept_places_init(&kept[t], &machine->topology[t], &usable->kind[t], excluded,
				     err) < 0) {
			kept_places_free(kept, machine->topology_count);
			return NULL;
		}
	return kept;
}

/* A PU that is to be left free must be somewhere. */
static int excluded_check(const struct tmap_slots_excluded *excluded,
			  const struct tmap_machine *machine, struct tmap_error *err)
{
	const struct tmap_idset *pus = &excluded->pus;

	for (int id = tmap_idset_next(pus, TMAP_NONE); id != TMAP_NONE;
	     id = tmap_idset_next(pus, id)) {
		bool found = false;

		for (int t = 0; t < machine->topology_count && !found; t++)
			found = tmap_topology_find_pu(&machine->topology[t], id) != TMAP_NONE;
		if (!found)
			return tmap_fail(err, TMAP_INPUT, "no node has PU %d", id);
	}
	return 0;
}

/* The kept places, node by node, become slots; first[n] is the first one on node n. Each rank has
 * the slot that it is on, or within, now, unless a rank before it has. */
static int slots_fill(struct tmap_slots *slots, struct tmap_usable *usable,
		      const struct kept_places *kept, const int *first,
		      const struct tmap_placement *job, struct tmap_error *err)
{
	const struct tmap_machine *machine = job->machine;
	int count = first[machine->node_count];
	bool *taken;

	if (tmap_placement_init(&slots->own, job->machine, count, err) < 0)
		return -1;
	for (int n = 0; n < machine->node_count; n++)
		for (int s = first[n]; s < first[n + 1]; s++)
			if (tmap_usable_take(usable, &slots->own, s, n,
					     kept[machine->node_topology[n]].place[s - first[n]],
					     err) < 0)
				return -1;
	taken = tmap_alloc((size_t)count, sizeof *taken, err);
	for (int r = 0; taken && r < slots->rank_count; r++) {
		int at = kept[machine->node_topology[job->node[r]]]
				 .of_object[tmap_placement_object(job, r)];
		int slot = at == TMAP_NONE ? TMAP_NONE : first[job->node[r]] + at;

		slots->now[r] = slot == TMAP_NONE || taken[slot] ? TMAP_NONE : slot;
		if (slot != TMAP_NONE)
			taken[slot] = true;
	}
	free(taken);
	return taken ? 0 : -1;
}

/* The slots are all objects of a kind that may be used. */
static int slots_init_objects(struct tmap_slots *slots, const struct tmap_placement *job, int kind,
			      const struct tmap_slots_excluded *excluded, struct tmap_error *err)
{
	const struct tmap_machine *machine = job->machine;
	bool has_excluded = excluded->count || excluded->pus.count;
	struct tmap_usable usable = { 0 };
	struct kept_places *kept = NULL;
	int *first = NULL, status = -1;

	if (excluded_check(excluded, machine, err) < 0 ||
	    tmap_usable_init(&usable, machine, (enum tmap_type)slot_kind_type(kind), err) < 0)
		return -1;
	kept = kept_places_new(&usable, excluded, err);
	if (kept)
		first = tmap_alloc((size_t)machine->node_count + 1, sizeof *first, err);
	for (int n = 0; first && n < machine->node_count; n++)
		first[n + 1] = first[n] + kept[machine->node_topology[n]].count;
	if (first && first[machine->node_count] < slots->rank_count)
		tmap_fail(err, TMAP_INPUT, "%d ranks do not fit on %d slots (%s%s), one each",
			  slots->rank_count, first[machine->node_count],
			  slot_kind_at((size_t)kind)->name,
			  has_excluded ? ", without those left free" : "");
	else if (first)
		status = slots_fill(slots, &usable, kept, first, job, err);
	free(first);
	kept_places_free(kept, machine->topology_count);
	tmap_usable_fini(&usable);
	return status;
}

int tmap_slots_init(struct tmap_slots *slots, const struct tmap_placement *job, int kind,
		    const struct tmap_slots_excluded *excluded, struct tmap_error *err)
{
	int type = slot_kind_type(kind);

	*slots = (struct tmap_slots){ .placement = job, .rank_count = job->size - excluded->ranks };
	if (slots->rank_count < 1)
		return tmap_fail(err, TMAP_INPUT, "a job of %d ranks has no %d that do not run",
				 job->size, excluded->ranks);
	if (type == TMAP_NONE && (excluded->count || excluded->pus.count))
		return tmap_fail(err, TMAP_INPUT,
				 "no place can be left free where the slots are the "
				 "places of the ranks: there are as many");
	slots->now = tmap_alloc_raw((size_t)slots->rank_count, sizeof *slots->now, err);
	slots->fixed = tmap_alloc_raw((size_t)slots->rank_count, sizeof *slots->fixed, err);
	for (int r = 0; slots->now && slots->fixed && r < slots->rank_count; r++) {
		slots->now[r] = r;
		slots->fixed[r] = TMAP_NONE;
	}
	if (!slots->now || !slots->fixed ||
	    (type != TMAP_NONE && slots_init_objects(slots, job, kind, excluded, err) < 0)) {
		tmap_slots_fini(slots);
		return -1;
	}
	if (type != TMAP_NONE)
		slots->placement = &slots->own;
	return 0;
}
