/*
 * launcher.h - the launchers that a mapping can be written for, one row each.
 *
 * A launcher's limits are data of its row: the writer refuses what they exclude.
 */
#ifndef TM_LAUNCHER_H
#define TM_LAUNCHER_H

#include "core/machine/placement.h"
#include "core/word.h"

#include <stdbool.h>
#include <stdio.h>

struct tm_launcher_limits {
	int entry_max;       /**< characters of a host name and its slot list together */
	int list_max;        /**< characters of a slot list */
	bool rank_0_first;   /**< the file must begin with rank 0 */
};

struct tm_launcher {
	struct tm_word word;
	struct tm_launcher_limits limits;
	/** Write the launcher's file; all of it can be said or nothing is written. */
	int (*write)(FILE *out, const struct tm_placement *p,
		     const struct tm_launcher_limits *limits, struct tm_error *err);
	/** Read one: *p on the nodes of @p machine, which may take the file's host names. */
	int (*read)(struct tm_placement *p, struct tm_machine *machine, const char *path,
		    struct tm_error *err);
	/** The command line that starts PROGRAM with the file @p path; the caller's to free. */
	char *(*command)(const struct tm_placement *p, const char *path, struct tm_error *err);
};

/** The launchers by name; the default one first. */
extern const struct tm_words tm_launchers;

/** Row @p index of the table. */
const struct tm_launcher *tm_launcher_at(int index);

#endif
