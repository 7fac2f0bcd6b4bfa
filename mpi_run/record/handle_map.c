/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/record/handle_map.h"

#include "core/base/hash.h"
#include "core/base/mem.h"

#include <stdlib.h>

/* The entry that has the key, or the empty one where it belongs. */
static size_t map_find_slot(const struct tmap_handle_map *map, uint64_t key)
{
	size_t at = (size_t)tmap_hash_add(TMAP_HASH, key) & (map->room - 1);

	while (map->entry[at].value != TMAP_NONE && map->entry[at].key != key)
		at = (at + 1) & (map->room - 1);
	return at;
}

int tmap_handle_map_find(const struct tmap_handle_map *map, uint64_t key)
{
	return map->room ? map->entry[map_find_slot(map, key)].value : TMAP_NONE;
}

static int map_grow(struct tmap_handle_map *map, struct tmap_error *err)
{
	struct tmap_handle_map made = { .room = map->room ? 2 * map->room : 16 };

	made.entry = tmap_alloc_raw(made.room, sizeof *made.entry, err);
	if (!made.entry)
		return -1;
	made.count = map->count;
	for (size_t i = 0; i < made.room; i++)
		made.entry[i].value = TMAP_NONE;
	for (size_t i = 0; i < map->room; i++)
		if (map->entry[i].value != TMAP_NONE)
			made.entry[map_find_slot(&made, map->entry[i].key)] = map->entry[i];
	free(map->entry);
	*map = made;
	return 0;
}

int tmap_handle_map_add(struct tmap_handle_map *map, uint64_t key, int value,
			struct tmap_error *err)
{
	if (2 * (map->count + 1) > map->room && map_grow(map, err) < 0)
		return -1;
	map->entry[map_find_slot(map, key)] = (struct tmap_handle_entry){ key, value };
	map->count++;
	return 0;
}

/* Entries behind it that would no longer be found are put anew. */
int tmap_handle_map_remove(struct tmap_handle_map *map, uint64_t key)
{
	size_t at = map->room ? map_find_slot(map, key) : 0;
	int value = map->room ? map->entry[at].value : TMAP_NONE;

	if (value == TMAP_NONE)
		return TMAP_NONE;
	map->entry[at].value = TMAP_NONE;
	map->count--;
	for (at = (at + 1) & (map->room - 1); map->entry[at].value != TMAP_NONE;
	     at = (at + 1) & (map->room - 1)) {
		struct tmap_handle_entry moved = map->entry[at];

		map->entry[at].value = TMAP_NONE;
		map->entry[map_find_slot(map, moved.key)] = moved;
	}
	return value;
}

void tmap_handle_map_fini(struct tmap_handle_map *map)
{
	free(map->entry);
	*map = (struct tmap_handle_map){ 0 };
}
