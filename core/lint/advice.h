/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * advice.h - the order of the ranks, and the option of the MPI library, with which what it runs
 * by itself would be much quicker, if there is one.
 *
 *     32 ranks on 4 nodes, cyclic; Open MPI 4.1      here     block    options of Open MPI
 *     allgather of 64 KiB     ring                   1.0 ms   0.5 ms   recursive_doubling 0.5 ms
 *     bcast of 1 MiB          knomial                ...
 *     geometric mean of the three                    1.9 times as long as in block order
 *
 * Of a job of several programs nothing is said: each has calls of its own.
 *
 * Times are predicted. By a profile that was calibrated, its times decide. By one that was published
 * those of all other published ones are asked, too: what is slower by any of them is not advised, as
 * it may be a loss on the machine that is meant.
 */
#ifndef TMAP_CORE_LINT_ADVICE_H
#define TMAP_CORE_LINT_ADVICE_H

#include "core/cost/profile_choice.h"
#include "core/library/library.h"
#include "core/lint/inspection.h"

enum {
	TMAP_ADVICE_CALLS = 3,
	/** Of a larger job the first nodes stand for all, and no option is weighed: how algorithms
	 *  compare changes with the ranks. */
	TMAP_ADVICE_MOST_RANKS = 1 << 12,
	/** More ranks than these on the first two nodes are more than two nodes have PUs for: nothing
	 *  is advised, nor timed. */
	TMAP_ADVICE_CROWD = 1 << 16,
};

/** So many times as fast, or more, is worth an advice: of an order, which all calls gain by, and of
 *  an option, which holds for all sizes of its collective; so many times as slow is a loss. */
#define TMAP_ADVICE_GAIN 1.5
#define TMAP_ADVICE_OPTION_GAIN 2.0
#define TMAP_ADVICE_LOSS 1.02

/** How much is gained, and on which costs that rests. */
struct tmap_advice_gain {
	double times; /**< as fast; 0: there is no such advice */
	int profiles; /**< other published ones that were asked */
	int against;  /**< those by which it is slower */
};

/** A call that many programs make. */
struct tmap_advice_call {
	enum tmap_collective collective;
	int64_t bytes;
	char algorithm[TMAP_LIBRARY_ROOM]; /**< that the library takes by itself */
	double here_s;                     /**< so long in this order; 0: not timed, also below */
	double better_s;                   /**< in the order that is advised; 0 without one */
	char *other; /**< an algorithm that its options select, and by which it gains; NULL */
	char *knob;  /**< how that is selected; NULL without one */
	struct tmap_advice_gain gain; /**< of that */
};

struct tmap_advice {
	int library;                 /**< row of tmap_libraries; TMAP_NONE: it is not known */
	bool is_named;               /**< the document or the user names it */
	const char *why;             /**< borrowed: why it else is this one; NULL: it is named */
	bool is_measured;            /**< the profile was calibrated, not poorly, by cases enough to
					 tell, and as far as is known on this placement: others are not asked */
	struct tmap_profile profile; /**< borrows what that of the inspection owns */
	int nodes;                   /**< times are of so many first nodes; 0: of the whole job */
	int crowd;                   /**< ranks of these, more than TMAP_ADVICE_CROWD; else 0 */
	int count; /**< calls of which the library's algorithm is known, and timed */
	struct tmap_advice_call call[TMAP_ADVICE_CALLS];
	int order;                    /**< row of tmap_advice_orders that is advised; TMAP_NONE */
	struct tmap_advice_gain gain; /**< of that order: geometric mean over the calls */
	int disputed;                 /**< the same of what would be a loss by other profiles */
	struct tmap_advice_gain dispute;
};

/** An order of the ranks on the places that they have now. */
struct tmap_advice_order {
	const char *name; /**< "block" */
	bool by_turns;    /**< over the nodes in turn */
	bool by_core;     /**< within a node by the first PU; else as the ranks are now */
};

const struct tmap_advice_order *tmap_advice_order_at(int row);

/** Time of what the library takes in a few orders, of every algorithm for a few calls, and of both
 *  by every published profile; of at most TMAP_ADVICE_MOST_RANKS ranks, or of two nodes. */
int tmap_advice_init(struct tmap_advice *advice, const struct tmap_inspection *inspection,
		     struct tmap_error *err);
void tmap_advice_fini(struct tmap_advice *advice);

/** The call with the option that gains most; NULL: no option is advised. */
const struct tmap_advice_call *tmap_advice_find_knob(const struct tmap_advice *advice);

/** "MPICH 4", "Open MPI 4.1 (no library is named)" */
char *tmap_advice_print_library(const struct tmap_advice *advice, struct tmap_error *err);

#endif
