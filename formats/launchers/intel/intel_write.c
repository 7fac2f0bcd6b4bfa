/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/intel/intel.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "formats/launchers/common/local_list.h"
#include "formats/launchers/common/shell.h"

#include <stdlib.h>

static const struct tmap_list_form processors = { .separator = ',', .joint = ',' };
static const struct tmap_list_form domains = { .separator = ',', .is_mask = true };

/* Masks describe domains, which must be distinct: one process each. */
static int check_domains(const struct tmap_locals *locals, struct tmap_error *err)
{
	int first = locals->first[locals->longest], end = locals->first[locals->longest + 1];
	struct tmap_idset taken = { 0 };
	int status = 0;

	for (int i = first; i < end && status == 0; i++) {
		const struct tmap_placement *p = locals->p;
		const struct tmap_idset *pus = &p->places[p->place[locals->rank[i]]].pus;

		for (int os = tmap_idset_next(pus, TMAP_NONE); os != TMAP_NONE && status == 0;
		     os = tmap_idset_next(pus, os))
			status = tmap_idset_contains(&taken, os) ?
				tmap_fail(err, TMAP_INPUT,
					  "rank %d has PU P%d, and so has another rank of "
					  "node '%s', but the domains of Intel MPI do not overlap",
					  locals->rank[i], os,
					  p->machine->node_name[locals->longest]) :
				tmap_idset_add(&taken, os, err);
	}
	tmap_idset_fini(&taken);
	return status;
}

static int check(const struct tmap_launch *job, struct tmap_error *err)
{
	const struct tmap_locals *locals = &job->locals;
	char *const *name = job->p->machine->node_name;

	if (locals->back != TMAP_NONE)
		return tmap_fail(
			err, TMAP_INPUT,
			"rank %d comes back to node '%s' after others, but a "
			"machinefile lists each host once, with ranks that follow one another",
			locals->back, name[job->p->node[locals->back]]);
	for (int n = 0; n < job->p->machine->node_count; n++)
		if (tmap_locals_count(locals, n) && !tmap_host_is_plain(name[n]))
			return tmap_fail(err, TMAP_INPUT,
					 "no machinefile can hold the host name '%s'", name[n]);
	if (tmap_locals_is_unbound(locals) || tmap_local_list_is_single(locals))
		return 0;
	return check_domains(locals, err);
}

/* Hosts in the order of their ranks. */
int tmap_intel_write(FILE *out, const struct tmap_launch *job, int number, struct tmap_error *err)
{
	const struct tmap_placement *p = job->p;

	(void)number;
	if (check(job, err) < 0 || tmap_launch_write_comment(out, job, err) < 0)
		return -1;
	for (int r = 0; out && r < p->size; r += tmap_locals_count(&job->locals, p->node[r]))
		fprintf(out, "%s:%d\n", p->machine->node_name[p->node[r]],
			tmap_locals_count(&job->locals, p->node[r]));
	return 0;
}

static int add_pinning(struct tmap_str *line, const struct tmap_launch *job, struct tmap_error *err)
{
	int most = job->launcher->limits.argument_max;

	if (tmap_local_list_is_single(&job->locals)) {
		tmap_str_add(line, "I_MPI_PIN_PROCESSOR_LIST ");
		return tmap_local_list_add_word(line, &job->locals, &processors, "", "",
						"Intel MPI", most, err);
	}
	tmap_str_add(line, "I_MPI_PIN_DOMAIN ");
	return tmap_local_list_add_word(line, &job->locals, &domains, "[", "]", "Intel MPI", most,
					err);
}

int tmap_intel_command(struct tmap_str *line, const struct tmap_launch *job, struct tmap_error *err)
{
	tmap_str_add(line, "mpirun -machinefile ");
	tmap_shell_add_file(line, job->name);
	tmap_str_add(line, " -genv ");
	if (tmap_locals_is_unbound(&job->locals))
		tmap_str_add(line, "I_MPI_PIN off");
	else if (add_pinning(line, job, err) < 0)
		return -1;
	tmap_str_addf(line, " -n %d PROGRAM", job->p->size);
	return 0;
}

/* As far apart as can be. A domain is one rank's: no words for more ranks than packages or NUMA
 * nodes, "[$1]". */
#define COMPACT "-genv I_MPI_PIN_DOMAIN $3:compact"
#define SCATTERED COMPACT " -genv I_MPI_PIN_ORDER scatter"
#define EVEN_SCATTERED \
	"-n $4 -ppn $6 -genv I_MPI_PIN_DOMAIN $5:compact -genv I_MPI_PIN_ORDER scatter"

const struct tmap_fix_words tmap_intel_fixes = {
	.launcher = "Intel MPI",
	.word = { [TMAP_FIX_BIND] = "-genv I_MPI_PIN_DOMAIN core",
		  [TMAP_FIX_APART] = "-genv I_MPI_PIN_PROCESSOR_LIST allcores",
		  [TMAP_FIX_CORES] = "-genv I_MPI_PIN_PROCESSOR_LIST allcores",
		  [TMAP_FIX_PACKAGES] = SCATTERED,
		  [TMAP_FIX_PACKAGE] = "-genv I_MPI_PIN_DOMAIN socket[$1]",
		  [TMAP_FIX_NUMAS] = SCATTERED,
		  [TMAP_FIX_NUMA] = "-genv I_MPI_PIN_DOMAIN numa[$1]",
		  [TMAP_FIX_SPREAD] = SCATTERED,
		  [TMAP_FIX_SPREAD_THREADS] = SCATTERED,
		  [TMAP_FIX_FEWER] = "-n $1 -ppn $2 -genv I_MPI_PIN_DOMAIN core",
		  [TMAP_FIX_TURNS] = SCATTERED,
		  [TMAP_FIX_EVEN] = "-n $4 -ppn $2 -genv I_MPI_PIN_DOMAIN $5:compact",
		  [TMAP_FIX_EVEN_NUMAS] = EVEN_SCATTERED,
		  [TMAP_FIX_EVEN_PACKAGES] = EVEN_SCATTERED,
		  [TMAP_FIX_EVEN_CACHES] = EVEN_SCATTERED,
		  [TMAP_FIX_EVEN_SPREAD] = EVEN_SCATTERED,
		  [TMAP_FIX_EVEN_TURNS] = EVEN_SCATTERED,
		  [TMAP_FIX_EVEN_CACHE_TURNS] = EVEN_SCATTERED,
		  [TMAP_FIX_BLOCK] = "-ppn $2 " COMPACT " -genv I_MPI_PIN_ORDER compact",
		  [TMAP_FIX_PACKED] = "-ppn $2 " COMPACT " -genv I_MPI_PIN_ORDER compact",
		  [TMAP_FIX_CYCLIC] = "-ppn 1 " COMPACT,
		  [TMAP_FIX_THREADS] = COMPACT,
		  [TMAP_FIX_WIDE_THREADS] = COMPACT,
		  [TMAP_FIX_PACKAGE_THREADS] = COMPACT,
		  [TMAP_FIX_NUMA_THREADS] = COMPACT,
		  [TMAP_FIX_EACH_PACKAGE] = SCATTERED,
		  [TMAP_FIX_EACH_NUMA] = SCATTERED,
		  [TMAP_FIX_EACH_CACHE] = SCATTERED,
		  [TMAP_FIX_PUS] = "-n $4 -ppn $5 -genv I_MPI_PIN_PROCESSOR_LIST $1",
		  [TMAP_FIX_SETS] = "-n $4 -ppn $5 -genv I_MPI_PIN_DOMAIN $[$1$]" },
};
