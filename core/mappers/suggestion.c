#include "core/mappers/suggestion.h"

#include "core/mem.h"

#include <stdlib.h>

/* A plan has been requested, not measured. */
static int rename_origin(struct tm_placement *p, const char *by, const char *mapper,
			 struct tm_error *err)
{
	struct tm_origin *origin = &p->origin;

	free(origin->by);
	free(origin->request);
	free(origin->mpi);
	free(origin->launcher);
	free(origin->date);
	*origin = (struct tm_origin){ .by = tm_strdup(by, err),
				      .request = tm_format(err, "--mapper %s", mapper) };
	free(p->last_pu);
	p->last_pu = NULL;
	return origin->by && origin->request ? 0 : -1;
}

static int apply(struct tm_suggestion *s, struct tm_error *err)
{
	struct tm_placement after;

	if (tm_placement_select(&after, s->before, s->place_of, s->before->size, err) < 0)
		return -1;
	tm_placement_fini(&s->after);
	s->after = after;
	tm_figures_fini(&s->figures_after);
	return tm_figures_init(&s->figures_after, &s->after, TM_SCALE_PROCESS, &s->levels, err);
}

/* A mapper that gains nothing moves nobody. */
static int keep_if_vain(struct tm_suggestion *s, struct tm_error *err)
{
	bool moved = false;

	if (s->figures_after.ring < s->figures_before.ring)
		return 0;
	for (int r = 0; r < s->before->size; r++) {
		moved |= s->place_of[r] != r;
		s->place_of[r] = r;
	}
	s->is_kept = true;
	return moved ? apply(s, err) : 0;
}

int tm_suggestion_init(struct tm_suggestion *suggestion, const struct tm_placement *p, int mapper,
		       const char *by, struct tm_error *err)
{
	struct tm_suggestion made = { .before = p, .mapper = mapper };
	int status = -1;

	if (tm_levels_init(&made.levels, p->machine, err) == 0 &&
	    tm_figures_init(&made.figures_before, p, TM_SCALE_PROCESS, &made.levels, err) == 0)
		made.place_of = tm_mapper_run(mapper, p, err);
	if (made.place_of && apply(&made, err) == 0 && keep_if_vain(&made, err) == 0)
		status = rename_origin(&made.after, by,
				       tm_words_at(&tm_mappers, (size_t)mapper)->name, err);
	if (status < 0)
		tm_suggestion_fini(&made);
	else
		*suggestion = made;
	return status;
}

void tm_suggestion_fini(struct tm_suggestion *suggestion)
{
	tm_placement_fini(&suggestion->after);
	free(suggestion->place_of);
	tm_levels_fini(&suggestion->levels);
	tm_figures_fini(&suggestion->figures_before);
	tm_figures_fini(&suggestion->figures_after);
	*suggestion = (struct tm_suggestion){ 0 };
}

double tm_suggestion_gain(const struct tm_suggestion *suggestion)
{
	double before = suggestion->figures_before.ring;

	return before > 0 ? (before - suggestion->figures_after.ring) / before : 0;
}
