/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ucc_algorithms.h - what tl/ucp of UCC can be made to take, by the words of UCC_TL_UCP_TUNE.
 *
 *     allgather   1 knomial   2 ring   3 neighbor   4 bruck   5 sparbit   ...
 *     bcast       1 knomial   2 sag_knomial   3 dbt
 *
 * From its sources, not run. UCC numbers them from 0 on; here 0 is what it takes by itself.
 */
#ifndef TMAP_CORE_LIBRARY_UCC_ALGORITHMS_H
#define TMAP_CORE_LIBRARY_UCC_ALGORITHMS_H

#include "core/library/library.h"

struct tmap_ucc_collective {
	struct tmap_keyword word; /**< UCC's name */
	int number; /**< of rule_collectives.h; TMAP_NONE: calls of MPI do not come here */
	const char *algorithms; /**< their names, a blank between two; NULL: it has no choice */
};

/** Row @p i; NULL past the end. */
const struct tmap_ucc_collective *tmap_ucc_collective_at(int i);

/** The row of that name, in any case, or number; NULL: there is none. */
const struct tmap_ucc_collective *tmap_ucc_collective_find(const char *name, size_t length);
const struct tmap_ucc_collective *tmap_ucc_collective_of(int64_t number);

/** The algorithm of that name, in any case, or of UCC's number in digits; 0: there is none. */
int tmap_ucc_algorithm_find(const struct tmap_ucc_collective *row, const char *name, size_t length);

/** Its name, borrowed, and its length; NULL: there is none of this number. */
const char *tmap_ucc_algorithm_name(const struct tmap_ucc_collective *row, int64_t algorithm,
				    int *length);

#endif
