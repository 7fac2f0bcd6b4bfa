/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suggest_traffic.h - what the ranks of a job say to each other: what the command line says of it.
 */
#ifndef TMAP_CLI_SUGGEST_TRAFFIC_H
#define TMAP_CLI_SUGGEST_TRAFFIC_H

#include "cli/base/call_options.h"
#include "cli/base/record_parts.h"
#include "core/base/string.h"
#include "core/map/objective.h"
#include "core/record/record_traffic.h"
#include "formats/traffic/traffic.h"
#include "options/grid.h"
#include "options/opt.h"

#include <stdio.h>

/** What the options say; a member of a command's args. */
struct tmap_suggest_traffic_args {
	struct tmap_opt_list calls, matrices;
	struct tmap_record_parts_args record;
	const char *cart, *stencil, *periods;
	int64_t bytes;
	int matrix_format, library;
	bool first;
};

#define TMAP_OPT_SUGGEST_TRAFFIC(args, traffic) \
	{ TMAP_OPT_LIST( \
		args, traffic.calls, 0, "for", "COLLECTIVE:ALGORITHM:BYTES[/DATATYPE][@WEIGHT]", \
		"a collective that the program calls, such as " \
		"\"allgather:bruck:64KiB\" or \"allreduce:native:8/double\", WEIGHT " \
		"times; ALGORITHM may be native, or openmpi4, openmpi5, mpich or ucc: the " \
		"library's default algorithm") }, \
		TMAP_OPT_RECORD_PARTS(args, traffic.record), \
		{ TMAP_OPT_LIBRARY(args, traffic.library, 0, \
				   "MPI library whose default algorithms are those of native " \
				   "calls") }, \
		{ TMAP_OPT_CART(args, traffic.cart) }, \
		{ TMAP_OPT_STRING(args, traffic.stencil, 0, "stencil", "STENCIL", NULL, \
				  "neighbors in the grid: cart, vonneumann:R, moore:R, full, or " \
				  "\"offsets:1,0,0@2;-1,0,0@2\" with weights; cart by default") }, \
		{ TMAP_OPT_PERIODS(args, traffic.periods) }, \
		{ TMAP_OPT_SIZE( \
			args, traffic.bytes, 'b', "bytes", "BYTES", NULL, \
			"size of a message to a neighbor in the grid; 64KiB by default") }, \
		{ .name = "matrix", \
		  .metavar = "FILE", \
		  .help = "measured communication matrix; a directory means the .prof files in " \
			  "it; several add up", \
		  .type = &tmap_opt_files, \
		  .offset = TMAP_MEMBER(args, traffic.matrices, struct tmap_opt_list) }, \
		{ TMAP_OPT_CHOICE(args, traffic.matrix_format, 0, "matrix-format", "FORMAT", NULL, \
				  &tmap_traffic_formats, TMAP_KEYWORDS_ALL, \
				  "format of these files; recognized by default") }, \
	{ \
		TMAP_OPT_FLAG(args, traffic.first, 0, "first", \
			      "cut a matrix of more ranks than the job has to its first ones") \
	}

struct tmap_suggest_traffic {
	bool is_known;               /**< the command line says something */
	struct tmap_traffic traffic; /**< what it says; borrows from the rest */
	struct tmap_pattern pattern;
	struct tmap_call *call;
	double *weight;
	struct tmap_library_own *own;
	struct tmap_neighborhood grid;
	struct tmap_metric metric;
	struct tmap_record_traffic recorded;
	bool is_cut;
	double cut_bytes, all_bytes; /**< of the matrix: what --first cut away, and of how much */
};

/** The traffic among the ranks of @p launched, which must outlive it, and so must the record (NULL: there
 *  is none), whose traffic it is where no option says another; it must stay where it is.
 *  TMAP_USAGE for options that do not go together. Release in any case. */
int tmap_suggest_traffic_init(struct tmap_suggest_traffic *it,
			      const struct tmap_suggest_traffic_args *args,
			      const struct tmap_record *record,
			      const struct tmap_placement *launched, struct tmap_error *err);
void tmap_suggest_traffic_fini(struct tmap_suggest_traffic *it);

/** Does some option say what the ranks communicate? */
bool tmap_suggest_traffic_is_given(const struct tmap_suggest_traffic_args *args);

/** The line that says which collectives of the record are not in it, and why; nothing where all
 *  are. */
void tmap_suggest_traffic_write_unknown(FILE *out, const struct tmap_suggest_traffic *it,
					const struct tmap_record *record);

/** The line that says how much of the matrix --first cut away; nothing without it. */
void tmap_suggest_traffic_write_cut(FILE *out, const struct tmap_suggest_traffic *it);

/** Append the options that were given, as they were: "--for allgather:ring:64KiB ". */
void tmap_suggest_traffic_describe(struct tmap_str *text,
				   const struct tmap_suggest_traffic_args *args);

#endif
