/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile_sources.h - the files from which a profile is made, and the profile.
 *
 *     --from osu,distance=1:shared.txt --from osu:network.txt --from stream,controllers=2:stream.txt
 */
#ifndef TMAP_CLI_PROFILE_SOURCES_H
#define TMAP_CLI_PROFILE_SOURCES_H

#include "formats/costs/costs.h"
#include "options/opt.h"

struct tmap_profile_source {
	struct tmap_spec form;
	const char *path; /**< borrowed */
};

/** The option's values, in the order in which they were given. */
struct tmap_profile_sources {
	struct tmap_profile_source *source;
	int count;
	size_t capacity;
};

extern const struct tmap_opt_type tmap_opt_profile_sources;

#define TMAP_OPT_PROFILE_SOURCES(args, sources) \
	TMAP_OPT_OF(args, sources, struct tmap_profile_sources, &tmap_opt_profile_sources, 0, \
		    "from", "FORM:FILE", NULL, \
		    "take costs from what another program measured, over those of PROFILE, if " \
		    "there is one; FORM is NAME[,key=value] of"), \
		.words = &tmap_cost_forms, .among = TMAP_KEYWORDS_ALL

/** Read the files one after the other over *base (NULL: nothing) into *draft, and say in *source,
 *  which is the caller's, where all comes from. @p name is what the profile is called. */
int tmap_profile_sources_read(struct tmap_profile_draft *draft, char **source,
			      const struct tmap_profile_sources *sources, const char *name,
			      const struct tmap_profile *base, struct tmap_error *err);

#endif
