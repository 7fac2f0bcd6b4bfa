/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suggest_slots.h - where the ranks may run: what the command line says of it.
 */
#ifndef TMAP_CLI_SUGGEST_SLOTS_H
#define TMAP_CLI_SUGGEST_SLOTS_H

#include "core/base/string.h"
#include "core/map/slots.h"
#include "options/opt.h"

/** What the options say; a member of a command's args. */
struct tmap_suggest_slots_args {
	int ranks, kind;
	struct tmap_opt_list pins, together;
	const char *leave_free;
};

#define TMAP_OPT_SUGGEST_SLOTS(args, slots) \
	{ TMAP_OPT_INT(args, slots.ranks, 'n', "ranks", "N", NULL, 1, INT_MAX, \
		       "map only the first N ranks of the job; all by default") }, \
		{ TMAP_OPT_CHOICE( \
			args, slots.kind, 0, "slots", "KIND", "given", &tmap_slot_kinds, \
			TMAP_KEYWORDS_ALL, \
			"slots of the ranks: the places of the job, or all objects of a kind on " \
			"its nodes") }, \
		{ TMAP_OPT_LIST( \
			args, slots.pins, 0, "pin-rank", "RANKS=SLOT", \
			"slots of these ranks: \"0=here\" keeps its own, \"0-3=n1:4\" get those " \
			"of node n1 from its fifth on, \"7=12\" slot 12 of all") }, \
		{ TMAP_OPT_LIST(args, slots.together, 0, "together", "RANKS", \
				"keep these ranks together on one node: \"0-7\"") }, \
	{ \
		TMAP_OPT_STRING( \
			args, slots.leave_free, 0, "leave-free", "N|pu:LIST", NULL, \
			"leave the last N slots of each node unused, or those with these PUs, " \
			"by OS index: \"2\", \"pu:0,64\"") \
	}

struct tmap_suggest_slots {
	struct tmap_placement part;            /**< the ranks that run, if these are not all */
	const struct tmap_placement *launched; /**< the ranks that run, as the job has them */
	struct tmap_slots slots;
};

/** The slots of a job, which must outlive them; they must stay where they are. Release in any
 *  case. */
int tmap_suggest_slots_init(struct tmap_suggest_slots *it,
			    const struct tmap_suggest_slots_args *args,
			    const struct tmap_placement *job, struct tmap_error *err);
void tmap_suggest_slots_fini(struct tmap_suggest_slots *it);

/** Append the options that were given, as they were: "--slots core ". */
void tmap_suggest_slots_describe(struct tmap_str *text, const struct tmap_suggest_slots_args *args);

#endif
