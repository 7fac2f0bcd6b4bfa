/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/catalogue.h"
#include "core/base/mem.h"
#include "core/machine/most_ranks.h"
#include "core/schedule/datatype.h"
#include "lib/handles.h"

#include <stdlib.h>

static int call_init(struct topomap_call *it, const char *collective, const char *algorithm,
		     int size, int64_t bytes, int root, struct tmap_error *err)
{
	const struct tmap_collective_row *row;
	int found;

	if (tmap_argument_check(collective, "collective", err) < 0 ||
	    (found = tmap_word_find(&tmap_collectives, collective, 0, err)) == TMAP_NONE)
		return -1;
	row = &tmap_collective_rows[found];
	if (size < 1 || size > TMAP_MOST_RANKS)
		return tmap_fail(err, TMAP_USAGE, "%d ranks: a call has 1 to %d", size,
				 TMAP_MOST_RANKS);
	if (bytes < 0 || (bytes && found == TMAP_BARRIER))
		return tmap_fail(err, TMAP_USAGE, "%lld bytes for a call of %s", (long long)bytes,
				 row->word.name);
	if (tmap_index_check(root, size, "rank", err) < 0)
		return tmap_wrap(err, "root");
	if (root && !row->has_root)
		return tmap_fail(err, TMAP_USAGE, "%s has no root", row->word.name);
	it->collective = (enum tmap_collective)found;
	it->call = (struct tmap_call){ .size = size, .root = root, .bytes = bytes };
	if (!algorithm)
		return 0;
	it->algorithm = tmap_strdup(algorithm, err);
	if (!it->algorithm)
		return -1;
	if (tmap_call_parse(&it->call, it->collective, algorithm, err) == 0)
		return 0;
	err->kind = err->kind == TMAP_INPUT ? TMAP_USAGE : err->kind;
	return -1;
}

struct topomap_call *topomap_call_new(const char *collective, const char *algorithm, int size,
				      int64_t bytes, int root, struct topomap_error *err)
{
	struct tmap_error why;
	struct topomap_call *made = tmap_handle_new(TMAP_HANDLE_CALL, sizeof *made, &why);

	if (made && call_init(made, collective, algorithm, size, bytes, root, &why) == 0)
		return made;
	topomap_call_free(made);
	tmap_public_error(err, &why);
	return NULL;
}

void topomap_call_free(struct topomap_call *call)
{
	if (!call || !tmap_handle_release(call, TMAP_HANDLE_CALL))
		return;
	tmap_neighborhood_fini(&call->neighborhood);
	topomap_distances_free(call->distances);
	free(call->algorithm);
	free(call);
}

static int check_change(const struct topomap_call *call, struct tmap_error *err)
{
	return tmap_handle_check(call, TMAP_HANDLE_CALL, err) < 0 ?
		-1 :
		tmap_handle_check_alone(call, err);
}

int topomap_call_set_element(struct topomap_call *call, int64_t bytes, struct topomap_error *err)
{
	struct tmap_error why;

	if (check_change(call, &why) < 0)
		return tmap_public_error(err, &why);
	if (bytes < 0 || bytes > 65536) {
		tmap_fail(&why, TMAP_USAGE,
			  "%lld bytes are no element, which has 0 (not said) to 65536",
			  (long long)bytes);
		return tmap_public_error(err, &why);
	}
	if (tmap_datatype_check(bytes, call->call.bytes, &why) < 0)
		return tmap_public_error(err, &why);
	call->call.element = bytes;
	return 0;
}

int topomap_call_set_distances(struct topomap_call *call, const struct topomap_distances *distances,
			       struct topomap_error *err)
{
	struct tmap_error why;

	if (check_change(call, &why) < 0 ||
	    tmap_handle_check(distances, TMAP_HANDLE_DISTANCES, &why) < 0)
		return tmap_public_error(err, &why);
	if (!distances->placement) {
		tmap_fail(&why, TMAP_USAGE,
			  "algorithms follow the distances of a placement, and these were "
			  "measured");
		return tmap_public_error(err, &why);
	}
	if (distances->metric.size != call->call.size) {
		tmap_fail(&why, TMAP_USAGE, "distances of %d ranks for a call of %d",
			  distances->metric.size, call->call.size);
		return tmap_public_error(err, &why);
	}
	topomap_distances_free(call->distances);
	call->distances = tmap_handle_hold(distances);
	call->call.metric = &call->distances->metric;
	return 0;
}

int topomap_call_set_neighbors(struct topomap_call *call, const char *stencil, const char *cart,
			       const char *periods, struct topomap_error *err)
{
	struct tmap_neighborhood made = { 0 };
	struct tmap_error why;
	locale_t before;
	int status;

	if (check_change(call, &why) < 0 || tmap_argument_check(stencil, "stencil", &why) < 0)
		return tmap_public_error(err, &why);
	if (!tmap_collective_rows[call->collective].has_neighbors) {
		tmap_fail(&why, TMAP_USAGE, "%s has no neighborhood",
			  tmap_collective_rows[call->collective].word.name);
		return tmap_public_error(err, &why);
	}
	if (!(before = tmap_locale_begin(&why)))
		return tmap_public_error(err, &why);
	status = tmap_neighborhood_init(&made, call->call.size, stencil, cart, periods, NULL, &why);
	tmap_locale_end(before);
	if (status < 0)
		return tmap_public_error(err, &why);
	if (made.weight) {
		tmap_fail(&why, TMAP_USAGE,
			  "%s sends the same to every neighbor: its offsets have no weights",
			  tmap_collective_rows[call->collective].word.name);
		tmap_neighborhood_fini(&made);
		return tmap_public_error(err, &why);
	}
	tmap_neighborhood_fini(&call->neighborhood);
	call->neighborhood = made;
	call->call.neighborhood = &call->neighborhood;
	return 0;
}

int tmap_public_call_check(const struct topomap_call *call, struct tmap_error *err)
{
	if (tmap_handle_check(call, TMAP_HANDLE_CALL, err) < 0)
		return -1;
	if (tmap_collective_rows[call->collective].has_neighbors && !call->call.neighborhood)
		return tmap_fail(err, TMAP_USAGE, "the neighbors of %s are not set",
				 tmap_collective_rows[call->collective].word.name);
	return 0;
}

/* A call whose algorithm can run. */
static int check_runs(const struct topomap_call *call, struct tmap_error *err)
{
	if (tmap_public_call_check(call, err) < 0)
		return -1;
	if (!call->algorithm)
		return tmap_fail(err, TMAP_USAGE, "the call has no algorithm yet");
	return tmap_call_check(&call->call, err);
}

int64_t topomap_call_unit_count(const struct topomap_call *call, struct topomap_error *err)
{
	struct tmap_error why;

	if (check_runs(call, &why) < 0)
		return tmap_public_error(err, &why);
	return tmap_unit_count(&call->call);
}

int topomap_call_unit(const struct topomap_call *call, int64_t unit, int64_t *first, int64_t *bytes,
		      struct topomap_error *err)
{
	const struct tmap_run before = { 0, unit, 1 };
	struct tmap_error why;
	int64_t count;

	if (check_runs(call, &why) < 0 || tmap_argument_check(first, "first", &why) < 0 ||
	    tmap_argument_check(bytes, "bytes", &why) < 0)
		return tmap_public_error(err, &why);
	count = tmap_unit_count(&call->call);
	if (unit < 0 || unit >= count) {
		tmap_fail(&why, TMAP_USAGE, "unit %lld is not one of the %lld units",
			  (long long)unit, (long long)count);
		return tmap_public_error(err, &why);
	}
	if (!tmap_call_is_countable(&call->call)) {
		tmap_fail(&why, TMAP_INPUT, "%lld units of %lld bytes are more than can be counted",
			  (long long)count, (long long)call->call.bytes);
		return tmap_public_error(err, &why);
	}
	*first = tmap_run_bytes(&call->call, &before);
	*bytes = tmap_unit_bytes(&call->call, unit);
	return 0;
}

/* The user's visitor, and what it returned. */
struct visit {
	int (*visit)(void *context, const struct topomap_message *message);
	void *context;
	int returned;
};

static int visit_message(void *context, const struct tmap_message *message, struct tmap_error *err)
{
	struct visit *it = context;
	const struct topomap_message given = {
		.round = message->round,
		.from = message->from,
		.to = message->to,
		.bytes = message->bytes,
		.combine = message->combine,
		.buffer = (int)message->on,
		.run_count = message->run_count,
		/* both are first, count, stride: see below */
		.run = (const struct topomap_run *)(const void *)message->run,
	};

	_Static_assert(
		sizeof(struct topomap_run) == sizeof(struct tmap_run) &&
			offsetof(struct topomap_run, count) == offsetof(struct tmap_run, count) &&
			offsetof(struct topomap_run, stride) == offsetof(struct tmap_run, stride),
		"runs are the same outside and inside");
	it->returned = it->visit(it->context, &given);
	return it->returned ? tmap_fail(err, TMAP_USAGE,
					"the visitor returned %d: it is to be 0, or above 0 to end",
					it->returned) :
			      0;
}

/* All messages where @p rank is TMAP_NONE. */
static int visit_call(const struct topomap_call *call, int rank,
		      int (*visit)(void *context, const struct topomap_message *message),
		      void *context, struct topomap_error *err)
{
	struct visit it = { .visit = visit, .context = context };
	struct tmap_visitor visitor = { .message = visit_message, .context = &it };
	struct tmap_error why;
	int status = visit ? 0 : tmap_fail(&why, TMAP_USAGE, "visit is NULL");

	if (status == 0)
		status = check_runs(call, &why);
	if (status == 0 && rank != TMAP_NONE)
		status = tmap_index_check(rank, call->call.size, "rank", &why);
	if (status == 0)
		status = rank == TMAP_NONE ? tmap_schedule(&call->call, &visitor, &why) :
					     tmap_schedule_rank(&call->call, rank, &visitor, &why);
	if (it.returned > 0)
		return it.returned;
	return status < 0 ? tmap_public_error(err, &why) : 0;
}

int topomap_call_visit(const struct topomap_call *call,
		       int (*visit)(void *context, const struct topomap_message *message),
		       void *context, struct topomap_error *err)
{
	return visit_call(call, TMAP_NONE, visit, context, err);
}

int topomap_call_visit_rank(const struct topomap_call *call, int rank,
			    int (*visit)(void *context, const struct topomap_message *message),
			    void *context, struct topomap_error *err)
{
	struct tmap_error why;

	if (rank >= 0)
		return visit_call(call, rank, visit, context, err);
	tmap_fail(&why, TMAP_USAGE, "rank %d is not a rank", rank);
	return tmap_public_error(err, &why);
}
