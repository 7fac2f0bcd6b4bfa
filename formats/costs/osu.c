/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OSU Micro-Benchmarks, one table or several of one run after another:
 *
 *     # OSU MPI Latency Test v7.4
 *     # Size          Latency (us)           or "Avg Latency(us)", further columns behind it
 *     0                       1.05
 *
 *     # OSU MPI Bandwidth Test v7.4
 *     # Size      Bandwidth (MB/s)
 *
 *     # OSU MPI Multiple Bandwidth / Message Rate Test v7.4
 *     # [ pairs: 16 ] [ window size: 64 ]
 *     # Size                  MB/s        Messages/s
 *
 * A megabyte is 10^6 bytes there. What a small message of many costs, sent one after the other, is
 * taken for a rank's own time: it is not less than that.
 */
#include "formats/costs/readers.h"

#include "core/cost/profile.h"

#include <math.h>

enum { SMALL_BYTES = 64 };

enum table { NONE, LATENCY, BANDWIDTH, RATE, OTHER };

/* One word between these two, such as "MPI" or "MPI-CUDA": not "MPI Allreduce", "MPI Multi". */
static bool title_is(struct tmap_line line, const char *test)
{
	const char *word;
	size_t length;
	int words = 0;

	for (tmap_line_word(&line, &word, &length); tmap_line_word(&line, &word, &length); words++)
		if (tmap_keyword_is(word, length, test))
			return words == 2;
	return false;
}

/* What the title says of the tables below it; @p before where it is none. */
static enum table title_read(const struct tmap_line *line, enum table before)
{
	if (!tmap_costs_has(line, "OSU ") || !tmap_costs_has(line, " Test"))
		return before;
	if (title_is(*line, "Latency"))
		return LATENCY;
	if (title_is(*line, "Bandwidth"))
		return BANDWIDTH;
	return tmap_costs_has(line, "Multiple Bandwidth") ? RATE : OTHER;
}

static enum table heading_read(const struct tmap_line *line, enum table title)
{
	enum table table = tmap_costs_has(line, "Messages/s") ? RATE :
		tmap_costs_has(line, "MB/s")                  ? BANDWIDTH :
		tmap_costs_has(line, "Latency")               ? LATENCY :
								OTHER;

	return title == NONE || title == table ? table : OTHER;
}

static double least_of(double known, double other)
{
	return known > 0 ? fmin(known, other) : other;
}

/* One row; what is behind its first numbers does not matter. */
static int row_read(struct tmap_costs *costs, enum table table, struct tmap_line line,
		    struct tmap_error *err)
{
	struct tmap_cost_table *times = &costs->table[0];
	double number, rate = 0;
	int64_t bytes;
	int at = line.number;

	if (!tmap_costs_whole(&line, &bytes) || !tmap_costs_number(&line, &number) ||
	    (table == RATE && !tmap_costs_number(&line, &rate)))
		return tmap_fail_at(err, TMAP_INPUT, at, 0,
				    "a size and what it takes are expected, two numbers");
	if (table == LATENCY)
		return tmap_cost_table_add(times, bytes, number * 1e-6, at, err);
	if (!(number > 0 && bytes > 0) ||
	    !tmap_profile_is_within(&tmap_profile_byte_seconds, 1e-6 / number))
		return tmap_fail_at(err, TMAP_INPUT, at, 0,
				    "%g MB/s of %lld bytes are no bandwidth", number,
				    (long long)bytes);
	if (table == RATE && !(rate > 0 && tmap_profile_is_within(&tmap_profile_seconds, 1 / rate)))
		return tmap_fail_at(err, TMAP_INPUT, at, 0, "%g messages a second are no rate",
				    rate);
	if (times->distance >= TMAP_PROFILE_OTHER_NODE) {
		costs->adapter_byte_s = least_of(costs->adapter_byte_s, 1e-6 / number);
		if (table == RATE)
			costs->adapter_message_s = least_of(costs->adapter_message_s, 1 / rate);
	}
	if (table == BANDWIDTH && bytes <= SMALL_BYTES)
		times->overhead_s = least_of(times->overhead_s, (double)bytes / number * 1e-6);
	return 0;
}

int tmap_costs_osu(struct tmap_costs *costs, const struct tmap_spec *form, const char *text,
		   struct tmap_error *err)
{
	struct tmap_cost_table *times = &costs->table[0];
	enum table title = NONE, table = NONE;
	struct tmap_line line = { 0 };
	bool is_new = false;
	int refused = 0;

	times->distance = (int)form->value[0];
	while (tmap_line_next(&line, &text)) {
		struct tmap_line rest = line;
		const char *word;
		size_t length;

		if (!tmap_line_word(&rest, &word, &length))
			continue;
		if (*word == '#') {
			title = title_read(&line, title);
			if (tmap_costs_has(&line, "Size")) {
				table = heading_read(&line, title);
				is_new = true;
			}
			if (table == OTHER && !refused)
				refused = line.number;
		} else if (table != NONE && table != OTHER && *word >= '0' && *word <= '9') {
			times->tables += is_new && table == LATENCY;
			costs->bandwidth_tables += is_new && table != LATENCY;
			is_new = false;
			if (row_read(costs, table, line, err) < 0)
				return -1;
		}
	}
	costs->table_count = times->count > 0 || times->overhead_s > 0;
	if (costs->table_count || costs->adapter_byte_s > 0)
		return 0;
	if (refused)
		return tmap_fail_at(err, TMAP_INPUT, refused, 0,
				    "this is no table of osu_latency, osu_bw or osu_mbw_mr");
	return tmap_fail(err, TMAP_INPUT,
			 "it has no table of the OSU Micro-Benchmarks, such as one under "
			 "'# Size Latency (us)'");
}
