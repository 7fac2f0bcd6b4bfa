#include "cli/base/subset.h"

#include "core/base/mem.h"
#include "core/base/sequence.h"

#include <stdlib.h>

/* Refuses a rank that stands in the list twice. */
static int check_ranks(const int *rank, int count, int size, struct tmap_error *err)
{
	bool *seen = tmap_alloc((size_t)size, sizeof *seen, err);
	int status = seen ? 0 : -1;

	for (int i = 0; i < count && status == 0; i++) {
		if (seen[rank[i]])
			status = tmap_fail(err, TMAP_INPUT, "rank %d stands in the list twice",
					   rank[i]);
		seen[rank[i]] = true;
	}
	free(seen);
	return status;
}

static int *parse_ranks(const char *text, int size, int *count, struct tmap_error *err)
{
	int *rank;

	*count = tmap_seq_count(text, err);
	if (*count == 0)
		tmap_fail(err, TMAP_INPUT, "a communicator has at least one rank");
	if (*count < 1)
		return NULL;
	rank = tmap_seq_parse(text, *count, size, err);
	if (rank && check_ranks(rank, *count, size, err) < 0) {
		free(rank);
		return NULL;
	}
	return rank;
}

int tmap_subset_take(struct tmap_placement *p, int **world, const char *text,
		     struct tmap_error *err)
{
	struct tmap_placement part;
	int count, *rank = parse_ranks(text, p->size, &count, err);

	if (!rank)
		return tmap_wrap(err, "--ranks");
	if (tmap_placement_select(&part, p, rank, count, err) < 0) {
		free(rank);
		return -1;
	}
	tmap_placement_fini(p);
	*p = part;
	*world = rank;
	return 0;
}
