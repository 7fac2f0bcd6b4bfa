/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * candidate.h - what a word of --algorithm stands for.
 *
 *     ring, bruck,radix=4    a row of the catalogue, executed over point-to-point
 *     native                 what the library takes by itself
 *     native:ring            the library's own algorithm of that name, by its variables (knob.h)
 *     native:all             all of these that its variables choose
 *     mockup:alltoall        other collectives of the library instead (mockup.h)
 *     all                    every row that can run, native, and native:all
 */
#ifndef TMAP_MPI_RUN_BENCH_CANDIDATE_H
#define TMAP_MPI_RUN_BENCH_CANDIDATE_H

#include "core/library/library.h"
#include "mpi_run/bench/mockup.h"

#include <stdbool.h>

struct tmap_candidate {
	char *name;                       /**< as experiments have it */
	bool is_native;                   /**< the library's, also as a mock-up */
	const struct tmap_mockup *mockup; /**< NULL: none */
	bool is_named;                    /**< by itself: that it cannot run is an error */
	bool by_rounds;                   /**< of ours: as tmap_steps_init() has it */
	struct tmap_spec choice; /**< of ours, and of a native one that has words; else any row */
	char *words;             /**< for tmap_knob_set(); NULL: none */
};

struct tmap_candidates {
	int count;
	size_t capacity;
	struct tmap_candidate *item;
};

/** Words of all that is no algorithm of topomap's, for an error about an unknown one. */
#define TMAP_CANDIDATE_ONE "native, native:NAME, mockup:NAME"
#define TMAP_CANDIDATE_ANY "native, native:NAME, native:all, mockup:NAME, all"

/** What is known of the library that runs the job. */
struct tmap_candidate_library {
	const char *name; /**< "Open MPI v4.1.4" */
	int index;        /**< of tmap_libraries, or TMAP_NONE */
	const struct tmap_order *order;
	const char *also; /**< which of these words are taken; NULL: none */
};

/** Add those of @p count words for a collective to @p candidates, which are zeroed or have some:
 *  each is there once. Refuses unknown ones (TMAP_USAGE) and native algorithms that the library
 *  cannot be set to (TMAP_INPUT); then all are gone. */
int tmap_candidates_add(struct tmap_candidates *candidates, enum tmap_collective collective,
			const char *const *word, size_t count, int size,
			const struct tmap_candidate_library *library, struct tmap_error *err);
void tmap_candidates_fini(struct tmap_candidates *candidates);

/** Is it a word for something of the library's? */
bool tmap_candidate_is_native(const char *word);

/** Do such words ask for the library's own algorithms by name? */
bool tmap_candidates_set_knobs(const char *const *word, size_t count);

#endif
