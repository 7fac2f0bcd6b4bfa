#include "core/score/sweep.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 40 };

void tm_sweep_fini(struct tm_sweep *sweep)
{
	for (int i = 0; i < sweep->name_count; i++)
		free(sweep->name[i]);
	free(sweep->name);
	free(sweep->ranks);
	free(sweep->bytes);
	free(sweep->cell);
	*sweep = (struct tm_sweep){ 0 };
}

const struct tm_sweep_cell *tm_sweep_at(const struct tm_sweep *sweep, int ranks, int size)
{
	return &sweep->cell[ranks * sweep->size_count + size];
}

/* 2, 4, 8, ..., size; and 1, 4, 16, ... up to the size asked for. */
static int fill_axes(struct tm_sweep *sweep, int size, int64_t most_bytes, struct tm_error *err)
{
	sweep->ranks = tm_alloc(MOST_STEPS, sizeof *sweep->ranks, err);
	sweep->bytes = tm_alloc(MOST_STEPS, sizeof *sweep->bytes, err);
	if (!sweep->ranks || !sweep->bytes)
		return -1;
	for (int64_t p = 2; p < size; p *= 2)
		sweep->ranks[sweep->rank_count++] = (int)p;
	sweep->ranks[sweep->rank_count++] = size;
	if (most_bytes < 1)
		sweep->bytes[sweep->size_count++] = 0;
	for (int64_t b = 1; b <= most_bytes; b *= 4) {
		sweep->bytes[sweep->size_count++] = b;
		if (b > most_bytes / 4)
			break;
	}
	sweep->cell = tm_alloc((size_t)sweep->rank_count * (size_t)sweep->size_count,
			       sizeof *sweep->cell, err);
	return sweep->cell ? 0 : -1;
}

/* Index of a name, added if it is new; TM_NONE with *err set. */
static int intern(struct tm_sweep *sweep, const char *name, struct tm_error *err)
{
	for (int i = 0; i < sweep->name_count; i++)
		if (strcmp(sweep->name[i], name) == 0)
			return i;
	if (tm_grow(&sweep->name, &sweep->name_capacity, (size_t)sweep->name_count + 1,
		    sizeof *sweep->name, err) < 0)
		return TM_NONE;
	sweep->name[sweep->name_count] = tm_strdup(name, err);
	return sweep->name[sweep->name_count] ? sweep->name_count++ : TM_NONE;
}

static int fill_cell(struct tm_sweep *sweep, struct tm_sweep_cell *cell,
		     const struct tm_score *score, struct tm_error *err)
{
	*cell = (struct tm_sweep_cell){ .name = TM_NONE };
	if (score->applicable == 0)
		return 0;
	cell->name = intern(sweep, score->row[0].name, err);
	cell->seconds = score->row[0].seconds;
	return cell->name == TM_NONE ? -1 : 0;
}

/* All sizes, on a part of the placement that is looked at once. */
static int fill_cells(struct tm_sweep *sweep, int row, const struct tm_placement *part,
		      const struct tm_score_request *request, struct tm_error *err)
{
	struct tm_score_request one = *request;
	struct tm_score score = { 0 };
	int status = 0;

	for (int s = 0; s < sweep->size_count && status == 0; s++) {
		one.bytes = sweep->bytes[s];
		status = s == 0 ? tm_score_init(&score, part, &one, err) :
				  tm_score_again(&score, &one, err);
		if (status == 0)
			status = fill_cell(sweep, &sweep->cell[row * sweep->size_count + s],
					   &score, err);
	}
	tm_score_fini(&score);
	return status;
}

static int fill_row(struct tm_sweep *sweep, int row, const struct tm_placement *placement,
		    const struct tm_score_request *request, struct tm_error *err)
{
	int size = sweep->ranks[row], status = -1;
	int *first = tm_alloc_raw((size_t)size, sizeof *first, err);
	struct tm_placement part = { 0 };

	for (int r = 0; first && r < size; r++)
		first[r] = r;
	if (first && tm_placement_select(&part, placement, first, size, err) == 0)
		status = fill_cells(sweep, row, &part, request, err);
	tm_placement_fini(&part);
	free(first);
	return status;
}

int tm_sweep_init(struct tm_sweep *sweep, const struct tm_placement *placement,
		  const struct tm_score_request *request, struct tm_error *err)
{
	struct tm_sweep made = { .collective = request->collective,
				 .profile = request->profile ? request->profile :
					    tm_profile_at(0) };
	int status;

	if (request->neighborhood)
		return tm_fail(err, TM_INPUT, "a grid has one number of ranks: it has no sweep");
	if (request->root > 1)
		return tm_fail(err, TM_INPUT, "a sweep begins with two ranks; its root is one of "
			       "them, not %d", request->root);
	status = fill_axes(&made, placement->size, request->bytes, err);
	for (int row = 0; row < made.rank_count && status == 0; row++)
		status = fill_row(&made, row, placement, request, err);
	if (status < 0)
		tm_sweep_fini(&made);
	else
		*sweep = made;
	return status;
}
