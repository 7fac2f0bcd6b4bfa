#include "cli/base/grid.h"

#include "core/base/string.h"

#include <stdlib.h>

/* "--cart 4x4 --periods 1: what is wrong with them" */
static int name_options(const struct tm_grid_args *args, struct tm_error *err)
{
	const char *const given[][2] = {
		{ "--stencil", args->stencil }, { "--cart", args->cart },
		{ "--periods", args->periods }, { "--order", args->order } };
	struct tm_str text = TM_STR_INIT;
	char *options;

	for (size_t i = 0; i < sizeof given / sizeof *given; i++)
		if (given[i][1])
			tm_str_addf(&text, "%s%s %s", text.length ? " " : "", given[i][0], given[i][1]);
	options = tm_str_take(&text, err);
	if (options)
		tm_wrap(err, "%s", options);
	free(options);
	return -1;
}

int tm_grid_read(struct tm_neighborhood *neighborhood, const struct tm_grid_args *args, int size,
		 struct tm_error *err)
{
	if (tm_neighborhood_init(neighborhood, size, args->stencil ? args->stencil : "cart",
				 args->cart, args->periods, args->order, err) == 0)
		return 0;
	return err->kind == TM_INPUT ? name_options(args, err) : -1;
}

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
	if (tm_grid_read(neighborhood, args, size, err) < 0)
		return -1;
	if (neighborhood->weight)
		return tm_fail(err, TM_USAGE, "--stencil: %s sends every neighbour as much: its offsets "
			       "have no weights", row->word.name);
	return 0;
}
