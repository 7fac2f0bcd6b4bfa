/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * datatype.h - how large the elements of a vector are: "double", "MPI_INT", "16".
 */
#ifndef TMAP_CORE_SCHEDULE_DATATYPE_H
#define TMAP_CORE_SCHEDULE_DATATYPE_H

#include "core/base/error.h"

#include <stdint.h>

/** *element = bytes of an element: those of a datatype (MPI_Type_size), in any case, with or
 *  without "MPI_"; or a size, at least 1 and at most 64 KiB. Else TMAP_USAGE, with the closest
 *  name. */
int tmap_datatype_parse(const char *text, int64_t *element, struct tmap_error *err);

/** Are so many bytes a whole number of elements (0: of any)? Else TMAP_USAGE. */
int tmap_datatype_check(int64_t element, int64_t bytes, struct tmap_error *err);

#endif
