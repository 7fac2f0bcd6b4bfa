/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * localities.h - which Groups are boards, and which NUMA nodes memory controllers.
 *
 * Systems report more Groups and NUMA nodes than the process distance knows. Between
 * adding all of them and tmap_topology_finish(), these rules sort them out (Ma et al.,
 * section IV-A, made exact):
 *
 *   controller  a NUMA node whose PUs no other one has a strict part of; of several with
 *               the same PUs (DRAM and MCDRAM) the first added stays. So a memory
 *               expander at machine level does not merge the packages below it.
 *   board       a Group of several packages that is not the whole node: those that the
 *               system calls so, where there are any, else the outermost.
 *   group       any other Group, unless its level (the Groups as deep as it) has just
 *               the PUs of controllers, one each.
 */
#ifndef TMAP_CORE_MACHINE_LOCALITIES_H
#define TMAP_CORE_MACHINE_LOCALITIES_H

#include "core/machine/topology.h"

/** Apply the rules to a topology before it is finished. Every NUMA node with PUs is there as
 *  TMAP_NUMA, every Group as TMAP_GROUP, or as TMAP_BOARD where the system calls it a board, a
 *  blade or a book, and of any two objects one holds the other, or they share no PU (else finishing
 *  refuses them); Groups over the same PUs are one. TMAP_SYSTEM where memory is refused. O(n log n) over n
 *  objects. */
int tmap_localities_classify(struct tmap_topology *topo, struct tmap_error *err);

#endif
