/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * library.h - which algorithm an MPI library takes by itself.
 *
 *     openmpi4   Open MPI 4.1: the fixed rules of coll/tuned, by ranks and bytes alone
 *     openmpi5   Open MPI 5: coll/han where several nodes hold several ranks each, for what it
 *                has; else the same fixed rules
 *     mpich      MPICH 4 (ch4): compositions of shared memory and network for what they have;
 *                else cut-offs
 *     ucc        UCC: its own radices and reorderings
 *     openmpi6   Open MPI 6.0: as 5, but that coll/han has an alltoall, too. From its sources
 *     mpich5     MPICH 5: as 4. From its sources
 *     mpich41    MPICH 4.1 to 4.3: as mpich, but that their selection files have other words
 *
 * For operators that commute. Where the choice is not a row of the catalogue, or not known
 * exactly, there is no algorithm, and the sentence says what is known.
 */
#ifndef TMAP_CORE_LIBRARY_LIBRARY_H
#define TMAP_CORE_LIBRARY_LIBRARY_H

#include "core/algorithms/catalogue.h"
#include "core/base/keyword.h"
#include "core/machine/order.h"
#include "core/schedule/schedule.h"

/** One of the libraries, and why it. */
struct tmap_library_pick {
	int library; /**< row of tmap_libraries */
	enum {
		TMAP_LIBRARY_NAMED,
		TMAP_LIBRARY_OF_RECORD,
		TMAP_LIBRARY_OF_JOB,
		TMAP_LIBRARY_PRESET
	} why;
};

/** What a library chooses by. */
struct tmap_library_call {
	enum tmap_collective collective;
	int size;                       /**< ranks, at least 1 */
	int64_t bytes;                  /**< the size that the MPI call names */
	int64_t element;                /**< bytes of an element; 0: tmap_library_element() */
	int root;                       /**< where the collective has one; else 0 */
	const struct tmap_order *order; /**< of the ranks on the nodes */
};

/** Room for the longest name that a library is known to take. */
#define TMAP_LIBRARY_ROOM 160

struct tmap_library_choice {
	char algorithm[TMAP_LIBRARY_ROOM]; /**< a name for tmap_call_parse(); empty: none is
						known */
	const char *how;                   /**< by which rule, half a sentence */
	int number;      /**< Open MPI's number of the algorithm; 0: there is none */
	bool cuts_bytes; /**< it cuts vectors by bytes, as if elements were such:
			      tmap_library_cut() */
};

/** The libraries by name. */
extern const struct tmap_keywords tmap_libraries;

/** Those that choose each in its own way: not the one that is another's but for its rule files. */
#define TMAP_LIBRARIES_THAT_CHOOSE (TMAP_KEYWORDS_ALL & ~TMAP_KEYWORDS_BIT(6))

/** The library with this name and version, as placements have it in origin.mpi, else TMAP_NONE. */
int tmap_library_of(const char *version);

/** Is a name and version one of library @p index? */
bool tmap_library_is_of(int index, const char *version);

/** Releases of MPICH, 42 for 4.2: those whose selection files library @p index is about; 0: it has none. */
struct tmap_library_releases {
	int first, last;
};

struct tmap_library_releases tmap_library_releases(int index);

/** The library for the selection files of this name and version; TMAP_NONE: none, or of a release that is
 *  not known. Releases 5.1 and so on count as 5.0. */
int tmap_library_selects_for(const char *version);

/** The library that is asked for (TMAP_NONE: none), else that under which the placement was probed,
 *  else the first; and why, half a sentence. */
struct tmap_library_pick tmap_library_pick(int wanted, const struct tmap_placement *placement);
const char *tmap_library_pick_reason(const struct tmap_library_pick *pick);

/** Is it one of those that are always listed beside each other, or the one that is asked about? */
bool tmap_library_is_listed(int index, const struct tmap_library_pick *pick);

/** What a library does by itself first within nodes and then between them, or the other way
 *  round. */
struct tmap_library_levels {
	bool by_node;                      /**< does it anything so? */
	bool takes[TMAP_COLLECTIVE_COUNT]; /**< which collectives; of broadcasts MPICH the short
						ones */
	const char *how;                   /**< what of it does; or why there is nothing */
};

struct tmap_library_levels tmap_library_levels(int index, const struct tmap_order *order);

/** The one of tmap_library_knobs() that is for library @p index, borrowed; NULL: it has none, or
 *  has it from a later release of Open MPI on. */
const char *tmap_library_knob(int index, const struct tmap_knobs *knobs,
			      const struct tmap_spec *choice);

/** Does the library such a call by another algorithm, also where that knob is set? */
bool tmap_library_hands_over(int index, const struct tmap_call *call);

/** Is it one that takes coll/han by itself, where ranks share nodes: Open MPI from 5 on? */
bool tmap_library_takes_han(int index);

/** What such a knob changes besides the call that it is set for: "for allgather of every size and
 *  communicator". The caller's to free. */
char *tmap_library_scope(int index, enum tmap_collective collective, const char *knob,
			 struct tmap_error *err);

/** Bytes of an element where nothing is said: 8, or 4, 2, 1 where that does not divide the bytes,
 *  of what is reduced, as libraries' rules count its elements; else 1. */
int64_t tmap_library_element(enum tmap_collective collective, int64_t bytes);

/** What library @p index of that table takes. O(rules). */
struct tmap_library_choice tmap_library_choose(int index, const struct tmap_library_call *call);

/** Has it selection files, as MPICH 4 has (core/tune/selection.h)? */
bool tmap_library_selects(int index);

/** Have its rule files ranges, and tell communicators apart by how their ranks lie, as those of Open MPI
 *  from 6 on (core/tune/rule_file.h)? */
bool tmap_library_rules_by_range(int index);

/** Is what is known of it read from its sources, and not compared with what it does? */
bool tmap_library_is_from_sources(int index);

/** Is it UCC, whose rules are words (ucc_algorithms.h)? */
bool tmap_library_is_ucc(int index);

/** What library @p index takes where its rule file says nothing. */
struct tmap_library_choice tmap_library_rules_own(int index, const struct tmap_library_call *call);

/** What coll/tuned of Open MPI takes by its fixed rules, also where coll/han comes first. */
struct tmap_library_choice tmap_library_tuned_own(const struct tmap_library_call *call);

/** What coll/tuned of Open MPI does in a call when it is set to an algorithm by its number, with so
 *  many children where it asks for them. Nothing is known of those that it composes of other
 *  collectives, which it may be set to something else for. */
struct tmap_library_choice tmap_library_tuned_choice(const struct tmap_library_call *call,
						     int64_t number, int64_t fan);

/** The elements of a call by a choice: as they are, or bytes. */
int64_t tmap_library_cut(const struct tmap_library_choice *choice, int64_t element);

/** What must be set besides the option that selects an algorithm, for it to run on the whole
 *  communicator and not only within the parts that a library cuts it into; NULL: nothing. */
struct tmap_library_whole {
	const char *openmpi; /**< for what coll/tuned has, from 5 on; 4.1 has it so by itself */
	const char *mpich;   /**< from 4.1 on; 4.0 has no such switch */
};

struct tmap_library_whole tmap_library_whole(enum tmap_collective collective,
					     const struct tmap_order *order);

/** *knobs = how each library is made to use a choice for all ranks: its knobs filled in, with what
 *  goes with them; NULL where there is none. The caller's to free, each as a char *. */
int tmap_library_knobs(struct tmap_knobs *knobs, const struct tmap_spec *choice,
		       const struct tmap_library_whole *whole, struct tmap_error *err);

/** The same of a row of the catalogue: one whose knob is of coll/han does not keep that away. */
int tmap_library_algorithm_knobs(struct tmap_knobs *knobs, const struct tmap_spec *choice,
				 const struct tmap_library_whole *whole, struct tmap_error *err);
void tmap_library_knobs_fini(struct tmap_knobs *knobs);

#endif
