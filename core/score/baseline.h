/*
 * versus.h - several trees, or rings, over the same ranks, side by side.
 */
#ifndef TM_VERSUS_H
#define TM_VERSUS_H

#include "core/base/spec.h"
#include "core/library/library.h"
#include "core/cost/account.h"

struct tm_contestant {
	char *name;          /**< "knomial,radix=8" */
	struct tm_knobs knob; /**< how each library is told to use it, filled in and owned; NULL:
				   it cannot be told */
	char *reason;        /**< why it cannot be built here; NULL if it is */
	struct tm_account account; /**< if it is */
};

struct tm_versus {
	const struct tm_load *load; /**< borrowed */
	struct tm_library_whole whole; /**< what the libraries want besides each knob */
	int count;
	struct tm_contestant *row;  /**< [count], in the order of their coming */
	size_t capacity;
};

/** Add a tree or a ring: exactly one of them is not NULL. @p choice (NULL: none) has the
 *  libraries' knobs. */
int tm_versus_add(struct tm_versus *versus, const char *name, const struct tm_choice *choice,
		  const struct tm_tree *tree, const struct tm_ring *ring, struct tm_error *err);

/** Add one that cannot be built, with the reason. */
int tm_versus_add_absent(struct tm_versus *versus, const char *name,
			 const struct tm_choice *choice, const char *reason, struct tm_error *err);
void tm_versus_fini(struct tm_versus *versus);

/** The distances of all contestants' edges: rising, each once, with the sum of their edges;
 *  [*count], the caller's to free. */
int tm_versus_distances(const struct tm_versus *versus, struct tm_edge_count **edges, int *count,
			struct tm_error *err);

#endif
