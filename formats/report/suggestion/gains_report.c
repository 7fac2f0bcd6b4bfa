/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/suggestion/gains_report.h"

#include "formats/base/amount.h"
#include "formats/base/wrap.h"
#include "formats/report/suggestion/passed_report.h"

#include <math.h>
#include <string.h>

enum { LONGER_ROOM = 128 };

static const char *const names[TMAP_GOAL_COUNT] = {
	[TMAP_GOAL_SECONDS] = "predicted time",     [TMAP_GOAL_DISTANCE] = "cost",
	[TMAP_GOAL_LINK] = "busiest link's load",   [TMAP_GOAL_HOPS] = "traffic over cables",
	[TMAP_GOAL_CABLE] = "busiest cable's load",
};

const char *tmap_goal_noun(enum tmap_goal goal)
{
	return names[goal];
}

const char *tmap_longer_print(double part, const char *than, char text[TMAP_LONGER_ROOM])
{
	double times = 1 + part;

	if (part < 1)
		snprintf(text, TMAP_LONGER_ROOM, "%.1f %% longer%s%s", 100 * part,
			 than ? " than " : "", than ? than : "");
	else
		snprintf(text, TMAP_LONGER_ROOM, "%.*f times as long%s%s", times < 9.95 ? 1 : 0,
			 times,
			 !than                                ? "" :
				 strncmp(than, "as ", 3) == 0 ? " " :
								" as ",
			 than ? than : "");
	return text;
}

const char *tmap_change_print(double part, char text[TMAP_LONGER_ROOM])
{
	if (part <= -1)
		snprintf(text, TMAP_LONGER_ROOM, "to %.*f times", part > -8.95 ? 1 : 0, 1 - part);
	else
		snprintf(text, TMAP_LONGER_ROOM, "by %.1f %%", 100 * fabs(part));
	return text;
}

/* Up to this part, two values differ by rounding errors only. */
static const double rounding = 1e-9;

/* "falls by 12.3 %", "rises from nothing"; of those that follow, without the verb */
static void write_change(FILE *out, double part, bool with_verb)
{
	char text[TMAP_LONGER_ROOM];

	if (with_verb)
		fputs(part > 0 ? " falls" : " rises", out);
	fprintf(out, " %s",
		isinf(part)                 ? "from nothing" :
			fabs(part) < 0.0005 ? "by less than 0.1 %" :
					      tmap_change_print(part, text));
}

/* What is printed as 0 %. */
static const double nothing = 0.0005;

/* The measures but the goal that fall, or rise, by at least @p least; how many? */
static int write_others(FILE *out, const struct tmap_suggestion *s, bool falling, double least,
			const char *before)
{
	int count = 0;

	for (int i = 0; i < TMAP_GOAL_COUNT; i++) {
		double saved = tmap_suggestion_saved(s, (enum tmap_goal)i);

		if (i == (int)s->goal || (falling ? saved : -saved) < least)
			continue;
		fprintf(out, "%s%s", count ? ", the " : before, names[i]);
		write_change(out, saved, count == 0);
		count++;
	}
	return count;
}

/* How much the measure but the goal rises that rises most; 0: none does. */
static double most_rise(const struct tmap_suggestion *s)
{
	double most = 0;

	for (int i = 0; i < TMAP_GOAL_COUNT; i++)
		if (i != (int)s->goal)
			most = fmax(most, -tmap_suggestion_saved(s, (enum tmap_goal)i));
	return most;
}

/* Nothing rises in silence. */
static void write_rises(FILE *out, const struct tmap_suggestion *s)
{
	double rise = most_rise(s);

	if (rise < nothing)
		return;
	write_others(out, s, false, nothing, rise < TMAP_LEAST_GAIN ? "The " : "Warning: the ");
	fputs(rise < TMAP_LEAST_GAIN ?
		      ".\n" :
		      ": next to other jobs, or in a network of less bandwidth, this mapping may be "
		      "slower.\n",
	      out);
}

static void write_goal(FILE *out, const struct tmap_suggestion *s)
{
	fprintf(out, "The %s", names[s->goal]);
	if (fabs(s->gain) <= rounding)
		fputs(" stays the same", out);
	else
		write_change(out, s->gain, true);
	if (s->gain < TMAP_LEAST_GAIN)
		write_others(out, s, true, TMAP_LEAST_GAIN, "; the ");
	fputs(s->must_move ? ". The ranks cannot stay where they are.\n" : ".\n", out);
}

static bool others_gain(const struct tmap_suggestion *s)
{
	for (int i = 0; i < TMAP_GOAL_COUNT; i++)
		if (i != (int)s->goal &&
		    tmap_suggestion_saved(s, (enum tmap_goal)i) >= TMAP_LEAST_GAIN)
			return true;
	return false;
}

/* ", the tree of Open MPI's broadcast 55.2 % longer", where it is by at least TMAP_LEAST_GAIN */
static const char *print_longer(char text[LONGER_ROOM], const char *tree, double before,
				double after)
{
	double part = before > 0 ? (after - before) / before : 0;
	char longer[TMAP_LONGER_ROOM];

	text[0] = '\0';
	if (part >= TMAP_LEAST_GAIN)
		snprintf(text, LONGER_ROOM, ", the tree of %s's broadcast %s", tree,
			 tmap_longer_print(part, NULL, longer));
	return text;
}

/* The communication is unknown: the ring is the measure, with trees that get longer. */
static void write_ring_gain(FILE *out, const struct tmap_suggestion *s)
{
	const struct tmap_statistics *before = &s->statistics_before, *after = &s->statistics_after;
	char text[3 * LONGER_ROOM], near[LONGER_ROOM], far[LONGER_ROOM];

	snprintf(text, sizeof text, "The ring gets %s%.1f %% shorter%s%s.",
		 s->gain < 0.0005 ? "less than " : "", fmax(0.1, 100 * s->gain),
		 print_longer(near, "Open MPI", before->binomial_near, after->binomial_near),
		 print_longer(far, "MPICH", before->binomial_far, after->binomial_far));
	tmap_text_write_wrapped(out, 0, "", text);
}

/* What was asked for is where the ranks are, and not what that makes of their communication. */
static void write_move(FILE *out, const struct tmap_suggestion *s)
{
	const char *measure = s->has_traffic ? names[s->goal] : "ring";
	char longer[TMAP_LONGER_ROOM];

	fprintf(out, "The ranks get such places as were asked for; the %s", measure);
	if (s->gain >= -rounding)
		fputs(s->has_traffic ? " stays the same" : " is as long as before", out);
	else if (s->has_traffic)
		write_change(out, isinf(s->gain) ? s->gain : fmin(-0.001, s->gain), true);
	else if (isinf(s->gain))
		fputs(" gets longer", out);
	else
		fprintf(out, " gets %s", tmap_longer_print(fmax(0.001, -s->gain), NULL, longer));
	fputs(".\n", out);
}

static void write_little(FILE *out, const struct tmap_suggestion *s)
{
	fprintf(out, "Too little is gained, %s%.1f %% of the %s",
		s->vain_gain < nothing ? "less than " : "", fmax(0.1, 100 * s->vain_gain),
		s->has_traffic ? names[s->goal] : "ring's length");
	if (s->robust.machines)
		fprintf(out, " in the mean of %d machines", s->robust.machines);
	fputs(": every rank stays where it is (--minimum-gain).\n", out);
}

static void write_kept(FILE *out, const struct tmap_suggestion *s)
{
	struct tmap_passed passed[TMAP_PASSED_MOST];

	if (!tmap_mapper_at(s->mapper)->moves)
		fputs("Every rank stays where it is.\n", out);
	else if (s->robust.machines && s->vain_gain > rounding && s->vain_gain >= s->minimum_gain)
		fprintf(out,
			"Too doubtful a gain, %.1f %% of the time in the mean of %d machines and next to "
			"none on some: every rank stays where it is (--minimum-gain).\n",
			100 * s->vain_gain, s->robust.machines);
	else if (s->vain_gain > rounding)
		write_little(out, s);
	else
		fprintf(out, "Nothing is %s: every rank stays where it is.\n",
			tmap_suggestion_find_passed(passed, s) ? "changed" : "gained");
}

/* "Of 4 ranks that need a gpu 1 had one close, and 4 have one so." */
static void write_near(FILE *out, const struct tmap_suggestion *s)
{
	for (int i = 0; i < s->near_count; i++) {
		const struct tmap_near_gain *near = &s->near[i];
		const char *device = tmap_keywords_at(&tmap_near_devices, near->type)->name;

		fprintf(out,
			"Of the %d rank%s that need%s %s %s, %d %s close to one as launched, %d as "
			"suggested.\n",
			near->ranks, near->ranks == 1 ? "" : "s", near->ranks == 1 ? "s" : "",
			near->type == TMAP_NETWORK ? "an" : "a", device, near->before,
			near->before == 1 ? "is" : "are", near->after);
	}
}

/* "2.00 s computing stays: ", "2.00 s computing and 3.00 s waits for late ranks stay:" and a new line */
static void write_stays(FILE *out, const struct tmap_run_time *run)
{
	bool is_long = run->waiting_s > 0 || run->exceeds;
	char computing[TMAP_SECONDS_ROOM], waiting[TMAP_SECONDS_ROOM];

	tmap_seconds_print(run->computing_s, computing);
	if (run->waiting_s > 0)
		fprintf(out, "%s computing and %s waits for late ranks stay", computing,
			tmap_seconds_print(run->waiting_s, waiting));
	else
		fprintf(out, "%s computing stays", computing);
	if (run->exceeds)
		fputs(" (cut off: its communication is predicted to take longer than it did)", out);
	fputs(is_long ? ":\n" : ": ", out);
}

/* What stays leaves of that, and beside it the communication alone. */
static void write_run(FILE *out, const struct tmap_suggestion *s)
{
	double before = s->run.recorded_s;
	double after = tmap_suggestion_run_seconds(s, &s->state[TMAP_SUGGESTED]);
	char old[TMAP_SECONDS_ROOM], new[TMAP_SECONDS_ROOM];

	if (!(before > 0) || !(after > 0) || s->is_kept)
		return;
	fputs("The run, of which ", out);
	write_stays(out, &s->run);
	fprintf(out,
		"%s as recorded, %s as suggested, %.2f times as fast;\nits communication alone: "
		"%.2f times.\n",
		tmap_seconds_print(before, old), tmap_seconds_print(after, new), before / after,
		s->state[TMAP_LAUNCHED].evaluation.seconds /
			s->state[TMAP_SUGGESTED].evaluation.seconds);
}

void tmap_text_write_gains(FILE *out, const struct tmap_suggestion *s)
{
	if (s->is_kept)
		write_kept(out, s);
	else if (s->must_move && s->gain <= rounding && !(s->has_traffic && others_gain(s)))
		write_move(out, s);
	else if (!s->has_traffic)
		write_ring_gain(out, s);
	else
		write_goal(out, s);
	if (!s->is_kept && s->has_traffic)
		write_rises(out, s);
	write_run(out, s);
	tmap_text_write_passed(out, s);
	write_near(out, s);
}
