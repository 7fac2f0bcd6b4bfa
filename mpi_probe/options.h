/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.h - the command line of topomap-probe: its table, from which help and the
 * manual page come as well.
 */
#ifndef TMAP_MPI_PROBE_OPTIONS_H
#define TMAP_MPI_PROBE_OPTIONS_H

#include "options/command.h"

struct tmap_probe_args {
	const char *output;
	const char *rankfile; /**< NULL: the system is asked */
	const char *network;  /**< NULL: the environment of the ranks is asked */
	const char *topology; /**< of several in the network's file; NULL: the default */
	const char *program;  /**< what this rank stands for; NULL: unknown */
	bool matrix, no_environment;
};

/** A matrix of more ranks is refused: it would have more than 16.8 million numbers. */
#define TMAP_MATRIX_LIMIT 4096

extern const struct tmap_command tmap_probe_command;

#endif
