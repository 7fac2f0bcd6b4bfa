/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/operation/channel.h"

int tmap_mpi_fail(int code, const char *function, struct tmap_error *err)
{
	char reason[MPI_MAX_ERROR_STRING] = "";
	int length;

	MPI_Error_string(code, reason, &length);
	return tmap_fail(err, TMAP_SYSTEM, "%s: %s", function, reason);
}

/* The same ranks once more. Where there can be no more of them, that is for us to say, and not
 * for the program's error handler. */
static int comm_copy(MPI_Comm comm, MPI_Comm *copy, struct tmap_error *err)
{
	MPI_Errhandler handler;
	MPI_Group group;
	int status;

	MPI_Comm_get_errhandler(comm, &handler);
	MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
	status = tmap_mpi_check(MPI_Comm_group(comm, &group), "MPI_Comm_group", err);
	if (status == 0) {
		status = tmap_mpi_check(MPI_Comm_create(comm, group, copy), "MPI_Comm_create", err);
		MPI_Group_free(&group);
	}
	MPI_Comm_set_errhandler(comm, handler);
	if (handler != MPI_ERRHANDLER_NULL)
		MPI_Errhandler_free(&handler);
	return status;
}

int tmap_channel_init(struct tmap_channel *channel, MPI_Comm comm, struct tmap_error *err)
{
	struct tmap_channel made = { .comm = MPI_COMM_NULL };
	int has = 0, has_two_groups;
	void *last;

	if (comm == MPI_COMM_NULL)
		return tmap_fail(err, TMAP_INPUT, "MPI_COMM_NULL has no ranks");
	if (tmap_mpi_check(MPI_Comm_test_inter(comm, &has_two_groups), "MPI_Comm_test_inter", err) <
	    0)
		return -1;
	if (has_two_groups)
		return tmap_fail(err, TMAP_INPUT,
				 "an intercommunicator has two groups of ranks, and algorithms are "
				 "executed in one");
	if (comm_copy(comm, &made.comm, err) < 0)
		return -1;
	MPI_Comm_set_errhandler(made.comm, MPI_ERRORS_RETURN);
	MPI_Comm_rank(made.comm, &made.rank);
	MPI_Comm_size(made.comm, &made.size);
	made.tag_last = 32767; /* what every MPI has */
	if (MPI_Comm_get_attr(made.comm, MPI_TAG_UB, &last, &has) == MPI_SUCCESS && has)
		made.tag_last = *(int *)last;
	*channel = made;
	return 0;
}

void tmap_channel_fini(struct tmap_channel *channel)
{
	if (channel->comm != MPI_COMM_NULL)
		MPI_Comm_free(&channel->comm);
}

int tmap_channel_tag(struct tmap_channel *channel)
{
	int tag = channel->tag;

	channel->tag = tag == channel->tag_last ? 0 : tag + 1;
	return tag;
}
