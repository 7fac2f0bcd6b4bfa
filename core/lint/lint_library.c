/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/base/units.h"
#include "core/lint/advice.h"

#include <stdlib.h>

static const char *call_name(const struct tmap_advice_call *call)
{
	return tmap_collective_rows[call->collective].word.name;
}

/* ", by the cost profile summit on the first 8 nodes; 6 of 6 other published ones agree" */
static void add_costs(struct tmap_str *str, const struct tmap_advice *advice,
		      const struct tmap_advice_gain *gain)
{
	tmap_str_addf(str, "%scost profile %s", tmap_profile_adjective(&advice->profile),
		      advice->profile.word.name);
	if (advice->nodes)
		tmap_str_addf(str, " on the first %d nodes", advice->nodes);
	if (gain->profiles)
		tmap_str_addf(str, "; %d of %d other published ones agree",
			      gain->profiles - gain->against, gain->profiles);
}

/* "1.0 times" says nothing. */
static bool is_same(double times)
{
	return times > 0.95 && times < 1.05;
}

static char *reason_print(const struct tmap_advice *advice, const struct tmap_inspection *it,
			  struct tmap_error *err)
{
	char text[TMAP_UNITS_ROOM], kind[TMAP_ORDER_ROOM];
	char *library = tmap_advice_print_library(advice, err);
	struct tmap_str str = TMAP_STR_INIT;
	const char *comma = "";
	int same = 0;

	if (!library)
		return NULL;
	tmap_str_addf(&str,
		      "the default algorithms of %s take %.1f times as long in this order of the "
		      "ranks (%s) as in %s order of the same places, on average:",
		      library, advice->gain.times, tmap_order_print(&it->order, kind),
		      tmap_advice_order_at(advice->order)->name);
	free(library);
	for (int i = 0; i < advice->count; i++) {
		const struct tmap_advice_call *call = &advice->call[i];

		if (call->here_s <= 0 || call->better_s <= 0)
			continue;
		if (is_same(call->here_s / call->better_s)) {
			same++;
			continue;
		}
		tmap_str_addf(&str, "%s %s of %s (%s) %.1f times as long", comma, call_name(call),
			      tmap_units_print_bytes(call->bytes, text), call->algorithm,
			      call->here_s / call->better_s);
		comma = ",";
	}
	if (same)
		tmap_str_addf(&str, "%s %s", comma,
			      same == 1 ? "the other one as long" : "the others as long");
	tmap_str_add(&str, "; by the ");
	add_costs(&str, advice, &advice->gain);
	return tmap_str_take(&str, err);
}

/* The call that the order slows down most; 0: it was not timed. */
static const struct tmap_advice_call *find_worst(const struct tmap_advice *advice)
{
	const struct tmap_advice_call *worst = &advice->call[0];

	for (int i = 1; i < advice->count; i++) {
		const struct tmap_advice_call *call = &advice->call[i];

		if (call->better_s > 0 &&
		    (worst->better_s <= 0 ||
		     call->here_s * worst->better_s > worst->here_s * call->better_s))
			worst = call;
	}
	return worst;
}

static char *fix_print(const struct tmap_finding *finding, const struct tmap_inspection *it,
		       const struct tmap_advice *advice, struct tmap_error *err)
{
	const struct tmap_advice_call *worst = find_worst(advice),
				      *knob = tmap_advice_find_knob(advice);
	const char *collective = call_name(knob ? knob : worst);
	bool by_turns = tmap_advice_order_at(advice->order)->by_turns;
	/* uneven nodes in turn are not consecutive, and that is the next finding */
	char *reorder = by_turns && !it->order.regular ?
		tmap_strdup("put as many ranks on every node, or distribute them over the nodes in "
			    "turn",
			    err) :
		tmap_lint_order_fix(finding, it, by_turns, err);
	struct tmap_str str = TMAP_STR_INIT;
	char text[TMAP_UNITS_ROOM];

	if (!reorder)
		return NULL;
	tmap_str_addf(&str,
		      "%s, or reorder them for what the program does (topomap suggest-rankfile "
		      "--for %s:%s:%s",
		      reorder, call_name(worst), worst->algorithm,
		      tmap_units_print_bytes(worst->bytes, text));
	free(reorder);
	tmap_job_command_end(&str, "suggest-rankfile", it->words);
	tmap_str_add(&str, "); if the order must stay, select other algorithms");
	tmap_units_print_bytes((knob ? knob : worst)->bytes, text);
	if (knob)
		tmap_str_addf(&str, ": %s of %s is %.1f times as fast with %s", collective, text,
			      knob->gain.times, knob->knob);
	tmap_str_addf(&str, " (topomap score --collective %s --bytes %s", collective, text);
	tmap_job_command_end(&str, "score", it->words);
	tmap_str_addc(&str, ')');
	return tmap_str_take(&str, err);
}

/* An order that would be a loss on machines with other costs is none to be advised. */
static enum tmap_lint_answer slow_order_disputed(struct tmap_finding *finding,
						 const struct tmap_advice *advice,
						 struct tmap_error *err)
{
	const struct tmap_advice_gain *gain = &advice->dispute;

	return tmap_lint_skipped_take(
		finding,
		tmap_format(err,
			    "%s order would be %.1f times as fast by the cost profile %s, but "
			    "slower by %d of %d other published ones; a calibrated profile would "
			    "tell",
			    tmap_advice_order_at(advice->disputed)->name, gain->times,
			    advice->profile.word.name, gain->against, gain->profiles));
}

static bool slows_a_call(const struct tmap_advice *advice)
{
	for (int i = 0; i < TMAP_ADVICE_CALLS; i++)
		if (advice->call[i].better_s > TMAP_ADVICE_LOSS * advice->call[i].here_s)
			return true;
	return false;
}

static enum tmap_lint_answer slow_order_answer(struct tmap_finding *finding,
					       const struct tmap_inspection *it,
					       const struct tmap_advice *advice,
					       struct tmap_error *err)
{
	if (it->parts.count)
		return tmap_lint_skipped_take(
			finding,
			tmap_format(err,
				    "the job has %d programs with calls of their own; --comm names "
				    "the ranks of one",
				    it->parts.count));
	if (advice->crowd)
		return tmap_lint_skipped_take(
			finding,
			tmap_format(err,
				    "the first nodes have %d ranks, and orders of more than "
				    "%d are not timed",
				    advice->crowd, TMAP_ADVICE_CROWD));
	if (!advice->count)
		return tmap_lint_skipped_take(
			finding,
			tmap_strdup("the default algorithms of the MPI library are not known",
				    err));
	if (advice->order == TMAP_NONE)
		return advice->disputed == TMAP_NONE ? TMAP_LINT_NOTHING :
						       slow_order_disputed(finding, advice, err);
	if (tmap_idset_add_range(&finding->ranks, 0, it->placement->size - 1, err) < 0)
		return TMAP_LINT_FAILED;
	tmap_lint_figure(finding, "times_as_long", advice->gain.times);
	/* node after node is well for what an order in turn would slow */
	if (tmap_advice_order_at(advice->order)->by_turns && slows_a_call(advice))
		finding->severity = TMAP_SEVERITY_HINT;
	finding->reason = reason_print(advice, it, err);
	finding->fix = fix_print(finding, it, advice, err);
	return finding->reason && finding->fix ? TMAP_LINT_FOUND : TMAP_LINT_FAILED;
}

const struct tmap_advice *tmap_lint_advice(const struct tmap_inspection *it,
					   struct tmap_advice *own, struct tmap_error *err)
{
	if (it->advice)
		return it->advice;
	return tmap_advice_init(own, it, err) < 0 ? NULL : own;
}

enum tmap_lint_answer tmap_lint_slow_order(struct tmap_finding *finding,
					   const struct tmap_inspection *it, struct tmap_error *err)
{
	struct tmap_advice own = { 0 };
	const struct tmap_advice *advice;
	enum tmap_lint_answer answer;

	if (it->order.used_nodes < 2)
		return TMAP_LINT_NOTHING;
	advice = tmap_lint_advice(it, &own, err);
	answer = advice ? slow_order_answer(finding, it, advice, err) : TMAP_LINT_FAILED;
	tmap_advice_fini(&own);
	return answer;
}
