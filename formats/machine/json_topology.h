/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_topology.h - one kind of node in a document.
 *
 *     {"pus": "0-3", "allowed_pus": "0-3",
 *      "objects": [{"type": "package", "logical_pus": "0-3", "os": 0}, ...],
 *      "memories": [{"os": 0, "object": "package:0", "size_bytes": 68719476736}],
 *      "devices": [{"type": "network", "name": "ib0", "object": "node:0",
 *                   "interface_of": "mlx5_0", "link_layer": "infiniband", "link": "up",
 *                   "bits_per_s": 100000000000}]}
 *
 * An object is named by its type and its logical index. Objects stand in preorder, but
 * are read in any order; the node and the PUs go without saying.
 */
#ifndef TMAP_FORMATS_MACHINE_JSON_TOPOLOGY_H
#define TMAP_FORMATS_MACHINE_JSON_TOPOLOGY_H

#include "core/machine/topology.h"
#include "formats/json/json.h"
#include "formats/json/json_write.h"

/** The most PUs that a node may have, and the largest OS index. */
#define TMAP_JSON_MOST_PUS 65536
#define TMAP_JSON_MOST_OS 16777215

int tmap_json_put_topology(struct tmap_json_writer *w, const char *name,
			   const struct tmap_topology *topo, struct tmap_error *err);

/** *topo = the topology that the object @p in describes, finished and checked. */
int tmap_json_get_topology(const struct tmap_json *in, struct tmap_topology *topo,
			   struct tmap_error *err);

/** Write a member "core:3": object @p object of @p topo; nothing for TMAP_NONE. */
void tmap_json_put_object(struct tmap_json_writer *w, const char *name,
			  const struct tmap_topology *topo, int object);

/** Write a set as a member "0-3,8". */
int tmap_json_put_set(struct tmap_json_writer *w, const char *name, const struct tmap_idset *set,
		      struct tmap_error *err);

#endif
