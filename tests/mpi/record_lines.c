/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A record (argument), or phases of it (second argument), as lines that sort and diff take: "E FROM TO BYTES
 * MESSAGES" for each pair of ranks, of one-sided calls with "S" and of neighborhood collectives with "N" for
 * "E", "O RANK MESSAGES BYTES" for what went outside, and "F WAY CALLS BYTES RANKS MOST" of files, "L OUTSIDE
 * CALLS PHASES" of what is left out, and "C COLLECTIVE MODE COMMUNICATOR-SIZE ROOT BYTES CALLS" for each kind
 * of call of a communicator that has rank 0.
 */
#include "core/record/record_sum.h"
#include "formats/report/record/record_json.h"

#include <inttypes.h>
#include <stdio.h>

static void print_row(const struct tmap_record *record, enum tmap_way way, int rank)
{
	static const char kind[] = { 'E', 'S', 'N' };
	const struct tmap_record_row *row = tmap_record_row_of(record, way, rank);

	for (int i = 0; row && i < row->peers; i++)
		printf("%c %d %d %" PRId64 " %" PRId64 "\n", kind[way], rank,
		       (rank + row->offset[i]) % record->placement.size, row->bytes[i],
		       row->messages[i]);
	if (row && row->outside_messages)
		printf("O %d %" PRId64 " %" PRId64 "\n", rank, row->outside_messages,
		       row->outside_bytes);
}

static void print_call(const struct tmap_record *record, const struct tmap_recorded_call *it)
{
	const struct tmap_recorded_communicator *on = &record->communicator[it->communicator];

	for (int i = 0; i < on->size; i++)
		if (on->rank[i] == 0)
			printf("C %s %s %d %d %" PRId64 " %" PRId64 "\n",
			       tmap_recorded_rows[it->collective].word.name,
			       tmap_keywords_at(&tmap_modes, (size_t)it->mode)->name, on->size,
			       it->root, it->bytes, it->calls);
}

static void print_files(const struct tmap_record *record)
{
	const struct tmap_record_left_out *left_out = &record->left_out;

	for (size_t way = 0; way < TMAP_FILE_WAYS; way++) {
		const struct tmap_recorded_files *it = &record->files[way];

		if (it->calls)
			printf("F %s %" PRId64 " %" PRId64 " %d %" PRId64 "\n",
			       tmap_keywords_at(&tmap_file_ways, way)->name, it->calls, it->bytes,
			       it->ranks, it->most_bytes);
	}
	if (left_out->outside_calls || left_out->calls || left_out->phases)
		printf("L %" PRId64 " %" PRId64 " %" PRId64 "\n", left_out->outside_calls,
		       left_out->calls, left_out->phases);
}

int main(int argc, char **argv)
{
	struct tmap_record record = { 0 };
	char text[TMAP_ERROR_SIZE];
	struct tmap_error err;

	if (argc < 2 || tmap_record_read_json(&record, argv[1], &err) < 0 ||
	    (argc > 2 && tmap_record_choose_phases(&record, argv[2], &err) < 0)) {
		fprintf(stderr, "%s\n", argc < 2 ? "a file" : tmap_error_print(&err, text));
		return 1;
	}
	for (int way = 0; way < TMAP_WAYS; way++)
		for (int r = 0; r < record.placement.size; r++)
			print_row(&record, (enum tmap_way)way, r);
	for (int i = 0; i < record.call_count; i++)
		print_call(&record, &record.call[i]);
	print_files(&record);
	tmap_record_fini(&record);
	return 0;
}
