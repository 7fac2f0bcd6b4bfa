/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ibnetdiscover.h - what ibnetdiscover prints of an InfiniBand fabric, in both forms:
 *
 *     Switch  65 "S-2c5e"             # "leaf-04" enhanced port 0 lid 73 lmc 0
 *     [1]     "H-e09d"[1](e09d)       # "dgx-04 mlx5_5" lid 647 4xNDR
 *     [35]    "S-2c26"[32]            # "spine-02" lid 236 4xNDR
 *
 *     SW   73  1 0x2c5e 4x NDR - CA  647  1 0xe09d ( 'leaf-04' - 'dgx-04 mlx5_5' )    (-p)
 *
 * Every cable of a switch stands in the switch's block, so the blocks of channel adapters
 * and routers are passed over. A host is called by the first word of its adapter's
 * description, unless that is the maker's, "MT4119 ConnectX-5 Mellanox Technologies": such an
 * adapter is passed over, and a file that has no other ones is refused.
 */
#ifndef TMAP_FORMATS_NETWORK_IBNETDISCOVER_H
#define TMAP_FORMATS_NETWORK_IBNETDISCOVER_H

#include "core/machine/fabric.h"

/** Add what the text says to *fabric. Messages begin with the line. */
int tmap_ibnetdiscover_read(struct tmap_fabric *fabric, const char *text, struct tmap_error *err);

/** Does the text look like it? */
bool tmap_ibnetdiscover_is(const char *text);

#endif
