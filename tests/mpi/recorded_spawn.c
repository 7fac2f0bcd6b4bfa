/* SPDX-License-Identifier: BSD-3-Clause */
/* Two groups of processes that MPI connects: "spawn": the program starts two processes of itself by
 * MPI_Comm_spawn, "multiple": by MPI_Comm_spawn_multiple; "connect": the upper half of its ranks connects to a
 * port of the lower one.
 *
 * Over what connects them each sends 100 bytes, twice, to the rank of its number; all add up over the two
 * groups, three times; and once over the merged ones. Of itself a program calls a barrier and sends 7 bytes to
 * the next rank. */
#include <mpi.h>
#include <string.h>

static void pass_on(MPI_Comm comm, int bytes)
{
	char out[100] = "", in[100];
	int rank, ranks;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &ranks);
	MPI_Sendrecv(out, bytes, MPI_BYTE, (rank + 1) % ranks, 0, in, bytes, MPI_BYTE,
		     (rank + ranks - 1) % ranks, 0, comm, MPI_STATUS_IGNORE);
}

static void exchange(MPI_Comm other, int is_low)
{
	char out[100] = "", in[100];
	double one = 1, sum;
	int rank;
	MPI_Comm merged;

	MPI_Comm_rank(other, &rank);
	for (int i = 0; i < 2; i++)
		MPI_Sendrecv(out, 100, MPI_BYTE, rank, 0, in, 100, MPI_BYTE, rank, 0, other,
			     MPI_STATUS_IGNORE);
	for (int i = 0; i < 3; i++)
		MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, other);
	MPI_Intercomm_merge(other, !is_low, &merged);
	MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, merged);
	MPI_Comm_free(&merged);
	MPI_Comm_disconnect(&other);
}

/* The two halves of the program. */
static MPI_Comm connect_halves(int *is_low)
{
	char port[MPI_MAX_PORT_NAME] = "";
	MPI_Comm half, other;
	int rank, ranks;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	*is_low = rank < ranks / 2;
	MPI_Comm_split(MPI_COMM_WORLD, *is_low, rank, &half);
	if (rank == 0)
		MPI_Open_port(MPI_INFO_NULL, port);
	PMPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
	if (*is_low)
		MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &other);
	else
		MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &other);
	MPI_Comm_free(&half);
	return other;
}

static MPI_Comm spawn(char *program, int is_multiple)
{
	char *programs[] = { program, program };
	int counts[] = { 1, 1 }, codes[2];
	MPI_Info infos[] = { MPI_INFO_NULL, MPI_INFO_NULL };
	MPI_Comm other;

	if (is_multiple)
		MPI_Comm_spawn_multiple(2, programs, MPI_ARGVS_NULL, counts, infos, 0,
					MPI_COMM_WORLD, &other, codes);
	else
		MPI_Comm_spawn(program, MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other,
			       codes);
	return other;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	MPI_Comm other;
	int is_low = 1;

	MPI_Init(&argc, &argv);
	MPI_Comm_get_parent(&other);
	MPI_Barrier(MPI_COMM_WORLD);
	pass_on(MPI_COMM_WORLD, 7);
	if (other != MPI_COMM_NULL)
		is_low = 0;
	else if (strcmp(how, "connect") == 0)
		other = connect_halves(&is_low);
	else
		other = spawn(argv[0], strcmp(how, "multiple") == 0);
	exchange(other, is_low);
	MPI_Finalize();
	return 0;
}
