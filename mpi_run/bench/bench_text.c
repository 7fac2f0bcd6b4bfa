/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/bench_text.h"

#include "core/base/mem.h"

#include <limits.h>

int tmap_bench_text_spread(struct tmap_job *job, char **text, size_t *length,
			   struct tmap_error *err)
{
	int bytes = (int)*length, status = 0;

	if (job->rank == 0 && *length > INT_MAX)
		status = tmap_fail(err, TMAP_INPUT, "it is too large to be sent to all ranks");
	status = tmap_job_agree(job, status, err);
	if (status == 0)
		status = tmap_job_check(job, MPI_Bcast(&bytes, 1, MPI_INT, 0, job->world),
					"MPI_Bcast", err);
	if (status == 0 && job->rank != 0) {
		*length = (size_t)bytes;
		*text = tmap_alloc(*length + 1, 1, err);
		status = *text ? 0 : -1;
	}
	if (job->broken || tmap_job_agree(job, status, err) < 0)
		return -1;
	return tmap_job_check(job, MPI_Bcast(*text, bytes, MPI_BYTE, 0, job->world), "MPI_Bcast",
			      err);
}
