/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix_read.h - measured distances from a file.
 *
 *     text   a line a rank with a number for each rank, separated by commas, semicolons,
 *            tabs or blanks; empty lines and lines that begin with # do not count
 *     JSON   a placement document with distances.matrix (topomap-probe --matrix)
 *     XML    hwloc's distances between the NUMA nodes of one node (lstopo --export-xml);
 *            two ranks are as far apart as the NUMA nodes that they sit on
 *
 * Where the two ways between two ranks differ, as they do when they are measured, their
 * mean counts.
 */
#ifndef TMAP_FORMATS_MACHINE_MATRIX_READ_H
#define TMAP_FORMATS_MACHINE_MATRIX_READ_H

#include "core/tree/matrix.h"

/** The distances of the ranks of @p p that @p path ("-": standard input) holds, which must be
 *  of as many ranks (XML: of a node like theirs). Messages name the file and the line. O(p^2). */
int tmap_matrix_read(struct tmap_matrix *matrix, const char *path, const struct tmap_placement *p,
		     struct tmap_error *err);

/** The same from a text of @p length bytes; @p name is what messages call it. */
int tmap_matrix_parse(struct tmap_matrix *matrix, const char *text, size_t length, const char *name,
		      const struct tmap_placement *p, struct tmap_error *err);

/** The distances among some of the ranks: *part[a][b] = whole[rank[a]][rank[b]]. */
int tmap_matrix_select(struct tmap_matrix *part, const struct tmap_matrix *whole, const int *rank,
		       int count, struct tmap_error *err);

#endif
