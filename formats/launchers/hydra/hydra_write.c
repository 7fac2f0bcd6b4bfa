#include "formats/launchers/common/profiles.h"

#include "core/base/mem.h"
#include "formats/launchers/common/hosts.h"
#include "formats/launchers/common/local_list.h"
#include "formats/launchers/common/node_blocks.h"
#include "formats/launchers/common/shell.h"

#include <stdlib.h>

static const struct tm_list_form user = { .separator = ',', .repeat = 'x', .joint = '+' };

/* Hydra deals the ranks to the nodes by itself. */
static bool uses_rankmap(const struct tm_launch *job)
{
	return job->launcher->limits.has_rankmap && job->locals.back != TM_NONE;
}

/* host:N binding=user:..., for the ranks locals->rank[first .. end) of one node. */
static char *print_line(const struct tm_launch *job, int first, int end, struct tm_error *err)
{
	const struct tm_locals *locals = &job->locals;
	const char *host = job->p->machine->node_name[job->p->node[locals->rank[first]]];
	struct tm_str line = TM_STR_INIT;
	bool bound = false;
	int status = 0;

	for (int i = first; i < end; i++)
		bound |= *tm_locals_pus(locals, locals->rank[i]) != '\0';
	tm_str_addf(&line, "%s:%d binding=%s", host, end - first, bound ? "user:" : "none");
	if (!tm_host_is_plain(host))
		status = tm_fail(err, TM_INPUT, "no hostfile can hold the host name '%s'", host);
	else if (bound)
		status = tm_local_list_add(&line, locals, first, end, &user, err);
	if (status == 0 && line.length > (size_t)job->launcher->limits.line_max)
		status = tm_fail(err, TM_INPUT, "the line of host '%s' has %zu characters; Hydra "
				 "takes %d", host, line.length, job->launcher->limits.line_max);
	if (status == 0)
		return tm_str_take(&line, err);
	tm_str_fini(&line);
	return NULL;
}

static int write_line(FILE *out, const struct tm_launch *job, int first, int end,
		      struct tm_error *err)
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
static int write_runs(FILE *out, const struct tm_launch *job, struct tm_error *err)
{
	const struct tm_placement *p = job->p;
	int *next = tm_alloc((size_t)p->machine->node_count, sizeof *next, err);
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

static int write_nodes(FILE *out, const struct tm_launch *job, struct tm_error *err)
{
	const struct tm_locals *locals = &job->locals;
	int status = 0;

	for (int n = 0; n < job->p->machine->node_count && status == 0; n++)
		if (tm_locals_count(locals, n))
			status = write_line(out, job, locals->first[n], locals->first[n + 1], err);
	return status;
}

int tm_hydra_write(FILE *out, const struct tm_launch *job, int number, struct tm_error *err)
{
	int status;

	(void)number;
	if (tm_launch_write_comment(out, job, err) < 0)
		return -1;
	status = uses_rankmap(job) ? write_nodes(out, job, err) : write_runs(out, job, err);
	return status;
}

static int add_rankmap(struct tm_str *line, const struct tm_launch *job, struct tm_error *err)
{
	int most = job->launcher->limits.argument_max, status = -1;
	int *number = tm_locals_number_nodes(&job->locals, err);
	struct tm_node_blocks blocks = { 0 };
	struct tm_str map = TM_STR_INIT;

	if (number && tm_node_blocks_init(&blocks, job->p->node, number, job->p->size, err) == 0) {
		tm_node_blocks_add_rankmap(&map, &blocks);
		status = 0;
	}
	if (status == 0 && map.length > (size_t)most)
		status = tm_fail(err, TM_INPUT, "the rank map has %zu characters; Hydra takes %d",
				 map.length, most);
	if (status == 0) {
		tm_str_add(line, "-rankmap ");
		tm_shell_add(line, map.text ? map.text : "");
		tm_str_addc(line, ' ');
		line->failed |= map.failed;
	}
	tm_str_fini(&map);
	tm_node_blocks_fini(&blocks);
	free(number);
	return status;
}

int tm_hydra_command(struct tm_str *line, const struct tm_launch *job, struct tm_error *err)
{
	tm_str_add(line, "mpiexec.hydra -f ");
	tm_shell_add(line, job->name);
	tm_str_addc(line, ' ');
	if (uses_rankmap(job) && add_rankmap(line, job, err) < 0)
		return -1;
	tm_str_addf(line, "-n %d PROGRAM", job->p->size);
	return 0;
}

int tm_hydra_note(struct tm_str *text, const struct tm_launch *job, struct tm_error *err)
{
	(void)err;
	if (job->locals.back != TM_NONE)
		tm_str_add(text, "MPICH takes the parts of a host that stands there again for hosts "
			   "of their own and does not use shared memory between them; from 4.1 on "
			   "--launcher hydra does without");
	return 0;
}
