/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/cray/cray.h"

#include "core/base/mem.h"
#include "core/machine/most_ranks.h"
#include "formats/launchers/common/node_blocks.h"
#include "formats/launchers/common/shell.h"

#include <inttypes.h>
#include <stdlib.h>

int tmap_cray_parse_list(struct tmap_rank_list *list, const struct tmap_launcher_file *file,
			 int *line, struct tmap_error *err)
{
	return tmap_rank_list_parse(list, file->text, tmap_most_ranks(file->machine), line, err);
}

/* A line a node: the ranks that take the slots of the ranks that are there now. */
static void write_lines(FILE *out, const struct tmap_launch *job, const int *taker,
			const struct tmap_locals *now)
{
	for (int n = 0; n < job->before->machine->node_count; n++)
		for (int i = now->first[n]; i < now->first[n + 1]; i++)
			fprintf(out, "%d%c", taker[now->rank[i]],
				i + 1 < now->first[n + 1] ? ',' : '\n');
}

int tmap_cray_write(FILE *out, const struct tmap_launch *job, int number, struct tmap_error *err)
{
	struct tmap_locals now = { 0 };
	int *taker, status = -1;

	(void)number;
	if (tmap_launch_check_permutation(job, err) < 0)
		return -1;
	if (!out)
		return 0;
	taker = tmap_rank_list_invert(job->place_of, job->p->size, err);
	if (taker && tmap_locals_init(&now, job->before, err) == 0) {
		tmap_launch_write_why(out, job);
		fputs("# slot after slot and node after node: the rank that takes it\n", out);
		write_lines(out, job, taker, &now);
		status = 0;
	}
	tmap_locals_fini(&now);
	free(taker);
	return status;
}

static const char *program(const struct tmap_launch *job)
{
	return job->program ? job->program : "srun";
}

int tmap_cray_command(struct tmap_str *line, const struct tmap_launch *job, struct tmap_error *err)
{
	(void)err;
	tmap_str_add(line, "MPICH_RANK_REORDER_METHOD=3 MPICH_RANK_REORDER_FILE=");
	tmap_shell_add_file(line, job->name);
	tmap_str_addf(line, " %s -n %d PROGRAM", program(job), job->p->size);
	return 0;
}

/* The library hands the nodes of all ranks on as one value of PMI. */
int tmap_cray_note(struct tmap_str *text, const struct tmap_launch *job, struct tmap_error *err)
{
	int *number = tmap_locals_number_nodes(&job->locals, err), status = -1;
	int most = job->launcher->limits.value_max;
	struct tmap_node_blocks blocks = { 0 };

	if (number)
		status = tmap_node_blocks_init(&blocks, job->p->node, number, job->p->size, err);
	if (status == 0) {
		int64_t length = tmap_node_blocks_pmi_length(&blocks);

		tmap_str_addf(text,
			      "the slots are those of a job started as before, on the same nodes "
			      "and with the same options of %s",
			      program(job));
		if (length > most)
			tmap_str_addf(
				text,
				"; the process map of this order has %" PRId64
				" characters, and a library that keeps it in a PMI value of %d "
				"may fail to start",
				length, most + 1);
	}
	tmap_node_blocks_fini(&blocks);
	free(number);
	return status;
}
