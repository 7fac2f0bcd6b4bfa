/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * call_options.h - the options that describe a call of a collective, the same in all commands.
 *
 * @p when_ precedes the help: "", or "with --collective: " where they are for one form of a
 * command only.
 */
#ifndef TMAP_CLI_BASE_CALL_OPTIONS_H
#define TMAP_CLI_BASE_CALL_OPTIONS_H

#include "core/schedule/schedule.h"
#include "options/opt.h"

#define TMAP_OPT_COLLECTIVE(args, member) \
	TMAP_OPT_CHOICE(args, member, 'c', "collective", "COLLECTIVE", NULL, &tmap_collectives, \
			TMAP_KEYWORDS_ALL, "collective operation"), \
		.required = true
#define TMAP_OPT_BYTES(args, member, when_) \
	TMAP_OPT_SIZE(args, member, 'b', "bytes", "BYTES", NULL, \
		      when_ "size as MPI counts it: of a rank's block, or of the whole vector if " \
			    "it is broadcast or reduced; none for a barrier")
#define TMAP_OPT_ROOT(args, member, when_) \
	TMAP_OPT_INT(args, member, 'r', "root", "RANK", "0", 0, INT_MAX, \
		     when_ "root of rooted collectives")
#define TMAP_OPT_PROFILE(args, member, when_) \
	TMAP_OPT_FILE(args, member, 0, "profile", "PROFILE", "summit", \
		      when_ "cost profile: summit, bluewaters, or a file, see topomap-json(5)")

#endif
