/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/inspection/verdict_order.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/base/units.h"
#include "core/cost/profile_trust.h"
#include "formats/report/inspection/verdict_command.h"

#include <stdlib.h>

enum { MOST_RANGES = 4, MOST_REORDERED = 4096 };

static bool has_error(const struct tmap_verdict *verdict)
{
	return tmap_lint_count(verdict->lint, TMAP_SEVERITY_ERROR) > 0;
}

/* How the sentence of the costs ends: how far they are to be believed. */
static void add_trust(struct tmap_str *str, const struct tmap_advice *advice)
{
	const struct tmap_calibration *calibration = advice->profile.calibration;

	if (advice->is_measured)
		tmap_str_add(str, ".");
	else if (tmap_profile_is_poor(&advice->profile))
		tmap_str_add(str, "; its calibration is poor.");
	else if (calibration && tmap_calibration_doubt(calibration))
		tmap_str_addf(str, "; its calibration %s.", tmap_calibration_doubt(calibration));
	else
		tmap_str_add(str, "; not measured here.");
}

/* "Predicted by the published profile summit, as by all 6 others; not measured here": what another
 * profile denies is not advised. */
static void add_costs(struct tmap_str *str, const struct tmap_verdict *verdict, int agreeing)
{
	const struct tmap_advice *advice = verdict->advice;
	const struct tmap_profile *profile = &advice->profile;
	const struct tmap_calibration *calibration = profile->calibration;

	tmap_str_addf(str, " Predicted by the %sprofile %s", tmap_profile_adjective(profile),
		      profile->word.name);
	if (profile->reason == TMAP_PROFILE_BY_VARIABLE)
		tmap_str_add(str, " of " TMAP_PROFILE_VARIABLE);
	if (advice->nodes)
		tmap_str_addf(str, " for %d nodes", advice->nodes);
	if (agreeing)
		tmap_str_addf(str, ", as by %d of %d others", agreeing, agreeing);
	if (verdict->inspection->order.used_nodes > 1 && tmap_profile_lacks_network(profile))
		tmap_str_add(str, "; it has no costs between nodes, and takes those within one");
	if (tmap_profile_is_noisy(profile))
		tmap_str_add(str, "; the machine was not quiet when it was calibrated");
	if (calibration && calibration->sharing_ranks)
		tmap_str_addf(str, "; %d ranks shared a core with others when it was calibrated",
			      calibration->sharing_ranks);
	add_trust(str, advice);
}

/* What is said of the order; of one node only which library it is. */
static void add_order(struct tmap_str *str, const struct tmap_verdict *verdict, const char *library)
{
	const struct tmap_advice *advice = verdict->advice;
	const char *begin = has_error(verdict) ? "Once that is mended, the order" : "Order";
	char order[TMAP_ORDER_ROOM];

	tmap_order_print(&verdict->inspection->order, order);
	if (verdict->inspection->order.used_nodes < 2)
		tmap_str_addf(str, "Library: %s.", library);
	else if (advice->order != TMAP_NONE)
		tmap_str_addf(str, "%s does not fit: %s, for %s; %s would be %.1f times as fast.",
			      begin, order, library, tmap_advice_order_at(advice->order)->name,
			      advice->gain.times);
	else if (advice->disputed != TMAP_NONE)
		tmap_str_addf(str,
			      "%s%s %s, for %s. No advice: %s would gain %.1f times, but lose by "
			      "%d of %d other profiles.",
			      begin, has_error(verdict) ? " is" : ":", order, library,
			      tmap_advice_order_at(advice->disputed)->name, advice->dispute.times,
			      advice->dispute.against, advice->dispute.profiles);
	else
		tmap_str_addf(str, "%s fits: %s, for %s.", begin, order, library);
}

/* An option holds for all sizes of its collective. */
static void add_option_gain(struct tmap_str *str, const struct tmap_advice *advice)
{
	const struct tmap_advice_call *knob = tmap_advice_find_knob(advice);
	char text[TMAP_UNITS_ROOM];

	if (knob)
		tmap_str_addf(str,
			      " If %s of %s takes much time, try %s, %.1f times as fast; other "
			      "sizes may be slower.",
			      tmap_collective_rows[knob->collective].word.name,
			      tmap_units_print_bytes(knob->bytes, text), knob->other,
			      knob->gain.times);
	else if (advice->nodes)
		tmap_str_addf(str, " Options are not weighed for more than %d ranks.",
			      TMAP_ADVICE_MOST_RANKS);
	else
		tmap_str_addf(str, " None of its options is %.0f times as fast.",
			      TMAP_ADVICE_OPTION_GAIN);
}

/* The call that is asked about further: that of the option, else that which the order slows down. */
static const struct tmap_advice_call *find_call(const struct tmap_advice *advice)
{
	const struct tmap_advice_call *knob = tmap_advice_find_knob(advice);

	return knob ? knob : &advice->call[0];
}

/* Another order is a file for the launcher, or a question of the calls where that would be long, or
 * would have the errors of this placement. */
static char *print_command(const struct tmap_verdict *verdict, struct tmap_error *err)
{
	const struct tmap_advice_call *call = find_call(verdict->advice);
	bool is_reordered = verdict->advice->order != TMAP_NONE && !has_error(verdict) &&
		verdict->inspection->placement->size <= MOST_REORDERED;
	struct tmap_job_words words = { NULL };
	struct tmap_str command = TMAP_STR_INIT;
	char bytes[TMAP_UNITS_ROOM], *text, *line;
	const char *name = tmap_collective_rows[call->collective].word.name;

	tmap_units_print_bytes(call->bytes, bytes);
	if (is_reordered) {
		tmap_str_addf(&command, "suggest-rankfile --for %s:%s:%s", name, call->algorithm,
			      bytes);
	} else {
		tmap_str_addf(&command, "score -c %s -b %s", name, bytes);
	}
	if (verdict->inspection->words)
		words = *verdict->inspection->words;
	/* what is assumed here is assumed there, too */
	if (verdict->advice->why && verdict->advice->library > 0)
		words.library =
			tmap_keywords_at(&tmap_libraries, (size_t)verdict->advice->library)->name;
	text = tmap_str_take(&command, err);
	line = text ? tmap_verdict_command_print(text, &words, NULL, err) : NULL;
	free(text);
	return line;
}

/* Programs have calls of their own: the ranks of the largest one, and of equals the first, are a communicator
 * to ask of, where their list is short. */
static int init_of_programs(struct tmap_verdict_order *order, const struct tmap_verdict *verdict,
			    struct tmap_error *err)
{
	const struct tmap_inspection *it = verdict->inspection;
	struct tmap_job_words of_one = it->words ? *it->words : (struct tmap_job_words){ NULL };
	struct tmap_idset ranks = { 0 };
	char *list = NULL;
	int status = 0, largest = 0;

	for (int i = 1; i < it->parts.count; i++)
		if (it->parts.part[i].ranks > it->parts.part[largest].ranks)
			largest = i;
	for (int r = 0; status == 0 && r < it->placement->size; r++)
		if (tmap_mpmd_of(&it->parts, it->placement, r) == largest)
			status = tmap_idset_add(&ranks, r, err);
	if (status == 0)
		order->text = tmap_format(err,
					  "Order: not weighed, the job has %d programs with calls "
					  "of their own.",
					  it->parts.count);
	if (order->text && (ranks.count > MOST_RANGES || it->placement->world || of_one.comm)) {
		order->command =
			tmap_strdup("    --comm with the ranks of one of them weighs it.", err);
	} else if (order->text) {
		of_one.comm = list = tmap_idset_print(&ranks, err);
		if (list)
			order->command = tmap_verdict_command_print("inspect", &of_one, NULL, err);
	}
	tmap_idset_fini(&ranks);
	free(list);
	return order->command ? 0 : -1;
}

/* Nothing is known of what it runs, or its ranks are too many to be timed. */
static int init_unknown(struct tmap_verdict_order *order, const struct tmap_advice *advice,
			struct tmap_error *err)
{
	int library = advice->library;

	order->text = advice->crowd ?
		tmap_format(err, "Order: not weighed, the first nodes have %d ranks.",
			    advice->crowd) :
		tmap_format(err, "Order: what %s runs by itself is not known.",
			    library == TMAP_NONE ?
				    "the MPI library" :
				    tmap_keywords_at(&tmap_libraries, (size_t)library)->summary);
	return order->text ? 0 : -1;
}

static int init_known(struct tmap_verdict_order *order, const struct tmap_verdict *verdict,
		      struct tmap_error *err)
{
	const struct tmap_advice *advice = verdict->advice;
	const struct tmap_advice_call *knob = tmap_advice_find_knob(advice);
	char *library = tmap_advice_print_library(advice, err);
	struct tmap_str str = TMAP_STR_INIT;

	if (!library)
		return -1;
	add_order(&str, verdict, library);
	free(library);
	if (!has_error(verdict))
		add_option_gain(&str, advice);
	else
		knob = NULL;
	add_costs(&str, verdict,
		  knob                               ? knob->gain.profiles :
			  advice->order != TMAP_NONE ? advice->gain.profiles :
						       0);
	order->text = tmap_str_take(&str, err);
	if (order->text)
		order->command = print_command(verdict, err);
	return order->command ? 0 : -1;
}

/* One node has no order of nodes: what remains is an option for a call that the program may never
 * make, and that is said where a library or costs were asked for. */
static bool is_asked(const struct tmap_verdict *verdict)
{
	const struct tmap_job_words *words = verdict->inspection->words;

	return words && (words->library || words->profile) && !has_error(verdict) &&
		tmap_advice_find_knob(verdict->advice);
}

int tmap_verdict_order_init(struct tmap_verdict_order *order, const struct tmap_verdict *verdict,
			    struct tmap_error *err)
{
	const struct tmap_inspection *it = verdict->inspection;
	struct tmap_verdict_order made = { NULL, NULL };
	int status = 0;

	if (it->placement->size < 2)
		status = 0;
	else if (it->parts.count)
		status = init_of_programs(&made, verdict, err);
	else if (!verdict->advice->count)
		status = init_unknown(&made, verdict->advice, err);
	else if (it->order.used_nodes > 1 || is_asked(verdict))
		status = init_known(&made, verdict, err);
	if (status < 0)
		tmap_verdict_order_fini(&made);
	else
		*order = made;
	return status;
}

void tmap_verdict_order_fini(struct tmap_verdict_order *order)
{
	free(order->text);
	free(order->command);
	*order = (struct tmap_verdict_order){ NULL, NULL };
}
