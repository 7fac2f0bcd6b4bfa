/*
 * network.h - the levels above the node, from whatever file describes them.
 *
 * The file says by its look which of the formats it has; one row each.
 */
#ifndef TM_FORMATS_NETWORK_H
#define TM_FORMATS_NETWORK_H

#include "core/machine/machine.h"
#include "core/base/keyword.h"

/** The formats by name, for help and messages. */
extern const struct tm_words tm_network_formats;

/** Give the machine, which must have none yet, the network that @p path ("-": standard input)
 *  describes. Every node must be in it; where no node is and it has as many hosts as the
 *  machine has nodes, the nodes take the hosts' names. Messages begin with the file's name.
 *  On failure the machine may have some of the tiers. */
int tm_network_read(struct tm_machine *machine, const char *path, struct tm_error *err);

/** The same from a text; messages do not name it. */
int tm_network_parse(struct tm_machine *machine, const char *text, struct tm_error *err);

#endif
