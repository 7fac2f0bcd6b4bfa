#include "core/group/resource.h"

#include <string.h>

static const struct tmap_resource rows[] = {
	{ { "mpi_shared_memory", "ranks that can share memory" }, { TMAP_NODE, 0 }, true, true,
	  "Machine", "OMPI_COMM_TYPE_NODE", "mpi_shared_memory", "mpi_shared_memory" },
	{ { "node", "a node" }, { TMAP_NODE, 0 }, true, false,
	  "Machine", "OMPI_COMM_TYPE_HOST", "host", "node" },
	{ { "board", "a board" }, { TMAP_BOARD, 0 }, true, false,
	  "Group", "OMPI_COMM_TYPE_BOARD", "board", NULL },
	{ { "group", "a group of packages, dies or cores" }, { TMAP_GROUP, 0 }, false, false,
	  "Group", NULL, NULL, NULL },
	{ { "package", "a package" }, { TMAP_PACKAGE, 0 }, false, false,
	  "Package", "OMPI_COMM_TYPE_SOCKET", "socket", "package" },
	{ { "die", "a die" }, { TMAP_DIE, 0 }, false, false,
	  "Die", NULL, NULL, NULL },
	{ { "numa", "a memory controller" }, { TMAP_NUMA, 0 }, false, false,
	  "NUMANode", "OMPI_COMM_TYPE_NUMA", "numanode", "numanode" },
	{ { "l5", "a level 5 cache" }, { TMAP_L5, 0 }, false, false,
	  "L5Cache", NULL, NULL, "l5cache" },
	{ { "l4", "a level 4 cache" }, { TMAP_L4, 0 }, false, false,
	  "L4Cache", NULL, NULL, "l4cache" },
	{ { "l3", "a level 3 cache" }, { TMAP_L3, 0 }, false, false,
	  "L3Cache", "OMPI_COMM_TYPE_L3CACHE", "l3cache", "l3cache" },
	{ { "l2", "a level 2 cache" }, { TMAP_L2, 0 }, false, false,
	  "L2Cache", "OMPI_COMM_TYPE_L2CACHE", "l2cache", "l2cache" },
	{ { "l1", "a level 1 data cache" }, { TMAP_L1, 0 }, false, false,
	  "L1Cache", "OMPI_COMM_TYPE_L1CACHE", "l1cache", "l1dcache" },
	{ { "core", "a core" }, { TMAP_CORE, 0 }, false, false,
	  "Core", "OMPI_COMM_TYPE_CORE", "core", "core" },
	{ { "pu", "a hardware thread" }, { TMAP_PU, 0 }, false, false,
	  "PU", "OMPI_COMM_TYPE_HWTHREAD", "hwthread", "hwthread" },
	{ { NULL, NULL }, { TMAP_NODE, 0 }, false, false, NULL, NULL, NULL, NULL },
};

const struct tmap_words tmap_resources = TMAP_WORDS("resource type", rows);

const struct tmap_resource *tmap_resource_find(const char *name)
{
	for (const struct tmap_resource *row = rows; row->word.name; row++)
		if (strcmp(row->word.name, name) == 0)
			return row;
	return NULL;
}
