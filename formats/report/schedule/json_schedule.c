#include "formats/report/schedule/json_schedule.h"

#include "formats/json/json_write.h"

static void put_run(struct tm_json_writer *w, const struct tm_run *run)
{
	tm_json_open(w, NULL, '[');
	tm_json_put_int(w, NULL, run->first);
	tm_json_put_int(w, NULL, run->count);
	tm_json_put_int(w, NULL, run->stride);
	tm_json_close(w);
}

static void put_message(struct tm_json_writer *w, const struct tm_message *message)
{
	static const char *const buffers[] = {
		[TM_VECTOR] = "vector", [TM_COPY] = "copy", [TM_COPY_SCAN] = "copy_scan",
		[TM_ANSWER] = "answer",
	};

	tm_json_open_line(w, NULL, '{');
	tm_json_put_int(w, "round", message->round);
	tm_json_put_int(w, "from", message->from);
	tm_json_put_int(w, "to", message->to);
	tm_json_put_int(w, "bytes", message->bytes);
	tm_json_put_bool(w, "combine", message->combine);
	if (message->on != TM_VECTOR)
		tm_json_put_string(w, "on", buffers[message->on]);
	tm_json_open(w, "units", '[');
	for (int i = 0; i < message->run_count; i++)
		put_run(w, &message->run[i]);
	tm_json_close(w);
	tm_json_close(w);
}

static void put_arrival(struct tm_json_writer *w, const struct tm_arrival *arrival)
{
	tm_json_open(w, "arrival", '{');
	tm_json_open_line(w, "order", '[');
	for (int i = 0; i < arrival->size; i++)
		tm_json_put_int(w, NULL, arrival->order[i]);
	tm_json_close(w);
	tm_json_put_int(w, "moved", arrival->moved);
	tm_json_open_line(w, "ownership_bytes", '{');
	tm_json_put_int(w, "sent", arrival->sent_bytes);
	tm_json_put_int(w, "packed", arrival->packed_bytes);
	tm_json_put_int(w, "once", arrival->sent_bytes);
	tm_json_close(w);
	tm_json_close(w);
}

int tm_json_write_schedule(FILE *out, const struct tm_call *call, const char *algorithm,
			   const struct tm_collection *collection,
			   const struct tm_arrival *arrival, struct tm_error *err)
{
	const struct tm_collective_row *row =
		&tm_collective_rows[tm_call_algorithm(call)->collective];
	struct tm_json_writer w;

	tm_json_begin(&w, out, "schedule");
	tm_json_put_string(&w, "collective", row->word.name);
	tm_json_put_string(&w, "algorithm", algorithm);
	tm_json_put_int(&w, "size", call->size);
	if (row->has_root)
		tm_json_put_int(&w, "root", call->root);
	tm_json_put_int(&w, "bytes", call->bytes);
	tm_json_put_int(&w, "units", tm_unit_count(call));
	tm_json_put_int(&w, "rounds", collection->rounds);
	if (arrival)
		put_arrival(&w, arrival);
	tm_json_open(&w, "messages", '[');
	for (size_t i = 0; i < collection->count; i++)
		put_message(&w, &collection->message[i]);
	tm_json_close(&w);
	return tm_json_end(&w, err);
}
