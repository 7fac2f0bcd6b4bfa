/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * selection.h - which algorithm MPICH selects for a call: a tree of tests.
 *
 *     collective=allgather
 *         comm_type=intra
 *             comm_size<=7                 the tests of a level are made in turn; the first one that
 *                 ...                      passes counts, and none behind it
 *             comm_size<=8
 *                 total_msg_size<4096
 *                     algorithm=MPIR_Allgather_intra_brucks
 *                 total_msg_size=any
 *                     algorithm=MPIR_Allgather_intra_ring
 *         comm_type=inter
 *             ...
 *
 * Where no test of a level passes there is no algorithm, and the program ends: MPICH has no other
 * choice to fall back on. So a file is a whole tree, of all collectives. Below an algorithm are its
 * parameters, "k=2". Releases differ in words: a tree has those of all, and its lint
 * (core/tune/selection_lint.h) knows which.
 */
#ifndef TMAP_CORE_TUNE_SELECTION_H
#define TMAP_CORE_TUNE_SELECTION_H

#include "core/library/mpich_algorithms.h"

/** What a test looks at. */
enum tmap_selection_subject {
	TMAP_SELECT_COLLECTIVE,
	TMAP_SELECT_COMM_TYPE,
	TMAP_SELECT_RANKS,
	TMAP_SELECT_COUNT,
	TMAP_SELECT_BYTES, /**< of the call */
	TMAP_SELECT_TOTAL, /**< of all ranks */
	TMAP_SELECT_COMMUTATIVE,
	TMAP_SELECT_BUILT_IN,
	TMAP_SELECT_INPLACE,
	TMAP_SELECT_REGULAR,
	TMAP_SELECT_CONSECUTIVE,
	TMAP_SELECT_PER_NODE,
	TMAP_SELECT_HIERARCHY,
	TMAP_SELECT_THREADS,
	TMAP_SELECT_ALGORITHM, /**< no test: it is taken */
	TMAP_SELECT_PARAMETER, /**< of that algorithm */
};

/** When it passes. */
enum tmap_selection_how {
	TMAP_SELECT_ALWAYS,
	TMAP_SELECT_BELOW, /**< ranks behind a test of the call: as many, too */
	TMAP_SELECT_UP_TO,
	TMAP_SELECT_POWER, /**< a power of two; a count: less than the largest one of the ranks */
	TMAP_SELECT_YES,   /**< or "intra", or the hierarchy that the row names */
	TMAP_SELECT_NO,    /**< or "inter" */
	TMAP_SELECT_SAME,  /**< as the node */
	TMAP_SELECT_NAME,  /**< of a collective or algorithm */
};

struct tmap_selection_test {
	const char *text; /**< the library's, up to a number or name */
	enum tmap_selection_subject subject;
	enum tmap_selection_how how;
	int since; /**< the first release that reads it, 42 for 4.2; 0: any */
};

/** By row; the last has no text. */
extern const struct tmap_selection_test tmap_selection_tests[];

struct tmap_selection_node {
	int test;       /**< row of the tests */
	int64_t value;  /**< its number; of a collective its row, of an algorithm its place there */
	int collective; /**< of an algorithm: the row */
	int line;       /**< of a file that was read */
	int child, next; /**< nodes; 0: none */
};

/** Node 0 is none of a file: its children are the first level. */
struct tmap_selection {
	int count;
	size_t capacity;
	struct tmap_selection_node *node;
};

void tmap_selection_fini(struct tmap_selection *selection);

/** *made = the node of the library's text, "comm_size<8"; only its test, value and collective. Refuses
 *  (TMAP_INPUT) what no release of MPICH knows, which ends the program there. */
int tmap_selection_parse(struct tmap_selection_node *made, const char *text,
			 struct tmap_error *err);

/** Text of a node, the caller's to free. */
char *tmap_selection_print(const struct tmap_selection_node *node, struct tmap_error *err);

/** One more, behind the other children of a node; its index, or -1. O(children). */
int tmap_selection_add(struct tmap_selection *selection, int parent,
		       const struct tmap_selection_node *node, struct tmap_error *err);

/** The same of the library's text. */
int tmap_selection_add_text(struct tmap_selection *selection, int parent, const char *text,
			    struct tmap_error *err);

/** Below a node: an algorithm of a collective, with all of its parameters. */
int tmap_selection_add_choice(struct tmap_selection *selection, int parent, int collective,
			      const struct tmap_mpich_choice *choice, struct tmap_error *err);

/** Below a node: what a release (42 is 4.2) selects by itself for a collective within a communicator, or
 *  (@p inter) between two. */
int tmap_selection_add_own(struct tmap_selection *selection, int parent, int collective, bool inter,
			   int release, struct tmap_error *err);

/** Below the root: a collective, all as a release has it. */
int tmap_selection_add_collective(struct tmap_selection *selection, int collective, int release,
				  struct tmap_error *err);

/** The node of the algorithm that is selected for a call by an operator that commutes and is MPI's own, on
 *  separate buffers, in a program without threads; NULL: there is none. */
const struct tmap_selection_node *tmap_selection_find(const struct tmap_selection *selection,
						      const struct tmap_library_call *call);

/** The algorithm of a leaf; k is TMAP_NONE where its parameters are not those of a choice that is known. */
struct tmap_mpich_choice tmap_selection_choice(const struct tmap_selection *selection,
					       const struct tmap_selection_node *leaf);

/** What the library compares with sizes of all ranks: of a reduce_scatter the vector, else so many times
 *  the bytes of the call. INT64_MAX where it is more. */
int64_t tmap_selection_total(enum tmap_collective collective, int ranks, int64_t bytes);

/** Is it something of a call, and not of its communicator? Once a call was asked such a thing, MPICH takes
 *  comm_size<8 for comm_size<=8. */
bool tmap_selection_is_of_call(enum tmap_selection_subject subject);

/** The least number that does not pass a test of numbers; @p is_late: such a thing was asked before it. */
int64_t tmap_selection_end(const struct tmap_selection_node *node, bool is_late);

/** Can calls of this row be asked that? Others end the program. */
bool tmap_selection_is_defined(int collective, enum tmap_selection_subject subject);

bool tmap_selection_is_equal(const struct tmap_selection *a, const struct tmap_selection *b);

#endif
