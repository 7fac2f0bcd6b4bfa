/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/draw/palette.h"

#include <stdlib.h>
#include <string.h>

static const char *const distances[] = {
	"#009E73", "#56B4E9", "#0072B2", "#CC79A7", "#E69F00",
	"#D55E00", "#666666", "#8C8C8C", "#B3B3B3",
};

static const char *const nodes[] = {
	"#56B4E9", "#E69F00", "#009E73", "#F0E442", "#CC79A7", "#0072B2", "#D55E00", "#999999",
};

static const char *const lines[] = {
	"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000",
};

enum {
	DISTANCES = sizeof distances / sizeof distances[0],
	NODES = sizeof nodes / sizeof nodes[0],
	LINES = sizeof lines / sizeof lines[0],
};

const char *tmap_palette_distance(int rank)
{
	return distances[rank < 0 ? 0 : rank < DISTANCES ? rank : DISTANCES - 1];
}

const char *tmap_palette_node(int index)
{
	return nodes[index % NODES];
}

const char *tmap_palette_line(int index)
{
	return lines[index % LINES];
}

const char *tmap_palette_ink(const char *fill)
{
	unsigned long rgb = strtoul(fill + 1, NULL, 16);
	double light = 0.299 * (double)(rgb >> 16 & 255) + 0.587 * (double)(rgb >> 8 & 255) +
		0.114 * (double)(rgb & 255);

	return light > 140 ? "#000000" : "#FFFFFF";
}
