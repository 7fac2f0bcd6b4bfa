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
#ifndef TM_YAML_H
#define TM_YAML_H

#include "core/base/error.h"

#include <stddef.h>

enum tm_yaml_kind { TM_YAML_TEXT, TM_YAML_SEQUENCE, TM_YAML_MAPPING };

struct tm_yaml_node {
	enum tm_yaml_kind kind;
	char *key;           /**< of a member of a mapping; else NULL */
	char *text;          /**< of a text ("" for nothing); else NULL */
	int first, next;     /**< first child and next sibling, or TM_NONE */
	int line;            /**< from 1 */
};

/** Node 0 is the whole. */
struct tm_yaml {
	int count;
	struct tm_yaml_node *node;
	size_t capacity;
};

/** Read a text; messages begin with the line. O(length). */
int tm_yaml_parse(struct tm_yaml *yaml, const char *text, struct tm_error *err);
void tm_yaml_fini(struct tm_yaml *yaml);

/** The member of mapping @p in called @p key, or TM_NONE. */
int tm_yaml_find(const struct tm_yaml *yaml, int in, const char *key);

#endif
