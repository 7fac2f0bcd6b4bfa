/*
 * native.h - what a library takes by itself for a collective, and how long that is.
 */
#ifndef TMAP_CORE_GUIDELINES_NATIVE_H
#define TMAP_CORE_GUIDELINES_NATIVE_H

#include "core/cost/cost.h"
#include "core/machine/levels.h"
#include "core/machine/order.h"

/** How a part is done that no library chose. */
#define TMAP_NAMED "by its name"

/** A collective and how it is done. */
struct tmap_timed {
	enum tmap_collective collective;
	int64_t bytes;   /**< the size that the MPI call names */
	char *algorithm; /**< "binomial_far"; NULL until it is timed */
	const char *how; /**< by which rule it is taken, half a sentence */
	double seconds;
	bool is_guess; /**< it is not known: the fastest stands for it */
};

/** A library on a placement. */
struct tmap_native {
	int library;    /**< row of tmap_libraries */
	int size, root; /**< the root is that of collectives which have one */
	struct tmap_metric metric;
	struct tmap_levels levels;
	struct tmap_order order;
	struct tmap_cost_model model;
	int count;
	struct tmap_timed *known; /**< [count]: what was asked already */
	size_t capacity;
};

/** Both placement and profile must outlive it, and it stays where it is. O(p). */
int tmap_native_init(struct tmap_native *native, const struct tmap_placement *placement,
		     int library, int root, const struct tmap_profile *profile,
		     struct tmap_error *err);
void tmap_native_fini(struct tmap_native *native);

/** Time the collective and size of *timed by an algorithm ("lane,lanes=1"), or, NULL, as the
 *  library takes it; where that is not known, by the fastest of the catalogue that needs no
 *  placement. The rest of *timed is set, its algorithm the caller's to free. 0; 1 where it cannot
 *  run, *why saying so; or -1. Time of a cost, or of all of the catalogue. */
int tmap_native_time(struct tmap_native *native, struct tmap_timed *timed, const char *algorithm,
		     struct tmap_error *why, struct tmap_error *err);

#endif
