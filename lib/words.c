/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/catalogue.h"
#include "core/base/version.h"
#include "core/tree/shapes.h"
#include "formats/launchers/launchers.h"
#include "formats/traffic/traffic.h"
#include "lib/handles.h"

#include <string.h>

static const struct {
	const char *name;
	const struct tmap_keywords *words;
	uint64_t among; /* the rows that the library knows how to use */
} tables[] = {
	{ "collective", &tmap_collectives, TMAP_KEYWORDS_ALL },
	{ "scale", &tmap_scales, TMAP_SCALES_WITH_LATENCY },
	{ "election", &tmap_elections, TMAP_KEYWORDS_ALL },
	{ "launcher", &tmap_launchers_written, TMAP_KEYWORDS_ALL },
	{ "launcher read", &tmap_launchers_read, TMAP_KEYWORDS_ALL },
	{ "launcher imitated", &tmap_launchers_placing, TMAP_KEYWORDS_ALL },
	{ "profile", &tmap_profiles, TMAP_KEYWORDS_ALL },
	{ "mapper", &tmap_mappers, TMAP_KEYWORDS_ALL },
	{ "objective", &tmap_goals, TMAP_KEYWORDS_ALL },
	{ "slots", &tmap_slot_kinds, TMAP_KEYWORDS_ALL },
	{ "library", &tmap_libraries, TMAP_LIBRARIES_THAT_CHOOSE },
	{ "tree", &tmap_tree_shapes, TMAP_KEYWORDS_ALL },
	{ "ring", &tmap_ring_shapes, TMAP_KEYWORDS_ALL },
	{ "traffic format", &tmap_traffic_formats, TMAP_KEYWORDS_ALL },
};

/* Word @p index of those that count. */
static const char *word_at(const struct tmap_keywords *words, uint64_t among, int index)
{
	const struct tmap_keyword *word;

	for (size_t i = 0; index >= 0 && (word = tmap_keywords_at(words, i)); i++)
		if (tmap_keywords_has(words, among, i) && index-- == 0)
			return word->name;
	return NULL;
}

const char *topomap_version(void)
{
	return TMAP_VERSION;
}

const char *topomap_word(const char *table, int index)
{
	for (size_t i = 0; table && i < sizeof tables / sizeof *tables; i++)
		if (strcmp(tables[i].name, table) == 0)
			return word_at(tables[i].words, tables[i].among, index);
	return NULL;
}

const char *topomap_algorithm(const char *collective, int index)
{
	struct tmap_error ignored;
	int found = collective ? tmap_keywords_find(&tmap_collectives, collective, &ignored) :
				 TMAP_NONE;

	return found == TMAP_NONE ?
		NULL :
		word_at(tmap_algorithms((enum tmap_collective)found), TMAP_KEYWORDS_ALL, index);
}
