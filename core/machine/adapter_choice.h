/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * adapter_choice.h - --adapters: the network adapters that the user says messages go over, in place
 * of those that core/machine/device.h finds.
 *
 *     mlx5_0,mlx5_3     these
 *     mlx5_[0-3]        mlx5_0 mlx5_1 mlx5_2 mlx5_3: a range, as in names of hosts
 *     hsn*, mlx5_?      all whose name fits, as in a shell
 *     all               every one, up or down; an interface of another adapter's is not counted again
 *     none
 */
#ifndef TMAP_CORE_MACHINE_ADAPTER_CHOICE_H
#define TMAP_CORE_MACHINE_ADAPTER_CHOICE_H

#include "core/machine/machine.h"

/** Mark the adapters of all kinds of nodes: those of the list count, the others do not. NULL: the
 *  marks stay as they are. TMAP_USAGE for a list that is none, TMAP_INPUT for a name that no node
 *  has an adapter of; nothing is marked then. O(names x adapters). */
int tmap_adapters_choose(struct tmap_machine *machine, const char *list, struct tmap_error *err);

/** Has any node a network adapter, whether it counts or not? */
bool tmap_adapters_are_known(const struct tmap_machine *machine);

/** Has the user chosen, now or when the document was written? */
bool tmap_adapters_are_chosen(const struct tmap_machine *machine);

/** The names of the adapters that count, of all kinds of nodes, each once: "mlx5_[0-3]", "none";
 *  the caller's to free. */
char *tmap_adapters_print(const struct tmap_machine *machine, struct tmap_error *err);

#endif
