/*
 * paths.h - paths over the ranks that grow into one ring.
 *
 * At first every rank is a path of its own. An end of a path has fewer than two
 * neighbours; the other end of a path of one rank is that rank itself.
 */
#ifndef TM_PATHS_H
#define TM_PATHS_H

#include "core/base/error.h"

#include <stdbool.h>

struct tm_paths {
	int size;
	int (*neighbour)[2]; /**< [size]; TM_NONE where there is none (yet) */
	int *other;          /**< [size]: the other end of an end's path */
};

/** @p size paths of one rank; 12 bytes a rank. Release with tm_paths_fini(). */
int tm_paths_init(struct tm_paths *paths, int size, struct tm_error *err);
void tm_paths_fini(struct tm_paths *paths);

/** Has the rank two neighbours? */
bool tm_paths_is_full(const struct tm_paths *paths, int rank);

/** Make neighbours of the ends of two different paths. O(1). */
void tm_paths_join(struct tm_paths *paths, int a, int b);

/** Make neighbours of the two ends of the one path that is left. O(p). */
void tm_paths_close(struct tm_paths *paths);

#endif
