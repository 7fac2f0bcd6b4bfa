/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/identity.h"

#include "core/base/mem.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

const struct tmap_starter tmap_starters[] = {
	{ "mpirun (Open MPI)", "PRTE_LAUNCHED", "OMPI_VERSION", "OMPI_VERSION", "PMIX_RANK",
	  "OMPI_COMM_WORLD_SIZE", NULL, NULL, NULL },
	{ "prterun (PRRTE)", "PRTE_LAUNCHED", NULL, NULL, "PMIX_RANK", NULL, NULL, NULL, NULL },
	{ "mpirun (Open MPI)", "OMPI_COMM_WORLD_RANK", NULL, NULL, "OMPI_COMM_WORLD_RANK",
	  "OMPI_COMM_WORLD_SIZE", "orterun", "Open", "orte" },
	{ "mpiexec (Hydra)", "MPI_LOCALNRANKS", "PMI_RANK", NULL, "PMI_RANK", "PMI_SIZE",
	  "mpiexec.hydra", "HYDRA", "hydra_" },
	{ "mpirun_rsh (MVAPICH)", "MV2_COMM_WORLD_RANK", NULL, NULL, "MV2_COMM_WORLD_RANK",
	  "MV2_COMM_WORLD_SIZE", NULL, NULL, NULL },
	{ "flux run", "FLUX_TASK_RANK", NULL, NULL, "FLUX_TASK_RANK", "FLUX_JOB_SIZE", NULL, NULL,
	  NULL },
	{ "mpiexec (PALS)", "PALS_RANKID", NULL, NULL, "PALS_RANKID", "PMI_SIZE", NULL, NULL,
	  NULL },
	{ "aprun (ALPS)", "ALPS_APP_PE", NULL, NULL, "ALPS_APP_PE", NULL, NULL, NULL, NULL },
	{ "jsrun", "JSM_NAMESPACE_RANK", NULL, NULL, "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE",
	  NULL, NULL, NULL },
	{ "srun (Slurm)", "SLURM_STEP_ID", "SLURM_PROCID", NULL, "SLURM_PROCID",
	  "SLURM_STEP_NUM_TASKS", "srun", "slurm", NULL },
	{ "a PMIx launcher", "PMIX_RANK", NULL, NULL, "PMIX_RANK", NULL, NULL, NULL, NULL },
	{ "a PMI launcher", "PMI_RANK", NULL, NULL, "PMI_RANK", "PMI_SIZE", NULL, NULL, NULL },
	{ NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL },
};

static const char *variable_find(char *const *environment, const char *name)
{
	size_t length = strlen(name);

	for (; *environment; environment++)
		if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
			return *environment + length + 1;
	return NULL;
}

const struct tmap_starter *tmap_starter_find(char *const *environment)
{
	for (const struct tmap_starter *row = tmap_starters; row->name; row++)
		if (variable_find(environment, row->mark) &&
		    (!row->also || variable_find(environment, row->also)))
			return row;
	return NULL;
}

char *tmap_starter_describe(const struct tmap_starter *starter, char *const *environment,
			    const char *version, struct tmap_error *err)
{
	if (starter->version)
		version = variable_find(environment, starter->version);
	if (!version || !*version)
		return tmap_strdup(starter->name, err);
	return tmap_format(err, "%s %s", starter->name, version);
}

/* The whole number that a variable holds; TMAP_NONE if there is none. */
static int variable_number(char *const *environment, const char *name)
{
	const char *text = name ? variable_find(environment, name) : NULL;
	char *end;
	long number;

	if (!text || !isdigit((unsigned char)*text))
		return TMAP_NONE;
	number = strtol(text, &end, 10);
	return *end || number > INT_MAX ? TMAP_NONE : (int)number;
}

int tmap_starter_rank(const struct tmap_starter *starter, char *const *environment)
{
	return starter ? variable_number(environment, starter->rank) : TMAP_NONE;
}

int tmap_starter_size(const struct tmap_starter *starter, char *const *environment)
{
	return starter ? variable_number(environment, starter->size) : TMAP_NONE;
}

/* Skips blanks and a colon; NULL if there is no colon. */
static const char *colon_skip(const char *text)
{
	text += strspn(text, " \t");
	if (*text != ':')
		return NULL;
	text++;
	return text + strspn(text, " \t");
}

/* A prefix that libraries derived from MPICH put before the name. */
static const char *heading_skip(const char *text)
{
	static const char heading[] = "MPI VERSION";
	const char *rest = NULL;

	if (strncmp(text, heading, sizeof heading - 1) == 0)
		rest = colon_skip(text + sizeof heading - 1);
	return rest ? rest : text;
}

char *tmap_library_name(const char *text, struct tmap_error *err)
{
	static const char word[] = " Version";
	char *name, *out;

	text += strspn(text, " \t\r\n");
	text = heading_skip(text);
	name = out = tmap_alloc(strcspn(text, ",\r\n") + 1, 1, err);
	if (!name)
		return NULL;
	while (!strchr(",\r\n", *text)) {
		const char *rest = NULL;

		if (strncmp(text, word, sizeof word - 1) == 0)
			rest = colon_skip(text + sizeof word - 1);
		if (rest || isblank((unsigned char)*text)) {
			text = rest ? rest : text + strspn(text, " \t");
			*out++ = ' ';
		} else {
			*out++ = isprint((unsigned char)*text) ? *text : '?';
			text++;
		}
	}
	while (out > name && out[-1] == ' ')
		out--;
	*out = '\0';
	return name;
}
