/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * intel.h - where Intel MPI 2021 puts the ranks: -ppn, and the variables I_MPI_PIN...
 *
 * Nodes are filled with -ppn ranks each, node after node. On a node, I_MPI_PIN_DOMAIN cuts the CPUs
 * into domains, I_MPI_PIN_ORDER puts these in an order, and the k-th rank gets the k-th domain:
 *
 *     core, socket, numa, node, cache1, cache2, cache3, cache (the largest)
 *     N, omp (OMP_NUM_THREADS), auto (CPUs / ranks of the node), each with a layout:
 *         :compact   the next N CPUs of the machine from left to right
 *         :platform  the next N by the system's indexes
 *     [m1,m2,...]    masks of the system's indexes
 *
 *     2 sockets of 4 domains, 4 ranks    compact 0 1 2 3 | - - - -     scatter 0 2 - - | 1 3 - -
 *                                        bunch   0 1 - - | 2 3 - -     (the default)
 *     range: by the first index of the system; spread: as compact, if all domains are taken
 *
 * I_MPI_PIN_PROCESSOR_LIST, which counts without I_MPI_PIN_DOMAIN only, is the CPU of each rank.
 *
 * This is the pinning of I_MPI_HYDRA_TOPOLIB=hwloc; from 2021.15 on Intel MPI takes another library by
 * itself, ipl2, whose domains without a variable may be others.
 *
 * Imitated from documents, not compared with a running Intel MPI: Developer Reference for Linux
 * 2021.8 to 2021.15, "Process Pinning", "Environment Variables for Process Pinning" and
 * "Interoperability with OpenMP API"; Reference Manual 5.1, -binding (bunch: as many ranks on each
 * socket as ranks / sockets). These give definitions, no algorithm: what is left open (a domain
 * cut by a socket, fewer ranks than domains in some orders, more ranks than domains, scatter inside
 * a socket whose cores share some caches) is refused.
 */
#ifndef TMAP_CORE_PLACE_INTEL_H
#define TMAP_CORE_PLACE_INTEL_H

#include "core/base/keyword.h"
#include "core/machine/placement.h"

/** What a domain is. */
enum tmap_intel_domain {
	TMAP_INTEL_AUTO,
	TMAP_INTEL_OMP,
	TMAP_INTEL_SIZE,
	TMAP_INTEL_CACHE, /**< the largest of the three */
	TMAP_INTEL_OBJECTS,
	TMAP_INTEL_MASKS,
	TMAP_INTEL_LIST, /**< I_MPI_PIN_PROCESSOR_LIST */
	TMAP_INTEL_OFF,
};

enum tmap_intel_order {
	TMAP_INTEL_BUNCH,
	TMAP_INTEL_COMPACT,
	TMAP_INTEL_RANGE,
	TMAP_INTEL_SCATTER,
	TMAP_INTEL_SPREAD,
};

struct tmap_intel_request {
	int ranks;   /**< TMAP_NONE: ppn on each node */
	int ppn;     /**< 0: one for each core that may be used */
	bool per_pu; /**< where ppn is 0: one for each PU instead */
	int threads; /**< OMP_NUM_THREADS; 0: not set */
	enum tmap_intel_domain domain;
	enum tmap_type type; /**< TMAP_INTEL_OBJECTS */
	int size;            /**< TMAP_INTEL_SIZE */
	bool platform;       /**< layout; else compact */
	bool by_core;        /**< I_MPI_PIN_CELL=core */
	bool is_ordered;     /**< I_MPI_PIN_ORDER is given */
	bool is_default;     /**< no variable is given */
	enum tmap_intel_order order;
	const struct tmap_idset *set; /**< [set_count] masks, or CPUs of the list */
	int set_count;
};

#define TMAP_INTEL_REQUEST_INIT \
	{ \
		.ranks = TMAP_NONE \
	}

/** The words of I_MPI_PIN_ORDER, in the order of the enum. */
extern const struct tmap_keywords tmap_intel_orders;

/** Read a value of I_MPI_PIN_DOMAIN but for masks: "socket", "omp:platform", "4". */
int tmap_intel_parse_domain(struct tmap_intel_request *request, const char *text,
			    struct tmap_error *err);

/** *p = the placement. Refuses what is not documented. O(p + N) beside O(CPUs log CPUs) for each
 *  kind of node and number of ranks on one. */
int tmap_intel_place(struct tmap_placement *p, struct tmap_machine *machine,
		     const struct tmap_intel_request *request, struct tmap_error *err);

#endif
