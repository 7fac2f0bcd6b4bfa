#include "formats/launchers/common/profiles.h"

#include "core/base/mem.h"
#include "formats/launchers/common/hosts.h"
#include "formats/launchers/common/local_list.h"
#include "formats/launchers/common/shell.h"

#include <stdlib.h>

static const struct tm_list_form processors = { .separator = ',', .joint = ',' };
static const struct tm_list_form domains = { .separator = ',', .is_mask = true };

/* Masks describe domains, which must be distinct: one process each. */
static int check_domains(const struct tm_locals *locals, struct tm_error *err)
{
	int first = locals->first[locals->longest], end = locals->first[locals->longest + 1];
	struct tm_idset taken = { 0 };
	int status = 0;

	for (int i = first; i < end && status == 0; i++) {
		const struct tm_placement *p = locals->p;
		const struct tm_idset *pus = &p->places[p->place[locals->rank[i]]].pus;

		for (int os = tm_idset_next(pus, TM_NONE); os != TM_NONE && status == 0;
		     os = tm_idset_next(pus, os))
			status = tm_idset_contains(&taken, os) ?
				 tm_fail(err, TM_INPUT, "rank %d has PU P%d, and so has another rank of "
					 "node '%s', but the domains of Intel MPI do not overlap",
					 locals->rank[i], os, p->machine->node_name[locals->longest]) :
				 tm_idset_add(&taken, os, err);
	}
	tm_idset_fini(&taken);
	return status;
}

static int check(const struct tm_launch *job, struct tm_error *err)
{
	const struct tm_locals *locals = &job->locals;
	char *const *name = job->p->machine->node_name;

	if (locals->back != TM_NONE)
		return tm_fail(err, TM_INPUT, "rank %d comes back to node '%s' after others, but a "
			       "machinefile lists each host once, with ranks that follow one another",
			       locals->back, name[job->p->node[locals->back]]);
	for (int n = 0; n < job->p->machine->node_count; n++)
		if (tm_locals_count(locals, n) && !tm_host_is_plain(name[n]))
			return tm_fail(err, TM_INPUT, "no machinefile can hold the host name '%s'",
				       name[n]);
	if (tm_locals_is_unbound(locals) || tm_local_list_is_single(locals))
		return 0;
	return check_domains(locals, err);
}

/* Hosts in the order of their ranks. */
int tm_intel_write(FILE *out, const struct tm_launch *job, int number, struct tm_error *err)
{
	const struct tm_placement *p = job->p;

	(void)number;
	if (check(job, err) < 0 || tm_launch_write_comment(out, job, err) < 0)
		return -1;
	for (int r = 0; out && r < p->size; r += tm_locals_count(&job->locals, p->node[r]))
		fprintf(out, "%s:%d\n", p->machine->node_name[p->node[r]],
			tm_locals_count(&job->locals, p->node[r]));
	return 0;
}

static int add_pinning(struct tm_str *line, const struct tm_launch *job, struct tm_error *err)
{
	int most = job->launcher->limits.argument_max;

	if (tm_local_list_is_single(&job->locals)) {
		tm_str_add(line, "I_MPI_PIN_PROCESSOR_LIST ");
		return tm_local_list_add_word(line, &job->locals, &processors, "", "", "Intel MPI",
					      most, err);
	}
	tm_str_add(line, "I_MPI_PIN_DOMAIN ");
	return tm_local_list_add_word(line, &job->locals, &domains, "[", "]", "Intel MPI", most, err);
}

int tm_intel_command(struct tm_str *line, const struct tm_launch *job, struct tm_error *err)
{
	tm_str_add(line, "mpirun -machinefile ");
	tm_shell_add(line, job->name);
	tm_str_add(line, " -genv ");
	if (tm_locals_is_unbound(&job->locals))
		tm_str_add(line, "I_MPI_PIN off");
	else if (add_pinning(line, job, err) < 0)
		return -1;
	tm_str_addf(line, " -n %d PROGRAM", job->p->size);
	return 0;
}
