/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/draw/graphviz.h"

#include <cgraph.h>
#include <gvc.h>

#include <stdlib.h>
#include <string.h>

/* "...; Graphviz says: syntax error in line 3", in one line. */
static int fail_with_reason(struct tmap_error *err, const char *what)
{
	char *message = aglasterr();
	size_t length = message ? strcspn(message, "\n") : 0;

	if (length)
		tmap_fail(err, TMAP_SYSTEM, "%s: Graphviz says '%.*s'", what, (int)length, message);
	else
		tmap_fail(err, TMAP_SYSTEM, "%s: Graphviz gives no reason", what);
	free(message);
	return -1;
}

/* Graphviz ends the program where it cannot write, so it writes to memory only. */
static int render(GVC_t *gvc, Agraph_t *graph, const char *format, FILE *out,
		  struct tmap_error *err)
{
	char *picture = NULL;
	size_t length = 0;
	FILE *memory = open_memstream(&picture, &length);
	int status;

	if (!memory)
		return tmap_fail(err, TMAP_SYSTEM, "out of memory for a picture");
	status = gvRender(gvc, graph, format, memory);
	if (status != 0)
		status = fail_with_reason(err, "the picture cannot be drawn");
	if (fclose(memory) != 0 && status == 0)
		status = tmap_fail(err, TMAP_SYSTEM, "out of memory for a picture");
	if (status == 0)
		fwrite(picture, 1, length, out);
	free(picture);
	return status;
}

static int draw(GVC_t *gvc, Agraph_t *graph, const char *engine, const char *format, FILE *out,
		struct tmap_error *err)
{
	int status;

	if (gvLayout(gvc, graph, engine) != 0)
		status = fail_with_reason(err, "the picture cannot be laid out");
	else
		status = render(gvc, graph, format, out, err);
	gvFreeLayout(gvc, graph);
	return status;
}

int tmap_graphviz_render(const char *dot, const char *engine, const char *format, FILE *out,
			 struct tmap_error *err)
{
	agerrlevel_t level = agseterr(AGMAX); /* keep messages for aglasterr() */
	GVC_t *gvc = gvContext();
	Agraph_t *graph = gvc ? agmemread(dot) : NULL;
	int status;

	if (!gvc)
		status = fail_with_reason(err, "Graphviz cannot be started");
	else if (!graph)
		status = fail_with_reason(err, "the graph cannot be read");
	else
		status = draw(gvc, graph, engine, format, out, err);
	if (graph)
		agclose(graph);
	/* The context stays: Graphviz' text layout keeps a pointer to the last font's name in it,
	 * and reads it for the next picture. */
	agseterr(level);
	return status;
}
