/* SPDX-License-Identifier: BSD-3-Clause */
/* Each call of MPI that reads from a file or writes to one, once by each rank, in the file of the argument;
 * what each names is another power of two of bytes, so that a sum of them says which are in it. Rank 0 prints
 * "F WAY CALLS BYTES RANKS MOST" for each way, as added up by the program itself, and fails where the file has
 * not the size that was written. "large": also the calls for large counts, where MPI has them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SPACE = 1 << 15 };

static char buffer[SPACE];
static int ranks, rank, step;
static struct sum {
	long calls, bytes;
} read_sum, read_all_sum, write_sum, write_all_sum;

/* How many bytes the next call moves, of which the sum has one more. */
static int next(struct sum *sum)
{
	int bytes = 1 << step++ % 14;

	sum->calls++;
	sum->bytes += bytes;
	return bytes;
}

/* Where a rank's part of a call of that many bytes begins. */
static MPI_Offset at(MPI_File file)
{
	MPI_File_seek(file, rank * SPACE, MPI_SEEK_SET);
	return rank * SPACE;
}

#define BYTES(sum) buffer, next(&sum), MPI_BYTE

static void write_all_ways(MPI_File file)
{
	MPI_Request request[5];
	MPI_Status status;

	MPI_File_write_at(file, at(file), BYTES(write_sum), &status);
	MPI_File_write(file, BYTES(write_sum), MPI_STATUS_IGNORE);
	MPI_File_write_shared(file, BYTES(write_sum), &status);
	MPI_File_write_at_all(file, at(file), BYTES(write_all_sum), &status);
	MPI_File_write_all(file, BYTES(write_all_sum), &status);
	MPI_File_write_ordered(file, BYTES(write_all_sum), &status);
	MPI_File_write_at_all_begin(file, at(file), BYTES(write_all_sum));
	MPI_File_write_at_all_end(file, buffer, &status);
	MPI_File_write_all_begin(file, BYTES(write_all_sum));
	MPI_File_write_all_end(file, buffer, &status);
	MPI_File_write_ordered_begin(file, BYTES(write_all_sum));
	MPI_File_write_ordered_end(file, buffer, &status);
	MPI_File_iwrite_at(file, at(file), BYTES(write_sum), &request[0]);
	MPI_File_iwrite(file, BYTES(write_sum), &request[1]);
	MPI_File_iwrite_shared(file, BYTES(write_sum), &request[2]);
	MPI_File_iwrite_at_all(file, at(file), BYTES(write_all_sum), &request[3]);
	MPI_File_iwrite_all(file, BYTES(write_all_sum), &request[4]);
	MPI_Waitall(5, request, MPI_STATUSES_IGNORE);
}

static void read_all_ways(MPI_File file)
{
	MPI_Request request[5];
	MPI_Status status;

	MPI_File_read_at(file, at(file), BYTES(read_sum), &status);
	MPI_File_read(file, BYTES(read_sum), MPI_STATUS_IGNORE);
	MPI_File_read_shared(file, BYTES(read_sum), &status);
	MPI_File_read_at_all(file, at(file), BYTES(read_all_sum), &status);
	MPI_File_read_all(file, BYTES(read_all_sum), &status);
	MPI_File_read_ordered(file, BYTES(read_all_sum), &status);
	MPI_File_read_at_all_begin(file, at(file), BYTES(read_all_sum));
	MPI_File_read_at_all_end(file, buffer, &status);
	MPI_File_read_all_begin(file, BYTES(read_all_sum));
	MPI_File_read_all_end(file, buffer, &status);
	MPI_File_read_ordered_begin(file, BYTES(read_all_sum));
	MPI_File_read_ordered_end(file, buffer, &status);
	MPI_File_iread_at(file, at(file), BYTES(read_sum), &request[0]);
	MPI_File_iread(file, BYTES(read_sum), &request[1]);
	MPI_File_iread_shared(file, BYTES(read_sum), &request[2]);
	MPI_File_iread_at_all(file, at(file), BYTES(read_all_sum), &request[3]);
	MPI_File_iread_all(file, BYTES(read_all_sum), &request[4]);
	MPI_Waitall(5, request, MPI_STATUSES_IGNORE);
}

#if MPI_VERSION >= 4
static void call_large(MPI_File file)
{
	MPI_Request request;

	MPI_File_write_at_c(file, at(file), BYTES(write_sum), MPI_STATUS_IGNORE);
	MPI_File_write_all_c(file, BYTES(write_all_sum), MPI_STATUS_IGNORE);
	MPI_File_read_at_all_begin_c(file, at(file), BYTES(read_all_sum));
	MPI_File_read_at_all_end(file, buffer, MPI_STATUS_IGNORE);
	MPI_File_iread_c(file, BYTES(read_sum), &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}
#else
static void call_large(MPI_File file)
{
	(void)file;
}
#endif

/* By rank 0 alone, in elements of 8 bytes; the last rank only asks for what is beyond the end. */
static void call_alone(MPI_File file)
{
	if (rank == 0) {
		MPI_File_write_at(file, 0, buffer, 125, MPI_DOUBLE, MPI_STATUS_IGNORE);
		write_sum.calls++;
		write_sum.bytes += 1000;
	}
	if (rank == ranks - 1) {
		MPI_File_read_at(file, (MPI_Offset)1 << 30, buffer, 10, MPI_BYTE,
				 MPI_STATUS_IGNORE);
		read_sum.calls++;
		read_sum.bytes += 10;
	}
}

static void print_sum(const char *way, const struct sum *sum)
{
	long all[2], most;

	MPI_Reduce(&sum->calls, &all[0], 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	MPI_Reduce(&sum->bytes, &most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("F %s %ld %ld %d %ld\n", way, all[0], all[1], ranks, most);
}

int main(int argc, char **argv)
{
	MPI_File file;
	MPI_Offset size;
	struct stat there;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
			  &file) != MPI_SUCCESS)
		return 2;
	write_all_ways(file);
	MPI_Barrier(MPI_COMM_WORLD);
	read_all_ways(file);
	call_alone(file);
	if (argc > 2 && strcmp(argv[2], "large") == 0)
		call_large(file);
	MPI_File_get_size(file, &size);
	MPI_File_close(&file);
	/* another witness that there are bytes: the last rank's part */
	if (stat(argv[1], &there) < 0 || there.st_size != size || size <= (ranks - 1) * SPACE)
		return 4;
	print_sum("read", &read_sum);
	print_sum("read_all", &read_all_sum);
	print_sum("write", &write_sum);
	print_sum("write_all", &write_all_sum);
	MPI_Finalize();
	return 0;
}
