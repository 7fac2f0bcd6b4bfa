/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * openmpi_ranges.h - the file that coll_tuned_dynamic_rules_filename of Open MPI 6 names: rules with ranges.
 *
 *     {"rule_file_version": 3, "module": "tuned", "collectives": {"allgather": [
 *       {"comm_size_min": 4, "comm_size_max": 8, "comm_rank_distribution": "single-node", "rules": [
 *         {"msg_size_min": 0, "msg_size_max": 1023, "alg": "bruck", "faninout": 2},
 *         {"msg_size_min": 1024, "msg_size_max": "inf", "alg": 4, "seg_size": 0, "reqs": 0}]}]}}
 *
 * All members of a rule but the algorithm may be left out, and members that it does not know the library
 * passes over: what is written here has "comment". Names are as its reader has them, "reduce_scatter" and
 * "seg_size", which the schema among its documents has otherwise or not at all. From its sources: no such
 * release has been run.
 */
#ifndef TMAP_FORMATS_RULES_OPENMPI_RANGES_H
#define TMAP_FORMATS_RULES_OPENMPI_RANGES_H

#include "core/tune/rule_file.h"

#include <stdio.h>

/** Read; comments are not kept, what the library passes over is (oddities). Refuses by line what makes it
 *  ignore the file, or end (TMAP_INPUT). */
int tmap_openmpi_ranges_parse(struct tmap_rule_file *file, const char *text,
			      struct tmap_error *err);

/** One of either form, as Open MPI 6 takes it: with ranges, or without, and then it has the rules of the next
 *  larger communicators (TMAP_LOOKUP_BELOW). */
int tmap_openmpi_ranges_read(struct tmap_rule_file *file, const char *path, struct tmap_error *err);

/** Write one with ranges, with its comments: what parse reads to the same. TMAP_SYSTEM where the system
 *  refuses. */
int tmap_openmpi_ranges_write(const struct tmap_rule_file *file, FILE *out, struct tmap_error *err);

#endif
