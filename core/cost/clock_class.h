/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_class.h - nodes whose clocks are equal are a class, which has them once.
 *
 *     node            0  1  2  3 | 4  5  6  7       two switches
 *     at first        a  a  a  a | a  a  a  a
 *     n to n + 2      a  a  b  b | a  a  b  b       those that cross take longer
 *     n to n + 4      a  a  b  b | a  a  b  b
 *     n to n + 1      c  d  b  e | c  d  b  e       what meets others splits
 *     all wait        f  f  f  f | f  f  f  f       who has the same bits in the end is one again
 *
 * A round takes the time of one node of each class and of those that it exchanges with. Clocks are
 * the same bits as if every rank had its own: a round in which they may not be, or in which a class
 * has few nodes, is not timed here.
 */
#ifndef TMAP_CORE_COST_CLOCK_CLASS_H
#define TMAP_CORE_COST_CLOCK_CLASS_H

#include "core/cost/clock_round.h"

struct tmap_clock_classes;

/** Time the stretches begin .. end - 1, which are one round; *timed: it could be. Where nodes have no
 *  classes yet, they begin with one, if nothing but switches tells them apart.
 *  O(nodes x (links + stretches) + classes x ranks of a node). */
int tmap_class_round(bool *timed, struct tmap_clock *clock, size_t begin, size_t end,
		     struct tmap_error *err);

/** From now on every rank has its own clock. O(p). */
void tmap_class_end(struct tmap_clock *clock);

/** What the links of each node had in the last round, and when they are free. O(objects). */
void tmap_class_spread_links(const struct tmap_clock *clock);

/** As of clock.h. */
double tmap_class_last(const struct tmap_clock *clock, int *rank);
void tmap_class_together(const struct tmap_clock *clock, double at_s);

void tmap_classes_free(struct tmap_clock_classes *classes);

#endif
