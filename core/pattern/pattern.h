/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pattern.h - the communication matrix, sparse: what every mapper takes.
 *
 *     rank 0    1: 800 B   2: 10 B          rows by rank, peers rising, no rank with itself;
 *     rank 1    0: 790 B                    a peer lists the rank too, if only with 0
 *     rank 2    0:   0 B
 *
 *     sent[i] is finite and not negative, for start[r] <= i < start[r + 1]
 *
 * It is made by a builder, entry by entry in any order:
 *
 *     struct tmap_pattern_builder b = { 0 };
 *
 *     status = tmap_pattern_builder_init(&b, 3, err);
 *     ... tmap_pattern_add(&b, 0, 1, 800, err) ...
 *     status = tmap_pattern_finish(&pattern, &b, err);
 *     tmap_pattern_builder_fini(&b);
 *
 * or it is that of a regular grid (core/pattern/grid.h), whose rows are not stored: they are computed
 * whenever they are read (core/pattern/rows.h).
 */
#ifndef TMAP_CORE_PATTERN_PATTERN_H
#define TMAP_CORE_PATTERN_PATTERN_H

#include "core/base/error.h"
#include "core/schedule/neighborhood.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tmap_pattern {
	int size;        /**< number of ranks, at least 1 */
	int64_t entries; /**< of all rows */
	int64_t *start; /**< [size + 1]: where the row of a rank begins; NULL: a grid's, not stored */
	int *peer;      /**< [entries] */
	double *sent;   /**< [entries] bytes from the rank to the peer */
	const struct tmap_neighborhood *grid; /**< borrowed: whose rows are computed; NULL: stored */
	double grid_bytes;                    /**< to each neighbour there, times its weight */
	double everyone; /**< bytes that each rank sends to each other one in addition: the same
				  under every mapping, and never written out as p x p entries */
};

/** One entry that has been added. */
struct tmap_pattern_entry {
	int from, to;
	double bytes;
};

struct tmap_pattern_builder {
	int size;
	double everyone; /**< the caller's to set; 0 to begin with */
	bool is_cut;     /**< the same: readers leave out what ranks from size on send and get */
	double bytes;    /**< of all that was added */
	int64_t given;   /**< entries that readers met, also those of 0 bytes */
	int64_t inside;  /**< of these, what is not of ranks that are cut away */
	double cut;      /**< bytes between ranks that was cut away */
	struct tmap_pattern_entry *entry; /**< [count], as they came */
	size_t count, capacity;
};

/** A builder of a pattern of @p size ranks. Refuses fewer than one. */
int tmap_pattern_builder_init(struct tmap_pattern_builder *b, int size, struct tmap_error *err);

/** @p bytes more from a rank to another. What a rank sends to itself goes nowhere and is
 *  dropped. Refuses a rank that is not there, and bytes that are negative or not finite. */
int tmap_pattern_add(struct tmap_pattern_builder *b, int from, int to, double bytes,
		     struct tmap_error *err);

/** The pattern of all that was added; entries of one pair add up. The builder's entries are
 *  released. Refuses a sum over all that is not finite. O(entries + p) time and memory. */
int tmap_pattern_finish(struct tmap_pattern *pattern, struct tmap_pattern_builder *b,
			struct tmap_error *err);
void tmap_pattern_builder_fini(struct tmap_pattern_builder *b);
void tmap_pattern_fini(struct tmap_pattern *pattern);

/** Bytes of all rows together, in stored rows; what everyone sends to everyone is not in it.
 *  O(entries). */
double tmap_pattern_bytes(const struct tmap_pattern *pattern);

#endif
