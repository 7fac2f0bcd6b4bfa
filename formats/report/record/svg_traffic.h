/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * svg_traffic.h - a record's matrix as a picture: who sends to whom, and how much.
 *
 *     by rank, as launched       by place in FILE
 *        receiver                   receiver
 *     s +---------+              s +--+------+
 *     e |  #   #  |              e |##|      |        the darker a square, the more bytes; framed is
 *     n |#   #   #|              n +--+--+   |        what stays in a node, where each node's ranks
 *     d |  #   #  |              d |  |##|   |        follow each other
 *     e |#   #   #|              e |  +--+---+
 *     r +---------+              r +---------+
 *
 *     [ ][.][:][#]  0 B  1KiB  4KiB  16KiB
 */
#ifndef TMAP_FORMATS_REPORT_RECORD_SVG_TRAFFIC_H
#define TMAP_FORMATS_REPORT_RECORD_SVG_TRAFFIC_H

#include "core/record/record_pattern.h"

#include <stdio.h>

/** The squares of a row are no more: of more ranks several are one. */
enum { TMAP_SVG_TRAFFIC_TILES = 256 };

struct tmap_traffic_picture {
	const struct tmap_record *record;
	const struct tmap_record_pattern *traffic; /**< of that */
	const char *library;                       /**< by whose algorithms */
	const struct tmap_placement *other; /**< of as many ranks, drawn beside it; NULL: none */
	const char *other_name;             /**< where it was read */
};

/** The palette is one colour, lighter and darker, so that grey will do. O(p log p + entries + squares). */
int tmap_svg_write_traffic(FILE *out, const struct tmap_traffic_picture *picture,
			   struct tmap_error *err);

#endif
