/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/hydra/hydra.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "formats/launchers/common/local_list.h"
#include "formats/launchers/common/node_blocks.h"
#include "formats/launchers/common/shell.h"

#include <stdlib.h>

static const struct tmap_list_form user = { .separator = ',', .repeat = 'x', .joint = '+' };

/* Does -rankmap give the ranks their nodes? */
static bool uses_rankmap(const struct tmap_launch *job)
{
	return job->launcher->limits.has_rankmap && job->locals.back != TMAP_NONE;
}

/* host:N binding=user:..., for the ranks locals->rank[first .. end) of one node. */
static char *print_line(const struct tmap_launch *job, int first, int end, struct tmap_error *err)
{
	const struct tmap_locals *locals = &job->locals;
	const char *host = job->p->machine->node_name[job->p->node[locals->rank[first]]];
	struct tmap_str line = TMAP_STR_INIT;
	bool bound = false;
	int status = 0;

	for (int i = first; i < end; i++)
		bound |= *tmap_locals_pus(locals, locals->rank[i]) != '\0';
	tmap_str_addf(&line, "%s:%d binding=%s", host, end - first, bound ? "user:" : "none");
	if (!tmap_host_is_plain(host))
		status =
			tmap_fail(err, TMAP_INPUT, "no hostfile can hold the host name '%s'", host);
	else if (bound)
		status = tmap_local_list_add(&line, locals, first, end, &user, err);
	if (status == 0 && line.length > (size_t)job->launcher->limits.line_max)
		status = tmap_fail(err, TMAP_INPUT,
				   "the line of host '%s' has %zu characters; Hydra "
				   "takes %d",
				   host, line.length, job->launcher->limits.line_max);
	if (status == 0)
		return tmap_str_take(&line, err);
	tmap_str_fini(&line);
	return NULL;
}

static int write_line(FILE *out, const struct tmap_launch *job, int first, int end,
		      struct tmap_error *err)
{
	char *line = print_line(job, first, end, err);

	if (!line)
		return -1;
	if (out)
		fprintf(out, "%s\n", line);
	free(line);
	return 0;
}

/* Runs of ranks on one node, as they come; locals->rank[] is sorted by node, so a run is an
 * interval of it. */
static int write_runs(FILE *out, const struct tmap_launch *job, struct tmap_error *err)
{
	const struct tmap_placement *p = job->p;
	int *next = tmap_alloc((size_t)p->machine->node_count, sizeof *next, err);
	int status = next ? 0 : -1;

	for (int r = 0; r < p->size && status == 0;) {
		int node = p->node[r], end = r + 1, first = job->locals.first[node] + next[node];

		while (end < p->size && p->node[end] == node)
			end++;
		status = write_line(out, job, first, first + end - r, err);
		next[node] += end - r;
		r = end;
	}
	free(next);
	return status;
}

static int write_nodes(FILE *out, const struct tmap_launch *job, struct tmap_error *err)
{
	const struct tmap_locals *locals = &job->locals;
	int status = 0;

	for (int n = 0; n < job->p->machine->node_count && status == 0; n++)
		if (tmap_locals_count(locals, n))
			status = write_line(out, job, locals->first[n], locals->first[n + 1], err);
	return status;
}

int tmap_hydra_write(FILE *out, const struct tmap_launch *job, int number, struct tmap_error *err)
{
	int status;

	(void)number;
	if (tmap_launch_write_comment(out, job, err) < 0)
		return -1;
	status = uses_rankmap(job) ? write_nodes(out, job, err) : write_runs(out, job, err);
	return status;
}

static int add_rankmap(struct tmap_str *line, const struct tmap_launch *job, struct tmap_error *err)
{
	int most = job->launcher->limits.argument_max, status = -1;
	int *number = tmap_locals_number_nodes(&job->locals, err);
	struct tmap_node_blocks blocks = { 0 };
	struct tmap_str map = TMAP_STR_INIT;

	if (number &&
	    tmap_node_blocks_init(&blocks, job->p->node, number, job->p->size, err) == 0) {
		tmap_node_blocks_add_rankmap(&map, &blocks);
		status = 0;
	}
	if (status == 0 && map.length > (size_t)most)
		status = tmap_fail(err, TMAP_INPUT,
				   "the rank map has %zu characters; Hydra takes %d", map.length,
				   most);
	if (status == 0) {
		tmap_str_add(line, "-rankmap ");
		tmap_shell_add(line, map.text ? map.text : "");
		tmap_str_addc(line, ' ');
		line->failed |= map.failed;
	}
	tmap_str_fini(&map);
	tmap_node_blocks_fini(&blocks);
	free(number);
	return status;
}

int tmap_hydra_command(struct tmap_str *line, const struct tmap_launch *job, struct tmap_error *err)
{
	tmap_str_add(line, "mpiexec.hydra -f ");
	tmap_shell_add_file(line, job->name);
	tmap_str_addc(line, ' ');
	if (uses_rankmap(job) && add_rankmap(line, job, err) < 0)
		return -1;
	tmap_str_addf(line, "-n %d PROGRAM", job->p->size);
	return 0;
}

int tmap_hydra_note(struct tmap_str *text, const struct tmap_launch *job, struct tmap_error *err)
{
	(void)err;
	if (job->locals.back != TMAP_NONE)
		tmap_str_add(
			text,
			"MPICH takes the parts of a host that stands there again for hosts "
			"of their own and does not use shared memory between them; from 5.1 on "
			"--launcher hydra does without");
	return 0;
}
