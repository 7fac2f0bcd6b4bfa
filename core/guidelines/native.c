#include "core/guidelines/native.h"

#include "core/algorithms/catalogue.h"
#include "core/base/mem.h"
#include "core/library/library.h"

#include <stdlib.h>

void tmap_native_fini(struct tmap_native *native)
{
	for (int i = 0; i < native->count; i++)
		free(native->known[i].algorithm);
	free(native->known);
	tmap_cost_model_fini(&native->model);
	tmap_levels_fini(&native->levels);
	tmap_metric_fini(&native->metric);
	*native = (struct tmap_native){ 0 };
}

int tmap_native_init(struct tmap_native *native, const struct tmap_placement *placement,
		     int library, int root, const struct tmap_profile *profile,
		     struct tmap_error *err)
{
	*native = (struct tmap_native){ .library = library, .size = placement->size, .root = root };
	if (tmap_metric_init(&native->metric, placement, TMAP_SCALE_PROCESS, err) == 0 &&
	    tmap_order_find(&native->order, placement, err) == 0 &&
	    tmap_levels_init(&native->levels, placement->machine, err) == 0 &&
	    tmap_cost_model_init(&native->model, placement, &native->metric, &native->levels,
				 profile, err) == 0)
		return 0;
	tmap_native_fini(native);
	return -1;
}

static struct tmap_call call_of(const struct tmap_native *native, const struct tmap_timed *timed)
{
	return (struct tmap_call){ .size = native->size,
				   .bytes = timed->bytes,
				   .metric = &native->metric,
				   .root = tmap_collective_rows[timed->collective].has_root ?
					   native->root :
					   0 };
}

/* 0, 1 where it cannot run (*why says so), or -1. */
static int cost(double *seconds, struct tmap_native *native, const struct tmap_call *call,
		struct tmap_error *why, struct tmap_error *err)
{
	if (tmap_call_check(call, why) == 0 && tmap_cost(seconds, &native->model, call, why) == 0)
		return 0;
	if (why->kind == TMAP_INPUT)
		return 1;
	*err = *why;
	return -1;
}

/* By an algorithm that has a name. */
static int time_named(struct tmap_timed *timed, struct tmap_native *native, const char *name,
		      struct tmap_error *why, struct tmap_error *err)
{
	struct tmap_call call = call_of(native, timed);
	int status;

	if (tmap_call_parse(&call, timed->collective, name, err) < 0)
		return -1;
	status = cost(&timed->seconds, native, &call, why, err);
	if (status)
		return status;
	timed->algorithm = tmap_spec_print(&call.choice, err);
	return timed->algorithm ? 0 : -1;
}

/* The fastest row that asks for no placement. */
static int time_fastest(struct tmap_timed *timed, struct tmap_native *native,
			struct tmap_error *why, struct tmap_error *err)
{
	const struct tmap_keywords *words = tmap_algorithms(timed->collective);
	struct tmap_call call = call_of(native, timed);
	struct tmap_spec best = { 0 };

	for (int i = 0; tmap_keywords_at(words, (size_t)i); i++) {
		double seconds;
		int status;

		call.choice = tmap_spec_preset(words, i);
		if (tmap_call_algorithm(&call)->needs_metric)
			continue;
		status = cost(&seconds, native, &call, why, err);
		if (status < 0)
			return -1;
		if (status == 0 && (!best.row || seconds < timed->seconds)) {
			best = call.choice;
			timed->seconds = seconds;
		}
	}
	if (!best.row)
		return 1;
	timed->how = "unknown: the fastest stands for it";
	timed->is_guess = true;
	timed->algorithm = tmap_spec_print(&best, err);
	return timed->algorithm ? 0 : -1;
}

/* What the library takes by itself. */
static int time_own(struct tmap_timed *timed, struct tmap_native *native, struct tmap_error *why,
		    struct tmap_error *err)
{
	const struct tmap_library_call question = { timed->collective, native->size, timed->bytes,
						    &native->order };
	struct tmap_library_choice answer = tmap_library_choose(native->library, &question);

	if (!answer.algorithm[0])
		return time_fastest(timed, native, why, err);
	timed->how = answer.how;
	return time_named(timed, native, answer.algorithm, why, err);
}

static const struct tmap_timed *find(const struct tmap_native *native,
				     const struct tmap_timed *timed)
{
	for (int i = 0; i < native->count; i++)
		if (native->known[i].collective == timed->collective &&
		    native->known[i].bytes == timed->bytes)
			return &native->known[i];
	return NULL;
}

int tmap_native_time(struct tmap_native *native, struct tmap_timed *timed, const char *algorithm,
		     struct tmap_error *why, struct tmap_error *err)
{
	struct tmap_timed asked = { .collective = timed->collective, .bytes = timed->bytes };
	const struct tmap_timed *known = algorithm ? NULL : find(native, timed);
	int status;

	if (algorithm) {
		timed->how = TMAP_NAMED;
		return time_named(timed, native, algorithm, why, err);
	}
	if (!known) {
		if (tmap_grow(&native->known, &native->capacity, (size_t)native->count + 1,
			      sizeof *native->known, err) < 0)
			return -1;
		status = time_own(&asked, native, why, err);
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
