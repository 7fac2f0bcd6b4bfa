/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hardware.c - what hardware splits of MPI_COMM_WORLD give, for hardware.sh and the cluster's
 * test_hierarchy.sh.
 *
 * A line for each type and rank: "numa 3: 3 4 5", the ranks of its communicator in the order of
 * the communicator, or "numa 3: null". Types are called as topomap calls them; "unguided2" is the
 * second call of repeated unguided splits.
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 4096 };

/* What a rank says of its communicator, by the communicator's group: it need not be usable. */
static void print_members(char *line, MPI_Comm comm)
{
	MPI_Group group, world;
	int size, *rank, *member;

	if (comm == MPI_COMM_NULL) {
		strcpy(line, " null");
		return;
	}
	MPI_Comm_group(comm, &group);
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_size(group, &size);
	rank = malloc((size_t)size * sizeof *rank);
	member = malloc((size_t)size * sizeof *member);
	for (int i = 0; i < size; i++)
		rank[i] = i;
	MPI_Group_translate_ranks(group, size, rank, world, member);
	*line = '\0';
	for (int i = 0; i < size; i++)
		snprintf(line + strlen(line), LINE - strlen(line), " %d", member[i]);
	free(rank);
	free(member);
	MPI_Group_free(&group);
	MPI_Group_free(&world);
}

static void report(const char *type, MPI_Comm comm)
{
	char line[LINE], *all;
	int rank, size;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	all = malloc((size_t)size * LINE);
	print_members(line, comm);
	MPI_Gather(line, LINE, MPI_CHAR, all, LINE, MPI_CHAR, 0, MPI_COMM_WORLD);
	for (int r = 0; rank == 0 && r < size; r++)
		printf("%s %d:%s\n", type, r, all + (size_t)r * LINE);
	fflush(stdout);
	free(all);
}

#ifdef OPEN_MPI

/* MPI 3.1 has no such splits. */
static void split_unguided(void)
{
}

static const struct {
	const char *name;
	int type;
} types[] = {
	{ "mpi_shared_memory", OMPI_COMM_TYPE_NODE },
	{ "node", OMPI_COMM_TYPE_HOST },
	{ "board", OMPI_COMM_TYPE_BOARD },
	{ "package", OMPI_COMM_TYPE_SOCKET },
	{ "numa", OMPI_COMM_TYPE_NUMA },
	{ "l3", OMPI_COMM_TYPE_L3CACHE },
	{ "l2", OMPI_COMM_TYPE_L2CACHE },
	{ "l1", OMPI_COMM_TYPE_L1CACHE },
	{ "core", OMPI_COMM_TYPE_CORE },
	{ "pu", OMPI_COMM_TYPE_HWTHREAD },
};

static void split(int i, MPI_Comm *comm)
{
	MPI_Comm_split_type(MPI_COMM_WORLD, types[i].type, 0, MPI_INFO_NULL, comm);
}

#else

/* Split by split, until nobody has a communicator left. */
static void split_unguided(void)
{
	MPI_Comm comm = MPI_COMM_WORLD, next;
	char name[32];

	for (int call = 1, left = 1; left; call++) {
		int has;

		next = MPI_COMM_NULL;
		if (comm != MPI_COMM_NULL)
			MPI_Comm_split_type(comm, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL,
					    &next);
		comm = next;
		snprintf(name, sizeof name, "unguided%d", call);
		report(name, comm);
		has = comm != MPI_COMM_NULL;
		MPI_Allreduce(&has, &left, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	}
}

static const struct {
	const char *name, *type;
} types[] = {
	{ "mpi_shared_memory", "mpi_shared_memory" },
	{ "node", "node" },
	{ "package", "package" },
	{ "numa", "numanode" },
	{ "l5", "l5cache" },
	{ "l4", "l4cache" },
	{ "l3", "l3cache" },
	{ "l2", "l2cache" },
	{ "l1", "l1dcache" },
	{ "core", "core" },
	{ "pu", "hwthread" },
};

static void split(int i, MPI_Comm *comm)
{
	MPI_Info info;

	MPI_Info_create(&info);
	MPI_Info_set(info, "mpi_hw_resource_type", types[i].type);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, info, comm);
	MPI_Info_free(&info);
}

#endif

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	for (int i = 0; i < (int)(sizeof types / sizeof types[0]); i++) {
		MPI_Comm comm;

		split(i, &comm);
		report(types[i].name, comm);
	}
	split_unguided();
	MPI_Finalize();
	return 0;
}
