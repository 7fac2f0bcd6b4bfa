/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/guidelines/guidelines.h"

#include "core/algorithms/catalogue.h"
#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/library/library.h"
#include "core/machine/levels.h"
#include "core/machine/order.h"
#include "core/schedule/datatype.h"

#include <stdlib.h>

/* A library on a placement. It stays where it is: the cost model points into it. */
struct native {
	int library;    /* row of tmap_libraries */
	int size, root; /* the root is that of collectives which have one */
	int64_t element;
	struct tmap_metric metric;
	struct tmap_levels levels;
	struct tmap_order order;
	struct tmap_cost_model model;
	int count;
	struct tmap_timed *known; /* [count]: what was timed before */
	size_t capacity;
};

static void native_fini(struct native *native)
{
	for (int i = 0; i < native->count; i++)
		free(native->known[i].algorithm);
	free(native->known);
	tmap_cost_model_fini(&native->model);
	tmap_levels_fini(&native->levels);
	tmap_metric_fini(&native->metric);
	*native = (struct native){ 0 };
}

static int native_init(struct native *native, const struct tmap_placement *placement,
		       const struct tmap_guidelines_request *request, struct tmap_error *err)
{
	const struct tmap_profile *profile = request->profile;

	*native = (struct native){ .library = request->library.library,
				   .size = placement->size,
				   .root = request->root,
				   .element = request->element };
	if (tmap_metric_init(&native->metric, placement, TMAP_SCALE_PROCESS, err) == 0 &&
	    tmap_order_find(&native->order, placement, err) == 0 &&
	    tmap_levels_init(&native->levels, placement->machine, err) == 0 &&
	    tmap_cost_model_init(&native->model, placement, &native->metric, &native->levels,
				 profile, err) == 0)
		return 0;
	native_fini(native);
	return -1;
}

static struct tmap_call native_call(const struct native *native, const struct tmap_timed *timed,
				    const struct tmap_library_choice *choice)
{
	return (struct tmap_call){
		.size = native->size,
		.bytes = timed->bytes,
		.element = choice ? tmap_library_cut(choice, native->element) : native->element,
		.metric = &native->metric,
		.root = tmap_collective_rows[timed->collective].has_root ? native->root : 0
	};
}

/* 0, 1 where it cannot run (*why has the reason), or -1. */
static int native_cost(double *seconds, struct native *native, const struct tmap_call *call,
		       struct tmap_error *why, struct tmap_error *err)
{
	int status = tmap_call_check(call, why);

	if (status == 0)
		status = tmap_cost(seconds, &native->model, call, why);
	tmap_cost_model_rest(&native->model);
	if (status == 0)
		return 0;
	if (why->kind == TMAP_INPUT)
		return 1;
	*err = *why;
	return -1;
}

/* By an algorithm that has a name. */
static int native_time_named(struct tmap_timed *timed, struct native *native, const char *name,
			     const struct tmap_library_choice *choice, struct tmap_error *why,
			     struct tmap_error *err)
{
	struct tmap_call call = native_call(native, timed, choice);
	int status;

	if (tmap_call_parse(&call, timed->collective, name, err) < 0)
		return -1;
	status = native_cost(&timed->seconds, native, &call, why, err);
	if (status)
		return status;
	timed->algorithm = tmap_spec_print(&call.choice, err);
	return timed->algorithm ? 0 : -1;
}

/* The fastest row that asks for no placement. */
static int native_time_fastest(struct tmap_timed *timed, struct native *native,
			       struct tmap_error *why, struct tmap_error *err)
{
	const struct tmap_keywords *words = tmap_algorithms(timed->collective);
	struct tmap_call call = native_call(native, timed, NULL);
	struct tmap_spec best = { 0 };

	for (int i = 0; i < tmap_algorithms_tried(timed->collective); i++) {
		double seconds;
		int status;

		call.choice = tmap_spec_preset(words, i);
		if (tmap_call_algorithm(&call)->needs_metric)
			continue;
		status = native_cost(&seconds, native, &call, why, err);
		if (status < 0)
			return -1;
		if (status == 0 && (!best.row || seconds < timed->seconds)) {
			best = call.choice;
			timed->seconds = seconds;
		}
	}
	if (!best.row)
		return 1;
	timed->how = "unknown: the fastest algorithm replaces it";
	timed->is_guess = true;
	timed->algorithm = tmap_spec_print(&best, err);
	return timed->algorithm ? 0 : -1;
}

/* The default algorithm of the library. */
static int native_time_default(struct tmap_timed *timed, struct native *native,
			       struct tmap_error *why, struct tmap_error *err)
{
	const struct tmap_library_call library_call = { .collective = timed->collective,
							.size = native->size,
							.bytes = timed->bytes,
							.element = native->element,
							.order = &native->order };
	struct tmap_library_choice choice = tmap_library_choose(native->library, &library_call);

	if (!choice.algorithm[0])
		return native_time_fastest(timed, native, why, err);
	timed->how = choice.how;
	return native_time_named(timed, native, choice.algorithm, &choice, why, err);
}

static const struct tmap_timed *native_find(const struct native *native,
					    const struct tmap_timed *timed)
{
	for (int i = 0; i < native->count; i++)
		if (native->known[i].collective == timed->collective &&
		    native->known[i].bytes == timed->bytes)
			return &native->known[i];
	return NULL;
}

/* Time the collective and size of *timed by an algorithm ("lane,lanes=1"), or, NULL, as the library
 * takes it; where that is not known, by the fastest of the catalogue that needs no placement. The
 * rest of *timed is set. 0; 1 where it cannot run, *why has the reason; or -1. */
static int native_time(struct native *native, struct tmap_timed *timed, const char *algorithm,
		       struct tmap_error *why, struct tmap_error *err)
{
	struct tmap_timed asked = { .collective = timed->collective, .bytes = timed->bytes };
	const struct tmap_timed *known = algorithm ? NULL : native_find(native, timed);
	int status;

	if (algorithm) {
		timed->how = TMAP_NAMED;
		return native_time_named(timed, native, algorithm, NULL, why, err);
	}
	if (!known) {
		if (tmap_grow(&native->known, &native->capacity, (size_t)native->count + 1,
			      sizeof *native->known, err) < 0)
			return -1;
		status = native_time_default(&asked, native, why, err);
		if (status)
			return status;
		native->known[native->count++] = asked;
		known = &native->known[native->count - 1];
	}
	timed->how = known->how;
	timed->is_guess = known->is_guess;
	timed->seconds = known->seconds;
	timed->algorithm = tmap_strdup(known->algorithm, err);
	return timed->algorithm ? 0 : -1;
}

/* How large a part is, compared with the native collective. */
enum size { SAME, ALL, SHARE };

struct part {
	enum tmap_collective collective;
	enum size size;
	const char *algorithm; /* NULL: the library's own */
};

struct row {
	enum tmap_collective native;
	int count;
	struct part mockup[TMAP_MOCKUP_MOST];
};

#define BY(which, name) \
	{ \
		which, 1, \
		{ \
			{ \
				which, SAME, name \
			} \
		} \
	}
#define LANES(which) BY(which, "lane"), BY(which, "lane,lanes=1")

static const struct row rows[] = {
	{ TMAP_BCAST, 2, { { TMAP_SCATTER, SHARE, NULL }, { TMAP_ALLGATHER, SHARE, NULL } } },
	LANES(TMAP_BCAST),
	{ TMAP_GATHER, 1, { { TMAP_ALLGATHER, SAME, NULL } } },
	{ TMAP_GATHER, 1, { { TMAP_REDUCE, ALL, NULL } } },
	LANES(TMAP_GATHER),
	{ TMAP_SCATTER, 1, { { TMAP_BCAST, ALL, NULL } } },
	LANES(TMAP_SCATTER),
	{ TMAP_ALLGATHER, 2, { { TMAP_GATHER, SAME, NULL }, { TMAP_BCAST, ALL, NULL } } },
	{ TMAP_ALLGATHER, 1, { { TMAP_ALLTOALL, SAME, NULL } } },
	{ TMAP_ALLGATHER, 1, { { TMAP_ALLREDUCE, ALL, NULL } } },
	LANES(TMAP_ALLGATHER),
	LANES(TMAP_ALLTOALL),
	{ TMAP_REDUCE, 1, { { TMAP_ALLREDUCE, SAME, NULL } } },
	{ TMAP_REDUCE,
	  2,
	  { { TMAP_REDUCE_SCATTER_BLOCK, SHARE, NULL }, { TMAP_GATHER, SHARE, NULL } } },
	LANES(TMAP_REDUCE),
	{ TMAP_ALLREDUCE, 2, { { TMAP_REDUCE, SAME, NULL }, { TMAP_BCAST, SAME, NULL } } },
	{ TMAP_ALLREDUCE,
	  2,
	  { { TMAP_REDUCE_SCATTER_BLOCK, SHARE, NULL }, { TMAP_ALLGATHER, SHARE, NULL } } },
	LANES(TMAP_ALLREDUCE),
	{ TMAP_REDUCE_SCATTER, 1, { { TMAP_ALLREDUCE, SAME, NULL } } },
	{ TMAP_REDUCE_SCATTER, 2, { { TMAP_REDUCE, SAME, NULL }, { TMAP_SCATTER, SHARE, NULL } } },
	LANES(TMAP_REDUCE_SCATTER),
	{ TMAP_REDUCE_SCATTER_BLOCK,
	  2,
	  { { TMAP_REDUCE, ALL, NULL }, { TMAP_SCATTER, SAME, NULL } } },
	LANES(TMAP_REDUCE_SCATTER_BLOCK),
	{ TMAP_SCAN, 1, { { TMAP_EXSCAN, SAME, NULL } } },
	LANES(TMAP_SCAN),
	LANES(TMAP_EXSCAN),
};

enum { ROWS = sizeof rows / sizeof *rows };

int tmap_guideline_rows(void)
{
	return ROWS;
}

enum tmap_collective tmap_guideline_native(int row)
{
	return rows[row].native;
}

/* The parts with that between them. */
static char *row_print(const struct row *row, const char *first, const char *between,
		       struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;

	tmap_str_add(&text, first);
	for (int m = 0; m < row->count; m++)
		tmap_str_addf(&text, "%s%s", m ? between : "",
			      row->mockup[m].algorithm ?
				      row->mockup[m].algorithm :
				      tmap_collective_rows[row->mockup[m].collective].word.name);
	return tmap_str_take(&text, err);
}

char *tmap_guideline_name(int row, struct tmap_error *err)
{
	char *mockup = row_print(&rows[row], "", " + ", err), *name;

	if (!mockup)
		return NULL;
	name = tmap_format(err, "%s <= %s", tmap_collective_rows[rows[row].native].word.name,
			   mockup);
	free(mockup);
	return name;
}

char *tmap_guideline_mockup(int row, struct tmap_error *err)
{
	return row_print(&rows[row], rows[row].mockup[0].algorithm ? "" : TMAP_MOCKUP, "+", err);
}

double tmap_guideline_ratio(double native, double mockup)
{
	return mockup > 0 ? native / mockup : 1;
}

bool tmap_guideline_is_guess(const struct tmap_guideline *guideline)
{
	bool is_guess = guideline->native.is_guess;

	for (int m = 0; m < guideline->part_count; m++)
		is_guess |= guideline->mockup[m].is_guess;
	return is_guess;
}

bool tmap_guideline_is_violated(const struct tmap_guideline *guideline)
{
	return guideline->is_measured &&
		tmap_guideline_ratio(guideline->measured_native_s, guideline->measured_mockup_s) >
		TMAP_GUIDELINE_TOLERANCE;
}

void tmap_guidelines_fini(struct tmap_guidelines *guidelines)
{
	for (int i = 0; guidelines->guideline && i < guidelines->count; i++) {
		struct tmap_guideline *guideline = &guidelines->guideline[i];

		free(guideline->name);
		free(guideline->reason);
		free(guideline->native.algorithm);
		for (int m = 0; m < guideline->part_count; m++)
			free(guideline->mockup[m].algorithm);
	}
	free(guidelines->guideline);
	*guidelines = (struct tmap_guidelines){ 0 };
}

/* Bytes of a part; 1 where there are more than fit. */
static int part_size(struct tmap_timed *part, enum size size, const struct tmap_guidelines *it,
		     struct tmap_error *why)
{
	int64_t p = it->placement->size, element = it->request.element ? it->request.element : 1;

	part->bytes = it->request.bytes;
	if (size == SHARE)
		part->bytes =
			(part->bytes / element / p + (part->bytes / element % p > 0)) * element;
	if (size == ALL && __builtin_mul_overflow(it->request.bytes, p, &part->bytes)) {
		tmap_fail(why, TMAP_INPUT, "all blocks together are more than 2^63 - 1 bytes");
		return 1;
	}
	return 0;
}

/* 0, 1 where it does not apply here (*why), or -1. */
static int guideline_time(struct tmap_guideline *guideline, const struct row *row,
			  struct native *native, const struct tmap_guidelines *it,
			  struct tmap_error *why, struct tmap_error *err)
{
	int status = native_time(native, &guideline->native, NULL, why, err);

	for (int m = 0; m < row->count && status == 0; m++) {
		struct tmap_timed *part = &guideline->mockup[m];

		status = part_size(part, row->mockup[m].size, it, why);
		if (status == 0)
			status = native_time(native, part, row->mockup[m].algorithm, why, err);
		guideline->mockup_seconds += part->seconds;
	}
	return status;
}

static int guideline_add(struct tmap_guidelines *it, struct native *native, const struct row *row,
			 struct tmap_error *err)
{
	struct tmap_guideline *guideline = &it->guideline[it->count++];
	struct tmap_error why;
	int status;

	guideline->row = (int)(row - rows);
	guideline->name = tmap_guideline_name(guideline->row, err);
	guideline->native =
		(struct tmap_timed){ .collective = row->native, .bytes = it->request.bytes };
	guideline->part_count = row->count;
	for (int m = 0; m < row->count; m++)
		guideline->mockup[m].collective = row->mockup[m].collective;
	if (!guideline->name)
		return -1;
	status = guideline_time(guideline, row, native, it, &why, err);
	if (status == 1) {
		guideline->reason = tmap_strdup(why.text, err);
		status = guideline->reason ? 0 : -1;
	}
	return status;
}

static int guidelines_add(struct tmap_guidelines *it, struct native *native, struct tmap_error *err)
{
	int wanted = it->request.collective;

	it->guideline = tmap_alloc(ROWS, sizeof *it->guideline, err);
	if (!it->guideline)
		return -1;
	for (int i = 0; i < ROWS; i++) {
		tmap_progress_begin(it->request.progress,
				    tmap_collective_rows[rows[i].native].word.name);
		if ((wanted == TMAP_NONE || wanted == (int)rows[i].native) &&
		    guideline_add(it, native, &rows[i], err) < 0)
			return -1;
		tmap_progress_report(it->request.progress, i + 1, ROWS, "guidelines");
	}
	if (it->count == 0)
		return tmap_fail(err, TMAP_INPUT, "there are no guidelines for %s",
				 tmap_collective_rows[wanted].word.name);
	return 0;
}

int tmap_guidelines_init(struct tmap_guidelines *guidelines, const struct tmap_placement *placement,
			 const struct tmap_guidelines_request *request, struct tmap_error *err)
{
	struct native native;
	int status;

	*guidelines = (struct tmap_guidelines){ .placement = placement, .request = *request };
	if (tmap_root_check(request->root, placement->size, err) < 0)
		return -1;
	if (tmap_datatype_check(request->element, request->bytes, err) < 0 ||
	    native_init(&native, placement, request, err) < 0)
		return -1;
	status = guidelines_add(guidelines, &native, err);
	native_fini(&native);
	guidelines->request.progress = NULL;
	if (status < 0)
		tmap_guidelines_fini(guidelines);
	return status;
}
