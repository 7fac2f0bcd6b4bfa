/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rule_origin.h - the comment by which a rule file says what it was made for.
 *
 *     # made for openmpi4, placement 5c1e0a9b77d3f042
 */
#ifndef TMAP_FORMATS_RULES_RULE_ORIGIN_H
#define TMAP_FORMATS_RULES_RULE_ORIGIN_H

#include "core/tune/rule_file.h"

/** The first such comment of a file; without one *origin stays as it is. */
void tmap_rule_origin_parse(struct tmap_rule_origin *origin, const char *text);

/** That of the file at a path, which is read for it: with line 0 it has none. */
int tmap_rule_origin_read(struct tmap_rule_origin *origin, const char *path,
			  struct tmap_error *err);

#endif
