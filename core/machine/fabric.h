/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fabric.h - switches and cables as one finds them, made into a tree of switches.
 *
 * A fat tree has many spines over each leaf, and a host may hang on several leaves, so
 * what counts is who is connected through what. Switches that nodes hang on have rank 0,
 * each other one more than its lowest neighbour:
 *
 *     rank 2       c0   c1            at tier r two nodes are in one group if switches of
 *     rank 1    a0  a1  a2  a3        rank r and less connect them; at tier 0, if they
 *     rank 0    l0  l1  l2  l3        share leaves:
 *
 *     tier 0    {l0} {l1} {l2} {l3}     tier 1    {l0 l1} {l2 l3}     tier 2    all
 *
 * A group is called after its highest switches: "a0 +1". Of several fabrics that are not
 * connected (compute, storage, one for each rail) the one that reaches most nodes counts.
 */
#ifndef TMAP_CORE_MACHINE_FABRIC_H
#define TMAP_CORE_MACHINE_FABRIC_H

#include "core/machine/network.h"

struct tmap_fabric {
	struct tmap_names switches; /**< by what identifies them: a GUID */
	struct tmap_names hosts;
	char **title; /**< [switches.count]: what people call it; NULL if unknown */
	size_t title_capacity;
	int (*cable)[2]; /**< [cables]: two switches */
	int (*port)[2];  /**< [ports]: a host and a switch */
	int cables, ports;
	size_t cable_capacity, port_capacity;
};

/** The switch identified by @p id, which people call @p title (each @p length bytes; title may
 *  be NULL), added if it is new; TMAP_NONE with *err set. */
int tmap_fabric_switch(struct tmap_fabric *fabric, const char *id, size_t id_length,
		       const char *title, size_t title_length, struct tmap_error *err);

/** A cable between two switches, and one from a host to a switch. Each may be given twice. */
int tmap_fabric_cable(struct tmap_fabric *fabric, int a, int b, struct tmap_error *err);
int tmap_fabric_port(struct tmap_fabric *fabric, const char *host, size_t length, int under,
		     struct tmap_error *err);

/** Make the tree over the nodes of a machine; *net must be empty. Hosts that are no nodes of it
 *  do not count; nodes are matched as by tmap_network_match(). O((switches + cables + ports) x
 *  tiers). */
int tmap_fabric_reduce(const struct tmap_fabric *fabric, struct tmap_machine *machine,
		       struct tmap_network *net, struct tmap_error *err);

void tmap_fabric_fini(struct tmap_fabric *fabric);

#endif
