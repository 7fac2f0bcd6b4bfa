/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One mapping, for comparisons with other mappers (tests/bench/mapping.sh).
 *
 *     bench_mapper map JOB EFFORT SEED      cost of ours, CPU seconds, who found it; effort 0: as
 *                                           much as where nobody says
 *     bench_mapper curve JOB                effort, cost and CPU seconds, from little to much
 *     bench_mapper block JOB                cost of the ranks as they are numbered
 *     bench_mapper graph JOB                the job as a Scotch graph (also METIS': "metis")
 *     bench_mapper target JOB               its machine as Scotch's tleaf; as widths and costs: "tree"
 *     bench_mapper judge JOB MAPPING        cost of a mapping that Scotch has written; "-" where
 *                                           it puts two ranks on one core. "plain": a core a line
 *     bench_mapper recurse JOB DIRECTORY    cost of Scotch's gpart, set by set from the outermost
 *                                           layer on; "-" where a part has another size
 *
 * A JOB is GRAPH@MACHINE. The graph is a file with a matrix of 64 ranks, or generated
 * (tests/support/graphs.h). Ours gets the graph alone, as the others do: no grid. Costs are bytes
 * times the cost of the outermost layer that separates two ranks.
 */
#include "core/base/mem.h"
#include "core/mappers/mapper.h"
#include "formats/traffic/traffic.h"
#include "tests/support/graphs.h"
#include "tests/support/machines.h"
#include "tests/support/printed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct tmap_error err;

static double cpu_seconds(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

static void must(int status)
{
	if (status < 0) {
		fprintf(stderr, "bench_mapper: %s\n", printed(&err));
		exit(EXIT_FAILURE);
	}
}

/* Nodes of these under switches of so many nodes (0: none). */
static const struct machine_kind {
	const char *name;
	struct test_level node[5];
	int cores, switch_nodes;
	double cost[5];
	int costs;
	bool is_uneven; /* every second node has three quarters of its cores, every third one half */
} machine_kinds[] = {
	{ .name = "flat",
	  .node = { { TMAP_CORE, 16 }, { TMAP_NODE, 0 } },
	  .cores = 16,
	  .cost = { 10, 1 },
	  .costs = 2 },
	{ .name = "small",
	  .node = { { TMAP_PACKAGE, 2 }, { TMAP_NUMA, 2 }, { TMAP_CORE, 4 }, { TMAP_NODE, 0 } },
	  .cores = 16,
	  .cost = { 100, 20, 10, 1 },
	  .costs = 4 },
	{ .name = "three",
	  .node = { { TMAP_PACKAGE, 2 }, { TMAP_NUMA, 2 }, { TMAP_CORE, 16 }, { TMAP_NODE, 0 } },
	  .cores = 64,
	  .cost = { 100, 20, 10, 1 },
	  .costs = 4 },
	{ .name = "fat",
	  .node = { { TMAP_CORE, 16 }, { TMAP_NODE, 0 } },
	  .cores = 16,
	  .switch_nodes = 8,
	  .cost = { 30, 10, 1 },
	  .costs = 3 },
	{ .name = "smt",
	  .node = { { TMAP_PACKAGE, 2 }, { TMAP_CORE, 8 }, { TMAP_PU, 2 }, { TMAP_NODE, 0 } },
	  .cores = 32,
	  .cost = { 100, 20, 5, 1 },
	  .costs = 4 },
	{ .name = "uneven",
	  .node = { { TMAP_CORE, 16 }, { TMAP_NODE, 0 } },
	  .cores = 16,
	  .cost = { 10, 1 },
	  .costs = 2,
	  .is_uneven = true },
};

struct job {
	const struct machine_kind *kind;
	struct tmap_pattern pattern;
	struct tmap_placement placement;
	struct tmap_slots slots;
	struct tmap_traffic traffic;
	struct tmap_criteria criteria;
	struct tmap_objective objective;
	int *seat; /* [places]: the core of each, counted over all nodes */
};

static void read_traffic(struct job *job, const char *name)
{
	struct tmap_pattern_builder builder = { 0 };
	unsigned long long seed = 0;
	int status = graph_generate(&job->pattern, name, &err), used = 0;

	must(status);
	if (status == 0)
		return;
	if (sscanf(name, "shuffled:%llu:%n", &seed, &used) == 1)
		name += used;
	must(tmap_pattern_builder_init(&builder, 64, &err));
	must(tmap_traffic_read(&builder, name, TMAP_NONE, &err));
	must(tmap_pattern_finish(&job->pattern, &builder, &err));
	tmap_pattern_builder_fini(&builder);
	must(graph_shuffle(&job->pattern, seed, &err));
}

static const struct machine_kind *kind_find(const char *name)
{
	for (size_t k = 0; k < sizeof machine_kinds / sizeof *machine_kinds; k++)
		if (strcmp(machine_kinds[k].name, name) == 0)
			return &machine_kinds[k];
	fprintf(stderr, "bench_mapper: no machine %s\n", name);
	exit(EXIT_FAILURE);
}

static int node_places(const struct machine_kind *kind, int node)
{
	return kind->is_uneven ? kind->cores * (4 - node % 3) / 4 : kind->cores;
}

static void place(struct job *job)
{
	const struct machine_kind *kind = job->kind;
	int nodes = 0, places = 0;
	struct tmap_machine *machine;

	while (places < job->pattern.size)
		places += node_places(kind, nodes++);
	job->seat = calloc((size_t)places, sizeof *job->seat);
	machine = machine_regular(nodes, kind->node);
	if (kind->switch_nodes)
		machine_add_switches(machine, kind->switch_nodes);
	for (int n = 0, next = 0; n < nodes; n++)
		for (int c = 0; c < node_places(kind, n); c++)
			job->seat[next++] = n * kind->cores + c;
	placement_seats_take(&job->placement, machine, job->seat, places);
}

static void job_init(struct job *job, const char *name)
{
	static const struct tmap_slots_excluded none;
	const char *at = strrchr(name, '@');
	char *graph = at ? strndup(name, (size_t)(at - name)) : NULL;

	memset(job, 0, sizeof *job);
	if (!graph) {
		fprintf(stderr, "bench_mapper: %s has no @MACHINE\n", name);
		exit(EXIT_FAILURE);
	}
	read_traffic(job, graph);
	free(graph);
	job->kind = kind_find(at + 1);
	place(job);
	must(tmap_slots_init(&job->slots, &job->placement, 0, &none, &err));
	job->slots.rank_count = job->pattern.size; /* the last places may stay empty */
	job->traffic = (struct tmap_traffic){ .pattern = &job->pattern };
	job->criteria = (struct tmap_criteria){ .goal = TMAP_GOAL_DISTANCE,
						.profile = tmap_profile_at(0),
						.scale = TMAP_SCALE_PROCESS,
						.level_cost = job->kind->cost,
						.level_cost_count = job->kind->costs,
						.only_goal = true };
	must(tmap_objective_init(&job->objective, &job->slots, &job->traffic, &job->criteria,
				 &err));
}

static void job_fini(struct job *job)
{
	tmap_objective_fini(&job->objective);
	tmap_slots_fini(&job->slots);
	tmap_placement_fini(&job->placement);
	tmap_pattern_fini(&job->pattern);
	free(job->seat);
}

static double cost_of(struct job *job, const int *slot_of)
{
	struct tmap_evaluation evaluation;

	must(tmap_objective_evaluate(&evaluation, &job->objective, slot_of, &err));
	return evaluation.byte_distance;
}

static void show_map(struct job *job, int64_t effort, uint64_t seed)
{
	struct tmap_mapping mapping;
	double begin = cpu_seconds();

	must(tmap_map(&mapping, &job->objective, 0,
		      effort ? effort : tmap_effort_for(&job->objective), seed, NULL, &err));
	printf("%.17g %.3f %s\n", mapping.evaluation.byte_distance, cpu_seconds() - begin,
	       tmap_keywords_at(&tmap_mappers, (size_t)mapping.mapper)->name);
	tmap_mapping_fini(&mapping);
}

static void show_curve(struct job *job)
{
	for (int64_t effort = 100000; effort <= 1000000000; effort *= 10) {
		printf("%lld ", (long long)effort);
		show_map(job, effort, 1);
	}
}

static void show_block(struct job *job)
{
	int *slot_of = calloc((size_t)job->placement.size, sizeof *slot_of);

	for (int s = 0; s < job->placement.size; s++)
		slot_of[s] = s;
	printf("%.17g\n", cost_of(job, slot_of));
	free(slot_of);
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

/* Scotch counts weights in 32 bits, all together. list[count] are the ranks that it is of, name[]
 * the number of each among them, TMAP_NONE of the others. */
static void write_graph(FILE *out, const struct job *job, const int *list, int count,
			const int *name, bool is_metis)
{
	const struct tmap_pattern *pattern = &job->pattern;
	double scale = fmin(1, 5e8 / tmap_pattern_bytes(pattern));
	long long edges = 0;

	for (int k = 0; k < count; k++)
		for (int64_t i = pattern->start[list[k]]; i < pattern->start[list[k] + 1]; i++)
			edges += name[pattern->peer[i]] != TMAP_NONE;
	if (is_metis)
		fprintf(out, "%d %lld 1\n", count, edges / 2);
	else
		fprintf(out, "0\n%d %lld\n0 010\n", count, edges);
	for (int k = 0; k < count; k++) {
		int degree = 0, r = list[k];

		for (int64_t i = pattern->start[r]; i < pattern->start[r + 1]; i++)
			degree += name[pattern->peer[i]] != TMAP_NONE;
		if (!is_metis)
			fprintf(out, "%d", degree);
		for (int64_t i = pattern->start[r]; i < pattern->start[r + 1]; i++) {
			double weight = fmax(1, round(scale * weight_of(pattern, r, i)));
			int to = name[pattern->peer[i]];

			if (to == TMAP_NONE)
				continue;
			if (is_metis)
				fprintf(out, " %d %.0f", to + 1, weight);
			else
				fprintf(out, " %.0f %d", weight, to);
		}
		fputc('\n', out);
	}
}

static void show_graph(const struct job *job, bool is_metis)
{
	int *all = calloc((size_t)job->pattern.size, sizeof *all);

	for (int r = 0; r < job->pattern.size; r++)
		all[r] = r;
	write_graph(stdout, job, all, job->pattern.size, all, is_metis);
	free(all);
}

/* Every set of a layer has as many of the next one; in an uneven machine, if it were full. */
static void show_target(const struct job *job, bool is_tree)
{
	const struct tmap_nest *nest = &job->objective.nest;
	int above = 1;

	if (job->kind->is_uneven) {
		printf("sub %d", job->placement.size);
		for (int s = 0; s < job->placement.size; s++)
			printf(" %d", job->seat[s]);
		printf("\ntleaf 2 %d %g %d %g\n", nest->set_count[0], nest->cost[0],
		       job->kind->cores, nest->cost[1]);
		return;
	}
	printf(is_tree ? "%d" : "tleaf %d", nest->depth);
	for (int l = 0; l < nest->depth; above = nest->set_count[l++])
		printf(" %d %g", nest->set_count[l] / above, nest->cost[l]);
	putchar('\n');
}

static void judge(struct job *job, const char *path, bool is_plain)
{
	FILE *file = fopen(path, "r");
	int count = 0, rank = 0, leaf, places = job->placement.size;
	int *slot_of = calloc((size_t)places, sizeof *slot_of);
	bool *taken = calloc((size_t)places, sizeof *taken), valid = true;

	if (!file || !slot_of || !taken || (!is_plain && fscanf(file, "%d", &count) != 1))
		exit(EXIT_FAILURE);
	count = 0;
	while ((is_plain || fscanf(file, "%d", &rank) == 1) && fscanf(file, "%d", &leaf) == 1) {
		int slot = leaf;

		if (job->kind->is_uneven)
			for (slot = 0; slot < places && job->seat[slot] != leaf; slot++)
				;
		rank = is_plain ? count : rank;
		if (rank < 0 || rank >= places || slot < 0 || slot >= places || taken[slot]) {
			valid = false;
			break;
		}
		taken[slot] = true;
		slot_of[rank] = slot;
		count++;
	}
	fclose(file);
	if (valid && count == job->pattern.size) {
		for (int r = count, s = 0; r < places; s++)
			if (!taken[s])
				slot_of[r++] = s;
		printf("%.17g\n", cost_of(job, slot_of));
	} else {
		puts("-");
	}
	free(slot_of);
	free(taken);
}

/* Ranks of list[count] divided into @p parts by gpart; false where sizes differ. */
static bool part_divide(const struct job *job, const char *directory, int *list, int count,
			int parts, int *name)
{
	char command[600], path[200];
	int *part = calloc((size_t)count, sizeof *part);
	int *sorted = calloc((size_t)count, sizeof *sorted);
	int *next = calloc((size_t)parts, sizeof *next);
	bool is_valid = true;
	FILE *file;
	int v, p;

	for (int k = 0; k < count; k++)
		name[list[k]] = k;
	snprintf(path, sizeof path, "%s/part", directory);
	file = fopen(path, "w");
	if (!file || !part || !sorted || !next)
		exit(EXIT_FAILURE);
	write_graph(file, job, list, count, name, false);
	fclose(file);
	for (int k = 0; k < count; k++)
		name[list[k]] = TMAP_NONE;
	snprintf(command, sizeof command,
		 "scotch_gpart -cqb -b0 %d %s %s.map /dev/null 2>/dev/null", parts, path, path);
	if (system(command) != 0)
		exit(EXIT_FAILURE);
	snprintf(path, sizeof path, "%s/part.map", directory);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%d", &v) != 1)
		exit(EXIT_FAILURE);
	while (fscanf(file, "%d %d", &v, &p) == 2)
		part[v] = p;
	fclose(file);
	for (int k = 0; k < parts; k++)
		next[k] = k * (count / parts);
	for (int k = 0; k < count && is_valid; k++) {
		is_valid = next[part[k]] < (part[k] + 1) * (count / parts);
		if (is_valid)
			sorted[next[part[k]]++] = list[k];
	}
	if (is_valid)
		memcpy(list, sorted, (size_t)count * sizeof *list);
	free(part);
	free(sorted);
	free(next);
	return is_valid;
}

static void recurse(struct job *job, const char *directory)
{
	const struct tmap_nest *nest = &job->objective.nest;
	int count = job->pattern.size;
	int *at = calloc((size_t)count, sizeof *at), *name = calloc((size_t)count, sizeof *name);
	int *slot_of = calloc((size_t)job->placement.size, sizeof *slot_of);
	bool is_valid = !job->kind->is_uneven && count == job->placement.size;

	for (int r = 0; r < count; r++) {
		at[r] = r;
		name[r] = TMAP_NONE;
	}
	for (int l = 0; l < nest->depth && is_valid; l++) {
		int above = l ? nest->set_count[l - 1] : 1, size = count / above;

		if (nest->set_count[l] == count)
			break; /* of cores, any will do */
		for (int s = 0; s < above && is_valid; s++)
			is_valid = part_divide(job, directory, at + s * size, size,
					       nest->set_count[l] / above, name);
	}
	for (int x = 0; x < count && is_valid; x++)
		slot_of[at[x]] = nest->slot[x];
	if (is_valid)
		printf("%.17g\n", cost_of(job, slot_of));
	else
		puts("-");
	free(at);
	free(name);
	free(slot_of);
}

int main(int argc, char **argv)
{
	const char *verb = argc > 2 ? argv[1] : "";
	struct job job;

	if (argc < 3) {
		puts("run by tests/bench/mapping.sh");
		return 77;
	}
	job_init(&job, argv[2]);
	if (strcmp(verb, "map") == 0 && argc == 5)
		show_map(&job, strtoll(argv[3], NULL, 10), strtoull(argv[4], NULL, 10));
	else if (strcmp(verb, "curve") == 0)
		show_curve(&job);
	else if (strcmp(verb, "block") == 0)
		show_block(&job);
	else if (strcmp(verb, "graph") == 0 || strcmp(verb, "metis") == 0)
		show_graph(&job, verb[0] == 'm');
	else if (strcmp(verb, "target") == 0 || strcmp(verb, "tree") == 0)
		show_target(&job, strcmp(verb, "tree") == 0);
	else if ((strcmp(verb, "judge") == 0 || strcmp(verb, "plain") == 0) && argc == 4)
		judge(&job, argv[3], verb[0] == 'p');
	else if (strcmp(verb, "recurse") == 0 && argc == 4)
		recurse(&job, argv[3]);
	else
		return EXIT_FAILURE;
	job_fini(&job);
	return EXIT_SUCCESS;
}
