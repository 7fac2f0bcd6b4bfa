/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guidelines.h - what should not be slower than what, on one placement.
 *
 *     bcast <= scatter + allgather     a bcast can be done so, and a library whose own bcast is
 *                                      slower could have known
 *     bcast <= lane                    by lanes of the nodes (core/algorithms/lane.h)
 *
 * On the left is a collective as the library does it by itself (the native one), on the right a
 * mock-up: other collectives, as the library does these, or lanes. What is reduced locally is
 * counted as schedules count it. Sizes on the right are those that the mock-up needs: a p-th of
 * the vector, rounded up, or p blocks. (Traeff, Gropp, Thakur 2010; Hunold, Carpen-Amarie 2018;
 * Traeff and Hunold 2020.)
 *
 * Times are predictions of the cost model. Where there are measured ones too, only these are
 * judged.
 */
#ifndef TMAP_CORE_GUIDELINES_GUIDELINES_H
#define TMAP_CORE_GUIDELINES_GUIDELINES_H

#include "core/base/progress.h"
#include "core/cost/cost.h"
#include "core/library/library.h"

/** How a part is done that no library chose. */
#define TMAP_NAMED "by its name"

/** A collective and how it is done. */
struct tmap_timed {
	enum tmap_collective collective;
	int64_t bytes;   /**< the size that the MPI call names */
	char *algorithm; /**< "binomial_far"; NULL until it is timed */
	const char *how; /**< by which rule it is taken, half a sentence */
	double seconds;
	bool is_guess; /**< it is not known: the fastest stands for it */
};

enum { TMAP_MOCKUP_MOST = 2 };

struct tmap_guideline {
	int row;      /**< of the table below */
	char *name;   /**< "bcast <= scatter + allgather" */
	char *reason; /**< why it does not apply here; NULL where it does */
	struct tmap_timed native;
	int part_count;
	struct tmap_timed mockup[TMAP_MOCKUP_MOST]; /**< [part_count], one after the other */
	double mockup_seconds;
	bool is_measured;
	double measured_native_s, measured_mockup_s; /**< where it is */
};

/** Which guidelines, and of what. */
struct tmap_guidelines_request {
	int collective;   /**< enum tmap_collective, or TMAP_NONE: all that have guidelines */
	const char *name; /**< of measured ones only that of this name; NULL: all */
	int64_t bytes;    /**< the size that the native MPI call names */
	int64_t element;  /**< bytes of an element, which divide that; 0: not said */
	int root;         /**< of those that have one */
	struct tmap_library_pick library;
	const struct tmap_profile *profile;
	struct tmap_progress *progress; /**< gets a report a guideline; NULL, which is kept:
					  nobody waits */
};

struct tmap_guidelines {
	const struct tmap_placement *placement; /**< borrowed */
	struct tmap_guidelines_request request;
	int count;
	struct tmap_guideline *guideline; /**< [count], collective by collective */
};

/** The guidelines with their predicted times. Where it is not known what the library takes, it is
 *  the fastest of the catalogue that needs no placement. Refuses a root that is not a rank and a
 *  collective without guidelines. Time of a cost a part. */
int tmap_guidelines_init(struct tmap_guidelines *guidelines, const struct tmap_placement *placement,
			 const struct tmap_guidelines_request *request, struct tmap_error *err);
void tmap_guidelines_fini(struct tmap_guidelines *guidelines);

/** The table: rows 0 .. tmap_guideline_rows() - 1, collective by collective. */
int tmap_guideline_rows(void);

/** What is on the left of a row: the native one of that collective. */
enum tmap_collective tmap_guideline_native(int row);

/** "bcast <= scatter + allgather", the caller's to free. */
char *tmap_guideline_name(int row, struct tmap_error *err);

/** What measured times call the right side: an algorithm ("lane,lanes=1"), or this and the
 *  library's collectives ("mockup:scatter+allgather"). The caller's to free. */
#define TMAP_MOCKUP "mockup:"
char *tmap_guideline_mockup(int row, struct tmap_error *err);

/** What a library may be slower by before it violates a guideline. */
#define TMAP_GUIDELINE_TOLERANCE 1.03

/** Does it rest on a choice of the library that is not known? */
bool tmap_guideline_is_guess(const struct tmap_guideline *guideline);

/** Is it violated beyond the tolerance, as measured? */
bool tmap_guideline_is_violated(const struct tmap_guideline *guideline);

/** Native over mock-up: above 1 it is violated; 1 where neither takes any time. */
double tmap_guideline_ratio(double native, double mockup);

#endif
