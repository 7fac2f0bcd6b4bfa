/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/draw/picture.h"

#include "formats/draw/graphviz.h"

#include <stdlib.h>

int tmap_picture_write(FILE *out, const char *format, tmap_picture_graph *graph,
		       const void *subject, struct tmap_error *err)
{
	char *dot = NULL;
	size_t length = 0;
	FILE *memory = open_memstream(&dot, &length);
	int status;

	if (!memory)
		return tmap_fail(err, TMAP_SYSTEM, "out of memory for the graph of a picture");
	status = graph(memory, subject, err);
	if (fclose(memory) != 0 && status == 0)
		status = tmap_fail(err, TMAP_SYSTEM, "out of memory for the graph of a picture");
	if (status == 0)
		status = tmap_graphviz_render(dot, "dot", format, out, err);
	free(dot);
	return status;
}
