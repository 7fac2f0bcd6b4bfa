#include "core/machine/partition.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

void tmap_partition_fini(struct tmap_partition *p)
{
	free(p->of);
	free(p->first);
	free(p->member);
	*p = (struct tmap_partition){ 0 };
}

static int number(struct tmap_partition *p, int limit, struct tmap_error *err)
{
	int *seen = tmap_alloc((size_t)limit, sizeof *seen, err);

	if (!seen)
		return -1;
	for (int r = 0; r < p->size; r++) {
		int *known = p->of[r] == TMAP_NONE ? NULL : &seen[p->of[r]];

		if (known && !*known)
			*known = ++p->count;
		p->of[r] = known ? *known - 1 : TMAP_NONE;
		p->outside += !known;
	}
	free(seen);
	return 0;
}

static int count(struct tmap_partition *p, struct tmap_error *err)
{
	p->first = tmap_alloc((size_t)p->count + 1, sizeof *p->first, err);
	if (!p->first)
		return -1;
	for (int r = 0; r < p->size; r++)
		if (p->of[r] != TMAP_NONE)
			p->first[p->of[r] + 1]++;
	for (int g = 1; g <= p->count; g++)
		p->first[g] += p->first[g - 1];
	return 0;
}

int tmap_partition_init_take(struct tmap_partition *p, int *key, int size, int limit,
			     struct tmap_error *err)
{
	struct tmap_partition made = { .size = size, .of = key };

	if (number(&made, limit, err) < 0 || count(&made, err) < 0) {
		tmap_partition_fini(&made);
		return -1;
	}
	*p = made;
	return 0;
}

/* Groups fill from their ends. */
int tmap_partition_list(struct tmap_partition *p, struct tmap_error *err)
{
	if (p->member)
		return 0;
	p->member = tmap_alloc_raw((size_t)(p->size - p->outside), sizeof *p->member, err);
	if (!p->member)
		return -1;
	for (int r = p->size - 1; r >= 0; r--)
		if (p->of[r] != TMAP_NONE)
			p->member[--p->first[p->of[r] + 1]] = r;
	memmove(p->first, p->first + 1, (size_t)p->count * sizeof *p->first);
	p->first[p->count] = p->size - p->outside;
	return 0;
}

bool tmap_partition_equal(const struct tmap_partition *a, const struct tmap_partition *b)
{
	return a->size == b->size && memcmp(a->of, b->of, (size_t)a->size * sizeof *a->of) == 0;
}

void tmap_partition_sizes(const struct tmap_partition *p, int *least, int *most)
{
	*least = *most = 0;
	for (int g = 0; g < p->count; g++) {
		int ranks = p->first[g + 1] - p->first[g];

		*least = !g || ranks < *least ? ranks : *least;
		*most = ranks > *most ? ranks : *most;
	}
}
