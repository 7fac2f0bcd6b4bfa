#include "mpi_probe/gather.h"

#include "core/base/mem.h"
#include "mpi_probe/digest_group.h"

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

/* How long every rank's bytes are, and where they will lie; MPI counts in int. */
struct layout {
	int *length, *offset;
};

static void layout_fini(struct layout *layout)
{
	free(layout->length);
	free(layout->offset);
}

static int prepare(struct layout *layout, int ranks, struct tmap_error *err)
{
	layout->length = tmap_alloc((size_t)ranks, sizeof *layout->length, err);
	layout->offset = tmap_alloc((size_t)ranks, sizeof *layout->offset, err);
	return layout->length && layout->offset ? 0 : -1;
}

static int make_room(struct tmap_parts *parts, const struct layout *layout, int ranks,
		     struct tmap_error *err)
{
	int64_t total = 0;

	for (int i = 0; i < ranks; i++) {
		layout->offset[i] = (int)total;
		total += layout->length[i];
		if (total > INT_MAX)
			return tmap_fail(err, TMAP_SYSTEM,
					 "the job tells more than the %d bytes that "
					 "MPI gathers at once",
					 INT_MAX);
	}
	parts->data = tmap_alloc_raw((size_t)total, 1, err);
	parts->part = tmap_alloc((size_t)ranks, sizeof *parts->part, err);
	if (!parts->data || !parts->part)
		return -1;
	parts->count = ranks;
	for (int i = 0; i < ranks; i++)
		parts->part[i] = (struct tmap_part){ parts->data + layout->offset[i],
						     (size_t)layout->length[i] };
	return 0;
}

/* Rank 0 makes room for what it will get, or all of them give up. */
static int agree_on_layout(struct tmap_job *job, MPI_Comm comm, int length, int ranks, bool root,
			   struct layout *layout, struct tmap_parts *parts, struct tmap_error *err)
{
	int status = root ? prepare(layout, ranks, err) : 0;

	if (tmap_job_follow(job, comm, status, err) < 0 ||
	    tmap_job_check(job,
			   MPI_Gather(&length, 1, MPI_INT, layout->length, 1, MPI_INT, 0, comm),
			   "MPI_Gather", err) < 0)
		return -1;
	if (root)
		status = make_room(parts, layout, ranks, err);
	return tmap_job_follow(job, comm, status, err);
}

int tmap_gather(struct tmap_job *job, MPI_Comm comm, const struct tmap_bytes *mine,
		struct tmap_parts *parts, struct tmap_error *err)
{
	struct layout layout = { 0 };
	struct tmap_parts made = { 0 };
	int rank = 0, ranks = 0, status = -1;
	int length = mine->length > INT_MAX ? INT_MAX : (int)mine->length;

	if (tmap_job_check(job, MPI_Comm_rank(comm, &rank), "MPI_Comm_rank", err) < 0 ||
	    tmap_job_check(job, MPI_Comm_size(comm, &ranks), "MPI_Comm_size", err) < 0)
		return -1;
	if (agree_on_layout(job, comm, length, ranks, rank == 0, &layout, &made, err) == 0)
		status =
			tmap_job_check(job,
				       MPI_Gatherv(mine->data, length, MPI_BYTE, made.data,
						   layout.length, layout.offset, MPI_BYTE, 0, comm),
				       "MPI_Gatherv", err);
	layout_fini(&layout);
	if (status < 0)
		tmap_parts_fini(&made);
	else
		*parts = made;
	return status;
}

/* Which ranks send: at rank 0, one flag a rank. */
struct choice {
	int groups;
	struct tmap_digest *digest;
	int *is_first;
};

static void choice_fini(struct choice *choice)
{
	free(choice->digest);
	free(choice->is_first);
}

static int choose_room(struct choice *choice, struct tmap_distinct *distinct, int ranks,
		       struct tmap_error *err)
{
	choice->digest = tmap_alloc((size_t)ranks, sizeof *choice->digest, err);
	choice->is_first = tmap_alloc((size_t)ranks, sizeof *choice->is_first, err);
	distinct->group = tmap_alloc((size_t)ranks, sizeof *distinct->group, err);
	distinct->first = tmap_alloc((size_t)ranks, sizeof *distinct->first, err);
	if (!choice->digest || !choice->is_first || !distinct->group || !distinct->first)
		return -1;
	return 0;
}

static int choose(struct choice *choice, struct tmap_distinct *distinct, int ranks,
		  struct tmap_error *err)
{
	choice->groups =
		tmap_digest_group(choice->digest, ranks, distinct->group, distinct->first, err);
	for (int g = 0; g < choice->groups; g++)
		choice->is_first[distinct->first[g]] = 1;
	return choice->groups < 0 ? -1 : 0;
}

/* Collective: should this rank send? */
static int ask_who_sends(struct tmap_job *job, MPI_Comm comm, const struct tmap_digest *digest,
			 int ranks, bool root, struct choice *choice,
			 struct tmap_distinct *distinct, int *sends, struct tmap_error *err)
{
	int size = sizeof digest->byte;
	int status = root ? choose_room(choice, distinct, ranks, err) : 0;

	if (tmap_job_follow(job, comm, status, err) < 0 ||
	    tmap_job_check(job,
			   MPI_Gather(digest->byte, size, MPI_BYTE, choice->digest, size, MPI_BYTE,
				      0, comm),
			   "MPI_Gather", err) < 0)
		return -1;
	if (root)
		status = choose(choice, distinct, ranks, err);
	if (tmap_job_follow(job, comm, status, err) < 0)
		return -1;
	return tmap_job_check(job,
			      MPI_Scatter(choice->is_first, 1, MPI_INT, sends, 1, MPI_INT, 0, comm),
			      "MPI_Scatter", err);
}

/* Ranks that did not send have an empty part: only the others stay. */
static void keep_sent(struct tmap_distinct *distinct, int groups)
{
	for (int g = 0; g < groups; g++)
		distinct->parts.part[g] = distinct->parts.part[distinct->first[g]];
	distinct->parts.count = groups;
}

int tmap_gather_distinct(struct tmap_job *job, MPI_Comm comm, const struct tmap_bytes *mine,
			 struct tmap_distinct *distinct, struct tmap_error *err)
{
	const struct tmap_bytes nothing = { 0 };
	struct tmap_distinct made = { 0 };
	struct choice choice = { 0 };
	struct tmap_digest digest;
	int rank = 0, ranks = 0, sends = 0, status = -1;

	tmap_digest_of(&digest, mine->data, mine->length);
	if (tmap_job_check(job, MPI_Comm_rank(comm, &rank), "MPI_Comm_rank", err) < 0 ||
	    tmap_job_check(job, MPI_Comm_size(comm, &ranks), "MPI_Comm_size", err) < 0)
		return -1;
	if (ask_who_sends(job, comm, &digest, ranks, rank == 0, &choice, &made, &sends, err) == 0)
		status = tmap_gather(job, comm, sends ? mine : &nothing, &made.parts, err);
	if (status == 0 && rank == 0)
		keep_sent(&made, choice.groups);
	choice_fini(&choice);
	if (status < 0)
		tmap_distinct_fini(&made);
	else
		*distinct = made;
	return status;
}
