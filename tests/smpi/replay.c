/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replay.c - many schedules in one simulation: replay FILE FIRST LAST prints the seconds of each,
 * from a common start to the end of the last rank.
 *
 * FILE is what bench_judge writes: numbers of 64 bits,
 *
 *     ranks, schedules; of each schedule its messages of each rank [ranks], then rank by rank
 *     the messages it takes part in, each: round, other rank, bytes, is sent
 *
 * A rank issues all messages of a round in their order, and waits for them. SMPI runs all ranks in
 * one process, which maps the file once for all of them, and copies no data.
 */
#include <fcntl.h>
#include <mpi.h>
#include <simgrid/actor.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_REQUESTS = 1 << 16, MOST_BYTES = 1 << 28 };

struct entry {
	int64_t round, peer, bytes, is_sent;
};

/* Shared by all ranks: variables are not made private to each. */
static const int64_t *file;
static char *buffer;
static double *end;

static void map(const char *path)
{
	int descriptor = open(path, O_RDONLY);
	struct stat status;

	if (descriptor < 0 || fstat(descriptor, &status) < 0)
		exit(1);
	file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, descriptor, 0);
	buffer = SMPI_SHARED_MALLOC(MOST_BYTES);
	end = calloc((size_t)file[0], sizeof *end);
	close(descriptor);
}

static void run(const struct entry *entry, int64_t count, MPI_Request *request)
{
	int pending = 0;

	for (int64_t i = 0; i < count; i++) {
		if (pending && entry[i].round != entry[i - 1].round) {
			MPI_Waitall(pending, request, MPI_STATUSES_IGNORE);
			pending = 0;
		}
		if (entry[i].is_sent)
			MPI_Isend(buffer, (int)entry[i].bytes, MPI_BYTE, (int)entry[i].peer, 0,
				  MPI_COMM_WORLD, &request[pending++]);
		else
			MPI_Irecv(buffer, (int)entry[i].bytes, MPI_BYTE, (int)entry[i].peer, 0,
				  MPI_COMM_WORLD, &request[pending++]);
	}
	MPI_Waitall(pending, request, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
	MPI_Request *request = malloc(MOST_REQUESTS * sizeof *request);
	const int64_t *at;
	double start = 1;
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (!request || argc < 2)
		return 1;
	if (!file)
		map(argv[1]);
	if (size != file[0])
		return 1;
	at = file + 2;
	for (int64_t s = 0; s < file[1]; s++) {
		const int64_t *count = at;
		const struct entry *entry = (const void *)(at + size), *own = NULL;
		double longest = 0;

		for (int r = 0; r < size; r++) {
			if (r == rank)
				own = entry;
			entry += count[r];
		}
		at = (const void *)entry;
		sg_actor_sleep_for(start - MPI_Wtime());
		run(own, count[rank], request);
		end[rank] = MPI_Wtime();
		MPI_Barrier(MPI_COMM_WORLD);
		for (int r = 0; r < size; r++)
			longest = end[r] > longest ? end[r] : longest;
		if (rank == 0)
			printf("%.12g\n", longest - start);
		start = (double)(int64_t)(longest + 2);
	}
	MPI_Finalize();
	free(request);
	return 0;
}
