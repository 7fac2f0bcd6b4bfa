/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/tuning.h"

#include "core/base/mem.h"
#include "core/base/sum.h"
#include "core/tune/tune_search.h"

#include <inttypes.h>
#include <stdlib.h>

void tmap_tuning_fini(struct tmap_tuning *tuning)
{
	for (int c = 0; tuning->collective && c < tuning->count; c++) {
		struct tmap_tune_collective *it = &tuning->collective[c];

		for (int l = 0; it->list && l < it->count; l++)
			free(it->list[l].step);
		free(it->list);
		tmap_tune_choices_fini(&it->choices);
	}
	free(tuning->collective);
	*tuning = (struct tmap_tuning){ 0 };
}

bool tmap_tune_list_changes(const struct tmap_tune_list *list)
{
	for (int i = 0; i < list->count; i++)
		if (list->step[i].choice != TMAP_NONE)
			return true;
	return false;
}

int tmap_tune_list_choice(const struct tmap_tune_list *list, int64_t most, int64_t bytes)
{
	int choice = list->step[0].choice;

	for (int i = 1; i < list->count && list->step[i].bytes <= bytes; i++)
		choice = list->step[i].choice;
	return list->count > 1 && bytes > most ? TMAP_NONE : choice;
}

/* Does a rule choose for all of them? Not where the library composes a call of what it does within nodes
 * and between them. */
static bool has_rules(const struct tmap_tuning *tuning, const struct tmap_tune_list *list,
		      enum tmap_collective collective)
{
	struct tmap_tune_place *const *place = &tuning->places->place[list->first_place];
	int library = tuning->request.library;

	for (int p = 0; p < list->place_count && tmap_library_selects(library); p++)
		if (tmap_library_levels(library, &place[p]->order).takes[collective])
			return false;
	return tmap_tune_is_called(place, list->place_count, collective);
}

/* How many sizes of a collective are timed. */
static int64_t sizes_of(const struct tmap_tune_collective *it)
{
	int64_t sizes = 1;

	for (int64_t bytes = it->choices.element; bytes < it->most; bytes *= 2)
		sizes++;
	return tmap_rule_collective_row(it->number)->unit == TMAP_RULE_NOTHING ? 1 : sizes;
}

/* What it takes to time them on @p count places, in times of a rank in a schedule. */
static int64_t work_of(const struct tmap_tune_collective *it, struct tmap_tune_place *const *place,
		       int count)
{
	int64_t ranks = 0;

	for (int p = 0; p < count; p++)
		tmap_sum_add(&ranks, place[p]->placement.size);
	return tmap_sum_product(ranks, tmap_sum_product(it->choices.count, sizes_of(it)));
}

/* The communicators of one size after the other. */
static int collective_fill(struct tmap_tune_collective *it, const struct tmap_tuning *tuning,
			   int64_t *done, int64_t all, struct tmap_error *err)
{
	const struct tmap_tune_places *places = tuning->places;
	int status = 0;

	it->list = tmap_alloc((size_t)places->count, sizeof *it->list, err);
	if (!it->list)
		return -1;
	for (int p = 0, count; p < places->count && status == 0; p += count) {
		struct tmap_tune_list *list = &it->list[it->count];

		list->unit = tmap_rule_collective_row(it->number)->unit;
		list->ranks = places->place[p]->placement.size;
		list->first_place = p;
		count = tmap_tune_places_alike(
			places, p, tmap_library_rules_by_range(tuning->request.library));
		list->place_count = count;
		if (has_rules(tuning, list, it->choices.collective)) {
			it->count++;
			status = tmap_tune_list_search(list, &it->choices, &places->place[p],
						       it->most, err);
		}
		*done += work_of(it, &places->place[p], count);
		tmap_progress_report(tuning->request.progress, *done, all, NULL);
	}
	return status;
}

static int check_request(const struct tmap_tune_places *places,
			 const struct tmap_tune_request *request, struct tmap_error *err)
{
	if (!places->count)
		return tmap_fail(err, TMAP_INPUT,
				 "there is one rank: its collectives send nothing, and need no "
				 "rules");
	for (int c = 0; c < TMAP_COLLECTIVE_COUNT; c++)
		if (request->collectives >> c & 1 &&
		    tmap_rule_collective_number((enum tmap_collective)c) == TMAP_NONE)
			return tmap_fail(err, TMAP_INPUT, "rule files choose no algorithms of %s",
					 tmap_collective_rows[c].word.name);
	return 0;
}

/* Of UCC nothing is known of what it takes by itself: is there a choice between two that it can be set to? */
static bool has_choice(const struct tmap_tune_choices *choices)
{
	return !tmap_library_is_ucc(choices->library) || choices->said > 1;
}

/* Collectives that rules are for, by number. */
static int tuning_choose(struct tmap_tuning *tuning, struct tmap_error *err)
{
	const struct tmap_tune_request *request = &tuning->request;
	const struct tmap_rule_collective_row *row;

	tuning->collective = tmap_alloc(TMAP_COLLECTIVE_COUNT, sizeof *tuning->collective, err);
	if (!tuning->collective)
		return -1;
	for (int number = 0; (row = tmap_rule_collective_row(number)); number++) {
		struct tmap_tune_collective *it = &tuning->collective[tuning->count];
		int64_t element = request->element;

		if (row->collective == TMAP_NONE ||
		    (request->collectives && !(request->collectives >> row->collective & 1)))
			continue;
		if (!tmap_tune_is_called(tuning->places->place, tuning->places->count,
					 (enum tmap_collective)row->collective)) {
			if (!request->collectives)
				continue;
			return tmap_fail(err, TMAP_INPUT,
					 "the program makes no blocking calls of %s on several "
					 "ranks",
					 row->word.name);
		}
		if (!element)
			element = tuning->places->element[row->collective];
		if (element > request->most)
			return tmap_fail(err, TMAP_INPUT,
					 "%" PRId64 " bytes, the largest size, are less than an "
					 "element of %s, %" PRId64 " bytes",
					 request->most, row->word.name, element);
		tuning->count++;
		it->number = number;
		it->most = request->most;
		if (request->as_called && tuning->places->most[row->collective] < it->most)
			it->most = tuning->places->most[row->collective];
		if (it->most < element)
			it->most = element;
		if (tmap_tune_choices_init_measured(&it->choices, request->library,
						    (enum tmap_collective)row->collective, element,
						    tuning->places, err) < 0)
			return -1;
		if (has_choice(&it->choices))
			continue;
		if (request->collectives)
			return tmap_fail(
				err, TMAP_INPUT,
				"of what UCC can be set to for %s at most one algorithm is "
				"known: there is no choice",
				row->word.name);
		tmap_tune_choices_fini(&it->choices);
		tuning->count--;
	}
	return 0;
}

/* *all = what it takes to time all, before the first is. */
static int tuning_check_work(int64_t *all, const struct tmap_tuning *tuning, struct tmap_error *err)
{
	int64_t work = 0;

	for (int c = 0; c < tuning->count; c++)
		tmap_sum_add(&work,
			     work_of(&tuning->collective[c], tuning->places->place,
				     tuning->places->count));
	*all = work;
	if (work <= TMAP_TUNE_WORK_MOST)
		return 0;
	return tmap_fail(err, TMAP_INPUT,
			 "%" PRId64 " times of a rank in a schedule are more than %" PRId64
			 ": ask for fewer collectives, or for smaller sizes",
			 work, TMAP_TUNE_WORK_MOST);
}

int tmap_tuning_init(struct tmap_tuning *tuning, const struct tmap_tune_places *places,
		     const struct tmap_tune_request *request, struct tmap_error *err)
{
	struct tmap_tuning made = { .places = places, .request = *request };
	int64_t done = 0, all = 0;
	int status = check_request(places, request, err);

	if (status == 0)
		status = tuning_choose(&made, err);
	if (status == 0)
		status = tuning_check_work(&all, &made, err);
	for (int c = 0; c < made.count && status == 0; c++)
		status = collective_fill(&made.collective[c], &made, &done, all, err);
	if (status < 0)
		tmap_tuning_fini(&made);
	else
		*tuning = made;
	return status;
}
