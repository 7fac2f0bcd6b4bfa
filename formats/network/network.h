/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * network.h - the levels above the node, from whatever file describes them.
 *
 * The file says by its look which of the formats it has; one row each.
 */
#ifndef TMAP_FORMATS_NETWORK_NETWORK_H
#define TMAP_FORMATS_NETWORK_NETWORK_H

#include "core/base/keyword.h"
#include "core/machine/machine.h"

/** The formats by name, for help and messages. */
extern const struct tmap_keywords tmap_network_formats;

/** Give the machine, which must have none yet, the network that @p path ("-": standard input)
 *  describes. Every node must be in it; where no node is and it has as many hosts as the
 *  machine has nodes, the nodes take the hosts' names. Messages begin with the file's name.
 *  On failure the machine may have some of the tiers. */
int tmap_network_read(struct tmap_machine *machine, const char *path, struct tmap_error *err);

/** The same from a text; messages do not name it. */
int tmap_network_parse(struct tmap_machine *machine, const char *text, struct tmap_error *err);

#endif
