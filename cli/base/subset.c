#include "cli/base/subset.h"

#include "core/base/mem.h"
#include "core/base/sequence.h"

#include <stdlib.h>

/* Refuses a rank that stands in the list twice. */
static int check_ranks(const int *rank, int count, int size, struct tm_error *err)
{
	bool *seen = tm_alloc((size_t)size, sizeof *seen, err);
	int status = seen ? 0 : -1;

	for (int i = 0; i < count && status == 0; i++) {
		if (seen[rank[i]])
			status = tm_fail(err, TM_INPUT, "rank %d stands in the list twice", rank[i]);
		seen[rank[i]] = true;
	}
	free(seen);
	return status;
}

static int *parse_ranks(const char *text, int size, int *count, struct tm_error *err)
{
	int *rank;

	*count = tm_seq_count(text, err);
	if (*count == 0)
		tm_fail(err, TM_INPUT, "a communicator has at least one rank");
	if (*count < 1)
		return NULL;
	rank = tm_seq_parse(text, *count, size, err);
	if (rank && check_ranks(rank, *count, size, err) < 0) {
		free(rank);
		return NULL;
	}
	return rank;
}

int tm_subset_take(struct tm_placement *p, int **world, const char *text, struct tm_error *err)
{
	struct tm_placement part;
	int count, *rank = parse_ranks(text, p->size, &count, err);

	if (!rank)
		return tm_wrap(err, "--ranks");
	if (tm_placement_select(&part, p, rank, count, err) < 0) {
		free(rank);
		return -1;
	}
	tm_placement_fini(p);
	*p = part;
	*world = rank;
	return 0;
}
