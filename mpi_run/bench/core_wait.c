/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/core_wait.h"

#include "mpi_probe/system_file.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

struct tmap_core_wait tmap_core_wait_begin(void)
{
	struct tmap_core_wait now = { -1, MPI_Wtime() };
#ifndef SMPI_H /* its seconds are not those of the machine that it runs on */
	uint64_t ran_ns, waited_ns;
	char text[96];

	if (tmap_system_file_read(text, sizeof text, "/proc/thread-self/schedstat") &&
	    sscanf(text, "%" SCNu64 " %" SCNu64, &ran_ns, &waited_ns) == 2)
		now.waited_s = 1e-9 * (double)waited_ns;
#endif
	return now;
}

int tmap_core_wait_most(double *part, int *rank, const struct tmap_core_wait *begin,
			struct tmap_job *job, struct tmap_error *err)
{
	struct tmap_core_wait now = tmap_core_wait_begin();
	struct {
		double part;
		int rank;
	} own = { 0, job->rank }, most = { 0, 0 };

	if (now.waited_s >= 0 && begin->waited_s >= 0 && now.at_s > begin->at_s)
		own.part = (now.waited_s - begin->waited_s) / (now.at_s - begin->at_s);
	if (tmap_job_check(job,
			   MPI_Reduce(&own, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, 0, job->world),
			   "MPI_Reduce", err) < 0)
		return -1;
	*part = most.part;
	*rank = most.rank;
	return 0;
}
