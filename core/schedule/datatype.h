/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * datatype.h - how large the elements of a vector are: "double", "MPI_INT", "16".
 */
#ifndef TMAP_CORE_SCHEDULE_DATATYPE_H
#define TMAP_CORE_SCHEDULE_DATATYPE_H

#include "core/base/keyword.h"

#include <stdint.h>

/** The datatypes of MPI that are reduced, by name, without "MPI_" and in lower case. */
extern const struct tmap_keywords tmap_datatypes;

/** *element = bytes of an element: those of a datatype (MPI_Type_size), in any case, with or without
 *  "MPI_"; or a size, at least 1 and at most 64 KiB. Else TMAP_USAGE. */
int tmap_datatype_parse(const char *text, int64_t *element, struct tmap_error *err);

/** Are so many bytes a whole number of elements (0: of any)? Else TMAP_USAGE. */
int tmap_datatype_check(int64_t element, int64_t bytes, struct tmap_error *err);

#endif
