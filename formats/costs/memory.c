/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory: the matrix of Intel Memory Latency Checker, of which the node's own memory counts,
 *
 *     Measuring Memory Bandwidths between nodes within system
 *     Bandwidths are in MB/sec (1 MB/sec = 1,000,000 Bytes/sec)
 *                     Numa node
 *     Numa node            0       1
 *            0        111084.2        34228.5
 *            1        34264.0 111135.1
 *
 * and STREAM, whose MB are 10^6 bytes that are read or written:
 *
 *     Function    Best Rate MB/s  Avg time     Min time     Max time
 *     Triad:          130443.6     0.001923     0.001840     0.001923
 */
#include "formats/costs/readers.h"

#include "core/cost/profile.h"

static int set_memory(struct tmap_costs *costs, double megabytes_per_s, int64_t controllers, int at,
		      struct tmap_error *err)
{
	double byte_s = (double)controllers / (megabytes_per_s * 1e6);

	if (!(megabytes_per_s > 0) || !tmap_profile_is_within(&tmap_profile_byte_seconds, byte_s))
		return tmap_fail_at(err, TMAP_INPUT, at, 0, "%g MB/s are no bandwidth of memory",
				    megabytes_per_s);
	costs->memory_byte_s = byte_s;
	return 0;
}

/* Element @p index of a row behind its number; false where it is no number. */
static bool element_read(struct tmap_line line, int64_t index, double *number)
{
	const char *word;
	size_t length;

	for (int64_t i = 0; i < index; i++)
		if (!tmap_line_word(&line, &word, &length))
			return false;
	return tmap_costs_number(&line, number);
}

int tmap_costs_mlc(struct tmap_costs *costs, const struct tmap_spec *form, const char *text,
		   struct tmap_error *err)
{
	bool is_open = false, has_latencies = false;
	struct tmap_line line = { 0 };
	double least = 0;
	int at = 0;

	(void)form;
	while (tmap_line_next(&line, &text)) {
		struct tmap_line rest = line;
		double bandwidth;
		int64_t row;

		if (tmap_costs_has(&line, "Measuring")) {
			is_open = tmap_costs_has(&line, "Bandwidths between nodes");
			has_latencies = has_latencies || tmap_costs_has(&line, "latencies");
		} else if (is_open && tmap_costs_whole(&rest, &row)) {
			/* memory without PUs has no row, and PUs without memory no number */
			if (row > 4096 || !element_read(rest, row, &bandwidth))
				continue;
			if (!at || bandwidth < least) {
				least = bandwidth;
				at = line.number;
			}
		}
	}
	if (at)
		return set_memory(costs, least, 1, at, err);
	return tmap_fail(err, TMAP_INPUT, "it has %s of Intel Memory Latency Checker (%s)",
			 has_latencies ? "latencies alone" : "no matrix",
			 "mlc --bandwidth_matrix makes one");
}

int tmap_costs_stream(struct tmap_costs *costs, const struct tmap_spec *form, const char *text,
		      struct tmap_error *err)
{
	struct tmap_line line = { 0 };

	while (tmap_line_next(&line, &text)) {
		struct tmap_line rest = line;
		const char *word;
		double rate;
		size_t length;

		if (!tmap_line_word(&rest, &word, &length) ||
		    !tmap_keyword_is(word, length, "Triad:"))
			continue;
		if (!tmap_costs_number(&rest, &rate))
			return tmap_fail_at(err, TMAP_INPUT, line.number, 0,
					    "behind 'Triad:' MB/s are expected");
		if (set_memory(costs, rate, form->value[0], line.number, err) < 0)
			return -1;
	}
	return costs->memory_byte_s > 0 ?
		0 :
		tmap_fail(err, TMAP_INPUT, "it has no line 'Triad:' of STREAM");
}
