/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * starter_ask.h - which release of its launcher started a rank, where no variable says so.
 *
 *     rank  <-  sh -c ...  <-  /usr/bin/hydra_pmi_proxy
 *                              /usr/bin/mpiexec.hydra --version     "... Version: 4.0.2"
 *
 * The program beside the launcher's own process is asked, not one of that name in the PATH, which
 * may be another library's. Slurm's process is root's and shows no path, but there is one Slurm.
 */
#ifndef TMAP_MPI_PROBE_STARTER_ASK_H
#define TMAP_MPI_PROBE_STARTER_ASK_H

#include "mpi_probe/identity.h"

#include <stddef.h>

enum { TMAP_STARTER_VERSION = 24 };

/** *version = "4.0.2", or "" where nobody says so within two seconds. Starts a program: for before
 *  MPI_Init, and one process of the job. @p starter may be NULL. */
void tmap_starter_ask(char version[TMAP_STARTER_VERSION], const struct tmap_starter *starter);

/** What such a program printed: the first number with a point in it, if @p says stands somewhere;
 *  else "". */
void tmap_starter_read(char version[TMAP_STARTER_VERSION], const char *printed, const char *says);

#endif
