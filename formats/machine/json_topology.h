/*
 * json_topology.h - one kind of node in a document.
 *
 *     {"pus": "0-3", "allowed_pus": "0-3",
 *      "objects": [{"type": "package", "logical_pus": "0-3", "os": 0}, ...],
 *      "memories": [{"os": 0, "object": "package:0", "size_bytes": 68719476736}],
 *      "devices": [{"type": "network", "name": "ib0", "object": "node:0"}]}
 *
 * An object is named by its type and its logical index. Objects stand in preorder, but
 * are read in any order; the node and the PUs go without saying.
 */
#ifndef TM_JSON_TOPOLOGY_H
#define TM_JSON_TOPOLOGY_H

#include "core/machine/topology.h"
#include "formats/json/json.h"
#include "formats/json/json_write.h"

/** The most PUs that a node may have, and the largest OS index. */
#define TM_JSON_MOST_PUS 65536
#define TM_JSON_MOST_OS 16777215

int tm_json_put_topology(struct tm_json_writer *w, const char *name, const struct tm_topology *topo,
			 struct tm_error *err);

/** *topo = the topology that the object @p in describes, finished and checked. */
int tm_json_get_topology(const struct tm_json *in, struct tm_topology *topo, struct tm_error *err);

/** Write a member "core:3": object @p object of @p topo; nothing for TM_NONE. */
void tm_json_put_object(struct tm_json_writer *w, const char *name, const struct tm_topology *topo,
			int object);

/** Write a set as a member "0-3,8". */
int tm_json_put_set(struct tm_json_writer *w, const char *name, const struct tm_idset *set,
		    struct tm_error *err);

#endif
