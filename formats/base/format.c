/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/format.h"

static const struct tmap_keyword rows[] = {
	[TMAP_FORMAT_TEXT] = { "text", "for people, at most one screen wide" },
	[TMAP_FORMAT_JSON] = { "json", "a document for programs, see topomap-json(5)" },
	[TMAP_FORMAT_DOT] = { "dot", "a graph for Graphviz" },
	[TMAP_FORMAT_SVG] = { "svg", "a picture, drawn by Graphviz" },
	[TMAP_FORMAT_PNG] = { "png", "the same picture as a bitmap" },
	[TMAP_FORMAT_CSV] = { "csv", "a table with one heading line" },
	[TMAP_FORMAT_TI] = { "ti", "a time-independent trace, which SimGrid's smpirun replays" },
	[TMAP_FORMAT_GOAL] = { "goal", "a GOAL schedule, which LogGOPSim simulates" },
	[TMAP_FORMAT_C] = { "c", "C source of the MPI calls that make it" },
	{ NULL, NULL },
};

const struct tmap_keywords tmap_formats = TMAP_KEYWORDS("format", rows);
