/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Netgauge's pattern loggp: microseconds, a line a size, in its file
 *
 *     # size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)
 *     1 10 10.2 28.9 112.5 5.1 0.9 1.1 2.0 0.0081 0.02
 *
 * or, without the times, what it prints of each size, of which the last is the best fit
 *
 *      L=5.100000  s=1025  o_s=0.900000  o_r=1.100000  g=2.000000  G=0.008100 (0.96 GiB/s) ...
 *
 * L there is half of the smallest round trip, so it has the overheads of both ranks in it, as
 * latencies of profiles have.
 */
#include "formats/costs/readers.h"

#include "core/cost/profile.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE, N, PRTT_1, PRTT_N, PRTT_D, L, O_S, O_R, SMALL_G, LARGE_G, COLUMNS };

static int row_read(struct tmap_cost_table *table, struct tmap_line line, struct tmap_error *err)
{
	double number[COLUMNS];
	int at = line.number;
	int64_t bytes;

	if (!tmap_costs_whole(&line, &bytes))
		return tmap_fail_at(err, TMAP_INPUT, at, 0, "a size in bytes is expected");
	for (int i = N; i < COLUMNS; i++) {
		const char *word;
		size_t length;
		char text[64], *end;

		/* differences of times may be negative */
		if (!tmap_line_word(&line, &word, &length) || length >= sizeof text)
			return tmap_fail_at(err, TMAP_INPUT, at, 0,
					    "%d numbers are expected, and there are %d", COLUMNS,
					    i);
		memcpy(text, word, length);
		text[length] = '\0';
		number[i] = strtod(text, &end);
		if (*end)
			return tmap_fail_at(err, TMAP_INPUT, at, 0, "'%.40s' is no number", text);
	}
	if (!table->count && number[O_S] + number[O_R] > 0)
		table->overhead_s = (number[O_S] + number[O_R]) / 2 * 1e-6;
	return tmap_cost_table_add(table, bytes, number[PRTT_1] / 2 * 1e-6, at, err);
}

/* The number behind @p name, "L=" */
static bool find_number(const struct tmap_line *line, const char *name, double *number)
{
	size_t length = strlen(name);

	for (size_t i = 0; i + length < line->length; i++)
		if ((i == 0 || line->text[i - 1] == ' ') &&
		    strncmp(line->text + i, name, length) == 0) {
			struct tmap_line rest = { line->text + i + length,
						  line->length - i - length, line->number };

			return tmap_costs_number(&rest, number);
		}
	return false;
}

/* What it printed; false where it is another line. */
static bool printed_read(struct tmap_cost_table *table, const struct tmap_line *line)
{
	double latency, byte, sending, receiving;

	if (!find_number(line, "L=", &latency) || !find_number(line, "G=", &byte))
		return false;
	table->piece_count = 1;
	table->piece[0] = (struct tmap_piece){ .latency_s = latency * 1e-6, .byte_s = byte * 1e-6 };
	if (find_number(line, "o_s=", &sending) && find_number(line, "o_r=", &receiving))
		table->overhead_s = (sending + receiving) / 2 * 1e-6;
	return true;
}

int tmap_costs_netgauge(struct tmap_costs *costs, const struct tmap_spec *form, const char *text,
			struct tmap_error *err)
{
	struct tmap_cost_table *table = &costs->table[0];
	struct tmap_line line = { 0 };
	bool is_file = false;

	table->distance = (int)form->value[0];
	while (tmap_line_next(&line, &text)) {
		struct tmap_line rest = line;
		const char *word;
		size_t length;

		if (!tmap_line_word(&rest, &word, &length))
			continue;
		if (*word == '#') {
			is_file = is_file || tmap_costs_has(&line, "PRTT(1,0,s)");
		} else if (is_file) {
			if (row_read(table, line, err) < 0)
				return -1;
		} else {
			printed_read(table, &line);
		}
	}
	if (table->count)
		table->piece_count = 0;
	costs->table_count = table->count || table->piece_count;
	if (!costs->table_count)
		return tmap_fail(err, TMAP_INPUT,
				 "it has neither Netgauge's table '# size n PRTT(1,0,s) ...' nor a "
				 "line with L= and G=");
	if (table->piece_count &&
	    !(table->piece[0].latency_s > 0 &&
	      tmap_profile_is_within(&tmap_profile_seconds, table->piece[0].latency_s) &&
	      tmap_profile_is_within(&tmap_profile_byte_seconds, table->piece[0].byte_s)))
		return tmap_fail(err, TMAP_INPUT,
				 "L of %g s and G of %g s a byte are no costs of a message",
				 table->piece[0].latency_s, table->piece[0].byte_s);
	return 0;
}
