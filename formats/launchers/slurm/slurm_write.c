/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/slurm/slurm.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "formats/launchers/common/local_list.h"
#include "formats/launchers/common/shell.h"

#include <stdlib.h>
#include <string.h>

enum way { UNBOUND, MAP, MASK, SCRIPT };

static const struct tmap_list_form cpus = { .separator = ',', .repeat = '*', .joint = ',' };
static const struct tmap_list_form masks = { .separator = ',', .repeat = '*', .is_mask = true };
static const struct tmap_list_form sets = { .separator = ' ', .joint = ',' };

/* How the ranks can be bound: one list of CPUs or masks serves all nodes, or a script does. */
static enum way choose(const struct tmap_launch *job)
{
	const struct tmap_locals *locals = &job->locals;
	int first = locals->first[locals->longest], end = locals->first[locals->longest + 1];
	size_t length = 0;

	if (tmap_locals_is_unbound(locals))
		return UNBOUND;
	if (locals->odd != TMAP_NONE)
		return SCRIPT;
	for (int i = first; i < end; i++) {
		const char *pus = tmap_locals_pus(locals, locals->rank[i]);

		length += strlen(pus) + 8;
		if (!*pus || length > (size_t)job->launcher->limits.argument_max / 8)
			return SCRIPT;
	}
	return tmap_local_list_is_single(locals) ? MAP : MASK;
}

int tmap_slurm_count_files(const struct tmap_launch *job)
{
	return choose(job) == SCRIPT ? 2 : 1;
}

static int check_hosts(const struct tmap_locals *locals, struct tmap_error *err)
{
	const struct tmap_machine *machine = locals->p->machine;

	for (int n = 0; n < machine->node_count; n++)
		if (tmap_locals_count(locals, n) && !tmap_host_is_plain(machine->node_name[n]))
			return tmap_fail(err, TMAP_INPUT, "no hostfile can hold the host name '%s'",
					 machine->node_name[n]);
	return 0;
}

static int write_hosts(FILE *out, const struct tmap_launch *job, struct tmap_error *err)
{
	const struct tmap_placement *p = job->p;

	if (tmap_launch_write_comment(out, job, err) < 0)
		return -1;
	for (int r = 0; r < p->size;) {
		const char *name = p->machine->node_name[p->node[r]];
		int end = r + 1;

		while (end < p->size && p->node[end] == p->node[r])
			end++;
		if (end - r > 1)
			fprintf(out, "%s*%d\n", name, end - r);
		else
			fprintf(out, "%s\n", name);
		r = end;
	}
	return 0;
}

/* "0-3 4-7 -": the PUs of the ranks of a node, "-" where one is not bound. */
static char *print_sets(const struct tmap_locals *locals, int node, struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;

	for (int i = locals->first[node]; i < locals->first[node + 1]; i++) {
		bool bound = *tmap_locals_pus(locals, locals->rank[i]) != '\0';

		if (i > locals->first[node])
			tmap_str_addc(&text, ' ');
		if (!bound)
			tmap_str_addc(&text, '-');
		else if (tmap_local_list_add(&text, locals, i, i + 1, &sets, err) < 0) {
			tmap_str_fini(&text);
			return NULL;
		}
	}
	return tmap_str_take(&text, err);
}

/* The nodes by what their ranks are bound to: of_node[n] is a number in @p lists. */
static int sort_nodes(struct tmap_names *lists, int *of_node, const struct tmap_locals *locals,
		      struct tmap_error *err)
{
	for (int n = 0; n < locals->p->machine->node_count; n++) {
		char *text;

		of_node[n] = TMAP_NONE;
		if (!tmap_locals_count(locals, n))
			continue;
		text = print_sets(locals, n, err);
		of_node[n] = text ? tmap_names_intern(lists, text, strlen(text), err) : TMAP_NONE;
		free(text);
		if (of_node[n] == TMAP_NONE)
			return -1;
	}
	return 0;
}

static void write_cases(FILE *out, const int *of_node, const struct tmap_machine *machine)
{
	fputs("case $SLURMD_NODENAME in\n", out);
	for (int n = 0; n < machine->node_count; n++)
		if (of_node[n] != TMAP_NONE)
			fprintf(out, "%s) pus=$list%d ;;\n", machine->node_name[n], of_node[n]);
	fputs("*) echo \"$0: node $SLURMD_NODENAME has no rank\" >&2; exit 1 ;;\n"
	      "esac\n"
	      "pus=$(echo \"$pus\" | cut -d ' ' -f $((SLURM_LOCALID + 1)))\n"
	      "[ \"$pus\" != - ] || exec \"$@\"\n"
	      "exec taskset -c \"$pus\" \"$@\"\n",
	      out);
}

/* What a task may use is looked up by its node and its number there. */
static int write_script(FILE *out, const struct tmap_launch *job, struct tmap_error *err)
{
	const struct tmap_machine *machine = job->p->machine;
	struct tmap_names lists = { 0 };
	int *of_node = tmap_alloc((size_t)machine->node_count, sizeof *of_node, err);
	int status = of_node ? sort_nodes(&lists, of_node, &job->locals, err) : -1;

	if (status == 0) {
		fputs("#!/bin/sh\n# binds each task of srun, then runs the program\n", out);
		for (int i = 0; i < lists.count; i++)
			fprintf(out, "list%d='%s'\n", i, lists.name[i]);
		write_cases(out, of_node, machine);
	}
	tmap_names_fini(&lists);
	free(of_node);
	return status;
}

int tmap_slurm_write(FILE *out, const struct tmap_launch *job, int number, struct tmap_error *err)
{
	if (check_hosts(&job->locals, err) < 0)
		return -1;
	if (!out)
		return 0;
	return number ? write_script(out, job, err) : write_hosts(out, job, err);
}

int tmap_slurm_command(struct tmap_str *line, const struct tmap_launch *job, struct tmap_error *err)
{
	enum way way = choose(job);

	tmap_str_add(line, "SLURM_HOSTFILE=");
	tmap_shell_add_file(line, job->name);
	tmap_str_addf(line, " srun -n %d --distribution=arbitrary ", job->p->size);
	if (way == UNBOUND || way == SCRIPT)
		tmap_str_add(line, "--cpu-bind=none");
	else if (tmap_local_list_add_word(
			 line, &job->locals, way == MAP ? &cpus : &masks,
			 way == MAP ? "--cpu-bind=map_cpu:" : "--cpu-bind=mask_cpu:", "", "Slurm",
			 job->launcher->limits.argument_max, err) < 0)
		return -1;
	if (way == SCRIPT) {
		tmap_str_add(line, " sh ");
		tmap_shell_add_file(line, job->name);
		tmap_str_add(line, ".sh");
	}
	tmap_str_add(line, " PROGRAM");
	return 0;
}

int tmap_slurm_note(struct tmap_str *text, const struct tmap_launch *job, struct tmap_error *err)
{
	(void)err;
	tmap_str_add(text, "srun takes the nodes from the file, without --nodelist");
	if (choose(job) != UNBOUND)
		tmap_str_add(text,
			     ", and binds so only where the job has all of its nodes: allocate "
			     "with --exclusive");
	return 0;
}
