#include "formats/json_suggestion.h"

#include "formats/json_placement.h"

static void put_figures(struct tm_json_writer *w, const char *name,
			const struct tm_figures *figures, const struct tm_levels *levels)
{
	char text[TM_JSON_NUMBER_ROOM];

	tm_json_open(w, name, '{');
	tm_json_put_double(w, "cost", figures->ring);
	tm_json_open_line(w, "edges_per_distance", '{');
	for (int i = 0; i < figures->edge_count; i++)
		tm_json_put_int(w, tm_json_print_double(figures->edges[i].distance, text),
				figures->edges[i].edges);
	tm_json_close(w);
	tm_json_put_double(w, "binomial_near", figures->binomial_near);
	tm_json_put_double(w, "binomial_far", figures->binomial_far);
	tm_json_open(w, "levels", '[');
	for (int l = 0; l < levels->count; l++) {
		tm_json_open_line(w, NULL, '{');
		tm_json_put_string(w, "name", levels->level[l].name);
		tm_json_put_int(w, "messages", figures->crossings[l]);
		tm_json_close(w);
	}
	tm_json_close(w);
	tm_json_close(w);
}

int tm_suggestion_write_json(const struct tm_suggestion *suggestion, const char *launch, FILE *out,
			     struct tm_error *err)
{
	const struct tm_placement *after = &suggestion->after;
	struct tm_json_writer w;

	tm_json_begin(&w, out, "suggestion");
	tm_json_put_int(&w, "size", after->size);
	tm_json_put_string(&w, "mapper",
			   tm_words_at(&tm_mappers, (size_t)suggestion->mapper)->name);
	tm_json_put_string(&w, "launch", launch);
	put_figures(&w, "before", &suggestion->figures_before, &suggestion->levels);
	put_figures(&w, "after", &suggestion->figures_after, &suggestion->levels);
	tm_json_put_ints(&w, "place_of", suggestion->place_of, after->size);
	if (tm_json_put_placement(&w, "placement", after, NULL, err) < 0)
		return -1;
	return tm_json_end(&w, err);
}
