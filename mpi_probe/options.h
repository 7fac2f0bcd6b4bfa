/*
 * options.h - the command line of topomap-probe: its table, from which help and the
 * manual page come as well.
 */
#ifndef TM_OPTIONS_H
#define TM_OPTIONS_H

#include "options/command.h"

struct tm_probe_args {
	const char *output;
	const char *rankfile;    /**< NULL: the system is asked */
	bool matrix;
};

/** A matrix of more ranks is refused: it would have more than 16.8 million numbers. */
#define TM_MATRIX_LIMIT 4096

extern const struct tm_command tm_probe_command;

#endif
