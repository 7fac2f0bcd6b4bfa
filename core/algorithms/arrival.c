/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/arrival.h"

#include "core/algorithms/hierarchical.h"
#include "core/base/mem.h"
#include "core/group/hierarchy.h"

#include <stdlib.h>

enum { RANK_BYTES = 4, RUN_BYTES = 8 };

void tmap_arrival_fini(struct tmap_arrival *arrival)
{
	free(arrival->order);
	*arrival = (struct tmap_arrival){ 0 };
}

bool tmap_arrival_has(const struct tmap_call *call)
{
	const struct tmap_algorithm *algorithm = tmap_call_algorithm(call);

	return algorithm->generate == tmap_hierarchical &&
		(algorithm->collective == TMAP_GATHER || algorithm->gathers);
}

/* Each group has the blocks of its members one behind the other. */
static int arrival_find_order(const struct tmap_hierarchy *h, int *order, struct tmap_error *err)
{
	int *place = tmap_alloc((size_t)h->comm_count, sizeof *place, err); /* of its first block */

	for (int c = 0; place && c < h->comm_count; c++) /* the outer ones come first */
		for (int64_t i = h->group_first[c]; i < h->group_first[c + 1]; i++) {
			int below = tmap_hierarchy_below(h, c, h->group[i]);

			if (below == TMAP_NONE) {
				order[place[c]++] = h->group[i];
				continue;
			}
			place[below] = place[c];
			place[c] += tmap_comm_size(h, below);
		}
	free(place);
	return place ? 0 : -1;
}

/* The order alone. */
static int arrival_init_order(struct tmap_arrival *arrival, const struct tmap_call *call,
			      struct tmap_error *err)
{
	struct tmap_arrival made = { .size = call->size };
	struct tmap_hierarchy h;
	int status = -1;

	if (tmap_hierarchical_communicators(&h, call, err) < 0)
		return -1;
	made.order = tmap_alloc_raw((size_t)call->size, sizeof *made.order, err);
	if (made.order)
		status = arrival_find_order(&h, made.order, err);
	for (int r = 0; r < call->size && status == 0; r++)
		made.moved += made.order[r] != r;
	tmap_hierarchy_fini(&h);
	if (status < 0)
		tmap_arrival_fini(&made);
	else
		*arrival = made;
	return status;
}

int tmap_arrival_copies(const struct tmap_call *call, int64_t *bytes, struct tmap_error *err)
{
	struct tmap_arrival arrival;

	if (arrival_init_order(&arrival, call, err) < 0)
		return -1;
	if (__builtin_mul_overflow(arrival.moved ? call->size : 0, call->bytes, bytes))
		*bytes = INT64_MAX;
	tmap_arrival_fini(&arrival);
	return 0;
}

/* What the messages carry. */
struct arrival_count {
	struct tmap_arrival *arrival;
	int *stamp; /* [size + 1]: by rank + 1, the last message that carried its block */
	int message;
};

static int arrival_visit_message(void *context, const struct tmap_message *message,
				 struct tmap_error *err)
{
	struct arrival_count *count = context;

	(void)err;
	count->message++;
	for (int i = 0; i < message->run_count; i++)
		for (int64_t k = 0; k < message->run[i].count; k++)
			count->stamp[message->run[i].first + k * message->run[i].stride + 1] =
				count->message;
	for (int i = 0; i < message->run_count; i++)
		for (int64_t k = 0; k < message->run[i].count; k++) {
			int64_t rank = message->run[i].first + k * message->run[i].stride;

			count->arrival->sent_bytes += RANK_BYTES;
			if (count->stamp[rank] != count->message)
				count->arrival->packed_bytes += RUN_BYTES;
		}
	return 0;
}

int tmap_arrival_init(struct tmap_arrival *arrival, const struct tmap_call *call,
		      struct tmap_error *err)
{
	struct tmap_arrival made;
	struct arrival_count count = { .arrival = &made };
	struct tmap_visitor visitor = { .message = arrival_visit_message, .context = &count };
	int status = -1;

	if (arrival_init_order(&made, call, err) < 0)
		return -1;
	count.stamp = tmap_alloc((size_t)call->size + 1, sizeof *count.stamp, err);
	if (count.stamp)
		status = tmap_schedule(call, &visitor, err);
	free(count.stamp);
	if (status < 0)
		tmap_arrival_fini(&made);
	else
		*arrival = made;
	return status;
}
