/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * han_rules.h - the file that Open MPI's coll_han_dynamic_rules_filename names.
 *
 *     1                  collectives
 *     7                  bcast, or its name
 *     1                  levels
 *     2                  global_communicator, or, from 5.0 on, that name
 *     2                  sizes of communicators
 *     1                  ranks: the first one is 1
 *     1                  rules
 *     0 han              bytes, component
 *     16
 *     2
 *     0 tuned            # what is behind # is a comment
 *     8192 han @simple   from 5.0 on an algorithm of coll/han
 *
 * Words end at white space. Behind a component there may be segments, [65536 4096], of which only numbers are
 * read. Where the library finds something else it says so, and takes none of the rules.
 */
#ifndef TMAP_FORMATS_RULES_HAN_RULES_H
#define TMAP_FORMATS_RULES_HAN_RULES_H

#include "core/tune/han_rules.h"

#include <stdio.h>

/** Is it such a file, and not one of coll/tuned: does it name a component anywhere? */
bool tmap_han_rules_are(const char *text);

/** Read; comments are not kept but for what the rules were made for. Refuses by line what the library
 *  cannot read (TMAP_INPUT). What it reads and does not mean so is core/tune/han_lint.h's. */
int tmap_han_rules_parse(struct tmap_rule_file *file, const char *text, struct tmap_error *err);

/** Write, with its comments: what parse reads to the same rules. TMAP_SYSTEM where the system refuses. */
int tmap_han_rules_write(const struct tmap_rule_file *file, FILE *out, struct tmap_error *err);

#endif
