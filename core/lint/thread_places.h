/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread_places.h - where OpenMP binds the threads of a rank, from its environment.
 *
 *     the rank may run on    core 0 [0 1]   core 1 [2 3]   core 2 [4 5]   core 3 [6 7]
 *     OMP_PLACES=cores       place 0        place 1        place 2        place 3
 *     4 threads, close       0              1              2              3
 *     2 threads, spread      0                             1
 *     KMP_AFFINITY=compact   places 0 1     2 3            4 5            6 7
 *     3 threads              0 1            2
 *
 * Each rank counts from the first PU that it may run on, so that ranks which may run on the same PUs
 * have their threads on the same ones. OpenMP 5.2, 21.1.6 and 21.2; the manual of GNU libgomp;
 * LLVM/OpenMP's Runtimes for KMP_AFFINITY and KMP_HW_SUBSET. What is not understood binds nothing.
 */
#ifndef TMAP_CORE_LINT_THREAD_PLACES_H
#define TMAP_CORE_LINT_THREAD_PLACES_H

#include "core/machine/setting.h"
#include "core/machine/topology.h"

/** How threads come to places. */
enum tmap_thread_policy {
	TMAP_THREAD_CLOSE,   /**< one after the other, equally many on each where there are more */
	TMAP_THREAD_SPREAD,  /**< as far from each other as can be */
	TMAP_THREAD_PRIMARY, /**< all where the first is */
	TMAP_THREAD_ROUND,   /**< one after the other, and from the first again */
};

struct tmap_thread_places {
	int count; /**< of places; 0: nothing is known to bind the threads */
	enum tmap_thread_policy policy;
	enum tmap_variable variable; /**< that decides where */
	bool is_list;                /**< by name: the same for every rank that may run on them */
	bool is_packed;  /**< one hardware thread of a core after the other, as far as they go */
	bool is_foreign; /**< also on PUs that the rank may not run on: norespect */
	int *first;      /**< [count]: where a place begins in pu, */
	int *end;        /**< [count]: and behind its last one */
	int *pu;         /**< logical PUs */
};

/** Of a rank that may run on @p pus (OS indexes). O(PUs log PUs), and the words of the value. */
int tmap_thread_places_init(struct tmap_thread_places *places, const struct tmap_setting *setting,
			    const struct tmap_topology *topo, const struct tmap_idset *pus,
			    struct tmap_error *err);
void tmap_thread_places_fini(struct tmap_thread_places *places);

/** The place of a thread of so many. O(1). */
int tmap_thread_places_of(const struct tmap_thread_places *places, int thread, int threads);

/** The variable by which threads are bound to one hardware thread of a core after the other, and *each,
 *  how many of a core are used at most; TMAP_VARIABLE_COUNT: none is. */
enum tmap_variable tmap_thread_packing(const struct tmap_setting *setting, int *each);

/** What to set that variable to instead: "OMP_PLACES=cores". */
const char *tmap_thread_unpack(enum tmap_variable variable);

#endif
