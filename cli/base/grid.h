/*
 * grid.h - the neighborhood of a neighborhood collective: what the command line says of it.
 */
#ifndef TMAP_CLI_BASE_GRID_H
#define TMAP_CLI_BASE_GRID_H

#include "core/schedule/neighborhood.h"
#include "core/schedule/schedule.h"
#include "options/opt.h"

/** What the options say; a member of a command's args. */
struct tmap_grid_args {
	const char *stencil, *cart, *periods, *order;
};

#define TMAP_OPT_GRID(args, grid) \
	{ TMAP_OPT_STRING(args, grid.stencil, 0, "stencil", "STENCIL", NULL, \
			  "neighborhood collectives: who are neighbours: cart, vonneumann:R, " \
			  "moore:R, full, or those listed: \"offsets:1,0;-1,0\"") }, \
		{ TMAP_OPT_STRING( \
			args, grid.cart, 0, "cart", "DIMS", NULL, \
			"the grid that the ranks stand in, the last coordinate counting " \
			"fastest: \"8x8x8\"; a 0 is chosen, as close to the others as it goes") }, \
		{ TMAP_OPT_STRING( \
			args, grid.periods, 0, "periods", "LIST", NULL, \
			"which dimensions are periodic, as MPI_Cart_create is told: \"1,0,1\"; " \
			"none by default") }, \
	{ \
		TMAP_OPT_STRING( \
			args, grid.order, 0, "order", "ORDER", NULL, \
			"how neighbours are listed: fmaj or lmaj (the first or the last " \
			"coordinate changes last), rand:SEED; of full, linear or rand:SEED") \
	}

/** The neighborhood of @p size ranks; without a stencil, that of MPI_Cart_create. What is wrong is
 *  told with the options. Release with tmap_neighborhood_fini() in any case. */
int tmap_grid_read(struct tmap_neighborhood *neighborhood, const struct tmap_grid_args *args,
		   int size, struct tmap_error *err);

/** The neighborhood of @p size ranks for a collective that has one; else nothing is set, and
 *  options are refused (TMAP_USAGE). Release with tmap_neighborhood_fini() in any case. */
int tmap_grid_init(struct tmap_neighborhood *neighborhood, const struct tmap_grid_args *args,
		   enum tmap_collective collective, int size, struct tmap_error *err);

#endif
