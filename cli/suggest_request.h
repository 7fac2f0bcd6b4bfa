/*
 * suggest_request.h - what mapping is asked for, of which traffic, onto which slots: all that the
 * command line says of it.
 */
#ifndef TMAP_CLI_SUGGEST_REQUEST_H
#define TMAP_CLI_SUGGEST_REQUEST_H

#include "cli/suggest_slots.h"
#include "cli/suggest_traffic.h"
#include "core/mappers/suggestion.h"
#include "formats/machine/json_profile.h"

/** What the options say; a member of a command's args. */
struct tmap_suggest_request_args {
	const char *profile, *level_costs;
	int mapper, goal;
	int64_t effort, seed;
	struct tmap_suggest_traffic_args traffic;
	struct tmap_suggest_slots_args slots;
};

#define TMAP_OPT_SUGGEST_REQUEST(args, wish) \
	TMAP_OPT_SUGGEST_TRAFFIC(args, wish.traffic), TMAP_OPT_SUGGEST_SLOTS(args, wish.slots), \
		{ TMAP_OPT_CHOICE(args, wish.mapper, 'm', "mapper", "MAPPER", NULL, &tmap_mappers, \
				  TMAP_KEYWORDS_ALL, \
				  "who finds the mapping; best by default, and walk where it is " \
				  "unknown what the ranks say to each other") }, \
		{ TMAP_OPT_CHOICE(args, wish.goal, 0, "objective", "FIGURE", NULL, &tmap_goals, \
				  TMAP_KEYWORDS_ALL, \
				  "what is to be small; seconds by default, and cost where it " \
				  "is unknown what the ranks say to each other") }, \
		{ TMAP_OPT_STRING( \
			args, wish.level_costs, 0, "level-costs", "LEVEL:COST,...", NULL, \
			"what a byte costs that goes from one object of a level to another, in the " \
			"place of process distances: \"node:100,package:20,numa:10,core:1\"; the " \
			"outermost level that is crossed counts") }, \
		{ TMAP_OPT_INT64(args, wish.effort, 0, "effort", "STEPS", "200000000", 0, \
				 INT64_MAX, \
				 "work that the mapper may do, about a message looked at each") }, \
		{ TMAP_OPT_INT64( \
			args, wish.seed, 0, "seed", "NUMBER", "1", 0, INT64_MAX, \
			"of what is tried at random: the same one gives the same mapping") }, \
	{ \
		TMAP_OPT_FILE( \
			args, wish.profile, 0, "profile", "PROFILE", "summit", \
			"what messages cost: summit, bluewaters, or a file of your own, see " \
			"topomap-json(5)") \
	}

struct tmap_suggest_request {
	struct tmap_wish wish; /**< borrows from the rest */
	struct tmap_profile_request profile;
	struct tmap_suggest_slots slots;
	struct tmap_suggest_traffic traffic;
	double *level_costs;
	char *request;
};

/** Does it ask for anything but the defaults? */
bool tmap_suggest_request_asks(const struct tmap_suggest_request_args *args);

/** The wish for the ranks of @p job, which must outlive it; it must stay where it is. TMAP_USAGE for
 *  options that do not go together. Release in any case. */
int tmap_suggest_request_init(struct tmap_suggest_request *it,
			      const struct tmap_suggest_request_args *args,
			      const struct tmap_placement *job, struct tmap_error *err);
void tmap_suggest_request_fini(struct tmap_suggest_request *it);

#endif
