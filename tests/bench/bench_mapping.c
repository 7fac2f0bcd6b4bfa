/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How good and how fast mappings are, growing to a million ranks: grids that the program tells, and
 * collectives. tests/bench/bench_mapper.c compares mappings of graphs with those of others.
 *
 * Nodes are of 2 packages of 2 NUMA nodes of 16 cores, at level costs 100, 20, 10, 1.
 */
#include "core/algorithms/catalogue.h"
#include "core/mappers/mapper.h"
#include "core/pattern/grid.h"
#include "tests/support/machines.h"
#include "tests/support/printed.h"

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

	for (; sscanf(text, "%d%n", &side, &used) == 1; text += used + (text[used] == 'x'))
		size *= side;
	return size;
}

static void read_traffic(struct job *job, const char *name)
{
	struct tmap_pattern_builder builder = { 0 };

	must(tmap_neighborhood_init(&job->grid, grid_size(name), "vonneumann", name, NULL, NULL,
				    &err));
	must(tmap_pattern_builder_init(&builder, job->grid.size, &err));
	must(tmap_pattern_add_grid(&builder, &job->grid, 1, &err));
	must(tmap_pattern_finish(&job->pattern, &builder, &err));
	tmap_pattern_builder_fini(&builder);
}

static struct tmap_machine *machine_for(int ranks)
{
	return machine_regular((ranks + 63) / 64,
			       (const struct test_level[]){ { TMAP_PACKAGE, 2 },
							    { TMAP_NUMA, 2 },
							    { TMAP_CORE, 16 },
							    { TMAP_NODE, 0 } });
}

static void job_init(struct job *job, const char *name)
{
	static const struct tmap_slots_excluded none;

	memset(job, 0, sizeof *job);
	read_traffic(job, name);
	placement_block_take(&job->placement, machine_for(job->pattern.size));
	must(tmap_slots_init(&job->slots, &job->placement, 0, &none, &err));
	job->slots.rank_count = job->pattern.size; /* the last places may stay empty */
	job->traffic = (struct tmap_traffic){ .pattern = &job->pattern, .grid = &job->grid };
	job->criteria = (struct tmap_criteria){ .goal = TMAP_GOAL_DISTANCE,
						.profile = tmap_profile_at(0),
						.scale = TMAP_SCALE_PROCESS,
						.level_cost = level_cost,
						.level_cost_count = 4 };
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
	struct tmap_criteria criteria = { .goal = TMAP_GOAL_SECONDS,
					  .profile = tmap_profile_at(0),
					  .scale = TMAP_SCALE_PROCESS };
	struct tmap_call call = { .size = nodes * 64, .bytes = 65536 };
	struct tmap_traffic traffic = { .call_count = 1, .call = &call, .weight = &weight };
	struct tmap_objective objective;
	struct tmap_placement placement;
	struct tmap_mapping block, cyclic, best;
	struct tmap_slots slots;
	double begin;

	must(tmap_call_parse(&call, calls[k].collective, calls[k].name, &err));
	placement_block_take(&placement, machine_for(call.size));
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

int main(void)
{
	setbuf(stdout, NULL);
	show_grids();
	puts("collectives of 64 KiB; predicted seconds by block = 1");
	printf("%10s %-19s %9s  %8s %8s %9s  %s\n", "", "", "ranks", "cyclic", "ours", "seconds",
	       "by");
	for (int k = 0; k < 5; k++)
		for (int nodes = 16; nodes <= 16384; nodes *= 32)
			show_call(k, nodes);
	return 0;
}
