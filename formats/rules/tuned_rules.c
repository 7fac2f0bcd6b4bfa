/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/rules/tuned_rules.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/base/units.h"
#include "core/cost/profile_choice.h"
#include "core/cost/profile_trust.h"
#include "core/tune/rule_collectives.h"
#include "formats/base/amount.h"
#include "formats/launchers/common/shell.h"
#include "formats/report/times/times_caveats.h"
#include "formats/rules/tuned_left_out.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const sources[] = {
	[TMAP_TUNE_PREDICTED] = "predicted",
	[TMAP_TUNE_MEASURED] = "measured",
	[TMAP_TUNE_BETWEEN] = "between measured sizes",
};

/* Does coll/han come first, for this collective on these communicators? */
static bool list_has_han(const struct tmap_tune_list *list, const struct tmap_tune_collective *it,
			 const struct tmap_tuning *tuning)
{
	return tmap_library_levels(tuning->request.library,
				   &tuning->places->place[list->first_place]->order)
		.takes[it->choices.collective];
}

/* For any that there are rules for? */
static bool tuning_has_han(const struct tmap_tuning *tuning)
{
	for (int c = 0; c < tuning->count; c++)
		for (int l = 0; l < tuning->collective[c].count; l++)
			if (list_has_han(&tuning->collective[c].list[l], &tuning->collective[c],
					 tuning))
				return true;
	return false;
}

static void command_add_file(struct tmap_str *line, const char *path)
{
	tmap_shell_add_file(line, strcmp(path, "-") == 0 ? "FILE" : path);
}

char *tmap_tuned_rules_command(const struct tmap_tuning *tuning,
			       const struct tmap_tuned_files *files, struct tmap_error *err)
{
	struct tmap_str line = TMAP_STR_INIT;

	if (tmap_library_selects(tuning->request.library)) {
		tmap_str_add(&line, "mpirun -genv MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE ");
		command_add_file(&line, files->rules);
		return tmap_str_take(&line, err);
	}
	if (tmap_library_is_ucc(tuning->request.library)) {
		tmap_str_add(&line,
			     "mpirun --mca coll_ucc_enable 1 --mca coll_ucc_priority 100 "
			     "-x UCC_CONFIG_FILE=");
		command_add_file(&line, files->rules);
		return tmap_str_take(&line, err);
	}
	tmap_str_add(&line,
		     "mpirun --mca coll_tuned_use_dynamic_rules 1 "
		     "--mca coll_tuned_dynamic_rules_filename ");
	command_add_file(&line, files->rules);
	if (files->han) {
		tmap_str_add(&line,
			     " --mca coll_han_use_dynamic_file_rules 1 "
			     "--mca coll_han_dynamic_rules_filename ");
		command_add_file(&line, files->han);
	} else if (tuning_has_han(tuning)) {
		tmap_str_add(&line, " --mca coll_han_priority 0");
	}
	return tmap_str_take(&line, err);
}

static void add_time(struct tmap_str *text, double seconds)
{
	char room[TMAP_SECONDS_ROOM];

	tmap_str_add(text, isfinite(seconds) ? tmap_seconds_print(seconds, room) : "unknown");
}

static void add_size(struct tmap_str *text, int64_t bytes)
{
	char room[TMAP_UNITS_ROOM];

	tmap_str_add(text, tmap_units_print_size(bytes, room));
}

/* "ring: 9.20 us for 1KiB, predicted; own (bruck) 12.0 us; no rule can say sparbit: 8.00 us". */
static char *step_note(const struct tmap_tune_step *step, const struct tmap_tune_collective *it,
		       bool has_han, struct tmap_error *err)
{
	const struct tmap_tune_choice *choice = it->choices.choice;
	struct tmap_str text = TMAP_STR_INIT;

	if (step->choice == TMAP_NONE)
		tmap_str_addf(&text, "own%s%s%s: ", step->own[0] ? " (" : "", step->own,
			      step->own[0] ? ")" : "");
	else
		tmap_str_addf(&text, "%s: ", choice[step->choice].name);
	add_time(&text, step->seconds);
	if (it->choices.collective != TMAP_BARRIER) {
		tmap_str_add(&text, " for ");
		add_size(&text, step->shown);
	}
	tmap_str_addf(&text, ", %s", sources[step->source]);
	if (step->choice != TMAP_NONE) {
		tmap_str_addf(&text, "; own%s%s%s ", step->own[0] ? " (" : "", step->own,
			      step->own[0] ? ")" : "");
		add_time(&text, step->own_s);
	}
	if (has_han && isfinite(step->itself_s)) {
		tmap_str_add(&text, "; coll/han ");
		add_time(&text, step->itself_s);
	}
	if (step->best != TMAP_NONE) {
		tmap_str_addf(&text, "; no rule can say %s: ", choice[step->best].name);
		add_time(&text, step->best_s);
	}
	return tmap_str_take(&text, err);
}

static int add_rule(struct tmap_rule_size *size, const struct tmap_rule *rule, int64_t bytes,
		    char *note, struct tmap_error *err)
{
	struct tmap_rule made = *rule;

	made.bytes = bytes;
	made.note = note;
	if (note && tmap_rule_size_add(size, &made, err) == 0)
		return 0;
	free(note);
	return -1;
}

/* Communicators from so many ranks on stay as the library has them. */
static int add_others(struct tmap_rule_collective *collective, int64_t ranks,
		      struct tmap_error *err)
{
	const struct tmap_rule own = { .requests = TMAP_NONE };
	struct tmap_rule_size *size = tmap_rule_collective_add(collective, ranks, err);

	if (!size)
		return -1;
	size->note = tmap_strdup("ranks and others: as the library has it", err);
	return size->note ? add_rule(size, &own, 0, tmap_strdup("own", err), err) : -1;
}

/* "ranks: the ranks of a node; one rank of each node; measured: 9 of the 31 that a rule can say". */
static char *size_note(const struct tmap_tune_list *list, const struct tmap_tune_collective *it,
		       const struct tmap_tune_places *places, struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;

	if (tmap_library_rules_by_range(it->choices.library))
		tmap_str_addf(&text, "bytes: %s; ", tmap_rule_unit_print(list->unit));
	tmap_str_add(&text, "ranks: ");
	for (int p = 0, named = 0; p < list->place_count; p++) {
		const struct tmap_tune_place *place = places->place[list->first_place + p];

		if (place->weight[it->choices.collective] > 0)
			tmap_str_addf(&text, "%s%s", named++ ? "; " : "", place->what);
	}
	if (list->measured)
		tmap_str_addf(&text, "; measured: %d of the %d that a rule can say", list->measured,
			      it->choices.said);
	return tmap_str_take(&text, err);
}

/* Has its last rule an end? Of sizes that were not looked at nothing is known. */
static bool list_needs_end(const struct tmap_tune_list *list)
{
	return (list->unit == TMAP_RULE_VECTOR || list->unit == TMAP_RULE_TOTAL) &&
		list->step[list->count - 1].choice != TMAP_NONE;
}

static int add_end(struct tmap_rule_size *size, const struct tmap_tune_collective *it,
		   const struct tmap_tune_list *list, struct tmap_error *err)
{
	const struct tmap_rule own = { .requests = TMAP_NONE };
	int64_t element = it->choices.element, next = (it->most / element + 1) * element;

	return add_rule(size, &own, tmap_rule_unit_of(list->unit, list->ranks, next, element),
			tmap_strdup("own: larger sizes were not looked at", err), err);
}

static int add_list(struct tmap_rule_collective *collective, const struct tmap_tune_collective *it,
		    const struct tmap_tune_list *list, const struct tmap_tuning *tuning,
		    struct tmap_error *err)
{
	const struct tmap_rule own = { .requests = TMAP_NONE };
	struct tmap_rule_size *size = tmap_rule_collective_add(collective, list->ranks, err);
	bool has_han = list_has_han(list, it, tuning);

	if (!size || !(size->note = size_note(list, it, tuning->places, err)))
		return -1;
	for (int i = 0; i < list->count; i++) {
		const struct tmap_tune_step *step = &list->step[i];
		const struct tmap_rule *rule =
			step->choice == TMAP_NONE ? &own : &it->choices.choice[step->choice].rule;
		int64_t bytes = i ? tmap_rule_unit_of(list->unit, list->ranks, step->bytes,
						      it->choices.element) :
				    0;

		if (add_rule(size, rule, bytes, step_note(step, it, has_han, err), err) < 0)
			return -1;
	}
	return list_needs_end(list) ? add_end(size, it, list, err) : 0;
}

/* Each rule ends where the next one begins. */
static void end_rules(struct tmap_rule_size *size, const struct tmap_tune_list *list,
		      const struct tmap_rule_comm *comm)
{
	size->most_ranks = list->ranks;
	size->spread = comm->spread;
	for (int i = 0; i < size->count; i++)
		size->rule[i].most = i + 1 < size->count ? size->rule[i + 1].bytes - 1 : INT64_MAX;
}

/* Would others of its size, whose rules change something, be looked up instead if it had none? */
static bool list_needs_own(const struct tmap_tune_collective *it, int l)
{
	for (int other = l + 1; other < it->count && it->list[other].ranks == it->list[l].ranks;
	     other++)
		if (tmap_tune_list_changes(&it->list[other]))
			return true;
	return false;
}

/* The same with ranges, which need no rules where nothing changes. */
static int add_ranges(struct tmap_rule_file *file, const struct tmap_tune_collective *it,
		      const struct tmap_tuning *tuning, struct tmap_error *err)
{
	struct tmap_rule_collective *made = NULL;

	for (int l = 0; l < it->count; l++) {
		const struct tmap_tune_list *list = &it->list[l];

		if (!tmap_tune_list_changes(list) && !list_needs_own(it, l))
			continue;
		if ((!made && !(made = tmap_rule_file_add(file, it->number, err))) ||
		    add_list(made, it, list, tuning, err) < 0)
			return -1;
		end_rules(&made->size[made->count - 1], list,
			  &tuning->places->place[list->first_place]->comm);
	}
	return 0;
}

/* "allgather: bytes are the blocks of all ranks together". */
static int add_collective(struct tmap_rule_file *file, const struct tmap_tune_collective *it,
			  const struct tmap_tuning *tuning, struct tmap_error *err)
{
	const struct tmap_rule_collective_row *row = tmap_rule_collective_row(it->number);
	struct tmap_rule_collective *made = NULL;
	int from = 0;

	for (int l = 0; l < it->count; l++) {
		const struct tmap_tune_list *list = &it->list[l];

		if (!tmap_tune_list_changes(list))
			continue;
		if (!made && !(made = tmap_rule_file_add(file, it->number, err)))
			return -1;
		if ((from < list->ranks && add_others(made, from, err) < 0) ||
		    add_list(made, it, list, tuning, err) < 0)
			return -1;
		from = list->ranks + 1;
	}
	if (!made)
		return 0;
	made->note =
		tmap_format(err, "%s; bytes: %s", row->word.name, tmap_rule_unit_print(row->unit));
	return made->note ? add_others(made, from, err) : -1;
}

/* "times on 16 ranks (all ranks) were measured: Open MPI 4.1.4, 2026-11-28, 3 launches", and what is to be
 * known of them. */
static int add_measured(struct tmap_str *text, const struct tmap_tuning *tuning, int p,
			struct tmap_error *err)
{
	const struct tmap_tune_place *place = tuning->places->place[p];
	const struct tmap_times *times = place->times;
	struct tmap_times_caveats caveats;
	int launches = 0;

	if (tmap_times_caveats_find(&caveats, times, 1, err) < 0)
		return -1;
	for (int i = 0; i < times->count; i++)
		if (times->experiment[i].run_count > launches)
			launches = times->experiment[i].run_count;
	tmap_str_addf(text, "times on %d ranks (%s) were measured: ", place->placement.size,
		      place->what);
	tmap_str_add_printable(text, times->mpi);
	tmap_str_add(text, ", ");
	tmap_str_add_printable(text, times->date);
	tmap_str_addf(text, ", %d launch%s\n", launches, launches == 1 ? "" : "es");
	for (int i = 0; i < caveats.count; i++)
		tmap_str_addf(text, "%s\n", caveats.line[i]);
	tmap_tuned_left_out_add(text, tuning, p);
	return 0;
}

/* By which costs times are predicted, and what is to be said of these. */
static void add_costs(struct tmap_str *text, const struct tmap_tuning *tuning)
{
	const struct tmap_tune_places *places = tuning->places;
	const struct tmap_calibration *calibration = places->profile->calibration;

	tmap_str_addf(text, "%stimes are predicted, by the costs of ",
		      tmap_tune_places_are_measured(places) ? "other " : "");
	tmap_str_add_printable(text, places->profile->word.name);
	if (tmap_profile_is_guessed(places->profile) &&
	    !tmap_library_is_ucc(tuning->request.library))
		tmap_str_add(
			text,
			"\nnobody said whose costs to take: by no other published ones is a "
			"rule slower than\nwhat the fixed rules take, at the sizes that were looked at");
	if (tmap_profile_is_poor(places->profile))
		tmap_str_add(
			text,
			"\na poor calibration: check these rules by measured times before use");
	else if (calibration && tmap_calibration_doubt(calibration))
		tmap_str_addf(
			text,
			"\nits calibration %s: check these rules by measured times before use",
			tmap_calibration_doubt(calibration));
	if (tmap_profile_is_noisy(places->profile))
		tmap_str_add(text, "\nthe machine was not quiet when it was calibrated");
	if (calibration && calibration->sharing_ranks)
		tmap_str_addf(text, "\n%d ranks shared a core with others when it was calibrated",
			      calibration->sharing_ranks);
	tmap_str_addc(text, '\n');
}

/* The communicators that have rules, and how many have none of their own. */
static void add_communicators(struct tmap_str *text, const struct tmap_tune_places *places)
{
	for (int p = places->count - 1; p >= 0; p--)
		tmap_str_addf(text, "%d ranks: %s\n", places->place[p]->placement.size,
			      places->place[p]->what);
	if (places->untimed)
		tmap_str_addf(text,
			      "communicators of the program that were not timed, and have the "
			      "rules of their size: %d\n",
			      places->untimed);
	if (places->left_out)
		tmap_str_addf(text,
			      places->is_program ?
				      "communicators of the program that have no rules: %d\n" :
				      "nodes have %d more numbers of ranks, which have no rules\n",
			      places->left_out);
}

/* The collectives that stay as they are. */
static void add_unchanged(struct tmap_str *text, const struct tmap_tuning *tuning)
{
	int count = 0;

	for (int c = 0; c < tuning->count; c++) {
		bool changes = false;

		for (int l = 0; l < tuning->collective[c].count; l++)
			changes |= tmap_tune_list_changes(&tuning->collective[c].list[l]);
		if (changes)
			continue;
		tmap_str_addf(text, "%s%s", count++ ? ", " : "\nnothing is gained for ",
			      tmap_rule_collective_row(tuning->collective[c].number)->word.name);
	}
	tmap_str_addc(text, '\n');
}

/* Who asked for what: the comments before all. */
static char *heading_print(const struct tmap_tuning *tuning, const struct tmap_tuned_files *files,
			   struct tmap_error *err)
{
	const struct tmap_tune_places *places = tuning->places;
	const struct tmap_keyword *library =
		tmap_keywords_at(&tmap_libraries, (size_t)tuning->request.library);
	struct tmap_str text = TMAP_STR_INIT;
	bool is_ucc = tmap_library_is_ucc(tuning->request.library);
	char digest[TMAP_PLACEMENT_DIGEST_ROOM], *command;
	int status = 0;

	if (tmap_placement_digest(places->job, digest, err) < 0)
		return NULL;
	command = tmap_tuned_rules_command(tuning, files, err);
	if (!command)
		return NULL;
	tmap_str_addf(&text, "rules of %s for %s, by topomap\n", is_ucc ? "tl/ucp" : "coll/tuned",
		      library->summary);
	if (tmap_library_is_from_sources(tuning->request.library))
		tmap_str_addf(&text, "not run: how %s reads them is from its sources\n",
			      library->summary);
	tmap_str_addf(&text, "made for %s, placement %s\n", library->name, digest);
	for (int p = places->count - 1; p >= 0 && status == 0; p--)
		if (places->place[p]->times)
			status = add_measured(&text, tuning, p, err);
	add_costs(&text, tuning);
	tmap_str_addf(&text, "%s\n", command);
	add_communicators(&text, places);
	tmap_str_add(&text, "sizes up to ");
	add_size(&text, tuning->request.most);
	if (tuning->request.as_called && places->is_program)
		tmap_str_add(&text, ", of each collective up to the program's largest");
	if (is_ucc)
		tmap_str_add(&text,
			     "; what is not here is as UCC has it, of which no time is known");
	else
		tmap_str_addf(&text, "; algorithm 0 is what %s",
			      tuning_has_han(tuning) ? "the fixed rules of coll/tuned take" :
						       "the library takes by itself");
	add_unchanged(&text, tuning);
	free(command);
	if (status == 0)
		return tmap_str_take(&text, err);
	tmap_str_fini(&text);
	return NULL;
}

int tmap_tuned_rules_init(struct tmap_rule_file *file, const struct tmap_tuning *tuning,
			  const struct tmap_tuned_files *files, struct tmap_error *err)
{
	bool by_range = tmap_library_rules_by_range(tuning->request.library);
	struct tmap_rule_file made = { .version = by_range ? 3 : 1,
				       .lookup = by_range ? TMAP_LOOKUP_RANGES :
							    TMAP_LOOKUP_NEAREST };
	int status = 0;

	made.heading = heading_print(tuning, files, err);
	if (!made.heading)
		status = -1;
	for (int c = 0; c < tuning->count && status == 0; c++)
		status = (by_range ? add_ranges : add_collective)(&made, &tuning->collective[c],
								  tuning, err);
	if (status < 0)
		tmap_rule_file_fini(&made);
	else
		*file = made;
	return status;
}

static int count_rules(const struct tmap_tuning *tuning)
{
	int rules = 0;

	for (int c = 0; c < tuning->count; c++)
		for (int l = 0; l < tuning->collective[c].count; l++)
			for (int i = 0; i < tuning->collective[c].list[l].count; i++)
				rules += tuning->collective[c].list[l].step[i].choice != TMAP_NONE;
	return rules;
}

/* The step at which most is gained, of all: of calls that nobody counts. Without a name: none. */
static struct tmap_tune_gain_call find_gain(const struct tmap_tuning *tuning, const char **beside)
{
	struct tmap_tune_gain_call found = { 0 };

	for (int c = 0; c < tuning->count; c++)
		for (int l = 0; l < tuning->collective[c].count; l++) {
			const struct tmap_tune_collective *it = &tuning->collective[c];
			const struct tmap_tune_list *list = &it->list[l];

			for (int i = 0; i < list->count; i++) {
				const struct tmap_tune_step *step = &list->step[i];

				if (step->choice == TMAP_NONE || !isfinite(step->own_s) ||
				    (found.name &&
				     step->own_s / step->seconds <= found.own_s / found.seconds))
					continue;
				found = (struct tmap_tune_gain_call){
					.name = it->choices.choice[step->choice].name,
					.number = it->number,
					.ranks = list->ranks,
					.bytes = step->shown,
					.is_measured = step->source != TMAP_TUNE_PREDICTED,
					.own_s = step->own_s,
					.seconds = step->seconds
				};
				*beside = list_has_han(list, it, tuning) ?
					"what the fixed rules of coll/tuned take" :
					"the library's own choice";
			}
		}
	return found;
}

/* "bcast of 8MiB, 4 ranks, 20 calls: pipeline is predicted 1.46 times as fast as the library's own choice". */
static void write_most(FILE *out, const struct tmap_tune_gain_call *most, const char *beside)
{
	char size[TMAP_UNITS_ROOM];

	fprintf(out, "%s%s%s, %d ranks", tmap_rule_collective_row(most->number)->word.name,
		most->bytes ? " of " : "",
		most->bytes ? tmap_units_print_size(most->bytes, size) : "", most->ranks);
	if (most->calls)
		fprintf(out, ", %" PRId64 " call%s", most->calls, most->calls == 1 ? "" : "s");
	fprintf(out, ": %s is %s %.3g times as fast as %s\n", most->name,
		most->is_measured ? "measured" : "predicted", most->own_s / most->seconds, beside);
}

/* As the comments of the file have it. */
static int write_left_out(FILE *out, const struct tmap_tuning *tuning, struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;
	char *lines;

	for (int p = tuning->places->count - 1; p >= 0; p--)
		tmap_tuned_left_out_add(&text, tuning, p);
	lines = tmap_str_take(&text, err);
	if (!lines)
		return -1;
	fputs(lines, out);
	free(lines);
	return 0;
}

/* Where coll/han, which the options set aside, is faster than anything that rules can say. */
static void write_han(FILE *out, const struct tmap_tuning *tuning)
{
	int steps = 0, faster = 0;
	double most = 1;

	for (int c = 0; c < tuning->count; c++)
		for (int l = 0; l < tuning->collective[c].count; l++) {
			const struct tmap_tune_list *list = &tuning->collective[c].list[l];

			if (!list_has_han(list, &tuning->collective[c], tuning))
				continue;
			for (int i = 0; i < list->count; i++) {
				double times = list->step[i].seconds / list->step[i].itself_s;

				steps++;
				faster += times > TMAP_TUNE_TOLERANCE;
				most = fmax(most, times);
			}
		}
	if (!steps)
		return;
	fprintf(out,
		"coll/han is set aside, for all collectives: of %d range%s of sizes that it would take "
		"it is %s faster in %d",
		steps, steps == 1 ? "" : "s",
		tmap_tune_places_are_measured(tuning->places) ? "measured or predicted" :
								"predicted",
		faster);
	if (faster)
		fprintf(out, ", up to %.3g times", most);
	fputc('\n', out);
}

/* The same where it has rules. */
static void write_kept(FILE *out, const struct tmap_han_tuning *han)
{
	int steps = 0, tuned = 0;

	for (int l = 0; l < han->count; l++)
		for (int i = 0; i < han->list[l].count; i++) {
			steps++;
			tuned += han->list[l].step[i].is_tuned;
		}
	fprintf(out,
		"coll/han keeps %d of %d range%s of sizes that it takes by itself; coll/tuned gets the "
		"others\n",
		steps - tuned, steps, steps == 1 ? "" : "s");
}

int tmap_tuned_rules_write_summary(FILE *out, const struct tmap_tuning *tuning,
				   const struct tmap_tune_gain *gain,
				   const struct tmap_han_tuning *han,
				   const struct tmap_tuned_files *files, struct tmap_error *err)
{
	char *command = tmap_tuned_rules_command(tuning, files, err);
	const char *beside = "the library's own choice";
	const struct tmap_tune_gain_call most = gain ? gain->most : find_gain(tuning, &beside);
	int rules = count_rules(tuning);

	if (!command || write_left_out(out, tuning, err) < 0) {
		free(command);
		return -1;
	}
	if (rules)
		fprintf(out, "%d rule%s; ", rules, rules == 1 ? "" : "s");
	if (rules && most.name) {
		fputs("most is gained for ", out);
		write_most(out, &most, beside);
	} else if (rules) {
		fputs(gain && gain->calls ? "they make no recorded call faster\n" :
					    "what the library takes by itself is not known\n",
		      out);
	} else if (!tuning->count) {
		fputs("no rules: of no collective that the program calls are two algorithms of UCC "
		      "known, to choose between\n",
		      out);
	} else {
		fprintf(out, "no rules: nothing that can be said is faster than what %s\n",
			tuning_has_han(tuning) ? "the fixed rules of coll/tuned take" :
						 "the library takes by itself");
	}
	if (han)
		write_kept(out, han);
	else if (rules)
		write_han(out, tuning);
	if (rules || han)
		fprintf(out, "%s ...\n", command);
	free(command);
	return 0;
}

/* "allgather, 8 ranks, from 1048 bytes on: " and what the comment of a rule has. */
static int write_step(FILE *out, const struct tmap_tune_step *step,
		      const struct tmap_tune_list *list, const struct tmap_tune_collective *it,
		      struct tmap_error *err)
{
	char *note = step_note(step, it, false, err);

	if (!note)
		return -1;
	fprintf(out, "%s, %d ranks, from %" PRId64 " bytes on: %s\n",
		tmap_rule_collective_row(it->number)->word.name, list->ranks, step->bytes, note);
	free(note);
	return 0;
}

/* Which collectives have no rules, as the library composes them. */
static void write_composed(FILE *out, const struct tmap_tuning *tuning)
{
	const struct tmap_tune_places *places = tuning->places;
	int named = 0;

	for (int c = 0; c < tuning->count; c++) {
		bool is_composed = false;

		for (int p = 0; p < places->count; p++)
			is_composed |= tmap_library_levels(tuning->request.library,
							   &places->place[p]->order)
					       .takes[tuning->collective[c].choices.collective];
		if (is_composed)
			fprintf(out, "%s%s", named++ ? ", " : "",
				tmap_rule_collective_row(tuning->collective[c].number)->word.name);
	}
	if (named)
		fputs(": where ranks share nodes MPICH composes these of what it does within nodes and "
		      "between them; there they stay as it has them\n",
		      out);
}

/* That nobody has seen the library read it, or that the job was of another release. */
static void write_release(FILE *out, const struct tmap_tuning *tuning)
{
	int library = tuning->request.library;
	const char *name = tmap_keywords_at(&tmap_libraries, (size_t)library)->summary;
	const char *probed = tuning->places->job->origin.mpi;
	int other = probed ? tmap_library_selects_for(probed) : TMAP_NONE;

	if (tmap_library_is_from_sources(library))
		fprintf(out, "not run: how %s reads the file is from its sources\n", name);
	if (other != TMAP_NONE && other != library)
		fprintf(out,
			"the placement was probed under %.40s: files for that are of --library %s\n",
			probed, tmap_keywords_at(&tmap_libraries, (size_t)other)->name);
}

int tmap_tuned_rules_write_steps(FILE *out, const struct tmap_tuning *tuning,
				 struct tmap_error *err)
{
	write_release(out, tuning);
	for (int c = 0; c < tuning->count; c++)
		for (int l = 0; l < tuning->collective[c].count; l++) {
			const struct tmap_tune_collective *it = &tuning->collective[c];
			const struct tmap_tune_list *list = &it->list[l];

			for (int i = 0; i < list->count && tmap_tune_list_changes(list); i++)
				if (write_step(out, &list->step[i], list, it, err) < 0)
					return -1;
		}
	write_composed(out, tuning);
	return 0;
}

/* "1012 recorded calls take 2.53 ms by themselves and 2.50 ms by these rules, predicted". */
static void write_known(FILE *out, const struct tmap_tune_gain *gain)
{
	char own[TMAP_SECONDS_ROOM], with[TMAP_SECONDS_ROOM];

	fprintf(out, "%" PRId64 " recorded call%s take%s %s by %s and %s by these rules, ",
		gain->calls, gain->calls == 1 ? "" : "s", gain->calls == 1 ? "s" : "",
		tmap_seconds_print(gain->own_s, own), gain->calls == 1 ? "itself" : "themselves",
		tmap_seconds_print(gain->seconds, with));
	if (gain->measured == gain->calls)
		fputs("measured", out);
	else if (gain->measured)
		fprintf(out, "predicted but for %" PRId64, gain->measured);
	else
		fputs("predicted", out);
}

void tmap_tuned_rules_write_gain(FILE *out, const struct tmap_tune_gain *gain)
{
	const char *before = "";

	if (gain->calls) {
		write_known(out, gain);
		before = "; ";
	}
	if (gain->left_out) {
		fprintf(out, "%sof %" PRId64 " %s no times are known", before, gain->left_out,
			gain->calls                 ? "more" :
				gain->left_out == 1 ? "recorded call" :
						      "recorded calls");
		before = "; ";
	}
	if (gain->others)
		fprintf(out, "%s%" PRId64 " %s%s of collectives that get no rules", before,
			gain->others,
			gain->calls || gain->left_out ? "more " :
				gain->others == 1     ? "recorded call " :
							"recorded calls ",
			gain->others == 1 ? "is" : "are");
	fputc('\n', out);
}
