/*
 * node.h - what the leader of a node tells rank 0 about it, in three parts:
 *
 *     description   the topology                            equal on nodes of one kind
 *     table         the description's digest, and the       equal on nodes of one kind
 *                   grants in use, sorted                    that are filled alike
 *     roster        host name; for each rank its number,    its own on every node
 *                   its grant and the PU it last ran on
 *
 * Of equal parts rank 0 gets one; a roster has 12 bytes for each rank.
 */
#ifndef TM_NODE_H
#define TM_NODE_H

#include "core/machine/topology.h"
#include "mpi_probe/grant.h"
#include "mpi_probe/location.h"

/** Longest host name kept; longer ones are cut. */
enum { TM_HOST_SIZE = 256 };

struct tm_node {
	struct tm_topology topo;
	int rank_count;
	int *grant_of;         /**< [rank_count], into grant */
	int *last_pu;         /**< [rank_count] OS index, or TM_NONE */
	int grant_count;
	struct tm_grant *grant; /**< sorted, distinct */
};

/** The node of *topo (taken over on success, zeroed then) whose ranks are where the
 *  [rank_count] locations say. The job may use what the topology allows and what any rank
 *  is allowed, so ranks in cgroups of their own are bound ranks; a rank is bound if it may
 *  not use all of that. If the topology is not that of @p this_system, locations mean
 *  nothing and every rank counts as unbound. Refuses a rank on a PU that the topology does
 *  not have. O(ranks x PUs). */
int tm_node_init(struct tm_node *node, struct tm_topology *topo, bool this_system,
		 const struct tm_location *location, int rank_count, struct tm_error *err);
void tm_node_fini(struct tm_node *node);

/** The three parts as bytes; @p rank holds the ranks' numbers in MPI_COMM_WORLD. */
void tm_node_pack_description(struct tm_bytes *bytes, const struct tm_node *node);
void tm_node_pack_table(struct tm_bytes *bytes, const struct tm_node *node,
			const struct tm_bytes *description);
void tm_node_pack_roster(struct tm_bytes *bytes, const struct tm_node *node, const char *host,
			 const int *rank);

#endif
