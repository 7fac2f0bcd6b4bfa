/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/executor/rows.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* Runs with the units of messages, of which those of each begin where the last one's end. */
struct turned {
	size_t count, capacity;
	struct tmap_run *run;
};

/* Run @p first of a message and those behind it that are columns beside it: how many. */
static int columns_count(const struct tmap_message *message, int first)
{
	const struct tmap_run *run = &message->run[first];
	int count = 1;

	if (run->stride == 1 || run->count < 2)
		return 1;
	while (first + count < message->run_count && count < run->stride &&
	       run[count].stride == run->stride && run[count].count == run->count &&
	       run[count].first == run->first + count)
		count++;
	return count;
}

static int rows_add(struct turned *turned, const struct tmap_run *run, int columns,
		    struct tmap_error *err)
{
	size_t rows = columns == 1 ? 1 : columns == run->stride ? 1 : (size_t)run->count;

	if (tmap_grow(&turned->run, &turned->capacity, turned->count + rows, sizeof *turned->run,
		      err) < 0)
		return -1;
	if (columns == 1)
		turned->run[turned->count++] = *run;
	else if (columns == run->stride) /* rows that follow one another, too */
		turned->run[turned->count++] =
			(struct tmap_run){ run->first, columns * run->count, 1 };
	else
		for (int64_t i = 0; i < run->count; i++)
			turned->run[turned->count++] =
				(struct tmap_run){ run->first + i * run->stride, columns, 1 };
	return 0;
}

int tmap_rows_turn(struct tmap_collection *messages, struct tmap_error *err)
{
	struct turned turned = { 0 };
	size_t begin = 0;

	for (size_t m = 0; m < messages->count; m++) {
		struct tmap_message *message = &messages->message[m];
		size_t first = turned.count;

		for (int i = 0, columns; i < message->run_count; i += columns) {
			columns = columns_count(message, i);
			if (rows_add(&turned, &message->run[i], columns, err) < 0) {
				free(turned.run);
				return -1;
			}
		}
		message->run_count = (int)(turned.count - first);
	}
	/* the runs no longer move */
	for (size_t m = 0; m < messages->count; m++) {
		if (messages->message[m].run_count)
			messages->message[m].run = turned.run + begin;
		begin += (size_t)messages->message[m].run_count;
	}
	free(messages->run);
	messages->run = turned.run;
	messages->run_count = turned.count;
	messages->run_capacity = turned.capacity;
	return 0;
}
