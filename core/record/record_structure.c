/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/record/record_structure.h"

#include "core/base/mem.h"
#include "core/map/graph.h"
#include "core/mappers/lattice.h"
#include "core/record/record_traffic.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	struct tmap_keyword word;
} structures[] = {
	[TMAP_STRUCTURE_NONE] = { { "none", "no regular structure" } },
	[TMAP_STRUCTURE_RING] = { { "ring", "each rank with the one before and the one behind" } },
	[TMAP_STRUCTURE_GRID] = { { "grid", "each rank with its neighbors in a grid" } },
	[TMAP_STRUCTURE_MASTER] = { { "master", "one rank with all others" } },
	[TMAP_STRUCTURE_ALL_TO_ALL] = { { "all-to-all", "each rank with each other one" } },
	{ { NULL, NULL } },
};

const struct tmap_keywords tmap_structures = TMAP_KEYWORDS("structure", structures);

/* Up to this part, shares differ by rounding errors only. */
static const double rounding = 1e-9;
static const double least_share = 0.5;

/* A visitor of what a rank sends to another one. */
typedef void structure_visit(void *context, int from, int to, double bytes);

static void record_visit(const struct tmap_record *record, structure_visit *visit, void *context)
{
	int size = record->placement.size;

	for (int way = 0; way < TMAP_WAYS; way++)
		for (int r = 0; record->sent[way].count && r < size; r++) {
			const struct tmap_record_row *row =
				tmap_record_row_of(record, (enum tmap_way)way, r);

			for (int i = 0; i < row->peers; i++)
				if (row->offset[i])
					visit(context, r,
					      (int)(((int64_t)r + row->offset[i]) % size),
					      (double)row->bytes[i]);
		}
}

static void structure_offer(struct tmap_record_structure *best,
			    const struct tmap_record_structure *other)
{
	if (other->share >= least_share && other->share > best->share + rounding)
		*best = *other;
}

/* ring */

struct ring_sum {
	int size;
	double along, around; /* around: between the last rank and the first */
};

static void ring_visit(void *context, int from, int to, double bytes)
{
	struct ring_sum *sum = context;

	if (to - from == 1 || from - to == 1)
		sum->along += bytes;
	else if (to - from == sum->size - 1 || from - to == sum->size - 1)
		sum->around += bytes;
}

static void try_ring(struct tmap_record_structure *best, const struct tmap_record *record,
		     double bytes)
{
	struct ring_sum sum = { .size = record->placement.size };
	struct tmap_record_structure it = { .kind = TMAP_STRUCTURE_RING,
					    .dimensions = 1,
					    .communicator = TMAP_NONE,
					    .master = TMAP_NONE };

	record_visit(record, ring_visit, &sum);
	it.dim[0] = sum.size;
	it.periodic[0] = sum.around > 0;
	it.share = (sum.along + sum.around) / bytes;
	structure_offer(best, &it);
}

/* grid */

bool tmap_recorded_grid(struct tmap_record_structure *grid, const char *topology, int size)
{
	static const char word[] = "cart ", periods[] = " periods ";
	int64_t product = 1;
	char *end;

	*grid = (struct tmap_record_structure){ .kind = TMAP_STRUCTURE_GRID, .master = TMAP_NONE };
	if (strncmp(topology, word, sizeof word - 1) != 0)
		return false;
	topology += sizeof word - 1;
	for (;; topology = end + 1) {
		long side = strtol(topology, &end, 10);

		if (end == topology || side < 1 || side > size ||
		    grid->dimensions == TMAP_DIMENSIONS_MAX)
			return false;
		product *= side;
		if (product > size)
			return false;
		grid->dim[grid->dimensions++] = (int)side;
		if (*end != 'x')
			break;
	}
	if (product != size || strncmp(end, periods, sizeof periods - 1) != 0)
		return false;
	topology = end + sizeof periods - 1;
	for (int d = 0; d < grid->dimensions; d++, topology += 2) {
		if (topology[0] != '0' && topology[0] != '1')
			return false;
		grid->periodic[d] = topology[0] == '1';
		if (topology[1] != (d + 1 < grid->dimensions ? ',' : '\0'))
			return false;
	}
	return true;
}

struct grid_sum {
	const struct tmap_record_structure *grid;
	const int *number; /* of each rank in it */
	double bytes;
};

/* One step in one dimension, none in the others. */
static void grid_visit(void *context, int from, int to, double bytes)
{
	struct grid_sum *sum = context;
	const struct tmap_record_structure *grid = sum->grid;
	int a = sum->number[from], b = sum->number[to], steps = 0;

	for (int d = grid->dimensions - 1; d >= 0 && steps < 2; d--) {
		int side = grid->dim[d], off = abs(a % side - b % side);

		if (grid->periodic[d] && side - off < off)
			off = side - off;
		steps += off;
		a /= side;
		b /= side;
	}
	if (steps == 1)
		sum->bytes += bytes;
}

static void try_grid(struct tmap_record_structure *best, struct tmap_record_structure *grid,
		     const int *number, const struct tmap_record *record, double bytes)
{
	struct grid_sum sum = { .grid = grid, .number = number };

	record_visit(record, grid_visit, &sum);
	grid->share = sum.bytes / bytes;
	structure_offer(best, grid);
}

/* Those that the program made of all its ranks. */
static int try_topologies(struct tmap_record_structure *best, const struct tmap_record *record,
			  double bytes, struct tmap_error *err)
{
	int size = record->placement.size, tried = 0;
	int *number = tmap_alloc_raw((size_t)size, sizeof *number, err);

	for (int c = 0; number && c < record->communicator_count; c++) {
		const struct tmap_recorded_communicator *it = &record->communicator[c];
		struct tmap_record_structure grid;

		if (it->size != size || !tmap_recorded_grid(&grid, it->topology, size))
			continue;
		if (tried++ == TMAP_STRUCTURE_TOPOLOGIES_MOST)
			break;
		for (int i = 0; i < size; i++)
			number[it->rank[i]] = i;
		grid.communicator = c;
		try_grid(best, &grid, number, record, bytes);
	}
	free(number);
	return number ? 0 : -1;
}

/* The graph of the messages; entries without bytes are left out. */
static int graph_init(struct tmap_graph *graph, const struct tmap_record *record,
		      struct tmap_error *err)
{
	struct tmap_pattern_builder builder = { 0 };
	struct tmap_pattern pattern = { 0 };
	int status = tmap_pattern_builder_init(&builder, record->placement.size, err);

	if (status == 0)
		status = tmap_record_add_sent(&builder, record, err);
	if (status == 0)
		status = tmap_pattern_finish(&pattern, &builder, err);
	tmap_pattern_builder_fini(&builder);
	if (status == 0)
		status = tmap_graph_init(graph, &pattern, pattern.size, err);
	tmap_pattern_fini(&pattern);
	return status;
}

static int try_lattice(struct tmap_record_structure *best, const struct tmap_record *record,
		       double bytes, struct tmap_error *err)
{
	struct tmap_record_structure grid = { .kind = TMAP_STRUCTURE_GRID,
					      .communicator = TMAP_NONE,
					      .master = TMAP_NONE };
	struct tmap_graph graph = { 0 };
	struct tmap_lattice lattice = { .number = NULL };
	int64_t steps = 0;
	int status = graph_init(&graph, record, err);

	if (status == 0)
		status = tmap_lattice_find(&lattice, &graph, record->placement.size, &steps, err);
	tmap_graph_fini(&graph);
	if (status == 0) {
		grid.dimensions = lattice.grid.dimensions;
		memcpy(grid.dim, lattice.grid.dim, sizeof grid.dim);
		memcpy(grid.periodic, lattice.grid.periodic, sizeof grid.periodic);
		try_grid(best, &grid, lattice.number, record, bytes);
	}
	tmap_lattice_fini(&lattice);
	return status < 0 ? -1 : 0;
}

/* master */

static void master_visit(void *context, int from, int to, double bytes)
{
	double *touched = context;

	touched[from] += bytes;
	touched[to] += bytes;
}

static int try_master(struct tmap_record_structure *best, const struct tmap_record *record,
		      double bytes, struct tmap_error *err)
{
	struct tmap_record_structure it = { .kind = TMAP_STRUCTURE_MASTER,
					    .communicator = TMAP_NONE };
	double *touched = tmap_alloc((size_t)record->placement.size, sizeof *touched, err);

	if (!touched)
		return -1;
	record_visit(record, master_visit, touched);
	for (int r = 1; r < record->placement.size; r++)
		if (touched[r] > touched[it.master])
			it.master = r;
	it.share = touched[it.master] / bytes;
	structure_offer(best, &it);
	free(touched);
	return 0;
}

/* all-to-all */

struct even_sum {
	double mean, bytes;
};

static void even_visit(void *context, int from, int to, double bytes)
{
	struct even_sum *sum = context;

	(void)from;
	(void)to;
	sum->bytes += bytes < sum->mean ? bytes : sum->mean;
}

static void try_all_to_all(struct tmap_record_structure *best, const struct tmap_record *record,
			   double bytes)
{
	double size = record->placement.size;
	struct even_sum sum = { .mean = bytes / (size * (size - 1)) };
	struct tmap_record_structure it = { .kind = TMAP_STRUCTURE_ALL_TO_ALL,
					    .communicator = TMAP_NONE,
					    .master = TMAP_NONE };

	record_visit(record, even_visit, &sum);
	it.share = sum.bytes / bytes;
	structure_offer(best, &it);
}

/* Are they few enough to look for a grid among them? */
static bool has_few_pairs(const struct tmap_record *record, int64_t pairs)
{
	return pairs <= TMAP_STRUCTURE_PAIRS_MOST &&
		pairs <= (1 << 20) + (int64_t)TMAP_STRUCTURE_PEERS_MOST * record->placement.size;
}

int tmap_record_structure_find(struct tmap_record_structure *structure,
			       const struct tmap_record *record,
			       const struct tmap_record_totals *totals, struct tmap_error *err)
{
	double bytes = (double)totals->bytes;

	*structure =
		(struct tmap_record_structure){ .communicator = TMAP_NONE, .master = TMAP_NONE };
	if (record->placement.size < TMAP_STRUCTURE_RANKS_LEAST || !totals->bytes ||
	    totals->pairs > TMAP_RECORD_PAIRS_MOST)
		return 0;
	try_ring(structure, record, bytes);
	if (try_topologies(structure, record, bytes, err) < 0)
		return -1;
	if (structure->share < 1 - rounding && has_few_pairs(record, totals->pairs) &&
	    try_lattice(structure, record, bytes, err) < 0)
		return -1;
	if (try_master(structure, record, bytes, err) < 0)
		return -1;
	try_all_to_all(structure, record, bytes);
	return 0;
}
