/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slot_list.h - the slot lists of Open MPI's rankfiles: "0-2,5", "0:1-3", "s1".
 *
 * Cores are counted as Open MPI sees them: in the order of the machine, only those with
 * a PU that the job may use, and of those cores only these PUs:
 *
 *     PUs   0 1 | 2 3 | 4 5 | 6 7        core:  -   0   1   2
 *     may   . . | x x | x . | x x        "1-2": PUs 4, 6, 7
 *
 * Where the machine has no Core objects PUs take their place, as in Open MPI.
 *
 *     list = item { ";" item }            blanks nowhere
 *     item = span { "," span }            cores (or hardware threads)
 *          | ["s"] pair { "," pair }      pair = package ":" cores { ":" cores }
 *          | "s" span { "," span }        whole packages; "s*": all that the job may use
 *     cores = ["c"] span | ["c"] "*"      counted within the package
 */
#ifndef TMAP_FORMATS_LAUNCHERS_OPENMPI_SLOT_LIST_H
#define TMAP_FORMATS_LAUNCHERS_OPENMPI_SLOT_LIST_H

#include "core/base/idset.h"
#include "core/base/string.h"
#include "core/machine/topology.h"

/** What the plain numbers of a list count; options of mpirun decide it. */
struct tmap_slot_rules {
	bool hwthreads; /**< hardware threads: --mca hwloc_base_use_hwthreads_as_cpus 1 */
	bool prrte;     /**< Open MPI 5: "0:0,1" are two cores, "0:0,2-3" is refused */
	bool physical;  /**< OS indexes of PUs and packages: --mca rmaps_rank_file_physical 1 */
};

/** The same rules, of static storage: for the context of entries (entries.h). */
const struct tmap_slot_rules *tmap_slot_rules_find(struct tmap_slot_rules rules);

/** *pus = the OS indexes of the PUs that @p list means on a node of this topology, never empty.
 *  Refuses what is malformed, numbers that the node lacks, and what Open MPI 4 accepts but
 *  reads as something else ("0:0,1", "*", "3-1"). O(length x objects). *pus must be empty;
 *  it is set only on success. */
int tmap_slot_list_parse(struct tmap_idset *pus, const char *list, const struct tmap_topology *topo,
			 const struct tmap_slot_rules *rules, struct tmap_error *err);

/** Are the PUs whole cores (of which the job may use some PU)? O(PUs). */
bool tmap_slot_list_is_cores(const struct tmap_idset *pus, const struct tmap_topology *topo);

/** The PUs as logical numbers and ranges, joined by commas, of cores or of hardware threads;
 *  the caller's to free. Refuses a PU that the job may not use, and in cores a part of one.
 *  tmap_slot_list_parse() reads it back to the same set. O(PUs). */
char *tmap_slot_list_print(const struct tmap_idset *pus, const struct tmap_topology *topo,
			   bool hwthreads, struct tmap_error *err);

#endif
