/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tune_library.h - topomap tune --library: the library whose rules are written, compared or checked.
 */
#ifndef TMAP_CLI_TUNE_LIBRARY_H
#define TMAP_CLI_TUNE_LIBRARY_H

#include "core/library/library.h"
#include "core/record/record.h"

/** What names one: NULL where it is not there. */
struct tmap_tune_library {
	int wanted;                       /**< by --library; TMAP_NONE: none */
	const char *measured;             /**< of the times: name and version */
	const struct tmap_record *record; /**< may be empty */
	const struct tmap_placement *placement;
};

/** *library = the one that is asked for, else that of the times, of the record, or under which the placement
 *  was probed, the first that is known. TMAP_USAGE: there is none, or its rules are not written. */
int tmap_tune_library_pick(int *library, const struct tmap_tune_library *names,
			   struct tmap_error *err);

#endif
