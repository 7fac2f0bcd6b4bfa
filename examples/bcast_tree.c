/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_tree.c - a broadcast of one's own over the distance-aware tree of a communicator.
 *
 *     mpicc -o bcast_tree bcast_tree.c $(pkg-config --cflags --libs topomap)
 *     mpirun OPTIONS topomap-probe -o job.json
 *     mpirun OPTIONS ./bcast_tree job.json
 *
 * Both commands run in one allocation with the same OPTIONS, so job.json is where the ranks of the
 * second one are, too; without an argument its name is taken from TOPOMAP_PLACEMENT. Rank 0 reads
 * it and gives its text to all. The even and the odd ranks then have a communicator each, whose
 * tree every member computes for itself: it is the same for all.
 */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <topomap/topomap.h>

enum { COUNT = 100000, TAG = 1 };

/* Called by all ranks: if @p is_bad on any, the first of them says why, and the job ends. */
static void end_if(int is_bad, const char *why)
{
	int rank, first;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	is_bad = is_bad ? rank : INT_MAX;
	MPI_Allreduce(&is_bad, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	if (first == INT_MAX)
		return;
	if (first == rank)
		fprintf(stderr, "bcast_tree: %s\n", why);
	/* not MPI_Abort(): a launcher that kills the job may lose its last line */
	MPI_Finalize();
	exit(EXIT_FAILURE);
}

/* All of a file, or NULL with *why set. */
static char *read_text(const char *path, int *length, const char **why)
{
	FILE *in = path ? fopen(path, "rb") : NULL;
	char *text = NULL;
	long end;

	*why = path ? "the placement cannot be read" :
		      "there is no argument, and no TOPOMAP_PLACEMENT";
	if (in && fseek(in, 0, SEEK_END) == 0 && (end = ftell(in)) > 0 && end < INT_MAX &&
	    fseek(in, 0, SEEK_SET) == 0 && (text = malloc((size_t)end))) {
		*length = (int)end;
		if (fread(text, 1, (size_t)end, in) != (size_t)end) {
			free(text);
			text = NULL;
		}
	}
	if (in)
		fclose(in);
	return text;
}

/* The placement of the whole job, on all ranks. */
static struct topomap_placement *read_job(const char *path)
{
	struct topomap_placement *job;
	struct topomap_error err = { 0 };
	char *text = NULL;
	const char *why = "";
	int rank, size, length = 0;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (rank == 0)
		text = read_text(path, &length, &why);
	end_if(rank == 0 && !text, why);
	MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (rank != 0)
		text = malloc((size_t)length);
	end_if(!text, "there is no memory for the placement");
	MPI_Bcast(text, length, MPI_CHAR, 0, MPI_COMM_WORLD);
	job = topomap_placement_parse(text, (size_t)length, &err);
	free(text);
	end_if(!job, err.text);
	end_if(topomap_placement_size(job, NULL) != size,
	       "the placement is that of another number of ranks");
	return job;
}

/* The distance-aware tree of a communicator, from its rank 0. */
static struct topomap_tree *tree_of(MPI_Comm comm, const struct topomap_placement *job)
{
	struct topomap_placement *part = NULL;
	struct topomap_distances *far = NULL;
	struct topomap_tree *tree = NULL;
	struct topomap_error err = { 0 };
	int rank, size, *world;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(comm, &size);
	world = malloc((size_t)size * sizeof *world);
	end_if(!world, "there is no memory for the ranks");
	MPI_Allgather(&rank, 1, MPI_INT, world, 1, MPI_INT, comm);
	if ((part = topomap_placement_subset(job, world, size, &err)) &&
	    (far = topomap_distances_new(part, "process", NULL, &err)))
		tree = topomap_tree_new(far, 0, &err);
	topomap_distances_free(far);
	topomap_placement_free(part);
	free(world);
	end_if(!tree, err.text);
	return tree;
}

/* What MPI_Bcast from rank 0 does, along the tree. */
static void tree_bcast(int *data, int count, MPI_Comm comm, const struct topomap_tree *tree)
{
	const int *child;
	int rank, parent, children;

	MPI_Comm_rank(comm, &rank);
	parent = topomap_tree_parents(tree, NULL)[rank];
	children = topomap_tree_children(tree, rank, &child, NULL);
	if (parent != TOPOMAP_NONE)
		MPI_Recv(data, count, MPI_INT, parent, TAG, comm, MPI_STATUS_IGNORE);
	for (int i = 0; i < children; i++)
		MPI_Send(data, count, MPI_INT, child[i], TAG, comm);
}

int main(int argc, char **argv)
{
	static int ours[COUNT], theirs[COUNT];
	struct topomap_placement *job;
	struct topomap_tree *tree;
	int rank, comm_rank, size;
	MPI_Comm comm;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	job = read_job(argc > 1 ? argv[1] : getenv("TOPOMAP_PLACEMENT"));
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm);
	MPI_Comm_rank(comm, &comm_rank);
	MPI_Comm_size(comm, &size);
	tree = tree_of(comm, job);
	topomap_placement_free(job);
	for (int i = 0; comm_rank == 0 && i < COUNT; i++)
		ours[i] = theirs[i] = i * 7 + rank;
	tree_bcast(ours, COUNT, comm, tree);
	MPI_Bcast(theirs, COUNT, MPI_INT, 0, comm);
	end_if(memcmp(ours, theirs, sizeof ours) != 0, "MPI_Bcast has other data");
	for (int turn = 0; turn < 2; turn++) {
		if (comm_rank == 0 && rank == turn) {
			printf("%s ranks, parents:", rank % 2 ? "odd" : "even");
			for (int r = 0; r < size; r++)
				printf(" %d", topomap_tree_parents(tree, NULL)[r]);
			printf("\n");
			fflush(stdout);
		}
		MPI_Barrier(MPI_COMM_WORLD);
	}
	topomap_tree_free(tree);
	MPI_Comm_free(&comm);
	MPI_Finalize();
	return 0;
}
