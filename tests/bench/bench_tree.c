/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How fast trees and rings are: beside the paper's own algorithm, and growing to 11,039,616
 * ranks. Each size runs in a process of its own, so that its peak of memory is its own.
 */
#include "core/tree/ring.h"
#include "tests/bench/memory.h"
#include "tests/support/literal.h"
#include "tests/support/machines.h"
#include "tests/support/printed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NODE_RANKS = 252 };

static struct tmap_error err;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void must(int status)
{
	if (status < 0) {
		fprintf(stderr, "bench_tree: %s\n", printed(&err));
		exit(EXIT_FAILURE);
	}
}

/* 2 packages x 6 NUMA nodes x 21 cores sharing an L3, 18 nodes a switch, 30 switches a group. */
static struct tmap_machine *cluster(int nodes)
{
	struct tmap_machine *machine =
		machine_regular(nodes,
				(const struct test_level[]){ { TMAP_PACKAGE, 2 },
							     { TMAP_NUMA, 6 },
							     { TMAP_L3, 1 },
							     { TMAP_CORE, 21 },
							     { 0 } });

	machine_add_switches(machine, 18);
	machine_add_switches(machine, 30);
	return machine;
}

enum mapping { BLOCK, CYCLIC, RANDOM, MAPPINGS };

static const char *const mapping_names[] = { "block", "cyclic", "random" };

static void place(struct tmap_placement *p, int nodes, int size, enum mapping mapping)
{
	struct dice dice = { .state = 1 };

	placement_on_take(p, cluster(nodes), size);
	for (int r = 0; r < size; r++) {
		if (mapping == BLOCK)
			placement_seat_pu(p, r, r / NODE_RANKS, r % NODE_RANKS);
		else if (mapping == CYCLIC)
			placement_seat_pu(p, r, r % nodes, r / nodes);
		else
			placement_seat_pu(p, r, dice_roll(&dice, nodes),
					  dice_roll(&dice, NODE_RANKS));
	}
}

static double time_tree(const struct tmap_placement *p)
{
	double begin = now();
	struct tmap_metric metric;
	struct tmap_tree tree;

	must(tmap_metric_init(&metric, p, TMAP_SCALE_PROCESS, &err));
	must(tmap_tree_init(&tree, &metric, p->size / 2, &err));
	begin = now() - begin;
	tmap_tree_fini(&tree);
	tmap_metric_fini(&metric);
	return begin;
}

static double time_ring(const struct tmap_placement *p)
{
	double begin = now();
	struct tmap_metric metric;
	struct tmap_ring ring;

	must(tmap_metric_init(&metric, p, TMAP_SCALE_PROCESS, &err));
	must(tmap_ring_init(&ring, &metric, &err));
	begin = now() - begin;
	tmap_ring_fini(&ring);
	tmap_metric_fini(&metric);
	return begin;
}

/* The least that any program does for a tree: read who sits where, write parents, distances. */
static double time_memory(const struct tmap_placement *p)
{
	double begin = now();
	int *parent = malloc((size_t)p->size * sizeof *parent);
	double *distance = malloc((size_t)p->size * sizeof *distance);

	must(parent && distance ? 0 : -1);
	for (int r = 0; r < p->size; r++) {
		parent[r] = p->node[r];
		distance[r] = p->place[r];
	}
	begin = now() - begin;
	/* keep the compiler from leaving it out */
	if (parent[p->size / 2] < 0 || distance[p->size / 2] < 0)
		puts("");
	free(parent);
	free(distance);
	return begin;
}

static double best_of(int runs, double (*run)(const struct tmap_placement *),
		      const struct tmap_placement *p)
{
	double best = INFINITY;

	while (runs--) {
		double seconds = run(p);

		best = seconds < best ? seconds : best;
	}
	return best;
}

static double *matrix_of(const struct tmap_placement *p)
{
	double *matrix = malloc((size_t)p->size * (size_t)p->size * sizeof *matrix);
	struct tmap_metric metric;

	must(matrix ? 0 : -1);
	must(tmap_metric_init(&metric, p, TMAP_SCALE_PROCESS, &err));
	for (int a = 0; a < p->size; a++)
		for (int b = 0; b < p->size; b++)
			matrix[(size_t)a * (size_t)p->size + (size_t)b] =
				tmap_metric_distance(&metric, a, b);
	tmap_metric_fini(&metric);
	return matrix;
}

/* The paper's algorithms get their distances for nothing: the matrix is not timed. */
static void beside_literal(int size)
{
	double tree, ring, literal, *matrix;
	int *result = malloc((size_t)size * sizeof *result);
	struct tmap_placement p;

	must(result ? 0 : -1);
	place(&p, (size + NODE_RANKS - 1) / NODE_RANKS, size, CYCLIC);
	tree = best_of(5, time_tree, &p);
	ring = best_of(5, time_ring, &p);
	matrix = matrix_of(&p);
	literal = now();
	literal_tree(matrix, size, size / 2, result);
	literal = now() - literal;
	printf("%10d  tree %10.6f s  literal %9.3f s  ratio %9.0f\n", size, tree, literal,
	       literal / tree);
	literal = now();
	literal_ring(matrix, size, result);
	literal = now() - literal;
	printf("%10d  ring %10.6f s  literal %9.3f s  ratio %9.0f\n", size, ring, literal,
	       literal / ring);
	free(matrix);
	free(result);
	tmap_placement_fini(&p);
}

struct growth {
	int size;
	double seconds, bytes, memory_seconds;
};

static struct growth grow(int nodes, enum mapping mapping,
			  double (*run)(const struct tmap_placement *))
{
	struct growth growth = { .size = nodes * NODE_RANKS };
	struct tmap_placement p;
	double before;

	place(&p, nodes, growth.size, mapping);
	before = memory("VmRSS");
	run(&p);
	growth.bytes = memory("VmHWM") - before;
	growth.seconds = best_of(2, run, &p);
	growth.memory_seconds = best_of(2, time_memory, &p);
	tmap_placement_fini(&p);
	return growth;
}

/* Run in a child, for a peak of its own. */
static struct growth grow_apart(int nodes, enum mapping mapping,
				double (*run)(const struct tmap_placement *))
{
	struct growth growth = { 0 };
	int ends[2], status;
	pid_t child;

	fflush(stdout);
	must(pipe(ends));
	child = fork();
	must(child < 0 ? -1 : 0);
	if (child == 0) {
		growth = grow(nodes, mapping, run);
		_exit(write(ends[1], &growth, sizeof growth) != sizeof growth);
	}
	close(ends[1]);
	if (read(ends[0], &growth, sizeof growth) != sizeof growth ||
	    waitpid(child, &status, 0) != child || status != 0) {
		fprintf(stderr, "bench_tree: the process for %d nodes failed\n", nodes);
		exit(EXIT_FAILURE);
	}
	close(ends[0]);
	return growth;
}

static void show_growth(const char *what, enum mapping mapping,
			double (*run)(const struct tmap_placement *))
{
	static const int nodes[] = { 4, 40, 397, 3968, 43808 };
	struct growth first = { 0 }, it = { 0 };

	for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
		it = grow_apart(nodes[i], mapping, run);
		if (i == 1)
			first = it;
		printf("%10d  %s %-6s %9.6f s  %6.1f ns %6.1f bytes a rank  %6.1f x memory\n",
		       it.size, what, mapping_names[mapping], it.seconds,
		       it.seconds / it.size * 1e9, it.bytes / it.size,
		       it.seconds / it.memory_seconds);
	}
	printf("            %s %-6s grows as p^%.2f from %d ranks on\n", what,
	       mapping_names[mapping],
	       log(it.seconds / first.seconds) / log((double)it.size / first.size), first.size);
}

static bool has_gigabytes(double gigabytes)
{
	return (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) > gigabytes * 1e9;
}

int main(void)
{
	puts("ours beside the paper's greedy over the complete graph (cyclic ranks)");
	beside_literal(1024);
	beside_literal(4096);
	if (has_gigabytes(8))
		beside_literal(16384);
	else
		puts("     16384  left out: the greedy sorts 134 million edges in 7 GB, which are "
		     "not free");
	puts("growth; memory: one pass that reads who sits where and writes as much as a tree");
	for (int mapping = BLOCK; mapping < MAPPINGS; mapping++) {
		show_growth("tree", (enum mapping)mapping, time_tree);
		show_growth("ring", (enum mapping)mapping, time_ring);
	}
	return 0;
}
