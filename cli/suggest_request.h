/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suggest_request.h - what mapping is asked for, of which traffic, onto which slots: all that the
 * command line says of it.
 */
#ifndef TMAP_CLI_SUGGEST_REQUEST_H
#define TMAP_CLI_SUGGEST_REQUEST_H

#include "cli/base/call_options.h"
#include "cli/suggest_slots.h"
#include "cli/suggest_traffic.h"
#include "core/mappers/suggestion.h"
#include "formats/machine/json_profile.h"

/** What the options say; a member of a command's args. */
struct tmap_suggest_request_args {
	const char *profile, *level_costs, *routes;
	struct tmap_opt_list near;
	int mapper, goal, minimum_gain;
	int64_t effort, seed;
	struct tmap_suggest_traffic_args traffic;
	struct tmap_suggest_slots_args slots;
};

#define TMAP_OPT_SUGGEST_REQUEST(args, request) \
	TMAP_OPT_SUGGEST_TRAFFIC(args, request.traffic), \
		TMAP_OPT_SUGGEST_SLOTS(args, request.slots), \
		{ TMAP_OPT_CHOICE( \
			args, request.mapper, 'm', "mapper", "MAPPER", NULL, &tmap_mappers, \
			TMAP_KEYWORDS_ALL, \
			"mapper; best by default, or walk if the communication is unknown") }, \
		{ TMAP_OPT_CHOICE( \
			args, request.goal, 0, "objective", "FIGURE", NULL, &tmap_goals, \
			TMAP_KEYWORDS_ALL, \
			"what to minimize; seconds by default, or cost if the communication is " \
			"unknown") }, \
		{ TMAP_OPT_STRING( \
			args, request.level_costs, 0, "level-costs", "LEVEL:COST,...", NULL, \
			"cost of a byte by the outermost level that it crosses, instead of " \
			"process distances: \"node:100,package:20,numa:10,core:1\"") }, \
		{ TMAP_OPT_STRING( \
			args, request.routes, 0, "routes", "torus:SIZES|dragonfly", NULL, \
			"cables between the nodes: a torus that they fill in their order, " \
			"\"torus:4x4x2\", or a dragonfly, whose routers are the leaf switches of the " \
			"network and whose groups the switches above; the torus of a " \
			"topology.yaml by default") }, \
		{ TMAP_OPT_LIST( \
			args, request.near, 0, "near", "DEVICE=RANKS[@BYTES]", \
			"ranks that exchange BYTES (64KiB by default) with the closest device of " \
			"their node, adapter or gpu: \"gpu=0-3\", \"adapter=0,8@1MiB\"") }, \
		{ TMAP_OPT_INT(args, request.minimum_gain, 0, "minimum-gain", "PERCENT", "3", 0, \
			       100, \
			       "what saves less than this is not worth a file: the ranks are " \
			       "written as they were launched") }, \
		{ TMAP_OPT_INT64(args, request.effort, 0, "effort", "STEPS", NULL, 0, INT64_MAX, \
				 "budget of the mapper: about one examined message each; if not " \
				 "given, 200000000, and more for a matrix of very many ranks") }, \
		{ TMAP_OPT_INT64(args, request.seed, 0, "seed", "NUMBER", "1", 0, INT64_MAX, \
				 "seed of random choices; the same one gives the same mapping") }, \
	{ \
		TMAP_OPT_PROFILE(args, request.profile, "") \
	}

struct tmap_suggest_request {
	struct tmap_suggestion_request request; /**< borrows from the rest */
	struct tmap_profile_request profile;
	struct tmap_suggest_slots slots;
	struct tmap_suggest_traffic traffic;
	double *level_costs;
	struct tmap_routes routes;
	struct tmap_near *near;
	char *options; /**< those that were given, as text */
};

/** Does it ask for anything but the defaults? */
bool tmap_suggest_request_asks(const struct tmap_suggest_request_args *args);

/** The request for the ranks of @p job, which must outlive it, with what they communicate by @p record
 *  (suggest_traffic.h); it must stay where it is. TMAP_USAGE for options that do not go together. Release
 *  in any case. */
int tmap_suggest_request_init(struct tmap_suggest_request *it,
			      const struct tmap_suggest_request_args *args,
			      const struct tmap_record *record, const struct tmap_placement *job,
			      struct tmap_error *err);
void tmap_suggest_request_fini(struct tmap_suggest_request *it);

#endif
