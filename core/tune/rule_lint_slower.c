/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/rule_lint_parts.h"

#include "core/base/mem.h"
#include "core/base/units.h"
#include "core/library/library.h"
#include "core/tune/rule_collectives.h"
#include "core/tune/tune_choices.h"
#include "core/tune/tuned_entry.h"

#include <math.h>
#include <stdlib.h>

/* Where a rule is slowest beside the library's own choice. */
struct worst {
	double times;
	int64_t bytes;
	const char *place;
	int ranks;
	char *name, *own; /* owned */
};

static void worst_fini(struct worst *worst)
{
	free(worst->name);
	free(worst->own);
}

/* *seconds = what the rule does on the communicator; INFINITY: that is not known. */
static int rule_cost(double *seconds, char **name, const struct tmap_rule *rule,
		     const struct tmap_tune_choices *choices, struct tmap_tune_place *place,
		     int64_t bytes, struct tmap_error *err)
{
	const struct tmap_library_call question = { .collective = choices->collective,
						    .size = place->placement.size,
						    .bytes = bytes,
						    .element = choices->element,
						    .order = &place->order };
	struct tmap_tune_place *const one[] = { place };

	*seconds = INFINITY;
	if (tmap_tuned_entry_name(name, rule, &question, err) < 0)
		return -1;
	return *name ? tmap_tune_name_cost(seconds, choices, *name, one, 1, bytes, err) : 0;
}

/* One rule, at one size. */
static int worst_try(struct worst *worst, const struct tmap_rule *rule,
		     const struct tmap_tune_choices *choices, struct tmap_tune_place *place,
		     int64_t bytes, struct tmap_error *err)
{
	struct tmap_tune_place *const one[] = { place };
	char own[TMAP_LIBRARY_ROOM], *name = NULL;
	double seconds, own_s;
	int status = rule_cost(&seconds, &name, rule, choices, place, bytes, err);

	if (status == 0)
		status = tmap_tune_own_cost(&own_s, own, choices, false, one, 1, bytes, err);
	if (status == 0 && isfinite(seconds) && isfinite(own_s) && seconds > worst->times * own_s) {
		worst_fini(worst);
		*worst = (struct worst){ .times = seconds / own_s,
					 .bytes = bytes,
					 .place = place->what,
					 .ranks = place->placement.size,
					 .name = name,
					 .own = tmap_strdup(own, err) };
		return worst->own ? 0 : -1;
	}
	free(name);
	return status;
}

/* The rules that sizes 1, 2, 4, ... elements look up, at each of these. */
static int place_judge(struct worst *worst, const struct tmap_rule_size *size,
		       enum tmap_rule_unit unit, const struct tmap_tune_choices *choices,
		       struct tmap_tune_place *place, int64_t most, struct tmap_error *err)
{
	bool is_barrier = choices->collective == TMAP_BARRIER;

	for (int64_t bytes = is_barrier ? 0 : choices->element; bytes <= most; bytes *= 2) {
		int64_t asked =
			tmap_rule_unit_of(unit, place->placement.size, bytes, choices->element);
		const struct tmap_rule *rule = tmap_rule_size_find(size, asked);

		if (rule && rule->algorithm &&
		    worst_try(&worst[rule - size->rule], rule, choices, place, bytes, err) < 0)
			return -1;
		if (is_barrier || bytes > most / 2)
			break;
	}
	return 0;
}

static int worst_add(struct tmap_rule_findings *findings, const struct worst *worst, int line,
		     const struct tmap_tune_choices *choices, struct tmap_error *err)
{
	char size[TMAP_UNITS_ROOM] = "";
	bool is_barrier = choices->collective == TMAP_BARRIER;

	if (!is_barrier)
		tmap_units_print_size(worst->bytes, size);
	return tmap_rule_findings_add_take(
		findings, TMAP_MISTAKE_SLOWER, line,
		tmap_format(err,
			    "%s%s%s is predicted to take %.3g times as long as the library's own "
			    "%s (%d ranks: %s)",
			    worst->name, is_barrier ? "" : " for ", size, worst->times, worst->own,
			    worst->ranks, worst->place),
		tmap_strdup("algorithm 0 is the library's own; topomap tune finds better ones",
			    err),
		err);
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
	for (int p = 0; p < count && status == 0; p++)
		status = place_judge(worst, size, unit, choices, place[p], most, err);
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
			tmap_rule_collective_find(collective, place[0]->placement.size);

		count = 1;
		while (p + count < places->count &&
		       tmap_rule_collective_find(collective, place[count]->placement.size) == size)
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
		struct tmap_tune_choices choices = { .library = library };

		if (!row || row->collective == TMAP_NONE ||
		    tmap_rule_file_find(file, collective->number) != collective)
			continue;
		choices.collective = (enum tmap_collective)row->collective;
		choices.element = places->element[row->collective];
		if (collective_judge(findings, collective, &choices, places, most, err) < 0)
			return -1;
	}
	return 0;
}
