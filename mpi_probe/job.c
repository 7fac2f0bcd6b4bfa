/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/job.h"

#include "mpi_probe/bytes.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

int tmap_job_check(struct tmap_job *job, int code, const char *call, struct tmap_error *err)
{
	char reason[MPI_MAX_ERROR_STRING] = "unknown error";
	int length = 0;

	if (code == MPI_SUCCESS)
		return 0;
	job->broken = true;
	MPI_Error_string(code, reason, &length);
	return tmap_fail(err, TMAP_SYSTEM, "%s failed: %s", call, reason);
}

static int job_split(struct tmap_job *job, struct tmap_error *err)
{
	int node_rank = 0;

	if (tmap_job_check(job,
			   MPI_Comm_split_type(job->world, MPI_COMM_TYPE_SHARED, job->rank,
					       MPI_INFO_NULL, &job->node),
			   "MPI_Comm_split_type", err) < 0 ||
	    tmap_job_check(job, MPI_Comm_rank(job->node, &node_rank), "MPI_Comm_rank", err) < 0)
		return -1;
	job->is_leader = node_rank == 0;
	return tmap_job_check(job,
			      MPI_Comm_split(job->world, job->is_leader ? 0 : MPI_UNDEFINED,
					     job->rank, &job->leaders),
			      "MPI_Comm_split", err);
}

int tmap_job_init(struct tmap_job *job, struct tmap_error *err)
{
	*job = (struct tmap_job){ .world = MPI_COMM_WORLD,
				  .node = MPI_COMM_NULL,
				  .leaders = MPI_COMM_NULL };
	/* communicators made from it inherit the handler */
	if (tmap_job_check(job, MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN),
			   "MPI_Comm_set_errhandler", err) < 0 ||
	    tmap_job_check(job, MPI_Comm_rank(job->world, &job->rank), "MPI_Comm_rank", err) < 0 ||
	    tmap_job_check(job, MPI_Comm_size(job->world, &job->size), "MPI_Comm_size", err) < 0)
		return -1;
	return job_split(job, err);
}

void tmap_job_fini(struct tmap_job *job)
{
	if (job->broken)
		return;
	if (job->leaders != MPI_COMM_NULL)
		MPI_Comm_free(&job->leaders);
	if (job->node != MPI_COMM_NULL)
		MPI_Comm_free(&job->node);
}

/* Collective: *err is that of rank @p from, which packs only what its texts need. */
static int error_broadcast(struct tmap_job *job, int from, struct tmap_error *err)
{
	unsigned char data[sizeof *err + 64]; /* the lengths of the texts, too */
	struct tmap_bytes bytes = { 0 };
	struct tmap_cursor cursor;
	int length = 0;

	if (job->rank == from) {
		tmap_bytes_add_error(&bytes, err);
		length = bytes.failed ? 0 : (int)bytes.length;
		if (length)
			memcpy(data, bytes.data, (size_t)length);
		tmap_bytes_fini(&bytes);
	}
	if (tmap_job_check(job, MPI_Bcast(&length, 1, MPI_INT, from, job->world), "MPI_Bcast",
			   err) < 0 ||
	    tmap_job_check(job, MPI_Bcast(data, length, MPI_BYTE, from, job->world), "MPI_Bcast",
			   err) < 0)
		return -1;
	if (!length)
		return tmap_fail(err, TMAP_SYSTEM, "out of memory for the error of rank %d", from);
	cursor = (struct tmap_cursor){ .at = data, .left = (size_t)length };
	tmap_cursor_error(&cursor, err);
	tmap_cursor_end(&cursor, "an error", err);
	return -1;
}

static void error_add_rank(const struct tmap_job *job, struct tmap_error *err)
{
	char host[256] = "";

	gethostname(host, sizeof host - 1);
	tmap_wrap(err, "rank %d on '%s'", job->rank, host);
}

int tmap_job_agree(struct tmap_job *job, int status, struct tmap_error *err)
{
	int mine = status < 0 ? job->rank : INT_MAX, first = INT_MAX;

	if (job->broken)
		return -1;
	if (tmap_job_check(job, MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, job->world),
			   "MPI_Allreduce", err) < 0)
		return -1;
	if (first == INT_MAX)
		return 0;
	if (first == job->rank && first != 0)
		error_add_rank(job, err);
	return error_broadcast(job, first, err);
}

int tmap_job_follow(struct tmap_job *job, MPI_Comm comm, int status, struct tmap_error *err)
{
	if (job->broken ||
	    tmap_job_check(job, MPI_Bcast(&status, 1, MPI_INT, 0, comm), "MPI_Bcast", err) < 0)
		return -1;
	return status;
}
