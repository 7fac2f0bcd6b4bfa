#include "formats/text/text_edges.h"

#include "core/base/mem.h"
#include "formats/text/legend.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

char *tmap_text_where(const struct tmap_placement *placement, struct tmap_error *err)
{
	int *ranks = tmap_placement_count_ranks(placement, err), used = 0;
	const char *plural = placement->size == 1 ? "" : "s";

	if (!ranks)
		return NULL;
	for (int n = 0; n < placement->machine->node_count; n++)
		used += ranks[n] != 0;
	free(ranks);
	if (used == 1)
		return tmap_format(err, "%d rank%s on %s", placement->size, plural,
				   placement->machine->node_name[placement->node[0]]);
	return tmap_format(err, "%d rank%s on %d nodes", placement->size, plural, used);
}

int tmap_text_write_title(FILE *out, const struct tmap_view *view, int root, struct tmap_error *err)
{
	char *where = tmap_text_where(view->placement, err);

	if (!where)
		return -1;
	fprintf(out, "%s: %s", view->title, where);
	if (root != TMAP_NONE)
		fprintf(out, ", root %d", root);
	fputc('\n', out);
	if (view->note)
		fprintf(out, "%s\n", view->note);
	free(where);
	return 0;
}

void tmap_text_write_edges(FILE *out, const struct tmap_view *view,
			   const struct tmap_edge_count *edges, int count)
{
	char text[TMAP_MEANING_ROOM];
	struct tmap_legend legend;
	int width = (int)strlen("distance");

	tmap_legend_init(&legend, view->scale, edges, count);
	for (int r = 0; r < legend.count; r++) {
		int length = (int)strlen(tmap_legend_print_distance(&legend.row[r], text));

		width = length > width ? length : width;
	}
	if (legend.count)
		fprintf(out, "\n  %*s  %9s  meaning\n", width, "distance", "edges");
	for (int r = 0; r < legend.count; r++) {
		fprintf(out, "  %*s", width, tmap_legend_print_distance(&legend.row[r], text));
		fprintf(out, "  %9" PRId64 "  %s\n", legend.row[r].edges,
			tmap_legend_print_meaning(&legend.row[r], view, text));
	}
}
