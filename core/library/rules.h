/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rules.h - how each library chooses, one function each.
 */
#ifndef TMAP_CORE_LIBRARY_RULES_H
#define TMAP_CORE_LIBRARY_RULES_H

#include "core/library/library.h"

/** Open MPI's fixed rules: the algorithm's number, 0 where there are none for the collective.
 *  The first rule whose two limits are above the call's ranks and bytes. */
int tmap_tuned_number(enum tmap_collective collective, int size, int64_t bytes);

/** What an algorithm of coll/tuned comes to, after those that hand over to others. */
struct tmap_tuned {
	int number;       /**< the library's */
	const char *name; /**< of our row; NULL where there is none */
	const char *how;
};

/** The one that its fixed rules choose. */
struct tmap_tuned tmap_tuned_find(enum tmap_collective collective, int size, int64_t bytes,
				  int64_t element);

/** A choice of an algorithm, NULL where none is known. */
struct tmap_library_choice tmap_library_choice_of(const char *algorithm, const char *how,
						  int number);

struct tmap_library_choice tmap_openmpi4_choose(const struct tmap_library_call *call);
struct tmap_library_choice tmap_openmpi5_choose(const struct tmap_library_call *call);
struct tmap_library_choice tmap_openmpi6_choose(const struct tmap_library_call *call);
struct tmap_library_choice tmap_mpich_choose(const struct tmap_library_call *call);
struct tmap_library_choice tmap_ucc_choose(const struct tmap_library_call *call);

/** Does coll/han of Open MPI 5 take the calls of these ranks? */
bool tmap_has_han(enum tmap_collective collective, const struct tmap_order *order);

/** Does MPICH compose a call of these ranks of what it does within nodes and between them, where it
 *  is short? */
bool tmap_mpich_composes(enum tmap_collective collective, const struct tmap_order *order);

/** The variable that lets MPICH take a call as a whole where ranks share nodes; NULL: it does. */
const char *tmap_mpich_whole(enum tmap_collective collective, const struct tmap_order *order);

#endif
