/*
 * launcher.h - the launchers that a mapping can be written for, one row each.
 *
 *     struct tmap_launch job = { 0 };
 *
 *     if (tmap_launch_init(&job, launcher, &after, &before, place_of, path, err) == 0 &&
 *         tmap_launch_check(&job, err) == 0 && tmap_launch_write(&job, path, err) == 0)
 *             line = tmap_launch_command(&job, err);      "mpirun -np 8 --rankfile F PROGRAM"
 *     tmap_launch_fini(&job);
 *
 * A launcher's limits are data of its row: its writer refuses what they exclude, and the
 * message names a launcher that can say it.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_LAUNCHER_H
#define TMAP_FORMATS_LAUNCHERS_LAUNCHER_H

#include "core/base/keyword.h"
#include "core/base/string.h"
#include "core/machine/placement.h"
#include "formats/launchers/common/locals.h"

#include <stdbool.h>
#include <stdio.h>

/** 0 where there is no such limit. */
struct tmap_launcher_limits {
	int entry_max;     /**< characters of a host name and its slot list together */
	int list_max;      /**< characters of a slot list */
	int line_max;      /**< characters of a line */
	int argument_max;  /**< characters of one word of the command line */
	int value_max;     /**< characters of the process map that the library hands on */
	bool rank_0_first; /**< the file must begin with rank 0 */
	bool is_prrte;     /**< slot lists are read as PRRTE does, not as Open MPI 4 */
	bool has_rankmap;  /**< ranks may come back to a node under -rankmap */
};

/** What is to be launched, and by whom. */
struct tmap_launch {
	const struct tmap_launcher *launcher;
	const struct tmap_placement *p; /**< where the ranks shall be; borrowed, as all of these */
	const struct tmap_placement *before; /**< where they are now */
	const int *place_of; /**< [size] rank r takes the place of rank place_of[r] of before; NULL
				  where ranks go to places that no rank had */
	const char *name;    /**< what the command line calls the file */
	struct tmap_locals locals; /**< of p */
};

enum { TMAP_LAUNCH_FILES = 2 };

struct tmap_launcher {
	struct tmap_keyword word;
	const char *file; /**< what the command line calls a file that has no name yet */
	const char *form; /**< what a file is made of, for somebody who wrote a wrong one; NULL where
				  lint has rules of its own, or cannot judge */
	struct tmap_launcher_limits limits;
	/** Launchers that may say what this one cannot, best first. */
	const char *instead[4];
	/** Name endings of the files, "" the first. */
	const char *ending[TMAP_LAUNCH_FILES];
	/** How many of them this job needs; NULL: one. */
	int (*count_files)(const struct tmap_launch *job);
	/** Write file @p number; all of it can be said or nothing is written. Without @p out it is
	 *  only looked whether it can be said. */
	int (*write)(FILE *out, const struct tmap_launch *job, int number, struct tmap_error *err);
	/** Read the first file (and those beside it) back: *p on the nodes of @p machine, which may
	 *  take the file's host names; at most @p ranks ranks, TMAP_NONE: all. NULL for a file that
	 *  says nothing of places: it deals those that there are. */
	int (*read)(struct tmap_placement *p, struct tmap_machine *machine, const char *path,
		    int ranks, struct tmap_error *err);
	/** Append the command line that starts PROGRAM. */
	int (*command)(struct tmap_str *line, const struct tmap_launch *job,
		       struct tmap_error *err);
	/** Append what the user should know of this very job, if anything; NULL: nothing. */
	int (*note)(struct tmap_str *text, const struct tmap_launch *job, struct tmap_error *err);
};

/** The launchers by name; the default one first. */
extern const struct tmap_keywords tmap_launchers;

/** Row @p index of the table. */
const struct tmap_launcher *tmap_launcher_at(int index);

/** The row called @p name, which must be there. */
const struct tmap_launcher *tmap_launcher_called(const char *name);

/** A job for row @p launcher; see struct tmap_launch. @p path is where its first file will be, "-"
 *  if that has no name. O(p + N). */
int tmap_launch_init(struct tmap_launch *job, int launcher, const struct tmap_placement *p,
		     const struct tmap_placement *before, const int *place_of, const char *path,
		     struct tmap_error *err);
void tmap_launch_fini(struct tmap_launch *job);

/** Can the launcher say this job? TMAP_INPUT if not, with a launcher that can, if there is one. */
int tmap_launch_check(const struct tmap_launch *job, struct tmap_error *err);

/** Write the launcher's file to @p path ("-": standard output), and where the job needs further
 *  ones, those beside it ("NAME.sh"): all of them whole, or none. TMAP_USAGE where several have no
 *  name. Call tmap_launch_check() before. O(p). */
int tmap_launch_write(const struct tmap_launch *job, const char *path, struct tmap_error *err);

/** The command line that starts PROGRAM; the caller's to free. Call tmap_launch_check() before. */
char *tmap_launch_command(const struct tmap_launch *job, struct tmap_error *err);

/** Write it as a comment, "# ...", without control characters and in lines that every launcher
 *  reads whole; without @p out it is only made. */
int tmap_launch_write_comment(FILE *out, const struct tmap_launch *job, struct tmap_error *err);

/** What the user should know, a sentence without full stop; "" where there is nothing. The
 *  caller's to free. */
char *tmap_launch_note(const struct tmap_launch *job, struct tmap_error *err);

#endif
