/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * identity.h - which MPI library and which launcher a job has.
 *
 * The library describes itself in a text of its own form; the launcher leaves its
 * marks in the environment of every rank. Both are read here as plain text, so
 * this module needs neither.
 */
#ifndef TMAP_MPI_PROBE_IDENTITY_H
#define TMAP_MPI_PROBE_IDENTITY_H

#include "core/base/error.h"

/** A launcher and the marks it leaves; the first row whose marks are there counts. */
struct tmap_starter {
	const char *name;
	const char *mark;    /**< a variable that it sets in every rank */
	const char *also;    /**< a second one that must be there; NULL: none */
	const char *version; /**< the variable that holds its version; NULL: none */
	const char *rank;    /**< the variable that holds a rank's number in MPI_COMM_WORLD */
	const char *size;    /**< the variable that holds the number of ranks; NULL: none */
	/** Where no variable holds the version: the program that prints it with --version, and a
	 *  word that it prints besides. It stands beside the launcher's process @p process, which
	 *  is an ancestor of the ranks; where that is NULL, in the PATH. NULL: not known. */
	const char *program, *says, *process;
};

/** All launchers known, nearest first: an mpirun inside a Slurm job leaves both marks and
 *  was the one that started the ranks. The last row has name NULL. */
extern const struct tmap_starter tmap_starters[];

/** The launcher whose marks are in @p environment (NAME=value, NULL-terminated); NULL if
 *  none: a rank without a launcher. */
const struct tmap_starter *tmap_starter_find(char *const *environment);

/** "srun (Slurm) 22.05.8" or "mpirun (Open MPI) 5.0.3", the caller's to free. @p version is what
 *  tmap_starter_ask() found, for launchers without a variable; "": nothing. */
char *tmap_starter_describe(const struct tmap_starter *starter, char *const *environment,
			    const char *version, struct tmap_error *err);

/** The rank's number in the environment, known even before MPI_Init; TMAP_NONE if it is
 *  not there. @p starter may be NULL. */
int tmap_starter_rank(const struct tmap_starter *starter, char *const *environment);

/** The number of ranks that the launcher started, TMAP_NONE if unknown. */
int tmap_starter_size(const struct tmap_starter *starter, char *const *environment);

/** The text of MPI_Get_library_version in short: the first line up to a comma, blanks single,
 *  the word "Version" and its colon left out ("Open MPI v4.1.4", "MPICH 4.0.2"); the caller's
 *  to free. */
char *tmap_library_name(const char *text, struct tmap_error *err);

#endif
