/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/flux/flux.h"

#include "core/base/mem.h"
#include "formats/launchers/common/local_list.h"
#include "formats/launchers/common/node_blocks.h"
#include "formats/launchers/common/shell.h"

#include <stdlib.h>

static const struct tmap_list_form map = { .separator = ';', .joint = ',' };

static int count_nodes(const struct tmap_locals *locals)
{
	int count = 0;

	for (int n = 0; n < locals->p->machine->node_count; n++)
		count += tmap_locals_count(locals, n) > 0;
	return count;
}

/* A task map counts the nodes of the allocation, each of which has tasks. */
static int check_nodes(const struct tmap_locals *locals, struct tmap_error *err)
{
	int used = count_nodes(locals);

	for (int n = 0; n < used; n++)
		if (!tmap_locals_count(locals, n))
			return tmap_fail(err, TMAP_INPUT,
					 "node '%s' has no rank, but a task map counts "
					 "all nodes of the allocation up to the last one that has",
					 locals->p->machine->node_name[n]);
	return 0;
}

static void print_blocks(struct tmap_str *text, const struct tmap_node_blocks *blocks)
{
	tmap_str_add(text, "{\"version\":1,\"map\":[");
	for (int i = 0; i < blocks->count; i++) {
		const struct tmap_node_block *block = &blocks->block[i];

		tmap_str_addf(text, "%s[%d,%d,%d,%d]", i ? "," : "", block->start, block->nodes,
			      block->ranks, block->repeat);
	}
	tmap_str_add(text, "]}");
}

static int print_map(struct tmap_str *text, const struct tmap_launch *job, struct tmap_error *err)
{
	struct tmap_node_blocks blocks = { 0 };

	if (tmap_node_blocks_init(&blocks, job->p->node, NULL, job->p->size, err) < 0)
		return -1;
	print_blocks(text, &blocks);
	tmap_node_blocks_fini(&blocks);
	return 0;
}

static int write_map(FILE *out, const struct tmap_launch *job, struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;
	int most = job->launcher->limits.argument_max, status;
	char *map_text = NULL;

	if (print_map(&text, job, err) < 0)
		return -1;
	if (text.length + 32 > (size_t)most)
		status = tmap_fail(err, TMAP_INPUT,
				   "the task map has %zu characters, but a word of a "
				   "command line takes %d",
				   text.length, most);
	else if ((map_text = tmap_str_take(&text, err)) == NULL)
		status = -1;
	else
		status = tmap_launch_write_comment(out, job, err);
	if (status == 0 && out)
		fprintf(out, "%s\n", map_text);
	free(map_text);
	tmap_str_fini(&text);
	return status;
}

int tmap_flux_write(FILE *out, const struct tmap_launch *job, int number, struct tmap_error *err)
{
	(void)number;
	return check_nodes(&job->locals, err) < 0 ? -1 : write_map(out, job, err);
}

int tmap_flux_command(struct tmap_str *line, const struct tmap_launch *job, struct tmap_error *err)
{
	tmap_str_addf(line, "flux run -N %d -n %d --taskmap=\"manual:$(grep -v '^#' ",
		      count_nodes(&job->locals), job->p->size);
	tmap_shell_add_file(line, job->name);
	tmap_str_add(line, ")\" -o ");
	if (tmap_locals_is_unbound(&job->locals))
		tmap_str_add(line, "cpu-affinity=off");
	else if (tmap_local_list_add_word(line, &job->locals, &map, "cpu-affinity=map:", "", "Flux",
					  job->launcher->limits.argument_max, err) < 0)
		return -1;
	tmap_str_add(line, " PROGRAM");
	return 0;
}

int tmap_flux_note(struct tmap_str *text, const struct tmap_launch *job, struct tmap_error *err)
{
	struct tmap_str made = TMAP_STR_INIT;

	if (print_map(&made, job, err) < 0)
		return -1;
	tmap_str_addf(
		text,
		"the map counts the nodes of the allocation in Flux's order, which must begin "
		"with '%s'",
		job->p->machine->node_name[0]);
	if (made.length > (size_t)job->launcher->limits.value_max)
		tmap_str_addf(
			text,
			"; it has %zu characters, and with Flux's own PMI a job whose map has "
			"more than %d does not start: that needs -o pmi=pmix, or pmi=off",
			made.length, job->launcher->limits.value_max);
	text->failed |= made.failed;
	tmap_str_fini(&made);
	return 0;
}

#define PER_TASK "-o cpu-affinity=per-task"
#define STRETCHED "-c $5 " PER_TASK

const struct tmap_fix_words tmap_flux_fixes = {
	.launcher = "Flux",
	.counts_pus = true,
	.word = { [TMAP_FIX_BIND] = PER_TASK,
		  [TMAP_FIX_APART] = PER_TASK,
		  [TMAP_FIX_FEWER] = "-N $3 --tasks-per-node=$2 " PER_TASK,
		  [TMAP_FIX_NEAR] = "--exclusive -o cpu-affinity=map:$1",
		  [TMAP_FIX_EVEN] = "-N $3 -n $4[ -c $1] " PER_TASK,
		  [TMAP_FIX_BLOCK] = "--taskmap=block[ -c $1] " PER_TASK,
		  [TMAP_FIX_PACKED] = "--taskmap=block[ -c $1] " PER_TASK,
		  [TMAP_FIX_CYCLIC] = "--taskmap=cyclic[ -c $1] " PER_TASK,
		  [TMAP_FIX_THREADS] = "-c $1 " PER_TASK,
		  [TMAP_FIX_WIDE_THREADS] = "-c $1 " PER_TASK,
		  [TMAP_FIX_PACKAGE_THREADS] = STRETCHED,
		  [TMAP_FIX_NUMA_THREADS] = STRETCHED,
		  [TMAP_FIX_EACH_PACKAGE] = STRETCHED,
		  [TMAP_FIX_EACH_NUMA] = STRETCHED,
		  [TMAP_FIX_EACH_CACHE] = STRETCHED,
		  [TMAP_FIX_SPREAD] = STRETCHED,
		  [TMAP_FIX_SPREAD_THREADS] = STRETCHED,
		  [TMAP_FIX_TURNS] = STRETCHED,
		  [TMAP_FIX_CACHES] = STRETCHED,
		  [TMAP_FIX_PUS] = "-N $6 --tasks-per-node=$5 -o cpu-affinity='map:$3'",
		  [TMAP_FIX_SETS] = "-N $6 --tasks-per-node=$5 -o cpu-affinity='map:$3'" },
};
