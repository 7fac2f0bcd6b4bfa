/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpich_algorithms.h - what MPICH 4 and 5 can be made to select, by the words of their selection files.
 *
 *     bcast       intra_binomial                     our binomial_far
 *                 intra_scatter_ring_allgather       our scatter_ring
 *                 inter_remote_send_local_bcast      -
 *                 allcomm_nb                         -
 *
 * The library's name of the first is MPIR_Bcast_intra_binomial. Some are not of all releases, or have
 * parameters: a barrier's intra_dissemination is intra_k_dissemination with k=2 from 4.1 on. For each
 * collective there is, too, what the library selects where no file is given, in these words: tests that lead
 * to an algorithm or, in parentheses, to more of them; the first one that passes counts, and what has no test
 * always passes. That is so from 4.0 to 5.0, but for such names.
 *
 *     allgather   comm_size=pow2:(total_msg_size<524288:recursive_doubling,ring), ...
 */
#ifndef TMAP_CORE_LIBRARY_MPICH_ALGORITHMS_H
#define TMAP_CORE_LIBRARY_MPICH_ALGORITHMS_H

#include "core/library/library.h"

struct tmap_mpich_collective {
	struct tmap_keyword word; /**< the library's name */
	int collective;           /**< enum tmap_collective, or TMAP_NONE: no schedule is known */
	const char *algorithms;   /**< their names in any release, a blank between two */
	const char *intra;        /**< what it selects by itself */
	const char *inter; /**< between two groups; NULL: the same, or there is no such call */
};

/** Releases are numbers: 42 is 4.2. */
struct tmap_mpich_detail {
	int since,
		before; /**< the first release that has it, and the first that no longer has; 0: any */
	const char *
		parameters; /**< which it takes from the file, a blank between two: they have no presets,
				     and what is not in the file is what happens to be in memory */
	bool has_topology; /**< from 4.3 on it reads topo_overhead and its like, too */
};

/** An algorithm by its place among those of a row, from 1 on, and how many children or partners a rank has
 *  in it, its parameter k; 0: it has none, or others that are not known. */
struct tmap_mpich_choice {
	int algorithm, k;
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

/** What is particular to it. */
const struct tmap_mpich_detail *tmap_mpich_algorithm_detail(int row, int algorithm);

/** What MPICH does in a call when its file selects that one, for tmap_call_parse(); NULL: it is not
 *  known. It must be one that takes so many ranks. */
const char *tmap_mpich_choice_ours(int row, const struct tmap_mpich_choice *choice, int ranks);

/** The other way round, in a release; *made has algorithm 0: it cannot be selected. */
int tmap_mpich_choice_of(struct tmap_mpich_choice *made, enum tmap_collective collective,
			 const struct tmap_spec *choice, int release, struct tmap_error *err);

/** All of its parameters with their values, "k=2", a blank between two; empty: it has none, or is not known. */
const char *tmap_mpich_choice_parameters(int row, const struct tmap_mpich_choice *choice);

/** What does the same in a release that does not have the algorithm; else that one. */
struct tmap_mpich_choice tmap_mpich_choice_in(int row, int algorithm, int release);

/** The names of ours, for tmap_call_parse(), that can be selected for a collective in a release, from 0 on;
 *  NULL: there are no more. */
const char *tmap_mpich_algorithm_each(enum tmap_collective collective, int release, int i);

/** Does MPICH do such a call, which is of one of these, otherwise on so many ranks? */
bool tmap_mpich_algorithm_differs(const struct tmap_call *call);

/** Is it for powers of two only: with others the program ends? */
bool tmap_mpich_algorithm_wants_power(int row, int algorithm);

#endif
