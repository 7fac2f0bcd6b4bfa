/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * local_binding.h - a list that binds the ranks of every node by their number there, read.
 *
 *     map_cpu:0,4*2      rank number 0 of a node: PU 0, number 1: PU 4, number 2: PU 4,
 *                        number 3: PU 0 again
 *
 * As the words of entries (entries.h), for tmap_pu_list_resolve().
 */
#ifndef TMAP_FORMATS_LAUNCHERS_COMMON_LOCAL_BINDING_H
#define TMAP_FORMATS_LAUNCHERS_COMMON_LOCAL_BINDING_H

#include "core/base/idset.h"
#include "formats/launchers/common/entries.h"

#include <stdbool.h>

struct tmap_local_binding {
	char **word; /**< [count] "0+4-7"; "" is not bound */
	int count;
	size_t capacity;
};

void tmap_local_binding_fini(struct tmap_local_binding *words);

/** The PUs of each word, whose parts a "+" joins: words->count sets, to be released by
 *  tmap_idset_free_list(). NULL with *err set where a word is no set. */
struct tmap_idset *tmap_local_binding_sets(const struct tmap_local_binding *words,
					   struct tmap_error *err);

/** Read a list; "none" and "off" are one word for all ranks, not bound. Refuses what is malformed.
 *      Slurm's --cpu-bind=     map_cpu:0,4*2   mask_cpu:0x3,0xc*2   none
 *      Flux's cpu-affinity=    map:0-1;4;5,7   map:0x3;0x30;0x1,0x00000000   off
 *      I_MPI_PIN_PROCESSOR_LIST  0,3-4         I_MPI_PIN_DOMAIN  [0x3,0xc] */
int tmap_local_binding_parse_slurm(struct tmap_local_binding *words, const char *text,
				   struct tmap_error *err);
int tmap_local_binding_parse_flux(struct tmap_local_binding *words, const char *text,
				  struct tmap_error *err);
int tmap_local_binding_parse_intel(struct tmap_local_binding *words, const char *text,
				   struct tmap_error *err);

/** Is it one of the lists that srun --cpu-bind takes, "map_ldom:0,1*2"? In any case. */
bool tmap_local_binding_is_slurm_list(const char *text);

/** Read one of these, whose numbers are CPUs, or NUMA nodes; without ranges, as srun has it. */
int tmap_local_binding_parse_slurm_list(struct tmap_local_binding *words, bool *is_of_ldoms,
					const char *text, struct tmap_error *err);

/** Add a word of which @p length bytes are given. */
int tmap_local_binding_add(struct tmap_local_binding *words, const char *text, size_t length,
			   struct tmap_error *err);

/** The entries, which must stand in the order of the ranks, get the words of the list by their
 *  number on their host, and the first word again after the last. O(entries). */
int tmap_local_binding_apply(const struct tmap_local_binding *words, struct tmap_entries *entries,
			     struct tmap_error *err);

#endif
