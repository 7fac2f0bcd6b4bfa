/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * adapters.h - --adapters: which network adapters messages go over (core/machine/adapter_choice.h).
 */
#ifndef TMAP_CLI_BASE_ADAPTERS_H
#define TMAP_CLI_BASE_ADAPTERS_H

#include "core/machine/placement.h"

#include <stdio.h>

#define TMAP_ADAPTERS_HELP \
	"network adapters that messages go over, in place of those found by network, link and " \
	"speed: names, with ranges and patterns (\"mlx5_[0-3],hsn*\"), all or none"
#define TMAP_OPT_ADAPTERS(args, member) \
	TMAP_OPT_STRING(args, member, 0, "adapters", "LIST", NULL, TMAP_ADAPTERS_HELP)

/** Mark the adapters that the option names on all nodes of the placement; NULL: as they are. */
int tmap_adapters_option(struct tmap_placement *p, const char *list, struct tmap_error *err);

/** Where the adapters were chosen the line that precedes a text: "adapters: hsn[0-3] (chosen by
 *  --adapters)". */
int tmap_adapters_write_text(FILE *out, const struct tmap_placement *p, struct tmap_error *err);

#endif
