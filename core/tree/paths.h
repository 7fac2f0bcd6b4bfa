/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * paths.h - paths over the ranks that grow into one ring.
 *
 * At first every rank is a path of its own. An end of a path has fewer than two
 * neighbours; the other end of a path of one rank is that rank itself.
 */
#ifndef TMAP_CORE_TREE_PATHS_H
#define TMAP_CORE_TREE_PATHS_H

#include "core/base/error.h"

#include <stdbool.h>

struct tmap_paths {
	int size;
	int (*neighbour)[2]; /**< [size]; TMAP_NONE where there is none (yet) */
	int *other;          /**< [size]: the other end of an end's path */
};

/** @p size paths of one rank; 12 bytes a rank. Release with tmap_paths_fini(). */
int tmap_paths_init(struct tmap_paths *paths, int size, struct tmap_error *err);
void tmap_paths_fini(struct tmap_paths *paths);

/** Has the rank two neighbours? */
static inline bool tmap_paths_is_full(const struct tmap_paths *paths, int rank)
{
	return paths->neighbour[rank][1] != TMAP_NONE;
}

/** Make neighbours of the ends of two different paths. O(1). */
void tmap_paths_join(struct tmap_paths *paths, int a, int b);

/** Make neighbours of the two ends of the one path that is left. O(p). */
void tmap_paths_close(struct tmap_paths *paths);

#endif
