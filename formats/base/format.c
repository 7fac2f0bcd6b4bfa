#include "formats/base/format.h"

static const struct tm_word rows[] = {
	[TM_FORMAT_TEXT] = { "text", "for people, at most one screen wide" },
	[TM_FORMAT_JSON] = { "json", "a document for programs, see topomap-json(5)" },
	[TM_FORMAT_DOT] = { "dot", "a graph for Graphviz" },
	[TM_FORMAT_SVG] = { "svg", "a picture, drawn by Graphviz" },
	[TM_FORMAT_PNG] = { "png", "the same picture as a bitmap" },
	[TM_FORMAT_CSV] = { "csv", "a table with one heading line" },
	[TM_FORMAT_TI] = { "ti", "a time-independent trace, which SimGrid's smpirun replays" },
	[TM_FORMAT_GOAL] = { "goal", "a GOAL schedule, which LogGOPSim simulates" },
	[TM_FORMAT_C] = { "c", "C source of the MPI calls that make it" },
	{ NULL, NULL },
};

const struct tm_words tm_formats = TM_WORDS("format", rows);
