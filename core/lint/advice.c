/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/advice.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/cost/cost.h"
#include "core/cost/profile_same.h"
#include "core/cost/profile_trust.h"
#include "core/score/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS = TMAP_ADVICE_CALLS };

/* What many programs call, with sizes at which it counts who is on which node. */
static const struct {
	enum tmap_collective collective;
	int64_t bytes;
} typical[CALLS] = {
	{ TMAP_ALLGATHER, 65536 },
	{ TMAP_BCAST, 1 << 20 },
	{ TMAP_ALLREDUCE, 1 << 20 },
};

static const struct tmap_advice_order orders[] = {
	{ "block", false, false },
	{ "cyclic", true, false },
	{ "block, core after core", false, true },
};

enum { ORDERS = sizeof orders / sizeof orders[0] };

const struct tmap_advice_order *tmap_advice_order_at(int row)
{
	return row >= 0 && row < ORDERS ? &orders[row] : NULL;
}

/* What the calls take in the order of the ranks by another profile, which several orders are compared
 * with. */
struct known_time {
	bool is_known;
	double seconds[CALLS];
};

/* The sample, and what is the same in every order of it. */
struct field {
	const struct tmap_inspection *inspection;
	struct tmap_advice *advice;
	struct tmap_sample sample;
	struct known_time *known; /* [rows of tmap_profiles] */
};

/* The ranks in one order. */
struct lineup {
	const struct tmap_placement *placement;
	struct tmap_placement own; /* zeroed where it is the sample's */
	struct tmap_order order;
	struct tmap_metric metric;
	char algorithm[CALLS][TMAP_LIBRARY_ROOM]; /* what the library takes in it */
};

static void lineup_fini(struct lineup *it)
{
	tmap_metric_fini(&it->metric);
	tmap_placement_fini(&it->own);
}

/* What the library takes of all ranks of the job, in the order of the lineup. */
static void lineup_choose(struct lineup *it, const struct field *field)
{
	for (int i = 0; i < field->advice->count; i++) {
		const struct tmap_advice_call *call = &field->advice->call[i];
		struct tmap_library_choice choice = tmap_library_choose(
			field->advice->library,
			&(struct tmap_library_call){ .collective = call->collective,
						     .size = field->inspection->placement->size,
						     .bytes = call->bytes,
						     .order = &it->order });

		memcpy(it->algorithm[i], choice.algorithm, TMAP_LIBRARY_ROOM);
	}
}

/* @p place_of NULL: as they are. */
static int lineup_init(struct lineup *it, const struct field *field, const int *place_of,
		       struct tmap_error *err)
{
	const struct tmap_placement *sample = field->sample.placement;

	*it = (struct lineup){ .placement = sample };
	if (place_of) {
		if (tmap_placement_select(&it->own, sample, place_of, sample->size, err) < 0)
			return -1;
		it->placement = &it->own;
	}
	if (tmap_order_find(&it->order, it->placement, err) < 0 ||
	    tmap_metric_init(&it->metric, it->placement, TMAP_SCALE_PROCESS, err) < 0) {
		lineup_fini(it);
		return -1;
	}
	if (!place_of)
		it->order = field->inspection->order;
	lineup_choose(it, field);
	return 0;
}

/* 0 seconds for a call that cannot run with as many ranks as the sample has. */
static int call_time(double *seconds, struct tmap_cost_model *model,
		     const struct tmap_metric *metric, const struct tmap_advice_call *what,
		     const char *algorithm, struct tmap_error *err)
{
	struct tmap_call call = { .size = metric->placement->size,
				  .bytes = what->bytes,
				  .metric = metric };
	struct tmap_error why;

	*seconds = 0;
	if (!*algorithm)
		return 0;
	if (tmap_call_parse(&call, what->collective, algorithm, err) < 0)
		return -1;
	if (tmap_call_check(&call, &why) == 0)
		return tmap_cost(seconds, model, &call, err);
	if (why.kind == TMAP_INPUT)
		return 0;
	*err = why;
	return -1;
}

/* What the library takes in this order, by one profile. */
static int lineup_time(double *seconds, const struct lineup *it, const struct field *field,
		       const struct tmap_profile *profile, struct tmap_error *err)
{
	struct tmap_cost_model model = { 0 };
	int status = tmap_cost_model_init(&model, it->placement, &it->metric,
					  &field->inspection->levels, profile, err);

	for (int i = 0; i < field->advice->count && status == 0; i++)
		status = call_time(&seconds[i], &model, &it->metric, &field->advice->call[i],
				   it->algorithm[i], err);
	tmap_cost_model_fini(&model);
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

static void gain_add(struct tmap_advice_gain *gain, double here, double there)
{
	gain->profiles++;
	gain->against += there > here * TMAP_ADVICE_LOSS;
}

/* The next profile that is asked besides the own one. */
static const struct tmap_profile *next_other(const struct tmap_advice *advice, int *next)
{
	return advice->is_measured ? NULL : tmap_profile_next_other(&advice->profile, next);
}

/* Timed once, whichever order asks. */
static int here_time(const double **seconds, int row, const struct lineup *here,
		     const struct field *field, const struct tmap_profile *profile,
		     struct tmap_error *err)
{
	struct known_time *known = &field->known[row];

	if (!known->is_known && lineup_time(known->seconds, here, field, profile, err) < 0)
		return -1;
	known->is_known = true;
	*seconds = known->seconds;
	return 0;
}

/* What the other profiles say of another order. */
static int order_ask_others(struct tmap_advice_gain *gain, const struct lineup *here,
			    const struct lineup *there, const struct field *field,
			    struct tmap_error *err)
{
	const struct tmap_profile *profile;
	int next = 0;

	while ((profile = next_other(field->advice, &next))) {
		double then[CALLS] = { 0 };
		const double *now;

		if (here_time(&now, next - 1, here, field, profile, err) < 0 ||
		    lineup_time(then, there, field, profile, err) < 0)
			return -1;
		gain_add(gain, mean_ratio(now, then, field->advice->count), 1);
	}
	return 0;
}

/* Ranks by their node's places, those of one node by their first PU. */
struct by_pu {
	int pu, rank;
};

static int compare_by_pu(const void *left, const void *right)
{
	const struct by_pu *a = left, *b = right;

	if (a->pu != b->pu)
		return a->pu < b->pu ? -1 : 1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

static int node_sort(int *rank, int count, const struct tmap_placement *p, struct tmap_error *err)
{
	struct by_pu *sorted = tmap_alloc_raw((size_t)count, sizeof *sorted, err);

	if (!sorted)
		return -1;
	for (int i = 0; i < count; i++) {
		const struct tmap_place *place = &p->places[p->place[rank[i]]];
		const struct tmap_topology *topo = &p->machine->topology[place->topology];
		int pu = 0;

		while (pu < topo->pu_count && !tmap_idset_contains(&place->pus, topo->pu[pu].os))
			pu++;
		sorted[i] = (struct by_pu){ pu, rank[i] };
	}
	qsort(sorted, (size_t)count, sizeof *sorted, compare_by_pu);
	for (int i = 0; i < count; i++)
		rank[i] = sorted[i].rank;
	free(sorted);
	return 0;
}

/* The ranks in another order: node after node, or one of each node in turn. */
static int *order_places(const struct tmap_advice_order *order, const struct tmap_sample *sample,
			 struct tmap_error *err)
{
	const struct tmap_node_fold *fold = sample->fold;
	int size = sample->placement->size, nodes = sample->placement->machine->node_count;
	int *place_of = tmap_alloc_raw((size_t)size, sizeof *place_of, err), taken = 0;

	if (!place_of)
		return NULL;
	if (!order->by_turns)
		memcpy(place_of, fold->rank, (size_t)size * sizeof *place_of);
	for (int i = 0; order->by_turns && taken < size; i++)
		for (int n = 0; n < nodes; n++)
			if (fold->first[n] + i < fold->first[n + 1])
				place_of[taken++] = fold->rank[fold->first[n] + i];
	for (int n = 0; order->by_core && n < nodes; n++)
		if (fold->first[n] < fold->first[n + 1] &&
		    node_sort(place_of + fold->first[n], fold->first[n + 1] - fold->first[n],
			      sample->placement, err) < 0) {
			free(place_of);
			return NULL;
		}
	return place_of;
}

/* Is it worth more than what was found before it? */
static int order_weigh(int row, const struct lineup *here, const struct lineup *there,
		       const double *now, const struct field *field, struct tmap_error *err)
{
	struct tmap_advice *advice = field->advice;
	struct tmap_advice_gain gain = { 0 };
	double then[CALLS] = { 0 };

	if (lineup_time(then, there, field, &advice->profile, err) < 0)
		return -1;
	gain.times = mean_ratio(now, then, advice->count);
	if (gain.times < TMAP_ADVICE_GAIN || gain.times < advice->gain.times * TMAP_ADVICE_LOSS)
		return 0;
	if (order_ask_others(&gain, here, there, field, err) < 0)
		return -1;
	if (gain.against && gain.times > advice->dispute.times) {
		advice->disputed = row;
		advice->dispute = gain;
	}
	if (gain.against)
		return 0;
	advice->order = row;
	advice->gain = gain;
	for (int i = 0; i < advice->count; i++)
		advice->call[i].better_s = then[i];
	return 0;
}

static int orders_weigh(const struct lineup *here, const double *now, struct field *field,
			struct tmap_error *err)
{
	size_t profiles = 0;
	int status = 0;

	while (tmap_keywords_at(&tmap_profiles, profiles))
		profiles++;
	field->known = tmap_alloc(profiles, sizeof *field->known, err);
	if (!field->known)
		return -1;
	for (int row = 0; row < ORDERS && status == 0; row++) {
		int *place_of = order_places(&orders[row], &field->sample, err);
		struct lineup there;

		status = place_of ? lineup_init(&there, field, place_of, err) : -1;
		free(place_of);
		if (status < 0)
			break;
		status = order_weigh(row, here, &there, now, field, err);
		lineup_fini(&there);
	}
	free(field->known);
	field->known = NULL;
	return status;
}

/* What the other profiles say of another algorithm. */
static int knob_ask_others(struct tmap_advice_gain *gain, const struct tmap_advice_call *call,
			   const char *name, const struct lineup *here, const struct field *field,
			   struct tmap_error *err)
{
	const struct tmap_profile *profile;
	int next = 0, status = 0;

	while (status == 0 && (profile = next_other(field->advice, &next))) {
		struct tmap_cost_model model = { 0 };
		double now = 0, then = 0;

		status = tmap_cost_model_init(&model, here->placement, &here->metric,
					      &field->inspection->levels, profile, err);
		if (status == 0)
			status = call_time(&now, &model, &here->metric, call, call->algorithm, err);
		if (status == 0)
			status = call_time(&then, &model, &here->metric, call, name, err);
		if (status == 0)
			gain_add(gain, now, then);
		tmap_cost_model_fini(&model);
	}
	return status;
}

/* The quickest algorithm that an option selects, and that is slower by no other profile. */
static int knob_find(struct tmap_advice_call *call, const struct lineup *here,
		     const struct field *field, struct tmap_error *err)
{
	int library = field->advice->library, status;
	struct tmap_score score = { 0 };
	const struct tmap_score_request request = { .collective = call->collective,
						    .bytes = call->bytes,
						    .profile = &field->advice->profile,
						    .has_library = true,
						    .library = library,
						    .defaults = TMAP_SCORE_DEFAULTS_NONE };

	if (call->here_s <= 0)
		return 0;
	status = tmap_score_init(&score, here->placement, &request, err);
	for (int i = 0; i < score.applicable && status == 0 && !call->knob; i++) {
		const struct tmap_score_row *row = &score.row[i];
		const char *knob = tmap_score_knob(row, library);
		struct tmap_advice_gain gain = { .times = call->here_s / row->seconds };

		if (row->seconds <= 0 || gain.times < TMAP_ADVICE_OPTION_GAIN)
			break;
		if (!knob)
			continue;
		status = knob_ask_others(&gain, call, row->name, here, field, err);
		if (status < 0 || gain.against)
			continue;
		call->gain = gain;
		call->knob = tmap_strdup(knob, err);
		call->other = tmap_strdup(row->name, err);
		status = call->knob && call->other ? 0 : -1;
	}
	tmap_score_fini(&score);
	return status;
}

static void library_find(struct tmap_advice *advice, const struct tmap_inspection *it)
{
	const char *mpi = it->placement->origin.mpi;

	advice->library = it->library;
	if (advice->library == TMAP_NONE && mpi)
		advice->library = tmap_library_of(mpi);
	advice->is_named = mpi || it->library != TMAP_NONE;
	if (!advice->is_named) {
		advice->library = it->assumed.library;
		advice->why = it->assumed.why ? it->assumed.why : "no library is named";
	}
}

/* The calls of which the library's algorithm is known. */
static void calls_find(struct field *field)
{
	struct tmap_advice *advice = field->advice;

	/* programs have calls of their own, and no rank can take the place of another program's */
	if (advice->library == TMAP_NONE || field->inspection->parts.count)
		return;
	for (int i = 0; i < CALLS; i++) {
		struct tmap_advice_call *call = &advice->call[advice->count];
		struct tmap_library_choice choice = tmap_library_choose(
			advice->library,
			&(struct tmap_library_call){ .collective = typical[i].collective,
						     .size = field->inspection->placement->size,
						     .bytes = typical[i].bytes,
						     .order = &field->inspection->order });

		if (!choice.algorithm[0])
			continue;
		*call = (struct tmap_advice_call){ .collective = typical[i].collective,
						   .bytes = typical[i].bytes };
		memcpy(call->algorithm, choice.algorithm, TMAP_LIBRARY_ROOM);
		advice->count++;
	}
}

static int advise(struct field *field, struct tmap_error *err)
{
	struct tmap_advice *advice = field->advice;
	double now[CALLS] = { 0 };
	struct lineup here;
	int status;

	if (lineup_init(&here, field, NULL, err) < 0)
		return -1;
	status = lineup_time(now, &here, field, &advice->profile, err);
	for (int i = 0; i < advice->count; i++)
		advice->call[i].here_s = now[i];
	if (status == 0 && field->inspection->order.used_nodes > 1)
		status = orders_weigh(&here, now, field, err);
	/* the library chose for all ranks: what is good for a few is no judge of that */
	for (int i = 0; i < advice->count && status == 0 && !advice->nodes; i++)
		status = knob_find(&advice->call[i], &here, field, err);
	lineup_fini(&here);
	return status;
}

int tmap_advice_init(struct tmap_advice *advice, const struct tmap_inspection *inspection,
		     struct tmap_error *err)
{
	struct tmap_advice made = { .order = TMAP_NONE, .disputed = TMAP_NONE };
	struct field field = { .inspection = inspection, .advice = &made };
	int status = 0;

	library_find(&made, inspection);
	made.profile = inspection->profile ? *inspection->profile :
					     tmap_profile_for(inspection->placement->machine);
	made.is_measured = made.profile.calibration && !tmap_profile_is_poor(&made.profile) &&
		!tmap_calibration_is_unjudged(made.profile.calibration) &&
		(!made.profile.knows_placement || made.profile.is_same_placement);
	calls_find(&field);
	if (made.count && inspection->placement->size > 1) {
		made.crowd = tmap_sample_count(inspection->placement, &inspection->fold,
					       TMAP_ADVICE_MOST_RANKS, &made.nodes);
		if (made.crowd > TMAP_ADVICE_CROWD) {
			made.count = 0;
		} else {
			made.crowd = 0;
			status = tmap_sample_init(&field.sample, inspection->placement,
						  &inspection->fold, TMAP_ADVICE_MOST_RANKS, err);
			if (status == 0)
				status = advise(&field, err);
		}
		tmap_sample_fini(&field.sample);
	}
	if (status < 0)
		tmap_advice_fini(&made);
	else
		*advice = made;
	return status;
}

void tmap_advice_fini(struct tmap_advice *advice)
{
	for (int i = 0; i < CALLS; i++) {
		free(advice->call[i].other);
		free(advice->call[i].knob);
	}
	*advice = (struct tmap_advice){ 0 };
}

const struct tmap_advice_call *tmap_advice_find_knob(const struct tmap_advice *advice)
{
	const struct tmap_advice_call *best = NULL;

	for (int i = 0; i < advice->count; i++)
		if (advice->call[i].knob &&
		    (!best || advice->call[i].gain.times > best->gain.times))
			best = &advice->call[i];
	return best;
}

char *tmap_advice_print_library(const struct tmap_advice *advice, struct tmap_error *err)
{
	const char *name = tmap_keywords_at(&tmap_libraries, (size_t)advice->library)->summary;

	return advice->why ? tmap_format(err, "%s (%s)", name, advice->why) :
			     tmap_strdup(name, err);
}
