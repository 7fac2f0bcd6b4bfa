/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calls.h - "allgather:bruck,radix=4:64KiB@0.7": a call and how often it is made.
 *
 *     COLLECTIVE:ALGORITHM:BYTES[/DATATYPE][@WEIGHT]       barrier:ALGORITHM[@WEIGHT]
 *
 * A library's name in the place of the algorithm stands for what that library takes by
 * itself for as many ranks and bytes: "allgather:openmpi4:64KiB"; "native" for what the library
 * takes that the caller says. The datatype is that of core/schedule/datatype.h:
 * "allreduce:native:8/double".
 */
#ifndef TMAP_CORE_LIBRARY_CALLS_H
#define TMAP_CORE_LIBRARY_CALLS_H

#include "core/library/library.h"

/** How a call's algorithm was chosen: what it takes to choose again, for another order of the ranks. */
struct tmap_library_own {
	bool follows_order; /**< a library chose it, and may choose otherwise in another order */
	int library;        /**< of tmap_libraries; only where it does */
	int64_t element;    /**< of the call, before the library cut it */
};

/** That of library @p library for such a call. */
struct tmap_library_own tmap_library_own_of(int library, enum tmap_collective collective,
					    int64_t element);

/** Fill in the choice and the element of a call whose other members are set, as the library takes it in
 *  that order. Refuses one of which it is not known what it takes (TMAP_INPUT). */
int tmap_calls_choose_anew(struct tmap_call *call, const struct tmap_library_own *own,
			   const struct tmap_order *order, struct tmap_error *err);

/** Fill in the choice and the bytes of a call whose size, root and metric are set, and whose
 *  neighborhood is where there is one. A weight that is not given is 1. @p order is that of the
 *  ranks, for libraries, and @p library the native one; *own says how it was chosen. Refuses malformed words
 *  and unknown names (TMAP_USAGE), a library of which it is not known what it takes, and what cannot run at
 *  this size (TMAP_INPUT). */
int tmap_calls_parse(struct tmap_call *call, double *weight, struct tmap_library_own *own,
		     const char *text, const struct tmap_order *order, int library,
		     struct tmap_error *err);

#endif
