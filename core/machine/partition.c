/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/machine/partition.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void tmap_partition_fini(struct tmap_partition *p)
{
	if (p->local)
		free(p->local[0]);
	free(p->local);
	free(p->node_base);
	free(p->of_rank);
	free(p->first);
	free(p->member);
	*p = (struct tmap_partition){ 0 };
}

/* The tables of all topologies are one block. */
int tmap_partition_alloc(struct tmap_partition *p, const struct tmap_machine *machine,
			 struct tmap_error *err)
{
	struct tmap_partition made = { 0 };
	size_t objects = 0;

	for (int t = 0; t < machine->topology_count; t++)
		objects += (size_t)machine->topology[t].object_count;
	made.node_base = tmap_alloc((size_t)machine->node_count, sizeof *made.node_base, err);
	made.local = tmap_alloc((size_t)machine->topology_count + 1, sizeof *made.local, err);
	if (made.local)
		made.local[0] = tmap_alloc(objects, sizeof **made.local, err);
	if (!made.node_base || !made.local || !made.local[0]) {
		tmap_partition_fini(&made);
		return -1;
	}
	for (int t = 0; t < machine->topology_count; t++)
		made.local[t + 1] = made.local[t] + machine->topology[t].object_count;
	*p = made;
	return 0;
}

int tmap_partition_init_nodes(struct tmap_partition *p, const struct tmap_machine *machine,
			      struct tmap_error *err)
{
	int *base = tmap_alloc_raw((size_t)machine->node_count, sizeof *base, err);

	if (!base)
		return -1;
	for (int n = 0; n < machine->node_count; n++)
		base[n] = n;
	*p = (struct tmap_partition){ .count = machine->node_count, .node_base = base };
	return 0;
}

int tmap_partition_init_switches(struct tmap_partition *p, const struct tmap_machine *machine,
				 int tier, const struct tmap_partition *below,
				 struct tmap_error *err)
{
	const struct tmap_tier *it = &machine->tier[tier];
	int switches = it->switch_count, nodes = machine->node_count, count = 0;
	int *base = tmap_alloc_raw((size_t)nodes, sizeof *base, err);
	int *number = tmap_alloc((size_t)switches + (size_t)nodes, sizeof *number, err);

	if (!base || !number) {
		free(base);
		free(number);
		return -1;
	}
	for (int n = 0; n < nodes; n++) {
		int group = below ? below->node_base[n] : n;
		int *known =
			&number[it->switch_of[n] == TMAP_NONE ? switches + group : it->switch_of[n]];

		if (*known == 0)
			*known = ++count;
		base[n] = *known - 1;
	}
	free(number);
	*p = (struct tmap_partition){ .count = count, .node_base = base };
	return 0;
}

int tmap_partition_init_objects(struct tmap_partition *p, const struct tmap_machine *machine,
				int (*number)(int *local, const struct tmap_topology *topo,
					      const void *context, struct tmap_error *err),
				const void *context, const char *what, struct tmap_error *err)
{
	int *sets = tmap_alloc((size_t)machine->topology_count, sizeof *sets, err);
	struct tmap_partition made = { 0 };
	int64_t next = 0;

	if (!sets || tmap_partition_alloc(&made, machine, err) < 0)
		goto fail;
	for (int t = 0; t < machine->topology_count; t++) {
		sets[t] = number(made.local[t], &machine->topology[t], context, err);
		if (sets[t] < 0)
			goto fail;
	}
	for (int n = 0; n < machine->node_count; n++) {
		made.node_base[n] = (int)next;
		next += sets[machine->node_topology[n]];
		if (next > INT_MAX) {
			tmap_fail(err, TMAP_INPUT, "the job has more than %d objects of %s",
				  INT_MAX, what);
			goto fail;
		}
	}
	made.count = (int)next;
	free(sets);
	*p = made;
	return 0;
fail:
	free(sets);
	tmap_partition_fini(&made);
	return -1;
}

static int partition_number_keys(struct tmap_partition *p, int limit, struct tmap_error *err)
{
	int *seen = tmap_alloc((size_t)limit, sizeof *seen, err);

	if (!seen)
		return -1;
	for (int r = 0; r < p->size; r++) {
		int *known = p->of_rank[r] == TMAP_NONE ? NULL : &seen[p->of_rank[r]];

		if (known && !*known)
			*known = ++p->count;
		p->of_rank[r] = known ? *known - 1 : TMAP_NONE;
		p->outside += !known;
	}
	free(seen);
	return 0;
}

int tmap_partition_init_take(struct tmap_partition *p, int *key, int size, int limit,
			     struct tmap_error *err)
{
	struct tmap_partition made = { .size = size, .of_rank = key };

	if (partition_number_keys(&made, limit, err) == 0)
		made.first = tmap_alloc((size_t)made.count + 1, sizeof *made.first, err);
	if (!made.first) {
		tmap_partition_fini(&made);
		return -1;
	}
	for (int r = 0; r < size; r++)
		if (key[r] != TMAP_NONE)
			made.first[key[r] + 1]++;
	for (int s = 1; s <= made.count; s++)
		made.first[s] += made.first[s - 1];
	*p = made;
	return 0;
}

/* Sets fill from their ends. */
int tmap_partition_list(struct tmap_partition *p, struct tmap_error *err)
{
	if (p->member)
		return 0;
	p->member = tmap_alloc_raw((size_t)(p->size - p->outside), sizeof *p->member, err);
	if (!p->member)
		return -1;
	for (int r = p->size - 1; r >= 0; r--)
		if (p->of_rank[r] != TMAP_NONE)
			p->member[--p->first[p->of_rank[r] + 1]] = r;
	memmove(p->first, p->first + 1, (size_t)p->count * sizeof *p->first);
	p->first[p->count] = p->size - p->outside;
	return 0;
}

static int partition_size(const struct tmap_partition *p, const struct tmap_placement *placement)
{
	return p->of_rank ? p->size : placement->size;
}

/* While ranks are placed, first[s] is where the next one of set s goes. */
void tmap_partition_sort(const struct tmap_partition *p, const struct tmap_placement *placement,
			 int *first, int *rank)
{
	int size = partition_size(p, placement), outside;

	memset(first, 0, ((size_t)p->count + 1) * sizeof *first);
	for (int r = 0; r < size; r++) {
		int set = tmap_partition_set(p, placement, r);

		if (set != TMAP_NONE)
			first[set + 1]++;
	}
	for (int s = 0; s < p->count; s++)
		first[s + 1] += first[s];
	outside = first[p->count];
	for (int r = 0; r < size; r++) {
		int set = tmap_partition_set(p, placement, r);

		rank[set == TMAP_NONE ? outside++ : first[set]++] = r;
	}
	memmove(first + 1, first, (size_t)p->count * sizeof *first);
	first[0] = 0;
}

int *tmap_partition_count_ranks(const struct tmap_partition *p,
				const struct tmap_placement *placement, struct tmap_error *err)
{
	int size = partition_size(p, placement);
	int *ranks = tmap_alloc((size_t)p->count, sizeof *ranks, err);

	for (int r = 0; ranks && r < size; r++) {
		int set = tmap_partition_set(p, placement, r);

		if (set != TMAP_NONE)
			ranks[set]++;
	}
	return ranks;
}

bool tmap_partition_equal(const struct tmap_partition *a, const struct tmap_partition *b)
{
	return a->size == b->size &&
		memcmp(a->of_rank, b->of_rank, (size_t)a->size * sizeof *a->of_rank) == 0;
}

void tmap_partition_sizes(const struct tmap_partition *p, int *least, int *most)
{
	*least = *most = 0;
	for (int s = 0; s < p->count; s++) {
		int ranks = p->first[s + 1] - p->first[s];

		*least = !s || ranks < *least ? ranks : *least;
		*most = ranks > *most ? ranks : *most;
	}
}
