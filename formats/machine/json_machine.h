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
#ifndef TM_JSON_MACHINE_H
#define TM_JSON_MACHINE_H

#include "core/machine/machine.h"
#include "formats/json/json.h"
#include "formats/json/json_write.h"

/** The most nodes, and levels of switches, that a document may have. */
#define TM_JSON_MOST_NODES 4194304
#define TM_JSON_MOST_TIERS 64

/** Write the three members into the open object. */
int tm_json_put_machine(struct tm_json_writer *w, const struct tm_machine *machine,
			struct tm_error *err);

/** The machine that the object @p in describes; NULL with *err set. Its topologies are those
 *  of the document in their order, but equal ones become one: *topology_of (the caller's to
 *  free, [topologies in the document]) says which. */
struct tm_machine *tm_json_get_machine(const struct tm_json *in, int **topology_of,
				       int *topology_count, struct tm_error *err);

#endif
