/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/sum.h"
#include "mpi_run/record/recorder.h"
#include "mpi_run/record/state.h"

static void call_record(int64_t bytes, int target, intptr_t window)
{
	int handle, peer;

	if (target == MPI_PROC_NULL)
		return;
	handle = tmap_recorder_lock_window((MPI_Win)window);
	peer = handle == TMAP_NONE ? TMAP_NONE : tmap_recorder_find_peer(handle, target);
	if (peer != TMAP_NONE)
		tmap_recorder_count_message(TMAP_WAY_ONE_SIDED, peer, bytes);
	tmap_recorder_unlock();
}

void tmap_record_one_sided(int64_t count, intptr_t type, int target, intptr_t window)
{
	call_record(tmap_sum_product(count, tmap_recorder_type_size(type)), target, window);
}

/* MPI_NO_OP sends nothing to the target. */
void tmap_record_exchanged(int64_t count, intptr_t type, intptr_t op, int target, intptr_t window)
{
	int64_t bytes = tmap_sum_product(count, tmap_recorder_type_size(type));

	if ((MPI_Op)op != MPI_NO_OP)
		bytes = tmap_sum_product(2, bytes);
	call_record(bytes, target, window);
}

void tmap_record_fetched(intptr_t type, intptr_t op, int target, intptr_t window)
{
	tmap_record_exchanged(1, type, op, target, window);
}

void tmap_record_compared(intptr_t type, int target, intptr_t window)
{
	call_record(tmap_sum_product(2, tmap_recorder_type_size(type)), target, window);
}
