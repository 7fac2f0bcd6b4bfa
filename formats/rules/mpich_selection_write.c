/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/rules/mpich_selection.h"

#include <stdlib.h>

/* The members of a node, each in lines of its own; one without members is "{}". */
static int write_members(const struct tmap_selection *selection, int node, int depth, FILE *out,
			 struct tmap_error *err)
{
	int at = selection->count ? selection->node[node].child : 0;

	if (!at) {
		fputs("{}", out);
		return 0;
	}
	fputs("{\n", out);
	for (; at; at = selection->node[at].next) {
		char *text = tmap_selection_print(&selection->node[at], err);

		if (!text)
			return -1;
		fprintf(out, "%*s\"%s\": ", depth + 1, "", text);
		free(text);
		if (write_members(selection, at, depth + 1, out, err) < 0)
			return -1;
		fputs(selection->node[at].next ? ",\n" : "\n", out);
	}
	fprintf(out, "%*s}", depth, "");
	return 0;
}

int tmap_mpich_selection_write(const struct tmap_selection *selection, FILE *out,
			       struct tmap_error *err)
{
	if (write_members(selection, 0, 0, out, err) < 0)
		return -1;
	fputc('\n', out);
	return ferror(out) ? tmap_fail(err, TMAP_SYSTEM, "the selection cannot be written") : 0;
}
