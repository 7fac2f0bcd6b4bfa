#include "formats/launchers/common/profiles.h"

#include "core/base/mem.h"
#include "formats/launchers/common/hosts.h"
#include "formats/launchers/openmpi/rankfile.h"
#include "formats/launchers/openmpi/rankfile_lex.h"
#include "formats/launchers/common/shell.h"
#include "formats/launchers/openmpi/slot_list.h"

#include <stdlib.h>
#include <string.h>

static int check_hosts(const struct tm_locals *locals, struct tm_error *err)
{
	const struct tm_machine *machine = locals->p->machine;
	bool *used = tm_alloc((size_t)machine->node_count, sizeof *used, err);
	int status = used ? 0 : -1;

	for (int n = 0; n < machine->node_count && status == 0; n++) {
		const char *name = machine->node_name[n];

		used[n] = tm_locals_count(locals, n) > 0;
		if (used[n] && !tm_rankfile_is_host(name, strlen(name)))
			status = tm_fail(err, TM_INPUT, "no hostfile can hold the host name '%s'",
					 name);
	}
	if (status == 0)
		status = tm_rankfile_check_hosts(machine, used, err);
	free(used);
	return status;
}

/* The cores of a place as Open MPI counts them; hardware threads by the system's numbers. */
static char *print_list(const struct tm_placement *p, const struct tm_place *place, bool hwthreads,
			struct tm_error *err)
{
	if (hwthreads)
		return tm_idset_print(&place->pus, err);
	return tm_slot_list_print(&place->pus, &p->machine->topology[place->topology], false, err);
}

/* Those of every place that has ranks. */
static char **print_lists(const struct tm_placement *p, bool hwthreads, struct tm_error *err)
{
	char **list = tm_alloc((size_t)p->place_count, sizeof *list, err);

	for (int r = 0; list && r < p->size; r++) {
		const struct tm_place *place = &p->places[p->place[r]];
		char **text = &list[p->place[r]];

		if (*text)
			continue;
		*text = print_list(p, place, hwthreads, err);
		if (*text)
			continue;
		tm_wrap(err, "rank %d", r);
		for (int i = 0; i < p->place_count; i++)
			free(list[i]);
		free(list);
		list = NULL;
	}
	return list;
}

static void print_rank(FILE *out, const struct tm_placement *p, int rank, const char *list)
{
	const char *host = p->machine->node_name[p->node[rank]];

	fprintf(out, "%.*s", (int)tm_host_short_length(host), host);
	if (list)
		fprintf(out, " %s", list);
	fputc('\n', out);
}

static int check_lines(const struct tm_launch *job, char **list, struct tm_error *err)
{
	const struct tm_placement *p = job->p;

	for (int r = 0; r < p->size; r++) {
		const char *host = p->machine->node_name[p->node[r]];
		size_t length = tm_host_short_length(host) + 1 + strlen(list[p->place[r]]);

		if (length > (size_t)job->launcher->limits.line_max)
			return tm_fail(err, TM_INPUT, "rank %d: host '%.64s' and its cores have %zu "
				       "characters; Open MPI's sequential mapper takes %d", r, host,
				       length, job->launcher->limits.line_max);
	}
	return 0;
}

static int print_all(FILE *out, const struct tm_launch *job, char **list, struct tm_error *err)
{
	if (tm_launch_write_comment(out, job, err) < 0)
		return -1;
	for (int r = 0; r < job->p->size; r++)
		print_rank(out, job->p, r, list ? list[job->p->place[r]] : NULL);
	return 0;
}

int tm_seq_write(FILE *out, const struct tm_launch *job, int number, struct tm_error *err)
{
	const struct tm_placement *p = job->p;
	char **list = NULL;
	int status = 0;

	(void)number;
	if (check_hosts(&job->locals, err) < 0)
		return -1;
	if (!tm_locals_is_unbound(&job->locals)) {
		list = print_lists(p, tm_rankfile_needs_hwthreads(p), err);
		if (!list)
			return -1;
	}
	if (list)
		status = check_lines(job, list, err);
	if (status == 0 && out)
		status = print_all(out, job, list, err);
	for (int i = 0; list && i < p->place_count; i++)
		free(list[i]);
	free(list);
	return status;
}

int tm_seq_command(struct tm_str *line, const struct tm_launch *job, struct tm_error *err)
{
	(void)err;
	tm_str_addf(line, "mpirun -np %d --mca rmaps seq ", job->p->size);
	if (tm_locals_is_unbound(&job->locals))
		tm_str_add(line, "--bind-to none ");
	else if (tm_rankfile_needs_hwthreads(job->p))
		tm_str_add(line, "--mca hwloc_base_use_hwthreads_as_cpus 1 ");
	tm_str_add(line, "--hostfile ");
	tm_shell_add(line, job->name);
	tm_str_add(line, " PROGRAM");
	return 0;
}

int tm_seq_note(struct tm_str *text, const struct tm_launch *job, struct tm_error *err)
{
	char *policy;

	if (strchr(job->name, ':')) /* it could not be given within --map-by */
		return 0;
	policy = tm_format(err, "seq:file=%s", job->name);
	if (!policy)
		return -1;
	if (tm_locals_is_unbound(&job->locals)) {
		tm_str_addf(text, "with Open MPI 5: mpirun -np %d --map-by ", job->p->size);
		tm_shell_add(text, policy);
		tm_str_add(text, " --bind-to none PROGRAM");
	} else {
		tm_str_add(text, "Open MPI 5 may not bind to the cores of this file: "
			   "--launcher openmpi5 does");
	}
	free(policy);
	return 0;
}
