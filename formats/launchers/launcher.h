/*
 * launcher.h - the launchers that a mapping can be written for, one row each.
 *
 *     struct tm_launch job = { 0 };
 *
 *     if (tm_launch_init(&job, launcher, &after, &before, place_of, path, err) == 0 &&
 *         tm_launch_check(&job, err) == 0 && tm_launch_write(&job, path, err) == 0)
 *             line = tm_launch_command(&job, err);      "mpirun -np 8 --rankfile F PROGRAM"
 *     tm_launch_fini(&job);
 *
 * A launcher's limits are data of its row: its writer refuses what they exclude, and the
 * message names a launcher that can say it.
 */
#ifndef TM_LAUNCHER_H
#define TM_LAUNCHER_H

#include "core/machine/placement.h"
#include "core/base/string.h"
#include "core/base/keyword.h"
#include "formats/launchers/common/locals.h"

#include <stdbool.h>
#include <stdio.h>

/** 0 where there is no such limit. */
struct tm_launcher_limits {
	int entry_max;       /**< characters of a host name and its slot list together */
	int list_max;        /**< characters of a slot list */
	int line_max;        /**< characters of a line */
	int argument_max;    /**< characters of one word of the command line */
	int value_max;       /**< characters of the process map that the library hands on */
	bool rank_0_first;   /**< the file must begin with rank 0 */
	bool is_prrte;       /**< slot lists are read as PRRTE does, not as Open MPI 4 */
	bool has_rankmap;    /**< ranks may come back to a node under -rankmap */
};

/** What is to be launched, and by whom. */
struct tm_launch {
	const struct tm_launcher *launcher;
	const struct tm_placement *p;      /**< where the ranks shall be; borrowed, as all of these */
	const struct tm_placement *before; /**< where they are now */
	const int *place_of; /**< [size] rank r takes the place of rank place_of[r] of before; NULL
				  where ranks go to places that no rank had */
	const char *name;    /**< what the command line calls the file */
	struct tm_locals locals; /**< of p */
};

enum { TM_LAUNCH_FILES = 2 };

struct tm_launcher {
	struct tm_word word;
	const char *file;    /**< what the command line calls a file that has no name yet */
	const char *form;    /**< what a file is made of, for somebody who wrote a wrong one; NULL where
				  lint has rules of its own, or cannot judge */
	struct tm_launcher_limits limits;
	/** Launchers that may say what this one cannot, best first. */
	const char *instead[4];
	/** Name endings of the files, "" the first. */
	const char *ending[TM_LAUNCH_FILES];
	/** How many of them this job needs; NULL: one. */
	int (*count_files)(const struct tm_launch *job);
	/** Write file @p number; all of it can be said or nothing is written. Without @p out it is
	 *  only looked whether it can be said. */
	int (*write)(FILE *out, const struct tm_launch *job, int number, struct tm_error *err);
	/** Read the first file (and those beside it) back: *p on the nodes of @p machine, which may
	 *  take the file's host names; at most @p ranks ranks, TM_NONE: all. NULL for a file that
	 *  says nothing of places: it deals those that there are. */
	int (*read)(struct tm_placement *p, struct tm_machine *machine, const char *path, int ranks,
		    struct tm_error *err);
	/** Append the command line that starts PROGRAM. */
	int (*command)(struct tm_str *line, const struct tm_launch *job, struct tm_error *err);
	/** Append what the user should know of this very job, if anything; NULL: nothing. */
	int (*note)(struct tm_str *text, const struct tm_launch *job, struct tm_error *err);
};

/** The launchers by name; the default one first. */
extern const struct tm_words tm_launchers;

/** Row @p index of the table. */
const struct tm_launcher *tm_launcher_at(int index);

/** The row called @p name, which must be there. */
const struct tm_launcher *tm_launcher_called(const char *name);

/** A job for row @p launcher; see struct tm_launch. @p path is where its first file will be, "-"
 *  if that has no name. O(p + N). */
int tm_launch_init(struct tm_launch *job, int launcher, const struct tm_placement *p,
		   const struct tm_placement *before, const int *place_of, const char *path,
		   struct tm_error *err);
void tm_launch_fini(struct tm_launch *job);

/** Can the launcher say this job? TM_INPUT if not, with a launcher that can, if there is one. */
int tm_launch_check(const struct tm_launch *job, struct tm_error *err);

/** Write the launcher's file to @p path ("-": standard output), and where the job needs further
 *  ones, those beside it ("NAME.sh"): all of them whole, or none. TM_USAGE where several have no
 *  name. Call tm_launch_check() before. O(p). */
int tm_launch_write(const struct tm_launch *job, const char *path, struct tm_error *err);

/** The command line that starts PROGRAM; the caller's to free. Call tm_launch_check() before. */
char *tm_launch_command(const struct tm_launch *job, struct tm_error *err);

/** Write it as a comment, "# ...", without control characters and in lines that every launcher
 *  reads whole; without @p out it is only made. */
int tm_launch_write_comment(FILE *out, const struct tm_launch *job, struct tm_error *err);

/** What the user should know, a sentence without full stop; "" where there is nothing. The
 *  caller's to free. */
char *tm_launch_note(const struct tm_launch *job, struct tm_error *err);

#endif
