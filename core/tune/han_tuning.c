/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/han_tuning.h"

#include "core/base/mem.h"
#include "core/tune/tune_times.h"

#include <math.h>
#include <stdlib.h>

void tmap_han_tuning_fini(struct tmap_han_tuning *it)
{
	for (int l = 0; l < it->count; l++) {
		free(it->list[l].place);
		free(it->list[l].step);
	}
	free(it->list);
	*it = (struct tmap_han_tuning){ 0 };
}

bool tmap_han_list_changes(const struct tmap_han_list *list)
{
	for (int i = 0; i < list->count; i++)
		if (list->step[i].is_tuned)
			return true;
	return false;
}

static const struct tmap_han_step *list_find(const struct tmap_han_list *list, int64_t bytes)
{
	int at = list->count - 1;

	while (at > 0 && list->step[at].bytes > bytes)
		at--;
	return &list->step[at];
}

bool tmap_han_keeps(const struct tmap_han_tuning *it, const struct tmap_tune_collective *collective,
		    const struct tmap_tune_place *place, int64_t bytes)
{
	for (int l = 0; l < it->count; l++)
		for (int p = 0; p < it->list[l].place_count; p++)
			if (it->list[l].collective == collective && it->list[l].place[p] == place)
				return bytes > collective->most ||
					!list_find(&it->list[l], bytes)->is_tuned;
	return false;
}

static bool place_has_han(const struct tmap_tuning *tuning, const struct tmap_tune_place *place,
			  enum tmap_collective collective)
{
	return place->weight[collective] > 0 &&
		tmap_library_levels(tuning->request.library, &place->order).takes[collective];
}

bool tmap_han_is_there(const struct tmap_tuning *tuning)
{
	for (int c = 0; c < tuning->count; c++)
		for (int p = 0; p < tuning->places->count; p++)
			if (place_has_han(tuning, tuning->places->place[p],
					  tuning->collective[c].choices.collective))
				return true;
	return false;
}

/* What both take for a call. */
static int step_time(struct tmap_han_step *step, const struct tmap_han_list *list,
		     const struct tmap_tune_times *times, int64_t bytes, struct tmap_error *err)
{
	double seconds[2];

	step->shown = bytes;
	step->choice = tmap_tune_list_choice(list->list, list->collective->most, bytes);
	if (tmap_tune_times_both(seconds, &step->is_measured, times, step->choice,
				 TMAP_LEFT_TO_FIXED_RULES, bytes, err) < 0)
		return -1;
	step->han_s = seconds[0];
	step->tuned_s = seconds[1];
	return 0;
}

/* By so much that it matters, and both are known. */
static bool other_is_faster(const struct tmap_han_step *step, bool is_tuned)
{
	if (!isfinite(step->han_s) || !isfinite(step->tuned_s))
		return false;
	return is_tuned ? step->tuned_s > TMAP_TUNE_TOLERANCE * step->han_s :
			  step->han_s > TMAP_TUNE_TOLERANCE * step->tuned_s;
}

static int list_add(struct tmap_han_list *list, const struct tmap_han_step *step,
		    struct tmap_error *err)
{
	if (tmap_grow(&list->step, &list->capacity, (size_t)list->count + 1, sizeof *list->step,
		      err) < 0)
		return -1;
	list->step[list->count++] = *step;
	return 0;
}

/* The next size that is looked at: a power of two, one at which the rules change, or the last. */
static int64_t next_size(const struct tmap_han_list *list, int64_t elements)
{
	int64_t element = list->collective->choices.element;
	int64_t last = list->collective->most / element;
	int64_t next = elements > last / 2 ? last : 2 * elements;

	for (int i = 0; i < list->list->count; i++) {
		int64_t at = list->list->step[i].bytes / element;

		if (at > elements && at < next)
			next = at;
	}
	return next;
}

/* *found: as at the least number of elements above @p low at which the other is faster, as it is at @p high. */
static int halve(struct tmap_han_step *found, const struct tmap_han_list *list,
		 const struct tmap_tune_times *times, int64_t low, int64_t high, bool is_tuned,
		 struct tmap_error *err)
{
	int64_t element = list->collective->choices.element;

	while (high - low > 1) {
		int64_t middle = low + (high - low) / 2;
		struct tmap_han_step there;

		if (step_time(&there, list, times, middle * element, err) < 0)
			return -1;
		*(other_is_faster(&there, is_tuned) ? &high : &low) = middle;
	}
	return step_time(found, list, times, high * element, err);
}

static double gain_of(const struct tmap_han_step *step, bool is_tuned)
{
	double ratio = is_tuned ? step->han_s / step->tuned_s : step->tuned_s / step->han_s;

	return isfinite(ratio) ? ratio : 0;
}

/* Of the sizes of a step it shows the one where most is gained. */
static void step_show(struct tmap_han_step *step, const struct tmap_han_step *there)
{
	if (gain_of(there, step->is_tuned) <= gain_of(step, step->is_tuned))
		return;
	step->shown = there->shown;
	step->choice = there->choice;
	step->is_measured = there->is_measured;
	step->han_s = there->han_s;
	step->tuned_s = there->tuned_s;
}

static int list_search(struct tmap_han_list *list, const struct tmap_tune_times *times,
		       struct tmap_error *err)
{
	bool is_barrier = list->collective->choices.collective == TMAP_BARRIER;
	int64_t element = list->collective->choices.element;
	int64_t last = is_barrier ? 1 : list->collective->most / element;
	struct tmap_han_step step = { 0 };

	if (step_time(&step, list, times, is_barrier ? 0 : element, err) < 0)
		return -1;
	step.is_tuned = other_is_faster(&step, false);
	if (list_add(list, &step, err) < 0)
		return -1;
	for (int64_t low = 1, high; low < last; low = high) {
		bool is_tuned = list->step[list->count - 1].is_tuned;

		high = next_size(list, low);
		step = (struct tmap_han_step){ 0 };
		if (step_time(&step, list, times, high * element, err) < 0)
			return -1;
		if (!other_is_faster(&step, is_tuned)) {
			step_show(&list->step[list->count - 1], &step);
			continue;
		}
		if (halve(&step, list, times, low, high, is_tuned, err) < 0)
			return -1;
		high = step.shown / element;
		step.bytes = step.shown;
		step.is_tuned = !is_tuned;
		if (list_add(list, &step, err) < 0)
			return -1;
	}
	return 0;
}

/* The communicators of one size of which coll/han takes some. */
static int tuning_add(struct tmap_han_tuning *it, const struct tmap_tune_collective *collective,
		      const struct tmap_tune_list *list, struct tmap_error *err)
{
	struct tmap_tune_place *const *place = &it->tuning->places->place[list->first_place];
	struct tmap_han_list made = { .collective = collective, .list = list };
	struct tmap_tune_times times;
	int status;

	made.place = tmap_alloc((size_t)list->place_count, sizeof *made.place, err);
	if (!made.place)
		return -1;
	for (int p = 0; p < list->place_count; p++)
		if (place_has_han(it->tuning, place[p], collective->choices.collective))
			made.place[made.place_count++] = place[p];
	if (!made.place_count) {
		free(made.place);
		return 0;
	}
	if (tmap_grow(&it->list, &it->capacity, (size_t)it->count + 1, sizeof *it->list, err) < 0) {
		free(made.place);
		return -1;
	}
	it->list[it->count++] = made;
	if (tmap_tune_times_init(&times, &collective->choices, made.place, made.place_count, err) <
	    0)
		return -1;
	status = list_search(&it->list[it->count - 1], &times, err);
	tmap_tune_times_fini(&times);
	return status;
}

int tmap_han_tuning_init(struct tmap_han_tuning *it, const struct tmap_tuning *tuning,
			 struct tmap_error *err)
{
	struct tmap_han_tuning made = { .tuning = tuning };

	for (int c = 0; c < tuning->count; c++)
		for (int l = 0; l < tuning->collective[c].count; l++)
			if (tuning_add(&made, &tuning->collective[c],
				       &tuning->collective[c].list[l], err) < 0) {
				tmap_han_tuning_fini(&made);
				return -1;
			}
	*it = made;
	return 0;
}
