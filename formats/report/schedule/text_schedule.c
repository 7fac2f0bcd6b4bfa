/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/schedule/text_schedule.h"

#include "core/base/mem.h"
#include "formats/report/schedule/text_words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 79, INDENT = 2, GAP = 3 };

static int64_t sum_bytes(const struct tmap_message *message, size_t count)
{
	int64_t bytes = 0;

	for (size_t i = 0; i < count; i++)
		bytes += message[i].bytes;
	return bytes;
}

/* Cells of one width, as many as fit on a line. */
static void write_cells(FILE *out, char **cell, size_t count)
{
	size_t width = 0, on_line;

	for (size_t i = 0; i < count; i++)
		width = strlen(cell[i]) > width ? strlen(cell[i]) : width;
	on_line = (COLUMNS - INDENT + GAP) / (width + GAP);
	on_line = on_line ? on_line : 1;
	for (size_t i = 0; i < count; i++) {
		bool is_last = i % on_line == on_line - 1 || i + 1 == count;

		fprintf(out, "%*s%-*s%s", i % on_line ? GAP : INDENT, "", is_last ? 0 : (int)width,
			cell[i], is_last ? "\n" : "");
	}
}

static int write_messages(FILE *out, const struct tmap_call *call,
			  const struct tmap_message *message, size_t count, struct tmap_error *err)
{
	char **cell = tmap_alloc(count, sizeof *cell, err);
	int status = cell ? 0 : -1;

	for (size_t i = 0; i < count && status == 0; i++) {
		cell[i] = tmap_schedule_print_message(call, &message[i], err);
		status = cell[i] ? 0 : -1;
	}
	if (status == 0)
		write_cells(out, cell, count);
	for (size_t i = 0; cell && i < count; i++)
		free(cell[i]);
	free(cell);
	return status;
}

static int write_rounds(FILE *out, const struct tmap_call *call,
			const struct tmap_collection *collection, struct tmap_error *err)
{
	for (size_t i = 0, end; i < collection->count; i = end) {
		const struct tmap_message *message = &collection->message[i];
		int64_t count;

		end = tmap_collection_end_of_round(collection, i);
		count = (int64_t)(end - i);
		fprintf(out, "\nround %" PRId64 ": %" PRId64 " message%s", message->round, count,
			tmap_schedule_plural(count));
		tmap_schedule_write_bytes(out, call, sum_bytes(message, end - i));
		fputs(message->on == TMAP_VECTOR         ? "\n" :
			      message->on == TMAP_ANSWER ? ", answers of the copy\n" :
			      message->on == TMAP_TOTAL  ? ", the answer so far, for a copy\n" :
							   ", a copy of the vector\n",
		      out);
		if (write_messages(out, call, message, end - i, err) < 0)
			return -1;
	}
	return 0;
}

int tmap_text_write_schedule(FILE *out, const struct tmap_call *call, const char *algorithm,
			     const struct tmap_collection *collection,
			     const struct tmap_arrival *arrival, struct tmap_error *err)
{
	struct tmap_schedule_totals totals = { .rounds = collection->rounds,
					       .messages = (int64_t)collection->count,
					       .bytes = collection->bytes };

	for (size_t i = 0; i < collection->count; i++)
		totals.combined += collection->message[i].combine;
	tmap_schedule_write_head(out, call, algorithm, &totals, arrival);
	return write_rounds(out, call, collection, err);
}
