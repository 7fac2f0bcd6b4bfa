#include "mpi_probe/grant.h"

#include "mpi_probe/location.h"

#include <stdlib.h>

void tm_grant_fini(struct tm_grant *grant)
{
	tm_idset_fini(&grant->pus);
	tm_idset_fini(&grant->memory);
}

void tm_grants_free(struct tm_grant *grant, int count)
{
	for (int i = 0; grant && i < count; i++)
		tm_grant_fini(&grant[i]);
	free(grant);
}

static int compare_ints(int a, int b)
{
	return (a > b) - (a < b);
}

static int compare_sets(const struct tm_idset *a, const struct tm_idset *b)
{
	for (int i = 0; i < a->count && i < b->count; i++) {
		int order = compare_ints(a->range[i].first, b->range[i].first);

		if (!order)
			order = compare_ints(a->range[i].last, b->range[i].last);
		if (order)
			return order;
	}
	return compare_ints(a->count, b->count);
}

int tm_grant_compare(const struct tm_grant *a, const struct tm_grant *b)
{
	int order = compare_sets(&a->pus, &b->pus);

	if (!order)
		order = compare_sets(&a->memory, &b->memory);
	return order ? order : compare_ints(a->bound, b->bound);
}

void tm_grant_pack(struct tm_bytes *bytes, const struct tm_grant *grant)
{
	tm_bytes_add_int(bytes, grant->bound);
	tm_idset_pack(bytes, &grant->pus);
	tm_idset_pack(bytes, &grant->memory);
}

int tm_grant_unpack(struct tm_grant *grant, struct tm_cursor *cursor, struct tm_error *err)
{
	grant->bound = tm_cursor_int(cursor) != 0;
	if (tm_idset_unpack(&grant->pus, cursor, err) < 0)
		return -1;
	return tm_idset_unpack(&grant->memory, cursor, err);
}
