#include "core/map/slots.h"

#include "core/base/mem.h"
#include "core/place/usable.h"

#include <stdlib.h>
#include <string.h>

static const struct tmap_keyword given = {
	"given", "the places that the ranks have now: they only change them"
};

static const struct tmap_keyword *kind_at(size_t index)
{
	return index == 0 ? &given : tmap_type_words_at(TMAP_SLOT_WORDS, index - 1, NULL);
}

const struct tmap_keywords tmap_slot_kinds = TMAP_KEYWORDS_BY("kind of slot", kind_at);

/* TMAP_NONE: the places that the ranks have. */
static int type_of_kind(int kind)
{
	enum tmap_type type;

	if (kind == 0)
		return TMAP_NONE;
	tmap_type_words_at(TMAP_SLOT_WORDS, (size_t)kind - 1, &type);
	return (int)type;
}

void tmap_slots_fini(struct tmap_slots *slots)
{
	tmap_placement_fini(&slots->made);
	free(slots->now);
	free(slots->fixed);
	free(slots->group);
	*slots = (struct tmap_slots){ 0 };
}

static bool is_spared(const struct tmap_topology *topo, int object, const struct tmap_idset *pus)
{
	for (int i = topo->object[object].first_pu; i < topo->object[object].end_pu; i++)
		if (topo->pu[i].allowed && tmap_idset_contains(pus, topo->pu[i].os))
			return true;
	return false;
}

/* The seats of a kind of node that become slots. */
struct kept {
	int count;
	int *seat;      /* [count] */
	int *of_object; /* [objects]: position among those kept of the seat that the object is,
				or lies in; TMAP_NONE */
};

static void kept_fini(struct kept *kept, int count)
{
	for (int t = 0; kept && t < count; t++) {
		free(kept[t].seat);
		free(kept[t].of_object);
	}
	free(kept);
}

static int keep(struct kept *kept, const struct tmap_topology *topo,
		const struct tmap_usable_kind *kind, const struct tmap_slots_excluded *spared,
		struct tmap_error *err)
{
	kept->seat = tmap_alloc_raw((size_t)kind->count, sizeof *kept->seat, err);
	kept->of_object = tmap_alloc_raw((size_t)topo->object_count, sizeof *kept->of_object, err);
	if (!kept->seat || !kept->of_object)
		return -1;
	for (int i = 0; i < kind->count; i++)
		if (!is_spared(topo, kind->object[i], &spared->pus))
			kept->seat[kept->count++] = i;
	kept->count = spared->count < kept->count ? kept->count - spared->count : 0;
	for (int i = 0; i < topo->object_count; i++)
		kept->of_object[i] = TMAP_NONE;
	for (int i = 0; i < kept->count; i++)
		kept->of_object[kind->object[kept->seat[i]]] = i;
	for (int i = 1; i < topo->object_count; i++) /* parents come first */
		if (kept->of_object[i] == TMAP_NONE)
			kept->of_object[i] = kept->of_object[topo->object[i].parent];
	return 0;
}

static struct kept *keep_all(const struct tmap_usable *seats,
			     const struct tmap_slots_excluded *spared, struct tmap_error *err)
{
	const struct tmap_machine *machine = seats->machine;
	struct kept *kept = tmap_alloc((size_t)machine->topology_count, sizeof *kept, err);

	for (int t = 0; kept && t < machine->topology_count; t++)
		if (keep(&kept[t], &machine->topology[t], &seats->kind[t], spared, err) < 0) {
			kept_fini(kept, machine->topology_count);
			return NULL;
		}
	return kept;
}

/* The first slot on each node, and their number: [nodes + 1]. */
static int *count_slots(const struct tmap_machine *machine, const struct kept *kept,
			struct tmap_error *err)
{
	int *first = tmap_alloc((size_t)machine->node_count + 1, sizeof *first, err);

	for (int n = 0; first && n < machine->node_count; n++)
		first[n + 1] = first[n] + kept[machine->node_topology[n]].count;
	return first;
}

static int make_slots(struct tmap_slots *slots, struct tmap_usable *seats, const struct kept *kept,
		      const int *first, struct tmap_error *err)
{
	const struct tmap_machine *machine = seats->machine;

	if (tmap_placement_init(&slots->made, slots->seats->machine, first[machine->node_count],
				err) < 0)
		return -1;
	for (int n = 0; n < machine->node_count; n++)
		for (int s = first[n]; s < first[n + 1]; s++)
			if (tmap_usable_take(seats, &slots->made, s, n,
					     kept[machine->node_topology[n]].seat[s - first[n]],
					     err) < 0)
				return -1;
	return 0;
}

/* Who sits on, or within, a slot that nobody before it does. */
static int find_now(struct tmap_slots *slots, const struct tmap_placement *job,
		    const struct kept *kept, const int *first, struct tmap_error *err)
{
	bool *taken = tmap_alloc((size_t)slots->made.size, sizeof *taken, err);

	for (int r = 0; taken && r < slots->rank_count; r++) {
		int at = kept[job->machine->node_topology[job->node[r]]]
				 .of_object[tmap_placement_object(job, r)];
		int slot = at == TMAP_NONE ? TMAP_NONE : first[job->node[r]] + at;

		slots->now[r] = slot == TMAP_NONE || taken[slot] ? TMAP_NONE : slot;
		if (slot != TMAP_NONE)
			taken[slot] = true;
	}
	free(taken);
	return taken ? 0 : -1;
}

static int check_count(int ranks, int kind, int count, const struct tmap_slots_excluded *spared,
		       struct tmap_error *err)
{
	bool some = spared->count || spared->pus.count;

	if (count >= ranks)
		return 0;
	return tmap_fail(err, TMAP_INPUT, "%d ranks do not fit on %d slots (%s%s), one each", ranks,
			 count, kind_at((size_t)kind)->name,
			 some ? ", without those left free" : "");
}

/* A PU that is to be left free must be somewhere. */
static int check_pus(const struct tmap_machine *machine, const struct tmap_idset *pus,
		     struct tmap_error *err)
{
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

static int take_objects(struct tmap_slots *slots, const struct tmap_placement *job, int kind,
			const struct tmap_slots_excluded *spared, struct tmap_error *err)
{
	struct tmap_usable seats = { 0 };
	struct kept *kept = NULL;
	int *first = NULL, status = -1;

	if (check_pus(job->machine, &spared->pus, err) < 0 ||
	    tmap_usable_init(&seats, job->machine, (enum tmap_type)type_of_kind(kind), err) < 0)
		return -1;
	kept = keep_all(&seats, spared, err);
	if (kept)
		first = count_slots(job->machine, kept, err);
	if (first &&
	    check_count(slots->rank_count, kind, first[job->machine->node_count], spared, err) ==
		    0 &&
	    make_slots(slots, &seats, kept, first, err) == 0)
		status = find_now(slots, job, kept, first, err);
	free(first);
	kept_fini(kept, job->machine->topology_count);
	tmap_usable_fini(&seats);
	return status;
}

int tmap_slots_init(struct tmap_slots *slots, const struct tmap_placement *job, int kind,
		    const struct tmap_slots_excluded *spared, struct tmap_error *err)
{
	int type = type_of_kind(kind);

	*slots = (struct tmap_slots){ .seats = job, .rank_count = job->size - spared->ranks };
	if (slots->rank_count < 1)
		return tmap_fail(err, TMAP_INPUT, "a job of %d ranks has no %d that do not run",
				 job->size, spared->ranks);
	if (type == TMAP_NONE && (spared->count || spared->pus.count))
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
	    (type != TMAP_NONE && take_objects(slots, job, kind, spared, err) < 0)) {
		tmap_slots_fini(slots);
		return -1;
	}
	if (type != TMAP_NONE)
		slots->seats = &slots->made;
	return 0;
}
