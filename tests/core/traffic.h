/*
 * traffic.h - what a schedule sends from each rank to each other, told exactly and folded.
 */
#ifndef TRAFFIC_H
#define TRAFFIC_H

#include "core/schedule/schedule.h"

/** Do both ways of telling have the same messages and bytes from each rank to each other? A call
 *  that cannot be told is a fault of the test: the program aborts. O(p^2). */
bool traffic_is_alike(const struct tm_call *call);

#endif
