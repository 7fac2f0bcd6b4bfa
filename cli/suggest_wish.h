/*
 * suggest_wish.h - what mapping is asked for, of which traffic, onto which slots: all that the
 * command line says of it.
 */
#ifndef TM_CLI_SUGGEST_WISH_H
#define TM_CLI_SUGGEST_WISH_H

#include "cli/suggest_slots.h"
#include "cli/suggest_traffic.h"
#include "core/mappers/suggestion.h"
#include "formats/machine/json_profile.h"

/** What the options say; a member of a command's args. */
struct tm_suggest_wish_args {
	const char *profile, *level_costs;
	int mapper, goal;
	int64_t effort, seed;
	struct tm_suggest_traffic_args traffic;
	struct tm_suggest_slots_args slots;
};

#define TM_OPT_SUGGEST_WISH(args, wish) \
	TM_OPT_SUGGEST_TRAFFIC(args, wish.traffic), \
	TM_OPT_SUGGEST_SLOTS(args, wish.slots), \
	{ TM_OPT_CHOICE(args, wish.mapper, 'm', "mapper", "MAPPER", NULL, &tm_mappers, \
			TM_WORDS_ALL, "who finds the mapping; best by default, and walk where it is " \
			"unknown what the ranks say to each other") }, \
	{ TM_OPT_CHOICE(args, wish.goal, 0, "objective", "FIGURE", NULL, &tm_goals, \
			TM_WORDS_ALL, "what is to be small; seconds by default, and cost where it " \
			"is unknown what the ranks say to each other") }, \
	{ TM_OPT_STRING(args, wish.level_costs, 0, "level-costs", "LEVEL:COST,...", NULL, \
			"what a byte costs that goes from one object of a level to another, in the " \
			"place of process distances: \"node:100,package:20,numa:10,core:1\"; the " \
			"outermost level that is crossed counts") }, \
	{ TM_OPT_INT64(args, wish.effort, 0, "effort", "STEPS", "200000000", 0, INT64_MAX, \
		       "work that the mapper may do, about a message looked at each") }, \
	{ TM_OPT_INT64(args, wish.seed, 0, "seed", "NUMBER", "1", 0, INT64_MAX, \
		       "of what is tried at random: the same one gives the same mapping") }, \
	{ TM_OPT_FILE(args, wish.profile, 0, "profile", "PROFILE", "summit", \
		      "what messages cost: summit, bluewaters, or a file of your own, see " \
		      "topomap-json(5)") }

struct tm_suggest_wish {
	struct tm_wish wish; /**< borrows from the rest */
	struct tm_profile_choice profile;
	struct tm_suggest_slots slots;
	struct tm_suggest_traffic traffic;
	double *level_costs;
	char *request;
};

/** Does it ask for anything but the defaults? */
bool tm_suggest_wish_asks(const struct tm_suggest_wish_args *args);

/** The wish for the ranks of @p job, which must outlive it; it must stay where it is. TM_USAGE for
 *  options that do not go together. Release in any case. */
int tm_suggest_wish_init(struct tm_suggest_wish *it, const struct tm_suggest_wish_args *args,
			 const struct tm_placement *job, struct tm_error *err);
void tm_suggest_wish_fini(struct tm_suggest_wish *it);

#endif
