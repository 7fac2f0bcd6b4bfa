/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * usable_text.h - a placement in one line: "0:0-1 1:0-1 0:*", node and PUs of each rank, a
 * star where it is not bound.
 */
#ifndef TMAP_TESTS_SUPPORT_USABLE_TEXT_H
#define TMAP_TESTS_SUPPORT_USABLE_TEXT_H

#include "core/machine/placement.h"

/** The caller's to free; aborts where memory is refused. */
char *seats_print(const struct tmap_placement *p);

#endif
