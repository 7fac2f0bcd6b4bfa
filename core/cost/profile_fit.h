/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile_fit.h - which entries of a profile hold on a machine: on which nodes, at which level.
 *
 *     adapters   [0] device "mlx5", each    n0: mlx5_0 mlx5_1    2 x its bandwidth
 *                [1] nodes "login"          login: eth0          its bandwidth
 *     neither                               n1: eth0             the profile's adapter_byte_s
 *
 * Levels are named in one way wherever there are profiles: those inside nodes by their names
 * (core/machine/types.h), "group2" for nested groups; switches by number from the nodes,
 * "switch1", or by the heading that the machine has for them; "network" is what lies between all nodes.
 */
#ifndef TMAP_CORE_COST_PROFILE_FIT_H
#define TMAP_CORE_COST_PROFILE_FIT_H

#include "core/cost/profile.h"
#include "core/machine/levels.h"

/** The first of @p count entries that fits each node: [node_count], TMAP_NONE where none does, the
 *  caller's to free; NULL with *err set. Only those of @p level; NULL: all. O(N + hosts named). */
int *tmap_profile_fit(const struct tmap_profile_link *entry, int count, const char *level,
		      const struct tmap_machine *machine, struct tmap_error *err);

/** Adapters of a node that fit an entry; at least 1. O(devices^2). */
int tmap_profile_adapters_of(const struct tmap_profile_link *entry,
			     const struct tmap_topology *topo);

/** Is there a level of that name, on some machine or on this one (NULL: no machine is known)? */
bool tmap_profile_knows_level(const char *name, const struct tmap_machine *machine);

/** The names of all such levels, for messages; the caller's to free, NULL with *err set. */
char *tmap_profile_levels_list(const struct tmap_machine *machine, struct tmap_error *err);

/** The tier of the machine that a name stands for, by number or heading; a number is not below
 *  tier_count where the machine has fewer; TMAP_NONE: it is no switch. @p machine may be NULL. */
int tmap_profile_tier(const char *name, const struct tmap_machine *machine);

/** The level of @p levels whose borders are those of the level called @p name, which may have been
 *  left out for being the same as another; TMAP_NONE: it separates nothing on this machine that
 *  the nodes do not. O(levels x objects). */
int tmap_profile_find_level(int *index, const struct tmap_levels *levels, const char *name,
			    struct tmap_error *err);

#endif
