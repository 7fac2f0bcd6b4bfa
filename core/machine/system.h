/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * system.h - what the operating system of a node leaves to the job, besides which PUs: shares of
 * time and memory (cgroups), and PUs that it keeps apart (isolcpus, nohz_full).
 *
 * Nodes that are alike share one, as they share a topology.
 */
#ifndef TMAP_CORE_MACHINE_SYSTEM_H
#define TMAP_CORE_MACHINE_SYSTEM_H

#include "core/base/idset.h"

struct tmap_system {
	int64_t cpu_quota_thousandths; /**< of a CPU's time, for all ranks of the node together; 0:
					    not limited */
	int64_t memory_limit_bytes;    /**< for all of them; 0: not limited */
	struct tmap_idset isolated;    /**< OS indexes of PUs that get no process by themselves */
	struct tmap_idset nohz_full;   /**< those without the clock's tick where one thread runs */
};

/** The largest quota that is believed. */
#define TMAP_MOST_QUOTA INT64_C(1000000000)

void tmap_system_fini(struct tmap_system *system);
bool tmap_system_equal(const struct tmap_system *a, const struct tmap_system *b);

/** Nothing is limited or kept apart. */
bool tmap_system_is_plain(const struct tmap_system *system);

#endif
