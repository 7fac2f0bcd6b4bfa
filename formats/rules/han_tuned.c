/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/rules/han_tuned.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/base/units.h"
#include "core/tune/han_rules.h"
#include "formats/base/amount.h"

#include <math.h>
#include <stdlib.h>

static void add_time(struct tmap_str *text, double seconds)
{
	char room[TMAP_SECONDS_ROOM];

	tmap_str_add(text, isfinite(seconds) ? tmap_seconds_print(seconds, room) : "unknown");
}

/* "binary: 3.10 us for 1KiB, predicted; coll/han 9.00 us", or the other way round. */
static char *step_note(const struct tmap_han_step *step, const struct tmap_han_list *list,
		       struct tmap_error *err)
{
	const struct tmap_tune_choices *choices = &list->collective->choices;
	const char *tuned = step->choice == TMAP_NONE ? "its fixed rules" :
							choices->choice[step->choice].name;
	struct tmap_str text = TMAP_STR_INIT;
	char room[TMAP_UNITS_ROOM];

	tmap_str_addf(&text, "%s: ", step->is_tuned ? tuned : "coll/han");
	add_time(&text, step->is_tuned ? step->tuned_s : step->han_s);
	if (choices->collective != TMAP_BARRIER)
		tmap_str_addf(&text, " for %s", tmap_units_print_size(step->shown, room));
	tmap_str_addf(&text, ", %s; %s%s ", step->is_measured ? "measured" : "predicted",
		      step->is_tuned ? "" : "coll/tuned: ", step->is_tuned ? "coll/han" : tuned);
	add_time(&text, step->is_tuned ? step->han_s : step->tuned_s);
	return tmap_str_take(&text, err);
}

/* A note that is taken, whether or not there was memory for it. */
static int add_rule(struct tmap_rule_size *size, int64_t bytes, enum tmap_han_component component,
		    char *note, struct tmap_error *err)
{
	const struct tmap_rule rule = {
		.bytes = bytes, .algorithm = (int64_t)component, .requests = TMAP_NONE, .note = note
	};

	if (note && tmap_rule_size_add(size, &rule, err) == 0)
		return 0;
	free(note);
	return -1;
}

static int add_others(struct tmap_rule_collective *level, int64_t ranks, struct tmap_error *err)
{
	struct tmap_rule_size *size = tmap_rule_collective_add(level, ranks, err);

	if (!size)
		return -1;
	size->note = tmap_strdup("ranks and others: as the library has it", err);
	return size->note ?
		add_rule(size, 0, TMAP_HAN_ITSELF, tmap_strdup("as by itself", err), err) :
		-1;
}

/* "ranks: all ranks; row:8". */
static char *size_note(const struct tmap_han_list *list, struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;

	tmap_str_add(&text, "ranks: ");
	for (int p = 0; p < list->place_count; p++)
		tmap_str_addf(&text, "%s%s", p ? "; " : "", list->place[p]->what);
	return tmap_str_take(&text, err);
}

static int add_list(struct tmap_rule_collective *level, const struct tmap_han_list *list,
		    struct tmap_error *err)
{
	const struct tmap_tune_collective *it = list->collective;
	struct tmap_rule_size *size = tmap_rule_collective_add(level, list->list->ranks, err);
	int64_t element = it->choices.element;

	if (!size || !(size->note = size_note(list, err)))
		return -1;
	for (int i = 0; i < list->count; i++) {
		const struct tmap_han_step *step = &list->step[i];

		if (add_rule(size, step->bytes, step->is_tuned ? TMAP_HAN_TUNED : TMAP_HAN_ITSELF,
			     step_note(step, list, err), err) < 0)
			return -1;
	}
	if (!list->step[list->count - 1].is_tuned || it->choices.collective == TMAP_BARRIER)
		return 0;
	return add_rule(size, (it->most / element + 1) * element, TMAP_HAN_ITSELF,
			tmap_strdup("larger sizes were not looked at", err), err);
}

/* "bcast; bytes: the vector": a block is one of those of the call. */
static char *collective_note(int number, struct tmap_error *err)
{
	const struct tmap_rule_collective_row *row = tmap_rule_collective_row(number);

	return tmap_format(err, "%s; bytes: %s", row->word.name,
			   row->unit == TMAP_RULE_TOTAL ? "a block" :
							  tmap_rule_unit_print(row->unit));
}

/* All lists of one collective, from number *at on. */
static int add_collective(struct tmap_rule_file *file, const struct tmap_han_tuning *han, int *at,
			  struct tmap_error *err)
{
	const struct tmap_tune_collective *it = han->list[*at].collective;
	struct tmap_rule_collective *level =
		tmap_han_rules_add(file, it->number, TMAP_HAN_GLOBAL, err);
	int from = 1;

	if (!level || !(level->note = collective_note(it->number, err)))
		return -1;
	for (; *at < han->count && han->list[*at].collective == it; ++*at) {
		int ranks = han->list[*at].list->ranks;

		if ((from < ranks && add_others(level, from, err) < 0) ||
		    add_list(level, &han->list[*at], err) < 0)
			return -1;
		from = ranks + 1;
	}
	return add_others(level, from, err);
}

static char *heading_print(const struct tmap_han_tuning *han, const struct tmap_tuned_files *files,
			   struct tmap_error *err)
{
	const struct tmap_tuning *tuning = han->tuning;
	const struct tmap_keyword *library =
		tmap_keywords_at(&tmap_libraries, (size_t)tuning->request.library);
	char digest[TMAP_PLACEMENT_DIGEST_ROOM], *command, *text;

	if (tmap_placement_digest(tuning->places->job, digest, err) < 0)
		return NULL;
	command = tmap_tuned_rules_command(tuning, files, err);
	if (!command)
		return NULL;
	text = tmap_format(
		err,
		"rules of coll/han for %s, by topomap, for use with those of coll/tuned\n"
		"made for %s, placement %s\n"
		"where times are from is said in the rules of coll/tuned\n"
		"%s\n"
		"han: what coll/han does by itself, within nodes and between them; tuned: all ranks at "
		"once, by the rules of coll/tuned\n",
		library->summary, library->name, digest, command);
	free(command);
	return text;
}

int tmap_han_tuned_init(struct tmap_rule_file *file, const struct tmap_han_tuning *han,
			const struct tmap_tuned_files *files, struct tmap_error *err)
{
	struct tmap_rule_file made = { .version = 1, .lookup = TMAP_LOOKUP_HAN };
	int at = 0, status = 0;

	made.heading = heading_print(han, files, err);
	if (!made.heading)
		status = -1;
	while (at < han->count && status == 0)
		status = add_collective(&made, han, &at, err);
	if (status < 0)
		tmap_rule_file_fini(&made);
	else
		*file = made;
	return status;
}
