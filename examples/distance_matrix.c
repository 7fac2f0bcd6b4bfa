/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * distance_matrix.c - the distances of the ranks of a job as a matrix, for a program of one's own.
 *
 *     cc -o distance_matrix distance_matrix.c $(pkg-config --cflags --libs topomap)
 *     mpirun ... topomap-probe -o job.json
 *     ./distance_matrix job.json latency >matrix.csv
 *     ./distance_matrix job.json process binary >matrix.f64
 *
 * A row is one rank's distances to all: numbers with commas, or doubles as the machine has them,
 * one row after another. Rows are written as they are made, so memory holds only one of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <topomap/topomap.h>

/* What is no use to anybody as a matrix: 16 Gi numbers are 128 GiB. */
enum { MOST_RANKS = 131072 };

static int write_csv(const double *row, int size)
{
	for (int i = 0; i < size; i++)
		if (printf("%.17g%c", row[i], i + 1 < size ? ',' : '\n') < 0)
			return -1;
	return 0;
}

static int write_binary(const double *row, int size)
{
	return fwrite(row, sizeof *row, (size_t)size, stdout) == (size_t)size ? 0 : -1;
}

static int write_matrix(const struct topomap_distances *distances, int size,
			int (*write_row)(const double *row, int size))
{
	struct topomap_error err;
	double *row = malloc((size_t)size * sizeof *row);
	int status = 0;

	if (!row) {
		fprintf(stderr, "no memory for %d distances\n", size);
		return -1;
	}
	for (int rank = 0; rank < size && status == 0; rank++) {
		status = topomap_distances_row(distances, rank, row, &err);
		if (status < 0)
			fprintf(stderr, "%s\n", err.text);
		else if ((status = write_row(row, size)) < 0)
			perror("the matrix cannot be written");
	}
	if (status == 0 && fflush(stdout) != 0) {
		perror("the matrix cannot be written");
		status = -1;
	}
	free(row);
	return status;
}

int main(int argc, char **argv)
{
	const char *scale = argc > 2 ? argv[2] : "process", *form = argc > 3 ? argv[3] : "csv";
	struct topomap_placement *job;
	struct topomap_distances *distances = NULL;
	struct topomap_error err;
	int size = 0, status = -1;

	if (argc < 2 || argc > 4 || (strcmp(form, "csv") != 0 && strcmp(form, "binary") != 0)) {
		fprintf(stderr, "Usage: %s PLACEMENT [SCALE [csv|binary]]\nScales:", argv[0]);
		for (int i = 0; topomap_word("scale", i); i++)
			fprintf(stderr, " %s", topomap_word("scale", i));
		fputc('\n', stderr);
		return 2;
	}
	job = topomap_placement_read(argv[1], &err);
	if (job && (distances = topomap_distances_new(job, scale, NULL, &err)))
		size = topomap_placement_size(job, &err);
	if (!distances)
		fprintf(stderr, "%s\n", err.text);
	else if (size > MOST_RANKS)
		fprintf(stderr, "%s: %d ranks: a matrix of more than %d is not written\n", argv[1],
			size, MOST_RANKS);
	else
		status = write_matrix(distances, size,
				      strcmp(form, "csv") == 0 ? write_csv : write_binary);
	topomap_distances_free(distances);
	topomap_placement_free(job);
	return status == 0 ? 0 : 1;
}
