/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slurm_masks.h - the CPUs of the tasks of one node; private to slurm.c.
 */
#ifndef TMAP_CORE_PLACE_SLURM_MASKS_H
#define TMAP_CORE_PLACE_SLURM_MASKS_H

#include "core/place/slurm.h"

/** A node as Slurm describes it. CPU i is the i-th allowed PU from the left. */
struct tmap_slurm_node {
	const struct tmap_topology *topo; /**< borrowed */
	int sockets, cores, threads;      /**< cores of each socket, threads of each core */
	int cpus;                         /**< sockets x cores x threads */
	int *pu;                          /**< [cpus] logical PU */
};

/** Refuses a node whose sockets or cores differ. */
int tmap_slurm_node_init(struct tmap_slurm_node *node, const struct tmap_topology *topo,
			 struct tmap_error *err);
void tmap_slurm_node_fini(struct tmap_slurm_node *node);

/** *masks = [tasks][cpus], the CPUs that each task may run on, the caller's to free. Where the
 *  tasks of the job do not fit (@p fits), Slurm picks a core for each. */
int tmap_slurm_masks(bool **masks, const struct tmap_slurm_node *node, int tasks, bool fits,
		     const struct tmap_slurm_request *request, struct tmap_error *err);

#endif
