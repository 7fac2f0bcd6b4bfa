/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/suggestion/gains_report.h"

#include "formats/base/wrap.h"

#include <math.h>

enum { LONGER_ROOM = 96 };

static const char *const names[TMAP_GOAL_COUNT] = {
	[TMAP_GOAL_SECONDS] = "predicted time",
	[TMAP_GOAL_DISTANCE] = "cost",
	[TMAP_GOAL_LINK] = "busiest link's load",
};

/* Up to this part, two values differ by rounding errors only. */
static const double rounding = 1e-9;

/* The part that is saved; below 0 where it is more than before, -INFINITY where that was nothing. */
static double saved(const struct tmap_suggestion *s, int measure)
{
	double before =
		tmap_evaluation_value(&s->state[TMAP_LAUNCHED].evaluation, (enum tmap_goal)measure);
	double after = tmap_evaluation_value(&s->state[TMAP_SUGGESTED].evaluation,
					     (enum tmap_goal)measure);

	if (before > 0)
		return (before - after) / before;
	return after > 0 ? -INFINITY : 0;
}

/* "falls by 12.3 %"; of those that follow, without the verb */
static void write_change(FILE *out, double part, bool with_verb)
{
	if (isinf(part))
		fprintf(out, "%sfrom nothing", with_verb ? " rises " : " ");
	else
		fprintf(out, "%s by %s%.1f %%",
			!with_verb       ? "" :
				part > 0 ? " falls" :
					   " rises",
			fabs(part) < 0.0005 ? "less than " : "", fmax(0.1, 100 * fabs(part)));
}

/* The measures but the goal that fall, or rise, by at least TMAP_LEAST_GAIN; how many? */
static int write_others(FILE *out, const struct tmap_suggestion *s, bool falling,
			const char *before)
{
	int count = 0;

	for (int i = 0; i < TMAP_GOAL_COUNT; i++) {
		double part = falling ? saved(s, i) : -saved(s, i);

		if (i == (int)s->goal || part < TMAP_LEAST_GAIN)
			continue;
		fprintf(out, "%s%s", count ? ", the " : before, names[i]);
		write_change(out, saved(s, i), count == 0);
		count++;
	}
	return count;
}

static void write_goal(FILE *out, const struct tmap_suggestion *s)
{
	int others = 0;

	fprintf(out, "The %s", names[s->goal]);
	if (fabs(s->gain) <= rounding)
		fputs(" stays the same", out);
	else
		write_change(out, s->gain, true);
	if (s->gain < TMAP_LEAST_GAIN)
		others = write_others(out, s, true, "; the ");
	if (!others && s->gain < TMAP_LEAST_GAIN && !s->must_move)
		fputs(": too little to be worth a new mapping", out);
	fputs(s->must_move ? ". The ranks cannot stay where they are.\n" : ".\n", out);
}

static bool others_gain(const struct tmap_suggestion *s)
{
	for (int i = 0; i < TMAP_GOAL_COUNT; i++)
		if (i != (int)s->goal && saved(s, i) >= TMAP_LEAST_GAIN)
			return true;
	return false;
}

/* ", the tree of Open MPI's broadcast 55.2 % longer", where it is by at least TMAP_LEAST_GAIN */
static const char *print_longer(char text[LONGER_ROOM], const char *tree, double before,
				double after)
{
	double part = before > 0 ? (after - before) / before : 0;

	text[0] = '\0';
	if (part >= TMAP_LEAST_GAIN)
		snprintf(text, LONGER_ROOM, ", the tree of %s's broadcast %.1f %% longer", tree,
			 100 * part);
	return text;
}

/* The communication is unknown: the ring is the measure, with trees that get longer. */
static void write_ring_gain(FILE *out, const struct tmap_suggestion *s)
{
	const struct tmap_statistics *before = &s->statistics_before, *after = &s->statistics_after;
	char text[3 * LONGER_ROOM], near[LONGER_ROOM], far[LONGER_ROOM];

	snprintf(text, sizeof text, "The ring gets %s%.1f %% shorter%s%s%s.",
		 s->gain < 0.0005 ? "less than " : "", fmax(0.1, 100 * s->gain),
		 print_longer(near, "Open MPI", before->binomial_near, after->binomial_near),
		 print_longer(far, "MPICH", before->binomial_far, after->binomial_far),
		 s->gain < TMAP_LEAST_GAIN ? ": too little to be worth a new mapping" : "");
	tmap_text_write_wrapped(out, 0, "", text);
}

bool tmap_text_gains_are_worth_it(const struct tmap_suggestion *s)
{
	bool rises = false;

	if (s->must_move || !tmap_mapper_at(s->mapper)->moves)
		return true;
	for (int i = 0; i < TMAP_GOAL_COUNT; i++)
		rises |= s->has_traffic && i != (int)s->goal && -saved(s, i) >= TMAP_LEAST_GAIN;
	return !s->is_kept &&
		(s->gain >= TMAP_LEAST_GAIN || (s->has_traffic && others_gain(s) && !rises));
}

/* What was asked for is where the ranks are, and not what that makes of their communication. */
static void write_move(FILE *out, const struct tmap_suggestion *s)
{
	const char *measure = s->has_traffic ? names[s->goal] : "ring";

	fprintf(out, "The ranks get such places as were asked for; the %s ", measure);
	if (s->gain >= -rounding)
		fputs(s->has_traffic ? "stays the same.\n" : "is as long as before.\n", out);
	else if (isinf(s->gain))
		fputs(s->has_traffic ? "rises from nothing.\n" : "gets longer.\n", out);
	else
		fprintf(out, s->has_traffic ? "rises by %.1f %%.\n" : "gets %.1f %% longer.\n",
			fmax(0.1, -100 * s->gain));
}

void tmap_text_write_gains(FILE *out, const struct tmap_suggestion *s)
{
	if (s->is_kept)
		fprintf(out, "%svery rank stays where it is.\n",
			tmap_mapper_at(s->mapper)->moves ? "Nothing is gained: e" : "E");
	else if (s->must_move && s->gain <= rounding && !(s->has_traffic && others_gain(s)))
		write_move(out, s);
	else if (!s->has_traffic)
		write_ring_gain(out, s);
	else
		write_goal(out, s);
	if (!s->is_kept && s->has_traffic && write_others(out, s, false, "Warning: the "))
		fputs(": next to other jobs, or in a network of less bandwidth, this mapping may be "
		      "slower.\n",
		      out);
}
