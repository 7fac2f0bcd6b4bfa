/* SPDX-License-Identifier: BSD-3-Clause */
/* All messages of a neighborhood go from the user's blocks to the user's blocks. */
#include "mpi_run/executor/step_building.h"

#include "core/base/mem.h"
#include "core/schedule/neighborhood.h"

#include <stdlib.h>

/* Blocks that this rank receives, by who sends them. */
struct arrival {
	int source, block;
	int taken; /* of the first one of a source: how many of its messages have been seen */
	int order;
};

static int arrival_compare(const void *a, const void *b)
{
	const struct arrival *x = a, *y = b;

	return x->source != y->source ? (x->source < y->source ? -1 : 1) :
					(x->order > y->order) - (x->order < y->order);
}

/* On a grid, what goes down comes from above; else the first of two messages is for the first of
 * two blocks. */
static struct arrival *arrivals_new(struct tmap_step_building *building)
{
	const struct tmap_neighborhood *neighborhood = building->call->neighborhood;
	int degree = neighborhood->degree;
	struct arrival *made = tmap_alloc((size_t)degree, sizeof *made, building->err);

	for (int k = 0; made && k < degree; k++) {
		int block = neighborhood->stencil == TMAP_STENCIL_CART ? k ^ 1 : k;

		made[k] = (struct arrival){ building->layout->sources[block], block, 0, k };
	}
	if (made && degree)
		qsort(made, (size_t)degree, sizeof *made, arrival_compare);
	return made;
}

/* The block that the next message of a source is for. */
static int arrival_block(struct arrival *arrivals, int degree, int source)
{
	int low = 0, high = degree;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (arrivals[middle].source < source)
			low = middle + 1;
		else
			high = middle;
	}
	return arrivals[low + arrivals[low].taken++].block;
}

static int neighbor_message(struct tmap_step_building *building, bool is_sent, int peer,
			    int64_t block)
{
	size_t step, first = building->pieces.count;
	struct tmap_data_piece piece = tmap_blocks_piece(
		building->layout, is_sent ? TMAP_SEND_AREA : TMAP_RECV_AREA, block);

	if (tmap_building_add_step(building, is_sent ? TMAP_STEP_SEND : TMAP_STEP_RECV, peer,
				   &step) < 0 ||
	    tmap_pieces_add(&building->pieces, building->layout, first, piece, building->err) < 0)
		return -1;
	building->made.step[step].count = building->pieces.count - first;
	return 0;
}

/* Who is its own neighbour sends itself no message. */
static int copy_to_itself(struct tmap_step_building *building, struct arrival *arrivals,
			  bool is_alltoall)
{
	int degree = building->call->neighborhood->degree, status = 0;
	int *list = tmap_alloc_raw((size_t)degree, sizeof *list, building->err);

	if (!list)
		return -1;
	tmap_neighborhood_list(building->call->neighborhood, building->rank, list);
	for (int k = 0; k < degree && status == 0; k++)
		if (list[k] == building->rank)
			status = tmap_building_add_copy(
				building,
				tmap_blocks_piece(building->layout, TMAP_SEND_AREA,
						  is_alltoall ? k : 0),
				tmap_blocks_piece(building->layout, TMAP_RECV_AREA,
						  arrival_block(arrivals, degree, building->rank)));
	free(list);
	building->made.before = building->made.move_count;
	return status;
}

int tmap_building_add_neighbors(struct tmap_step_building *building)
{
	int degree = building->call->neighborhood->degree;
	bool is_alltoall = tmap_call_algorithm(building->call)->collective ==
		TMAP_NEIGHBOR_ALLTOALL;
	struct arrival *arrivals = arrivals_new(building);
	int status = arrivals ? copy_to_itself(building, arrivals, is_alltoall) : -1;

	for (size_t m = 0; m < building->messages.count && status == 0; m++) {
		const struct tmap_message *it = &building->messages.message[m];

		if (it->from == building->rank)
			status = neighbor_message(building, true, it->to,
						  is_alltoall ? it->run[0].first % degree : 0);
		else
			status = neighbor_message(building, false, it->from,
						  arrival_block(arrivals, degree, it->from));
	}
	building->made.after = building->made.move_count;
	free(arrivals);
	return status;
}
