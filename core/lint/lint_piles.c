/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that OpenMP binds to the same cores, while other cores that they may run on are idle. */
#include "core/lint/lint_rules.h"
#include "core/lint/thread_places.h"

#include "core/base/mem.h"
#include "core/base/string.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* How the threads of a rank come to cores; those that can choose come last. */
enum kind {
	KIND_CORE,   /* OpenMP binds each to a core or a PU */
	KIND_OBJECT, /* some of them to more than a core */
	KIND_FREE,   /* nothing is known to bind them */
	KINDS
};

/* A rank's, as long as the next one has the same place and setting. */
struct layout {
	int place, setting;
	int threads; /* at least 1 */
	enum kind kind;
	struct tmap_thread_places places;
	int count; /* of the PUs that it may run on */
	int *pu;   /* [count]: logical */
};

/* The cores of the node at hand. */
struct piles {
	const struct tmap_inspection *it;
	struct layout layout;
	int *core_of; /* [PUs]: cores are called by their first PUs */
	int *pus;     /* [PUs]: of a core, those that the job may use */
	int *load;    /* [PUs]: threads on a core */
	int *owner;   /* [PUs]: a rank that has some of these */
	bool *shared; /* [PUs]: another one has some, too */
	bool *taken;  /* [PUs]: ranks outside of the communicator may be there */
	bool *mark;   /* [PUs]: free for use */
};

static void layout_fini(struct layout *layout)
{
	tmap_thread_places_fini(&layout->places);
	free(layout->pu);
	*layout = (struct layout){ .place = TMAP_NONE };
}

static void piles_fini(struct piles *piles)
{
	layout_fini(&piles->layout);
	free(piles->core_of);
	free(piles->pus);
	free(piles->load);
	free(piles->owner);
	free(piles->shared);
	free(piles->taken);
	free(piles->mark);
}

static int piles_init(struct piles *piles, const struct tmap_inspection *it, struct tmap_error *err)
{
	size_t most = 0;

	for (int c = 0; c < it->fold.class_count; c++) {
		int count =
			tmap_machine_topology(it->placement->machine, it->fold.example[c])->pu_count;

		most = (size_t)count > most ? (size_t)count : most;
	}
	*piles = (struct piles){ .it = it, .layout.place = TMAP_NONE };
	piles->core_of = tmap_alloc(most, sizeof *piles->core_of, err);
	piles->pus = tmap_alloc(most, sizeof *piles->pus, err);
	piles->load = tmap_alloc(most, sizeof *piles->load, err);
	piles->owner = tmap_alloc(most, sizeof *piles->owner, err);
	piles->shared = tmap_alloc(most, sizeof *piles->shared, err);
	piles->taken = tmap_alloc(most, sizeof *piles->taken, err);
	piles->mark = tmap_alloc(most, sizeof *piles->mark, err);
	return piles->core_of && piles->pus && piles->load && piles->owner && piles->shared &&
			piles->taken && piles->mark ?
		0 :
		-1;
}

static int setting_of(const struct tmap_placement *p, int rank)
{
	return p->setting ? p->setting[rank] : 0;
}

/* Threads that it is known to run; 0: none is. */
static int threads_of(const struct tmap_setting *setting)
{
	const char *dynamic = setting->variable[TMAP_OMP_DYNAMIC];

	if (dynamic && (strcasecmp(dynamic, "true") == 0 || strcmp(dynamic, "1") == 0))
		return 0;
	return tmap_setting_threads(setting, NULL);
}

static bool is_one_core(const struct piles *piles, int place)
{
	const struct tmap_thread_places *places = &piles->layout.places;

	for (int i = places->first[place]; i < places->end[place]; i++)
		if (piles->core_of[places->pu[i]] !=
		    piles->core_of[places->pu[places->first[place]]])
			return false;
	return true;
}

static int layout_find(struct piles *piles, int rank, struct tmap_error *err)
{
	const struct tmap_placement *p = piles->it->placement;
	const struct tmap_topology *topo = tmap_placement_topology(p, rank);
	const struct tmap_place *place = &p->places[p->place[rank]];
	const struct tmap_setting *setting = &p->settings[setting_of(p, rank)];
	struct layout *layout = &piles->layout;

	if (layout->place == p->place[rank] && layout->setting == setting_of(p, rank))
		return 0;
	layout_fini(layout);
	layout->pu = tmap_alloc((size_t)topo->pu_count, sizeof *layout->pu, err);
	if (!layout->pu ||
	    tmap_thread_places_init(&layout->places, setting, topo, &place->pus, err) < 0)
		return -1;
	for (int i = 0; i < topo->pu_count; i++)
		if (tmap_idset_contains(&place->pus, topo->pu[i].os))
			layout->pu[layout->count++] = i;
	layout->threads = threads_of(setting);
	/* more threads than PUs are another finding, many-threads */
	layout->kind = !layout->threads || layout->threads > layout->count ||
			!layout->places.count ?
		KIND_FREE :
		KIND_CORE;
	layout->threads = layout->threads ? layout->threads : 1;
	for (int t = 0; layout->kind == KIND_CORE && t < layout->threads; t++)
		if (!is_one_core(piles, tmap_thread_places_of(&layout->places, t, layout->threads)))
			layout->kind = KIND_OBJECT;
	layout->place = p->place[rank];
	layout->setting = setting_of(p, rank);
	return 0;
}

/* One thread of the rank more, on the core of these PUs that has fewest. */
static void cores_load(struct piles *piles, const int *pu, int count, int rank)
{
	int core = piles->core_of[pu[0]];

	for (int i = 1; i < count && piles->load[core] > 0; i++)
		if (piles->load[piles->core_of[pu[i]]] < piles->load[core])
			core = piles->core_of[pu[i]];
	if (piles->load[core]++ == 0)
		piles->owner[core] = rank;
	piles->shared[core] = piles->shared[core] || piles->owner[core] != rank;
}

static void layout_load(struct piles *piles, int rank)
{
	const struct layout *layout = &piles->layout;
	const struct tmap_thread_places *places = &layout->places;
	int threads = layout->threads;

	if (layout->kind == KIND_FREE) {
		/* no core gets idle by more of them */
		threads = threads > layout->count ? layout->count : threads;
		for (int t = 0; t < threads; t++)
			cores_load(piles, layout->pu, layout->count, rank);
		return;
	}
	for (int t = 0; t < threads; t++) {
		int place = tmap_thread_places_of(places, t, threads);

		cores_load(piles, places->pu + places->first[place],
			   places->end[place] - places->first[place], rank);
	}
}

/* Which cores the node has, without threads. */
static void node_begin(struct piles *piles, int node)
{
	const struct tmap_placement *p = piles->it->placement;
	const struct tmap_topology *topo = tmap_machine_topology(p->machine, node);
	const struct tmap_place *others =
		p->others && p->others[node] != TMAP_NONE ? &p->places[p->others[node]] : NULL;

	for (int i = 0; i < topo->pu_count; i++) {
		int core = tmap_topology_ancestor(topo, topo->pu[i].object, TMAP_CORE);
		int first = core == TMAP_NONE ? i : topo->object[core].first_pu;

		piles->core_of[i] = first;
		piles->pus[i] = piles->load[i] = 0;
		piles->shared[i] = piles->taken[i] = piles->mark[i] = false;
		piles->pus[first] += topo->pu[i].allowed;
		piles->taken[first] = piles->taken[first] ||
			(others && tmap_idset_contains(&others->pus, topo->pu[i].os));
	}
}

/* All its ranks' threads; O(threads x PUs) where they can choose, else O(threads + ranks x PUs). */
static int node_load(struct piles *piles, int node, struct tmap_error *err)
{
	const struct tmap_node_fold *fold = &piles->it->fold;

	node_begin(piles, node);
	layout_fini(&piles->layout); /* of another topology, perhaps */
	for (int kind = 0; kind < KINDS; kind++)
		for (int i = fold->first[node]; i < fold->first[node + 1]; i++) {
			if (layout_find(piles, fold->rank[i], err) < 0)
				return -1;
			if (piles->layout.kind == (enum kind)kind)
				layout_load(piles, fold->rank[i]);
		}
	return 0;
}

/* Cores that the rank of the layout may run on and that no thread is on. */
static int count_idle(const struct piles *piles)
{
	int idle = 0, last = TMAP_NONE;

	for (int i = 0; i < piles->layout.count; i++) {
		int core = piles->core_of[piles->layout.pu[i]];

		idle += core != last && !piles->load[core] && !piles->taken[core];
		last = core;
	}
	return idle;
}

/* More threads than PUs are many-threads, wherever they are put. */
static bool has_many_threads(const struct piles *piles)
{
	int64_t threads = 0;
	int last = TMAP_NONE;

	for (int i = 0; i < piles->layout.count; i++) {
		int core = piles->core_of[piles->layout.pu[i]];

		threads += core == last ? 0 : piles->load[core];
		last = core;
	}
	return threads > piles->layout.count;
}

/* How bad it is where the threads of the rank of the layout are put. */
enum {
	PILE_NONE,
	PILE_SIBLINGS, /* they share cores with those of other ranks */
	PILE_TURNS,    /* and are more than the PUs */
};

static unsigned char place_pile(const struct piles *piles, int place)
{
	const struct tmap_thread_places *places = &piles->layout.places;
	unsigned char pile = PILE_TURNS;

	for (int i = places->first[place]; i < places->end[place] && pile; i++) {
		int core = piles->core_of[places->pu[i]], load = piles->load[core];

		if (load < 2 || (!piles->shared[core] && load <= piles->pus[core]))
			pile = PILE_NONE;
		else if (load <= piles->pus[core])
			pile = PILE_SIBLINGS;
	}
	return pile;
}

static unsigned char layout_pile(const struct piles *piles)
{
	const struct layout *layout = &piles->layout;
	unsigned char worst = PILE_NONE;

	if (layout->kind == KIND_FREE || !count_idle(piles) || has_many_threads(piles))
		return PILE_NONE;
	for (int t = 0; t < layout->threads; t++) {
		unsigned char pile = place_pile(
			piles, tmap_thread_places_of(&layout->places, t, layout->threads));

		worst = pile > worst ? pile : worst;
	}
	return worst;
}

/* Were the ranks of the node started as those of the last one, in the same places? Where all were
 * started as one thing it is enough that the nodes are of one class. */
static bool is_like(const struct tmap_inspection *it, int node, int last)
{
	const struct tmap_placement *p = it->placement;
	const int *a = it->fold.rank + it->fold.first[node];
	const int *b = last == TMAP_NONE ? NULL : it->fold.rank + it->fold.first[last];

	if (!b || it->fold.class_of[node] != it->fold.class_of[last])
		return false;
	for (int i = 0; p->setting && i < it->fold.first[node + 1] - it->fold.first[node]; i++)
		if (p->setting[a[i]] != p->setting[b[i]] || p->place[a[i]] != p->place[b[i]])
			return false;
	return true;
}

/* The ranks of a node like the last one. */
static void node_copy(const struct tmap_inspection *it, unsigned char *pile,
		      unsigned char *of_place, int node, int last)
{
	const struct tmap_placement *p = it->placement;
	const struct tmap_node_fold *fold = &it->fold;

	for (int i = 0; i < fold->first[node + 1] - fold->first[node]; i++) {
		int rank = fold->rank[fold->first[node] + i];

		pile[rank] = p->setting ? pile[fold->rank[fold->first[last] + i]] :
					  of_place[p->place[rank]];
	}
}

static bool binds_any(const struct tmap_placement *p)
{
	for (int i = 0; i < p->setting_count; i++)
		if (tmap_setting_binds_threads(&p->settings[i]) && threads_of(&p->settings[i]))
			return true;
	return false;
}

/* [size]: enum PILE of each rank. */
static unsigned char *ranks_pile(struct piles *piles, const struct tmap_inspection *it,
				 struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	unsigned char *pile = tmap_alloc((size_t)p->size, sizeof *pile, err);
	unsigned char *of_place = tmap_alloc((size_t)p->place_count, sizeof *of_place, err);
	int status = pile && of_place ? 0 : -1, last = TMAP_NONE;

	for (int n = 0; n < p->machine->node_count && status == 0 && binds_any(p); n++) {
		if (it->fold.class_of[n] == TMAP_NONE)
			continue;
		if (is_like(it, n, last)) {
			node_copy(it, pile, of_place, n, last);
			continue;
		}
		last = n;
		status = node_load(piles, n, err);
		for (int i = it->fold.first[n]; i < it->fold.first[n + 1] && status == 0; i++) {
			int rank = it->fold.rank[i];

			status = layout_find(piles, rank, err);
			if (status == 0)
				of_place[p->place[rank]] = pile[rank] = layout_pile(piles);
		}
	}
	free(of_place);
	if (status == 0)
		return pile;
	free(pile);
	return NULL;
}

double tmap_lint_pile_steps(const struct tmap_inspection *it)
{
	const struct tmap_placement *p = it->placement;
	double steps = p->size;
	int last = TMAP_NONE;

	for (int n = 0; n < p->machine->node_count && binds_any(p); n++) {
		double pus;

		if (it->fold.class_of[n] == TMAP_NONE || is_like(it, n, last))
			continue;
		last = n;
		pus = tmap_machine_topology(p->machine, n)->pu_count;
		for (int i = it->fold.first[n]; i < it->fold.first[n + 1]; i++) {
			int rank = it->fold.rank[i];
			double threads = threads_of(&p->settings[setting_of(p, rank)]);
			double most = (double)tmap_idset_size(&p->places[p->place[rank]].pus);

			threads = threads < 1 ? 1 : threads;
			steps += pus + most * (threads < most ? threads : most);
		}
	}
	return steps;
}

bool *tmap_lint_find_piled(const struct tmap_inspection *it, struct tmap_error *err)
{
	size_t size = (size_t)it->placement->size;
	bool *piled = tmap_alloc(size, sizeof *piled, err);
	struct piles piles = { 0 };
	unsigned char *pile = NULL;

	if (!piled || tmap_lint_pile_steps(it) > TMAP_LINT_STEPS)
		return piled;
	if (piles_init(&piles, it, err) == 0)
		pile = ranks_pile(&piles, it, err);
	for (size_t r = 0; pile && r < size; r++)
		piled[r] = pile[r] != PILE_NONE;
	if (!pile) {
		free(piled);
		piled = NULL;
	}
	free(pile);
	piles_fini(&piles);
	return piled;
}

/* What the sentence says of the first rank's node. */
struct example {
	int rank;
	int cores;     /* that its threads share */
	int ranks;     /* with threads on these */
	int all;       /* ranks of the node with such threads */
	int idle;      /* cores that it may run on */
	bool alone;    /* all of these ranks run one thread */
	bool siblings; /* its cores have several PUs */
};

/* Mark the cores of the layout that are shared, or count whether there is one that is marked. */
static bool layout_mark(struct piles *piles, bool is_first, int *cores)
{
	const struct tmap_thread_places *places = &piles->layout.places;
	bool is_marked = false;

	for (int t = 0; t < piles->layout.threads; t++) {
		int place = tmap_thread_places_of(places, t, piles->layout.threads);

		for (int i = places->first[place]; i < places->end[place]; i++) {
			int core = piles->core_of[places->pu[i]];

			if (is_first && piles->load[core] > 1 && !piles->mark[core]) {
				piles->mark[core] = true;
				++*cores;
			}
			is_marked = is_marked || piles->mark[core];
		}
	}
	return is_marked;
}

static int example_find(struct example *example, struct piles *piles, const unsigned char *pile,
			struct tmap_error *err)
{
	const struct tmap_inspection *it = piles->it;
	int node = it->placement->node[example->rank];

	if (node_load(piles, node, err) < 0 || layout_find(piles, example->rank, err) < 0)
		return -1;
	example->idle = count_idle(piles);
	example->alone = true;
	layout_mark(piles, true, &example->cores);
	for (int i = 0; i < piles->layout.count; i++)
		example->siblings |= piles->pus[piles->core_of[piles->layout.pu[i]]] > 1;
	for (int i = it->fold.first[node]; i < it->fold.first[node + 1]; i++) {
		int rank = it->fold.rank[i];

		if (!pile[rank])
			continue;
		if (layout_find(piles, rank, err) < 0)
			return -1;
		example->all++;
		example->ranks += layout_mark(piles, false, NULL);
		example->alone = example->alone && piles->layout.threads == 1;
	}
	return layout_find(piles, example->rank, err);
}

enum { VALUE_MAX = 40 };

/* "OMP_PLACES=cores, OMP_PROC_BIND=close" */
static int add_variables(struct tmap_str *str, const struct tmap_setting *setting,
			 enum tmap_variable decides, struct tmap_error *err)
{
	const enum tmap_variable names[] = { decides, TMAP_OMP_PROC_BIND };
	bool is_omp = decides == TMAP_OMP_PLACES;

	for (int i = 0; i < 1 + is_omp; i++) {
		char *value = setting->variable[names[i]] ?
			tmap_setting_text(setting->variable[names[i]], VALUE_MAX, err) :
			NULL;

		if (!value && setting->variable[names[i]])
			return -1;
		if (value)
			tmap_str_addf(str, "%s%s=%s%s", i ? ", " : "",
				      tmap_variables[names[i]].name, value,
				      strlen(setting->variable[names[i]]) > VALUE_MAX ? "..." : "");
		free(value);
	}
	return 0;
}

static const char *cause_of(const struct tmap_thread_places *places, bool is_own)
{
	if (is_own)
		return "all threads of a rank are where its first one is";
	if (places->is_list)
		return "the same list for all ranks of a node";
	if (places->is_foreign)
		return "with norespect each rank counts from the first core of its node";
	if (places->policy == TMAP_THREAD_SPREAD)
		return "each rank distributes them over the same cores";
	return "each rank counts from the first core that it may run on";
}

/* "the threads of 4 ranks are put on the same 12 cores, while 36 are idle (OMP_PLACES=cores: ...)" */
static char *example_print(const struct example *example, const struct piles *piles,
			   struct tmap_error *err)
{
	const struct tmap_placement *p = piles->it->placement;
	const struct tmap_thread_places *places = &piles->layout.places;
	struct tmap_str str = TMAP_STR_INIT;
	bool is_own = example->ranks == 1;

	if (is_own)
		tmap_str_addf(&str, "the %d threads of a rank are put on", piles->layout.threads);
	else if (example->alone)
		tmap_str_addf(&str, "%s%d ranks are put, if they use OpenMP, on",
			      example->all > example->ranks ? "every " : "", example->ranks);
	else
		tmap_str_addf(&str, "the threads of %s%d ranks are put on",
			      example->all > example->ranks ? "every " : "", example->ranks);
	if (example->cores == 1)
		tmap_str_add(&str, " the same core");
	else
		tmap_str_addf(&str, " the same %d cores%s", example->cores,
			      places->variable == TMAP_OMP_PROC_BIND ? " or fewer" : "");
	tmap_str_addf(&str, ", while %d %s idle (", example->idle,
		      example->idle == 1 ? "is" : "are");
	if (add_variables(&str, &p->settings[setting_of(p, example->rank)], places->variable, err) <
	    0) {
		tmap_str_fini(&str);
		return NULL;
	}
	tmap_str_addf(&str, ": %s)", cause_of(places, is_own));
	return tmap_str_take(&str, err);
}

/* What of the environment would put them on siblings, or on the same cores, again. */
static const char *setting_fix(const struct tmap_thread_places *places, bool siblings)
{
	bool is_kmp = places->variable == TMAP_KMP_AFFINITY;

	if (places->policy == TMAP_THREAD_PRIMARY)
		return "set OMP_PROC_BIND=close";
	if (is_kmp && places->is_foreign)
		return "leave norespect out of KMP_AFFINITY";
	if (places->variable == TMAP_GOMP_CPU_AFFINITY)
		return "set OMP_PLACES=cores instead of GOMP_CPU_AFFINITY";
	if (!places->is_list && !(places->is_packed && siblings))
		return NULL;
	return is_kmp ? "set KMP_AFFINITY=granularity=fine,compact,1,0" : "set OMP_PLACES=cores";
}

static char *example_fix(const struct tmap_finding *finding, const struct example *example,
			 const struct piles *piles, struct tmap_error *err)
{
	const char *also = setting_fix(&piles->layout.places, example->siblings);
	char *bind, *fix;

	if (example->ranks == 1 && also)
		return tmap_strdup(also, err);
	if (example->alone)
		bind = tmap_lint_cores_fix(finding, piles->it,
					   "bind each rank to a core of its own", 1, false, err);
	else
		bind = tmap_lint_threads_fix(
			finding, piles->it,
			"bind each rank to as many cores of its own as it has threads",
			finding->rule->fix, err);
	if (!bind || !also)
		return bind;
	fix = tmap_format(err, "%s, and %s", bind, also);
	free(bind);
	return fix;
}

/* The ranks, and what is said of the first. */
static enum tmap_lint_answer found_piles(struct tmap_finding *finding, struct piles *piles,
					 const unsigned char *pile, struct tmap_error *err)
{
	const struct tmap_inspection *it = piles->it;
	struct example example = { .rank = TMAP_NONE };
	unsigned char worst = PILE_NONE;

	for (int r = 0; r < it->placement->size; r++) {
		if (!pile[r])
			continue;
		example.rank = example.rank == TMAP_NONE ? r : example.rank;
		worst = pile[r] > worst ? pile[r] : worst;
		if (tmap_idset_add(&finding->ranks, r, err) < 0)
			return TMAP_LINT_FAILED;
	}
	if (example.rank == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	if (example_find(&example, piles, pile, err) < 0)
		return TMAP_LINT_FAILED;
	/* as ranks that share the hardware threads of a core */
	if (worst == PILE_SIBLINGS)
		finding->severity = TMAP_SEVERITY_WARNING;
	tmap_lint_figure(finding, "ranks", example.ranks);
	tmap_lint_figure(finding, "cores", example.cores);
	tmap_lint_figure(finding, "idle_cores", example.idle);
	finding->fix = example_fix(finding, &example, piles, err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	return tmap_lint_found_take(finding, example_print(&example, piles, err), err);
}

enum tmap_lint_answer tmap_lint_piled_threads(struct tmap_finding *finding,
					      const struct tmap_inspection *it,
					      struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	enum tmap_lint_answer answer = TMAP_LINT_FAILED;
	bool is_known = false;
	struct piles piles = { 0 };
	unsigned char *pile = NULL;

	for (int i = 0; i < p->setting_count; i++)
		is_known = is_known || tmap_setting_threads(&p->settings[i], NULL);
	if (!is_known)
		return tmap_lint_skipped_take(
			finding,
			tmap_strdup("the placement does not say how many threads ranks run", err));
	if (piles_init(&piles, it, err) == 0)
		pile = ranks_pile(&piles, it, err);
	if (pile)
		answer = found_piles(finding, &piles, pile, err);
	free(pile);
	piles_fini(&piles);
	return answer;
}
