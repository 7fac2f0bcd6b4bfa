/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_rules.h"

#include "core/algorithms/catalogue.h"
#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/base/units.h"
#include "core/cost/cost.h"
#include "core/cost/profile_choice.h"
#include "core/library/library.h"
#include "core/machine/node_fold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What many programs call, with sizes at which it counts who is on which node. */
static const struct {
	enum tmap_collective collective;
	int64_t bytes;
} typical[] = {
	{ TMAP_ALLGATHER, 65536 },
	{ TMAP_BCAST, 1 << 20 },
	{ TMAP_ALLREDUCE, 1 << 20 },
};

enum { CALLS = sizeof typical / sizeof typical[0], MOST_RANKS = 1 << 16 };

/* So many times as long, on average, are worth a finding. */
#define MUCH_SLOWER 1.5

static const struct {
	const char *name;
	bool by_turns;
} orders[] = {
	{ "block", false },
	{ "cyclic", true },
};

enum { ORDERS = sizeof orders / sizeof orders[0] };

/* What the library takes of the calls of which it is known, for all ranks of the job. */
struct repertoire {
	const char *library;
	bool is_named; /* the document names it */
	int count;
	struct tmap_call call[CALLS];
	char algorithm[CALLS][TMAP_LIBRARY_ROOM];
};

/* Calls of as many ranks as the sample has. */
static int repertoire_fill(struct repertoire *it, const struct tmap_inspection *inspection,
			   const struct tmap_sample *sample, struct tmap_error *err)
{
	const struct tmap_placement *p = inspection->placement;
	int library = inspection->library != TMAP_NONE ? inspection->library :
		p->origin.mpi                          ? tmap_library_of(p->origin.mpi) :
							 0;

	*it = (struct repertoire){ .is_named = p->origin.mpi || inspection->library != TMAP_NONE };
	if (library == TMAP_NONE)
		return 0;
	it->library = tmap_keywords_at(&tmap_libraries, (size_t)library)->summary;
	for (int i = 0; i < CALLS; i++) {
		struct tmap_library_choice choice = tmap_library_choose(
			library,
			&(struct tmap_library_call){ .collective = typical[i].collective,
						     .size = p->size,
						     .bytes = typical[i].bytes,
						     .order = &inspection->order });
		struct tmap_call *call = &it->call[it->count];

		if (!choice.algorithm[0])
			continue;
		*call = (struct tmap_call){ .size = sample->placement->size,
					    .bytes = typical[i].bytes };
		if (tmap_call_parse(call, typical[i].collective, choice.algorithm, err) < 0)
			return -1;
		memcpy(it->algorithm[it->count++], choice.algorithm, TMAP_LIBRARY_ROOM);
	}
	return 0;
}

/* 0 seconds for a call that cannot run with as many ranks as the sample has. */
static int call_time(double *seconds, struct tmap_cost_model *model, const struct tmap_call *call,
		     struct tmap_error *err)
{
	struct tmap_error why;

	*seconds = 0;
	if (tmap_call_check(call, &why) == 0)
		return tmap_cost(seconds, model, call, err);
	if (why.kind == TMAP_INPUT)
		return 0;
	*err = why;
	return -1;
}

static int repertoire_time(double *seconds, const struct repertoire *repertoire,
			   const struct tmap_placement *p, const struct tmap_levels *levels,
			   struct tmap_error *err)
{
	const struct tmap_profile profile = tmap_profile_for(p->machine);
	struct tmap_metric metric = { 0 };
	struct tmap_cost_model model = { 0 };
	int status = tmap_metric_init(&metric, p, TMAP_SCALE_PROCESS, err);

	if (status == 0)
		status = tmap_cost_model_init(&model, p, &metric, levels, &profile, err);
	for (int i = 0; i < repertoire->count && status == 0; i++) {
		struct tmap_call call = repertoire->call[i];

		call.metric = &metric;
		status = call_time(&seconds[i], &model, &call, err);
	}
	tmap_cost_model_fini(&model);
	tmap_metric_fini(&metric);
	return status;
}

/* The ranks in another order: node after node, or one of each node in turn. */
static int *order_places(const struct tmap_sample *sample, bool by_turns, struct tmap_error *err)
{
	const struct tmap_node_fold *fold = sample->fold;
	int size = sample->placement->size, nodes = sample->placement->machine->node_count;
	int *place_of = tmap_alloc_raw((size_t)size, sizeof *place_of, err), taken = 0;

	if (place_of && !by_turns)
		memcpy(place_of, fold->rank, (size_t)size * sizeof *place_of);
	for (int i = 0; place_of && by_turns && taken < size; i++)
		for (int n = 0; n < nodes; n++)
			if (fold->first[n] + i < fold->first[n + 1])
				place_of[taken++] = fold->rank[fold->first[n] + i];
	return place_of;
}

static int order_time(double *seconds, const struct repertoire *repertoire,
		      const struct tmap_sample *sample, const struct tmap_levels *levels,
		      bool by_turns, struct tmap_error *err)
{
	int *place_of = order_places(sample, by_turns, err), status = -1;
	struct tmap_placement reordered = { 0 };

	if (place_of &&
	    tmap_placement_select(&reordered, sample->placement, place_of, sample->placement->size,
				  err) == 0)
		status = repertoire_time(seconds, repertoire, &reordered, levels, err);
	tmap_placement_fini(&reordered);
	free(place_of);
	return status;
}

/* How many times as long the calls take here as there: the geometric mean. */
static double mean_ratio(const double *here, const double *there, int count)
{
	double logs = 0;
	int timed = 0;

	for (int i = 0; i < count; i++)
		if (here[i] > 0 && there[i] > 0) {
			logs += log(here[i] / there[i]);
			timed++;
		}
	return timed ? exp(logs / timed) : 1;
}

static char *reason_print(const struct repertoire *repertoire, const struct tmap_inspection *it,
			  const struct tmap_sample *sample, int order, const double *here,
			  const double *there, struct tmap_error *err)
{
	char text[TMAP_UNITS_ROOM], kind[TMAP_ORDER_ROOM];
	struct tmap_str str = TMAP_STR_INIT;
	const char *comma = "";

	tmap_str_addf(&str,
		      "the default algorithms of %s%s take longer in this order of the ranks "
		      "(%s) than in %s order of the same places:",
		      repertoire->library, repertoire->is_named ? "" : " (no library is named)",
		      tmap_order_print(&it->order, kind), orders[order].name);
	for (int i = 0; i < repertoire->count; i++) {
		const struct tmap_call *call = &repertoire->call[i];

		if (here[i] <= 0 || there[i] <= 0)
			continue;
		tmap_str_addf(&str, "%s %s of %s (%s) %.1f times as long", comma,
			      tmap_collective_rows[tmap_call_algorithm(call)->collective].word.name,
			      tmap_units_print_bytes(call->bytes, text), repertoire->algorithm[i],
			      here[i] / there[i]);
		comma = ",";
	}
	tmap_str_addf(&str, ", by the cost profile %s",
		      tmap_profile_for(sample->placement->machine).word.name);
	if (sample->nodes)
		tmap_str_addf(&str, " on the first %d nodes", sample->nodes);
	return tmap_str_take(&str, err);
}

static char *fix_print(const struct tmap_finding *finding, const struct tmap_inspection *it,
		       const struct repertoire *repertoire, int order, const double *here,
		       const double *there, struct tmap_error *err)
{
	char text[TMAP_UNITS_ROOM], *reorder, *fix;
	const char *collective;
	int worst = 0;

	for (int i = 1; i < repertoire->count; i++) /* 0: it was not timed */
		if (there[i] > 0 &&
		    (there[worst] <= 0 || here[i] * there[worst] > here[worst] * there[i]))
			worst = i;
	collective = tmap_collective_rows[tmap_call_algorithm(&repertoire->call[worst])->collective]
			     .word.name;
	tmap_units_print_bytes(repertoire->call[worst].bytes, text);
	reorder = tmap_lint_order_fix(finding, it, orders[order].by_turns, err);
	fix = reorder ?
		tmap_format(err,
			    "%s, or reorder them for what the program does (topomap "
			    "suggest-rankfile --for %s:%s:%s); if the order must stay, "
			    "select other algorithms (topomap score --collective %s --bytes "
			    "%s)",
			    reorder, collective, repertoire->algorithm[worst], text, collective,
			    text) :
		NULL;
	free(reorder);
	return fix;
}

/* The order in which the calls are quickest, if that is much quicker than here; else TMAP_NONE. */
static int order_find_better(double *here, double there[][CALLS],
			     const struct repertoire *repertoire, const struct tmap_sample *sample,
			     const struct tmap_levels *levels, int *better, struct tmap_error *err)
{
	double most = MUCH_SLOWER;

	*better = TMAP_NONE;
	if (repertoire_time(here, repertoire, sample->placement, levels, err) < 0)
		return -1;
	for (int i = 0; i < ORDERS; i++) {
		double ratio;

		if (order_time(there[i], repertoire, sample, levels, orders[i].by_turns, err) < 0)
			return -1;
		ratio = mean_ratio(here, there[i], repertoire->count);
		if (ratio < most)
			continue;
		most = ratio;
		*better = i;
	}
	return 0;
}

enum tmap_lint_answer tmap_lint_slow_order(struct tmap_finding *finding,
					   const struct tmap_inspection *it, struct tmap_error *err)
{
	double here[CALLS] = { 0 }, there[ORDERS][CALLS] = { { 0 } };
	struct repertoire repertoire;
	struct tmap_sample sample;
	int better = TMAP_NONE, status;
	bool is_unknown = false;

	if (it->order.used_nodes < 2)
		return TMAP_LINT_NOTHING;
	if (tmap_sample_init(&sample, it->placement, &it->fold, MOST_RANKS, err) < 0)
		return TMAP_LINT_FAILED;
	status = repertoire_fill(&repertoire, it, &sample, err);
	if (status == 0 && !repertoire.count)
		is_unknown = true;
	else if (status == 0)
		status = order_find_better(here, there, &repertoire, &sample, &it->levels, &better,
					   err);
	if (status == 0 && better != TMAP_NONE)
		status = tmap_idset_add_range(&finding->ranks, 0, it->placement->size - 1, err);
	if (status == 0 && better != TMAP_NONE) {
		tmap_lint_figure(finding, "times_as_long",
				 mean_ratio(here, there[better], repertoire.count));
		finding->reason =
			reason_print(&repertoire, it, &sample, better, here, there[better], err);
		finding->fix =
			fix_print(finding, it, &repertoire, better, here, there[better], err);
		status = finding->reason && finding->fix ? 0 : -1;
	}
	tmap_sample_fini(&sample);
	if (is_unknown)
		return tmap_lint_skipped_take(
			finding,
			tmap_strdup("the default algorithms of the MPI library are not known",
				    err));
	return status < 0       ? TMAP_LINT_FAILED :
		finding->reason ? TMAP_LINT_FOUND :
				  TMAP_LINT_NOTHING;
}
