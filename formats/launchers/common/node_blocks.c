/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/node_blocks.h"

#include "core/base/mem.h"

#include <stdio.h>
#include <stdlib.h>

static bool is_same(const struct tmap_node_block *a, const struct tmap_node_block *b)
{
	return a->start == b->start && a->nodes == b->nodes && a->ranks == b->ranks;
}

/* A block that is complete: the one before it may be the same. */
static void fold(struct tmap_node_blocks *blocks)
{
	struct tmap_node_block *last = &blocks->block[blocks->count - 1];

	if (blocks->count < 2 || !is_same(last - 1, last))
		return;
	last[-1].repeat++;
	blocks->count--;
}

/* Ranks that follow each other on one node: the next node of the last block, or a new block. */
static int add_run(struct tmap_node_blocks *blocks, int node, int ranks, struct tmap_error *err)
{
	struct tmap_node_block *last = blocks->count ? &blocks->block[blocks->count - 1] : NULL;

	if (last && last->repeat == 1 && last->ranks == ranks &&
	    last->start + last->nodes == node) {
		last->nodes++;
		return 0;
	}
	if (last)
		fold(blocks);
	if (tmap_grow(&blocks->block, &blocks->capacity, (size_t)blocks->count + 1,
		      sizeof *blocks->block, err) < 0)
		return -1;
	blocks->block[blocks->count++] = (struct tmap_node_block){ node, 1, ranks, 1 };
	return 0;
}

int tmap_node_blocks_init(struct tmap_node_blocks *blocks, const int *node, const int *number,
			  int size, struct tmap_error *err)
{
	struct tmap_node_blocks made = { 0 };
	int first = 0;

	while (first < size) {
		int end = first + 1;

		while (end < size && node[end] == node[first])
			end++;
		if (add_run(&made, number ? number[node[first]] : node[first], end - first, err) <
		    0) {
			tmap_node_blocks_fini(&made);
			return -1;
		}
		first = end;
	}
	if (made.count)
		fold(&made);
	*blocks = made;
	return 0;
}

void tmap_node_blocks_fini(struct tmap_node_blocks *blocks)
{
	free(blocks->block);
	*blocks = (struct tmap_node_blocks){ 0 };
}

void tmap_node_blocks_add_rankmap(struct tmap_str *str, const struct tmap_node_blocks *blocks)
{
	tmap_str_add(str, "(vector");
	for (int i = 0; i < blocks->count; i++) {
		const struct tmap_node_block *block = &blocks->block[i];

		tmap_str_add(str, block->repeat > 1 ? ",[" : ",");
		tmap_str_addf(str, "(%d,%d,%d)", block->start, block->nodes, block->ranks);
		if (block->repeat > 1)
			tmap_str_addf(str, "]x%d", block->repeat);
	}
	tmap_str_addc(str, ')');
}

int64_t tmap_node_blocks_pmi_length(const struct tmap_node_blocks *blocks)
{
	int64_t length = (int64_t)sizeof "(vector)" - 1;

	for (int i = 0; i < blocks->count; i++) {
		const struct tmap_node_block *block = &blocks->block[i];

		length += (int64_t)block->repeat *
			snprintf(NULL, 0, ",(%d,%d,%d)", block->start, block->nodes, block->ranks);
	}
	return length;
}
