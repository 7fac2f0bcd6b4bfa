/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program_hosts.h - the hosts that the programs of a job and --map-by seq name, as nodes: what
 * PRRTE 3.0.8 makes of them.
 *
 *     -n 2 --host b:2,a A : -n 3 --host a:2 B : -n 1 C
 *
 *     the job has b with 2 slots and a with 1 + 2; A may take 2 of b and then 1 of a, B 2 of a; and
 *     C what is left of all
 *
 * A program's nodes are taken in its order, but first that on which mpirun runs: the first one of the
 * machine.
 *
 * Slots of one host are added up where they come from --host; of hostfiles the first one that names
 * a host counts. Where a program has --host, hostfiles of others give no nodes.
 *
 * The list of seq is that of FILE=, else of the program's --host or --hostfile, else of the job's, else
 * the nodes. A name of it is that of a node up to the first dot, the whole one where it comes from
 * --host, or localhost for the first node.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_OPENMPI_PROGRAM_HOSTS_H
#define TMAP_FORMATS_LAUNCHERS_OPENMPI_PROGRAM_HOSTS_H

#include "core/place/prrte.h"
#include "formats/launchers/common/policy.h"

/** What a request points to. */
struct tmap_program_hosts {
	struct tmap_program *program; /**< [count] */
	int count;
	int *node_slots,
		*node_most; /**< [nodes] of the job, where programs have hosts; else NULL */
};

/** Put the programs of the policy and the nodes that they and seq name into the request, whose
 *  --map-by has been read; machine's nodes take names that none of them has. */
int tmap_program_hosts_init(struct tmap_program_hosts *hosts, struct tmap_prrte_request *request,
			    const struct tmap_policy *policy, struct tmap_machine *machine,
			    struct tmap_error *err);

void tmap_program_hosts_fini(struct tmap_program_hosts *hosts);

#endif
