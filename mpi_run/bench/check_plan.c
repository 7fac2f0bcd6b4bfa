/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/check_plan.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "mpi_run/bench/bench_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PARTS = 8 };

/* For the data of all ranks of a host, at most; in a simulation all ranks are in one process, which makes
 * and looks at the data of one after another. */
#ifdef SMPI_H
#define HOST_BYTES (INT64_C(1) << 26)
#else
#define HOST_BYTES (INT64_C(1) << 30)
#endif

/* The bytes that a rank may have: the least of all, as hosts may differ. */
static int memory_find(struct tmap_job *job, int64_t *bytes, struct tmap_error *err)
{
	int64_t pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	int64_t host = pages > 0 && size > 0 ? pages / PARTS * size : HOST_BYTES;
	int ranks = job->size;

#ifndef SMPI_H /* whose ranks are all in one process */
	if (tmap_job_check(job, MPI_Comm_size(job->node, &ranks), "MPI_Comm_size", err) < 0)
		return -1;
#endif
	host = (host < HOST_BYTES ? host : HOST_BYTES) / ranks;
	return tmap_job_check(job, MPI_Allreduce(&host, bytes, 1, MPI_INT64_T, MPI_MIN, job->world),
			      "MPI_Allreduce", err);
}

/* Rank 0: the plan as the lines that the others read. */
static int plan_print(const struct tmap_check *check, char **text, size_t *length,
		      struct tmap_error *err)
{
	struct tmap_str lines = TMAP_STR_INIT;

	for (int c = 0; c < check->count; c++) {
		const struct tmap_check_case *it = &check->item[c];

		tmap_str_addf(&lines, "%d %" PRId64 " %d\n", (int)it->collective, it->bytes,
			      it->count);
		for (int i = 0; i < it->count; i++)
			tmap_str_addf(&lines, "%s\n", it->row[i].algorithm);
	}
	*length = lines.length;
	*text = tmap_str_take(&lines, err);
	return *text ? 0 : -1;
}

/* The others: these lines are rank 0's own. */
static int plan_parse(struct tmap_check *check, char *text, struct tmap_error *err)
{
	char *rest = NULL;

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		struct tmap_check_case *it = &check->item[check->count++];
		char *at = line;
		int count;

		it->collective = (enum tmap_collective)strtol(at, &at, 10);
		it->bytes = strtoll(at, &at, 10);
		count = (int)strtol(at, &at, 10);
		for (int i = 0; i < count; i++) {
			it->row[i].algorithm = tmap_strdup(strtok_r(NULL, "\n", &rest), err);
			if (!it->row[i].algorithm)
				return -1;
			it->count++;
		}
	}
	return 0;
}

int tmap_check_plan_spread(struct tmap_check *check, struct tmap_job *job,
			   const struct tmap_placement *placement,
			   struct tmap_check_request *request, struct tmap_error *err)
{
	char *text = NULL;
	size_t length = 0;
	int status = 0;

	if (memory_find(job, &request->memory_bytes, err) < 0)
		return -1;
	if (job->rank == 0) {
		status = tmap_check_plan(check, placement, request, err);
		if (status == 0)
			status = plan_print(check, &text, &length, err);
	}
	status = tmap_job_agree(job, status, err);
	if (status == 0)
		status = tmap_bench_text_spread(job, &text, &length, err);
	if (status == 0 && job->rank != 0)
		status = plan_parse(check, text, err);
	free(text);
	return job->broken ? -1 : tmap_job_agree(job, status, err);
}
