#include "formats/launchers/common/profiles.h"

#include "core/base/mem.h"
#include "formats/launchers/common/local_list.h"
#include "formats/launchers/common/node_blocks.h"
#include "formats/launchers/common/shell.h"

#include <stdlib.h>

static const struct tm_list_form map = { .separator = ';', .joint = ',' };

static int count_nodes(const struct tm_locals *locals)
{
	int count = 0;

	for (int n = 0; n < locals->p->machine->node_count; n++)
		count += tm_locals_count(locals, n) > 0;
	return count;
}

/* A task map counts the nodes of the allocation, each of which has tasks. */
static int check_nodes(const struct tm_locals *locals, struct tm_error *err)
{
	int used = count_nodes(locals);

	for (int n = 0; n < used; n++)
		if (!tm_locals_count(locals, n))
			return tm_fail(err, TM_INPUT, "node '%s' has no rank, but a task map counts "
				       "all nodes of the allocation up to the last one that has",
				       locals->p->machine->node_name[n]);
	return 0;
}

static void print_blocks(struct tm_str *text, const struct tm_node_blocks *blocks)
{
	tm_str_add(text, "{\"version\":1,\"map\":[");
	for (int i = 0; i < blocks->count; i++) {
		const struct tm_node_block *block = &blocks->block[i];

		tm_str_addf(text, "%s[%d,%d,%d,%d]", i ? "," : "", block->start, block->nodes,
			    block->ranks, block->repeat);
	}
	tm_str_add(text, "]}");
}

static int write_map(FILE *out, const struct tm_launch *job, struct tm_error *err)
{
	struct tm_node_blocks blocks = { 0 };
	struct tm_str text = TM_STR_INIT;
	int most = job->launcher->limits.argument_max, status;
	char *map_text = NULL;

	if (tm_node_blocks_init(&blocks, job->p->node, NULL, job->p->size, err) < 0)
		return -1;
	print_blocks(&text, &blocks);
	tm_node_blocks_fini(&blocks);
	if (text.length + 32 > (size_t)most)
		status = tm_fail(err, TM_INPUT, "the task map has %zu characters, but a word of a "
				 "command line takes %d", text.length, most);
	else if ((map_text = tm_str_take(&text, err)) == NULL)
		status = -1;
	else
		status = tm_launch_write_comment(out, job, err);
	if (status == 0 && out)
		fprintf(out, "%s\n", map_text);
	free(map_text);
	tm_str_fini(&text);
	return status;
}

int tm_flux_write(FILE *out, const struct tm_launch *job, int number, struct tm_error *err)
{
	(void)number;
	return check_nodes(&job->locals, err) < 0 ? -1 : write_map(out, job, err);
}

int tm_flux_command(struct tm_str *line, const struct tm_launch *job, struct tm_error *err)
{
	tm_str_addf(line, "flux run -N %d -n %d --taskmap=\"manual:$(grep -v '^#' ",
		    count_nodes(&job->locals), job->p->size);
	tm_shell_add(line, job->name);
	tm_str_add(line, ")\" -o ");
	if (tm_locals_is_unbound(&job->locals))
		tm_str_add(line, "cpu-affinity=off");
	else if (tm_local_list_add_word(line, &job->locals, &map, "cpu-affinity=map:", "", "Flux",
					job->launcher->limits.argument_max, err) < 0)
		return -1;
	tm_str_add(line, " PROGRAM");
	return 0;
}

int tm_flux_note(struct tm_str *text, const struct tm_launch *job, struct tm_error *err)
{
	(void)err;
	tm_str_addf(text, "the map counts the nodes of the allocation in Flux's order, which must begin "
		    "with '%s'", job->p->machine->node_name[0]);
	return 0;
}
