#include "core/algorithms/along.h"

#include "core/algorithms/tables.h"

#include <string.h>

static int run(struct tm_emit *emit, struct tm_plan *plan, int status,
	       int (*travel)(struct tm_emit *, const struct tm_plan *))
{
	if (status == 0)
		status = travel(emit, plan);
	tm_plan_fini(plan);
	return status;
}

int tm_along_shape(struct tm_emit *emit, const char *name, const int64_t *value,
		   int (*travel)(struct tm_emit *emit, const struct tm_plan *plan))
{
	struct tm_plan plan = { 0 };

	return run(emit, &plan, tm_plan_init_shape(&plan, emit->call, name, value, emit->err),
		   travel);
}

int tm_along_distances(struct tm_emit *emit,
		       int (*travel)(struct tm_emit *emit, const struct tm_plan *plan))
{
	struct tm_plan plan = { 0 };

	return run(emit, &plan, tm_plan_init_distance(&plan, emit->call,
						      emit->call->choice.value[0], emit->err),
		   travel);
}

int tm_along_down(struct tm_emit *emit, const struct tm_plan *plan)
{
	return tm_plan_down(emit, plan, tm_unit_count(emit->call), NULL);
}

int tm_along_up(struct tm_emit *emit, const struct tm_plan *plan)
{
	return tm_plan_up(emit, plan, tm_unit_count(emit->call));
}

int64_t tm_segment_of(const struct tm_call *call)
{
	const struct tm_param *params = call->choice.row->params;

	for (int i = 0; params && params[i].key; i++)
		if (strcmp(params[i].key, "segment") == 0)
			return call->choice.value[i];
	return 0;
}

int64_t tm_along_segments(const struct tm_call *call)
{
	return tm_segments(call->bytes, tm_segment_of(call));
}

#define SEGMENT { .key = "segment", .summary = "bytes sent at a time; 0: all", \
		  .most = INT64_MAX, .is_size = true }
#define END { .key = NULL }

const struct tm_param tm_segment_params[] = { SEGMENT, END };
const struct tm_param tm_knomial_params[] = {
	{ .key = "radix", .summary = "children a level, plus one", .preset = 4, .least = 2,
	  .most = 1 << 20 }, SEGMENT, END };
const struct tm_param tm_chain_params[] = {
	{ .key = "fanout", .summary = "number of chains", .preset = 1, .least = 1, .most = 32 },
	SEGMENT, END };
