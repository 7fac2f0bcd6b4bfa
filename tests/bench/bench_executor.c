/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What it costs to make one rank's part of a collective, as an executor does on every rank before
 * it starts: every row of the catalogue from 64 to a million ranks, the rank in the middle, blocks of 8
 * bytes, or a vector of 8 bytes for each rank. That rank leads its node, so that in hierarchical rows it
 * has most to do: of an alltoall the blocks of its whole node, many times. Each figure is a process of its own, so that its
 * peak of memory is its own; the placement and its distances were there before, and are not
 * counted.
 *
 *     bench_executor [SECONDS [COLLECTIVE [ALGORITHM]]]
 *
 * What takes longer than so many seconds (10) is not tried with more ranks.
 */
#include "core/algorithms/catalogue.h"
#include "mpi_run/executor/steps.h"
#include "tests/bench/memory.h"
#include "tests/support/machines.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NODE_RANKS = 64 };

static const int sizes[] = { 64, 4096, 65536, 1048576 };
enum { SIZES = sizeof sizes / sizeof *sizes };

static struct tmap_error err;
static double longest = 10;

static void must(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "bench_executor: %s\n", what);
	exit(EXIT_FAILURE);
}

/* Seconds of this process's CPU, whatever else the machine does. */
static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void place(struct tmap_placement *placement, int size)
{
	const struct test_level node_levels[] = { { TMAP_PACKAGE, 2 },
						  { TMAP_CORE, 32 },
						  { 0, 0 } };

	placement_block_take(placement, machine_regular(size / NODE_RANKS, node_levels));
}

/* What one part costs. */
struct cost {
	bool is_there;
	double seconds, bytes;
	size_t steps;
};

static struct tmap_call call_of(enum tmap_collective collective, int row, int size,
				const struct tmap_metric *metric)
{
	const struct tmap_collective_row *is = &tmap_collective_rows[collective];
	struct tmap_call call = { .choice = tmap_spec_preset(tmap_algorithms(collective), row),
				  .size = size,
				  .metric = metric,
				  .bytes = 8 };

	if (collective == TMAP_BARRIER)
		call.bytes = 0;
	else if (is->cuts_vector)
		call.bytes = 8 * (int64_t)size;
	if (is->cuts_vector && collective != TMAP_BARRIER)
		call.element = 8;
	return call;
}

/* In a child. */
static struct cost part_cost(enum tmap_collective collective, int row, int size,
			     const struct tmap_metric *metric)
{
	static const struct tmap_data_element element = { .size = 8, .extent = 8, .span = 8 };
	struct tmap_call call = call_of(collective, row, size, metric);
	bool is_block = call.bytes == 8;
	struct tmap_layout layout = { .type = &element,
				      .send.count = is_block ? 1 : size,
				      .recv.count = is_block ? 1 : size };
	struct tmap_steps steps;
	struct cost cost = { 0 };
	double before = memory("VmRSS"), begin = now();

	if (collective == TMAP_REDUCE_SCATTER)
		layout.send.count = layout.recv.count = 1;
	if (tmap_call_check(&call, &err) < 0)
		return cost;
	must(tmap_call_resolve(&call, &call.choice, &err) == 0 &&
		     tmap_steps_init(&steps, &call, size / 2, &layout, false, &err) == 0,
	     err.text);
	cost.is_there = true;
	cost.seconds = now() - begin;
	cost.bytes = memory("VmHWM") - before;
	cost.steps = steps.step_count;
	tmap_steps_fini(&steps);
	return cost;
}

/* This process ends by a signal after so many seconds of its CPU. */
static void cpu_limit(double seconds)
{
	const struct itimerval limit = { .it_value.tv_sec = (time_t)seconds };

	setitimer(ITIMER_PROF, &limit, NULL);
}

/* false: it took too long. */
static bool cost_ask(enum tmap_collective collective, int row, int size,
		     const struct tmap_metric *metric, struct cost *cost)
{
	int ends[2], status;
	ssize_t got;
	pid_t child;

	must(pipe(ends) == 0, "no pipe");
	fflush(stdout);
	child = fork();
	must(child >= 0, "no process");
	if (child == 0) {
		cpu_limit(4 * longest);
		*cost = part_cost(collective, row, size, metric);
		_exit(write(ends[1], cost, sizeof *cost) != sizeof *cost);
	}
	close(ends[1]);
	got = read(ends[0], cost, sizeof *cost);
	close(ends[0]);
	waitpid(child, &status, 0);
	must(got == sizeof *cost || (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF),
	     "a child failed");
	return got == sizeof *cost && cost->seconds <= longest;
}

static void row_costs(enum tmap_collective collective, int row, const struct tmap_metric *metric)
{
	const struct tmap_spec choice = tmap_spec_preset(tmap_algorithms(collective), row);
	bool goes_on = true;

	printf("%-22s %-22s", tmap_collective_rows[collective].word.name, choice.row->word.name);
	for (int i = 0; i < SIZES; i++) {
		struct cost cost = { 0 };

		if (goes_on)
			goes_on = cost_ask(collective, row, sizes[i], &metric[i], &cost);
		if (cost.is_there)
			printf("  %9.5f %8.2f %8zu", cost.seconds, cost.bytes / 1e6, cost.steps);
		else
			printf("  %9s %8s %8s", goes_on ? "no" : "-", "-", "-");
	}
	putchar('\n');
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static struct tmap_placement placement[SIZES];
	static struct tmap_metric metric[SIZES];

	if (argc > 1)
		longest = strtod(argv[1], NULL);
	must(longest >= 1, "usage: bench_executor [SECONDS [COLLECTIVE [ALGORITHM]]]");
	for (int i = 0; i < SIZES; i++) {
		place(&placement[i], sizes[i]);
		must(tmap_metric_init(&metric[i], &placement[i], TMAP_SCALE_PROCESS, &err) == 0,
		     err.text);
	}
	printf("%-22s %-22s", "ranks", "");
	for (int i = 0; i < SIZES; i++)
		printf("  %27d", sizes[i]);
	printf("\n%-22s %-22s", "one rank's part", "");
	for (int i = 0; i < SIZES; i++)
		printf("  %9s %8s %8s", "s", "MB", "steps");
	putchar('\n');
	for (enum tmap_collective c = 0; c < TMAP_NEIGHBOR_ALLGATHER; c++) {
		if (argc > 2 && strcmp(argv[2], tmap_collective_rows[c].word.name) != 0)
			continue;
		for (int row = 0; tmap_keywords_at(tmap_algorithms(c), (size_t)row); row++)
			if (argc < 4 ||
			    strcmp(argv[3],
				   tmap_keywords_at(tmap_algorithms(c), (size_t)row)->name) == 0)
				row_costs(c, row, metric);
	}
	for (int i = 0; i < SIZES; i++) {
		tmap_metric_fini(&metric[i]);
		tmap_placement_fini(&placement[i]);
	}
	return 0;
}
