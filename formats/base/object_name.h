/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * object_name.h - what people call the object of a level that a rank is in.
 */
#ifndef TMAP_FORMATS_BASE_OBJECT_NAME_H
#define TMAP_FORMATS_BASE_OBJECT_NAME_H

#include "core/base/string.h"
#include "core/machine/level_order.h"
#include "core/machine/placement.h"

/** Append "n3", "package 1", a switch's name: the object of a level called @p level, of a tier of
 *  the network (TMAP_NONE: of @p kind inside the node), around @p rank, which must be in one. */
void tmap_object_name_add(struct tmap_str *str, const struct tmap_placement *p, int tier,
			  struct tmap_level_kind kind, const char *level, int rank);

#endif
