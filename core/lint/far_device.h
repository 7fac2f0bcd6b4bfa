/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * far_device.h - ranks that are far from all devices of a type while cores near one are idle: what
 * the rules on adapters and on GPUs share.
 */
#ifndef TMAP_CORE_LINT_FAR_DEVICE_H
#define TMAP_CORE_LINT_FAR_DEVICE_H

#include "core/lint/device_homes.h"
#include "core/lint/lint_rules.h"

/** Collect ranks on places far from all devices of the type while cores that are near to one are
 *  idle; with @p together, where all of a node are in one object of it, and the ranks are not.
 *  *device is one of the topology *topology that some are far from. O(p + places x PUs x homes). */
int tmap_far_device_add(struct tmap_finding *finding, const struct tmap_inspection *it,
			enum tmap_device_type type, bool together, int *topology, int *device,
			struct tmap_error *err);

/** Do the ranks share all memory of their nodes evenly, some near to a device? Then the others are far
 *  for that. 1, 0, or -1: memory was refused. */
int tmap_far_device_is_spread(const struct tmap_inspection *it, enum tmap_device_type type,
			      struct tmap_error *err);

/** "hfi1_0 on package 1", "on NUMA node 3": where a device hangs, or the memory of that. The caller's. */
char *tmap_far_device_print(const struct tmap_topology *topo, int device, struct tmap_error *err);

/** The memory that a device hangs on, or the object that reaches over several. */
int tmap_far_device_memory(const struct tmap_topology *topo, int device);

/** NULL, or why nothing can be said of the adapters that messages go over. */
const char *tmap_lint_no_adapters(const struct tmap_machine *machine);

/** Has a node a GPU for each of its ranks, and are those of the finding near to one? 1, 0, or -1. */
int tmap_lint_are_at_gpus(const struct tmap_finding *finding, const struct tmap_inspection *it,
			  struct tmap_error *err);

/** *device is a GPU that ranks of the finding are far from for no good reason. 1: they are; 0: none is;
 *  -1: it failed. */
int tmap_lint_find_far_gpu(struct tmap_finding *finding, const struct tmap_inspection *it,
			   int *topology, int *device, struct tmap_error *err);

/** GPUs of a node by the kind of names of which there are most; @p homes, unless NULL, are what they are
 *  to be near. O(devices^2). */
int tmap_lint_count_gpus(const struct tmap_topology *topo, const struct tmap_homes *homes);

#endif
