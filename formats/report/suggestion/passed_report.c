/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/suggestion/passed_report.h"

#include "core/cost/profile_vary.h"
#include "formats/base/wrap.h"
#include "formats/report/suggestion/gains_report.h"

enum { PASSED_ROOM = 400 };

/* In the order of enum tmap_passed_reason. */
static const char *const reasons[] = { "slower_than_launched", "slower_than_suggested",
				       "little_in_mean", "another_mapper", "effort" };

/* Was it judged by the costs of all machines? */
static bool is_judged(const struct tmap_passed *it)
{
	return it->reason != TMAP_PASSED_MAPPER && it->reason != TMAP_PASSED_EFFORT;
}

static bool has_loss(const struct tmap_passed *it)
{
	return it->reason == TMAP_PASSED_HARMFUL || it->reason == TMAP_PASSED_WORSE;
}

/* "Not taken: block, which saves 5.7 % by the costs of summit, takes ...": of those that were judged by
 * all costs */
static void print_judged(char text[PASSED_ROOM], const struct tmap_suggestion *s,
			 const struct tmap_passed *it, bool is_last)
{
	bool is_simple = it->name != TMAP_STATE_COUNT;
	const char *variation = tmap_profile_variation(it->loss.variation);
	int length = snprintf(
		text, PASSED_ROOM, "Not taken: %s%s saves %.1f %% by the costs of %s%s ",
		is_simple ? s->state[it->name].name : "a mapping", is_simple ? ", which" : " that",
		100 * it->gain, s->profile->word.name, is_simple ? "," : "");
	size_t room = PASSED_ROOM - (size_t)length;
	char longer[TMAP_LONGER_ROOM];

	if (has_loss(it))
		length += snprintf(text + length, room, "takes %s by those of %s%s%s",
				   tmap_longer_print(it->loss.part,
						     it->reason == TMAP_PASSED_WORSE ?
							     "what is suggested" :
							     "as launched",
						     longer),
				   tmap_profile_at(it->loss.machine)->word.name,
				   *variation ? ", " : "", variation);
	else
		length += snprintf(text + length, room,
				   "saves no more than %.1f %% in the mean of %d machines",
				   100 * it->mean, s->robust.machines);
	snprintf(text + length, PASSED_ROOM - (size_t)length, "%s.",
		 is_last ? "; costs that are measured here (topomap-bench calibrate) would decide" :
			   "");
}

/* "Not taken: block saves 5.7 % of the cost, but mapper greedy was asked for." */
static void print_untried(char text[PASSED_ROOM], const struct tmap_suggestion *s,
			  const struct tmap_passed *it)
{
	int length = snprintf(text, PASSED_ROOM, "Not taken: %s saves %.1f %% of the %s, but ",
			      s->state[it->name].name, 100 * it->gain, tmap_goal_noun(s->goal));
	size_t room = PASSED_ROOM - (size_t)length;

	if (it->reason == TMAP_PASSED_MAPPER)
		snprintf(text + length, room, "mapper %s was asked for.",
			 tmap_keywords_at(&tmap_mappers, (size_t)s->mapper)->name);
	else
		snprintf(text + length, room, "the effort ended before it was tried (--effort).");
}

void tmap_text_write_passed(FILE *out, const struct tmap_suggestion *s)
{
	struct tmap_passed passed[TMAP_PASSED_MOST];
	int count = tmap_suggestion_find_passed(passed, s), last = TMAP_NONE;
	char text[PASSED_ROOM];

	for (int i = 0; i < count; i++)
		if (is_judged(&passed[i]))
			last = i;
	for (int i = 0; i < count; i++) {
		if (is_judged(&passed[i]))
			print_judged(text, s, &passed[i], i == last);
		else
			print_untried(text, s, &passed[i]);
		tmap_text_write_wrapped(out, 0, "", text);
	}
}

static void put_loss(struct tmap_json_writer *w, const struct tmap_robust_loss *loss)
{
	tmap_json_put_double(w, "loss", loss->part);
	tmap_json_put_string(w, "loss_by", tmap_profile_at(loss->machine)->word.name);
	tmap_json_put_string(w, "variation", tmap_profile_variation(loss->variation));
}

void tmap_json_put_refused(struct tmap_json_writer *w, const struct tmap_suggestion *s)
{
	const struct tmap_robust_other *other = &s->robust.other[TMAP_ROBUST_SEARCHED];

	if (!other->is_there || other->is_harmless || other->own_gain - s->gain <= 1e-9)
		return;
	tmap_json_open_line(w, "refused", '{');
	tmap_json_put_double(w, "gain", other->own_gain);
	put_loss(w, &other->beside_launched);
	tmap_json_close(w);
}

void tmap_json_put_passed(struct tmap_json_writer *w, const struct tmap_suggestion *s)
{
	struct tmap_passed passed[TMAP_PASSED_MOST];
	int count = tmap_suggestion_find_passed(passed, s);

	if (!count)
		return;
	tmap_json_open(w, "not_taken", '[');
	for (int i = 0; i < count; i++) {
		const struct tmap_passed *it = &passed[i];

		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_string(w, "mapping",
				     it->name == TMAP_STATE_COUNT ? "searched" :
								    s->state[it->name].name);
		tmap_json_put_double(w, "gain", it->gain);
		tmap_json_put_string(w, "reason", reasons[it->reason]);
		if (has_loss(it))
			put_loss(w, &it->loss);
		else if (it->reason == TMAP_PASSED_LITTLE)
			tmap_json_put_double(w, "mean_gain", it->mean);
		tmap_json_close(w);
	}
	tmap_json_close(w);
}
