/*
 * json_hierarchy.h - the document of a hierarchy; topomap-json(5) describes it.
 */
#ifndef TM_JSON_HIERARCHY_H
#define TM_JSON_HIERARCHY_H

#include "formats/report/hierarchy/text_hierarchy.h"

/** Jobs of more ranks have lists of lists as two strings in the way of core/base/sequence.h. */
enum { TM_JSON_HIERARCHY_ARRAYS = 65536 };

/** Write it: O(p) numbers for each level and each resource type, as they come. */
int tm_json_write_hierarchy(FILE *out, const struct tm_hierarchy_view *view, struct tm_error *err);

#endif
