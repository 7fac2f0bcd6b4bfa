#include "formats/report/suggestion/json_suggestion.h"

#include "formats/machine/json_placement.h"

static void put_levels(struct tm_json_writer *w, const struct tm_border *border,
		       const struct tm_levels *levels)
{
	tm_json_open(w, "levels", '[');
	for (int l = 0; l < levels->count; l++) {
		tm_json_open_line(w, NULL, '{');
		tm_json_put_string(w, "name", levels->level[l].name);
		tm_json_put_double(w, "messages", border[l].messages);
		tm_json_put_double(w, "bytes", border[l].bytes);
		tm_json_close(w);
	}
	tm_json_close(w);
}

/* Of the ring and the trees that libraries make of rank numbers. */
static void put_figures(struct tm_json_writer *w, const struct tm_figures *figures)
{
	char text[TM_JSON_NUMBER_ROOM];

	tm_json_open_line(w, "edges_per_distance", '{');
	for (int i = 0; i < figures->edge_count; i++)
		tm_json_put_int(w, tm_json_print_double(figures->edges[i].distance, text),
				figures->edges[i].edges);
	tm_json_close(w);
	tm_json_put_double(w, "binomial_near", figures->binomial_near);
	tm_json_put_double(w, "binomial_far", figures->binomial_far);
}

static void put_state(struct tm_json_writer *w, const char *name, const struct tm_state *state,
		      const struct tm_figures *figures, const struct tm_levels *levels)
{
	tm_json_open(w, name, '{');
	tm_json_put_double(w, "seconds", state->measures.seconds);
	tm_json_put_double(w, "cost", state->measures.byte_distance);
	tm_json_put_double(w, "busiest_link_seconds", state->measures.link_s);
	if (figures)
		put_figures(w, figures);
	put_levels(w, state->border, levels);
	tm_json_close(w);
}

static void put_baselines(struct tm_json_writer *w, const struct tm_suggestion *s)
{
	tm_json_open(w, "baselines", '{');
	for (int i = TM_BLOCK; i < TM_STATE_COUNT; i++)
		put_state(w, s->state[i].name, &s->state[i], NULL, &s->levels);
	tm_json_close(w);
}

static void put_moves(struct tm_json_writer *w, const struct tm_moves *moves)
{
	tm_json_open(w, "pairs", '{');
	tm_json_put_double(w, "bytes_closer", moves->closer);
	tm_json_put_double(w, "bytes_further", moves->further);
	tm_json_put_double(w, "bytes_same", moves->same);
	tm_json_put_int(w, "silent_ranks", moves->silent);
	tm_json_open(w, "closest", '[');
	for (int i = 0; i < moves->count; i++) {
		tm_json_open_line(w, NULL, '{');
		tm_json_put_ints(w, "ranks", (const int[]){ moves->top[i].a, moves->top[i].b }, 2);
		tm_json_put_double(w, "bytes", moves->top[i].bytes);
		tm_json_put_double(w, "distance_before", moves->top[i].before);
		tm_json_put_double(w, "distance_after", moves->top[i].after);
		tm_json_close(w);
	}
	tm_json_close(w);
	tm_json_close(w);
}

static void put_head(struct tm_json_writer *w, const struct tm_suggestion *s, const char *launch)
{
	tm_json_put_int(w, "size", s->after.size);
	tm_json_put_string(w, "mapper", tm_words_at(&tm_mappers, (size_t)s->mapper)->name);
	tm_json_put_string(w, "found_by", tm_words_at(&tm_mappers, (size_t)s->finder)->name);
	if (s->how)
		tm_json_put_string(w, "how", s->how);
	tm_json_put_string(w, "objective", tm_words_at(&tm_goals, (size_t)s->goal)->name);
	tm_json_put_string(w, "profile", s->profile->word.name);
	tm_json_put_double(w, "gain", s->gain);
	tm_json_put_string(w, "launch", launch);
}

int tm_suggestion_write_json(const struct tm_suggestion *suggestion, const char *launch, FILE *out,
			     struct tm_error *err)
{
	const struct tm_suggestion *s = suggestion;
	struct tm_json_writer w;

	tm_json_begin(&w, out, "suggestion");
	put_head(&w, s, launch);
	put_state(&w, "before", &s->state[TM_LAUNCHED],
		  s->has_traffic ? NULL : &s->figures_before, &s->levels);
	put_state(&w, "after", &s->state[TM_SUGGESTED],
		  s->has_traffic ? NULL : &s->figures_after, &s->levels);
	if (s->has_traffic)
		put_baselines(&w, s);
	if (s->has_traffic && s->moves.is_known)
		put_moves(&w, &s->moves);
	if (s->place_of)
		tm_json_put_ints(&w, "place_of", s->place_of, s->after.size);
	else
		tm_json_put_null(&w, "place_of");
	if (tm_json_put_placement(&w, "placement", &s->after, NULL, err) < 0)
		return -1;
	return tm_json_end(&w, err);
}
