/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How good and how fast mappings are: for a job that is given, and growing to a million ranks.
 *
 *     bench_mapping                         growth: time and quality on grids and collectives
 *     bench_mapping map JOB [EFFORT]        cost of block, of ours, ours / block, seconds
 *     bench_mapping graph JOB               the job as a Scotch graph
 *     bench_mapping judge JOB MAPPING       cost of a mapping that Scotch has written; "-" where
 *                                           it puts two ranks on one core
 *
 * A JOB is a file with a matrix, or a grid AxBxC (von Neumann neighbours). Matrices of 64 ranks
 * are mapped onto 4 nodes of 2 packages of 2 NUMA nodes of 4 cores, grids onto nodes of 2 packages
 * of 2 NUMA nodes of 16 cores, at level costs 100, 20, 10, 1.
 */
#include "core/algorithms/catalogue.h"
#include "core/base/mem.h"
#include "core/mappers/mapper.h"
#include "core/pattern/grid.h"
#include "formats/traffic/traffic.h"
#include "tests/support/machines.h"
#include "tests/support/printed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct tmap_error err;
static const double level_cost[] = { 100, 20, 10, 1 };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void must(int status)
{
	if (status < 0) {
		fprintf(stderr, "bench_mapping: %s\n", printed(&err));
		exit(EXIT_FAILURE);
	}
}

struct job {
	struct tmap_neighborhood grid;
	bool is_grid;
	struct tmap_pattern pattern;
	struct tmap_placement placement;
	struct tmap_slots slots;
	struct tmap_traffic traffic;
	struct tmap_criteria criteria;
	struct tmap_objective objective;
};

static int grid_size(const char *text)
{
	int size = 1, side, used;

	if (text[strspn(text, "0123456789x")])
		return 0;
	for (; sscanf(text, "%d%n", &side, &used) == 1; text += used + (text[used] == 'x'))
		size *= side;
	return size;
}

static void read_traffic(struct job *job, const char *name)
{
	struct tmap_pattern_builder builder = { 0 };

	job->is_grid = grid_size(name) > 0;
	if (job->is_grid) {
		must(tmap_neighborhood_init(&job->grid, grid_size(name), "vonneumann", name, NULL,
					    NULL, &err));
		must(tmap_pattern_builder_init(&builder, job->grid.size, &err));
		must(tmap_pattern_add_grid(&builder, &job->grid, 1, &err));
	} else {
		must(tmap_pattern_builder_init(&builder, 64, &err));
		must(tmap_traffic_read(&builder, name, TMAP_NONE, &err));
	}
	must(tmap_pattern_finish(&job->pattern, &builder, &err));
	tmap_pattern_builder_fini(&builder);
}

static struct tmap_machine *machine_for(int ranks, bool is_grid)
{
	int cores = is_grid ? 16 : 4, nodes = (ranks + 4 * cores - 1) / (4 * cores);

	return machine_regular(nodes,
			       (const struct test_level[]){ { TMAP_PACKAGE, 2 },
							    { TMAP_NUMA, 2 },
							    { TMAP_CORE, cores },
							    { TMAP_NODE, 0 } });
}

static void job_init(struct job *job, const char *name)
{
	static const struct tmap_slots_excluded none;

	memset(job, 0, sizeof *job);
	read_traffic(job, name);
	placement_block_take(&job->placement, machine_for(job->pattern.size, job->is_grid));
	must(tmap_slots_init(&job->slots, &job->placement, 0, &none, &err));
	job->slots.rank_count = job->pattern.size; /* the last places may stay empty */
	job->traffic = (struct tmap_traffic){ .pattern = &job->pattern,
					      .grid = job->is_grid ? &job->grid : NULL };
	job->criteria = (struct tmap_criteria){
		TMAP_GOAL_DISTANCE, tmap_profile_at(0), TMAP_SCALE_PROCESS, level_cost, 4, false
	};
	must(tmap_objective_init(&job->objective, &job->slots, &job->traffic, &job->criteria,
				 &err));
}

static void job_fini(struct job *job)
{
	tmap_objective_fini(&job->objective);
	tmap_slots_fini(&job->slots);
	tmap_placement_fini(&job->placement);
	tmap_pattern_fini(&job->pattern);
	tmap_neighborhood_fini(&job->grid);
}

static int row(const char *name)
{
	int index = tmap_keywords_find(&tmap_mappers, name, &err);

	must(index == TMAP_NONE ? -1 : 0);
	return index;
}

static double map(struct job *job, const char *mapper, int64_t effort, double *seconds, int *found)
{
	struct tmap_mapping mapping;
	double cost, begin = now();

	must(tmap_map(&mapping, &job->objective, row(mapper), effort, 1, NULL, &err));
	*seconds = now() - begin;
	*found = mapping.mapper;
	cost = mapping.evaluation.byte_distance;
	tmap_mapping_fini(&mapping);
	return cost;
}

static void show_map(const char *name, int64_t effort)
{
	struct job job;
	double block, best, seconds;
	int found;

	job_init(&job, name);
	block = map(&job, "block", 0, &seconds, &found);
	best = map(&job, "best", effort, &seconds, &found);
	printf("%.17g %.17g %.6f %.3f %s\n", block, best, best / block, seconds,
	       tmap_keywords_at(&tmap_mappers, (size_t)found)->name);
	job_fini(&job);
}

/* What the two ends of an entry send each other. */
static double weight_of(const struct tmap_pattern *pattern, int from, int64_t entry)
{
	int to = pattern->peer[entry];

	for (int64_t i = pattern->start[to]; i < pattern->start[to + 1]; i++)
		if (pattern->peer[i] == from)
			return pattern->sent[entry] + pattern->sent[i];
	return pattern->sent[entry];
}

/* Scotch counts weights in 32 bits, all together. */
static void write_graph(const char *name)
{
	struct job job;
	const struct tmap_pattern *pattern = &job.pattern;
	double scale;

	job_init(&job, name);
	scale = fmin(1, 5e8 / tmap_pattern_bytes(pattern));
	printf("0\n%d %lld\n0 010\n", pattern->size, (long long)pattern->start[pattern->size]);
	for (int r = 0; r < pattern->size; r++) {
		printf("%lld", (long long)(pattern->start[r + 1] - pattern->start[r]));
		for (int64_t i = pattern->start[r]; i < pattern->start[r + 1]; i++)
			printf(" %.0f %d", fmax(1, round(scale * weight_of(pattern, r, i))),
			       pattern->peer[i]);
		putchar('\n');
	}
	job_fini(&job);
}

static void judge(const char *name, const char *path)
{
	FILE *file = fopen(path, "r");
	struct tmap_evaluation evaluation;
	int count, rank, leaf, *slot_of;
	struct job job;
	bool *taken, doubled = false;

	job_init(&job, name);
	slot_of = calloc((size_t)job.pattern.size, sizeof *slot_of);
	taken = calloc((size_t)job.placement.size, sizeof *taken);
	if (!file || !slot_of || !taken || fscanf(file, "%d", &count) != 1)
		exit(EXIT_FAILURE);
	while (fscanf(file, "%d %d", &rank, &leaf) == 2) {
		doubled = doubled || taken[leaf];
		taken[leaf] = true;
		slot_of[rank] = leaf;
	}
	fclose(file);
	must(tmap_objective_evaluate(&evaluation, &job.objective, slot_of, &err));
	if (doubled)
		puts("-");
	else
		printf("%.17g\n", evaluation.byte_distance);
	free(slot_of);
	free(taken);
	job_fini(&job);
}

static void show_grids(void)
{
	static const char *const grids[] = { "16x16x4", "32x32x16", "64x64x16", "64x64x64",
					     "128x128x64" };

	puts("grids, von Neumann; bytes x distance by block = 1");
	printf("%12s %9s  %8s %9s  %s\n", "grid", "ranks", "ours", "seconds", "by");
	for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
		double block, best, seconds;
		struct job job;
		int found;

		job_init(&job, grids[i]);
		block = map(&job, "block", 0, &seconds, &found);
		best = map(&job, "best", TMAP_EFFORT, &seconds, &found);
		printf("%12s %9d  %8.4f %9.2f  %s\n", grids[i], job.pattern.size, best / block,
		       seconds, tmap_keywords_at(&tmap_mappers, (size_t)found)->name);
		job_fini(&job);
	}
}

static const struct {
	enum tmap_collective collective;
	const char *name;
} calls[] = {
	{ TMAP_ALLGATHER, "ring" },      { TMAP_ALLGATHER, "recursive_doubling" },
	{ TMAP_ALLGATHER, "bruck" },     { TMAP_BCAST, "binomial_far" },
	{ TMAP_GATHER, "binomial_far" },
};

/* Ranks are dealt to the nodes one by one, as launched. */
static void show_call(int k, int nodes)
{
	static const struct tmap_slots_excluded none;
	const double weight = 1;
	struct tmap_criteria criteria = {
		TMAP_GOAL_SECONDS, tmap_profile_at(0), TMAP_SCALE_PROCESS, NULL, 0, false
	};
	struct tmap_call call = { .size = nodes * 64, .bytes = 65536 };
	struct tmap_traffic traffic = { .call_count = 1, .call = &call, .weight = &weight };
	struct tmap_objective objective;
	struct tmap_placement placement;
	struct tmap_mapping block, cyclic, best;
	struct tmap_slots slots;
	double begin;

	must(tmap_call_parse(&call, calls[k].collective, calls[k].name, &err));
	placement_block_take(&placement, machine_for(call.size, true));
	must(tmap_slots_init(&slots, &placement, 0, &none, &err));
	must(tmap_objective_init(&objective, &slots, &traffic, &criteria, &err));
	must(tmap_map(&block, &objective, row("block"), 0, 1, NULL, &err));
	must(tmap_map(&cyclic, &objective, row("cyclic"), 0, 1, NULL, &err));
	begin = now();
	must(tmap_map(&best, &objective, row("best"), TMAP_EFFORT, 1, NULL, &err));
	printf("%10s %-19s %9d  %8.4f %8.4f %9.2f  %s %s\n",
	       tmap_keywords_at(&tmap_collectives, calls[k].collective)->name, calls[k].name,
	       call.size, cyclic.evaluation.seconds / block.evaluation.seconds,
	       best.evaluation.seconds / block.evaluation.seconds, now() - begin,
	       tmap_keywords_at(&tmap_mappers, (size_t)best.mapper)->name,
	       best.how ? best.how : "");
	tmap_mapping_fini(&block);
	tmap_mapping_fini(&cyclic);
	tmap_mapping_fini(&best);
	tmap_objective_fini(&objective);
	tmap_slots_fini(&slots);
	tmap_placement_fini(&placement);
}

int main(int argc, char **argv)
{
	setbuf(stdout, NULL);
	if (argc >= 3 && strcmp(argv[1], "map") == 0) {
		show_map(argv[2], argc > 3 ? strtoll(argv[3], NULL, 10) : TMAP_EFFORT);
	} else if (argc == 3 && strcmp(argv[1], "graph") == 0) {
		write_graph(argv[2]);
	} else if (argc == 4 && strcmp(argv[1], "judge") == 0) {
		judge(argv[2], argv[3]);
	} else {
		show_grids();
		puts("collectives of 64 KiB; predicted seconds by block = 1");
		printf("%10s %-19s %9s  %8s %8s %9s  %s\n", "", "", "ranks", "cyclic", "ours",
		       "seconds", "by");
		for (int k = 0; k < 5; k++)
			for (int nodes = 16; nodes <= 16384; nodes *= 32)
				show_call(k, nodes);
	}
	return 0;
}
