/*
 * native.h - what a library takes by itself for a collective, and how long that is.
 */
#ifndef TM_NATIVE_H
#define TM_NATIVE_H

#include "core/machine/order.h"
#include "core/machine/levels.h"
#include "core/cost/cost.h"

/** How a part is done that no library chose. */
#define TM_NAMED "by its name"

/** A collective and how it is done. */
struct tm_timed {
	enum tm_collective collective;
	int64_t bytes;       /**< the size that the MPI call names */
	char *algorithm;     /**< "binomial_far"; NULL until it is timed */
	const char *how;     /**< by which rule it is taken, half a sentence */
	double seconds;
	bool is_guess;       /**< it is not known: the fastest stands for it */
};

/** A library on a placement. */
struct tm_native {
	int library;         /**< row of tm_libraries */
	int size, root;      /**< the root is that of collectives which have one */
	struct tm_metric metric;
	struct tm_levels levels;
	struct tm_order order;
	struct tm_cost_model model;
	int count;
	struct tm_timed *known; /**< [count]: what was asked already */
	size_t capacity;
};

/** Both placement and profile must outlive it, and it stays where it is. O(p). */
int tm_native_init(struct tm_native *native, const struct tm_placement *placement, int library,
		   int root, const struct tm_profile *profile, struct tm_error *err);
void tm_native_fini(struct tm_native *native);

/** Time the collective and size of *timed by an algorithm ("lane,lanes=1"), or, NULL, as the
 *  library takes it; where that is not known, by the fastest of the catalogue that needs no
 *  placement. The rest of *timed is set, its algorithm the caller's to free. 0; 1 where it cannot
 *  run, *why saying so; or -1. Time of a cost, or of all of the catalogue. */
int tm_native_time(struct tm_native *native, struct tm_timed *timed, const char *algorithm,
		   struct tm_error *why, struct tm_error *err);

#endif
