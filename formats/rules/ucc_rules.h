/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ucc_rules.h - the file that UCC_CONFIG_FILE names, with rules for tl/ucp in one line.
 *
 *     # comments
 *     UCC_TL_UCP_TUNE=allgather:0-4096:host:[8]:@bruck#allgather:4096-inf:host:[8]:@ring
 *                     |         |      |    |   algorithm
 *                     |         |      |    ranks, "[8]", "[2-16]" or "[9-inf]"
 *                     |         |      memory
 *                     |         bytes, the first one and the one behind the last: of all ranks together
 *                     |         where blocks are sent
 *                     collective
 *
 * From the sources of UCC, not run. Each part may be missing, and they come in any order; empty ones are
 * passed over. UCC adds a rule for each of its collectives, then kinds of memory, then bytes, and passes over
 * what overlaps an earlier one. If that is the last of them, or a part is none of these, it goes on without
 * any rule of the file. What stands in sections, which are for some machines, and in other variables is
 * passed over.
 */
#ifndef TMAP_FORMATS_RULES_UCC_RULES_H
#define TMAP_FORMATS_RULES_UCC_RULES_H

#include "core/tune/rule_file.h"

#include <stdio.h>

/** Bytes of a line, of which UCC reads no more. */
enum { TMAP_UCC_LINE = 8191 };

/** Read what is for the memory of hosts, as rules that are looked up by the nearest size: between those of the
 *  file there are some for algorithm 0, which is UCC's own choice. Refuses what UCC does, lists of more than
 *  64, and more than 1024 collectives x ranges of bytes x ranges of ranks in all (TMAP_INPUT).
 *  What UCC does for some numbers of ranks only is refused, too. */
int tmap_ucc_rules_parse(struct tmap_rule_file *file, const char *text, struct tmap_error *err);
int tmap_ucc_rules_read(struct tmap_rule_file *file, const char *path, struct tmap_error *err);

/** Write, with the notes of the rules as comments before. Refuses (TMAP_INPUT) what a line has no room for;
 *  TMAP_SYSTEM where the system refuses. */
int tmap_ucc_rules_write(const struct tmap_rule_file *file, FILE *out, struct tmap_error *err);

#endif
