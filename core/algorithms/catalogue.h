/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * catalogue.h - every algorithm of every collective, by name.
 *
 *     allgather    ring, neighbor_exchange, recursive_doubling, bruck, sparbit, ...
 *     bcast        binomial_near, binomial_far, knomial, distance_tree, ...
 *
 * The rows are in the file of their collective (core/algorithms/tables.h).
 */
#ifndef TMAP_CORE_ALGORITHMS_CATALOGUE_H
#define TMAP_CORE_ALGORITHMS_CATALOGUE_H

#include "core/schedule/schedule.h"

/** The algorithms of a collective by name: rows are struct tmap_algorithm. */
const struct tmap_keywords *tmap_algorithms(enum tmap_collective collective);

/** How many of them are tried where none is named: those behind are by_name. */
int tmap_algorithms_tried(enum tmap_collective collective);

/** "NAME[,key=value]..." into call->choice. Refuses what tmap_spec_parse() refuses; names that mean
 *  two things ("binomial"), with both of their full names; and those that are shapes of
 *  core/tree/shapes.h only ("knomial_1"), which it says. */
int tmap_call_parse(struct tmap_call *call, enum tmap_collective collective, const char *text,
		    struct tmap_error *err);

#endif
