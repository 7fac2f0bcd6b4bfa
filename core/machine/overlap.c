#include "core/machine/overlap.h"

#include "core/base/mem.h"

#include <stdlib.h>

int tm_place_logical(const struct tm_topology *topo, const struct tm_place *place,
		     struct tm_idset *logical, struct tm_error *err)
{
	struct tm_idset made = { 0 };

	for (int i = 0; i < topo->pu_count; i++)
		if (tm_idset_contains(&place->pus, topo->pu[i].os) &&
		    tm_idset_add(&made, i, err) < 0) {
			tm_idset_fini(&made);
			return -1;
		}
	*logical = made;
	return 0;
}

/* How many bound ranks of a node may run on each PU and on each core. */
struct load {
	const struct tm_placement *p;
	struct tm_idset *logical;       /* [place_count]: PUs, by logical index */
	struct tm_idset *cores;         /* [place_count]: their cores, by the first PU of each */
	int *on_pu;                     /* [PUs of the largest topology] */
	int *on_core;                   /* the same, at the core's first PU */
};

static int core_of(const struct tm_topology *topo, int pu)
{
	int core = tm_topology_ancestor(topo, topo->pu[pu].object, TM_CORE);

	return core == TM_NONE ? pu : topo->object[core].first_pu;
}

/* Add +1 or -1 to the PUs and cores of one rank. */
static void add_rank(const struct load *load, const struct tm_topology *topo, int place, int more)
{
	const struct tm_idset *pus = &load->logical[place];
	int last = TM_NONE;

	if (!load->p->places[place].bound)
		return;
	for (int pu = tm_idset_next(pus, TM_NONE); pu != TM_NONE; pu = tm_idset_next(pus, pu)) {
		int core = core_of(topo, pu);

		load->on_pu[pu] += more;
		if (core != last)
			load->on_core[core] += more;
		last = core;
	}
}

static unsigned char look_up(const struct load *load, const struct tm_topology *topo, int place)
{
	const struct tm_idset *pus = &load->logical[place];
	unsigned char shares = 0;

	if (!load->p->places[place].bound)
		return 0;
	for (int pu = tm_idset_next(pus, TM_NONE); pu != TM_NONE; pu = tm_idset_next(pus, pu)) {
		if (load->on_pu[pu] > 1)
			shares |= TM_SHARES_PU | TM_SHARES_CORE;
		if (load->on_core[core_of(topo, pu)] > 1)
			shares |= TM_SHARES_CORE;
	}
	return shares;
}

/* Bound ranks of a node whose set is part of that of @p place. O(ranks of the node). */
static int64_t count_inside(const struct load *load, const struct tm_node_fold *fold, int n,
			    const struct tm_idset *sets, int place)
{
	int64_t inside = 0;

	for (int i = fold->first[n]; i < fold->first[n + 1]; i++) {
		int other = load->p->place[fold->rank[i]];

		inside += load->p->places[other].bound &&
			  tm_idset_is_subset(&sets[other], &sets[place]);
	}
	return inside;
}

/* Set @p crowds for the ranks whose set is part of that of @p place if they are too many. */
static void crowd(const struct load *load, const struct tm_node_fold *fold, int n,
		  const struct tm_idset *sets, int place, int crowds, unsigned char *shares)
{
	if (count_inside(load, fold, n, sets, place) <= tm_idset_size(&sets[place]))
		return;
	for (int i = fold->first[n]; i < fold->first[n + 1]; i++) {
		int other = load->p->place[fold->rank[i]];

		if (load->p->places[other].bound &&
		    tm_idset_is_subset(&sets[other], &sets[place]))
			shares[fold->rank[i]] |= (unsigned char)crowds;
	}
}

/* Only places that meet others need a look, each once: seen[] is all false before and
 * afterwards. */
static void find_crowds(const struct load *load, const struct tm_node_fold *fold, int n,
			bool *seen, unsigned char *shares)
{
	const int *place = load->p->place;

	for (int i = fold->first[n]; i < fold->first[n + 1]; i++) {
		int at = place[fold->rank[i]];

		if (seen[at] || !(shares[fold->rank[i]] & TM_SHARES_CORE))
			continue;
		seen[at] = true;
		crowd(load, fold, n, load->cores, at, TM_CROWDS_CORE, shares);
		crowd(load, fold, n, load->logical, at, TM_CROWDS_CORE | TM_CROWDS_PU, shares);
	}
	for (int i = fold->first[n]; i < fold->first[n + 1]; i++)
		seen[place[fold->rank[i]]] = false;
}

/* Set the flags of the ranks of one node. */
static void look_at_node(const struct load *load, const struct tm_node_fold *fold, int n,
			 unsigned char *shares)
{
	const struct tm_topology *topo = tm_machine_topology(load->p->machine, n);
	const int *place = load->p->place;

	for (int i = fold->first[n]; i < fold->first[n + 1]; i++)
		add_rank(load, topo, place[fold->rank[i]], 1);
	for (int i = fold->first[n]; i < fold->first[n + 1]; i++)
		shares[fold->rank[i]] = look_up(load, topo, place[fold->rank[i]]);
	for (int i = fold->first[n]; i < fold->first[n + 1]; i++)
		add_rank(load, topo, place[fold->rank[i]], -1);
}

/* The nodes of a class have the same places taken, so what a place shares is the same. */
static void look_at_nodes(const struct load *load, const struct tm_node_fold *fold, bool *seen,
			  unsigned char *of_place, unsigned char *shares)
{
	const int *place = load->p->place;

	for (int n = 0; n < load->p->machine->node_count; n++) {
		int like = fold->class_of[n] == TM_NONE ? n : fold->example[fold->class_of[n]];

		if (like == n) {
			look_at_node(load, fold, n, shares);
			find_crowds(load, fold, n, seen, shares);
			continue;
		}
		for (int i = fold->first[like]; i < fold->first[like + 1]; i++)
			of_place[place[fold->rank[i]]] = shares[fold->rank[i]];
		for (int i = fold->first[n]; i < fold->first[n + 1]; i++)
			shares[fold->rank[i]] = of_place[place[fold->rank[i]]];
	}
}

/* The cores of a place; *cores is set even if memory is refused half-way. */
static int place_cores(const struct tm_topology *topo, const struct tm_idset *logical,
		       struct tm_idset *cores, struct tm_error *err)
{
	for (int pu = tm_idset_next(logical, TM_NONE); pu != TM_NONE;
	     pu = tm_idset_next(logical, pu))
		if (tm_idset_add(cores, core_of(topo, pu), err) < 0)
			return -1;
	return 0;
}

static int fill_sets(struct load *load, struct tm_error *err)
{
	const struct tm_placement *p = load->p;

	for (int i = 0; i < p->place_count; i++) {
		const struct tm_place *place = &p->places[i];
		const struct tm_topology *topo = &p->machine->topology[place->topology];

		if (tm_place_logical(topo, place, &load->logical[i], err) < 0 ||
		    place_cores(topo, &load->logical[i], &load->cores[i], err) < 0)
			return -1;
	}
	return 0;
}

static size_t most_pus(const struct tm_machine *machine)
{
	int most = 0;

	for (int t = 0; t < machine->topology_count; t++)
		if (machine->topology[t].pu_count > most)
			most = machine->topology[t].pu_count;
	return (size_t)most;
}

static int load_init(struct load *load, const struct tm_placement *p, struct tm_error *err)
{
	size_t pus = most_pus(p->machine), places = (size_t)p->place_count;

	load->p = p;
	load->logical = tm_alloc(places, sizeof *load->logical, err);
	load->cores = tm_alloc(places, sizeof *load->cores, err);
	load->on_pu = tm_alloc(pus, sizeof *load->on_pu, err);
	load->on_core = tm_alloc(pus, sizeof *load->on_core, err);
	if (!load->logical || !load->cores || !load->on_pu || !load->on_core)
		return -1;
	return fill_sets(load, err);
}

static void load_fini(struct load *load)
{
	for (int i = 0; i < load->p->place_count; i++) {
		if (load->logical)
			tm_idset_fini(&load->logical[i]);
		if (load->cores)
			tm_idset_fini(&load->cores[i]);
	}
	free(load->logical);
	free(load->cores);
	free(load->on_pu);
	free(load->on_core);
}

unsigned char *tm_overlap_find(const struct tm_placement *p, const struct tm_node_fold *fold,
			       struct tm_error *err)
{
	struct load load = { 0 };
	unsigned char *of_place = tm_alloc((size_t)p->place_count, sizeof *of_place, err);
	bool *seen = tm_alloc((size_t)p->place_count, sizeof *seen, err);
	unsigned char *shares = NULL;

	if (load_init(&load, p, err) == 0 && of_place && seen)
		shares = tm_alloc((size_t)p->size, sizeof *shares, err);
	if (shares)
		look_at_nodes(&load, fold, seen, of_place, shares);
	load_fini(&load);
	free(of_place);
	free(seen);
	return shares;
}

/* Cores with a PU that the job may use. */
static int count_cores(const struct tm_topology *topo)
{
	int count = 0, last = TM_NONE;

	for (int pu = 0; pu < topo->pu_count; pu++) {
		int core = core_of(topo, pu);

		if (!topo->pu[pu].allowed)
			continue;
		count += core != last;
		last = core;
	}
	return count;
}

int tm_overlap_count(int *count, const struct tm_placement *p, struct tm_error *err)
{
	const struct tm_machine *machine = p->machine;
	struct tm_node_fold fold = { 0 };
	int *cores = tm_alloc((size_t)machine->topology_count, sizeof *cores, err), found = 0;
	unsigned char *shares = NULL;

	for (int t = 0; cores && t < machine->topology_count; t++)
		cores[t] = count_cores(&machine->topology[t]);
	if (cores && tm_node_fold_init(&fold, p, err) == 0)
		shares = tm_overlap_find(p, &fold, err);
	for (int n = 0; shares && n < machine->node_count; n++) {
		int ranks = fold.first[n + 1] - fold.first[n];

		if (ranks > cores[machine->node_topology[n]]) {
			found += ranks;
			continue;
		}
		for (int i = fold.first[n]; i < fold.first[n + 1]; i++)
			found += (shares[fold.rank[i]] & TM_CROWDS_CORE) != 0;
	}
	tm_node_fold_fini(&fold);
	free(cores);
	if (!shares)
		return -1;
	free(shares);
	*count = found;
	return 0;
}
