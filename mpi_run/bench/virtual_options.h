/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * virtual_options.h - which calls on virtual topologies are measured, and at which sizes, as options
 * have it.
 */
#ifndef TMAP_MPI_RUN_BENCH_VIRTUAL_OPTIONS_H
#define TMAP_MPI_RUN_BENCH_VIRTUAL_OPTIONS_H

#include "core/measure/virtual_guidelines.h"
#include "options/opt.h"

/** NULL: not given. */
struct tmap_virtual_args {
	const char *guidelines, *neighborhoods, *radius, *dimensions, *finite, *orders, *reorder;
};

/* Rows of an option table: the args struct has a struct tmap_virtual_args as member "on". */
#define TMAP_VIRTUAL_OPTIONS(args) \
	{ TMAP_OPT_STRING(args, on.guidelines, 'g', "guideline", "LIST", NULL, \
			  "instead of mock-ups these guidelines of virtual topologies: " \
			  "\"GL4,GL7-9\"; \"mockups\", \"all\"") }, \
		{ TMAP_OPT_STRING(args, on.neighborhoods, 'n', "neighborhood", "LIST", NULL, \
				  "with --guideline: vonneumann, moore, full (all three)") }, \
		{ TMAP_OPT_STRING(args, on.radius, 0, "radius", "LIST", NULL, \
				  "of vonneumann and moore (1)") }, \
		{ TMAP_OPT_STRING(args, on.dimensions, 'd', "dimensions", "LIST", NULL, \
				  "how many the grid of the ranks has (1 to 4, where no " \
				  "dimension is of one rank)") }, \
		{ TMAP_OPT_STRING(args, on.finite, 0, "finite", "LIST", NULL, \
				  "how many of them are not periodic (0, and all)") }, \
		{ TMAP_OPT_STRING( \
			args, on.orders, 0, "order", "LIST", NULL, \
			"in which neighbors are listed: fmaj, lmaj, linear, rand; cart: " \
			"MPI's own alone (all)") }, \
	{ \
		TMAP_OPT_STRING(args, on.reorder, 0, "reorder", "LIST", NULL, \
				"may MPI renumber the ranks: 0, 1 (both)") \
	}

struct tmap_virtual_experiments {
	unsigned set; /**< of guidelines; TMAP_MOCKUP_GUIDELINES where none are named */
	struct tmap_virtual_plan plan; /**< empty where only mock-ups are */
	bool has_sizes;                /**< is anything of it measured at several sizes? */
	int size_count;
	const int64_t *bytes; /**< [size_count], borrowed */
};

/** What is asked for on @p ranks; @p collective or TMAP_NONE as of struct tmap_virtual_request, and
 *  the sizes, of which MPI must be able to count all. Refuses (TMAP_USAGE) words that are none, and
 *  those that need --guideline without it, or change nothing of what is measured.
 *  tmap_virtual_experiments_fini() it in any case. */
int tmap_virtual_experiments_init(struct tmap_virtual_experiments *it,
				  const struct tmap_virtual_args *args, int collective, int ranks,
				  const int64_t *bytes, int size_count, struct tmap_error *err);
void tmap_virtual_experiments_fini(struct tmap_virtual_experiments *it);

/** How many there are, and number @p i of them: a communicator is made at one size, 0. */
int tmap_virtual_experiments_count(const struct tmap_virtual_experiments *it);
const struct tmap_virtual_key *
tmap_virtual_experiments_at(const struct tmap_virtual_experiments *it, int i, int64_t *bytes);

#endif
