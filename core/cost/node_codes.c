/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/node_codes.h"

#include "core/base/mem.h"
#include "core/base/tuples.h"

#include <stdlib.h>

/* The sets of all nodes in one partition: node n is in set[n x stride]. */
struct column {
	const int *set;
	int stride;
	bool is_tier;
	int count; /* sets */
	int end;   /* bits of the code that are taken with it, and with the outer ones */
};

/* A partition that is being put into the codes, below the one before. */
struct refining {
	int nodes;
	struct column *column;
	int columns;
	struct tmap_tuples sets;
	int *within;    /* [nodes]: set of the partition before */
	int *next;      /* [nodes]: and of this one */
	int *owner;     /* [nodes]: of each set of this one, the set before that it is in, */
	uint32_t *nth;  /* [nodes]: and its number there */
	uint32_t *sons; /* [nodes]: of each set before */
};

void tmap_node_codes_fini(struct tmap_node_codes *codes)
{
	free(codes->code);
	*codes = (struct tmap_node_codes){ 0 };
}

static void refining_fini(struct refining *it)
{
	tmap_tuples_fini(&it->sets);
	free(it->column);
	free(it->within);
	free(it->next);
	free(it->owner);
	free(it->nth);
	free(it->sons);
}

static int refining_init(struct refining *it, int nodes, int columns, struct tmap_error *err)
{
	size_t count = (size_t)nodes;

	*it = (struct refining){ .nodes = nodes };
	it->column = tmap_alloc((size_t)columns, sizeof *it->column, err);
	it->within = tmap_alloc(count, sizeof *it->within, err);
	it->next = tmap_alloc_raw(count, sizeof *it->next, err);
	it->owner = tmap_alloc_raw(count, sizeof *it->owner, err);
	it->nth = tmap_alloc_raw(count, sizeof *it->nth, err);
	it->sons = tmap_alloc_raw(count, sizeof *it->sons, err);
	return it->column && it->within && it->next && it->owner && it->nth && it->sons ? 0 : -1;
}

/* next[]: the sets of a column, numbered as they come. */
static int column_number(struct refining *it, struct column *column, struct tmap_error *err)
{
	tmap_tuples_clear(&it->sets);
	for (int n = 0; n < it->nodes; n++) {
		int64_t set = column->set[(int64_t)n * column->stride];

		it->next[n] = tmap_tuples_intern(&it->sets, &set, 1, err);
		if (it->next[n] == TMAP_NONE)
			return -1;
	}
	column->count = it->sets.count;
	return 0;
}

/* The partitions with the fewest sets first; of as many, the inner ones of one kind last. */
static int columns_add(struct refining *it, const int *set, int count, bool is_tier,
		       struct tmap_error *err)
{
	for (int c = count - 1; c >= 0; c--) {
		struct column column = { .set = set + c, .stride = count, .is_tier = is_tier };
		int at = it->columns++;

		if (column_number(it, &column, err) < 0)
			return -1;
		for (; at > 0 && it->column[at - 1].count > column.count; at--)
			it->column[at] = it->column[at - 1];
		it->column[at] = column;
	}
	return 0;
}

/* Whose set each set of the column lies in, and which of those there it is; false: in several. */
static bool sets_find_owners(struct refining *it, const struct column *column)
{
	for (int s = 0; s < column->count; s++)
		it->owner[s] = TMAP_NONE;
	for (int n = 0; n < it->nodes; n++)
		it->sons[it->within[n]] = 0;
	for (int n = 0; n < it->nodes; n++) {
		int set = it->next[n];

		if (it->owner[set] == TMAP_NONE) {
			it->owner[set] = it->within[n];
			it->nth[set] = it->sons[it->within[n]]++;
		}
		if (it->owner[set] != it->within[n])
			return false;
	}
	return true;
}

static int bits_of(uint32_t most)
{
	int bits = 0;

	while (bits < 32 && (uint64_t)1 << bits < most)
		bits++;
	return bits;
}

/* One more partition in all codes, which have @p taken bits; their bits then, or TMAP_NONE: it does not fit. */
static int codes_refine(struct tmap_node_codes *codes, struct refining *it,
			const struct column *column, int taken)
{
	uint32_t most = 0;
	int bits;

	if (!sets_find_owners(it, column))
		return TMAP_NONE;
	for (int n = 0; n < it->nodes; n++)
		most = it->sons[it->within[n]] > most ? it->sons[it->within[n]] : most;
	bits = bits_of(most);
	if (taken + bits > 32)
		return TMAP_NONE;
	for (int n = 0; n < it->nodes && bits;
	     n++) /* with no bit before, there is nothing to move */
		codes->code[n] = (taken ? codes->code[n] << bits : 0) | it->nth[it->next[n]];
	for (int n = 0; n < it->nodes; n++)
		it->within[n] = it->next[n];
	return taken + bits;
}

/* A bit belongs to a partition, and tells it and all inner ones apart. */
static void codes_count(struct tmap_node_codes *codes, const struct refining *it, int bits)
{
	for (int i = 1; i <= bits; i++)
		for (int c = 0; c < it->columns; c++)
			if (it->column[c].end > bits - i) {
				codes->tiers[i] += it->column[c].is_tier;
				codes->joins[i] += !it->column[c].is_tier;
			}
}

int tmap_node_codes_init(struct tmap_node_codes *codes, int nodes, const int *tier, int tier_count,
			 const int *join, int join_count, struct tmap_error *err)
{
	struct tmap_node_codes made = { .code = tmap_alloc((size_t)nodes, sizeof *made.code, err) };
	struct refining it = { 0 };
	int status = -1, bits = 0;

	if (made.code && refining_init(&it, nodes, tier_count + join_count, err) == 0 &&
	    columns_add(&it, tier, tier_count, true, err) == 0 &&
	    columns_add(&it, join, join_count, false, err) == 0)
		status = 0;
	for (int c = 0; status == 0 && c < it.columns && bits != TMAP_NONE; c++) {
		status = column_number(&it, &it.column[c], err);
		if (status == 0)
			bits = codes_refine(&made, &it, &it.column[c], bits);
		it.column[c].end = bits;
	}
	if (status == 0 && bits != TMAP_NONE)
		codes_count(&made, &it, bits);
	refining_fini(&it);
	if (status < 0 || bits == TMAP_NONE)
		tmap_node_codes_fini(&made);
	if (status == 0)
		*codes = made;
	return status;
}
