/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * types.h - the levels inside a node: one row each, with everybody's name for it.
 *
 *     level     hwloc      mapping and binding options           MPI_Comm_split_type
 *     package   Package    socket, package; Slurm's sockets      OMPI_COMM_TYPE_SOCKET, ...
 *     numa      NUMANode   numa; Slurm's ldoms                   OMPI_COMM_TYPE_NUMA, ...
 *     l3        L3Cache    l3cache                               OMPI_COMM_TYPE_L3CACHE, ...
 *     pu        PU         hwthread; Slurm's threads             OMPI_COMM_TYPE_HWTHREAD, ...
 *
 * Whatever is named after levels asks here: readers, options, messages, pictures, guided
 * splits. A new level is a constant and a row, and its colour in machine_drawing.c.
 */
#ifndef TMAP_CORE_MACHINE_TYPES_H
#define TMAP_CORE_MACHINE_TYPES_H

#include "core/base/keyword.h"

/** Kinds of objects, outermost first where their sets of PUs are equal. */
enum tmap_type {
	TMAP_NODE,
	TMAP_BOARD,
	TMAP_GROUP,
	TMAP_PACKAGE,
	TMAP_DIE,
	TMAP_NUMA,
	TMAP_L5,
	TMAP_L4,
	TMAP_L3,
	TMAP_L2,
	TMAP_L1,
	TMAP_CORE,
	TMAP_PU,
	TMAP_TYPE_COUNT
};

/** What a guided split may be guided by, and each library's name for it; NULL: it has none. */
struct tmap_resource {
	struct tmap_keyword word; /**< the level, or "mpi_shared_memory" */
	enum tmap_type type;      /**< to whose objects the ranks of a communicator are limited */
	bool whole_node;          /**< Open MPI takes all ranks of a node */
	bool keeps_whole;         /**< MPICH gives it also where it is the whole node */
	const char *hwloc;        /**< hwloc_obj_type_string() */
	const char *openmpi;      /**< OMPI_COMM_TYPE_.. of Open MPI 4.1 */
	const char *openmpi5;     /**< value of mpi_hw_resource_type from Open MPI 5 on */
	const char *mpich;        /**< value of mpi_hw_resource_type for MPICH 4.0 */
};

/** Those whose options name objects, as bits. */
enum tmap_vocabulary {
	TMAP_OPENMPI_WORDS = 1, /**< mpirun of Open MPI 4.1: --map-by, --rank-by, --bind-to */
	TMAP_HYDRA_WORDS = 2,   /**< mpiexec of MPICH: -map-by, -bind-to */
	TMAP_SLURM_WORDS = 4,   /**< srun: --cpu-bind */
	TMAP_ORDER_WORDS = 8,   /**< place --order, besides the names of the levels */
	TMAP_SLOT_WORDS = 16,   /**< suggest --slots */
	TMAP_PRRTE_WORDS = 32,  /**< mpirun of Open MPI 5: the same as Open MPI 4.1's */
};

/** A word for the objects of a level, and who takes it. */
struct tmap_type_word {
	struct tmap_keyword word; /**< "socket", "packages" */
	unsigned of;              /**< of enum tmap_vocabulary */
};

enum { TMAP_TYPE_WORDS_MAX = 4, TMAP_TYPE_SUBTYPES_MAX = 4 };

/** How a binding to objects of the level is named (core/machine/binding.h). */
struct tmap_type_binding {
	int preference;   /**< from 1: the least is tried first; 0: it is never named */
	const char *one;  /**< "whole node", "NUMA node" */
	const char *many; /**< "NUMA nodes"; NULL: it is not named in numbers */
};

struct tmap_type_row {
	struct tmap_resource resource; /**< its word.name is the name of the level everywhere */
	const char *label;             /**< before a number in pictures: "NUMA", "L3" */
	int cache_level;               /**< 1 to 5; 0: it is no cache */
	bool is_group; /**< hwloc's Groups: two over the same PUs are one, and groups nest */
	bool implied;  /**< a node without such objects is itself one of them */
	bool has_box;  /**< trees and rings are drawn in boxes of this level, others are too fine */
	const char *hwloc_subtype[TMAP_TYPE_SUBTYPES_MAX]; /**< only hwloc's objects of one of these
							    subtypes; none: the others */
	const char *synthetic[2]; /**< words of machine lines, which may be cut to two letters
				       if they are hwloc's own */
	struct tmap_type_binding binding;
	struct tmap_type_word words[TMAP_TYPE_WORDS_MAX];
};

/** All levels, in the order of the enum. */
extern const struct tmap_type_row tmap_types[TMAP_TYPE_COUNT];

/** "node", "board", ..., "pu": the level's name in every command and document. */
const char *tmap_type_name(enum tmap_type type);

/** The type called @p name, or TMAP_NONE. */
int tmap_type_find(const char *name);

/** The names of all types but the node, the caller's to free; NULL with *err set. */
char *tmap_type_list(const char *separator, struct tmap_error *err);

/** Word @p index of a vocabulary, innermost level first; NULL past the end. If @p type is not
 *  NULL, *type is what it stands for. O(words). */
const struct tmap_keyword *tmap_type_words_at(enum tmap_vocabulary of, size_t index,
					      enum tmap_type *type);

/** The first word that a vocabulary has for a type, or NULL. */
const char *tmap_type_word(enum tmap_vocabulary of, enum tmap_type type);

/** The type that the first @p length bytes of @p text stand for in a vocabulary, or TMAP_NONE. */
int tmap_type_word_find(enum tmap_vocabulary of, const char *text, size_t length);

#endif
