/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"
#include "core/lint/overlaps.h"
#include "core/lint/thread_places.h"

#include "core/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a place offers to the threads of a rank. */
struct room {
	int pus, cores, l3s, numas;
};

/* Of a placement with settings, the room of each place and the threads of each setting. */
struct threads {
	struct room *room; /* [place_count] */
	int *threads;      /* [setting_count]; 0: unknown */
	const char **why;  /* [setting_count] */
};

static void threads_fini(struct threads *it)
{
	free(it->room);
	free(it->threads);
	free(it->why);
}

/* The objects of a type that hold PUs of the place. */
static int objects_of(const struct tmap_topology *topo, const struct tmap_place *place,
		      enum tmap_type type)
{
	int last = TMAP_NONE, count = 0;

	for (int pu = 0; pu < topo->pu_count; pu++) {
		int object;

		if (!tmap_idset_contains(&place->pus, topo->pu[pu].os))
			continue;
		object = tmap_topology_ancestor(topo, topo->pu[pu].object, type);
		count += object != TMAP_NONE && object != last;
		last = object == TMAP_NONE ? last : object;
	}
	return count;
}

static int threads_init(struct threads *it, const struct tmap_placement *p, struct tmap_error *err)
{
	it->room = tmap_alloc((size_t)p->place_count, sizeof *it->room, err);
	it->threads = tmap_alloc((size_t)p->setting_count, sizeof *it->threads, err);
	it->why = tmap_alloc((size_t)p->setting_count, sizeof *it->why, err);
	if (!it->room || !it->threads || !it->why)
		return -1;
	for (int i = 0; i < p->place_count; i++) {
		const struct tmap_place *place = &p->places[i];
		const struct tmap_topology *topo = &p->machine->topology[place->topology];
		int pus = (int)tmap_idset_size(&place->pus);
		int cores = objects_of(topo, place, TMAP_CORE);

		it->room[i] = (struct room){ .pus = pus,
					     .cores = cores ? cores : pus,
					     .l3s = objects_of(topo, place, TMAP_L3),
					     .numas = objects_of(topo, place, TMAP_NUMA) };
	}
	for (int i = 0; i < p->setting_count; i++)
		it->threads[i] = tmap_setting_threads(&p->settings[i], &it->why[i]);
	return 0;
}

static int setting_of(const struct tmap_placement *p, int rank)
{
	return p->setting ? p->setting[rank] : 0;
}

static bool threads_are_known(const struct threads *it, const struct tmap_placement *p)
{
	for (int i = 0; i < p->setting_count; i++)
		if (it->threads[i])
			return true;
	return false;
}

/* OpenMP may take fewer than it was asked for. */
static bool is_dynamic(const struct tmap_setting *setting)
{
	const char *value = setting->variable[TMAP_OMP_DYNAMIC];

	return value && (strcasecmp(value, "true") == 0 || strcmp(value, "1") == 0);
}

static enum tmap_lint_answer skip_unknown(struct tmap_finding *finding, struct tmap_error *err)
{
	return tmap_lint_skipped_take(
		finding, tmap_strdup("the placement does not say how many threads ranks run", err));
}

/* FOUND: "8 threads on 2 PUs<of what> (OMP_NUM_THREADS of rank 4)<and what>". */
static enum tmap_lint_answer found_threads(struct tmap_finding *finding, const struct threads *it,
					   const struct tmap_placement *p, int example,
					   const char *of, const char *and, struct tmap_error *err)
{
	int setting = setting_of(p, example), threads = it->threads[setting];
	int pus = it->room[p->place[example]].pus;
	const char *why = it->why[setting];

	tmap_lint_figure(finding, "threads", threads);
	tmap_lint_figure(finding, "pus", pus);
	return tmap_lint_found_take(finding,
				    tmap_format(err, "%d thread%s on %d PU%s%s (%s%srank %d)%s",
						threads, threads == 1 ? "" : "s", pus,
						pus == 1 ? "" : "s", of, why ? why : "",
						why ? " of " : "", example, and),
				    err);
}

/* What ranks of one node bring to a place: those on it, and those on parts of it. */
struct load {
	int64_t own;     /* threads of the ranks on it */
	int64_t threads; /* and on parts of it */
	int ranks;       /* that run these */
	int own_ranks;
	struct tmap_overlap_group group; /* that overlaps in part */
};

/* A place of the node at hand, and the PU that it begins with. */
struct begin {
	int pu, place;
};

/* The loads of the places of the node at hand, and the first rank that has too many beside it. */
struct loads {
	struct load *load;   /* [place_count]; zeros but for those listed */
	struct begin *begin; /* [place_count]: those listed, by their first PUs once all are */
	int count;
	int example;
	struct load of_example;
};

static int loads_init(struct loads *loads, const struct tmap_placement *p, struct tmap_error *err)
{
	*loads = (struct loads){ .example = TMAP_NONE };
	loads->load = tmap_alloc((size_t)p->place_count, sizeof *loads->load, err);
	loads->begin = tmap_alloc((size_t)p->place_count, sizeof *loads->begin, err);
	return loads->load && loads->begin ? 0 : -1;
}

static void loads_fini(struct loads *loads)
{
	free(loads->load);
	free(loads->begin);
}

static void loads_clear(struct loads *loads)
{
	for (int i = 0; i < loads->count; i++)
		loads->load[loads->begin[i].place] = (struct load){ 0 };
	loads->count = 0;
}

/* Threads that a rank is sure to run; 0: unknown. */
static int sure_threads(const struct threads *it, const struct tmap_placement *p, int rank)
{
	int setting = setting_of(p, rank);

	return is_dynamic(&p->settings[setting]) ? 0 : it->threads[setting];
}

/* May threads of the one place run on PUs of the other only? Both are of one node. */
static bool is_part(const struct tmap_placement *p, int part, int whole)
{
	const struct tmap_place *a = &p->places[part], *b = &p->places[whole];

	return part != whole && tmap_idset_is_subset(&a->pus, &b->pus);
}

static int begins_compare(const void *a, const void *b)
{
	const struct begin *x = a, *y = b;

	return x->pu != y->pu ? (x->pu > y->pu) - (x->pu < y->pu) :
				(x->place > y->place) - (x->place < y->place);
}

/* The first place listed that begins with this PU or a later one. */
static int begins_find(const struct loads *loads, int pu)
{
	int low = 0, high = loads->count;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (loads->begin[middle].pu < pu)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Of each place its own. */
static void loads_list(struct loads *loads, const struct threads *it,
		       const struct tmap_inspection *inspection, int node)
{
	const struct tmap_placement *p = inspection->placement;
	const struct tmap_node_fold *fold = &inspection->fold;

	for (int i = fold->first[node]; i < fold->first[node + 1]; i++) {
		int threads = sure_threads(it, p, fold->rank[i]), place = p->place[fold->rank[i]];
		struct load *load = &loads->load[place];

		if (!threads)
			continue;
		if (!load->own_ranks)
			loads->begin[loads->count++] =
				(struct begin){ tmap_idset_next(&p->places[place].pus, TMAP_NONE),
						place };
		load->own += threads;
		load->own_ranks++;
	}
	qsort(loads->begin, (size_t)loads->count, sizeof *loads->begin, begins_compare);
}

/* A part begins within the whole: O(its ranks + places log places + such pairs). */
static void loads_count(struct loads *loads, const struct threads *it,
			const struct tmap_inspection *inspection, int node)
{
	const struct tmap_placement *p = inspection->placement;

	loads_list(loads, it, inspection, node);
	for (int i = 0; i < loads->count; i++) {
		int whole = loads->begin[i].place;
		const struct tmap_idset *pus = &p->places[whole].pus;
		struct load *load = &loads->load[whole];

		load->threads = load->own;
		load->ranks = load->own_ranks;
		for (int r = 0; r < pus->count; r++)
			for (int j = begins_find(loads, pus->range[r].first);
			     j < loads->count && loads->begin[j].pu <= pus->range[r].last; j++) {
				int part = loads->begin[j].place;

				if (!is_part(p, part, whole))
					continue;
				load->threads += loads->load[part].own;
				load->ranks += loads->load[part].own_ranks;
			}
	}
}

/* Of the places that are listed: those that overlap in part, with too few PUs together. */
static int loads_group(struct loads *loads, const struct tmap_placement *p, struct tmap_error *err)
{
	size_t count = (size_t)loads->count;
	struct tmap_overlap_set *sets = tmap_alloc(count, sizeof *sets, err);
	struct tmap_overlap_group *group = tmap_alloc(count, sizeof *group, err);
	int status = -1;

	if (sets && group) {
		for (int i = 0; i < loads->count; i++) {
			const struct load *load = &loads->load[loads->begin[i].place];

			sets[i] = (struct tmap_overlap_set){ &p->places[loads->begin[i].place].pus,
							     load->own, load->own_ranks };
		}
		status = tmap_overlaps_find(group, sets, loads->count, err);
	}
	for (int i = 0; i < loads->count && status == 0; i++)
		loads->load[loads->begin[i].place].group = group[i];
	free(sets);
	free(group);
	return status;
}

/* Ranks that are more than their PUs are other findings: those of a thread each, and unbound ones. */
static bool is_overload(const struct threads *it, int place, const struct load *load)
{
	return load->threads > it->room[place].pus && load->threads > load->ranks;
}

/* Add to the finding the ranks of a node that run on fewer PUs than threads do there. */
static int loads_collect(struct loads *loads, struct tmap_finding *finding,
			 const struct threads *it, const struct tmap_inspection *inspection,
			 int node, struct tmap_error *err)
{
	const struct tmap_placement *p = inspection->placement;
	const struct tmap_node_fold *fold = &inspection->fold;

	for (int i = fold->first[node]; i < fold->first[node + 1]; i++) {
		int rank = fold->rank[i], place = p->place[rank];

		if (!sure_threads(it, p, rank) ||
		    (!is_overload(it, place, &loads->load[place]) && !loads->load[place].group.pus))
			continue;
		if (inspection->crowds[fold->class_of[node]] & TMAP_CROWD_PUS &&
		    !p->places[place].bound)
			continue;
		if (loads->example == TMAP_NONE || rank < loads->example) {
			loads->example = rank;
			loads->of_example = loads->load[place];
		}
		if (tmap_idset_add(&finding->ranks, rank, err) < 0)
			return -1;
	}
	return 0;
}

/* All nodes, each as loads_count(). */
static int loads_find(struct loads *loads, struct tmap_finding *finding, const struct threads *it,
		      const struct tmap_inspection *inspection, struct tmap_error *err)
{
	const struct tmap_placement *p = inspection->placement;
	int status = 0, counted = TMAP_NONE;

	for (int n = 0; n < p->machine->node_count && status == 0; n++) {
		int class = inspection->fold.class_of[n];

		if (class == TMAP_NONE)
			continue;
		/* where all were started as one thing, like nodes in a row have like loads */
		if (p->setting || class != counted) {
			loads_clear(loads);
			loads_count(loads, it, inspection, n);
			status = loads_group(loads, p, err);
			counted = class;
		}
		if (status == 0)
			status = loads_collect(loads, finding, it, inspection, n, err);
	}
	return status;
}

/* "16 threads of 4 ranks on 4 PUs", "48 threads of unbound ranks for 24 PUs on n0", "20 threads, 6
 * of unbound ranks, for 16 PUs on n0". */
static char *print_load(struct tmap_finding *finding, const struct tmap_placement *p, int example,
			const struct load *load, int pus, struct tmap_error *err)
{
	const char *s = pus == 1 ? "" : "s";
	char *where, *what = NULL;

	if (p->places[p->place[example]].bound)
		return tmap_format(err, "%lld threads of %d ranks on %d PU%s",
				   (long long)load->threads, load->ranks, pus, s);
	where = tmap_lint_where(finding, p->node[example], false, err);
	if (where && load->own == load->threads)
		what = tmap_format(err, "%lld threads of unbound ranks for %d PU%s on %s",
				   (long long)load->threads, pus, s, where);
	else if (where)
		what = tmap_format(err, "%lld threads, %lld of unbound ranks, for %d PU%s on %s",
				   (long long)load->threads, (long long)load->own, pus, s, where);
	free(where);
	return what;
}

/* FOUND: that, and "(OMP_NUM_THREADS of rank 0)". */
static enum tmap_lint_answer found_load(struct tmap_finding *finding, const struct threads *it,
					const struct tmap_placement *p, const struct loads *loads,
					struct tmap_error *err)
{
	int example = loads->example, pus = it->room[p->place[example]].pus;
	const struct load *load = &loads->of_example;
	const char *why = it->why[setting_of(p, example)];
	bool is_group = !is_overload(it, p->place[example], load);
	char *text, *what = NULL;

	if (!is_group && p->places[p->place[example]].bound && load->ranks == 1)
		return found_threads(finding, it, p, example, "", "", err);
	tmap_lint_figure(finding, "threads",
			 (double)(is_group ? load->group.threads : load->threads));
	tmap_lint_figure(finding, "pus", is_group ? load->group.pus : pus);
	text = is_group ?
		tmap_format(err,
			    "%lld threads of %d ranks whose sets of PUs overlap, %d PUs in "
			    "all",
			    (long long)load->group.threads, load->group.ranks, load->group.pus) :
		print_load(finding, p, example, load, pus, err);
	if (text)
		what = tmap_format(err, "%s (%s%srank %d)", text, why ? why : "", why ? " of " : "",
				   example);
	free(text);
	return tmap_lint_found_take(finding, what, err);
}

int tmap_lint_has_many_threads(const struct tmap_inspection *it, bool *has, struct tmap_error *err)
{
	struct tmap_finding finding = { 0 };
	struct threads threads = { 0 };
	struct loads loads = { 0 };
	int status = 0;

	*has = false;
	if (tmap_lint_place_steps(it) > TMAP_LINT_STEPS)
		return 0;
	status = threads_init(&threads, it->placement, err);
	if (status == 0 && threads_are_known(&threads, it->placement)) {
		status = loads_init(&loads, it->placement, err);
		if (status == 0)
			status = loads_find(&loads, &finding, &threads, it, err);
		*has = status == 0 && loads.example != TMAP_NONE;
	}
	tmap_idset_fini(&finding.ranks);
	loads_fini(&loads);
	threads_fini(&threads);
	return status;
}

enum tmap_lint_answer tmap_lint_many_threads(struct tmap_finding *finding,
					     const struct tmap_inspection *inspection,
					     struct tmap_error *err)
{
	const struct tmap_placement *p = inspection->placement;
	enum tmap_lint_answer answer = TMAP_LINT_FAILED;
	struct loads loads = { .example = TMAP_NONE };
	struct threads it = { 0 };
	int status;

	status = threads_init(&it, p, err);
	if (status == 0 && !threads_are_known(&it, p)) {
		threads_fini(&it);
		return skip_unknown(finding, err);
	}
	if (status == 0)
		status = loads_init(&loads, p, err);
	if (status == 0)
		status = loads_find(&loads, finding, &it, inspection, err);
	if (status == 0 && loads.example == TMAP_NONE) {
		answer = TMAP_LINT_NOTHING;
	} else if (status == 0) {
		finding->fix = tmap_lint_threads_fix(
			finding, inspection,
			loads.of_example.ranks > 1 || loads.of_example.group.ranks > 1 ?
				"bind each rank to as many cores of its own as it has threads" :
				"bind each rank to as many cores as it has threads",
			finding->rule->fix, err);
		if (finding->fix)
			answer = found_load(finding, &it, p, &loads, err);
	}
	loads_fini(&loads);
	threads_fini(&it);
	return answer;
}

/* Are threads of the rank on siblings, as it has fewer cores? */
static bool lacks_cores(const struct tmap_placement *p, const struct threads *it, int rank)
{
	const struct room *room = &it->room[p->place[rank]];
	int threads = it->threads[setting_of(p, rank)];

	return p->places[p->place[rank]].bound && threads > room->cores && threads <= room->pus;
}

/* [class_count]: the idle cores of such nodes that have one for each thread on a sibling, else 0. */
static int *count_spare(const struct tmap_inspection *it, const struct threads *threads,
			struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int *spare = tmap_alloc((size_t)it->fold.class_count, sizeof *spare, err);

	for (int c = 0; spare && c < it->fold.class_count; c++) {
		int node = it->fold.example[c];
		int64_t wanted = 0;

		for (int i = it->fold.first[node]; i < it->fold.first[node + 1]; i++) {
			int rank = it->fold.rank[i];

			if (lacks_cores(p, threads, rank))
				wanted += threads->threads[setting_of(p, rank)] -
					threads->room[p->place[rank]].cores;
		}
		spare[c] = wanted ? tmap_lint_spare_cores(it, node, err) : 0;
		if (spare[c] == TMAP_NONE) {
			free(spare);
			return NULL;
		}
		spare[c] = spare[c] < wanted ? 0 : spare[c];
	}
	return spare;
}

/* FOUND: "2 threads on 2 PUs of 1 core (OMP_NUM_THREADS of rank 0), while 6 cores are idle on n0". */
static enum tmap_lint_answer found_siblings(struct tmap_finding *finding, const struct threads *it,
					    const struct tmap_placement *p, int example, int idle,
					    const char *where, struct tmap_error *err)
{
	int cores = it->room[p->place[example]].cores;
	char *of = tmap_format(err, " of %d core%s", cores, cores == 1 ? "" : "s");
	char *and = of ? tmap_format(err, ", while %d core%s idle on %s", idle,
				     idle == 1 ? " is" : "s are", where) :
			 NULL;
	enum tmap_lint_answer answer = and? found_threads(finding, it, p, example, of, and, err) :
					    TMAP_LINT_FAILED;

	free(of);
	free(and);
	return answer;
}

/* The cores that so many threads take which are bound to one hardware thread after the other; as many as
 * they are where they are not. */
static int packed_cores(const struct tmap_setting *setting, const struct room *room, int threads)
{
	int each = room->cores ? room->pus / room->cores : 1, most;

	if (tmap_thread_packing(setting, &most) == TMAP_VARIABLE_COUNT)
		return threads;
	each = most < each ? most : each;
	return each ? (threads + each - 1) / each : threads;
}

/* Do the threads leave some of the rank's own cores idle, as siblings? */
static bool leaves_own(const struct tmap_placement *p, const struct room *room, int rank,
		       int threads)
{
	return threads > 1 && threads <= room->cores &&
		packed_cores(&p->settings[setting_of(p, rank)], room, threads) < threads;
}

/* FOUND: "4 threads on 8 PUs of 4 cores (OMP_NUM_THREADS of rank 0), of which they take 2, as OMP_PLACES
 * is threads". */
static enum tmap_lint_answer found_packed(struct tmap_finding *finding, const struct threads *it,
					  const struct tmap_placement *p, int example,
					  struct tmap_error *err)
{
	const struct room *room = &it->room[p->place[example]];
	const struct tmap_setting *setting = &p->settings[setting_of(p, example)];
	int taken = packed_cores(setting, room, it->threads[setting_of(p, example)]), each;
	bool is_kmp = tmap_thread_packing(setting, &each) == TMAP_KMP_AFFINITY;
	char *of = tmap_format(err, " of %d cores", room->cores);
	char *and = of ? tmap_format(err, ", of which they take %d, as %s", taken,
				     is_kmp ? "KMP_AFFINITY packs them" : "OMP_PLACES is threads") :
			 NULL;
	enum tmap_lint_answer answer = TMAP_LINT_FAILED;

	tmap_lint_figure(finding, "idle_cores", room->cores - taken);
	if (and)
		answer = found_threads(finding, it, p, example, of, and, err);
	free(of);
	free(and);
	return answer;
}

/* What is advised, and what the threads are to be bound to where they would be siblings again. */
static char *siblings_fix(struct tmap_finding *finding, const struct tmap_inspection *it,
			  const struct threads *threads, int example, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int setting = setting_of(p, example), each;
	enum tmap_variable packing = tmap_thread_packing(&p->settings[setting], &each);
	char *fix, *both;

	if (leaves_own(p, &threads->room[p->place[example]], example, threads->threads[setting]))
		return tmap_format(err, "set %s", tmap_thread_unpack(packing));
	fix = tmap_lint_threads_fix(finding, it,
				    "bind each rank to as many cores as it has threads",
				    finding->rule->fix, err);
	if (!fix || packing == TMAP_VARIABLE_COUNT)
		return fix;
	both = tmap_format(err, "%s, and set %s", fix, tmap_thread_unpack(packing));
	free(fix);
	return both;
}

enum tmap_lint_answer tmap_lint_sibling_threads(struct tmap_finding *finding,
						const struct tmap_inspection *inspection,
						struct tmap_error *err)
{
	const struct tmap_placement *p = inspection->placement;
	enum tmap_lint_answer answer = TMAP_LINT_FAILED;
	bool *piled = tmap_lint_find_piled(inspection, err);
	int *idle = NULL, example = TMAP_NONE, status;
	struct threads it = { 0 };
	char *where;

	status = piled ? threads_init(&it, p, err) : -1;
	if (status == 0 && !threads_are_known(&it, p))
		answer = skip_unknown(finding, err);
	else if (status == 0)
		idle = count_spare(inspection, &it, err);
	for (int r = 0; idle && r < p->size && status == 0; r++) {
		const struct room *room = &it.room[p->place[r]];
		int threads = it.threads[setting_of(p, r)];

		if (piled[r]) /* another finding */
			continue;
		if (!leaves_own(p, room, r, threads) &&
		    (!lacks_cores(p, &it, r) || idle[inspection->fold.class_of[p->node[r]]] == 0))
			continue;
		if (example == TMAP_NONE)
			example = r;
		status = tmap_idset_add(&finding->ranks, r, err);
	}
	if (idle && status == 0 && example == TMAP_NONE) {
		answer = TMAP_LINT_NOTHING;
	} else if (idle && status == 0) {
		finding->fix = siblings_fix(finding, inspection, &it, example, err);
		tmap_lint_figure(finding, "idle_cores",
				 idle[inspection->fold.class_of[p->node[example]]]);
		where = finding->fix ? tmap_lint_where(finding, p->node[example], false, err) :
				       NULL;
		if (where &&
		    leaves_own(p, &it.room[p->place[example]], example,
			       it.threads[setting_of(p, example)]))
			answer = found_packed(finding, &it, p, example, err);
		else
			answer = where ?
				found_siblings(finding, &it, p, example,
					       idle[inspection->fold.class_of[p->node[example]]],
					       where, err) :
				TMAP_LINT_FAILED;
		free(where);
	}
	free(piled);
	free(idle);
	threads_fini(&it);
	return answer;
}

/* ", and nothing binds them (OMP_PLACES, OMP_PROC_BIND)", with the fix */
static char *print_loose(struct tmap_finding *finding, const struct tmap_setting *setting,
			 struct tmap_error *err)
{
	enum tmap_variable by = tmap_setting_looses_threads(setting);

	if (by == TMAP_VARIABLE_COUNT)
		return tmap_strdup(", and nothing binds them (OMP_PLACES, OMP_PROC_BIND)", err);
	/* OMP_PROC_BIND is set anew */
	finding->fix = tmap_format(err, "%s%s",
				   by == TMAP_KMP_AFFINITY ? "unset KMP_AFFINITY, " : "",
				   finding->rule->fix);
	return finding->fix ? tmap_format(err, ", and %s=%s leaves them unbound",
					  tmap_variables[by].name, setting->variable[by]) :
			      NULL;
}

/* Threads that were bound would be those of all ranks of a place on its first cores: ranks that have
 * one together are other findings, as are those on isolated PUs; and so are those that one NUMA node has cores enough for. */
enum tmap_lint_answer tmap_lint_loose_threads(struct tmap_finding *finding,
					      const struct tmap_inspection *inspection,
					      struct tmap_error *err)
{
	const struct tmap_placement *p = inspection->placement;
	int *ranks = tmap_room_ranks_of_places(inspection, err);
	int widest = tmap_room_widest(inspection, TMAP_NUMA);
	enum tmap_lint_answer answer = TMAP_LINT_FAILED;
	int example = TMAP_NONE, status;
	bool is_far = false;
	struct threads it = { 0 };
	char *and = NULL;

	status = ranks ? threads_init(&it, p, err) : -1;
	for (int r = 0; r < p->size && status == 0 && p->setting_count; r++) {
		const struct tmap_setting *setting = &p->settings[setting_of(p, r)];
		const struct room *room = &it.room[p->place[r]];
		int threads = tmap_setting_number(setting->variable[TMAP_OMP_NUM_THREADS]);
		bool may_go_far = room->numas > 1 && threads > widest;

		if (!setting->environment || tmap_setting_binds_threads(setting) || threads < 2 ||
		    !p->places[p->place[r]].bound || ranks[p->place[r]] > 1 ||
		    (room->l3s < 2 && !may_go_far) || tmap_lint_isolated_count(p, r))
			continue;
		if (example == TMAP_NONE || (may_go_far && !is_far))
			example = r;
		is_far = is_far || may_go_far;
		status = tmap_idset_add(&finding->ranks, r, err);
	}
	if (is_far)
		finding->severity = TMAP_SEVERITY_WARNING;
	if (status == 0 && !threads_are_known(&it, p))
		answer = skip_unknown(finding, err);
	else if (status == 0 && example == TMAP_NONE)
		answer = TMAP_LINT_NOTHING;
	else if (status == 0)
		and = print_loose(finding, &p->settings[setting_of(p, example)], err);
	if (and)
		answer = found_threads(finding, &it, p, example,
				       is_far ? " of several NUMA nodes" : " of several L3 caches",
				       and, err);
	free(and);
	free(ranks);
	threads_fini(&it);
	return answer;
}

/* Where all of the job have too few in the same way, and there is room: as many as were asked for, in words
 * of the launcher. */
static int asked_fix(struct tmap_finding *finding, const struct tmap_inspection *it, int asked,
		     struct tmap_error *err)
{
	int of_core = tmap_room_pus(it, 1), cores;
	char *text;

	if (of_core < 1 || tmap_idset_size(&finding->ranks) < it->placement->size)
		return 0;
	cores = (asked + of_core - 1) / of_core;
	if (!it->order.regular || tmap_room_least_cores(it) < cores)
		return 0;
	text = tmap_format(err, "bind each rank to as many PUs as were asked for (%d)", asked);
	finding->fix = text ? tmap_lint_cores_fix(finding, it, text, cores, true, err) : NULL;
	free(text);
	return finding->fix ? 0 : -1;
}

enum tmap_lint_answer tmap_lint_fewer_cpus(struct tmap_finding *finding,
					   const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int example = TMAP_NONE, asked = 0, pus = 0, node = TMAP_NONE, kept = 0;
	bool is_known = false, is_same = true;
	const char *name = NULL;
	char of[32] = "";

	for (int i = 0; i < p->setting_count; i++)
		is_known |= p->settings[i].environment;
	if (!is_known)
		return tmap_lint_skipped_take(
			finding,
			tmap_strdup("the placement does not have its ranks' environment", err));
	for (int r = 0; r < p->size; r++) {
		const struct tmap_setting *setting = &p->settings[setting_of(p, r)];
		const struct tmap_place *place = &p->places[p->place[r]];
		const char *why;
		int wanted = tmap_setting_cpus(setting, &why);

		if (!place->bound || wanted <= tmap_idset_size(&place->pus))
			continue;
		if (p->node[r] != node) {
			node = p->node[r];
			kept = tmap_lint_system_pus(it, node);
		}
		if (wanted <= tmap_idset_size(&place->pus) + kept)
			continue;
		if (tmap_idset_add(&finding->ranks, r, err) < 0)
			return TMAP_LINT_FAILED;
		if (example == TMAP_NONE) {
			example = r;
			asked = wanted;
			name = why;
			pus = (int)tmap_idset_size(&place->pus);
		}
		is_same = is_same && wanted == asked && tmap_idset_size(&place->pus) == pus;
	}
	if (example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	/* where more threads were to run on them, this is why they are too few */
	if (tmap_setting_threads(&p->settings[setting_of(p, example)], NULL) > pus)
		finding->severity = TMAP_SEVERITY_WARNING;
	if (!is_same)
		snprintf(of, sizeof of, " (rank %d)", example);
	else if (asked_fix(finding, it, asked, err) < 0)
		return TMAP_LINT_FAILED;
	tmap_lint_figure(finding, "asked", asked);
	tmap_lint_figure(finding, "pus", pus);
	return tmap_lint_found_take(finding,
				    tmap_format(err, "bound to %d PU%s, while %s is %d%s", pus,
						pus == 1 ? "" : "s", name, asked, of),
				    err);
}
