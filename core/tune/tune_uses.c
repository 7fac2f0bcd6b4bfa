/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/tune_uses.h"

#include "core/tune/tune_times.h"

enum tmap_tune_use tmap_tune_use_of(const struct tmap_tune_choices *choices,
				    const struct tmap_experiment *experiment)
{
	const char *name = tmap_experiment_native_name(experiment);

	if (experiment->mode != TMAP_BLOCKING)
		return TMAP_TUNE_MODE;
	if (experiment->root)
		return TMAP_TUNE_ROOT;
	if (!experiment->is_correct)
		return TMAP_TUNE_WRONG;
	return name && tmap_tune_choices_find(choices, name, true) == TMAP_NONE ? TMAP_TUNE_UNSAID :
										  TMAP_TUNE_USED;
}

/* Is any step of the list from measured times? */
static bool list_is_measured(const struct tmap_tune_list *list)
{
	for (int i = 0; i < list->count; i++)
		if (list->step[i].source != TMAP_TUNE_PREDICTED)
			return true;
	return false;
}

/* Is it of what the library takes by itself? */
static bool is_own(const struct tmap_tune_choices *choices, const struct tmap_experiment *it)
{
	return it->collective == choices->collective && tmap_experiment_is_native(it) &&
		!tmap_experiment_native_name(it) && tmap_tune_use_of(choices, it) == TMAP_TUNE_USED;
}

/* The next size of the own choice that was measured; @p bytes: there is none. */
static int64_t next_own(const struct tmap_tune_choices *choices, const struct tmap_times *times,
			int64_t bytes)
{
	int64_t next = bytes;

	for (int i = 0; i < times->count; i++) {
		int64_t its = times->experiment[i].bytes;

		if (its > bytes && (next == bytes || its < next) &&
		    is_own(choices, &times->experiment[i]))
			next = its;
	}
	return next;
}

/* Of collectives whose rules have sizes. */
static bool is_apart(const struct tmap_tune_collective *of, const struct tmap_times *times)
{
	enum tmap_rule_unit unit = tmap_rule_collective_row(of->number)->unit;

	if (unit != TMAP_RULE_VECTOR && unit != TMAP_RULE_TOTAL)
		return false;
	for (int i = 0; i < times->count; i++) {
		int64_t its = times->experiment[i].bytes;

		if (its > 0 && is_own(&of->choices, &times->experiment[i]) &&
		    (next_own(&of->choices, times, its) - 1) / TMAP_TUNE_APART >= its)
			return true;
	}
	return false;
}

struct tmap_tune_uses tmap_tune_uses_find(const struct tmap_tuning *tuning, int p)
{
	const struct tmap_times *times = tuning->places->place[p]->times;
	struct tmap_tune_uses uses = { 0 };

	for (int c = 0; c < tuning->count; c++) {
		const struct tmap_tune_collective *it = &tuning->collective[c];

		for (int i = 0; times && i < times->count; i++)
			if (times->experiment[i].collective == it->choices.collective)
				uses.count[tmap_tune_use_of(&it->choices, &times->experiment[i])]++;
		uses.apart |= times && is_apart(it, times);
		for (int l = 0; times && l < it->count; l++)
			uses.decides |= p >= it->list[l].first_place &&
				p < it->list[l].first_place + it->list[l].place_count &&
				list_is_measured(&it->list[l]);
	}
	return uses;
}
