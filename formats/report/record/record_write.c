/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/json_placement.h"
#include "formats/report/account/json_recorded.h"
#include "formats/report/record/record_json.h"

static void put_numbers(struct tmap_json_writer *w, const char *name, const int64_t *number,
			int count)
{
	tmap_json_open_line(w, name, '[');
	for (int i = 0; i < count; i++)
		tmap_json_put_int(w, NULL, number[i]);
	tmap_json_close(w);
}

static void put_row(struct tmap_json_writer *w, const struct tmap_record_row *row)
{
	int sizes = TMAP_RECORD_SIZES;

	while (sizes > 0 && !row->sizes[sizes - 1])
		sizes--;
	tmap_json_open_line(w, NULL, '{');
	tmap_json_put_ints(w, "offsets", row->offset, row->peers);
	put_numbers(w, "messages", row->messages, row->peers);
	put_numbers(w, "bytes", row->bytes, row->peers);
	put_numbers(w, "sizes", row->sizes, sizes);
	if (row->outside_messages) {
		tmap_json_put_int(w, "outside_messages", row->outside_messages);
		tmap_json_put_int(w, "outside_bytes", row->outside_bytes);
	}
	tmap_json_close(w);
}

static int put_rows(struct tmap_json_writer *w, const char *name,
		    const struct tmap_record_rows *rows, int size, struct tmap_error *err)
{
	int status;

	tmap_json_open(w, name, '{');
	tmap_json_open(w, "rows", '[');
	for (int i = 0; i < rows->count; i++)
		put_row(w, &rows->row[i]);
	tmap_json_close(w);
	status = tmap_json_put_list(w, "row", rows->of, size, err);
	tmap_json_close(w);
	return status;
}

static int put_sent(struct tmap_json_writer *w, const struct tmap_record_rows *sent, int size,
		    struct tmap_error *err)
{
	for (int way = 0; way < TMAP_WAYS; way++)
		if (sent[way].count && put_rows(w, tmap_ways[way].name, &sent[way], size, err) < 0)
			return -1;
	return 0;
}

static int put_communicators(struct tmap_json_writer *w, const struct tmap_record *record,
			     struct tmap_error *err)
{
	int status = 0;

	tmap_json_open(w, "communicators", '[');
	for (int i = 0; i < record->communicator_count && status == 0; i++) {
		const struct tmap_recorded_communicator *it = &record->communicator[i];

		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_int(w, "id", i);
		tmap_json_put_int(w, "size", it->size);
		status = tmap_json_put_list(w, "ranks", it->rank, it->size, err);
		tmap_json_put_string(w, "name", it->name);
		tmap_json_put_string(w, "topology", it->topology);
		tmap_json_close(w);
	}
	tmap_json_close(w);
	return status;
}

static void put_call(struct tmap_json_writer *w, const struct tmap_recorded_call *it)
{
	tmap_json_open_line(w, NULL, '{');
	tmap_json_put_string(w, "collective", tmap_recorded_rows[it->collective].word.name);
	tmap_json_put_string(w, "mode", tmap_keywords_at(&tmap_modes, (size_t)it->mode)->name);
	tmap_json_put_int(w, "communicator", it->communicator);
	tmap_json_put_int(w, "root", it->root);
	tmap_json_put_int(w, "bytes", it->bytes);
	tmap_json_put_int(w, "element", it->element);
	tmap_json_put_int(w, "calls", it->calls);
	if (tmap_recorded_rows[it->collective].is_irregular) {
		tmap_json_put_int(w, "total_bytes", it->total_bytes);
		tmap_json_put_int(w, "largest", it->largest);
	}
	if (it->mode == TMAP_BLOCKING)
		tmap_json_put_spent(w, it->seconds_sum, it->seconds_max);
	tmap_json_close(w);
}

static void put_calls(struct tmap_json_writer *w, const struct tmap_recorded_call *call, int count)
{
	tmap_json_open(w, "collectives", '[');
	for (int i = 0; i < count; i++)
		put_call(w, &call[i]);
	tmap_json_close(w);
}

static int put_phases(struct tmap_json_writer *w, const struct tmap_record *record,
		      struct tmap_error *err)
{
	if (!record->phase_count)
		return 0;
	if (record->interval_s > 0)
		tmap_json_put_double(w, "interval_s", record->interval_s);
	tmap_json_open(w, "phases", '[');
	for (int i = 0; i < record->phase_count; i++) {
		const struct tmap_record_part *it = &record->phase[i];

		tmap_json_open(w, NULL, '{');
		tmap_json_put_int(w, "phase", it->number);
		tmap_json_put_double(w, "seconds", it->seconds);
		if (put_sent(w, it->sent, record->placement.size, err) < 0)
			return -1;
		tmap_json_put_recorded_files(w, it->files);
		put_calls(w, it->call, it->call_count);
		tmap_json_close(w);
	}
	tmap_json_close(w);
	return 0;
}

int tmap_record_write_json(FILE *out, const struct tmap_record *record, struct tmap_error *err)
{
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "record");
	if (tmap_json_put_placement(&w, "placement", &record->placement, NULL, err) < 0)
		return -1;
	tmap_json_put_string(&w, "program", record->program);
	tmap_json_put_string(&w, "mpi", record->mpi);
	tmap_json_put_string(&w, "date", record->date);
	tmap_json_put_double(&w, "seconds", record->seconds);
	if (record->is_spawned)
		tmap_json_put_bool(&w, "spawned", true);
	tmap_json_put_record_left_out(&w, &record->left_out);
	if (put_sent(&w, record->sent, record->placement.size, err) < 0 ||
	    put_communicators(&w, record, err) < 0)
		return -1;
	tmap_json_put_recorded_files(&w, record->files);
	put_calls(&w, record->call, record->call_count);
	if (put_phases(&w, record, err) < 0)
		return -1;
	return tmap_json_end(&w, err);
}
