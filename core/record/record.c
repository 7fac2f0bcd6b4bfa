/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/record/record.h"

#include "core/base/sum.h"

#include <stdlib.h>
#include <string.h>

#define ONE(name_, like_, text_) \
	{ \
		{ name_, text_ }, like_, false, 1 \
	}
#define EACH(name_, like_, text_) \
	{ \
		{ name_, text_ }, like_, false, 0 \
	}
#define ONE_V(name_, like_, text_) \
	{ \
		{ name_, text_ }, like_, true, 1 \
	}
#define EACH_V(name_, like_, text_) \
	{ \
		{ name_, text_ }, like_, true, 0 \
	}

const struct tmap_recorded_row tmap_recorded_rows[] = {
	[TMAP_RECORDED_BARRIER] = ONE("barrier", TMAP_BARRIER, "MPI_Barrier"),
	[TMAP_RECORDED_BCAST] = ONE("bcast", TMAP_BCAST, "MPI_Bcast"),
	[TMAP_RECORDED_GATHER] = ONE("gather", TMAP_GATHER, "MPI_Gather"),
	[TMAP_RECORDED_GATHERV] = ONE_V("gatherv", TMAP_GATHER, "MPI_Gatherv"),
	[TMAP_RECORDED_SCATTER] = ONE("scatter", TMAP_SCATTER, "MPI_Scatter"),
	[TMAP_RECORDED_SCATTERV] = ONE_V("scatterv", TMAP_SCATTER, "MPI_Scatterv"),
	[TMAP_RECORDED_ALLGATHER] = ONE("allgather", TMAP_ALLGATHER, "MPI_Allgather"),
	[TMAP_RECORDED_ALLGATHERV] = ONE_V("allgatherv", TMAP_ALLGATHER, "MPI_Allgatherv"),
	[TMAP_RECORDED_ALLTOALL] = EACH("alltoall", TMAP_ALLTOALL, "MPI_Alltoall"),
	[TMAP_RECORDED_ALLTOALLV] = EACH_V("alltoallv", TMAP_ALLTOALL, "MPI_Alltoallv"),
	[TMAP_RECORDED_ALLTOALLW] = EACH_V("alltoallw", TMAP_ALLTOALL, "MPI_Alltoallw"),
	[TMAP_RECORDED_REDUCE] = ONE("reduce", TMAP_REDUCE, "MPI_Reduce"),
	[TMAP_RECORDED_ALLREDUCE] = ONE("allreduce", TMAP_ALLREDUCE, "MPI_Allreduce"),
	[TMAP_RECORDED_REDUCE_SCATTER] =
		ONE("reduce_scatter", TMAP_REDUCE_SCATTER, "MPI_Reduce_scatter"),
	[TMAP_RECORDED_REDUCE_SCATTER_BLOCK] =
		ONE("reduce_scatter_block", TMAP_REDUCE_SCATTER_BLOCK, "MPI_Reduce_scatter_block"),
	[TMAP_RECORDED_SCAN] = ONE("scan", TMAP_SCAN, "MPI_Scan"),
	[TMAP_RECORDED_EXSCAN] = ONE("exscan", TMAP_EXSCAN, "MPI_Exscan"),
	[TMAP_RECORDED_COUNT] = { { NULL, NULL }, TMAP_BARRIER, false, 0 },
};

const struct tmap_keywords tmap_recorded_collectives =
	TMAP_KEYWORDS("collective", tmap_recorded_rows);

const struct tmap_keyword tmap_ways[] = {
	[TMAP_WAY_MESSAGES] = { "point_to_point", "message" },
	[TMAP_WAY_ONE_SIDED] = { "one_sided", "one-sided call" },
	[TMAP_WAY_NEIGHBORS] = { "neighborhood", "neighbor block" },
};

int tmap_record_size_class(int64_t bytes)
{
	return bytes > 0 ? 64 - __builtin_clzll((unsigned long long)bytes) : 0;
}

void tmap_record_row_fini(struct tmap_record_row *row)
{
	free(row->offset);
	free(row->messages);
	free(row->bytes);
	*row = (struct tmap_record_row){ 0 };
}

void tmap_record_rows_fini(struct tmap_record_rows *rows)
{
	for (int i = 0; rows->row && i < rows->count; i++)
		tmap_record_row_fini(&rows->row[i]);
	free(rows->row);
	free(rows->of);
	*rows = (struct tmap_record_rows){ 0 };
}

void tmap_recorded_communicator_fini(struct tmap_recorded_communicator *communicator)
{
	free(communicator->rank);
	free(communicator->name);
	free(communicator->topology);
	*communicator = (struct tmap_recorded_communicator){ 0 };
}

void tmap_record_part_fini(struct tmap_record_part *part)
{
	for (int way = 0; way < TMAP_WAYS; way++)
		tmap_record_rows_fini(&part->sent[way]);
	free(part->call);
	*part = (struct tmap_record_part){ 0 };
}

void tmap_record_part_take(struct tmap_record *record, struct tmap_record_part *part)
{
	for (int way = 0; way < TMAP_WAYS; way++) {
		tmap_record_rows_fini(&record->sent[way]);
		record->sent[way] = part->sent[way];
	}
	memcpy(record->files, part->files, sizeof record->files);
	free(record->call);
	record->call = part->call;
	record->call_count = part->call_count;
	record->seconds = part->seconds;
	*part = (struct tmap_record_part){ 0 };
}

void tmap_record_fini(struct tmap_record *record)
{
	for (int way = 0; way < TMAP_WAYS; way++)
		tmap_record_rows_fini(&record->sent[way]);
	for (int i = 0; record->communicator && i < record->communicator_count; i++)
		tmap_recorded_communicator_fini(&record->communicator[i]);
	free(record->communicator);
	for (int i = 0; record->phase && i < record->phase_count; i++)
		tmap_record_part_fini(&record->phase[i]);
	free(record->phase);
	free(record->chosen);
	free(record->call);
	free(record->program);
	free(record->mpi);
	free(record->date);
	tmap_placement_fini(&record->placement);
	*record = (struct tmap_record){ 0 };
}

int64_t tmap_recorded_mean(enum tmap_recorded collective, int64_t total_bytes, int64_t calls,
			   int size)
{
	int64_t blocks = tmap_sum_product(calls, size);

	if (!tmap_recorded_rows[collective].blocks)
		blocks = tmap_sum_product(blocks, size);
	return total_bytes / blocks + (total_bytes % blocks != 0);
}

int64_t tmap_record_ranks_most(int size)
{
	return INT64_C(32) * size + (1 << 20);
}

bool tmap_record_is_there(const struct tmap_record *record)
{
	return record->sent[TMAP_WAY_MESSAGES].count > 0;
}

const struct tmap_record_row *tmap_record_row_of(const struct tmap_record *record,
						 enum tmap_way way, int rank)
{
	const struct tmap_record_rows *rows = &record->sent[way];

	return rows->count ? &rows->row[rows->of[rank]] : NULL;
}
