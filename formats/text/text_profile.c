/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/text/text_profile.h"

#include "core/cost/profile_trust.h"

#include <ctype.h>
#include <string.h>

/* Which distances of the job the profile does not know. Switches are not missed: rows need not tell
 * them apart. */
static void write_span(FILE *out, const struct tmap_profile *profile)
{
	int first = profile->row[0].distance, last = profile->row[profile->row_count - 1].distance;
	int most = profile->job_most < TMAP_PROFILE_OTHER_NODE ? profile->job_most :
								 TMAP_PROFILE_OTHER_NODE;

	if (profile->job_most && profile->job_least < first)
		fprintf(out, "costs of %s know no distance below %d: as at %d\n",
			profile->word.name, first, first);
	if (last < most)
		fprintf(out, "costs of %s know no distance %d and more: as at %d\n",
			profile->word.name, most, last);
}

/* "its check: rho 0.97, regret 1.02, first choice within 5 % in 19 of 20" */
static void write_check(FILE *out, const struct tmap_calibration *it)
{
	const char *comma = "its check: ";

	if (it->has_rho) {
		fprintf(out, "%srho %.3g", comma, it->rho);
		comma = ", ";
	}
	if (it->regret > 0) {
		fprintf(out, "%sregret %.3g", comma, it->regret);
		comma = ", ";
	}
	if (it->choices) {
		fprintf(out, "%sfirst choice within 5 %% in %d of %d", comma, it->choices_near,
			it->choices);
		comma = ", ";
	}
	if (it->choices_tied)
		fprintf(out, "%stied in %d", comma, it->choices_tied);
	if (*comma == ',')
		fputc('\n', out);
}

/* " 2026-11-26 on this placement" */
static void write_calibrated(FILE *out, const struct tmap_profile *profile)
{
	/* of "2026-11-26T23:41:56Z" the day */
	if (profile->date)
		fprintf(out, " %.*s",
			(int)strcspn(profile->date,
				     isdigit((unsigned char)*profile->date) ? "T" : ""),
			profile->date);
	if (profile->knows_placement)
		fprintf(out, " on %s placement", profile->is_same_placement ? "this" : "another");
}

/* Why what is predicted may be wrong. */
static void write_doubts(FILE *out, const struct tmap_profile *profile)
{
	const struct tmap_calibration *it = profile->calibration;

	if (tmap_profile_is_poor_rho(profile))
		fprintf(out,
			"a poor calibration: predicted and measured times have a rank correlation of "
			"%.3g\n",
			it->rho);
	if (it && !it->choices && tmap_calibration_doubt(it))
		fprintf(out, "its calibration %s\n", tmap_calibration_doubt(it));
	if (it && !it->choices && it->has_rho && !(it->regret > 0))
		fputs("its calibration does not say how good its first choices are\n", out);
	if (it && tmap_calibration_has_few_choices(it))
		fprintf(out,
			"its calibration predicted and measured %d case%s only: too few to tell how well "
			"it does\n",
			it->choices, it->choices == 1 ? "" : "s");
	if (tmap_profile_is_poor_choices(profile))
		fprintf(out,
			"a poor calibration: what it calls the fastest is within 5 %% of that in %d of "
			"%d %scases only\n",
			it->choices_near, tmap_calibration_telling(it),
			it->choices_tied ? "untied " : "");
	if (it && tmap_calibration_has_few_telling(it))
		fprintf(out,
			"its calibration leaves open in %d of %d cases whether what it calls the fastest "
			"is:\ntoo few are left to tell how well it does\n",
			it->choices_tied, it->choices);
	if (tmap_profile_is_poor_regret(profile))
		fprintf(out,
			"a poor calibration: what it calls the fastest takes %.3g times as long as that "
			"on average\n",
			it->regret);
	if (tmap_profile_is_noisy(profile))
		fputs("the machine was not quiet when it was calibrated\n", out);
	if (it && it->sharing_ranks)
		fprintf(out,
			"%d ranks shared a core with others when it was calibrated: its costs are of the\n"
			"system's scheduler, too\n",
			it->sharing_ranks);
	if (profile->knows_placement && !profile->is_same_placement)
		fputs("it was calibrated on other ranks or nodes, and may not hold for these\n",
		      out);
}

void tmap_text_write_profile(FILE *out, const struct tmap_profile *profile)
{
	char reason[TMAP_PROFILE_ROOM];

	fprintf(out, "costs of %s, %s", profile->word.name, tmap_profile_kind(profile));
	if (profile->calibration)
		write_calibrated(out, profile);
	fprintf(out, ": %s\n", tmap_profile_print_reason(profile, reason));
	if (profile->calibration)
		write_check(out, profile->calibration);
	write_span(out, profile);
	write_doubts(out, profile);
}

static void put_calibration(struct tmap_json_writer *w, const struct tmap_profile *profile)
{
	const struct tmap_calibration *it = profile->calibration;

	tmap_json_open_line(w, "profile_calibration", '{');
	if (profile->date)
		tmap_json_put_string(w, "date", profile->date);
	if (profile->knows_placement)
		tmap_json_put_bool(w, "same_placement", profile->is_same_placement);
	if (it->has_rho)
		tmap_json_put_double(w, "rho", it->rho);
	if (it->regret > 0)
		tmap_json_put_double(w, "regret", it->regret);
	if (it->choices) {
		tmap_json_put_int(w, "choices", it->choices);
		tmap_json_put_int(w, "choices_near", it->choices_near);
		if (it->choices_tied)
			tmap_json_put_int(w, "choices_tied", it->choices_tied);
	}
	if (it->knows_quiet)
		tmap_json_put_bool(w, "quiet", it->is_quiet);
	if (it->sharing_ranks)
		tmap_json_put_int(w, "sharing_ranks", it->sharing_ranks);
	tmap_json_put_bool(w, "poor", tmap_profile_is_poor(profile));
	tmap_json_put_bool(w, "unjudged", tmap_calibration_is_unjudged(it));
	tmap_json_close(w);
}

void tmap_json_put_profile_choice(struct tmap_json_writer *w, const struct tmap_profile *profile)
{
	char reason[TMAP_PROFILE_ROOM];

	tmap_json_put_string(w, "profile", profile->word.name);
	tmap_json_put_string(w, "profile_kind", tmap_profile_kind(profile));
	tmap_json_put_string(w, "profile_reason", tmap_profile_print_reason(profile, reason));
	if (profile->calibration)
		put_calibration(w, profile);
}
