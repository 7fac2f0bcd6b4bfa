/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The least that any program does for a grid of ranks: a bare loop over its messages with one counter, of those
 * that leave a node of 252 ranks. tests/bench/suggest.sh prints it beside what suggest-rankfile takes.
 *
 *     bench_grid               a table from a thousand to 11,039,616 ranks
 *     bench_grid RANKS         the seconds, alone
 */
#include "core/pattern/grid.h"
#include "core/pattern/rows.h"
#include "tests/support/printed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { NODE_RANKS = 252, RUNS = 3 };

static struct tmap_error err;

static void must(int status)
{
	if (status == 0)
		return;
	fprintf(stderr, "bench_grid: %s\n", printed(&err));
	exit(EXIT_FAILURE);
}

struct bare {
	double seconds; /* CPU time: others may run beside it */
	int64_t messages, between;
};

static struct bare bare_loop(const struct tmap_pattern *pattern)
{
	struct bare bare = { .seconds = (double)clock() / CLOCKS_PER_SEC };
	struct tmap_pattern_rows rows;

	must(tmap_pattern_rows_init(&rows, pattern, NULL, false, &err));
	for (int r = 0; tmap_pattern_rows_next(&rows); r++) {
		bare.messages += rows.count;
		for (int i = 0; i < rows.count; i++)
			bare.between += r / NODE_RANKS != rows.peer[i] / NODE_RANKS;
	}
	tmap_pattern_rows_fini(&rows);
	bare.seconds = (double)clock() / CLOCKS_PER_SEC - bare.seconds;
	return bare;
}

/* The best of some runs, in the grid that --cart 0x0x0 chooses. */
static struct bare grid_run(int ranks)
{
	struct tmap_neighborhood grid;
	struct tmap_pattern pattern;
	struct bare best = { .seconds = INFINITY };

	must(tmap_neighborhood_init(&grid, ranks, "cart", "0x0x0", NULL, NULL, &err));
	must(tmap_pattern_of_grid(&pattern, &grid, 1, &err));
	for (int i = 0; i < RUNS; i++) {
		struct bare bare = bare_loop(&pattern);

		if (bare.seconds < best.seconds)
			best = bare;
	}
	tmap_pattern_fini(&pattern);
	tmap_neighborhood_fini(&grid);
	return best;
}

int main(int argc, char **argv)
{
	static const int nodes[] = { 4, 40, 397, 3969, 43808 };

	if (argc > 1) {
		printf("%.4f\n", grid_run(atoi(argv[1])).seconds);
		return 0;
	}
	printf("%10s %12s %12s %9s\n", "ranks", "messages", "leave a node", "s");
	for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
		struct bare bare = grid_run(nodes[i] * NODE_RANKS);

		printf("%10d %12lld %12lld %9.4f\n", nodes[i] * NODE_RANKS,
		       (long long)bare.messages, (long long)bare.between, bare.seconds);
	}
	return 0;
}
