/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * costs.h - what messages and memory cost, from the files of programs that measured it.
 *
 *     osu         osu_latency, osu_bw and osu_mbw_mr of the OSU Micro-Benchmarks
 *     imb         PingPong of Intel MPI Benchmarks
 *     netgauge    its LogGP pattern: the file, or what it prints
 *     simgrid     SMPI's factors and overheads, as options or in a platform file
 *     mlc         the bandwidth matrix of Intel Memory Latency Checker
 *     stream      STREAM
 *
 * A table is of one process distance, which its parameter says: "osu,distance=1".
 */
#ifndef TMAP_FORMATS_COSTS_COSTS_H
#define TMAP_FORMATS_COSTS_COSTS_H

#include "core/base/spec.h"
#include "core/measure/profile_draft.h"

/** The forms; the rows are struct tmap_cost_form, which begin with a struct tmap_spec_row. */
extern const struct tmap_keywords tmap_cost_forms;

/** Put what the text says into the draft, in the form and by the parameters of @p form. Several tables of times
 *  in one text are of one distance, and fitted together: as many as draft->tables says. Refuses
 *  (TMAP_INPUT) tables that are plainly not of one distance, and a text that says nothing of the form, by line
 *  where there is one. O(length). */
int tmap_costs_parse(struct tmap_profile_draft *draft, const struct tmap_spec *form,
		     const char *text, struct tmap_error *err);

/** The same of the file @p path, which messages name; "-" is standard input. */
int tmap_costs_read(struct tmap_profile_draft *draft, const struct tmap_spec *form,
		    const char *path, struct tmap_error *err);

#endif
