/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * openmpi_rules.h - the file that Open MPI's coll_tuned_dynamic_rules_filename names.
 *
 *     1                  collectives
 *     0                  allgather
 *     1                  sizes of communicators
 *     8                  ranks
 *     2                  rules
 *     0 0 0 0            bytes, algorithm, children, segment
 *     65536 4 0 0        # what is behind # is a comment
 *
 * A first line "rule-file-version-2" lets a fifth number, requests at once, follow: from 5.0.7 on. The
 * library reads numbers, wherever lines end, and passes over all else; where numbers do not fit it
 * ignores the file without a word. Here what is neither a number nor a comment is refused, and so
 * are numbers that it takes for octal or hexadecimal ones.
 */
#ifndef TMAP_FORMATS_RULES_OPENMPI_RULES_H
#define TMAP_FORMATS_RULES_OPENMPI_RULES_H

#include "core/tune/rule_file.h"

#include <stdio.h>

/** Read; comments are not kept but for what the rules were made for. Refuses by line what the library
 *  cannot read (TMAP_INPUT). What it reads and does not mean so is core/tune/rule_lint.h's. */
int tmap_openmpi_rules_parse(struct tmap_rule_file *file, const char *text, struct tmap_error *err);

/** Write, with its comments: what parse reads to the same numbers. TMAP_SYSTEM where the system
 *  refuses. */
int tmap_openmpi_rules_write(const struct tmap_rule_file *file, FILE *out, struct tmap_error *err);

#endif
