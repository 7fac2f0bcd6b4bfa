/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* What a place offers to the threads of a rank. */
struct room {
	int pus, cores, l3s;
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
					     .l3s = objects_of(topo, place, TMAP_L3) };
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

/* "rank 4 has 8 threads (OMP_NUM_THREADS)" */
static char *print_threads(const struct threads *it, const struct tmap_placement *p, int rank,
			   struct tmap_error *err)
{
	int setting = setting_of(p, rank);

	return tmap_format(err, "rank %d has %d thread%s%s%s%s", rank, it->threads[setting],
			   it->threads[setting] == 1 ? "" : "s", it->why[setting] ? " (" : "",
			   it->why[setting] ? it->why[setting] : "", it->why[setting] ? ")" : "");
}

/* FOUND, where there are such ranks: "7 ranks have <what>: rank 4 has 8 threads (...) on 2 PUs". */
static enum tmap_lint_answer found_rank(struct tmap_finding *finding, const struct threads *it,
					const struct tmap_placement *p, int example, int pus,
					const char *what, struct tmap_error *err)
{
	int ranks = tmap_lint_ranks(finding);
	char *text, *reason = NULL;

	if (!ranks)
		return TMAP_LINT_NOTHING;
	tmap_lint_figure(finding, "threads", it->threads[setting_of(p, example)]);
	tmap_lint_figure(finding, "pus", pus);
	text = print_threads(it, p, example, err);
	if (text)
		reason = tmap_format(err, "%d rank%s %s: %s on %d PU%s", ranks,
				     ranks == 1 ? " has" : "s have", what, text, pus,
				     pus == 1 ? "" : "s");
	free(text);
	return tmap_lint_found_take(finding, reason, err);
}

/* [node_count]: threads that ranks bring to the PUs of each node all over which they may run. */
static int64_t *count_unbound(const struct threads *it, const struct tmap_placement *p,
			      struct tmap_error *err)
{
	int64_t *threads = tmap_alloc((size_t)p->machine->node_count, sizeof *threads, err);

	for (int r = 0; threads && r < p->size; r++) {
		int setting = setting_of(p, r);

		if (!is_dynamic(&p->settings[setting]))
			threads[p->node[r]] += it->threads[setting];
	}
	return threads;
}

static bool has_too_many(const struct threads *it, const struct tmap_placement *p, int r,
			 const int64_t *on_node)
{
	int setting = setting_of(p, r);
	const struct tmap_place *place = &p->places[p->place[r]];

	if (!it->threads[setting] || is_dynamic(&p->settings[setting]))
		return false;
	return (place->bound ? it->threads[setting] : on_node[p->node[r]]) >
		it->room[p->place[r]].pus;
}

enum tmap_lint_answer tmap_lint_many_threads(struct tmap_finding *finding,
					     const struct tmap_inspection *inspection,
					     struct tmap_error *err)
{
	const struct tmap_placement *p = inspection->placement;
	enum tmap_lint_answer answer = TMAP_LINT_FAILED;
	int64_t *on_node = NULL;
	int example = TMAP_NONE, status;
	struct threads it = { 0 };

	status = threads_init(&it, p, err);
	if (status == 0 && !threads_are_known(&it, p))
		answer = skip_unknown(finding, err);
	else if (status == 0)
		on_node = count_unbound(&it, p, err);
	for (int r = 0; on_node && r < p->size && status == 0; r++) {
		if (!has_too_many(&it, p, r, on_node))
			continue;
		if (example == TMAP_NONE)
			example = r;
		status = tmap_idset_add(&finding->ranks, r, err);
	}
	if (on_node && status == 0 && example == TMAP_NONE) {
		answer = TMAP_LINT_NOTHING;
	} else if (on_node && status == 0) {
		bool bound = p->places[p->place[example]].bound;

		finding->fix = tmap_lint_threads_fix(
			finding, inspection, "bind each rank to as many cores as it has threads",
			finding->rule->fix, err);
		answer = !finding->fix ?
			TMAP_LINT_FAILED :
			found_rank(
				finding, &it, p, example, it.room[p->place[example]].pus,
				bound ? "more threads than the PUs that they are bound to" :
					"together with the others of their node more threads than "
					"it has PUs",
				err);
	}
	free(on_node);
	threads_fini(&it);
	return answer;
}

/* [class_count]: the cores that no rank of such a node may run on. */
static int *count_idle(const struct tmap_inspection *it, struct tmap_error *err)
{
	int *idle = tmap_alloc((size_t)it->fold.class_count, sizeof *idle, err);

	for (int c = 0; idle && c < it->fold.class_count; c++) {
		struct tmap_node_use use = { 0 };

		if (tmap_node_use_find(&use, it->placement, &it->fold, it->fold.example[c], err) <
		    0) {
			free(idle);
			return NULL;
		}
		idle[c] = use.idle_cores;
		tmap_node_use_fini(&use);
	}
	return idle;
}

enum tmap_lint_answer tmap_lint_sibling_threads(struct tmap_finding *finding,
						const struct tmap_inspection *inspection,
						struct tmap_error *err)
{
	const struct tmap_placement *p = inspection->placement;
	enum tmap_lint_answer answer = TMAP_LINT_FAILED;
	int *idle = NULL, example = TMAP_NONE, status;
	struct threads it = { 0 };

	status = threads_init(&it, p, err);
	if (status == 0 && !threads_are_known(&it, p))
		answer = skip_unknown(finding, err);
	else if (status == 0)
		idle = count_idle(inspection, err);
	for (int r = 0; idle && r < p->size && status == 0; r++) {
		const struct room *room = &it.room[p->place[r]];
		int threads = it.threads[setting_of(p, r)];

		if (!p->places[p->place[r]].bound || threads <= room->cores ||
		    threads > room->pus || idle[inspection->fold.class_of[p->node[r]]] == 0)
			continue;
		if (example == TMAP_NONE)
			example = r;
		status = tmap_idset_add(&finding->ranks, r, err);
	}
	if (idle && status == 0 && example == TMAP_NONE) {
		answer = TMAP_LINT_NOTHING;
	} else if (idle && status == 0) {
		finding->fix = tmap_lint_threads_fix(
			finding, inspection, "bind each rank to as many cores as it has threads",
			finding->rule->fix, err);
		tmap_lint_figure(finding, "idle_cores",
				 idle[inspection->fold.class_of[p->node[example]]]);
		answer = !finding->fix ?
			TMAP_LINT_FAILED :
			found_rank(
				finding, &it, p, example, it.room[p->place[example]].pus,
				"threads on hardware threads of one core while cores of the node "
				"are idle",
				err);
	}
	free(idle);
	threads_fini(&it);
	return answer;
}

enum tmap_lint_answer tmap_lint_loose_threads(struct tmap_finding *finding,
					      const struct tmap_inspection *inspection,
					      struct tmap_error *err)
{
	const struct tmap_placement *p = inspection->placement;
	enum tmap_lint_answer answer = TMAP_LINT_FAILED;
	int example = TMAP_NONE, status;
	struct threads it = { 0 };

	status = threads_init(&it, p, err);
	for (int r = 0; r < p->size && status == 0 && p->setting_count; r++) {
		const struct tmap_setting *setting = &p->settings[setting_of(p, r)];

		if (!setting->environment || tmap_setting_binds_threads(setting) ||
		    tmap_setting_number(setting->variable[TMAP_OMP_NUM_THREADS]) < 2 ||
		    !p->places[p->place[r]].bound || it.room[p->place[r]].l3s < 2)
			continue;
		if (example == TMAP_NONE)
			example = r;
		status = tmap_idset_add(&finding->ranks, r, err);
	}
	if (status == 0 && !threads_are_known(&it, p))
		answer = skip_unknown(finding, err);
	else if (status == 0 && example == TMAP_NONE)
		answer = TMAP_LINT_NOTHING;
	else if (status == 0)
		answer =
			found_rank(finding, &it, p, example, it.room[p->place[example]].pus,
				   "have threads that nothing binds (OMP_PLACES, OMP_PROC_BIND) on "
				   "PUs of several L3 caches",
				   err);
	threads_fini(&it);
	return answer;
}

enum tmap_lint_answer tmap_lint_fewer_cpus(struct tmap_finding *finding,
					   const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int example = TMAP_NONE, asked = 0, ranks, pus;
	bool is_known = false;

	for (int i = 0; i < p->setting_count; i++)
		is_known |= p->settings[i].environment;
	if (!is_known)
		return tmap_lint_skipped_take(
			finding,
			tmap_strdup("the placement does not have its ranks' environment", err));
	for (int r = 0; r < p->size; r++) {
		const struct tmap_setting *setting = &p->settings[setting_of(p, r)];
		const struct tmap_place *place = &p->places[p->place[r]];
		int wanted = tmap_setting_number(setting->variable[TMAP_SLURM_CPUS_PER_TASK]);

		if (!place->bound || wanted <= tmap_idset_size(&place->pus))
			continue;
		if (tmap_idset_add(&finding->ranks, r, err) < 0)
			return TMAP_LINT_FAILED;
		if (example == TMAP_NONE) {
			example = r;
			asked = wanted;
		}
	}
	ranks = tmap_lint_ranks(finding);
	if (!ranks)
		return TMAP_LINT_NOTHING;
	pus = (int)tmap_idset_size(&p->places[p->place[example]].pus);
	tmap_lint_figure(finding, "asked", asked);
	tmap_lint_figure(finding, "pus", pus);
	return tmap_lint_found_take(
		finding,
		tmap_format(err,
			    "%d rank%s bound to fewer PUs than were asked for (rank %d to %d, and "
			    "SLURM_CPUS_PER_TASK is %d)",
			    TMAP_LINT_ARE(ranks), example, pus, asked),
		err);
}
