/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel MPI Benchmarks, IMB-MPI1 PingPong; other benchmarks of the output are passed over:
 *
 *     # Benchmarking PingPong
 *     # #processes = 2
 *            #bytes #repetitions      t[usec]   Mbytes/sec
 *                 0         1000         2.23         0.00
 */
#include "formats/costs/readers.h"

int tmap_costs_imb(struct tmap_costs *costs, const struct tmap_spec *form, const char *text,
		   struct tmap_error *err)
{
	struct tmap_cost_table *times = &costs->table[0];
	bool is_other = false, is_open = false, is_new = false;
	struct tmap_line line = { 0 };

	times->distance = (int)form->value[0];
	while (tmap_line_next(&line, &text)) {
		struct tmap_line rest = line;
		int64_t bytes, repetitions;
		double usec;

		if (tmap_costs_has(&line, "Benchmarking")) {
			const char *word = NULL;
			size_t length = 0;

			while (tmap_line_word(&rest, &word, &length) &&
			       !tmap_keyword_is(word, length, "Benchmarking"))
				;
			is_other = !tmap_line_word(&rest, &word, &length) ||
				!tmap_keyword_is(word, length, "PingPong");
			is_open = false;
		} else if (tmap_costs_has(&line, "#bytes")) {
			is_new = is_open = !is_other && tmap_costs_has(&line, " t[usec]");
		} else if (is_open && tmap_costs_whole(&rest, &bytes)) {
			if (!tmap_costs_whole(&rest, &repetitions) ||
			    !tmap_costs_number(&rest, &usec))
				return tmap_fail_at(err, TMAP_INPUT, line.number, 0,
						    "bytes, repetitions and microseconds are "
						    "expected, three numbers");
			times->tables += is_new;
			is_new = false;
			if (tmap_cost_table_add(times, bytes, usec * 1e-6, line.number, err) < 0)
				return -1;
		} else if (times->count) {
			is_open = false;
		}
	}
	costs->table_count = times->count > 0;
	return times->count ?
		0 :
		tmap_fail(err, TMAP_INPUT,
			  "it has no table of PingPong, a benchmark of two ranks, under "
			  "'#bytes #repetitions t[usec] Mbytes/sec'");
}
