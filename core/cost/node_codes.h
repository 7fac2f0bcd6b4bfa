/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node_codes.h - in which nested sets two nodes are together, from one number for each node.
 *
 *     node        0      1      2      3      4      5
 *     group       0      0      0      0      1      1        the outer sets first: the number of a set
 *     switch      0      0      1      1      0      0        among those within the same one of the sets
 *     code       0 0    0 0    0 1    0 1    1 0    1 0       around it, in as many bits as these take
 *
 * The highest bit in which two codes differ says which sets are different: those of its partition, and of all
 * inner ones. Partitions that are not nested have no codes.
 */
#ifndef TMAP_CORE_COST_NODE_CODES_H
#define TMAP_CORE_COST_NODE_CODES_H

#include "core/base/error.h"

#include <stdint.h>

/** So many results a comparison has: no bit, or the highest one is 0 .. 31. */
enum { TMAP_CODE_BITS = 33 };

struct tmap_node_codes {
	uint32_t *code;                                   /**< [nodes]; NULL: there are none */
	int tiers[TMAP_CODE_BITS], joins[TMAP_CODE_BITS]; /**< so many of each differ */
};

/** Codes of @p nodes nodes, of which node n has tier_count sets from tier[n x tier_count] on and join_count
 *  from join[n x join_count] on, the inner ones first; none where the sets are not nested, or take more than 32
 *  bits. O(nodes x (tiers + joins)) expected. */
int tmap_node_codes_init(struct tmap_node_codes *codes, int nodes, const int *tier, int tier_count,
			 const int *join, int join_count, struct tmap_error *err);
void tmap_node_codes_fini(struct tmap_node_codes *codes);

/** Which of TMAP_CODE_BITS two codes have. */
static inline int tmap_codes_differ(uint32_t a, uint32_t b)
{
	return 63 - __builtin_clzll(((uint64_t)(a ^ b) << 1) | 1);
}

#endif
