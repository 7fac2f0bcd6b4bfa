/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * adapters.h - the physical lanes of nodes, and which rank drives which.
 *
 *     package 0   0 1 2 3   mlx5_0        the ranks 0 to 3 drive mlx5_0,
 *     package 1   4 5 6 7   mlx5_1        the ranks 4 to 7 mlx5_1
 *
 * A physical lane is a network adapter that messages go over (core/machine/device.h). A rank
 * that represents its node in some lane drives the adapter that is closest to it; of equally
 * close ones that which has the fewest drivers so far, the ranks of a node coming in order.
 */
#ifndef TMAP_CORE_GROUP_ADAPTERS_H
#define TMAP_CORE_GROUP_ADAPTERS_H

#include "core/group/lanes.h"

/** An adapter of one kind of node. */
struct tmap_adapter {
	int topology;                 /**< of the machine */
	int device;                   /**< of the topology */
	int drivers_min, drivers_max; /**< ranks that drive it, over the nodes of this kind */
};

struct tmap_adapters {
	int count;
	struct tmap_adapter *adapter;   /**< [count], kind by kind of the used nodes */
	int per_node_min, per_node_max; /**< adapters of the used nodes */
	int idle;                       /**< adapters, over all used nodes, that no rank drives */
	int *of_rank;                   /**< [size]: TMAP_NONE for who drives none */
};

/** Who drives what. O(p x adapters) time, O(p) memory. */
int tmap_adapters_init(struct tmap_adapters *adapters, const struct tmap_lanes *lanes,
		       struct tmap_error *err);
void tmap_adapters_fini(struct tmap_adapters *adapters);

/** The ranks that drive an adapter, rising: [*count], the caller's to free. O(p). */
int *tmap_adapters_drivers(const struct tmap_adapters *adapters, int adapter, int size, int *count,
			   struct tmap_error *err);

#endif
