/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_parts.h - which part of a record a command is about, and what other records belong to it.
 */
#ifndef TMAP_CLI_BASE_RECORD_PARTS_H
#define TMAP_CLI_BASE_RECORD_PARTS_H

#include "core/record/record.h"
#include "options/opt.h"

#include <stdio.h>

/** What the options say; a member of a command's args. */
struct tmap_record_parts_args {
	const char *phase;
	struct tmap_opt_list added;
};

#define TMAP_OPT_RECORD_PARTS(args, member) \
	{ TMAP_OPT_STRING(args, member.phase, 0, "phase", "PHASES", NULL, \
			  "these phases of the record, \"2-5,7\", not the whole run") }, \
	{ \
		.name = "add", .metavar = "RECORD", \
		.help = "a record of another run of as many ranks, added to that of PLACEMENT; of " \
			"--phase its phases, too", \
		.type = &tmap_opt_files, \
		.offset = TMAP_MEMBER(args, member.added, struct tmap_opt_list) \
	}

/** The PLACEMENT of a command, a record or not, and what the options make of it. TMAP_USAGE where they
 *  are given and it is none. */
int tmap_record_parts_read(struct tmap_record *record, const char *path,
			   const struct tmap_record_parts_args *args, struct tmap_error *err);

/** Where they are given, behind @p serves ("Made for"): "phases 3-4 of the record, 5 s of the program's
 *  time." */
void tmap_record_parts_write(FILE *out, const char *serves,
			     const struct tmap_record_parts_args *args,
			     const struct tmap_record *record);

#endif
