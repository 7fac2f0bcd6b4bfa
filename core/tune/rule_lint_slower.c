/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/rule_lint_parts.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/base/units.h"
#include "core/library/library.h"
#include "core/tune/rule_collectives.h"
#include "core/tune/tune_times.h"
#include "core/tune/tuned_entry.h"

#include <math.h>
#include <stdlib.h>

/* What is judged: a collective on the communicators of one size, which have one rule between them. */
struct subject {
	const struct tmap_tune_choices *choices;
	struct tmap_tune_place *const *place;
	int count;
	const struct tmap_tune_times *times;
	int64_t most;
};

/* Where a rule is slowest beside the library's own choice. */
struct worst {
	double times;
	bool is_measured;
	int64_t bytes;
	struct tmap_tune_place *const *place;
	int count;
	char *name, *own; /* owned */
};

static void worst_fini(struct worst *worst)
{
	free(worst->name);
	free(worst->own);
}

/* *seconds = what the rule does on the communicators; INFINITY: that is not known. */
static int rule_cost(double *seconds, char **name, const struct tmap_rule *rule,
		     const struct subject *it, int64_t bytes, struct tmap_error *err)
{
	const struct tmap_library_call question = { .collective = it->choices->collective,
						    .size = it->place[0]->placement.size,
						    .bytes = bytes,
						    .element = it->choices->element,
						    .order = &it->place[0]->order };

	*seconds = INFINITY;
	if (tmap_tuned_entry_name(name, it->choices->library, rule, &question, err) < 0)
		return -1;
	return *name ?
		tmap_tune_name_cost(seconds, it->choices, *name, it->place, it->count, bytes, err) :
		0;
}

/* Both times as they were measured; that of a rule that is not slower for sure is 0. */
static bool find_measured(double *seconds, double *own_s, const struct subject *it,
			  const char *name, int64_t bytes)
{
	int choice = name ? tmap_tune_choices_find(it->choices, name, true) : TMAP_NONE;
	struct tmap_tune_time time, own;

	if (choice == TMAP_NONE || !tmap_tune_times_choice(&time, it->times, choice, bytes) ||
	    !tmap_tune_times_own(&own, it->times, bytes))
		return false;
	*seconds = time.low > own.high ? time.seconds : 0;
	*own_s = own.seconds;
	return true;
}

/* One rule, at one size. */
static int worst_try(struct worst *worst, const struct tmap_rule *rule, const struct subject *it,
		     int64_t bytes, struct tmap_error *err)
{
	char own[TMAP_LIBRARY_ROOM], *name = NULL;
	bool is_measured = false;
	double seconds, own_s;
	int status = rule_cost(&seconds, &name, rule, it, bytes, err);

	if (status == 0)
		status = tmap_tune_own_cost(&own_s, own, it->choices, false, it->place, it->count,
					    bytes, err);
	if (status == 0)
		is_measured = find_measured(&seconds, &own_s, it, name, bytes);
	if (status == 0 && isfinite(seconds) && isfinite(own_s) && seconds > worst->times * own_s) {
		worst_fini(worst);
		*worst = (struct worst){ .times = seconds / own_s,
					 .is_measured = is_measured,
					 .bytes = bytes,
					 .place = it->place,
					 .count = it->count,
					 .name = name,
					 .own = tmap_strdup(is_measured || !own[0] ? "choice" : own,
							    err) };
		return worst->own ? 0 : -1;
	}
	free(name);
	return status;
}

/* The size behind @p bytes that is looked at: the next power of two elements, or one that was measured. */
static int64_t next_size(const struct subject *it, int64_t bytes)
{
	int64_t power = it->choices->element, measured = tmap_tune_times_next(it->times, bytes);

	while (power <= bytes)
		power *= 2;
	return power < measured ? power : measured;
}

/* The rules that these sizes look up, at each of them. */
static int subject_judge(struct worst *worst, const struct tmap_rule_size *size,
			 enum tmap_rule_unit unit, const struct subject *it, struct tmap_error *err)
{
	bool is_barrier = it->choices->collective == TMAP_BARRIER;

	for (int64_t bytes = is_barrier ? 0 : it->choices->element; bytes <= it->most;
	     bytes = next_size(it, bytes)) {
		int64_t asked = tmap_rule_unit_of(unit, it->place[0]->placement.size, bytes,
						  it->choices->element);
		const struct tmap_rule *rule = tmap_rule_size_find(size, asked);

		if (rule && rule->algorithm &&
		    worst_try(&worst[rule - size->rule], rule, it, bytes, err) < 0)
			return -1;
		if (is_barrier)
			break;
	}
	return 0;
}

static int places_judge(struct worst *worst, const struct tmap_rule_size *size,
			enum tmap_rule_unit unit, const struct tmap_tune_choices *choices,
			struct tmap_tune_place *const *place, int count, int64_t most,
			struct tmap_error *err)
{
	struct tmap_tune_times times;
	int status;

	if (tmap_tune_times_init(&times, choices, place, count, err) < 0)
		return -1;
	status = subject_judge(worst, size, unit,
			       &(struct subject){ .choices = choices,
						  .place = place,
						  .count = count,
						  .times = &times,
						  .most = most },
			       err);
	tmap_tune_times_fini(&times);
	return status;
}

/* "8 ranks: all ranks; row:8", those on which the collective is called; NULL with *err set. */
static char *worst_where(const struct worst *worst, enum tmap_collective collective,
			 struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;

	tmap_str_addf(&text, "%d ranks: ", worst->place[0]->placement.size);
	for (int p = 0, named = 0; p < worst->count; p++)
		if (worst->place[p]->weight[collective] > 0)
			tmap_str_addf(&text, "%s%s", named++ ? "; " : "", worst->place[p]->what);
	return tmap_str_take(&text, err);
}

static int worst_add(struct tmap_rule_findings *findings, const struct worst *worst, int line,
		     const struct tmap_tune_choices *choices, struct tmap_error *err)
{
	char size[TMAP_UNITS_ROOM] = "", *where = worst_where(worst, choices->collective, err);
	bool is_barrier = choices->collective == TMAP_BARRIER;
	int status;

	if (!where)
		return -1;
	if (!is_barrier)
		tmap_units_print_size(worst->bytes, size);
	status = tmap_rule_findings_add_take(
		findings, TMAP_MISTAKE_SLOWER, line,
		tmap_format(err, "%s%s%s %s %.3g times as long as the library's own %s (%s)",
			    worst->name, is_barrier ? "" : " for ", size,
			    worst->is_measured ? "took" : "is predicted to take", worst->times,
			    worst->own, where),
		tmap_format(err, "%s%s",
			    tmap_library_selects(choices->library) ?
				    "" :
				    "algorithm 0 is the library's own; ",
			    worst->is_measured ? "topomap tune --times finds better ones" :
						 "topomap tune finds better ones; with --times "
						 "measured ones count"),
		err);
	free(where);
	return status;
}

/* The rules that so many communicators of the job look up, which have those of one size. */
static int size_judge(struct tmap_rule_findings *findings, const struct tmap_rule_size *size,
		      enum tmap_rule_unit unit, const struct tmap_tune_choices *choices,
		      struct tmap_tune_place *const *place, int count, int64_t most,
		      struct tmap_error *err)
{
	struct worst *worst = tmap_alloc((size_t)size->count, sizeof *worst, err);
	int status = worst ? 0 : -1;

	for (int i = 0; i < size->count && worst; i++)
		worst[i].times = TMAP_RULE_SLOWER;
	for (int p = 0, alike; p < count && status == 0; p += alike) {
		alike = 1;
		while (p + alike < count &&
		       place[p + alike]->placement.size == place[p]->placement.size)
			alike++;
		if (tmap_tune_is_called(&place[p], alike, choices->collective))
			status = places_judge(worst, size, unit, choices, &place[p], alike, most,
					      err);
	}
	for (int i = 0; i < size->count && worst; i++) {
		if (status == 0 && worst[i].name)
			status = worst_add(findings, &worst[i], size->rule[i].line, choices, err);
		worst_fini(&worst[i]);
	}
	free(worst);
	return status;
}

static int collective_judge(struct tmap_rule_findings *findings,
			    const struct tmap_rule_collective *collective,
			    const struct tmap_tune_choices *choices,
			    const struct tmap_tune_places *places, int64_t most,
			    struct tmap_error *err)
{
	enum tmap_rule_unit unit = tmap_rule_collective_row(collective->number)->unit;
	int status = 0;

	for (int p = 0, count; p < places->count && status == 0; p += count) {
		struct tmap_tune_place *const *place = &places->place[p];
		const struct tmap_rule_size *size =
			tmap_rule_collective_find(collective, &place[0]->comm);

		count = 1;
		while (p + count < places->count &&
		       tmap_rule_collective_find(collective, &place[count]->comm) == size)
			count++;
		if (size)
			status = size_judge(findings, size, unit, choices, place, count, most, err);
	}
	return status;
}

int tmap_rule_lint_slower(struct tmap_rule_findings *findings, const struct tmap_rule_file *file,
			  int library, const struct tmap_tune_places *places, int64_t most,
			  struct tmap_error *err)
{
	for (int c = 0; c < file->count; c++) {
		const struct tmap_rule_collective *collective = &file->collective[c];
		const struct tmap_rule_collective_row *row =
			tmap_rule_collective_row(collective->number);
		struct tmap_tune_choices choices;
		int status;

		if (!row || row->collective == TMAP_NONE ||
		    tmap_rule_file_find(file, collective->number) != collective)
			continue;
		if (tmap_tune_choices_init_measured(
			    &choices, library, (enum tmap_collective)row->collective,
			    places->element[row->collective], places, err) < 0)
			return -1;
		status = collective_judge(findings, collective, &choices, places, most, err);
		tmap_tune_choices_fini(&choices);
		if (status < 0)
			return -1;
	}
	return 0;
}
