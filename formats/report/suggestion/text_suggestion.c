/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/suggestion/text_suggestion.h"

#include "core/cost/profile_vary.h"
#include "core/machine/overlap.h"
#include "formats/base/meaning.h"
#include "formats/report/suggestion/gains_report.h"
#include "formats/report/suggestion/states_report.h"
#include "formats/text/text_others.h"
#include "formats/text/text_profile.h"
#include "formats/text/text_sharing.h"

#include <math.h>

enum { LABEL = 56, NUMBER = 11 }; /* two blanks, a label and two numbers: 80 columns */

static void write_row(FILE *out, const char *what, double before, double after)
{
	char old[TMAP_MEANING_ROOM], new[TMAP_MEANING_ROOM];

	fprintf(out, "  %-*s%*s%*s\n", LABEL, what, NUMBER, tmap_number_print(before, old), NUMBER,
		tmap_number_print(after, new));
}

static void write_edges(FILE *out, const struct tmap_suggestion *s)
{
	const struct tmap_statistics *before = &s->statistics_before, *after = &s->statistics_after;
	int b = 0, a = 0;

	while (b < before->edge_count || a < after->edge_count) {
		double distance = b < before->edge_count ? before->edges[b].distance :
							   after->edges[a].distance;
		char meaning[TMAP_MEANING_ROOM], number[TMAP_MEANING_ROOM],
			what[2 * TMAP_MEANING_ROOM];

		if (a < after->edge_count && after->edges[a].distance < distance)
			distance = after->edges[a].distance;
		snprintf(what, sizeof what, "%s  %s", tmap_number_print(distance, number),
			 tmap_meaning_print(s->before->machine, TMAP_SCALE_PROCESS, distance,
					    meaning));
		write_row(out, what, (double)tmap_statistics_edges(before, distance),
			  (double)tmap_statistics_edges(after, distance));
		b += b < before->edge_count && before->edges[b].distance == distance;
		a += a < after->edge_count && after->edges[a].distance == distance;
	}
}

static void write_crossings(FILE *out, const struct tmap_suggestion *s)
{
	for (int l = 0; l < s->levels.count; l++)
		write_row(out, s->levels.level[l].name, (double)s->statistics_before.crossings[l],
			  (double)s->statistics_after.crossings[l]);
}

/* The mapper, and the one that found it where that is another. */
static void write_finder(FILE *out, const struct tmap_suggestion *s)
{
	const char *asked = tmap_keywords_at(&tmap_mappers, (size_t)s->mapper)->name;
	const char *finder = tmap_keywords_at(&tmap_mappers, (size_t)s->finder)->name;

	if (s->is_kept || !s->has_traffic)
		return;
	fprintf(out, "Mapper %s", asked);
	if (s->finder != s->mapper)
		fprintf(out, ", by %s", finder);
	fprintf(out, "%s%s.\n", s->how ? ": " : "", s->how ? s->how : "");
}

static void write_ring(FILE *out, const struct tmap_suggestion *s)
{
	const struct tmap_statistics *before = &s->statistics_before, *after = &s->statistics_after;

	fprintf(out, "%-*s%*s%*s\n", LABEL + 2, "ring of ranks, r to r+1: steps at distance",
		NUMBER, "before", NUMBER, "after");
	write_edges(out, s);
	fputs("steps that go to another\n", out);
	write_crossings(out, s);
	fputs("sum of distances\n", out);
	write_row(out, "ring of ranks", before->ring, after->ring);
	write_row(out, "binomial tree of Open MPI's broadcast", before->binomial_near,
		  after->binomial_near);
	write_row(out, "binomial tree of MPICH's broadcast", before->binomial_far,
		  after->binomial_far);
}

/* A part of the time that is printed as 0 %. */
#define NO_GAIN 0.005

/* "falls by 3.0 % (gigabit) to 4.1 % (summit)" */
static void write_span(FILE *out, const struct tmap_robust_span *span, const char *least,
		       const char *most)
{
	char text[TMAP_LONGER_ROOM];

	fprintf(out, "%s %s", span->least < 0 ? "rises" : "falls",
		tmap_change_print(span->least, text));
	if (least)
		fprintf(out, " (%s)", least);
	if (span->least < 0 && span->most >= 0)
		fprintf(out, " or falls %s", tmap_change_print(span->most, text));
	else if (span->least <= -1)
		fprintf(out, " and %s", tmap_change_print(span->most, text));
	else
		fprintf(out, " to %.1f %%", 100 * fabs(span->most));
	if (most)
		fprintf(out, " (%s)", most);
}

/* How far the gain hangs on the costs. */
static void write_others(FILE *out, const struct tmap_suggestion *s)
{
	const struct tmap_other_gain *least = s->others, *most = s->others;

	if (s->has_traffic && s->goal == TMAP_GOAL_SECONDS && !s->is_kept && !s->robust.machines &&
	    s->after.size > TMAP_SUGGESTION_OTHERS_MOST_RANKS)
		tmap_text_write_others_limit(out, TMAP_SUGGESTION_OTHERS_MOST_RANKS, "save");
	if (!s->others_count)
		return;
	for (int i = 1; i < s->others_count; i++) {
		if (s->others[i].gain < least->gain)
			least = &s->others[i];
		if (s->others[i].gain > most->gain)
			most = &s->others[i];
	}
	if (least->gain > -NO_GAIN && most->gain < NO_GAIN) {
		fputs("By other published costs the time stays the same.\n", out);
		return;
	}
	fputs("By other published costs the time ", out);
	write_span(out, &(struct tmap_robust_span){ least->gain, most->gain },
		   least->profile->word.name, most->profile->word.name);
	fputs(".\n", out);
}

/* Which of them were asked, of which large jobs have fewer. */
static void write_variations(FILE *out, const struct tmap_robust *robust)
{
	int all = tmap_profile_variations() - 1;

	fprintf(out, ";\nover %d costs, with ", robust->costs);
	if (robust->variations == all)
		fputs("latencies and rates of half and twice theirs, it ", out);
	else if (robust->variations == 1)
		fprintf(out, "%s, it ", tmap_profile_variation(1));
	else
		fprintf(out, "the first %d of %d variations of theirs, it ", robust->variations,
			all);
}

/* What all costs say that decided, where those of this machine are not known. */
static void write_robust(FILE *out, const struct tmap_suggestion *s)
{
	const struct tmap_robust *robust = &s->robust;
	int least = 0, most = 0;

	for (int i = 1; i < robust->machines; i++) {
		if (robust->gain[i] < robust->gain[least])
			least = i;
		if (robust->gain[i] > robust->gain[most])
			most = i;
	}
	fprintf(out, "Over the costs of %d machines the time ", robust->machines);
	write_span(out, &(struct tmap_robust_span){ robust->gain[least], robust->gain[most] },
		   tmap_profile_at(least)->word.name, tmap_profile_at(most)->word.name);
	if (robust->costs > robust->machines) {
		write_variations(out, robust);
		write_span(out, &robust->varied, NULL, NULL);
	}
	fputs(".\n", out);
}

int tmap_suggestion_write_text(const struct tmap_suggestion *suggestion, const char *launch,
			       FILE *out, struct tmap_error *err)
{
	int sharing = 0;

	/* before anything is written: memory may be refused */
	if (suggestion->has_traffic && tmap_overlap_count(&sharing, &suggestion->after, err) < 0)
		return -1;
	if (!suggestion->has_traffic)
		write_ring(out, suggestion);
	else if (tmap_text_write_states(out, suggestion, err) < 0)
		return -1;
	tmap_text_write_pairs(out, suggestion);
	write_finder(out, suggestion);
	if (suggestion->has_traffic)
		tmap_text_write_profile(out, suggestion->profile);
	if (suggestion->robust.machines && !suggestion->is_kept)
		write_robust(out, suggestion);
	else
		write_others(out, suggestion);
	tmap_text_write_gains(out, suggestion);
	tmap_text_write_sharing(out, sharing, &suggestion->after, suggestion->profile);
	fprintf(out, "%s\n  %s\n",
		suggestion->is_kept && tmap_mapper_at(suggestion->mapper)->moves ?
			"Keep the order of the launch, which is what was written. It is used by" :
			"Start the program with",
		launch);
	return 0;
}

void tmap_suggestion_write_simple(const struct tmap_suggestion *suggestion, int simple,
				  const char *flags, FILE *out)
{
	const struct tmap_state *state = suggestion->state;
	double value = tmap_evaluation_value(&state[simple].evaluation, suggestion->goal);
	double best = tmap_evaluation_value(&state[TMAP_SUGGESTED].evaluation, suggestion->goal);

	fprintf(out, "The %s mapping is %sas good%s%s\n", state[simple].name,
		value > best * (1 + 1e-9) ? "nearly " : "", flags ? ", and needs no file: " : ".",
		flags ? flags : "");
}
