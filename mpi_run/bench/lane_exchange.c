/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/lane_exchange.h"

#include "core/base/mem.h"
#include "core/base/random.h"

#include <limits.h>
#include <stdlib.h>

/* The first lane takes what the others leave. */
static int64_t lane_share(int64_t bytes, int lanes, int lane)
{
	return bytes / lanes + (lane == 0 ? bytes % lanes : 0);
}

int tmap_lane_exchange_check_size(int64_t bytes, int lanes, struct tmap_error *err)
{
	int64_t most = lane_share(bytes, lanes, 0);

	return most <= INT_MAX ?
		0 :
		tmap_fail(err, TMAP_INPUT, "MPI cannot count %lld bytes", (long long)most);
}

int tmap_lane_exchange_init(struct tmap_lane_exchange *it, const struct tmap_lane_place *place,
			    MPI_Comm comm, int64_t bytes, int lanes, int64_t exchanges,
			    struct tmap_error *err)
{
	int64_t mine = lane_share(bytes, lanes, place->lane);
	struct tmap_lane_exchange made = { .comm = comm, .place = *place, .exchanges = exchanges };

	if (tmap_lane_exchange_check_size(bytes, lanes, err) < 0)
		return -1;
	made.bytes = (int)mine;
	made.send = tmap_alloc((size_t)mine, 1, err);
	made.recv = tmap_alloc((size_t)mine, 1, err);
	if (!made.send || !made.recv) {
		tmap_lane_exchange_fini(&made);
		return -1;
	}
	*it = made;
	return 0;
}

void tmap_lane_exchange_fini(struct tmap_lane_exchange *it)
{
	free(it->send);
	free(it->recv);
	*it = (struct tmap_lane_exchange){ 0 };
}

/* What ranks of that node send in that round; the lanes of a node send alike. */
static struct tmap_random stream_begin(const struct tmap_lane_exchange *it, int node)
{
	return (struct tmap_random){ it->round << 32 ^ (uint64_t)node };
}

void tmap_lane_exchange_fill(struct tmap_lane_exchange *it, uint64_t round)
{
	const struct tmap_lane_place *place = &it->place;
	struct tmap_random mine, theirs;

	it->round = round;
	mine = stream_begin(it, place->node);
	theirs = stream_begin(it, (place->node + place->node_count - 1) % place->node_count);
	for (int i = 0; i < it->bytes; i++) {
		it->send[i] = (unsigned char)tmap_random_next(&mine);
		it->recv[i] = (unsigned char)~tmap_random_next(&theirs);
	}
}

int tmap_lane_exchange_call(const struct tmap_lane_exchange *it)
{
	int code = MPI_SUCCESS;

	for (int64_t i = 0; i < it->exchanges && code == MPI_SUCCESS; i++)
		code = MPI_Sendrecv(it->send, it->bytes, MPI_BYTE, it->place.next, 0, it->recv,
				    it->bytes, MPI_BYTE, it->place.previous, 0, it->comm,
				    MPI_STATUS_IGNORE);
	return code;
}

bool tmap_lane_exchange_check(const struct tmap_lane_exchange *it, struct tmap_bench_fault *fault)
{
	const struct tmap_lane_place *place = &it->place;
	struct tmap_random theirs =
		stream_begin(it, (place->node + place->node_count - 1) % place->node_count);

	for (int i = 0; i < it->bytes; i++)
		if (it->recv[i] != (unsigned char)tmap_random_next(&theirs)) {
			*fault = (struct tmap_bench_fault){ .byte = i };
			return false;
		}
	return true;
}
