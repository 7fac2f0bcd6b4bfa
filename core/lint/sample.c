#include "core/lint/sample.h"

#include "core/base/mem.h"

#include <stdlib.h>

void tmap_sample_fini(struct tmap_sample *sample)
{
	tmap_node_fold_fini(&sample->part_fold);
	tmap_placement_fini(&sample->part);
	*sample = (struct tmap_sample){ 0 };
}

/* The node before which the sample ends, and how many used ones there are up to there. */
static int find_end(const struct tmap_node_fold *fold, int node_count, int most_ranks, int *used)
{
	int end = 0, seen = 0;

	for (int n = 0; n < node_count; n++) {
		if (fold->first[n + 1] == fold->first[n])
			continue;
		seen++;
		if (seen > 2 && fold->first[n + 1] > most_ranks)
			break;
		if ((seen & (seen - 1)) == 0) {
			end = n + 1;
			*used = seen;
		}
	}
	return end;
}

static int take_nodes(struct tmap_sample *sample, const struct tmap_placement *p, int end, int size,
		      struct tmap_error *err)
{
	int *place_of = tmap_alloc_raw((size_t)size, sizeof *place_of, err), count = 0, status;

	if (!place_of)
		return -1;
	for (int r = 0; r < p->size; r++)
		if (p->node[r] < end)
			place_of[count++] = r;
	status = tmap_placement_select(&sample->part, p, place_of, size, err);
	free(place_of);
	return status < 0 ? -1 : tmap_node_fold_init(&sample->part_fold, &sample->part, err);
}

int tmap_sample_init(struct tmap_sample *sample, const struct tmap_placement *p,
		     const struct tmap_node_fold *fold, int most_ranks, struct tmap_error *err)
{
	int end;

	*sample = (struct tmap_sample){ .placement = p, .fold = fold };
	if (p->size <= most_ranks)
		return 0;
	end = find_end(fold, p->machine->node_count, most_ranks, &sample->nodes);
	if (take_nodes(sample, p, end, fold->first[end], err) < 0) {
		tmap_sample_fini(sample);
		return -1;
	}
	sample->placement = &sample->part;
	sample->fold = &sample->part_fold;
	return 0;
}
