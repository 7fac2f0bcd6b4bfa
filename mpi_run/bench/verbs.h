/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verbs.h - what topomap-bench does: a verb is a command with options of its own.
 *
 *     topomap-bench VERB [OPTION]...
 *
 * Most run in an MPI job, on all ranks; those without .work are a command of one process.
 */
#ifndef TMAP_MPI_RUN_BENCH_VERBS_H
#define TMAP_MPI_RUN_BENCH_VERBS_H

#include "mpi_probe/startup.h"
#include "options/completion.h"

struct tmap_bench_verb {
	struct tmap_keyword word;
	const struct tmap_command *command;
	void (*prepare)(const void *args); /**< before MPI_Init; NULL: nothing */
	tmap_startup_work *work;           /**< NULL: command->run, without MPI */
};

extern const struct tmap_bench_verb tmap_bench_verbs[]; /**< to one without a name */

/** The program itself: what it says of its verbs, and how shells complete them. */
extern const struct tmap_command tmap_bench_command;
extern const struct tmap_completed tmap_bench_program;

/* Each verb's file. */
extern const struct tmap_command tmap_bench_calibrate_command, tmap_bench_collective_command,
	tmap_bench_guidelines_command, tmap_bench_join_command, tmap_bench_lanes_command,
	tmap_bench_persistent_command, tmap_bench_run_command;
void tmap_bench_collective_prepare(const void *args);
void tmap_bench_run_prepare(const void *args);
tmap_startup_work tmap_bench_calibrate, tmap_bench_collective, tmap_bench_guidelines,
	tmap_bench_lanes, tmap_bench_persistent, tmap_bench_run;

#endif
