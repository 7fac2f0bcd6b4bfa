/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/record/recorded_files.h"

#include "core/base/sum.h"

static const struct tmap_keyword file_rows[] = {
	[TMAP_FILE_READ] = { "read", "read" },
	[TMAP_FILE_READ_ALL] = { "read_all", "collective read" },
	[TMAP_FILE_WRITE] = { "write", "write" },
	[TMAP_FILE_WRITE_ALL] = { "write_all", "collective write" },
	[TMAP_FILE_WAYS] = { NULL, NULL },
};

const struct tmap_keywords tmap_file_ways = TMAP_KEYWORDS("way", file_rows);

bool tmap_recorded_files_any(const struct tmap_recorded_files files[TMAP_FILE_WAYS])
{
	for (int way = 0; way < TMAP_FILE_WAYS; way++)
		if (files[way].calls)
			return true;
	return false;
}

void tmap_recorded_files_count(struct tmap_recorded_files *it, int64_t bytes, double seconds)
{
	tmap_sum_add(&it->calls, 1);
	tmap_sum_add(&it->bytes, bytes);
	it->seconds_sum += seconds;
}

void tmap_recorded_files_end_rank(struct tmap_recorded_files *it)
{
	it->ranks = it->calls > 0;
	it->most_bytes = it->bytes;
	it->seconds_max = it->seconds_sum;
}

static void files_add(struct tmap_recorded_files *it, const struct tmap_recorded_files *other)
{
	tmap_sum_add(&it->calls, other->calls);
	tmap_sum_add(&it->bytes, other->bytes);
	it->seconds_sum += other->seconds_sum;
}

void tmap_recorded_files_add_ranks(struct tmap_recorded_files *it,
				   const struct tmap_recorded_files *other)
{
	files_add(it, other);
	it->ranks += other->ranks;
	it->most_bytes = it->most_bytes > other->most_bytes ? it->most_bytes : other->most_bytes;
	it->seconds_max = it->seconds_max > other->seconds_max ? it->seconds_max :
								 other->seconds_max;
}

void tmap_recorded_files_add_part(struct tmap_recorded_files *it,
				  const struct tmap_recorded_files *other)
{
	files_add(it, other);
	it->ranks = it->ranks > other->ranks ? it->ranks : other->ranks;
	tmap_sum_add(&it->most_bytes, other->most_bytes);
	it->seconds_max += other->seconds_max;
}
