/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_rules.h"
#include "core/lint/thread_places.h"
#include "core/lint/thread_room.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* Are threads of the rank on siblings, as it has fewer cores? */
static bool lacks_cores(const struct tmap_placement *p, const struct tmap_thread_rooms *it,
			int rank)
{
	const struct tmap_thread_room *room = &it->room[p->place[rank]];
	int threads = it->threads[tmap_thread_setting(p, rank)];

	return p->places[p->place[rank]].bound && threads > room->cores && threads <= room->pus;
}

/* [class_count]: the idle cores of such nodes that have one for each thread on a sibling, else 0. */
static int *count_spare(const struct tmap_inspection *it, const struct tmap_thread_rooms *threads,
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
				wanted += threads->threads[tmap_thread_setting(p, rank)] -
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
static enum tmap_lint_answer found_siblings(struct tmap_finding *finding,
					    const struct tmap_thread_rooms *it,
					    const struct tmap_placement *p, int example, int idle,
					    const char *where, struct tmap_error *err)
{
	int cores = it->room[p->place[example]].cores;
	char *of = tmap_format(err, " of %d core%s", cores, cores == 1 ? "" : "s");
	char *and = of ? tmap_format(err, ", while %d core%s idle on %s", idle,
				     idle == 1 ? " is" : "s are", where) :
			 NULL;
	enum tmap_lint_answer answer = and?
		tmap_lint_threads_found(finding, it, p, example, of, and, err) :
		TMAP_LINT_FAILED;

	free(of);
	free(and);
	return answer;
}

/* The cores that so many threads take which are bound to one hardware thread after the other; as many as
 * they are where they are not. */
static int packed_cores(const struct tmap_setting *setting, const struct tmap_thread_room *room,
			int threads)
{
	int each = room->cores ? room->pus / room->cores : 1, most;

	if (tmap_thread_packing(setting, &most) == TMAP_VARIABLE_COUNT)
		return threads;
	each = most < each ? most : each;
	return each ? (threads + each - 1) / each : threads;
}

/* Do the threads leave some of the rank's own cores idle, as siblings? */
static bool leaves_own(const struct tmap_placement *p, const struct tmap_thread_room *room,
		       int rank, int threads)
{
	return threads > 1 && threads <= room->cores &&
		packed_cores(&p->settings[tmap_thread_setting(p, rank)], room, threads) < threads;
}

/* FOUND: "4 threads on 8 PUs of 4 cores (OMP_NUM_THREADS of rank 0), of which they take 2, as OMP_PLACES
 * is threads". */
static enum tmap_lint_answer found_packed(struct tmap_finding *finding,
					  const struct tmap_thread_rooms *it,
					  const struct tmap_placement *p, int example,
					  struct tmap_error *err)
{
	const struct tmap_thread_room *room = &it->room[p->place[example]];
	const struct tmap_setting *setting = &p->settings[tmap_thread_setting(p, example)];
	int taken = packed_cores(setting, room, it->threads[tmap_thread_setting(p, example)]), each;
	bool is_kmp = tmap_thread_packing(setting, &each) == TMAP_KMP_AFFINITY;
	char *of = tmap_format(err, " of %d cores", room->cores);
	char *and = of ? tmap_format(err, ", of which they take %d, as %s", taken,
				     is_kmp ? "KMP_AFFINITY packs them" : "OMP_PLACES is threads") :
			 NULL;
	enum tmap_lint_answer answer = TMAP_LINT_FAILED;

	tmap_lint_figure(finding, "idle_cores", room->cores - taken);
	if (and)
		answer = tmap_lint_threads_found(finding, it, p, example, of, and, err);
	free(of);
	free(and);
	return answer;
}

/* What is advised, and what the threads are to be bound to where they would be siblings again. */
static char *siblings_fix(struct tmap_finding *finding, const struct tmap_inspection *it,
			  const struct tmap_thread_rooms *threads, int example,
			  struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int setting = tmap_thread_setting(p, example), each;
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
	struct tmap_thread_rooms it = { 0 };
	char *where;

	status = piled ? tmap_thread_rooms_init(&it, p, err) : -1;
	if (status == 0 && !tmap_thread_rooms_are_known(&it, p))
		answer = tmap_lint_threads_skip(finding, err);
	else if (status == 0)
		idle = count_spare(inspection, &it, err);
	for (int r = 0; idle && r < p->size && status == 0; r++) {
		const struct tmap_thread_room *room = &it.room[p->place[r]];
		int threads = it.threads[tmap_thread_setting(p, r)];

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
			       it.threads[tmap_thread_setting(p, example)]))
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
	tmap_thread_rooms_fini(&it);
	return answer;
}
