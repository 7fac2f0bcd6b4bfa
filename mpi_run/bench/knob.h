/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * knob.h - variables of the library, set while a communicator is made or used.
 *
 *     Open MPI   "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_bcast_algorithm 6"
 *     MPICH      "MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial"
 *
 * are the words by which people are told to choose an algorithm (core/library). The same variables
 * are those of MPI's tool interface, by the same names, so each is set there and set back. A word
 * is one of the variable's own enumeration; MPICH has none, and lists the words in the description
 * in the order of their numbers. A variable that cannot be written will do if it has the value
 * already.
 */
#ifndef TMAP_MPI_RUN_BENCH_KNOB_H
#define TMAP_MPI_RUN_BENCH_KNOB_H

#include "core/schedule/call.h"

#include <mpi.h>

enum { TMAP_KNOB_VARIABLES = 8 };

struct tmap_knob {
	int count;
	struct tmap_knob_variable {
#ifndef SMPI_H /* SimGrid's SMPI has no tool interface */
		MPI_T_cvar_handle handle;
#endif
		int bytes; /**< of the variable: 1 or those of an int */
		int before;
	} variable[TMAP_KNOB_VARIABLES];
};

/** Before the first of them is set, and after the last; a code of MPI. */
int tmap_knobs_init(void);
void tmap_knobs_fini(void);

/** Set all of them for a collective, or none with TMAP_INPUT and the reason, on this rank alone. */
int tmap_knob_set(struct tmap_knob *knob, enum tmap_collective collective, const char *words,
		  struct tmap_error *err);

/** Set them back. A zeroed object is fine. */
void tmap_knob_reset(struct tmap_knob *knob);

#endif
