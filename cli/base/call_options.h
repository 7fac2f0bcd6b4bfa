/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * call_options.h - the options that describe a call of a collective, the same in all commands.
 *
 * @p when_ precedes the help: "", or "with --collective: " where they are for one form of a
 * command only.
 */
#ifndef TMAP_CLI_BASE_CALL_OPTIONS_H
#define TMAP_CLI_BASE_CALL_OPTIONS_H

#include "core/library/library.h"
#include "core/machine/placement.h"
#include "core/schedule/schedule.h"
#include "formats/machine/json_profile.h"
#include "options/opt.h"

#define TMAP_OPT_COLLECTIVE(args, member) \
	TMAP_OPT_CHOICE(args, member, 'c', "collective", "COLLECTIVE", NULL, &tmap_collectives, \
			TMAP_KEYWORDS_ALL, "collective operation"), \
		.required = true
#define TMAP_OPT_BYTES(args, member, when_) \
	TMAP_OPT_SIZE(args, member, 'b', "bytes", "BYTES", NULL, \
		      when_ "size as MPI counts it: of a rank's block, or of the whole vector if " \
			    "it is broadcast or reduced; none for a barrier")
#define TMAP_OPT_DATATYPE(args, member, when_) \
	TMAP_OPT_STRING(args, member, 0, "datatype", "TYPE|BYTES", NULL, \
			when_ "elements of the data: an MPI datatype such as double, or its " \
			      "bytes; vectors are then cut as the libraries cut them. If not " \
			      "given, vectors are cut by bytes, and the libraries' rules " \
			      "count elements of 8 bytes in what is reduced, else of 1")
#define TMAP_OPT_LIBRARY(args, member, letter_, help_) \
	TMAP_OPT_CHOICE(args, member, letter_, "library", "LIBRARY", NULL, &tmap_libraries, \
			TMAP_LIBRARIES_THAT_CHOOSE, \
			help_ "; by default the library under which the placement was probed, " \
			      "else openmpi4")
#define TMAP_OPT_ROOT(args, member, when_) \
	TMAP_OPT_INT(args, member, 'r', "root", "RANK", "0", 0, INT_MAX, \
		     when_ "root of rooted collectives")
#define TMAP_OPT_PROFILE(args, member, when_) \
	TMAP_OPT_OF(args, member, const char *, &tmap_opt_word_or_file, 0, "profile", "PROFILE", \
		    NULL, \
		    when_ "cost profile: a file (topomap-json(5)), or one of those published; " \
			  "without it that which the variable " TMAP_PROFILE_VARIABLE \
			  " names, else the one for the network adapters of the nodes"), \
		.words = &tmap_profiles, .among = TMAP_KEYWORDS_ALL

/** The profile that an option asks for; where @p name is NULL that which the environment names
 *  (TMAP_PROFILE_VARIABLE, not empty), or else the one for the machine of the placement, from which
 *  it may borrow a name. It is compared with the placement. O(p). */
int tmap_profile_option(struct tmap_profile_request *choice, const char *name,
			const struct tmap_placement *placement, struct tmap_error *err);

#endif
