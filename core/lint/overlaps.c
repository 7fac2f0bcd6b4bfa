/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/overlaps.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>

/* A set, or a range of it, between its first and its last PU. */
struct span {
	int part; /* the first set of those that overlap, or overlap others that do */
	int first, last, set;
};

/* A set comes before its parts. */
static int spans_compare_first(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->part != y->part)
		return (x->part > y->part) - (x->part < y->part);
	return x->first != y->first ? (x->first > y->first) - (x->first < y->first) :
				      (x->last < y->last) - (x->last > y->last);
}

static int spans_compare_last(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->part != y->part)
		return (x->part > y->part) - (x->part < y->part);
	return x->last != y->last ? (x->last > y->last) - (x->last < y->last) :
				    (x->set > y->set) - (x->set < y->set);
}

static int set_add(struct tmap_idset *to, const struct tmap_idset *set, struct tmap_error *err)
{
	int status = 0;

	for (int i = 0; i < set->count && status == 0; i++)
		status = tmap_idset_add_range(to, set->range[i].first, set->range[i].last, err);
	return status;
}

/* Do two of these, in the order of their first PUs, reach over each other's ends? Sets with gaps may do so
 * and not overlap. */
static bool has_overlap(const struct span *span, int count)
{
	int last = -1;

	for (int i = 0; i < count; i++) {
		if (span[i].first <= last && span[i].last > last)
			return true;
		last = span[i].last > last ? span[i].last : last;
	}
	return false;
}

/* The sets from @p first on, by their last PUs, up to the first that makes them too few PUs, before @p end;
 * *last is its last PU, or stays. Those are marked. */
static int groups_extend(struct tmap_overlap_group *group, const struct tmap_overlap_set *sets,
			 const struct span *span, int count, int first, int *end,
			 struct tmap_error *err)
{
	struct tmap_overlap_group all = { 0 };
	struct tmap_idset pus = { 0 };
	int status = 0, i = 0;

	for (; i < count && span[i].last < *end && status == 0; i++) {
		if (span[i].first < first)
			continue;
		status = set_add(&pus, sets[span[i].set].pus, err);
		all.threads += sets[span[i].set].threads;
		all.ranks += sets[span[i].set].ranks;
		all.pus = (int)tmap_idset_size(&pus);
		if (all.threads > all.pus && all.threads > all.ranks)
			break;
	}
	if (status == 0 && i < count && span[i].last < *end) {
		*end = span[i].last;
		for (int j = 0; j <= i; j++)
			if (span[j].first >= first && !group[span[j].set].pus)
				group[span[j].set] = all;
	}
	tmap_idset_fini(&pus);
	return status;
}

static int part_of(int *part, int set)
{
	while (part[set] != set)
		set = part[set] = part[part[set]];
	return set;
}

/* [count]: the part of each set: sets with a PU in common are in one. O(ranges log ranges). The caller's. */
static int *parts_find(const struct tmap_overlap_set *sets, int count, struct tmap_error *err)
{
	int *part = tmap_alloc_raw((size_t)count, sizeof *part, err), reach = 0, ranges = 0;
	struct span *span;

	for (int i = 0; i < count; i++)
		ranges += sets[i].pus->count;
	span = tmap_alloc_raw((size_t)ranges, sizeof *span, err);
	if (!part || !span) {
		free(part);
		free(span);
		return NULL;
	}
	ranges = 0;
	for (int i = 0; i < count; i++) {
		part[i] = i;
		for (int r = 0; r < sets[i].pus->count; r++)
			span[ranges++] = (struct span){ 0, sets[i].pus->range[r].first,
							sets[i].pus->range[r].last, i };
	}
	qsort(span, (size_t)ranges, sizeof *span, spans_compare_first);
	/* that which reaches furthest has the first PU of the next one, or no one has */
	for (int i = 1; i < ranges; i++) {
		int a = part_of(part, span[reach].set), b = part_of(part, span[i].set);

		if (span[i].first <= span[reach].last)
			part[a > b ? a : b] = a < b ? a : b;
		if (span[i].last > span[reach].last)
			reach = i;
	}
	for (int i = 0; i < count; i++)
		part[i] = part_of(part, i);
	free(span);
	return part;
}

/* The sets of one part, in both orders. */
static int part_group(struct tmap_overlap_group *group, const struct tmap_overlap_set *sets,
		      const struct span *by_first, const struct span *by_last, int count,
		      struct tmap_error *err)
{
	int status = 0, end = INT_MAX;

	if (!has_overlap(by_first, count))
		return 0;
	/* from the last one on: what begins before and ends no sooner has a smaller group inside */
	for (int i = count - 1; i >= 0 && status == 0; i--)
		if (i == 0 || by_first[i].first != by_first[i - 1].first)
			status = groups_extend(group, sets, by_last, count, by_first[i].first, &end,
					       err);
	return status;
}

int tmap_overlaps_find(struct tmap_overlap_group *group, const struct tmap_overlap_set *sets,
		       int count, struct tmap_error *err)
{
	struct span *by_first = tmap_alloc((size_t)count, sizeof *by_first, err);
	struct span *by_last = tmap_alloc((size_t)count, sizeof *by_last, err);
	int *part = parts_find(sets, count, err);
	int status = by_first && by_last && part ? 0 : -1;

	for (int i = 0; i < count && status == 0; i++) {
		const struct tmap_idset *pus = sets[i].pus;

		by_first[i] = by_last[i] = (struct span){ part[i], pus->range[0].first,
							  pus->range[pus->count - 1].last, i };
		group[i] = (struct tmap_overlap_group){ 0 };
	}
	if (status == 0) {
		qsort(by_first, (size_t)count, sizeof *by_first, spans_compare_first);
		qsort(by_last, (size_t)count, sizeof *by_last, spans_compare_last);
	}
	for (int i = 0, next; i < count && status == 0 && count <= TMAP_OVERLAP_MOST; i = next) {
		next = i + 1;
		while (next < count && by_first[next].part == by_first[i].part)
			next++;
		status = part_group(group, sets, by_first + i, by_last + i, next - i, err);
	}
	free(part);
	free(by_first);
	free(by_last);
	return status;
}
