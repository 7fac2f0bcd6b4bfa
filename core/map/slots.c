#include "core/map/slots.h"

#include "core/base/mem.h"
#include "core/place/seats.h"

#include <stdlib.h>
#include <string.h>

struct kind {
	struct tm_word word;
	int type;            /* TM_NONE: the places that the ranks have */
};

static const struct kind kinds[] = {
	{ { "given", "the places that the ranks have now: they only change them" }, TM_NONE },
	{ { "core", "all cores that the job may use" }, TM_CORE },
	{ { "hwthread", "all PUs, hardware threads, that it may use" }, TM_PU },
	{ { "l2", "all level 2 caches, a rank on the PUs of one" }, TM_L2 },
	{ { "l3", "all level 3 caches" }, TM_L3 },
	{ { "numa", "all memory controllers" }, TM_NUMA },
	{ { "package", "all packages" }, TM_PACKAGE },
	{ { "node", "all nodes, a rank on each" }, TM_NODE },
	{ { NULL, NULL }, TM_NONE },
};

const struct tm_words tm_slot_kinds = TM_WORDS("kind of slot", kinds);

void tm_slots_fini(struct tm_slots *slots)
{
	tm_placement_fini(&slots->made);
	free(slots->now);
	free(slots->fixed);
	free(slots->group);
	*slots = (struct tm_slots){ 0 };
}

static bool is_spared(const struct tm_topology *topo, int object, const struct tm_idset *pus)
{
	for (int i = topo->object[object].first_pu; i < topo->object[object].end_pu; i++)
		if (topo->pu[i].allowed && tm_idset_contains(pus, topo->pu[i].os))
			return true;
	return false;
}

/* The seats of a kind of node that become slots. */
struct kept {
	int count;
	int *seat;           /* [count] */
	int *of_object;      /* [objects]: position among those kept of the seat that the object is,
				or lies in; TM_NONE */
};

static void kept_fini(struct kept *kept, int count)
{
	for (int t = 0; kept && t < count; t++) {
		free(kept[t].seat);
		free(kept[t].of_object);
	}
	free(kept);
}

static int keep(struct kept *kept, const struct tm_topology *topo,
		const struct tm_seat_kind *kind, const struct tm_slots_spared *spared,
		struct tm_error *err)
{
	kept->seat = tm_alloc_raw((size_t)kind->count, sizeof *kept->seat, err);
	kept->of_object = tm_alloc_raw((size_t)topo->object_count, sizeof *kept->of_object, err);
	if (!kept->seat || !kept->of_object)
		return -1;
	for (int i = 0; i < kind->count; i++)
		if (!is_spared(topo, kind->object[i], &spared->pus))
			kept->seat[kept->count++] = i;
	kept->count = spared->count < kept->count ? kept->count - spared->count : 0;
	for (int i = 0; i < topo->object_count; i++)
		kept->of_object[i] = TM_NONE;
	for (int i = 0; i < kept->count; i++)
		kept->of_object[kind->object[kept->seat[i]]] = i;
	for (int i = 1; i < topo->object_count; i++) /* parents come first */
		if (kept->of_object[i] == TM_NONE)
			kept->of_object[i] = kept->of_object[topo->object[i].parent];
	return 0;
}

static struct kept *keep_all(const struct tm_seats *seats, const struct tm_slots_spared *spared,
			     struct tm_error *err)
{
	const struct tm_machine *machine = seats->machine;
	struct kept *kept = tm_alloc((size_t)machine->topology_count, sizeof *kept, err);

	for (int t = 0; kept && t < machine->topology_count; t++)
		if (keep(&kept[t], &machine->topology[t], &seats->kind[t], spared, err) < 0) {
			kept_fini(kept, machine->topology_count);
			return NULL;
		}
	return kept;
}

/* The first slot on each node, and their number: [nodes + 1]. */
static int *count_slots(const struct tm_machine *machine, const struct kept *kept,
			struct tm_error *err)
{
	int *first = tm_alloc((size_t)machine->node_count + 1, sizeof *first, err);

	for (int n = 0; first && n < machine->node_count; n++)
		first[n + 1] = first[n] + kept[machine->node_topology[n]].count;
	return first;
}

static int make_slots(struct tm_slots *slots, struct tm_seats *seats, const struct kept *kept,
		      const int *first, struct tm_error *err)
{
	const struct tm_machine *machine = seats->machine;

	if (tm_placement_init(&slots->made, slots->seats->machine, first[machine->node_count],
			      err) < 0)
		return -1;
	for (int n = 0; n < machine->node_count; n++)
		for (int s = first[n]; s < first[n + 1]; s++)
			if (tm_seats_take(seats, &slots->made, s, n,
					  kept[machine->node_topology[n]].seat[s - first[n]],
					  err) < 0)
				return -1;
	return 0;
}

/* Who sits on, or within, a slot that nobody before it does. */
static int find_now(struct tm_slots *slots, const struct tm_placement *job,
		    const struct kept *kept, const int *first, struct tm_error *err)
{
	bool *taken = tm_alloc((size_t)slots->made.size, sizeof *taken, err);

	for (int r = 0; taken && r < slots->rank_count; r++) {
		int at = kept[job->machine->node_topology[job->node[r]]]
			 .of_object[tm_placement_object(job, r)];
		int slot = at == TM_NONE ? TM_NONE : first[job->node[r]] + at;

		slots->now[r] = slot == TM_NONE || taken[slot] ? TM_NONE : slot;
		if (slot != TM_NONE)
			taken[slot] = true;
	}
	free(taken);
	return taken ? 0 : -1;
}

static int check_count(int ranks, const struct kind *kind, int count,
		       const struct tm_slots_spared *spared, struct tm_error *err)
{
	bool some = spared->count || spared->pus.count;

	if (count >= ranks)
		return 0;
	return tm_fail(err, TM_INPUT, "%d ranks do not fit on %d slots (%s%s), one each", ranks,
		       count, kind->word.name, some ? ", without those left free" : "");
}

/* A PU that is to be left free must be somewhere. */
static int check_pus(const struct tm_machine *machine, const struct tm_idset *pus,
		     struct tm_error *err)
{
	for (int id = tm_idset_next(pus, TM_NONE); id != TM_NONE; id = tm_idset_next(pus, id)) {
		bool found = false;

		for (int t = 0; t < machine->topology_count && !found; t++)
			found = tm_topology_find_pu(&machine->topology[t], id) != TM_NONE;
		if (!found)
			return tm_fail(err, TM_INPUT, "no node has PU %d", id);
	}
	return 0;
}

static int take_objects(struct tm_slots *slots, const struct tm_placement *job,
			const struct kind *kind, const struct tm_slots_spared *spared,
			struct tm_error *err)
{
	struct tm_seats seats = { 0 };
	struct kept *kept = NULL;
	int *first = NULL, status = -1;

	if (check_pus(job->machine, &spared->pus, err) < 0 ||
	    tm_seats_init(&seats, job->machine, (enum tm_type)kind->type, err) < 0)
		return -1;
	kept = keep_all(&seats, spared, err);
	if (kept)
		first = count_slots(job->machine, kept, err);
	if (first && check_count(slots->rank_count, kind, first[job->machine->node_count], spared,
				 err) == 0 &&
	    make_slots(slots, &seats, kept, first, err) == 0)
		status = find_now(slots, job, kept, first, err);
	free(first);
	kept_fini(kept, job->machine->topology_count);
	tm_seats_fini(&seats);
	return status;
}

int tm_slots_init(struct tm_slots *slots, const struct tm_placement *job, int kind,
		  const struct tm_slots_spared *spared, struct tm_error *err)
{
	*slots = (struct tm_slots){ .seats = job, .rank_count = job->size - spared->ranks };
	if (slots->rank_count < 1)
		return tm_fail(err, TM_INPUT, "a job of %d ranks has no %d that do not run", job->size,
			       spared->ranks);
	if (kinds[kind].type == TM_NONE && (spared->count || spared->pus.count))
		return tm_fail(err, TM_INPUT, "no place can be left free where the slots are the "
			       "places of the ranks: there are as many");
	slots->now = tm_alloc_raw((size_t)slots->rank_count, sizeof *slots->now, err);
	slots->fixed = tm_alloc_raw((size_t)slots->rank_count, sizeof *slots->fixed, err);
	for (int r = 0; slots->now && slots->fixed && r < slots->rank_count; r++) {
		slots->now[r] = r;
		slots->fixed[r] = TM_NONE;
	}
	if (!slots->now || !slots->fixed ||
	    (kinds[kind].type != TM_NONE &&
	     take_objects(slots, job, &kinds[kind], spared, err) < 0)) {
		tm_slots_fini(slots);
		return -1;
	}
	if (kinds[kind].type != TM_NONE)
		slots->seats = &slots->made;
	return 0;
}
