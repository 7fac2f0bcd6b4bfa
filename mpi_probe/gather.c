/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/gather.h"

#include "core/base/mem.h"
#include "mpi_probe/digest_group.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

void tmap_parts_fini(struct tmap_parts *parts)
{
	free(parts->part);
	free(parts->data);
	*parts = (struct tmap_parts){ 0 };
}

void tmap_distinct_fini(struct tmap_distinct *distinct)
{
	tmap_parts_fini(&distinct->parts);
	free(distinct->group);
	free(distinct->first);
	*distinct = (struct tmap_distinct){ 0 };
}

/* The rank in a communicator and its size. */
static int comm_rank_and_size(struct tmap_job *job, MPI_Comm comm, int *rank, int *size,
			      struct tmap_error *err)
{
	if (tmap_job_check(job, MPI_Comm_rank(comm, rank), "MPI_Comm_rank", err) < 0)
		return -1;
	return tmap_job_check(job, MPI_Comm_size(comm, size), "MPI_Comm_size", err);
}

/* Rank 0: room for length[ranks] bytes, one part behind the other. MPI counts in int. */
static int parts_allocate(struct tmap_parts *parts, const int *length, int *offset, int ranks,
			  struct tmap_error *err)
{
	int64_t total = 0;

	for (int i = 0; i < ranks; i++) {
		offset[i] = (int)total;
		total += length[i];
		if (total > INT_MAX)
			return tmap_fail(err, TMAP_SYSTEM,
					 "the job has more than the %d bytes that MPI gathers at "
					 "once",
					 INT_MAX);
	}
	parts->data = tmap_alloc_raw((size_t)total, 1, err);
	parts->part = tmap_alloc((size_t)ranks, sizeof *parts->part, err);
	if (!parts->data || !parts->part)
		return -1;
	parts->count = ranks;
	for (int i = 0; i < ranks; i++)
		parts->part[i] = (struct tmap_part){ parts->data + offset[i], (size_t)length[i] };
	return 0;
}

int tmap_gather(struct tmap_job *job, MPI_Comm comm, const struct tmap_bytes *mine,
		struct tmap_parts *parts, struct tmap_error *err)
{
	struct tmap_parts made = { 0 };
	int rank = 0, ranks = 0, status = 0;
	int sent = mine->length > INT_MAX ? INT_MAX : (int)mine->length;
	int *length = NULL, *offset = NULL;

	if (comm_rank_and_size(job, comm, &rank, &ranks, err) < 0)
		return -1;
	if (rank == 0) {
		length = tmap_alloc((size_t)ranks, sizeof *length, err);
		offset = tmap_alloc((size_t)ranks, sizeof *offset, err);
		status = length && offset ? 0 : -1;
	}
	/* where rank 0 has no room, all give up */
	status = tmap_job_follow(job, comm, status, err);
	if (status == 0)
		status = tmap_job_check(job,
					MPI_Gather(&sent, 1, MPI_INT, length, 1, MPI_INT, 0, comm),
					"MPI_Gather", err);
	if (status == 0) {
		if (length && offset) /* at rank 0 */
			status = parts_allocate(&made, length, offset, ranks, err);
		status = tmap_job_follow(job, comm, status, err);
	}
	if (status == 0)
		status = tmap_job_check(job,
					MPI_Gatherv(mine->data, sent, MPI_BYTE, made.data, length,
						    offset, MPI_BYTE, 0, comm),
					"MPI_Gatherv", err);
	free(length);
	free(offset);
	if (status < 0)
		tmap_parts_fini(&made);
	else
		*parts = made;
	return status;
}

/* Collective: *sends is whether this rank is the first with its digest; at rank 0 also the groups
 * of equal digests, and their number. */
static int digests_gather(struct tmap_job *job, MPI_Comm comm, const struct tmap_digest *mine,
			  struct tmap_distinct *distinct, int *groups, int *sends,
			  struct tmap_error *err)
{
	int rank = 0, ranks = 0, status = 0, size = sizeof mine->byte;
	struct tmap_digest *digest = NULL; /* [ranks], at rank 0 */
	int *is_first = NULL;              /* the same */

	if (comm_rank_and_size(job, comm, &rank, &ranks, err) < 0)
		return -1;
	if (rank == 0) {
		digest = tmap_alloc((size_t)ranks, sizeof *digest, err);
		is_first = tmap_alloc((size_t)ranks, sizeof *is_first, err);
		distinct->group = tmap_alloc((size_t)ranks, sizeof *distinct->group, err);
		distinct->first = tmap_alloc((size_t)ranks, sizeof *distinct->first, err);
		status = digest && is_first && distinct->group && distinct->first ? 0 : -1;
	}
	status = tmap_job_follow(job, comm, status, err);
	if (status == 0)
		status = tmap_job_check(
			job,
			MPI_Gather(mine->byte, size, MPI_BYTE, digest, size, MPI_BYTE, 0, comm),
			"MPI_Gather", err);
	if (status == 0) {
		if (is_first) { /* at rank 0 */
			*groups = tmap_digest_group(digest, ranks, distinct->group, distinct->first,
						    err);
			assert(distinct->first);
			for (int g = 0; g < *groups; g++)
				is_first[distinct->first[g]] = 1;
			status = *groups < 0 ? -1 : 0;
		}
		status = tmap_job_follow(job, comm, status, err);
	}
	if (status == 0)
		status = tmap_job_check(
			job, MPI_Scatter(is_first, 1, MPI_INT, sends, 1, MPI_INT, 0, comm),
			"MPI_Scatter", err);
	free(digest);
	free(is_first);
	return status;
}

int tmap_gather_distinct(struct tmap_job *job, MPI_Comm comm, const struct tmap_bytes *mine,
			 struct tmap_distinct *distinct, struct tmap_error *err)
{
	const struct tmap_bytes nothing = { 0 };
	struct tmap_distinct made = { 0 };
	struct tmap_digest digest;
	int groups = 0, sends = 0, status;

	tmap_digest_of(&digest, mine->data, mine->length);
	status = digests_gather(job, comm, &digest, &made, &groups, &sends, err);
	if (status == 0)
		status = tmap_gather(job, comm, sends ? mine : &nothing, &made.parts, err);
	if (status == 0 && made.first) {
		/* ranks that did not send have an empty part: only the others stay */
		assert(made.parts.part);
		for (int g = 0; g < groups; g++)
			made.parts.part[g] = made.parts.part[made.first[g]];
		made.parts.count = groups;
	}
	if (status < 0)
		tmap_distinct_fini(&made);
	else
		*distinct = made;
	return status;
}
