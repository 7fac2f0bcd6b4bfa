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
#ifndef TM_FABRIC_H
#define TM_FABRIC_H

#include "core/machine/network.h"

struct tm_fabric {
	struct tm_names switches;   /**< by what identifies them: a GUID */
	struct tm_names hosts;
	char **title;               /**< [switches.count]: what people call it; NULL if unknown */
	size_t title_capacity;
	int (*cable)[2];            /**< [cables]: two switches */
	int (*port)[2];             /**< [ports]: a host and a switch */
	int cables, ports;
	size_t cable_capacity, port_capacity;
};

/** The switch identified by @p id, which people call @p title (each @p length bytes; title may
 *  be NULL), added if it is new; TM_NONE with *err set. */
int tm_fabric_switch(struct tm_fabric *fabric, const char *id, size_t id_length,
		     const char *title, size_t title_length, struct tm_error *err);

/** A cable between two switches, and one from a host to a switch. Each may be said twice. */
int tm_fabric_cable(struct tm_fabric *fabric, int a, int b, struct tm_error *err);
int tm_fabric_port(struct tm_fabric *fabric, const char *host, size_t length, int under,
		   struct tm_error *err);

/** Make the tree over the nodes of a machine; *net must be empty. Hosts that are no nodes of it
 *  do not count; nodes are matched as by tm_network_match(). O((switches + cables + ports) x
 *  tiers). */
int tm_fabric_reduce(const struct tm_fabric *fabric, struct tm_machine *machine,
		     struct tm_network *net, struct tm_error *err);

void tm_fabric_fini(struct tm_fabric *fabric);

#endif
