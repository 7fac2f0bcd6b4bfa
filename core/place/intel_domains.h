/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * intel_domains.h - the domains of one kind of node, in the order of the ranks; private to
 * intel.c.
 */
#ifndef TMAP_CORE_PLACE_INTEL_DOMAINS_H
#define TMAP_CORE_PLACE_INTEL_DOMAINS_H

#include "core/place/intel.h"

struct tmap_intel_domains {
	int count;
	struct tmap_idset *pus; /**< [count] OS indexes */
	int *order;             /**< [ranks] the domain of each rank of the node */
};

/** Those of a node with @p ranks ranks; *domains is set on success. O(PUs log PUs). */
int tmap_intel_domains_init(struct tmap_intel_domains *domains, const struct tmap_topology *topo,
			    const struct tmap_intel_request *request, int ranks,
			    struct tmap_error *err);
void tmap_intel_domains_fini(struct tmap_intel_domains *domains);

#endif
