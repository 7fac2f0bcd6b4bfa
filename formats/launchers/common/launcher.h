/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launcher.h - what a row of the table of launchers (formats/launchers/launchers.h) is made of.
 *
 *     file --parse--> entries {rank, host, words} --resolve--> placement     it is read
 *     placement --write--> file    --command--> line for the shell           it is written
 *     words of options --policy--> placement                                 it is imitated
 *
 * A launcher's limits are data of its row: its reader, its writer and its lint look there.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_COMMON_LAUNCHER_H
#define TMAP_FORMATS_LAUNCHERS_COMMON_LAUNCHER_H

#include "core/base/keyword.h"
#include "core/base/string.h"
#include "core/lint/fix.h"
#include "formats/launchers/common/entries.h"
#include "formats/launchers/common/file_findings.h"
#include "formats/launchers/common/locals.h"
#include "formats/launchers/common/policy.h"
#include "formats/launchers/common/rank_list.h"

#include <stdbool.h>
#include <stdio.h>

struct tmap_launcher;
struct tmap_rank_lines;

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

#define TMAP_RELEASE(major, minor) ((major)*100 + (minor))

/** Documents of jobs that a launcher started, by what the probe records of them (struct
 *  tmap_origin). */
struct tmap_launcher_mark {
	const char *launcher; /**< how origin.launcher begins, before the release; NULL: no mark */
	const char *name;     /**< for people: "Hydra" */
	const char *library;  /**< how origin.mpi begins where the MPI library is of the same
				   release; NULL: launcher and library are unrelated */
	bool is_library_only; /**< jobs of other libraries are not meant */
	int since, before;    /**< releases, from this one on and up to that one; 0: all */
	const char *program;  /**< that starts ranks, where rows of several have one form of file */
};

enum { TMAP_LAUNCHER_MARKS = 3 };

/** A file to be read; all of it is borrowed. */
struct tmap_launcher_file {
	const struct tmap_launcher *launcher;
	const char *path; /**< "-": standard input */
	const char *text;
	int ranks;      /**< at most so many are wanted; TMAP_NONE: all */
	int node_count; /**< of the machine */
	int job;        /**< of a log with several, from 1; 0: it has only one */
	const struct tmap_machine *machine; /**< for notes, and for how many ranks it has room; may be
					     NULL */
};

/** A job to be launched. */
struct tmap_launch {
	const struct tmap_launcher *launcher;
	const struct tmap_placement *p; /**< where the ranks shall be; borrowed, as all of these */
	const struct tmap_placement *before; /**< where they are now */
	const int *place_of; /**< [size] rank r takes the place of rank place_of[r] of before; NULL
				  where ranks go to places that no rank had */
	const char *name;    /**< what the command line calls the file */
	const char *why;     /**< why this launcher was assumed ("the probe ran under Hydra 4.0.2"),
				  for the file's comment; NULL: it was asked for */
	const char *program; /**< of the mark that the document has; NULL: none */
	struct tmap_locals locals; /**< of p */
};

enum { TMAP_LAUNCH_FILES = 2, TMAP_LAUNCH_OTHERS = 4 };

/** A row has word, and groups of members; a group is complete or not there at all:
 *
 *     to be read       reads, parse and resolve    or, if it only reorders ranks,
 *                      reads, parse_list and reorder          besides: option, is_argument,
 *                                                             is_log, lines, own_lines,
 *                                                             sample, is_without_hosts
 *     to be written    writes, file, write, command           besides: instead, count_files, note
 *     to be both       form as well                           besides: lint
 *     to be imitated   policy                                 besides: places, wants_io
 *     to be assumed    marks of documents                     besides: fixes
 *
 * What is "besides" is optional, as limits are; but with count_files() there is ending[1], and
 * instead names only rows that are written. tests/formats/launchers/test_launchers.c checks it. */
struct tmap_launcher {
	struct tmap_keyword word; /**< name; launcher and versions */
	struct tmap_launcher_limits limits;

	/* Columns of help, one line each; NULL: the launcher is not among these. */
	const char *writes; /**< what topomap suggest-rankfile writes for it */
	const char *reads;  /**< what the FILE of topomap place --from NAME:FILE is */
	const char *option; /**< of topomap place, the same as --from NAME: "rankfile" */
	const char *places; /**< what topomap place --launcher NAME imitates */

	bool wants_io; /**< it may bind to devices: machines are read with all I/O objects */

	/** Read: the entries of the text, then the PUs of the words of each. On failure *line,
	 *  which is 0 before, is the line to blame. NULL where a file names no places. */
	int (*parse)(struct tmap_entries *entries, const struct tmap_launcher_file *file, int *line,
		     struct tmap_error *err);
	tmap_entries_resolve *resolve;
	bool is_argument;   /**< the text itself stands where others have the name of a file */
	bool has_own_ends;  /**< it refuses ends of lines that others take, and its lint says so */
	bool is_log;        /**< it may have several jobs, and be among other output */
	const char *sample; /**< of what shows where ranks are: a line, for help; NULL: a file */
	bool is_without_hosts;               /**< a line of that names no node */
	const struct tmap_rank_lines *lines; /**< of a log with one line for each rank or thread
						  (formats/logs/rank_lines.h); NULL: another */
	/** Patterns (formats/logs/line_pattern.h) of lines that only such a file has, NULL at the
	 *  end, where lines has none: files are recognised by these. */
	const char *const *own_lines;

	/** A file that only reorders ranks: its list, and what to do with it. NULL for others. */
	int (*parse_list)(struct tmap_rank_list *list, const struct tmap_launcher_file *file,
			  int *line, struct tmap_error *err);
	int (*reorder)(struct tmap_placement *p, const int *list, int count,
		       struct tmap_error *err);

	/** What a file is made of, for users who wrote a wrong one: --lint without lint() prints
	 *  it. */
	const char *form;
	/** Rules of its own, besides what the reader refuses; NULL: none. @p machine may be
	 *  NULL. */
	int (*lint)(struct tmap_file_findings *findings, const struct tmap_launcher_file *file,
		    struct tmap_machine *machine, struct tmap_error *err);

	/** The documents that are this launcher's: of all rows whose mark a document has, the one
	 *  with the latest release since which it is meant, then the one that means the library,
	 *  then the first (formats/launchers/origin.h). A row has a mark for whatever reads its
	 *  files. */
	struct tmap_launcher_mark mark[TMAP_LAUNCHER_MARKS + 1];
	const char *writer; /**< the row that is written for the launcher whose output or option
				 this one is; NULL: itself, if it is */
	/** The launcher's words for what findings ask for; NULL: none are known. */
	const struct tmap_fix_words *fixes;

	/** The library by whose choices findings go where documents name none: a row of
	 *  tmap_libraries, and why it, half a sentence; NULL: the first row */
	const char *library, *library_why;

	/** The launcher's own mapping and binding; NULL: they are not imitated. */
	const struct tmap_launcher_policy *policy;

	const char *file; /**< what the command line calls a file that has no name yet */
	/** Launchers that may express what this one cannot, best first; NULL at the end. */
	const char *instead[TMAP_LAUNCH_OTHERS + 1];
	/** What is added to the name of the user for each file; the first has the name itself. */
	const char *ending[TMAP_LAUNCH_FILES];
	/** How many of them this job needs; NULL: one. */
	int (*count_files)(const struct tmap_launch *job);
	/** Write file @p number: the whole job can be expressed, or nothing is written. Without
	 *  @p out it is only checked. O(p). */
	int (*write)(FILE *out, const struct tmap_launch *job, int number, struct tmap_error *err);
	/** Append the command line that starts PROGRAM. */
	int (*command)(struct tmap_str *line, const struct tmap_launch *job,
		       struct tmap_error *err);
	/** Append what the user should know of this very job, if anything; NULL: nothing. */
	int (*note)(struct tmap_str *text, const struct tmap_launch *job, struct tmap_error *err);
};

/** The prototypes of a row's functions: tmap_slurm_parse(), tmap_slurm_write(), ... */
#define TMAP_LAUNCHER_PARSES(name_) \
	int tmap_##name_##_parse(struct tmap_entries *entries, \
				 const struct tmap_launcher_file *file, int *line, \
				 struct tmap_error *err)
#define TMAP_LAUNCHER_RESOLVES(name_) \
	int tmap_##name_##_resolve(struct tmap_idset *pus, const char *words, \
				   const struct tmap_topology *topo, const void *context, \
				   struct tmap_error *err)
#define TMAP_LAUNCHER_WRITES(name_) \
	int tmap_##name_##_write(FILE *out, const struct tmap_launch *job, int number, \
				 struct tmap_error *err); \
	int tmap_##name_##_command(struct tmap_str *line, const struct tmap_launch *job, \
				   struct tmap_error *err)
#define TMAP_LAUNCHER_NOTES(name_) \
	int tmap_##name_##_note(struct tmap_str *text, const struct tmap_launch *job, \
				struct tmap_error *err)

/** *entries = those of the text, of one job, and in *line the line to blame if it is refused. */
int tmap_launcher_parse(struct tmap_entries *entries, const struct tmap_launcher_file *file,
			int *line, struct tmap_error *err);

/** As tmap_launcher_read() with the text that file->path has. *note = half a sentence on what the
 *  text does not say, or NULL. */
int tmap_launcher_read_text(struct tmap_placement *p, struct tmap_machine *machine,
			    const struct tmap_launcher_file *file, const char **note,
			    struct tmap_error *err);

/** What input.h does to a text, as far as the launcher's files want it: ends of lines are joined in
 *  place, and what is no UTF-8 is refused. */
int tmap_launcher_take_text(const struct tmap_launcher *launcher, char *text,
			    struct tmap_error *err);

/** *text = that of the file, so taken. @p is_judged: a long text is refused by its first wrong line, before the
 *  rest is read, unless it is a log, which has lines of others. */
int tmap_launcher_read_file(char **text, const struct tmap_launcher_file *file, bool is_judged,
			    struct tmap_error *err);

/** *p = the ranks of the file @p path ("-": standard input) on these nodes, which take the file's
 *  host names if they have other ones (hosts.h); at most @p ranks of them, TMAP_NONE: all. The
 *  launcher has parse(). Refuses, as file:line, malformed lines, unknown hosts and PUs, ranks that
 *  are missing or doubled, and whatever the launcher would not read as it is written.
 *  O(length + ranks) expected. */
int tmap_launcher_read(struct tmap_placement *p, struct tmap_machine *machine,
		       const struct tmap_launcher *launcher, const char *path, int ranks,
		       struct tmap_error *err);

/** *list = the ranks of such a file, no more than @p machine (NULL: any) has room for; the launcher has
 *  parse_list(). */
int tmap_launcher_read_list(struct tmap_rank_list *list, const struct tmap_launcher *launcher,
			    const char *path, const struct tmap_machine *machine,
			    struct tmap_error *err);

/** The command line that starts PROGRAM; the caller's to free. */
char *tmap_launch_command(const struct tmap_launch *job, struct tmap_error *err);

/** Write "# for ..., as ...", where the launcher was assumed. */
void tmap_launch_write_why(FILE *out, const struct tmap_launch *job);

/** Write that, and the command line as a comment, "# ...", without control characters and in lines
 *  that every launcher reads whole; without @p out it is only made. */
int tmap_launch_write_comment(FILE *out, const struct tmap_launch *job, struct tmap_error *err);

/** Refuses a job whose ranks go to places that no rank had. */
int tmap_launch_check_permutation(const struct tmap_launch *job, struct tmap_error *err);

#endif
