/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/schedule/json_schedule.h"

#include "formats/json/json_write.h"
#include "formats/machine/json_placement.h"

static void put_run(struct tmap_json_writer *w, const struct tmap_run *run)
{
	tmap_json_open(w, NULL, '[');
	tmap_json_put_int(w, NULL, run->first);
	tmap_json_put_int(w, NULL, run->count);
	tmap_json_put_int(w, NULL, run->stride);
	tmap_json_close(w);
}

static void put_message(struct tmap_json_writer *w, const struct tmap_message *message)
{
	static const char *const buffers[] = {
		[TMAP_VECTOR] = "vector", [TMAP_COPY] = "copy",   [TMAP_COPY_SCAN] = "copy_scan",
		[TMAP_ANSWER] = "answer", [TMAP_TOTAL] = "total",
	};

	tmap_json_open_line(w, NULL, '{');
	tmap_json_put_int(w, "round", message->round);
	tmap_json_put_int(w, "from", message->from);
	tmap_json_put_int(w, "to", message->to);
	tmap_json_put_int(w, "bytes", message->bytes);
	tmap_json_put_bool(w, "combine", message->combine);
	if (message->on != TMAP_VECTOR)
		tmap_json_put_string(w, "on", buffers[message->on]);
	tmap_json_open(w, "units", '[');
	for (int i = 0; i < message->run_count; i++)
		put_run(w, &message->run[i]);
	tmap_json_close(w);
	tmap_json_close(w);
}

static void put_arrival(struct tmap_json_writer *w, const struct tmap_arrival *arrival)
{
	tmap_json_open(w, "arrival", '{');
	tmap_json_open_line(w, "order", '[');
	for (int i = 0; i < arrival->size; i++)
		tmap_json_put_int(w, NULL, arrival->order[i]);
	tmap_json_close(w);
	tmap_json_put_int(w, "moved", arrival->moved);
	tmap_json_open_line(w, "ownership_bytes", '{');
	tmap_json_put_int(w, "sent", arrival->sent_bytes);
	tmap_json_put_int(w, "packed", arrival->packed_bytes);
	tmap_json_put_int(w, "once", arrival->sent_bytes);
	tmap_json_close(w);
	tmap_json_close(w);
}

int tmap_json_write_schedule(FILE *out, const struct tmap_call *call, const char *algorithm,
			     const struct tmap_collection *collection,
			     const struct tmap_arrival *arrival, struct tmap_error *err)
{
	const struct tmap_collective_row *row =
		&tmap_collective_rows[tmap_call_algorithm(call)->collective];
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "schedule");
	tmap_json_put_string(&w, "collective", row->word.name);
	tmap_json_put_string(&w, "algorithm", algorithm);
	tmap_json_put_int(&w, "size", call->size);
	if (call->metric &&
	    (tmap_json_put_world(&w, "ranks", call->metric->placement, err) < 0 ||
	     tmap_json_put_adapters_chosen(&w, call->metric->placement->machine, err) < 0))
		return -1;
	if (row->has_root)
		tmap_json_put_int(&w, "root", call->root);
	tmap_json_put_int(&w, "bytes", call->bytes);
	tmap_json_put_int(&w, "units", tmap_unit_count(call));
	tmap_json_put_int(&w, "rounds", collection->rounds);
	if (arrival)
		put_arrival(&w, arrival);
	tmap_json_open(&w, "messages", '[');
	for (size_t i = 0; i < collection->count; i++)
		put_message(&w, &collection->message[i]);
	tmap_json_close(&w);
	return tmap_json_end(&w, err);
}
