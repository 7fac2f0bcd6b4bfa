/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handle_map.h - numbers by handles, or by ranks, that come and go.
 */
#ifndef TMAP_MPI_RUN_RECORD_HANDLE_MAP_H
#define TMAP_MPI_RUN_RECORD_HANDLE_MAP_H

#include "core/base/error.h"

#include <stdint.h>

struct tmap_handle_map {
	size_t count;
	struct tmap_handle_entry {
		uint64_t key;
		int value; /**< TMAP_NONE: the entry is empty */
	} * entry;
	size_t room; /**< a power of two, at least twice the count; 0 while empty */
};

/** The number of a key; TMAP_NONE: it has none. O(1) expected. */
int tmap_handle_map_find(const struct tmap_handle_map *map, uint64_t key);

/** A key that has no number gets @p value, at least 0. */
int tmap_handle_map_add(struct tmap_handle_map *map, uint64_t key, int value,
			struct tmap_error *err);

/** The key's number, which it has no longer; TMAP_NONE: it had none. */
int tmap_handle_map_remove(struct tmap_handle_map *map, uint64_t key);

void tmap_handle_map_fini(struct tmap_handle_map *map);

#endif
