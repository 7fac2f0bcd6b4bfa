#include "mpi_probe/seat.h"

#include "mpi_probe/location.h"

#include <stdlib.h>

void tm_seat_fini(struct tm_seat *seat)
{
	tm_idset_fini(&seat->pus);
	tm_idset_fini(&seat->memory);
}

void tm_seats_free(struct tm_seat *seat, int count)
{
	for (int i = 0; seat && i < count; i++)
		tm_seat_fini(&seat[i]);
	free(seat);
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

int tm_seat_compare(const struct tm_seat *a, const struct tm_seat *b)
{
	int order = compare_sets(&a->pus, &b->pus);

	if (!order)
		order = compare_sets(&a->memory, &b->memory);
	return order ? order : compare_ints(a->bound, b->bound);
}

void tm_seat_pack(struct tm_bytes *bytes, const struct tm_seat *seat)
{
	tm_bytes_add_int(bytes, seat->bound);
	tm_idset_pack(bytes, &seat->pus);
	tm_idset_pack(bytes, &seat->memory);
}

int tm_seat_unpack(struct tm_seat *seat, struct tm_cursor *cursor, struct tm_error *err)
{
	seat->bound = tm_cursor_int(cursor) != 0;
	if (tm_idset_unpack(&seat->pus, cursor, err) < 0)
		return -1;
	return tm_idset_unpack(&seat->memory, cursor, err);
}
