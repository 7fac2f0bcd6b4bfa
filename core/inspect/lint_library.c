#include "core/inspect/lint_rules.h"

#include "core/library/library.h"
#include "core/mem.h"
#include "core/score/cost.h"
#include "core/str.h"
#include "core/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What many programs call, with sizes at which it counts who is on which node. */
static const struct {
	enum tm_collective collective;
	int64_t bytes;
} typical[] = {
	{ TM_ALLGATHER, 65536 }, { TM_BCAST, 1 << 20 }, { TM_ALLREDUCE, 1 << 20 },
};

enum { CALLS = sizeof typical / sizeof typical[0], MOST_RANKS = 1 << 17 };

/* So many times as long, on average, are worth a finding. */
#define MUCH_SLOWER 1.5

static const struct {
	const char *name, *mend;
	bool by_turns;
} orders[] = {
	{ "block", "number the ranks node after node (--map-by core or --rank-by slot)", false },
	{ "cyclic", "deal the ranks out to the nodes in turn (--map-by node)", true },
};

/* What the library takes of the calls of which it is known. */
struct repertoire {
	const char *library;
	bool is_told;        /* the document names it */
	int count;
	struct tm_call call[CALLS];
	char algorithm[CALLS][TM_LIBRARY_ROOM];
};

static int fill_repertoire(struct repertoire *it, const struct tm_inspection *inspection,
			   struct tm_error *err)
{
	const struct tm_placement *p = inspection->placement;
	int library = p->origin.mpi ? tm_library_of(p->origin.mpi) : 0;

	*it = (struct repertoire){ .is_told = p->origin.mpi != NULL };
	if (library == TM_NONE)
		return 0;
	it->library = tm_words_at(&tm_libraries, (size_t)library)->summary;
	for (int i = 0; i < CALLS; i++) {
		struct tm_library_answer answer =
			tm_library_ask(library, &(struct tm_library_question){
				typical[i].collective, p->size, typical[i].bytes,
				&inspection->order });
		struct tm_call *call = &it->call[it->count];

		if (!answer.algorithm[0])
			continue;
		*call = (struct tm_call){ .size = p->size, .bytes = typical[i].bytes };
		if (tm_call_parse(call, typical[i].collective, answer.algorithm, err) < 0)
			return -1;
		memcpy(it->algorithm[it->count++], answer.algorithm, TM_LIBRARY_ROOM);
	}
	return 0;
}

static int time_calls(double *seconds, const struct repertoire *repertoire,
		      const struct tm_placement *p, const struct tm_levels *levels,
		      struct tm_error *err)
{
	struct tm_metric metric = { 0 };
	struct tm_cost_model model = { 0 };
	int status = tm_metric_init(&metric, p, TM_SCALE_PROCESS, err);

	if (status == 0)
		status = tm_cost_model_init(&model, p, &metric, levels, tm_profile_at(0), err);
	for (int i = 0; i < repertoire->count && status == 0; i++) {
		struct tm_call call = repertoire->call[i];

		call.metric = &metric;
		status = tm_cost(&seconds[i], &model, &call, err);
	}
	tm_cost_model_fini(&model);
	tm_metric_fini(&metric);
	return status;
}

/* The ranks in another order: node after node, or one of each node in turn. */
static int *deal(const struct tm_inspection *it, bool by_turns, struct tm_error *err)
{
	const struct tm_node_fold *fold = &it->fold;
	int nodes = it->placement->machine->node_count, dealt = 0;
	int *place_of = tm_alloc_raw((size_t)it->placement->size, sizeof *place_of, err);

	for (int i = 0; place_of && i < it->order.ranks_max && dealt < it->placement->size; i++)
		for (int n = 0; n < nodes; n++)
			if (!by_turns)
				for (int k = fold->first[n]; k < fold->first[n + 1]; k++)
					place_of[dealt++] = fold->rank[k];
			else if (fold->first[n] + i < fold->first[n + 1])
				place_of[dealt++] = fold->rank[fold->first[n] + i];
	return place_of;
}

static int time_order(double *seconds, const struct repertoire *repertoire,
		      const struct tm_inspection *it, bool by_turns, struct tm_error *err)
{
	int *place_of = deal(it, by_turns, err), status = -1;
	struct tm_placement dealt = { 0 };

	if (place_of && tm_placement_select(&dealt, it->placement, place_of, it->placement->size,
					    err) == 0)
		status = time_calls(seconds, repertoire, &dealt, &it->levels, err);
	tm_placement_fini(&dealt);
	free(place_of);
	return status;
}

/* How many times as long the calls take here as there: the geometric mean. */
static double mean_ratio(const double *here, const double *there, int count)
{
	double logs = 0;

	for (int i = 0; i < count; i++)
		if (here[i] > 0 && there[i] > 0)
			logs += log(here[i] / there[i]);
	return exp(logs / count);
}

static char *tell_reason(const struct repertoire *repertoire, const struct tm_inspection *it,
			 int order, const double *here, const double *there, struct tm_error *err)
{
	char text[TM_UNITS_ROOM], kind[TM_ORDER_ROOM];
	struct tm_str str = TM_STR_INIT;

	tm_str_addf(&str, "the collectives that %s%s runs by itself take longer in this order of "
		    "the ranks (%s) than in %s order of the same places:", repertoire->library,
		    repertoire->is_told ? "" : " (no library is named)",
		    tm_order_print(&it->order, kind), orders[order].name);
	for (int i = 0; i < repertoire->count; i++) {
		const struct tm_call *call = &repertoire->call[i];

		tm_str_addf(&str, "%s %s of %s (%s) %.1f times as long", i ? "," : "",
			    tm_collective_rows[tm_call_algorithm(call)->collective].word.name,
			    tm_units_print_bytes(call->bytes, text), repertoire->algorithm[i],
			    here[i] / there[i]);
	}
	tm_str_addf(&str, ", by the cost profile %s", tm_profile_at(0)->word.name);
	return tm_str_take(&str, err);
}

static char *tell_mend(const struct repertoire *repertoire, int order, const double *here,
		       const double *there, struct tm_error *err)
{
	char text[TM_UNITS_ROOM];
	const char *collective;
	int worst = 0;

	for (int i = 1; i < repertoire->count; i++)
		if (here[i] / there[i] > here[worst] / there[worst])
			worst = i;
	collective = tm_collective_rows[tm_call_algorithm(&repertoire->call[worst])->collective]
		.word.name;
	tm_units_print_bytes(repertoire->call[worst].bytes, text);
	return tm_format(err, "%s, or reorder them for what the program does (topomap "
			 "suggest-rankfile --for %s:%s:%s); if the order must stay, select other "
			 "algorithms (topomap score --collective %s --bytes %s)",
			 orders[order].mend, collective, repertoire->algorithm[worst], text,
			 collective, text);
}

int tm_lint_slow_order(struct tm_finding *finding, const struct tm_inspection *it,
		       struct tm_error *err)
{
	double here[CALLS], there[sizeof orders / sizeof orders[0]][CALLS], most = MUCH_SLOWER;
	struct repertoire repertoire;
	int best = TM_NONE;

	if (it->order.used_nodes < 2 || it->placement->size > MOST_RANKS)
		return 0;
	if (fill_repertoire(&repertoire, it, err) < 0)
		return -1;
	if (!repertoire.count)
		return 0;
	if (time_calls(here, &repertoire, it->placement, &it->levels, err) < 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		double ratio;

		if (time_order(there[i], &repertoire, it, orders[i].by_turns, err) < 0)
			return -1;
		ratio = mean_ratio(here, there[i], repertoire.count);
		if (ratio < most)
			continue;
		most = ratio;
		best = i;
	}
	if (best == TM_NONE)
		return 0;
	if (tm_idset_add_range(&finding->ranks, 0, it->placement->size - 1, err) < 0)
		return -1;
	finding->reason = tell_reason(&repertoire, it, best, here, there[best], err);
	finding->mend = tell_mend(&repertoire, best, here, there[best], err);
	return tm_lint_done(finding);
}
