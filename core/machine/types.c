/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/machine/types.h"

#include "core/base/string.h"

#include <string.h>

enum {
	OPENMPI = TMAP_OPENMPI_WORDS,
	HYDRA = TMAP_HYDRA_WORDS,
	SLURM = TMAP_SLURM_WORDS,
	ORDER = TMAP_ORDER_WORDS,
	SLOTS = TMAP_SLOT_WORDS,
	PRRTE = TMAP_PRRTE_WORDS,
};

/* Groups know neither binding nor mapping options. A core before its own caches: who is bound
 * to the PUs of a core that has an L2 of its own is bound to a core. */
const struct tmap_type_row tmap_types[TMAP_TYPE_COUNT] = {
	[TMAP_NODE] = {
		.resource = { .word = { "node", "a node" }, .type = TMAP_NODE, .whole_node = true,
			      .hwloc = "Machine", .openmpi = "OMPI_COMM_TYPE_HOST",
			      .openmpi5 = "host", .mpich = "node" },
		.label = "node",
		.implied = true,
		.has_box = true,
		.binding = { 1, "whole node", NULL },
		.words = { { { "node", "nodes" }, SLOTS },
			   { { "machine", "the whole node" }, HYDRA } },
	},
	[TMAP_BOARD] = {
		.resource = { .word = { "board", "a board" }, .type = TMAP_BOARD,
			      .whole_node = true, .hwloc = "Group",
			      .openmpi = "OMPI_COMM_TYPE_BOARD", .openmpi5 = "board" },
		.label = "board",
		.is_group = true,
		.implied = true,
		.has_box = true,
		.hwloc_subtype = { "Board", "Blade", "Book" },
		.synthetic = { "board" },
	},
	[TMAP_GROUP] = {
		.resource = { .word = { "group", "a group of packages, dies or cores" },
			      .type = TMAP_GROUP, .hwloc = "Group" },
		.label = "group",
		.is_group = true,
		.synthetic = { "group" },
	},
	[TMAP_PACKAGE] = {
		.resource = { .word = { "package", "a package" }, .type = TMAP_PACKAGE,
			      .hwloc = "Package", .openmpi = "OMPI_COMM_TYPE_SOCKET",
			      .openmpi5 = "socket", .mpich = "package" },
		.label = "package",
		.implied = true,
		.has_box = true,
		.synthetic = { "package", "socket" },
		.binding = { 2, "package", "packages" },
		.words = { { { "socket", "packages" }, OPENMPI | HYDRA | ORDER },
			   { { "package", "packages" }, OPENMPI | PRRTE | HYDRA | SLOTS },
			   { { "sockets", "packages" }, SLURM } },
	},
	[TMAP_DIE] = {
		.resource = { .word = { "die", "a die" }, .type = TMAP_DIE, .hwloc = "Die" },
		.label = "die",
		.synthetic = { "die" },
	},
	[TMAP_NUMA] = {
		.resource = { .word = { "numa", "a memory controller" }, .type = TMAP_NUMA,
			      .hwloc = "NUMANode", .openmpi = "OMPI_COMM_TYPE_NUMA",
			      .openmpi5 = "numanode", .mpich = "numanode" },
		.label = "NUMA",
		.implied = true,
		.has_box = true,
		.synthetic = { "numanode" },
		.binding = { 3, "NUMA node", "NUMA nodes" },
		.words = { { { "numa", "NUMA nodes" }, OPENMPI | PRRTE | HYDRA | SLOTS },
			   { { "ldoms", "NUMA nodes" }, SLURM } },
	},
	[TMAP_L5] = {
		.resource = { .word = { "l5", "a level 5 cache" }, .type = TMAP_L5,
			      .hwloc = "L5Cache", .mpich = "l5cache" },
		.label = "L5",
		.cache_level = 5,
		.synthetic = { "l5cache" },
		.words = { { { "l5cache", "L5 caches" }, HYDRA } },
	},
	[TMAP_L4] = {
		.resource = { .word = { "l4", "a level 4 cache" }, .type = TMAP_L4,
			      .hwloc = "L4Cache", .mpich = "l4cache" },
		.label = "L4",
		.cache_level = 4,
		.synthetic = { "l4cache" },
		.words = { { { "l4cache", "L4 caches" }, HYDRA } },
	},
	[TMAP_L3] = {
		.resource = { .word = { "l3", "a level 3 cache" }, .type = TMAP_L3,
			      .hwloc = "L3Cache", .openmpi = "OMPI_COMM_TYPE_L3CACHE",
			      .openmpi5 = "l3cache", .mpich = "l3cache" },
		.label = "L3",
		.cache_level = 3,
		.synthetic = { "l3cache" },
		.binding = { 4, "L3", NULL },
		.words = { { { "l3cache", "L3 caches" }, OPENMPI | PRRTE | HYDRA },
			   { { "l3", "L3 caches" }, SLOTS } },
	},
	[TMAP_L2] = {
		.resource = { .word = { "l2", "a level 2 cache" }, .type = TMAP_L2,
			      .hwloc = "L2Cache", .openmpi = "OMPI_COMM_TYPE_L2CACHE",
			      .openmpi5 = "l2cache", .mpich = "l2cache" },
		.label = "L2",
		.cache_level = 2,
		.synthetic = { "l2cache" },
		.binding = { 6, "L2", NULL },
		.words = { { { "l2cache", "L2 caches" }, OPENMPI | PRRTE | HYDRA },
			   { { "l2", "L2 caches" }, SLOTS } },
	},
	[TMAP_L1] = {
		.resource = { .word = { "l1", "a level 1 data cache" }, .type = TMAP_L1,
			      .hwloc = "L1Cache", .openmpi = "OMPI_COMM_TYPE_L1CACHE",
			      .openmpi5 = "l1cache", .mpich = "l1dcache" },
		.label = "L1",
		.cache_level = 1,
		.synthetic = { "l1cache" },
		.binding = { 7, "L1", NULL },
		.words = { { { "l1cache", "L1 caches" }, OPENMPI | PRRTE | HYDRA } },
	},
	[TMAP_CORE] = {
		.resource = { .word = { "core", "a core" }, .type = TMAP_CORE, .hwloc = "Core",
			      .openmpi = "OMPI_COMM_TYPE_CORE", .openmpi5 = "core",
			      .mpich = "core" },
		.label = "core",
		.synthetic = { "core" },
		.binding = { 5, "core", "cores" },
		.words = { { { "core", "cores" }, OPENMPI | PRRTE | HYDRA | SLOTS },
			   { { "cores", "cores" }, SLURM } },
	},
	[TMAP_PU] = {
		.resource = { .word = { "pu", "a hardware thread" }, .type = TMAP_PU, .hwloc = "PU",
			      .openmpi = "OMPI_COMM_TYPE_HWTHREAD", .openmpi5 = "hwthread",
			      .mpich = "hwthread" },
		.label = "P#",
		.synthetic = { "pu" },
		.binding = { 8, "PU", "PUs" },
		.words = { { { "hwthread", "hardware threads" }, OPENMPI | PRRTE | HYDRA | ORDER | SLOTS },
			   { { "threads", "hardware threads" }, SLURM } },
	},
};

const char *tmap_type_name(enum tmap_type type)
{
	return tmap_types[type].resource.word.name;
}

int tmap_type_find(const char *name)
{
	for (int type = 0; type < TMAP_TYPE_COUNT; type++)
		if (strcmp(tmap_type_name((enum tmap_type)type), name) == 0)
			return type;
	return TMAP_NONE;
}

char *tmap_type_list(const char *separator, struct tmap_error *err)
{
	struct tmap_str list = TMAP_STR_INIT;

	for (int type = TMAP_NODE + 1; type < TMAP_TYPE_COUNT; type++) {
		tmap_str_add(&list, list.length ? separator : "");
		tmap_str_add(&list, tmap_type_name((enum tmap_type)type));
	}
	return tmap_str_take(&list, err);
}

const struct tmap_keyword *tmap_type_words_at(enum tmap_vocabulary of, size_t index,
					      enum tmap_type *type)
{
	for (int t = TMAP_TYPE_COUNT - 1; t >= 0; t--)
		for (int i = 0; i < TMAP_TYPE_WORDS_MAX && tmap_types[t].words[i].of; i++) {
			if (!(tmap_types[t].words[i].of & of))
				continue;
			if (index) {
				index--;
				continue;
			}
			if (type)
				*type = (enum tmap_type)t;
			return &tmap_types[t].words[i].word;
		}
	return NULL;
}

const char *tmap_type_word(enum tmap_vocabulary of, enum tmap_type type)
{
	const struct tmap_type_word *words = tmap_types[type].words;

	for (int i = 0; i < TMAP_TYPE_WORDS_MAX && words[i].of; i++)
		if (words[i].of & of)
			return words[i].word.name;
	return NULL;
}

int tmap_type_word_find(enum tmap_vocabulary of, const char *text, size_t length)
{
	const struct tmap_keyword *word;
	enum tmap_type type;

	for (size_t i = 0; (word = tmap_type_words_at(of, i, &type)); i++)
		if (strlen(word->name) == length && strncmp(word->name, text, length) == 0)
			return (int)type;
	return TMAP_NONE;
}
