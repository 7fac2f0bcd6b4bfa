/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/tune_gain.h"

#include "core/tune/tune_times.h"

#include <math.h>

/* That of a place; NULL: it has none. */
static const struct tmap_tune_list *find_list(const struct tmap_tune_collective *it, int place)
{
	for (int l = 0; l < it->count; l++)
		if (it->list[l].first_place <= place &&
		    place < it->list[l].first_place + it->list[l].place_count)
			return &it->list[l];
	return NULL;
}

/* With any rules coll/han is set aside, if it has none itself. */
static enum tmap_tune_left left_to(const struct tmap_tuning *tuning)
{
	for (int c = 0; c < tuning->count; c++)
		for (int l = 0; l < tuning->collective[c].count; l++)
			if (tmap_tune_list_changes(&tuning->collective[c].list[l]))
				return TMAP_LEFT_TO_FIXED_RULES;
	return TMAP_LEFT_TO_LIBRARY;
}

static double saved(const struct tmap_tune_gain_call *call)
{
	return (call->own_s - call->seconds) * (double)call->calls;
}

/* Is more gained in these calls? */
static void gain_try(struct tmap_tune_gain *gain, const struct tmap_tune_gain_call *call)
{
	if (saved(call) > (gain->most.name ? saved(&gain->most) : 0))
		gain->most = *call;
}

/* The calls of one collective on one communicator. */
static int place_add(struct tmap_tune_gain *gain, const struct tmap_tuning *tuning,
		     const struct tmap_han_tuning *han, const struct tmap_tune_collective *it,
		     struct tmap_tune_place *const *place, const struct tmap_record *record,
		     struct tmap_error *err)
{
	const struct tmap_tune_list *list = find_list(it, (int)(place - tuning->places->place));
	struct tmap_tune_choices choices = it->choices; /* of the elements and root of a call */
	enum tmap_tune_left left = han ? TMAP_LEFT_TO_FIXED_RULES : left_to(tuning);
	struct tmap_tune_times times;
	int status = 0;

	if (!list || tmap_tune_times_init(&times, &choices, place, 1, err) < 0)
		return list ? -1 : 0;
	for (int i = 0; i < record->call_count && status == 0; i++) {
		const struct tmap_recorded_call *call = &record->call[i];
		int choice = tmap_tune_list_choice(list, it->most, call->bytes);
		double seconds[2];
		bool is_measured, keeps;

		if (call->communicator != place[0]->communicator || !tmap_tune_counts(call) ||
		    tmap_recorded_rows[call->collective].like != it->choices.collective)
			continue;
		keeps = han && tmap_han_keeps(han, it, place[0], call->bytes);
		choices.element = call->element ? call->element : it->choices.element;
		choices.root = call->root;
		status = tmap_tune_times_both(
			seconds, &is_measured, &times, keeps ? TMAP_NONE : choice,
			keeps ? TMAP_LEFT_TO_LIBRARY : left, call->bytes, err);
		if (status < 0 || !isfinite(seconds[0]) || !isfinite(seconds[1])) {
			gain->left_out += call->calls;
			continue;
		}
		gain->calls += call->calls;
		gain->measured += is_measured ? call->calls : 0;
		gain->own_s += seconds[0] * (double)call->calls;
		gain->seconds += seconds[1] * (double)call->calls;
		if (choice != TMAP_NONE && !keeps)
			gain_try(gain,
				 &(struct tmap_tune_gain_call){
					 .name = it->choices.choice[choice].name,
					 .number = it->number,
					 .ranks = list->ranks,
					 .bytes = call->bytes,
					 .calls = call->calls,
					 .is_measured = is_measured,
					 .own_s = seconds[0],
					 .seconds = seconds[1] });
	}
	tmap_tune_times_fini(&times);
	return status;
}

/* Is its communicator one of those that were timed? */
static bool is_timed(const struct tmap_tuning *tuning, const struct tmap_recorded_call *call)
{
	for (int p = 0; p < tuning->places->count; p++)
		if (tuning->places->place[p]->communicator == call->communicator)
			return true;
	return false;
}

/* Do the rules choose for it? */
static bool is_tuned(const struct tmap_tuning *tuning, const struct tmap_recorded_call *call)
{
	for (int c = 0; c < tuning->count; c++)
		if (tuning->collective[c].choices.collective ==
		    tmap_recorded_rows[call->collective].like)
			return tmap_tune_counts(call);
	return false;
}

int tmap_tune_gain_find(struct tmap_tune_gain *gain, const struct tmap_tuning *tuning,
			const struct tmap_han_tuning *han, const struct tmap_record *record,
			struct tmap_error *err)
{
	*gain = (struct tmap_tune_gain){ 0 };
	for (int c = 0; c < tuning->count; c++)
		for (int p = 0; p < tuning->places->count; p++) {
			struct tmap_tune_place *const *place = &tuning->places->place[p];

			if (place[0]->weight[tuning->collective[c].choices.collective] > 0 &&
			    place_add(gain, tuning, han, &tuning->collective[c], place, record,
				      err) < 0)
				return -1;
		}
	for (int i = 0; i < record->call_count; i++) {
		const struct tmap_recorded_call *call = &record->call[i];

		if (record->communicator[call->communicator].size < 2 ||
		    call->mode != TMAP_BLOCKING)
			continue;
		if (!is_tuned(tuning, call))
			gain->others += call->calls;
		else if (!is_timed(tuning, call))
			gain->left_out += call->calls;
	}
	return 0;
}
