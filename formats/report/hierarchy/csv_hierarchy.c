#include "formats/report/hierarchy/csv_hierarchy.h"

#include "core/base/mem.h"
#include "formats/base/csv_field.h"

#include <stdlib.h>

static int write_heads(FILE *out, const struct tmap_hierarchy *h, struct tmap_error *err)
{
	fputs("rank", out);
	for (int l = 0; l < h->level_count; l++) {
		char *conduit = tmap_format(err, "%s conduit", h->level[l].name);

		if (!conduit)
			return -1;
		fputc(',', out);
		tmap_csv_put_field(out, h->level[l].name);
		fputc(',', out);
		tmap_csv_put_field(out, conduit);
		free(conduit);
	}
	fputc('\n', out);
	return 0;
}

int tmap_csv_write_hierarchy(FILE *out, const struct tmap_hierarchy *h, struct tmap_error *err)
{
	if (write_heads(out, h, err) < 0)
		return -1;
	for (int r = 0; r < h->size; r++) {
		fprintf(out, "%d", r);
		for (int l = 0; l < h->level_count; l++) {
			int comm = h->level[l].comm[r];

			if (tmap_hierarchy_has(h, l, r))
				fprintf(out, ",%d,%d", comm - h->level[l].first, h->conduit[comm]);
			else
				fputs(",,", out);
		}
		fputc('\n', out);
	}
	return 0;
}
