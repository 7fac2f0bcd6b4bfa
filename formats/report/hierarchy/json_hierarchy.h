/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_hierarchy.h - the document of a hierarchy; topomap-json(5) describes it.
 */
#ifndef TMAP_FORMATS_REPORT_HIERARCHY_JSON_HIERARCHY_H
#define TMAP_FORMATS_REPORT_HIERARCHY_JSON_HIERARCHY_H

#include "formats/report/hierarchy/text_hierarchy.h"

/** Jobs of more ranks have lists of lists as two strings in the way of core/base/sequence.h. */
enum { TMAP_JSON_HIERARCHY_ARRAYS = 65536 };

/** Write it: O(p) numbers for each level and each resource type, as they come. */
int tmap_json_write_hierarchy(FILE *out, const struct tmap_hierarchy_view *view,
			      struct tmap_error *err);

#endif
