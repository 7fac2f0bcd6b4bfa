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

/** Fill in the choice and the bytes of a call whose size, root and metric are set, and whose
 *  neighborhood is where there is one. A weight that is not given is 1. @p order is that of the
 *  ranks, for libraries, and @p library the native one. Refuses malformed words and unknown names
 *  (TMAP_USAGE), a library of which it is not known what it takes, and what cannot run at this size
 *  (TMAP_INPUT). */
int tmap_calls_parse(struct tmap_call *call, double *weight, const char *text,
		     const struct tmap_order *order, int library, struct tmap_error *err);

#endif
