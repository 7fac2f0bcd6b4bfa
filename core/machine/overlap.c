/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/machine/overlap.h"

#include "core/base/mem.h"

#include <stdlib.h>

const char *tmap_overlap_unit(const struct tmap_machine *machine)
{
	for (int t = 0; t < machine->topology_count; t++)
		if (tmap_topology_count(&machine->topology[t], TMAP_CORE))
			return "core";
	return "PU";
}

int tmap_place_logical(const struct tmap_topology *topo, const struct tmap_place *place,
		       struct tmap_idset *logical, struct tmap_error *err)
{
	struct tmap_idset made = { 0 };

	for (int i = 0; i < topo->pu_count; i++)
		if (tmap_idset_contains(&place->pus, topo->pu[i].os) &&
		    tmap_idset_add(&made, i, err) < 0) {
			tmap_idset_fini(&made);
			return -1;
		}
	*logical = made;
	return 0;
}

/* What the ranks of one node may run on. */
struct load {
	const struct tmap_placement *p;
	struct tmap_idset *logical; /* [place_count]: PUs, by logical index */
	struct tmap_idset *cores;   /* [place_count]: their cores, by the first PU of each */
	int taken_count;
	int *taken;   /* [taken_count]: the places of the node's ranks, each once */
	int *ranks;   /* [place_count]: how many ranks have it; 0 of places that are not taken */
	int *on_pu;   /* [PUs of the largest topology]: bound ranks that may run there; all 0 but
			 while a node is looked at */
	int *on_core; /* the same, at the core's first PU */
};

static int core_of(const struct tmap_topology *topo, int pu)
{
	int core = tmap_topology_ancestor(topo, topo->pu[pu].object, TMAP_CORE);

	return core == TMAP_NONE ? pu : topo->object[core].first_pu;
}

/* Of node @p n: many ranks may have the same place. */
static void load_take(struct load *load, const struct tmap_node_fold *fold, int n)
{
	for (int i = 0; i < load->taken_count; i++)
		load->ranks[load->taken[i]] = 0;
	load->taken_count = 0;
	for (int i = fold->first[n]; i < fold->first[n + 1]; i++) {
		int place = load->p->place[fold->rank[i]];

		if (!load->ranks[place]++)
			load->taken[load->taken_count++] = place;
	}
}

static void add_to_all(const struct tmap_idset *set, int *on, int more)
{
	for (int id = tmap_idset_next(set, TMAP_NONE); id != TMAP_NONE;
	     id = tmap_idset_next(set, id))
		on[id] += more;
}

/* Add the ranks of the taken places, or take them away again. */
static void add_ranks(const struct load *load, int sign)
{
	for (int i = 0; i < load->taken_count; i++) {
		int place = load->taken[i];

		if (!load->p->places[place].bound)
			continue;
		add_to_all(&load->logical[place], load->on_pu, sign * load->ranks[place]);
		add_to_all(&load->cores[place], load->on_core, sign * load->ranks[place]);
	}
}

static bool is_shared(const struct tmap_idset *set, const int *on)
{
	for (int id = tmap_idset_next(set, TMAP_NONE); id != TMAP_NONE;
	     id = tmap_idset_next(set, id))
		if (on[id] > 1)
			return true;
	return false;
}

static unsigned char place_shares(const struct load *load, int place)
{
	if (!load->p->places[place].bound)
		return 0;
	if (is_shared(&load->logical[place], load->on_pu))
		return TMAP_SHARES_PU | TMAP_SHARES_CORE;
	return is_shared(&load->cores[place], load->on_core) ? TMAP_SHARES_CORE : 0;
}

static bool is_inside(const struct load *load, const struct tmap_idset *sets, int place, int of)
{
	return load->p->places[place].bound && tmap_idset_is_subset(&sets[place], &sets[of]);
}

/* Set @p crowds for the places whose set is part of that of @p place if their ranks are too many.
 * O(places that are taken). */
static void mark_crowd(const struct load *load, const struct tmap_idset *sets, int place,
		       int crowds, unsigned char *of_place)
{
	int64_t inside = 0;

	for (int i = 0; i < load->taken_count; i++)
		if (is_inside(load, sets, load->taken[i], place))
			inside += load->ranks[load->taken[i]];
	if (inside <= tmap_idset_size(&sets[place]))
		return;
	for (int i = 0; i < load->taken_count; i++)
		if (is_inside(load, sets, load->taken[i], place))
			of_place[load->taken[i]] |= (unsigned char)crowds;
}

/* of_place[] = the flags of the places that the ranks of a node have. */
static void find_node_shares(struct load *load, const struct tmap_node_fold *fold, int n,
			     unsigned char *of_place)
{
	load_take(load, fold, n);
	add_ranks(load, 1);
	for (int i = 0; i < load->taken_count; i++)
		of_place[load->taken[i]] = place_shares(load, load->taken[i]);
	add_ranks(load, -1);
	for (int i = 0; i < load->taken_count; i++) {
		int place = load->taken[i];

		if (!(of_place[place] & TMAP_SHARES_CORE))
			continue;
		mark_crowd(load, load->cores, place, TMAP_CROWDS_CORE, of_place);
		mark_crowd(load, load->logical, place, TMAP_CROWDS_CORE | TMAP_CROWDS_PU, of_place);
	}
}

/* The nodes of a class have the same places taken, so what a place shares is the same. */
static void find_shares(struct load *load, const struct tmap_node_fold *fold,
			unsigned char *of_place, unsigned char *shares)
{
	const int *place = load->p->place;

	for (int n = 0; n < load->p->machine->node_count; n++) {
		int like = fold->class_of[n] == TMAP_NONE ? n : fold->example[fold->class_of[n]];

		if (like == n)
			find_node_shares(load, fold, n, of_place);
		else
			for (int i = fold->first[like]; i < fold->first[like + 1]; i++)
				of_place[place[fold->rank[i]]] = shares[fold->rank[i]];
		for (int i = fold->first[n]; i < fold->first[n + 1]; i++)
			shares[fold->rank[i]] = of_place[place[fold->rank[i]]];
	}
}

/* The cores of a place; *cores is set even if memory is refused half-way. */
static int place_cores(const struct tmap_topology *topo, const struct tmap_idset *logical,
		       struct tmap_idset *cores, struct tmap_error *err)
{
	for (int pu = tmap_idset_next(logical, TMAP_NONE); pu != TMAP_NONE;
	     pu = tmap_idset_next(logical, pu))
		if (tmap_idset_add(cores, core_of(topo, pu), err) < 0)
			return -1;
	return 0;
}

static int fill_sets(struct load *load, struct tmap_error *err)
{
	const struct tmap_placement *p = load->p;

	for (int i = 0; i < p->place_count; i++) {
		const struct tmap_place *place = &p->places[i];
		const struct tmap_topology *topo = &p->machine->topology[place->topology];

		if (tmap_place_logical(topo, place, &load->logical[i], err) < 0 ||
		    place_cores(topo, &load->logical[i], &load->cores[i], err) < 0)
			return -1;
	}
	return 0;
}

static size_t most_pus(const struct tmap_machine *machine)
{
	int most = 0;

	for (int t = 0; t < machine->topology_count; t++)
		if (machine->topology[t].pu_count > most)
			most = machine->topology[t].pu_count;
	return (size_t)most;
}

static int load_init(struct load *load, const struct tmap_placement *p, struct tmap_error *err)
{
	size_t pus = most_pus(p->machine), places = (size_t)p->place_count;

	load->p = p;
	load->logical = tmap_alloc(places, sizeof *load->logical, err);
	load->cores = tmap_alloc(places, sizeof *load->cores, err);
	load->taken = tmap_alloc(places, sizeof *load->taken, err);
	load->ranks = tmap_alloc(places, sizeof *load->ranks, err);
	load->on_pu = tmap_alloc(pus, sizeof *load->on_pu, err);
	load->on_core = tmap_alloc(pus, sizeof *load->on_core, err);
	if (!load->logical || !load->cores || !load->taken || !load->ranks || !load->on_pu ||
	    !load->on_core)
		return -1;
	return fill_sets(load, err);
}

static void load_fini(struct load *load)
{
	for (int i = 0; i < load->p->place_count; i++) {
		if (load->logical)
			tmap_idset_fini(&load->logical[i]);
		if (load->cores)
			tmap_idset_fini(&load->cores[i]);
	}
	free(load->logical);
	free(load->cores);
	free(load->taken);
	free(load->ranks);
	free(load->on_pu);
	free(load->on_core);
}

unsigned char *tmap_overlap_find(const struct tmap_placement *p, const struct tmap_node_fold *fold,
				 struct tmap_error *err)
{
	struct load load = { 0 };
	unsigned char *of_place = tmap_alloc((size_t)p->place_count, sizeof *of_place, err);
	unsigned char *shares = NULL;

	if (load_init(&load, p, err) == 0 && of_place)
		shares = tmap_alloc((size_t)p->size, sizeof *shares, err);
	if (shares)
		find_shares(&load, fold, of_place, shares);
	load_fini(&load);
	free(of_place);
	return shares;
}

/* Cores with a PU that the job may use. */
static int count_cores(const struct tmap_topology *topo)
{
	int count = 0, last = TMAP_NONE;

	for (int pu = 0; pu < topo->pu_count; pu++) {
		int core = core_of(topo, pu);

		if (!topo->pu[pu].allowed)
			continue;
		count += core != last;
		last = core;
	}
	return count;
}

static bool any_unbound(const struct tmap_placement *p, const struct tmap_node_fold *fold, int n)
{
	for (int i = fold->first[n]; i < fold->first[n + 1]; i++)
		if (!p->places[p->place[fold->rank[i]]].bound)
			return true;
	return false;
}

int tmap_overlap_count(int *count, const struct tmap_placement *p, struct tmap_error *err)
{
	const struct tmap_machine *machine = p->machine;
	struct tmap_node_fold fold = { 0 };
	int *cores = tmap_alloc((size_t)machine->topology_count, sizeof *cores, err), found = 0;
	unsigned char *shares = NULL;

	for (int t = 0; cores && t < machine->topology_count; t++)
		cores[t] = count_cores(&machine->topology[t]);
	if (cores && tmap_node_fold_init(&fold, p, err) == 0)
		shares = tmap_overlap_find(p, &fold, err);
	for (int n = 0; shares && n < machine->node_count; n++) {
		int ranks = fold.first[n + 1] - fold.first[n];

		if (ranks > cores[machine->node_topology[n]] && any_unbound(p, &fold, n)) {
			found += ranks;
			continue;
		}
		for (int i = fold.first[n]; i < fold.first[n + 1]; i++)
			found += (shares[fold.rank[i]] & TMAP_CROWDS_CORE) != 0;
	}
	tmap_node_fold_fini(&fold);
	free(cores);
	if (!shares)
		return -1;
	free(shares);
	*count = found;
	return 0;
}

/* The next of the cores that ranks of a place run on: its own, or those of the node. */
static int place_next_core(const struct load *load, const struct tmap_topology *topo, int place,
			   int core)
{
	if (load->p->places[place].bound)
		return tmap_idset_next(&load->cores[place], core);
	for (int pu = core + 1; pu < topo->pu_count; pu++)
		if (topo->pu[pu].allowed && core_of(topo, pu) == pu)
			return pu;
	return TMAP_NONE;
}

/* The mean of what is on the cores of a place; *cores: so many. */
static double place_mean(const struct load *load, const struct tmap_topology *topo, int place,
			 const double *on_core, int *cores)
{
	double sum = 0;

	*cores = 0;
	for (int core = place_next_core(load, topo, place, TMAP_NONE); core != TMAP_NONE;
	     core = place_next_core(load, topo, place, core)) {
		sum += on_core[core];
		++*cores;
	}
	return *cores ? sum / *cores : 0;
}

/* of_place[] = what is on the cores of each place that the ranks of a node have, on average, but for
 * one; on_core[] is all 0 before and afterwards. */
static void find_node_others(struct load *load, const struct tmap_node_fold *fold, int n,
			     double *on_core, double *of_place)
{
	const struct tmap_topology *topo = tmap_machine_topology(load->p->machine, n);
	int cores;

	load_take(load, fold, n);
	for (int i = 0; i < load->taken_count; i++) {
		int place = load->taken[i];

		place_mean(load, topo, place, on_core, &cores);
		for (int core = place_next_core(load, topo, place, TMAP_NONE); core != TMAP_NONE;
		     core = place_next_core(load, topo, place, core))
			on_core[core] += (double)load->ranks[place] / cores;
	}
	for (int i = 0; i < load->taken_count; i++) {
		double mean = place_mean(load, topo, load->taken[i], on_core, &cores);

		of_place[load->taken[i]] = mean > 1 + 1e-9 ? mean - 1 : 0;
	}
	for (int pu = 0; pu < topo->pu_count; pu++)
		on_core[pu] = 0;
}

/* The nodes of a class have the same places taken, equally often. */
static int find_others(struct load *load, const struct tmap_node_fold *fold, double *others,
		       struct tmap_error *err)
{
	const int *place = load->p->place;
	double *on_core = tmap_alloc(most_pus(load->p->machine), sizeof *on_core, err);
	double *of_place = tmap_alloc((size_t)load->p->place_count, sizeof *of_place, err);

	for (int n = 0; on_core && of_place && n < load->p->machine->node_count; n++) {
		int like = fold->class_of[n] == TMAP_NONE ? n : fold->example[fold->class_of[n]];

		if (like == n)
			find_node_others(load, fold, n, on_core, of_place);
		else
			for (int i = fold->first[like]; i < fold->first[like + 1]; i++)
				of_place[place[fold->rank[i]]] = others[fold->rank[i]];
		for (int i = fold->first[n]; i < fold->first[n + 1]; i++)
			others[fold->rank[i]] = of_place[place[fold->rank[i]]];
	}
	free(on_core);
	free(of_place);
	return on_core && of_place ? 0 : -1;
}

double *tmap_overlap_others(const struct tmap_placement *p, struct tmap_error *err)
{
	double *others = tmap_alloc((size_t)p->size, sizeof *others, err);
	struct tmap_node_fold fold = { 0 };
	struct load load = { 0 };
	int status = -1;

	if (others && tmap_node_fold_init(&fold, p, err) == 0) {
		if (load_init(&load, p, err) == 0)
			status = find_others(&load, &fold, others, err);
		load_fini(&load);
	}
	tmap_node_fold_fini(&fold);
	if (status == 0)
		return others;
	free(others);
	return NULL;
}
