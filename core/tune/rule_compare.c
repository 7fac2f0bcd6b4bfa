/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/rule_compare.h"

#include "core/base/mem.h"
#include "core/library/library.h"
#include "core/tune/han_rules.h"
#include "core/tune/rule_collectives.h"
#include "core/tune/tune_choices.h"
#include "core/tune/tune_times.h"
#include "core/tune/tuned_entry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A collective on the communicators of one size. */
struct subject {
	const struct tmap_rule_file *file[2];
	enum tmap_rule_unit unit; /* of the files' bytes */
	int number;
	bool of_han; /* the files are those of coll/han */
	const struct tmap_tune_choices *choices;
	const struct tmap_tune_times *times;
	struct tmap_tune_place *const *place;
	int first_place, place_count;
	int64_t most;
};

static void deed_fini(struct tmap_rule_deed *deed)
{
	free(deed->name);
	*deed = (struct tmap_rule_deed){ 0 };
}

void tmap_rule_comparison_fini(struct tmap_rule_comparison *comparison)
{
	for (int i = 0; i < comparison->count; i++) {
		deed_fini(&comparison->range[i].a);
		deed_fini(&comparison->range[i].b);
	}
	free(comparison->range);
	*comparison = (struct tmap_rule_comparison){ 0 };
}

/* What a file of coll/han makes of a call: its own is what the library does by itself, with coll/han first;
 * to others coll/tuned has it, by its fixed rules, or it is not known what is done. */
static int deed_init_han(struct tmap_rule_deed *deed, const struct subject *it,
			 const struct tmap_rule_file *file, const struct tmap_library_call *call,
			 struct tmap_error *err)
{
	int library = it->choices->library;
	const struct tmap_rule *rule =
		tmap_library_levels(library, call->order).takes[call->collective] ?
		tmap_rule_find(file, it->number, &it->place[0]->comm, call->bytes) :
		NULL;
	struct tmap_library_choice choice = { .algorithm = "" };

	deed->is_own = !rule || (rule->algorithm == TMAP_HAN_ITSELF && !rule->fan);
	deed->rule = deed->is_own ? NULL : rule;
	if (deed->is_own)
		choice = tmap_library_choose(library, call);
	else if (rule->algorithm == TMAP_HAN_TUNED)
		choice = tmap_library_tuned_own(call);
	if (!choice.algorithm[0])
		return 0;
	deed->name = tmap_strdup(choice.algorithm, err);
	return deed->name ? 0 : -1;
}

/* What a file makes of a call, without its time. */
static int deed_init(struct tmap_rule_deed *deed, const struct subject *it,
		     const struct tmap_rule_file *file, int64_t bytes, struct tmap_error *err)
{
	int ranks = it->place[0]->placement.size;
	int64_t element = it->choices->element;
	const struct tmap_library_call call = { .collective = it->choices->collective,
						.size = ranks,
						.bytes = bytes,
						.element = element,
						.order = &it->place[0]->order };
	const struct tmap_rule *rule;
	struct tmap_library_choice own;

	*deed = (struct tmap_rule_deed){ .seconds = INFINITY };
	if (it->of_han)
		return deed_init_han(deed, it, file, &call, err);
	rule = tmap_rule_find(file, it->number, &it->place[0]->comm,
			      tmap_rule_unit_of(it->unit, ranks, bytes, element));
	if (rule && rule->algorithm)
		deed->rule = rule;
	if (deed->rule)
		return tmap_tuned_entry_name(&deed->name, it->choices->library, rule, &call, err);
	deed->is_own = true;
	own = tmap_library_rules_own(it->choices->library, &call);
	if (!own.algorithm[0])
		return 0;
	deed->name = tmap_strdup(own.algorithm, err);
	return deed->name ? 0 : -1;
}

/* Is it the same algorithm, as far as that is known? */
static bool deed_is_equal(const struct tmap_rule_deed *a, const struct tmap_rule_deed *b)
{
	if (a->name && b->name)
		return strcmp(a->name, b->name) == 0;
	return !a->name && !b->name && a->is_own == b->is_own;
}

/* What both make of a call. */
struct pair {
	struct tmap_rule_deed deed[2];
};

static void pair_fini(struct pair *pair)
{
	deed_fini(&pair->deed[0]);
	deed_fini(&pair->deed[1]);
}

static int pair_init(struct pair *pair, const struct subject *it, int64_t bytes,
		     struct tmap_error *err)
{
	if (deed_init(&pair->deed[0], it, it->file[0], bytes, err) < 0)
		return -1;
	if (deed_init(&pair->deed[1], it, it->file[1], bytes, err) == 0)
		return 0;
	deed_fini(&pair->deed[0]);
	return -1;
}

static bool pair_is_equal(const struct pair *a, const struct pair *b)
{
	for (int i = 0; i < 2; i++)
		if (!deed_is_equal(&a->deed[i], &b->deed[i]) ||
		    a->deed[i].is_own != b->deed[i].is_own)
			return false;
	return true;
}

/* By the rule as it stands, where that was measured: two may do the same, and have a time each. */
static bool deed_measured(struct tmap_tune_time *time, const struct subject *it,
			  const struct tmap_rule_deed *deed, int64_t bytes)
{
	int choice;

	if (it->of_han && !deed->is_own)
		return deed->rule->algorithm == TMAP_HAN_TUNED &&
			tmap_tune_times_own(time, it->times, bytes);
	if (deed->is_own)
		return (it->of_han ? tmap_tune_times_itself : tmap_tune_times_own)(time, it->times,
										   bytes);
	choice = tmap_tune_choices_find_rule(it->choices, deed->rule);
	if (choice != TMAP_NONE && tmap_tune_times_choice(time, it->times, choice, bytes))
		return true;
	choice = deed->name ? tmap_tune_choices_find(it->choices, deed->name, true) : TMAP_NONE;
	return choice != TMAP_NONE && tmap_tune_times_choice(time, it->times, choice, bytes);
}

static int deed_cost(double *seconds, const struct subject *it, const struct tmap_rule_deed *deed,
		     int64_t bytes, struct tmap_error *err)
{
	*seconds = INFINITY;
	if (deed->is_own || (it->of_han && deed->rule->algorithm == TMAP_HAN_TUNED))
		return tmap_tune_own_cost(seconds, NULL, it->choices, it->of_han && deed->is_own,
					  it->place, it->place_count, bytes, err);
	return deed->name ? tmap_tune_name_cost(seconds, it->choices, deed->name, it->place,
						it->place_count, bytes, err) :
			    0;
}

/* The times of both at a size become those of the range if they differ more, and measured ones if there
 * were none. */
static int range_try(struct tmap_rule_range *range, double *most, const struct subject *it,
		     int64_t bytes, struct tmap_error *err)
{
	struct tmap_tune_time time[2];
	double seconds[2], differ;
	bool is_measured = deed_measured(&time[0], it, &range->a, bytes) &&
		deed_measured(&time[1], it, &range->b, bytes);

	seconds[0] = time[0].seconds;
	seconds[1] = time[1].seconds;
	if (!is_measured &&
	    (range->is_measured || deed_cost(&seconds[0], it, &range->a, bytes, err) < 0 ||
	     deed_cost(&seconds[1], it, &range->b, bytes, err) < 0))
		return range->is_measured ? 0 : -1;
	differ = isfinite(seconds[0]) && isfinite(seconds[1]) ? fabs(log(seconds[0] / seconds[1])) :
								-0.5;
	if (is_measured == range->is_measured && differ <= *most)
		return 0;
	*most = differ;
	range->is_measured = is_measured;
	range->shown = bytes;
	range->a.seconds = seconds[0];
	range->b.seconds = seconds[1];
	return 0;
}

/* The times of a range: at its ends, at powers of two elements and at sizes that were measured. */
static int range_time(struct tmap_rule_range *range, const struct subject *it,
		      struct tmap_error *err)
{
	double most = -1;

	for (int64_t size = range->from, next; size <= range->to; size = next) {
		int64_t measured = tmap_tune_times_next(it->times, size);

		if (range_try(range, &most, it, size, err) < 0)
			return -1;
		if (size == range->to)
			break;
		next = it->choices->element;
		while (next <= size)
			next *= 2;
		next = next < measured ? next : measured;
		next = next < range->to ? next : range->to;
	}
	return 0;
}

/* The pair, which is taken, is so from one size to the other. */
static int comparison_add_take(struct tmap_rule_comparison *comparison, const struct subject *it,
			       struct pair *pair, int64_t from, int64_t to, struct tmap_error *err)
{
	struct tmap_rule_range *range;

	if (deed_is_equal(&pair->deed[0], &pair->deed[1])) {
		comparison->same++;
		pair_fini(pair);
		return 0;
	}
	if (tmap_grow(&comparison->range, &comparison->capacity, (size_t)comparison->count + 1,
		      sizeof *comparison->range, err) < 0) {
		pair_fini(pair);
		return -1;
	}
	range = &comparison->range[comparison->count++];
	*range = (struct tmap_rule_range){ .number = it->number,
					   .first_place = it->first_place,
					   .place_count = it->place_count,
					   .from = from,
					   .to = to,
					   .shown = from,
					   .a = pair->deed[0],
					   .b = pair->deed[1] };
	return range_time(range, it, err);
}

/* The least elements of a call that looks up as much as @p bytes. */
static int64_t first_elements(const struct subject *it, int64_t bytes)
{
	return tmap_rule_unit_call(it->unit, it->place[0]->placement.size, bytes,
				   it->choices->element) /
		it->choices->element;
}

/* The size behind @p elements that is looked at: the next power of two, or that of a rule. */
static int64_t next_size(const struct subject *it, int64_t elements)
{
	int64_t last = it->most / it->choices->element;
	int64_t next = elements > last / 2 ? last : 2 * elements;

	for (int f = 0; f < 2; f++) {
		const struct tmap_rule_collective *rules =
			tmap_rule_file_find(it->file[f], it->number);
		const struct tmap_rule_size *size =
			rules ? tmap_rule_collective_find(rules, &it->place[0]->comm) : NULL;

		for (int i = 0; size && i < size->count; i++) {
			int64_t at = first_elements(it, size->rule[i].bytes);
			int64_t behind = size->lookup == TMAP_LOOKUP_RANGES &&
					size->rule[i].most < INT64_MAX ?
				first_elements(it, size->rule[i].most + 1) :
				next;

			if (at > elements && at < next)
				next = at;
			if (behind > elements && behind < next)
				next = behind;
		}
	}
	return next;
}

/* *from = the least number of elements above @p low at which both no longer do what they do there, *pair,
 * nor at @p high. */
static int find_change(int64_t *from, const struct subject *it, int64_t low, int64_t high,
		       const struct pair *pair, struct tmap_error *err)
{
	while (high - low > 1) {
		int64_t middle = low + (high - low) / 2;
		struct pair there;

		if (pair_init(&there, it, middle * it->choices->element, err) < 0)
			return -1;
		*(pair_is_equal(&there, pair) ? &low : &high) = middle;
		pair_fini(&there);
	}
	*from = high;
	return 0;
}

/* From the least size to the largest. */
static int subject_compare(struct tmap_rule_comparison *comparison, const struct subject *it,
			   struct tmap_error *err)
{
	int64_t element = it->choices->element, first = 1, last = it->most / element;
	struct pair pair, next;

	if (it->choices->collective == TMAP_BARRIER)
		return pair_init(&pair, it, 0, err) < 0 ?
			-1 :
			comparison_add_take(comparison, it, &pair, 0, 0, err);
	if (pair_init(&pair, it, element, err) < 0)
		return -1;
	for (int64_t low = 1; low < last;) {
		int64_t from = next_size(it, low);
		bool is_equal;

		if (pair_init(&next, it, from * element, err) < 0)
			goto failed;
		is_equal = pair_is_equal(&next, &pair);
		pair_fini(&next);
		if (!is_equal &&
		    (find_change(&from, it, low, from, &pair, err) < 0 ||
		     pair_init(&next, it, from * element, err) < 0))
			goto failed;
		low = from;
		if (is_equal)
			continue;
		if (comparison_add_take(comparison, it, &pair, first * element,
					(from - 1) * element, err) < 0) {
			pair_fini(&next);
			return -1;
		}
		pair = next;
		first = from;
	}
	return comparison_add_take(comparison, it, &pair, first * element, last * element, err);
failed:
	pair_fini(&pair);
	return -1;
}

/* The communicators of one size after the other. */
static int collective_compare(struct tmap_rule_comparison *comparison, struct subject *it,
			      struct tmap_error *err)
{
	const struct tmap_tune_places *places = comparison->places;
	int status = 0;

	for (int p = 0, count; p < places->count && status == 0; p += count) {
		struct tmap_tune_times times;

		count = tmap_tune_places_alike(places, p,
					       tmap_library_rules_by_range(comparison->library));
		if (!tmap_tune_is_called(&places->place[p], count, it->choices->collective))
			continue;
		it->place = &places->place[p];
		it->first_place = p;
		it->place_count = count;
		if (tmap_tune_times_init(&times, it->choices, it->place, count, err) < 0)
			return -1;
		it->times = &times;
		status = subject_compare(comparison, it, err);
		tmap_tune_times_fini(&times);
	}
	return status;
}

int tmap_rule_comparison_init(struct tmap_rule_comparison *comparison,
			      const struct tmap_rule_file *a, const struct tmap_rule_file *b,
			      uint64_t collectives, int library,
			      const struct tmap_tune_places *places, int64_t most,
			      struct tmap_error *err)
{
	struct tmap_rule_comparison made = { .places = places, .library = library, .most = most };
	const struct tmap_rule_collective_row *row;
	int status = 0;

	for (int number = 0; status == 0 && (row = tmap_rule_collective_row(number)); number++) {
		struct subject it = { .file = { a, b }, .number = number, .most = most };
		struct tmap_tune_choices choices;

		if (!tmap_rule_file_find(a, number) && !tmap_rule_file_find(b, number))
			continue;
		if (row->collective == TMAP_NONE) {
			made.unknown += !collectives;
			continue;
		}
		if (collectives && !(collectives >> row->collective & 1))
			continue;
		status = tmap_tune_choices_init_measured(
			&choices, library, (enum tmap_collective)row->collective,
			places->element[row->collective], places, err);
		if (status < 0)
			break;
		it.choices = &choices;
		it.of_han = a->lookup == TMAP_LOOKUP_HAN || b->lookup == TMAP_LOOKUP_HAN;
		it.unit = it.of_han && row->unit != TMAP_RULE_NOTHING ? TMAP_RULE_VECTOR :
									row->unit;
		status = collective_compare(&made, &it, err);
		tmap_tune_choices_fini(&choices);
	}
	if (status < 0)
		tmap_rule_comparison_fini(&made);
	else
		*comparison = made;
	return status;
}
