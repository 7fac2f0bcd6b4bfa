/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/sum.h"
#include "mpi_run/record/recorder.h"
#include "mpi_run/record/state.h"

static int comm_size(intptr_t comm)
{
	int size = 0;

	PMPI_Comm_size((MPI_Comm)comm, &size);
	return size;
}

static int comm_rank(intptr_t comm)
{
	int rank = 0;

	PMPI_Comm_rank((MPI_Comm)comm, &rank);
	return rank;
}

/* Now, or whenever its request is started. Locked. */
static void moved_record(const struct tmap_record_call *call,
			 const struct tmap_recorded_call *moved)
{
	const struct tmap_recorded_request kept = { .peer = TMAP_NONE, .call = *moved };

	if (call->request)
		tmap_recorder_keep(call->request, &kept);
	else
		tmap_recorder_count_call(moved);
}

/* Those of intercommunicators move between two groups, which are none of ours: they are counted as such, and
 * else not recorded. */
static bool is_inter(const struct tmap_record_call *call, intptr_t comm)
{
	const struct tmap_recorded_call outside = { .communicator = TMAP_NONE };
	int flag = 0;

	if (!tmap_recorder.is_active)
		return true;
	PMPI_Comm_test_inter((MPI_Comm)comm, &flag);
	if (flag) {
		tmap_recorder_lock();
		moved_record(call, &outside);
		tmap_recorder_unlock();
	}
	return flag;
}

static int64_t count_at(struct tmap_record_counts counts, int i)
{
	return counts.large ? counts.large[i] : counts.plain[i];
}

/* What is moved is in *moved; the rest of it is filled in. */
static void call_record(const struct tmap_record_call *call, intptr_t comm,
			struct tmap_recorded_call *moved)
{
	int handle;

	if (!tmap_recorder.is_active)
		return;
	moved->collective = call->collective;
	moved->mode = call->mode;
	moved->calls = 1;
	if (call->mode == TMAP_BLOCKING)
		moved->seconds_sum = (double)(tmap_record_now() - call->began) * 1e-9;
	handle = tmap_recorder_lock_comm((MPI_Comm)comm);
	moved->communicator = handle == TMAP_NONE ? TMAP_NONE : tmap_recorder_know(handle);
	moved_record(call, moved);
	tmap_recorder_unlock();
}

void tmap_record_nothing(const struct tmap_record_call *call, intptr_t comm)
{
	struct tmap_recorded_call moved = { 0 };

	call_record(call, comm, &moved);
}

/* Of a reduce_scatter_block this is a rank's block. */
void tmap_record_vector(const struct tmap_record_call *call, int64_t count, intptr_t type, int root,
			intptr_t comm)
{
	struct tmap_recorded_call moved = { .root = root,
					    .element = tmap_recorder_type_size(type) };

	moved.bytes = tmap_sum_product(count, moved.element);
	/* where nothing is reduced, ranks may describe equal bytes by other types */
	if (!tmap_collective_rows[tmap_recorded_rows[call->collective].like].reduces)
		moved.element = 0;
	call_record(call, comm, &moved);
}

void tmap_record_vectors(const struct tmap_record_call *call, struct tmap_record_counts counts,
			 intptr_t type, intptr_t comm)
{
	struct tmap_recorded_call moved = { .element = tmap_recorder_type_size(type) };
	int size = comm_size(comm);
	int64_t count = 0;

	for (int i = 0; i < size; i++)
		tmap_sum_add(&count, count_at(counts, i));
	moved.bytes = tmap_sum_product(count, moved.element);
	call_record(call, comm, &moved);
}

void tmap_record_block(const struct tmap_record_call *call, const void *buffer, int64_t count,
		       intptr_t type, int64_t other_count, intptr_t other_type, int root,
		       intptr_t comm)
{
	bool in_place = buffer == MPI_IN_PLACE;
	struct tmap_recorded_call moved = { .root = root };

	if (is_inter(call, comm))
		return;
	moved.bytes = tmap_sum_product(in_place ? other_count : count,
				       tmap_recorder_type_size(in_place ? other_type : type));
	call_record(call, comm, &moved);
}

static void share_record(const struct tmap_record_call *call, int64_t total, int64_t largest,
			 int root, intptr_t comm)
{
	struct tmap_recorded_call moved = { .root = root,
					    .total_bytes = total,
					    .largest = largest };

	call_record(call, comm, &moved);
}

void tmap_record_share(const struct tmap_record_call *call, const void *buffer, int64_t count,
		       intptr_t type, struct tmap_record_counts counts, intptr_t other_type,
		       int root, intptr_t comm)
{
	bool in_place = buffer == MPI_IN_PLACE;
	int64_t bytes;

	if (is_inter(call, comm))
		return;
	bytes = tmap_sum_product(in_place ? count_at(counts, comm_rank(comm)) : count,
				 tmap_recorder_type_size(in_place ? other_type : type));
	share_record(call, bytes, bytes, root, comm);
}

void tmap_record_shares(const struct tmap_record_call *call, const void *buffer,
			struct tmap_record_counts counts, intptr_t type,
			struct tmap_record_counts other_counts, intptr_t other_type, intptr_t comm)
{
	bool in_place = buffer == MPI_IN_PLACE;
	struct tmap_record_counts list = in_place ? other_counts : counts;
	int64_t element = tmap_recorder_type_size(in_place ? other_type : type), total = 0,
		largest = 0;
	int size = comm_size(comm);

	if (is_inter(call, comm))
		return;
	for (int i = 0; i < size; i++) {
		int64_t count = count_at(list, i);

		tmap_sum_add(&total, count);
		largest = count > largest ? count : largest;
	}
	share_record(call, tmap_sum_product(total, element), tmap_sum_product(largest, element), 0,
		     comm);
}

void tmap_record_typed_shares(const struct tmap_record_call *call, const void *buffer,
			      struct tmap_record_counts counts, const void *types,
			      struct tmap_record_counts other_counts, const void *other_types,
			      intptr_t comm)
{
	bool in_place = buffer == MPI_IN_PLACE;
	struct tmap_record_counts list = in_place ? other_counts : counts;
	const MPI_Datatype *type = in_place ? other_types : types;
	int64_t total = 0, largest = 0;
	int size = comm_size(comm);

	if (is_inter(call, comm))
		return;
	for (int i = 0; i < size; i++) {
		int64_t bytes = tmap_sum_product(count_at(list, i),
						 tmap_recorder_type_size((intptr_t)type[i]));

		tmap_sum_add(&total, bytes);
		largest = bytes > largest ? bytes : largest;
	}
	share_record(call, total, largest, 0, comm);
}
