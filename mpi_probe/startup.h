/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * startup.h - how a program of ours becomes a job, and what one that runs in it says of itself.
 *
 *     launcher ── guard ── MPI_Init ── job ── work on all ranks ── MPI_Finalize
 *                   │                   └ other launcher: each rank is a job of its own: refused
 *                   └ MPI_Init failed: one sentence
 *
 * One process prints: rank 0, or without MPI the first by the launcher's variables.
 */
#ifndef TMAP_MPI_PROBE_STARTUP_H
#define TMAP_MPI_PROBE_STARTUP_H

#include "core/machine/placement.h"
#include "mpi_probe/identity.h"
#include "mpi_probe/job.h"
#include "mpi_probe/starter_ask.h"

struct tmap_startup {
	const char *program;                /**< "topomap-probe" */
	const struct tmap_starter *starter; /**< found before MPI_Init, which may leave marks too */
	char version[TMAP_STARTER_VERSION]; /**< what it says of itself; "" if nothing */
	int started_rank, started_size; /**< in the launcher's variables; TMAP_NONE if unknown */
	struct tmap_job job;
};

/** What is done in the job, on all ranks: 0 on all, or -1 on all with the same error. */
typedef int tmap_startup_work(struct tmap_startup *startup, const void *args,
			      struct tmap_error *err);

/** Begin the job (argv: main's), do the work, end it, with any error printed; the exit status. */
int tmap_startup_run(const char *program, char *const *argv, tmap_startup_work *work,
		     const void *args);

/** Print an error as the program's. */
void tmap_startup_print(const char *program, const struct tmap_error *err);

/** Is this the process that prints? */
bool tmap_startup_is_first(void);

/** What is printed for people, who may well have typed an mpirun before it: by the first alone, with
 *  a look at what standard output took. The exit status, any error printed. */
int tmap_startup_print_once(const char *program,
			    int (*print)(const void *what, struct tmap_error *err),
			    const void *what);

/** By whom, under which library and launcher, and when; @p request: how it was asked for, or NULL.
 *  On rank 0. */
int tmap_startup_describe(struct tmap_startup *startup, const char *request,
			  struct tmap_origin *origin, struct tmap_error *err);

/** Collective: what this rank was started as. *setting is tmap_setting_fini()'s in any case. */
int tmap_startup_setting(struct tmap_startup *startup, const char *name, bool no_environment,
			 struct tmap_setting *setting, struct tmap_error *err);

/** The version of the library, as in origin.mpi; the caller's to free. */
char *tmap_startup_library(struct tmap_startup *startup, struct tmap_error *err);

#endif
