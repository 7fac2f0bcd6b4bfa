/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/schedule/text_words.h"

#include "core/base/string.h"
#include "core/base/units.h"
#include "core/schedule/neighborhood.h"
#include "formats/base/amount.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_RUNS = 4, MOST_ARRIVALS = 16 };

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
char tmap_schedule_mark(const struct tmap_call *call, bool combine)
{
	return combine && tmap_call_algorithm(call)->collective != TMAP_BARRIER ? '+' : '-';
}

/* "0 -> 4 {0 3}" */
char *tmap_schedule_print_message(const struct tmap_call *call, const struct tmap_message *message,
				  struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;

	tmap_str_addf(&text, "%d %c> %d", message->from, tmap_schedule_mark(call, message->combine),
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

/* ", 320KiB", or nothing for a barrier. */
void tmap_schedule_write_bytes(FILE *out, const struct tmap_call *call, int64_t bytes)
{
	char text[TMAP_AMOUNT_ROOM];

	if (tmap_call_algorithm(call)->collective == TMAP_BARRIER)
		return;
	tmap_amount_print(bytes, true, text);
	fprintf(out, ", %s%s", text, strchr(text, 'i') ? "B" : " B");
}

const char *tmap_schedule_plural(int64_t count)
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

void tmap_schedule_write_head(FILE *out, const struct tmap_call *call, const char *algorithm,
			      const struct tmap_schedule_totals *totals,
			      const struct tmap_arrival *arrival)
{
	const struct tmap_collective_row *row =
		&tmap_collective_rows[tmap_call_algorithm(call)->collective];
	char size[TMAP_UNITS_ROOM];

	fprintf(out, "%s %s", row->word.name, algorithm);
	if (tmap_call_algorithm(call)->collective != TMAP_BARRIER) {
		tmap_units_print_bytes(call->bytes, size);
		fprintf(out, ", %s%s", size, strchr(size, 'i') ? "" : " B");
	}
	if (!row->cuts_vector && tmap_call_algorithm(call)->collective != TMAP_BARRIER)
		fputs(" a rank", out);
	if (row->has_root)
		fprintf(out, ", root %d", call->root);
	fprintf(out, ", %d rank%s:\n%" PRId64 " round%s, %" PRId64 " message%s", call->size,
		tmap_schedule_plural(call->size), totals->rounds,
		tmap_schedule_plural(totals->rounds), totals->messages,
		tmap_schedule_plural(totals->messages));
	tmap_schedule_write_bytes(out, call, totals->bytes);
	fputc('\n', out);
	if (totals->combined && tmap_schedule_mark(call, true) == '+')
		fputs("(+> is reduced into what the receiver has, -> replaces it)\n", out);
	if (row->cuts_vector)
		write_cut(out, call);
	if (arrival)
		write_arrival(out, arrival);
}
