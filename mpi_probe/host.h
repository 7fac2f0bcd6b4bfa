/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host.h - names of nodes: distinct ones, that any document can hold.
 */
#ifndef TMAP_MPI_PROBE_HOST_H
#define TMAP_MPI_PROBE_HOST_H

#include "core/base/error.h"

/** Make @p name (room for at least 2 bytes) fit for documents and launchers' files, in place:
 *  every byte that is not a printable ASCII character, and every blank, becomes '_'; an empty
 *  name "_". */
void tmap_host_clean(char *name);

/** Where several of the @p count names are equal (two nodes may have the same host name), the
 *  first keeps it and the others become "name#2", "name#3", ... in the order of the list.
 *  Names are replaced in the array, whose strings are the caller's. O(count log count). */
int tmap_host_make_distinct(char **name, int count, struct tmap_error *err);

#endif
