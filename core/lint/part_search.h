/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * part_search.h - what is looked for in the programs of a job, one after the other.
 *
 * A job of several programs is regular, or is not, program by program:
 *
 *     ranks    0-7 air    8-11 ocean
 *     nodes    n0 n1      n0 n1 n2 n3     2 of 12 nodes differ: no; each program is even
 */
#ifndef TMAP_CORE_LINT_PART_SEARCH_H
#define TMAP_CORE_LINT_PART_SEARCH_H

#include "core/lint/lint.h"

/** Ranks part by part, each part's rising; the whole job is a part where it has one program. */
struct tmap_ranks_by_part {
	int count;
	int *first; /**< [count + 1] */
	int *rank;  /**< [size] */
};

struct tmap_part_search {
	const struct tmap_inspection *inspection;
	struct tmap_ranks_by_part parts;
	bool *is_in;    /**< [size] ranks that are found */
	int *on_node;   /**< [node_count] the part's ranks; zero before and afterwards */
	int *used;      /**< [node_count] the nodes that have any */
	int *with_rank; /**< [size + 1] nodes that have so many; as on_node */
	int nodes;      /**< found of the first part in which there are any; 0: in none */
	int used_nodes; /**< of that part, as are the next ones */
	int part, example, ranks, usual;
};

/** Look in each part by @p find, which marks ranks in is_in and sets what it found from nodes on. FOUND: the
 *  ranks are the finding's, and its figures "nodes" and "used_nodes". tmap_part_search_fini() it in any
 *  case. O(p + N) and what @p find takes. */
enum tmap_lint_answer tmap_part_search_run(struct tmap_part_search *it,
					   const struct tmap_inspection *inspection,
					   void (*find)(struct tmap_part_search *it, int part),
					   struct tmap_finding *finding, struct tmap_error *err);
void tmap_part_search_fini(struct tmap_part_search *it);

#endif
