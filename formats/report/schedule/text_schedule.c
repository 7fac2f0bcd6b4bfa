/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/schedule/text_schedule.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/base/units.h"
#include "core/schedule/neighborhood.h"
#include "formats/base/amount.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 79, INDENT = 2, GAP = 3, MOST_RUNS = 4, MOST_WAYS = 8, MOST_ARRIVALS = 16 };

/* A unit of alltoall is written as its two ranks; of neighbor_alltoall, as what the rank has
 * for its k-th neighbour. */
static void add_unit(struct tmap_str *text, const struct tmap_call *call, int64_t unit)
{
	if (tmap_call_algorithm(call)->collective == TMAP_NEIGHBOR_ALLTOALL)
		tmap_str_addf(text, "%" PRId64 "#%" PRId64, unit / call->neighborhood->degree,
			      unit % call->neighborhood->degree);
	else if (tmap_call_algorithm(call)->collective == TMAP_ALLTOALL)
		tmap_str_addf(text, "%" PRId64 ":%" PRId64, unit / call->size, unit % call->size);
	else
		tmap_str_addf(text, "%" PRId64, unit);
}

static void add_run(struct tmap_str *text, const struct tmap_call *call, const struct tmap_run *run)
{
	add_unit(text, call, run->first);
	if (run->count < 2)
		return;
	tmap_str_addc(text, run->count == 2 ? ' ' : '-');
	add_unit(text, call, run->first + (run->count - 1) * run->stride);
	if (run->count > 2 && run->stride > 1)
		tmap_str_addf(text, "/%" PRId64, run->stride);
}

/* What a barrier "reduces" is the set of ranks that have arrived: it is not shown. */
static char mark_of(const struct tmap_call *call, bool combine)
{
	return combine && tmap_call_algorithm(call)->collective != TMAP_BARRIER ? '+' : '-';
}

/* "0 -> 4 {0 3}" */
static char *print_message(const struct tmap_call *call, const struct tmap_message *message,
			   struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;

	tmap_str_addf(&text, "%d %c> %d", message->from, mark_of(call, message->combine),
		      message->to);
	if (tmap_call_algorithm(call)->collective != TMAP_BARRIER) {
		tmap_str_add(&text, " {");
		for (int i = 0; i < message->run_count && i < MOST_RUNS; i++) {
			tmap_str_add(&text, i ? " " : "");
			add_run(&text, call, &message->run[i]);
		}
		tmap_str_add(&text, message->run_count > MOST_RUNS ? " ...}" : "}");
	}
	return tmap_str_take(&text, err);
}

static int64_t sum_bytes(const struct tmap_message *message, size_t count)
{
	int64_t bytes = 0;

	for (size_t i = 0; i < count; i++)
		bytes += message[i].bytes;
	return bytes;
}

/* ", 320KiB", or nothing for a barrier. */
static void write_bytes(FILE *out, const struct tmap_call *call, int64_t bytes)
{
	char text[TMAP_AMOUNT_ROOM];

	if (tmap_call_algorithm(call)->collective == TMAP_BARRIER)
		return;
	tmap_amount_print(bytes, true, text);
	fprintf(out, ", %s%s", text, strchr(text, 'i') ? "B" : " B");
}

static const char *plural(int64_t count)
{
	return count == 1 ? "" : "s";
}

/* What the numbers in messages are. */
static void write_cut(FILE *out, const struct tmap_call *call)
{
	int64_t units = tmap_unit_count(call);

	if (tmap_call_algorithm(call)->gathers)
		fputs("({u} is the vector of rank u)\n", out);
	else if (units > 1 && tmap_call_algorithm(call)->pieces && units == call->bytes)
		fputs("({b} is byte b of the vector)\n", out);
	else if (units > 1)
		fprintf(out, "(the vector is cut into %" PRId64 " pieces)\n", units);
}

static void write_head(FILE *out, const struct tmap_call *call, const char *algorithm,
		       const struct tmap_collection *collection)
{
	const struct tmap_collective_row *row =
		&tmap_collective_rows[tmap_call_algorithm(call)->collective];
	char size[TMAP_UNITS_ROOM];
	size_t reduced = 0;

	fprintf(out, "%s %s", row->word.name, algorithm);
	if (tmap_call_algorithm(call)->collective != TMAP_BARRIER) {
		tmap_units_print_bytes(call->bytes, size);
		fprintf(out, ", %s%s", size, strchr(size, 'i') ? "" : " B");
	}
	if (!row->cuts_vector && tmap_call_algorithm(call)->collective != TMAP_BARRIER)
		fputs(" a rank", out);
	if (row->has_root)
		fprintf(out, ", root %d", call->root);
	fprintf(out, ", %d rank%s:\n%" PRId64 " round%s, %zu message%s", call->size,
		plural(call->size), collection->rounds, plural(collection->rounds),
		collection->count, plural((int64_t)collection->count));
	write_bytes(out, call, collection->bytes);
	fputc('\n', out);
	for (size_t i = 0; i < collection->count; i++)
		reduced += mark_of(call, collection->message[i].combine) == '+';
	if (reduced)
		fputs("(+> is reduced into what the receiver has, -> replaces it)\n", out);
	if (row->cuts_vector)
		write_cut(out, call);
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
		cell[i] = print_message(call, &message[i], err);
		status = cell[i] ? 0 : -1;
	}
	if (status == 0)
		write_cells(out, cell, count);
	for (size_t i = 0; cell && i < count; i++)
		free(cell[i]);
	free(cell);
	return status;
}

/* Messages of a round that go equally far, all stored or all reduced. */
struct way {
	int64_t distance, count, least_bytes, most_bytes;
	bool combine;
	const struct tmap_message *first;
};

struct round {
	int64_t messages, bytes;
	size_t count; /* ways */
	struct way *way;
};

static int compare_ways(const void *a, const void *b)
{
	const struct way *x = a, *y = b;

	if (x->distance != y->distance)
		return x->distance < y->distance ? -1 : 1;
	if (x->combine != y->combine)
		return x->combine ? 1 : -1;
	return (x->first > y->first) - (x->first < y->first);
}

static void merge_ways(struct round *round)
{
	size_t kept = 0;

	for (size_t i = 0; i < round->count; i++) {
		struct way *last = kept ? &round->way[kept - 1] : NULL, *way = &round->way[i];

		if (!last || last->distance != way->distance || last->combine != way->combine) {
			round->way[kept++] = *way;
			continue;
		}
		last->count++;
		if (way->least_bytes < last->least_bytes)
			last->least_bytes = way->least_bytes;
		if (way->most_bytes > last->most_bytes)
			last->most_bytes = way->most_bytes;
	}
	round->count = kept;
}

static int fold_round(struct round *round, const struct tmap_call *call,
		      const struct tmap_message *message, size_t count, struct tmap_error *err)
{
	*round = (struct round){ .messages = (int64_t)count,
				 .count = count,
				 .bytes = sum_bytes(message, count) };
	round->way = tmap_alloc_raw(count, sizeof *round->way, err);
	if (!round->way)
		return -1;
	for (size_t i = 0; i < count; i++) {
		int64_t away = (int64_t)message[i].to - message[i].from;

		round->way[i] = (struct way){ away < 0 ? away + call->size : away,
					      1,
					      message[i].bytes,
					      message[i].bytes,
					      message[i].combine,
					      &message[i] };
	}
	qsort(round->way, count, sizeof *round->way, compare_ways);
	merge_ways(round);
	return 0;
}

static bool is_alike(const struct round *a, const struct round *b)
{
	if (a->count != b->count || a->bytes != b->bytes)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (a->way[i].distance != b->way[i].distance ||
		    a->way[i].count != b->way[i].count || a->way[i].combine != b->way[i].combine ||
		    a->way[i].least_bytes != b->way[i].least_bytes ||
		    a->way[i].most_bytes != b->way[i].most_bytes)
			return false;
	return true;
}

static int write_way(FILE *out, const struct tmap_call *call, const struct way *way,
		     struct tmap_error *err)
{
	bool is_back = way->distance > call->size / 2;
	char *first = print_message(call, way->first, err), size[2 * TMAP_UNITS_ROOM + 8];
	char least[TMAP_UNITS_ROOM], most[TMAP_UNITS_ROOM];
	int columns;

	if (!first)
		return -1;
	tmap_units_print_bytes(way->least_bytes, least);
	tmap_units_print_bytes(way->most_bytes, most);
	snprintf(size, sizeof size, "%s%s%s", least, strcmp(least, most) ? " to " : "",
		 strcmp(least, most) ? most : "");
	columns = fprintf(out, "  r %c> r %c %" PRId64, mark_of(call, way->combine),
			  is_back ? '-' : '+',
			  is_back ? call->size - way->distance : way->distance);
	columns += fprintf(out, "%*s%" PRId64, columns < 20 ? 20 - columns : 1, "", way->count);
	if (tmap_call_algorithm(call)->collective != TMAP_BARRIER)
		columns += fprintf(out, " x %s", size);
	if (columns + (int)strlen(first) + 3 < COLUMNS)
		fprintf(out, "%*s%s", columns < 44 ? 44 - columns : 3, "", first);
	fputc('\n', out);
	free(first);
	return 0;
}

/* The rounds first .. last are alike. */
static int write_folded_round(FILE *out, const struct tmap_call *call, const struct round *round,
			      int64_t first, int64_t last, struct tmap_error *err)
{
	if (first == last)
		fprintf(out, "\nround %" PRId64 ": %" PRId64 " message%s", first, round->messages,
			plural(round->messages));
	else
		fprintf(out, "\nrounds %" PRId64 "-%" PRId64 ", each: %" PRId64 " message%s", first,
			last, round->messages, plural(round->messages));
	write_bytes(out, call, round->bytes);
	fputc('\n', out);
	for (size_t i = 0; i < round->count && i < MOST_WAYS; i++)
		if (write_way(out, call, &round->way[i], err) < 0)
			return -1;
	if (round->count > MOST_WAYS)
		fprintf(out, "  ... and %zu more distances\n", round->count - MOST_WAYS);
	return 0;
}

static int write_folded(FILE *out, const struct tmap_call *call,
			const struct tmap_collection *collection, struct tmap_error *err)
{
	struct round open = { 0 };
	int64_t first = 0, last = 0;
	int status = 0;

	for (size_t i = 0; i < collection->count && status == 0;) {
		const struct tmap_message *message = &collection->message[i];
		size_t end = tmap_collection_end_of_round(collection, i);
		struct round round;

		status = fold_round(&round, call, message, end - i, err);
		i = end;
		if (status == 0 && open.way && is_alike(&open, &round)) {
			last = message->round;
			free(round.way);
			continue;
		}
		if (status == 0 && open.way)
			status = write_folded_round(out, call, &open, first, last, err);
		free(open.way);
		open = round;
		first = last = message->round;
	}
	if (status == 0 && open.way)
		status = write_folded_round(out, call, &open, first, last, err);
	free(open.way);
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
			plural(count));
		write_bytes(out, call, sum_bytes(message, end - i));
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

/* "(arrives as 0 2 4 1 3 5)", and what it takes to put that right. */
static void write_arrival(FILE *out, const struct tmap_arrival *arrival)
{
	char sent[TMAP_UNITS_ROOM], packed[TMAP_UNITS_ROOM];

	if (!arrival->moved) {
		fputs("(arrives in the order of the ranks)\n", out);
		return;
	}
	fputs("(arrives as", out);
	for (int i = 0; i < arrival->size && i < MOST_ARRIVALS; i++)
		fprintf(out, " %d", arrival->order[i]);
	fputs(arrival->size > MOST_ARRIVALS ? " ...)\n" : ")\n", out);
	tmap_units_print_bytes(arrival->sent_bytes, sent);
	tmap_units_print_bytes(arrival->packed_bytes, packed);
	fprintf(out,
		"(the root moves %d of %d blocks; whose they are takes %s%s, sent along or\n"
		" once, or %s%s packed)\n",
		arrival->moved, arrival->size, sent, strchr(sent, 'i') ? "" : " B", packed,
		strchr(packed, 'i') ? "" : " B");
}

int tmap_text_write_schedule(FILE *out, const struct tmap_call *call, const char *algorithm,
			     const struct tmap_collection *collection,
			     const struct tmap_arrival *arrival, bool fold, struct tmap_error *err)
{
	write_head(out, call, algorithm, collection);
	if (arrival)
		write_arrival(out, arrival);
	return fold ? write_folded(out, call, collection, err) :
		      write_rounds(out, call, collection, err);
}
