/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/rule_cover.h"

#include "core/base/mem.h"

#include <stdlib.h>

static int compare_starts(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The segment that begins at this number, which one does. */
static int segment_find(const struct tmap_rule_cover *cover, int64_t start)
{
	const int64_t *at = bsearch(&start, cover->start, (size_t)cover->count,
				    sizeof *cover->start, compare_starts);

	return (int)(at - cover->start);
}

/* The one behind the last of a range. */
static int segment_behind(const struct tmap_rule_cover *cover, int64_t to)
{
	return to == INT64_MAX ? cover->count : segment_find(cover, to + 1);
}

static void starts_fill(struct tmap_rule_cover *cover, const struct tmap_rule_span *span, int count)
{
	int starts = 0;

	for (int i = 0; i < count; i++) {
		if (span[i].to < span[i].from)
			continue;
		cover->start[starts++] = span[i].from;
		if (span[i].to < INT64_MAX)
			cover->start[starts++] = span[i].to + 1;
	}
	qsort(cover->start, (size_t)starts, sizeof *cover->start, compare_starts);
	for (int i = 0; i < starts; i++)
		if (!i || cover->start[i] != cover->start[i - 1])
			cover->start[cover->count++] = cover->start[i];
}

/* Each range takes what is left; free_from[i] leads to the first segment from i on that is. */
static void segments_fill(struct tmap_rule_cover *cover, const struct tmap_rule_span *span,
			  int count, int *free_from)
{
	int *segment = cover->last + cover->count;

	for (int i = 0; i <= cover->count; i++)
		free_from[i] = i;
	for (int i = 0; i < cover->count; i++)
		segment[i] = -1;
	for (int i = 0; i < count; i++) {
		int behind, at;

		if (span[i].to < span[i].from)
			continue;
		behind = segment_behind(cover, span[i].to);
		for (at = segment_find(cover, span[i].from); at < behind; at = free_from[at]) {
			if (free_from[at] == at) {
				segment[at] = i;
				free_from[at] = at + 1;
			}
			free_from[at] = free_from[free_from[at]];
		}
	}
	for (int i = cover->count - 1; i > 0; i--)
		cover->last[i] = cover->last[2 * i] > cover->last[2 * i + 1] ?
			cover->last[2 * i] :
			cover->last[2 * i + 1];
}

int tmap_rule_cover_init(struct tmap_rule_cover *cover, const struct tmap_rule_span *span,
			 int count, struct tmap_error *err)
{
	size_t most = 2 * (size_t)count + 1;
	struct tmap_rule_cover made = { .start = tmap_alloc(most, sizeof *made.start, err) };
	int *free_from = made.start ? tmap_alloc(most, sizeof *free_from, err) : NULL;

	if (free_from)
		made.last = tmap_alloc(2 * most, sizeof *made.last, err);
	if (!made.last) {
		free(free_from);
		tmap_rule_cover_fini(&made);
		return -1;
	}
	starts_fill(&made, span, count);
	segments_fill(&made, span, count, free_from);
	free(free_from);
	*cover = made;
	return 0;
}

void tmap_rule_cover_fini(struct tmap_rule_cover *cover)
{
	free(cover->start);
	free(cover->last);
	*cover = (struct tmap_rule_cover){ 0 };
}

int tmap_rule_cover_last(const struct tmap_rule_cover *cover, const struct tmap_rule_span *span)
{
	int from = segment_find(cover, span->from) + cover->count;
	int behind = segment_behind(cover, span->to) + cover->count, last = -1;

	for (; from < behind; from /= 2, behind /= 2) {
		if (from % 2 && cover->last[from] > last)
			last = cover->last[from];
		from += from % 2;
		if (behind % 2 && cover->last[behind - 1] > last)
			last = cover->last[behind - 1];
		behind -= behind % 2;
	}
	return last;
}

int64_t tmap_rule_cover_next(const struct tmap_rule_cover *cover, int64_t end)
{
	int at = segment_behind(cover, end);

	if (at < cover->count && cover->last[cover->count + at] < 0)
		at++; /* a gap is one segment: what begins in it takes it */
	return at < cover->count ? cover->start[at] : INT64_MAX;
}
