/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/along.h"

#include "core/algorithms/tables.h"

#include <string.h>

static int along_run(struct tmap_emit *emit, struct tmap_plan *plan, int status,
		     int (*travel)(struct tmap_emit *, const struct tmap_plan *))
{
	if (status == 0)
		status = travel(emit, plan);
	tmap_plan_fini(plan);
	return status;
}

int tmap_along_shape(struct tmap_emit *emit, const char *name, const int64_t *value,
		     int (*travel)(struct tmap_emit *emit, const struct tmap_plan *plan))
{
	struct tmap_plan plan = { 0 };

	return along_run(emit, &plan,
			 tmap_plan_init_shape(&plan, emit->call, name, value, emit->err), travel);
}

int tmap_along_distances(struct tmap_emit *emit,
			 int (*travel)(struct tmap_emit *emit, const struct tmap_plan *plan))
{
	struct tmap_plan plan = { 0 };

	return along_run(
		emit, &plan,
		tmap_plan_init_distance(&plan, emit->call, emit->call->choice.value[0], emit->err),
		travel);
}

int tmap_along_down(struct tmap_emit *emit, const struct tmap_plan *plan)
{
	return tmap_plan_down(emit, plan, tmap_unit_count(emit->call), NULL);
}

int tmap_along_up(struct tmap_emit *emit, const struct tmap_plan *plan)
{
	return tmap_plan_up(emit, plan, tmap_unit_count(emit->call));
}

int64_t tmap_segment_of(const struct tmap_call *call)
{
	const struct tmap_param *params = call->choice.row->params;

	for (int i = 0; params && params[i].key; i++)
		if (strcmp(params[i].key, "segment") == 0)
			return call->choice.value[i];
	return 0;
}

int64_t tmap_along_begin(const struct tmap_call *call, int64_t piece)
{
	int64_t segment = tmap_segment_of(call), pieces = tmap_segments(call->bytes, segment);

	return piece >= pieces ? call->bytes : piece * segment;
}

int64_t tmap_along_segments(const struct tmap_call *call)
{
	return tmap_segments(call->bytes, tmap_segment_of(call));
}

#define SEGMENT \
	{ \
		.key = "segment", .summary = "bytes sent at a time; 0: all", .most = INT64_MAX, \
		.is_size = true \
	}
#define END \
	{ \
		.key = NULL \
	}

const struct tmap_param tmap_segment_params[] = { SEGMENT, END };
const struct tmap_param tmap_knomial_params[] = { { .key = "radix",
						    .summary = "children a level, plus one",
						    .preset = 4,
						    .least = 2,
						    .most = 1 << 20 },
						  SEGMENT,
						  END };
const struct tmap_param tmap_chain_params[] = {
	{ .key = "fanout", .summary = "number of chains", .preset = 1, .least = 1, .most = 32 },
	SEGMENT,
	END
};
