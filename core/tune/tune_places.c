/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/tune_places.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/cost/profile_choice.h"
#include "core/library/library.h"
#include "core/lint/compare.h"
#include "core/tune/rule_collectives.h"
#include "core/tune/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void place_free(struct tmap_tune_place *place)
{
	if (!place)
		return;
	for (int i = 0; i < place->other_count; i++)
		tmap_cost_model_fini(&place->other[i]);
	free(place->other);
	tmap_cost_model_fini(&place->model);
	tmap_metric_fini(&place->metric);
	tmap_levels_fini(&place->levels);
	tmap_placement_fini(&place->placement);
	free(place->what);
	free(place);
}

void tmap_tune_places_fini(struct tmap_tune_places *places)
{
	for (int i = 0; i < places->count; i++)
		place_free(places->place[i]);
	free(places->place);
	*places = (struct tmap_tune_places){ 0 };
}

/* How the ranks lie, as far as the library knows it: what it does not find out of the world is whether each
 * has a node of its own. */
static enum tmap_rule_spread spread_of(const struct tmap_order *order, int ranks, int world)
{
	if (order->used_nodes == 1)
		return TMAP_SPREAD_NODE;
	return order->ranks_max == 1 && ranks < world ? TMAP_SPREAD_NODES : TMAP_SPREAD_ANY;
}

static int place_add_others(struct tmap_tune_place *place, const struct tmap_profile *profile,
			    struct tmap_error *err)
{
	size_t published = 0;

	if (!tmap_profile_is_guessed(profile))
		return 0;
	while (tmap_keywords_at(&tmap_profiles, published))
		published++;
	place->other = tmap_alloc(published, sizeof *place->other, err);
	if (!place->other)
		return -1;
	for (size_t i = 0; i < published; i++) {
		const struct tmap_profile *it = tmap_profile_at((int)i);

		if (strcmp(it->word.name, profile->word.name) == 0)
			continue;
		if (tmap_cost_model_init(&place->other[place->other_count], &place->placement,
					 &place->metric, &place->levels, it, err) < 0)
			return -1;
		place->other_count++;
	}
	return 0;
}

static struct tmap_tune_place *place_new(const struct tmap_tune_places *places, const char *what,
					 const int *ranks, int count, struct tmap_error *err)
{
	struct tmap_tune_place *place = tmap_alloc(1, sizeof *place, err);

	for (int c = 0; place && c < TMAP_COLLECTIVE_COUNT; c++)
		place->weight[c] = 1;
	if (place)
		place->communicator = TMAP_NONE;
	if (place && (place->what = tmap_strdup(what, err)) &&
	    tmap_placement_subset(&place->placement, places->job, ranks, count, err) == 0 &&
	    tmap_levels_init(&place->levels, place->placement.machine, err) == 0 &&
	    tmap_metric_init(&place->metric, &place->placement, TMAP_SCALE_PROCESS, err) == 0 &&
	    tmap_cost_model_init(&place->model, &place->placement, &place->metric, &place->levels,
				 places->profile, err) == 0 &&
	    place_add_others(place, places->profile, err) == 0 &&
	    tmap_order_find(&place->order, &place->placement, err) == 0) {
		place->comm = (struct tmap_rule_comm){
			count, spread_of(&place->order, count, places->job->size)
		};
		return place;
	}
	place_free(place);
	return NULL;
}

/* Is there one of these ranks, in this order? */
static bool places_have(const struct tmap_tune_places *places, const int *ranks, int count)
{
	for (int i = 0; i < places->count; i++) {
		const struct tmap_placement *known = &places->place[i]->placement;
		bool same = known->size == count;

		for (int r = 0; same && r < count; r++)
			same = (known->world ? known->world[r] : r) == ranks[r];
		if (same)
			return true;
	}
	return false;
}

int tmap_tune_places_alike(const struct tmap_tune_places *places, int at, bool by_spread)
{
	const struct tmap_rule_comm *first = &places->place[at]->comm;
	int count = 1;

	while (at + count < places->count) {
		const struct tmap_rule_comm *next = &places->place[at + count]->comm;

		if (next->ranks != first->ranks || (by_spread && next->spread != first->spread))
			break;
		count++;
	}
	return count;
}

/* By size, and of one size those whose ranks lie alike beside each other: any last. */
static bool is_behind(const struct tmap_rule_comm *a, const struct tmap_rule_comm *b)
{
	if (a->ranks != b->ranks)
		return a->ranks > b->ranks;
	if (a->spread == TMAP_SPREAD_ANY || b->spread == TMAP_SPREAD_ANY)
		return b->spread != TMAP_SPREAD_ANY;
	return a->spread > b->spread;
}

void tmap_tune_places_sort_by_spread(struct tmap_tune_places *places)
{
	for (int i = 1; i < places->count; i++) {
		struct tmap_tune_place *moved = places->place[i];
		int at = i;

		for (; at > 0 && is_behind(&places->place[at - 1]->comm, &moved->comm); at--)
			places->place[at] = places->place[at - 1];
		places->place[at] = moved;
	}
}

/* The new place, borrowed; NULL with *err set. */
static struct tmap_tune_place *places_insert(struct tmap_tune_places *places, const char *what,
					     const int *ranks, int count, struct tmap_error *err)
{
	struct tmap_tune_place *made;
	int at = places->count;

	if (tmap_grow(&places->place, &places->capacity, (size_t)places->count + 1,
		      sizeof *places->place, err) < 0)
		return NULL;
	made = place_new(places, what, ranks, count, err);
	if (!made)
		return NULL;
	for (; at > 0 && places->place[at - 1]->placement.size > count; at--)
		places->place[at] = places->place[at - 1];
	places->place[at] = made;
	places->count++;
	return made;
}

int tmap_tune_places_add(struct tmap_tune_places *places, const char *what, const int *ranks,
			 int count, struct tmap_error *err)
{
	if (count < 2 || places_have(places, ranks, count))
		return 0;
	return places_insert(places, what, ranks, count, err) ? 0 : -1;
}

/* Of all nodes, numbers of ranks and how many nodes have them. */
struct node_sizes {
	int *ranks, *nodes; /* [count] */
	int count;
};

static int compare_ints(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* *sizes = the numbers that nodes have, in two arrays of one allocation, ranks. */
static int node_sizes_init(struct node_sizes *sizes, const int *on_node, int nodes,
			   struct tmap_error *err)
{
	int *sorted = tmap_alloc((size_t)nodes, 2 * sizeof *sorted, err);

	if (!sorted)
		return -1;
	*sizes = (struct node_sizes){ .ranks = sorted, .nodes = sorted + nodes };
	memcpy(sorted, on_node, (size_t)nodes * sizeof *sorted);
	qsort(sorted, (size_t)nodes, sizeof *sorted, compare_ints);
	for (int n = 0; n < nodes; n++) {
		if (!sizes->count || sorted[sizes->count - 1] != sorted[n])
			sorted[sizes->count++] = sorted[n];
		sizes->nodes[sizes->count - 1]++;
	}
	return 0;
}

/* The first node with so many ranks has them in a communicator. */
static int add_node(struct tmap_tune_places *places, const int *on_node, int ranks, int *list,
		    struct tmap_error *err)
{
	const struct tmap_placement *job = places->job;
	int node = 0, count = 0;

	while (on_node[node] != ranks)
		node++;
	for (int r = 0; r < job->size; r++)
		if (job->node[r] == node)
			list[count++] = r;
	return tmap_tune_places_add(places, "the ranks of a node", list, count, err);
}

/* The numbers of ranks that most nodes have; of equals the larger. */
static int add_nodes(struct tmap_tune_places *places, const int *on_node, int *list,
		     struct tmap_error *err)
{
	struct node_sizes sizes;
	int status = node_sizes_init(&sizes, on_node, places->job->machine->node_count, err);

	if (status < 0)
		return -1;
	for (int added = 0; status == 0; added++) {
		int most = TMAP_NONE;

		for (int i = 0; i < sizes.count; i++)
			if (sizes.ranks[i] > 1 && sizes.nodes[i] > 0 &&
			    (most == TMAP_NONE || sizes.nodes[i] >= sizes.nodes[most]))
				most = i;
		if (most == TMAP_NONE)
			break;
		if (added < TMAP_TUNE_NODE_SIZES)
			status = add_node(places, on_node, sizes.ranks[most], list, err);
		else
			places->left_out++;
		sizes.nodes[most] = 0;
	}
	free(sizes.ranks);
	return status;
}

/* The first rank of each node. */
static int add_leaders(struct tmap_tune_places *places, int *list, struct tmap_error *err)
{
	const struct tmap_placement *job = places->job;
	bool *has = tmap_alloc((size_t)job->machine->node_count, sizeof *has, err);
	int count = 0, status;

	if (!has)
		return -1;
	for (int r = 0; r < job->size; r++) {
		if (!has[job->node[r]])
			list[count++] = r;
		has[job->node[r]] = true;
	}
	status = tmap_tune_places_add(places, "one rank of each node", list, count, err);
	free(has);
	return status;
}

bool tmap_tune_counts(const struct tmap_recorded_call *call)
{
	const struct tmap_recorded_row *row = &tmap_recorded_rows[call->collective];

	return call->mode == TMAP_BLOCKING && !row->is_irregular &&
		tmap_rule_collective_number(row->like) != TMAP_NONE;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
	while (b) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* *most = at least this call's size, and an element of it. */
static void most_raise(int64_t *most, const struct tmap_recorded_call *call)
{
	if (call->bytes > *most)
		*most = call->bytes;
	if (call->element > *most)
		*most = call->element;
	if (*most > TMAP_TUNE_MOST)
		*most = TMAP_TUNE_MOST;
}

/* The largest size of each collective, in a program (NULL: none). */
static void most_fill(int64_t most[TMAP_COLLECTIVE_COUNT], const struct tmap_record *record)
{
	for (int c = 0; c < TMAP_COLLECTIVE_COUNT; c++)
		most[c] = record ? 0 : TMAP_TUNE_MOST;
	for (int i = 0; record && i < record->call_count; i++)
		if (tmap_tune_counts(&record->call[i]))
			most_raise(&most[tmap_recorded_rows[record->call[i].collective].like],
				   &record->call[i]);
}

/* Those of most programs, or those of one (NULL: none). */
static void elements_fill(int64_t element[TMAP_COLLECTIVE_COUNT], const struct tmap_record *record)
{
	int64_t its[TMAP_COLLECTIVE_COUNT] = { 0 };

	for (int i = 0; record && i < record->call_count; i++) {
		const struct tmap_recorded_call *call = &record->call[i];
		int64_t *at = &its[tmap_recorded_rows[call->collective].like];

		if (tmap_tune_counts(call))
			*at = common_divisor(*at, call->element);
	}
	for (int c = 0; c < TMAP_COLLECTIVE_COUNT; c++)
		element[c] = its[c] ? its[c] : tmap_collective_rows[c].reduces ? 8 : 1;
}

int tmap_tune_places_init(struct tmap_tune_places *places, const struct tmap_placement *job,
			  const struct tmap_profile *profile, struct tmap_error *err)
{
	struct tmap_tune_places made = { .job = job, .profile = profile };
	int *list = tmap_alloc_raw((size_t)job->size, sizeof *list, err);
	int *on_node = list ? tmap_placement_count_ranks(job, err) : NULL;
	int status = on_node ? 0 : -1;

	elements_fill(made.element, NULL);
	most_fill(made.most, NULL);
	for (int r = 0; status == 0 && r < job->size; r++)
		list[r] = r;
	if (status == 0)
		status = tmap_tune_places_add(&made, "all ranks", list, job->size, err);
	if (status == 0)
		status = add_nodes(&made, on_node, list, err);
	if (status == 0)
		status = add_leaders(&made, list, err);
	free(on_node);
	free(list);
	if (status < 0)
		tmap_tune_places_fini(&made);
	else
		*places = made;
	return status;
}

/* weight[communicators][TMAP_COLLECTIVE_COUNT], added up. */
static void add_weights(double *weight, const struct tmap_record *record)
{
	for (int i = 0; i < record->call_count; i++) {
		const struct tmap_recorded_call *call = &record->call[i];
		size_t at = (size_t)call->communicator * TMAP_COLLECTIVE_COUNT +
			(size_t)tmap_recorded_rows[call->collective].like;

		if (tmap_tune_counts(call) && record->communicator[call->communicator].rank &&
		    record->communicator[call->communicator].size > 1)
			weight[at] += fmax(call->seconds_max, 1e-9 * (double)call->calls);
	}
}

/* The communicator of most weight, which is above 0; TMAP_NONE: there is no more. */
static int find_heaviest(const double *weight, int count)
{
	int found = TMAP_NONE;
	double most = 0;

	for (int k = 0; k < count; k++) {
		double sum = 0;

		for (int c = 0; c < TMAP_COLLECTIVE_COUNT; c++)
			sum += weight[(size_t)k * TMAP_COLLECTIVE_COUNT + (size_t)c];
		if (sum > most) {
			most = sum;
			found = k;
		}
	}
	return found;
}

static bool places_have_size(const struct tmap_tune_places *places, int size)
{
	for (int p = 0; p < places->count; p++)
		if (places->place[p]->placement.size == size)
			return true;
	return false;
}

/* Named as the program did, or by its number. */
static int add_communicator(struct tmap_tune_places *places, const struct tmap_record *record,
			    int number, const double *weight, struct tmap_error *err)
{
	const struct tmap_recorded_communicator *it = &record->communicator[number];
	struct tmap_str text = TMAP_STR_INIT;
	struct tmap_tune_place *place;
	char *what;

	tmap_str_addf(&text, "communicator %d", number);
	if (*it->name) {
		tmap_str_add(&text, ", ");
		tmap_str_add_printable(&text, it->name);
	}
	what = tmap_str_take(&text, err);
	place = what ? places_insert(places, what, it->rank, it->size, err) : NULL;
	free(what);
	if (!place)
		return -1;
	place->communicator = number;
	memcpy(place->weight, weight, sizeof place->weight);
	return 0;
}

int tmap_tune_places_init_record(struct tmap_tune_places *places, const struct tmap_record *record,
				 const struct tmap_profile *profile, struct tmap_error *err)
{
	struct tmap_tune_places made = { .job = &record->placement,
					 .profile = profile,
					 .is_program = true };
	double *weight = tmap_alloc((size_t)record->communicator_count,
				    TMAP_COLLECTIVE_COUNT * sizeof *weight, err);
	int status = weight ? 0 : -1, number;

	elements_fill(made.element, record);
	most_fill(made.most, record);
	if (status == 0)
		add_weights(weight, record);
	while (status == 0 &&
	       (number = find_heaviest(weight, record->communicator_count)) != TMAP_NONE) {
		double *its = &weight[(size_t)number * TMAP_COLLECTIVE_COUNT];

		if (made.count < TMAP_TUNE_PROGRAM_MOST)
			status = add_communicator(&made, record, number, its, err);
		else
			*(places_have_size(&made, record->communicator[number].size) ?
				  &made.untimed :
				  &made.left_out) += 1;
		memset(its, 0, TMAP_COLLECTIVE_COUNT * sizeof *its);
	}
	free(weight);
	if (status == 0 && !made.count)
		status = tmap_fail(err, TMAP_INPUT,
				   "the program makes no blocking calls, on several ranks, of "
				   "collectives that rules choose for");
	if (status < 0)
		tmap_tune_places_fini(&made);
	else
		*places = made;
	return status;
}

int64_t tmap_tune_record_most(const struct tmap_record *record)
{
	int64_t most = 8;

	for (int i = 0; i < record->call_count; i++)
		if (tmap_tune_counts(&record->call[i]))
			most_raise(&most, &record->call[i]);
	return most;
}

bool tmap_tune_is_called(struct tmap_tune_place *const *place, int count,
			 enum tmap_collective collective)
{
	for (int p = 0; p < count; p++)
		if (place[p]->weight[collective] > 0)
			return true;
	return false;
}

double tmap_tune_share(struct tmap_tune_place *const *place, int count, int i,
		       enum tmap_collective collective)
{
	double sum = 0;

	for (int p = 0; p < count; p++)
		sum += place[p]->weight[collective];
	return sum > 0 ? place[i]->weight[collective] / sum : 0;
}

int tmap_tune_places_measure(struct tmap_tune_places *places, const struct tmap_times *times,
			     int library, struct tmap_error *err)
{
	int found = 0;

	if (!tmap_library_is_of(library, times->mpi))
		return tmap_fail(err, TMAP_INPUT, "it is of %.100s, not of %s", times->mpi,
				 tmap_keywords_at(&tmap_libraries, (size_t)library)->summary);
	for (int p = 0; p < places->count; p++) {
		struct tmap_tune_place *place = places->place[p];
		bool alike;

		if (tmap_placements_compare(&alike, NULL, &times->placement, &place->placement,
					    err) < 0)
			return -1;
		if (!alike)
			continue;
		if (place->times)
			return tmap_fail(
				err, TMAP_INPUT,
				"there are times on %d ranks (%s) already, which cannot be "
				"joined with these",
				place->placement.size, place->what);
		place->times = times;
		found++;
	}
	return found ? 0 :
		       tmap_fail(err, TMAP_INPUT,
				 "its %d ranks are placed otherwise than those of any communicator "
				 "that gets rules",
				 times->placement.size);
}

bool tmap_tune_places_are_measured(const struct tmap_tune_places *places)
{
	for (int p = 0; p < places->count; p++)
		if (places->place[p]->times)
			return true;
	return false;
}
