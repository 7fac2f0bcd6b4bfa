/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node.h - what the leader of a node sends to rank 0, in three parts:
 *
 *     description   the topology, and what the system       equal on nodes of one kind
 *                   leaves to the job
 *     table         the description's digest, and the       equal on nodes of one kind
 *                   affinities and settings in use, sorted       that are filled alike
 *     roster        host name, and what Slurm says of its   its own on every node
 *                   switches; for each rank its number,
 *                   its affinity and the PU it last ran on;
 *                   its setting, where there are several
 *
 * Of equal parts rank 0 gets one; a roster has 12 or 16 bytes for each rank.
 */
#ifndef TMAP_MPI_PROBE_NODE_H
#define TMAP_MPI_PROBE_NODE_H

#include "core/machine/setting.h"
#include "core/machine/system.h"
#include "core/machine/topology.h"
#include "formats/network/topology_addr.h"
#include "mpi_probe/affinity.h"
#include "mpi_probe/location.h"

/** Longest host name kept, longer ones are cut; and the longest address of switches, of which
 *  longer ones are none. */
enum { TMAP_HOST_SIZE = 256, TMAP_ADDR_SIZE = 4096 };

struct tmap_node {
	struct tmap_topology topo;
	int rank_count;
	int *affinity_of; /**< [rank_count], into affinity */
	int *last_pu;     /**< [rank_count] OS index, or TMAP_NONE */
	int affinity_count;
	struct tmap_affinity *affinity; /**< sorted, distinct */
	int setting_count;              /**< 0: nothing is known of them */
	struct tmap_setting *setting;   /**< sorted, distinct */
	int *setting_of;                /**< [rank_count], into setting */
	bool has_system;                /**< is it known? */
	struct tmap_system system;
};

/** The node of *topo (taken over on success, zeroed then) whose ranks are where the
 *  [rank_count] locations describe. The job may use what the topology allows and what any rank
 *  is allowed, so ranks in cgroups of their own are bound ranks; a rank is bound if it may
 *  not use all of that. If the topology is not that of @p this_system, locations mean
 *  nothing and every rank counts as unbound. Refuses a rank on a PU that the topology does
 *  not have. O(ranks x PUs). */
int tmap_node_init(struct tmap_node *node, struct tmap_topology *topo, bool this_system,
		   const struct tmap_probed_location *location, int rank_count,
		   struct tmap_error *err);
/** What each of the [rank_count] ranks was started as. O(ranks log ranks). */
int tmap_node_share_settings(struct tmap_node *node, const struct tmap_setting *each,
			     struct tmap_error *err);
void tmap_node_fini(struct tmap_node *node);

/** The three parts as bytes; @p rank holds the ranks' numbers in MPI_COMM_WORLD. */
void tmap_node_pack_description(struct tmap_bytes *bytes, const struct tmap_node *node);
void tmap_node_pack_table(struct tmap_bytes *bytes, const struct tmap_node *node,
			  const struct tmap_bytes *description);
void tmap_node_pack_roster(struct tmap_bytes *bytes, const struct tmap_node *node,
			   const struct tmap_topology_addr *addr, const int *rank);

/** A description's topology and, if *has_system, its system. */
int tmap_node_unpack_description(struct tmap_topology *topo, struct tmap_system *system,
				 bool *has_system, struct tmap_cursor *cursor,
				 struct tmap_error *err);

/** A roster's host and address, each of TMAP_ADDR_SIZE bytes; the ranks follow. */
struct tmap_node_addr {
	char host[TMAP_HOST_SIZE], name[TMAP_HOST_SIZE];
	char addr[TMAP_ADDR_SIZE], pattern[TMAP_ADDR_SIZE];
};
void tmap_node_unpack_addr(struct tmap_cursor *cursor, struct tmap_node_addr *addr);

#endif
