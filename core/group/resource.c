#include "core/group/resource.h"

#include <string.h>

static const struct tmap_resource shared_memory = {
	.word = { "mpi_shared_memory", "ranks that can share memory" },
	.type = TMAP_NODE,
	.whole_node = true,
	.keeps_whole = true,
	.hwloc = "Machine",
	.openmpi = "OMPI_COMM_TYPE_NODE",
	.openmpi5 = "mpi_shared_memory",
	.mpich = "mpi_shared_memory",
};

static const struct tmap_keyword *resource_at(size_t index)
{
	if (index == 0)
		return &shared_memory.word;
	return index <= TMAP_TYPE_COUNT ? &tmap_types[index - 1].resource.word : NULL;
}

const struct tmap_keywords tmap_resources = TMAP_KEYWORDS_BY("resource type", resource_at);

const struct tmap_resource *tmap_resource_find(const char *name)
{
	const struct tmap_keyword *word;

	for (size_t i = 0; (word = resource_at(i)); i++)
		if (strcmp(word->name, name) == 0)
			return (const struct tmap_resource *)word;
	return NULL;
}
