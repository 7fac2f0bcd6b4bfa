/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rule_forms.h - rules in the form of a library: Open MPI's, for coll/tuned or coll/han, with or without
 * ranges, or UCC's.
 */
#ifndef TMAP_FORMATS_RULES_RULE_FORMS_H
#define TMAP_FORMATS_RULES_RULE_FORMS_H

#include "core/tune/rule_file.h"

#include <stdio.h>

/** As row @p library of tmap_libraries reads a file. */
int tmap_rules_read(struct tmap_rule_file *file, const char *path, int library,
		    struct tmap_error *err);

/** As it can read it. */
int tmap_rules_write(const struct tmap_rule_file *file, int library, FILE *out,
		     struct tmap_error *err);

#endif
