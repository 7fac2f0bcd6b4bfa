/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hosts.h - which nodes the host names in a launcher's file mean.
 *
 * A name means the node that is called so; a short name ("a") also means the only node
 * whose full name begins with it ("a.cluster"), and the other way round. "+nK" is the
 * K-th node, from 0. Where the machine knows none of the names, as with one that was
 * described in a line, and has at least as many nodes, its nodes take the names in order
 * of first appearance. Some known and some not is an error. A name that was masked ("[HOST]",
 * "nodeXX") is taken so only where there are as many names as nodes, and the node keeps its own.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_COMMON_HOSTS_H
#define TMAP_FORMATS_LAUNCHERS_COMMON_HOSTS_H

#include "core/base/names.h"
#include "core/machine/machine.h"

struct tmap_hosts {
	int *node;     /**< [names->count]: the node of each name */
	char **rename; /**< [node_count]: the names that the nodes shall take; NULL if they keep
			    theirs */
	const char *masked; /**< the first name that was masked, borrowed; NULL: none was */
};

/** Find the node of each name; the machine is not changed yet. On failure *culprit is the
 *  number of the name to blame, or TMAP_NONE. O((N + names) x length) expected. */
int tmap_hosts_init(struct tmap_hosts *hosts, const struct tmap_names *names,
		    const struct tmap_machine *machine, int *culprit, struct tmap_error *err);

/** Give the nodes their new names, if they take any. All or nothing. */
int tmap_hosts_rename(const struct tmap_hosts *hosts, struct tmap_machine *machine,
		      struct tmap_error *err);

void tmap_hosts_fini(struct tmap_hosts *hosts);

/** Length of a host's short name: up to the first dot; the whole of an IP address. */
size_t tmap_host_short_length(const char *name);

#endif
