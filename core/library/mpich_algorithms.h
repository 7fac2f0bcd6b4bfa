/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpich_algorithms.h - what MPICH 4.0 can be made to select, by the words of its selection files.
 *
 *     bcast       intra_binomial                     our binomial_far
 *                 intra_scatter_ring_allgather       our scatter_ring
 *                 inter_remote_send_local_bcast      -
 *                 allcomm_nb                         -
 *
 * The library's name of the first is MPIR_Bcast_intra_binomial. For each collective there is, too, what
 * the library selects where no file is given, in these words: tests that lead to an algorithm or, in
 * parentheses, to more of them; the first one that passes counts, and what has no test always passes.
 *
 *     allgather   comm_size=pow2:(total_msg_size<524288:recursive_doubling,ring), ...
 */
#ifndef TMAP_CORE_LIBRARY_MPICH_ALGORITHMS_H
#define TMAP_CORE_LIBRARY_MPICH_ALGORITHMS_H

#include "core/library/library.h"

struct tmap_mpich_collective {
	struct tmap_keyword word; /**< the library's name */
	int collective;           /**< enum tmap_collective, or TMAP_NONE: no schedule is known */
	const char *algorithms;   /**< their names, a blank between two */
	const char *intra;        /**< what it selects by itself */
	const char *inter; /**< between two groups; NULL: the same, or there is no such call */
};

extern const struct tmap_keywords tmap_mpich_collectives;

/** Row @p i of that table; NULL past its end. */
const struct tmap_mpich_collective *tmap_mpich_collective_at(int i);

/** The row of a collective; TMAP_NONE: it has none. */
int tmap_mpich_collective_of(enum tmap_collective collective);

/** The algorithm of so many bytes, "intra_ring", by its place among those of the row, from 1 on; 0: there
 *  is none. */
int tmap_mpich_algorithm_find(int row, const char *name, size_t length);

/** Its name, borrowed, and its length; NULL: there is none of this place. */
const char *tmap_mpich_algorithm_name(int row, int algorithm, int *length);

/** What MPICH does in a call when its file selects that one, for tmap_call_parse(); NULL: it is not
 *  known. It must be one that takes so many ranks. */
const char *tmap_mpich_algorithm_ours(int row, int algorithm, int ranks);

/** The other way round; 0: it cannot be selected. */
int tmap_mpich_algorithm_of(enum tmap_collective collective, const struct tmap_spec *choice,
			    struct tmap_error *err);

/** The names of ours, for tmap_call_parse(), that can be selected for a collective, from 0 on; NULL: there
 *  are no more. */
const char *tmap_mpich_algorithm_each(enum tmap_collective collective, int i);

/** Does MPICH do such a call, which is of one of these, otherwise on so many ranks? */
bool tmap_mpich_algorithm_differs(const struct tmap_call *call);

/** Is it for powers of two only: with others the program ends? */
bool tmap_mpich_algorithm_wants_power(int row, int algorithm);

#endif
