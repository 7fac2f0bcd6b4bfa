/*
 * slurm_masks.h - the CPUs of the tasks of one node; private to slurm.c.
 */
#ifndef TM_POLICIES_SLURM_MASKS_H
#define TM_POLICIES_SLURM_MASKS_H

#include "core/place/slurm.h"

/** A node as Slurm describes it. CPU i is the i-th allowed PU from the left. */
struct tm_slurm_node {
	const struct tm_topology *topo; /**< borrowed */
	int sockets, cores, threads; /**< cores of each socket, threads of each core */
	int cpus;            /**< sockets x cores x threads */
	int *pu;             /**< [cpus] logical PU */
};

/** Refuses a node whose sockets or cores differ. */
int tm_slurm_node_init(struct tm_slurm_node *node, const struct tm_topology *topo,
		       struct tm_error *err);
void tm_slurm_node_fini(struct tm_slurm_node *node);

/** *masks = [tasks][cpus], the CPUs that each task may run on, the caller's to free. Where the
 *  tasks of the job do not fit (@p fits), Slurm picks a core for each. */
int tm_slurm_masks(bool **masks, const struct tm_slurm_node *node, int tasks, bool fits,
		   const struct tm_slurm_request *request, struct tm_error *err);

#endif
