/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topology_conf.h - Slurm's topology.conf, and what `scontrol show topology` prints.
 *
 *     SwitchName=s0 Nodes=dev[0-5,7]          BlockName=b1 Nodes=node[1-32]
 *     SwitchName=s3 Switches=s[0-2]           BlockSizes=30,120
 *     RingName=r0 Nodes=tux[1-8]
 *
 *     SwitchName=s0 Level=0 LinkSpeed=1 Nodes=dev[0-5]
 *     AggregatedBlock=b[1-4] BlockIndex=4 Nodes=node[1-128] BlockSize=120
 *     TorusName=pod1 Dims=4x4x2 Nodes=node[1-32]
 *
 * Keys in any case, "#" begins a comment, a line that ends in "\" goes on. As slurmctld does it, the
 * last of keys that stand twice counts, with a note, and empty names of a list are none; what it does
 * not take is refused (tests/policies/slurm_network.sh), but for what scontrol prints. Blocks are
 * leaves; so many neighbours as the next of the BlockSizes says make a group above them, with the
 * sizes that Slurm takes where none are given. A ring is a leaf; so is a torus, as scontrol prints
 * no coordinates.
 */
#ifndef TMAP_FORMATS_NETWORK_TOPOLOGY_CONF_H
#define TMAP_FORMATS_NETWORK_TOPOLOGY_CONF_H

#include "core/machine/network.h"

/** Add what the text says to *net. Messages begin with the line. */
int tmap_topology_conf_read(struct tmap_network *net, const char *text, struct tmap_error *err);

/** Does the text look like one? */
bool tmap_topology_conf_is(const char *text);

/** Put all the hosts of a hostlist under a switch. */
int tmap_network_hosts(struct tmap_network *net, const char *list, size_t length, int under,
		       struct tmap_error *err);

/** Put all the switches of a hostlist under a switch. */
int tmap_network_children(struct tmap_network *net, const char *list, size_t length, int parent,
			  struct tmap_error *err);

/** One of the sizes of blocks, and the line that has it. */
struct tmap_block_size {
	int64_t size;
	int line;
};

/** Group neighbouring blocks by the sizes that follow the first: with 30, 120 four blocks make
 *  one group; without sizes 2, 4, 8 and 16 blocks. Refuses sizes that are no power of two times the
 *  first, at their line. */
int tmap_network_group_blocks(struct tmap_network *net, const int *block, int block_count,
			      const struct tmap_block_size *size, int size_count,
			      struct tmap_error *err);

#endif
