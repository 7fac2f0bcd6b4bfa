#include "core/machine/partition.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

void tm_partition_fini(struct tm_partition *p)
{
	free(p->of);
	free(p->first);
	free(p->member);
	*p = (struct tm_partition){ 0 };
}

static int number(struct tm_partition *p, int limit, struct tm_error *err)
{
	int *seen = tm_alloc((size_t)limit, sizeof *seen, err);

	if (!seen)
		return -1;
	for (int r = 0; r < p->size; r++) {
		int *known = p->of[r] == TM_NONE ? NULL : &seen[p->of[r]];

		if (known && !*known)
			*known = ++p->count;
		p->of[r] = known ? *known - 1 : TM_NONE;
		p->outside += !known;
	}
	free(seen);
	return 0;
}

static int count(struct tm_partition *p, struct tm_error *err)
{
	p->first = tm_alloc((size_t)p->count + 1, sizeof *p->first, err);
	if (!p->first)
		return -1;
	for (int r = 0; r < p->size; r++)
		if (p->of[r] != TM_NONE)
			p->first[p->of[r] + 1]++;
	for (int g = 1; g <= p->count; g++)
		p->first[g] += p->first[g - 1];
	return 0;
}

int tm_partition_init_take(struct tm_partition *p, int *key, int size, int limit,
			   struct tm_error *err)
{
	struct tm_partition made = { .size = size, .of = key };

	if (number(&made, limit, err) < 0 || count(&made, err) < 0) {
		tm_partition_fini(&made);
		return -1;
	}
	*p = made;
	return 0;
}

/* Groups fill from their ends. */
int tm_partition_list(struct tm_partition *p, struct tm_error *err)
{
	if (p->member)
		return 0;
	p->member = tm_alloc_raw((size_t)(p->size - p->outside), sizeof *p->member, err);
	if (!p->member)
		return -1;
	for (int r = p->size - 1; r >= 0; r--)
		if (p->of[r] != TM_NONE)
			p->member[--p->first[p->of[r] + 1]] = r;
	memmove(p->first, p->first + 1, (size_t)p->count * sizeof *p->first);
	p->first[p->count] = p->size - p->outside;
	return 0;
}

bool tm_partition_equal(const struct tm_partition *a, const struct tm_partition *b)
{
	return a->size == b->size &&
	       memcmp(a->of, b->of, (size_t)a->size * sizeof *a->of) == 0;
}

void tm_partition_sizes(const struct tm_partition *p, int *least, int *most)
{
	*least = *most = 0;
	for (int g = 0; g < p->count; g++) {
		int ranks = p->first[g + 1] - p->first[g];

		*least = !g || ranks < *least ? ranks : *least;
		*most = ranks > *most ? ranks : *most;
	}
}
