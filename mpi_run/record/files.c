/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/sum.h"
#include "mpi_run/record/recorder.h"
#include "mpi_run/record/state.h"

void tmap_record_file(enum tmap_file_way way, int64_t began, int64_t count, intptr_t type)
{
	struct tmap_recorder *it = &tmap_recorder;
	int64_t bytes, spent = began ? tmap_record_now() - began : 0;

	if (!it->is_active)
		return;
	bytes = tmap_sum_product(count, tmap_recorder_type_size(type));
	tmap_recorder_lock();
	if (it->interval)
		tmap_recorder_follow_clock();
	tmap_recorded_files_count(&it->builder.phase[it->phase].files[way], bytes,
				  (double)spent * 1e-9);
	tmap_recorder_unlock();
}
