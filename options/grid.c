/* SPDX-License-Identifier: BSD-3-Clause */
#include "options/grid.h"

#include "core/base/string.h"

#include <stdlib.h>

/* "--cart 4x4 --periods 1: what is wrong with them" */
static int name_options(const struct tmap_grid_args *args, struct tmap_error *err)
{
	const char *const given[][2] = { { "--stencil", args->stencil },
					 { "--cart", args->cart },
					 { "--periods", args->periods },
					 { "--order", args->order } };
	struct tmap_str text = TMAP_STR_INIT;
	char *options;

	for (size_t i = 0; i < sizeof given / sizeof *given; i++)
		if (given[i][1])
			tmap_str_addf(&text, "%s%s %s", text.length ? " " : "", given[i][0],
				      given[i][1]);
	options = tmap_str_take(&text, err);
	if (options)
		tmap_wrap(err, "%s", options);
	free(options);
	return -1;
}

int tmap_grid_read(struct tmap_neighborhood *neighborhood, const struct tmap_grid_args *args,
		   int size, struct tmap_error *err)
{
	if (tmap_neighborhood_init(neighborhood, size, args->stencil ? args->stencil : "cart",
				   args->cart, args->periods, args->order, err) == 0)
		return 0;
	return err->kind != TMAP_SYSTEM ? name_options(args, err) : -1;
}

int tmap_grid_init(struct tmap_neighborhood *neighborhood, const struct tmap_grid_args *args,
		   enum tmap_collective collective, int size, struct tmap_error *err)
{
	const struct tmap_collective_row *row = &tmap_collective_rows[collective];
	const char *given = args->stencil ? "stencil" :
		args->cart                ? "cart" :
		args->periods             ? "periods" :
		args->order               ? "order" :
					    NULL;

	if (!row->has_neighbors && given)
		return tmap_fail(err, TMAP_USAGE, "--%s: %s has no neighborhood", given,
				 row->word.name);
	if (!row->has_neighbors)
		return 0;
	if (!args->stencil)
		return tmap_fail(err, TMAP_USAGE, "--stencil, the neighbors of a rank, is missing");
	if (tmap_grid_read(neighborhood, args, size, err) < 0)
		return -1;
	if (neighborhood->weight)
		return tmap_fail(
			err, TMAP_USAGE,
			"--stencil: %s sends the same to every neighbor: its offsets have no "
			"weights",
			row->word.name);
	return 0;
}
