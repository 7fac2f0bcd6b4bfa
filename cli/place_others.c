/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/place_others.h"

#define NODES "the nodes are those of MACHINE, such as 'node:N ...'"
#define PLANE "-n of all nodes together, with slurm --distribution plane=N, with others --slots N"

const struct tmap_opt_other tmap_place_others[] = {
	{ "np", "-n N" },
	{ "nprocs", "-n N" },
	{ "ntasks", "-n N" },
	{ "npernode", "--map-by ppr:N:node" },
	{ "N", "Open MPI's is --map-by ppr:N:node; " NODES },
	{ "npersocket", "--map-by ppr:N:package" },
	{ "ppn", "--slots N" },
	{ "perhost", "--slots N" },
	{ "ntasks-per-node", PLANE },
	{ "tasks-per-node", PLANE },
	{ "nodes", NODES },
	{ "oversubscribe", "--map-by OBJECT:OVERSUBSCRIBE" },
	{ "bycore", "--map-by core" },
	{ "byslot", "--map-by slot" },
	{ "bynode", "--map-by node" },
	{ "bind-to-core", "--bind-to core" },
	{ "bind-to-socket", "--bind-to package" },
	{ "bind-to-none", "--bind-to none" },
	{ "cpus-per-proc", "--map-by OBJECT:PE=N" },
	{ "cpus-per-rank", "--map-by OBJECT:PE=N" },
	{ "cpu-affinity", "--cpu-bind WHAT" },
	{ "cores-per-task", "--cpus-per-task C" },
	{ "depth", "--cpus-per-task C" },
	{ "genv", "--env NAME=VALUE" },
	{ "host", "--hosts LIST" },
	{ "H", "--hosts LIST" },
	{ "nodelist", "--hosts LIST" },
	{ "w", "--hosts LIST" },
	{ "machinefile", "--hostfile FILE" },
	{ NULL, NULL },
};
