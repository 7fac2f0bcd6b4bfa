/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile_choice.h - the published profile for a machine of which nobody said one.
 *
 *     adapters mlx5_0, mlx5_1     epyc-hdr            on all nodes
 *     adapter hsi0, an Ethernet's epyc-slingshot
 *     adapter eth0 of 1 Gb/s      gigabit             on all nodes, though some have others
 *     none is known               summit              the first of the table
 *
 * Whatever is predicted says whose costs it rests on, and why these.
 */
#ifndef TMAP_CORE_COST_PROFILE_CHOICE_H
#define TMAP_CORE_COST_PROFILE_CHOICE_H

#include "core/cost/profile.h"
#include "core/machine/machine.h"

/** Room for what tmap_profile_print_reason() writes. */
#define TMAP_PROFILE_ROOM 160

/** The profile of a network that all nodes have, where some adapter of them is known, or of that which
 *  most have; it borrows a name from the machine. O(N + kinds of nodes x devices^2). */
struct tmap_profile tmap_profile_for(const struct tmap_machine *machine);

/** Has nobody said whose costs to take, so that a machine's or the first ones of the table are? */
bool tmap_profile_is_guessed(const struct tmap_profile *profile);

/** Whose costs they are: "published", "calibrated", "of a file". */
const char *tmap_profile_kind(const struct tmap_profile *profile);

/** The same in front of a word: "published ", "calibrated ", and "" of a file's. */
const char *tmap_profile_adjective(const struct tmap_profile *profile);

/** Why these: "asked for", "the nodes have adapters such as mlx5_0", ... Returns @p text. */
char *tmap_profile_print_reason(const struct tmap_profile *profile, char text[TMAP_PROFILE_ROOM]);

#endif
