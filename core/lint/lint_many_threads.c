/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_rules.h"
#include "core/lint/overlaps.h"
#include "core/lint/thread_room.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

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

/* OpenMP may take fewer than it was asked for. */
static bool is_dynamic(const struct tmap_setting *setting)
{
	const char *value = setting->variable[TMAP_OMP_DYNAMIC];

	return value && (strcasecmp(value, "true") == 0 || strcmp(value, "1") == 0);
}

/* Threads that a rank is sure to run; 0: unknown. */
static int sure_threads(const struct tmap_thread_rooms *it, const struct tmap_placement *p,
			int rank)
{
	int setting = tmap_thread_setting(p, rank);

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
static void loads_list(struct loads *loads, const struct tmap_thread_rooms *it,
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
static void loads_count(struct loads *loads, const struct tmap_thread_rooms *it,
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
static bool is_overload(const struct tmap_thread_rooms *it, int place, const struct load *load)
{
	return load->threads > it->room[place].pus && load->threads > load->ranks;
}

/* Add to the finding the ranks of a node that run on fewer PUs than threads do there. */
static int loads_collect(struct loads *loads, struct tmap_finding *finding,
			 const struct tmap_thread_rooms *it,
			 const struct tmap_inspection *inspection, int node, struct tmap_error *err)
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
static int loads_find(struct loads *loads, struct tmap_finding *finding,
		      const struct tmap_thread_rooms *it, const struct tmap_inspection *inspection,
		      struct tmap_error *err)
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
static enum tmap_lint_answer found_load(struct tmap_finding *finding,
					const struct tmap_thread_rooms *it,
					const struct tmap_placement *p, const struct loads *loads,
					struct tmap_error *err)
{
	int example = loads->example, pus = it->room[p->place[example]].pus;
	const struct load *load = &loads->of_example;
	const char *why = it->why[tmap_thread_setting(p, example)];
	bool is_group = !is_overload(it, p->place[example], load);
	char *text, *what = NULL;

	if (!is_group && p->places[p->place[example]].bound && load->ranks == 1)
		return tmap_lint_threads_found(finding, it, p, example, "", "", err);
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
	struct tmap_thread_rooms threads = { 0 };
	struct loads loads = { 0 };
	int status = 0;

	*has = false;
	if (tmap_lint_place_steps(it) > TMAP_LINT_STEPS)
		return 0;
	status = tmap_thread_rooms_init(&threads, it->placement, err);
	if (status == 0 && tmap_thread_rooms_are_known(&threads, it->placement)) {
		status = loads_init(&loads, it->placement, err);
		if (status == 0)
			status = loads_find(&loads, &finding, &threads, it, err);
		*has = status == 0 && loads.example != TMAP_NONE;
	}
	tmap_idset_fini(&finding.ranks);
	loads_fini(&loads);
	tmap_thread_rooms_fini(&threads);
	return status;
}

enum tmap_lint_answer tmap_lint_many_threads(struct tmap_finding *finding,
					     const struct tmap_inspection *inspection,
					     struct tmap_error *err)
{
	const struct tmap_placement *p = inspection->placement;
	enum tmap_lint_answer answer = TMAP_LINT_FAILED;
	struct loads loads = { .example = TMAP_NONE };
	struct tmap_thread_rooms it = { 0 };
	int status;

	status = tmap_thread_rooms_init(&it, p, err);
	if (status == 0 && !tmap_thread_rooms_are_known(&it, p)) {
		tmap_thread_rooms_fini(&it);
		return tmap_lint_threads_skip(finding, err);
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
	tmap_thread_rooms_fini(&it);
	return answer;
}
