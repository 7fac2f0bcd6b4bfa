/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * other_file.h - a file that is refused where it was given, because it is one that another option
 * reads.
 *
 *     machine.xml: it is hwloc's XML of a machine, which topomap place reads as MACHINE
 */
#ifndef TMAP_CLI_BASE_OTHER_FILE_H
#define TMAP_CLI_BASE_OTHER_FILE_H

#include "core/machine/placement.h"
#include "core/record/record.h"

/** What was wanted. */
enum tmap_file_use {
	TMAP_FILE_PLACEMENT,
	TMAP_FILE_MACHINE,
	TMAP_FILE_NETWORK,
	TMAP_FILE_TRAFFIC,
	TMAP_FILE_DISTANCES, /**< a matrix, a placement or hwloc's XML */
	TMAP_FILE_RANKS,     /**< what a launcher reads or prints */
	TMAP_FILE_HOSTS,     /**< the user says whose; many a text of words or numbers may be one */
	TMAP_FILE_PROFILE,
};

/** @p err is of reading such a file, and names it. Where the file itself is refused (TMAP_INPUT) and
 *  is known to be of another use, the error says which instead; as TMAP_FILE_HOSTS it stays where the
 *  file only may be of another one, as any text of numbers may be. The file is read once more;
 *  standard input is gone, and its error stays. Returns -1. */
int tmap_refuse_other_file(enum tmap_file_use wanted, struct tmap_error *err);

/** tmap_placement_read_json() of a command's PLACEMENT, with such errors. */
int tmap_placement_operand(struct tmap_placement *p, const char *path, struct tmap_error *err);

/** The same with the record, where it is one. */
int tmap_record_operand(struct tmap_record *record, const char *path, struct tmap_error *err);

#endif
