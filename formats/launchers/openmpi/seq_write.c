/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/openmpi/openmpi.h"

#include "core/base/mem.h"
#include "formats/launchers/common/hosts.h"
#include "formats/launchers/common/shell.h"
#include "formats/launchers/openmpi/rankfile.h"
#include "formats/launchers/openmpi/rankfile_lex.h"
#include "formats/launchers/openmpi/slot_list.h"

#include <stdlib.h>
#include <string.h>

static int check_hosts(const struct tmap_locals *locals, struct tmap_error *err)
{
	const struct tmap_machine *machine = locals->p->machine;
	bool *used = tmap_alloc((size_t)machine->node_count, sizeof *used, err);
	int status = used ? 0 : -1;

	for (int n = 0; n < machine->node_count && status == 0; n++) {
		const char *name = machine->node_name[n];

		used[n] = tmap_locals_count(locals, n) > 0;
		if (used[n] && !tmap_rankfile_is_host(name, strlen(name)))
			status = tmap_fail(err, TMAP_INPUT,
					   "no hostfile can hold the host name '%s'", name);
	}
	if (status == 0)
		status = tmap_rankfile_check_hosts(machine, used, err);
	free(used);
	return status;
}

/* The cores of a place as Open MPI counts them; hardware threads by the system's numbers. */
static char *print_list(const struct tmap_placement *p, const struct tmap_place *place,
			bool hwthreads, struct tmap_error *err)
{
	if (hwthreads)
		return tmap_idset_print(&place->pus, err);
	return tmap_slot_list_print(&place->pus, &p->machine->topology[place->topology], false,
				    err);
}

/* Those of every place that has ranks. */
static char **print_lists(const struct tmap_placement *p, bool hwthreads, struct tmap_error *err)
{
	char **list = tmap_alloc((size_t)p->place_count, sizeof *list, err);

	for (int r = 0; list && r < p->size; r++) {
		const struct tmap_place *place = &p->places[p->place[r]];
		char **text = &list[p->place[r]];

		if (*text)
			continue;
		*text = print_list(p, place, hwthreads, err);
		if (*text)
			continue;
		tmap_wrap(err, "rank %d", r);
		for (int i = 0; i < p->place_count; i++)
			free(list[i]);
		free(list);
		list = NULL;
	}
	return list;
}

static void print_rank(FILE *out, const struct tmap_placement *p, int rank, const char *list)
{
	const char *host = p->machine->node_name[p->node[rank]];

	fprintf(out, "%.*s", (int)tmap_host_short_length(host), host);
	if (list)
		fprintf(out, " %s", list);
	fputc('\n', out);
}

static int check_lines(const struct tmap_launch *job, char **list, struct tmap_error *err)
{
	const struct tmap_placement *p = job->p;

	for (int r = 0; r < p->size; r++) {
		const char *host = p->machine->node_name[p->node[r]];
		size_t length = tmap_host_short_length(host) + 1 + strlen(list[p->place[r]]);

		if (length > (size_t)job->launcher->limits.line_max)
			return tmap_fail(err, TMAP_INPUT,
					 "rank %d: host '%.64s' and its cores have %zu "
					 "characters; Open MPI's sequential mapper takes %d",
					 r, host, length, job->launcher->limits.line_max);
	}
	return 0;
}

static int print_all(FILE *out, const struct tmap_launch *job, char **list, struct tmap_error *err)
{
	if (tmap_launch_write_comment(out, job, err) < 0)
		return -1;
	for (int r = 0; r < job->p->size; r++)
		print_rank(out, job->p, r, list ? list[job->p->place[r]] : NULL);
	return 0;
}

int tmap_seq_hostfile_write(FILE *out, const struct tmap_launch *job, int number,
			    struct tmap_error *err)
{
	const struct tmap_placement *p = job->p;
	char **list = NULL;
	int status = 0;

	(void)number;
	if (check_hosts(&job->locals, err) < 0)
		return -1;
	if (!tmap_locals_is_unbound(&job->locals)) {
		list = print_lists(p, tmap_rankfile_needs_hwthreads(p), err);
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

int tmap_seq_hostfile_command(struct tmap_str *line, const struct tmap_launch *job,
			      struct tmap_error *err)
{
	(void)err;
	tmap_str_addf(line, "mpirun -np %d --mca rmaps seq ", job->p->size);
	if (tmap_locals_is_unbound(&job->locals))
		tmap_str_add(line, "--bind-to none ");
	else if (tmap_rankfile_needs_hwthreads(job->p))
		tmap_str_add(line, "--mca hwloc_base_use_hwthreads_as_cpus 1 ");
	tmap_str_add(line, "--hostfile ");
	tmap_shell_add_file(line, job->name);
	tmap_str_add(line, " PROGRAM");
	return 0;
}

int tmap_seq_hostfile_note(struct tmap_str *text, const struct tmap_launch *job,
			   struct tmap_error *err)
{
	char *policy;

	if (strchr(job->name, ':')) /* it could not be given within --map-by */
		return 0;
	policy = tmap_format(err, "seq:file=%s", job->name);
	if (!policy)
		return -1;
	if (tmap_locals_is_unbound(&job->locals)) {
		tmap_str_addf(text, "with Open MPI 5: mpirun -np %d --hostfile ", job->p->size);
		tmap_shell_add_file(text, job->name);
		tmap_str_add(text, " --map-by ");
		tmap_shell_add(text, policy);
		tmap_str_add(text, " --bind-to none PROGRAM");
		if (tmap_openmpi5_refuses(job->name)) {
			tmap_str_add(text, "; ");
			tmap_openmpi5_add_refusal(text, job->name);
		}
	} else {
		tmap_str_add(text,
			     "Open MPI 5 may not bind to the cores of this file: "
			     "--launcher openmpi5 does");
	}
	free(policy);
	return 0;
}
