/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorded_files.h - what a program reads from files and writes to them by MPI, as its calls name it.
 *
 *                each rank for itself                     all ranks that opened the file
 *     reads      MPI_File_read, _read_at, _read_shared    MPI_File_read_all, _read_at_all, _read_ordered
 *     writes     MPI_File_write, ...                      MPI_File_write_all, ...
 *
 * with those that do not block, and the split ones, which count when they begin. A read beyond the end
 * of a file gets fewer bytes than it names.
 */
#ifndef TMAP_CORE_RECORD_RECORDED_FILES_H
#define TMAP_CORE_RECORD_RECORDED_FILES_H

#include "core/base/keyword.h"

enum tmap_file_way {
	TMAP_FILE_READ,
	TMAP_FILE_READ_ALL,
	TMAP_FILE_WRITE,
	TMAP_FILE_WRITE_ALL,
	TMAP_FILE_WAYS,
};

/** By name in documents, with what one of them is: "collective read". */
extern const struct tmap_keywords tmap_file_ways;

/** Calls of one way; all of it is 0 where there are none. */
struct tmap_recorded_files {
	int64_t calls, bytes; /**< of all ranks together */
	int64_t most_bytes; /**< of the rank that moves most; at least the mean of those that call */
	int ranks;          /**< that call */
	double seconds_sum; /**< in calls that block, of all ranks together */
	double seconds_max; /**< of the rank that was longest in them */
};

/** One more call of a rank. */
void tmap_recorded_files_count(struct tmap_recorded_files *it, int64_t bytes, double seconds);

/** All calls of a rank were counted. */
void tmap_recorded_files_end_rank(struct tmap_recorded_files *it);

/** Of the same run, other ranks. */
void tmap_recorded_files_add_ranks(struct tmap_recorded_files *it,
				   const struct tmap_recorded_files *other);

/** The same ranks, another part of the run, or another run: what the rank has that has most is added up, as
 *  if it were the same each time. */
void tmap_recorded_files_add_part(struct tmap_recorded_files *it,
				  const struct tmap_recorded_files *other);

/** Of all ways; false: there are none. */
bool tmap_recorded_files_any(const struct tmap_recorded_files files[TMAP_FILE_WAYS]);

#endif
