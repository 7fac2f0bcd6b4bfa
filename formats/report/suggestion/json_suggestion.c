/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/suggestion/json_suggestion.h"

#include "core/machine/overlap.h"
#include "formats/machine/json_placement.h"
#include "formats/report/suggestion/passed_report.h"
#include "formats/report/suggestion/states_report.h"
#include "formats/text/text_profile.h"

/* Of the ring and the trees that libraries make of rank numbers. */
static void put_figures(struct tmap_json_writer *w, const struct tmap_statistics *figures)
{
	char text[TMAP_JSON_NUMBER_ROOM];

	tmap_json_open_line(w, "edges_per_distance", '{');
	for (int i = 0; i < figures->edge_count; i++)
		tmap_json_put_int(w, tmap_json_print_double(figures->edges[i].distance, text),
				  figures->edges[i].edges);
	tmap_json_close(w);
	tmap_json_put_double(w, "binomial_near", figures->binomial_near);
	tmap_json_put_double(w, "binomial_far", figures->binomial_far);
}

static void put_state(struct tmap_json_writer *w, const char *name, const struct tmap_state *state,
		      const struct tmap_statistics *figures, const struct tmap_suggestion *s)
{
	tmap_json_open(w, name, '{');
	tmap_json_put_state(w, s, state);
	if (figures)
		put_figures(w, figures);
	tmap_json_put_state_levels(w, state, &s->levels);
	tmap_json_close(w);
}

static void put_baselines(struct tmap_json_writer *w, const struct tmap_suggestion *s)
{
	tmap_json_open(w, "baselines", '{');
	for (int i = TMAP_BLOCK; i < TMAP_STATE_COUNT; i++)
		if (s->state[i].border)
			put_state(w, s->state[i].name, &s->state[i], NULL, s);
	tmap_json_close(w);
}

static void put_moves(struct tmap_json_writer *w, const struct tmap_moves *moves)
{
	tmap_json_open(w, "pairs", '{');
	tmap_json_put_double(w, "bytes_closer", moves->closer);
	tmap_json_put_double(w, "bytes_further", moves->further);
	tmap_json_put_double(w, "bytes_same", moves->same);
	tmap_json_put_int(w, "silent_ranks", moves->silent);
	tmap_json_open(w, "closest", '[');
	for (int i = 0; i < moves->count; i++) {
		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_ints(w, "ranks", (const int[]){ moves->top[i].a, moves->top[i].b },
				   2);
		tmap_json_put_double(w, "bytes", moves->top[i].bytes);
		tmap_json_put_double(w, "distance_before", moves->top[i].before);
		tmap_json_put_double(w, "distance_after", moves->top[i].after);
		tmap_json_close(w);
	}
	tmap_json_close(w);
	tmap_json_close(w);
}

/* What it gains by other published costs. */
static void put_others(struct tmap_json_writer *w, const struct tmap_suggestion *s)
{
	if (!s->others_count)
		return;
	tmap_json_open(w, "other_costs", '[');
	for (int i = 0; i < s->others_count; i++) {
		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_string(w, "name", s->others[i].profile->word.name);
		tmap_json_put_double(w, "gain", s->others[i].gain);
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

/* What decided where nobody said whose costs it is. */
static void put_robust(struct tmap_json_writer *w, const struct tmap_suggestion *s)
{
	const struct tmap_robust *robust = &s->robust;

	if (!robust->machines)
		return;
	tmap_json_open(w, "robust", '{');
	tmap_json_put_int(w, "machines", robust->machines);
	tmap_json_put_int(w, "costs", robust->costs);
	tmap_json_put_double(w, "mean_gain", s->is_kept ? 0 : robust->mean);
	tmap_json_put_double(w, "least_gain", s->is_kept ? 0 : robust->varied.least);
	tmap_json_put_double(w, "most_gain", s->is_kept ? 0 : robust->varied.most);
	tmap_json_put_refused(w, s);
	tmap_json_close(w);
}

/* The run that was recorded, and what of it no mapping changes. */
static void put_run(struct tmap_json_writer *w, const struct tmap_run_time *run)
{
	if (!(run->recorded_s > 0))
		return;
	tmap_json_open_line(w, "run", '{');
	tmap_json_put_double(w, "recorded_seconds", run->recorded_s);
	tmap_json_put_double(w, "computing_seconds", run->computing_s);
	tmap_json_put_double(w, "waiting_seconds", run->waiting_s);
	tmap_json_put_bool(w, "exceeds", run->exceeds);
	tmap_json_close(w);
}

/* Ranks that need a device. */
static void put_near(struct tmap_json_writer *w, const struct tmap_suggestion *s)
{
	if (!s->near_count)
		return;
	tmap_json_open(w, "near", '[');
	for (int i = 0; i < s->near_count; i++) {
		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_string(w, "device",
				     tmap_keywords_at(&tmap_near_devices, s->near[i].type)->name);
		tmap_json_put_int(w, "ranks", s->near[i].ranks);
		tmap_json_put_int(w, "close_before", s->near[i].before);
		tmap_json_put_int(w, "close_after", s->near[i].after);
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

static void put_head(struct tmap_json_writer *w, const struct tmap_suggestion *s,
		     const struct tmap_origin_launcher *launcher, const char *launch, int sharing)
{
	tmap_json_put_int(w, "size", s->after.size);
	tmap_json_put_string(w, "mapper", tmap_keywords_at(&tmap_mappers, (size_t)s->mapper)->name);
	tmap_json_put_string(w, "found_by",
			     tmap_keywords_at(&tmap_mappers, (size_t)s->finder)->name);
	if (s->how)
		tmap_json_put_string(w, "how", s->how);
	tmap_json_put_string(w, "objective", tmap_keywords_at(&tmap_goals, (size_t)s->goal)->name);
	tmap_json_put_profile_choice(w, s->profile);
	tmap_json_put_double(w, "gain", s->gain);
	tmap_json_put_double(w, "minimum_gain", s->minimum_gain);
	tmap_json_put_bool(w, "changed", !s->is_kept);
	tmap_json_put_bool(w, "worthwhile", !s->is_kept || !tmap_mapper_at(s->mapper)->moves);
	put_robust(w, s);
	tmap_json_put_passed(w, s);
	put_others(w, s);
	put_near(w, s);
	put_run(w, &s->run);
	tmap_json_put_int(w, "sharing_ranks", sharing);
	tmap_json_put_launcher(w, launcher);
	tmap_json_put_string(w, "launch", launch);
}

int tmap_suggestion_write_json(const struct tmap_suggestion *suggestion,
			       const struct tmap_origin_launcher *launcher, const char *launch,
			       FILE *out, struct tmap_error *err)
{
	const struct tmap_suggestion *s = suggestion;
	struct tmap_json_writer w;
	int sharing;

	if (tmap_overlap_count(&sharing, &s->after, err) < 0)
		return -1;
	tmap_json_begin(&w, out, "suggestion");
	put_head(&w, s, launcher, launch, sharing);
	put_state(&w, "before", &s->state[TMAP_LAUNCHED],
		  s->has_traffic ? NULL : &s->statistics_before, s);
	put_state(&w, "after", &s->state[TMAP_SUGGESTED],
		  s->has_traffic ? NULL : &s->statistics_after, s);
	if (s->has_traffic)
		put_baselines(&w, s);
	if (s->has_traffic && s->moves.is_known)
		put_moves(&w, &s->moves);
	if (s->place_of)
		tmap_json_put_ints(&w, "place_of", s->place_of, s->after.size);
	else
		tmap_json_put_null(&w, "place_of");
	if (tmap_json_put_placement(&w, "placement", &s->after, NULL, err) < 0)
		return -1;
	return tmap_json_end(&w, err);
}
