/*
 * yaml.h - as much of YAML as people's configuration files use.
 *
 * Mappings and sequences, by indentation or in brackets, plain and quoted words on one
 * line, comments. Anchors, tags, block texts ("|", ">"), several documents and tabs as
 * indentation are refused by name. Values are kept in the order of the text:
 *
 *     - topology: t1          node 0   sequence
 *       tree:                 node 1     mapping, element of 0
 *         switches: [a, b]    node 2       text "t1", key "topology"
 */
#ifndef TMAP_FORMATS_NETWORK_YAML_H
#define TMAP_FORMATS_NETWORK_YAML_H

#include "core/base/error.h"

#include <stddef.h>

enum tmap_yaml_kind { TMAP_YAML_TEXT, TMAP_YAML_SEQUENCE, TMAP_YAML_MAPPING };

struct tmap_yaml_node {
	enum tmap_yaml_kind kind;
	char *key;       /**< of a member of a mapping; else NULL */
	char *text;      /**< of a text ("" for nothing); else NULL */
	int first, next; /**< first child and next sibling, or TMAP_NONE */
	int line;        /**< from 1 */
};

/** Node 0 is the whole. */
struct tmap_yaml {
	int count;
	struct tmap_yaml_node *node;
	size_t capacity;
};

/** Read a text; messages begin with the line. O(length). */
int tmap_yaml_parse(struct tmap_yaml *yaml, const char *text, struct tmap_error *err);
void tmap_yaml_fini(struct tmap_yaml *yaml);

/** The member of mapping @p in called @p key, or TMAP_NONE. */
int tmap_yaml_find(const struct tmap_yaml *yaml, int in, const char *key);

#endif
