/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How fast algorithms are scored: every allgather from a thousand to 11,039,616 ranks, with the
 * peak of memory and how both grow; every other collective at a million. Each line is a process
 * of its own, so that its peak of memory is its own.
 *
 *     bench_score                              all of that
 *     bench_score rows COLLECTIVE NODES [cyclic|random]    each algorithm by itself
 *     bench_score answer NODES ALGORITHM       seconds of one allgather's score, 8 ranks a node
 */
#include "core/algorithms/catalogue.h"
#include "core/score/score.h"
#include "tests/bench/memory.h"
#include "tests/support/machines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NODE_RANKS = 252, BLOCK_BYTES = 65536 };

static struct tmap_error err;

/* Seconds of this process's CPU, whatever else the machine does. */
static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void must(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "bench_score: %s\n", what);
	exit(EXIT_FAILURE);
}

/* 2 packages x 2 NUMA nodes x 3 L3 x 21 cores, 18 nodes a switch, 30 switches a group. */
static struct tmap_machine *cluster(int nodes)
{
	struct tmap_machine *machine =
		machine_regular(nodes,
				(const struct test_level[]){ { TMAP_PACKAGE, 2 },
							     { TMAP_NUMA, 2 },
							     { TMAP_L3, 3 },
							     { TMAP_CORE, 21 },
							     { 0 } });

	machine_add_switches(machine, 18);
	machine_add_switches(machine, 30);
	return machine;
}

static void place(struct tmap_placement *p, int nodes, const char *mapping)
{
	int size = nodes * NODE_RANKS, *seat = malloc((size_t)size * sizeof *seat);
	struct dice dice = { .state = 1 };

	must(seat != NULL, "no memory");
	for (int r = 0; r < size; r++)
		seat[r] = strcmp(mapping, "cyclic") == 0 ? r % nodes * NODE_RANKS + r / nodes : r;
	if (strcmp(mapping, "random") == 0)
		dice_shuffle(&dice, seat, size);
	placement_on_take(p, cluster(nodes), size);
	for (int r = 0; r < size; r++)
		placement_seat_pu(p, r, seat[r] / NODE_RANKS, seat[r] % NODE_RANKS);
	free(seat);
}

static double score(const struct tmap_placement *p, enum tmap_collective collective,
		    const char *algorithm)
{
	const struct tmap_score_request request = { .collective = collective,
						    .bytes = collective == TMAP_BARRIER ?
							    0 :
							    BLOCK_BYTES,
						    .algorithm = &algorithm,
						    .algorithm_count = algorithm != NULL };
	double begin = now();
	struct tmap_score made;

	must(tmap_score_init(&made, p, &request, &err) == 0, err.text);
	begin = now() - begin;
	tmap_score_fini(&made);
	return begin;
}

struct figures {
	double seconds, bytes; /* beside the placement */
};

static struct figures measure(enum tmap_collective collective, int nodes, const char *mapping)
{
	struct figures figures;
	struct tmap_placement p;
	double before;

	place(&p, nodes, mapping);
	before = memory("VmRSS");
	figures.seconds = score(&p, collective, NULL);
	figures.bytes = memory("VmHWM") - before;
	tmap_placement_fini(&p);
	return figures;
}

static struct figures measure_apart(enum tmap_collective collective, int nodes, const char *mapping)
{
	struct figures figures = { 0 };
	int ends[2], status;
	pid_t child;

	fflush(stdout);
	must(pipe(ends) == 0, "no pipe");
	child = fork();
	must(child >= 0, "no process");
	if (child == 0) {
		figures = measure(collective, nodes, mapping);
		_exit(write(ends[1], &figures, sizeof figures) != sizeof figures);
	}
	close(ends[1]);
	must(read(ends[0], &figures, sizeof figures) == sizeof figures &&
		     waitpid(child, &status, 0) == child && status == 0,
	     "a process failed");
	close(ends[0]);
	return figures;
}

static void show(int nodes, const char *mapping, const struct figures *it)
{
	double ranks = (double)nodes * NODE_RANKS;

	printf("%10.0f  %-6s  %10.4f s  %6.0f ns  %6.0f bytes a rank", ranks, mapping, it->seconds,
	       it->seconds / ranks * 1e9, it->bytes / ranks);
}

static void show_growth(const char *mapping)
{
	static const int nodes[] = { 4, 40, 397, 3968, 43808 };
	enum { COUNT = sizeof nodes / sizeof *nodes };
	struct figures first = { 0 }, it = { 0 };
	double growth;

	for (int i = 0; i < COUNT; i++) {
		it = measure_apart(TMAP_ALLGATHER, nodes[i], mapping);
		if (i == 1)
			first = it;
		show(nodes[i], mapping, &it);
		puts("");
	}
	growth = log((double)nodes[COUNT - 1] / nodes[1]);
	printf("            %-6s  from %d ranks on time grows as p^%.2f, memory as p^%.2f\n",
	       mapping, nodes[1] * NODE_RANKS, log(it.seconds / first.seconds) / growth,
	       log(it.bytes / first.bytes) / growth);
}

static void show_others(int nodes)
{
	for (int c = 0; c < TMAP_COLLECTIVE_COUNT; c++) {
		struct figures it;

		if (tmap_collective_rows[c].has_neighbors)
			continue;
		it = measure_apart((enum tmap_collective)c, nodes, "block");
		show(nodes, "block", &it);
		printf("  %s\n", tmap_collective_rows[c].word.name);
	}
}

static void show_rows(enum tmap_collective collective, int nodes, const char *mapping)
{
	const struct tmap_keywords *words = tmap_algorithms(collective);
	const struct tmap_keyword *word;
	struct tmap_placement p;

	place(&p, nodes, mapping);
	for (size_t i = 0; (word = tmap_keywords_at(words, i)); i++) {
		printf("%-24s", word->name);
		fflush(stdout);
		printf(" %9.4f s\n", score(&p, collective, word->name));
	}
	tmap_placement_fini(&p);
}

/* As many times as take a tenth of a second. */
static void show_answer(int nodes, const char *algorithm)
{
	const struct test_level node_levels[] = { { TMAP_CORE, 8 }, { 0 } };
	double seconds = 0;
	struct tmap_placement p;
	int times = 0;

	placement_block_take(&p, machine_regular(nodes, node_levels));
	for (; seconds < 0.1; times++)
		seconds += score(&p, TMAP_ALLGATHER, algorithm);
	printf("%.9f\n", seconds / times);
	tmap_placement_fini(&p);
}

int main(int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], "answer") == 0) {
		show_answer(atoi(argv[2]), argv[3]);
		return 0;
	}
	if (argc >= 4 && strcmp(argv[1], "rows") == 0) {
		int collective = tmap_keywords_find(&tmap_collectives, argv[2], &err);

		must(collective != TMAP_NONE, err.text);
		show_rows((enum tmap_collective)collective, atoi(argv[3]),
			  argc > 4 ? argv[4] : "block");
		return 0;
	}
	puts("every allgather of 64 KiB a rank: time and peak of memory beside the placement");
	show_growth("block");
	show_growth("cyclic");
	show_growth("random");
	puts("the other collectives of 64 KiB");
	show_others(3968);
	return 0;
}
