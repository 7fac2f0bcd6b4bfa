/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * network.h - the levels above the node, from whatever file describes them.
 *
 * The file says by its look which of the formats it has; one row each.
 */
#ifndef TMAP_FORMATS_NETWORK_NETWORK_H
#define TMAP_FORMATS_NETWORK_NETWORK_H

#include "core/base/keyword.h"
#include "core/base/string.h"
#include "core/machine/machine.h"

#include <stdbool.h>
#include <stdio.h>

/** The formats by name, for help and messages. */
extern const struct tmap_keywords tmap_network_formats;

struct tmap_network_file {
	const char *path;     /**< "-": standard input */
	const char *topology; /**< of the several of a topology.yaml; NULL: the cluster's default */
	bool keep_names;      /**< the nodes' names are real: they take no others */
};

/** Give the machine, which must have none yet, the network that a file describes; one that says
 *  that there are no switches gives no tiers. Every node must be in it; where no node is and it
 *  has as many hosts as the machine has nodes, the nodes take the hosts' names. What is odd and
 *  yet taken is added to *note (NULL: nobody reads it), sentences, a line each. Messages begin with
 *  the file's name. TMAP_USAGE where the file has no topologies to choose from. On failure the
 *  machine may have some of the tiers. */
int tmap_network_read(struct tmap_machine *machine, const struct tmap_network_file *file,
		      struct tmap_str *note, struct tmap_error *err);

/** The format that a text surely has by its look, borrowed; NULL: none of them. */
const char *tmap_network_format(const char *text);

/** The same as tmap_network_read() from a text; messages do not name it. */
int tmap_network_parse(struct tmap_machine *machine, const char *text, const char *topology,
		       struct tmap_str *note, struct tmap_error *err);

/** Write such sentences: "Note: PATH: SENTENCE." */
void tmap_network_print_note(FILE *out, const char *path, const struct tmap_str *note);

#endif
