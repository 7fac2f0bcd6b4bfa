#include "core/guidelines/native.h"

#include "core/library/library.h"
#include "core/base/mem.h"

#include <stdlib.h>

void tm_native_fini(struct tm_native *native)
{
	for (int i = 0; i < native->count; i++)
		free(native->known[i].algorithm);
	free(native->known);
	tm_cost_model_fini(&native->model);
	tm_levels_fini(&native->levels);
	tm_metric_fini(&native->metric);
	*native = (struct tm_native){ 0 };
}

int tm_native_init(struct tm_native *native, const struct tm_placement *placement, int library,
		   int root, const struct tm_profile *profile, struct tm_error *err)
{
	*native = (struct tm_native){ .library = library, .size = placement->size, .root = root };
	if (tm_metric_init(&native->metric, placement, TM_SCALE_PROCESS, err) == 0 &&
	    tm_order_find(&native->order, placement, err) == 0 &&
	    tm_levels_init(&native->levels, placement->machine, err) == 0 &&
	    tm_cost_model_init(&native->model, placement, &native->metric, &native->levels,
			       profile, err) == 0)
		return 0;
	tm_native_fini(native);
	return -1;
}

static struct tm_call call_of(const struct tm_native *native, const struct tm_timed *timed)
{
	return (struct tm_call){
		.size = native->size, .bytes = timed->bytes, .metric = &native->metric,
		.root = tm_collective_rows[timed->collective].has_root ? native->root : 0 };
}

/* 0, 1 where it cannot run (*why says so), or -1. */
static int cost(double *seconds, struct tm_native *native, const struct tm_call *call,
		struct tm_error *why, struct tm_error *err)
{
	if (tm_call_check(call, why) == 0 && tm_cost(seconds, &native->model, call, why) == 0)
		return 0;
	if (why->kind == TM_INPUT)
		return 1;
	*err = *why;
	return -1;
}

/* By an algorithm that has a name. */
static int time_named(struct tm_timed *timed, struct tm_native *native, const char *name,
		      struct tm_error *why, struct tm_error *err)
{
	struct tm_call call = call_of(native, timed);
	int status;

	if (tm_call_parse(&call, timed->collective, name, err) < 0)
		return -1;
	status = cost(&timed->seconds, native, &call, why, err);
	if (status)
		return status;
	timed->algorithm = tm_choice_print(&call.choice, err);
	return timed->algorithm ? 0 : -1;
}

/* The fastest row that asks for no placement. */
static int time_fastest(struct tm_timed *timed, struct tm_native *native, struct tm_error *why,
			struct tm_error *err)
{
	const struct tm_words *words = tm_algorithms(timed->collective);
	struct tm_call call = call_of(native, timed);
	struct tm_choice best = { 0 };

	for (int i = 0; tm_words_at(words, (size_t)i); i++) {
		double seconds;
		int status;

		call.choice = tm_choice_preset(words, i);
		if (tm_call_algorithm(&call)->needs_metric)
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
	timed->algorithm = tm_choice_print(&best, err);
	return timed->algorithm ? 0 : -1;
}

/* What the library takes by itself. */
static int time_own(struct tm_timed *timed, struct tm_native *native, struct tm_error *why,
		    struct tm_error *err)
{
	const struct tm_library_question question = {
		timed->collective, native->size, timed->bytes, &native->order };
	struct tm_library_answer answer = tm_library_ask(native->library, &question);

	if (!answer.algorithm[0])
		return time_fastest(timed, native, why, err);
	timed->how = answer.how;
	return time_named(timed, native, answer.algorithm, why, err);
}

static const struct tm_timed *find(const struct tm_native *native, const struct tm_timed *timed)
{
	for (int i = 0; i < native->count; i++)
		if (native->known[i].collective == timed->collective &&
		    native->known[i].bytes == timed->bytes)
			return &native->known[i];
	return NULL;
}

int tm_native_time(struct tm_native *native, struct tm_timed *timed, const char *algorithm,
		   struct tm_error *why, struct tm_error *err)
{
	struct tm_timed asked = { .collective = timed->collective, .bytes = timed->bytes };
	const struct tm_timed *known = algorithm ? NULL : find(native, timed);
	int status;

	if (algorithm) {
		timed->how = TM_NAMED;
		return time_named(timed, native, algorithm, why, err);
	}
	if (!known) {
		if (tm_grow(&native->known, &native->capacity, (size_t)native->count + 1,
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
	timed->algorithm = tm_strdup(known->algorithm, err);
	return timed->algorithm ? 0 : -1;
}
