#include "cli/grid.h"

int tm_grid_init(struct tm_neighborhood *neighborhood, const struct tm_grid_args *args,
		 enum tm_collective collective, int size, struct tm_error *err)
{
	const struct tm_collective_row *row = &tm_collective_rows[collective];
	bool given = args->stencil || args->cart || args->periods || args->order;

	if (!row->has_neighbors && given)
		return tm_fail(err, TM_USAGE, "%s has no neighborhood", row->word.name);
	if (!row->has_neighbors)
		return 0;
	if (!args->stencil)
		return tm_fail(err, TM_USAGE, "--stencil is missing: who are neighbours?");
	if (tm_neighborhood_init(neighborhood, size, args->stencil, args->cart, args->periods,
				 args->order, err) < 0)
		return -1;
	if (neighborhood->weight)
		return tm_fail(err, TM_USAGE, "--stencil: %s sends every neighbour as much: its offsets "
			       "have no weights", row->word.name);
	return 0;
}
