/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traffic.h - what a schedule sends from each rank to each other, told exactly, folded, and
 * in batches and shifts.
 */
#ifndef TMAP_TESTS_SUPPORT_TRAFFIC_H
#define TMAP_TESTS_SUPPORT_TRAFFIC_H

#include "core/schedule/schedule.h"

/** Do all ways of telling have the same rounds, and the same messages and bytes from each rank to
 *  each other? A call that cannot be told aborts the program, and so does a round without messages
 *  before one that has some, and a message that is told to be the only one of its ranks in a round,
 *  and is not. O(p^2). */
bool traffic_is_alike(const struct tmap_call *call);

#endif
