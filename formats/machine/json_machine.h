/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_machine.h - the machine in a document: kinds of nodes, network, nodes.
 *
 *     "topologies": [{...}, ...],
 *     "network": {"levels": [{"name": "switch1", "switches": [
 *             {"name": "s0", "nodes": "0-17"}, ...]}]},       outermost level first
 *     "nodes": [{"names": "n[0-43807]", "topology": 0}]
 *
 * Consecutive nodes of one topology are one entry.
 */
#ifndef TMAP_FORMATS_MACHINE_JSON_MACHINE_H
#define TMAP_FORMATS_MACHINE_JSON_MACHINE_H

#include "core/machine/machine.h"
#include "formats/json/json.h"
#include "formats/json/json_write.h"

/** The most nodes, and levels of switches, that a document may have. */
#define TMAP_JSON_MOST_NODES 4194304
#define TMAP_JSON_MOST_TIERS 64

/** Write the three members into the open object. */
int tmap_json_put_machine(struct tmap_json_writer *w, const struct tmap_machine *machine,
			  struct tmap_error *err);

/** The machine that the object @p in describes; NULL with *err set. Its topologies are those
 *  of the document in their order, but equal ones become one: *topology_of (the caller's to
 *  free, [topologies in the document]) says which. */
struct tmap_machine *tmap_json_get_machine(const struct tmap_json *in, int **topology_of,
					   int *topology_count, struct tmap_error *err);

#endif
